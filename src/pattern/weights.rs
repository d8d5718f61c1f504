//! What shapes are worth to the evaluation and to move ordering. Units: a hundredth of what an
//! open three in an empty corner of the board is worth, roughly.

use super::{LinePattern, Shape};

/// Value of one line at an empty cell, for the colour that could play there.
const LINE_VALUES: [i32; LinePattern::COUNT] =
    [0, 1, 3, 4, 8, 10, 12, 11, 22, 26, 18, 30, 40, 60, 0];

/// What the combination adds to the sum of its lines.
const SHAPE_VALUES: [i32; super::SHAPES] = [0, 0, 4, 0, 8, 4, 14, 40, 6, 24, 90, 60, 0, 100];

/// Worth of a line for ordering.
const LINE_SCORES: [i32; LinePattern::COUNT] =
    [0, 2, 6, 8, 22, 26, 30, 24, 70, 80, 60, 160, 200, 400, 0];

/// What the combination adds to the order.
const SHAPE_SCORES: [i32; super::SHAPES] = [0, 0, 14, 0, 26, 0, 40, 220, 0, 60, 420, 700, 0, 2000];

/// Contribution of an empty cell to the evaluation of the colour whose lines these are.
pub(super) fn value(lines: [LinePattern; 4], shape: Shape) -> i16 {
    sum(&LINE_VALUES, &SHAPE_VALUES, lines, shape)
}

/// How urgent the cell is for the colour whose lines these are.
pub(super) fn score(lines: [LinePattern; 4], shape: Shape) -> i16 {
    sum(&LINE_SCORES, &SHAPE_SCORES, lines, shape)
}

fn sum(by_line: &[i32], by_shape: &[i32], lines: [LinePattern; 4], shape: Shape) -> i16 {
    let total = lines.iter().map(|&line| by_line[line as usize]).sum::<i32>();
    (total + by_shape[shape as usize]) as i16
}
