//! L8: what to search, for how long, with what memory.

mod limits;
mod report;

pub use limits::{Limits, Request};
pub use report::{Line, Observer, Progress, Report, Silent, StopSwitch};

use crate::position::Position;
use crate::types::Score;

/// What the engine may use, independent of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Bytes that the whole process may use; `None` for the default.
    pub memory: Option<u64>,
    /// Bytes of the transposition table, where it is asked for by itself; overrides `memory`.
    pub hash: Option<u64>,
    /// How many moves of a quiet position are considered: 0 (narrow) to 5 (the whole board).
    pub caution: u8,
    /// Playing strength in percent; 100 is full strength.
    pub strength: u8,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, memory: None, hash: None, caution: 3, strength: 100 }
    }
}

/// Answers requests about positions, and keeps what it learned from one to the next.
pub struct Engine {
    options: Options,
}

impl Engine {
    /// An engine that has seen nothing. Cheap: memory is taken when it is first needed.
    pub fn new(options: Options) -> Engine {
        Engine { options }
    }

    /// The options in force.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes the options; takes effect with the next request.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Forgets everything learned from earlier positions.
    pub fn clear(&mut self) {}

    /// Share of the transposition table in use, in permille.
    pub fn hash_usage(&self) -> u32 {
        0
    }

    /// Searches `position` until the limits are reached or `stop` is pressed.
    pub fn think(
        &mut self,
        position: &Position,
        request: &Request,
        _stop: &StopSwitch,
        _observer: &mut dyn Observer,
    ) -> Report {
        let center = position.board().size().center();
        let best = position
            .board()
            .empty_points()
            .filter(|point| !request.excluded.contains(point))
            .min_by_key(|point| point.distance(center));
        let lines = best
            .map(|point| Line {
                score: Score::DRAW,
                depth: 0,
                selective_depth: 0,
                moves: vec![point],
            })
            .into_iter()
            .collect();
        Report { lines, nodes: 0, elapsed: request.limits.received.elapsed() }
    }
}
