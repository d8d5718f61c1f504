//! The moves that answer a threat: every other move loses by force.

use crate::board::Cell;
use crate::pattern::{LinePattern, Shape};
use crate::position::Position;
use crate::types::{Color, DIRECTIONS, Direction, Point};

/// The cells where `side` can stop every five that its opponent could complete next.
///
/// Empty when there is no such cell, or when all such cells are fouls for `side`. The opponent must
/// have at least one five to complete.
pub fn answers_to_five(position: &Position, side: Color) -> Vec<Point> {
    let attacker = side.opponent();
    let Some(first) = five_cell(position, attacker) else { return Vec::new() };
    // A second five is rare: scan the board only if the count shows one.
    let mut others = Vec::new();
    if position.count(attacker, Shape::Five) > 1 {
        let fives = position.cells_with(attacker, Shape::Five);
        others.extend(fives.filter(|&five| five != first));
    }
    let mut answers = Vec::new();
    add_stops(position, side, first, &others, Shape::Five, &mut answers);
    answers.retain(|&cell| !super::is_foul(position, cell, side));
    answers
}

/// A cell where `color` would complete a five; the lines through its last stone are tried first.
/// `None` when there is none.
#[inline]
pub fn five_cell(position: &Position, color: Color) -> Option<Point> {
    // Nearly always the last stone of that colour made the four.
    let history = position.board().history();
    let maker = history.iter().rev().take(2).find(|stone| stone.color == color);
    if let Some(maker) = maker {
        let ends = DIRECTIONS.into_iter().flat_map(|direction| {
            [-1, 1].map(|sign| end_of_row(position, maker.point, direction, sign, color))
        });
        let five = |cell: &Point| position.shape(*cell, color) == Shape::Five;
        if let Some(cell) = ends.flatten().find(five) {
            return Some(cell);
        }
    }
    position.cells_with(color, Shape::Five).next()
}

/// The first cell past the stones of `color` that follow `from`, if it is empty and close enough
/// for a five that includes both.
#[inline]
pub(super) fn end_of_row(
    position: &Position,
    from: Point,
    direction: Direction,
    sign: isize,
    color: Color,
) -> Option<Point> {
    (1..=4)
        .map(|distance| from.shift(direction, sign * distance))
        .find(|&cell| position.cell(cell) != Cell::stone(color))
        .filter(|&cell| position.is_empty(cell))
}

/// Adds the cells where a stone of `side` leaves its opponent no straight four and no double four.
/// Except for fours of `side`, every other move loses. The cells include answers that lift a foul
/// elsewhere and so allow black another straight four.
pub fn answers_to_straight_four(position: &Position, side: Color, answers: &mut Vec<Point>) {
    let mut threats = position.cells_with(side.opponent(), Shape::StraightFour);
    let Some(first) = threats.next() else { return };
    let others: Vec<Point> = threats.collect();
    add_stops(position, side, first, &others, Shape::StraightFour, answers);
}

/// Adds the cells where a stone of `side` prevents its opponent from making `shape`, a five or a
/// straight four, on `first` and on each of the `others`: `first` itself and cells on its lines.
fn add_stops(
    position: &Position,
    side: Color,
    first: Point,
    others: &[Point],
    shape: Shape,
    answers: &mut Vec<Point>,
) {
    let attacker = side.opponent();
    let stops_others = |at: Point| {
        others.iter().all(|&it| it == at || position.shape_with(it, attacker, at, side) != shape)
    };
    if stops_others(first) {
        answers.push(first);
    }
    // On a line without a four or a five, a stone does not change the shape.
    let lines = position.lines(first, attacker).lines();
    let fours = |line: LinePattern| line.is_four() || line == LinePattern::Five;
    for (direction, _) in DIRECTIONS.into_iter().zip(lines).filter(|&(_, line)| fours(line)) {
        each_on_line(position, first, direction, |cell, steps| {
            let left = position.shape_beside(first, attacker, (direction, steps), side);
            if left != shape && stops_others(cell) {
                answers.push(cell);
            }
        });
    }
}

/// Calls `visit` for every empty cell in the window of `cell`, with its distance in steps.
#[inline(always)]
fn each_on_line(
    position: &Position,
    cell: Point,
    direction: Direction,
    mut visit: impl FnMut(Point, isize),
) {
    let half = position.tables().space().half() as isize;
    for sign in [-1, 1] {
        for distance in 1..=half {
            let other = cell.shift(direction, sign * distance);
            match position.cell(other) {
                Cell::Wall => break,
                Cell::Empty => visit(other, sign * distance),
                Cell::Black | Cell::White => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::types::{BoardSize, Rule};

    fn random_position(rule: Rule, side: i64, rng: &mut SmallRng) -> Position {
        let mut position = Position::new(BoardSize::square(side).unwrap(), rule);
        position.play(position.board().size().center());
        for _ in 0..rng.random_range(4..30) {
            let near: Vec<Point> = position.candidates().collect();
            let Some(&cell) = near.get(rng.random_range(0..near.len().max(1))) else { break };
            if position.shape(cell, position.side_to_move()) == Shape::Five {
                break;
            }
            position.play(cell);
        }
        position
    }

    /// Plays on every empty cell and checks whether the threat is gone.
    fn brute_force(position: &mut Position, shape: Shape) -> Vec<Point> {
        let side = position.side_to_move();
        let cells: Vec<Point> = position.board().empty_points().collect();
        cells
            .into_iter()
            .filter(|&cell| {
                position.with_move(cell, |after| after.count(side.opponent(), shape) == 0)
            })
            .collect()
    }

    #[test]
    fn answers_equal_brute_force() {
        let mut rng = SmallRng::seed_from_u64(2024);
        let mut seen = [0; 2];
        for round in 0..30_000 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let mut position = random_position(rule, [9, 12, 15][round % 3], &mut rng);
            let side = position.side_to_move();
            if position.count(side.opponent(), Shape::Five) > 0 {
                seen[0] += 1;
                let mut expected = brute_force(&mut position, Shape::Five);
                expected.retain(|&cell| !crate::threat::is_foul(&position, cell, side));
                let mut answers = answers_to_five(&position, side);
                answers.sort();
                assert_eq!(answers, expected, "{:?}", position.board());
                let quick = five_cell(&position, side.opponent());
                assert!(
                    quick.is_some_and(|cell| position.shape(cell, side.opponent()) == Shape::Five)
                );
            }
            if position.count(side.opponent(), Shape::StraightFour) > 0 {
                seen[1] += 1;
                let expected = brute_force(&mut position, Shape::StraightFour);
                let mut answers = Vec::new();
                answers_to_straight_four(&position, side, &mut answers);
                answers.sort();
                if rule.has_fouls(side.opponent()) {
                    // An answer may lift a foul elsewhere and so allow another straight four.
                    answers.retain(|&cell| {
                        position.with_move(cell, |after| {
                            after.count(side.opponent(), Shape::StraightFour) == 0
                        })
                    });
                }
                assert_eq!(answers, expected, "{:?}", position.board());
            }
        }
        assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
    }
}
