//! The summed views of the empty cells of each block, updated lazily.

use super::blocks::BlockGrid;
use super::regions::{REGION_OUTPUTS, RegionLayer};
use super::simd::{Block, CodeChange, Kernel, NO_CELL, NO_SUMS, Product, Sums};
use super::{CACHED_PLIES, Network, REFERENCE_SIDE};
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, ByColor, Color, Rule};

/// How far back (plies) cached sums are looked for: beyond that, summing all cells again takes no
/// longer.
const MAX_PLIES_BACK: usize = 8;

/// Cells per call of [`Kernel::update`].
const BATCH: usize = 256;

/// The sums of a board and of its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoardSums {
    pub(super) total: Sums,
    blocks: Box<[Block]>,
}

impl BoardSums {
    /// The sums of a board without empty cells.
    fn none(grid: &BlockGrid) -> BoardSums {
        BoardSums { total: NO_SUMS, blocks: vec![Block::EMPTY; grid.len()].into_boxed_slice() }
    }

    /// Sums the views of all empty cells.
    pub(super) fn of(
        position: &Position,
        grid: &BlockGrid,
        network: &Network,
        kernel: Kernel,
    ) -> BoardSums {
        let mut sums = BoardSums::none(grid);
        let points: Vec<_> = position.board().empty_points().collect();
        let codes = |point| ByColor::from_fn(|color| position.code(point, color).index());
        for points in points.chunks(BATCH) {
            let cells = points.iter().map(|&point| CodeChange {
                block: grid.block(point),
                before: NO_CELL,
                after: codes(point),
            });
            kernel.update(&mut sums.blocks, &mut sums.total, network.tables(), cells);
        }
        sums
    }

    /// The outputs of `layer`, summed over all regions, with `side` to move.
    pub(super) fn outputs(
        &self,
        grid: &BlockGrid,
        layer: &RegionLayer,
        side: Color,
        kernel: Kernel,
    ) -> [i32; REGION_OUTPUTS] {
        let mut products = vec![Product::ZERO; grid.len()];
        let all: Vec<u8> = (0..grid.len() as u8).collect();
        kernel.multiply(layer, side, &self.blocks, &all, &mut products);
        kernel.sum_regions(&layer.bias, &products, grid.columns())
    }
}

/// What an empty board adds to the inputs of the first layer beyond what an empty 15x15 board adds.
/// The views and outputs of empty space are not zero: without this correction, a network that was
/// trained on 15x15 would be wrong on larger boards, which have more of it. On smaller boards, the
/// sums of views are those of a 15x15 board with more stones, and remain as they are.
pub(super) struct EmptyExcess {
    total: Sums,
    /// By the side to move.
    outputs: ByColor<[i32; REGION_OUTPUTS]>,
}

impl EmptyExcess {
    pub(super) fn of(
        size: BoardSize,
        rule: Rule,
        network: &Network,
        kernel: Kernel,
    ) -> EmptyExcess {
        let empty = |size: BoardSize| {
            let grid = BlockGrid::new(size);
            let sums = BoardSums::of(&Position::new(size, rule), &grid, network, kernel);
            let outputs = ByColor::from_fn(|side| {
                sums.outputs(&grid, network.side(side).head.regions(), side, kernel)
            });
            (sums.total, outputs)
        };
        let Ok(reference) = BoardSize::square(REFERENCE_SIDE) else { unreachable!("a valid size") };
        let ((total, outputs), (reference_total, reference_outputs)) =
            (empty(size), empty(reference));
        EmptyExcess {
            total: ByColor::from_fn(|viewer| match has_more_space(size) {
                true => less(total[viewer], &reference_total[viewer]),
                false => NO_SUMS[viewer],
            }),
            outputs: ByColor::from_fn(|side| less(outputs[side], &reference_outputs[side])),
        }
    }

    /// The inputs from the sums and the outputs of a board with `side` to move, without the excess.
    #[inline]
    pub(super) fn subtract(
        &self,
        total: &Sums,
        side: Color,
        outputs: [i32; REGION_OUTPUTS],
    ) -> (Sums, [i32; REGION_OUTPUTS]) {
        let total = ByColor::from_fn(|viewer| less(total[viewer], &self.total[viewer]));
        (total, less(outputs, &self.outputs[side]))
    }
}

/// Whether an empty board of this size adds to the sums of views more than an empty 15x15 board does.
pub fn has_more_space(size: BoardSize) -> bool {
    i64::from(size.width().min(size.height())) >= REFERENCE_SIDE
}

/// The differences of two lists.
#[inline]
fn less<const N: usize>(mut numbers: [i32; N], others: &[i32; N]) -> [i32; N] {
    for (number, other) in numbers.iter_mut().zip(others) {
        *number -= other;
    }
    numbers
}

/// Cached sums of the boards along a history. Most boards in a search are never evaluated (none of
/// those in a VCF search), so sums are computed on demand, from those of the last cached board that
/// is still part of the history. [`BoardSums::of`] is the slow twin.
pub(super) struct LazySums {
    grid: BlockGrid,
    excess: EmptyExcess,
    /// By the number of stones, modulo [`CACHED_PLIES`].
    entries: Box<[CachedSums]>,
    /// The version of the last change.
    version: u64,
    /// By the side to move.
    products: ByColor<CachedProducts>,
    /// The blocks to multiply; a field to keep its memory.
    outdated: Box<[u8]>,
}

/// Sums and the key of their board. They depend only on the board, not on the path of the search.
struct CachedSums {
    key: Option<u64>,
    sums: BoardSums,
    /// By block: equal versions have equal sums.
    versions: Box<[u64]>,
}

/// By block: its last product, and the version of the sums that it was computed from.
struct CachedProducts {
    products: Box<[Product]>,
    versions: Box<[u64]>,
}

impl LazySums {
    /// The sums in `kept`, replaced by new ones if they are for boards of another size than the
    /// position's.
    #[inline]
    pub(super) fn of_size<'a>(
        kept: &'a mut Option<LazySums>,
        position: &Position,
        network: &Network,
        kernel: Kernel,
    ) -> &'a mut LazySums {
        let size = position.board().size();
        kept.take_if(|it| it.grid.size() != size);
        kept.get_or_insert_with(|| {
            let excess = EmptyExcess::of(size, position.rule(), network, kernel);
            LazySums::new(size, excess)
        })
    }

    /// No sums yet, for boards of this size.
    fn new(size: BoardSize, excess: EmptyExcess) -> LazySums {
        let grid = BlockGrid::new(size);
        let versions = || vec![0; grid.len()].into_boxed_slice();
        let entry = || CachedSums { key: None, sums: BoardSums::none(&grid), versions: versions() };
        // No board has version 0 after its first update.
        let products = || CachedProducts {
            products: vec![Product::ZERO; grid.len()].into_boxed_slice(),
            versions: versions(),
        };
        LazySums {
            entries: (0..CACHED_PLIES).map(|_| entry()).collect(),
            version: 0,
            products: ByColor::new(products(), products()),
            outdated: vec![0; grid.len()].into_boxed_slice(),
            grid,
            excess,
        }
    }

    /// Computes the sums of the position. Returns the number of its entry.
    #[inline]
    fn update(&mut self, position: &Position, network: &Network, kernel: Kernel) -> usize {
        let length = position.board().history().len();
        let LazySums { grid, entries, version, .. } = self;
        let is_cached = |&at: &usize| entries[at % CACHED_PLIES].key == Some(position.key_at(at));
        let start = (length.saturating_sub(MAX_PLIES_BACK)..=length).rev().find(is_cached);
        match start {
            None => {
                *version += 1;
                let cached = &mut entries[length % CACHED_PLIES];
                cached.key = Some(position.key_at(length));
                cached.sums = BoardSums::of(position, grid, network, kernel);
                cached.versions.fill(*version);
            }
            Some(start) => {
                for at in start..length {
                    let pair = [at % CACHED_PLIES, (at + 1) % CACHED_PLIES];
                    let Ok([before, next]) = entries.get_disjoint_mut(pair) else {
                        unreachable!("two different entries")
                    };
                    *version += 1;
                    next.follow(before, *version, position, at, grid, network, kernel);
                }
            }
        }
        length % CACHED_PLIES
    }

    /// The sums of the position's board and the summed outputs of its regions with the side to move,
    /// without the excess of an empty board.
    #[inline]
    pub(super) fn of(
        &mut self,
        position: &Position,
        network: &Network,
        kernel: Kernel,
    ) -> (Sums, [i32; REGION_OUTPUTS]) {
        let entry = self.update(position, network, kernel);
        let side = position.side_to_move();
        let LazySums { grid, excess, entries, products, outdated, .. } = self;
        let CachedSums { sums, versions, .. } = &entries[entry];
        let layer = network.side(side).head.regions();
        let CachedProducts { products, versions: cached } = &mut products[side];
        // Without a branch: which blocks changed is hard to predict.
        let mut count = 0;
        for (number, (cached, &version)) in cached.iter_mut().zip(versions).enumerate() {
            outdated[count] = number as u8;
            count += usize::from(*cached != version);
            *cached = version;
        }
        kernel.multiply(layer, side, &sums.blocks, &outdated[..count], products);
        let outputs = kernel.sum_regions(&layer.bias, products, grid.columns());
        excess.subtract(&sums.total, side, outputs)
    }

    /// All sums of the position.
    #[cfg(test)]
    pub(super) fn sums(
        &mut self,
        position: &Position,
        network: &Network,
        kernel: Kernel,
    ) -> &BoardSums {
        let entry = self.update(position, network, kernel);
        &self.entries[entry].sums
    }
}

impl CachedSums {
    /// Makes these the sums that follow `before` by the changes of the stone after the first
    /// `length` stones of the history.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn follow(
        &mut self,
        before: &CachedSums,
        version: u64,
        position: &Position,
        length: usize,
        grid: &BlockGrid,
        network: &Network,
        kernel: Kernel,
    ) {
        let CachedSums { key, sums: BoardSums { total, blocks }, versions } = self;
        *key = Some(position.key_at(length + 1));
        *total = before.sums.total;
        blocks.copy_from_slice(&before.sums.blocks);
        versions.copy_from_slice(&before.versions);
        let cells = position.changes(length).iter().map(|cell| {
            let block = grid.block(cell.point());
            versions[block] = version;
            CodeChange {
                block,
                before: ByColor::from_fn(|color| cell.before(color).index()),
                after: ByColor::from_fn(|color| cell.after(color).index()),
            }
        });
        kernel.update(blocks, total, network.tables(), cells);
    }
}
