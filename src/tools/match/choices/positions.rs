//! Positions of real games in which there is something to choose.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use crate::game::Game;
use crate::tools::games::GameFiles;
use crate::types::{BoardSize, Rule};

/// Stones from which on a position is drawn: before, openings decide.
const FIRST_STONES: usize = 5;
/// Moves before the end of a game that are left out: they are mostly forced.
const LAST_MOVES: usize = 4;

/// One position of every game on this board, in an order fixed by `seed`; what was left out of
/// the files is said in `notes`.
///
/// # Errors
/// When a file cannot be read or holds no game on this board.
pub(super) fn draw(
    paths: &[PathBuf],
    rule: Rule,
    size: BoardSize,
    seed: u64,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<Game>> {
    let files = GameFiles::known(Some(size), None, None);
    let mut random = SmallRng::seed_from_u64(seed);
    let mut drawn = Vec::new();
    for path in paths {
        let mut on_board = 0;
        let games = files.read_file(path, notes)?;
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
    use crate::tools::fixtures::Folder;
    use crate::tools::training::data;

    #[test]
    fn shards_of_self_play_are_games_too() {
        let folder = Folder::new("choices-shard");
        let (text, shard) = (folder.file("a.txt"), folder.file("a.tgs"));
        let game = "black 4 7,7 8,8 6,8 8,6 8,7 6,7 9,7 | 10 -20 29990";
        std::fs::write(&text, format!("# rule=renju size=15x15\n{game}\n")).unwrap();
        let (size, rule) = (BoardSize::square(15).unwrap(), Rule::Renju);
        data::pack(vec![text], shard.clone()).unwrap();
        let draw = |rule| draw(std::slice::from_ref(&shard), rule, size, 1, &mut std::io::sink());
        assert!(draw(Rule::Caro).unwrap_err().to_string().contains("no game of caro"));
        let drawn = draw(rule).unwrap();
        assert_eq!(drawn.len(), 1);
        // The game is too short to choose from.
        assert_eq!(drawn[0].board().history().len(), 7);
    }
}
