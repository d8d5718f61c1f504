//! A fixed search that measures speed and computes the signature, which is the same on every
//! machine.

use std::time::Duration;

use tengen_rules::position::Position;
use tengen_rules::types::Point;

use crate::engine::{Engine, Limits, Networks, Options, Report, Request, Silent, StopSwitch};
use crate::moment::Instant;

/// Depth in plies of the searches that the signature counts. Smaller in tests of this crate, which
/// only compare two runs.
pub const SIGNATURE_DEPTH: u32 = if cfg!(test) { 6 } else { 18 };

/// Bytes of the transposition table. The signature depends on it.
const HASH: u64 = 64 << 20;

/// Rule, size and moves of the positions: beginnings of self-play games under all rules and on both
/// sizes of the tournaments, and two boards of other shapes.
const POSITIONS: &[(&str, &str, &str)] = &[
    ("freestyle", "15", "10,10 3,3 10,6 6,9 6,8 8,8 9,5"),
    ("freestyle", "15", "10,4 7,6 9,11 9,3 8,10 7,9 10,10 9,10"),
    ("freestyle", "15", "7,5 8,9 6,5 7,9 9,9 5,5 7,4 5,6 5,7 7,7 7,10 4,8"),
    (
        "freestyle",
        "15",
        "8,8 3,4 6,5 3,10 4,4 7,10 4,5 4,7 5,8 3,5 7,6 3,7 3,3 3,8 3,6 3,9 3,11 4,10",
    ),
    ("freestyle", "20", "13,13 6,6 13,9 9,12 9,11 11,11 15,11"),
    ("freestyle", "20", "9,9 9,12 8,11 12,8 8,10 10,8 11,8 8,9"),
    ("freestyle", "20", "11,11 6,7 9,8 6,13 7,7 10,13 10,8 7,8 8,9 7,14 8,15 6,11 10,9 6,14"),
    (
        "freestyle",
        "20",
        "12,9 13,10 15,10 15,9 15,14 14,8 16,10 14,9 14,7 16,9 17,9 13,8 12,8 16,8",
    ),
    ("standard", "15", "10,4 7,6 9,11 9,3 8,10"),
    ("standard", "15", "7,5 8,9 6,5 7,9 9,9 5,5 6,4 8,6"),
    ("standard", "15", "9,6 9,5 9,7 8,8 10,4 10,8 8,4 7,4 10,5 10,3 10,10 11,4"),
    ("standard", "15", "5,7 9,8 5,10 10,9 11,10 10,6 10,8 9,7 9,9 8,10 11,5 10,4 10,7 9,4"),
    ("standard", "20", "13,7 10,9 12,14 12,6 11,15"),
    ("standard", "20", "9,9 9,12 8,11 12,8 8,10 11,7 10,6 8,12"),
    ("renju", "15", "10,10 3,3 10,6 6,9 6,8 8,8 9,5"),
    ("renju", "15", "10,4 7,6 9,11 9,3 10,10 8,4 7,5 8,5"),
    ("renju", "15", "4,7 10,10 6,6 6,10 9,10 7,6 4,8 5,4 6,5 4,9 3,10 6,7 7,9 5,8 8,5 4,4"),
    ("renju", "15", "8,8 3,4 6,5 3,10 4,4 7,10 7,5 4,5 5,6 4,9 5,8 5,9 3,9 4,7 4,8 6,8 5,7 6,6"),
    ("caro", "15", "10,10 3,3 10,6 6,9 6,8 8,8 8,10"),
    ("caro", "15", "10,4 7,6 9,11 9,3 10,10 11,9 8,10 9,10"),
    ("caro-overline", "15", "10,10 3,3 10,6 6,9 6,8 8,8 8,10"),
    ("caro-overline", "15", "10,4 7,6 9,11 9,3 10,10 11,9 8,10 9,10"),
    ("freestyle", "9x30", "6,17 4,13 5,13 3,17 6,15 4,18"),
    ("renju", "20", "13,13 6,6 13,9 9,12 9,11 11,11 15,15"),
];

/// One position that was searched.
#[derive(Debug)]
pub struct Searched<'a> {
    /// Number of the position, from 1.
    pub number: usize,
    /// Name of its rule.
    pub rule: &'static str,
    /// Its board size, `15` or `9x30`.
    pub size: &'static str,
    /// The result of the search.
    pub report: &'a Report,
}

/// Totals over all positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Nodes visited: with one thread at [`SIGNATURE_DEPTH`] the signature.
    pub nodes: u64,
    /// Time spent searching.
    pub elapsed: Duration,
}

/// The signature: nodes of a search of every position with one thread.
pub fn signature() -> u64 {
    measure(SIGNATURE_DEPTH, 1, |_| {}).nodes
}

/// Number of positions.
pub const fn position_count() -> usize {
    POSITIONS.len()
}

/// Searches every position to `depth` with an empty table and calls `each` after every search.
/// Memory and pattern tables are prepared before the clock starts.
pub fn measure(depth: u32, threads: usize, each: impl FnMut(Searched<'_>)) -> Totals {
    measure_with(&Networks::embedded(), depth, threads, each)
}

/// [`measure`] with other networks.
pub fn measure_with(
    networks: &Networks,
    depth: u32,
    threads: usize,
    mut each: impl FnMut(Searched<'_>),
) -> Totals {
    let networks = networks.clone();
    let options = Options { threads, hash: Some(HASH), networks, ..Options::default() };
    let mut engine = Engine::new(options);
    let positions: Vec<Position> =
        POSITIONS.iter().map(|&(rule, size, moves)| set_up(rule, size, moves)).collect();
    // A search of one ply touches the memory and builds the tables of every rule.
    for position in &positions {
        search(&mut engine, position, 1);
    }
    let mut totals = Totals { nodes: 0, elapsed: Duration::ZERO };
    for (index, (position, &(rule, size, _))) in positions.iter().zip(POSITIONS).enumerate() {
        engine.new_game();
        let start = Instant::now();
        let report = search(&mut engine, position, depth);
        totals.elapsed += start.elapsed();
        totals.nodes += report.nodes;
        each(Searched { number: index + 1, rule, size, report: &report });
    }
    totals
}

fn search(engine: &mut Engine, position: &Position, depth: u32) -> Report {
    let request = Request::new(Limits::depth(depth));
    engine.think(position, &request, &StopSwitch::new(), &mut Silent)
}

fn set_up(rule: &str, size: &str, moves: &str) -> Position {
    let valid = "a position of the table above";
    let mut position = Position::new(size.parse().expect(valid), rule.parse().expect(valid));
    for word in moves.split_ascii_whitespace() {
        position.play(word.parse::<Point>().expect(valid));
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_is_the_same_in_every_run() {
        let mut searched = 0;
        let first = measure(5, 1, |_| searched += 1);
        assert_eq!(searched, POSITIONS.len());
        assert!(first.nodes > 1000);
        assert_eq!(first.nodes, measure(5, 1, |_| {}).nodes);
    }
}
