//! Tests of the program `tengen`: exit statuses, messages, pipes and signals.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn tengen(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    // Neither the language nor the preferences of the machine.
    command.env("LC_ALL", "C").env("TENGEN_CONFIG", "no-such-folder");
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with this standard input.
fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = tengen(arguments).spawn().expect("the workbench starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A tool that does not read its input may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// The output of a successful run.
fn printed(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The message of a refused call.
fn refusal(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// A temporary file.
struct Scratch {
    path: PathBuf,
    _folder: TempDir,
}

impl Scratch {
    fn new(name: &str, text: &str) -> Scratch {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a temporary file");
        Scratch { path, _folder: folder }
    }

    fn path(&self) -> &str {
        self.path.to_str().expect("a plain path")
    }
}

// On macOS a program without a terminal opens the board.
#[cfg(not(target_os = "macos"))]
#[test]
fn start_without_arguments_prints_the_help() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tengen"));
    program.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").stdin(Stdio::null());
    let output = program.output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(printed.contains("Usage: tengen <COMMAND>"), "{printed}");
}

#[test]
fn closed_output_pipe_is_not_an_error() {
    // More than a buffer of JSON.
    let games = Scratch::new("left.txt", &format!("h8 i9\n{}\n", long_game()));
    for arguments in [
        &["perft", "--depth", "2", "--size", "36"][..],
        &["analyze", "--moves", "h8 i9 j8", "--depth", "8"],
        &["bench", "--verbose", "--depth", "4"],
        &["selfplay", "--openings-only", "--games", "3", "--nodes", "200", "--size", "9"],
        &["review", games.path(), "--json", "--nodes", "100"],
    ] {
        let mut child = tengen(arguments).spawn().expect("the workbench starts");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        output.read_line(&mut String::new()).expect("a first line");
        drop(output);
        let rest = child.wait_with_output().expect("it ends");
        assert!(rest.status.success(), "{arguments:?}: {rest:?}");
        assert!(rest.stderr.is_empty(), "{arguments:?}: {rest:?}");
    }
}

/// Sixty moves without adjacent stones of one colour.
fn long_game() -> String {
    let rows = (0..6).flat_map(|row| (0..10).map(move |column| (column, 2 * row + column / 2 % 2)));
    rows.map(|(x, y)| format!("{x},{y} ")).collect()
}

#[test]
fn tools_that_write_files_ignore_a_closed_pipe() {
    let record = Scratch::new("record.jsonl", "");
    let arguments = [
        "match",
        "-e",
        "a=bot:random",
        "-e",
        "b=bot:one-ply",
        "--games",
        "4",
        "--size",
        "9",
        "--finished-lines",
        "--record",
        record.path(),
    ];
    let mut child = tengen(&arguments).spawn().expect("the workbench starts");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    output.read_line(&mut String::new()).expect("a first line");
    drop(output);
    let rest = child.wait_with_output().expect("it ends");
    assert!(rest.status.success() && rest.stderr.is_empty(), "{rest:?}");
    let kept = fs::read_to_string(&record.path).expect("the record");
    assert_eq!(kept.lines().count(), 1 + 4, "{kept}");
}

#[test]
fn play_reads_diagram_and_moves_from_stdin() {
    let diagram = ". . . . .\n. X X X X\n. . . . .\n. O O O .\n. O . . .\n\n";
    let text = printed(&["play", "--diagram", "-", "--time", "50"], &format!("{diagram}a4\n"));
    assert!(text.contains("black wins: five"), "{text}");
}

#[test]
fn finished_positions_are_refused() {
    let won = Scratch::new("won", "X X X X X\n. O O O O\n. . . . .\n. . . . .\n. . . . .\n");
    let full = Scratch::new("full", "X O\nO X\n");
    for tool in ["solve", "analyze", "play"] {
        let message = refusal(&[tool, "--diagram", won.path()], "");
        assert!(message.contains("the game is over: black wins: five"), "{tool}: {message}");
        let message = refusal(&[tool, "--diagram", full.path()], "");
        assert!(message.contains("the game is over: draw: full"), "{tool}: {message}");
        let moves = "a1 a2 b1 b2 c1 c2 d1 d2 e1";
        let message = refusal(&[tool, "--moves", moves], "");
        assert!(message.contains("move 9 (e1) ends the game: five"), "{tool}: {message}");
    }
}

/// Black's last move is a double-four.
const LOST_BY_FOUL: &str = "e8 a1 f8 a3 g8 a5 h5 c1 h6 e1 h7 g1 h8";

#[test]
fn invalid_values_are_named_as_typed() {
    let huge = "99999999999999999999,1";
    for (arguments, named) in [
        (
            &["solve", "--moves", "-1,-1"][..],
            "move 1: -1,-1 lies outside the 15x15 board (expected 0,0 to 14,14)",
        ),
        (&["solve", "--moves", huge], "move 1: 99999999999999999999,1 lies outside"),
        (
            &["solve", "--moves", "h8 h99"],
            "move 2: h99 lies outside the 15x15 board (expected a1 to o15)",
        ),
        (&["solve", "--moves", "h8 foo"], "\"foo\" is not a move"),
        (&["prove", "--out", "none", "--from", "h8 h8"], "--from: move 2: h8 is taken"),
        (
            &["prove", "--out", "none", "--from", "z9"],
            "--from: move 1: z9 lies outside the 15x15 board (expected a1 to o15)",
        ),
        (
            &["prove", "--out", "none", "--rule", "renju", "--from", LOST_BY_FOUL],
            "--from: move 13: h8 is forbidden to black: double-four",
        ),
        (
            &["prove", "--out", "none", "--size", "7", "--from", "a1 a7 b1 b7 c1 c7 e3 d7 g5"],
            "--from: white is to move and wins with e7: black has no win to prove",
        ),
        (&["forbidden", "--black", "-1,3"], "-1,3 lies outside the 15x15 board"),
        (&["forbidden", "--black", huge], "99999999999999999999,1 lies outside"),
        (&["analyze", "--size", "37"], "board 37x37 is not supported: sides go from 1 to 36"),
        (&["analyze", "--size", "abc"], "invalid board size \"abc\""),
        (&["bench", "--threads", "0"], "'0'"),
        (
            &["selfplay", "--openings-only", "--first", "18446744073709551615"],
            "--first 18446744073709551615",
        ),
        (
            &["selfplay", "--openings-only", "--size", "4"],
            "board 4x4 is not supported: sides go from 5 to 36",
        ),
        (&["analyze", "--side", "red"], "'red'"),
    ] {
        let message = refusal(arguments, "");
        assert!(message.contains(named), "{arguments:?}: {message}");
    }
    let typed = printed(&["play"], "-1,-1\n99999999999999999999,1\nquit\n");
    assert!(
        typed.contains("-1,-1 lies outside the 15x15 board (expected 0,0 to 14,14)"),
        "{typed}"
    );
    assert!(typed.contains("99999999999999999999,1 lies outside the 15x15 board"), "{typed}");
}

#[test]
fn prove_names_a_damaged_certificate_and_replaces_it() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().to_str().expect("a plain path");
    let prove = ["prove", "--from", "h8 a1 i8 a3 j8 a5", "--out", path, "--nodes", "200k"];
    assert!(printed(&prove, "").contains("complete: black wins"));
    fs::write(folder.path().join("h8i8j8-a1a3a5.proof"), "").expect("an empty file");
    let damage = "h8i8j8-a1a3a5.proof: invalid certificate: byte 0: truncated";
    let text = printed(&["prove", "join", path], "");
    assert!(text.contains(damage) && text.contains("not complete"), "{text}");
    let text = printed(&prove, "");
    assert!(text.contains(damage) && text.contains("0 of 1 replies are proved"), "{text}");
    assert!(text.contains("complete: black wins"), "{text}");
    assert!(!printed(&["prove", "join", path], "").contains("invalid"));
}

#[test]
fn invalid_diagrams_are_refused_with_line() {
    for (text, message) in [
        ("", "the diagram is empty"),
        ("\n\n", "the diagram is empty"),
        (". . .\n. .\n", "line 2: row of 2 cells, but the first row has 3"),
        (". . .\n. . q\n", "line 2: invalid cell 'q'"),
    ] {
        let file = Scratch::new("diagram", text);
        let said = refusal(&["analyze", "--diagram", file.path()], "");
        assert!(said.contains(message) && said.contains(file.path()), "{said}");
        let said = refusal(&["analyze", "--diagram", "-"], text);
        assert!(said.contains(message), "{said}");
    }
    let file = Scratch::new("sized", ". . .\n. . .\n. . .\n");
    let said = refusal(&["analyze", "--diagram", file.path(), "--size", "15"], "");
    assert!(said.contains("--diagram") && said.contains("--size"), "{said}");
}

#[test]
fn verify_checks_the_other_files_if_some_cannot_be_checked() {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../protocol-tests/certificates");
    let file = folder.join("renju-white-fours.proof");
    let empty = tempfile::tempdir().unwrap();
    let paths = [Path::new("none.proof"), empty.path(), &file].map(|path| path.to_str().unwrap());
    let output = run(&[&["verify"], &paths[..]].concat(), "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let (checked, message) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
    assert!(checked.expect("text").contains("renju-white-fours.proof: accepted"));
    let message = message.expect("text");
    assert!(message.contains("none.proof: "), "{message}");
    assert!(message.contains(": the folder has no files *.proof"), "{message}");
    assert!(message.contains("2 paths not checked"), "{message}");
}

#[test]
fn tiny_boards_end_in_a_draw() {
    assert!(printed(&["perft", "--size", "1", "--depth", "1"], "").starts_with("perft 1: 1 "));
    let text = printed(&["perft", "--size", "2x1", "--depth", "3"], "");
    let counts: Vec<&str> = text.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(counts, ["2", "2", "0"]);
    let draw = printed(&["judge", "--size", "2x2", "--moves", "a1 b1 a2 b2"], "");
    assert_eq!(draw, "{\"ply\":4,\"result\":\"draw\",\"reason\":\"full\",\"winner\":null}\n");
    let text = printed(&["play", "--size", "1x3", "--time", "20"], "a1\na2\na3\n");
    assert!(text.contains("draw"), "{text}");
}

/// Waits until the process has a Ctrl-C handler.
#[cfg(target_os = "linux")]
fn wait_for_handler(process: u32) {
    let interrupt = 1u64 << 1;
    for _ in 0..1_000 {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_some_and(|mask| mask & interrupt != 0) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("no Ctrl-C handler");
}

#[cfg(target_os = "linux")]
#[test]
fn interrupted_search_prints_answer_and_exits_with_130() {
    // A position whose wins by threats take the solver long to rule out.
    let open = "7,10 9,8 11,11 9,9 9,11 8,10 8,11 10,11 7,11 9,12";
    let analysis = (&["analyze", "--moves", "h8 i9"][..], "nodes ");
    let proof = (&["solve", "--moves", open][..], "unknown");
    for (arguments, answer) in [analysis, proof] {
        let child = tengen(&[arguments, &["--time", "60000"]].concat()).spawn().unwrap();
        wait_for_handler(child.id());
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill").success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{arguments:?}: {output:?}");
        let said = String::from_utf8(output.stdout).expect("text");
        assert!(said.contains(answer), "{arguments:?}: {said}");
    }
}

#[test]
fn completions_and_manual_pages_cover_every_tool() {
    let script = printed(&["completions", "bash"], "");
    let folder = TempDir::new().unwrap();
    let pages = folder.path().join("man");
    printed(&["man", pages.to_str().unwrap()], "");
    for tool in ["analyze", "solve", "review", "convert", "match", "train"] {
        assert!(script.contains(&format!("tengen,{tool})")), "{tool}");
        let page = fs::read_to_string(pages.join(format!("tengen-{tool}.1"))).unwrap();
        assert!(page.contains(&format!(".TH tengen-{tool} 1")), "{page}");
    }
    assert!(pages.join("tengen-study-grow.1").exists());
    assert!(!pages.join("tengen-genfens.1").exists());
    // Pages are renewed, other files are not.
    printed(&["man", pages.to_str().unwrap()], "");
    let page = pages.join("tengen-play.1");
    fs::write(&page, "other text").unwrap();
    let error = refusal(&["man", pages.to_str().unwrap()], "");
    assert!(error.contains("tengen-play.1: the file already exists (--force"), "{error}");
    assert_eq!(fs::read_to_string(&page).unwrap(), "other text");
    printed(&["man", pages.to_str().unwrap(), "--force"], "");
    assert!(fs::read_to_string(&page).unwrap().contains(".TH tengen-play 1"));
}

#[test]
fn mistyped_tools_get_a_suggestion() {
    let output = run(&["analyse"], "");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("'analyze'"), "{message}");
}

/// Every script prints the comment at its head.
#[cfg(unix)]
#[test]
fn scripts_print_their_help() {
    let scripts = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
    let mut tried = 0;
    for folder in ["", "cluster", "web"] {
        for entry in fs::read_dir(scripts.join(folder)).expect("a folder of the repository") {
            let path = entry.expect("an entry").path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            if !text.starts_with("#!/usr/bin/env bash") {
                continue;
            }
            let output = Command::new(&path).arg("--help").stdin(Stdio::null()).output();
            let output = output.expect("the script starts");
            let help = String::from_utf8(output.stdout).expect("text");
            let first = text.lines().find_map(|line| line.strip_prefix("# "));
            let first = first.expect("a comment");
            assert!(output.status.success(), "{}: {help}", path.display());
            assert!(help.starts_with(first), "{}: {help}", path.display());
            tried += 1;
        }
    }
    assert!(tried > 10, "{tried} scripts");
}
