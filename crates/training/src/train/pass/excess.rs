//! What empty regions add to the sums over regions, and its gradient.
//!
//! The outputs of an empty region are not zero, and larger boards have more regions. The excess is the
//! sums of the regions of an empty board minus those of an empty 15x15 board, see `eval::network`. It
//! depends on the weights, so that it has a gradient.

use super::super::samples::BoardCells;
use super::super::weights::{NetworkRows, ZERO, head};
use super::regions::{RegionOutputs, RegionPass};
use super::{RowOffsets, backpropagate_cells, block_sums};

/// The intermediate results of the excess.
pub(super) struct ExcessPass<'a> {
    boards: [EmptyBoardPass<'a>; 2],
}

/// The intermediate results of an empty board.
struct EmptyBoardPass<'a> {
    cells: BoardCells<'a>,
    regions: RegionPass,
    /// The sign of its sums in the excess.
    sign: f32,
}

impl<'a> ExcessPass<'a> {
    /// Computes the excess of the first board over the second one, both empty.
    pub(super) fn of(
        rows: &NetworkRows,
        sides: RowOffsets,
        [board, reference]: [BoardCells<'a>; 2],
    ) -> ExcessPass<'a> {
        let pass = |cells, sign| EmptyBoardPass::of(rows, sides, cells, sign);
        ExcessPass { boards: [pass(board, 1.0), pass(reference, -1.0)] }
    }

    /// Subtracts the excess from the sums over regions of a position.
    pub(super) fn subtract_from(&self, sums: &mut RegionOutputs) {
        for board in &self.boards {
            for (sum, empty) in sums.iter_mut().zip(board.regions.sums) {
                *sum -= board.sign * empty;
            }
        }
    }

    /// Adds to `gradient`, from the gradient of the sums after the subtraction.
    pub(super) fn backpropagate(
        &self,
        rows: &NetworkRows,
        sides: RowOffsets,
        sum_slopes: &RegionOutputs,
        gradient: &mut NetworkRows,
    ) {
        for board in &self.boards {
            let slopes = sum_slopes.map(|slope| -board.sign * slope);
            board.backpropagate(rows, sides, &slopes, gradient);
        }
    }
}

impl<'a> EmptyBoardPass<'a> {
    fn of(
        rows: &NetworkRows,
        sides: RowOffsets,
        cells: BoardCells<'a>,
        sign: f32,
    ) -> EmptyBoardPass<'a> {
        let head = &rows.vectors[sides.head..sides.head + head::ROWS];
        let blocks = block_sums(rows, sides, cells);
        EmptyBoardPass { cells, regions: RegionPass::of(head, cells.shape, &blocks), sign }
    }

    fn backpropagate(
        &self,
        rows: &NetworkRows,
        sides: RowOffsets,
        sum_slopes: &RegionOutputs,
        gradient: &mut NetworkRows,
    ) {
        let part = sides.head..sides.head + head::ROWS;
        let mut block_slopes = vec![[ZERO; 2]; self.cells.shape.blocks()];
        let slopes = &mut gradient.vectors[part.clone()];
        self.regions.backpropagate(&rows.vectors[part], sum_slopes, slopes, &mut block_slopes);
        backpropagate_cells(rows, sides, self.cells.groups, &block_slopes, gradient);
    }
}
