//! What shapes alone prove about a position, without a search.

use super::{five_cell, has_winning_four_three};
use crate::pattern::Shape;
use crate::position::Position;
use crate::types::{Color, Point};

/// What the side to move can or must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// Wins by force in this many plies.
    Won(usize),
    /// Loses by force in this many plies.
    Lost(usize),
    /// Has to stop a five, and only this cell does.
    AnswerFive(Point),
    /// Has to stop a five where more than one cell may do (caro).
    AnswerFiveSomehow,
    /// Has to stop a straight four or two fours, or to make fours of its own.
    AnswerStraightFour,
    /// Has to stop a four-three, or to make fours of its own.
    AnswerFourThree,
    /// Has a choice.
    Free,
}

/// Shapes that make a four and leave the opponent an answer.
pub const FOURS: [Shape; 3] = [Shape::FourThree, Shape::FourPlus, Shape::Four];

/// Whether a stone of `side` on the empty cell makes a four of any kind.
#[inline]
pub fn makes_four(position: &Position, cell: Point, side: Color) -> bool {
    match position.shape(cell, side) {
        Shape::FoulCandidate => {
            position.lines(cell, side).lines().iter().any(|line| line.is_four())
        }
        shape => MAY_BE_FOURS.contains(&shape),
    }
}

/// Shapes among which all fours are: those, straight ones, and what has to be looked at.
const MAY_BE_FOURS: [Shape; 5] =
    [Shape::FourThree, Shape::FourPlus, Shape::Four, Shape::StraightFour, Shape::FoulCandidate];

/// The cells among `cells` where `color` makes a four, fouls not set aside. Stops looking when
/// no more can be left.
#[inline]
pub fn fours_among(
    position: &Position,
    color: Color,
    cells: impl Iterator<Item = Point>,
) -> impl Iterator<Item = Point> {
    let all = MAY_BE_FOURS.iter().map(|&shape| position.count(color, shape)).sum();
    cells
        .filter(move |&cell| MAY_BE_FOURS.contains(&position.shape(cell, color)))
        .take(all)
        .filter(move |&cell| makes_four(position, cell, color))
}

/// Whether `color` has any cell that makes a four or better, fouls set aside.
#[inline]
pub fn can_make_four(position: &Position, color: Color) -> bool {
    position.count(color, Shape::Five) > 0
        || MAY_BE_FOURS.iter().any(|&shape| position.count(color, shape) > 0)
}

/// Judges the position for the side to move.
///
/// The order matters: each step relies on the ones before it having failed. Sources: the
/// first four are the rules of the game; for a four-three see [`winning_four_threes`](super::winning_four_threes); a double
/// open three wins because an opponent without fours can answer only one of the two lines.
#[inline]
pub fn situation(position: &Position) -> Situation {
    let side = position.side_to_move();
    let other = side.opponent();
    if position.count(side, Shape::Five) > 0 {
        return Situation::Won(1);
    }
    match position.count(other, Shape::Five) {
        0 => {}
        _ if position.rule().five_rule(other).counts_enclosure() => {
            return Situation::AnswerFiveSomehow;
        }
        1 => {
            return match five_cell(position, other) {
                Some(cell) if !super::is_foul(position, cell, side) => Situation::AnswerFive(cell),
                _ => Situation::Lost(2),
            };
        }
        _ => return Situation::Lost(2),
    }
    if position.count(side, Shape::StraightFour) > 0 {
        return Situation::Won(3);
    }
    if has_winning_four_three(position, side) {
        return Situation::Won(5);
    }
    if position.count(other, Shape::StraightFour) > 0 {
        return Situation::AnswerStraightFour;
    }
    // Black's threes may hang on an eye that is a foul.
    if !position.rule().has_fouls(side)
        && position.count(side, Shape::FourThree) + position.count(side, Shape::DoubleOpenThree) > 0
        && !can_make_four(position, other)
    {
        return Situation::Won(5);
    }
    if has_winning_four_three(position, other) {
        return Situation::AnswerFourThree;
    }
    Situation::Free
}
