//! Games from files, as `tengen analyze` takes them.

use std::path::Path;

use anyhow::{Context, bail, ensure};

use crate::board::Board;
use crate::game::{Game, Offence};
use crate::record::{GameRecord, NodeId, Reading, read};
use crate::types::{BoardSize, Color, Rule};

/// The main lines of all games of a file of any form. Rule and size count where the file does not
/// tell them.
///
/// # Errors
/// When the file is no game file, or a game is none of alternating legal moves.
pub(super) fn games(
    path: &Path,
    bytes: &[u8],
    rule: Rule,
    size: BoardSize,
) -> anyhow::Result<Vec<Game>> {
    let records = read(bytes, &Reading { name: Some(path), size, ..Reading::default() })?;
    (1..)
        .zip(&records.list)
        .map(|(number, record)| replay(record, rule).with_context(|| format!("game {number}")))
        .collect()
}

fn replay(record: &GameRecord, rule: Rule) -> anyhow::Result<Game> {
    let mut game = start(record, record.rule.unwrap_or(rule))?;
    for (number, node) in (1..).zip(record.main_line()) {
        let set_up = record.note(node).is_some_and(|note| !note.set_up.is_empty());
        ensure!(!set_up, "stones are set up after move {}", number - 1);
        let Some(play) = record.play_of(node) else { continue };
        let Some(point) = play.at else { bail!("move {number} is a pass") };
        ensure!(
            play.color == game.side_to_move(),
            "move {number} is {}'s, whose turn it is not",
            play.color.name()
        );
        match game.try_play(point) {
            // What is on the board before a foul that lost the game is what there is to analyse.
            Err(Offence::Foul(_)) if record.ends_with(node) => break,
            played => played.with_context(|| format!("move {number} ({point})"))?,
        };
    }
    Ok(game)
}

/// The board that the game begins with.
fn start(record: &GameRecord, rule: Rule) -> anyhow::Result<Game> {
    let first = record.plays().next().map(|play| play.color);
    let Some(note) = record.note(NodeId::ROOT).filter(|note| !note.set_up.is_empty()) else {
        let side = first.unwrap_or(Color::Black);
        ensure!(side == Color::Black, "white makes the first move");
        return Ok(Game::new(record.size, rule));
    };
    let set_up = &note.set_up;
    let mut board = Board::new(record.size, rule);
    set_up.walls.iter().for_each(|&point| board.wall(point));
    set_up.black.iter().for_each(|&point| board.place(point, Color::Black));
    set_up.white.iter().for_each(|&point| board.place(point, Color::White));
    board.set_side(first.or(set_up.side).unwrap_or(board.side_by_count()));
    Ok(Game::from_board(&board))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> anyhow::Result<Vec<Game>> {
        let size = BoardSize::square(15).unwrap();
        games(Path::new(name), text.as_bytes(), Rule::Standard, size)
    }

    #[test]
    fn games_of_every_form_are_replayed() {
        let shape = |game: &Game| format!("{} {} {}", game.rule(), game.size(), game.board().key());
        let wanted = read("games.txt", "h8i7h7\n7,7 8,8 7,8\n").unwrap();
        assert_eq!(wanted.len(), 2);
        assert_eq!(shape(&wanted[0]), shape(&wanted[1]));
        let sgf = read("game.sgf", "(;GM[4]SZ[15];B[hh];W[ii];B[hi])").unwrap();
        assert_eq!(sgf[0].board().key(), wanted[0].board().key());
        let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n8,9,0\na\nb\n-1\n";
        assert_eq!(read("game.psq", psq).unwrap()[0].board().key(), wanted[0].board().key());
        let drawn = read("boards.txt", ". X .\n. O .\n. # .\n\nX\n").unwrap();
        assert_eq!(drawn[0].side_to_move(), Color::Black);
        assert_eq!(drawn[1].ending().map(|ending| ending.reason()), Some("full"));
    }

    #[test]
    fn games_that_are_none_are_refused() {
        let fault = |text: &str| format!("{:#}", read("games.txt", text).unwrap_err());
        let late = "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2";
        assert!(fault(late).starts_with("game 1: move 10 (4,13): the game is over"));
        // Two open threes; the game that they lost is there without them.
        let foul = "{\"rule\":\"renju\",\"moves\":\"9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14 9,6\"}";
        assert_eq!(read("games.jsonl", foul).unwrap()[0].history().len(), 8);
        assert!(fault("h8h8").contains("line 1"), "{}", fault("h8h8"));
        assert!(fault("h8\nfoo").contains("line 2"), "{}", fault("h8\nfoo"));
    }
}
