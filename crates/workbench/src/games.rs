//! Game files as arguments, with options that complete or override what the files state.

use std::fs;
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use clap::ValueEnum;

use crate::game_notes::GameNotes;
use tengen_cli::args::BoardArgs;
use tengen_cli::overwrite::existing_file;
use tengen_cli::selection::{Selection, count_skipped};
use tengen_cli::sha256;
use tengen_record::replay::{Replayed, replay};
use tengen_record::{Format, GameRecord, GameWriter, Games, ReadOptions, visit_each};
use tengen_rules::types::{BoardSize, RowOne, Rule};
use tengen_study::Origin;
use tengen_study::database::{LIBRARY_PART, yixin};
use tengen_training::recorded_games;

/// Files of games and how to read them.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct GameFiles {
    /// Game files, folders of them, or shards of selfplay; default, or -: standard input
    files: Vec<PathBuf>,
    #[arg(long, value_parser = |text: &str| format_named(text, |_| true), value_name = "FORMAT",
          help = formats("Format of the files, by default detected from name and content", |_| true))]
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
    /// The columns of h8 notation skip the letter i, as in Go and GTP
    #[arg(long)]
    skip_i: bool,
    /// Whether lines of one move each are games.
    #[arg(skip)]
    lists_openings: bool,
    #[command(flatten)]
    selection: Selection,
}

/// A game of a file.
#[derive(Clone, Debug)]
pub(super) struct FileGame {
    pub(super) record: GameRecord,
    pub(super) path: PathBuf,
    /// Its number in the file, from 1.
    pub(super) number: usize,
    /// Its number in all files together, from 1; games that were left out are counted.
    pub(super) overall: usize,
}

impl FileGame {
    /// The file and the number of the game.
    pub(super) fn origin(&self) -> Origin {
        Origin { file: Some(self.path.display().to_string()), game: Some(self.number) }
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
pub(super) fn format_named(text: &str, will_do: fn(Format) -> bool) -> Result<Format, String> {
    let found = Format::from_name(text).filter(|&format| will_do(format));
    found.ok_or_else(|| format!("expected one of {}", format_names(will_do)))
}

/// The format that the extension of a file names.
pub(super) fn format_of(path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_str()?;
    if extension.eq_ignore_ascii_case("json") {
        return Some(Format::JsonLines);
    }
    Format::from_name(extension)
}

/// The help text of an option that takes one of the accepted formats.
pub(super) fn formats(what: &str, will_do: fn(Format) -> bool) -> String {
    format!("{what}: {}", format_names(will_do))
}

fn format_names(will_do: fn(Format) -> bool) -> String {
    let names: Vec<&str> =
        Format::ALL.into_iter().filter(|&format| will_do(format)).map(Format::name).collect();
    names.join(", ")
}

impl GameFiles {
    /// Options without files, for files that are read one by one.
    pub(super) fn known(board: BoardArgs, selection: &Selection) -> GameFiles {
        let BoardArgs { rule, size } = board;
        GameFiles { size, rule, selection: selection.clone(), ..GameFiles::default() }
    }

    /// The files, with those in folders, or `-` for standard input.
    ///
    /// # Errors
    /// The errors of [`expand_folders`].
    pub(super) fn paths(&self) -> anyhow::Result<Vec<PathBuf>> {
        if self.files.is_empty() {
            return Ok(vec![PathBuf::from("-")]);
        }
        expand_folders(&self.files)
    }

    /// Whether bad games are left out.
    pub(super) fn skips_bad(&self) -> bool {
        self.selection.skip_bad
    }

    /// Whether `--game` names one game.
    pub(super) fn selects_one(&self) -> bool {
        self.selection.game.is_some_and(|numbers| numbers.single().is_some())
    }

    /// How to read the selected games of a file.
    pub(super) fn reading<'a>(&self, path: &'a Path) -> ReadOptions<'a> {
        let rows = if self.rows == Rows::Top { RowOne::Top } else { RowOne::Bottom };
        ReadOptions {
            format: self.from,
            name: Some(path),
            size: self.size,
            rows,
            skips_i: self.skip_i,
            rule: self.rule,
            encoding: self.selection.encoding,
            numbers: self.selection.game.map(|numbers| numbers.after(0)),
            lists_openings: self.lists_openings,
            library_part: None,
        }
    }

    /// Like [`Selection::sound`].
    ///
    /// # Errors
    /// The errors of [`Selection::sound`].
    pub(super) fn sound<T>(
        &self,
        number: usize,
        game: anyhow::Result<T>,
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Option<T>> {
        self.selection.sound(number, game, path, notes)
    }

    /// The content of one of `count` files; `None`, with a note, if `--skip-bad` leaves the file out.
    ///
    /// # Errors
    /// When the file cannot be read and is not left out.
    pub(super) fn sound_file<T>(
        &self,
        of_file: anyhow::Result<T>,
        count: usize,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Option<T>> {
        match of_file {
            Err(error) if self.selection.skip_bad && count > 1 => {
                writeln!(notes, "skipped {error:#}")?;
                count_skipped(1);
                Ok(None)
            }
            of_file => of_file.map(Some),
        }
    }

    /// The same for these files.
    pub(super) fn with_files(self, files: &[PathBuf]) -> GameFiles {
        GameFiles { files: files.to_vec(), ..self }
    }

    /// All requested games. `notes` receives what a file does not state or what is left out.
    ///
    /// # Errors
    /// When a file is invalid, one of its games is, or the requested game does not exist.
    pub(super) fn read(&self, notes: &mut dyn Write) -> anyhow::Result<Vec<GameRecord>> {
        Ok(self.each(notes)?.into_iter().map(|game| game.record).collect())
    }

    /// [`GameFiles::read`] with the file and the number of each game.
    ///
    /// # Errors
    /// The errors of [`GameFiles::read`].
    pub(super) fn each(&self, notes: &mut dyn Write) -> anyhow::Result<Vec<FileGame>> {
        let mut games = Vec::new();
        self.visit(notes, &mut |game| {
            games.push(game);
            Ok(())
        })?;
        Ok(games)
    }

    /// Passes each requested game to `visit`, without keeping them in memory.
    ///
    /// # Errors
    /// The errors of [`GameFiles::read`], maybe after some games were visited; and if `visit`
    /// fails.
    pub(super) fn visit(
        &self,
        notes: &mut dyn Write,
        visit: &mut dyn FnMut(FileGame) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let files = &self.paths()?;
        let number = self.selection.game;
        let (mut visited, mut before) = (0, 0);
        for path in files {
            let wanted = number.map(|number| number.after(before));
            let mut failure = None;
            let of_file = self.of_file(path, wanted, notes, &mut |number, record| {
                visited += 1;
                let overall = before + number;
                if failure.is_none() {
                    failure = visit(FileGame { record, path: path.clone(), number, overall }).err();
                }
            });
            if let Some(failure) = failure {
                return Err(failure);
            }
            let Some(of_file) = self.sound_file(of_file, files.len(), notes)? else { continue };
            before += of_file.count;
            // The numbers continue in the next file.
            if number.is_some_and(|number| number.end_within(before)) {
                break;
            }
        }
        if let Some(number) = number {
            number.check("game", before)?;
        }
        ensure!(visited > 0, "no games in the input");
        Ok(())
    }

    /// Passes the games of one file, or only those of the numbers `wanted`, to `visit`.
    fn of_file(
        &self,
        path: &Path,
        wanted: Option<RangeInclusive<usize>>,
        notes: &mut dyn Write,
        visit: &mut dyn FnMut(usize, GameRecord),
    ) -> anyhow::Result<Games> {
        let (bytes, name) = contents(path)?;
        self.visit_wanted(&bytes, path, (wanted, None), notes, visit).context(name)
    }

    /// The games that can be replayed. `notes` lists those that end before their record does.
    ///
    /// # Errors
    /// The errors of [`GameFiles::read`], and when a game has an illegal move.
    pub(super) fn replayed(
        &self,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Vec<(FileGame, Replayed)>> {
        let games = self.each(notes)?;
        let mut cuts = GameNotes::on_cuts();
        let games = self.replay_all(games, notes, &mut cuts)?;
        cuts.write(notes)?;
        Ok(games)
    }

    /// The games of the bytes of one file that can be replayed, or only those of the numbers `wanted`;
    /// and the number of games in the file. `cuts` receives the games that end before their record.
    ///
    /// # Errors
    /// The errors of [`GameFiles::replayed`].
    pub(super) fn replayed_of(
        &self,
        bytes: &[u8],
        path: &Path,
        wanted: Option<RangeInclusive<usize>>,
        notes: &mut dyn Write,
        cuts: &mut GameNotes,
    ) -> anyhow::Result<(Vec<(FileGame, Replayed)>, usize)> {
        let games = self.read_wanted(bytes, path, wanted, notes)?;
        let count = games.count;
        let game = |(&number, record)| {
            let path = path.to_path_buf();
            FileGame { record, path, number, overall: number }
        };
        let games = games.numbers.iter().zip(games.list).map(game).collect();
        Ok((self.replay_all(games, notes, cuts)?, count))
    }

    fn replay_all(
        &self,
        games: Vec<FileGame>,
        notes: &mut dyn Write,
        cuts: &mut GameNotes,
    ) -> anyhow::Result<Vec<(FileGame, Replayed)>> {
        let mut sound = Vec::new();
        for game in games {
            let replayed = replay(&game.record, self.rule.unwrap_or(Rule::Freestyle));
            let name = game.path.display();
            let replayed = self.selection.sound(game.number, replayed, &game.path, notes);
            let Some(replayed) = replayed.with_context(|| name.to_string())? else { continue };
            if let Some(cut) = &replayed.cut {
                cuts.add(format!("{name}, game {}: {cut}", game.number));
            }
            sound.push((game, replayed));
        }
        Ok(sound)
    }

    fn ensure_has_wanted(&self, games: &Games) -> anyhow::Result<()> {
        if let Some(numbers) = self.selection.game {
            numbers.check("game", games.count)?;
        }
        Ok(())
    }

    fn read_wanted(
        &self,
        bytes: &[u8],
        path: &Path,
        wanted: Option<RangeInclusive<usize>>,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Games> {
        let mut found = (Vec::new(), Vec::new());
        let mut games =
            self.visit_wanted(bytes, path, (wanted, None), notes, &mut |number, record| {
                found.0.push(number);
                found.1.push(record);
            })?;
        (games.numbers, games.list) = found;
        Ok(games)
    }

    /// Passes the games of the bytes of one file, or only the selected one, to `visit` while they are
    /// read. A library is passed in parts, see [`ReadOptions::library_part`].
    ///
    /// # Errors
    /// If they are not a game file, hold a bad game, or lack the selected one.
    pub(super) fn visit_bytes(
        &self,
        bytes: &[u8],
        path: &Path,
        notes: &mut dyn Write,
        visit: &mut dyn FnMut(usize, GameRecord),
    ) -> anyhow::Result<Games> {
        let wanted = self.selection.game.map(|numbers| numbers.after(0));
        let part = wanted.is_none().then_some(LIBRARY_PART);
        let games = self.visit_wanted(bytes, path, (wanted, part), notes, visit)?;
        self.ensure_has_wanted(&games)?;
        Ok(games)
    }

    /// Passes the games of the bytes of one file, or only those of the numbers `wanted`, to `visit`;
    /// libraries in parts of `part` nodes.
    fn visit_wanted(
        &self,
        bytes: &[u8],
        path: &Path,
        (wanted, part): (Option<RangeInclusive<usize>>, Option<usize>),
        notes: &mut dyn Write,
        visit: &mut dyn FnMut(usize, GameRecord),
    ) -> anyhow::Result<Games> {
        if self.from.is_none() {
            ensure_not_a_database(bytes)?;
        }
        if self.from.is_none()
            && let Some((list, note)) = recorded_games(bytes)?
        {
            let note = note.map(|note| note + "; ").unwrap_or_default();
            writeln!(notes, "{}: {note}skipped the search results", path.display())?;
            let games = Games { count: list.len(), ..Games::default() };
            let numbered = (1..).zip(list);
            let wanted = |number: &usize| wanted.as_ref().is_none_or(|it| it.contains(number));
            numbered
                .filter(|(number, _)| wanted(number))
                .for_each(|(number, record)| visit(number, record));
            return Ok(games);
        }
        let reading = ReadOptions { numbers: wanted, library_part: part, ..self.reading(path) };
        let mut visited = 0;
        let games = visit_each(bytes, &reading, &mut |number, record| {
            visited += 1;
            visit(number, record);
        })?;
        note_games(&games, path, notes)?;
        if self.selection.skip_bad && games.bad_count > 0 && visited > 0 {
            say_bad(&games, path, notes)?;
            count_skipped(games.bad_count);
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

/// The games of a file of openings for `choices`: the selected games of a file or a folder with their numbers, on boards of `size` where the file
/// names none. `notes` receives what the file does not state or what is left out.
///
/// # Errors
/// As `GameFiles::read`.
pub fn read_on(
    size: BoardSize,
    path: &Path,
    selection: &Selection,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<(usize, GameRecord)>> {
    let board = BoardArgs { rule: None, size: Some(size) };
    let files = GameFiles { lists_openings: true, ..GameFiles::known(board, selection) };
    let games = files.with_files(&[path.to_path_buf()]).each(notes)?;
    Ok(games.into_iter().map(|game| (game.overall, game.record)).collect())
}

/// The files, with each folder replaced by the files in it, in the order of their names. Hidden files
/// and folders in folders are left out.
///
/// # Errors
/// When a folder cannot be read, or holds no files.
pub(super) fn expand_folders(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let name = || path.display().to_string();
        let is_hidden = |path: &Path| {
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
        };
        let entries = fs::read_dir(path).with_context(name)?.map(|entry| entry.map(|it| it.path()));
        let entries: Vec<PathBuf> = entries.collect::<io::Result<_>>().with_context(name)?;
        let mut found = Vec::new();
        for path in entries.into_iter().filter(|path| !is_hidden(path)) {
            let is_file = existing_file(&path).with_context(|| path.display().to_string())?;
            found.extend(is_file.map(|_| path));
        }
        ensure!(!found.is_empty(), "{}: no files in the folder", name());
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// First bytes of every SQLite database.
const DATABASE: &[u8] = b"SQLite format 3\0";
/// The place of the application id in such a database, and the id of `tengen study`.
const APPLICATION: (usize, &[u8]) = (68, b"TGST");

/// Checks that a file does not hold positions instead of games.
///
/// # Errors
/// When it is a database, with the command that reads it.
fn ensure_not_a_database(bytes: &[u8]) -> anyhow::Result<()> {
    let is_database = bytes.starts_with(DATABASE);
    let is_own = bytes.get(APPLICATION.0..).is_some_and(|it| it.starts_with(APPLICATION.1));
    ensure!(
        !is_database || is_own,
        "an SQLite database, but not one of tengen study; expected game files"
    );
    ensure!(
        !is_database,
        "a database of positions; expected game files (tengen study export writes its positions, \
         tengen study merge adds databases)"
    );
    let is_foreign = yixin::unpacked(bytes).is_ok_and(|plain| yixin::is_database(&plain));
    ensure!(
        !is_foreign,
        "a database of positions of Yixin-Board or Rapfi; expected game files (tengen study import \
         reads it)"
    );
    Ok(())
}

/// A hash of the games.
pub(super) fn games_hash<'a>(
    games: impl IntoIterator<Item = &'a GameRecord>,
) -> anyhow::Result<String> {
    let (mut writer, mut bytes) = (GameWriter::new(Format::Sgf)?, Vec::new());
    for game in games {
        writer.add(game, &mut bytes)?;
    }
    Ok(sha256(&bytes))
}

/// The bytes of a file, and its name in messages.
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
    games.notes().try_for_each(|note| writeln!(notes, "{}: {note}", path.display()))
}

/// Writes the skipped games and their number.
fn say_bad(games: &Games, path: &Path, notes: &mut dyn Write) -> io::Result<()> {
    let path = path.display();
    for bad in &games.bad {
        writeln!(notes, "{path}: skipped game {}: {}", bad.number, bad.error)?;
    }
    writeln!(notes, "{path}: skipped {} of {} games", games.bad_count, games.count)
}
