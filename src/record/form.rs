//! The forms of files: which there are, how each is recognised, what each can hold.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use super::feature::{Feature, Features};
use super::{GameRecord, RecordError, diagram, json, lines, piskvork, sgf, text};
use crate::types::{BoardSize, RowOne};

/// A form of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// One game a line: `x,y x,y ...`.
    Moves,
    /// One game a line: `h8i9j8`.
    Notation,
    /// One JSON object a line.
    JsonLines,
    /// A game file of Piskvork.
    Psq,
    /// An archive file of Piskvork's tournaments.
    Rec,
    /// Smart Game Format, trees of any number of games.
    Sgf,
    /// A drawn board.
    Diagram,
}

/// What a reader must know that the file may not tell.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    /// The form; without it the file's name and content say.
    pub form: Option<Form>,
    /// The file's name.
    pub name: Option<&'a Path>,
    /// The board, where the file does not tell.
    pub size: BoardSize,
    /// Which row `h8` notation counts from.
    pub rows: RowOne,
}

impl Default for Reading<'_> {
    /// Any form, 15x15, rows from the bottom.
    fn default() -> Self {
        let size = BoardSize::square(15).expect("15 is a size");
        Reading { form: None, name: None, size, rows: RowOne::Bottom }
    }
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// The games, in the order of the file.
    pub list: Vec<GameRecord>,
    /// Names of what the file holds and a record does not.
    pub left_out: BTreeSet<String>,
}

impl From<Vec<GameRecord>> for Games {
    fn from(list: Vec<GameRecord>) -> Games {
        Games { list, left_out: BTreeSet::new() }
    }
}

impl Form {
    /// Every form.
    pub const ALL: [Form; 7] = [
        Form::Moves,
        Form::Notation,
        Form::JsonLines,
        Form::Psq,
        Form::Rec,
        Form::Sgf,
        Form::Diagram,
    ];

    /// Name on the command line, and the usual ending of files.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Moves => "moves",
            Form::Notation => "notation",
            Form::JsonLines => "jsonl",
            Form::Psq => "psq",
            Form::Rec => "rec",
            Form::Sgf => "sgf",
            Form::Diagram => "diagram",
        }
    }

    /// Whether a file of this form can hold any number of games.
    pub const fn holds_many(self) -> bool {
        matches!(self, Form::Moves | Form::Notation | Form::JsonLines | Form::Sgf | Form::Diagram)
    }

    /// What the form can hold besides moves.
    pub const fn holds(self) -> &'static [Feature] {
        use Feature as F;
        match self {
            Form::Moves | Form::Notation => &[F::Order],
            Form::JsonLines => &[
                F::Size,
                F::Rule,
                F::Names,
                F::Result,
                F::Reason,
                F::Opening,
                F::Info,
                F::Times,
                F::Order,
                F::SetUp,
                F::Comments,
            ],
            Form::Psq => &[F::Size, F::Names, F::Times, F::Order],
            Form::Rec => &[F::Names, F::Times, F::Order],
            Form::Sgf => &Feature::ALL,
            Form::Diagram => &[F::Size, F::SetUp],
        }
    }

    /// What of `record` a file of this form does not keep.
    pub fn loses(self, record: &GameRecord) -> Features {
        let mut lost = Features::of(record);
        lost.0.retain(|feature| !self.holds().contains(feature));
        lost
    }

    /// The form that a file's name and content show.
    fn recognise(name: Option<&Path>, text: &str) -> Form {
        let ending = name.and_then(|name| name.extension()?.to_str());
        if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("rec")) {
            return Form::Rec;
        }
        let start = text.trim_start();
        let first = start.lines().next().unwrap_or_default();
        match () {
            () if start.starts_with(piskvork::FIRST_WORD) => Form::Psq,
            () if start.starts_with('(') => Form::Sgf,
            () if start.starts_with('{') => Form::JsonLines,
            () if diagram::is_row(first) => Form::Diagram,
            () => Form::Moves,
        }
    }
}

/// Reads every game of a file.
///
/// # Errors
/// When the file is not whole, with the place and the reason.
pub fn read(bytes: &[u8], reading: &Reading) -> Result<Games, RecordError> {
    let text = text::utf8(bytes)?;
    let form = reading.form.unwrap_or_else(|| Form::recognise(reading.name, text));
    let games = match form {
        Form::Moves | Form::Notation => lines::read(text, reading)?.into(),
        Form::JsonLines => json::read(text, reading)?,
        Form::Psq => vec![piskvork::read_psq(text)?].into(),
        Form::Rec => vec![piskvork::read_rec(text, reading)?].into(),
        Form::Sgf => sgf::read(text, reading)?,
        Form::Diagram => diagram::read(text)?.into(),
    };
    if games.list.is_empty() {
        return Err(RecordError::new("there is no game in it"));
    }
    Ok(games)
}

/// Why games could not be written.
#[derive(Debug)]
pub enum WriteError {
    /// The form cannot hold a game, counted from 1, at all.
    Game(usize, RecordError),
    /// It holds one game, and there are this many.
    OneGame(Form, usize),
    /// The stream failed.
    Stream(io::Error),
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WriteError::Game(number, error) => write!(f, "game {number}: {error}"),
            WriteError::OneGame(form, count) => {
                write!(f, "{} holds one game, and there are {count}", form.name())
            }
            WriteError::Stream(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

/// Writes games, and says what of them the form does not keep.
///
/// # Errors
/// When the form cannot hold a game at all, and then nothing is written; or when `out` fails.
pub fn write(
    games: &[GameRecord],
    form: Form,
    out: &mut dyn Write,
) -> Result<Features, WriteError> {
    if games.len() > 1 && !form.holds_many() {
        return Err(WriteError::OneGame(form, games.len()));
    }
    let mut lost = Features::default();
    let mut text = Vec::new();
    for (index, game) in games.iter().enumerate() {
        let written = match form {
            Form::Moves => lines::write_moves(game),
            Form::Notation => lines::write_notation(game),
            Form::JsonLines => json::write(game),
            Form::Psq => piskvork::write_psq(game),
            Form::Rec => piskvork::write_rec(game),
            Form::Sgf => Ok(sgf::write(game)),
            Form::Diagram => diagram::write(game).map(|text| match index {
                0 => text,
                _ => format!("\n{text}"),
            }),
        };
        let written = written.map_err(|error| WriteError::Game(index + 1, error))?;
        text.extend(written.into_bytes());
        lost.0.extend(form.loses(game).0);
    }
    out.write_all(&text).map_err(WriteError::Stream)?;
    Ok(lost)
}
