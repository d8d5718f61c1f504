//! Why a file is no game, and where.

use std::fmt;

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A line, counted from 1.
    Line(usize),
    /// A byte, counted from 0.
    Byte(usize),
}

/// Why something cannot be read or written as a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    game: Option<usize>,
    place: Option<Place>,
    reason: String,
}

impl RecordError {
    /// A reason without a place.
    pub fn new(reason: impl Into<String>) -> RecordError {
        RecordError { game: None, place: None, reason: reason.into() }
    }

    /// Where it is, if that is known.
    pub fn place(&self) -> Option<Place> {
        self.place
    }

    /// The number of the game, from 1, if that is known.
    pub fn game(&self) -> Option<usize> {
        self.game
    }

    /// The same of a game of the file, counted from 1.
    #[must_use]
    pub fn of_game(self, number: usize) -> RecordError {
        RecordError { game: Some(number), ..self }
    }

    /// The same with a hint behind the reason.
    #[must_use]
    pub(super) fn with_hint(self, hint: &str) -> RecordError {
        RecordError { reason: format!("{} ({hint})", self.reason), ..self }
    }

    /// The same at a line, counted from 1, unless a place is known already.
    #[must_use]
    pub fn at_line(self, line: usize) -> RecordError {
        self.at(Place::Line(line))
    }

    /// The same at a byte, counted from 0, unless a place is known already.
    #[must_use]
    pub fn at_byte(self, byte: usize) -> RecordError {
        self.at(Place::Byte(byte))
    }

    /// The same at the line that `line_of` gives for its byte, or for none, unless its line is known.
    pub(super) fn byte_to_line(self, line_of: impl FnOnce(Option<usize>) -> usize) -> RecordError {
        let byte = match self.place {
            Some(Place::Line(_)) => return self,
            Some(Place::Byte(byte)) => Some(byte),
            None => None,
        };
        RecordError { place: Some(Place::Line(line_of(byte))), ..self }
    }

    fn at(self, place: Place) -> RecordError {
        RecordError { place: self.place.or(Some(place)), ..self }
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
            None if self.game.is_some() => f.write_str("somewhere in it: ")?,
            None => {}
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for RecordError {}
