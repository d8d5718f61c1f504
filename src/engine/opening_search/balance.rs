//! Finds the most even of many positions.

use super::{Choice, OpeningSearch, candidates, score_of};
use crate::engine::clock::without_margin;
use crate::engine::{Limits, Observer, Progress, Request};
use crate::moment::Instant;
use crate::proved::ProvedResult;
use tengen_rules::board::Board;
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::{Point, Score};

/// Nodes visited for each candidate in the first round.
const FIRST_ROUND_NODES: u64 = 1000;

/// Moves and the imbalance of the position after them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balanced<const N: usize> {
    /// The moves.
    pub(super) moves: [Point; N],
    /// Distance of the score from the target, plus its swing.
    pub(super) imbalance: i32,
    /// The score of the side to move after the moves; `None` before the first search.
    value: Option<i32>,
}

/// Two moves, one for each side, and the value of the position after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BalancedPair {
    /// The moves, the side to move's first.
    pub moves: [Point; 2],
    /// The score of the side to move after them.
    pub score: Score,
}

/// The result of a search of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Value for the side to move.
    pub(super) value: i32,
    /// Change of the value over the last iterations.
    pub(super) swing: i32,
    /// The best move.
    pub(super) best: Option<Point>,
    /// Whether time ended the search.
    cut: bool,
}

impl Outlook {
    /// The choice of a colour: stay with the best move, or swap.
    pub(super) fn side(&self) -> Choice {
        match self.best {
            Some(best) if self.value >= 0 => Choice::Stay(best),
            _ => Choice::Swap,
        }
    }
}

/// Records the score of every iteration.
#[derive(Default)]
struct Scores(Vec<i32>);

impl Observer for Scores {
    fn iteration(&mut self, progress: &Progress<'_>) {
        if progress.rank == 0 {
            self.0.push(progress.line.score.value());
        }
    }
}

impl Scores {
    /// The mean of the last two iterations, whose single scores are noisy, and its distance from the
    /// mean of the two before. `None` before the second iteration.
    fn settled(&self) -> Option<(i32, i32)> {
        let mut pairs = self.0.rchunks_exact(2).map(|pair| (pair[0] + pair[1]) / 2);
        let value = pairs.next()?;
        Some((value, pairs.next().map_or(0, |before| (value - before).abs())))
    }
}

impl OpeningSearch<'_> {
    /// The proved result of a position, else that of a search until `end`, within the node limit.
    pub(super) fn judge(&mut self, board: &Board, end: Instant) -> Outlook {
        let Some(proved) = self.proved_result(board) else {
            return self.judge_by_search(board, end);
        };
        self.proved_winner = Some(proved.winner(board.side_to_move()));
        let best = match proved {
            ProvedResult::Win(best) => Some(best),
            ProvedResult::Loss => None,
        };
        Outlook { value: score_of(proved).value(), swing: 0, best, cut: false }
    }

    /// Searches a position until `end`, within the node limit.
    pub(super) fn judge_by_search(&mut self, board: &Board, end: Instant) -> Outlook {
        self.search(board, end, self.nodes)
    }

    fn search(&mut self, board: &Board, end: Instant, nodes: Option<u64>) -> Outlook {
        let now = Instant::now();
        let turn = end.saturating_duration_since(now);
        let limits = Limits { nodes, ..Limits::turn(turn) };
        let mut scores = Scores::default();
        let position = Position::from_board(board);
        let request = Request::new(limits).received_at(now);
        let report = self.engine.think(&position, &request, self.stop, &mut scores);
        let score = report.lines.first().map_or(Score::DRAW, |line| line.score);
        // A forced result is certain at any depth.
        let settled = if score.is_forced() { None } else { scores.settled() };
        let (value, swing) = settled.unwrap_or((score.value(), 0));
        Outlook { value, swing, best: report.best(), cut: report.elapsed >= without_margin(turn) }
    }

    /// The candidate after which the score of the side to move is nearest to `target` and swings
    /// least. `None` if every candidate ends the game or contains a foul.
    ///
    /// Searches in rounds, each with half of the candidates and twice the nodes of the previous
    /// round, until one candidate is left or the time is over. A candidate that is proved to be won
    /// by a side is chosen if that is the target; otherwise only if all candidates are proved.
    pub(super) fn most_balanced<const N: usize>(
        &mut self,
        board: &Board,
        candidates: &[[Point; N]],
        target: i32,
    ) -> Option<Balanced<N>> {
        self.ranked(board, candidates, target, |_| {}).into_iter().next()
    }

    /// Like [`OpeningSearch::most_balanced`]: the candidates of the last round, the most balanced first,
    /// then the proved ones. `report` receives all candidates of each round in this order, without
    /// the proved ones.
    fn ranked<const N: usize>(
        &mut self,
        board: &Board,
        candidates: &[[Point; N]],
        target: i32,
        mut report: impl FnMut(&[Balanced<N>]),
    ) -> Vec<Balanced<N>> {
        let mut field: Vec<(Balanced<N>, Board)> = Vec::new();
        let mut decided: Vec<Balanced<N>> = Vec::new();
        for &moves in candidates {
            // Check the time, because large boards have hundreds of candidates.
            if !field.is_empty() && self.is_over() {
                break;
            }
            let Some(after) = played(board, &moves) else { continue };
            match self.proved_score(&after).map(Score::value) {
                Some(value) => {
                    let imbalance = (value - target).abs();
                    decided.push(Balanced { moves, imbalance, value: Some(value) });
                }
                None => field.push((Balanced { moves, imbalance: i32::MAX, value: None }, after)),
            }
        }
        decided.sort_by_key(|candidate| candidate.imbalance);
        if decided.first().is_some_and(|candidate| candidate.imbalance == 0) {
            return decided;
        }
        let mut nodes = FIRST_ROUND_NODES;
        while field.len() > 1 && !self.is_over() {
            let mut is_over = false;
            for (candidate, after) in &mut field {
                let outlook = self.search(after, self.end, Some(nodes));
                // A search that was cut short is less reliable than the previous round.
                is_over = outlook.cut || self.is_over();
                if is_over {
                    break;
                }
                candidate.imbalance = (outlook.value - target).abs() + outlook.swing;
                candidate.value = Some(outlook.value);
            }
            field.sort_by_key(|(candidate, _)| candidate.imbalance);
            let ranked: Vec<Balanced<N>> = field.iter().map(|&(candidate, _)| candidate).collect();
            report(&ranked);
            if is_over {
                break;
            }
            field.truncate(field.len().div_ceil(2));
            nodes *= 2;
        }
        field.into_iter().map(|(candidate, _)| candidate).chain(decided).collect()
    }

    /// Like [`OpeningSearch::most_balanced`], for single moves.
    pub(super) fn most_balanced_move(
        &mut self,
        board: &Board,
        points: impl IntoIterator<Item = Point>,
        target: i32,
    ) -> Option<Point> {
        let moves: Vec<[Point; 1]> = points.into_iter().map(|point| [point]).collect();
        self.most_balanced(board, &moves, target).map(|found| found.moves[0])
    }

    /// Like [`OpeningSearch::most_balanced`], for random pairs of moves, one for each side.
    pub(super) fn most_balanced_pair(
        &mut self,
        board: &Board,
        target: i32,
        excluded: &[Point],
    ) -> Option<Balanced<2>> {
        let pairs = candidates::pairs(board, excluded, &mut self.random);
        self.most_balanced(board, &pairs, target)
    }

    /// Pairs of moves, one for each side and none of them in `excluded`, after which the position is
    /// as even as possible: at most `count`, the most even first. `report` receives the pairs found
    /// so far.
    pub fn balanced_pairs(
        &mut self,
        board: &Board,
        excluded: &[Point],
        count: usize,
        mut report: impl FnMut(&[BalancedPair]),
    ) -> Vec<BalancedPair> {
        let pairs = candidates::pairs(board, excluded, &mut self.random);
        let mut best = Vec::new();
        self.ranked(board, &pairs, 0, |ranked| {
            // The last rounds have fewer candidates than are wanted: those of earlier rounds follow.
            let mut found: Vec<BalancedPair> = ranked.iter().filter_map(Balanced::pair).collect();
            let older = best
                .iter()
                .filter(|old: &&BalancedPair| found.iter().all(|new| new.moves != old.moves));
            let older: Vec<BalancedPair> = older.copied().collect();
            found.extend(older);
            found.truncate(count);
            report(&found);
            best = found;
        });
        best
    }
}

impl Balanced<2> {
    /// The pair with its value, if it was searched.
    fn pair(&self) -> Option<BalancedPair> {
        self.value.map(|value| BalancedPair { moves: self.moves, score: Score::raw(value) })
    }
}

/// The board after the moves; `None` when one of them is a foul or ends the game.
fn played(board: &Board, moves: &[Point]) -> Option<Board> {
    let mut game = Game::from_board(board);
    let is_open = moves.iter().all(|&point| game.play(point).is_none());
    is_open.then(|| game.board().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_settle_over_pairs_of_iterations() {
        assert_eq!(Scores(vec![]).settled(), None);
        assert_eq!(Scores(vec![5]).settled(), None);
        assert_eq!(Scores(vec![100, -20]).settled(), Some((40, 0)));
        assert_eq!(Scores(vec![900, 100, -20, 150, -50]).settled(), Some((50, 10)));
    }
}
