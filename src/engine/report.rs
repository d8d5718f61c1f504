//! The answer to a request.

use std::time::Duration;

use crate::search::Line;
use crate::types::Point;

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Report {
    /// Best lines first; empty only when the board has no empty cell.
    pub lines: Vec<Line>,
    /// Nodes visited by all threads.
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
