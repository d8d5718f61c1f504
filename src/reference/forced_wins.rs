//! Forced wins by fours and threes, by trying everything: every cell as an attack, every legal
//! move as a defence, with nothing but stones, fives and the word-for-word fouls.

use std::collections::HashMap;

use super::{after, is_foul};
use crate::board::{Board, Cell, makes_five};
use crate::types::{Color, DIRECTIONS, Direction, Point};

/// What the attacker may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Fours only.
    Fours,
    /// Fours, and moves that threaten a straight four or a four-three.
    Threats,
}

/// Tries everything, and remembers positions by their key.
pub struct Enumerator {
    goal: Goal,
    known: HashMap<(u64, u32), bool>,
    /// Positions left to try; nothing is claimed once they are used up.
    pub left: u64,
}

impl Enumerator {
    /// An enumerator that tries at most so many positions.
    pub fn new(goal: Goal, positions: u64) -> Enumerator {
        Enumerator { goal, known: HashMap::new(), left: positions }
    }

    /// Whether the side to move wins with at most `stones` stones, the five included.
    pub fn wins(&mut self, board: &Board, stones: u32) -> bool {
        if stones == 0 || self.left == 0 {
            return false;
        }
        let side = board.side_to_move();
        if !five_cells(board, side).is_empty() {
            return true;
        }
        if stones == 1 {
            return false;
        }
        if let Some(&known) = self.known.get(&(board.key(), stones)) {
            return known;
        }
        self.left -= 1;
        let fives = five_cells(board, side.opponent());
        let won = board.empty_points().any(|attack| {
            let played = after(board, attack);
            // Whatever leaves a five to the opponent loses.
            let stops = fives
                .iter()
                .all(|&five| five == attack || !makes_five(&played, five, side.opponent()));
            stops
                && self.may_attack(board, &played, attack, stones - 1, !fives.is_empty())
                && !is_foul(board, attack, side)
                && self.every_reply_loses(&played, stones - 1)
        });
        self.known.insert((board.key(), stones), won);
        won
    }

    fn every_reply_loses(&mut self, board: &Board, stones: u32) -> bool {
        let defender = board.side_to_move();
        let fives = five_cells(board, defender.opponent());
        let mut cells = board.empty_points();
        cells.all(|reply| {
            !makes_five(board, reply, defender) && {
                let replied = after(board, reply);
                let goes_on = fives
                    .iter()
                    .any(|&five| five != reply && makes_five(&replied, five, defender.opponent()));
                goes_on || is_foul(board, reply, defender) || self.wins(&replied, stones)
            }
        })
    }

    /// Whether the goal allows the attack that led from `before` to `board`.
    fn may_attack(
        &self,
        before: &Board,
        board: &Board,
        attack: Point,
        stones: u32,
        forced: bool,
    ) -> bool {
        let attacker = before.side_to_move();
        if lines(board, attack)
            .any(|cell| board.is_empty(cell) && makes_five(board, cell, attacker))
        {
            return true;
        }
        if self.goal == Goal::Fours {
            return false;
        }
        let makes_something = || {
            DIRECTIONS
                .into_iter()
                .any(|direction| is_two_or_more(board, attack, attacker, direction))
        };
        let mut passed = board.clone();
        passed.set_side(attacker);
        threatens(&passed, stones) && (forced || makes_something())
    }
}

/// The empty cells where `color` completes five, row by row.
pub fn five_cells(board: &Board, color: Color) -> Vec<Point> {
    board.empty_points().filter(|&cell| makes_five(board, cell, color)).collect()
}

/// Cells of the four lines within four steps.
fn lines(board: &Board, point: Point) -> impl Iterator<Item = Point> {
    DIRECTIONS.into_iter().flat_map(move |direction| on_line(board, point, direction))
}

/// Cells of one line within four steps, as far as nothing is in the way.
fn on_line(board: &Board, point: Point, direction: Direction) -> impl Iterator<Item = Point> {
    [-1, 1].into_iter().flat_map(move |sign| {
        (1..5)
            .map(move |steps| point.shift(direction, sign * steps))
            .take_while(|&cell| board.cell(cell) != Cell::Wall)
    })
}

/// Whether the side to move makes, with so many stones, a straight four, two fours, or a
/// four-three that goes on after its answer.
fn threatens(board: &Board, stones: u32) -> bool {
    let side = board.side_to_move();
    let other = side.opponent();
    let near = |four: &Point| {
        let own = |&cell: &Point| board.cell(cell) == Cell::stone(side);
        DIRECTIONS.into_iter().any(|line| on_line(board, *four, line).filter(own).count() > 2)
    };
    board.empty_points().filter(near).any(|four| {
        let played = after(board, four);
        let fives: Vec<Point> = lines(&played, four)
            .filter(|&cell| played.is_empty(cell) && makes_five(&played, cell, side))
            .collect();
        if fives.is_empty() || is_foul(board, four, side) {
            return false;
        }
        // What an enclosed five needs to be stopped is not told by its completing cells.
        if board.rule().five_rule(side).counts_enclosure() {
            return stones >= 2
                && played.empty_points().all(|answer| {
                    let answered = after(&played, answer);
                    fives.iter().any(|&five| five != answer && makes_five(&answered, five, side))
                });
        }
        if fives.len() > 1 {
            return stones >= 2;
        }
        let answer = fives[0];
        if stones < 3 {
            return false;
        }
        let answered = after(&played, answer);
        let counters = lines(&answered, answer)
            .any(|cell| answered.is_empty(cell) && makes_five(&answered, cell, other));
        !counters
            && DIRECTIONS.into_iter().any(|direction| {
                on_line(&answered, four, direction).any(|cell| {
                    answered.is_empty(cell)
                        && makes_two_fives(&answered, cell, direction)
                        && !is_foul(&answered, cell, side)
                })
            })
    })
}

/// Whether the side to move, on `cell`, gets two completing cells on that line.
fn makes_two_fives(board: &Board, cell: Point, direction: Direction) -> bool {
    let side = board.side_to_move();
    let played = after(board, cell);
    let completes = |&five: &Point| played.is_empty(five) && makes_five(&played, five, side);
    on_line(&played, cell, direction).filter(completes).count() > 1
}

/// Whether the stone makes an open two, a three or more on the line: one further stone makes a
/// four, or two further stones a straight four.
fn is_two_or_more(board: &Board, point: Point, color: Color, direction: Direction) -> bool {
    let mut board = board.clone();
    board.set_side(color);
    on_line(&board, point, direction).filter(|&cell| board.is_empty(cell)).any(|cell| {
        let mut more = after(&board, cell);
        more.set_side(color);
        on_line(&more, point, direction).filter(|&five| more.is_empty(five)).any(|third| {
            makes_five(&more, third, color) || makes_two_fives(&more, third, direction)
        })
    })
}
