//! A game under any rule: moves, fouls, endings, undo and diagrams.
//!
//! Most programs need [`Game`] only; searches work on [`Position`] directly.

use std::fmt;

use crate::board::{Board, DiagramError, Outcome, Stone};
use crate::pattern::LinePattern;
use crate::position::Position;
use crate::threat::{
    self, Explanation, Foul, Prospect, Threat, ThreatKind, foul_at, fouls, is_foul,
};
use crate::types::{
    BoardSize, Color, Coordinates, Direction, Notation, ParseMoveError, Point, Rule, Symmetry,
};

/// Why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Offence {
    /// A move forbidden to black in renju.
    Foul(Foul),
    /// The cell holds a stone, or is out of play.
    Occupied,
    /// The cell lies outside the board.
    OffBoard,
    /// The game had already ended.
    AfterEnd,
}

impl Offence {
    /// `double-three`, `double-four`, `overline`, `occupied`, `off-board` or `after-end`.
    pub const fn name(self) -> &'static str {
        match self {
            Offence::Foul(foul) => foul.name(),
            Offence::Occupied => "occupied",
            Offence::OffBoard => "off-board",
            Offence::AfterEnd => "after-end",
        }
    }
}

impl Offence {
    /// The reason why a move cannot be played, `written` as in the input, on a board of this size.
    pub fn of_move(self, written: impl fmt::Display, size: BoardSize) -> String {
        match self {
            Offence::Foul(foul) => format!("{written} is forbidden to black: {}", foul.name()),
            Offence::Occupied => format!("{written} is taken"),
            Offence::OffBoard => ParseMoveError::outside(&written.to_string(), size).to_string(),
            Offence::AfterEnd => format!("{written} follows the end of the game"),
        }
    }
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Offence::Foul(foul) => write!(f, "the move is forbidden to black: {}", foul.name()),
            Offence::Occupied => f.write_str("the cell is taken"),
            Offence::OffBoard => f.write_str("the cell lies outside the board"),
            Offence::AfterEnd => f.write_str("the game is over"),
        }
    }
}

impl std::error::Error for Offence {}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This player made a winning five.
    Five(Color),
    /// The board is full and neither player won.
    Full,
    /// This player made a move that is not allowed.
    Illegal(Color, Offence),
}

impl Ending {
    /// The winner; after an offence the opponent of the offender. `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Five(color) => Some(color),
            Ending::Full => None,
            Ending::Illegal(color, _) => Some(color.opponent()),
        }
    }

    /// `five`, `full`, or the offence: `double-three`, `double-four`, `overline`, `occupied`,
    /// `off-board`, `after-end`.
    pub fn reason(self) -> &'static str {
        match self {
            Ending::Five(_) => "five",
            Ending::Full => "full",
            Ending::Illegal(_, offence) => offence.name(),
        }
    }
}

impl From<Foul> for Ending {
    /// Only black can make a forbidden move, which loses.
    fn from(foul: Foul) -> Ending {
        Ending::Illegal(Color::Black, Offence::Foul(foul))
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        match outcome {
            Outcome::Five(color) => Ending::Five(color),
            Outcome::Full => Ending::Full,
        }
    }
}

impl fmt::Display for Ending {
    /// `black wins: five`, `draw: full`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner() {
            Some(color) => write!(f, "{} wins: {}", color.name(), self.reason()),
            None => write!(f, "draw: {}", self.reason()),
        }
    }
}

/// A game in progress or at its end.
///
/// Players move in turn, black first unless a position was set up otherwise. A game can be
/// cloned, replayed and undone; [`Game::ending`] is its result so far.
///
/// ```
/// use tengen_rules::{BoardSize, Color, Ending, Game, Rule};
///
/// let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
/// for at in ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"] {
///     game.play(game.cell(at)?);
/// }
/// assert_eq!(game.ending(), Some(Ending::Five(Color::Black)));
/// assert!(game.undo());
/// assert_eq!(game.ending(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Renju forbids some points to black:
///
/// ```
/// use tengen_rules::{Foul, Game, Rule};
///
/// let game = Game::from_diagram(
///     Rule::Renju,
///     ". . . . . . .
///      . . . . . . .
///      . . . X . . .
///      . . . X . . .
///      . X X . . . .
///      . . . . . . .
///      . . . . . . .",
/// )?;
/// assert_eq!(game.fouls(), [(game.point("d3")?, Foul::DoubleThree)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Game {
    position: Position,
    ending: Option<Ending>,
    /// The illegal move of the ending.
    illegal: Option<Coordinates>,
    /// Number of stones that were set up, not played. Undo does not remove them.
    set_up: usize,
    /// The side to move before the first move.
    first: Color,
}

impl Game {
    /// The empty board, black to move.
    pub fn new(size: BoardSize, rule: Rule) -> Game {
        Game::from_board(&Board::new(size, rule))
    }

    /// A game that starts from a set-up board: any numbers of stones, cells out of play, either
    /// side to move. It is already over if a player has a five or no cell is empty.
    pub fn from_board(board: &Board) -> Game {
        Game {
            position: Position::from_board(board),
            ending: Outcome::of(board).map(Ending::from),
            illegal: None,
            set_up: board.history().len(),
            first: board.side_to_move(),
        }
    }

    /// A game that starts from a diagram, see [`Board::from_diagram`]. White is to move if black
    /// has more stones.
    ///
    /// # Errors
    /// When the text is not a diagram of a supported size.
    pub fn from_diagram(rule: Rule, text: &str) -> Result<Game, DiagramError> {
        let mut board = Board::from_diagram(rule, text)?;
        board.set_side(board.side_by_count());
        Ok(Game::from_board(&board))
    }

    /// Plays the moves on an empty board, up to the first one that ends the game, even by an
    /// offence.
    pub fn replay<At: Into<Coordinates>>(
        size: BoardSize,
        rule: Rule,
        moves: impl IntoIterator<Item = At>,
    ) -> Game {
        let mut game = Game::new(size, rule);
        for at in moves {
            if game.play(at).is_some() {
                break;
            }
        }
        game
    }

    /// The board with its history; an illegal move is not on it.
    pub fn board(&self) -> &Board {
        self.position.board()
    }

    /// The position reached, for searches.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The rule set played.
    pub fn rule(&self) -> Rule {
        self.board().rule()
    }

    /// Extents of the board.
    pub fn size(&self) -> BoardSize {
        self.board().size()
    }

    /// The side to move, also after the end of the game.
    pub fn side_to_move(&self) -> Color {
        self.board().side_to_move()
    }

    /// Every stone in the order of placement, those of a set-up board first.
    pub fn history(&self) -> &[Stone] {
        self.board().history()
    }

    /// The board before the first move, with its set-up stones and the side to move.
    ///
    /// ```
    /// use tengen_rules::{Game, Rule};
    ///
    /// let mut game = Game::from_diagram(Rule::Freestyle, "X . .\n. . .\n. . .")?;
    /// game.play(game.point("b2")?);
    /// assert_eq!(game.start().history().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(&self) -> Board {
        let mut board = self.board().clone();
        while board.history().len() > self.set_up {
            board.undo();
        }
        board.set_side(self.first);
        board
    }

    /// The stones played in this game, in order. Not among them: the stones of a set-up board,
    /// passes, and the illegal move that lost the game ([`Game::illegal_move`]).
    pub fn moves(&self) -> impl Iterator<Item = Point> + '_ {
        self.history()[self.set_up..].iter().map(|stone| stone.point)
    }

    /// How the game ended; `None` while it is in progress.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The winner; `None` after a draw and while the game is in progress.
    pub fn winner(&self) -> Option<Color> {
        self.ending.and_then(Ending::winner)
    }

    /// The move that ended the game with [`Ending::Illegal`]; its stone is not on the board.
    ///
    /// ```
    /// use tengen_rules::{BoardSize, Game, Rule};
    ///
    /// let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
    /// game.play(game.point("h8")?);
    /// game.play(game.point("h8")?);
    /// assert_eq!(game.illegal_move(), Some(game.cell("h8")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn illegal_move(&self) -> Option<Coordinates> {
        self.illegal
    }

    /// Plays the next move as a referee would: an illegal move loses immediately, and its stone is
    /// not placed. Returns the ending if the move ended the game.
    ///
    /// A five takes precedence over a foul, and a foul over a full board. A move after the end is
    /// an offence of its own and leaves the earlier result in [`Game::ending`].
    ///
    /// [`Game::point`] and [`Game::cell`] parse the move from a text.
    pub fn play(&mut self, at: impl Into<Coordinates>) -> Option<Ending> {
        let mover = self.side_to_move();
        let at = at.into();
        match self.check(at) {
            Ok(point) => {
                self.place(point);
                self.ending
            }
            Err(Offence::AfterEnd) => Some(Ending::Illegal(mover, Offence::AfterEnd)),
            Err(offence) => {
                self.ending = Some(Ending::Illegal(mover, offence));
                self.illegal = Some(at);
                self.ending
            }
        }
    }

    /// Plays the next move; an illegal move leaves the game unchanged. Returns the ending if the
    /// move ended the game.
    ///
    /// # Errors
    /// When the move is illegal.
    pub fn try_play(&mut self, at: impl Into<Coordinates>) -> Result<Option<Ending>, Offence> {
        let point = self.check(at)?;
        self.place(point);
        Ok(self.ending)
    }

    /// Passes the turn to the other side. No rule allows a pass, but some game files contain them.
    /// A later undo takes the pass back together with the move before it.
    pub fn pass(&mut self) {
        self.position.pass();
    }

    /// The point of the cell, if the side to move may play there.
    ///
    /// # Errors
    /// When it may not.
    pub fn check(&self, at: impl Into<Coordinates>) -> Result<Point, Offence> {
        if self.ending.is_some() {
            return Err(Offence::AfterEnd);
        }
        let at = at.into();
        let point = self.size().point(at.x, at.y).ok_or(Offence::OffBoard)?;
        if !self.board().is_empty(point) {
            return Err(Offence::Occupied);
        }
        let mover = self.side_to_move();
        let has_fouls = self.rule().has_fouls(mover);
        match has_fouls.then(|| foul_at(&self.position, point)).flatten() {
            Some(foul) => Err(Offence::Foul(foul)),
            None => Ok(point),
        }
    }

    fn place(&mut self, point: Point) {
        let stone = Stone { point, color: self.side_to_move() };
        self.position.play(point);
        self.ending = Outcome::after(self.board(), stone).map(Ending::from);
    }

    /// Takes back the last move: a stone, or an illegal move that ended the game. Returns false if
    /// there is none. Set-up stones stay.
    pub fn undo(&mut self) -> bool {
        if let Some(Ending::Illegal(..)) = self.ending {
            self.ending = None;
            self.illegal = None;
            return true;
        }
        if self.history().len() == self.set_up {
            return false;
        }
        self.ending = None;
        self.position.undo().is_some()
    }

    /// Every point where the side to move may play, row by row; none after the end.
    pub fn legal_moves(&self) -> impl Iterator<Item = Point> + '_ {
        let (mover, over) = (self.side_to_move(), self.ending.is_some());
        self.board()
            .empty_points()
            .filter(move |&point| !over && !is_foul(&self.position, point, mover))
    }

    /// Every point forbidden to black, row by row, also when white is to move. Empty outside renju.
    pub fn fouls(&self) -> Vec<(Point, Foul)> {
        fouls(&self.position)
    }

    /// The threats of both players on the board, strongest first.
    pub fn threats(&self) -> Vec<Threat> {
        threat::threats(&self.position)
    }

    /// The threats that one more stone of either player would make, strongest first; fouls last.
    pub fn prospects(&self) -> Vec<Prospect> {
        threat::prospects(&self.position)
    }

    /// Every point that is forbidden to black or appears to be, with the lines that count towards a
    /// foul and those that do not. Empty outside renju.
    pub fn explanations(&self) -> Vec<Explanation> {
        threat::explanations(&self.position)
    }

    /// The strongest threat that a stone of `color` on the point would make; `None` when it
    /// threatens nothing or the point is not empty.
    pub fn makes(&self, point: Point, color: Color) -> Option<ThreatKind> {
        let is_empty = self.board().is_empty(point);
        is_empty.then(|| threat::kind_at(&self.position, point, color)).flatten()
    }

    /// The patterns that a stone of `color` on the point would make on the four lines through it,
    /// in the order of [`DIRECTIONS`](crate::DIRECTIONS); `None` when the point is not empty.
    pub fn lines(&self, point: Point, color: Color) -> Option<[LinePattern; 4]> {
        let is_empty = self.board().is_empty(point);
        is_empty.then(|| self.position.lines(point, color).lines())
    }

    /// The game turned or mirrored with its history.
    #[must_use]
    pub fn turned(&self, symmetry: Symmetry) -> Game {
        let position = Position::from_board(&self.board().turned(symmetry));
        let illegal = self.illegal.map(|at| symmetry.coordinates(self.size(), at));
        Game { position, illegal, ..*self }
    }

    /// The cells of the row, column or diagonal through `point`, in order, see
    /// [`BoardSize::line`].
    pub fn line(&self, point: Point, direction: Direction) -> impl Iterator<Item = Point> {
        self.size().line(point, direction)
    }

    /// Names of cells on this board, `h8`.
    pub fn notation(&self) -> Notation {
        Notation::new(self.size())
    }

    /// Parses `h8` or `7,7`. The cell need not lie on the board: [`Game::play`] checks that.
    ///
    /// # Errors
    /// When the text is neither.
    pub fn cell(&self, text: &str) -> Result<Coordinates, ParseMoveError> {
        self.notation().parse(text)
    }

    /// Parses `h8` or `7,7`, a cell of this board.
    ///
    /// # Errors
    /// When the text is neither, or the cell lies off the board.
    pub fn point(&self, text: &str) -> Result<Point, ParseMoveError> {
        let at = self.cell(text)?;
        self.size().point(at.x, at.y).ok_or_else(|| ParseMoveError::outside(text, self.size()))
    }
}

impl fmt::Display for Game {
    /// The diagram of the board, see [`Board`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board().fmt(f)
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{:?}", self.board(), self.ending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_takes_a_pass_back_with_the_move_before_it() {
        let mut game = game(Rule::Freestyle, 15, "h8");
        let key = game.board().key();
        game.pass();
        assert_eq!(game.side_to_move(), Color::Black);
        game.play(Coordinates { x: 0, y: 0 });
        assert_eq!(game.history().last().map(|stone| stone.color), Some(Color::Black));
        assert!(game.undo());
        assert_eq!(game.side_to_move(), Color::Black, "the side before the move");
        assert!(game.undo());
        assert_eq!((game.side_to_move(), game.history().len()), (Color::Black, 0));
        game.play(Coordinates { x: 7, y: 7 });
        assert_eq!(game.board().key(), key);
    }

    fn game(rule: Rule, side: i64, moves: &str) -> Game {
        let mut game = Game::new(BoardSize::square(side).unwrap(), rule);
        for at in game.notation().parse_all(moves).unwrap() {
            game.play(at);
        }
        game
    }

    fn stones(game: &Game) -> usize {
        game.history().len()
    }

    #[test]
    fn offences_lose_for_the_mover() {
        let occupied = game(Rule::Freestyle, 15, "7,7 7,7");
        assert_eq!(occupied.ending(), Some(Ending::Illegal(Color::White, Offence::Occupied)));
        assert_eq!(occupied.ending().unwrap().winner(), Some(Color::Black));
        assert_eq!(occupied.position().board().history().len(), 1);
        let outside = game(Rule::Freestyle, 15, "7,15");
        assert_eq!(outside.ending(), Some(Ending::Illegal(Color::Black, Offence::OffBoard)));
    }

    #[test]
    fn a_finished_game_stays_finished() {
        let mut won = game(Rule::Standard, 15, "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0");
        assert_eq!(won.ending(), Some(Ending::Five(Color::Black)));
        let late = won.play(Coordinates { x: 9, y: 9 });
        assert_eq!(late, Some(Ending::Illegal(Color::White, Offence::AfterEnd)));
        assert_eq!(won.ending(), Some(Ending::Five(Color::Black)));
        assert!(won.undo());
        assert_eq!(won.ending(), None);
        assert_eq!(won.position().side_to_move(), Color::Black);
    }

    #[test]
    fn the_last_cell_can_win_or_draw() {
        // Moves that fill a 5x5 board without a five; the last cell is 4,4.
        let draw = "0,0 1,0 2,0 3,0 4,0 0,1 1,1 2,1 3,1 4,1 1,2 0,2 3,2 2,2 0,3 4,2 2,3 1,3 \
                    4,3 3,3 0,4 1,4 2,4 3,4 4,4";
        let full = game(Rule::Freestyle, 5, draw);
        assert_eq!(full.position().board().empty_count(), 0);
        assert_eq!(full.ending(), Some(Ending::Full));
        // As many stones; the 25th completes black's row 0.
        let win = "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,1 0,2 1,2 2,2 0,3 3,2 2,3 1,3 3,3 4,2 \
                   4,3 0,4 1,4 2,4 3,4 4,4 4,0";
        let five = game(Rule::Freestyle, 5, win);
        assert_eq!(five.position().board().empty_count(), 0);
        assert_eq!(five.ending(), Some(Ending::Five(Color::Black)));
    }

    #[test]
    fn undo_after_an_illegal_move_keeps_the_stones() {
        for refused in ["7,7", "15,3"] {
            let mut game = game(Rule::Freestyle, 15, &format!("7,7 8,8 {refused}"));
            assert!(matches!(game.ending(), Some(Ending::Illegal(Color::Black, _))));
            assert!(game.undo());
            assert_eq!((stones(&game), game.ending()), (2, None));
            assert_eq!(game.side_to_move(), Color::Black);
            assert!(game.undo() && game.undo() && !game.undo());
        }
    }

    #[test]
    fn try_play_rejects_illegal_moves_and_keeps_the_game() {
        // A double-three for black at 9,6.
        let mut game = game(Rule::Renju, 15, "9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14");
        let at = |x, y| Coordinates { x, y };
        assert_eq!(game.try_play(at(9, 6)), Err(Offence::Foul(Foul::DoubleThree)));
        assert_eq!(game.try_play(at(9, 7)), Err(Offence::Occupied));
        assert_eq!(game.try_play(at(9, 15)), Err(Offence::OffBoard));
        assert_eq!((stones(&game), game.ending()), (8, None));
        assert_eq!(game.legal_moves().count(), 225 - 8 - 1);
        assert_eq!(game.fouls(), [(Point::new(9, 6), Foul::DoubleThree)]);
        assert_eq!(game.try_play(at(0, 0)), Ok(None));
        assert_eq!(game.try_play(at(9, 6)), Ok(None), "white may");
    }

    #[test]
    fn set_up_boards_with_a_five_are_over() {
        let five = ". . . . .\n. O O O O\nX X X X X\n. . . . .\n. . . . .\n";
        let mut game = Game::from_diagram(Rule::Standard, five).unwrap();
        assert_eq!(game.ending(), Some(Ending::Five(Color::Black)));
        assert_eq!(game.winner(), Some(Color::Black));
        let late = game.play(Point::new(0, 1));
        assert_eq!(late, Some(Ending::Illegal(Color::White, Offence::AfterEnd)));
        assert_eq!(game.winner(), Some(Color::Black));
        assert!(!game.undo(), "set-up stones stay");
        assert_eq!(game.winner(), Some(Color::Black));
        assert_eq!(game.legal_moves().count(), 0);
    }

    #[test]
    fn boards_of_every_size_are_played_to_the_end() {
        for (width, height) in [(1, 1), (1, 7), (7, 1), (4, 4), (2, 9), (5, 5), (36, 36)] {
            let size = BoardSize::new(width, height).unwrap();
            for rule in Rule::ALL {
                let mut game = Game::new(size, rule);
                while game.ending().is_none() {
                    let Some(point) = game.legal_moves().next() else { break };
                    game.play(point);
                }
                let too_small = width < 5 && height < 5;
                match game.ending() {
                    Some(Ending::Full) => assert_eq!(stones(&game), size.area()),
                    Some(Ending::Five(_)) => assert!(!too_small, "{rule} {size}"),
                    other => assert!(other.is_none() && rule == Rule::Renju, "{other:?}"),
                }
                assert!(!too_small || game.ending() == Some(Ending::Full), "{rule} {size}");
                while game.undo() {}
                assert_eq!(game.board().key(), Board::new(size, rule).key());
            }
        }
        // A set-up column of seven cells, with five black stones and one white stone.
        let column = Game::from_diagram(Rule::Standard, "X\nX\nX\nX\nX\n.\nO\n").unwrap();
        assert_eq!(column.winner(), Some(Color::Black));
    }

    #[test]
    fn turned_games_keep_history_ending_and_undo() {
        let won = game(Rule::Standard, 15, "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0");
        for symmetry in Symmetry::ALL {
            let mut turned = won.turned(symmetry);
            assert_eq!(turned.ending(), won.ending());
            let back: Vec<Point> = turned
                .moves()
                .map(|point| symmetry.inverse().point(turned.size(), point))
                .collect();
            assert_eq!(back, won.moves().collect::<Vec<_>>());
            assert!(turned.undo() && turned.ending().is_none());
            let again = Game::replay(won.size(), won.rule(), won.moves());
            assert_eq!(again.board().key(), won.board().key());
        }
        let set_up = "O....\nX....\n.....\n.....\n.....";
        let set_up = Game::from_diagram(Rule::Freestyle, set_up).unwrap();
        let mut white_first = Board::new(BoardSize::square(5).unwrap(), Rule::Freestyle);
        white_first.set_side(Color::White);
        for mut game in [set_up, Game::from_board(&white_first)] {
            let mover = game.side_to_move();
            game.play(Point::new(2, 2));
            for symmetry in Symmetry::ALL {
                let mut turned = game.turned(symmetry);
                assert!(turned.undo());
                assert_eq!(turned.side_to_move(), mover, "{symmetry:?}\n{game}");
            }
        }
    }

    #[test]
    fn turned_games_keep_start_and_illegal_move() {
        let mut board = Board::new(BoardSize::new(9, 6).unwrap(), Rule::Freestyle);
        board.place(Point::new(1, 2), Color::Black).unwrap();
        board.set_side(Color::Black);
        let mut game = Game::from_board(&board);
        game.play(Point::new(4, 4));
        game.play(Coordinates { x: 20, y: 3 });
        for symmetry in Symmetry::ALL {
            let mut turned = game.turned(symmetry);
            let illegal = turned.illegal_move().unwrap();
            let back = symmetry.inverse().coordinates(turned.size(), illegal);
            assert_eq!(back, Coordinates { x: 20, y: 3 });
            assert_eq!(turned.start().key(), board.turned(symmetry).key());
            assert!(turned.undo());
            assert_eq!(turned.illegal_move(), None);
        }
    }

    #[test]
    fn point_rejects_cells_off_the_board() {
        let game = Game::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for (text, message) in [
            ("h16", "h16 lies outside the 15x15 board (expected a1 to o15)"),
            (" 15,0 ", "15,0 lies outside the 15x15 board (expected 0,0 to 14,14)"),
            ("h", "\"h\" is not a move such as h8 or 7,7"),
        ] {
            assert_eq!(game.point(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn lines_run_through_a_point() {
        let game = Game::new(BoardSize::new(6, 4).unwrap(), Rule::Freestyle);
        let line = |axis: usize| -> Vec<String> {
            let cells = game.line(Point::new(1, 2), crate::types::DIRECTIONS[axis]);
            cells.map(|point| point.to_string()).collect()
        };
        assert_eq!(line(0), ["0,2", "1,2", "2,2", "3,2", "4,2", "5,2"]);
        assert_eq!(line(1), ["1,0", "1,1", "1,2", "1,3"]);
        assert_eq!(line(2), ["0,1", "1,2", "2,3"]);
        assert_eq!(line(3), ["3,0", "2,1", "1,2", "0,3"]);
    }
}
