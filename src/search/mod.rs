//! Iterative-deepening principal-variation search.
//!
//! The search never prints and never reads the clock: it asks its [`Budget`] whether to go on
//! and tells its [`Observer`] what it found.
//!
//! # How the engine thinks
//!
//! A position reaches a [`Worker`] together with a [`RootTask`]. What follows is the order in
//! which it is looked at. `lab/0123` names an experiment in `docs/lab`; `docs/search.md` lists the ideas that did not gain.
//!
//! 1. **Static results** (`threat`): fives, straight fours, four-threes and double
//!    open threes are counted, not searched, and tell the result up to six plies ahead. A
//!    four-three wins unless the answer to its four makes a four (lab/0017).
//! 2. **Victory by continuous fours** (VCF, `solver`): at the root up to 64 fours in a row, in
//!    slices, so that a stop is heard in between.
//! 3. **Iterative deepening** (`root/deepen`): one ply deeper after the other, from the fourth
//!    iteration on in an aspiration window around the last score. A stopped iteration that only
//!    refuted its first choice plays another move (lab/0018).
//! 4. **Principal variation search** (`pvs`, `node`): the first move of a node gets the whole
//!    window, the others are asked with a null window whether they are better.
//! 5. **Transposition table** (`tt`): 16 bytes an entry, four entries a cache line, shared by all
//!    threads without locks. Its move is tried before any other is generated (lab/0019).
//! 6. **Pruning before the moves**: mate distance, razoring, reverse futility; a ply less without a
//!    move of the table (IIR).
//! 7. **Which moves** (`movegen`): against a threat only those that do not lose at once,
//!    otherwise the candidates, those within two steps of a stone first (lab/0020).
//! 8. **In which order** (`picker`): the table's move, then by the evaluator's score, which is
//!    learned from moves that caused cutoffs in trees like this one, plus what the main history
//!    and the continuation histories (`history`) know, plus a bonus for killers and for the cell
//!    where the opponent has just refuted another move (lab/0021).
//! 9. **How deep, and whether at all**: late-move reduction, late-move pruning, move-score
//!    pruning (lab/0022), futility pruning (lab/0023). After a move that raised alpha, and where several moves ended in cutoffs
//!    below, the others get less depth (lab/0024). Reductions are smaller near the root and for a
//!    three that continues an attack (`attack`). The parameters depend on the rule
//!    (`pruning::PruningParams`).
//! 10. **The horizon** (`horizon`): a VCF near the own last stones, else the evaluation; where a
//!     straight four has to be answered, only after the answer (lab/0025).
//! 11. **The evaluation** (`eval`): asked where neither shapes nor the table decide, before
//!     anything is pruned, and kept in the table with the score.
//!
//! Several threads search the same position on one table (lazy SMP, `engine`): the helpers begin
//! one and two plies ahead by turns, and the answer is that of the thread which got furthest with
//! the best score.

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

/// Stack of every thread that searches (bytes): what systems give by default differs from 1 MiB to
/// 8 MiB, and the main thread of a Windows program has the least.
///
/// By the frames of a release build a search takes 1.25 KiB for each of the at most
/// [`MAX_PLY`](tengen_rules::types::MAX_PLY) plies, a quarter of one for each of the fours below them, and
/// 40 KiB around: less than half a MiB. The solver goes as deep as a line has moves, with less
/// than half a KiB for each: less than a MiB on the largest board. The rest is for builds without
/// optimisation. Only pages that are used take memory.
pub const STACK_BYTES: usize = 8 << 20;

/// The search was stopped; there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// What a finished iteration means for the question whether to start another one.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// Iterations in a row, this one included, that ended with the same best move.
    pub stable: u32,
    /// How far the score fell below that of the iteration before (score).
    pub drop: i32,
    /// Share of the iteration's nodes that were spent on the best move (percent).
    pub effort: u32,
    /// The results of all lines asked for are forced, one way or the other.
    pub forced: bool,
    /// There was only one move to consider.
    pub only_move: bool,
}

/// Decides how long a search may go on.
pub trait Budget: Sync {
    /// Whether to stop at once. Asked every few nodes at first and every few hundred later, with
    /// the number that the asking thread has visited.
    fn exhausted(&self, nodes: u64) -> bool;

    /// The thread that asks must not visit more nodes than this, but that a look for fours under
    /// way may end.
    fn node_limit(&self) -> u64;

    /// Whether another iteration should start.
    fn wants_another(&self, iteration: Iteration) -> bool;
}

#[cfg(test)]
mod full_width_tests;

/// A budget without end.
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

    fn wants_another(&self, _: Iteration) -> bool {
        true
    }
}
