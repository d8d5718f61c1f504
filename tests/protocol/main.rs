//! Runs the transcripts in `protocol-tests/transcripts`, in this process and with the real binary.
//! `protocol-tests/transcripts/README.md` describes their format.

mod judge;
mod panics;
mod peer;
mod program;
mod runner;
mod script;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use peer::{Host, Wire};
use script::Script;

fn scripts() -> Vec<Script> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/transcripts");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the transcripts are part of the repository")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    let parse = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(path).expect("a readable transcript");
        Script::parse(&name, &text).unwrap_or_else(|error| panic!("{error}"))
    };
    paths.iter().map(parse).collect()
}

/// Runs every script that can run on this host with each wire, several at a time, and lists the
/// failures.
fn run_all(host: Host, wires: &[Wire]) {
    let scripts = scripts();
    let jobs: Vec<(&Script, Wire)> = scripts
        .iter()
        .filter(|script| host == Host::Process || !script.needs_process)
        .flat_map(|script| wires.iter().map(move |&wire| (script, wire)))
        .filter(|(script, wire)| !script.as_written || *wire == Wire::LineFeed)
        .collect();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    // Conversations often wait: for time limits, and for answers that must not come.
    let workers = 2 * thread::available_parallelism().map_or(1, |count| count.get());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((script, wire)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failure) = runner::run(script, host, *wire) {
                        let text = format!("{} ({wire:?}): {failure}", script.name);
                        failures.lock().expect("no worker panics here").push(text);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no worker panics here");
    assert!(failures.is_empty(), "{host:?}:\n{}", failures.join("\n"));
    assert!(jobs.len() >= 100, "only {} conversations: where are the transcripts?", jobs.len());
}

#[test]
fn transcripts_in_this_process() {
    run_all(Host::Thread, &[Wire::LineFeed, Wire::LowerCase, Wire::TrailingBlanks]);
}

#[test]
fn transcripts_of_the_binary() {
    run_all(Host::Process, &[Wire::LineFeed, Wire::CarriageReturn]);
}
