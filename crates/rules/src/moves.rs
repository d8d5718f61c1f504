//! Moves as text, before their legality is checked.

use std::fmt;
use std::str::FromStr;

use crate::game::Game;
use crate::types::{BoardSize, CellText, Coordinates, Notation, ParseMoveError, Point};

/// Moves in playing order, in the notation of the protocol: `x,y x,y ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList(pub Vec<Coordinates>);

impl MoveList {
    /// The moves of a game.
    pub fn of(game: &Game) -> MoveList {
        game.moves().collect()
    }
}

impl FromIterator<Point> for MoveList {
    fn from_iter<I: IntoIterator<Item = Point>>(moves: I) -> MoveList {
        MoveList(moves.into_iter().map(Into::into).collect())
    }
}

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

/// Moves of a command line argument: `7,7 8,8`, `h8 i9` or `h8i9`. They are parsed before the
/// board is known, on which the meaning of `h8` depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveText(pub Vec<CellText>);

impl MoveText {
    /// The moves on a board of this size, each with its text.
    pub fn on(&self, size: BoardSize) -> impl Iterator<Item = (&CellText, Coordinates)> {
        self.0.iter().map(move |cell| (cell, cell.at(Notation::new(size))))
    }
}

impl FromStr for MoveText {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<MoveText, ParseMoveError> {
        CellText::read_all(text).map(MoveText)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_lists_round_trip() {
        let list: MoveList = "  7,7 -1,3\n99,0 ".parse().unwrap();
        assert_eq!(list.0.len(), 3);
        assert_eq!(list.to_string(), "7,7 -1,3 99,0");
        assert_eq!("".parse(), Ok(MoveList::default()));
    }

    #[test]
    fn arguments_keep_their_text_until_the_board_is_known() {
        let moves: MoveText = "h8 99999999999999999999,1 a1b2".parse().unwrap();
        let on = |width, height| -> Vec<(String, Coordinates)> {
            let size = BoardSize::new(width, height).unwrap();
            moves.on(size).map(|(cell, at)| (cell.to_string(), at)).collect()
        };
        let at = |x, y| Coordinates { x, y };
        assert_eq!(on(15, 15)[0], ("h8".to_string(), at(7, 7)));
        assert_eq!(on(15, 20)[0], ("h8".to_string(), at(7, 12)));
        assert_eq!(on(15, 20)[1], ("99999999999999999999,1".to_string(), at(i64::MAX, 1)));
        assert_eq!(on(15, 20)[3], ("b2".to_string(), at(1, 18)));
        assert!("h8 x".parse::<MoveText>().is_err());
    }
}
