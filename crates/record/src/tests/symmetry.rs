//! Symmetries of records.

use super::*;
use tengen_rules::types::Symmetry;

#[test]
fn canonical_ignores_the_order_of_set_up_stones() {
    let canonical =
        |text: &str| read(text.as_bytes(), &ReadOptions::default()).unwrap().list[0].canonical().0;
    let first = canonical("(;GM[4]SZ[5]AB[aa][ca]AW[cc])");
    assert_eq!(canonical("(;GM[4]SZ[5]AB[ca][aa]AW[cc])"), first);
    assert_eq!(canonical("(;GM[4]SZ[5]AB[ca][ea]AW[cc])"), first, "mirrored");
    assert_ne!(canonical("(;GM[4]SZ[5]AB[aa][da]AW[cc])"), first);
    // Variations and later set-up stones break ties between symmetrical games.
    let variation = |name| canonical(&format!("(;GM[4]SZ[15];B[hh](;W[hg])(;W[{name}]))"));
    assert_eq!(variation("gg"), variation("ig"));
    let later = |black, white| canonical(&format!("(;GM[4]SZ[15];AB[{black}]AW[{white}])"));
    assert_eq!(later("aa", "bb"), later("oa", "nb"));
    // Marks do not, since the moves decide first.
    let marked = |mark| canonical(&format!("(;GM[4]SZ[15]MA[{mark}];B[hh];W[ig])")).moves();
    assert_eq!(marked("aa"), marked("oa"));
}

#[test]
fn canonical_turns_cells_in_texts() {
    let canonical =
        |line: &str| read(line.as_bytes(), &ReadOptions::default()).unwrap().list[0].canonical().0;
    let offered = |moves: &str, cells: &str| {
        let line = format!("{{\"moves\":\"{moves}\",\"info\":{{\"alternatives\":\"{cells}\"}}}}");
        canonical(&line)
    };
    // The cells may be separated in different ways, and the moves may be symmetrical.
    assert_eq!(offered("h8 i9 j8", "a1, b1"), offered("h8 g9 f8", "o1 n1"));
    assert_eq!(offered("h8", "a1, b1"), offered("h8", "o15 n15"));
    let lost =
        |moves: &str| canonical(&format!("{{\"moves\":\"{moves}\",\"reason\":\"off-board\"}}"));
    assert_eq!(lost("7,7 15,7"), lost("7,7 7,-1"));
}

#[test]
fn symmetries_transform_the_whole_record() {
    let game = rich();
    for symmetry in Symmetry::ALL {
        let image = game.transformed(symmetry);
        assert_eq!(image.transformed(symmetry.inverse()), game);
        if symmetry.size(game.size) == game.size {
            assert_eq!(image.canonical().0, game.canonical().0);
        }
    }
}

#[test]
fn symmetries_transform_an_illegal_last_move() {
    for (moves, reason, stated, turned) in [
        ("0,0 3,2 0,0", "occupied", "then 0,0: occupied", "then 14,0: occupied"),
        ("0,0 15,2", "off-board", "then 15,2: off-board", "then 12,15: off-board"),
    ] {
        let line = format!("{{\"moves\":\"{moves}\",\"reason\":\"{reason}\"}}");
        let mut game = read(line.as_bytes(), &ReadOptions::default()).unwrap().list.remove(0);
        let last = game.main_line().last().unwrap();
        let comment = &mut game.note_mut(last).comment;
        *comment = format!("a note\n{comment}\nTengen: score +1\n");
        let image = game.transformed(Symmetry::ALL[6]);
        let comment = &image.note(last).unwrap().comment;
        assert_eq!(*comment, format!("a note\n{turned}\nTengen: score +1\n"));
        assert_eq!(image.transformed(Symmetry::ALL[5]), game, "{stated}");
        let lost_by =
            |game: &GameRecord| replay::replay(game, Rule::Freestyle).unwrap().lost_by.unwrap();
        let at = Symmetry::ALL[6].coordinates(game.size, lost_by(&game).at);
        assert_eq!(lost_by(&image).at, at);
        // Without the reason it is a comment like others.
        game.reason = None;
        assert!(game.transformed(Symmetry::ALL[6]).note(last).unwrap().comment.contains(stated));
    }
}

#[test]
fn symmetries_transform_cells_in_information() {
    let turned = |key: &str, text: &str| {
        let mut game = GameRecord::new(size(9, 12));
        game.info.insert(key.to_string(), text.to_string());
        let image = game.transformed(Symmetry::ALL[6]);
        image.transformed(Symmetry::ALL[5]).info[key].clone() + " -> " + &image.info[key]
    };
    assert_eq!(turned("first", "0,0 8,11"), "0,0 8,11 -> 11,0 0,8");
    assert_eq!(turned("alternatives", "a12, i1"), "a12 i1 -> l9 a1");
    for text in ["Anna", "z9", "", "3.", "the 1st"] {
        assert_eq!(turned("first", text), format!("{text} -> {text}"));
    }
    assert_eq!(turned("event", "a1"), "a1 -> a1");
}
