//! What each stone of the history changed, for those who keep sums over cells.

use super::patterns::Patterns;
use super::{Position, Square};
use crate::pattern::PatternCode;
use crate::types::{ByColor, Color, GRID, Point};

/// An empty cell whose lines a stone changed: as it was before, and its codes afterwards. Serves
/// undo as well.
#[derive(Clone, Copy)]
pub struct CellChange {
    cell: u16,
    before: Patterns,
    after: ByColor<PatternCode>,
}

impl CellChange {
    #[inline]
    pub(super) fn new(cell: usize, before: Patterns, after: Patterns) -> CellChange {
        CellChange { cell: cell as u16, before, after: after.codes() }
    }

    /// A stone comes to the cell.
    #[inline]
    pub(super) fn taken(cell: usize, before: Patterns) -> CellChange {
        let none = PatternCode::NO_CELL;
        CellChange { cell: cell as u16, before, after: ByColor::new(none, none) }
    }

    #[inline]
    pub(super) fn restore(&self, squares: &mut [Square; GRID]) {
        squares[usize::from(self.cell) & (GRID - 1)].patterns = self.before;
    }

    /// Which cell.
    #[inline]
    pub fn point(&self) -> Point {
        Point::from_index(usize::from(self.cell))
            .unwrap_or_else(|| unreachable!("only cells of the board change"))
    }

    /// The code of its lines before the stone came.
    #[inline]
    pub fn before(&self, color: Color) -> PatternCode {
        self.before.codes()[color]
    }

    /// The code of its lines afterwards; the same for a colour whose lines did not change, and
    /// [`PatternCode::NO_CELL`] where the stone stands.
    #[inline]
    pub fn after(&self, color: Color) -> PatternCode {
        self.after[color]
    }
}

impl Position {
    /// What the stone after the first `length` stones of the history changed: its cell, which is
    /// empty no longer, and the others whose codes or lines are not what they were, each of them
    /// once.
    ///
    /// # Panics
    /// When the history is not longer than `length`.
    #[inline]
    pub fn changes(&self, length: usize) -> &[CellChange] {
        let first = self.saved[length].first_change as usize;
        let end = self
            .saved
            .get(length + 1)
            .map_or(self.changes.len(), |next| next.first_change as usize);
        &self.changes[first..end]
    }

    /// Key of the board after the first `length` stones of the history: whoever remembers
    /// something about such a board knows by it whether the history is still the same.
    ///
    /// # Panics
    /// When the history is shorter than `length`.
    #[inline]
    pub fn key_at(&self, length: usize) -> u64 {
        if length == self.saved.len() { self.board.key() } else { self.saved[length].key }
    }
}
