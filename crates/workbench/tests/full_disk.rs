//! The tools that write files, on a full disk: the error names the file, an existing file is not
//! damaged, and earlier results can be continued. A limit of the file size simulates the full disk:
//! writes beyond it fail. Self-play is tested in its crate.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Two games; the first has a puzzle.
const GAMES: &str = "8,5 10,3 4,6 5,4 10,5 7,7 10,7 7,4 7,6 4,4 8,4 6,6 5,5 6,4 3,4 6,7 6,5 8,6 9,7 \
                     5,9 6,8 8,8\nh8 h9 i9 g7 i8 i7 j7 k6 g8 j8\n";

/// A folder with files of games.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.txt"), GAMES).unwrap();
    folder
}

/// Runs a tool in the folder. With a limit, no file can grow beyond this number of blocks, of 512
/// bytes each, in some shells 1,024.
fn run(folder: &Path, call: &str, blocks: Option<u64>) -> Output {
    let limit = blocks.map_or("unlimited".to_string(), |blocks| blocks.to_string());
    let script = format!("ulimit -f {limit}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.current_dir(folder).args(["-c", &script, env!("CARGO_BIN_EXE_tengen")]);
    shell.args(call.split(' ')).output().unwrap()
}

fn assert_success(call: &str, output: &Output) {
    assert!(output.status.success(), "{call}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Checks that the tool failed with one line that names one of the files.
fn assert_names_file(call: &str, output: &Output, files: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{call}: {text}");
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("tengen: ") && last.contains("too large"), "{call}: {text}");
    assert!(files.iter().any(|file| last.contains(file)), "{call}: {last}");
}

/// The names of the files in the folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn replaced_files_are_kept_until_the_new_content_is_whole() {
    let folder = folder();
    let folder = folder.path();
    for call in [
        "match -e a=bot:random -e b=bot:random --games 12 --seed 1 --record m.jsonl",
        "selfplay --rule renju --games 1 --nodes 60 --seed 1 --out run",
        "data run/renju-15x15-seed1-0000000.tgs --out games.tgs",
        "study import s.tdb games.txt",
    ] {
        assert_success(call, &run(folder, call, None));
    }
    for (call, file) in [
        ("convert games.txt --to sgf --out c.sgf --force", "c.sgf"),
        ("review games.txt --game 1 --nodes 20 --html r.html --force", "r.html"),
        ("review games.txt --nodes 20 --sgf r.sgf --force", "r.sgf"),
        ("merge m.jsonl --out mm.jsonl --force", "mm.jsonl"),
        ("puzzles games.txt --nodes 2000 --out p.jsonl --force", "p.jsonl"),
        ("features games.txt --out f.npz --force", "f.npz"),
        ("features games.txt --out f.npy --force", "f.npy"),
        ("study export s.tdb --to jsonl --out e.jsonl --force", "e.jsonl"),
        ("data games.tgs --out d.tgs --force", "d.tgs"),
    ] {
        let path = folder.join(file);
        fs::write(&path, "kept").unwrap();
        let refused = run(folder, call.strip_suffix(" --force").unwrap(), None);
        assert_eq!(refused.status.code(), Some(2), "{call}");
        let text = String::from_utf8_lossy(&refused.stderr);
        assert!(text.contains(&format!("{file}: the file already exists")), "{text}");
        // The progress of an interrupted run may stay: the next run continues it.
        let names = || {
            let mut names = names(folder);
            names.retain(|name| !name.ends_with(".part"));
            // Without space SQLite cannot remove its shared memory and its empty log.
            names.retain(|name| !name.ends_with("-shm") && !name.ends_with("-wal"));
            names
        };
        let before = names();
        let output = run(folder, call, Some(0));
        assert_names_file(call, &output, &[file]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept", "{call}");
        assert_eq!(names(), before, "{call}: no draft is left");
        assert_success(call, &run(folder, call, None));
        assert_ne!(fs::read(&path).unwrap(), b"kept", "{call}");
    }
}

/// Numbers and moves of the games of a match file.
fn games_of(record: &Path) -> Vec<(u64, String)> {
    let text = fs::read_to_string(record).unwrap();
    assert!(text.ends_with('\n'));
    let lines = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut games: Vec<_> = lines
        .map(|game| (game["game"].as_u64().unwrap(), game["moves"].as_str().unwrap().to_string()))
        .collect();
    games.sort();
    games
}

#[test]
fn match_continues_with_all_games_in_all_files() {
    let call = "match -e a=bot:random -e b=bot:random --games 12 --seed 1 --record m.jsonl \
                --sgf m.sgf --psq psq";
    let whole = folder();
    assert_success(call, &run(whole.path(), call, None));
    let expected = games_of(&whole.path().join("m.jsonl"));
    assert_eq!(expected.len(), 12);
    let folder = folder();
    let folder = folder.path();
    for blocks in [1, 2, 4, 5, 7, 9] {
        let output = run(folder, call, Some(blocks));
        assert_names_file(call, &output, &["m.jsonl", "m.sgf", "psq/"]);
        // All files hold the same whole games.
        let text = fs::read_to_string(folder.join("m.sgf")).unwrap_or_default();
        let games = text.matches("(;").count();
        assert!(text.is_empty() || text.trim_end().ends_with(')'), "{text}");
        let record = fs::read_to_string(folder.join("m.jsonl")).unwrap_or_default();
        assert_eq!(record.lines().count().saturating_sub(1), games, "{record}");
        assert_eq!(names(&folder.join("psq")).len(), games);
    }
    assert_success(call, &run(folder, call, None));
    assert_eq!(games_of(&folder.join("m.jsonl")), expected);
    let text = fs::read_to_string(folder.join("m.sgf")).unwrap();
    assert_eq!(text.matches("(;").count(), 12);
    assert_eq!(names(&folder.join("psq")).len(), 12);
}

#[test]
fn other_results_are_continued() {
    for (call, file) in [
        ("analyze games.txt --every --nodes 20 --out a.jsonl", "a.jsonl"),
        (
            "choices -e a=bot:random -e b=bot:random --games games.txt --nodes 20 --known k.jsonl",
            "k.jsonl",
        ),
    ] {
        let whole = folder();
        assert_success(call, &run(whole.path(), call, None));
        let expected = fs::read_to_string(whole.path().join(file)).unwrap();
        let folder = folder();
        let path = folder.path().join(file);
        let mut kept = 0;
        for blocks in [0, 1] {
            assert_names_file(call, &run(folder.path(), call, Some(blocks)), &[file]);
            let text = fs::read_to_string(&path).unwrap_or_default();
            let lines = text.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok());
            let lines = lines.count();
            assert!(lines >= kept, "{call}: {lines} of {kept} lines");
            kept = lines;
        }
        assert_success(call, &run(folder.path(), call, None));
        let lines = |text: &str| text.lines().map(str::to_string).collect::<BTreeSet<_>>().len();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), lines(&expected), "{call}: {text}");
    }
}

/// It would overwrite the results of the first.
#[test]
fn second_writer_of_a_file_is_refused() {
    let folder = folder();
    let file = fs::File::create(folder.path().join("a.jsonl")).unwrap();
    file.lock().unwrap();
    let call = "analyze games.txt --every --nodes 20 --out a.jsonl";
    let output = run(folder.path(), call, None);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("a.jsonl: the file is in use by another process"), "{text}");
    drop(file);
    assert_success(call, &run(folder.path(), call, None));
}
