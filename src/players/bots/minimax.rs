//! Minimax of a fixed depth over a fixed number of candidates, with alpha-beta cutoffs, as in many
//! textbooks.

use super::one_ply::{Weights, cell_value, worth};
use crate::engine::{Request, StopSwitch};
use crate::movegen::first_move;
use crate::players::{Player, legal_moves};
use crate::random::Random;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// Score of a five, reduced by one for every ply before it.
const WIN: i64 = 1_000_000_000;
/// Bound of all scores.
const LIMIT: i64 = 2 * WIN;

/// A minimax player.
pub(super) struct Minimax {
    depth: u32,
    width: usize,
    random: Random,
}

impl Minimax {
    /// A player that searches `depth` plies and `width` moves of each position.
    pub(super) fn new(depth: u32, width: usize, random: Random) -> Minimax {
        Minimax { depth, width, random }
    }

    /// The moves with the highest pattern values, best first.
    fn candidates(&self, position: &Position) -> Vec<Point> {
        let side = position.side_to_move();
        let mut cells: Vec<(Point, f32)> = legal_moves(position)
            .into_iter()
            .map(|cell| (cell, worth(position, cell, side, Weights::EVEN)))
            .collect();
        cells.sort_by(|a, b| b.1.total_cmp(&a.1));
        cells.truncate(self.width);
        cells.into_iter().map(|cell| cell.0).collect()
    }

    /// Value of `cell` for its mover, searched `depth` plies including it.
    fn after(
        &self,
        position: &mut Position,
        cell: Point,
        depth: u32,
        (alpha, beta): (i64, i64),
        over: &dyn Fn() -> bool,
    ) -> i64 {
        if position.shape(cell, position.side_to_move()) == Shape::Five {
            return WIN + i64::from(depth);
        }
        position.with_move(cell, |after| -self.search(after, depth - 1, (-beta, -alpha), over))
    }

    fn search(
        &self,
        position: &mut Position,
        depth: u32,
        (mut alpha, beta): (i64, i64),
        over: &dyn Fn() -> bool,
    ) -> i64 {
        if position.board().empty_count() == 0 {
            return 0;
        }
        if depth == 0 || over() {
            return evaluate(position);
        }
        let mut best = -LIMIT;
        for cell in self.candidates(position) {
            let value = self.after(position, cell, depth, (alpha, beta), over);
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The moves with the best value after a search of `depth` plies. Once `over` returns true, the
    /// remaining positions are evaluated statically, so that only the result of one ply is always
    /// exact.
    fn best_moves(
        &self,
        position: &mut Position,
        depth: u32,
        over: &dyn Fn() -> bool,
    ) -> Vec<Point> {
        let mut best = -LIMIT;
        let mut equal: Vec<Point> = Vec::new();
        for cell in self.candidates(position) {
            // A bound below the best value distinguishes equal moves from worse ones.
            let window = (best - 1, LIMIT);
            let value = self.after(position, cell, depth, window, over);
            if value > best {
                equal.clear();
            }
            if value >= best {
                equal.push(cell);
            }
            best = best.max(value);
        }
        equal
    }
}

/// The pattern values of all candidates for the side to move, minus those for the opponent.
fn evaluate(position: &Position) -> i64 {
    let side = position.side_to_move();
    let cell_balance = |cell: Point| {
        cell_value(position, cell, side) - cell_value(position, cell, side.opponent())
    };
    position.candidates().map(cell_balance).sum()
}

impl Player for Minimax {
    fn choose(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
    ) -> Option<Point> {
        if position.board().history().is_empty() {
            return first_move(position, &[]);
        }
        let start = request.start();
        let time = request.limits.planned(position.board());
        let is_late = || time.is_some_and(|time| start.elapsed() >= time);
        let over = || stop.is_pressed() || is_late();
        let mut position = position.clone();
        let mut best = Vec::new();
        for depth in 1..=self.depth {
            let found = self.best_moves(&mut position, depth, &over);
            if depth > 1 && over() {
                break;
            }
            best = found;
        }
        self.random.choose(&best).copied()
    }

    fn new_game(&mut self) {}
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;
    use crate::engine::Limits;
    use tengen_rules::types::{BoardSize, Rule};

    fn random_position(round: usize, random: &mut Random) -> Position {
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let mut position = Position::new(BoardSize::square(9).unwrap(), rule);
        for _ in 0..3 + random.below(9) {
            let side = position.side_to_move();
            let free: Vec<Point> = legal_moves(&position)
                .into_iter()
                .filter(|&cell| position.shape(cell, side) < Shape::Four)
                .collect();
            let Some(&cell) = random.choose(&free) else { break };
            position.play(cell);
        }
        position
    }

    /// Minimax without cutoffs.
    fn plain(player: &Minimax, position: &mut Position, depth: u32) -> i64 {
        if depth == 0 {
            return evaluate(position);
        }
        let mut best = -LIMIT;
        for cell in player.candidates(position) {
            let value = if position.shape(cell, position.side_to_move()) == Shape::Five {
                WIN + i64::from(depth)
            } else {
                position.with_move(cell, |after| -plain(player, after, depth - 1))
            };
            best = best.max(value);
        }
        best
    }

    #[test]
    fn cutoffs_do_not_change_the_value() {
        let mut random = Random::new(3);
        let player = Minimax::new(3, 5, Random::new(0));
        for round in 0..40 {
            let mut position = random_position(round, &mut random);
            let searched = player.search(&mut position, 3, (-LIMIT, LIMIT), &|| false);
            assert_eq!(searched, plain(&player, &mut position, 3), "{:?}", position.board());
        }
    }

    #[test]
    fn without_time_one_ply_is_searched() {
        let mut random = Random::new(4);
        let mut player = Minimax::new(5, 15, Random::new(0));
        let no_turn = Request::new(Limits::turn(Duration::ZERO));
        let no_game = Request::new(Limits::unlimited().with_clock(Duration::ZERO, Duration::ZERO));
        for round in 0..20 {
            let mut position = random_position(round, &mut random);
            let one_ply = player.best_moves(&mut position, 1, &|| false);
            for request in [&no_turn, &no_game] {
                let chosen = player.choose(&position, request, &StopSwitch::new()).unwrap();
                assert!(one_ply.contains(&chosen), "{chosen} on {:?}", position.board());
            }
            let looks = Cell::new(0);
            let over = || {
                looks.set(looks.get() + 1);
                true
            };
            player.best_moves(&mut position, 5, &over);
            assert!(looks.get() <= 15, "one for each move: {}", looks.get());
        }
    }
}
