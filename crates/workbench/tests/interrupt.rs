//! Ctrl-C and termination signals while a match is played.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// More than anything here takes on a busy machine.
const DEADLINE: Duration = Duration::from_secs(120);

/// Waits until `check` returns something.
fn wait_for<T>(what: &str, mut check: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = check() {
            return found;
        }
        assert!(began.elapsed() < DEADLINE, "{what} did not happen");
        thread::sleep(Duration::from_millis(10));
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
}

fn end_of(child: &mut Child) -> ExitStatus {
    wait_for("the end of the match", || child.try_wait().unwrap())
}

/// The number of games in the record, whose lines must be whole.
fn games_in(record: &Path) -> usize {
    let text = fs::read_to_string(record).unwrap_or_default();
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.count().saturating_sub(1)
}

/// Starts a match with an engine that neither reads nor answers once a move is requested. Returns the
/// match and the number of the engine's process after this request.
fn start_with_hanging_engine(folder: &Path, record: &Path) -> (Child, String) {
    let (engine, started) = (folder.join("engine"), folder.join("started"));
    let text = format!(
        "while read -r l; do case $l in START*) echo OK;; BEGIN|DONE|TURN*) \
                        echo $$ > '{}'; while :; do sleep 1; done;; esac; done",
        started.display()
    );
    fs::write(&engine, text).unwrap();
    let _ = fs::remove_file(&started);
    let child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["match", "--games", "9", "--turn", "1000000", "-e", "bot:random", "-e"])
        .arg(format!("hangs=sh {}", engine.display()))
        .arg("--record")
        .arg(record)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let process = wait_for("the request of a move", || {
        let number = fs::read_to_string(&started).ok()?;
        number.ends_with('\n').then(|| number.trim().to_string())
    });
    (child, process)
}

fn wait_for_end_of_engine(process: &str) {
    wait_for("the end of the engine", || {
        let is_there = Command::new("kill").args(["-0", process]).output();
        // It may still wait for its new parent.
        let state = fs::read_to_string(format!("/proc/{process}/stat"));
        let has_ended = state.is_ok_and(|state| state.contains(") Z "));
        (has_ended || !is_there.unwrap().status.success()).then_some(())
    });
}

#[test]
fn signals_end_a_match_and_its_hanging_engine() {
    let folder = tempfile::tempdir().unwrap();
    for names in [&["-INT"][..], &["-TERM"], &["-INT", "-INT"]] {
        let record = folder.path().join(format!("record{}", names.concat()));
        let (mut child, engine) = start_with_hanging_engine(folder.path(), &record);
        names.iter().for_each(|name| signal(&child, name));
        assert_eq!(end_of(&mut child).code(), Some(130), "{names:?}");
        assert_eq!(games_in(&record), 0, "{names:?}");
        wait_for_end_of_engine(&engine);
    }
}

/// An engine that ignores the end of its input ends with the match.
#[cfg(target_os = "linux")]
#[test]
fn killed_match_leaves_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, engine) =
        start_with_hanging_engine(folder.path(), &folder.path().join("record"));
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for_end_of_engine(&engine);
}

#[test]
fn second_signal_ends_a_match_whose_output_nobody_reads() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let (unread, mut full) = std::io::pipe().unwrap();
    let stdout = full.try_clone().unwrap();
    // Fills the pipe and then waits for ever.
    thread::spawn(move || while full.write_all(&[b'x'; 4096]).is_ok() {});
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["match", "-e", "a=bot:random", "-e", "b=bot:random", "--games", "1000000"])
        .args(["--size", "9", "--finished-lines", "--record"])
        .arg(&record)
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("a game", || fs::metadata(&record).is_ok_and(|it| it.len() > 0).then_some(()));
    signal(&child, "-INT");
    signal(&child, "-INT");
    assert_eq!(end_of(&mut child).code(), Some(130));
    assert!(games_in(&record) > 0);
    drop(unread);
}

/// A process without the environment of its engine, in a session of its own, whose parent has ended.
#[cfg(target_os = "linux")]
#[test]
fn orphans_of_engines_end_with_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("process");
    let sleeper = format!("echo $$ > '{}'; exec env -i sleep 300 > /dev/null 2>&1", file.display());
    let engine = folder.path().join("engine");
    let text = format!(
        "(setsid sh -c \"{sleeper}\" &); while [ ! -s '{}' ]; do :; done; while read -r l; do \
         case $l in START*) echo OK;; END) exit;; BEGIN|DONE|TURN*) exit 3;; esac; done",
        file.display()
    )
    .replace("$$", "\\$\\$");
    fs::write(&engine, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["match", "--games", "2", "-e", "bot:random", "-e"])
        .arg(format!("leaves=sh {}", engine.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let process = fs::read_to_string(&file).unwrap();
    assert!(!Path::new("/proc").join(process.trim()).exists(), "{process} is still running");
}
