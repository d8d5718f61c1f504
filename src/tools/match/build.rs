//! Which build of an engine plays: what it calls itself and what its file holds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::contender::{Contender, Handling};
use super::player::Player;
use crate::tools::COMMIT;

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
    /// The commit of a player of this program, who has no file of its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub commit: Option<String>,
}

impl Build {
    /// Starts the engine once and asks it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn of(contender: &Contender, stop: &Arc<AtomicBool>) -> anyhow::Result<Build> {
        if contender.inside.is_some() {
            // A player of this program is as old as the program.
            return Ok(Build {
                version: Some(env!("CARGO_PKG_VERSION").to_string()),
                commit: Some(COMMIT.to_string()),
                ..Build::default()
            });
        }
        let mut player = Player::spawn(contender, &Handling::default(), Arc::clone(stop))
            .with_context(|| format!("cannot start {}", contender.command[0]))?;
        let about = player.about(PATIENCE);
        player.dismiss();
        let bytes = file_of(&contender.command[0]).and_then(|path| std::fs::read(path).ok());
        let hash = |bytes: Vec<u8>| {
            Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
        };
        Ok(Build {
            version: about.and_then(|line| version(&line)),
            sha256: bytes.map(hash),
            commit: None,
        })
    }
}

/// The file that a command starts: as it is named, or from the folders for programs.
fn file_of(program: &str) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 || path.is_file() {
        return Some(path.to_path_buf());
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
    fn versions_are_found_in_answers() {
        let about = "name=\"Tengen\", version=\"0.1.0\", author=\"?\"";
        assert_eq!(version(about).as_deref(), Some("0.1.0"));
        assert_eq!(version("name=a,version = 2, x=1").as_deref(), Some("2"));
        for none in ["", "OK", "version", "version=\"\""] {
            assert_eq!(version(none), None, "{none}");
        }
    }
}
