//! The threats of both sides as one number: sums over cells cannot express that one threat is
//! enough.

use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::types::Color;

/// Number of threat classes of one side: sixteen sets of shapes that it can make.
pub const THREAT_CLASSES: usize = 16;

/// Number of entries of the threat table, indexed by whether a straight four must be answered, the
/// class of the side to move, and that of its opponent.
pub const THREAT_ENTRIES: usize = 2 * THREAT_CLASSES * THREAT_CLASSES;

/// The shapes of each bit of a threat class. Their value depends on the side to move.
const CLASS_SHAPES: [&[Shape]; 4] = [
    &[Shape::OpenThree, Shape::OpenThreePlus],
    &[Shape::DoubleOpenThree],
    &[Shape::Four, Shape::FourPlus],
    &[Shape::FourThree],
];

/// Index into the threat table of the side to move, below [`THREAT_ENTRIES`].
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
