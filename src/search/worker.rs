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

/// Nodes between two questions to the budget, at first and at most. The first nodes of a search
/// may take milliseconds each: with a new table every one of them touches memory that the system
/// has yet to clear.
const POLL_INTERVALS: (u64, u64) = (8, 512);
/// Up to the longest interval it is this part of the nodes so far.
const POLL_SHARE: u64 = 64;

/// One search thread. Statistics survive from one search to the next.
///
/// Threads write to their workers all the time: on cache lines of their own (two, since lines
/// are fetched in pairs) they do not wait for each other.
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
    /// Made on first use: helpers have none.
    pub(super) root_vcf: Option<Vcf>,
    /// Buffer of the move generator.
    pub(super) points: Vec<Point>,
    /// What the evaluator says about those.
    pub(super) scores: Vec<i32>,
    pub(super) nodes: u64,
    pub(super) selective_depth: usize,
    /// Moves of the root that the search found to lose.
    pub(super) refuted: Vec<Refuted>,
    /// Watches the tree.
    pub(super) tree_observer: Option<Box<dyn TreeObserver>>,
    next_poll: u64,
}

/// A move of the root that was found to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The move.
    pub point: Point,
    /// The last iteration (plies) that found it.
    pub depth: u32,
}

/// What a running search works with besides the worker itself.
#[derive(Clone, Copy)]
pub(super) struct Resources<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) budget: &'a dyn Budget,
}

impl Worker {
    /// A worker that has seen nothing, with the embedded networks.
    pub fn new(position: Position) -> Worker {
        Worker::with_networks(position, Networks::embedded())
    }

    /// A worker that has seen nothing, with these networks.
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

    /// Turns to another position and keeps the statistics.
    pub fn set_position(&mut self, position: Position) {
        self.histories.set_size(position.board().size());
        if position.rule() != self.evaluator.rule() {
            self.evaluator = Evaluator::with_networks(position.rule(), &self.networks);
            self.pruning = PruningParams::for_rule(position.rule());
        }
        self.position = position;
        self.refuted.clear();
    }

    /// The moves that the last search found to lose; none once the position is another one.
    pub fn refuted(&self) -> &[Refuted] {
        &self.refuted
    }

    /// Forgets all statistics.
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

    /// Makes the best play from `ply` start with `point` and go on with that of the next ply.
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

    /// Remembers when it was polls.
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

        fn wants_another(&self, _: Iteration) -> bool {
            true
        }
    }

    /// Counts nodes until the budget ends it; how many, and when it was polls.
    fn count(limit: u64, most: u64) -> (u64, Vec<u64>) {
        let budget = RecordingBudget { polls: Mutex::default(), limit };
        let size = BoardSize::square(15).unwrap();
        let mut worker = Worker::new(Position::new(size, Rule::Freestyle));
        worker.start_counting(&budget);
        while worker.nodes < most && worker.count_node(&budget).is_ok() {}
        (worker.nodes, budget.polls.into_inner().unwrap())
    }

    #[test]
    fn the_first_nodes_are_watched_closely() {
        let (_, polls) = count(u64::MAX, 100_000);
        assert_eq!(polls[0], POLL_INTERVALS.0);
        for pair in polls.windows(2) {
            let most = (pair[0] / POLL_SHARE).clamp(POLL_INTERVALS.0, POLL_INTERVALS.1);
            assert_eq!(pair[1] - pair[0], most);
        }
        assert!(polls.len() < 1_000, "{} polls", polls.len());
    }

    #[test]
    fn a_limit_of_nodes_is_met_exactly() {
        for limit in [1, 7, 8, 9, 511, 513, 5_000, 40_001] {
            assert_eq!(count(limit, u64::MAX).0, limit);
        }
    }
}
