//! Forced results that follow from shapes alone, without a search.

use super::{answers_to_five, five_cell, has_winning_four_three, is_foul};
use crate::pattern::Shape;
use crate::position::Position;
use crate::types::{Color, Point};

/// The result for the side to move that the counts of shapes prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaticResult {
    /// It wins by force in this many plies.
    WinIn(usize),
    /// It loses by force in this many plies.
    LossIn(usize),
    /// It has to block a four, and only this cell does.
    BlockFour(Point),
    /// It has to block a four where more than one cell does (caro).
    BlockFourSomehow,
    /// It has to stop a straight four or two fours, or to make fours of its own.
    AnswerStraightFour,
    /// It has to stop a four-three, or to make fours of its own.
    AnswerFourThree,
    /// There is no threat that has to be answered immediately.
    NoThreat,
}

impl StaticResult {
    /// Plies until the loss of a side that has no legal answer left.
    pub const fn plies_to_loss(self) -> usize {
        match self {
            StaticResult::AnswerFourThree => 6,
            StaticResult::AnswerStraightFour => 4,
            _ => 2,
        }
    }
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

/// All shapes that can contain a four: [`FOURS`], straight fours, and foul candidates, whose lines
/// decide.
const MAY_BE_FOURS: [Shape; 5] =
    [Shape::FourThree, Shape::FourPlus, Shape::Four, Shape::StraightFour, Shape::FoulCandidate];

/// The cells where `color` makes a four, row by row, including fouls.
#[inline]
pub fn fours_anywhere(position: &Position, color: Color) -> impl Iterator<Item = Point> {
    fours_among(position, color, position.near_candidates())
}

/// Adds the cells where `color` makes a four and that are not in `cells` yet.
pub fn add_fours(position: &Position, color: Color, cells: &mut Vec<Point>) {
    for four in fours_anywhere(position, color) {
        if !cells.contains(&four) {
            cells.push(four);
        }
    }
}

/// The cells among `cells` where `color` makes a four, including fouls. Stops when no more can be
/// left.
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

/// Whether `color` has a foul candidate that is legal and makes a four, possibly a straight four or
/// a four-three. The counts of shapes do not show it.
pub fn has_disguised_four(position: &Position, color: Color) -> bool {
    let mut candidates = position.cells_with(color, Shape::FoulCandidate);
    candidates.any(|cell| makes_four(position, cell, color) && !is_foul(position, cell, color))
}

/// Whether `color` has any cell that makes a four or better, or that may be a foul.
#[inline]
pub fn can_make_four(position: &Position, color: Color) -> bool {
    position.count(color, Shape::Five) > 0
        || MAY_BE_FOURS.iter().any(|&shape| position.count(color, shape) > 0)
}

/// Judges the position for the side to move.
///
/// The order matters: each step relies on the steps before it not having applied. The first three
/// follow from the rules of the game; for a four-three see
/// [`winning_four_threes`](super::winning_four_threes); a double open three wins because an
/// opponent without fours can answer only one of the two lines.
#[inline]
pub fn static_result(position: &Position) -> StaticResult {
    let side = position.side_to_move();
    let other = side.opponent();
    if position.count(side, Shape::Five) > 0 {
        return StaticResult::WinIn(1);
    }
    match position.count(other, Shape::Five) {
        0 => {}
        _ if position.rule().five_rule(other).counts_enclosure() => {
            return match answers_to_five(position, side)[..] {
                [] => StaticResult::LossIn(2),
                [answer] => StaticResult::BlockFour(answer),
                _ => StaticResult::BlockFourSomehow,
            };
        }
        1 => {
            return match five_cell(position, other) {
                Some(cell) if !is_foul(position, cell, side) => StaticResult::BlockFour(cell),
                _ => StaticResult::LossIn(2),
            };
        }
        _ => return StaticResult::LossIn(2),
    }
    if position.count(side, Shape::StraightFour) > 0 {
        return StaticResult::WinIn(3);
    }
    if has_winning_four_three(position, side) {
        return StaticResult::WinIn(5);
    }
    if position.count(other, Shape::StraightFour) > 0 {
        return StaticResult::AnswerStraightFour;
    }
    // A three of black's may depend on an eye that is a foul.
    if !position.rule().has_fouls(side)
        && position.count(side, Shape::FourThree) + position.count(side, Shape::DoubleOpenThree) > 0
        && !can_make_four(position, other)
    {
        return StaticResult::WinIn(5);
    }
    if has_winning_four_three(position, other) {
        return StaticResult::AnswerFourThree;
    }
    StaticResult::NoThreat
}
