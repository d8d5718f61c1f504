//! What comes out of a search, while it runs and at its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::types::{Point, Score};

/// One of the best moves.
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

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Report {
    /// Best lines first; empty only when the board has no empty cell.
    pub lines: Vec<Line>,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the request was received.
    pub elapsed: Duration,
}

impl Report {
    /// The move to play; `None` only when the board is full.
    pub fn best(&self) -> Option<Point> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }
}

/// A finished iteration.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Which of the best moves this is, from 0.
    pub rank: usize,
    /// The line itself.
    pub line: &'a Line,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time since the request was received.
    pub elapsed: Duration,
}

/// Watches a search from outside. Every method may be left alone.
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

/// An observer that watches nothing.
pub struct Silent;

impl Observer for Silent {}

/// A shared switch that ends a running search within a few milliseconds.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<AtomicBool>);

impl StopSwitch {
    /// A switch that is not pressed.
    pub fn new() -> StopSwitch {
        StopSwitch::default()
    }

    /// Asks the search to end.
    pub fn press(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes the switch fit for the next search.
    pub fn release(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the search should end.
    #[inline]
    pub fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
