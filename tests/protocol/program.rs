//! The brain as a program: its log, its arguments, and what it does when a search crashes.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use tempfile::TempDir;

use super::peer::{Peer, Wire, brain};

/// Only there to end a hanging test.
const PATIENCE: Duration = Duration::from_secs(20);

/// A file in a new folder, which goes with it.
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

/// The next line that is no message.
fn answer(peer: &Peer) -> String {
    loop {
        let line = peer.line(PATIENCE).expect("an answer");
        let line = String::from_utf8(line).unwrap();
        if !line.starts_with("MESSAGE ") {
            return line;
        }
    }
}

/// Opens on 15x15 and answers five moves beside the engine's own; the moves must be legal.
#[cfg(debug_assertions)]
fn plays_six_moves(peer: &mut Peer) {
    use std::collections::HashSet;

    use tengen_rules::types::Point;

    let send = |peer: &mut Peer, line: &str| peer.send(line, Wire::LineFeed);
    send(peer, "START 15");
    assert_eq!(answer(peer), "OK");
    let mut taken = HashSet::new();
    let mut request = "BEGIN".to_owned();
    for _ in 0..6 {
        send(peer, &request);
        let point: Point = answer(peer).parse().expect("a move");
        assert!(point.x() < 15 && point.y() < 15 && taken.insert(point), "{point} after {taken:?}");
        let free = |cell: &Point| !taken.contains(cell);
        let reply = (0..225).map(|n| Point::new(n % 15, n / 15)).find(free).unwrap();
        taken.insert(reply);
        request = format!("TURN {reply}");
    }
}

/// The tests are built with debug assertions unless somebody asks for a release.
#[cfg(debug_assertions)]
#[test]
fn a_crashed_search_loses_no_game() {
    if env::var_os("TENGEN_BRAIN").is_some() {
        return; // A release does not crash on request.
    }
    for (planted, threads) in [("main:0", 1), ("main:5000", 1), ("main:5000", 2), ("helper:600", 2)]
    {
        let log = Log::new();
        let mut program = brain();
        program.env("TENGEN_PLANTED_PANIC", planted).arg("--log").arg(&log.path);
        let mut peer = Peer::spawn(&mut program, None).unwrap();
        peer.send("INFO max_node 40000", Wire::LineFeed);
        peer.send(&format!("INFO thread_num {threads}"), Wire::LineFeed);
        plays_six_moves(&mut peer);
        if planted != "main:0" {
            peer.send("SWAP2BOARD\nDONE", Wire::LineFeed);
            assert_eq!(answer(&peer).split(' ').count(), 3, "{planted}");
        }
        peer.send("END", Wire::LineFeed);
        peer.exit(PATIENCE).unwrap();
        // A machine with one processor has no helpers.
        if planted.starts_with("main") || std::thread::available_parallelism().unwrap().get() > 1 {
            let crashes = log.text().matches("a planted panic after").count();
            assert!(crashes >= 1, "{planted}: no crash in the log");
        }
    }
}

#[test]
fn a_log_keeps_what_earlier_processes_wrote() {
    let log = Log::new();
    for runs in 1..=3 {
        let mut peer = Peer::spawn(brain().arg("--log").arg(&log.path), None).unwrap();
        peer.send("ABOUT", Wire::LineFeed);
        answer(&peer);
        peer.send("END", Wire::LineFeed);
        peer.exit(PATIENCE).unwrap();
        let text = log.text();
        assert_eq!(text.matches("-- Tengen").count(), runs, "{text}");
        assert_eq!(text.matches("> ABOUT").count(), runs, "{text}");
        assert_eq!(text.matches("< name=").count(), runs, "{text}");
    }
}

#[test]
fn bad_arguments_are_refused_before_anything_is_said() {
    let log = Log::new();
    let folder = log.path.parent().unwrap();
    let missing = folder.join("missing").join("brain.log");
    let refused = |arguments: &[&Path], reason: &str| {
        let output = brain().args(arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(output.stdout.is_empty() && stderr.lines().count() == 1, "{stderr}");
        assert!(stderr.starts_with("pbrain-tengen: ") && stderr.contains(reason), "{stderr}");
    };
    let option = Path::new("--log");
    refused(&[option, folder], &folder.display().to_string());
    refused(&[option, &missing], &missing.display().to_string());
    refused(&[option], "--log needs");
    refused(&[Path::new("--loog")], "'--loog'");
}
