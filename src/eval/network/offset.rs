//! Classes of offsets between two cells, regardless of direction.

use tengen_rules::types::{GRID, MAX_SIDE, Point, STRIDE};

/// Smallest distance along an axis that counts as far.
const FAR: usize = 7;

/// Number of classes: one for far cells, and one for every pair of distances along the two axes.
pub const OFFSET_CLASSES: usize = 1 + FAR * (FAR + 1) / 2;

/// Class of the offset from one cell of a board to another, below [`OFFSET_CLASSES`]: the same in
/// all eight directions. Cells that are far apart have class 0.
#[inline]
pub fn offset_class(from: Point, to: Point) -> usize {
    usize::from(CLASSES[to.index() + GRID - from.index()])
}

/// The classes of the offsets from a cell, by the index of the other one; all 0 for `None`.
#[inline]
pub fn offset_classes(from: Option<Point>) -> &'static [u8; GRID] {
    let classes = from.and_then(|from| CLASSES[GRID - from.index()..].first_chunk());
    classes.unwrap_or(&[0; GRID])
}

/// Classes by the difference of the cells' indices, plus [`GRID`]. For near cells the difference
/// is unique: every other offset with the same difference is wider than a board.
static CLASSES: [u8; 2 * GRID] = {
    assert!(MAX_SIDE as usize - 1 + FAR - 1 < STRIDE);
    let mut classes = [0; 2 * GRID];
    let (mut long, mut next) = (0, 1);
    while long < FAR {
        let mut short = 0;
        while short <= long {
            let (far, near) = (long * STRIDE, short * STRIDE);
            let offsets = [far + short, far - short, near + long, near.abs_diff(long)];
            let mut index = 0;
            while index < offsets.len() {
                classes[GRID + offsets[index]] = next;
                classes[GRID - offsets[index]] = next;
                index += 1;
            }
            next += 1;
            short += 1;
        }
        long += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offset_class_depends_on_the_two_distances_on_the_widest_board() {
        let cells = || (0..MAX_SIDE).flat_map(|y| (0..MAX_SIDE).map(move |x| (x, y)));
        for (x, y) in [(0, 0), (35, 35), (0, 35), (35, 0), (17, 20), (6, 29)] {
            let from = Point::new(x, y);
            for (to_x, to_y) in cells() {
                let (dx, dy) = (x.abs_diff(to_x), y.abs_diff(to_y));
                let expected = if dx.max(dy) < 7 {
                    offset_class(Point::new(0, 0), Point::new(dx, dy))
                } else {
                    0
                };
                let to = Point::new(to_x, to_y);
                assert_eq!(offset_class(from, to), expected, "{dx} {dy}");
                assert_eq!(usize::from(offset_classes(Some(from))[to.index()]), expected);
                assert_eq!(offset_classes(None)[to.index()], 0);
                assert_eq!(expected == 0, dx.max(dy) >= 7);
            }
        }
    }

    #[test]
    fn classes_do_not_depend_on_the_direction() {
        let from = Point::new(15, 15);
        let mut seen = [false; OFFSET_CLASSES];
        for dx in 0..10u8 {
            for dy in 0..10u8 {
                let class = offset_class(from, Point::new(15 + dx, 15 + dy));
                seen[class] = true;
                for (x, y) in [(15 - dx, 15 + dy), (15 + dy, 15 - dx), (15 - dy, 15 - dx)] {
                    assert_eq!(offset_class(from, Point::new(x, y)), class);
                }
                assert_eq!(class == 0, dx.max(dy) >= 7);
                assert_eq!(class == 1, dx + dy == 0);
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}
