//! Cells of the padded grid that every board size shares.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use super::{Coordinates, MAX_SIDE, UnknownName, by_name};

/// Cells per row of the padded grid: 36 playable columns and at least one wall between rows.
///
/// Wide enough that the difference of two indices less than seven columns apart determines the
/// relative position of the cells (see `eval::network`). Not a power of two, which would put every
/// second row of the per-cell table into the same cache sets.
pub const STRIDE: usize = 42;

/// Length of every per-cell array: the padded grid rounded up to a power of two, so that a
/// masked index needs no bounds check.
pub const GRID: usize = 2048;

/// The four line directions as grid steps: row, column, diagonal, anti-diagonal.
pub const DIRECTIONS: [Direction; 4] = [
    Direction { axis: 0, step: 1 },
    Direction { axis: 1, step: STRIDE as i16 },
    Direction { axis: 2, step: STRIDE as i16 + 1 },
    Direction { axis: 3, step: STRIDE as i16 - 1 },
];

/// One of the four lines through a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Direction {
    axis: u8,
    step: i16,
}

impl Direction {
    /// Position in [`DIRECTIONS`], 0 to 3.
    #[inline]
    pub const fn axis(self) -> usize {
        self.axis as usize
    }

    /// `row`, `column`, `diagonal` (from the upper left to the lower right) or `anti-diagonal`.
    pub const fn name(self) -> &'static str {
        ["row", "column", "diagonal", "anti-diagonal"][self.axis as usize]
    }

    /// Distance in the grid between neighbours on this line.
    #[inline]
    pub const fn step(self) -> isize {
        self.step as isize
    }
}

impl FromStr for Direction {
    type Err = UnknownName;

    /// Upper and lower case are equal.
    fn from_str(text: &str) -> Result<Direction, UnknownName> {
        by_name(&DIRECTIONS, Direction::name, text)
    }
}

/// A cell of the grid. `x` is the column from the left, `y` the row from the top, both from 0,
/// as in the protocol. A move is a point.
///
/// The index does not depend on the board size. A point returned by [`Point::shift`] may lie on
/// the wall around the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(NonZeroU16);

impl Point {
    /// The cell in column `x` and row `y`.
    ///
    /// # Panics
    /// When either is 36 or more.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Point {
        assert!(x < MAX_SIDE && y < MAX_SIDE);
        match NonZeroU16::new((y as u16 + 1) * STRIDE as u16 + x as u16 + 1) {
            Some(cell) => Point(cell),
            None => unreachable!(),
        }
    }

    /// The cell with this index, or `None` for 0 and for indices past the grid.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Point> {
        if index >= GRID {
            return None;
        }
        match NonZeroU16::new(index as u16) {
            Some(cell) => Some(Point(cell)),
            None => None,
        }
    }

    /// Column from the left, from 0; 255 for the wall on the left.
    #[inline]
    pub const fn x(self) -> u8 {
        ((self.0.get() as usize % STRIDE) as u8).wrapping_sub(1)
    }

    /// Row from the top, from 0; 255 for the wall at the top.
    #[inline]
    pub const fn y(self) -> u8 {
        ((self.0.get() as usize / STRIDE) as u8).wrapping_sub(1)
    }

    /// Index of the cell, always below `GRID`; the mask shows this to the compiler.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize & (GRID - 1)
    }

    /// The cell `distance` steps along `direction`; meaningless past the first wall.
    #[inline]
    pub fn shift(self, direction: Direction, distance: isize) -> Point {
        self.step(direction.step() * distance)
    }

    /// The cell at this index offset in the grid. Up to four columns and rows away it is a cell of
    /// the board or of the wall.
    #[inline]
    pub fn step(self, cells: isize) -> Point {
        let index = (self.0.get() as isize + cells) as usize & (GRID - 1);
        Point(NonZeroU16::new(index as u16).unwrap_or(NonZeroU16::MIN))
    }

    /// The larger of the column and row distances to `other`.
    #[inline]
    pub fn distance(self, other: Point) -> u8 {
        self.x().abs_diff(other.x()).max(self.y().abs_diff(other.y()))
    }
}

impl fmt::Display for Point {
    /// `7,7`, column and row from 0. [`Game::notation`](crate::Game::notation) and
    /// [`Notation::name`](crate::Notation::name) write `h8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An error: the text is not a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParsePointError {
    /// Not two integers separated by a comma.
    Syntax,
    /// Two integers, but outside the largest board.
    OutOfRange,
}

impl fmt::Display for ParsePointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParsePointError::Syntax => "expected a point as x,y",
            ParsePointError::OutOfRange => "the point lies outside the largest board (36x36)",
        })
    }
}

impl std::error::Error for ParsePointError {}

impl FromStr for Point {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<Point, ParsePointError> {
        let at: Coordinates = text.parse().map_err(|_| ParsePointError::Syntax)?;
        let on_grid = |value: i64| u8::try_from(value).ok().filter(|&value| value < MAX_SIDE);
        match (on_grid(at.x), on_grid(at.y)) {
            (Some(x), Some(y)) => Ok(Point::new(x, y)),
            _ => Err(ParsePointError::OutOfRange),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::BoardSize;

    #[test]
    fn points_keep_their_coordinates() {
        for y in 0..36 {
            for x in 0..36 {
                let point = Point::new(x, y);
                assert_eq!((point.x(), point.y()), (x, y));
                assert!(point.index() < GRID);
                assert_eq!(point.to_string().parse(), Ok(point));
            }
        }
    }

    #[test]
    fn wall_cells_are_off_the_board() {
        let (corner, board) = (Point::new(0, 0), BoardSize::square(36).unwrap());
        for direction in DIRECTIONS {
            let [before, after] = [-1, 1].map(|distance| corner.shift(direction, distance));
            assert!(!board.contains(before), "{before:?}");
            assert_eq!(board.contains(after), after.x() < 36 && after.y() < 36);
        }
    }

    #[test]
    fn parse_rejects_texts_that_are_not_points() {
        assert_eq!("7".parse::<Point>(), Err(ParsePointError::Syntax));
        assert_eq!("a,b".parse::<Point>(), Err(ParsePointError::Syntax));
        assert_eq!("-1,3".parse::<Point>(), Err(ParsePointError::OutOfRange));
        assert_eq!("3,36".parse::<Point>(), Err(ParsePointError::OutOfRange));
    }
}
