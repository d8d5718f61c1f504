//! How far apart two cells lie, regardless of direction.

use crate::types::Point;

/// Steps along an axis from which on all distances are alike.
const FAR: usize = 7;

/// Number of classes: one for far cells, and one for every pair of distances along the two axes.
pub const OFFSET_CLASSES: usize = 1 + FAR * (FAR + 1) / 2;

/// Class of the way from one cell to another, below [`OFFSET_CLASSES`]: the same in all eight
/// directions. Cells that are far apart have class 0.
#[inline]
pub fn offset_class(from: Point, to: Point) -> usize {
    let distance = |a: u8, b: u8| usize::from(a.abs_diff(b)).min(FAR);
    usize::from(CLASSES[distance(from.x(), to.x())][distance(from.y(), to.y())])
}

const CLASSES: [[u8; FAR + 1]; FAR + 1] = {
    let mut classes = [[0; FAR + 1]; FAR + 1];
    let (mut long, mut next) = (0, 1);
    while long < FAR {
        let mut short = 0;
        while short <= long {
            classes[long][short] = next;
            classes[short][long] = next;
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
