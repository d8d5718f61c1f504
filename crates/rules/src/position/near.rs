//! The cells near a stone, as one bit row per board row.

use crate::types::{BoardSize, MAX_SIDE, Point};

/// Largest distance of a candidate from a stone (steps).
const RANGE: usize = 4;
/// Rows in which a stone has candidates.
const REACH: usize = 2 * RANGE + 1;
/// Largest distance of a near cell from a stone (steps).
const NEAR: usize = 2;
/// Rows in which a stone has near cells.
const NEAR_REACH: usize = 2 * NEAR + 1;
/// The first row with near cells among the rows with candidates.
const FIRST_NEAR: usize = RANGE - NEAR;
const ROWS: usize = MAX_SIDE as usize;

/// The candidates around a stone, as bit rows whose middle bit is [`RANGE`]: every cell within
/// three steps, and four steps along a line.
const NEIGHBOURHOOD: [u64; REACH] = {
    let mut rows = [0; REACH];
    let mut dy = 0;
    while dy < REACH {
        let mut dx = 0;
        while dx < REACH {
            let (x, y) = (dx.abs_diff(RANGE), dy.abs_diff(RANGE));
            let in_square = x <= 3 && y <= 3;
            let on_line = x == 0 || y == 0 || x == y;
            if in_square || on_line {
                rows[dy] |= 1 << dx;
            }
            dx += 1;
        }
        dy += 1;
    }
    rows
};

/// The near cells of a row, as in [`NEIGHBOURHOOD`]: every cell within two steps.
const NEAR_BITS: u64 = ((1 << NEAR_REACH) - 1) << FIRST_NEAR;

/// The rows that a stone touched, as they were before it.
#[derive(Clone, Copy)]
pub(super) struct SavedRows {
    candidates: [u64; REACH],
    near: [u64; NEAR_REACH],
}

/// Bit rows of candidates, of near cells and of taken cells. Bit `x + RANGE` stands for column
/// `x`, row `y + RANGE` for row `y`, so that no neighbourhood has to be clipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NearRows {
    candidates: [u64; ROWS + 2 * RANGE],
    near: [u64; ROWS + 2 * RANGE],
    taken: [u64; ROWS],
    columns: u64,
    height: usize,
}

impl NearRows {
    pub(super) fn new(size: BoardSize) -> NearRows {
        NearRows {
            candidates: [0; ROWS + 2 * RANGE],
            near: [0; ROWS + 2 * RANGE],
            taken: [0; ROWS],
            columns: ((1 << size.width()) - 1) << RANGE,
            height: usize::from(size.height()),
        }
    }

    /// Adds a stone on `point`; returns the old rows for [`NearRows::take_back`].
    #[inline]
    pub(super) fn place(&mut self, point: Point) -> SavedRows {
        let (x, y) = (usize::from(point.x()), usize::from(point.y()));
        self.taken[y] ^= 1 << (x + RANGE);
        let mut saved = SavedRows { candidates: [0; REACH], near: [0; NEAR_REACH] };
        let rows = self.candidates[y..y + REACH].iter_mut().zip(&mut saved.candidates);
        for ((row, saved), mask) in rows.zip(NEIGHBOURHOOD) {
            *saved = *row;
            *row |= mask << x;
        }
        let near = self.near[y + FIRST_NEAR..][..NEAR_REACH].iter_mut();
        for (row, saved) in near.zip(&mut saved.near) {
            *saved = *row;
            *row |= NEAR_BITS << x;
        }
        saved
    }

    /// Removes the stone from `point`.
    #[inline]
    pub(super) fn take_back(&mut self, point: Point, saved: &SavedRows) {
        let (x, y) = (usize::from(point.x()), usize::from(point.y()));
        self.taken[y] ^= 1 << (x + RANGE);
        self.candidates[y..y + REACH].copy_from_slice(&saved.candidates);
        self.near[y + FIRST_NEAR..][..NEAR_REACH].copy_from_slice(&saved.near);
    }

    /// Takes a cell out of play.
    pub(super) fn wall(&mut self, point: Point) {
        self.taken[usize::from(point.y())] |= 1 << (usize::from(point.x()) + RANGE);
    }

    /// The candidates without a stone, row by row.
    #[inline]
    pub(super) fn candidate_cells(&self) -> impl Iterator<Item = Point> + '_ {
        self.free_cells(|row| self.candidates[row])
    }

    /// The near cells among the candidates.
    #[inline]
    pub(super) fn near_cells(&self) -> impl Iterator<Item = Point> + '_ {
        self.free_cells(|row| self.near[row])
    }

    /// The other candidates.
    #[inline]
    pub(super) fn far_cells(&self) -> impl Iterator<Item = Point> + '_ {
        self.free_cells(|row| self.candidates[row] & !self.near[row])
    }

    #[inline]
    fn free_cells<F: Fn(usize) -> u64>(&self, wanted: F) -> FreeCells<'_, F> {
        FreeCells { rows: self, wanted, next_row: 0, bits: 0 }
    }
}

/// Iterator over cells without a stone.
struct FreeCells<'a, F> {
    rows: &'a NearRows,
    /// Returns the bits of a row.
    wanted: F,
    next_row: usize,
    /// Remaining bits of the row before `next_row`.
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
