//! Stones in private properties before the first move. Gomoku Quest writes the opening as
//! `QPR[hh,hg,jf]`, the first moves, and `QSLW[ig]`, white's next one.

use super::parse::Property;
use super::point::{is_of_points, point};
use crate::{Cursor, RecordError};
use tengen_rules::types::{BoardSize, Point};

/// Properties whose points are moves.
const OF_MOVES: [&str; 2] = ["QPR", "QSLW"];

/// Whether the points of a property with this name are moves.
pub(super) fn holds_moves(name: &str) -> bool {
    OF_MOVES.contains(&name)
}

/// Plays the moves of such a property, and adds their points to `played`.
pub(super) fn play(
    cursor: &mut Cursor,
    property: &Property,
    played: &mut Vec<Point>,
) -> Result<(), RecordError> {
    for text in texts(property).filter(|text| !text.is_empty()) {
        let at = point(cursor.record().size, text)?;
        cursor.play(cursor.side(), at)?;
        played.push(at);
    }
    Ok(())
}

/// Whether an unknown property may hold stones: all its values are points, before the first move. One
/// word of two letters in the root is more likely a word.
pub(super) fn may_hold_stones(cursor: &mut Cursor, property: &Property, is_root: bool) -> bool {
    let size = cursor.record().size;
    let least = if is_root { 2 } else { 1 };
    property.name != "N"
        && !is_of_points(&property.name)
        && texts(property).count() >= least
        && texts(property).all(|text| is_point(size, text))
        && cursor.plays().iter().all(Option::is_none)
}

fn texts(property: &Property) -> impl Iterator<Item = &str> {
    property.values.iter().flat_map(|value| value.split(',')).map(str::trim)
}

/// Whether a text is a point in small letters, as most programs write it.
fn is_point(size: BoardSize, text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase()) && point(size, text).is_ok()
}
