//! `tengen play` in a pseudo-terminal.
#![cfg(unix)]

use std::io::Write;
use std::process::Command;

use rexpect::session::{PtySession, spawn_command};

/// Time limit for each answer, in milliseconds; generous for loaded machines.
const TIMEOUT_MS: u64 = 60_000;
/// The sequences that colour a black stone and that clear the window.
const BLACK: &str = "\u{1b}[1;36mX";
const CLEAR: &str = "\u{1b}[2J";

/// Starts a session in a window with `columns` columns.
fn begin(columns: u16, arguments: &str, environment: &[(&str, &str)]) -> PtySession {
    begin_in(50, columns, arguments, environment)
}

/// Starts a session in a window of this size.
fn begin_in(rows: u16, columns: u16, arguments: &str, environment: &[(&str, &str)]) -> PtySession {
    let binary = env!("CARGO_BIN_EXE_tengen");
    // The shell survives Ctrl-C and prints the exit status.
    let line = format!(
        "trap : INT; stty rows {rows} cols {columns}; '{binary}' play {arguments}; echo status $?."
    );
    let mut command = Command::new("sh");
    command.args(["-c", &line]).env("TERM", "xterm").env_remove("NO_COLOR");
    // Neither the language nor the preferences of the machine.
    command.env("LC_ALL", "C").env("TENGEN_CONFIG", "no-such-folder");
    command.envs(environment.iter().copied());
    spawn_command(command, Some(TIMEOUT_MS)).expect("a pseudo-terminal")
}

/// Types a line and waits for `expected`. Returns the output before it.
fn say(session: &mut PtySession, line: &str, expected: &str) -> String {
    session.send_line(line).expect("the session reads");
    session.exp_string(expected).unwrap_or_else(|error| panic!("{line}: {expected}: {error}"))
}

/// Waits for the end and returns the exit status.
fn status(session: &mut PtySession) -> i32 {
    session.exp_string("status ").expect("the session ends");
    session.exp_string(".").expect("a status").parse().expect("a number")
}

const ALONE: &str = "--black me --white me";

#[test]
fn commands_answer() {
    let mut session = begin(80, "--level first-steps --seed 1 --time 50", &[]);
    session.exp_string("black: you, white: level:first-steps").unwrap();
    session.exp_string("black> ").unwrap();
    say(&mut session, "help", "resign; leave the program");
    say(&mut session, "h8", "white: ");
    say(&mut session, "undo", "black> ");
    say(&mut session, "redo", "black> ");
    say(&mut session, "hint", "best move ");
    say(&mut session, "threats", "black ");
    say(&mut session, "numbers", "X1");
    say(&mut session, "numbers", "black> ");
    say(&mut session, "time 40", "engine time: 40 ms a move");
    say(&mut session, "clock 60 1", "black 1:00 - 1:00> ");
    say(&mut session, "clock off", "clock off\r\n");
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
    say(&mut session, "bad words", "unknown move or command");
    say(&mut session, "resign", "black wins: resignation");
    session.send_line("quit").unwrap();
    assert_eq!(status(&mut session), 0);
}

#[test]
fn bare_session_asks_for_the_level_once() {
    let folders = [0; 3].map(|_| tempfile::tempdir().expect("a folder"));
    let configs = folders.each_ref().map(|it| it.path().to_str().expect("a plain path"));
    let config = |number: usize| [("TENGEN_CONFIG", configs[number])];
    let mut session = begin(80, "--time 50", &config(0));
    session.exp_string("level (Enter: full)> ").unwrap();
    say(&mut session, "nobody", "level (Enter: full)> ");
    say(&mut session, "first-steps", "level:first-steps is kept for later games in ");
    session.exp_string("black: you, white: level:first-steps").unwrap();
    session.exp_string("black> ").unwrap();
    session.send_line("quit").unwrap();
    assert_eq!(status(&mut session), 0);
    let mut session = begin(80, "--time 50", &config(0));
    let shown = session.exp_string("black: you, white: level:first-steps").unwrap();
    assert!(!shown.contains("level (Enter"), "asked again: {shown}");
    let mut session = begin(80, "", &config(1));
    say(&mut session, "", "black: you, white: level:full");
    session.exp_string("black> ").unwrap();
    // A move instead of a level starts the game at full strength.
    for _ in 0..2 {
        let mut session = begin(80, "--time 50", &config(2));
        session.exp_string("level (Enter: full)> ").unwrap();
        say(&mut session, "h8", "white: ");
        say(&mut session, "moves", "moves: h8 ");
    }
}

#[test]
fn session_speaks_the_language_of_the_system() {
    // The terminal is read byte by byte.
    let bytes = |text: &str| text.bytes().map(char::from).collect::<String>();
    let mut session = begin(80, ALONE, &[("LC_ALL", ""), ("LANG", "cs_CZ.UTF-8")]);
    session.exp_string(&bytes("Volná pravidla 15x15; černý: Vy, bílý: Vy")).unwrap();
    session.exp_string(&bytes("Černý> ")).unwrap();
    let mut session = begin(80, &format!("{ALONE} --lang ko"), &[("LANG", "cs_CZ.UTF-8")]);
    session.exp_string(&bytes("흑> ")).unwrap();
}

#[test]
fn low_window_is_named() {
    let mut session = begin_in(20, 80, &format!("--size 9x36 {ALONE}"), &[]);
    session.exp_string("the window has 20 rows, the board needs 38").unwrap();
    session.exp_string("black> ").unwrap();
    let shown = say(&mut session, "a1", "white> ");
    assert!(!shown.contains("the window has"), "said once: {shown}");
}

/// The screen is cleared only if board, notes and prompt fit.
#[test]
fn long_notes_do_not_clear_the_screen() {
    let mut session = begin_in(20, 80, ALONE, &[]);
    session.exp_string("black> ").unwrap();
    assert!(say(&mut session, "h8", "white> ").contains(CLEAR));
    let review = say(&mut session, "review", "white> ");
    assert!(review.contains("accuracy") && !review.contains(CLEAR), "{review}");
}

#[test]
fn opening_rules_ask_until_the_colours_are_decided() {
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
fn colours_depend_on_the_terminal() {
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
fn turn_redraws_once_and_narrow_windows_get_a_compact_board() {
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
fn ctrl_c_stops_a_running_search_only() {
    let mut session = begin(80, "--time 600000 --moves h8h9", &[]);
    session.exp_string("black> ").unwrap();
    say(&mut session, "i8", "white is thinking");
    session.send_control('c').unwrap();
    session.exp_string("white: ").unwrap();
    session.exp_string("black> ").unwrap();
    say(&mut session, "moves", "moves: h8 h9 i8 ");
    session.exp_string("black> ").unwrap();
    session.send_line("hint").unwrap();
    session.exp_string("thinking; Ctrl-C stops it").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("best move ").unwrap();
    session.exp_string("black> ").unwrap();
    // At the prompt, Ctrl-C ends the session and shows the moves.
    session.send_control('c').unwrap();
    session.exp_string("moves: h8 h9 i8 ").unwrap();
    assert_eq!(status(&mut session), 130);
}

#[test]
fn end_of_input_shows_the_moves() {
    let mut session = begin(80, ALONE, &[]);
    session.exp_string("black> ").unwrap();
    say(&mut session, "h8", "white> ");
    session.send_control('d').unwrap();
    session.exp_string("moves: h8").unwrap();
    assert_eq!(status(&mut session), 0);
}

#[test]
fn invalid_utf8_at_a_terminal_is_refused() {
    let mut session = begin(80, ALONE, &[]);
    session.exp_string("black> ").unwrap();
    say(&mut session, "h8", "white> ");
    let mut terminal = session.process().get_file_handle().unwrap();
    terminal.write_all(b"caf\xe9 ").unwrap();
    session.exp_string("invalid input: not UTF-8 text").unwrap();
    say(&mut session, "i9", "black> ");
    session.send_control('d').unwrap();
    session.exp_string("moves: h8 i9").unwrap();
    assert_eq!(status(&mut session), 0);
}

#[test]
fn invalid_utf8_is_refused() {
    let binary = env!("CARGO_BIN_EXE_tengen");
    let line = format!("printf '\\377\\376\\nh8\\n' | '{binary}' play {ALONE}");
    let mut command = Command::new("sh");
    command.args(["-c", &line]).env("LC_ALL", "C").env("TENGEN_CONFIG", "no-such-folder");
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("invalid input: not UTF-8 text"), "{text}");
    assert!(text.ends_with("moves: h8\n"), "{text}");
    assert!(output.stderr.is_empty() && output.status.success());
}

#[test]
fn preferences_give_way_to_options() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("board.txt"), "X....\n.....\n..O..\n.....\n.....").unwrap();
    let run = |preferences: &str, options: &str| {
        std::fs::write(folder.path().join("tengen.conf"), preferences).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        command.arg("play").args(options.split(' ')).current_dir(folder.path());
        command.env("LC_ALL", "C").env("TENGEN_CONFIG", folder.path());
        let output = command.output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let [text, error] = run("--size 15\n--opening swap2\n", "--black me --diagram board.txt");
    assert!(text.contains("freestyle 5x5") && error.is_empty(), "{text}{error}");
    let [_, error] = run("--size 99\n", "--black me");
    assert!(error.starts_with("tengen: invalid with the options of "), "{error}");
    assert!(error.contains("tengen.conf:\nerror: invalid value '99' for '--size"), "{error}");
    let [_, error] = run("--time 1s\n", "--size 99");
    assert!(error.starts_with("error: invalid value '99'"), "{error}");
}
