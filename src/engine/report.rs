//! The answer to a request.

use std::time::Duration;

use crate::search::Line;
use crate::types::Point;

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Report {
    /// Best lines first; empty when the game is over or the board is full.
    pub lines: Vec<Line>,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time since the request was received.
    pub elapsed: Duration,
}

impl Report {
    /// The move to play; `None` when there are no lines.
    pub fn best(&self) -> Option<Point> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }
}
