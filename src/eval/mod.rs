//! L6: the value of a position without a forced result on its face.

use crate::pattern::{Shape, THREAT_CLASSES, VALUE_GRAIN};
use crate::position::Position;
use crate::types::{Color, Score};

/// Shapes that make up a threat class, each a bit: who moves first decides what they are worth.
const CLASS_SHAPES: [&[Shape]; 4] = [
    &[Shape::OpenThree, Shape::OpenThreePlus],
    &[Shape::DoubleOpenThree],
    &[Shape::Four, Shape::FourPlus],
    &[Shape::FourThree],
];

/// Values the position for the side to move, from sums that the position keeps up to date.
#[inline]
pub fn evaluate(position: &Position) -> Score {
    let side = position.side_to_move();
    let threats = i32::from(position.tables().threat(side, threat_entry(position)));
    Score::evaluation((position.value() + threats) / VALUE_GRAIN)
}

/// Index into the threat table of the side to move.
#[inline]
pub fn threat_entry(position: &Position) -> usize {
    let side = position.side_to_move();
    let other = side.opponent();
    let answering = usize::from(position.count(other, Shape::StraightFour) > 0);
    (answering * THREAT_CLASSES + threat_class(position, side)) * THREAT_CLASSES
        + threat_class(position, other)
}

/// The kinds of threats that `color` can make next, one bit per kind.
#[inline]
fn threat_class(position: &Position, color: Color) -> usize {
    CLASS_SHAPES.iter().enumerate().fold(0, |class, (bit, shapes)| {
        let present = shapes.iter().any(|&shape| position.count(color, shape) > 0);
        class | usize::from(present) << bit
    })
}
