//! One search thread: its position, its statistics, its buffers.

use super::frame::Frame;
use super::history::Histories;
use super::params as p;
use super::pruning::PruningParams;
use super::{Budget, Stopped, TranspositionTable, TreeObserver};
use crate::eval::Evaluator;
use crate::eval::network::Networks;
use crate::solver::Vcf;
use tengen_rules::position::Position;
use tengen_rules::types::{MAX_PLY, Point, Score};

/// Nodes between two polls of the budget, at first and at most. The first nodes of a search may
/// take milliseconds each: with a new table every one of them touches memory that the system still
/// has to zero.
const POLL_INTERVALS: (u64, u64) = (8, 512);
/// In between the interval is the number of nodes so far, divided by this.
const POLL_SHARE: u64 = 64;

/// One search thread. Statistics are kept from one search to the next.
///
/// Threads write to their workers all the time. The alignment (two cache lines, since lines are
/// fetched in pairs) avoids false sharing.
#[repr(align(128))]
pub struct Worker {
    pub(super) position: Position,
    /// Static evaluation and move scores.
    pub(super) evaluator: Evaluator,
    networks: Networks,
    /// Parameters of pruning and reductions under the position's rule.
    pub(super) pruning: PruningParams,
    pub(super) histories: Histories,
    pub(super) frames: Vec<Frame>,
    pub(super) horizon_vcf: Vcf,
    /// Created on first use; helper threads have none.
    pub(super) root_vcf: Option<Vcf>,
    /// Buffer of the move generator.
    pub(super) points: Vec<Point>,
    /// The evaluator's scores of `points`.
    pub(super) scores: Vec<i32>,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// Root moves that the search found to lose.
    pub(super) refuted: Vec<Refuted>,
    /// Observes the tree.
    pub(super) tree_observer: Option<Box<dyn TreeObserver>>,
    next_poll: u64,
}

/// A root move that was found to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The move.
    pub point: Point,
    /// The last iteration that refuted it (plies).
    pub depth: u32,
}

/// The table and the budget of a running search.
#[derive(Clone, Copy)]
pub(super) struct Resources<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) budget: &'a dyn Budget,
}

impl Worker {
    /// Bytes of a worker whose tables have their smallest sizes, with the network of its rule.
    pub const MIN_BYTES: usize = 2 << 20;

    /// A worker with empty statistics and the embedded networks.
    pub fn new(position: Position) -> Worker {
        Worker::with_networks(position, Networks::embedded())
    }

    /// A worker with empty statistics and these networks.
    pub fn with_networks(position: Position, networks: Networks) -> Worker {
        Worker {
            histories: Histories::new(position.board().size()),
            evaluator: Evaluator::with_networks(position.rule(), &networks),
            networks,
            pruning: PruningParams::for_rule(position.rule()),
            position,
            frames: vec![Frame::default(); MAX_PLY + 4],
            horizon_vcf: Vcf::new(p::HORIZON_VCF_SLOT_BITS),
            root_vcf: None,
            points: Vec::new(),
            scores: Vec::new(),
            nodes: 0,
            selective_depth: 0,
            refuted: Vec::new(),
            tree_observer: None,
            next_poll: 0,
        }
    }

    /// Allocates what only the first thread of a search needs.
    pub fn prepare_root(&mut self) {
        self.root_vcf.get_or_insert_with(|| Vcf::new(p::ROOT_VCF_SLOT_BITS));
    }

    /// Sets another position and keeps the statistics.
    pub fn set_position(&mut self, position: Position) {
        self.histories.set_size(position.board().size());
        if position.rule() != self.evaluator.rule() {
            self.evaluator = Evaluator::with_networks(position.rule(), &self.networks);
            self.pruning = PruningParams::for_rule(position.rule());
        }
        self.position = position;
        self.refuted.clear();
    }

    /// The moves that the last search found to lose; empty after the position has changed.
    pub fn refuted(&self) -> &[Refuted] {
        &self.refuted
    }

    /// Clears all statistics.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.horizon_vcf.clear();
        if let Some(vcf) = &mut self.root_vcf {
            vcf.clear();
        }
        self.frames.fill(Frame::default());
    }

    /// Nodes that the current search has visited.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets the observer of the trees of the next searches.
    pub fn set_tree_observer(&mut self, observer: Option<Box<dyn TreeObserver>>) {
        self.tree_observer = observer;
    }

    /// Removes and returns the observer.
    pub fn take_tree_observer(&mut self) -> Option<Box<dyn TreeObserver>> {
        self.tree_observer.take()
    }

    pub(super) fn start_counting(&mut self, budget: &dyn Budget) {
        self.nodes = 0;
        self.selective_depth = 0;
        self.next_poll = POLL_INTERVALS.0.min(budget.node_limit());
    }

    /// Counts a node.
    ///
    /// # Errors
    /// When the budget is used up.
    #[inline]
    pub(super) fn count_node(&mut self, budget: &dyn Budget) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_poll { self.poll(budget) } else { Ok(()) }
    }

    #[cold]
    fn poll(&mut self, budget: &dyn Budget) -> Result<(), Stopped> {
        let limit = budget.node_limit();
        if self.nodes >= limit || budget.exhausted(self.nodes) {
            return Err(Stopped);
        }
        let (first, longest) = POLL_INTERVALS;
        let interval = (self.nodes / POLL_SHARE).clamp(first, longest);
        self.next_poll = (self.nodes + interval).min(limit);
        Ok(())
    }

    /// The static evaluation of the current position.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        if let Some(observer) = &mut self.tree_observer {
            observer.on_evaluation(&self.position);
        }
        self.evaluator.value(&self.position)
    }

    /// Sets the PV of `ply` to `point` followed by the PV of the next ply.
    pub(super) fn extend_pv(&mut self, ply: usize, point: Point) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let pv = &mut above[ply].pv;
        pv.clear();
        pv.push(point);
        pv.extend_from_slice(&below[0].pv);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::super::Iteration;
    use super::*;
    use tengen_rules::types::{BoardSize, Rule};

    /// Records the node counts at which it was polled.
    struct RecordingBudget {
        polls: Mutex<Vec<u64>>,
        limit: u64,
    }

    impl Budget for RecordingBudget {
        fn exhausted(&self, nodes: u64) -> bool {
            self.polls.lock().unwrap().push(nodes);
            false
        }

        fn node_limit(&self) -> u64 {
            self.limit
        }

        fn should_continue(&self, _: Iteration) -> bool {
            true
        }
    }

    /// Counts nodes until the budget ends; returns their number and the node counts of the polls.
    fn count(limit: u64, most: u64) -> (u64, Vec<u64>) {
        let budget = RecordingBudget { polls: Mutex::default(), limit };
        let size = BoardSize::square(15).unwrap();
        let mut worker = Worker::new(Position::new(size, Rule::Freestyle));
        worker.start_counting(&budget);
        while worker.nodes < most && worker.count_node(&budget).is_ok() {}
        (worker.nodes, budget.polls.into_inner().unwrap())
    }

    #[test]
    fn polls_are_frequent_at_first() {
        let (_, polls) = count(u64::MAX, 100_000);
        assert_eq!(polls[0], POLL_INTERVALS.0);
        for pair in polls.windows(2) {
            let most = (pair[0] / POLL_SHARE).clamp(POLL_INTERVALS.0, POLL_INTERVALS.1);
            assert_eq!(pair[1] - pair[0], most);
        }
        assert!(polls.len() < 1_000, "{} polls", polls.len());
    }

    #[test]
    fn node_limit_is_met_exactly() {
        for limit in [1, 7, 8, 9, 511, 513, 5_000, 40_001] {
            assert_eq!(count(limit, u64::MAX).0, limit);
        }
    }
}
