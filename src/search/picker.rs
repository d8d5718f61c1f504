//! The order in which a node tries its moves.

use super::history::Before;
use super::params as p;
use super::worker::Worker;
use crate::movegen;
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

impl Worker {
    /// Fills the frame of `ply` with the moves of `situation`, scored.
    pub(super) fn generate_moves(
        &mut self,
        ply: usize,
        situation: Situation,
        before: Before,
        table_move: Option<Point>,
    ) {
        let mut points = std::mem::take(&mut self.points);
        points.clear();
        movegen::generate(&self.position, situation, &mut points);

        let side = self.position.side_to_move();
        let learned = self.histories.after(side, before);
        let weights = self.position.tables().weights(side);
        let frame = &mut self.frames[ply];
        frame.moves.clear();
        frame.moves.extend(points.iter().map(|&point| {
            if Some(point) == table_move {
                return ScoredMove { point, score: ScoredMove::TABLE_MOVE };
            }
            let record = learned.record(point);
            let learned = record.quiet * p::order_history()
                + record.reply * p::order_reply()
                + record.plan * p::order_plan();
            let near = |stone: Option<Point>| stone.map(|at| weights.near(at, point));
            let reply = near(before.theirs).map_or(0, |near| i32::from(near.reply));
            let plan = near(before.ours).map_or(0, |near| i32::from(near.plan));
            let mut score = self.position.urgency(point, side) + reply + plan + learned / 256;
            if frame.killers.contains(&Some(point)) {
                score += p::order_killer();
            }
            ScoredMove { point, score }
        }));
        self.points = points;
    }

    /// The best move of `ply` that has not been picked yet; `picked` have.
    #[inline]
    pub(super) fn pick(&mut self, ply: usize, picked: usize) -> Option<ScoredMove> {
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
