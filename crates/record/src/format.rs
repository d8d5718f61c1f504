//! The file formats: how each is detected and what it can hold.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use super::encoding::{self, Encoding, Source};
use super::feature::{FormatFeature, FormatFeatures};
use super::games::{BadGame, Collector, Games};
use super::replay::derived_result;
use super::text::{is_fence, with_plain_lines, without_marks, without_padding};
use super::{
    GameRecord, RecordError, diagram, json, lines, pairs, piskvork, renlib, rif, sgf, yixin,
};
use tengen_rules::types::{BoardSize, Notation, RowOne, Rule};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One game per line, `x,y x,y ...`, or one move per line.
    Moves,
    /// One game per line, `h8i9j8`, or one move per line.
    Notation,
    /// One JSON object per line.
    JsonLines,
    /// A Piskvork game.
    Psq,
    /// A game in an archive of Piskvork's tournaments.
    Rec,
    /// Smart Game Format, any number of game trees.
    Sgf,
    /// A board diagram.
    Diagram,
    /// A Yixin-Board position.
    Pos,
    /// A Yixin-Board game.
    Sav,
    /// A RenLib library.
    Lib,
    /// A RenjuNet collection in XML; read-only.
    Rif,
    /// Gomocalc URLs, one per line.
    Gomocalc,
    /// One opening per line, as offsets from the center: `0,0, 1,-1`.
    Offsets,
}

/// The side of the default board.
const DEFAULT_SIDE: i64 = 15;

fn square(side: i64) -> BoardSize {
    BoardSize::square(side).expect("default sides are valid")
}

/// The hint for tables, which are not read.
const OF_TABLES: &str = "of a table keep only the columns with the moves, such as h8 or 7,7";

/// Options for reading a file, mostly for what the file itself does not state.
#[derive(Clone, Debug)]
pub struct ReadOptions<'a> {
    /// The format; `None` detects it from the file's name and content.
    pub format: Option<Format>,
    /// The file's name.
    pub name: Option<&'a Path>,
    /// The board size, if the file does not state it; `None` is the default of the format.
    pub size: Option<BoardSize>,
    /// The side of the board at which the rows of `h8` notation start.
    pub rows: RowOne,
    /// Whether the columns of `h8` notation skip the letter `i`.
    pub skips_i: bool,
    /// The rule; overrides the one in the file.
    pub rule: Option<Rule>,
    /// The encoding of a file without a byte order mark. `None` takes the one that the file
    /// declares, else UTF-8 if the bytes are valid, else a guess. A few invalid characters are
    /// replaced by U+FFFD, with a remark.
    pub encoding: Option<Encoding>,
    /// The numbers of the games to read, from 1; `None` reads all games.
    pub numbers: Option<RangeInclusive<usize>>,
    /// Whether a list of moves is a list of openings, so that lines of one move each are games.
    pub lists_openings: bool,
    /// The number of nodes after which a RenLib library continues as another game, which begins
    /// with the moves to its first node. `None` reads a library as one game. Bounds the memory of
    /// [`visit_each`].
    pub library_part: Option<usize>,
}

impl Default for ReadOptions<'_> {
    /// All games of any format, the default board, rows from the bottom.
    fn default() -> Self {
        ReadOptions {
            format: None,
            name: None,
            size: None,
            rows: RowOne::Bottom,
            skips_i: false,
            rule: None,
            encoding: None,
            numbers: None,
            lists_openings: false,
            library_part: None,
        }
    }
}

impl ReadOptions<'_> {
    /// The board size of a file that does not state it: the requested one, else 15x15.
    pub(super) fn board(&self) -> BoardSize {
        self.size.unwrap_or(square(DEFAULT_SIDE))
    }

    /// The names of the cells on a board of this size.
    pub(super) fn notation(&self, size: BoardSize) -> Notation {
        let notation = Notation::with_row_one(size, self.rows);
        if self.skips_i { notation.skipping_i() } else { notation }
    }
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 13] = [
        Format::Moves,
        Format::Notation,
        Format::JsonLines,
        Format::Psq,
        Format::Rec,
        Format::Sgf,
        Format::Diagram,
        Format::Pos,
        Format::Sav,
        Format::Lib,
        Format::Rif,
        Format::Gomocalc,
        Format::Offsets,
    ];

    /// Name on the command line, and the usual file extension.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Moves => "moves",
            Format::Notation => "notation",
            Format::JsonLines => "jsonl",
            Format::Psq => "psq",
            Format::Rec => "rec",
            Format::Sgf => "sgf",
            Format::Diagram => "diagram",
            Format::Pos => "pos",
            Format::Sav => "sav",
            Format::Lib => "lib",
            Format::Rif => "rif",
            Format::Gomocalc => "gomocalc",
            Format::Offsets => "offsets",
        }
    }

    /// The format with this name, in either case.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Whether a file of this format can hold more than one game.
    pub const fn holds_many(self) -> bool {
        !matches!(self, Format::Psq | Format::Rec | Format::Pos | Format::Sav | Format::Lib)
    }

    /// The features that the format can hold, in addition to moves.
    pub const fn holds(self) -> &'static [FormatFeature] {
        use FormatFeature as F;
        match self {
            Format::Moves | Format::Notation | Format::Pos | Format::Gomocalc | Format::Offsets => {
                &[F::Order]
            }
            Format::Sav => &[F::Size, F::Order],
            Format::Rif => &[F::Rule, F::Names, F::Result, F::Info, F::Order, F::Comments],
            Format::Lib => &[F::Order, F::Variations, F::Comments, F::Marks],
            Format::JsonLines => &[
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
            Format::Psq => &[F::Size, F::Names, F::Times, F::Order],
            Format::Rec => &[F::Names, F::Times, F::Order],
            Format::Sgf => &FormatFeature::ALL,
            Format::Diagram => &[F::Size, F::SetUp],
        }
    }

    /// The default board size of the format.
    pub fn default_size(self) -> BoardSize {
        square(if self == Format::Rec { piskvork::ARCHIVE_SIDE } else { DEFAULT_SIDE })
    }

    /// The features of `record` that are lost in this format.
    pub fn lost_features(self, record: &GameRecord) -> FormatFeatures {
        let keeps = |feature: &FormatFeature| match feature {
            FormatFeature::Size if record.size == self.default_size() => true,
            FormatFeature::Rule if self == Format::Lib => record.rule == Some(Rule::Renju),
            FormatFeature::Names if matches!(self, Format::Psq | Format::Rec) => {
                piskvork::keeps_names(record)
            }
            FormatFeature::Times if matches!(self, Format::Psq | Format::Rec) => {
                piskvork::keeps_times(record)
            }
            FormatFeature::Result | FormatFeature::Reason
                if matches!(self, Format::Psq | Format::Rec) =>
            {
                piskvork::keeps_end(record)
            }
            feature => self.holds().contains(feature),
        };
        let mut lost = FormatFeatures::of(record);
        lost.0.retain(|feature| !keeps(feature));
        lost
    }

    /// Whether files of this format can be written.
    pub const fn is_written(self) -> bool {
        !matches!(self, Format::Rif)
    }

    /// Detects the format from a file's name and content. The name only matters for formats whose
    /// content is ambiguous.
    fn detect(options: &ReadOptions, bytes: &[u8]) -> Format {
        let ReadOptions { name, encoding, .. } = options;
        let ending = name.and_then(|name| name.extension()?.to_str()).unwrap_or_default();
        let is_named = |format: &Format| ending.eq_ignore_ascii_case(format.name());
        let named = [Format::Rec, Format::Pos, Format::Sav, Format::Lib, Format::Offsets];
        if let Some(format) = named.into_iter().find(is_named)
            && (format != Format::Pos || !yixin::is_text(bytes))
        {
            return format;
        }
        let start = encoding::start(&bytes[..bytes.len().min(DETECTION_BYTES)], *encoding);
        let start = with_plain_lines(start.trim_start());
        // Skip lines of `#` only: they start both comments and boards with cells out of play.
        let is_plain = |line: &&str| {
            line.chars().all(|symbol| symbol == '#' || symbol.is_whitespace()) || is_fence(line)
        };
        let mut lines = start.lines().filter(|line| !is_plain(line));
        let first = lines.next().unwrap_or_default();
        // Column names, a frame or a line of text may come before a board.
        let second = lines.next().unwrap_or_default();
        let third = lines.next().unwrap_or_default();
        match () {
            () if renlib::is_library(bytes) => Format::Lib,
            () if piskvork::has_first_word(&start) => Format::Psq,
            // Collections without headers: the name decides.
            () if is_named(&Format::Psq) && piskvork::is_numbers(first) => Format::Psq,
            () if start.starts_with('(')
                && lines::is_not_list(first)
                && !diagram::is_row(first)
                && !pairs::is_joined(first) =>
            {
                Format::Sgf
            }
            () if rif::is_collection(&start) && !diagram::is_row(first) => Format::Rif,
            () if start.starts_with('{') => Format::JsonLines,
            () if is_json_array(bytes, *encoding, &start, first) => Format::JsonLines,
            () if diagram::is_row(first) || diagram::is_digits(first, second) => Format::Diagram,
            () if diagram::is_heading(first) && diagram::is_named_row(second) => Format::Diagram,
            () if lines::is_not_list(first)
                && (diagram::is_row(second)
                    || (diagram::is_heading(second) && diagram::is_named_row(third))) =>
            {
                Format::Diagram
            }
            // Mail headers may come before the first game.
            () if is_named(&Format::Sgf) || sgf::holds_game(&start) => Format::Sgf,
            () if diagram::is_board_after_text(&start) => Format::Diagram,
            () if rif::is_markup(&start) => Format::Rif,
            () if !pairs::is_joined(first) && lines::looks_like_offsets(&start) => Format::Offsets,
            () => Format::Moves,
        }
    }
}

/// Whether a file is a JSON array. The whole file decides, since lists of moves also begin with a
/// bracket; only an array of objects or of lists of texts is one even if it is damaged, so that the
/// error names the place of the damage. A list that ends on its line may be the first of several
/// games.
fn is_json_array(bytes: &[u8], encoding: Option<Encoding>, start: &str, first: &str) -> bool {
    if !start.starts_with('[') {
        return false;
    }
    let mut symbols = start.chars().filter(|symbol| !symbol.is_whitespace()).skip(1);
    let is_certain = match symbols.next() {
        Some('{') => true,
        Some('[') => {
            symbols.next() == Some('"')
                && !diagram::is_row(first)
                && !json::begins_with_value(first)
        }
        Some('"' | ']') => false,
        _ => return false,
    };
    let text = || encoding::text_of(bytes, encoding, None);
    is_certain || text().is_ok_and(|(text, _)| json::is_array(without_padding(&text)))
}

/// The first bytes of archives, in which game files are often distributed.
const ARCHIVES: [(&[u8], &str); 4] = [
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "RAR"),
];

/// Number of bytes to examine to detect the format.
const DETECTION_BYTES: usize = 4096;

/// Reads a file. An invalid game is an error.
///
/// # Errors
/// When the file or one of its games is invalid, with the position and the reason.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Games, RecordError> {
    read_each(bytes, options)?.ensure_valid()
}

/// Reads a file game by game. Invalid games are listed in [`Games::bad`].
///
/// # Errors
/// When the file as a whole is invalid or contains no game.
pub fn read_each(bytes: &[u8], options: &ReadOptions) -> Result<Games, RecordError> {
    collect(bytes, options, Collector::new(options))
}

/// As [`read_each`], but passes each valid game with its number to `visit` instead of collecting
/// them: [`Games::list`] is empty, and the games of a large file need not fit into memory.
///
/// # Errors
/// As [`read_each`].
pub fn visit_each(
    bytes: &[u8],
    options: &ReadOptions,
    visit: &mut dyn FnMut(usize, GameRecord),
) -> Result<Games, RecordError> {
    collect(bytes, options, Collector::with_visit(options, visit))
}

fn collect(
    bytes: &[u8],
    options: &ReadOptions,
    mut out: Collector<'_>,
) -> Result<Games, RecordError> {
    let format = options.format.unwrap_or_else(|| Format::detect(options, bytes));
    // A list of moves of `pos` can begin with the same bytes.
    let archive = ARCHIVES.iter().find(|(start, _)| bytes.starts_with(start));
    if let Some((_, name)) = archive.filter(|_| format != Format::Pos) {
        let reason = format!("the file is a {name} archive (expected game files; unpack it first)");
        return Err(RecordError::new(reason));
    }
    let (mut source, mut is_list) = (Source::Sure, false);
    match format {
        Format::Pos => out.add(yixin::read_pos(bytes)),
        Format::Lib => source = renlib::read(bytes, &mut out)?,
        _ => {
            let declared = match format {
                Format::Sgf => sgf::encoding(bytes),
                Format::Rif => rif::encoding(bytes),
                _ => None,
            };
            let (declared, unknown) = match declared {
                Some(Err(reason)) => (None, Some(reason)),
                declared => (declared.and_then(Result::ok), None),
            };
            let decoded = encoding::text_of(bytes, options.encoding, declared)?;
            source = decoded.1;
            if let Some(reason) = unknown {
                out.remark(reason);
            }
            let text = with_plain_lines(without_padding(&decoded.0));
            is_list = format == Format::Moves;
            read_text(&text, format, &mut out);
        }
    }
    let mut games = out.finish();
    if games.count == 0 {
        return Err(match format {
            Format::Rif => rif::no_games(),
            _ => RecordError::new("no game found"),
        });
    }
    games.guessed = source.guess();
    if let Some(encoding) = games.guessed {
        // Such an error may be the result of a wrong guess.
        let hint = format!("the encoding was guessed: {encoding}");
        let foreign = |bad: &&mut BadGame| !bad.error.reason().is_ascii();
        games.bad.iter_mut().filter(foreign).for_each(|bad| {
            bad.error = bad.error.clone().with_hint(&hint);
        });
    }
    if let Some(remark) = source.remark() {
        games.remark(remark);
    }
    let ending = options.name.and_then(|name| name.extension()?.to_str()).unwrap_or_default();
    if is_list && ["csv", "tsv"].iter().any(|it| ending.eq_ignore_ascii_case(it)) {
        for bad in &mut games.bad {
            bad.error = bad.error.clone().with_hint(OF_TABLES);
        }
    }
    Ok(games)
}

/// Reads the text of a file of this format.
fn read_text(text: &str, format: Format, out: &mut Collector) {
    match format {
        Format::Moves | Format::Notation | Format::Gomocalc => lines::read(text, out),
        Format::Offsets => lines::read_offsets(text, out),
        Format::JsonLines => json::read(&without_marks(text), out),
        Format::Psq => piskvork::read_psq(&without_marks(text), out),
        Format::Rec => {
            let game = piskvork::read_rec(text, out);
            out.add(game);
        }
        Format::Sgf => sgf::read(text, out),
        Format::Diagram => diagram::read(text, out),
        Format::Sav => {
            let game = yixin::read_sav(text, out);
            out.add(game);
        }
        Format::Rif => rif::read(text, out),
        Format::Pos | Format::Lib => {}
    }
}

/// The reason why games could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The format cannot hold the game with this number, from 1.
    Game(usize, RecordError),
    /// The format is read-only.
    ReadOnly(Format),
    /// The format holds one game, but there are this many.
    OneGame(Format, usize),
    /// Writing to the stream failed.
    Stream(io::Error),
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WriteError::Game(number, error) => write!(f, "game {number}: {error}"),
            WriteError::ReadOnly(format) => write!(f, "{} files can only be read", format.name()),
            WriteError::OneGame(format, count) => {
                write!(f, "{} holds one game, but there are {count}", format.name())
            }
            WriteError::Stream(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WriteError {}

/// Writes games and returns the features that are lost in this format. If a game has no result but
/// its board and rule determine one, that result is written.
///
/// # Errors
/// When the format cannot hold a game (then nothing is written), or when writing to `out` fails.
pub fn write(
    games: &[GameRecord],
    format: Format,
    out: &mut dyn Write,
) -> Result<FormatFeatures, WriteError> {
    if games.len() > 1 && !format.holds_many() {
        return Err(WriteError::OneGame(format, games.len()));
    }
    let mut writer = GameWriter::new(format)?;
    let mut bytes = Vec::new();
    games.iter().try_for_each(|game| writer.add(game, &mut bytes))?;
    out.write_all(&bytes).map_err(WriteError::Stream)?;
    Ok(writer.lost)
}

/// Writes games one by one.
#[derive(Clone, Debug)]
pub struct GameWriter {
    format: Format,
    count: usize,
    /// Whether the last game is a line with one move.
    is_single: bool,
    lost: FormatFeatures,
}

impl GameWriter {
    /// A writer of this format.
    ///
    /// # Errors
    /// When the format is read-only.
    pub fn new(format: Format) -> Result<GameWriter, WriteError> {
        if !format.is_written() {
            return Err(WriteError::ReadOnly(format));
        }
        Ok(GameWriter { format, count: 0, is_single: false, lost: FormatFeatures::default() })
    }

    /// Appends a game to `bytes`. If it has no result but its board and rule determine one, that
    /// result is written.
    ///
    /// # Errors
    /// When the format cannot hold the game, or it holds one game and this is the second one. The
    /// writer and `bytes` are unchanged then.
    pub fn add(&mut self, game: &GameRecord, bytes: &mut Vec<u8>) -> Result<(), WriteError> {
        let format = self.format;
        if self.count > 0 && !format.holds_many() {
            return Err(WriteError::OneGame(format, self.count + 1));
        }
        let holds_result = format.holds().contains(&FormatFeature::Result);
        let derived = if holds_result { derived_result(game) } else { None };
        let game = match derived {
            Some((result, reason)) => {
                let (result, reason) = (Some(result), Some(reason));
                Cow::Owned(GameRecord { result, reason, ..game.clone() })
            }
            None => Cow::Borrowed(game),
        };
        let game = game.as_ref();
        let number = self.count + 1;
        let written = write_one(game, format).map_err(|error| WriteError::Game(number, error))?;
        self.count = number;
        // Without blank lines, games of one move would be read as one game.
        let is_list = matches!(format, Format::Moves | Format::Notation);
        let is_single = is_list && game.plays().count() == 1;
        if (format == Format::Diagram && number > 1) || (is_single && self.is_single) {
            bytes.push(b'\n');
        }
        self.is_single = is_single;
        bytes.extend(written);
        self.lost.0.extend(format.lost_features(game).0);
        Ok(())
    }

    /// Number of games.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The features of the games that the format cannot hold.
    pub fn lost(&self) -> &FormatFeatures {
        &self.lost
    }
}

/// One game in this format: a file or a part of one.
fn write_one(game: &GameRecord, format: Format) -> Result<Vec<u8>, RecordError> {
    let text = match format {
        Format::Moves => lines::write_moves(game)?,
        Format::Notation => lines::write_notation(game)?,
        Format::JsonLines => json::write(game)?,
        Format::Psq => piskvork::write_psq(game)?,
        Format::Rec => piskvork::write_rec(game)?,
        Format::Sgf => sgf::write(game),
        Format::Diagram => diagram::write(game),
        Format::Pos => return yixin::write_pos(game),
        Format::Sav => yixin::write_sav(game)?,
        Format::Lib => return renlib::write(game),
        Format::Rif => String::new(),
        Format::Gomocalc => lines::write_gomocalc(game)?,
        Format::Offsets => lines::write_offsets(game)?,
    };
    Ok(text.into_bytes())
}
