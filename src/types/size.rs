//! Board extents.

use std::fmt;
use std::str::FromStr;

use super::Point;

/// Shortest side of a board.
pub const MIN_SIDE: u8 = 5;
/// Longest side of a board.
pub const MAX_SIDE: u8 = 36;

/// Width (columns) and height (rows) of a board, each from 5 to 36.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

impl BoardSize {
    /// A board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// When a side is outside 5 to 36.
    pub fn new(width: i64, height: i64) -> Result<BoardSize, SizeError> {
        let sides = i64::from(MIN_SIDE)..=i64::from(MAX_SIDE);
        if sides.contains(&width) && sides.contains(&height) {
            Ok(BoardSize { width: width as u8, height: height as u8 })
        } else {
            Err(SizeError { width, height })
        }
    }

    /// A square board.
    ///
    /// # Errors
    /// As [`BoardSize::new`].
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

    /// The middle cell; of four middle cells the lower right one.
    pub fn center(self) -> Point {
        Point::new(self.width / 2, self.height / 2)
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

/// A side outside 5 to 36, or a text that is no size (then both numbers are 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeError {
    width: i64,
    height: i64,
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if (self.width, self.height) == (0, 0) {
            return write!(f, "expected a board size from {MIN_SIDE} to {MAX_SIDE}, as N or WxH");
        }
        write!(
            f,
            "board {}x{} is not supported: sides go from {MIN_SIDE} to {MAX_SIDE}",
            self.width, self.height
        )
    }
}

impl std::error::Error for SizeError {}

impl FromStr for BoardSize {
    type Err = SizeError;

    /// `N` or `WxH`.
    fn from_str(text: &str) -> Result<BoardSize, SizeError> {
        let side = |part: &str| part.trim().parse().map_err(|_| SizeError { width: 0, height: 0 });
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
    fn sizes_parse_and_refuse() {
        assert_eq!("15".parse(), BoardSize::square(15));
        assert_eq!("9x30".parse(), BoardSize::new(9, 30));
        for bad in ["4", "37", "15x4", "", "x", "abc", "-3", "99999999999999999999"] {
            assert!(bad.parse::<BoardSize>().is_err(), "{bad}");
        }
    }

    #[test]
    fn points_cover_the_board_once() {
        let size = BoardSize::new(9, 30).unwrap();
        let points: Vec<Point> = size.points().collect();
        assert_eq!(points.len(), size.area());
        assert!(points.iter().all(|&point| size.contains(point)));
        assert!(points.is_sorted());
        assert_eq!(size.point(9, 0), None);
        assert_eq!(size.point(8, 29), Some(Point::new(8, 29)));
    }
}
