//! Undecided positions of real games.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::super::common_board;
use tengen::random::Random;
use tengen_cli::args::BoardArgs;
use tengen_cli::selection::Selection;
use tengen_record::GameRecord;
use tengen_rules::game::Game;
use tengen_rules::types::BoardSize;

/// Fewest stones of a drawn position; fewer are openings.
const FIRST_STONES: usize = 5;
/// Moves at the end of a game from which no position is drawn: they are mostly forced.
const LAST_MOVES: usize = 4;

/// Reads the selected games of one file with their numbers; the size is that of boards without one.
pub type ReadGames<'a> =
    &'a mut dyn FnMut(&Path, BoardSize, &Selection) -> anyhow::Result<Vec<(usize, GameRecord)>>;

/// The drawn positions, and the numbers of games that were not used.
#[derive(Debug)]
pub(super) struct Drawn {
    /// Their rule and board.
    pub(super) board: BoardArgs,
    pub(super) positions: Vec<Game>,
    /// Games with another rule or board.
    pub(super) of_other_boards: usize,
    /// Games of which the drawn position is finished.
    pub(super) over: usize,
}

/// One position of every game on this board, in an order determined by `seed`. A rule or size that is
/// not requested is the one that all games state, if any; a note names it.
///
/// # Errors
/// When a file cannot be read or holds no game on this board.
pub(super) fn draw(
    paths: &[PathBuf],
    requested: BoardArgs,
    seed: u64,
    selection: &Selection,
    read: ReadGames<'_>,
    notes: &mut dyn Write,
) -> anyhow::Result<Drawn> {
    let files = paths.iter().map(|path| Ok((path, read(path, requested.size(), selection)?)));
    let files: Vec<(&PathBuf, Vec<(usize, GameRecord)>)> = files.collect::<anyhow::Result<_>>()?;
    let games = files.iter().flat_map(|(_, games)| games.iter().map(|(_, record)| record));
    let board = common_board::completed(requested, games);
    if let Some(note) = common_board::note(requested, board) {
        writeln!(notes, "{note}")?;
    }
    let (rule, size) = (board.rule(), board.size());
    let mut random = Random::new(seed);
    let mut drawn = Drawn { board, positions: Vec::new(), of_other_boards: 0, over: 0 };
    for (path, games) in files {
        let mut on_board = 0;
        for (number, record) in games {
            if record.size != size || record.rule.is_some_and(|its| its != rule) {
                drawn.of_other_boards += 1;
                continue;
            }
            on_board += 1;
            let moves = selection.sound(number, record.moves(), path, notes);
            let Some(moves) = moves.with_context(|| path.display().to_string())? else { continue };
            // A short game gives its last position.
            let latest = moves.len().saturating_sub(LAST_MOVES);
            let stones = match latest {
                FIRST_STONES.. => FIRST_STONES + random.index(latest - FIRST_STONES + 1),
                _ => moves.len(),
            };
            // The game may be over under this rule.
            let game = Game::replay(size, rule, &moves[..stones]);
            match game.ending() {
                None => drawn.positions.push(game),
                Some(_) => drawn.over += 1,
            }
        }
        ensure!(on_board > 0, "{}: no {rule} games on a {size} board", path.display());
    }
    random.shuffle(&mut drawn.positions);
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::{ReadOptions, read};
    use tengen_rules::types::Rule;

    #[test]
    fn short_games_give_their_last_position() {
        let file = b"(;GM[4]SZ[15]RU[renju];B[hh];W[ii];B[gi];W[ig];B[ih];W[gh];B[jh])";
        let mut reader = |_: &Path, size, _: &Selection| {
            let reading = ReadOptions { size: Some(size), ..ReadOptions::default() };
            Ok((1..).zip(read(file, &reading)?.list).collect())
        };
        let all = Selection::default();
        let mut draw = |rule| {
            let board = BoardArgs { rule, size: None };
            draw(&["a.sgf".into()], board, 1, &all, &mut reader, &mut Vec::new())
        };
        assert!(draw(Some(Rule::Caro)).unwrap_err().to_string().contains("no caro games"));
        // Without a requested rule it is that of the games.
        let drawn = draw(None).unwrap();
        assert_eq!(drawn.board.rule(), Rule::Renju);
        let drawn = drawn.positions;
        assert_eq!(drawn.len(), 1);
        assert_eq!(drawn[0].board().history().len(), 7);
    }

    #[test]
    fn bad_games_can_be_left_out() {
        let board = BoardArgs { rule: Some(Rule::Renju), size: BoardSize::square(15).ok() };
        // Two black moves in a row do not alternate.
        let file = b"(;GM[4]SZ[15];B[hh];B[ii])(;GM[4]SZ[15];B[hh];W[ii])(;SZ[19];B[hh])";
        let mut reader = |_: &Path, size, _: &Selection| {
            let reading = ReadOptions { size: Some(size), ..ReadOptions::default() };
            Ok((1..).zip(read(file, &reading)?.list).collect())
        };
        let mut draw = |skip_bad| {
            let selection = Selection { skip_bad, ..Selection::default() };
            let mut notes = Vec::new();
            let files = ["a.sgf".into()];
            let drawn = draw(&files, board, 1, &selection, &mut reader, &mut notes);
            drawn.map(|drawn| (drawn, String::from_utf8(notes).unwrap()))
        };
        let fault = format!("{:#}", draw(false).unwrap_err());
        assert!(fault.starts_with("a.sgf: game 1 (see --skip-bad): "), "{fault}");
        let (drawn, notes) = draw(true).unwrap();
        assert_eq!((drawn.positions.len(), drawn.of_other_boards, drawn.over), (1, 1, 0));
        assert!(notes.starts_with("a.sgf: skipped game 1: "), "{notes}");
    }
}
