//! Positions of real games in which there is something to choose.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use tengen_record::GameRecord;
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, Rule};

/// Stones from which on a position is drawn: before, openings decide.
const FIRST_STONES: usize = 5;
/// Moves before the end of a game that are left out: they are mostly forced.
const LAST_MOVES: usize = 4;

/// Reads the games of one file; boards that the file does not name have the given size.
pub type ReadGames<'a> = &'a mut dyn FnMut(&Path, BoardSize) -> anyhow::Result<Vec<GameRecord>>;

/// One position of every game on this board, in an order fixed by `seed`.
///
/// # Errors
/// When a file cannot be read or holds no game on this board.
pub(super) fn draw(
    paths: &[PathBuf],
    rule: Rule,
    size: BoardSize,
    seed: u64,
    read: ReadGames<'_>,
) -> anyhow::Result<Vec<Game>> {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut drawn = Vec::new();
    for path in paths {
        let mut on_board = 0;
        let games = read(path, size)?;
        for record in
            games.iter().filter(|it| it.size == size && it.rule.is_none_or(|told| told == rule))
        {
            on_board += 1;
            let moves = record.moves().with_context(|| path.display().to_string())?;
            // Of a game too short to choose from, the end.
            let latest = moves.len().saturating_sub(LAST_MOVES);
            let stones = match latest {
                FIRST_STONES.. => random.random_range(FIRST_STONES..=latest),
                _ => moves.len(),
            };
            // Under this rule it may be over already.
            let game = Game::replay(size, rule, &moves[..stones]);
            drawn.extend(game.ending().is_none().then_some(game));
        }
        ensure!(on_board > 0, "{}: no game of {rule} on a {size} board", path.display());
    }
    drawn.shuffle(&mut random);
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::{Reading, read};

    #[test]
    fn short_games_give_their_last_position() {
        let rule = Rule::Renju;
        let size = BoardSize::square(15).unwrap();
        let file = b"(;GM[4]SZ[15]RU[renju];B[hh];W[ii];B[gi];W[ig];B[ih];W[gh];B[jh])";
        let mut reader = |_: &Path, size| {
            let reading = Reading { size: Some(size), ..Reading::default() };
            Ok(read(file, &reading)?.list)
        };
        let mut draw = |rule| draw(&["a.sgf".into()], rule, size, 1, &mut reader);
        assert!(draw(Rule::Caro).unwrap_err().to_string().contains("no game of caro"));
        let drawn = draw(rule).unwrap();
        assert_eq!(drawn.len(), 1);
        // The game is too short to choose from.
        assert_eq!(drawn[0].board().history().len(), 7);
    }
}
