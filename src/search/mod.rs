//! Iterative-deepening principal-variation search.
//!
//! The search never prints and never reads the clock: its [`Budget`] decides when to stop, and its
//! [`Observer`] receives the results.
//!
//! # How a position is searched
//!
//! A [`Worker`] searches a position for a [`RootTask`]. The following list is in the order of the
//! search. `lab/0123` names an experiment in `docs/lab`; `docs/search.md` lists the ideas that did
//! not gain.
//!
//! 1. **Static results** (`threat`): fives, straight fours, four-threes and double open threes are
//!    counted instead of searched and give the result up to six plies ahead. A four-three wins
//!    unless the answer to its four makes a four (lab/0017).
//! 2. **Victory by continuous fours** (VCF, `solver`): at the root up to 64 fours in a row,
//!    searched in slices, so that the search can be stopped between two slices.
//! 3. **Iterative deepening** (`root/deepen`): one ply deeper per iteration, from the fourth one on
//!    with an aspiration window around the last score. If a stopped iteration has only refuted its
//!    first move, another move is played (lab/0018).
//! 4. **Principal variation search** (`pvs`, `node`): the first move of a node is searched with the
//!    whole window, the others with a null window.
//! 5. **Transposition table** (`tt`): 16 bytes an entry, four entries a cache line, shared by all
//!    threads without locks. Its move is tried before the other moves are generated (lab/0019).
//! 6. **Pruning before the moves**: mate distance, razoring, reverse futility; one ply less without
//!    a table move (IIR).
//! 7. **Move generation** (`movegen`): against a threat only the moves that do not lose
//!    immediately, otherwise the candidates, those within two steps of a stone first (lab/0020).
//! 8. **Move ordering** (`picker`): the table move, then by the score of the evaluator, which is
//!    trained on moves that caused cutoffs in trees of this search, plus the main history and the
//!    continuation histories (`history`), plus a bonus for killers and for the cell where the
//!    opponent has just refuted another move (lab/0021).
//! 9. **Reductions and pruning**: late-move reduction, late-move pruning, move-score pruning
//!    (lab/0022), futility pruning (lab/0023). After a move that raised alpha, and after several
//!    cutoffs one ply below, the other moves are searched less deep (lab/0024). Reductions are
//!    smaller near the root and for a three that continues an attack (`attack`). The parameters
//!    depend on the rule (`pruning::PruningParams`).
//! 10. **The horizon** (`horizon`): a VCF near the own last stones, else the evaluation; a node
//!     that must answer a straight four is searched one ply deeper first (lab/0025).
//! 11. **The evaluation** (`eval`): computed unless shapes or the table decide the node, before any
//!     pruning, and stored in the table with the score.
//!
//! Several threads search the same position on one table (lazy SMP, `engine`): the helpers start
//! one or two plies ahead in turn, and the result is that of the thread that reached the greatest
//! depth with the best score.

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
pub use tt::{Bound, TranspositionTable, TtEntry};
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
