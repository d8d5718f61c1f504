//! Moves as people and engines write them, before anybody knows whether they are legal.

use std::fmt;
use std::num::IntErrorKind;
use std::str::FromStr;

use crate::types::Coordinates;

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMoveError(String);

impl ParseMoveError {
    /// Says that `text` is no move.
    pub fn new(text: &str) -> ParseMoveError {
        ParseMoveError(text.trim().to_string())
    }
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a move such as 7,7", self.0)
    }
}

impl std::error::Error for ParseMoveError {}

impl FromStr for Coordinates {
    type Err = ParseMoveError;

    /// `x,y` with blanks around either number. A number too large for any integer is only far
    /// off the board.
    fn from_str(text: &str) -> Result<Coordinates, ParseMoveError> {
        let error = || ParseMoveError::new(text);
        let coordinate = |part: &str| match part.trim().parse() {
            Ok(value) => Ok(value),
            Err(failure) => match std::num::ParseIntError::kind(&failure) {
                IntErrorKind::PosOverflow => Ok(i64::MAX),
                IntErrorKind::NegOverflow => Ok(i64::MIN),
                _ => Err(error()),
            },
        };
        let (x, y) = text.split_once(',').ok_or_else(error)?;
        Ok(Coordinates { x: coordinate(x)?, y: coordinate(y)? })
    }
}

/// Moves in playing order, written `x,y x,y ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList(pub Vec<Coordinates>);

impl FromStr for MoveList {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<MoveList, ParseMoveError> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(MoveList)
    }
}

impl fmt::Display for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, at) in self.0.iter().enumerate() {
            write!(f, "{}{at}", if index == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_go_both_ways() {
        let list: MoveList = "  7,7 -1,3\n99,0 ".parse().unwrap();
        assert_eq!(list.0.len(), 3);
        assert_eq!(list.to_string(), "7,7 -1,3 99,0");
        assert_eq!("".parse(), Ok(MoveList::default()));
    }

    #[test]
    fn huge_numbers_are_moves_and_words_are_not() {
        let far: Coordinates = "99999999999999999999,-99999999999999999999".parse().unwrap();
        assert_eq!((far.x, far.y), (i64::MAX, i64::MIN));
        for bad in ["7", "7,", ",", "a,b", "7,7,1", "7;7", ""] {
            assert!(bad.parse::<Coordinates>().is_err(), "{bad}");
        }
    }
}
