//! Game files as arguments, with options that complete or override what the files state.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, anyhow, bail, ensure};
use clap::ValueEnum;

use tengen_cli::args::BoardArgs;
use tengen_record::replay::replay;
use tengen_record::{Encoding, Format, GameRecord, Games, ReadOptions, read_each};
use tengen_rules::types::{BoardSize, RowOne, Rule};
use tengen_training::recorded_games;

/// Files of games and how to read them.
#[derive(clap::Args, Debug, Default)]
pub struct GameFiles {
    /// Game files, or shards of selfplay; default, or -: standard input
    files: Vec<PathBuf>,
    #[arg(long, value_parser = |text: &str| form(text, |_| true), value_name = "FORMAT",
          help = forms("Format of the files, by default detected from name and content", |_| true))]
    from: Option<Format>,
    /// Board size of files that have none: N or WxH; default: 15, for rec 20
    #[arg(long)]
    size: Option<BoardSize>,
    /// Rule that overrides the rule of the files
    #[arg(long)]
    rule: Option<Rule>,
    /// Row with the number 1 in h8 notation
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    rows: Rows,
    #[command(flatten)]
    selection: Selection,
}

/// The games to read, and the encoding of the files.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Selection {
    /// Encoding of the files, such as utf-8, gbk, shift_jis or cp1251; default: what a file states,
    /// else utf-8, else a guess, with a note
    #[arg(long)]
    pub(super) encoding: Option<Encoding>,
    /// Number of the only game to read, from 1
    #[arg(long, value_name = "N")]
    pub(super) game: Option<usize>,
    /// Skip games that cannot be read, list them, and end with status 1
    #[arg(long)]
    pub(super) skip_bad: bool,
}

/// Number of games that were left out with `--skip-bad`.
static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Whether `--skip-bad` left games out: then not all was done that was asked for.
pub fn has_skipped() -> bool {
    SKIPPED.load(Ordering::Relaxed) > 0
}

impl Selection {
    /// Every game of files in this encoding.
    pub fn of_encoding(encoding: Option<Encoding>) -> Selection {
        Selection { encoding, ..Selection::default() }
    }

    /// The game, or nothing if it is bad and `--skip-bad` is set.
    ///
    /// # Errors
    /// If it is bad otherwise. The message has its number and names the option.
    pub(super) fn sound<T>(
        &self,
        number: usize,
        game: Result<T, impl Into<anyhow::Error>>,
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Option<T>> {
        match game.map_err(Into::<anyhow::Error>::into) {
            Ok(game) => Ok(Some(game)),
            Err(error) if self.skip_bad => {
                writeln!(notes, "{}: left out game {number}: {error:#}", path.display())?;
                SKIPPED.fetch_add(1, Ordering::Relaxed);
                Ok(None)
            }
            Err(error) => Err(error.context(format!("game {number} (see --skip-bad)"))),
        }
    }
}

/// The side from which rows are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Rows {
    /// The bottom row, as usual
    #[default]
    Bottom,
    /// The top row, as in some programs
    Top,
}

/// The format with this name, if it is accepted.
pub(super) fn form(text: &str, will_do: fn(Format) -> bool) -> Result<Format, String> {
    let found = Format::ALL.into_iter().find(|form| form.name() == text && will_do(*form));
    found.ok_or_else(|| format!("expected one of {}", form_names(will_do)))
}

/// The help text of an option that takes one of the accepted formats.
pub(super) fn forms(what: &str, will_do: fn(Format) -> bool) -> String {
    format!("{what}: {}", form_names(will_do))
}

fn form_names(will_do: fn(Format) -> bool) -> String {
    let names: Vec<&str> =
        Format::ALL.into_iter().filter(|&form| will_do(form)).map(Format::name).collect();
    names.join(", ")
}

impl GameFiles {
    /// Options without files, for files that are read one by one.
    pub(super) fn known(board: BoardArgs, selection: &Selection) -> GameFiles {
        let BoardArgs { rule, size } = board;
        GameFiles { size, rule, selection: selection.clone(), ..GameFiles::default() }
    }

    /// The files, or standard input.
    pub(super) fn paths(&self) -> Vec<&Path> {
        if self.files.is_empty() {
            return vec![Path::new("-")];
        }
        self.files.iter().map(PathBuf::as_path).collect()
    }

    /// The rule of `--rule`.
    pub(super) fn rule(&self) -> Option<Rule> {
        self.rule
    }

    /// The options that decide what is read from a file, as text.
    pub(super) fn reading_options(&self) -> String {
        let GameFiles { files: _, from, size, rule, rows, selection } = self;
        format!("{from:?} {size:?} {rule:?} {rows:?} {:?} {:?}", selection.encoding, selection.game)
    }

    /// As [`Selection::sound`].
    ///
    /// # Errors
    /// As [`Selection::sound`].
    pub(super) fn sound<T>(
        &self,
        number: usize,
        game: anyhow::Result<T>,
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Option<T>> {
        self.selection.sound(number, game, path, notes)
    }

    /// The requested games. Remarks about the files are written to `notes`.
    ///
    /// # Errors
    /// If a file is not a game file, one of its games is bad, or a game does not exist.
    pub(super) fn read(&self, notes: &mut dyn Write) -> anyhow::Result<Vec<GameRecord>> {
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard_input[..] } else { &self.files };
        let Some(number) = self.selection.game.filter(|_| files.len() > 1) else {
            let read = files.iter().map(|path| Ok(self.read_file(path, notes)?.list));
            return Ok(read.collect::<anyhow::Result<Vec<_>>>()?.concat());
        };
        // Games are numbered through all files.
        let mut before = 0;
        for path in files {
            let (bytes, name) = contents(path)?;
            let wanted = number.saturating_sub(before);
            let games = self.read_wanted(&bytes, path, Some(wanted), notes).context(name)?;
            if games.count >= wanted {
                return Ok(games.list);
            }
            before += games.count;
        }
        bail!("no game {number}: the input holds {before}");
    }

    /// The same for tools that replay the games: games that cannot be played are bad, too. `notes`
    /// receives a line for each game that ends before its record does.
    ///
    /// # Errors
    /// As [`GameFiles::read`].
    pub(super) fn read_replayable(&self, notes: &mut dyn Write) -> anyhow::Result<Vec<GameRecord>> {
        let path = self.files.first().map_or(Path::new("-"), PathBuf::as_path);
        let mut sound = Vec::new();
        for (index, record) in self.read(notes)?.into_iter().enumerate() {
            let number = self.selection.game.unwrap_or(index + 1);
            let replayed = replay(&record, self.rule.unwrap_or(Rule::Freestyle));
            let replayed = self.selection.sound(number, replayed, path, notes)?;
            let Some(replayed) = replayed else { continue };
            if let Some(cut) = replayed.cut {
                writeln!(notes, "{}, game {number}: {cut}", path.display())?;
            }
            sound.push(record);
        }
        Ok(sound)
    }

    /// The games of one file.
    ///
    /// # Errors
    /// If it cannot be read, is not a game file, or holds a bad game.
    pub(super) fn read_file(&self, path: &Path, notes: &mut dyn Write) -> anyhow::Result<Games> {
        let (bytes, name) = contents(path)?;
        self.read_bytes(&bytes, path, notes).with_context(|| name)
    }

    /// The games of the bytes of one file.
    ///
    /// # Errors
    /// If they are not a game file, hold a bad game, or lack the requested one.
    pub(super) fn read_bytes(
        &self,
        bytes: &[u8],
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Games> {
        let games = self.read_wanted(bytes, path, self.selection.game, notes)?;
        if let Some(number) = self.selection.game {
            ensure!(
                (1..=games.count).contains(&number),
                "no game {number}: the input holds {}",
                games.count
            );
        }
        Ok(games)
    }

    fn read_wanted(
        &self,
        bytes: &[u8],
        path: &Path,
        game: Option<usize>,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Games> {
        if self.from.is_none()
            && let Some((list, note)) = recorded_games(bytes)?
        {
            let note = note.map(|note| note + "; ").unwrap_or_default();
            writeln!(notes, "{}: {note}left out the search results", path.display())?;
            let mut games = Games { count: list.len(), ..Games::default() };
            let is_wanted = |number: &usize| game.is_none_or(|wanted| wanted == *number);
            games.numbers = (1..=games.count).filter(is_wanted).collect();
            games.list = (1..).zip(list).filter(|(it, _)| is_wanted(it)).map(|it| it.1).collect();
            return Ok(games);
        }
        let rows = if self.rows == Rows::Top { RowOne::Top } else { RowOne::Bottom };
        let reading = ReadOptions {
            format: self.from,
            name: Some(path),
            size: self.size,
            rows,
            rule: self.rule,
            encoding: self.selection.encoding,
            numbers: game.map(|number| number..=number),
        };
        let games = read_each(bytes, &reading)?;
        note_games(&games, path, notes)?;
        if self.selection.skip_bad && games.bad_count > 0 && !games.list.is_empty() {
            say_bad(&games, path, notes)?;
            SKIPPED.fetch_add(games.bad_count, Ordering::Relaxed);
            return Ok(games);
        }
        // The option does not help if this is the only game.
        let hint = if games.count > 1 && !self.selection.skip_bad {
            " (--skip-bad takes the other games)"
        } else {
            ""
        };
        games.ensure_valid().map_err(|error| anyhow!("{error}{hint}"))
    }
}

/// The games of one file, with boards of `size` if the file has none. Remarks are written to `notes`.
///
/// # Errors
/// If the file cannot be read, is not a game file, or holds a bad game.
pub fn read_on(
    size: BoardSize,
    path: &Path,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<GameRecord>> {
    let board = BoardArgs { rule: None, size: Some(size) };
    Ok(GameFiles::known(board, &Selection::default()).read_file(path, notes)?.list)
}

/// The content of a file, and its name in messages.
pub(super) fn contents(path: &Path) -> anyhow::Result<(Vec<u8>, String)> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        return Ok((bytes, "standard input".to_string()));
    }
    let name = path.display().to_string();
    Ok((fs::read(path).with_context(|| name.clone())?, name))
}

/// Writes what was ignored in a file, and what was read differently from its text.
///
/// # Errors
/// If the stream cannot be written.
pub(super) fn note_games(games: &Games, path: &Path, notes: &mut dyn Write) -> io::Result<()> {
    for remark in games.remark_lines() {
        writeln!(notes, "{}: {remark}", path.display())?;
    }
    if games.left_out.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = games.left_out.iter().map(String::as_str).collect();
    writeln!(notes, "{}: left out {}", path.display(), names.join(", "))
}

/// Writes the skipped games and their number.
fn say_bad(games: &Games, path: &Path, notes: &mut dyn Write) -> io::Result<()> {
    let path = path.display();
    for bad in &games.bad {
        writeln!(notes, "{path}: left out game {}: {}", bad.number, bad.error)?;
    }
    writeln!(notes, "{path}: left out {} of {} games", games.bad_count, games.count)
}
