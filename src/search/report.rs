//! What comes out of a search, while it runs and at its end.

use tengen_rules::position::Position;
use tengen_rules::types::{Point, Score};

/// One of the best moves of a search, with the play expected after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move.
    pub score: Score,
    /// Plies of the last iteration that the line comes from.
    pub depth: u32,
    /// Deepest ply visited for it.
    pub selective_depth: u32,
    /// Best play by both sides; the first move is the answer.
    pub moves: Vec<Point>,
}

/// A finished iteration of the search for one of the best moves.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Which of the best moves this is, from 0.
    pub rank: usize,
    /// The line itself.
    pub line: &'a Line,
    /// Nodes visited so far: by the announcing thread, or by all where several search.
    pub nodes: u64,
}

/// Watches a search. Every method does nothing unless it is written.
///
/// A closure that takes a [`&Progress`](Progress) is an observer of iterations:
///
/// ```
/// use tengen::{Observer, Progress};
///
/// let mut deepest = 0;
/// let mut observer = |progress: &Progress<'_>| deepest = progress.line.depth;
/// let _: &mut dyn Observer = &mut observer;
/// ```
pub trait Observer {
    /// A line of the current iteration is known.
    fn iteration(&mut self, _progress: Progress<'_>) {}
    /// The search turns to this root move.
    fn root_move(&mut self, _point: Point) {}
    /// The search is done with this root move for now; `lost` when it is proved to lose.
    fn root_move_done(&mut self, _point: Point, _lost: bool) {}
    /// This root move is now the best.
    fn best_move(&mut self, _point: Point) {}
}

impl<F: FnMut(&Progress<'_>)> Observer for F {
    fn iteration(&mut self, progress: Progress<'_>) {
        self(&progress);
    }
}

/// Watches the tree of a search from inside, for example to sample training positions. It does
/// not influence the search. Every method does nothing unless it is written.
pub trait TreeObserver: Send {
    /// This position is evaluated statically.
    fn on_evaluation(&mut self, _position: &Position) {}
    /// The move `best` caused a beta cutoff in this position, searched `depth` plies deep.
    fn on_cutoff(&mut self, _position: &Position, _best: Point, _depth: i32) {}
}

/// An observer that does nothing.
pub struct Silent;

impl Observer for Silent {}
