//! Undecided positions of real games.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use tengen::random::Random;
use tengen_record::GameRecord;
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, Rule};

/// Fewest stones of a drawn position; fewer are openings.
const FIRST_STONES: usize = 5;
/// Moves at the end of a game from which no position is drawn: they are mostly forced.
const LAST_MOVES: usize = 4;

/// Reads the games of one file. The size applies to games without one.
pub type ReadGames<'a> = &'a mut dyn FnMut(&Path, BoardSize) -> anyhow::Result<Vec<GameRecord>>;

/// One position of every game on this board, in an order determined by `seed`.
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
    let mut random = Random::new(seed);
    let mut drawn = Vec::new();
    for path in paths {
        let mut on_board = 0;
        let games = read(path, size)?;
        for record in
            games.iter().filter(|it| it.size == size && it.rule.is_none_or(|its| its == rule))
        {
            on_board += 1;
            let moves = record.moves().with_context(|| path.display().to_string())?;
            // From a short game, take the last position.
            let latest = moves.len().saturating_sub(LAST_MOVES);
            let stones = match latest {
                FIRST_STONES.. => FIRST_STONES + random.index(latest - FIRST_STONES + 1),
                _ => moves.len(),
            };
            // The game may be over under this rule.
            let game = Game::replay(size, rule, &moves[..stones]);
            drawn.extend(game.ending().is_none().then_some(game));
        }
        ensure!(on_board > 0, "{}: no {rule} games on a {size} board", path.display());
    }
    random.shuffle(&mut drawn);
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::{ReadOptions, read};

    #[test]
    fn short_games_give_their_last_position() {
        let rule = Rule::Renju;
        let size = BoardSize::square(15).unwrap();
        let file = b"(;GM[4]SZ[15]RU[renju];B[hh];W[ii];B[gi];W[ig];B[ih];W[gh];B[jh])";
        let mut reader = |_: &Path, size| {
            let reading = ReadOptions { size: Some(size), ..ReadOptions::default() };
            Ok(read(file, &reading)?.list)
        };
        let mut draw = |rule| draw(&["a.sgf".into()], rule, size, 1, &mut reader);
        assert!(draw(Rule::Caro).unwrap_err().to_string().contains("no caro games"));
        let drawn = draw(rule).unwrap();
        assert_eq!(drawn.len(), 1);
        assert_eq!(drawn[0].board().history().len(), 7);
    }
}
