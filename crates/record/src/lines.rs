//! One game a line: `7,7 8,8`, `h8i9`, gomocalc's addresses, and offsets from the middle.

use std::fmt::Display;

use super::{Cursor, GameRecord, Reading, RecordError};
use tengen_rules::types::{BoardSize, Coordinates, Notation, Point, Written};

/// What comes before the moves in an address of gomocalc.
const GOMOCALC: &str = "https://gomocalc.com/#/";
/// Columns that one letter can name, which is all that gomocalc knows.
const GOMOCALC_COLUMNS: u8 = 26;

/// Reads lists of moves; `#` starts a comment, and lines without moves are passed over. Of an
/// address the moves behind its last slash are read.
pub(super) fn read(text: &str, reading: &Reading) -> Result<Vec<GameRecord>, RecordError> {
    let notation = Notation::with_row_one(reading.board(), reading.rows);
    each(text, |line| {
        let moves = Written::read_all(line).map_err(|error| RecordError::new(error.to_string()))?;
        of_moves(reading.board(), moves.iter().map(|written| (written.at(notation), written)))
    })
}

/// Reads `dx,dy, dx,dy ...`, counted from the middle of the board.
pub(super) fn read_offsets(text: &str, reading: &Reading) -> Result<Vec<GameRecord>, RecordError> {
    let middle: Coordinates = reading.board().center().into();
    each(text, |line| {
        let words = line.split([',', ' ', '\t']).filter(|word| !word.is_empty());
        let number = |word: &str| {
            let wrong = || RecordError::new(format!("{word:?} is no number such as -3"));
            word.parse::<i64>().map_err(|_| wrong())
        };
        let numbers = words.map(number).collect::<Result<Vec<i64>, _>>()?;
        if numbers.len() % 2 != 0 {
            return Err(RecordError::new("the last offset lacks its second number"));
        }
        let from_middle = |pair: &[i64]| {
            let offset = Coordinates { x: pair[0], y: pair[1] };
            let x = middle.x.saturating_add(offset.x);
            let y = middle.y.saturating_add(offset.y);
            (Coordinates { x, y }, offset)
        };
        of_moves(reading.board(), numbers.chunks_exact(2).map(from_middle))
    })
}

/// Whether a text can be offsets: a blank behind a comma, which no list of moves has. A line of one
/// offset has none, so that another one may have to tell.
pub(super) fn looks_like_offsets(text: &str) -> bool {
    let is_offset = |symbol: char| symbol.is_ascii_digit() || "-, \t".contains(symbol);
    let lines = text.lines().map(without_comment).filter(|line| !line.is_empty());
    let fits = |line: &&str| line.chars().all(is_offset);
    lines.clone().next().is_some_and(|line| fits(&line))
        && lines.filter(fits).any(|line| line.contains(", "))
}

fn without_comment(line: &str) -> &str {
    let line = line.trim();
    match line.split_once("/#/") {
        Some((site, moves)) if site.starts_with("http") => {
            moves.split(['?', '&', '#']).next().unwrap_or_default().trim()
        }
        _ => line.split('#').next().unwrap_or_default().trim(),
    }
}

/// The game of every line with moves.
fn each(
    text: &str,
    read: impl Fn(&str) -> Result<GameRecord, RecordError>,
) -> Result<Vec<GameRecord>, RecordError> {
    let lines = text.lines().map(without_comment).enumerate();
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(index, line)| read(line).map_err(|error| error.at_line(index + 1)))
        .collect()
}

/// A game of these moves, each with how the file writes it.
fn of_moves(
    size: BoardSize,
    moves: impl Iterator<Item = (Coordinates, impl Display)>,
) -> Result<GameRecord, RecordError> {
    let mut game = GameRecord::new(size);
    let mut cursor = Cursor::new(&mut game);
    for (at, written) in moves {
        cursor.play_written(cursor.side(), at, written)?;
    }
    Ok(game)
}

/// The moves of a game that has any: readers pass over lines without.
fn moves_of(game: &GameRecord) -> Result<Vec<Point>, RecordError> {
    let moves = game.moves()?;
    if moves.is_empty() {
        return Err(RecordError::new("it has no moves, and a line of moves needs one"));
    }
    Ok(moves)
}

/// `7,7 8,8`
pub(super) fn write_moves(game: &GameRecord) -> Result<String, RecordError> {
    let moves: Vec<String> = moves_of(game)?.iter().map(ToString::to_string).collect();
    Ok(moves.join(" ") + "\n")
}

/// `h8i9`, row 1 at the bottom.
pub(super) fn write_notation(game: &GameRecord) -> Result<String, RecordError> {
    Ok(Notation::new(game.size).names(moves_of(game)?) + "\n")
}

/// An address that shows the game in gomocalc.
pub(super) fn write_gomocalc(game: &GameRecord) -> Result<String, RecordError> {
    if game.size.width() > GOMOCALC_COLUMNS {
        let reason = format!("gomocalc has no board of {} columns", game.size.width());
        return Err(RecordError::new(reason));
    }
    Ok(format!("{GOMOCALC}{}", write_notation(game)?))
}

/// `0,0, 1,-1`
pub(super) fn write_offsets(game: &GameRecord) -> Result<String, RecordError> {
    let middle: Coordinates = game.size.center().into();
    let offset = |at: Coordinates| format!("{},{}", at.x - middle.x, at.y - middle.y);
    let moves: Vec<String> =
        moves_of(game)?.into_iter().map(|point| offset(point.into())).collect();
    Ok(moves.join(", ") + "\n")
}
