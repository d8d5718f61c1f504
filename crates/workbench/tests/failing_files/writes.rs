//! Every tool that writes, while one write, sync or rename after the other fails: the error names the
//! file, existing files are kept whole, and the same command succeeds afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tengen_store::{Filter, Store};
use tengen_testkit::faults::Fault;

use crate::{Case, comparable_files, files, prepared, run};

/// Lets one operation of the call after the other fail, and repeats the call after each failure.
fn let_each_fail<T: PartialEq>(
    case: &Case,
    content: impl Fn(&Path) -> T,
    check: impl Fn(&Path, &str),
) {
    case.let_each_fail(Fault::Write, &content, |folder, whole, context| {
        check(folder, context);
        let repeated = run(folder, case.call, Fault::None);
        assert_eq!(repeated.status, Some(0), "{context}, repeated: {}", repeated.errors);
        assert!(content(folder) == *whole, "{context}: the repetition made other files");
    });
}

#[test]
fn printing_tools_report_a_failed_output() {
    for call in [
        "convert games.txt --to sgf",
        "perft --depth 1",
        "judge games.txt",
        "forbidden games.txt --rule renju",
        "analyze games.txt --nodes 20 --json",
        "solve games.txt --nodes 200",
        "puzzles games.txt --nodes 2000",
        "review games.txt --game 1 --nodes 20",
        "levels",
        "man pages",
        "completions bash",
        "data games.tgs",
        "genfens 2 seed 1 book None",
        "study show database.tdb",
        "study stats database.tdb",
        "study check database.tdb",
        "study export database.tdb --to jsonl",
    ] {
        let_each_fail(&Case::new(call), comparable_files, |_, _| ());
    }
}

#[test]
fn replaced_files_are_kept_until_the_new_content_is_whole() {
    for (call, file) in [
        ("convert games.txt --to sgf --out c.sgf --force", "c.sgf"),
        ("review games.txt --game 1 --nodes 20 --html r.html --force", "r.html"),
        ("review games.txt --nodes 20 --sgf r.sgf --force", "r.sgf"),
        ("merge record.jsonl --out merged.jsonl --force", "merged.jsonl"),
        ("puzzles games.txt --nodes 2000 --out p.jsonl --force", "p.jsonl"),
        ("features games.txt --out f.npz --force", "f.npz"),
        ("features games.txt --out f.npy --force", "f.npy"),
        ("study export database.tdb --to jsonl --out e.jsonl --force", "e.jsonl"),
        ("data games.tgs --out d.tgs --force", "d.tgs"),
    ] {
        let whole = prepared(Some(file));
        run(whole.path(), call, Fault::None);
        let new = fs::read(whole.path().join(file)).unwrap();
        // A continued search for puzzles starts with an empty hash table, so that it may find other
        // puzzles with the same number of nodes.
        let content =
            |folder: &Path| (!call.starts_with("puzzles")).then(|| comparable_files(folder));
        // The zip crate has a debug assertion that fails if the end of the archive cannot be written.
        let most = if file.ends_with(".npz") { 32 } else { 1000 };
        let_each_fail(&Case { call, kept: Some(file), most }, content, |folder, context| {
            let content = fs::read(folder.join(file)).unwrap();
            let is_whole = content == b"kept" || content == new;
            assert!(is_whole, "{context}: the file is neither old nor new");
            let drafts = files(folder).into_keys().filter(|name| {
                let name = name.to_string_lossy();
                name.starts_with(".tengen-")
            });
            assert_eq!(drafts.count(), 0, "{context}: a draft is left");
        });
    }
}

/// The lines of a file without the times that they contain, sorted: games end in any order.
fn lines(path: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "{}: {text}", path.display());
    let mut lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| {
            let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
            let fields = line.as_object_mut().unwrap();
            fields.retain(|name, _| !["times_ms", "ms"].contains(&name.as_str()));
            line
        })
        .collect();
    lines.sort_by_key(serde_json::Value::to_string);
    lines
}

#[test]
fn results_are_continued_after_each_failure() {
    for (call, file) in [
        ("match -e a=bot:random -e b=bot:random --games 4 --seed 1 --record m.jsonl", "m.jsonl"),
        ("analyze games.txt --every --nodes 20 --out a.jsonl", "a.jsonl"),
        (
            "choices -e a=bot:random -e b=bot:random --games games.txt --nodes 20 --known k.jsonl",
            "k.jsonl",
        ),
    ] {
        let content = |folder: &Path| {
            let lines = lines(&folder.join(file));
            // A continued analysis starts with an empty hash table, so its numbers differ.
            let is_comparable = !call.starts_with("analyze");
            (lines.len(), is_comparable.then_some(lines))
        };
        let_each_fail(&Case { call, kept: None, most: 8 }, content, |_, _| ());
    }
}

/// The results of a call: the games of a match, the records of a database, or all files.
pub(crate) fn results(call: &str, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let of = |name: &str, text: String| BTreeMap::from([(name.into(), text.into_bytes())]);
    if call.contains("--record") {
        return of("record.jsonl", format!("{:?}", lines(&folder.join("record.jsonl"))));
    }
    match call.split(' ').find(|word| word.ends_with(".tdb")) {
        Some(name) if !call.contains("study export") => of(name, records(folder, name)),
        _ => comparable_files(folder),
    }
}

/// The records of a database, which must be intact, as text without times.
fn records(folder: &Path, name: &str) -> String {
    let store = Store::open(folder.join(name)).unwrap();
    let problems = store.check().unwrap().problems;
    assert!(problems.is_empty(), "{name}: {problems:?}");
    let entries: Vec<_> = store.reader().entries(&Filter::default()).map(Result::unwrap).collect();
    let text = format!("{entries:?}");
    let parts =
        text.split("time: ").map(|part| part.trim_start_matches(|it: char| it.is_numeric()));
    parts.collect()
}

#[test]
fn databases_are_kept_after_each_failure() {
    for call in [
        "study import new.tdb games.txt",
        "study import database.tdb games.txt --game 2",
        "study label database.tdb name --moves h8 --add",
        "study merge database.tdb other.tdb",
        "study compact database.tdb",
        "study prune database.tdb --stones 9..",
    ] {
        let name = call.split(' ').find(|word| word.ends_with(".tdb")).unwrap();
        let content = |folder: &Path| records(folder, name);
        let_each_fail(&Case::new(call), content, |folder, _| {
            if folder.join(name).exists() {
                records(folder, name);
            }
        });
    }
}
