//! The text of every output line, and the errors of commands.

use std::fmt::{self, Write as _};

use super::command::CommandError;
use crate::eval::weights_hash;
use tengen_rules::types::{Coordinates, Point, SizeError};

/// Maximum length of free text in a line. Managers cut longer lines, and one of them copies the
/// text into a fixed buffer without a check. `INFO` lines are longer: they are printed on request, for
/// panels that read lines of any length.
pub(super) const MAX_TEXT: usize = 180;

/// One line to the manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Success.
    Ok,
    /// The answer to a request.
    Move(Point),
    /// Several stones of an opening.
    Moves(Vec<Point>),
    /// Swap colours.
    Swap,
    /// The points forbidden to the side to move.
    Forbid(Vec<Point>),
    /// Name, version and origin.
    About {
        /// The network from a file that the engine uses; `None` for the embedded one.
        network: Option<String>,
    },
    /// A message for people.
    Message(String),
    /// The answer to a query of the position database. A comment has several lines.
    Database(String),
    /// A line of the search-info dialect, printed only on request.
    Info(String),
    /// A known command that failed.
    Error(String),
    /// A line that is not a command.
    Unknown(String),
}

/// A receiver of replies.
pub trait Output {
    /// Sends one line immediately.
    fn send(&mut self, reply: &Reply);
}

impl Output for Vec<Reply> {
    fn send(&mut self, reply: &Reply) {
        self.push(reply.clone());
    }
}

impl Reply {
    /// A message from anything that can be displayed.
    pub fn message(text: impl fmt::Display) -> Reply {
        Reply::Message(text.to_string())
    }
}

impl From<SessionError> for Reply {
    fn from(error: SessionError) -> Reply {
        match error {
            SessionError::Command(CommandError::Unknown(line)) => Reply::Unknown(line),
            other => Reply::Error(other.to_string()),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::Move(point) => write!(f, "{point}"),
            Reply::Moves(points) => write_separated(f, points),
            Reply::Swap => f.write_str("SWAP"),
            Reply::Forbid(points) => {
                f.write_str("FORBID ")?;
                for point in points {
                    write!(f, "{:02}{:02}", point.x(), point.y())?;
                }
                f.write_char('.')
            }
            Reply::About { network } => {
                write!(f, "{ABOUT}, weights=\"{:016x}\"", weights_hash())?;
                match network {
                    Some(network) => write!(f, ", network=\"{network}\""),
                    None => Ok(()),
                }
            }
            Reply::Message(text) => write!(f, "MESSAGE {}", printable(text, MAX_TEXT)),
            // Yixin-Board reads texts in UTF-8, with the whitespace of comments.
            Reply::Database(text) => {
                let is_shown = |it: char| matches!(it, '\n' | '\t') || !it.is_control();
                let text = text.replace(|it: char| !is_shown(it), " ");
                write!(f, "MESSAGE DATABASE {text}")
            }
            Reply::Info(text) => write!(f, "INFO {}", printable(text, usize::MAX)),
            Reply::Error(text) => write!(f, "ERROR {}", printable(text, MAX_TEXT)),
            Reply::Unknown(text) => write!(f, "UNKNOWN {}", printable(text, MAX_TEXT)),
        }
    }
}

/// The name comes first because some managers read only that.
const ABOUT: &str = concat!(
    "name=\"Tengen\", version=\"",
    env!("CARGO_PKG_VERSION"),
    "\", author=\"the Tengen developers\", country=\"International\""
);

/// `points` as `x,y x,y`.
fn write_separated(f: &mut impl fmt::Write, points: &[Point]) -> fmt::Result {
    for (position, point) in points.iter().enumerate() {
        let blank = if position == 0 { "" } else { " " };
        write!(f, "{blank}{point}")?;
    }
    Ok(())
}

/// The text in the form that managers accept: ASCII on one line, at most `most` symbols, without
/// trailing whitespace, and never empty (a bare `MESSAGE` would be read as a move).
fn printable(text: &str, most: usize) -> String {
    let ascii: String = text
        .chars()
        .take(most)
        .map(|symbol| if matches!(symbol, ' '..='~') { symbol } else { '?' })
        .collect();
    let trimmed = ascii.trim_end();
    if trimmed.is_empty() { "-".to_owned() } else { trimmed.to_owned() }
}

/// Why a command failed. The position is unchanged, except for the stone of a `TURN` that fills the
/// board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionError {
    /// The line is not a valid command.
    Command(CommandError),
    /// There was no `START` yet.
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
    /// `SWAP2BOARD` with a number of stones other than 0, 3 or 5.
    OpeningStones(usize),
    /// `SWAP2BOARD` with colours that do not belong to stones placed in turn.
    OpeningColors,
    /// A cell is named twice.
    Repeated(Point),
    /// Some lines of a block are not cells, and every line is required.
    JunkLines(usize),
    /// A block was not closed by `DONE`.
    Unfinished,
    /// The opening cannot be continued on this board.
    NoOpening,
    /// The search crashed, and there is no answer without it.
    Crash,
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Command(error) => error.fmt(f),
            SessionError::NoGame => f.write_str("no game has been started"),
            SessionError::GameStarted => f.write_str("BEGIN needs an empty board"),
            SessionError::Size(error) => error.fmt(f),
            SessionError::OffBoard(cell) => write!(f, "{cell} is not on the board"),
            SessionError::Occupied(point) => write!(f, "{point} is taken"),
            SessionError::NoStone(point) => write!(f, "there is no stone on {point}"),
            SessionError::FullBoard => f.write_str("the board is full"),
            SessionError::OpeningStones(count) => {
                write!(f, "SWAP2BOARD needs 0, 3 or 5 stones, not {count}")
            }
            SessionError::OpeningColors => f.write_str(
                "SWAP2BOARD needs lines x,y, or x,y,1 and x,y,2 with one stone more of one colour",
            ),
            SessionError::Repeated(point) => write!(f, "{point} is named twice"),
            SessionError::JunkLines(count) => write!(f, "lines that are not cells: {count}"),
            SessionError::Unfinished => f.write_str("the last block was not closed by DONE"),
            SessionError::Crash => f.write_str("the engine crashed"),
            SessionError::NoOpening => f.write_str("no such opening on this board"),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<SizeError> for SessionError {
    fn from(error: SizeError) -> SessionError {
        SessionError::Size(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_in_protocol_form() {
        let (a, b) = (Point::new(9, 12), Point::new(0, 3));
        assert_eq!(Reply::Ok.to_string(), "OK");
        assert_eq!(Reply::Move(a).to_string(), "9,12");
        assert_eq!(Reply::Moves(vec![a, b]).to_string(), "9,12 0,3");
        assert_eq!(Reply::Swap.to_string(), "SWAP");
        assert_eq!(Reply::Forbid(vec![]).to_string(), "FORBID .");
        assert_eq!(Reply::Forbid(vec![a, b]).to_string(), "FORBID 09120003.");
        let about = |network: Option<&str>| {
            Reply::About { network: network.map(str::to_owned) }.to_string()
        };
        assert!(about(None).starts_with("name=\"Tengen\", version=\""));
        let text = about(Some("tengen-renju.net 0123"));
        assert_eq!(text, format!("{}, network=\"tengen-renju.net 0123\"", about(None)));
    }

    #[test]
    fn free_text_is_sanitised() {
        let unknown = |text: &str| Reply::Unknown(text.to_owned()).to_string();
        assert_eq!(unknown("7,7"), "UNKNOWN 7,7");
        assert_eq!(unknown("a\0\r\u{FFFD}b  "), "UNKNOWN a???b");
        assert_eq!(unknown(""), "UNKNOWN -");
        assert!(unknown(&"x".repeat(10_000)).len() < 200);
        assert_eq!(Reply::Info("x".repeat(300)).to_string().len(), 305);
    }

    #[test]
    fn unknown_line_is_not_an_error() {
        let line = CommandError::Unknown("hello".to_owned());
        assert_eq!(Reply::from(SessionError::Command(line)), Reply::Unknown("hello".to_owned()));
        assert_eq!(Reply::from(SessionError::NoGame).to_string(), "ERROR no game has been started");
    }
}
