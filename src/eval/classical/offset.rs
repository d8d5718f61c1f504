//! How far apart two cells lie, regardless of direction.

use crate::types::{MAX_SIDE, Point, STRIDE};

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

/// The same for cells that lie `steps` apart in the grid (see [`Point::index`]). Two ways with the
/// same steps differ by a whole row of columns, so both are far.
pub fn offset_class_of_steps(steps: isize) -> usize {
    const { assert!(STRIDE >= MAX_SIDE as usize - 1 + FAR) };
    let stride = STRIDE as isize;
    let rows = (steps + stride / 2).div_euclid(stride);
    let columns = steps - rows * stride;
    let distance = |steps: isize| steps.unsigned_abs().min(FAR);
    usize::from(CLASSES[distance(columns)][distance(rows)])
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

    #[test]
    fn steps_in_the_grid_tell_the_class() {
        let cells = || (0..MAX_SIDE).flat_map(|y| (0..MAX_SIDE).map(move |x| Point::new(x, y)));
        for from in cells() {
            for to in cells() {
                let steps = to.index() as isize - from.index() as isize;
                assert_eq!(offset_class_of_steps(steps), offset_class(from, to), "{from} {to}");
            }
        }
    }
}
