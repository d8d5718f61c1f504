//! The answer to a request.

use std::time::Duration;

use crate::search::Line;
use tengen_rules::types::Point;

/// The answer to a request.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Best lines first; empty when the board is full, and from [`Engine::analyze`] when the game
    /// is over.
    ///
    /// [`Engine::analyze`]: super::Engine::analyze
    pub lines: Vec<Line>,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// Time since the request was received; zero when the game was over.
    pub elapsed: Duration,
}

impl Report {
    /// The move to play; `None` when there are no lines.
    pub fn best(&self) -> Option<Point> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }

    /// The lines that were searched, and always the first one. The others have no score.
    pub fn searched_lines(&self) -> impl Iterator<Item = &Line> {
        let is_searched = |&(rank, line): &(usize, &Line)| rank == 0 || line.depth > 0;
        self.lines.iter().enumerate().filter(is_searched).map(|(_, line)| line)
    }
}
