//! Planes as NumPy reads them. Without NumPy the test fails where the variable `CI` is set; elsewhere
//! it prints that it was skipped.

use std::io::Write;
use std::process::Command;
use std::{env, fs, io};

const SCRIPT: &str = "
import sys, numpy
planes = numpy.load(sys.argv[1], mmap_mode='r')
assert planes.dtype == numpy.uint8 and planes.shape == (4, 7, 15, 15), planes.shape
assert planes.sum(axis=(1, 2, 3)).tolist() == [225 * 3, 1 + 224 * 2 + 1, 2 + 223 * 2 + 225 + 1, 3 + 222 * 2 + 1]
# Black h8, white i9: own, opponent and last move of black to move.
assert planes[2, 0, 7, 7] == planes[2, 1, 6, 8] == planes[2, 6, 6, 8] == 1
archive = numpy.load(sys.argv[2])
assert (archive['planes'] == planes).all()
assert archive['played'].tolist() == [112, 98, 114, -1], archive['played']
assert numpy.isnan(archive['result']).all()
print('read')
";

#[test]
fn numpy_reads_what_is_written() {
    let python = env::var("PYTHON").unwrap_or("python3".to_string());
    let numpy = Command::new(&python).args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|output| output.status.success()) {
        let required = env::var("CI").is_ok_and(|value| !value.is_empty());
        assert!(!required, "{python} has no NumPy, which the variable CI requires");
        // Not by a macro: the test harness keeps the output of those to itself.
        let _ =
            writeln!(io::stderr(), "SKIPPED numpy_reads_what_is_written: {python} has no NumPy");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = folder.path().join("games.txt");
    fs::write(&games, "h8 i9 j8\n").expect("a file");
    let files = ["f.npy", "f.npz"].map(|name| folder.path().join(name));
    for file in &files {
        let mut tengen = Command::new(env!("CARGO_BIN_EXE_tengen"));
        let status = tengen.arg("features").arg(&games).arg("--out").arg(file).status();
        assert!(status.expect("the workbench starts").success());
    }
    let output = Command::new(&python).args(["-c", SCRIPT]).args(&files).output().expect("Python");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "read\n", "{output:?}");
}

/// With a limit of the size of a file, which fails like a full disk.
#[cfg(unix)]
#[test]
fn full_disk_is_reported_in_one_line_with_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = folder.path().join("games.txt");
    fs::write(&games, "h8 i9 j8 a1 b3 c5 d7 e9 f11 g13 h15 o1 n3 m5 l7 k9\n").expect("a file");
    let text = "ulimit -f 4; trap '' XFSZ; exec \"$0\" \"$@\"";
    let run = |arguments: &[&str]| {
        let tengen = env!("CARGO_BIN_EXE_tengen");
        let mut shell = Command::new("sh");
        shell.current_dir(&folder).args(["-c", text, tengen]).args(arguments).output().unwrap()
    };
    let match_call = "match --rule renju -e a=bot:random -e b=bot:random --games 100 --record";
    let match_call: Vec<&str> = match_call.split(' ').collect();
    for (call, file) in [
        (&["features", "games.txt", "--out"][..], "f.npz"),
        (&["features", "games.txt", "--out"], "f.npy"),
        (&["features", "games.txt", "--out"], "f.json"),
        (&match_call, "games.jsonl"),
    ] {
        let output = run(&[call, &[file]].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{file}: {message}");
        // A note on unknown results may stand before the error.
        let (errors, notes): (Vec<&str>, Vec<&str>) =
            message.lines().partition(|line| line.starts_with("tengen: "));
        assert!(errors.len() == 1 && errors[0].contains(file), "{message}");
        assert!(notes.iter().all(|note| note.starts_with("no result is known")), "{message}");
    }
}
