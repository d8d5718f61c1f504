//! The brain as a program: its log and its arguments.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use super::peer::{Peer, Wire, brain};

/// Ends a hanging test.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A log file in a temporary folder.
struct Log {
    path: PathBuf,
    _folder: TempDir,
}

impl Log {
    fn new() -> Log {
        let folder = tempfile::tempdir().unwrap();
        Log { path: folder.path().join("brain.log"), _folder: folder }
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }
}

/// The next line that is not a message.
fn answer(peer: &Peer) -> String {
    loop {
        let line = peer.line(TIMEOUT).expect("an answer");
        let line = String::from_utf8(line).unwrap();
        if !line.starts_with("MESSAGE ") {
            return line;
        }
    }
}

#[test]
fn log_is_appended_by_later_processes() {
    let log = Log::new();
    for runs in 1..=3 {
        let mut peer = Peer::spawn(brain().arg("--log").arg(&log.path), None).unwrap();
        peer.send("ABOUT", Wire::LineFeed);
        answer(&peer);
        peer.send("END", Wire::LineFeed);
        peer.exit(TIMEOUT).unwrap();
        let text = log.text();
        assert_eq!(text.matches("-- Tengen").count(), runs, "{text}");
        assert_eq!(text.matches("> ABOUT").count(), runs, "{text}");
        assert_eq!(text.matches("< name=").count(), runs, "{text}");
    }
}

/// By default the system ends a program that writes beyond its limit of the file size.
#[cfg(unix)]
#[test]
fn full_log_does_not_end_the_program() {
    let log = Log::new();
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "ulimit -f 1; exec \"$0\" --log \"$1\"",
        env!("CARGO_BIN_EXE_pbrain-tengen"),
    ]);
    let mut peer = Peer::spawn(shell.arg(&log.path), None).unwrap();
    for _ in 0..100 {
        peer.send("ABOUT", Wire::LineFeed);
        assert!(answer(&peer).starts_with("name="));
    }
    peer.send("END", Wire::LineFeed);
    peer.exit(TIMEOUT).unwrap();
    assert!((1..=1024).contains(&log.text().len()));
}

#[cfg(unix)]
#[test]
fn log_to_a_pipe_needs_a_reader() {
    let log = Log::new();
    assert!(Command::new("mkfifo").arg(&log.path).status().unwrap().success());
    let run = || brain().arg("--log").arg(&log.path).stdin(Stdio::null()).output().unwrap();
    let refused = run();
    let reason = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{reason}");
    assert!(reason.starts_with("pbrain-tengen: cannot write the log to "), "{reason}");
    // Nothing is read until the program has ended.
    let mut reader = fs::OpenOptions::new().read(true).write(true).open(&log.path).unwrap();
    assert!(run().status.success());
    let mut text = [0; 10];
    std::io::Read::read_exact(&mut reader, &mut text).unwrap();
    assert_eq!(&text, b"-- Tengen ");
}

#[test]
fn bad_arguments_are_rejected_without_output() {
    let log = Log::new();
    let folder = log.path.parent().unwrap();
    let missing = folder.join("missing").join("brain.log");
    let assert_rejected = |arguments: &[&Path], reason: &str| {
        let output = brain().args(arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(output.stdout.is_empty() && stderr.lines().count() == 1, "{stderr}");
        assert!(stderr.starts_with("pbrain-tengen: ") && stderr.contains(reason), "{stderr}");
    };
    let option = Path::new("--log");
    assert_rejected(&[option, folder], &folder.display().to_string());
    assert_rejected(&[option, &missing], &missing.display().to_string());
    let other = folder.join("notes.txt");
    fs::write(&other, "my notes\n").unwrap();
    assert_rejected(&[option, &other], "the existing file is not a log of this program");
    assert_eq!(fs::read_to_string(&other).unwrap(), "my notes\n");
    assert_rejected(&[option], "--log needs");
    assert_rejected(&[Path::new("--loog")], "'--loog'");
}

/// Address space that the program may take (`ulimit -v`), from less than it would like to more.
#[cfg(target_os = "linux")]
#[test]
fn every_move_is_answered_with_little_memory() {
    // Without optimisation a search needs the stack of 8 MiB.
    let least = if cfg!(debug_assertions) { 40 } else { 16 };
    for mib in [16, 20, 24, 32, 40, 48, 64, 72, 80, 100].into_iter().filter(|&mib| mib >= least) {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {}; exec \"$0\"", mib << 10)]);
        shell.arg(brain().get_program());
        let mut peer = Peer::spawn(&mut shell, None).unwrap();
        let mut ask = |lines: &str| {
            lines.lines().for_each(|line| peer.send(line, Wire::LineFeed));
            let answer = answer(&peer);
            assert!(answer.contains(',') || answer == "OK", "{mib} MiB, {lines}: {answer}");
        };
        ask("START 15");
        ask("INFO timeout_turn 100\nBOARD\n7,7,1\n8,8,2\n7,8,1\n8,7,2\n10,9,1\n6,6,2\nDONE");
        ask("INFO thread_num 2\nTURN 0,0");
        ask("INFO thread_num 1\nINFO checkmate 2\nTURN 0,2");
        ask("START 36");
        ask("BEGIN");
        ask("TURN 1,1");
        ask("START 20");
        ask("INFO rule 4\nBEGIN");
        ask("INFO strength 50\nTURN 3,3");
        ask("INFO strength 100\nTURN 16,3");
        peer.send("END", Wire::LineFeed);
        peer.exit(TIMEOUT).unwrap_or_else(|failure| panic!("{mib} MiB: {failure}"));
    }
}
