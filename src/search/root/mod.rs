//! A whole search from one position: immediate results, then iterative deepening.

mod deepen;
mod moves;

use super::params as p;
use super::worker::{Resources, Worker};
use super::{Budget, Line, Observer, TranspositionTable};
use crate::movegen;
use crate::solver::{Vcf, VcfLimits};
use deepen::RootSearch;
use tengen_rules::threat::{StaticResult, static_result};
use tengen_rules::types::{Point, Score};

/// Parameters of a search at the root.
#[derive(Clone, Debug)]
pub struct RootTask {
    /// Number of best moves to find.
    pub lines: usize,
    /// Moves that must not be played unless no other is left.
    pub excluded: Vec<Point>,
    /// First iteration (plies).
    pub first_depth: u32,
    /// Last iteration (plies).
    pub last_depth: u32,
    /// Nodes that the VCF search before the first iteration may visit.
    pub fours_nodes: u64,
}

impl Worker {
    /// Searches the worker's position. Returns the lines, best first; none only if the board is
    /// full.
    pub fn run(
        &mut self,
        table: &TranspositionTable,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        task: &RootTask,
    ) -> Vec<Line> {
        self.start_counting(budget);
        self.refuted.clear();
        if task.lines == 1
            && let Some(line) = self.immediate(budget, task)
        {
            return vec![line];
        }
        let resources = Resources { table, budget };
        RootSearch::new(self, resources, observer, task).deepen(task)
    }

    /// A static win, or a win by continuous fours.
    fn immediate(&mut self, budget: &dyn Budget, task: &RootTask) -> Option<Line> {
        let mut moves = Vec::new();
        let result = static_result(&self.position);
        let plies = if let StaticResult::WinIn(plies) = result {
            movegen::generate(&self.position, result, &mut moves);
            plies
        } else {
            let plies = self.vcf_from_root(budget, task.fours_nodes, &mut moves);
            plies?
        };
        let allowed = moves.first().is_some_and(|best| !task.excluded.contains(best));
        allowed.then(|| Line {
            score: Score::win_in(plies),
            depth: plies as u32,
            selective_depth: plies as u32,
            moves,
        })
    }

    /// Plies to a win by continuous fours, searched in slices so that the search can be stopped
    /// between them. Each slice profits from the positions that the previous one proved to fail.
    fn vcf_from_root(
        &mut self,
        budget: &dyn Budget,
        most_nodes: u64,
        moves: &mut Vec<Point>,
    ) -> Option<usize> {
        let mut left = most_nodes;
        let mut slice = p::root_vcf_first_slice() as u64;
        while left > 0 && !budget.exhausted(self.nodes) {
            let nodes = left.min(slice);
            let vcf = self.root_vcf.get_or_insert_with(|| Vcf::new(p::ROOT_VCF_SLOT_BITS));
            let limits = VcfLimits { fours: p::root_vcf_fours() as u32, nodes, near: None };
            let plies = vcf.solve(&mut self.position, limits, Some(moves));
            self.nodes += vcf.nodes();
            if plies.is_some() || vcf.nodes() < nodes {
                return plies;
            }
            left -= nodes;
            slice = p::root_vcf_slice() as u64;
        }
        None
    }
}
