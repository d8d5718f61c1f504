//! Positions as arguments: the games of files, moves, or a diagram.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::game_notes::UnusedNotes;
use crate::games::{FileGame, GameFiles};
use tengen_cli::args::PositionArgs;
use tengen_record::replay::Replayed;
use tengen_rules::game::Game;
use tengen_study::Origin;

/// The positions of a tool: those after the games of files, or one that is given by moves or a
/// diagram.
#[derive(clap::Args, Clone, Debug)]
pub struct SourceArgs {
    /// Game files in any format that convert reads, folders of them, or - for standard input, instead
    /// of --moves and --diagram
    #[arg(conflicts_with_all = ["moves", "diagram"])]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
}

/// The end of the note about variations, for tools that use only the main line.
pub(crate) const MAIN_LINE: &str = "; the main line is used";

impl SourceArgs {
    /// The position of `--moves` or `--diagram`.
    #[cfg(test)]
    pub(crate) fn of_position(position: PositionArgs) -> SourceArgs {
        SourceArgs { files: Vec::new(), position }
    }

    /// The games: those of the files after their last move, finished ones included, or the game in
    /// progress of `--moves` and `--diagram`. `notes` lists what is left out; `hint` follows the note
    /// about variations.
    ///
    /// # Errors
    /// When a file or a game is invalid, or the game of `--moves` and `--diagram` is over.
    pub(crate) fn games(
        &self,
        hint: &'static str,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Vec<(Origin, Game)>> {
        if self.files.is_empty() {
            return Ok(vec![(Origin::default(), self.position.game(notes)?)]);
        }
        let games = self.game_files().replayed(notes)?;
        let mut unused = UnusedNotes::new(hint);
        games.iter().for_each(|(game, _)| unused.add_variations(game));
        unused.write(notes)?;
        Ok(games.into_iter().map(|game| self.position_after(game)).collect())
    }

    /// The position after a game, which its last move may have lost.
    fn position_after(&self, (of, replayed): (FileGame, Replayed)) -> (Origin, Game) {
        let game = replayed.into_game();
        // A board with another side to move does not hold the illegal move that ended the game.
        let is_lost = game.illegal_move().is_some();
        (of.origin(), if is_lost { game } else { self.position.with_side(game) })
    }

    /// The games of the bytes of one file, or only those of the numbers `wanted`; and the number of
    /// games in the file. `unused` receives what is not used of the games.
    ///
    /// # Errors
    /// When the file or a game is invalid.
    pub(crate) fn games_of(
        &self,
        bytes: &[u8],
        path: &Path,
        wanted: Option<RangeInclusive<usize>>,
        notes: &mut dyn Write,
        unused: &mut UnusedNotes,
    ) -> anyhow::Result<(Vec<(Origin, Game)>, usize)> {
        let files = self.game_files();
        let (games, count) = files.replayed_of(bytes, path, wanted, notes, unused.cuts())?;
        games.iter().for_each(|(game, _)| unused.add_variations(game));
        Ok((games.into_iter().map(|game| self.position_after(game)).collect(), count))
    }

    /// The files with the options for reading them.
    pub(crate) fn game_files(&self) -> GameFiles {
        let PositionArgs { board, selection, .. } = &self.position;
        GameFiles::known(*board, selection).with_files(&self.files)
    }

    /// The only position.
    ///
    /// # Errors
    /// When there are several, or one is invalid.
    pub(crate) fn game(&self, notes: &mut dyn Write) -> anyhow::Result<Game> {
        let mut games = self.games(MAIN_LINE, notes)?;
        let count = games.len();
        let game = games.pop().filter(|_| count == 1);
        let game = game.map(|(_, game)| game);
        let game = game.with_context(|| format!("{count} games: expected one (see --game)"))?;
        if let Some(ending) = game.ending() {
            bail!("the game is over: {ending}");
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_cli::selection::GameNumbers;
    use tengen_rules::types::{Color, Rule};

    fn read(name: &str, text: &str) -> anyhow::Result<Vec<Game>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let mut position = PositionArgs::from_moves(Rule::Standard, "15", "");
        position.board.rule = None;
        let source = SourceArgs { files: vec![path], position };
        Ok(source.games(MAIN_LINE, &mut Vec::new())?.into_iter().map(|(_, game)| game).collect())
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
    fn variations_are_noted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tree.sgf");
        std::fs::write(&path, "(;GM[4]SZ[15];B[hh](;W[ii];B[gg])(;W[hi];B[ig]))").unwrap();
        let position = PositionArgs::from_moves(Rule::Standard, "15", "");
        let source = SourceArgs { files: vec![path.clone()], position };
        let mut notes = Vec::new();
        assert_eq!(source.games(MAIN_LINE, &mut notes).unwrap().len(), 1);
        let expected = "game 1: 2 moves are in variations; the main line is used\n";
        assert!(String::from_utf8(notes).unwrap().ends_with(expected));
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
        let lost = &read("games.jsonl", foul).unwrap()[0];
        assert_eq!(lost.history().len(), 8, "the foul is not on the board");
        assert_eq!(
            lost.ending().map(|it| it.to_string()).as_deref(),
            Some("white wins: double-three")
        );
        assert!(error("h8h8").contains("line 1"), "{}", error("h8h8"));
        assert!(error("h8\nh8 foo").contains("line 2"), "{}", error("h8\nh8 foo"));
    }

    #[test]
    fn one_game_can_be_selected() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["a.txt", "b.txt"].map(|name| folder.path().join(name));
        std::fs::write(&files[0], "h8 h8\nh8 i9\n").unwrap();
        std::fs::write(&files[1], "a1\na1 b2 c3\n").unwrap();
        let mut position = PositionArgs::from_moves(Rule::Freestyle, "15", "");
        let select = |position: &PositionArgs| {
            let source = SourceArgs { files: files.to_vec(), position: position.clone() };
            let mut notes = Vec::new();
            let game = source.game(&mut notes).map_err(|error| format!("{error:#}"));
            (game, String::from_utf8(notes).unwrap())
        };
        // The numbers continue in the next file.
        position.selection.game = Some(GameNumbers::one(4));
        assert_eq!(select(&position).0.unwrap().history().len(), 3);
        position.selection.game = Some(GameNumbers::one(2));
        position.side = Some(Color::White);
        assert_eq!(select(&position).0.unwrap().side_to_move(), Color::White);
        position.selection.game = None;
        assert!(select(&position).0.unwrap_err().contains("game 1, line 1: h8 is played twice"));
        position.selection.skip_bad = true;
        let (several, notes) = select(&position);
        assert_eq!(several.unwrap_err(), "3 games: expected one (see --game)");
        assert!(notes.contains("a.txt: skipped game 1: line 1: h8 is played twice"), "{notes}");
    }
}
