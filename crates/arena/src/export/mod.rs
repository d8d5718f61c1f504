//! Exports games as SGF and Piskvork files while a match is played.

mod psq;
mod sgf;
#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::match_file::{MatchGame, MatchHeader, lines_of};
use psq::PsqFolder;
use sgf::SgfFile;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_record::{Format, GameRecord, ReadOptions, read};
use tengen_rules::types::counted;

/// The files to which every finished game is written.
#[derive(Debug, Default)]
pub struct GameExports {
    sgf: Option<(File, PathBuf)>,
    psq: Option<PathBuf>,
}

/// The paths of the exports.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportPaths<'a> {
    /// An SGF file.
    pub sgf: Option<&'a Path>,
    /// A folder for Piskvork files.
    pub psq: Option<&'a Path>,
}

/// The games of the match whose exports are opened.
#[derive(Clone, Copy, Debug)]
pub struct ExportedGames<'a> {
    /// Engines and settings.
    pub header: &'a MatchHeader,
    /// Names of the engines.
    pub names: &'a [String],
    /// The games of the record.
    pub recorded: &'a [MatchGame],
    /// The games to play, in order.
    pub remaining: &'a [usize],
}

/// The result of a comparison of an export with the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Repair {
    /// Bytes of incomplete games, and with `--force` of other text after the last whole game.
    removed: usize,
    /// Games of the record that were missing.
    added: usize,
    /// Games with the number and players of a game to play, after those of the record. They stay: they
    /// may be those of another match.
    unknown: usize,
}

impl Repair {
    /// A description of the changes, if there are any.
    fn note(self, path: &Path) -> Option<String> {
        let removed = format!("removed {} outside whole games", counted(self.removed, "byte"));
        let added = format!("added {} of the record", counted(self.added, "game"));
        let unknown = format!(
            "{} that the record lacks may be of this match and stay",
            counted(self.unknown, "game")
        );
        let changes: Vec<String> =
            [(self.removed, removed), (self.added, added), (self.unknown, unknown)]
                .into_iter()
                .filter_map(|(count, text)| (count > 0).then_some(text))
                .collect();
        (!changes.is_empty()).then(|| format!("{}: {}", path.display(), changes.join(", ")))
    }
}

impl GameExports {
    /// Opens an SGF file to append to, and creates a folder for Piskvork files. If the record already
    /// holds games, adds those that the exports lack: a crash may have lost them. Incomplete games of
    /// the SGF file are removed; no whole game is removed or replaced without `overwrite`. Returns notes
    /// about changes.
    ///
    /// # Errors
    /// When either cannot be created, a file that is not SGF would be appended to, or a game would
    /// overwrite a file of another match.
    pub fn open(
        paths: ExportPaths<'_>,
        games: &ExportedGames<'_>,
        overwrite: OverwriteArgs,
    ) -> anyhow::Result<(GameExports, Vec<String>)> {
        let &ExportedGames { header, names, recorded, remaining } = games;
        let mut exports = GameExports::default();
        let mut notes = Vec::new();
        if let Some(folder) = paths.psq {
            let repair = PsqFolder { folder, names, remaining };
            let repair = repair.repair(header, recorded, overwrite)?;
            notes.extend(repair.note(folder));
            exports.psq = Some(folder.to_path_buf());
        }
        if let Some(path) = paths.sgf {
            let repair = SgfFile { path, names, remaining };
            let repair = repair.repair(header, recorded, overwrite)?;
            notes.extend(repair.note(path));
            let file = sgf::open(path).with_context(|| path.display().to_string())?;
            exports.sgf = Some((file, path.to_path_buf()));
        }
        Ok((exports, notes))
    }

    /// Adds a game. If a file cannot be written, the game is in none of them.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(&mut self, header: &MatchHeader, record: &MatchGame) -> anyhow::Result<()> {
        if self.sgf.is_none() && self.psq.is_none() {
            return Ok(());
        }
        let game = game(header, record)?;
        let psq = self.psq.as_ref().map(|folder| folder.join(psq::file_name(record)));
        if let Some(path) = &psq {
            psq::write_game(path, &game).with_context(|| path.display().to_string())?;
        }
        if let Some((file, path)) = &mut self.sgf
            && let Err(error) = sgf::text_of(&game).and_then(|text| Ok(sgf::append(file, &text)?))
        {
            if let Some(psq) = &psq {
                fs::remove_file(psq).with_context(|| psq.display().to_string())?;
            }
            return Err(error.context(path.display().to_string()));
        }
        Ok(())
    }
}

/// The game as a record that can be written in any format.
fn game(header: &MatchHeader, record: &MatchGame) -> anyhow::Result<GameRecord> {
    let text = lines_of(header, std::slice::from_ref(record))?;
    let reading = ReadOptions { format: Some(Format::JsonLines), ..ReadOptions::default() };
    let mut games = read(text.as_bytes(), &reading)?.list;
    let mut game = games.pop().context("the match file has no game")?;
    game.info.insert("round".to_string(), (record.game + 1).to_string());
    Ok(game)
}
