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

    /// The game rotated or mirrored with its history.
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
mod tests;
