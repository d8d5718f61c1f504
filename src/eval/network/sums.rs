//! The views of all empty cells, summed and brought up to date when they are asked for.

use super::head::Hidden;
use super::simd::{CodeChange, Kernel, NO_CELL, Sums};
use super::{CHANNELS, Network};
use tengen_rules::position::Position;
use tengen_rules::types::ByColor;

/// Further back than this (plies) no sums are looked for: to add up all cells again takes no
/// longer.
const FURTHEST: usize = 8;

/// Cells that are summed at once, see [`Kernel::update`].
const BATCH: usize = 256;

/// The sums of both viewers over all empty cells (1 = 127).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewSums(pub Sums);

impl ViewSums {
    const EMPTY: ViewSums = ViewSums(ByColor::new([0; CHANNELS], [0; CHANNELS]));

    /// Adds up all empty cells.
    pub(super) fn of(position: &Position, network: &Network, kernel: Kernel) -> ViewSums {
        let mut sums = ViewSums::EMPTY;
        let points: Vec<_> = position.board().empty_points().collect();
        for points in points.chunks(BATCH) {
            let codes = |point| ByColor::from_fn(|color| position.code(point, color).index());
            let cells = points.iter().map(|&at| CodeChange { before: NO_CELL, after: codes(at) });
            kernel.update(&mut sums.0, network.tables(), cells);
        }
        sums
    }

    /// Follows the stone after the first `length` stones of the history.
    #[inline]
    fn follow(&mut self, position: &Position, length: usize, network: &Network, kernel: Kernel) {
        let cells = position.changes(length).iter().map(|cell| {
            let before = ByColor::from_fn(|color| cell.before(color).index());
            let after = ByColor::from_fn(|color| cell.after(color).index());
            CodeChange { before, after }
        });
        kernel.update(&mut self.0, network.tables(), cells);
    }
}

/// The sums of the boards along a history, one per number of stones. Most boards that a search
/// plays through are never evaluated (a search for continuous fours visits nothing else), so
/// nothing is done before somebody asks; then the sums of the last board that is still part of
/// the history follow its changes.
#[derive(Default)]
pub(super) struct LazySums {
    by_length: Vec<Known>,
}

/// Sums, and the key of the board that they belong to: they depend on nothing but the board, so
/// it does not matter how the search came there.
#[derive(Clone, Copy)]
struct Known {
    key: Option<u64>,
    sums: ViewSums,
    /// What the first layer makes of them, once somebody has asked.
    hidden: Option<Hidden>,
}

impl LazySums {
    /// What is known about the position, its sums at least.
    #[inline]
    fn known(&mut self, position: &Position, network: &Network, kernel: Kernel) -> &mut Known {
        let length = position.board().history().len();
        if self.by_length.len() <= length {
            self.by_length.resize(length + 1, Known::default());
        }
        let is_known = |&at: &usize| self.by_length[at].key == Some(position.key_at(at));
        let start = (length.saturating_sub(FURTHEST)..=length).rev().find(is_known);
        match start {
            None => {
                let sums = ViewSums::of(position, network, kernel);
                self.by_length[length].set(position.key_at(length), sums);
            }
            Some(start) => {
                for at in start..length {
                    let sums = self.by_length[at].sums;
                    let next = &mut self.by_length[at + 1];
                    next.set(position.key_at(at + 1), sums);
                    next.sums.follow(position, at, network, kernel);
                }
            }
        }
        &mut self.by_length[length]
    }

    /// What the first layer makes of the position.
    #[inline]
    pub(super) fn hidden(
        &mut self,
        position: &Position,
        network: &Network,
        kernel: Kernel,
    ) -> &Hidden {
        let Known { sums, hidden, .. } = self.known(position, network, kernel);
        hidden.get_or_insert_with(|| network.hidden(position, sums, kernel))
    }

    /// The sums of the position.
    #[cfg(test)]
    pub(super) fn sums(
        &mut self,
        position: &Position,
        network: &Network,
        kernel: Kernel,
    ) -> ViewSums {
        self.known(position, network, kernel).sums
    }
}

impl Default for Known {
    fn default() -> Known {
        Known { key: None, sums: ViewSums::EMPTY, hidden: None }
    }
}

impl Known {
    #[inline]
    fn set(&mut self, key: u64, sums: ViewSums) {
        self.key = Some(key);
        self.sums = sums;
        self.hidden = None;
    }
}
