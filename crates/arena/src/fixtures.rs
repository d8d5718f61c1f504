//! What several tests of matches start from.

use std::collections::BTreeMap;

use super::record::{Header, Record};

/// Terms that no engine of a test minds: 20 seconds a move, freestyle.
#[cfg(unix)]
pub(super) fn terms(size: tengen_rules::types::BoardSize) -> super::game::Terms {
    super::game::Terms {
        rule: tengen_rules::types::Rule::Freestyle,
        size,
        turn: 20_000,
        game: 0,
        increment: 0,
        tolerance: 0,
        nodes: 0,
        memory: 100,
        max_moves: 0,
    }
}

/// The head of a record of `a` against `b` with this time for a move.
pub(super) fn header(turn: &str) -> Header {
    Header {
        engines: vec![("a".into(), "./a".into()), ("b".into(), "./b".into())],
        builds: Vec::new(),
        terms: BTreeMap::from([("turn".to_string(), turn.to_string())]),
    }
}

/// A game that was played to its end by `a` and `b`, who change colours with every game.
pub(super) fn finished(game: usize, result: &str) -> Record {
    let (black, white) = if game.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
    Record {
        game,
        black: black.into(),
        white: white.into(),
        result: result.into(),
        reason: "five".into(),
        opening: 0,
        moves: "7,7".into(),
        times_ms: vec![1],
        offender: None,
        last_lines: Vec::new(),
    }
}
