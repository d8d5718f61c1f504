//! Runs the commands of README and manual and compares their output.
//!
//! A block marked `console` holds commands (`$ ` in front, a trailing `\` continues the line), each
//! followed by its output. In the output `[..]` stands for any text within a line and a line `...`
//! for any number of lines. A block marked `sh` has commands without output. All blocks of a document run in one temporary folder that begins with
//! the files of `docs/manual/files`.
//!
//! `MANUAL=name` runs only the documents whose path contains `name`.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rayon::prelude::*;

/// A command of a document with the output it shows.
struct Example {
    /// Line of the command, from 1.
    line: usize,
    command: String,
    expected: Vec<String>,
}

/// The examples of a document.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let (mut in_console, mut continues) = (false, false);
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            (in_console, continues) = (!in_console && kind == "console", false);
        } else if !in_console {
        } else if let Some(command) = line.strip_prefix("$ ") {
            continues = command.ends_with('\\');
            let command = format!("{command}\n");
            examples.push(Example { line: number, command, expected: Vec::new() });
        } else if let Some(example) = examples.last_mut() {
            if continues {
                example.command += &format!("{line}\n");
                continues = line.ends_with('\\');
            } else {
                example.expected.push(line.trim_end().to_string());
            }
        }
    }
    for example in &mut examples {
        // A blank line before the next command is a separator, not output.
        while example.expected.last().is_some_and(String::is_empty) {
            example.expected.pop();
        }
    }
    examples
}

/// Whether `line` is `pattern`, in which `[..]` stands for any text.
fn matches_line(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether the lines are those of the pattern, in which `...` stands for any lines.
fn matches(pattern: &[String], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((first, pattern)) if first == "..." => {
            (0..=lines.len()).any(|skipped| matches(pattern, &lines[skipped..]))
        }
        Some((first, pattern)) => lines
            .split_first()
            .is_some_and(|(line, lines)| matches_line(first, line) && matches(pattern, lines)),
    }
}

/// The root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("a repository")
}

/// A folder with the files that the documents use, and both programs where a build puts them.
fn working_folder(repository: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = fs::read_dir(repository.join("docs/manual/files")).expect("docs/manual/files");
    for file in files {
        let path = file.expect("an entry").path();
        fs::copy(&path, folder.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    let release = folder.path().join("target/release");
    fs::create_dir_all(&release).expect("a folder");
    let workbench = Path::new(env!("CARGO_BIN_EXE_tengen"));
    for name in ["tengen", "pbrain-tengen"] {
        let built = workbench.with_file_name(name);
        assert!(built.is_file(), "{} is not built: run cargo build first", built.display());
        std::os::unix::fs::symlink(built, release.join(name)).expect("a link");
    }
    for name in ["scripts", "protocol-tests", "src"] {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink(repository.join(name), link).expect("a link");
    }
    folder
}

/// Runs the examples of a document; describes those whose output differs.
fn differences(repository: &Path, document: &Path) -> Vec<String> {
    let text = fs::read_to_string(document).expect("a document");
    let folder = working_folder(repository);
    let programs = folder.path().join("target/release");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let name = document.strip_prefix(repository).unwrap_or(document).display();
    let mut differences = Vec::new();
    for Example { line, command, expected } in examples(&text) {
        // The programs are built already.
        let command = command.replace("cargo build --release && ", "");
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("exec 2>&1\n{command}"))
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("LC_ALL", "C.UTF-8")
            .env("COLUMNS", "100")
            .env("TENGEN_CONFIG", folder.path().join("config"))
            .stdin(Stdio::null())
            .output()
            .expect("sh runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
        if !matches(&expected, &lines) {
            let expected = expected.join("\n");
            let printed = printed.trim_end();
            differences.push(format!(
                "{name}:{line}: {command}--- shown\n{expected}\n--- printed\n{printed}\n"
            ));
        }
    }
    differences
}

/// README, manual and the other documents at the root, if their path contains `wanted`.
fn documents(repository: &Path, wanted: &str) -> Vec<PathBuf> {
    let manual = fs::read_dir(repository.join("docs/manual")).expect("docs/manual");
    let mut documents: Vec<PathBuf> = manual
        .chain(fs::read_dir(repository).expect("the repository"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter(|path| path.to_string_lossy().contains(wanted))
        .collect();
    documents.sort();
    documents
}

#[test]
fn documented_commands_print_what_is_shown() {
    let repository = repository();
    let wanted = std::env::var("MANUAL").unwrap_or_default();
    // The commands wait more than they compute.
    let threads = rayon::ThreadPoolBuilder::new().num_threads(8).build().expect("threads");
    let differences: Vec<String> = threads.install(|| {
        documents(&repository, &wanted)
            .par_iter()
            .with_max_len(1)
            .flat_map(|document| differences(&repository, document))
            .collect()
    });
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Output outside of `console` blocks would not be compared.
#[test]
fn every_block_is_a_command() {
    let mut others = Vec::new();
    for document in documents(&repository(), "") {
        let text = fs::read_to_string(&document).expect("a document");
        let fences = text.lines().filter_map(|line| line.trim_start().strip_prefix("```"));
        let kinds = fences.step_by(2).filter(|kind| !["console", "sh"].contains(kind));
        others.extend(kinds.map(|kind| format!("{}: {kind:?}", document.display())));
    }
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn patterns_match_lines_and_parts_of_lines() {
    assert!(matches_line("wins in [..] plies ([..])", "wins in 3 plies (0 nodes)"));
    assert!(!matches_line("wins in [..] plies", "wins in 3 plies (0 nodes)"));
    assert!(!matches_line("h8", "h8 "));
    let pattern = ["a", "...", "d"].map(str::to_string);
    assert!(matches(&pattern, &["a", "b", "c", "d"]));
    assert!(matches(&pattern, &["a", "d"]));
    assert!(!matches(&pattern, &["a", "b"]));
}

#[test]
fn examples_end_with_their_block() {
    let text = "```console\n$ one \\\n  two\nout\n\n$ three\n```\n$ four\n";
    let examples = examples(text);
    assert_eq!(examples.len(), 2);
    assert_eq!(examples[0].command, "one \\\n  two\n");
    assert_eq!(examples[0].expected, ["out"]);
    assert!(examples[1].expected.is_empty());
}
