//! Limits of a search, and requests.

use std::time::Duration;

use crate::moment::Instant;
use crate::search::{Bound, TtEntry};
use tengen_rules::types::{MAX_PLY, Point, Score};

/// The limits of one move. `None` means unlimited.
///
/// Times start at the arrival of a request, so that the same limits can be used for many moves.
///
/// ```
/// use std::time::Duration;
/// use tengen::Limits;
///
/// let limits = Limits::nodes(100_000).with_depth(12).with_turn(Duration::from_secs(1));
/// assert_eq!((limits.nodes, limits.depth), (Some(100_000), Some(12)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Time for this move. Zero for the fastest sensible answer.
    pub turn: Option<Duration>,
    /// Time left in the game. Zero if it is used up.
    pub left: Option<Duration>,
    /// Time of the whole game without increments, if it is known. It determines the reserve of a
    /// short clock and limits nothing.
    pub game: Option<Duration>,
    /// Time added to the game clock after every move.
    pub increment: Duration,
    /// Nodes to visit. With one thread the search is the same every time; a VCF search in progress
    /// at the end may exceed the limit by its own bound.
    pub nodes: Option<u64>,
    /// Plies of the last iteration.
    pub depth: Option<u32>,
    /// Whether to continue the search if there is only one move. An analysis needs its score; a
    /// player answers immediately and saves the time.
    pub analysis: bool,
}

impl Limits {
    /// No limits.
    pub const fn unlimited() -> Limits {
        Limits {
            turn: None,
            left: None,
            game: None,
            increment: Duration::ZERO,
            nodes: None,
            depth: None,
            analysis: false,
        }
    }

    /// A fixed time for a move.
    pub const fn turn(time: Duration) -> Limits {
        Limits::unlimited().with_turn(time)
    }

    /// A fixed number of nodes.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits::unlimited().with_nodes(nodes)
    }

    /// A fixed number of iterations.
    pub const fn depth(depth: u32) -> Limits {
        Limits::unlimited().with_depth(depth)
    }

    /// Sets the time for a move.
    pub const fn with_turn(self, time: Duration) -> Limits {
        Limits { turn: Some(time), ..self }
    }

    /// Sets the time left in the game, and the increment after every move.
    pub const fn with_clock(self, left: Duration, increment: Duration) -> Limits {
        Limits { left: Some(left), increment, ..self }
    }

    /// Sets the time for the whole game, see [`Limits::game`].
    pub const fn with_game(self, time: Duration) -> Limits {
        Limits { game: Some(time), ..self }
    }

    /// Sets the maximum number of nodes.
    pub const fn with_nodes(self, nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..self }
    }

    /// Sets the maximum number of iterations.
    pub const fn with_depth(self, depth: u32) -> Limits {
        Limits { depth: Some(depth), ..self }
    }

    /// Sets [`Limits::analysis`].
    pub const fn for_analysis(self) -> Limits {
        Limits { analysis: true, ..self }
    }
}

/// A search of one position: its limits, the number of best moves, and excluded moves.
///
/// ```
/// use tengen::{Limits, Request};
///
/// let request = Request::new(Limits::nodes(10_000)).with_lines(3);
/// assert_eq!(request.lines, 3);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// Its limits.
    pub limits: Limits,
    /// Number of best moves, each with its own score and variation; at least 1.
    pub lines: usize,
    /// Moves that must not be played unless no other is left.
    pub excluded: Vec<Point>,
    /// The start of the time limits; `None` for the start of the search.
    pub received: Option<Instant>,
    /// Known values of positions near the root. They are stored in the transposition table before
    /// the search.
    pub known: Vec<KnownValue>,
}

/// The value of a position, known before a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownValue {
    /// The key of the board.
    pub key: u64,
    /// The value for the side to move.
    pub score: Score,
    /// Depth of the search that found it.
    pub depth: u32,
    /// The relation of the score to the true value.
    pub bound: Bound,
    /// The best move.
    pub best: Option<Point>,
}

impl KnownValue {
    /// The value as an entry of the transposition table.
    pub(super) fn entry(self) -> TtEntry {
        TtEntry {
            best: self.best,
            score: self.score,
            evaluation: Score::evaluation(self.score.value()),
            depth: self.depth.min(MAX_PLY as u32) as i32,
            bound: self.bound,
        }
    }
}

impl Request {
    /// A request for the best move within `limits`, whose time starts with the search.
    pub const fn new(limits: Limits) -> Request {
        Request { limits, lines: 1, excluded: Vec::new(), received: None, known: Vec::new() }
    }

    /// Sets the number of best moves.
    pub fn with_lines(self, lines: usize) -> Request {
        Request { lines, ..self }
    }

    /// Excludes these moves, unless no other is left.
    pub fn excluding(self, excluded: Vec<Point>) -> Request {
        Request { excluded, ..self }
    }

    /// Sets the instant at which the time starts.
    pub fn received_at(self, received: Instant) -> Request {
        Request { received: Some(received), ..self }
    }

    /// The start of its time: `received`, or now.
    pub(crate) fn start(&self) -> Instant {
        self.received.unwrap_or_else(Instant::now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::TranspositionTable;

    #[test]
    fn builders_set_their_limit_only() {
        let second = Duration::from_secs(1);
        let limits = Limits::turn(second).with_clock(60 * second, second).with_nodes(5);
        assert_eq!(limits.with_game(90 * second).game, Some(90 * second));
        let expected = Limits {
            turn: Some(second),
            left: Some(60 * second),
            game: None,
            increment: second,
            nodes: Some(5),
            depth: None,
            analysis: false,
        };
        assert_eq!(limits, expected);
        let expected = Limits { depth: Some(2), analysis: true, ..Limits::default() };
        assert_eq!(Limits::depth(2).for_analysis(), expected);
    }

    #[test]
    fn unlimited_depth_of_a_known_value_is_the_most_trusted() {
        let (key, score, bound) = (5, Score::evaluation(10), Bound::Exact);
        let known = KnownValue { key, score, depth: u32::MAX, bound, best: None };
        let table = TranspositionTable::new(1 << 20);
        table.store(key, 0, known.entry());
        table.store(key, 0, TtEntry { depth: 20, bound: Bound::Lower, ..known.entry() });
        assert!(table.probe(key, 0).is_some_and(|entry| entry.depth > 200));
    }

    #[test]
    fn request_time_runs_from_arrival() {
        let received = Instant::now();
        let request = Request::new(Limits::unlimited());
        assert!(request.start() >= received);
        assert_eq!(request.received_at(received).start(), received);
    }
}
