//! The build of an engine: its version and the hash of its program.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use anyhow::Context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::engine_spec::{EngineSettings, EngineSpec};
use super::process::EngineProcess;
use tengen::COMMIT;
use tengen::engine::StopSwitch;
use tengen_cli::sha256;

/// Time for the answer to `ABOUT`.
const ABOUT_TIMEOUT: Duration = Duration::from_millis(1500);

/// An engine's build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EngineBuild {
    /// The version in its answer to `ABOUT`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    /// SHA-256 of the program's file, if the file is found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sha256: Option<String>,
    /// SHA-256 of the script or program that a launcher from `PATH`, such as `wine` or `python3`, runs:
    /// the first file among its arguments.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub run_sha256: Option<String>,
    /// The commit of a player of this program, which has no file of its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub commit: Option<String>,
}

impl EngineBuild {
    /// Starts the engine once and sends `ABOUT`.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn of(spec: &EngineSpec, stop: &StopSwitch) -> anyhow::Result<EngineBuild> {
        if spec.built_in.is_some() {
            return Ok(EngineBuild {
                version: Some(env!("CARGO_PKG_VERSION").to_string()),
                commit: Some(own_commit()),
                ..EngineBuild::default()
            });
        }
        let mut player = EngineProcess::spawn(spec, &EngineSettings::default(), stop.clone())
            .with_context(|| format!("cannot start {}", spec.command[0]))?;
        let about = player.about(ABOUT_TIMEOUT);
        player.quit();
        let program = &spec.command[0];
        let run = spec.command[1..].iter().map(Path::new).find(|argument| argument.is_file());
        Ok(EngineBuild {
            version: about.and_then(|line| version(&line)),
            sha256: file_of(program).and_then(|path| hash_of(&path)),
            run_sha256: run.filter(|_| !is_path(program)).and_then(hash_of),
            commit: None,
        })
    }

    /// Whether a field that both have differs. Fields may be missing: an engine may be too slow to
    /// answer once.
    pub fn contradicts(&self, other: &EngineBuild) -> bool {
        fn facts(build: &EngineBuild) -> [&Option<String>; 4] {
            let EngineBuild { version, sha256, run_sha256, commit } = build;
            [version, sha256, run_sha256, commit]
        }
        let mut both = facts(self).into_iter().zip(facts(other));
        both.any(|(one, other)| one.is_some() && other.is_some() && one != other)
    }
}

/// The commit that this program was built from, and if the working tree was dirty or the commit is
/// unknown, also the start of the program's hash.
pub(super) fn own_commit() -> String {
    if !COMMIT.ends_with("-dirty") && COMMIT != "unknown" {
        return COMMIT.to_string();
    }
    // A debug build is large: compute the hash once for all engines.
    static HASH: LazyLock<Option<String>> =
        LazyLock::new(|| std::env::current_exe().ok().and_then(|path| hash_of(&path)));
    let program = HASH.as_ref();
    program.map_or_else(|| COMMIT.to_string(), |hash| format!("{COMMIT} {}", &hash[..12]))
}

fn hash_of(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| sha256(&bytes))
}

/// Whether a command names its program by a path. The system looks for other names in `PATH`, not in
/// the current folder.
fn is_path(program: &str) -> bool {
    Path::new(program).components().count() > 1
}

/// The file that a command starts, from the folders in `PATH` unless the command is a path.
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
    fn builds_contradict_in_known_fields_only() {
        let build = |version: Option<&str>, sha256: Option<&str>, run: Option<&str>| EngineBuild {
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
            EngineBuild::default(),
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
    fn name_without_folder_is_not_a_file_of_the_current_folder() {
        assert!(Path::new("Cargo.toml").is_file());
        assert_eq!(file_of("Cargo.toml"), None);
        assert_eq!(file_of("./Cargo.toml"), Some("./Cargo.toml".into()));
    }

    #[test]
    fn version_is_read_from_about() {
        let about = "name=\"Tengen\", version=\"0.1.0\", author=\"?\"";
        assert_eq!(version(about).as_deref(), Some("0.1.0"));
        assert_eq!(version("name=a,version = 2, x=1").as_deref(), Some("2"));
        for none in ["", "OK", "version", "version=\"\""] {
            assert_eq!(version(none), None, "{none}");
        }
    }
}
