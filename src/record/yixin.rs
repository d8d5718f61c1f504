//! Yixin-Board's files (its source: main.c, `show_dialog_load` and `show_dialog_save`).
//!
//! `.pos`, which it reads: a byte with the number of stones, then a byte a stone on 15x15, row plus
//! 15 times column. `.sav`, which it reads and writes: numbers as text, height, width, number of
//! moves, then row and column of each; some versions have a rule before the number of moves.

use std::fmt::Write;

use super::{Cursor, GameRecord, RecordError};
use crate::types::{BoardSize, Coordinates, Rule};

/// The only board of `.pos`.
const SIDE: u8 = 15;

/// Reads a `.pos` file.
pub(super) fn read_pos(bytes: &[u8]) -> Result<GameRecord, RecordError> {
    let Some((&count, stones)) = bytes.split_first() else {
        return Err(RecordError::new("the file is empty"));
    };
    if usize::from(count) != stones.len() {
        let reason = format!("it says that it holds {count} stones and holds {}", stones.len());
        return Err(RecordError::new(reason).at_byte(0));
    }
    let mut game = GameRecord::new(BoardSize::square(SIDE.into()).expect("15 is a size"));
    let mut cursor = Cursor::new(&mut game);
    for (index, stone) in stones.iter().enumerate() {
        let at = Coordinates { x: (stone / SIDE).into(), y: (stone % SIDE).into() };
        cursor.play(cursor.side(), at).map_err(|error| error.at_byte(index + 1))?;
    }
    Ok(game)
}

/// A `.pos` file.
pub(super) fn write_pos(game: &GameRecord) -> Result<Vec<u8>, RecordError> {
    let moves = game.moves()?;
    if Ok(game.size) != BoardSize::square(SIDE.into()) {
        return Err(RecordError::new(format!("pos holds boards of 15x15, not {}", game.size)));
    }
    let stones = moves.iter().map(|point| point.y() + SIDE * point.x());
    // 225 moves at most, on that board.
    Ok(std::iter::once(moves.len() as u8).chain(stones).collect())
}

/// Reads a `.sav` file.
pub(super) fn read_sav(text: &str) -> Result<GameRecord, RecordError> {
    let mut numbers = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for word in line.split_whitespace() {
            let number: i64 = word.parse().map_err(|_| {
                RecordError::new(format!("{word:?} is no number")).at_line(index + 1)
            })?;
            numbers.push((number, index + 1));
        }
    }
    let holds = |head: usize| {
        let count = numbers.get(head - 1).and_then(|&(count, _)| usize::try_from(count).ok());
        count.is_some_and(|count| count.checked_mul(2) == Some(numbers.len() - head))
    };
    let (head, rule) = match () {
        () if holds(3) => (3, None),
        () if holds(4) => (4, Some(numbers[2])),
        () => {
            let reason =
                "expected height, width and number of moves, then so many rows and columns";
            return Err(RecordError::new(reason));
        }
    };
    let (height, line) = numbers[0];
    let size = BoardSize::new(numbers[1].0, height);
    let size = size.map_err(|error| RecordError::new(error.to_string()).at_line(line))?;
    let mut game = GameRecord::new(size);
    if let Some((number, line)) = rule {
        // Its menu counts freestyle, standard, renju.
        let named = [Rule::Freestyle, Rule::Standard, Rule::Renju];
        let rule = usize::try_from(number).ok().and_then(|number| named.get(number));
        let unknown = || RecordError::new(format!("{number} is no rule from 0 to 2")).at_line(line);
        game.rule = Some(*rule.ok_or_else(unknown)?);
    }
    let mut cursor = Cursor::new(&mut game);
    for pair in numbers[head..].chunks_exact(2) {
        let [(y, line), (x, _)] = [pair[0], pair[1]];
        let written = format_args!("row {y}, column {x}");
        let played = cursor.play_written(cursor.side(), Coordinates { x, y }, written);
        played.map_err(|error| error.at_line(line))?;
    }
    Ok(game)
}

/// A `.sav` file.
pub(super) fn write_sav(game: &GameRecord) -> Result<String, RecordError> {
    let moves = game.moves()?;
    let mut text = format!("{}\n{}\n{}\n", game.size.height(), game.size.width(), moves.len());
    for point in moves {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {}", point.y(), point.x());
    }
    Ok(text)
}
