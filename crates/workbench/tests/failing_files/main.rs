//! The tools while one operation on files after the other fails, and with short and interrupted
//! transfers. The standard output is a file too, whose writes fail as well.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod reads;
mod writes;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;
use tengen_testkit::faults::Fault;

/// Two games; the first has a puzzle.
const GAMES: &str = "8,5 10,3 4,6 5,4 10,5 7,7 10,7 7,4 7,6 4,4 8,4 6,6 5,5 6,4 3,4 6,7 6,5 8,6 9,7 \
                     5,9 6,8 8,8\nh8 h9 i9 g7 i8 i7 j7 k6 g8 j8\n";

/// The file of the standard output.
const OUTPUT: &str = "output";

/// The result of a tool.
struct Run {
    /// The exit status; `None` after a signal.
    status: Option<i32>,
    errors: String,
    /// Whether an operation failed.
    has_failed: bool,
}

/// Runs a tool in the folder.
fn run(folder: &Path, call: &str, fault: Fault) -> Run {
    let mark = folder.join("mark");
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tengen"));
    tool.current_dir(folder).args(call.split(' ')).env("LC_ALL", "C");
    tool.stdout(File::create(folder.join(OUTPUT)).unwrap());
    fault.prepare(&mut tool, folder, &mark);
    let done = tool.output().unwrap();
    let has_failed = fs::remove_file(mark).is_ok();
    let errors = String::from_utf8(done.stderr).unwrap();
    Run { status: done.status.code(), errors, has_failed }
}

/// A folder with the files that the tools read, made once.
fn template() -> &'static BTreeMap<PathBuf, Vec<u8>> {
    static TEMPLATE: OnceLock<BTreeMap<PathBuf, Vec<u8>>> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("games.txt"), GAMES).unwrap();
        for call in [
            "match -e a=bot:random -e b=bot:random --games 4 --seed 1 --record record.jsonl",
            "selfplay --rule renju --games 1 --nodes 60 --seed 1 --out run",
            "data run/renju-15x15-seed1-0000000.tgs --out games.tgs",
            "study import database.tdb games.txt --game 1",
            "study import other.tdb games.txt --game 2",
        ] {
            let run = run(folder.path(), call, Fault::None);
            assert_eq!(run.status, Some(0), "{call}: {}", run.errors);
        }
        fs::remove_dir_all(folder.path().join("run")).unwrap();
        files(folder.path())
    })
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

/// The files that can be compared: without the numbers in the output, which contains times, and
/// without the shared memory and the empty log of a database, which stay if removing them fails.
fn comparable_files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = files(folder);
    files.retain(|name, content| {
        let name = name.to_string_lossy();
        !(name.ends_with("-shm") || name.ends_with("-wal") && content.is_empty())
    });
    files.get_mut(Path::new(OUTPUT)).unwrap().retain(|byte| !byte.is_ascii_digit());
    files
}

/// A copy of the template in which `kept` holds other text.
fn prepared(kept: Option<&str>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in template() {
        fs::write(folder.path().join(name), content).unwrap();
    }
    if let Some(kept) = kept {
        fs::write(folder.path().join(kept), "kept").unwrap();
    }
    folder
}

/// A call that is tried with failing operations.
struct Case<'a> {
    call: &'a str,
    /// An existing file of this name holds other text.
    kept: Option<&'a str>,
    /// Most operations that fail, one in each run.
    most: usize,
}

impl<'a> Case<'a> {
    fn new(call: &'a str) -> Case<'a> {
        Case { call, kept: None, most: 1000 }
    }

    /// Lets one operation of the call after the other fail. A call whose failed operation did not
    /// matter must leave the same `content` as without a failure; others must end with a message.
    /// `check` then gets the folder, the undisturbed content and a text for messages.
    fn let_each_fail<T: PartialEq>(
        &self,
        fault: fn(usize) -> Fault,
        content: impl Fn(&Path) -> T,
        check: impl Fn(&Path, &T, &str),
    ) {
        let call = self.call;
        let whole = prepared(self.kept);
        let undisturbed = run(whole.path(), call, Fault::None);
        assert_eq!(undisturbed.status, Some(0), "{call}: {}", undisturbed.errors);
        let whole = content(whole.path());
        let mut failures = 0;
        for number in 1..=self.most {
            let folder = prepared(self.kept);
            let folder = folder.path();
            let Run { status, errors, has_failed } = run(folder, call, fault(number));
            let context = format!("{call}, {:?}: {errors}", fault(number));
            assert!(!errors.contains("panicked"), "{context}");
            if status == Some(0) {
                assert!(content(folder) == whole, "{context}: success with other files");
            } else {
                failures += 1;
                assert_eq!(status, Some(2), "{context}");
                let last = errors.lines().last().unwrap_or_default();
                assert!(last.starts_with("tengen: "), "{context}");
                assert!(REASONS.iter().any(|reason| last.contains(reason)), "{context}");
                check(folder, &whole, &context);
            }
            if !has_failed {
                break;
            }
        }
        assert!(failures > 0, "{call}: no operation failed");
    }
}

/// Texts of the system and of SQLite for a failed operation.
const REASONS: [&str; 5] = [
    "No space left on device",
    "Input/output error",
    "disk is full",
    "disk I/O error",
    "unable to open database file",
];
