//! L9: iterative-deepening principal-variation search.
//!
//! The search never prints and never reads the clock: it asks its [`Budget`] whether to go on
//! and tells its [`Observer`] what it found.

mod frame;
mod history;
mod horizon;
mod memory;
mod node;
pub mod params;
mod picker;
mod pruning;
mod pvs;
mod report;
mod root;
mod sampler;
mod tt;
mod worker;

pub use report::{Line, Observer, Progress, Silent};
pub use root::RootTask;
pub use sampler::{Cutoff, TreeSampler};
pub use tt::{Bound, Entry, Table};
pub use worker::Worker;

/// Stack of every thread that searches (bytes): what systems give by default differs from 1 MiB to
/// 8 MiB, and the main thread of a Windows program has the least.
///
/// A release build takes half a KiB for each of the at most [`MAX_PLY`](crate::types::MAX_PLY) plies,
/// a fifth of one for each of the fours below them, and 40 KiB around the search: less than 0.2
/// MiB in all. The rest is for builds without optimisation. Only pages that are used take memory.
pub const STACK_BYTES: usize = 8 << 20;

/// The search was told to end; whatever it was computing is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What a finished iteration means for the question whether to start another one.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// Plies of the iteration.
    pub depth: u32,
    /// Iterations in a row, this one included, that ended with the same best move.
    pub stable: u32,
    /// How far the score fell below that of the iteration before (score).
    pub drop: i32,
    /// Share of this search's nodes that were spent on the best move (percent).
    pub effort: u32,
    /// The result is forced, one way or the other.
    pub forced: bool,
    /// There was only one move to consider.
    pub only_move: bool,
}

/// Decides how long a search may go on.
pub trait Budget: Sync {
    /// Whether to stop at once. Asked every few hundred nodes, with the number that the asking
    /// thread has visited.
    fn exhausted(&self, nodes: u64) -> bool;

    /// The thread that asks must not visit more nodes than this.
    fn node_limit(&self) -> u64;

    /// Whether another iteration should start.
    fn wants_another(&self, iteration: Iteration) -> bool;
}
