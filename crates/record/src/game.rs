//! Converts games to records and records to games.

use super::replay::{IllegalMove, Replayed, replay};
use super::text::append_line;
use super::{Cursor, GameRecord, GameResult, NodeId, RecordError, SetUp};
use tengen_rules::board::Board;
use tengen_rules::game::{Ending, Game, Offence};
use tengen_rules::types::{Color, Point, Rule};

impl GameRecord {
    /// The record of a game: set-up stones, side to move, cells out of play, moves and passes, rule,
    /// result and reason.
    ///
    /// A losing foul becomes the last move. An illegal last move, on a stone or off the board, is
    /// stated in the comment of the last node, since a record cannot hold it. A [`Game`] does not
    /// store two consecutive passes or a resignation: for a resignation, set [`GameRecord::result`]
    /// and [`GameRecord::reason`].
    ///
    /// ```
    /// use tengen_record::{GameRecord, GameResult};
    /// use tengen_rules::{Color, Game, Rule};
    ///
    /// let mut game = Game::from_diagram(Rule::Freestyle, "X X X X .\nO O O . .\n. . . . .")?;
    /// game.pass();
    /// game.play(game.point("e3")?);
    /// let record = GameRecord::from_game(&game);
    /// assert_eq!(record.result, Some(GameResult::Win(Color::Black)));
    /// assert_eq!(record.plays().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_game(game: &Game) -> GameRecord {
        let mut record = GameRecord::new(game.size());
        record.rule = Some(game.rule());
        record.result = game.ending().map(GameResult::from);
        record.reason = game.ending().map(|ending| ending.reason().to_string());
        let mut cursor = Cursor::new(&mut record);
        let start = game.start();
        let set_up = set_up(&start);
        if !set_up.is_empty() {
            cursor.set_up(&set_up).expect("a board sets each cell up once");
        }
        for stone in &game.history()[start.history().len()..] {
            turn_to(&mut cursor, stone.color);
            play(&mut cursor, stone.color, stone.point);
        }
        match (game.ending(), game.illegal_move()) {
            (None, _) => turn_to(&mut cursor, game.side_to_move()),
            (Some(Ending::Illegal(color, offence)), Some(at)) => {
                turn_to(&mut cursor, color);
                match (offence, game.size().point(at.x, at.y)) {
                    (Offence::Foul(_), Some(point)) => play(&mut cursor, color, point),
                    _ => {
                        let node = cursor.node();
                        let comment = &mut cursor.record().note_mut(node).comment;
                        append_line(comment, &IllegalMove::statement(at, offence.name()));
                    }
                }
            }
            (Some(_), _) => {}
        }
        record
    }

    /// The main line as a game. `rule` applies if the record has no rule. A foul at the end of the
    /// record loses the game. Moves after the end of the game are omitted, as are a foul after which
    /// the players continued and all moves after it; [`replay`] reports them.
    ///
    /// # Errors
    /// As [`replay`].
    pub fn game(&self, rule: Rule) -> Result<Game, RecordError> {
        replay(self, rule).map(Replayed::into_game)
    }
}

/// The stones of a board, its cells out of play, and the side to move, which is omitted if black
/// begins on an empty board.
fn set_up(board: &Board) -> SetUp {
    let stones = |color: Color| -> Vec<Point> {
        let own = board.history().iter().filter(|stone| stone.color == color);
        own.map(|stone| stone.point).collect()
    };
    let mut set_up = SetUp {
        black: stones(Color::Black),
        white: stones(Color::White),
        walls: board.walls().collect(),
        ..SetUp::default()
    };
    let side = board.side_to_move();
    if !set_up.is_empty() || side != Color::Black {
        set_up.side = Some(side);
    }
    set_up
}

/// Adds a pass if the other side is to move.
fn turn_to(cursor: &mut Cursor<'_>, color: Color) {
    if cursor.side() != color {
        cursor.pass(color.opponent()).expect("the tree has room for a game");
    }
}

fn play(cursor: &mut Cursor<'_>, color: Color, point: Point) {
    let _: NodeId = cursor.play(color, point).expect("a game plays on empty cells");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReadOptions, read, write};
    use tengen_rules::types::{BoardSize, Coordinates};

    fn written_and_read(game: &Game, format: Format) -> GameRecord {
        let mut bytes = Vec::new();
        let lost = write(&[GameRecord::from_game(game)], format, &mut bytes).unwrap();
        assert!(lost.is_empty(), "{lost}");
        read(&bytes, &ReadOptions::default()).unwrap().list.remove(0)
    }

    fn assert_same(game: &Game, format: Format) {
        let record = written_and_read(game, format);
        let replayed = record.game(Rule::Freestyle).unwrap();
        assert_eq!(replayed.board().key(), game.board().key(), "{format:?}");
        assert_eq!(replayed.start().key(), game.start().key(), "{format:?}");
        assert_eq!(replayed.ending(), game.ending(), "{format:?}");
        assert_eq!(record.result, game.ending().map(GameResult::from));
        let mut games = (replayed, game.clone());
        while games.0.undo() {
            assert!(games.1.undo());
        }
        assert!(!games.1.undo(), "the number of moves differs");
    }

    fn set_up_game() -> Game {
        let mut board = Board::from_diagram(Rule::Caro, "X . . O\n. # . .\n. . X .\n").unwrap();
        board.set_side(Color::Black);
        Game::from_board(&board)
    }

    #[test]
    fn set_up_walls_side_and_passes_are_recorded() {
        let mut game = set_up_game();
        assert_same(&game, Format::Sgf);
        assert_same(&game, Format::JsonLines);
        game.play(Point::new(0, 2));
        game.play(Point::new(1, 2));
        assert_same(&game, Format::JsonLines);
        game.pass();
        game.play(Point::new(1, 0));
        game.pass();
        assert_same(&game, Format::Sgf);
    }

    #[test]
    fn white_begins_and_first_pass_are_recorded() {
        let size = BoardSize::square(15).unwrap();
        let mut board = Board::new(size, Rule::Standard);
        board.set_side(Color::White);
        let mut game = Game::from_board(&board);
        game.play(Point::new(7, 7));
        assert_same(&game, Format::Sgf);
        let mut game = Game::new(size, Rule::Standard);
        game.pass();
        game.play(Point::new(7, 7));
        assert_same(&game, Format::Sgf);
    }

    #[test]
    fn losing_foul_is_the_last_move() {
        let mut game = Game::new(BoardSize::square(15).unwrap(), Rule::Renju);
        for at in ["h9", "a1", "h10", "c1", "f8", "e1", "g8", "g1", "h8"] {
            game.play(game.point(at).unwrap());
        }
        assert_eq!(game.ending().map(Ending::reason), Some("double-three"));
        assert_eq!(written_and_read(&game, Format::Sgf).plays().count(), 9);
        assert_same(&game, Format::Sgf);
        assert_same(&game, Format::JsonLines);
    }

    #[test]
    fn illegal_last_move_is_in_the_comment() {
        let mut game = Game::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        game.play(Point::new(7, 7));
        game.play(Coordinates { x: 15, y: 0 });
        let record = written_and_read(&game, Format::Sgf);
        assert_eq!(record.result, Some(GameResult::Win(Color::Black)));
        assert_eq!(record.reason.as_deref(), Some("off-board"));
        let last = record.main_line().last().unwrap();
        assert_eq!(record.note(last).unwrap().comment, "then 15,0: off-board");
    }
}
