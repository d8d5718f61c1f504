//! The inputs of the first layer from a board, and their gradient.

use super::super::samples::{BoardCells, CellGroup};
use super::super::weights::{NetworkRows, Vector, WIDTH, ZERO, add, add_scaled};
use super::regions::{RegionPass, Views};
use super::{RowOffsets, clamped, gated};
use tengen::eval::network::{REGION_OUTPUTS, SUM_SCALE};

/// Inputs of the first layer: sums of both views over the board, the side to move first, and the
/// sums over regions.
pub(super) const FIRST_INPUTS: usize = 2 * WIDTH + REGION_OUTPUTS;

/// A number for each input of the first layer.
pub(super) type FirstInputs = [f32; FIRST_INPUTS];

/// The intermediate results of a board.
pub(super) struct BoardPass<'a> {
    cells: BoardCells<'a>,
    regions: RegionPass,
    pub(super) inputs: FirstInputs,
}

impl<'a> BoardPass<'a> {
    pub(super) fn of(
        rows: &NetworkRows,
        sides: RowOffsets,
        cells: BoardCells<'a>,
    ) -> BoardPass<'a> {
        let blocks = block_sums(rows, sides, cells);
        let regions = RegionPass::of(&rows.vectors[sides.head_rows()], cells.shape, &blocks);
        let mut inputs = [0.0; FIRST_INPUTS];
        let (board, further) = inputs.split_at_mut(2 * WIDTH);
        for views in blocks {
            board.iter_mut().zip(views.as_flattened()).for_each(|(sum, view)| *sum += view);
        }
        board.iter_mut().for_each(|sum| *sum /= SUM_SCALE);
        further.copy_from_slice(&regions.sums);
        BoardPass { cells, regions, inputs }
    }

    /// Adds to `gradient`, from the gradient of the inputs.
    pub(super) fn backpropagate(
        &self,
        rows: &NetworkRows,
        sides: RowOffsets,
        input_slopes: &FirstInputs,
        gradient: &mut NetworkRows,
    ) {
        let (board, sums) = input_slopes.split_at(2 * WIDTH);
        let mut views = [ZERO; 2];
        for (view, slope) in views.as_flattened_mut().iter_mut().zip(board) {
            *view = slope / SUM_SCALE;
        }
        let mut block_slopes = vec![views; self.cells.shape.blocks()];
        let sums = std::array::from_fn(|n| sums[n]);
        let head = sides.head_rows();
        let slopes = &mut gradient.vectors[head.clone()];
        self.regions.backpropagate(&rows.vectors[head], &sums, slopes, &mut block_slopes);
        backpropagate_cells(rows, sides, self.cells.groups, &block_slopes, gradient);
    }
}

/// The sums of the views of the empty cells of each block.
fn block_sums(rows: &NetworkRows, sides: RowOffsets, cells: BoardCells) -> Vec<Views> {
    let mut blocks = vec![[ZERO; 2]; cells.shape.blocks()];
    for cells in cells.groups.chunk_by(CellGroup::has_codes_of) {
        let views = sides.views(rows, &cells[0]).map(|view| clamped(&sum_of(rows, view)));
        for group in cells {
            for (sum, view) in blocks[usize::from(group.block)].iter_mut().zip(&views) {
                add_scaled(sum, f32::from(group.count), view);
            }
        }
    }
    blocks
}

/// The sum of two rows.
#[inline]
fn sum_of(rows: &NetworkRows, (one, other): (usize, usize)) -> Vector {
    let mut sum = rows.vectors[one];
    add(&mut sum, &rows.vectors[other]);
    sum
}

/// Adds the gradient of the tables to `gradient`, from the gradient of the views of each block.
fn backpropagate_cells(
    rows: &NetworkRows,
    sides: RowOffsets,
    cells: &[CellGroup],
    block_slopes: &[Views],
    gradient: &mut NetworkRows,
) {
    for cells in cells.chunk_by(CellGroup::has_codes_of) {
        let mut slopes = [ZERO; 2];
        for group in cells {
            for (slope, more) in slopes.iter_mut().zip(&block_slopes[usize::from(group.block)]) {
                add_scaled(slope, f32::from(group.count), more);
            }
        }
        for (slope, view) in slopes.iter().zip(sides.views(rows, &cells[0])) {
            let slope = gated(slope, &sum_of(rows, view));
            add(&mut gradient.vectors[view.0], &slope);
            add(&mut gradient.vectors[view.1], &slope);
        }
    }
}
