//! Games from files for `tengen analyze`.

use std::io::Write;
use std::path::Path;

use tengen_cli::selection::Selection;
use tengen_record::Games;
use tengen_record::replay::replay;
use tengen_rules::game::Game;
use tengen_rules::types::Rule;

/// Replays the main lines of the games of a file. `rule` is the default rule. Returns them with
/// their numbers; `notes` lists those that are left out, or end before their record does.
///
/// # Errors
/// If a game has an illegal move or does not alternate, and is not to be left out.
pub(super) fn games(
    games: &Games,
    rule: Rule,
    selection: &Selection,
    path: &Path,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<(usize, Game)>> {
    let mut sound = Vec::new();
    for (number, record) in games.numbered() {
        let replayed = selection.sound(number, replay(record, rule), path, notes)?;
        let Some(replayed) = replayed else { continue };
        if let Some(cut) = replayed.cut {
            writeln!(notes, "{}, game {number}: {cut}", path.display())?;
        }
        // A foul that lost the game is not on the board.
        sound.push((number, replayed.game));
    }
    Ok(sound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameFiles;
    use tengen_rules::types::Color;

    fn read(name: &str, text: &str) -> anyhow::Result<Vec<Game>> {
        let files = GameFiles::default();
        let (path, selection) = (Path::new(name), Selection::default());
        let records = files.read_bytes(text.as_bytes(), path, &mut Vec::new())?;
        let found = games(&records, Rule::Standard, &selection, path, &mut Vec::new())?;
        Ok(found.into_iter().map(|(_, game)| game).collect())
    }

    #[test]
    fn games_of_all_formats_are_replayed() {
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
    fn invalid_games_are_refused() {
        let error = |text: &str| format!("{:#}", read("games.txt", text).unwrap_err());
        let late = "a1 a2 b1 b2 c1 c2 d1 d2 e1 e2";
        assert_eq!(read("games.txt", late).unwrap()[0].history().len(), 9, "up to its end");
        let twice = "(;GM[4]SZ[15];B[hh];B[ii])";
        assert!(error(twice).contains("move 2 is by black out of turn"), "{}", error(twice));
        // The last move is a double-three and ends the game.
        let foul = "{\"rule\":\"renju\",\"moves\":\"9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14 9,6\"}";
        assert_eq!(read("games.jsonl", foul).unwrap()[0].history().len(), 8);
        assert!(error("h8h8").contains("line 1"), "{}", error("h8h8"));
        assert!(error("h8\nfoo").contains("line 2"), "{}", error("h8\nfoo"));
    }
}
