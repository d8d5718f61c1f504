//! Lists of openings as offsets from the center of the board: `0,0, 1,-1`.

use super::{moves_of, numbered, without_comment};
use crate::games::Collector;
use crate::{Cursor, GameRecord, RecordError};
use tengen_rules::types::Coordinates;

/// Reads `dx,dy, dx,dy ...`, offsets from the center of the board.
pub(crate) fn read_offsets(text: &str, out: &mut Collector) {
    let size = out.options.board();
    let middle: Coordinates = size.center().into();
    let line_of = |line: &str| {
        let words = line.split([',', ' ', '\t']).filter(|word| !word.is_empty());
        let number = |word: &str| {
            let wrong = || {
                RecordError::new(format!("invalid offset {word:?} (expected a number such as -3)"))
            };
            word.parse::<i64>().map_err(|_| wrong())
        };
        let numbers = words.map(number).collect::<Result<Vec<i64>, _>>()?;
        if numbers.len() % 2 != 0 {
            return Err(RecordError::new("the last offset has only one number"));
        }
        let mut game = GameRecord::new(size);
        let mut cursor = Cursor::new(&mut game);
        for pair in numbers.chunks_exact(2) {
            let x = middle.x.saturating_add(pair[0]);
            let y = middle.y.saturating_add(pair[1]);
            let first = Coordinates { x: -middle.x, y: -middle.y };
            cursor.play_counted(cursor.side(), Coordinates { x, y }, first).map_err(|error| {
                let is_default = out.options.size.is_none() && size.point(x, y).is_none();
                let hint = "the file does not state its size";
                if is_default { error.with_hint(hint) } else { error }
            })?;
        }
        Ok(game)
    };
    for (number, line) in numbered(text) {
        out.add(line_of(&line).map_err(|error| error.at_line(number)));
    }
}

/// Whether a text is offsets: a number is negative, or the first game begins in the center and a space
/// follows a comma, which is rare in lists of moves. A line with a single offset has no such space, so
/// all lines are checked.
pub(crate) fn looks_like_offsets(text: &str) -> bool {
    let is_offset = |symbol: char| symbol.is_ascii_digit() || "-, \t".contains(symbol);
    let fits = |line: &&str| line.chars().all(is_offset);
    let lines = text.lines().map(without_comment).filter(|line| !line.is_empty());
    let Some(first) = lines.clone().next().filter(fits) else { return false };
    let numbers = |line: &str| -> Vec<i64> {
        line.split([',', ' ', '\t']).filter_map(|word| word.parse().ok()).collect()
    };
    let has_negative = |line: &str| numbers(line).iter().any(|&number| number < 0);
    let mut fitting = lines.filter(fits);
    let has_space = || fitting.clone().any(|line| line.contains(", "));
    (numbers(first).starts_with(&[0, 0]) && has_space()) || fitting.any(has_negative)
}

/// `0,0, 1,-1`
pub(crate) fn write_offsets(game: &GameRecord) -> Result<String, RecordError> {
    let middle: Coordinates = game.size.center().into();
    let offset = |at: Coordinates| format!("{},{}", at.x - middle.x, at.y - middle.y);
    let moves: Vec<String> =
        moves_of(game)?.into_iter().map(|point| offset(point.into())).collect();
    Ok(moves.join(", ") + "\n")
}
