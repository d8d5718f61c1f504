//! A cell as somebody names it.

use std::fmt;

use super::Point;

/// Two coordinates that need not lie on any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// Column from the left, from 0.
    pub x: i64,
    /// Row from the top, from 0.
    pub y: i64,
}

impl From<Point> for Coordinates {
    fn from(point: Point) -> Coordinates {
        Coordinates { x: point.x().into(), y: point.y().into() }
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}
