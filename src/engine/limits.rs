//! What a search may spend, and what it is asked.

use std::time::{Duration, Instant};

use tengen_rules::types::Point;

/// How much one move may cost. Absent means unlimited.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the request arrived: time runs from here, not from when the search starts.
    pub received: Instant,
    /// Time for this move. Zero asks for the fastest sensible answer.
    pub turn: Option<Duration>,
    /// Time left of the game. Zero when nothing, or less, is left.
    pub left: Option<Duration>,
    /// Time added to the game clock after every move.
    pub increment: Duration,
    /// Nodes to visit. With one thread the search is the same every time; a look for fours that is
    /// under way when they are used up may go past them by its own bound.
    pub nodes: Option<u64>,
    /// Plies of the last iteration.
    pub depth: Option<u32>,
    /// Search on although there is only one move to consider, as an analysis does: its score is
    /// what is asked for. A player answers at once and saves the time.
    pub analysis: bool,
}

impl Limits {
    /// No limit at all, counted from now.
    pub fn unlimited() -> Limits {
        Limits {
            received: Instant::now(),
            turn: None,
            left: None,
            increment: Duration::ZERO,
            nodes: None,
            depth: None,
            analysis: false,
        }
    }

    /// A fixed time for this move, counted from now.
    pub fn turn(time: Duration) -> Limits {
        Limits { turn: Some(time), ..Limits::unlimited() }
    }

    /// A fixed number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::unlimited() }
    }

    /// A fixed number of iterations.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::unlimited() }
    }
}

/// A question to the engine about one position.
#[derive(Clone, Debug)]
pub struct Request {
    /// What it may cost.
    pub limits: Limits,
    /// Number of best moves wanted, each with its own score and variation; at least 1.
    pub lines: usize,
    /// Moves the answer must not be, as long as another is left.
    pub excluded: Vec<Point>,
}

impl Request {
    /// The best move within `limits`.
    pub fn best_move(limits: Limits) -> Request {
        Request { limits, lines: 1, excluded: Vec::new() }
    }
}
