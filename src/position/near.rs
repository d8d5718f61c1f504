//! The cells near a stone, as one bit row per board row.

use crate::types::{BoardSize, MAX_SIDE, Point};

/// How far from a stone a cell still counts as near.
const RANGE: usize = 4;
/// Rows that one stone reaches.
pub(super) const REACH: usize = 2 * RANGE + 1;
const ROWS: usize = MAX_SIDE as usize;

/// The neighbourhood of a stone, as bit rows whose middle bit is [`RANGE`]: every cell within
/// three steps, and four steps along a line.
const NEIGHBOURHOOD: [u64; REACH] = {
    let mut rows = [0; REACH];
    let mut dy = 0;
    while dy < REACH {
        let mut dx = 0;
        while dx < REACH {
            let (x, y) = (dx.abs_diff(RANGE), dy.abs_diff(RANGE));
            let near = x <= 3 && y <= 3;
            let on_line = x == 0 || y == 0 || x == y;
            if near || on_line {
                rows[dy] |= 1 << dx;
            }
            dx += 1;
        }
        dy += 1;
    }
    rows
};

/// The rows that a stone touched, as they were before it.
pub(super) type SavedRows = [u64; REACH];

/// Bit rows of near and of taken cells. Bit `x + RANGE` stands for column `x`, row `y + RANGE`
/// for row `y`, so that no neighbourhood has to be clipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NearRows {
    near: [u64; ROWS + 2 * RANGE],
    taken: [u64; ROWS],
    columns: u64,
    height: usize,
}

impl NearRows {
    pub(super) fn new(size: BoardSize) -> NearRows {
        NearRows {
            near: [0; ROWS + 2 * RANGE],
            taken: [0; ROWS],
            columns: ((1 << size.width()) - 1) << RANGE,
            height: usize::from(size.height()),
        }
    }

    /// A stone comes to `point`; returns the rows to hand to [`NearRows::take_back`].
    #[inline]
    pub(super) fn place(&mut self, point: Point) -> SavedRows {
        let (x, y) = (usize::from(point.x()), usize::from(point.y()));
        self.taken[y] ^= 1 << (x + RANGE);
        let mut saved = [0; REACH];
        for ((row, saved), mask) in
            self.near[y..y + REACH].iter_mut().zip(&mut saved).zip(NEIGHBOURHOOD)
        {
            *saved = *row;
            *row |= mask << x;
        }
        saved
    }

    /// The stone on `point` leaves again.
    #[inline]
    pub(super) fn take_back(&mut self, point: Point, saved: &SavedRows) {
        let (x, y) = (usize::from(point.x()), usize::from(point.y()));
        self.taken[y] ^= 1 << (x + RANGE);
        self.near[y..y + REACH].copy_from_slice(saved);
    }

    /// Takes a cell out of play.
    pub(super) fn wall(&mut self, point: Point) {
        self.taken[usize::from(point.y())] |= 1 << (usize::from(point.x()) + RANGE);
    }

    /// The near cells without a stone, row by row.
    #[inline]
    pub(super) fn free_cells(&self) -> FreeCells<'_> {
        FreeCells { rows: self, next_row: 0, bits: 0 }
    }
}

/// Goes through near cells without a stone.
pub(super) struct FreeCells<'a> {
    rows: &'a NearRows,
    next_row: usize,
    /// What is left of the row before `next_row`.
    bits: u64,
}

impl Iterator for FreeCells<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.bits == 0 {
            if self.next_row == self.rows.height {
                return None;
            }
            let row = self.next_row;
            self.bits = self.rows.near[row + RANGE] & self.rows.columns & !self.rows.taken[row];
            self.next_row += 1;
        }
        let column = self.bits.trailing_zeros() as usize - RANGE;
        self.bits &= self.bits - 1;
        Some(Point::new(column as u8, self.next_row as u8 - 1))
    }
}
