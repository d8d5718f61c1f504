//! Results of a search, and observers of a running one.

use tengen_rules::position::Position;
use tengen_rules::types::{Point, Score};

/// One of the best moves of a search, with the play expected after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move.
    pub score: Score,
    /// Depth of the iteration that found the line (plies).
    pub depth: u32,
    /// Deepest ply visited for it.
    pub selective_depth: u32,
    /// Best play by both sides, starting with the move itself.
    pub moves: Vec<Point>,
}

/// A finished iteration of the search for one of the best moves.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Rank of the line among the best ones, from 0.
    pub rank: usize,
    /// The line.
    pub line: &'a Line,
    /// Nodes visited so far, by all threads.
    pub nodes: u64,
}

/// Observes a search. Every method does nothing by default.
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
    /// Called when the current iteration has found a line.
    fn iteration(&mut self, _progress: &Progress<'_>) {}
    /// Called before the search of a root move.
    fn root_move(&mut self, _point: Point) {}
    /// Called after the search of a root move; `lost` if it is proved to lose.
    fn root_move_done(&mut self, _point: Point, _lost: bool) {}
    /// Called when this root move becomes the best.
    fn best_move(&mut self, _point: Point) {}
}

impl<F: FnMut(&Progress<'_>)> Observer for F {
    fn iteration(&mut self, progress: &Progress<'_>) {
        self(progress);
    }
}

/// Observes the tree of a search, for example to sample training positions. It does not influence
/// the search. Every method does nothing by default.
pub trait TreeObserver: Send {
    /// Called when this position is evaluated statically.
    fn on_evaluation(&mut self, _position: &Position) {}
    /// Called when `best` caused a beta cutoff in this position, searched `depth` plies deep.
    fn on_cutoff(&mut self, _position: &Position, _best: Point, _depth: i32) {}
}

/// An observer that does nothing.
pub struct Silent;

impl Observer for Silent {}
