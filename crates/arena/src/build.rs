//! Which build of an engine plays: what it calls itself and what its file holds.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::contender::{Contender, Handling};
use super::process::Process;
use tengen::COMMIT;
use tengen::engine::StopSwitch;
use tengen_cli::sha256;

/// How long an engine may take to say what it is.
const PATIENCE: Duration = Duration::from_millis(1500);

/// An engine's build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// The version in its answer to `ABOUT`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    /// SHA-256 of the program's file, where that is found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sha256: Option<String>,
    /// SHA-256 of what a program from `PATH`, such as `wine` or `python3`, is given to run: the
    /// first file among its arguments.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub run_sha256: Option<String>,
    /// The commit of a player of this program, who has no file of its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub commit: Option<String>,
}

impl Build {
    /// Starts the engine once and asks it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn of(contender: &Contender, stop: &StopSwitch) -> anyhow::Result<Build> {
        if contender.inside.is_some() {
            // A player of this program is as old as the program.
            return Ok(Build {
                version: Some(env!("CARGO_PKG_VERSION").to_string()),
                commit: Some(own_commit()),
                ..Build::default()
            });
        }
        let mut player = Process::spawn(contender, &Handling::default(), stop.clone())
            .with_context(|| format!("cannot start {}", contender.command[0]))?;
        let about = player.about(PATIENCE);
        player.dismiss();
        let program = &contender.command[0];
        let run = contender.command[1..].iter().map(Path::new).find(|argument| argument.is_file());
        Ok(Build {
            version: about.and_then(|line| version(&line)),
            sha256: file_of(program).and_then(|path| hash_of(&path)),
            run_sha256: run.filter(|_| !is_path(program)).and_then(hash_of),
            commit: None,
        })
    }

    /// Whether the two cannot be the same build, by what is known of both: an engine may once be
    /// too slow to answer, and earlier records hold less.
    pub fn contradicts(&self, other: &Build) -> bool {
        fn facts(build: &Build) -> [&Option<String>; 4] {
            let Build { version, sha256, run_sha256, commit } = build;
            [version, sha256, run_sha256, commit]
        }
        let mut both = facts(self).into_iter().zip(facts(other));
        both.any(|(one, other)| one.is_some() && other.is_some() && one != other)
    }
}

/// The commit that this program was built from. Where that does not tell builds apart, because
/// files were changed since or nobody knows it, also what the program is.
pub(super) fn own_commit() -> String {
    if !COMMIT.ends_with("-dirty") && COMMIT != "unknown" {
        return COMMIT.to_string();
    }
    let program = std::env::current_exe().ok().and_then(|path| hash_of(&path));
    program.map_or(COMMIT.to_string(), |hash| format!("{COMMIT} {}", &hash[..12]))
}

fn hash_of(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| sha256(&bytes))
}

/// Whether a command names its program by where it is.
fn is_path(program: &str) -> bool {
    let path = Path::new(program);
    path.components().count() > 1 || path.is_file()
}

/// The file that a command starts: as it is named, or from the folders for programs.
fn file_of(program: &str) -> Option<PathBuf> {
    if is_path(program) {
        return Some(PathBuf::from(program));
    }
    let folders = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&folders).map(|folder| folder.join(program));
    found.into_iter().find(|path| path.is_file())
}

/// The value of `version="..."`.
fn version(about: &str) -> Option<String> {
    let (_, rest) = about.split_once("version")?;
    let value = rest.trim_start().strip_prefix('=')?.trim_start();
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => value.split([',', ' ']).next(),
    };
    value.filter(|value| !value.is_empty()).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_both_know_can_differ() {
        let build = |version: Option<&str>, sha256: Option<&str>, run: Option<&str>| Build {
            version: version.map(str::to_string),
            sha256: sha256.map(str::to_string),
            run_sha256: run.map(str::to_string),
            commit: None,
        };
        let known = build(Some("1"), Some("a"), Some("b"));
        for same in [
            known.clone(),
            build(None, Some("a"), Some("b")),
            build(Some("1"), Some("a"), None),
            Build::default(),
        ] {
            assert!(!known.contradicts(&same) && !same.contradicts(&known), "{same:?}");
        }
        for other in [
            build(Some("2"), Some("a"), Some("b")),
            build(None, Some("c"), None),
            build(Some("1"), Some("a"), Some("c")),
        ] {
            assert!(known.contradicts(&other) && other.contradicts(&known), "{other:?}");
        }
    }

    #[test]
    fn versions_are_found_in_answers() {
        let about = "name=\"Tengen\", version=\"0.1.0\", author=\"?\"";
        assert_eq!(version(about).as_deref(), Some("0.1.0"));
        assert_eq!(version("name=a,version = 2, x=1").as_deref(), Some("2"));
        for none in ["", "OK", "version", "version=\"\""] {
            assert_eq!(version(none), None, "{none}");
        }
    }
}
