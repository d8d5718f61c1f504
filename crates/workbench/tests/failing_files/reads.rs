//! Tools while one opening, read or request of the state after the other fails: the error names the
//! reason, all files are kept, and no file is left.

use std::path::Path;

use tengen_testkit::faults::Fault;

use crate::{Case, OUTPUT, comparable_files, files, prepared, run, template};

/// Calls that change none of the files of the template.
const READING: [&str; 10] = [
    "convert games.txt --to sgf",
    "convert games.tgs --to sgf",
    "judge games.txt",
    "analyze games.txt --game 2 --nodes 20 --json",
    "data games.tgs",
    "merge record.jsonl --out new.jsonl",
    "match -e a=bot:random -e b=bot:random --games 1 --seed 1 --openings games.txt",
    "features games.txt --out new.npy",
    "study show database.tdb",
    "study export database.tdb --to jsonl",
];

#[test]
fn files_are_kept_after_failed_reads() {
    for call in READING {
        Case::new(call).let_each_fail(Fault::Read, comparable_files, |folder, whole, context| {
            for (name, content) in files(folder) {
                let is_output = name == Path::new(OUTPUT);
                let is_kept = template().get(&name).is_some_and(|before| *before == content);
                let is_new = whole.get(&name).is_some_and(|new| *new == content);
                assert!(is_output || is_kept || is_new, "{context}: {}", name.display());
            }
        });
    }
}

#[test]
fn results_are_continued_after_failed_reads() {
    for call in [
        "match -e a=bot:random -e b=bot:random --games 5 --seed 1 --record record.jsonl",
        "study import database.tdb games.txt --game 2",
    ] {
        let games = |folder: &Path| crate::writes::results(call, folder);
        Case::new(call).let_each_fail(Fault::Read, games, |folder, whole, context| {
            let repeated = run(folder, call, Fault::None);
            assert_eq!(repeated.status, Some(0), "{context}, repeated: {}", repeated.errors);
            assert!(games(folder) == *whole, "{context}: the repetition made other files");
        });
    }
}

#[test]
fn short_and_interrupted_transfers_change_nothing() {
    for call in READING.into_iter().chain([
        "match -e a=bot:random -e b=bot:random --games 5 --seed 1 --record record.jsonl",
        "review games.txt --game 1 --nodes 20 --html new.html",
        "study import database.tdb games.txt --game 2",
        "study merge database.tdb other.tdb",
        "study check database.tdb",
    ]) {
        let [usual, short] = [Fault::None, Fault::ShortTransfers].map(|fault| {
            let folder = prepared(None);
            let run = run(folder.path(), call, fault);
            assert_eq!(run.status, Some(0), "{call}: {}", run.errors);
            crate::writes::results(call, folder.path())
        });
        assert!(usual == short, "{call}");
    }
}
