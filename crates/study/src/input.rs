//! Errors in positions and queries.

use std::fmt;

use tengen::opening::AnswerError;
use tengen_rules::game::Offence;
use tengen_rules::types::{BoardSize, ParseMoveError, SizeError};

/// The reason why a position or a query is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// The board is too small or too large.
    Size(SizeError),
    /// Neither `size` nor both `width` and `height` are given.
    NoSize,
    /// An unknown name, and the accepted ones.
    Name(String, String),
    /// An invalid cell name.
    Cell(ParseMoveError),
    /// A cell outside the board.
    OffBoard(String, BoardSize),
    /// A cell that is set up twice.
    SetUpTwice(String),
    /// An illegal move.
    Offence(Offence),
    /// More moves than this maximum.
    TooManyMoves(usize),
    /// More passes than this maximum.
    TooManyPasses(usize),
    /// The game is over, but a game in progress is needed.
    Over(String),
    /// An answer to a question of an opening that is not allowed.
    Answer(AnswerError),
    /// Another reason.
    Other(String),
    /// An error with its place, such as `move 3 (h8)`.
    At(String, Box<InputError>),
}

impl InputError {
    /// Adds the place of the error.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> InputError {
        InputError::At(place.to_string(), Box::new(self))
    }

    /// An error with this text.
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
            InputError::OffBoard(name, size) => ParseMoveError::outside(name, *size).fmt(f),
            InputError::SetUpTwice(name) => write!(f, "{name} is set up twice"),
            InputError::Offence(offence) => offence.fmt(f),
            InputError::TooManyMoves(most) => write!(f, "too many moves (at most {most})"),
            InputError::TooManyPasses(most) => write!(f, "too many passes (at most {most})"),
            InputError::Over(ending) => write!(f, "the game is over: {ending}"),
            InputError::Answer(error) => error.fmt(f),
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
