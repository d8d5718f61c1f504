//! Who threatens what, as one number: sums over cells do not see that one threat is enough.

use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::types::Color;

/// Threat classes of one side: sixteen sets of shapes it can make.
pub const THREAT_CLASSES: usize = 16;

/// Entries of the threat table: whether a straight four must be answered, the classes of the
/// side to move, those of its opponent.
pub const THREAT_ENTRIES: usize = 2 * THREAT_CLASSES * THREAT_CLASSES;

/// Shapes that make up a threat class, each a bit: who moves first decides what they are worth.
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
