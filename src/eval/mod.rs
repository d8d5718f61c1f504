//! L5: the value of a quiet position.

use crate::pattern::Shape;
use crate::position::Position;
use crate::types::Score;

/// What it is worth to be the one who moves.
const TEMPO: i32 = 30;

/// Threats of the side to move and of its opponent, by shape: the best one present counts.
const THREATS: [(Shape, i32, i32); 5] = [
    (Shape::FourThree, 300, -60),
    (Shape::DoubleOpenThree, 220, -50),
    (Shape::OpenThreePlus, 60, -15),
    (Shape::OpenThree, 40, -10),
    (Shape::FourPlus, 30, -10),
];

/// Values the position for the side to move, from sums that the position keeps up to date.
#[inline]
pub fn evaluate(position: &Position) -> Score {
    let side = position.side_to_move();
    let other = side.opponent();
    let mut value = position.value(side) - position.value(other) + TEMPO;
    if let Some((_, own, _)) = THREATS.iter().find(|(shape, ..)| position.count(side, *shape) > 0) {
        value += own;
    }
    if let Some((.., against)) =
        THREATS.iter().find(|(shape, ..)| position.count(other, *shape) > 0)
    {
        value += against;
    }
    Score::evaluation(value)
}
