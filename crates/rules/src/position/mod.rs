//! A board with incremental line patterns, shape counts and candidates.
//!
//! A move changes the windows of at most 40 neighbours. The new patterns, shapes and counts are
//! computed once; undo copies the saved old ones back. [`Position::changes`] returns the saved
//! changes, from which an evaluation can update sums of its own lazily.

mod changes;
mod counts;
mod near;
mod patterns;
mod update;
mod validate;

use crate::board::{Board, Cell, NotEmpty, Stone};
use crate::pattern::{LineKey, PatternCode, PatternTables, Shape};
use crate::types::{BoardSize, Color, DIRECTIONS, Direction, GRID, Point, Rule};
pub use changes::CellChange;
use counts::Counts;
use near::NearRows;
use patterns::Patterns;
use update::Saved;

/// The state of one cell. While a stone stands there, `patterns` keeps the value from before the
/// stone.
///
/// Aligned so that no square crosses a cache line, and so that indexing needs no multiplication.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Square {
    windows: [u32; 4],
    patterns: Patterns,
    cell: Cell,
}

/// The last two stones, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastStones {
    /// The opponent's last stone, 1 ply back.
    pub theirs: Option<Point>,
    /// The mover's own last stone, 2 plies back.
    pub ours: Option<Point>,
}

/// A board with the incremental state that searches need.
#[derive(Clone)]
pub struct Position {
    board: Board,
    tables: &'static PatternTables,
    counts: Counts,
    near: NearRows,
    saved: Vec<Saved>,
    changes: Vec<CellChange>,
    squares: Box<[Square; GRID]>,
}

impl Position {
    /// An empty board, black to move.
    pub fn new(size: BoardSize, rule: Rule) -> Position {
        Position::from_board(&Board::new(size, rule))
    }

    /// The position of any board: any numbers of stones, cells out of play, either side to move.
    pub fn from_board(board: &Board) -> Position {
        let mut empty = Board::new(board.size(), board.rule());
        for wall in board.walls() {
            empty.wall(wall).expect("an empty cell");
        }
        let mut position = Position::without_stones(empty);
        for stone in board.history() {
            // As if the stone were placed in turn, so that undo returns the move to its owner.
            position.board.set_side(stone.color);
            position.place(stone.point, stone.color);
        }
        position.board.set_side(board.side_to_move());
        position
    }

    fn without_stones(board: Board) -> Position {
        let tables = PatternTables::of(board.rule());
        let space = tables.space();
        let mut squares: Box<[Square; GRID]> = vec![Square::WALL; GRID]
            .into_boxed_slice()
            .try_into()
            .unwrap_or_else(|_| unreachable!("one square per cell"));
        let mut counts = Counts::ZERO;
        for point in board.empty_points() {
            let square = &mut squares[point.index()];
            square.cell = Cell::Empty;
            for direction in DIRECTIONS {
                let reach = |sign: isize| {
                    (1..=space.half() as isize)
                        .take_while(|distance| {
                            board.cell(point.shift(direction, sign * distance)) != Cell::Wall
                        })
                        .count()
                };
                let window = space.empty(reach(-1), reach(1));
                square.windows[direction.axis()] = window;
                let lines = tables.packed_lines(window);
                square.patterns = square.patterns.with_lines(tables, direction.axis(), lines);
            }
            counts.add(square.patterns);
        }
        let mut near = NearRows::new(board.size());
        board.walls().for_each(|wall| near.wall(wall));
        Position { near, board, tables, counts, saved: Vec::new(), changes: Vec::new(), squares }
    }

    /// The stones.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rule set played.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.board.rule()
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }

    /// Whether the point is on the board and empty.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.squares[point.index()].cell == Cell::Empty
    }

    /// The content of the cell.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.squares[point.index()].cell
    }

    /// Puts a stone of the side to move on an empty cell.
    ///
    /// # Panics
    /// When the cell is not empty; [`Position::try_play`] returns an error instead.
    #[inline]
    pub fn play(&mut self, point: Point) {
        self.place(point, self.board.side_to_move());
    }

    /// Puts a stone of the side to move, fouls included.
    ///
    /// # Errors
    /// When the cell is not empty; the position is unchanged.
    pub fn try_play(&mut self, point: Point) -> Result<(), NotEmpty> {
        if !self.is_empty(point) {
            return Err(NotEmpty { point });
        }
        self.play(point);
        Ok(())
    }

    /// Takes back the last stone and restores the side that was to move before it. `None` on an
    /// empty history.
    pub fn undo(&mut self) -> Option<Stone> {
        let stone = self.board.last()?;
        self.take_back(stone);
        Some(stone)
    }

    /// Plays a move, runs `f`, and takes the move back.
    ///
    /// # Panics
    /// When the cell is not empty.
    #[inline]
    pub fn with_move<T>(&mut self, point: Point, f: impl FnOnce(&mut Position) -> T) -> T {
        self.play(point);
        let result = f(self);
        self.undo();
        result
    }

    /// Runs `f`, then takes back every stone that `f` added.
    pub fn with_rollback<T>(&mut self, f: impl FnOnce(&mut Position) -> T) -> T {
        let stones = self.board.history().len();
        let result = f(self);
        while self.board.history().len() > stones {
            self.undo();
        }
        result
    }

    /// Takes back the last stone, runs `f`, and places the stone again; `None` on an empty
    /// history.
    pub fn without_last<T>(&mut self, f: impl FnOnce(&mut Position) -> T) -> Option<T> {
        let side = self.board.side_to_move();
        let stone = self.undo()?;
        let result = f(self);
        self.place(stone.point, stone.color);
        self.board.set_side(side);
        Some(result)
    }

    /// Passes the turn to the other side.
    #[inline]
    pub fn pass(&mut self) {
        self.board.set_side(self.board.side_to_move().opponent());
    }

    /// Passes, runs `f`, and takes the pass back.
    #[inline]
    pub fn with_pass<T>(&mut self, f: impl FnOnce(&mut Position) -> T) -> T {
        self.pass();
        let result = f(self);
        self.pass();
        result
    }

    /// The shape that a stone of `color` on the empty cell would make.
    #[inline]
    pub fn shape(&self, point: Point, color: Color) -> Shape {
        self.squares[point.index()].patterns.code_shape(color).shape()
    }

    /// The four line patterns of `color` at the empty cell.
    #[inline]
    pub fn lines(&self, point: Point, color: Color) -> LineKey {
        self.squares[point.index()].patterns.key(color)
    }

    /// The code of the four line patterns of `color` at the empty cell, regardless of their order.
    #[inline]
    pub fn code(&self, point: Point, color: Color) -> PatternCode {
        self.squares[point.index()].patterns.code_shape(color).code()
    }

    /// The last two stones of the history, regardless of their colours.
    #[inline]
    pub fn last_stones(&self) -> LastStones {
        let mut stones = self.board.history().iter().rev().map(|stone| stone.point);
        LastStones { theirs: stones.next(), ours: stones.next() }
    }

    /// Number of the window around a cell, see `pattern::WindowSpace`.
    #[inline]
    pub fn window(&self, point: Point, axis: usize) -> u32 {
        self.squares[point.index()].windows[axis]
    }

    /// The tables of the rule.
    #[inline]
    pub fn tables(&self) -> &'static PatternTables {
        self.tables
    }

    /// Number of empty cells where a stone of `color` would make exactly this shape.
    #[inline]
    pub fn count(&self, color: Color, shape: Shape) -> usize {
        self.counts.of(color, shape)
    }

    /// The empty cells near a stone, row by row; none on a board without stones.
    #[inline]
    pub fn candidates(&self) -> impl Iterator<Item = Point> + '_ {
        self.near.candidate_cells()
    }

    /// The candidates within two steps of a stone. They include every cell where a stone makes an
    /// open three or more: with at least two other stones it fills all but one cell of a row of
    /// four, or all but two of a row of five, so the nearest of them is within two steps.
    #[inline]
    pub fn near_candidates(&self) -> impl Iterator<Item = Point> + '_ {
        self.near.near_cells()
    }

    /// The other candidates.
    #[inline]
    pub fn far_candidates(&self) -> impl Iterator<Item = Point> + '_ {
        self.near.far_cells()
    }

    /// The empty cells where `color` would make `shape`, an open three or more, row by row.
    pub fn cells_with(&self, color: Color, shape: Shape) -> impl Iterator<Item = Point> + '_ {
        debug_assert!(shape >= Shape::OpenThree, "{shape:?} may be made far from every stone");
        // The count is known, so the iterator can end with the last one.
        let count = self.count(color, shape);
        self.near_candidates().filter(move |&point| self.shape(point, color) == shape).take(count)
    }

    /// The line through two cells and the number of steps along it from the first to the second;
    /// `None` when they are not on one line or a wall stands between them.
    #[inline]
    pub fn line_to(&self, from: Point, to: Point) -> Option<(Direction, isize)> {
        let dx = isize::from(to.x()) - isize::from(from.x());
        let dy = isize::from(to.y()) - isize::from(from.y());
        let (axis, steps) = if dy == 0 {
            (0, dx)
        } else if dx == 0 {
            (1, dy)
        } else if dx == dy {
            (2, dx)
        } else if dx == -dy {
            (3, dy)
        } else {
            return None;
        };
        let direction = DIRECTIONS[axis];
        let clear = |distance: isize| {
            self.cell(from.shift(direction, distance * steps.signum())) != Cell::Wall
        };
        (steps != 0 && (1..steps.abs()).all(clear)).then_some((direction, steps))
    }

    /// The shape that a stone of `color` on the empty cell `point` would make if there were also a
    /// stone of `extra` on the empty cell `other`.
    #[inline]
    pub fn shape_with(&self, point: Point, color: Color, other: Point, extra: Color) -> Shape {
        match self.line_to(point, other) {
            Some(way) => self.shape_beside(point, color, way, extra),
            None => self.shape(point, color),
        }
    }

    /// The shape that a stone of `color` on the empty cell `point` would make if there were also
    /// these stones on other empty cells.
    #[inline]
    pub fn shape_with_all<const STONES: usize>(
        &self,
        point: Point,
        color: Color,
        stones: [(Point, Color); STONES],
    ) -> Shape {
        let mut added = [0; DIRECTIONS.len()];
        for (other, extra) in stones {
            if let Some((direction, steps)) = self.line_to(point, other) {
                added[direction.axis()] += self.tables.space().stone(steps, extra);
            }
        }
        let mut key = self.lines(point, color);
        for (axis, &added) in added.iter().enumerate().filter(|&(_, &added)| added > 0) {
            key = key.with_line(axis, self.tables.line(self.window(point, axis) + added, color));
        }
        self.tables.code_shape(key, color).shape()
    }

    /// Like [`Position::shape_with`], for a stone of `extra` that is `steps` along `direction` from
    /// `point`, without a wall between them.
    #[inline]
    pub fn shape_beside(
        &self,
        point: Point,
        color: Color,
        (direction, steps): (Direction, isize),
        extra: Color,
    ) -> Shape {
        let axis = direction.axis();
        let window = self.window(point, axis) + self.tables.space().stone(steps, extra);
        let key = self.lines(point, color).with_line(axis, self.tables.line(window, color));
        self.tables.code_shape(key, color).shape()
    }
}

impl Square {
    const WALL: Square = Square { windows: [0; 4], patterns: Patterns::DEAD, cell: Cell::Wall };
}
