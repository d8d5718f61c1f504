//! The exact referee: plays one game of any rule and says how it ends.

use crate::board::makes_five;
use crate::position::Position;
use crate::threat::{Foul, foul_at};
use crate::types::{BoardSize, Color, Coordinates, Rule};

/// Why a move loses on the spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offence {
    /// A move forbidden to black in renju.
    Foul(Foul),
    /// The cell holds a stone.
    Occupied,
    /// The cell lies outside the board.
    OffBoard,
    /// The game had already ended.
    AfterEnd,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This player made a winning five.
    Five(Color),
    /// The board is full and nobody won.
    Full,
    /// This player made a move that is not allowed.
    Illegal(Color, Offence),
}

impl Ending {
    /// Who won; an offender's opponent wins. `None` for a draw.
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
            Ending::Illegal(_, Offence::Foul(foul)) => foul.name(),
            Ending::Illegal(_, Offence::Occupied) => "occupied",
            Ending::Illegal(_, Offence::OffBoard) => "off-board",
            Ending::Illegal(_, Offence::AfterEnd) => "after-end",
        }
    }
}

/// A game in progress. Colours alternate and black begins.
#[derive(Clone)]
pub struct Game {
    position: Position,
    ending: Option<Ending>,
}

impl Game {
    /// The empty board.
    pub fn new(size: BoardSize, rule: Rule) -> Game {
        Game { position: Position::new(size, rule), ending: None }
    }

    /// A game that goes on from any position.
    pub fn from_position(position: Position) -> Game {
        Game { position, ending: None }
    }

    /// The position reached; an illegal move is not in it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How the game ended, or `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Plays the next move and says whether that ended the game.
    ///
    /// A five is seen before a foul, and a foul before a full board. A move after the end is an
    /// offence of its own and leaves the earlier result in [`Game::ending`].
    pub fn play(&mut self, at: Coordinates) -> Option<Ending> {
        let mover = self.position.side_to_move();
        if self.ending.is_some() {
            return Some(Ending::Illegal(mover, Offence::AfterEnd));
        }
        self.ending = self.place(at, mover);
        self.ending
    }

    fn place(&mut self, at: Coordinates, mover: Color) -> Option<Ending> {
        let board = self.position.board();
        let Some(point) = board.size().point(at.x, at.y) else {
            return Some(Ending::Illegal(mover, Offence::OffBoard));
        };
        if !board.is_empty(point) {
            return Some(Ending::Illegal(mover, Offence::Occupied));
        }
        let five = makes_five(board, point, mover);
        if !five
            && board.rule().has_fouls(mover)
            && let Some(foul) = foul_at(&self.position, point)
        {
            return Some(Ending::Illegal(mover, Offence::Foul(foul)));
        }
        self.position.play(point);
        if five {
            Some(Ending::Five(mover))
        } else if self.position.board().empty_count() == 0 {
            Some(Ending::Full)
        } else {
            None
        }
    }

    /// Takes back the last move; false when there is none.
    pub fn undo(&mut self) -> bool {
        self.ending = None;
        self.position.undo().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::MoveList;

    fn game(rule: Rule, side: i64, moves: &str) -> Game {
        let mut game = Game::new(BoardSize::square(side).unwrap(), rule);
        for at in moves.parse::<MoveList>().unwrap().0 {
            game.play(at);
        }
        game
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
        // Rows of a full 5x5 board in which nobody has five; the last cell is 4,4.
        let draw = "0,0 1,0 2,0 3,0 4,0 0,1 1,1 2,1 3,1 4,1 1,2 0,2 3,2 2,2 0,3 4,2 2,3 1,3 \
                    4,3 3,3 0,4 1,4 2,4 3,4 4,4";
        let full = game(Rule::Freestyle, 5, draw);
        assert_eq!(full.position().board().empty_count(), 0);
        assert_eq!(full.ending(), Some(Ending::Full));
        // The same count of stones, black's row 0 completed by the 25th.
        let win = "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,1 0,2 1,2 2,2 0,3 3,2 2,3 1,3 3,3 4,2 \
                   4,3 0,4 1,4 2,4 3,4 4,4 4,0";
        let five = game(Rule::Freestyle, 5, win);
        assert_eq!(five.position().board().empty_count(), 0);
        assert_eq!(five.ending(), Some(Ending::Five(Color::Black)));
    }
}
