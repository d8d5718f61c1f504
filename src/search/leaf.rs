//! Where the depth ends: continuous fours or the evaluation.

use super::params as p;
use super::worker::{Resources, Worker};
use super::{Bound, Entry, Stopped};
use crate::pattern::Shape;
use crate::solver::VcfLimits;
use crate::types::Score;

impl Worker {
    /// The value of a position without a forced result on its face: a win by continuous fours
    /// where one is found nearby, the evaluation otherwise.
    pub(super) fn leaf(
        &mut self,
        resources: Resources<'_>,
        beta: Score,
        ply: usize,
        known: Option<Entry>,
    ) -> Result<Score, Stopped> {
        if let Some(entry) = known {
            return Ok(entry.value_over(entry.evaluation));
        }
        let evaluation = self.evaluator.value(&self.position);
        if evaluation >= beta {
            return Ok(evaluation);
        }
        let score = match self.fours_nearby() {
            Some(plies) => Score::win_in(ply + plies),
            None => evaluation,
        };
        self.nodes += self.leaf_fours.nodes().saturating_sub(1);
        self.count_node(resources.budget)?;
        let bound = if score.is_win() { Bound::Lower } else { Bound::Upper };
        let entry = Entry { best: None, score, evaluation, depth: 0, bound, pv: false };
        resources.table.store(self.position.board().key(), ply, entry);
        Ok(score)
    }

    /// Plies to a win by continuous fours that go on from the own last stone.
    fn fours_nearby(&mut self) -> Option<usize> {
        // A four leads on only through a cell that makes more than that four, or through a four
        // on another line; one line has at most two such cells.
        let side = self.position.side_to_move();
        let count = |shape| self.position.count(side, shape);
        let more = count(Shape::FourThree) + count(Shape::FourPlus) + count(Shape::FoulCandidate);
        if more == 0 && count(Shape::Four) == 0 {
            return None;
        }
        let limits = VcfLimits {
            fours: p::leaf_fours() as u32,
            nodes: p::leaf_nodes() as u64,
            near: self.position.last_stones().ours,
        };
        self.leaf_fours.solve(&mut self.position, limits, None)
    }
}
