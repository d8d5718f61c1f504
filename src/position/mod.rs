//! L3: a board with incremental line patterns.

use crate::board::{Board, Cell, Stone};
use crate::types::{BoardSize, Color, Point, Rule};

/// A board and everything the search keeps up to date about it.
#[derive(Clone)]
pub struct Position {
    board: Board,
}

impl Position {
    /// An empty board, black to move.
    pub fn new(size: BoardSize, rule: Rule) -> Position {
        Position { board: Board::new(size, rule) }
    }

    /// Takes over any set-up.
    pub fn from_board(board: Board) -> Position {
        Position { board }
    }

    /// The stones.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// Puts a stone of the side to move on an empty cell.
    pub fn play(&mut self, point: Point) {
        self.board.place(point, self.board.side_to_move());
    }

    /// Takes back the last stone. `None` on an empty history.
    pub fn undo(&mut self) -> Option<Stone> {
        self.board.undo()
    }

    /// Whether the point is on the board and free.
    pub fn is_empty(&self, point: Point) -> bool {
        self.board.cell(point) == Cell::Empty
    }
}
