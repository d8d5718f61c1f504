//! The horizon, where the depth ends: a VCF search, else the evaluation.
//!
//! Fours correspond to captures in chess: each leaves one answer, so a line of fours can be
//! followed far beyond the depth, and an evaluation in the middle of one is meaningless. Threes
//! leave a choice and are left to the evaluation.
//!
//! Only fours near the side's last free move are followed, in at most 60 nodes: fours elsewhere
//! were searched at earlier plies (lab/0027). A *free move* is a move that is not a forced answer to
//! a four; if forced answers counted, any four of the defender would hide the attack.

use super::params as p;
use super::worker::{Resources, Worker};
use super::{Bound, Stopped, TtEntry};
use crate::solver::VcfLimits;
use tengen_rules::pattern::Shape;
use tengen_rules::types::{Point, Score};

impl Worker {
    /// The value of a position without a static result: a win by continuous fours (VCF) if one is
    /// found nearby, otherwise the evaluation.
    ///
    /// An entry of the table is used instead if there is one. Without a win the evaluation is
    /// stored as an upper bound of depth 0, although nothing was searched: it records that there is
    /// no VCF nearby, so that none has to be searched for again.
    pub(super) fn horizon(
        &mut self,
        resources: Resources<'_>,
        beta: Score,
        ply: usize,
        tt_entry: Option<TtEntry>,
    ) -> Result<Score, Stopped> {
        if let Some(entry) = tt_entry {
            return Ok(entry.refine(entry.evaluation));
        }
        // Fetch the first entry of the VCF search while the position is evaluated.
        self.horizon_vcf.prefetch(self.position.board().key(), self.stone_back(2));
        let evaluation = self.evaluate();
        self.win_by_fours_or(evaluation, resources, beta, ply, true)
    }

    /// The value of a position with this evaluation: that of a win by continuous fours if one is
    /// found nearby, otherwise the evaluation. It is stored only if the position `is_new` in the
    /// table, because an entry of a search contains more.
    pub(super) fn win_by_fours_or(
        &mut self,
        evaluation: Score,
        resources: Resources<'_>,
        beta: Score,
        ply: usize,
        is_new: bool,
    ) -> Result<Score, Stopped> {
        // A cutoff without a win: fours could only raise the score.
        if evaluation >= beta {
            return Ok(evaluation);
        }
        let score = match self.vcf_nearby(ply) {
            Some(plies) => Score::win_in(ply + plies),
            None => evaluation,
        };
        self.count_node(resources.budget)?;
        if is_new {
            let bound = if score.is_win() { Bound::Lower } else { Bound::Upper };
            let entry = TtEntry { best: None, score, evaluation, depth: 0, bound };
            resources.table.store(self.position.board().key(), ply, entry);
        }
        Ok(score)
    }

    /// Plies to a win by continuous fours that start near the side's last stone or, if it only
    /// stopped a four, near its last free move.
    fn vcf_nearby(&mut self, ply: usize) -> Option<usize> {
        // Without a cell that makes a four there is no VCF.
        let side = self.position.side_to_move();
        let count = |shape| self.position.count(side, shape);
        let more = count(Shape::FourThree) + count(Shape::FourPlus) + count(Shape::FoulCandidate);
        if more == 0 && count(Shape::Four) == 0 {
            return None;
        }
        let back = self.plies_since_free_move(ply);
        self.vcf_near(self.stone_back(2)).or_else(|| {
            let free = self.stone_back(back).filter(|_| back > 2)?;
            self.vcf_near(Some(free))
        })
    }

    /// Plies to a win by continuous fours that starts near this stone. Counts the nodes below the
    /// current one.
    fn vcf_near(&mut self, near: Option<Point>) -> Option<usize> {
        let fours = p::horizon_fours() as u32;
        let limits = VcfLimits { fours, nodes: p::horizon_nodes() as u64, near };
        let plies = self.horizon_vcf.solve(&mut self.position, limits, None);
        self.nodes += self.horizon_vcf.nodes().saturating_sub(1);
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::game::Game;
    use tengen_rules::types::{BoardSize, Rule};

    /// Black wins by fours around h5, which was placed freely; its last stone, far from there, only
    /// stopped a four.
    #[test]
    fn a_stone_that_only_stopped_a_four_does_not_hide_the_attack() {
        let mut game = Game::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        let moves = "d3 c3 e3 c4 f3 k14 d4 l14 e4 m14 f4 i6 j14 i7 h5 n14 o14 i8";
        for name in moves.split(' ') {
            game.play(game.point(name).unwrap());
        }
        let mut worker = Worker::new(game.position().clone());
        let ply = 4;
        worker.frames[ply - 2].evaluation = None;
        assert_eq!(worker.plies_since_free_move(ply), 4);
        assert_eq!(worker.vcf_nearby(ply), Some(7));
        worker.frames[ply - 2].evaluation = Some(Score::DRAW);
        assert_eq!(worker.plies_since_free_move(ply), 2);
        assert_eq!(worker.vcf_nearby(ply), None);
        // Moves before the root are not considered.
        assert_eq!(worker.plies_since_free_move(1), 2);
    }
}
