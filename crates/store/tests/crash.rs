//! Killed programs and full disks. The tests run themselves as child processes.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use common::{numbered, record_of};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use tengen_store::{Error, GamesRule, Store};

const FILE: &str = "TENGEN_STORE_TEST_FILE";
/// Number of positions per batch of the child process.
const BATCH: u64 = 40;

/// The child process: writes batches and prints the number of each committed one. Prints the first
/// error and ends.
#[test]
fn child_process() {
    let Some(path) = std::env::var_os(FILE).map(PathBuf::from) else { return };
    let mut out = std::io::stdout().lock();
    let mut report = |text: String| writeln!(out, "\n{text}").and_then(|()| out.flush()).unwrap();
    let mut store = Store::open(&path).unwrap();
    let first = store.reader().len().unwrap() / BATCH;
    for number in first.. {
        match write_batch(&mut store, number) {
            Ok(()) => report(format!("committed {number}")),
            Err(error) => {
                report(format!("failed {number}: {error}"));
                // The store is usable after the failure.
                let kept = store.reader().len().unwrap();
                report(format!("kept {kept}"));
                return;
            }
        }
    }
}

fn write_batch(store: &mut Store, number: u64) -> Result<(), Error> {
    let mut batch = store.batch()?;
    for position in number * BATCH..(number + 1) * BATCH {
        batch.merge(&numbered(position), &record_of(position), GamesRule::Largest)?;
    }
    batch.commit()
}

fn child(command: &mut Command, path: &Path) -> Child {
    command.env(FILE, path).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn this_test(command: &mut Command) -> &mut Command {
    command.args(["--exact", "child_process", "--nocapture", "--test-threads=1"])
}

/// Checks that the store is intact and contains complete batches, including all acknowledged ones.
/// Returns their number.
fn check(path: &Path, acknowledged: u64) -> u64 {
    let store = Store::open(path).unwrap();
    assert_eq!(store.check().unwrap().problems, [] as [&str; 0]);
    let positions = store.reader().len().unwrap();
    assert_eq!(positions % BATCH, 0, "an incomplete batch");
    assert!(positions >= acknowledged * BATCH, "{positions}, {acknowledged} batches reported");
    for number in 0..positions {
        assert_eq!(store.get(&numbered(number)).unwrap(), Some(record_of(number)));
    }
    positions / BATCH
}

#[test]
fn killed_programs_lose_at_most_the_last_batch() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tdb");
    drop(Store::create(&path).unwrap());
    let mut rng = SmallRng::seed_from_u64(11);
    let mut batches = 0;
    for _ in 0..20 {
        let mut child =
            child(this_test(&mut Command::new(std::env::current_exe().unwrap())), &path);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acknowledged = batches;
        // Kill the child while it writes one of the next batches.
        for _ in 0..rng.random_range(1..6) {
            let number = lines
                .by_ref()
                .map(Result::unwrap)
                .find_map(|line| line.strip_prefix("committed ")?.parse::<u64>().ok());
            acknowledged = number.expect("the child commits another batch") + 1;
        }
        // A varying amount of work, so that the child is killed at different points.
        (0..rng.random_range(0..200)).for_each(|number| drop(numbered(number)));
        child.kill().unwrap();
        child.wait().unwrap();
        batches = check(&path, acknowledged);
    }
    assert!(batches >= 20);
}

/// Simulates a full disk with a limit of the file size: writes beyond it fail.
#[test]
fn a_full_disk_loses_the_last_batch_only() {
    let folder = tempfile::tempdir().unwrap();
    for blocks in [100, 130, 200, 400, 900] {
        let path = folder.path().join(format!("{blocks}.tdb"));
        drop(Store::create(&path).unwrap());
        let mut shell = Command::new("sh");
        // A block has 512 bytes, in some shells 1,024.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        shell.arg("-c").arg(script).arg(std::env::current_exe().unwrap());
        let mut child = child(this_test(&mut shell), &path);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let (mut acknowledged, mut failed, mut kept) = (0, false, None);
        for line in lines {
            if let Some(number) = line.strip_prefix("committed ") {
                acknowledged = number.parse::<u64>().unwrap() + 1;
            }
            failed |= line.starts_with("failed ");
            kept = line.strip_prefix("kept ").and_then(|count| count.parse().ok()).or(kept);
        }
        child.wait().unwrap();
        assert!(failed, "{blocks} blocks: the limit was not reached");
        assert_eq!(kept, Some(acknowledged * BATCH), "{blocks} blocks");
        assert_eq!(check(&path, acknowledged), acknowledged, "{blocks} blocks");
        // With free space the store can be written again.
        let mut store = Store::open(&path).unwrap();
        write_batch(&mut store, acknowledged).unwrap();
        drop(store);
        check(&path, acknowledged + 1);
    }
}
