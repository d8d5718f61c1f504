//! Coordinates of a cell as text: `x,y`, as in the protocol.

use std::fmt;
use std::num::IntErrorKind;
use std::str::FromStr;

use super::{BoardSize, Notation, Point};

/// Two coordinates that need not lie on any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coordinates {
    /// Column from the left, from 0.
    pub x: i64,
    /// Row from the top, from 0.
    pub y: i64,
}

impl From<Point> for Coordinates {
    fn from(point: Point) -> Coordinates {
        Coordinates { x: point.x().into(), y: point.y().into() }
    }
}

impl From<&Point> for Coordinates {
    fn from(&point: &Point) -> Coordinates {
        point.into()
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// An error: the text is not a move, or names a cell off the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMoveError {
    text: String,
    /// The board that the cell lies outside of.
    outside: Option<BoardSize>,
}

impl ParseMoveError {
    /// The error for `text`.
    pub fn new(text: &str) -> ParseMoveError {
        ParseMoveError { text: text.trim().to_string(), outside: None }
    }

    /// The error for `text`, a cell that lies outside a board of this size.
    pub fn outside(text: &str, size: BoardSize) -> ParseMoveError {
        ParseMoveError { outside: Some(size), ..ParseMoveError::new(text) }
    }

    /// The text that is not a move.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The board that the cell lies outside of, if the text names a cell.
    pub fn board(&self) -> Option<BoardSize> {
        self.outside
    }
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outside {
            Some(size) => {
                let [first, last] = corners(size, self.text.contains(','));
                let text = &self.text;
                write!(f, "{text} lies outside the {size} board (expected {first} to {last})")
            }
            None => write!(f, "{:?} is not a move such as h8 or 7,7", self.text),
        }
    }
}

/// The names of the first and the last cell of a board: `a1` and `o15`, or `0,0` and `14,14`.
fn corners(size: BoardSize, by_coordinates: bool) -> [String; 2] {
    let (x, y) = (i64::from(size.width()) - 1, i64::from(size.height()) - 1);
    if by_coordinates {
        return [Coordinates { x: 0, y: 0 }, Coordinates { x, y }].map(|at| at.to_string());
    }
    let notation = Notation::new(size);
    [Coordinates { x: 0, y }, Coordinates { x, y: 0 }].map(|at| notation.name(at))
}

impl std::error::Error for ParseMoveError {}

impl FromStr for Coordinates {
    type Err = ParseMoveError;

    /// `x,y` with optional whitespace around either number. A number that does not fit an integer
    /// is accepted: it is off the board in any case.
    fn from_str(text: &str) -> Result<Coordinates, ParseMoveError> {
        let error = || ParseMoveError::new(text);
        let (x, y) = text.split_once(',').ok_or_else(error)?;
        let coordinate = |part: &str| integer(part.trim()).ok_or_else(error);
        Ok(Coordinates { x: coordinate(x)?, y: coordinate(y)? })
    }
}

/// Parses an integer with an optional sign. A number that does not fit becomes the nearest one that
/// does, because managers send values such as 2^64-1 for "no limit".
pub fn integer(digits: &str) -> Option<i64> {
    match digits.parse() {
        Ok(value) => Some(value),
        Err(failure) => match std::num::ParseIntError::kind(&failure) {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_accept_huge_numbers_and_reject_words() {
        let far: Coordinates = "99999999999999999999,-99999999999999999999".parse().unwrap();
        assert_eq!((far.x, far.y), (i64::MAX, i64::MIN));
        assert_eq!(" 3 , 4 ".parse(), Ok(Coordinates { x: 3, y: 4 }));
        for bad in ["7", "7,", ",", "a,b", "7,7,1", "7;7", ""] {
            assert!(bad.parse::<Coordinates>().is_err(), "{bad}");
        }
    }

    #[test]
    fn integer_saturates_and_rejects_other_texts() {
        assert_eq!(integer("15"), Some(15));
        assert_eq!(integer("+7"), Some(7));
        assert_eq!(integer("-500"), Some(-500));
        assert_eq!(integer("18446744073709551615"), Some(i64::MAX));
        assert_eq!(integer("-99999999999999999999"), Some(i64::MIN));
        for bad in ["", "-", "+", "abc", "15.5", "1e9", "0x10", "--1", "١"] {
            assert_eq!(integer(bad), None, "{bad:?}");
        }
    }
}
