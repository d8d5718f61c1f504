//! The order in which a node tries its moves.

use super::frame::Frame;
use super::move_list::ScoredMove;
use super::params as p;
use super::worker::Worker;
use crate::movegen;
use tengen_rules::position::LastStones;
use tengen_rules::threat::StaticResult;
use tengen_rules::types::Point;

/// State of the moves of one node: the table move first, then the others by the score of the
/// evaluator, the histories and the killers. The others are generated and scored only when the
/// first of them is needed, because the table move often causes a cutoff. There are no counter
/// moves: the continuation history one ply back covers them (lab/0032).
pub(super) struct Picker {
    ply: usize,
    result: StaticResult,
    last: LastStones,
    tt_move: Option<Point>,
    stage: Stage,
    /// Score of the first move after the table move.
    best_score: Option<i32>,
}

/// The next action of a picker.
#[derive(Clone, Copy)]
enum Stage {
    TableMove,
    Generate(Part),
    /// Pick a move of this part; the number is that of its moves already picked.
    Pick(Part, usize),
}

/// The moves are generated and scored in two parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The cells near a stone, which nearly always decide the node.
    Near,
    /// The cells far from every stone.
    Far,
}

/// A picked move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    pub(super) point: Point,
    /// How far its score is below that of the first move after the table move: 0 for the table
    /// move, negative for a far move with a better score.
    pub(super) gap: i32,
}

impl Picker {
    pub(super) fn new(
        ply: usize,
        result: StaticResult,
        last: LastStones,
        tt_move: Option<Point>,
    ) -> Picker {
        Picker { ply, result, last, tt_move, stage: Stage::TableMove, best_score: None }
    }
}

impl Worker {
    /// The next move of the node that `picker` belongs to, the one with the highest score first.
    #[inline]
    pub(super) fn next_move(&mut self, picker: &mut Picker) -> Option<Picked> {
        if let Stage::TableMove = picker.stage {
            picker.stage = Stage::Generate(Part::Near);
            // An entry of another position with the same key may contain any cell.
            if let Some(point) = picker.tt_move.filter(|&at| self.position.is_empty(at)) {
                return Some(Picked { point, gap: 0 });
            }
        }
        loop {
            if let Stage::Generate(part) = picker.stage {
                self.generate_moves(picker, part);
                picker.stage = Stage::Pick(part, 0);
            }
            let Stage::Pick(part, picked) = picker.stage else { return None };
            if let Some(ScoredMove { point, score }) =
                self.frames[picker.ply].moves.take_best(picked)
            {
                picker.stage = Stage::Pick(part, picked + 1);
                return Some(Picked {
                    point,
                    gap: *picker.best_score.get_or_insert(score) - score,
                });
            }
            // If a threat must be answered, there is only the first part.
            if part == Part::Far || picker.result != StaticResult::NoThreat {
                return None;
            }
            picker.stage = Stage::Generate(Part::Far);
        }
    }

    /// Raises the score of the cell where the opponent refuted the move that `picker` returned
    /// last.
    pub(super) fn boost_refutation_cell(&mut self, picker: &Picker) {
        let refutation = self.frames[picker.ply + 1].killers[0];
        let frame = &mut self.frames[picker.ply];
        frame.refutation = refutation;
        if let (Stage::Pick(_, picked), Some(point)) = (picker.stage, refutation) {
            frame.moves.raise(picked, point, p::order_refutation());
        }
    }

    /// Fills the frame of the node with a part of its moves and their scores, except the table
    /// move.
    fn generate_moves(&mut self, picker: &Picker, part: Part) {
        let generate = match part {
            Part::Near => movegen::generate_near,
            Part::Far => movegen::generate_far,
        };
        generate(&self.position, picker.result, &mut self.points);
        if let Some(place) = self.points.iter().position(|&point| Some(point) == picker.tt_move) {
            self.points.remove(place);
        }
        self.evaluator.score_moves(&self.position, picker.last, &self.points, &mut self.scores);

        let history = self.histories.after(self.position.side_to_move(), picker.last);
        let Frame { moves, killers, refutation, .. } = &mut self.frames[picker.ply];
        let (main, one_ply, two_plies) =
            (p::order_main(), p::order_one_ply(), p::order_two_plies());
        let scores = self.points.iter().zip(&self.scores).map(|(&point, &score)| {
            let known = history.of(point);
            let learned = known.main * main + known.one_ply * one_ply + known.two_plies * two_plies;
            let killer = if killers.contains(&Some(point)) { p::order_killer() } else { 0 };
            let refutes = if *refutation == Some(point) { p::order_refutation() } else { 0 };
            score + learned / p::ORDER_SCALE + killer + refutes
        });
        moves.fill(&self.points, scores);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::position::Position;
    use tengen_rules::threat::static_result;
    use tengen_rules::types::{BoardSize, Rule};
    use tengen_testkit::random_walk;

    /// The table move may be a move of the node, another cell, a stone or nothing.
    #[test]
    fn every_move_comes_once_and_the_table_move_first() {
        let mut seen = 0;
        for rule in Rule::ALL {
            let mut worker = Worker::new(Position::new(BoardSize::square(15).unwrap(), rule));
            let mut start = Position::new(BoardSize::square(15).unwrap(), rule);
            let mut positions = Vec::new();
            random_walk(&mut start, 9 + rule.index() as u64, 50, |at| positions.push(at.clone()));
            for position in positions {
                let result = static_result(&position);
                let mut expected = Vec::new();
                movegen::generate(&position, result, &mut expected);
                let named = [None, expected.first().copied(), expected.last().copied()];
                let stone = position.board().last().map(|stone| stone.point);
                worker.set_position(position.clone());
                for tt_move in named.into_iter().chain([stone]) {
                    let mut picker = Picker::new(3, result, position.last_stones(), tt_move);
                    let mut picked = Vec::new();
                    while let Some(next) = worker.next_move(&mut picker) {
                        picked.push(next.point);
                    }
                    if let Some(point) = tt_move.filter(|&point| position.is_empty(point)) {
                        assert_eq!(picked[0], point);
                    }
                    picked.sort();
                    expected.sort();
                    assert_eq!(picked, expected);
                    seen += picked.len();
                }
            }
        }
        assert!(seen > 10_000, "{seen}");
    }

    /// With and without the other moves already scored.
    #[test]
    fn refutation_cell_comes_earlier() {
        let mut worker = Worker::new(Position::new(BoardSize::square(15).unwrap(), Rule::Renju));
        random_walk(&mut worker.position, 4, 30, |_| ());
        let (result, last) = (static_result(&worker.position), worker.position.last_stones());
        let mut all = |first: Option<Point>, refutation: Option<Point>| {
            worker.frames[0].refutation = None;
            let mut picker = Picker::new(0, result, last, first);
            let first = worker.next_move(&mut picker).unwrap();
            worker.frames[1].killers[0] = refutation;
            worker.boost_refutation_cell(&picker);
            let rest = std::iter::from_fn(|| worker.next_move(&mut picker));
            [first].into_iter().chain(rest).collect::<Vec<_>>()
        };
        let plain = all(None, None);
        let last = plain.len() / 4;
        let (best, refutation) = (plain[0].point, plain[last].point);
        for first in [None, Some(best)] {
            let moves = all(first, Some(refutation));
            let place = moves.iter().position(|next| next.point == refutation).unwrap();
            assert!(place < last, "{place}");
            if first.is_none() {
                assert_eq!(moves[place].gap, plain[last].gap - p::order_refutation());
            }
        }
    }

    #[test]
    fn near_moves_come_by_falling_score_before_far_ones() {
        let mut worker = Worker::new(Position::new(BoardSize::square(15).unwrap(), Rule::Renju));
        random_walk(&mut worker.position, 4, 30, |_| ());
        let (result, last) = (static_result(&worker.position), worker.position.last_stones());
        let mut picker = Picker::new(0, result, last, None);
        let picked: Vec<Picked> = std::iter::from_fn(|| worker.next_move(&mut picker)).collect();
        let near = worker.position.near_candidates().count();
        let (near, far) = picked.split_at(near);
        for part in [near, far] {
            assert!(part.len() > 10 && part.is_sorted_by_key(|next| next.gap), "{part:?}");
        }
        assert_eq!(near[0].gap, 0);
        let stones = worker.position.board().history();
        let distance = |point: Point| stones.iter().map(|stone| stone.point.distance(point)).min();
        assert!(near.iter().all(|next| distance(next.point) <= Some(2)));
        assert!(far.iter().all(|next| distance(next.point) > Some(2)));
    }
}
