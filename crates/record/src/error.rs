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
    place: Option<Place>,
    reason: String,
}

impl RecordError {
    /// A reason without a place.
    pub fn new(reason: impl Into<String>) -> RecordError {
        RecordError { place: None, reason: reason.into() }
    }

    /// Where it is, if that is known.
    pub fn place(&self) -> Option<Place> {
        self.place
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
        match self.place {
            Some(Place::Line(line)) => write!(f, "line {line}: ")?,
            Some(Place::Byte(byte)) => write!(f, "byte {byte}: ")?,
            None => {}
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for RecordError {}
