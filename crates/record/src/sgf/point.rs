//! SGF points: column and row as letters, a to z and then A to Z, from the upper left corner.

use crate::{Property, RecordError};
use tengen_rules::types::{BoardSize, Coordinates, ParseMoveError, Point, Symmetry};

/// Properties whose values are points, rectangles or pairs of points, including `L` and `M` of
/// version 3 and `5A`, the fifth moves that renju servers write.
const OF_POINTS: [&str; 10] = ["AR", "LN", "DD", "VW", "SL", "TB", "TW", "L", "M", "5A"];

/// Properties whose values are pairs of points.
const OF_PAIRS: [&str; 2] = ["AR", "LN"];

/// Whether the values of a property with this name are points, rectangles or pairs of points.
pub(super) fn is_of_points(name: &str) -> bool {
    OF_POINTS.contains(&name)
}

/// The coordinates that two letters stand for.
fn letters(text: &str) -> Option<(i64, i64)> {
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(i64::from(letter - b'a')),
        b'A'..=b'Z' => Some(i64::from(letter - b'A') + 26),
        _ => None,
    };
    match text.as_bytes() {
        &[x, y] => number(x).zip(number(y)),
        _ => None,
    }
}

/// The point that two letters stand for.
///
/// # Errors
/// When they are not a point, or it lies outside the board.
pub(super) fn point(size: BoardSize, text: &str) -> Result<Point, RecordError> {
    let Some((x, y)) = letters(text) else {
        return Err(RecordError::new(format!(
            "invalid point [{text}] (expected one such as [hh])"
        )));
    };
    // Some programs write capital letters, which stand for columns and rows beyond 26.
    let small = letters(&text.to_ascii_lowercase()).and_then(|(x, y)| size.point(x, y));
    size.point(x, y).or(small).ok_or_else(|| {
        let at = Coordinates { x, y };
        let last = name(Point::new(size.width() - 1, size.height() - 1));
        RecordError::outside(
            format!("[{text}] ({at}) lies outside the {size} board (expected [aa] to [{last}])"),
            ParseMoveError::outside(&format!("[{text}]"), size),
        )
    })
}

/// Column and row as letters.
pub(super) fn name(point: Point) -> String {
    let letter = |number: u8| match number {
        0..26 => char::from(b'a' + number),
        _ => char::from(b'A' + number - 26),
    };
    format!("{}{}", letter(point.x()), letter(point.y()))
}

impl Property {
    /// The property of these pairs of points, as `AR` (arrows) and `LN` (lines) hold them.
    pub fn of_pairs(name: &str, pairs: &[(Point, Point)]) -> Property {
        let values =
            pairs.iter().map(|&(from, to)| format!("{}:{}", self::name(from), self::name(to)));
        Property { name: name.to_string(), values: values.collect() }
    }

    /// The pairs of points of `AR` or `LN`. `None` for other properties, and if a value is not a
    /// pair of different points of the board.
    pub fn pairs(&self, size: BoardSize) -> Option<Vec<(Point, Point)>> {
        if !OF_PAIRS.contains(&self.name.as_str()) {
            return None;
        }
        let pair = |value: &String| {
            let (from, to) = value.split_once(':')?;
            let (from, to) = (point(size, from.trim()).ok()?, point(size, to.trim()).ok()?);
            (from != to).then_some((from, to))
        };
        self.values.iter().map(pair).collect()
    }
}

/// Transforms the points of a property, if its values are points.
pub(crate) fn turn(property: &mut Property, size: BoardSize, symmetry: Symmetry) {
    if !is_of_points(&property.name) {
        return;
    }
    let is_pair = OF_PAIRS.contains(&property.name.as_str());
    for value in &mut property.values {
        let turned = |text: &str| Some(symmetry.point(size, point(size, text.trim()).ok()?));
        *value = match value.split_once(':') {
            None => match turned(value) {
                Some(point) => name(point),
                None => continue,
            },
            Some((first, last)) => match turned(first).zip(turned(last)) {
                Some((first, last)) if is_pair => format!("{}:{}", name(first), name(last)),
                Some((first, last)) => rectangle(first, last),
                None => continue,
            },
        };
    }
}

/// A rectangle by its upper left and its lower right corner.
fn rectangle(one: Point, other: Point) -> String {
    let first = Point::new(one.x().min(other.x()), one.y().min(other.y()));
    let last = Point::new(one.x().max(other.x()), one.y().max(other.y()));
    if first == last { name(first) } else { format!("{}:{}", name(first), name(last)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_and_written() {
        let size = BoardSize::square(15).unwrap();
        let property = |name: &str, values: &[&str]| Property {
            name: name.to_string(),
            values: values.iter().map(ToString::to_string).collect(),
        };
        let arrows = property("AR", &["hh:ii", "aa:oo"]);
        let pairs = arrows.pairs(size).unwrap();
        assert_eq!(pairs[0], (Point::new(7, 7), Point::new(8, 8)));
        assert_eq!(Property::of_pairs("AR", &pairs), arrows);
        for (name, value) in [("AR", "hh"), ("LN", "hh:hh"), ("LN", "hh:zz"), ("DD", "hh:ii")] {
            assert_eq!(property(name, &[value]).pairs(size), None, "{name}[{value}]");
        }
    }
}
