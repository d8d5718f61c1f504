//! What is wrong with a position or a question.

use std::fmt;

use tengen_rules::game::Offence;
use tengen_rules::types::{BoardSize, ParseMoveError, SizeError};

/// Why a position or a question makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// The board is too small, too large, or not given.
    Size(SizeError),
    /// Neither `size` nor `width` and `height` are given.
    NoSize,
    /// A name that nothing has: the name, and what is accepted.
    Name(String, String),
    /// A text that names no cell.
    Cell(ParseMoveError),
    /// A cell outside the board.
    OffBoard(String, BoardSize),
    /// A cell that holds two things before the first move.
    SetUpTwice(String),
    /// A move that the rules do not allow.
    Offence(Offence),
    /// More moves than a game may have.
    TooManyMoves(usize),
    /// The game is over where a game in progress is needed.
    Over(String),
    /// Something else, in words.
    Other(String),
    /// The same, with the place in front: `move 3 (h8)`.
    At(String, Box<InputError>),
}

impl InputError {
    /// The error with its place in front.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> InputError {
        InputError::At(place.to_string(), Box::new(self))
    }

    /// An error in words.
    pub fn other(reason: impl fmt::Display) -> InputError {
        InputError::Other(reason.to_string())
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Size(error) => error.fmt(f),
            InputError::NoSize => f.write_str("missing size: expected size, or width and height"),
            InputError::Name(name, expected) => write!(f, "{name:?}: {expected}"),
            InputError::Cell(error) => error.fmt(f),
            InputError::OffBoard(name, size) => write!(f, "{name} lies off the {size} board"),
            InputError::SetUpTwice(name) => write!(f, "{name} is set up twice"),
            InputError::Offence(offence) => offence.fmt(f),
            InputError::TooManyMoves(most) => write!(f, "there are more than {most} moves"),
            InputError::Over(ending) => write!(f, "the game is over: {ending}"),
            InputError::Other(reason) => f.write_str(reason),
            InputError::At(place, error) => write!(f, "{place}: {error}"),
        }
    }
}

impl std::error::Error for InputError {}

impl From<SizeError> for InputError {
    fn from(error: SizeError) -> InputError {
        InputError::Size(error)
    }
}

impl From<ParseMoveError> for InputError {
    fn from(error: ParseMoveError) -> InputError {
        InputError::Cell(error)
    }
}

impl From<Offence> for InputError {
    fn from(offence: Offence) -> InputError {
        InputError::Offence(offence)
    }
}
