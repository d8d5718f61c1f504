//! Board extents.

use std::fmt;
use std::str::FromStr;

use super::{Direction, Point};

/// Shortest side of a board.
pub const MIN_SIDE: u8 = 1;
/// Shortest side of a board that the engine supports; on a shorter side no row of five fits.
pub const MIN_ENGINE_SIDE: u8 = 5;
/// Longest side of a board.
pub const MAX_SIDE: u8 = 36;

/// Width (columns) and height (rows) of a board, each from 1 to 36. If both are below five, every
/// game is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

impl BoardSize {
    /// A board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// When a side is outside 1 to 36.
    pub fn new(width: i64, height: i64) -> Result<BoardSize, SizeError> {
        BoardSize::at_least(MIN_SIDE, width, height)
    }

    /// A board whose sides have at least `least` cells.
    ///
    /// # Errors
    /// When a side is outside `least` to 36.
    pub fn at_least(least: u8, width: i64, height: i64) -> Result<BoardSize, SizeError> {
        let sides = i64::from(least.max(MIN_SIDE))..=i64::from(MAX_SIDE);
        if sides.contains(&width) && sides.contains(&height) {
            Ok(BoardSize { width: width as u8, height: height as u8 })
        } else {
            Err(SizeError::Unsupported { width, height, least })
        }
    }

    /// A square board.
    ///
    /// # Errors
    /// The errors of [`BoardSize::new`].
    pub fn square(side: i64) -> Result<BoardSize, SizeError> {
        BoardSize::new(side, side)
    }

    /// Number of columns.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Number of rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Width and height swapped.
    pub const fn transposed(self) -> BoardSize {
        BoardSize { width: self.height, height: self.width }
    }

    /// Number of cells.
    #[inline]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether the point lies on the board.
    #[inline]
    pub fn contains(self, point: Point) -> bool {
        point.x() < self.width && point.y() < self.height
    }

    /// The cell at `x,y` if the board has it.
    pub fn point(self, x: i64, y: i64) -> Option<Point> {
        ((0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y))
            .then(|| Point::new(x as u8, y as u8))
    }

    /// The number of a cell of this board, row by row from the top, from 0.
    #[inline]
    pub fn number(self, point: Point) -> usize {
        usize::from(point.y()) * usize::from(self.width) + usize::from(point.x())
    }

    /// The cell that [`BoardSize::number`] gives this number, if the board has it.
    pub fn numbered(self, number: usize) -> Option<Point> {
        let width = usize::from(self.width);
        self.point((number % width) as i64, (number / width) as i64)
    }

    /// The middle cell; of four middle cells the lower right one.
    pub fn center(self) -> Point {
        Point::new(self.width / 2, self.height / 2)
    }

    /// Whether the cell is a star point, as on go boards: the centre of a board with odd sides, and
    /// the corners of the fourth line on sides of 13 or more, of the third line on sides from nine.
    pub fn is_star(self, point: Point) -> bool {
        let lines = |at: u8, side: u8| {
            let edge = if side >= 13 { Some(3) } else { (side >= 9).then_some(2) };
            let is_corner = edge.is_some_and(|edge| at == edge || at + 1 + edge == side);
            (is_corner, side % 2 == 1 && at == side / 2)
        };
        let ((left, column), (top, row)) =
            (lines(point.x(), self.width), lines(point.y(), self.height));
        left && top || column && row
    }

    /// Every cell of the row, column or diagonal through `point`, from the left to the right, or
    /// from the top to the bottom; the anti-diagonal from the upper right to the lower left.
    pub fn line(self, point: Point, direction: Direction) -> impl Iterator<Item = Point> {
        let (dx, dy) = [(1, 0), (0, 1), (1, 1), (-1, 1)][direction.axis()];
        let (x, y) = (i64::from(point.x()), i64::from(point.y()));
        let longest = i64::from(MAX_SIDE);
        (-longest..longest).filter_map(move |step| self.point(x + step * dx, y + step * dy))
    }

    /// Every cell, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Point::new(x, y)))
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// An invalid board size.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// A side is too short or too long.
    Unsupported {
        /// Requested columns.
        width: i64,
        /// Requested rows.
        height: i64,
        /// The shortest side allowed.
        least: u8,
    },
    /// The text is not a size.
    Syntax(String),
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SizeError::Unsupported { width, height, least } => write!(
                f,
                "board {width}x{height} is not supported: sides go from {least} to {MAX_SIDE}"
            ),
            SizeError::Syntax(text) => {
                write!(
                    f,
                    "invalid board size {text:?}: expected N or WxH, {MIN_SIDE} to {MAX_SIDE}"
                )
            }
        }
    }
}

impl std::error::Error for SizeError {}

impl FromStr for BoardSize {
    type Err = SizeError;

    /// `N` or `WxH`.
    fn from_str(text: &str) -> Result<BoardSize, SizeError> {
        let error = |_| SizeError::Syntax(text.trim().to_string());
        let side = |part: &str| part.trim().parse().map_err(error);
        match text.split_once(['x', 'X']) {
            Some((width, height)) => BoardSize::new(side(width)?, side(height)?),
            None => BoardSize::square(side(text)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_parse_or_are_rejected() {
        assert_eq!("15".parse(), BoardSize::square(15));
        assert_eq!("9x30".parse(), BoardSize::new(9, 30));
        assert_eq!("1".parse(), BoardSize::square(1));
        for bad in ["0", "37", "15x0", "", "x", "abc", "-3", "99999999999999999999"] {
            assert!(bad.parse::<BoardSize>().is_err(), "{bad}");
        }
        let message = |text: &str| text.parse::<BoardSize>().unwrap_err().to_string();
        assert_eq!(message("15x0"), "board 15x0 is not supported: sides go from 1 to 36");
        assert_eq!(message("abc"), "invalid board size \"abc\": expected N or WxH, 1 to 36");
        assert!(BoardSize::at_least(5, 5, 4).is_err() && BoardSize::at_least(5, 5, 5).is_ok());
    }

    #[test]
    fn star_points_of_several_sizes() {
        let stars = |text: &str| -> Vec<(u8, u8)> {
            let size: BoardSize = text.parse().unwrap();
            let stars = size.points().filter(|&point| size.is_star(point));
            stars.map(|point| (point.x(), point.y())).collect()
        };
        assert_eq!(stars("15"), [(3, 3), (11, 3), (7, 7), (3, 11), (11, 11)]);
        assert_eq!(stars("20"), [(3, 3), (16, 3), (3, 16), (16, 16)]);
        assert_eq!(stars("9x13"), [(2, 3), (6, 3), (4, 6), (2, 9), (6, 9)]);
        assert_eq!(stars("7"), [(3, 3)]);
        assert!(stars("8x15").is_empty());
    }

    #[test]
    fn points_cover_the_board_once() {
        let size = BoardSize::new(9, 30).unwrap();
        let points: Vec<Point> = size.points().collect();
        assert_eq!(points.len(), size.area());
        assert!(points.iter().all(|&point| size.contains(point)));
        assert!(points.is_sorted());
        for (number, &point) in points.iter().enumerate() {
            assert_eq!((size.number(point), size.numbered(number)), (number, Some(point)));
        }
        assert_eq!(size.numbered(size.area()), None);
        assert_eq!(size.point(9, 0), None);
        assert_eq!(size.point(8, 29), Some(Point::new(8, 29)));
    }
}
