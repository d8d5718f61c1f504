//! `tengen play` at a terminal: a pseudo-terminal types and looks.
#![cfg(unix)]

use std::process::Command;

use rexpect::session::{PtySession, spawn_command};

/// Milliseconds that an answer may take on a loaded machine.
const PATIENCE: u64 = 60_000;
/// The sequences that colour a black stone and that clear the window.
const BLACK: &str = "\u{1b}[1;36mX";
const CLEAR: &str = "\u{1b}[2J";

/// Begins a session in a window of so many columns.
fn begin(columns: u16, arguments: &str, environment: &[(&str, &str)]) -> PtySession {
    let binary = env!("CARGO_BIN_EXE_tengen");
    // The shell outlives Ctrl-C and tells the status.
    let line = format!(
        "trap : INT; stty rows 50 cols {columns}; '{binary}' play {arguments}; echo status $?."
    );
    let mut command = Command::new("sh");
    command.args(["-c", &line]).env("TERM", "xterm").env_remove("NO_COLOR");
    command.envs(environment.iter().copied());
    spawn_command(command, Some(PATIENCE)).expect("a pseudo-terminal")
}

/// Types a line and waits for what must come; returns everything before it.
fn say(session: &mut PtySession, line: &str, expected: &str) -> String {
    session.send_line(line).expect("the session reads");
    session.exp_string(expected).unwrap_or_else(|error| panic!("{line}: {expected}: {error}"))
}

/// Waits for the end and its status.
fn status(session: &mut PtySession) -> i32 {
    session.exp_string("status ").expect("the session ends");
    session.exp_string(".").expect("a status").parse().expect("a number")
}

const ALONE: &str = "--black me --white me";

#[test]
fn every_command_answers() {
    let mut session = begin(80, "--level first-steps --seed 1 --time 50", &[]);
    session.exp_string("black: you, white: level:first-steps").unwrap();
    session.exp_string("black> ").unwrap();
    say(&mut session, "help", "give up; leave");
    say(&mut session, "h8", "white: ");
    say(&mut session, "undo", "black> ");
    say(&mut session, "redo", "black> ");
    say(&mut session, "hint", "I would play ");
    say(&mut session, "threats", "black ");
    say(&mut session, "numbers", "X1");
    say(&mut session, "numbers", "black> ");
    say(&mut session, "time 40", "the engine takes 40 ms a move");
    say(&mut session, "clock 60 1", "black 1:00 - 1:00> ");
    say(&mut session, "clock off", "no clock");
    say(&mut session, "level novice", "white: level:novice");
    say(&mut session, "white me", "black: you, white: you");
    say(&mut session, "go", "black: ");
    say(&mut session, "swap", "black: you, white: you");
    say(&mut session, "moves", "moves: h8 ");
    say(&mut session, "board", CLEAR);
    say(&mut session, "new renju 11", "renju 11x11");
    say(&mut session, "save game.doc", "not saved: game.doc: expected a name");
    say(&mut session, "load no-such-game.sgf", "not loaded: no-such-game.sgf");
    say(&mut session, "opening swap", "place a black stone anywhere");
    say(&mut session, "new", "black> ");
    say(&mut session, "7,7", "white> ");
    say(&mut session, "7,7", "is taken");
    say(&mut session, "bad words", "is no move and no command");
    say(&mut session, "resign", "black wins: resignation");
    session.send_line("quit").unwrap();
    assert_eq!(status(&mut session), 0);
}

#[test]
fn every_opening_rule_is_a_dialogue() {
    for (rule, answers, moves) in [
        ("swap", "h8 i9 j9 swap k9", "h8 i9 j9 k9"),
        ("swap2", "h8 i9 j9 more a1 b1 stay c1", "h8 i9 j9 a1 b1 c1"),
        ("soosorv-8", "h8 h9 h10 stay a1 2 swap b2 c9 c9 i9", "h8 h9 h10 a1 c9 i9"),
        ("taraguchi-10", "h8 stay h9 stay i10 stay j9 stay d8 swap a1", "h8 h9 i10 j9 d8 a1"),
    ] {
        let mut session = begin(80, &format!("--rule renju --opening {rule} {ALONE}"), &[]);
        for answer in answers.split(' ') {
            say(&mut session, answer, "> ");
        }
        say(&mut session, "moves", &format!("moves: {moves}"));
        session.send_line("quit").unwrap();
        assert_eq!(status(&mut session), 0, "{rule}");
    }
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    let mut session = begin(80, ALONE, &[]);
    session.exp_string("black> ").unwrap();
    let shown = say(&mut session, "h8", "white> ");
    assert!(shown.contains(BLACK) && shown.contains(CLEAR), "{shown:?}");
    let mut session = begin(80, ALONE, &[("NO_COLOR", "1")]);
    session.exp_string("black> ").unwrap();
    let shown = say(&mut session, "h8", "white> ");
    assert!(!shown.contains("\u{1b}[1;") && shown.contains("(X)"), "{shown:?}");
    let mut session = begin(80, ALONE, &[("TERM", "dumb")]);
    session.exp_string("black> ").unwrap();
    let shown = say(&mut session, "h8", "white> ");
    assert!(!shown.contains('\u{1b}') && shown.contains("(X)"), "{shown:?}");
}

#[test]
fn a_turn_is_one_redraw_and_a_narrow_window_gets_a_compact_board() {
    let mut session = begin(80, "--level bot:random --seed 1", &[("NO_COLOR", "1")]);
    session.exp_string("black> ").unwrap();
    let shown = say(&mut session, "h8", "black> ");
    assert_eq!(shown.matches(CLEAR).count(), 1, "{shown:?}");
    let mut session = begin(24, ALONE, &[("NO_COLOR", "1")]);
    session.exp_string("black> ").unwrap();
    let shown = say(&mut session, "h8", "white> ");
    assert!(shown.contains(" 8.......X.......\r\n") && shown.contains("last: h8"), "{shown:?}");
}

#[test]
fn ctrl_c_while_it_thinks_ends_the_thinking_only() {
    let mut session = begin(80, "--time 600000 --moves h8h9", &[]);
    session.exp_string("black> ").unwrap();
    say(&mut session, "i8", "white thinks");
    session.send_control('c').unwrap();
    session.exp_string("white: ").unwrap();
    session.exp_string("black> ").unwrap();
    say(&mut session, "moves", "moves: h8 h9 i8 ");
    session.exp_string("black> ").unwrap();
    session.send_line("hint").unwrap();
    session.exp_string("thinking").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("I would play ").unwrap();
    session.exp_string("black> ").unwrap();
    // At the prompt it ends the session, and the game is not lost.
    session.send_control('c').unwrap();
    session.exp_string("moves: h8 h9 i8 ").unwrap();
    assert_eq!(status(&mut session), 130);
}

#[test]
fn the_end_of_input_shows_the_moves() {
    let mut session = begin(80, ALONE, &[]);
    session.exp_string("black> ").unwrap();
    say(&mut session, "h8", "white> ");
    session.send_control('d').unwrap();
    session.exp_string("moves: h8").unwrap();
    assert_eq!(status(&mut session), 0);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let binary = env!("CARGO_BIN_EXE_tengen");
    let line = format!("printf '\\377\\376\\nh8\\n' | '{binary}' play {ALONE}");
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("that line is not text (UTF-8)"), "{text}");
    assert!(text.ends_with("moves: h8\n"), "{text}");
    assert!(output.stderr.is_empty() && output.status.success());
}
