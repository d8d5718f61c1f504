//! A run that continues a shard, while one operation on its files after the other fails or ends the
//! process: finished games survive, and the run can be repeated.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use tengen_rules::types::BoardSize;
use tengen_testkit::faults::Fault;

use super::tests::{BUILD, args};
use super::{Args, Interrupts, play_all};
use crate::data_file::DataFile;
use crate::manifest::ManifestEntry;

/// Names the folder of the shards for the child process.
const FOLDER: &str = "TENGEN_FAULT_FOLDER";
const SHARD: &str = "freestyle-9x9-seed1-0000003.tgs";
/// Games before the run that is disturbed, and after it. The header of the shard becomes longer.
const BEGUN: u64 = 2;
const ALL: u64 = 10;

fn play(folder: &Path, games: u64) -> anyhow::Result<()> {
    let size = BoardSize::square(9).unwrap();
    let search =
        Args { size, nodes: 20, label_nodes: 20, labels: 1, cutoffs: 0, ..args(Some(folder)) };
    let args = Args { games, shard_games: 1_024, threads: Some(1), ..search };
    play_all(&args, BUILD, &Interrupts::default(), &mut Vec::new(), &mut Vec::new())
}

#[test]
#[ignore = "the child process of the other tests"]
fn continued_run() {
    let folder = std::env::var_os(FOLDER).expect("a folder");
    if let Err(error) = play(Path::new(&folder), ALL) {
        panic!("{error:#}");
    }
}

/// A child process that has ended.
struct Child {
    succeeded: bool,
    text: String,
    /// Whether an operation failed.
    has_failed: bool,
}

/// Continues the run in a child process.
fn play_in_child(folder: &Path, fault: Fault) -> Child {
    let marks = tempfile::tempdir().unwrap();
    let mark = marks.path().join("mark");
    let mut test = Command::new(std::env::current_exe().unwrap());
    test.args(["--ignored", "--exact", "--nocapture", "selfplay::fault_tests::continued_run"]);
    test.env(FOLDER, folder);
    fault.prepare(&mut test, folder, &mark);
    let done = test.output().unwrap();
    let text = [done.stdout, done.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("\nrunning 1 test"), "{text}");
    Child { succeeded: done.status.success(), text, has_failed: mark.exists() }
}

/// The files of a folder with their content.
fn files(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect()
}

/// A folder with the first games.
fn begun() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), BEGUN).unwrap();
    folder
}

/// Lets every `step`th operation fail, one in each run. `is_expected` checks the text of a run that
/// failed.
fn let_operations_fail(step: usize, fault: fn(usize) -> Fault, is_expected: fn(&str) -> bool) {
    let begun = begun();
    let first = DataFile::read(&begun.path().join(SHARD)).unwrap().games;
    assert_eq!(first.len() as u64, BEGUN);
    let begun = files(begun.path());
    let continued = || {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in &begun {
            fs::write(folder.path().join(name), content).unwrap();
        }
        folder
    };
    let whole = continued();
    play(whole.path(), ALL).unwrap();
    let whole = files(whole.path());
    let mut failures = 0;
    for number in (1..).step_by(step) {
        let folder = continued();
        let folder = folder.path();
        let child = play_in_child(folder, fault(number));
        let context = format!("{:?}: {}", fault(number), child.text);
        let path = folder.join(SHARD);
        let games = DataFile::read(&path).expect(&context).games;
        assert!(games.starts_with(&first), "{context}: games are lost");
        ManifestEntry::find(&path).expect(&context).expect(&context);
        if child.succeeded {
            assert_eq!(games.len() as u64, ALL, "{context}");
        } else {
            failures += 1;
            assert!(is_expected(&child.text), "{context}");
        }
        let shard = OsStr::new(SHARD);
        if files(folder) != begun {
            if !child.succeeded {
                play(folder, ALL).expect(&context);
            }
            assert!(files(folder)[shard] == whole[shard], "{context}: other games");
        }
        if !child.has_failed {
            break;
        }
    }
    assert!(failures > 5, "{failures} failures");
}

#[test]
fn games_survive_each_failed_write() {
    let_operations_fail(1, Fault::Write, |text| {
        ["No space left on device", "Input/output error"].iter().any(|it| text.contains(it))
    });
}

#[test]
fn games_survive_a_kill_at_each_write() {
    let_operations_fail(1, Fault::Kill, |_| true);
}

#[test]
fn games_survive_failed_reads() {
    let_operations_fail(3, Fault::Read, |text| {
        // The folder exists, but its state cannot be read.
        ["Input/output error", "cannot create"].iter().any(|it| text.contains(it))
    });
}

#[test]
fn short_transfers_change_nothing() {
    let folder = begun();
    let child = play_in_child(folder.path(), Fault::ShortTransfers);
    assert!(child.succeeded, "{}", child.text);
    let whole = begun();
    play(whole.path(), ALL).unwrap();
    assert!(files(folder.path()) == files(whole.path()));
}
