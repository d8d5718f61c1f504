//! Game files as arguments, with defaults for what the files do not contain.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::ValueEnum;

use tengen_record::{Encoding, Form, GameRecord, Games, Reading, read};
use tengen_rules::types::{BoardSize, RowOne, Rule};
use tengen_training::recorded_games;

/// Game files and how to read them.
#[derive(clap::Args, Debug, Default)]
pub struct GameFiles {
    /// Game files or shards of selfplay; - or none for standard input
    files: Vec<PathBuf>,
    #[arg(long, value_parser = |text: &str| form(text, |_| true), value_name = "FORM",
          help = forms("Format of the files [default: detected by name and content]", |_| true))]
    from: Option<Form>,
    /// Board size of files that have none, N or WxH [default: 15, for rec 20]
    #[arg(long)]
    size: Option<BoardSize>,
    /// Rule of games that have none
    #[arg(long)]
    rule: Option<Rule>,
    /// Row number 1 of the board in h8 notation
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    rows: Rows,
    /// Encoding of the files, such as utf-8, gbk, shift_jis or cp1251 [default: that of the SGF
    /// file, else utf-8]
    #[arg(long)]
    encoding: Option<Encoding>,
    /// Read only this game, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
}

/// Which row is number 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// The bottom row, as is usual
    #[default]
    Bottom,
    /// The top row, as in some programs
    Top,
}

/// Parses the name of a format that `is_accepted` accepts.
pub(super) fn form(text: &str, is_accepted: fn(Form) -> bool) -> Result<Form, String> {
    let found = Form::ALL.into_iter().find(|form| form.name() == text && is_accepted(*form));
    found.ok_or_else(|| format!("expected one of {}", form_names(is_accepted)))
}

/// The help text of an option whose value is one of the accepted formats.
pub(super) fn forms(what: &str, is_accepted: fn(Form) -> bool) -> String {
    format!("{what}: {}", form_names(is_accepted))
}

fn form_names(is_accepted: fn(Form) -> bool) -> String {
    let names: Vec<&str> =
        Form::ALL.into_iter().filter(|&form| is_accepted(form)).map(Form::name).collect();
    names.join(", ")
}

impl GameFiles {
    /// Options for files that are read one by one.
    pub(super) fn known(
        size: Option<BoardSize>,
        encoding: Option<Encoding>,
        game: Option<usize>,
    ) -> GameFiles {
        GameFiles { size, encoding, game, ..GameFiles::default() }
    }

    /// Reads the selected games. `notes` lists what is left out of the files.
    ///
    /// # Errors
    /// If a file is invalid or a game does not exist.
    pub(super) fn read(&self, notes: &mut dyn Write) -> anyhow::Result<Vec<GameRecord>> {
        let mut games = Vec::new();
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard_input[..] } else { &self.files };
        for path in files {
            games.extend(self.read_file(path, notes)?);
        }
        self.chosen(games)
    }

    /// Reads the games of one file.
    ///
    /// # Errors
    /// If the file cannot be read or is invalid.
    pub(super) fn read_file(
        &self,
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Vec<GameRecord>> {
        let (bytes, name) = contents(path)?;
        self.read_bytes(&bytes, path, notes).with_context(|| name)
    }

    /// Parses the bytes of one file.
    ///
    /// # Errors
    /// If the file is invalid.
    pub(super) fn read_bytes(
        &self,
        bytes: &[u8],
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Vec<GameRecord>> {
        if self.from.is_none()
            && let Some((games, note)) = recorded_games(bytes)?
        {
            let note = note.map(|note| note + "; ").unwrap_or_default();
            writeln!(notes, "{}: {note}left out the search results", path.display())?;
            return Ok(games);
        }
        let rows = if self.rows == Rows::Top { RowOne::Top } else { RowOne::Bottom };
        let reading = Reading {
            form: self.from,
            name: Some(path),
            size: self.size,
            rows,
            encoding: self.encoding,
        };
        let mut games = read(bytes, &reading)?;
        note_left_out(&games, path, notes)?;
        games.list.iter_mut().for_each(|game| game.rule = game.rule.or(self.rule));
        Ok(games.list)
    }

    /// The game selected by `--game`, or all.
    ///
    /// # Errors
    /// If the game does not exist.
    pub(super) fn chosen(&self, mut games: Vec<GameRecord>) -> anyhow::Result<Vec<GameRecord>> {
        let Some(number) = self.game else { return Ok(games) };
        ensure!(
            (1..=games.len()).contains(&number),
            "no game {number}: the input holds {}",
            games.len()
        );
        Ok(vec![games.swap_remove(number - 1)])
    }
}

/// Reads the games of one file, with `size` as default board size. `notes` lists what is left out.
///
/// # Errors
/// If the file cannot be read or is invalid.
pub fn read_on(
    size: BoardSize,
    path: &Path,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<GameRecord>> {
    GameFiles::known(Some(size), None, None).read_file(path, notes)
}

/// The bytes of a file, and its name for messages.
fn contents(path: &Path) -> anyhow::Result<(Vec<u8>, String)> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        return Ok((bytes, "standard input".to_string()));
    }
    let name = path.display().to_string();
    Ok((fs::read(path).with_context(|| name.clone())?, name))
}

/// Notes what a file contains that a record cannot hold.
///
/// # Errors
/// If the stream fails.
pub(super) fn note_left_out(games: &Games, path: &Path, notes: &mut dyn Write) -> io::Result<()> {
    if games.left_out.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = games.left_out.iter().map(String::as_str).collect();
    writeln!(notes, "{}: left out {}", path.display(), names.join(", "))
}
