//! Iterative-deepening principal-variation search.
//!
//! The search never prints and never reads the clock: its [`Budget`] decides when to stop, and its
//! [`Observer`] receives the results.
//!
//! A [`Worker`] searches a position for a [`RootTask`]. `docs/search.md` describes the search step
//! by step, and lists the ideas that did not gain. `lab/0123` in a comment names an experiment in
//! `docs/lab`.

mod alloc;
mod attack;
mod frame;
mod history;
mod horizon;
mod move_list;
mod node;
pub mod params;
mod picker;
mod pruning;
mod pvs;
mod report;
mod root;
mod tt;
mod worker;

pub use report::{Line, Observer, Progress, Silent, TreeObserver};
pub use root::RootTask;
pub use tengen_rules::types::Bound;
pub use tt::{TranspositionTable, TtEntry};
pub use worker::Worker;

/// Stack of every search thread (bytes). The default differs between systems from 1 MiB to 8 MiB;
/// the main thread of a Windows program has the least.
///
/// In a release build a search needs 1.25 KiB for each of at most
/// [`MAX_PLY`](tengen_rules::types::MAX_PLY) plies, 0.25 KiB for each of the fours below them, and
/// 40 KiB for the rest: less than 0.5 MiB. The solver needs less than 0.5 KiB for each move of a
/// line: less than 1 MiB on the largest board. The remainder is for builds without optimisation.
/// Only pages that are used take memory.
pub const STACK_BYTES: usize = 8 << 20;

/// The search was stopped; there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Properties of a finished iteration, which decide whether to start another one.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// Number of iterations in a row, including this one, that ended with the same best move.
    pub stable: u32,
    /// Drop of the score since the previous iteration (score).
    pub drop: i32,
    /// Share of the iteration's nodes spent on the best move (percent).
    pub effort: u32,
    /// Whether the results of all requested lines are forced.
    pub forced: bool,
    /// Whether there was only one move to search.
    pub only_move: bool,
}

/// Limits the length of a search.
pub trait Budget: Sync {
    /// Whether to stop immediately. Called every few nodes at first and every few hundred later,
    /// with the number of nodes that the calling thread has visited.
    fn exhausted(&self, nodes: u64) -> bool;

    /// The largest number of nodes that the calling thread may visit; a VCF search in progress may
    /// exceed it.
    fn node_limit(&self) -> u64;

    /// Whether another iteration should start.
    fn should_continue(&self, iteration: Iteration) -> bool;
}

#[cfg(test)]
mod full_width_tests;

/// A budget without a limit.
#[cfg(test)]
pub(crate) struct Unlimited;

#[cfg(test)]
impl Budget for Unlimited {
    fn exhausted(&self, _: u64) -> bool {
        false
    }

    fn node_limit(&self) -> u64 {
        u64::MAX
    }

    fn should_continue(&self, _: Iteration) -> bool {
        true
    }
}
