//! Values for tests of matches.

use std::collections::BTreeMap;

use super::match_file::{MatchGame, MatchHeader};

/// Freestyle with 20 seconds for a move, more than an engine of a test needs.
pub(super) fn game_settings(size: tengen_rules::types::BoardSize) -> super::game::GameSettings {
    super::game::GameSettings {
        rule: tengen_rules::types::Rule::Freestyle,
        size,
        turn: 20_000,
        game: 0,
        increment: 0,
        tolerance: 0,
        nodes: 0,
        memory: 100,
        max_moves: 0,
        adjudication: super::adjudication::Adjudication::default(),
    }
}

/// The header of a match of `a` against `b` with this time for a move.
pub(super) fn header(turn: &str) -> MatchHeader {
    MatchHeader {
        engines: vec![("a".into(), "./a".into()), ("b".into(), "./b".into())],
        builds: Vec::new(),
        terms: BTreeMap::from([("turn".to_string(), turn.to_string())]),
    }
}

/// A finished game of `a` and `b`, which change colours with every game.
pub(super) fn finished(game: usize, result: &str) -> MatchGame {
    let (black, white) = if game.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
    MatchGame {
        game,
        black: black.into(),
        white: white.into(),
        result: result.into(),
        reason: "five".into(),
        opening: 0,
        moves: "7,7".into(),
        times_ms: vec![1],
        offender: None,
        exit_status: None,
        signal: None,
        last_lines: Vec::new(),
        opener: None,
        opening_times_ms: Vec::new(),
    }
}
