//! Positions of real games in which there is something to choose.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use crate::game::Game;
use crate::record::{Reading, read};
use crate::types::{BoardSize, Point, Rule};

/// Stones from which on a position is drawn: before, openings decide.
const FIRST_STONES: usize = 5;
/// Moves before the end of a game that are left out: they are mostly forced.
const LAST_MOVES: usize = 4;

/// One position of every game on this board, in an order fixed by `seed`.
///
/// # Errors
/// When a file cannot be read or holds no game on this board.
pub(super) fn draw(
    paths: &[PathBuf],
    rule: Rule,
    size: BoardSize,
    seed: u64,
) -> anyhow::Result<Vec<Game>> {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut drawn = Vec::new();
    for path in paths {
        let mut on_board = 0;
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        let reading = Reading { name: Some(path), size, ..Reading::default() };
        let games = read(&bytes, &reading).with_context(|| path.display().to_string())?;
        for record in games.list.iter().filter(|record| record.size == size) {
            on_board += 1;
            let moves = record.moves().with_context(|| path.display().to_string())?;
            // Of a game too short to choose from, the end.
            let latest = moves.len().saturating_sub(LAST_MOVES);
            let stones = match latest {
                FIRST_STONES.. => random.random_range(FIRST_STONES..=latest),
                _ => moves.len(),
            };
            drawn.extend(replay(rule, size, &moves[..stones]));
        }
        ensure!(on_board > 0, "{}: no game on a {size} board", path.display());
    }
    drawn.shuffle(&mut random);
    Ok(drawn)
}

/// The game after these moves; `None` where it is over under this rule.
fn replay(rule: Rule, size: BoardSize, moves: &[Point]) -> Option<Game> {
    let mut game = Game::new(size, rule);
    moves.iter().all(|&at| game.play(at).is_none()).then_some(game)
}
