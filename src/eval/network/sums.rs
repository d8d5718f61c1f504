//! The summed views of all empty cells, updated lazily.

use super::head::Hidden;
use super::simd::{CodeChange, Kernel, NO_CELL, Sums};
use super::{CHANNELS, Network};
use tengen_rules::position::Position;
use tengen_rules::types::ByColor;

/// How far back (plies) cached sums are looked for: beyond that, summing all cells again takes no
/// longer.
const MAX_PLIES_BACK: usize = 8;

/// Cells per call of [`Kernel::update`].
const BATCH: usize = 256;

/// The sums of both viewers over all empty cells (1 = 127).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewSums(pub Sums);

impl ViewSums {
    const EMPTY: ViewSums = ViewSums(ByColor::new([0; CHANNELS], [0; CHANNELS]));

    /// Sums all empty cells.
    pub(super) fn of(position: &Position, network: &Network, kernel: Kernel) -> ViewSums {
        let mut sums = ViewSums::EMPTY;
        let points: Vec<_> = position.board().empty_points().collect();
        for points in points.chunks(BATCH) {
            let codes = |point| ByColor::from_fn(|color| position.code(point, color).index());
            let cells = points.iter().map(|&at| CodeChange { before: NO_CELL, after: codes(at) });
            kernel.update(&{ sums.0 }, &mut sums.0, network.tables(), cells);
        }
        sums
    }

    /// Makes these the sums that follow `before` by the changes of the stone after the first
    /// `length` stones of the history.
    #[inline]
    fn follow(
        &mut self,
        before: &ViewSums,
        position: &Position,
        length: usize,
        network: &Network,
        kernel: Kernel,
    ) {
        let cells = position.changes(length).iter().map(|cell| {
            let before = ByColor::from_fn(|color| cell.before(color).index());
            let after = ByColor::from_fn(|color| cell.after(color).index());
            CodeChange { before, after }
        });
        kernel.update(&before.0, &mut self.0, network.tables(), cells);
    }
}

/// Cached sums of the boards along a history, one per number of stones. Most boards in a search are
/// never evaluated (none of those in a VCF search), so sums are computed on demand, from those of
/// the last cached board that is still part of the history.
#[derive(Default)]
pub(super) struct LazySums {
    by_length: Vec<CachedSums>,
}

/// Sums and the key of their board. They depend only on the board, not on the path of the search.
#[derive(Clone, Copy)]
struct CachedSums {
    key: Option<u64>,
    sums: ViewSums,
    /// The output of the first layer, once it was needed.
    hidden: Option<Hidden>,
}

impl LazySums {
    /// The cached entry of the position, with its sums.
    #[inline]
    fn cached(
        &mut self,
        position: &Position,
        network: &Network,
        kernel: Kernel,
    ) -> &mut CachedSums {
        let length = position.board().history().len();
        if self.by_length.len() <= length {
            self.by_length.resize(length + 1, CachedSums::default());
        }
        let is_cached = |&at: &usize| self.by_length[at].key == Some(position.key_at(at));
        let start = (length.saturating_sub(MAX_PLIES_BACK)..=length).rev().find(is_cached);
        match start {
            None => {
                let cached = &mut self.by_length[length];
                cached.sums = ViewSums::of(position, network, kernel);
                cached.is_of(position.key_at(length));
            }
            Some(start) => {
                for at in start..length {
                    // Nothing is copied: that would take as long as the changes.
                    let [before, next] = &mut self.by_length[at..at + 2] else {
                        unreachable!("two entries")
                    };
                    next.sums.follow(&before.sums, position, at, network, kernel);
                    next.is_of(position.key_at(at + 1));
                }
            }
        }
        &mut self.by_length[length]
    }

    /// The output of the first layer for the position.
    #[inline]
    pub(super) fn hidden(
        &mut self,
        position: &Position,
        network: &Network,
        kernel: Kernel,
    ) -> &Hidden {
        let CachedSums { sums, hidden, .. } = self.cached(position, network, kernel);
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
        self.cached(position, network, kernel).sums
    }
}

impl Default for CachedSums {
    fn default() -> CachedSums {
        CachedSums { key: None, sums: ViewSums::EMPTY, hidden: None }
    }
}

impl CachedSums {
    /// Declares the sums those of the board with this key.
    #[inline]
    fn is_of(&mut self, key: u64) {
        self.key = Some(key);
        self.hidden = None;
    }
}
