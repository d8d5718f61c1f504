//! One game a line: `7,7 8,8` or `h8i9`.

use super::{GameRecord, Reading, RecordError};
use crate::types::{Coordinates, Notation};

/// Reads lists of moves; `#` starts a comment, and lines without moves are passed over.
pub(super) fn read(text: &str, reading: &Reading) -> Result<Vec<GameRecord>, RecordError> {
    let notation = Notation::with_row_one(reading.size, reading.rows);
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let moves = notation.parse_all(line).map_err(|error| RecordError::new(error.to_string()));
        let game = moves.and_then(|moves| of_coordinates(reading, &moves));
        games.push(game.map_err(|error| error.at_line(index + 1))?);
    }
    Ok(games)
}

/// The game of these moves in turn.
pub(super) fn of_coordinates(
    reading: &Reading,
    moves: &[Coordinates],
) -> Result<GameRecord, RecordError> {
    let mut game = GameRecord::new(reading.size);
    let mut cursor = super::Cursor::new(&mut game);
    for &at in moves {
        cursor.play(cursor.side(), at)?;
    }
    Ok(game)
}

/// `7,7 8,8`
pub(super) fn write_moves(game: &GameRecord) -> Result<String, RecordError> {
    let moves: Vec<String> = game.moves()?.iter().map(ToString::to_string).collect();
    Ok(moves.join(" ") + "\n")
}

/// `h8i9`, row 1 at the bottom.
pub(super) fn write_notation(game: &GameRecord) -> Result<String, RecordError> {
    Ok(Notation::new(game.size).names(game.moves()?) + "\n")
}
