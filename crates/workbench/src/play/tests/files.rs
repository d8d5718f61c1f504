//! Saved and loaded games.

use super::*;
use tengen_record::{Format, GameRecord, write};
use tengen_rules::types::{BoardSize, Point};

#[test]
fn redo_repeats_passes_of_a_loaded_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("a.sgf"), "(;GM[4]SZ[15];B[hh];W[];B[ii];W[jj];B[])").unwrap();
    let people = Args { load: Some(file("a.sgf")), ..two_people(Rule::Freestyle, "") };
    let saved = |commands: &str| {
        let text = typed(&people, format!("{commands}save --force {}\n", file("b.sgf").display()));
        assert!(text.ends_with("moves: h8 i7 j6\n"), "{text}");
        let turn = text.lines().rev().find(|line| line.contains("> ")).unwrap().to_string();
        let bytes = std::fs::read_to_string(file("b.sgf")).unwrap();
        (turn.starts_with("white> "), bytes[bytes.find("B[hh]").unwrap()..].to_string())
    };
    let loaded = saved("");
    assert_eq!(saved("undo\nundo\nundo\nredo\nredo\nredo\n"), loaded);
    // The same move without the pass begins another line.
    let text = typed(&people, "undo\nundo\nundo\nh8\nredo\n");
    assert!(text.contains("no move to play again"), "{text}");
}

#[test]
fn usual_rule_is_that_of_loaded_games_without_one() {
    let folder = tempfile::tempdir().unwrap();
    for (rule, expected) in [("", "renju 15x15"), ("RU[standard]", "standard 15x15")] {
        let path = folder.path().join("a.sgf");
        std::fs::write(&path, format!("(;GM[4]SZ[15]{rule};B[hh])")).unwrap();
        let mut args = Args { load: Some(path), ..two_people(Rule::Freestyle, "") };
        args.position.board.rule = None;
        args.usual_rule = Some(Rule::Renju);
        assert!(typed(&args, "").contains(expected), "{expected}");
    }
}

#[test]
fn saved_games_load_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let people = two_people(Rule::Renju, "");
    for name in ["game.sgf", "game.psq", "game.jsonl", "game.txt"] {
        let path = file(name);
        let text =
            typed(&people, format!("h8\ni9\nsave {path}\nj9\nsave {path}\nnew\nload {path}\n"));
        assert_eq!(text.matches("saved to ").count(), 2, "{text}");
        assert!(text.ends_with("moves: h8 i9 j9\n"), "{name}: {text}");
        // Piskvork's files and lists of moves have no rule, so the current one stays.
        assert_eq!(text.matches("renju 15x15; black: you, white: you").count(), 3, "{text}");
        // Another session must not overwrite it, even if it has read it.
        for before in ["", &format!("load {path}\n")] {
            let text = typed(&people, format!("{before}a1\nsave {path}\n"));
            assert!(text.contains("not saved: "), "{text}");
        }
        let loaded = Args { load: Some(path.into()), ..two_people(Rule::Renju, "") };
        assert!(typed(&loaded, "").ends_with("moves: h8 i9 j9\n"));
    }
    // How it ended, and why.
    for (moves, end, why) in [
        ("h8 i9 resign", "RE[W+R]", "resignation"),
        ("h8 a1 i8 a2 j8 a3 k8 a4 l8", "RE[B+]", "five"),
    ] {
        let (sgf, json) = (file(&format!("{why}.sgf")), file(&format!("{why}.jsonl")));
        let moves = moves.replace(' ', "\n");
        typed(&people, format!("{moves}\nsave {sgf}\nsave {json}\n"));
        assert!(std::fs::read_to_string(&sgf).unwrap().contains(end));
        let reason = format!("\"reason\":\"{why}\"");
        assert!(std::fs::read_to_string(&json).unwrap().contains(&reason));
    }
    // An archive's board is not the one that is played on.
    let path = file("archive.rec");
    let moves = ["16,16", "0,0"].map(|cell| cell.parse::<Point>().unwrap());
    let record = GameRecord::from_moves(BoardSize::square(20).unwrap(), moves).unwrap();
    write(&[record], Format::Rec, &mut std::fs::File::create(&path).unwrap()).unwrap();
    let text = typed(&people, format!("load {path}\n"));
    assert!(text.contains("renju 20x20") && text.ends_with("moves: q4 a20\n"), "{text}");
    let path = file("extra.sgf");
    std::fs::write(&path, "(;GM[4]SZ[15]XY[1];B[hh];W[ii])").unwrap();
    let loaded = Args { load: Some(path.as_str().into()), ..two_people(Rule::Renju, "") };
    for text in [typed(&people, format!("load {path}\n")), typed(&loaded, "")] {
        assert!(!text.contains("left out"), "{text}");
        assert!(text.ends_with("moves: h8 i7\n"), "{text}");
    }
    // Set up before the game, and ended by a foul: neither can be played from the empty board.
    let black = "AB[jh][ji][hg][ig][jg]AW[ao][co][eo][go][gg]";
    std::fs::write(&path, format!("(;GM[4]SZ[15]RU[renju]{black};B[kk])")).unwrap();
    let text = typed(&loaded, "");
    assert!(text.contains("white> ") && text.ends_with("moves: k5\n"), "{text}");
    let foul = "B[jh];W[ao];B[ji];W[co];B[hg];W[eo];B[ig];W[go];B[jg]";
    std::fs::write(&path, format!("(;GM[4]SZ[15]RU[renju];{foul})")).unwrap();
    let text = typed(&loaded, "");
    assert!(text.contains("white wins: double-three\n"), "{text}");
    // The foul's stone was not on the board, so that no move to play again.
    let text = typed(&loaded, "undo\nredo\n");
    assert!(text.contains("no move to play again\n"), "{text}");
    // A file that holds the foul as the last move loads as a game that it ended.
    let path = file("foul.jsonl");
    typed(&loaded, format!("save {path}\n"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("double-three") && text.contains("6,14 9,6"), "{text}");
    let text = typed(&people, format!("load {path}\n"));
    assert!(text.contains("white wins: double-three\n"), "{text}");
    // A list of moves cannot hold these positions: white began, a cell is out of play.
    let position = PositionArgs { side: Some(Color::White), ..people.position.clone() };
    let white_first = Args { position, ..two_people(Rule::Renju, "") };
    let position = PositionArgs { diagram: Some("-".into()), ..people.position.clone() };
    let walls = Args { position, ..two_people(Rule::Renju, "") };
    let diagram = format!("# . . . .\n{}\n", ". . . . .\n".repeat(4));
    for (args, before) in [(white_first, ""), (walls, &diagram[..])] {
        let text = typed(&args, format!("{before}c3\nd4\nsave {}\n", file("set-up.txt")));
        assert!(text.contains("not saved: "), "{text}");
        assert!(!Path::new(&file("set-up.txt")).exists());
        let path = file(if before.is_empty() { "white-first.sgf" } else { "walls.sgf" });
        let text = typed(&args, format!("{before}c3\nd4\nsave {path}\n"));
        assert!(text.contains("saved to "), "{text}");
        let kept = typed(&people, format!("load {path}\n"));
        assert_eq!(kept.lines().last(), text.lines().last(), "{text}\n{kept}");
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(kept.contains(if before.is_empty() { ";W[" } else { "[aa]" }), "{kept}");
    }
    // Reading them may never end.
    let others = if cfg!(unix) { &["-", "/dev/null"][..] } else { &["-"] };
    for other in others {
        let text = typed(&people, format!("load {other}\nh8\n"));
        assert!(text.contains(&format!("not loaded: {other}: ")), "{text}");
        assert!(text.ends_with("moves: h8\n"), "{text}");
    }
    let text = typed(&people, format!("save {}\nload {}\n", file("game.doc"), file("no.sgf")));
    assert!(text.contains("not saved: ") && text.contains("game.doc: expected a name"), "{text}");
    assert!(text.contains("not loaded: ") && text.contains("no.sgf"), "{text}");
}

#[test]
fn saved_games_name_players_date_and_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let person = Args { level: "novice".parse().ok(), ..args(Rule::Renju, Color::Black, "") };
    typed(&person, format!("h8\nundo\nh8\nsave {}\n", path.display()));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("PB[human]PW[Tengen level:novice]"), "{text}");
    let date = text.split("DT[").nth(1).unwrap();
    assert!(date.len() > 11 && date.as_bytes()[4] == b'-' && date.as_bytes()[10] == b']', "{text}");
    assert_eq!(text.matches("TGMS[").count(), 2, "{text}");
    // In an opening the players have the colours that it gave them.
    let swapped = folder.path().join("swap.sgf");
    let mut other = with_opening("swap", true);
    other.white = Some("novice".parse().ok());
    typed(&other, format!("h8\ni9\nj9\nsave {}\n", swapped.display()));
    let text = std::fs::read_to_string(&swapped).unwrap();
    assert!(text.contains("[human]") && text.contains("[Tengen level:novice]"), "{text}");
    let kept = folder.path().join("kept.sgf");
    std::fs::write(&kept, "kept").unwrap();
    let text = typed(&person, format!("h8\nsave {0}\nsave --force {0}\n", kept.display()));
    assert!(text.contains("the file already exists (--force replaces it)"), "{text}");
    assert!(std::fs::read_to_string(&kept).unwrap().contains("B[hh]"));
}

#[test]
fn control_characters_of_files_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a\u{1b}c.sgf");
    std::fs::write(&path, "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15])").unwrap();
    let text = typed(&two_people(Rule::Freestyle, ""), format!("load {}\n", path.display()));
    let note = text.lines().find(|line| line.contains("not loaded")).unwrap();
    assert!(note.contains("a\\u{1b}c.sgf holds 2 games"), "{note:?}");
}
