//! Game files as arguments: which ones, and what to know that they do not tell.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::ValueEnum;

use tengen_record::{Encoding, Form, GameRecord, Games, Reading, read};
use tengen_rules::types::{BoardSize, RowOne, Rule};
use tengen_training::recorded_games;

/// Files of games and how to read them.
#[derive(clap::Args, Debug, Default)]
pub struct GameFiles {
    /// Files with games, shards of selfplay among them; without one, or with -, standard input
    files: Vec<PathBuf>,
    #[arg(long, value_parser = |text: &str| form(text, |_| true), value_name = "FORM",
          help = forms("Form of the files; without it each file's name and content tell", |_| true))]
    from: Option<Form>,
    /// Board size where a file does not tell it: N or WxH; without it 15, for rec 20
    #[arg(long)]
    size: Option<BoardSize>,
    /// Rule where a file does not tell it
    #[arg(long)]
    rule: Option<Rule>,
    /// Which row of the board is number 1 in h8 notation that is read
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    rows: Rows,
    /// Encoding of the files: utf-8, gbk, shift_jis, cp1251 or another; without it UTF-8, or what
    /// an SGF file says of itself
    #[arg(long)]
    encoding: Option<Encoding>,
    /// Take only this game, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
}

/// The end at which rows are counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// As the field does
    #[default]
    Bottom,
    /// As some programs do
    Top,
}

/// The form with this name, of those that will do.
pub(super) fn form(text: &str, will_do: fn(Form) -> bool) -> Result<Form, String> {
    let found = Form::ALL.into_iter().find(|form| form.name() == text && will_do(*form));
    found.ok_or_else(|| format!("expected one of {}", form_names(will_do)))
}

/// What `--help` says of an option that takes one of the forms that will do.
pub(super) fn forms(what: &str, will_do: fn(Form) -> bool) -> String {
    format!("{what}: {}", form_names(will_do))
}

fn form_names(will_do: fn(Form) -> bool) -> String {
    let names: Vec<&str> =
        Form::ALL.into_iter().filter(|&form| will_do(form)).map(Form::name).collect();
    names.join(", ")
}

impl GameFiles {
    /// For files that are read one by one, where no more is known than this.
    pub(super) fn known(
        size: Option<BoardSize>,
        encoding: Option<Encoding>,
        game: Option<usize>,
    ) -> GameFiles {
        GameFiles { size, encoding, game, ..GameFiles::default() }
    }

    /// Every game that was asked for; what was left out of the files is said in `notes`.
    ///
    /// # Errors
    /// When a file is no whole game file, or a game does not exist.
    pub(super) fn read(&self, notes: &mut dyn Write) -> anyhow::Result<Vec<GameRecord>> {
        let mut games = Vec::new();
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard_input[..] } else { &self.files };
        for path in files {
            games.extend(self.read_file(path, notes)?);
        }
        self.chosen(games)
    }

    /// The games of one file.
    ///
    /// # Errors
    /// When it cannot be read or is no whole game file.
    pub(super) fn read_file(
        &self,
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Vec<GameRecord>> {
        let (bytes, name) = contents(path)?;
        self.read_bytes(&bytes, path, notes).with_context(|| name)
    }

    /// The games of the bytes of one file.
    ///
    /// # Errors
    /// When they are no whole game file.
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
            writeln!(notes, "{}: {note}left out what the searches said", path.display())?;
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
        say_left_out(&games, path, notes)?;
        games.list.iter_mut().for_each(|game| game.rule = game.rule.or(self.rule));
        Ok(games.list)
    }

    /// The one game that was asked for, or all.
    ///
    /// # Errors
    /// When there is no such game.
    pub(super) fn chosen(&self, mut games: Vec<GameRecord>) -> anyhow::Result<Vec<GameRecord>> {
        let Some(number) = self.game else { return Ok(games) };
        ensure!(
            (1..=games.len()).contains(&number),
            "there is no game {number}: the input holds {}",
            games.len()
        );
        Ok(vec![games.swap_remove(number - 1)])
    }
}

/// The games of one file, on boards of `size` where the file names none. What was left out is
/// said in `notes`.
///
/// # Errors
/// When the file cannot be read or is no whole game file.
pub fn read_on(
    size: BoardSize,
    path: &Path,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<GameRecord>> {
    GameFiles::known(Some(size), None, None).read_file(path, notes)
}

/// What a file holds, and its name in messages.
fn contents(path: &Path) -> anyhow::Result<(Vec<u8>, String)> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        return Ok((bytes, "standard input".to_string()));
    }
    let name = path.display().to_string();
    Ok((fs::read(path).with_context(|| name.clone())?, name))
}

/// Says what a file holds that a record does not.
///
/// # Errors
/// When the stream cannot be written.
pub(super) fn say_left_out(games: &Games, path: &Path, notes: &mut dyn Write) -> io::Result<()> {
    if games.left_out.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = games.left_out.iter().map(String::as_str).collect();
    writeln!(notes, "{}: left out {}", path.display(), names.join(", "))
}
