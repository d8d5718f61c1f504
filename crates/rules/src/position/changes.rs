//! The changes made by each stone of the history, for code that keeps sums over cells.

use super::patterns::Patterns;
use super::{Position, Square};
use crate::pattern::PatternCode;
use crate::types::{ByColor, Color, GRID, Point};

/// An empty cell whose lines a stone changed: its patterns before the stone, and its codes after
/// it. Undo uses it as well.
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

    /// The change of the cell where the stone is placed.
    #[inline]
    pub(super) fn taken(cell: usize, before: Patterns) -> CellChange {
        let none = PatternCode::NO_CELL;
        CellChange { cell: cell as u16, before, after: ByColor::new(none, none) }
    }

    #[inline]
    pub(super) fn restore(&self, squares: &mut [Square; GRID]) {
        squares[usize::from(self.cell) & (GRID - 1)].patterns = self.before;
    }

    /// The cell.
    #[inline]
    pub fn point(&self) -> Point {
        Point::from_index(usize::from(self.cell))
            .unwrap_or_else(|| unreachable!("only cells of the board change"))
    }

    /// The code of its lines before the stone.
    #[inline]
    pub fn before(&self, color: Color) -> PatternCode {
        self.before.codes()[color]
    }

    /// The code of its lines after the stone; unchanged for a colour whose lines did not change,
    /// and [`PatternCode::NO_CELL`] for the cell of the stone.
    #[inline]
    pub fn after(&self, color: Color) -> PatternCode {
        self.after[color]
    }
}

impl Position {
    /// The changes made by the stone that follows the first `length` stones of the history: first
    /// its own cell, then every other cell whose codes or lines changed, each of them once.
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

    /// Key of the board after the first `length` stones of the history. Data cached for that board
    /// is still valid if the key is the same.
    ///
    /// # Panics
    /// When the history is shorter than `length`.
    #[inline]
    pub fn key_at(&self, length: usize) -> u64 {
        if length == self.saved.len() { self.board.key() } else { self.saved[length].key }
    }
}
