//! Stones, side to move, history, hash key; rows and the end of the game; text diagrams.

mod diagram;
mod outcome;
mod zobrist;

pub use diagram::DiagramError;
pub use outcome::{Outcome, Row, makes_five, makes_five_on, row_stones, row_through, winning_row};

use std::fmt;

use crate::types::{BoardSize, Color, GRID, Point, Rule, Symmetry};

/// The content of a cell of the padded grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cell {
    /// No stone.
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// Off the board, or a cell taken out of play: it belongs to neither side and ends every line.
    Wall,
}

impl Cell {
    /// The stone of `color`.
    #[inline]
    pub const fn stone(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }

    /// Whose stone it is.
    #[inline]
    pub const fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Wall => None,
        }
    }
}

/// A stone on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// Its cell.
    pub point: Point,
    /// Its colour.
    pub color: Color,
}

/// An error: the cell for a new stone is occupied, out of play, or off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotEmpty {
    /// The cell.
    pub point: Point,
}

impl fmt::Display for NotEmpty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cell {} is not empty", self.point)
    }
}

impl std::error::Error for NotEmpty {}

/// Stones on a board, in the order they were placed, and whose turn it is.
///
/// Colours need not alternate: a manager may set up any position.
#[derive(Clone)]
pub struct Board {
    size: BoardSize,
    rule: Rule,
    side: Color,
    empty: usize,
    key: u64,
    history: Vec<Stone>,
    cells: [Cell; GRID],
}

impl Board {
    /// An empty board, black to move.
    pub fn new(size: BoardSize, rule: Rule) -> Board {
        let mut cells = [Cell::Wall; GRID];
        for point in size.points() {
            cells[point.index()] = Cell::Empty;
        }
        Board {
            size,
            rule,
            side: Color::Black,
            empty: size.area(),
            key: zobrist::start_key(size, rule),
            history: Vec::with_capacity(size.area()),
            cells,
        }
    }

    /// Extents of the board.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The rule set played.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The content of a cell, also of the wall around the board.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    /// Whether the point is on the board and empty.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cell(point) == Cell::Empty
    }

    /// Number of empty cells.
    #[inline]
    pub fn empty_count(&self) -> usize {
        self.empty
    }

    /// The stones in the order they were placed, without the cells taken out of play.
    #[inline]
    pub fn history(&self) -> &[Stone] {
        &self.history
    }

    /// Where those stones lie, in the same order.
    pub fn moves(&self) -> impl Iterator<Item = Point> + '_ {
        self.history.iter().map(|stone| stone.point)
    }

    /// The stone placed last.
    #[inline]
    pub fn last(&self) -> Option<Stone> {
        self.history.last().copied()
    }

    /// Zobrist key of stones, side to move, size and rule.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key of the board after [`Board::place`] with the same arguments.
    #[inline]
    pub fn key_after(&self, point: Point, color: Color) -> u64 {
        self.key ^ zobrist::stone_key(point, color) ^ zobrist::SIDE
    }

    /// Puts a stone of `color` on an empty cell; the opponent of `color` is to move.
    ///
    /// # Errors
    /// When the cell is not empty; the board is unchanged.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) -> Result<(), NotEmpty> {
        self.check_empty(point)?;
        self.place_unchecked(point, color);
        Ok(())
    }

    /// Like [`Board::place`], without checking that the cell is empty. On any other cell the board
    /// becomes inconsistent, though never unsound; debug builds panic.
    #[inline]
    pub fn place_unchecked(&mut self, point: Point, color: Color) {
        debug_assert!(self.is_empty(point), "{point} is taken");
        self.cells[point.index()] = Cell::stone(color);
        self.key ^= zobrist::stone_key(point, color);
        self.history.push(Stone { point, color });
        self.empty -= 1;
        self.set_side(color.opponent());
    }

    /// Takes back the stone placed last; its owner is to move. `None` on an empty history.
    #[inline]
    pub fn undo(&mut self) -> Option<Stone> {
        let stone = self.history.pop()?;
        self.cells[stone.point.index()] = Cell::Empty;
        self.key ^= zobrist::stone_key(stone.point, stone.color);
        self.empty += 1;
        self.set_side(stone.color);
        Some(stone)
    }

    /// Places a stone of `color` on an empty cell, runs `f`, and takes the stone back. The side to
    /// move is restored.
    ///
    /// # Panics
    /// When the cell is not empty.
    pub fn with_stone<T>(
        &mut self,
        point: Point,
        color: Color,
        f: impl FnOnce(&mut Board) -> T,
    ) -> T {
        let side = self.side;
        self.place(point, color).expect("an empty cell");
        let result = f(self);
        self.undo();
        self.set_side(side);
        result
    }

    /// Takes an empty cell out of play: a wall for both sides (colour 3 in the protocol's `BOARD`
    /// command, used in continuous games).
    ///
    /// # Errors
    /// When the cell is not empty; the board is unchanged.
    pub fn wall(&mut self, point: Point) -> Result<(), NotEmpty> {
        self.check_empty(point)?;
        self.cells[point.index()] = Cell::Wall;
        self.key ^= zobrist::wall_key(point);
        self.empty -= 1;
        Ok(())
    }

    #[inline]
    fn check_empty(&self, point: Point) -> Result<(), NotEmpty> {
        if self.is_empty(point) { Ok(()) } else { Err(NotEmpty { point }) }
    }

    /// Sets the side to move.
    #[inline]
    pub fn set_side(&mut self, side: Color) {
        if side != self.side {
            self.side = side;
            self.key ^= zobrist::SIDE;
        }
    }

    /// The side to move inferred from the number of stones: white if black has more, else black.
    pub fn side_by_count(&self) -> Color {
        let black = self.history.iter().filter(|stone| stone.color == Color::Black).count();
        if 2 * black > self.history.len() { Color::White } else { Color::Black }
    }

    /// Whether every stone of this board is also on the other board.
    #[must_use]
    pub fn is_part_of(&self, other: &Board) -> bool {
        self.history().iter().all(|stone| other.cell(stone.point).color() == Some(stone.color))
    }

    /// The board rotated or mirrored, with its history, the cells out of play and the side to move.
    #[must_use]
    pub fn turned(&self, symmetry: Symmetry) -> Board {
        let mut turned = Board::new(symmetry.size(self.size), self.rule);
        for wall in self.walls() {
            turned.wall(symmetry.point(self.size, wall)).expect("an empty cell");
        }
        for stone in &self.history {
            turned.place_unchecked(symmetry.point(self.size, stone.point), stone.color);
        }
        turned.set_side(self.side);
        turned
    }

    /// The symmetries that map each stone to one of the same colour; the identity is the first.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let kept = |symmetry: &Symmetry| {
            let same = |point| self.cell(symmetry.point(self.size, point)) == self.cell(point);
            self.size.points().all(same)
        };
        Symmetry::of_size(self.size).iter().copied().filter(kept).collect()
    }

    /// Every empty cell, row by row.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> {
        self.size.points().filter(|&point| self.is_empty(point))
    }

    /// Every cell of the board taken out of play, row by row.
    pub fn walls(&self) -> impl Iterator<Item = Point> {
        self.size.points().filter(|&point| self.cell(point) == Cell::Wall)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_not_depend_on_the_order_of_moves() {
        let size = BoardSize::square(15).unwrap();
        let (a, b, c) = (Point::new(7, 7), Point::new(8, 8), Point::new(3, 4));
        let mut one = Board::new(size, Rule::Standard);
        let empty = one.key();
        one.place(a, Color::Black).unwrap();
        one.place(b, Color::White).unwrap();
        one.place(c, Color::Black).unwrap();
        let mut other = Board::new(size, Rule::Standard);
        other.place(c, Color::Black).unwrap();
        other.place(b, Color::White).unwrap();
        assert_eq!(other.key_after(a, Color::Black), one.key());
        other.place(a, Color::Black).unwrap();
        assert_eq!(one.key(), other.key());
        one.set_side(Color::Black);
        assert_ne!(one.key(), other.key());
        while one.undo().is_some() {}
        assert_eq!(one.key(), empty);
        assert_ne!(empty, Board::new(size, Rule::Renju).key());
        assert_ne!(empty, Board::new(BoardSize::square(20).unwrap(), Rule::Standard).key());
    }

    #[test]
    fn place_rejects_cells_that_are_not_empty() {
        let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Standard);
        let (stone, wall, outside) = (Point::new(7, 7), Point::new(3, 4), Point::new(15, 0));
        board.place(stone, Color::Black).unwrap();
        board.wall(wall).unwrap();
        let key = board.key();
        for point in [stone, wall, outside] {
            assert_eq!(board.place(point, Color::White), Err(NotEmpty { point }));
            assert_eq!(board.wall(point), Err(NotEmpty { point }));
        }
        assert_eq!((board.key(), board.history().len()), (key, 1));
        assert_eq!(board.empty_count(), 15 * 15 - 2);
        assert_eq!(NotEmpty { point: wall }.to_string(), "cell 3,4 is not empty");
    }

    #[test]
    fn symmetries_of_a_position() {
        let count = |size, points: &[(u8, u8)]| {
            let mut board = Board::new(size, Rule::Renju);
            for &(x, y) in points {
                board.place(Point::new(x, y), board.side_to_move()).unwrap();
            }
            board.symmetries().len()
        };
        let square = BoardSize::square(15).unwrap();
        assert_eq!(count(square, &[]), 8);
        assert_eq!(count(square, &[(7, 7), (7, 6)]), 2);
        assert_eq!(count(square, &[(7, 7), (7, 6), (9, 8)]), 1);
        assert_eq!(count(BoardSize::new(9, 15).unwrap(), &[]), 4);
    }

    #[test]
    fn turned_boards_keep_stones_walls_and_side() {
        let text = ". X . .\n. . O #\nX . . .\n";
        let board = Board::from_diagram(Rule::Renju, text).unwrap();
        for symmetry in Symmetry::ALL {
            let turned = board.turned(symmetry);
            let back = turned.turned(symmetry.inverse());
            assert_eq!((back.key(), back.to_string()), (board.key(), text.to_string()));
            assert_eq!(turned.side_to_move(), board.side_to_move());
            assert_eq!(turned.empty_count(), board.empty_count());
        }
        assert_eq!(board.turned(Symmetry::ALL[4]).to_string(), ". . X\nX . .\n. O .\n. # .\n");
    }
}
