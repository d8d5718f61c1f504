//! The horizon, where the depth ends: victories by continuous fours, else the evaluation.
//!
//! Fours are the captures of this game: each leaves one answer, so a line of them can be followed
//! far beyond the depth, and an evaluation in the middle of one means nothing. Threes, which
//! leave a choice, are left to the evaluation.
//!
//! Only fours near the own last stone are followed, at most 60 nodes of them: what goes on
//! elsewhere was looked for further up. With somewhat stronger reductions that was worth
//! +119 =0 -81 at 50,000 nodes a move. Fours near any stone of the attack instead of the last one
//! solved fewer of 922 proven positions (361 instead of 384) and were dropped.

use super::params as p;
use super::worker::{Resources, Worker};
use super::{Bound, Entry, Stopped};
use crate::pattern::Shape;
use crate::solver::VcfLimits;
use crate::types::Score;

impl Worker {
    /// The value of a position without a static result: a win by continuous fours (VCF) where one
    /// is found nearby, the evaluation otherwise.
    ///
    /// The table answers where it has an entry. Without a win what is stored bounds the score
    /// from above although nothing was searched: the side to move has no VCF here, so that another
    /// search need not look for one; depth 0 says how little that means.
    pub(super) fn horizon(
        &mut self,
        resources: Resources<'_>,
        beta: Score,
        ply: usize,
        tt_entry: Option<Entry>,
    ) -> Result<Score, Stopped> {
        if let Some(entry) = tt_entry {
            return Ok(entry.refine(entry.evaluation));
        }
        let evaluation = self.evaluate();
        // Good enough without a win: fours could only make it better.
        if evaluation >= beta {
            return Ok(evaluation);
        }
        let score = match self.vcf_nearby() {
            Some(plies) => Score::win_in(ply + plies),
            None => evaluation,
        };
        self.count_node(resources.budget)?;
        let bound = if score.is_win() { Bound::Lower } else { Bound::Upper };
        let entry = Entry { best: None, score, evaluation, depth: 0, bound };
        resources.table.store(self.position.board().key(), ply, entry);
        Ok(score)
    }

    /// Plies to a win by continuous fours that go on from the own last stone. What it visits below
    /// the node is counted here.
    fn vcf_nearby(&mut self) -> Option<usize> {
        // A four leads on only through a cell that makes more than that four, or through a four
        // on another line; one line has at most two such cells.
        let side = self.position.side_to_move();
        let count = |shape| self.position.count(side, shape);
        let more = count(Shape::FourThree) + count(Shape::FourPlus) + count(Shape::FoulCandidate);
        if more == 0 && count(Shape::Four) == 0 {
            return None;
        }
        let limits = VcfLimits {
            fours: p::horizon_fours() as u32,
            nodes: p::horizon_nodes() as u64,
            near: self.position.last_stones().ours,
        };
        let plies = self.horizon_vcf.solve(&mut self.position, limits, None);
        self.nodes += self.horizon_vcf.nodes().saturating_sub(1);
        plies
    }
}
