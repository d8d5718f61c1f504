//! Smart Game Format, version 4 (red-bean.com/sgf), for game 4, "Gomoku+Renju".
//!
//! Games of Go, `GM[1]`, are read too: many programs write Gomoku so. The format has no property
//! for the time of a move, the reason of a result other than time and resignation, cells out of
//! play, the number of given moves and whatever else is known of a game; the writer uses
//! properties of its own for those, as the format allows: `TGMS` (milliseconds), `TGWHY`, `TGWALL`
//! (a list of points), `TGGIVEN` and `TGINFO` (a list of `name:text`).
//!
//! What else a file says, in properties of the standard or of other programs, is kept as it stands
//! there and written again; points in those that the standard or renju's servers define turn with
//! the board.

mod parse;
mod point;
mod read;
mod write;

pub(super) use point::turn;
pub(super) use read::read;
pub(super) use write::write;

use super::encoding::Encoding;

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

/// The encoding that a file says it has, or why that is none; `None` where it says nothing.
pub(super) fn encoding(bytes: &[u8]) -> Option<Result<Encoding, String>> {
    let head = &bytes[..bytes.len().min(2048)];
    let (_, value) = charset(head)?;
    let value = head[value..].split(|&byte| byte == b']').next();
    let name = String::from_utf8_lossy(value.unwrap_or_default());
    let named = || name.parse().map_err(|reason| format!("CA[{name}]: {reason}"));
    (!name.trim().is_empty()).then(named)
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
