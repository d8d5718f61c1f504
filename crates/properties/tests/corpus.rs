//! Checks the properties on all files of the fuzzing corpus, and on randomly damaged copies.

use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use tengen_properties::PROPERTIES;

/// Minimum number of files of a target. Fewer files mean that the corpus was not found.
const MIN_FILES: usize = 10;

/// Number of damaged copies of each file.
const COPIES: u64 = 30;

/// Number of panics so far, including those that the engine caught.
static PANICS: AtomicUsize = AtomicUsize::new(0);

fn count_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.fetch_add(1, Ordering::Relaxed);
            hook(info);
        }));
    });
}

fn files(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| {
        panic!("{}: {error}", folder.display());
    });
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn properties_hold_for_corpus_files() {
    count_panics();
    for (target, property) in PROPERTIES {
        let files = files(target);
        assert!(files.len() >= MIN_FILES, "{target}: {} files", files.len());
        for file in files {
            println!("{}", file.display());
            property(&std::fs::read(&file).unwrap());
            assert_eq!(PANICS.load(Ordering::Relaxed), 0, "{}", file.display());
        }
    }
}

/// Without sessions, for which `tests/protocol.rs` generates better conversations.
#[test]
fn properties_hold_for_damaged_files() {
    count_panics();
    for (target, property) in PROPERTIES.into_iter().filter(|&(target, _)| target != "session") {
        for file in files(target) {
            let bytes = std::fs::read(&file).unwrap();
            for seed in 0..COPIES {
                println!("{}, seed {seed}", file.display());
                property(&damaged(&bytes, &mut SmallRng::seed_from_u64(seed)));
                assert_eq!(PANICS.load(Ordering::Relaxed), 0, "{}", file.display());
            }
        }
    }
}

/// The bytes with up to four changes: bytes are replaced, removed or copied to another place.
fn damaged(bytes: &[u8], random: &mut SmallRng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.random_range(1..=4) {
        let begin = random.random_range(0..=bytes.len());
        let end = bytes.len().min(begin + random.random_range(0..8));
        match random.random_range(0..3) {
            0 => bytes[begin..end].iter_mut().for_each(|byte| *byte = random.random()),
            1 => drop(bytes.drain(begin..end)),
            _ => {
                let piece = bytes[begin..end].to_vec();
                let at = random.random_range(0..=bytes.len());
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}
