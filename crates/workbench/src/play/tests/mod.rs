//! Tests of whole sessions.

mod files;
mod openings;

use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use super::board::Style;
use super::input::LINE_BYTES;
use super::screen::{Screen, Window};
use super::{Args, Finish, command, parse_player, run_session};
use crate::language::LanguageArgs;
use tengen_cli::args::PositionArgs;
use tengen_cli::network::NetworkArgs;
use tengen_cli::units::TimeLimit;
use tengen_rules::types::{Color, Rule};
use tengen_words::{Language, Words};

fn args(rule: Rule, color: Color, moves: &str) -> Args {
    Args {
        position: PositionArgs::from_moves(rule, "15", moves),
        color,
        level: "full".parse().ok(),
        black: None,
        white: None,
        time: TimeLimit::milliseconds(20),
        clock: None,
        threads: 1,
        seed: Some(1),
        book: None,
        opening: None,
        load: None,
        usual_rule: None,
        columns: None,
        network: NetworkArgs::default(),
        language: LanguageArgs::of(Language::English),
    }
}

/// The output of a session with this input.
fn typed(args: &Args, typed: impl AsRef<[u8]>) -> String {
    let mut out = Vec::new();
    let style = Style { color: false, columns: None };
    let screen = Screen::new(&mut out, style, Window::None, true, args.language.words());
    let input = Cursor::new(typed.as_ref().to_vec());
    assert_eq!(run_session(args, input, screen, false).unwrap(), Finish::Complete);
    String::from_utf8(out).unwrap()
}

/// Arguments for two people.
fn two_people(rule: Rule, moves: &str) -> Args {
    Args { black: Some(None), white: Some(None), ..args(rule, Color::Black, moves) }
}

/// Arguments for an opening, with two people or a person and an engine.
fn with_opening(rule: &str, people: bool) -> Args {
    let seated =
        if people { two_people(Rule::Renju, "") } else { args(Rule::Renju, Color::Black, "") };
    Args { opening: rule.parse().ok(), ..seated }
}

const OPEN_FOUR: &str = "7,7 0,0 8,7 2,0 9,7 4,0 10,7 0,2";

#[test]
fn session_announces_a_win_of_either_side() {
    let won = typed(&args(Rule::Freestyle, Color::Black, OPEN_FOUR), "l8\n");
    assert!(won.contains("black wins: five"), "{won}");
    assert!(won.contains("moves: h8 a15 i8 c15 j8 e15 k8 a13 l8\n"), "{won}");
    let lost = typed(&args(Rule::Freestyle, Color::White, OPEN_FOUR), "");
    assert!(lost.contains("black wins: five"), "{lost}");
}

#[test]
fn sessions_speak_the_language_of_the_option() {
    let speaking = |language, color, moves| Args {
        language: LanguageArgs::of(language),
        ..args(Rule::Renju, color, moves)
    };
    let text = typed(&speaking(Language::Japanese, Color::Black, OPEN_FOUR), "h8\nfoo\nl8\n");
    for expected in [
        "連珠 15x15; 黒: あなた、白: 全力; help で命令の一覧\n",
        "黒> h8\n",
        "h8: すでに石があります\n",
        "手でも命令でもありません: \"foo\"",
        "黒の勝ち: 五連; あなたの勝ち\n",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let lines = "help\nhint\nthreats\nreview\nresign\n";
    let text = typed(&speaking(Language::Czech, Color::White, "h8 i9 h9"), lines);
    for expected in ["nejlepší tah programu", "nejlepší tah ", "ničím nehrozí", "přesnost "]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.contains("vítězí, soupeř se vzdal; prohráli jste\n"), "{text}");
}

#[test]
fn illegal_moves_are_refused_with_reason() {
    // A double-three for black at 9,6.
    let moves = "9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14";
    let lines = "9,6\nj8\n15,0\n-1,-1\n99999999999999999999,1\nfoo\nresign\n";
    let text = typed(&args(Rule::Renju, Color::Black, moves), lines);
    assert!(text.contains("j9 is forbidden to black: double-three"), "{text}");
    assert!(text.contains("j8 is taken"), "{text}");
    assert!(text.contains("15,0 lies outside the 15x15 board (expected 0,0 to 14,14)"), "{text}");
    assert!(text.contains("-1,-1 lies outside the 15x15 board (expected 0,0 to 14,14)"), "{text}");
    assert!(text.contains("unknown move or command \"foo\""), "{text}");
    assert!(text.contains("white wins: resignation"), "{text}");
    assert!(text.contains("X X 3"), "{text}");
    assert!(text.contains("(O)"), "{text}");
}

#[test]
fn undo_takes_back_own_move_and_redo_repeats_it() {
    let black = args(Rule::Standard, Color::Black, "");
    let text = typed(&black, "h8\nundo\nundo\nmoves\nredo\nredo\nquit\n");
    assert!(text.contains("no move of yours to take back"), "{text}");
    assert!(text.contains("moves: \n"), "{text}");
    assert!(text.contains("no move to play again"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("moves: h8 "), "{text}");
    let white = args(Rule::Standard, Color::White, "7,7");
    let text = typed(&white, "i9\nundo\nmoves\n");
    assert!(text.contains("moves: h8\n"), "{text}");
}

#[test]
fn redo_after_the_end_is_refused() {
    let people = two_people(Rule::Freestyle, OPEN_FOUR);
    let text = typed(&people, "l8\nundo\nresign\nredo\n");
    assert!(text.contains("white wins: resignation"), "{text}");
    assert!(text.contains("the game is over"), "{text}");
    assert!(!text.ends_with("l8\n"), "{text}");
}

#[test]
fn person_with_only_forbidden_moves_loses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drawing.txt");
    std::fs::write(&path, "X X X . X X\nO O X . X O\n").unwrap();
    let mut people = two_people(Rule::Renju, "");
    people.position.diagram = Some(path);
    people.position.side = Some(Color::White);
    let text = typed(&people, "d1\nmoves\n");
    assert!(text.contains("white wins: only forbidden moves are left"), "{text}");
}

#[test]
fn undo_reopens_a_finished_game() {
    let text = typed(&args(Rule::Freestyle, Color::Black, OPEN_FOUR), "l8\nl8\nundo\nl8\n");
    assert!(text.contains("the game is over: type new or undo"), "{text}");
    assert_eq!(text.matches("black wins: five").count(), 2, "{text}");
}

#[test]
fn resignation_loses_and_can_be_undone() {
    let text = typed(&args(Rule::Freestyle, Color::Black, OPEN_FOUR), "resign\nresign\nundo\nl8\n");
    assert!(text.contains("white wins: resignation"), "{text}");
    assert!(text.contains("the game is over already"), "{text}");
    assert!(text.contains("black wins: five"), "no move was taken back: {text}");
    // A game that was loaded waits, here for white, and the person has black.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    std::fs::write(&path, "h8 i9 j8\n").unwrap();
    let lines = format!("load {}\nresign\n", path.display());
    let text = typed(&args(Rule::Freestyle, Color::Black, ""), lines);
    assert!(text.contains("white> ") && text.contains("white wins: resignation"), "{text}");
}

#[test]
fn rows_that_do_not_win_are_explained() {
    let people = |rule| two_people(rule, "");
    let six = "h8\na1\ni8\nc1\nj8\ne1\nl8\ng1\nm8\ni1\nk8\n";
    let text = typed(&people(Rule::Standard), six);
    assert!(text.contains("a row of 6 does not win under standard: more than five\n"), "{text}");
    assert!(!typed(&people(Rule::Freestyle), six).contains("does not win"));
    let enclosed = "h8\ng8\ni8\nm8\nj8\na1\nk8\nc1\nl8\n";
    let text = typed(&people(Rule::Caro), enclosed);
    let said = "a row of 5 does not win under caro: stones of the opponent at both ends\n";
    assert!(text.contains(said), "{text}");
}

#[test]
fn waiting_session_says_what_continues_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    std::fs::write(&path, "h8 i9 j8\n").unwrap();
    let load = format!("load {}\n", path.display());
    let text = typed(&args(Rule::Freestyle, Color::Black, ""), &load);
    assert!(text.contains("white to move: press Enter to let level:full move\n"), "{text}");
    let text = typed(&args(Rule::Freestyle, Color::White, ""), &load);
    assert!(text.contains("white to move: type a move, such as h8 or 7,7\n"), "{text}");
    let bots = Args {
        black: Some(parse_player("bot:random").unwrap()),
        white: Some(parse_player("bot:random").unwrap()),
        ..args(Rule::Freestyle, Color::Black, "")
    };
    let text = typed(&bots, format!("{load}undo\nquit\n"));
    assert!(text.contains("to move: press Enter to let bot:random move\n"), "{text}");
}

#[test]
fn unnamed_seat_gets_the_opposite_kind_of_player() {
    for (black, white, expected) in [
        (Some("novice"), None, "black: level:novice, white: you"),
        (None, Some("novice"), "black: you, white: level:novice"),
        (Some("me"), None, "black: you, white: level:full"),
        (None, Some("me"), "black: level:full, white: you"),
        (None, None, "black: level:full, white: you"),
    ] {
        let seat = |name: Option<&str>| name.map(|name| parse_player(name).unwrap());
        let (black, white) = (seat(black), seat(white));
        let args = Args { black, white, ..args(Rule::Freestyle, Color::White, "") };
        assert!(typed(&args, "quit\n").contains(expected), "{expected}");
    }
}

#[test]
fn invalid_utf8_is_refused_and_the_end_shows_the_moves() {
    let text = typed(&args(Rule::Freestyle, Color::Black, ""), b"\xff\xfe\nh8\n");
    assert!(text.contains("invalid input: not UTF-8 text"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("moves: h8 "), "{text}");
}

/// Neither the beginning nor the end of the line is played.
#[test]
fn long_lines_are_refused_as_a_whole() {
    let filler = " ".repeat(2 * LINE_BYTES);
    let text = typed(&two_people(Rule::Freestyle, ""), format!("h8{filler}i9\nj10\n"));
    assert!(text.contains("invalid input: a line of more than 8192 bytes"), "{text}");
    assert!(text.ends_with("moves: j10\n"), "{text}");
}

#[test]
fn failing_input_shows_the_moves() {
    struct FailingInput;
    impl Read for FailingInput {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let mut out = Vec::new();
    let style = Style { color: false, columns: None };
    let screen = Screen::new(&mut out, style, Window::None, true, Words::english());
    let input = BufReader::new(Cursor::new("h8\n").chain(FailingInput));
    let args = two_people(Rule::Freestyle, "");
    let error = run_session(&args, input, screen, false).unwrap_err();
    assert_eq!(error.to_string(), "unplugged");
    assert!(String::from_utf8(out).unwrap().ends_with("moves: h8\n"));
}

#[test]
fn diagram_on_stdin_is_followed_by_moves() {
    let mut args = two_people(Rule::Freestyle, "");
    args.position.diagram = Some(Path::new("-").to_path_buf());
    let text = typed(&args, "X . . . .\n. O . . .\n. . . . .\n. . . . .\n. . . . .\n\nc3\n");
    assert!(text.contains("freestyle 5x5"), "{text}");
    // The stones of a drawing have no order.
    assert!(text.ends_with("moves: c3\n"), "{text}");
}

#[test]
fn seats_can_change_during_a_game() {
    let text = typed(
        &two_people(Rule::Freestyle, ""),
        "h8\ni9\nlevel novice\nswap\nwhite bot:random\nj9\nmoves\n",
    );
    assert!(text.contains("black: you, white: you"), "{text}");
    assert!(text.contains("level:novice moves when you type go"), "{text}");
    assert!(text.contains("black: you, white: bot:random"), "{text}");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("moves: h8 i9 j9 "), "{text}");
}

#[test]
fn engines_play_reproducible_games() {
    let mut args = args(Rule::Renju, Color::Black, "");
    (args.black, args.white) = (Some("novice".parse().ok()), Some("bot:one-ply".parse().ok()));
    let text = typed(&args, "");
    assert!(text.contains(" wins: five") || text.contains("draw: full"), "{text}");
    assert_eq!(text, typed(&args, ""), "the same seed plays the same game");
    args.seed = Some(2);
    assert_ne!(text, typed(&args, ""));
}

#[test]
fn engine_with_only_forbidden_moves_loses() {
    let mut args = args(Rule::Renju, Color::White, "");
    args.position.diagram = Some(Path::new("-").to_path_buf());
    args.position.side = Some(Color::Black);
    let board = "X X X . X X\nO O X O O O\nX X O X X O\nO O X O O X\nX O X X O O\n\n";
    let text = typed(&args, board);
    assert!(text.contains("white wins: only forbidden moves are left"), "{text}");
}

#[test]
fn new_level_time_and_clock_are_confirmed() {
    let lines = "new renju 9\nlevel novice\ntime 30\nclock 60 1\nclock off\nnew 7x9\nnumbers\n";
    let text = typed(&args(Rule::Freestyle, Color::Black, ""), lines);
    for expected in [
        "renju 9x9; black: you, white: level:full",
        "renju 9x9; black: you, white: level:novice",
        "engine time: 30 ms a move",
        "clock on",
        "black 1:00 - 1:00> ",
        "clock off",
        "renju 7x9; black: you, white: level:novice",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn hint_shows_line_and_reason() {
    let text = typed(&args(Rule::Freestyle, Color::Black, OPEN_FOUR), "hint\nthreats\ngo\n");
    assert!(text.contains("makes five, wins in 1 ply"), "{text}");
    assert!(text.contains("line: "), "{text}");
    assert!(text.contains("black can make five: g8 l8\n"), "{text}");
    assert!(text.contains("white can make a four: b15 d15\n"), "{text}");
    assert!(text.contains("black wins: five"), "{text}");
}

#[test]
fn hint_lists_several_moves_and_review_grades_the_game() {
    // Both moves win at once, so that the time does not matter; a short one might end before both.
    let time = TimeLimit::milliseconds(60_000);
    let text = typed(
        &Args { time, ..args(Rule::Freestyle, Color::Black, OPEN_FOUR) },
        "hint 2\nhint 0\nhint x\nl8\nreview\nnew\nreview\n",
    );
    assert!(text.contains("best moves, with black's win rate:\n 1. 100.0 %  "), "{text}");
    assert!(text.contains("\n 2. "), "{text}");
    let range = ": expected a number of moves from 1 to 20";
    for typed in ["0", "x"] {
        assert!(text.contains(&format!("{typed:?}{range}")), "{text}");
    }
    assert!(text.contains("black: accuracy ") && text.contains("black wins: five"), "{text}");
    assert!(text.contains("no move to review"), "{text}");
}

#[test]
fn clock_can_be_given_as_an_argument() {
    let clock = command::clock_times("1m+2s").ok();
    let timed = Args { clock, ..args(Rule::Freestyle, Color::Black, "") };
    assert!(typed(&timed, "").contains("black 1:00 - 1:00> "));
    assert!(command::clock_times("soon").unwrap_err().contains("expected"));
}

#[test]
fn fouls_are_shown_to_both_sides() {
    // A double-three for black at i8; white is to move.
    let moves = "h8 a1 j8 a3 i7 a5 i9";
    let mut args = args(Rule::Renju, Color::White, moves);
    (args.black, args.white) = (Some("club".parse().ok()), Some(None));
    let text = typed(&args, "fouls\nquit\n");
    assert!(text.contains("forbidden to black: 3 double-three"), "{text}");
    assert!(text.contains("forbidden to black, double-three: i8\n"), "{text}");
    let text = typed(&two_people(Rule::Renju, moves), "fouls\nquit\n");
    assert!(text.contains("white> ") && text.contains("X 3 X"), "{text}");
    let text = typed(&two_people(Rule::Caro, ""), "fouls\nquit\n");
    assert!(text.contains("only renju has forbidden points"), "{text}");
}

#[test]
fn outcome_is_told_to_the_only_person() {
    let won = typed(&args(Rule::Freestyle, Color::Black, OPEN_FOUR), "l8\n");
    assert!(won.contains("black wins: five; you win\n"), "{won}");
    let lost = typed(&args(Rule::Freestyle, Color::Black, OPEN_FOUR), "resign\n");
    assert!(lost.contains("white wins: resignation; you lose\n"), "{lost}");
    let both = typed(&two_people(Rule::Freestyle, OPEN_FOUR), "l8\n");
    assert!(both.contains("black wins: five\n"), "{both}");
}

#[test]
fn full_strength_plays_different_openings() {
    let game = |seed| {
        let args = Args { seed: Some(seed), ..args(Rule::Freestyle, Color::Black, "") };
        typed(&args, "h8\na1\no15\n")
    };
    let games: std::collections::HashSet<String> = (0..6).map(game).collect();
    assert!(games.len() >= 3, "{} different games of 6", games.len());
    assert_eq!(game(2), game(2));
}
