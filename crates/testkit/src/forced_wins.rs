//! Finds forced wins by fours and threes by brute force: every cell is tried as an attack, every
//! legal move as a defence. Only stones, fives and the reference implementation of fouls are used.
//!
//! Three optimizations make this fast enough for a hundred thousand positions without skipping any
//! move: fours are only searched on lines with three stones of the side; replies near the attack,
//! which are most likely to hold, are tried first; and the most expensive test of a reply, for a
//! foul, comes last.

use std::collections::HashMap;

use super::is_foul;
use tengen_rules::board::{Board, Cell, makes_five};
use tengen_rules::types::{Color, DIRECTIONS, Direction, Point};

/// The moves that the attacker may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Fours only.
    Fours,
    /// Fours, and moves that threaten a straight four or a four-three.
    Threats,
}

/// A brute-force solver with a table of known positions.
pub struct Enumerator {
    goal: Goal,
    known: HashMap<(u64, u32), bool>,
    /// Number of positions that may still be searched; no win is claimed after the last one.
    pub left: u64,
}

impl Enumerator {
    /// A solver that searches at most this many positions.
    pub fn new(goal: Goal, positions: u64) -> Enumerator {
        Enumerator { goal, known: HashMap::new(), left: positions }
    }

    /// Whether the side to move wins with at most `stones` stones, including the five.
    pub fn wins(&mut self, board: &mut Board, stones: u32) -> bool {
        if stones == 0 || self.left == 0 {
            return false;
        }
        let side = board.side_to_move();
        if board.empty_points().any(|cell| makes_five(board, cell, side)) {
            return true;
        }
        if stones == 1 {
            return false;
        }
        if let Some(&known) = self.known.get(&(board.key(), stones)) {
            return known;
        }
        self.left -= 1;
        let fives = quick_five_cells(board, side.opponent());
        let attacks: Vec<Point> = board.empty_points().collect();
        let won = attacks.into_iter().any(|attack| {
            let attacked = |board: &mut Board| {
                // A move that leaves the opponent a five loses.
                let mut left = fives.iter().filter(|&&five| five != attack);
                !left.any(|&five| makes_five(board, five, side.opponent()))
                    && self.may_attack(board, attack, stones - 1, !fives.is_empty())
                    && self.every_reply_loses(board, stones - 1)
            };
            with_move(board, attack, attacked) && !is_foul(board, attack, side)
        });
        self.known.insert((board.key(), stones), won);
        won
    }

    /// Whether every reply of the side to move loses.
    fn every_reply_loses(&mut self, board: &mut Board, stones: u32) -> bool {
        let defender = board.side_to_move();
        let fives = quick_five_cells(board, defender.opponent());
        let mut replies: Vec<Point> = board.empty_points().collect();
        if let Some(attack) = board.last() {
            replies.sort_by_key(|reply| reply.distance(attack.point));
        }
        replies.into_iter().all(|reply| {
            let lost = |board: &mut Board| {
                let mut left = fives.iter().filter(|&&five| five != reply);
                left.any(|&five| makes_five(board, five, defender.opponent()))
                    || self.wins(board, stones)
            };
            !makes_five(board, reply, defender)
                && (with_move(board, reply, lost) || is_foul(board, reply, defender))
        })
    }

    /// Whether the goal allows the attack that was just played.
    fn may_attack(&self, board: &mut Board, attack: Point, stones: u32, forced: bool) -> bool {
        let attacker = board.side_to_move().opponent();
        if completions(board, attack, attacker).next().is_some() {
            return true;
        }
        if self.goal == Goal::Fours {
            return false;
        }
        board.set_side(attacker);
        let makes_something = |board: &mut Board| {
            DIRECTIONS
                .into_iter()
                .any(|direction| is_two_or_more(board, attack, attacker, direction))
        };
        let allowed = threatens(board, stones) && (forced || makes_something(board));
        board.set_side(attacker.opponent());
        allowed
    }
}

/// Calls `look` with the board after a move of the side to move, and undoes the move.
fn with_move<T>(board: &mut Board, point: Point, look: impl FnOnce(&mut Board) -> T) -> T {
    board.with_stone(point, board.side_to_move(), look)
}

/// The empty cells where `color` completes five, row by row. Since this runs at every node, it uses
/// the engine's board, which `outcome_tests` compares with the reference implementation.
pub fn quick_five_cells(board: &Board, color: Color) -> Vec<Point> {
    board.empty_points().filter(|&cell| makes_five(board, cell, color)).collect()
}

/// The empty cells where the stone of `color` on `point` may become part of a five.
fn completions(board: &Board, point: Point, color: Color) -> impl Iterator<Item = Point> {
    let lines = DIRECTIONS.into_iter().filter(move |&direction| {
        on_line(board, point, direction)
            .filter(|&cell| board.cell(cell) == Cell::stone(color))
            .count()
            > 2
    });
    let cells = lines.flat_map(move |direction| on_line(board, point, direction));
    cells.filter(move |&cell| board.is_empty(cell) && makes_five(board, cell, color))
}

/// Cells of a line within four steps, up to a wall on each side.
fn on_line(board: &Board, point: Point, direction: Direction) -> impl Iterator<Item = Point> {
    [-1, 1].into_iter().flat_map(move |sign| {
        (1..5)
            .map(move |steps| point.shift(direction, sign * steps))
            .take_while(|&cell| board.cell(cell) != Cell::Wall)
    })
}

/// Whether the side to move can make, with `stones` stones left, a straight four, two fours, or a
/// four-three that continues after its answer.
fn threatens(board: &mut Board, stones: u32) -> bool {
    // At least a four and a five are needed.
    if stones < 2 {
        return false;
    }
    let side = board.side_to_move();
    let other = side.opponent();
    let cells: Vec<Point> = board.empty_points().collect();
    cells.into_iter().any(|four| {
        let carried_out = |board: &mut Board| {
            let fives: Vec<Point> = completions(board, four, side).collect();
            if fives.is_empty() {
                return false;
            }
            // If enclosed fives do not count, a four may also be stopped away from the cells that
            // complete it.
            if board.rule().five_rule(side).counts_enclosure() {
                let stops = |board: &mut Board, answer: Point| {
                    with_move(board, answer, |board| {
                        let mut left = fives.iter().filter(|&&five| five != answer);
                        !left.any(|&five| makes_five(board, five, side))
                    })
                };
                let answers: Vec<Point> = board.empty_points().collect();
                return stones >= 2 && !answers.into_iter().any(|answer| stops(board, answer));
            }
            if fives.len() > 1 {
                return stones >= 2;
            }
            let answer = fives[0];
            stones >= 3
                && with_move(board, answer, |board| {
                    completions(board, answer, other).next().is_none()
                        && DIRECTIONS.into_iter().any(|direction| {
                            let cells: Vec<Point> = on_line(board, four, direction).collect();
                            cells.into_iter().any(|cell| {
                                board.is_empty(cell)
                                    && makes_two_fives(board, cell, direction)
                                    && !is_foul(board, cell, side)
                            })
                        })
                })
        };
        with_move(board, four, carried_out) && !is_foul(board, four, side)
    })
}

/// Whether a stone of the side to move on `cell` makes two cells of the line complete a five.
fn makes_two_fives(board: &mut Board, cell: Point, direction: Direction) -> bool {
    let side = board.side_to_move();
    with_move(board, cell, |board| {
        let completes = |&five: &Point| board.is_empty(five) && makes_five(board, five, side);
        on_line(board, cell, direction).filter(completes).count() > 1
    })
}

/// Whether the stone makes an open two, a three or more on the line: two more stones of `color` make
/// a five or a straight four. `color` is to move.
fn is_two_or_more(board: &mut Board, point: Point, color: Color, direction: Direction) -> bool {
    let free = |board: &Board, cell: Point| {
        on_line(board, cell, direction).filter(|&cell| board.is_empty(cell)).collect::<Vec<_>>()
    };
    free(board, point).into_iter().any(|cell| {
        with_move(board, cell, |board| {
            board.set_side(color);
            let found = free(board, point).into_iter().any(|third| {
                makes_five(board, third, color) || makes_two_fives(board, third, direction)
            });
            board.set_side(color.opponent());
            found
        })
    })
}
