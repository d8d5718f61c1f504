//! Openings with questions.

use super::*;
use tengen::opening::OpeningRule;
use tengen_rules::types::BoardSize;

#[test]
fn openings_speak_the_language_of_the_option() {
    let language = LanguageArgs::of(Language::Russian);
    let args = Args { language, ..with_opening("swap2", true) };
    let text = typed(&args, "h8\ni9\nj9\nswap\n");
    assert!(text.contains("поставить ещё два камня (more)?"), "{text}");
    assert!(text.contains("Второй игрок: меняет цвет\n"), "{text}");
}

#[test]
fn opening_on_a_small_board_is_refused() {
    let expected =
        "cannot start the opening soosorv-8: board 15x1 is not supported: sides go from 5 to 36";
    let mut narrow = args(Rule::Freestyle, Color::White, "");
    narrow.position.board.size = Some(BoardSize::new(15, 1).unwrap());
    let text = typed(&narrow, "opening soosorv-8\n");
    assert!(text.contains(expected), "{text}");
    narrow.opening = Some(OpeningRule::Soosorv8);
    let mut out = Vec::new();
    let style = Style { color: false, columns: None };
    let screen = Screen::new(&mut out, style, Window::None, true, Words::english());
    let error = run_session(&narrow, Cursor::new(Vec::new()), screen, false).err().unwrap();
    assert!(format!("{error:#}").starts_with("--opening soosorv-8: board 15x1"), "{error:#}");
}

#[test]
fn swap_and_swap2_take_answers() {
    let text = typed(&with_opening("swap", true), "h8\ni9\nfoo\nq16\nj9\nswap\nk9\n");
    assert!(text.contains("q16 lies outside the 15x15 board (expected a1 to o15)\n"), "{text}");
    assert!(text.contains("swap or stay?"), "{text}");
    assert!(text.contains("unknown move or command \"foo\""), "{text}");
    assert!(text.contains("second player: swaps"), "{text}");
    assert!(text.contains("the opening is over; black: you, white: you, white to move"), "{text}");
    assert!(text.ends_with("moves: h8 i9 j9 k9\n"), "{text}");
    let text = typed(&with_opening("swap2", true), "h8\nh8\ni9\nj9\nmore\na1\nb1\nstay\nc1\n");
    assert!(text.contains("the cell is taken"), "{text}");
    assert!(text.contains("more (place two more stones)?"), "{text}");
    assert!(text.contains("second player: places two more stones\n"), "{text}");
    assert!(text.ends_with("moves: h8 i9 j9 a1 b1 c1\n"), "{text}");
}

#[test]
fn soosorv_and_taraguchi_take_answers() {
    let lines = "g8\nh8\nh9\nh10\nswap\na1\n9\n2\nstay\nb2\nb2\nc9\nd1\nb2\ni9\n";
    let text = typed(&with_opening("soosorv-8", true), lines);
    for expected in [
        "the first stone must lie in the centre",
        "how many fifth moves, 1 to 8?",
        "expected a number from 1 to 8",
        "offer fifth move 2 of 2",
        "was offered already",
        "pick one of the fifth moves offered",
        "that fifth move was not offered",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.contains(" A ") && text.contains(" B "), "{text}");
    assert!(text.ends_with("moves: h8 h9 h10 a1 b2 i9\n"), "{text}");
    let lines =
        "h8\nstay\nh9\nswap\ni10\nstay\nj9\nten\na1\na2\na3\na4\na5\na6\na7\na8\na9\na10\na3\n";
    let text = typed(&with_opening("taraguchi-10", true), lines);
    assert!(text.contains("ten (offer ten fifth moves)?"), "{text}");
    assert!(text.contains(": offers ten fifth moves\n"), "{text}");
    assert!(text.contains("offer fifth move 10 of 10"), "{text}");
    assert!(text.ends_with("moves: h8 h9 i10 j9 a3\n"), "{text}");
}

#[test]
fn engines_answer_in_openings() {
    for rule in ["swap", "swap2", "soosorv-8", "taraguchi-10"] {
        let mut args = with_opening(rule, false);
        (args.black, args.white) = (Some("full".parse().ok()), Some("novice".parse().ok()));
        let text = typed(&args, "");
        assert!(text.contains("the opening is over"), "{rule}: {text}");
    }
    // A person places the stones, which stay when moves are taken back.
    for rule in ["swap", "swap2"] {
        let text = typed(&with_opening(rule, false), "h8\ni9\nj9\nundo\nquit\n");
        assert!(text.contains("second player: "), "{text}");
        if text.contains("the opening is over") {
            assert!(text.contains("no move of yours to take back"), "{text}");
        }
        assert!(text.lines().last().unwrap().starts_with("moves: h8 i9 j9"), "{text}");
    }
}

#[test]
fn answers_in_openings_can_be_taken_back_and_advised() {
    let text = typed(
        &with_opening("swap2", true),
        "h8\nundo\nundo\nh8\ni9\nj9\nmore\nundo\nhint\nno\nquit\n",
    );
    assert!(text.contains("no answer of yours to take back"), "{text}");
    assert_eq!(text.matches("swap, stay, or more").count(), 3, "{text}");
    assert!(text.contains("best answer "), "{text}");
    assert!(text.contains("second player: stays"), "{text}");
    assert!(text.ends_with("moves: h8 i9 j9\n"), "{text}");
    // With one person undo takes back its own last answer.
    let text = typed(&with_opening("swap", false), "h8\ni9\nundo\nj9\nquit\n");
    assert!(text.contains("you (first player)> ") && text.contains("you: i9"), "{text}");
    assert!(text.ends_with("moves: h8 j9\n"), "{text}");
}

#[test]
fn openings_can_be_saved_and_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("opening.sgf");
    let lines = format!("h8\nthreats\nfouls\ntime 30\nsave {}\ngo\n", path.display());
    let text = typed(&with_opening("soosorv-8", true), lines);
    for expected in [
        "black threatens nothing",
        "no point is forbidden to black",
        "engine time: 30 ms a move",
        "saved to ",
        "not during an opening",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(std::fs::read_to_string(&path).unwrap().contains("B[hh]"));
    // Another game ends the opening.
    let text = typed(&with_opening("swap2", true), format!("load {}\na1\n", path.display()));
    assert!(text.ends_with("moves: h8 a1\n"), "{text}");
}

#[test]
fn only_fifth_move_is_taken_without_a_question() {
    let text = typed(&with_opening("soosorv-8", true), "h8\nh9\nh10\nno\na1\n1\nyes\nb2\n");
    assert!(text.contains("asks for 1 fifth move\n"), "{text}");
    assert!(!text.contains("pick one of the fifth moves"), "{text}");
    assert!(text.ends_with("moves: h8 h9 h10 a1 b2\n"), "{text}");
}
