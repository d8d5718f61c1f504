//! Four-threes: a stone that makes both a four and an open three.
//!
//! The four has one answer. Unless that answer makes a four itself, the attacker continues with a
//! straight four, and any remaining four of the defender comes too late. A four-three therefore
//! wins regardless of fours elsewhere, and few moves defend against it. Double open threes and the
//! four-threes of caro are not analysed in this way (lab/0037).

use super::answers::end_of_row;
use super::static_result::makes_four;
use crate::pattern::{LinePattern, Shape};
use crate::position::Position;
use crate::types::{Color, DIRECTIONS, Point};

/// A four-three that wins by force, and the only answer to its four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FourThree {
    /// The cell that makes the four-three.
    pub cell: Point,
    /// The cell that stops its four.
    pub answer: Point,
}

/// The four-threes of `color` that win in five plies if `color` is to move and neither side can
/// make a five.
///
/// None in caro, where a four can be stopped in more than one way.
pub fn winning_four_threes(position: &Position, color: Color) -> impl Iterator<Item = FourThree> {
    let rule = position.rule();
    let applies = !rule.five_rule(color).counts_enclosure();
    let cells = applies.then(|| position.cells_with(color, Shape::FourThree));
    cells.into_iter().flatten().filter_map(move |cell| {
        let answer = answer_to_four(position, cell, color)?;
        let win = FourThree { cell, answer };
        let wins = !answers_with_four(position, win, color)
            && (!rule.has_fouls(color) || keeps_straight_four(position, win, color));
        wins.then_some(win)
    })
}

/// Whether [`winning_four_threes`] finds a four-three.
#[inline]
pub fn has_winning_four_three(position: &Position, color: Color) -> bool {
    // Most positions have no four-three at all.
    position.count(color, Shape::FourThree) > 0
        && winning_four_threes(position, color).next().is_some()
}

/// Adds the moves that may stop all winning four-threes of the opponent, except fours of the side
/// itself. Every other move loses in six plies.
pub fn answers_to_four_threes(position: &Position, side: Color, answers: &mut Vec<Point>) {
    let attacker = side.opponent();
    let wins: Vec<FourThree> = winning_four_threes(position, attacker).collect();
    // A stone on the three may leave only straight fours that are fouls.
    let fouls = position.rule().has_fouls(attacker);
    let may_stop = |cell: Point, win: &FourThree| {
        let changes =
            |way| fouls || position.shape_beside(win.cell, attacker, way, side) != Shape::FourThree;
        let answers = |way| may_be_four(position.shape_beside(win.answer, side, way, side));
        cell == win.cell
            || position.line_to(win.cell, cell).is_some_and(changes)
            || position.line_to(win.answer, cell).is_some_and(answers)
    };
    answers
        .extend(position.candidates().filter(|&cell| wins.iter().all(|win| may_stop(cell, win))));
}

/// The cell that completes the five of the four that a stone of `color` on `cell` makes.
fn answer_to_four(position: &Position, cell: Point, color: Color) -> Option<Point> {
    let lines = position.lines(cell, color).lines();
    let direction = DIRECTIONS[lines.iter().position(|&line| line == LinePattern::Four)?];
    let ends = [-1, 1].map(|sign| end_of_row(position, cell, direction, sign, color));
    let completes = |end: &Point| position.shape_with(*end, color, cell, color) == Shape::Five;
    ends.into_iter().flatten().find(completes)
}

/// Whether the answer to the four may be a four as well.
fn answers_with_four(position: &Position, win: FourThree, color: Color) -> bool {
    let defender = color.opponent();
    makes_four(position, win.answer, defender)
        && may_be_four(position.shape_with(win.answer, defender, win.cell, color))
}

/// Whether the three can still become a legal straight four after the answer to the four.
fn keeps_straight_four(position: &Position, win: FourThree, color: Color) -> bool {
    let stones = [(win.cell, color), (win.answer, color.opponent())];
    let lines = position.lines(win.cell, color).lines();
    let threes = DIRECTIONS.into_iter().zip(lines).filter(|(_, line)| line.is_open_three());
    threes
        .flat_map(|(direction, _)| (-4..=4).map(move |steps| win.cell.shift(direction, steps)))
        .any(|cell| {
            position.is_empty(cell)
                && !stones.iter().any(|&(stone, _)| stone == cell)
                && position.shape_with_all(cell, color, stones) == Shape::StraightFour
        })
}

fn may_be_four(shape: Shape) -> bool {
    shape >= Shape::Four
}
