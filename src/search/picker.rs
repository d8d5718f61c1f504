//! The order in which a node tries its moves.

use super::params as p;
use super::worker::Worker;
use crate::movegen;
use crate::position::LastStones;
use crate::threat::Situation;
use crate::types::Point;

/// A move and how promising it looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) point: Point,
    pub(super) score: i32,
}

impl ScoredMove {
    /// Above every other score: the table's move.
    const TABLE_MOVE: i32 = i32::MAX;

    /// How much less promising the move is than `best`, the most promising one besides the
    /// table's, which is set where this is the first.
    #[inline]
    pub(super) fn behind(self, best: &mut Option<i32>) -> i32 {
        if self.score == ScoredMove::TABLE_MOVE {
            return 0;
        }
        *best.get_or_insert(self.score) - self.score
    }
}

/// Hands out the moves of one node. The others than the table's are generated and scored when
/// the first of them is asked for: often the table's move cuts and they never are.
pub(super) struct Picker {
    ply: usize,
    situation: Situation,
    last: LastStones,
    table_move: Option<Point>,
    stage: Stage,
}

/// What a picker does next.
#[derive(Clone, Copy)]
enum Stage {
    TableMove,
    Generate,
    /// So many of the generated moves have been handed out.
    Pick(usize),
}

impl Picker {
    pub(super) fn new(
        ply: usize,
        situation: Situation,
        last: LastStones,
        table_move: Option<Point>,
    ) -> Picker {
        Picker { ply, situation, last, table_move, stage: Stage::TableMove }
    }
}

impl Worker {
    /// The next move of the node that `picker` belongs to, the most promising first.
    #[inline]
    pub(super) fn next_move(&mut self, picker: &mut Picker) -> Option<ScoredMove> {
        if let Stage::TableMove = picker.stage {
            picker.stage = Stage::Generate;
            // The entry of another position with the same key may name any cell.
            if let Some(point) = picker.table_move.filter(|&at| self.position.is_empty(at)) {
                return Some(ScoredMove { point, score: ScoredMove::TABLE_MOVE });
            }
        }
        if let Stage::Generate = picker.stage {
            self.generate_moves(picker);
            picker.stage = Stage::Pick(0);
        }
        let Stage::Pick(picked) = picker.stage else { return None };
        picker.stage = Stage::Pick(picked + 1);
        self.pick(picker.ply, picked)
    }

    /// Fills the frame of the node with its moves, scored, the table's left out.
    fn generate_moves(&mut self, picker: &Picker) {
        movegen::generate(&self.position, picker.situation, &mut self.points);
        self.evaluator.score_moves(&self.position, picker.last, &self.points, &mut self.scores);

        let learned = self.histories.after(self.position.side_to_move(), picker.last);
        let frame = &mut self.frames[picker.ply];
        frame.moves.clear();
        let scored = self.points.iter().zip(&self.scores);
        let others = scored.filter(|&(&point, _)| Some(point) != picker.table_move);
        frame.moves.extend(others.map(|(&point, &score)| {
            let record = learned.record(point);
            let learned = record.quiet * p::order_history()
                + record.reply * p::order_reply()
                + record.plan * p::order_plan();
            let mut score = score + learned / 256;
            if frame.killers.contains(&Some(point)) {
                score += p::order_killer();
            }
            ScoredMove { point, score }
        }));
    }

    /// The best generated move of `ply` that has not been picked yet; `picked` have.
    #[inline]
    fn pick(&mut self, ply: usize, picked: usize) -> Option<ScoredMove> {
        let moves = self.frames[ply].moves.get_mut(picked..)?;
        let mut best = 0;
        let mut highest = moves.first()?.score;
        for (index, other) in moves.iter().enumerate().skip(1) {
            // Among equal scores the first, so that every machine agrees.
            if other.score > highest {
                (best, highest) = (index, other.score);
            }
        }
        moves.swap(0, best);
        Some(moves[0])
    }
}
