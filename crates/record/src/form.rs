//! The forms of files: which there are, how each is recognised, what each can hold.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use super::encoding::{self, Encoding, Source};
use super::feature::{Feature, Features};
use super::games::{Collector, Games};
use super::replay::unstated_result;
use super::text::with_plain_lines;
use super::{GameRecord, RecordError, diagram, json, lines, piskvork, renlib, rif, sgf, yixin};
use tengen_rules::types::{BoardSize, RowOne, Rule};

/// A form of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// A position of Yixin-Board, as it reads them.
    Pos,
    /// A game of Yixin-Board, as it reads and writes them.
    Sav,
    /// A library of RenLib.
    Lib,
    /// A collection of RenjuNet in XML; only read.
    Rif,
    /// Addresses that show games in gomocalc, one a line.
    Gomocalc,
    /// One opening a line, as offsets from the middle: `0,0, 1,-1`.
    Offsets,
}

/// Sides of a board about which nothing is said.
const USUAL_SIDE: i64 = 15;

fn square(side: i64) -> BoardSize {
    BoardSize::square(side).expect("the usual sides are sizes")
}

/// What a reader must know that the file may not tell.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    /// The form; without it the file's name and content say.
    pub form: Option<Form>,
    /// The file's name.
    pub name: Option<&'a Path>,
    /// The board, where the file does not tell; without it what files of the form usually have.
    pub size: Option<BoardSize>,
    /// Which row `h8` notation counts from.
    pub rows: RowOne,
    /// The rule, whatever the file says; without it what the file says.
    pub rule: Option<Rule>,
    /// How letters are encoded, where no byte order mark says it; without it what the file says of
    /// itself, UTF-8, or what its bytes look like.
    pub encoding: Option<Encoding>,
    /// The games to take, by their numbers from 1; without it all.
    pub wanted: Option<RangeInclusive<usize>>,
}

impl Default for Reading<'_> {
    /// Every game of any form, the usual board, rows from the bottom.
    fn default() -> Self {
        Reading {
            form: None,
            name: None,
            size: None,
            rows: RowOne::Bottom,
            rule: None,
            encoding: None,
            wanted: None,
        }
    }
}

impl Reading<'_> {
    /// The board of a file that does not tell it: the one asked for, otherwise 15x15.
    pub(super) fn board(&self) -> BoardSize {
        self.size.unwrap_or(square(USUAL_SIDE))
    }
}

impl Form {
    /// Every form.
    pub const ALL: [Form; 13] = [
        Form::Moves,
        Form::Notation,
        Form::JsonLines,
        Form::Psq,
        Form::Rec,
        Form::Sgf,
        Form::Diagram,
        Form::Pos,
        Form::Sav,
        Form::Lib,
        Form::Rif,
        Form::Gomocalc,
        Form::Offsets,
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
            Form::Pos => "pos",
            Form::Sav => "sav",
            Form::Lib => "lib",
            Form::Rif => "rif",
            Form::Gomocalc => "gomocalc",
            Form::Offsets => "offsets",
        }
    }

    /// Whether a file of this form can hold any number of games.
    pub const fn holds_many(self) -> bool {
        !matches!(self, Form::Psq | Form::Rec | Form::Pos | Form::Sav | Form::Lib)
    }

    /// What the form can hold besides moves.
    pub const fn holds(self) -> &'static [Feature] {
        use Feature as F;
        match self {
            Form::Moves | Form::Notation | Form::Pos | Form::Gomocalc | Form::Offsets => {
                &[F::Order]
            }
            Form::Sav => &[F::Size, F::Order],
            Form::Rif => &[F::Rule, F::Names, F::Result, F::Info, F::Order, F::Comments],
            Form::Lib => &[F::Order, F::Variations, F::Comments, F::Marks],
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
                F::Side,
                F::Comments,
            ],
            Form::Psq => &[F::Size, F::Names, F::Times, F::Order],
            Form::Rec => &[F::Names, F::Times, F::Order],
            Form::Sgf => &Feature::ALL,
            Form::Diagram => &[F::Size, F::SetUp],
        }
    }

    /// The board of a file that does not tell it, where nobody else does either.
    pub fn usual_size(self) -> BoardSize {
        square(if self == Form::Rec { piskvork::ARCHIVE_SIDE } else { USUAL_SIDE })
    }

    /// What of `record` a file of this form does not keep.
    pub fn loses(self, record: &GameRecord) -> Features {
        let keeps = |feature: &Feature| match feature {
            Feature::Size if record.size == self.usual_size() => true,
            Feature::Rule if self == Form::Lib => record.rule == Some(Rule::Renju),
            Feature::Names if matches!(self, Form::Psq | Form::Rec) => {
                piskvork::keeps_names(record)
            }
            Feature::Times if matches!(self, Form::Psq | Form::Rec) => {
                piskvork::keeps_times(record)
            }
            Feature::Result | Feature::Reason if matches!(self, Form::Psq | Form::Rec) => {
                piskvork::keeps_end(record)
            }
            feature => self.holds().contains(feature),
        };
        let mut lost = Features::of(record);
        lost.0.retain(|feature| !keeps(feature));
        lost
    }

    /// Whether files of this form can be written.
    pub const fn is_written(self) -> bool {
        !matches!(self, Form::Rif)
    }

    /// The form that a file's name and content show. Only forms that nothing in them tells apart
    /// are known by their names.
    fn recognise(name: Option<&Path>, bytes: &[u8]) -> Form {
        let ending = name.and_then(|name| name.extension()?.to_str()).unwrap_or_default();
        let is_named = |form: &Form| ending.eq_ignore_ascii_case(form.name());
        let named = [Form::Rec, Form::Pos, Form::Sav, Form::Lib, Form::Offsets];
        if let Some(form) = named.into_iter().find(is_named) {
            return form;
        }
        // The beginning tells.
        let start = encoding::start(&bytes[..bytes.len().min(RECOGNISED_BYTES)]);
        let start = with_plain_lines(start.trim_start());
        // A line of `#` alone heads a comment as well as a board with walls: the next one tells.
        let is_plain =
            |line: &&str| line.chars().all(|symbol| symbol == '#' || symbol.is_whitespace());
        let mut telling = start.lines().filter(|line| !is_plain(line));
        let first = telling.next().unwrap_or_default();
        // Above a board its columns may stand, a frame, or a line of words.
        let second = telling.next().unwrap_or_default();
        let third = telling.next().unwrap_or_default();
        match () {
            () if renlib::is_library(bytes) => Form::Lib,
            () if start.starts_with(piskvork::FIRST_WORD) => Form::Psq,
            () if start.starts_with('(') && lines::is_no_list(first) && !diagram::is_row(first) => {
                Form::Sgf
            }
            () if rif::is_collection(&start) => Form::Rif,
            () if start.starts_with('{') => Form::JsonLines,
            () if start.starts_with('[') && json::is_array(bytes) => Form::JsonLines,
            () if diagram::is_row(first) || diagram::is_digits(first) => Form::Diagram,
            () if diagram::is_heading(first) && diagram::is_row(second) => Form::Diagram,
            () if lines::is_no_list(first)
                && (diagram::is_row(second)
                    || (diagram::is_heading(second) && diagram::is_row(third))) =>
            {
                Form::Diagram
            }
            // A letter's head may stand before the first game.
            () if is_named(&Form::Sgf) => Form::Sgf,
            () if lines::looks_like_offsets(&start) => Form::Offsets,
            () => Form::Moves,
        }
    }
}

/// How much of a file is looked at to recognise its form.
const RECOGNISED_BYTES: usize = 4096;

/// Reads a file whose games are all sound.
///
/// # Errors
/// When the file or one of its games cannot be read, with the place and the reason.
pub fn read(bytes: &[u8], reading: &Reading) -> Result<Games, RecordError> {
    read_each(bytes, reading)?.whole()
}

/// Reads a file game by game: those that cannot be read are named in [`Games::bad`].
///
/// # Errors
/// When the file as a whole cannot be read, or there is no game in it.
pub fn read_each(bytes: &[u8], reading: &Reading) -> Result<Games, RecordError> {
    let form = reading.form.unwrap_or_else(|| Form::recognise(reading.name, bytes));
    let mut out = Collector::new(reading);
    let mut source = Source::Sure;
    match form {
        Form::Pos => out.add(yixin::read_pos(bytes)),
        Form::Lib => source = renlib::read(bytes, &mut out)?,
        _ => {
            let declared = if form == Form::Sgf { sgf::encoding(bytes) } else { None };
            let (declared, unknown) = match declared {
                Some(Err(reason)) => (None, Some(reason)),
                declared => (declared.and_then(Result::ok), None),
            };
            let decoded = encoding::text_of(bytes, reading.encoding, declared)?;
            source = decoded.1;
            if let Some(reason) = unknown {
                out.remark(reason);
            }
            read_text(&with_plain_lines(&decoded.0), form, &mut out)?;
        }
    }
    let mut games = out.finish();
    if games.count == 0 {
        return Err(RecordError::new("there is no game in it"));
    }
    if let Some(remark) = source.remark() {
        games.remark(remark);
    }
    Ok(games)
}

/// Reads the text of a file of this form.
fn read_text(text: &str, form: Form, out: &mut Collector) -> Result<(), RecordError> {
    match form {
        Form::Moves | Form::Notation | Form::Gomocalc => lines::read(text, out),
        Form::Offsets => lines::read_offsets(text, out),
        Form::JsonLines => json::read(text, out),
        Form::Psq => piskvork::read_psq(text, out),
        Form::Rec => {
            let game = piskvork::read_rec(text, out);
            out.add(game);
        }
        Form::Sgf => sgf::read(text, out),
        Form::Diagram => diagram::read(text, out),
        Form::Sav => out.add(yixin::read_sav(text)),
        Form::Rif => rif::read(text, out)?,
        Form::Pos | Form::Lib => {}
    }
    Ok(())
}

/// Why games could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The form cannot hold a game, counted from 1, at all.
    Game(usize, RecordError),
    /// The form is only read.
    ReadOnly(Form),
    /// It holds one game, and there are this many.
    OneGame(Form, usize),
    /// The stream failed.
    Stream(io::Error),
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WriteError::Game(number, error) => write!(f, "game {number}: {error}"),
            WriteError::ReadOnly(form) => write!(f, "{} is only read, not written", form.name()),
            WriteError::OneGame(form, count) => {
                write!(f, "{} holds one game, and there are {count}", form.name())
            }
            WriteError::Stream(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

/// Writes games, and says what of them the form does not keep. A result that a game does not have is
/// stated where the board and its rule say it.
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
    if !form.is_written() {
        return Err(WriteError::ReadOnly(form));
    }
    let mut lost = Features::default();
    let mut bytes = Vec::new();
    for (index, game) in games.iter().enumerate() {
        let told = unstated_result(game).filter(|_| form.holds().contains(&Feature::Result));
        let game = match told {
            Some((result, reason)) => {
                let (result, reason) = (Some(result), Some(reason));
                Cow::Owned(GameRecord { result, reason, ..game.clone() })
            }
            None => Cow::Borrowed(game),
        };
        let game = game.as_ref();
        let written = write_one(game, form).map_err(|error| WriteError::Game(index + 1, error))?;
        if form == Form::Diagram && index > 0 {
            bytes.push(b'\n');
        }
        bytes.extend(written);
        lost.0.extend(form.loses(game).0);
    }
    out.write_all(&bytes).map_err(WriteError::Stream)?;
    Ok(lost)
}

/// One game as a file, or a part of one, of this form.
fn write_one(game: &GameRecord, form: Form) -> Result<Vec<u8>, RecordError> {
    let text = match form {
        Form::Moves => lines::write_moves(game)?,
        Form::Notation => lines::write_notation(game)?,
        Form::JsonLines => json::write(game)?,
        Form::Psq => piskvork::write_psq(game)?,
        Form::Rec => piskvork::write_rec(game)?,
        Form::Sgf => sgf::write(game),
        Form::Diagram => diagram::write(game),
        Form::Pos => return yixin::write_pos(game),
        Form::Sav => yixin::write_sav(game)?,
        Form::Lib => return renlib::write(game),
        Form::Rif => String::new(),
        Form::Gomocalc => lines::write_gomocalc(game)?,
        Form::Offsets => lines::write_offsets(game)?,
    };
    Ok(text.into_bytes())
}
