//! L3: a board with incremental line patterns, shape counts, evaluation sums and candidates.
//!
//! A move changes the windows of at most 40 neighbours. What those changes do to patterns,
//! shapes, counts and sums is worked out once, saved, and copied back by undo.

mod near;
mod update;
#[cfg(test)]
mod validate;

use crate::board::{Board, Cell, Stone};
use crate::pattern::{LineKey, PatternTables, SHAPES, Shape, ShapeEntry};
use crate::types::{BoardSize, ByColor, Color, DIRECTIONS, Direction, GRID, Point, Rule};
use near::NearRows;
use update::{Change, Saved};

/// What the position knows about a cell. While a stone stands there, everything but `windows`
/// stays as it was before the stone came.
#[derive(Clone, Copy)]
struct Square {
    windows: [u32; 4],
    keys: ByColor<LineKey>,
    /// What the cell is worth as a move: to the colour itself.
    attacks: ByColor<i16>,
    /// What the cell is worth as a move: to the other colour, to take it away.
    defences: ByColor<i16>,
    shapes: ByColor<Shape>,
    cell: Cell,
}

/// Sums over all empty cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Totals {
    counts: ByColor<[u16; SHAPES]>,
    /// With the colour to move.
    moving: ByColor<i32>,
    /// With the other colour to move.
    waiting: ByColor<i32>,
}

/// A board and everything the search keeps up to date about it.
#[derive(Clone)]
pub struct Position {
    board: Board,
    tables: &'static PatternTables,
    totals: Totals,
    near: NearRows,
    saved: Vec<Saved>,
    changes: Vec<Change>,
    squares: Box<[Square; GRID]>,
}

impl Position {
    /// An empty board, black to move.
    pub fn new(size: BoardSize, rule: Rule) -> Position {
        Position::from_board(&Board::new(size, rule))
    }

    /// Takes over any set-up: uneven numbers of stones, cells out of play, either side to move.
    pub fn from_board(board: &Board) -> Position {
        let mut empty = Board::new(board.size(), board.rule());
        for wall in board.walls() {
            empty.wall(wall);
        }
        let mut position = Position::without_stones(empty);
        for stone in board.history() {
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
        let mut totals = Totals {
            counts: ByColor::new([0; SHAPES], [0; SHAPES]),
            moving: ByColor::new(0, 0),
            waiting: ByColor::new(0, 0),
        };
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
                for color in Color::ALL {
                    let nibble = tables.line(window, color) as u8;
                    square.keys[color] = square.keys[color].with_nibble(direction.axis(), nibble);
                }
            }
            for color in Color::ALL {
                let entry = square.evaluate(tables, color);
                totals.add(entry, color);
            }
        }
        let mut near = NearRows::new(board.size());
        board.walls().for_each(|wall| near.wall(wall));
        Position { near, board, tables, totals, saved: Vec::new(), changes: Vec::new(), squares }
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

    /// Whether the point is on the board and free.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.squares[point.index()].cell == Cell::Empty
    }

    /// What the cell holds.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.squares[point.index()].cell
    }

    /// Puts a stone of the side to move on an empty cell.
    #[inline]
    pub fn play(&mut self, point: Point) {
        self.place(point, self.board.side_to_move());
    }

    /// Takes back the last stone; its owner is to move. `None` on an empty history.
    pub fn undo(&mut self) -> Option<Stone> {
        let stone = self.board.last()?;
        self.take_back(stone);
        Some(stone)
    }

    /// Plays, looks, and takes back.
    #[inline]
    pub fn with_move<T>(&mut self, point: Point, look: impl FnOnce(&mut Position) -> T) -> T {
        self.play(point);
        let seen = look(self);
        self.undo();
        seen
    }

    /// Lets the turn pass without a stone; the search uses it, the game does not know it.
    #[inline]
    pub fn pass(&mut self) {
        let side = self.board.side_to_move();
        self.board.set_side(side.opponent());
    }

    /// What a stone of `color` on the empty cell would make.
    #[inline]
    pub fn shape(&self, point: Point, color: Color) -> Shape {
        self.squares[point.index()].shapes[color]
    }

    /// The four line patterns of `color` at the empty cell.
    #[inline]
    pub fn lines(&self, point: Point, color: Color) -> LineKey {
        self.squares[point.index()].keys[color]
    }

    /// How urgent the empty cell is for `color`: what it gains, what it takes from the other, and
    /// what both together add (1/256 of a natural logarithm of odds).
    #[inline]
    pub fn urgency(&self, point: Point, color: Color) -> i32 {
        let square = &self.squares[point.index()];
        let other = color.opponent();
        let pair = self.tables.weights(color).pair(square.shapes[color], square.shapes[other]);
        i32::from(square.attacks[color]) + i32::from(square.defences[other]) + i32::from(pair)
    }

    /// Number of the window around a cell, see [`crate::pattern::WindowSpace`].
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
        usize::from(self.totals.counts[color][shape as usize])
    }

    /// Sum of the cell values of the side to move less that of its opponent
    /// ([`crate::pattern::VALUE_GRAIN`] per point of score).
    #[inline]
    pub fn value(&self) -> i32 {
        let side = self.side_to_move();
        self.totals.moving[side] - self.totals.waiting[side.opponent()]
    }

    /// The empty cells near a stone, row by row; none on a board without stones.
    #[inline]
    pub fn candidates(&self) -> impl Iterator<Item = Point> + '_ {
        self.near.free_cells()
    }

    /// The empty cells where `color` would make `shape`, row by row.
    pub fn cells_with(&self, color: Color, shape: Shape) -> impl Iterator<Item = Point> + '_ {
        // All are known to be found once so many are.
        let all = self.count(color, shape);
        self.candidates().filter(move |&point| self.shape(point, color) == shape).take(all)
    }

    /// The line that leads from one cell to another one and the steps along it; `None` when they
    /// are not on one line or a wall stands between them.
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

    /// What a stone of `color` on the empty cell `point` would make if a stone of `extra` stood
    /// on the empty cell `other` as well.
    #[inline]
    pub fn shape_with(&self, point: Point, color: Color, other: Point, extra: Color) -> Shape {
        self.shape_with_all(point, color, [(other, extra)])
    }

    /// What a stone of `color` on the empty cell `point` would make if all these stones stood on
    /// empty cells as well.
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
        self.tables.entry(key, color).shape
    }

    /// The same with one stone of `extra`, `steps` along `direction` from `point`, no wall
    /// between them.
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
        self.tables.entry(key, color).shape
    }
}

impl Square {
    const WALL: Square = Square {
        windows: [0; 4],
        keys: ByColor::new(LineKey::DEAD, LineKey::DEAD),
        attacks: ByColor::new(0, 0),
        defences: ByColor::new(0, 0),
        shapes: ByColor::new(Shape::Quiet, Shape::Quiet),
        cell: Cell::Wall,
    };

    /// Derives everything else from the key of `color`; returns the entry.
    #[inline]
    fn evaluate(&mut self, tables: &PatternTables, color: Color) -> ShapeEntry {
        let entry = tables.entry(self.keys[color], color);
        self.attacks[color] = entry.attack;
        self.defences[color] = entry.defence;
        self.shapes[color] = entry.shape;
        entry
    }
}

impl Totals {
    #[inline]
    fn add(&mut self, entry: ShapeEntry, color: Color) {
        self.counts[color][entry.shape as usize] += 1;
        self.moving[color] += i32::from(entry.moving);
        self.waiting[color] += i32::from(entry.waiting);
    }

    #[inline]
    fn remove(&mut self, entry: ShapeEntry, color: Color) {
        let count = &mut self.counts[color][entry.shape as usize];
        *count = count.wrapping_sub(1);
        self.moving[color] -= i32::from(entry.moving);
        self.waiting[color] -= i32::from(entry.waiting);
    }
}
