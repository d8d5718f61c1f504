//! The cells near a stone, as one bit row per board row.

use crate::types::{BoardSize, MAX_SIDE, Point};

/// How far from a stone a cell still counts as near.
const RANGE: usize = 4;
/// Rows in which a stone has near cells.
const REACH: usize = 2 * RANGE + 1;
/// How far from a stone a cell still counts as close.
const CLOSE: usize = 2;
/// Rows in which a stone has close cells.
const CLOSE_REACH: usize = 2 * CLOSE + 1;
/// The first of them among those in which it has near cells.
const FIRST_CLOSE: usize = RANGE - CLOSE;
const ROWS: usize = MAX_SIDE as usize;

/// The near cells of a stone, as bit rows whose middle bit is [`RANGE`]: every cell within
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

/// The close cells of a row, in the same way: every cell within two steps.
const CLOSE_BITS: u64 = ((1 << CLOSE_REACH) - 1) << FIRST_CLOSE;

/// The rows that a stone touched, as they were before it.
#[derive(Clone, Copy)]
pub(super) struct SavedRows {
    near: [u64; REACH],
    close: [u64; CLOSE_REACH],
}

/// Bit rows of near, of close and of taken cells. Bit `x + RANGE` stands for column `x`, row
/// `y + RANGE` for row `y`, so that no neighbourhood has to be clipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NearRows {
    near: [u64; ROWS + 2 * RANGE],
    close: [u64; ROWS + 2 * RANGE],
    taken: [u64; ROWS],
    columns: u64,
    height: usize,
}

impl NearRows {
    pub(super) fn new(size: BoardSize) -> NearRows {
        NearRows {
            near: [0; ROWS + 2 * RANGE],
            close: [0; ROWS + 2 * RANGE],
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
        let mut saved = SavedRows { near: [0; REACH], close: [0; CLOSE_REACH] };
        let near = self.near[y..y + REACH].iter_mut().zip(&mut saved.near);
        for ((row, saved), mask) in near.zip(NEIGHBOURHOOD) {
            *saved = *row;
            *row |= mask << x;
        }
        let close = self.close[y + FIRST_CLOSE..][..CLOSE_REACH].iter_mut();
        for (row, saved) in close.zip(&mut saved.close) {
            *saved = *row;
            *row |= CLOSE_BITS << x;
        }
        saved
    }

    /// The stone on `point` leaves again.
    #[inline]
    pub(super) fn take_back(&mut self, point: Point, saved: &SavedRows) {
        let (x, y) = (usize::from(point.x()), usize::from(point.y()));
        self.taken[y] ^= 1 << (x + RANGE);
        self.near[y..y + REACH].copy_from_slice(&saved.near);
        self.close[y + FIRST_CLOSE..][..CLOSE_REACH].copy_from_slice(&saved.close);
    }

    /// Takes a cell out of play.
    pub(super) fn wall(&mut self, point: Point) {
        self.taken[usize::from(point.y())] |= 1 << (usize::from(point.x()) + RANGE);
    }

    /// The near cells without a stone, row by row.
    #[inline]
    pub(super) fn near_cells(&self) -> impl Iterator<Item = Point> + '_ {
        self.free_cells(|row| self.near[row])
    }

    /// The close ones among them.
    #[inline]
    pub(super) fn close_cells(&self) -> impl Iterator<Item = Point> + '_ {
        self.free_cells(|row| self.close[row])
    }

    /// The others among them.
    #[inline]
    pub(super) fn remote_cells(&self) -> impl Iterator<Item = Point> + '_ {
        self.free_cells(|row| self.near[row] & !self.close[row])
    }

    #[inline]
    fn free_cells<F: Fn(usize) -> u64>(&self, wanted: F) -> FreeCells<'_, F> {
        FreeCells { rows: self, wanted, next_row: 0, bits: 0 }
    }
}

/// Goes through cells without a stone.
struct FreeCells<'a, F> {
    rows: &'a NearRows,
    /// The bits of a row.
    wanted: F,
    next_row: usize,
    /// What is left of the row before `next_row`.
    bits: u64,
}

impl<F: Fn(usize) -> u64> Iterator for FreeCells<'_, F> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.bits == 0 {
            if self.next_row == self.rows.height {
                return None;
            }
            let row = self.next_row;
            self.bits = (self.wanted)(row + RANGE) & self.rows.columns & !self.rows.taken[row];
            self.next_row += 1;
        }
        let column = self.bits.trailing_zeros() as usize - RANGE;
        self.bits &= self.bits - 1;
        Some(Point::new(column as u8, self.next_row as u8 - 1))
    }
}
