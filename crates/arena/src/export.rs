//! Exports games as SGF and Piskvork files while a match is played.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::match_file::{MatchGame, MatchHeader, lines_of};
use tengen_cli::append_file::append_whole;
use tengen_cli::overwrite::{OverwriteArgs, prepare_to_append};
use tengen_record::{Format, GameRecord, ReadOptions, read, write};

/// The files to which every finished game is written.
#[derive(Debug, Default)]
pub struct GameExports {
    sgf: Option<(File, PathBuf)>,
    psq: Option<PathBuf>,
}

impl GameExports {
    /// Opens an SGF file to append to, and creates a folder for Piskvork files. `games` are the games
    /// to play between the engines `names`.
    ///
    /// # Errors
    /// When either cannot be created, a file that is not SGF would be appended to, or one of the games
    /// would overwrite a file.
    pub fn open(
        sgf: Option<&Path>,
        psq: Option<&Path>,
        names: &[String],
        games: &[usize],
        overwrite: OverwriteArgs,
    ) -> anyhow::Result<GameExports> {
        let append = |path: &Path| {
            prepare_to_append(path, "an SGF file", overwrite, is_sgf)?;
            let file = OpenOptions::new().create(true).append(true).open(path);
            let file = file.with_context(|| path.display().to_string())?;
            anyhow::Ok((file, path.to_path_buf()))
        };
        if let Some(folder) = psq {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            let taken = names_in(folder, names, games);
            let taken = taken.with_context(|| folder.display().to_string())?;
            if let Some(name) = taken {
                overwrite.check(&folder.join(name))?;
            }
        }
        Ok(GameExports { sgf: sgf.map(append).transpose()?, psq: psq.map(Path::to_path_buf) })
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
        let game = std::slice::from_ref(&game);
        let psq = self
            .psq
            .as_ref()
            .map(|folder| folder.join(psq_name(record.game, &record.black, &record.white)));
        if let Some(path) = &psq {
            write_psq(path, game).with_context(|| path.display().to_string())?;
        }
        if let Some((file, path)) = &mut self.sgf
            && let Err(error) = append_sgf(file, game)
        {
            if let Some(psq) = &psq {
                fs::remove_file(psq).with_context(|| psq.display().to_string())?;
            }
            return Err(error.context(path.display().to_string()));
        }
        Ok(())
    }
}

/// Writes a file, which is removed if its content cannot be written.
fn write_psq(path: &Path, game: &[GameRecord]) -> anyhow::Result<()> {
    let mut file = File::create(path)?;
    let mut bytes = Vec::new();
    write(game, Format::Psq, &mut bytes)?;
    let written = file.write_all(&bytes);
    if written.is_err() {
        drop(file);
        fs::remove_file(path)?;
    }
    Ok(written?)
}

fn append_sgf(file: &mut File, game: &[GameRecord]) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    write(game, Format::Sgf, &mut bytes)?;
    // Another match may append to the same file.
    let length = file.metadata()?.len();
    Ok(append_whole(file, length, &bytes)?)
}

/// Whether the bytes can be a collection of games in Smart Game Format.
fn is_sgf(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii();
    let start = text.strip_prefix(b"(").map(<[u8]>::trim_ascii_start);
    start.is_some_and(|game| game.starts_with(b";")) && text.ends_with(b")")
}

/// The name of the file of a game, which counts games from 1.
fn psq_name(game: usize, black: &str, white: &str) -> String {
    format!("{:06}-{}x{}.psq", game + 1, file_name(black), file_name(white))
}

/// An existing file in the folder that one of these games would overwrite.
fn names_in(folder: &Path, names: &[String], games: &[usize]) -> io::Result<Option<String>> {
    let games: HashSet<usize> = games.iter().copied().collect();
    for entry in fs::read_dir(folder)? {
        let found = entry?.file_name().to_string_lossy().into_owned();
        let number = found.split('-').next().and_then(|number| number.parse::<usize>().ok());
        let number = number.and_then(|number| number.checked_sub(1));
        let Some(game) = number.filter(|game| games.contains(game)) else { continue };
        let mut pairs =
            names.iter().flat_map(|black| names.iter().map(move |white| (black, white)));
        if pairs.any(|(black, white)| psq_name(game, black, white) == found) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// An engine's name with characters that every system allows in file names.
fn file_name(name: &str) -> String {
    let allowed = |symbol: char| symbol.is_alphanumeric() || "-_.+".contains(symbol);
    name.chars().map(|symbol| if allowed(symbol) { symbol } else { '-' }).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_exported_in_both_formats() {
        let folder = tempfile::tempdir().unwrap();
        let sgf = folder.path().join("games.sgf");
        let names = ["a", "b:1"].map(String::from);
        let careful = OverwriteArgs::default();
        let open =
            |games: &[usize]| GameExports::open(None, Some(folder.path()), &names, games, careful);
        let open_sgf = |overwrite| GameExports::open(Some(&sgf), None, &names, &[3], overwrite);
        let mut exports = open(&[3]).unwrap();
        exports.sgf = open_sgf(careful).unwrap().sgf;
        let terms = [("rule", "renju"), ("size", "15x15")];
        let header = MatchHeader {
            first_game: 1,
            engines: Vec::new(),
            builds: Vec::new(),
            terms: terms.map(|(key, value)| (key.to_string(), value.to_string())).into(),
        };
        let record = MatchGame {
            game: 3,
            black: "b:1".into(),
            white: "a".into(),
            result: "white".into(),
            reason: "occupied".into(),
            opening: 1,
            moves: "7,7 8,8 8,8".into(),
            times_ms: vec![5, 6],
            offender: Some("b:1".into()),
            last_lines: vec!["8,8".into()],
            ..crate::fixtures::finished(3, "white")
        };
        exports.add(&header, &record).unwrap();
        drop(exports);
        let text = fs::read_to_string(&sgf).unwrap();
        assert!(text.contains("RU[renju]PB[b:1]PW[a]RE[W+]TGWHY[occupied]"), "{text}");
        assert!(
            text.contains("TGGIVEN[1]RO[4]\n;B[hh];W[ii]TGMS[5]C[then 8,8: occupied])"),
            "{text}"
        );
        let psq = fs::read_to_string(folder.path().join("000004-b-1xa.psq")).unwrap();
        assert_eq!(psq, "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,5\nb:1\na\n-1\n");
        // Existing files are not overwritten; the remaining games can be played.
        let fault = open(&[2, 3]).unwrap_err().to_string();
        let expected = "000004-b-1xa.psq: the file already exists (--force replaces it)";
        assert!(fault.ends_with(expected), "{fault}");
        assert!(open(&[4, 5]).is_ok());
        let force = OverwriteArgs { force: true };
        assert!(GameExports::open(None, Some(folder.path()), &names, &[2, 3], force).is_ok());
        // Games are appended to games only.
        assert!(open_sgf(careful).is_ok());
        fs::write(&sgf, "(notes)").unwrap();
        let fault = open_sgf(careful).unwrap_err().to_string();
        assert!(fault.contains("games.sgf: the existing file is not an SGF file"), "{fault}");
        assert_eq!(fs::read_to_string(&sgf).unwrap(), "(notes)");
        open_sgf(force).unwrap();
        assert_eq!(fs::read_to_string(&sgf).unwrap(), "");
    }
}
