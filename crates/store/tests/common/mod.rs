//! Positions and records for the tests of the store.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::sync::Arc;

use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use tengen_rules::{Board, BoardSize, Point, Rule, Score};
use tengen_store::{
    Bound, Evaluation, Evidence, GameValue, KnownResult, Origin, Provenance, Record, ScoredMove,
};

pub fn square(side: i64) -> BoardSize {
    BoardSize::square(side).unwrap()
}

/// The board after these moves.
pub fn played(size: BoardSize, rule: Rule, moves: &[(u8, u8)]) -> Board {
    let mut board = Board::new(size, rule);
    for &(x, y) in moves {
        board.place(Point::new(x, y), board.side_to_move()).unwrap();
    }
    board
}

/// A different position for each number.
pub fn numbered(number: u64) -> Board {
    let mut board = Board::new(square(15), Rule::Renju);
    let mut rng = SmallRng::seed_from_u64(number);
    for _ in 0..12 {
        let point = board.empty_points().choose(&mut rng).unwrap();
        board.place(point, board.side_to_move()).unwrap();
    }
    board
}

pub fn provenance(source: &str, time: u32) -> Provenance {
    let origin = Origin { source: source.to_string(), version: "1".to_string() };
    Provenance { origin: Some(Arc::new(origin)), time }
}

pub fn comment(text: &str) -> Record {
    Record { comment: text.to_string(), ..Record::default() }
}

pub fn evaluated(depth: u16, score: i32, best: Point) -> Record {
    let score = Score::raw(score);
    let evaluation = Evaluation {
        score,
        depth,
        bound: Bound::Exact,
        nodes: 1_000,
        moves: vec![ScoredMove { point: best, score: Some(score) }],
        provenance: provenance("search", 1_700_000_000),
    };
    Record { evaluation: Some(evaluation), ..Record::default() }
}

pub fn proved(value: GameValue, distance: u16) -> Record {
    let result = KnownResult {
        value,
        distance: Some(distance),
        evidence: Evidence::Proved,
        best: None,
        provenance: provenance("solver", 1_700_000_000),
    };
    Record { result: Some(result), ..Record::default() }
}

/// A record determined by the number.
pub fn record_of(number: u64) -> Record {
    let mut rng = SmallRng::seed_from_u64(number ^ 0x5eed);
    let best = Point::new(rng.random_range(0..15), rng.random_range(0..15));
    let mut record = evaluated(rng.random_range(0..40), rng.random_range(-900..900), best);
    if rng.random_bool(0.3) {
        record.result = proved(GameValue::Win, rng.random_range(1..60)).result;
    }
    if rng.random_bool(0.2) {
        record.comment = format!("comment {number}");
    }
    record
}
