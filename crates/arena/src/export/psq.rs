//! Piskvork files: one file for each game.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{Repair, game};
use crate::match_file::{MatchGame, MatchHeader};
use tengen_cli::overwrite::OverwriteArgs;
use tengen_record::{Format, GameRecord, write};

/// The folder and the games of a match.
pub(super) struct PsqFolder<'a> {
    pub(super) folder: &'a Path,
    pub(super) names: &'a [String],
    /// The games to play.
    pub(super) remaining: &'a [usize],
}

impl PsqFolder<'_> {
    /// Creates the folder and writes the files of recorded games that are missing or incomplete.
    ///
    /// # Errors
    /// When a file cannot be read or written, or a file with another game would be replaced.
    pub(super) fn repair(
        &self,
        header: &MatchHeader,
        recorded: &[MatchGame],
        overwrite: OverwriteArgs,
    ) -> anyhow::Result<Repair> {
        let folder = || self.folder.display().to_string();
        fs::create_dir_all(self.folder).with_context(folder)?;
        let mut missing = Vec::new();
        for record in recorded {
            let path = self.folder.join(file_name(record));
            let expected = bytes_of(&game(header, record)?)?;
            match fs::read(&path) {
                Ok(found) if found == expected => continue,
                // A crash may leave an incomplete file.
                Ok(found) if expected.starts_with(&found) => {}
                Ok(_) => overwrite.check(&path)?,
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| path.display().to_string()),
            }
            missing.push((path, expected));
        }
        // These are replaced when the games are played.
        for path in self.files_of_remaining().with_context(folder)? {
            overwrite.check(&path)?;
        }
        for (path, bytes) in &missing {
            write_bytes(path, bytes).with_context(|| path.display().to_string())?;
        }
        Ok(Repair { added: missing.len(), ..Repair::default() })
    }

    /// The existing files that the games to play would replace.
    fn files_of_remaining(&self) -> io::Result<Vec<PathBuf>> {
        let remaining: HashSet<usize> = self.remaining.iter().copied().collect();
        let mut files = Vec::new();
        for entry in fs::read_dir(self.folder)? {
            let found = entry?.file_name().to_string_lossy().into_owned();
            let number = found.split('-').next().and_then(|number| number.parse::<usize>().ok());
            let number = number.and_then(|number| number.checked_sub(1));
            let Some(game) = number.filter(|game| remaining.contains(game)) else { continue };
            let mut pairs = self
                .names
                .iter()
                .flat_map(|black| self.names.iter().map(move |white| (black, white)));
            if pairs.any(|(black, white)| name_of(game, black, white) == found) {
                files.push(self.folder.join(found));
            }
        }
        files.sort();
        Ok(files)
    }
}

/// The file of a game.
pub(super) fn file_name(record: &MatchGame) -> String {
    name_of(record.game, &record.black, &record.white)
}

/// The name of the file of a game, which counts games from 1.
fn name_of(game: usize, black: &str, white: &str) -> String {
    format!("{:06}-{}x{}.psq", game + 1, safe(black), safe(white))
}

/// An engine's name with characters that every system allows in file names.
fn safe(name: &str) -> String {
    let allowed = |symbol: char| symbol.is_alphanumeric() || "-_.+".contains(symbol);
    name.chars().map(|symbol| if allowed(symbol) { symbol } else { '-' }).collect()
}

fn bytes_of(game: &GameRecord) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write(std::slice::from_ref(game), Format::Psq, &mut bytes)?;
    Ok(bytes)
}

/// Writes the file of a game, which is removed if its content cannot be written.
pub(super) fn write_game(path: &Path, game: &GameRecord) -> anyhow::Result<()> {
    Ok(write_bytes(path, &bytes_of(game)?)?)
}

fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    let written = file.write_all(bytes);
    if written.is_err() {
        drop(file);
        fs::remove_file(path)?;
    }
    written
}
