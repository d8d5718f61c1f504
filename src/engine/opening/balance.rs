//! Which of many positions is the most even one.

use std::time::Instant;

use super::{Opening, candidates};
use crate::board::{Board, makes_five};
use crate::engine::{Limits, Observer, Progress, Request};
use crate::position::Position;
use crate::threat::is_foul;
use crate::types::{Point, Score};

/// Positions visited for each candidate in the first round.
const FIRST_ROUND_NODES: u64 = 1000;
/// Iterations over which a score's swing is measured.
const SWING_ITERATIONS: usize = 4;

/// Moves and how even the position after them is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balanced<const N: usize> {
    /// The moves, from the position asked about.
    pub(super) moves: [Point; N],
    /// Distance of the score from what was wanted, and its swing.
    pub(super) imbalance: i32,
}

/// What a search says about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Value for the side to move.
    pub(super) score: Score,
    /// How far the score moved over the last iterations.
    pub(super) swing: i32,
    /// The best move.
    pub(super) best: Option<Point>,
}

/// Remembers the score of every iteration.
#[derive(Default)]
struct Scores(Vec<i32>);

impl Observer for Scores {
    fn iteration(&mut self, progress: Progress<'_>) {
        if progress.rank == 0 {
            self.0.push(progress.line.score.value());
        }
    }
}

impl Scores {
    fn swing(&self) -> i32 {
        let last = &self.0[self.0.len().saturating_sub(SWING_ITERATIONS)..];
        let span = |most: Option<&i32>, least: Option<&i32>| Some(most? - least?);
        span(last.iter().max(), last.iter().min()).unwrap_or(0)
    }
}

impl Opening<'_> {
    /// Searches a position until `end`.
    pub(super) fn judge(&mut self, board: &Board, end: Instant) -> Outlook {
        self.search(board, end, None)
    }

    fn search(&mut self, board: &Board, end: Instant, nodes: Option<u64>) -> Outlook {
        let mut limits = Limits { nodes, ..Limits::unlimited() };
        limits.turn = Some(end.saturating_duration_since(limits.received));
        let mut scores = Scores::default();
        let position = Position::from_board(board);
        let request = Request::best_move(limits);
        let report = self.engine.think(&position, &request, self.stop, &mut scores);
        let score = report.lines.first().map_or(Score::DRAW, |line| line.score);
        // A forced result is certain, however late it was found.
        let swing = if score.is_forced() { 0 } else { scores.swing() };
        Outlook { score, swing, best: report.best() }
    }

    /// Of all candidates the one after which the score of the side to move is nearest to
    /// `target` and swings least. `None` when every candidate ends the game or is a foul.
    ///
    /// Rounds of searches, each with half of the candidates and twice the positions of the round
    /// before, until one is left or the time is over.
    pub(super) fn most_balanced<const N: usize>(
        &mut self,
        board: &Board,
        candidates: &[[Point; N]],
        target: i32,
    ) -> Option<Balanced<N>> {
        let mut field: Vec<(Balanced<N>, Board)> = candidates
            .iter()
            .filter_map(|&moves| {
                Some((Balanced { moves, imbalance: i32::MAX }, played(board, &moves)?))
            })
            .collect();
        let mut nodes = FIRST_ROUND_NODES;
        while field.len() > 1 && !self.is_over() {
            for (candidate, after) in &mut field {
                let outlook = self.search(after, self.end, Some(nodes));
                if self.is_over() {
                    break;
                }
                candidate.imbalance = (outlook.score.value() - target).abs() + outlook.swing;
            }
            field.sort_by_key(|(candidate, _)| candidate.imbalance);
            if !self.is_over() {
                field.truncate(field.len().div_ceil(2));
            }
            nodes *= 2;
        }
        field.first().map(|&(candidate, _)| candidate)
    }

    /// Of many pairs of moves, one for each side, the one that leads nearest to `target`.
    pub(super) fn most_balanced_pair(&mut self, board: &Board, target: i32) -> Option<Balanced<2>> {
        let pairs = candidates::pairs(board, &mut self.random);
        self.most_balanced(board, &pairs, target)
    }
}

/// The board after the moves; `None` when one of them is a foul or ends the game.
fn played(board: &Board, moves: &[Point]) -> Option<Board> {
    let mut board = board.clone();
    for &point in moves {
        let side = board.side_to_move();
        if makes_five(&board, point, side) || is_foul(&Position::from_board(&board), point, side) {
            return None;
        }
        board.place(point, side);
    }
    (board.empty_count() > 0).then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swing_of_the_last_iterations() {
        assert_eq!(Scores(vec![]).swing(), 0);
        assert_eq!(Scores(vec![5]).swing(), 0);
        assert_eq!(Scores(vec![900, 10, -20, 5, 30]).swing(), 50);
    }
}
