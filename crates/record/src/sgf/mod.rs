//! Smart Game Format, version 4 (red-bean.com/sgf), for game 4, "Gomoku+Renju".
//!
//! Games of Go, `GM[1]`, are read too, since many programs write Gomoku that way. The format lacks
//! properties for the time of a move, reasons other than timeout and resignation, cells out of
//! play, the number of given moves, and other information about a game. The writer uses private
//! properties for those, as the format allows: `TGMS` (milliseconds), `TGWHY`, `TGWALL` (a list of
//! points), `TGGIVEN` and `TGINFO` (a list of `name:text`).
//!
//! Other properties, standard or private, are kept verbatim and written back. Their points are
//! transformed with the board if the standard or renju servers define them.

mod opening;
mod parse;
mod point;
mod property;
mod read;
mod start;
mod write;

pub(super) use parse::holds_game;
pub(super) use point::turn;
pub(super) use read::read;
pub(super) use write::write;

use super::encoding::Encoding;

/// The value of `AP` for this program, without the version.
const OWN_NAME: &str = "Tengen:";
/// The key in [`GameRecord::info`](crate::GameRecord::info) for a result in words.
const RESULT: &str = "result";
/// The time of a move in milliseconds.
const MILLISECONDS: &str = "TGMS";
/// The reason for the result.
const REASON: &str = "TGWHY";
/// Cells out of play.
const WALLS: &str = "TGWALL";
/// The number of given moves.
const GIVEN: &str = "TGGIVEN";
/// Information about the game that has no property in the format, as names and texts.
const OTHER_INFO: &str = "TGINFO";
/// Properties that only the root of a game has. A node with one of them after a bracket starts another
/// game, so that no other node may be written with them.
const OF_GAME_START: [&str; 3] = ["FF", "GM", "SZ"];

/// Properties of the whole game and their keys in [`GameRecord::info`](crate::GameRecord::info).
const INFO: [(&str, &str); 20] = [
    ("AN", "annotator"),
    ("AP", "application"),
    ("BR", "black rank"),
    ("BT", "black team"),
    ("CP", "copyright"),
    ("DT", "date"),
    ("EV", "event"),
    ("GC", "about"),
    ("GN", "game"),
    ("HA", "handicap"),
    ("KM", "komi"),
    ("ON", "opening"),
    ("OT", "overtime"),
    ("PC", "place"),
    ("RO", "round"),
    ("SO", "source"),
    ("TM", "time limit"),
    ("US", "user"),
    ("WR", "white rank"),
    ("WT", "white team"),
];

/// The encoding that a file declares, or the reason why it is invalid; `None` if it declares none.
pub(super) fn encoding(bytes: &[u8]) -> Option<Result<Encoding, String>> {
    let head = &bytes[..bytes.len().min(2048)];
    let (_, value) = charset(head)?;
    let value = head[value..].split(|&byte| byte == b']').next();
    let name = String::from_utf8_lossy(value.unwrap_or_default());
    let named = || name.parse().map_err(|reason| format!("CA[{name}]: {reason}"));
    (!name.trim().is_empty()).then(named)
}

/// The positions of the first property `CA` and of its value. Works on bytes, since the encoding is
/// not known yet. As in the parser, lower-case letters of property names are ignored.
fn charset(bytes: &[u8]) -> Option<(usize, usize)> {
    let (mut name, mut begin) = (Vec::new(), 0);
    let mut in_value = false;
    let mut symbols = (0..).zip(bytes);
    while let Some((at, &symbol)) = symbols.next() {
        match symbol {
            b'\\' if in_value => drop(symbols.next()),
            b']' => (in_value, name) = (false, Vec::new()),
            _ if in_value => {}
            b'[' if name == b"CA" => return Some((begin, at + 1)),
            b'[' => in_value = true,
            _ if symbol.is_ascii_uppercase() => {
                begin = if name.is_empty() { at } else { begin };
                name.push(symbol);
            }
            _ if symbol.is_ascii_lowercase() || symbol.is_ascii_whitespace() => {}
            _ => name.clear(),
        }
    }
    None
}
