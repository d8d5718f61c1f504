//! The brain as a program: its log and its arguments.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
