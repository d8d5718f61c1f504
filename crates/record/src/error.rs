//! Errors of readers and writers, with their position in the file.

use std::fmt;

use tengen_rules::types::ParseMoveError;

/// The position of an error in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A line, from 1.
    Line(usize),
    /// A byte offset, from 0.
    Byte(usize),
}

/// The frequent reasons why a move cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// A text that is not a cell, or a cell outside of the board.
    Cell(ParseMoveError),
    /// A cell that has a stone, as the file writes it.
    Taken(String),
    /// A cell out of play, as the file writes it.
    OutOfPlay(String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Cell(error) => error.fmt(f),
            Cause::Taken(written) => write!(f, "{written} is played twice"),
            Cause::OutOfPlay(written) => write!(f, "{written} is out of play"),
        }
    }
}

/// The reason why a game cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    game: Option<usize>,
    place: Option<Place>,
    reason: String,
    cause: Option<Cause>,
}

impl RecordError {
    /// An error without a position.
    pub fn new(reason: impl Into<String>) -> RecordError {
        RecordError { game: None, place: None, reason: reason.into(), cause: None }
    }

    /// The error of a cell outside of a board, in the words of a file format.
    pub(super) fn outside(reason: String, error: ParseMoveError) -> RecordError {
        RecordError { cause: Some(Cause::Cell(error)), ..RecordError::new(reason) }
    }

    /// The position in the file, if known.
    pub fn place(&self) -> Option<Place> {
        self.place
    }

    /// The kind of the reason, if it is one of the frequent ones.
    pub fn cause(&self) -> Option<&Cause> {
        self.cause.as_ref()
    }

    /// Whether a cell lies outside of the board.
    pub(super) fn is_outside(&self) -> bool {
        matches!(&self.cause, Some(Cause::Cell(error)) if error.board().is_some())
    }

    /// The reason without the position.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The number of the game, from 1, if known.
    pub fn game(&self) -> Option<usize> {
        self.game
    }

    /// Adds the number of the game, from 1.
    #[must_use]
    pub fn of_game(self, number: usize) -> RecordError {
        RecordError { game: Some(number), ..self }
    }

    /// Appends a hint to the reason. The cause goes, since texts made from it have no hint.
    #[must_use]
    pub(super) fn with_hint(self, hint: &str) -> RecordError {
        RecordError { reason: format!("{} ({hint})", self.reason), cause: None, ..self }
    }

    /// Adds a line, from 1, unless the error already has a position.
    #[must_use]
    pub fn at_line(self, line: usize) -> RecordError {
        self.at(Place::Line(line))
    }

    /// Adds a byte offset, from 0, unless the error already has a position.
    #[must_use]
    pub fn at_byte(self, byte: usize) -> RecordError {
        self.at(Place::Byte(byte))
    }

    /// Replaces the byte offset, if any, by the line that `line_of` returns for it. An error that
    /// already has a line is unchanged.
    pub(super) fn byte_to_line(self, line_of: impl FnOnce(Option<usize>) -> usize) -> RecordError {
        let byte = match self.place {
            Some(Place::Line(_)) => return self,
            Some(Place::Byte(byte)) => Some(byte),
            None => None,
        };
        RecordError { place: Some(Place::Line(line_of(byte))), ..self }
    }

    /// Adds a position, unless the error already has one.
    #[must_use]
    pub(super) fn at(self, place: Place) -> RecordError {
        RecordError { place: self.place.or(Some(place)), ..self }
    }
}

impl From<Cause> for RecordError {
    fn from(cause: Cause) -> RecordError {
        RecordError { cause: Some(cause.clone()), ..RecordError::new(cause.to_string()) }
    }
}

impl From<ParseMoveError> for RecordError {
    fn from(error: ParseMoveError) -> RecordError {
        Cause::Cell(error).into()
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.game {
            write!(f, "game {number}, ")?;
        }
        match self.place {
            Some(Place::Line(line)) => write!(f, "line {line}: ")?,
            Some(Place::Byte(byte)) => write!(f, "byte {byte}: ")?,
            None if self.game.is_some() => f.write_str("unknown position: ")?,
            None => {}
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for RecordError {}
