//! Smart Game Format, version 4 (red-bean.com/sgf), for game 4, "Gomoku+Renju".
//!
//! Games of Go, `GM[1]`, are read too: many programs write Gomoku so. The format has no property
//! for the time of a move, the reason of a result other than time and resignation, cells out of
//! play, the number of given moves and whatever else is known of a game; the writer uses
//! properties of its own for those, as the format allows: `TGMS` (milliseconds), `TGWHY`, `TGWALL`
//! (a list of points), `TGGIVEN` and `TGINFO` (a list of `name:text`).

mod parse;
mod read;
mod write;

pub(super) use read::read;
pub(super) use write::write;

use super::RecordError;
use super::text::Encoding;

/// How `AP` names this program, before its version.
const OWN_NAME: &str = "Tengen:";
/// Name under which records keep a result that is told in words.
const RESULT: &str = "result";
/// Milliseconds of a move.
const MILLISECONDS: &str = "TGMS";
/// Why the game ended.
const REASON: &str = "TGWHY";
/// Cells out of play.
const WALLS: &str = "TGWALL";
/// Number of given moves.
const GIVEN: &str = "TGGIVEN";
/// What is known of the game and has no property in the format, as names and texts.
const OTHER_INFO: &str = "TGINFO";

/// Properties about the whole game and the names under which records keep them.
const INFO: [(&str, &str); 19] = [
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
];

/// The encoding that a file says it has; UTF-8 where it says none.
///
/// # Errors
/// When it names one that does not exist.
pub(super) fn encoding(bytes: &[u8]) -> Result<Encoding, RecordError> {
    let head = &bytes[..bytes.len().min(2048)];
    let Some((begin, value)) = charset(head) else { return Ok(Encoding::default()) };
    let value = head[value..].split(|&byte| byte == b']').next();
    let name = String::from_utf8_lossy(value.unwrap_or_default());
    if name.trim().is_empty() {
        return Ok(Encoding::default());
    }
    name.parse().map_err(|reason| RecordError::new(format!("CA[{name}]: {reason}")).at_byte(begin))
}

/// Where the first property `CA` begins, and its value. Bytes, since nothing is known of the letters
/// yet; as in the text later, small letters of names do not count.
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
