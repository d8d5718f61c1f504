//! The `h8` notation: a column letter from the left and a row number from the top, both from
//! the first; `a1` is `0,0`. Columns after `z` are `aa`, `ab` and so on.

use std::fmt::Write;

use crate::tools::{MoveList, ParseMoveError};
use crate::types::Coordinates;

const LETTERS: i64 = 26;

/// A column as letters.
pub fn column_name(x: i64) -> String {
    let letter = |value: i64| char::from(b'a' + (value % LETTERS) as u8);
    if x < LETTERS {
        letter(x).to_string()
    } else {
        format!("{}{}", letter(x / LETTERS - 1), letter(x))
    }
}

/// A cell in this notation.
pub fn name(at: Coordinates) -> String {
    format!("{}{}", column_name(at.x), at.y + 1)
}

/// Moves without separators: `h8i9j8`.
pub fn write_moves(moves: &MoveList) -> String {
    moves.0.iter().fold(String::new(), |mut text, &at| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}", name(at));
        text
    })
}

/// Reads moves with or without blanks between them, in either case.
///
/// # Errors
/// When the text is not a row of letters followed by numbers.
pub fn parse_moves(text: &str) -> Result<MoveList, ParseMoveError> {
    let mut moves = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let letters = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let (column, tail) = rest.split_at(letters);
        let digits = tail.len() - tail.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (row, tail) = tail.split_at(digits);
        let x = column.bytes().try_fold(0i64, |x, letter| {
            let digit = i64::from(letter.to_ascii_lowercase() - b'a') + 1;
            x.checked_mul(LETTERS)?.checked_add(digit)
        });
        let (Some(x @ 1..), Ok(y @ 1..)) = (x, row.parse::<i64>()) else {
            return Err(ParseMoveError::new(rest));
        };
        moves.push(Coordinates { x: x - 1, y: y - 1 });
        rest = tail.trim_start();
    }
    Ok(MoveList(moves))
}

/// Reads one move, `h8` or `7,7`.
///
/// # Errors
/// When it is neither.
pub fn parse_move(text: &str) -> Result<Coordinates, ParseMoveError> {
    text.parse().or_else(|error| match parse_moves(text)?.0[..] {
        [at] => Ok(at),
        _ => Err(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for x in 0..36 {
            for y in [0, 7, 9, 35] {
                let at = Coordinates { x, y };
                assert_eq!(parse_move(&name(at)), Ok(at), "{}", name(at));
            }
        }
        assert_eq!(name(Coordinates { x: 7, y: 7 }), "h8");
        assert_eq!(name(Coordinates { x: 26, y: 0 }), "aa1");
        let moves: MoveList = "7,7 25,19 26,0".parse().unwrap();
        assert_eq!(write_moves(&moves), "h8z20aa1");
        assert_eq!(parse_moves("h8Z20 AA1\n"), Ok(moves));
    }

    #[test]
    fn other_texts_are_refused() {
        for bad in ["8h", "h", "h0", "h8!", "h8 9", "zzzzzzzzzzzzzzzzzzzzzzzz1"] {
            assert!(parse_moves(bad).is_err(), "{bad}");
        }
        assert!(parse_move("h8i9").is_err());
        assert!(parse_move("").is_err());
        assert_eq!(parse_move(" 3,4 "), Ok(Coordinates { x: 3, y: 4 }));
    }
}
