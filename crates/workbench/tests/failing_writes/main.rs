//! Every tool that writes, while one write, sync or rename after the other fails: the error names the
//! file, existing files are kept whole, and the same command succeeds afterwards.
//!
//! The standard output is a file too, whose writes fail as well.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// Two games; the first has a puzzle.
const GAMES: &str = "8,5 10,3 4,6 5,4 10,5 7,7 10,7 7,4 7,6 4,4 8,4 6,6 5,5 6,4 3,4 6,7 6,5 8,6 9,7 \
                     5,9 6,8 8,8\nh8 h9 i9 g7 i8 i7 j7 k6 g8 j8\n";

/// The file of the standard output.
const OUTPUT: &str = "output";
/// The library that lets writes fail. SQLite is compiled with the same compiler.
fn shim() -> &'static Path {
    static SHIM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = SHIM.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shim.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/failing_writes/shim.c");
        let mut compiler = Command::new(std::env::var("CC").unwrap_or("cc".to_string()));
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&path).arg(&source);
        assert!(compiler.status().expect("a C compiler").success());
        (folder, path)
    });
    path
}

/// The result of a tool.
struct Run {
    /// The exit status; `None` after a signal.
    status: Option<i32>,
    errors: String,
    /// Whether an operation failed.
    has_failed: bool,
}

/// Runs a tool in the folder; the operation with this number fails.
fn run(folder: &Path, call: &str, fail_at: Option<usize>) -> Run {
    let mark = folder.join("mark");
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tengen"));
    tool.current_dir(folder).args(call.split(' ')).env("LC_ALL", "C");
    tool.stdout(File::create(folder.join(OUTPUT)).unwrap());
    if let Some(number) = fail_at {
        tool.env("LD_PRELOAD", shim()).env("FAIL_AT", number.to_string()).env("FAIL_MARK", &mark);
    }
    let done = tool.output().unwrap();
    let has_failed = fs::remove_file(mark).is_ok();
    let errors = String::from_utf8(done.stderr).unwrap();
    Run { status: done.status.code(), errors, has_failed }
}

/// A folder with the files that the tools read, made once.
fn template() -> &'static Path {
    static TEMPLATE: OnceLock<TempDir> = OnceLock::new();
    let folder = TEMPLATE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("games.txt"), GAMES).unwrap();
        for call in [
            "match -e a=bot:random -e b=bot:random --games 4 --seed 1 --record record.jsonl",
            "selfplay --games 2 --nodes 20 --labels 1 --label-nodes 20 --cutoffs 0 --threads 1 --out shards",
            "study import database.tdb games.txt --game 1",
            "study import other.tdb games.txt --game 2",
        ] {
            let run = run(folder.path(), call, None);
            assert_eq!(run.status, Some(0), "{call}: {}", run.errors);
        }
        folder
    });
    folder.path()
}

/// All files of a folder with their content, by path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_path_buf();
                    found.insert(name, fs::read(&path).unwrap());
                }
            }
        }
    }
    found
}

/// A copy of the template in which `kept` holds other text.
fn prepared(kept: Option<&str>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files(template()) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    if let Some(kept) = kept {
        fs::write(folder.path().join(kept), "kept").unwrap();
    }
    folder
}

/// Lets one operation of the call after the other fail, at most `most`. Each time, checks the status,
/// the message and with `check` the files; then repeats the call without a failure.
///
/// A call whose failed operation did not matter must have done everything.
fn let_each_operation_fail(
    call: &str,
    most: usize,
    kept: Option<&str>,
    is_equal: impl Fn(&Path, &Path) -> bool,
    check: impl Fn(&Path),
) {
    let whole = prepared(kept);
    let undisturbed = run(whole.path(), call, None);
    assert_eq!(undisturbed.status, Some(0), "{call}: {}", undisturbed.errors);
    let mut failures = 0;
    for number in 1..=most {
        let folder = prepared(kept);
        let folder = folder.path();
        let Run { status, errors, has_failed } = run(folder, call, Some(number));
        let context = format!("{call}, operation {number}: {errors}");
        assert!(!errors.contains("panicked"), "{context}");
        if status == Some(0) {
            assert!(is_equal(folder, whole.path()), "{context}: success with other files");
        } else {
            failures += 1;
            assert_eq!(status, Some(2), "{context}");
            let last = errors.lines().last().unwrap_or_default();
            assert!(last.starts_with("tengen: "), "{context}");
            assert!(REASONS.iter().any(|reason| last.contains(reason)), "{context}");
            check(folder);
            let repeated = run(folder, call, None);
            assert_eq!(repeated.status, Some(0), "{context}, repeated: {}", repeated.errors);
            assert!(is_equal(folder, whole.path()), "{context}: the repetition made other files");
        }
        if !has_failed {
            break;
        }
    }
    assert!(failures > 0, "{call}: no operation failed");
}

/// More operations than any call has.
const MOST: usize = 1000;

/// Texts of the system and of SQLite for a failed operation.
const REASONS: [&str; 4] =
    ["No space left on device", "Input/output error", "disk is full", "disk I/O error"];

/// Whether the files are equal, apart from numbers in the output, which contains times, and from
/// memory that the processes of a database share.
fn has_equal_files(folder: &Path, other: &Path) -> bool {
    let content = |folder: &Path| {
        let mut files = files(folder);
        files.retain(|name, _| !name.to_string_lossy().ends_with("-shm"));
        files.get_mut(Path::new(OUTPUT)).unwrap().retain(|byte| !byte.is_ascii_digit());
        files
    };
    content(folder) == content(other)
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
        "data shards/freestyle-15x15-seed1-0000000.tgs",
        "genfens 2 seed 1 book None",
        "study show database.tdb",
        "study stats database.tdb",
        "study check database.tdb",
        "study export database.tdb --to jsonl",
    ] {
        let_each_operation_fail(call, MOST, None, has_equal_files, |_| ());
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
        ("data shards/freestyle-15x15-seed1-0000000.tgs --out d.tgs --force", "d.tgs"),
    ] {
        let whole = prepared(Some(file));
        run(whole.path(), call, None);
        let new = fs::read(whole.path().join(file)).unwrap();
        // A continued search for puzzles starts with an empty hash table, so that it may find other
        // puzzles with the same number of nodes.
        let is_equal = |folder: &Path, other: &Path| {
            has_equal_files(folder, other) || call.starts_with("puzzles")
        };
        // The zip crate has a debug assertion that fails if the end of the archive cannot be written.
        let most = if file.ends_with(".npz") { 32 } else { MOST };
        let_each_operation_fail(call, most, Some(file), is_equal, |folder| {
            let content = fs::read(folder.join(file)).unwrap();
            assert!(
                content == b"kept" || content == new,
                "{call}: the file is neither old nor new"
            );
            let drafts = files(folder).into_keys().filter(|name| {
                let name = name.to_string_lossy();
                name.starts_with(".tengen-")
            });
            assert_eq!(drafts.count(), 0, "{call}: a draft is left");
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
        let is_equal = |folder: &Path, other: &Path| {
            let content = |folder: &Path| lines(&folder.join(file));
            let (content, expected) = (content(folder), content(other));
            // A continued analysis starts with an empty hash table, so its numbers differ.
            content == expected || call.starts_with("analyze") && content.len() == expected.len()
        };
        let_each_operation_fail(call, 8, None, is_equal, |_| ());
    }
}

#[test]
fn shards_are_continued_after_each_failure() {
    let settings = "--nodes 20 --labels 1 --label-nodes 20 --cutoffs 0 --threads 1";
    // The header of the shard becomes longer.
    let call = format!("selfplay --games 12 {settings} --out shards");
    let is_equal =
        |folder: &Path, other: &Path| files(&folder.join("shards")) == files(&other.join("shards"));
    let_each_operation_fail(&call, 3, None, is_equal, |folder| {
        let read = "convert shards/freestyle-15x15-seed1-0000000.tgs --to moves --out all.txt";
        let games = run(folder, read, None);
        assert_eq!(games.status, Some(0), "the games from before: {}", games.errors);
    });
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
        let content = |folder: &Path| {
            let read = run(folder, &format!("study export {name} --to jsonl"), None);
            assert_eq!(read.status, Some(0), "{call}: {}", read.errors);
            fs::read_to_string(folder.join(OUTPUT)).unwrap()
        };
        let is_equal = |folder: &Path, other: &Path| content(folder) == content(other);
        let_each_operation_fail(call, MOST, None, is_equal, |folder| {
            if folder.join(name).exists() {
                let checked = run(folder, &format!("study check {name}"), None);
                assert_eq!(checked.status, Some(0), "{call}: {}", checked.errors);
            }
        });
    }
}
