//! Why a known command is not carried out.

use std::fmt;

use super::command::CommandError;
use crate::types::{Coordinates, Point, SizeError};

/// Why a command that was understood is not carried out. The position stays as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The line itself is wrong.
    Command(CommandError),
    /// No `START` yet.
    NoGame,
    /// `BEGIN` on a board with stones.
    GameStarted,
    /// The board size is not supported.
    Size(SizeError),
    /// The cell is not on the board.
    OffBoard(Coordinates),
    /// The cell is taken.
    Occupied(Point),
    /// There is no stone to take back.
    NoStone(Point),
    /// No empty cell is left to answer with.
    FullBoard,
    /// `SWAP2BOARD` with another number of stones than 0, 3 or 5.
    OpeningStones(usize),
    /// A cell named twice.
    Repeated(Point),
    /// Lines in a block that name no cell, where each one matters.
    JunkLines(usize),
    /// A block was not closed by `DONE`.
    Unfinished,
    /// The opening cannot be continued on this board.
    NoOpening,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Command(error) => error.fmt(f),
            Refusal::NoGame => f.write_str("no game has been started"),
            Refusal::GameStarted => f.write_str("BEGIN needs an empty board"),
            Refusal::Size(error) => error.fmt(f),
            Refusal::OffBoard(cell) => write!(f, "{cell} is not on the board"),
            Refusal::Occupied(point) => write!(f, "{point} is taken"),
            Refusal::NoStone(point) => write!(f, "there is no stone on {point}"),
            Refusal::FullBoard => f.write_str("the board is full"),
            Refusal::OpeningStones(count) => {
                write!(f, "SWAP2BOARD needs 0, 3 or 5 stones, not {count}")
            }
            Refusal::Repeated(point) => write!(f, "{point} is named twice"),
            Refusal::JunkLines(count) => write!(f, "{count} lines name no cell"),
            Refusal::Unfinished => f.write_str("the last block was not closed by DONE"),
            Refusal::NoOpening => f.write_str("no such opening on this board"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<SizeError> for Refusal {
    fn from(error: SizeError) -> Refusal {
        Refusal::Size(error)
    }
}
