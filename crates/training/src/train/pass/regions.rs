//! The sums over regions of the board and their gradient.
//!
//! A region is 2x2 neighbouring blocks of 3x3 cells, see `eval::network`. Views are summed once for
//! each block and gradients once for each cell, instead of once for each region that contains them.

use super::super::samples::BlockShape;
use super::super::weights::{Vector, ZERO, add_scaled, dot, head};
use super::gated;
use tengen::eval::network::{REGION_CHANNELS, REGION_OUTPUTS, REGION_SHARE, REGION_SUM_SCALE};

/// Numbers for both views, those of the side to move first.
pub(super) type Views = [Vector; 2];
/// A number for each output of the regions' layer.
pub(super) type RegionOutputs = [f32; REGION_OUTPUTS];

/// The intermediate results of the regions.
pub(super) struct RegionPass {
    regions: Vec<Region>,
    /// The outputs, clamped and summed over the board.
    pub(super) sums: RegionOutputs,
}

/// The intermediate results of a region.
struct Region {
    blocks: [usize; 4],
    /// The inputs of its layer: the channels that it reads of both views.
    input: Vector,
    /// Before the clamp.
    outputs: RegionOutputs,
}

impl RegionPass {
    /// Computes the sums from the rows of a head and the summed views of each block.
    pub(super) fn of(head: &[Vector], shape: BlockShape, blocks: &[Views]) -> RegionPass {
        let regions = regions_of(shape).map(|at| Region::of(head, at, blocks)).collect();
        let mut pass = RegionPass { regions, sums: [0.0; REGION_OUTPUTS] };
        for region in &pass.regions {
            for (sum, output) in pass.sums.iter_mut().zip(region.outputs) {
                *sum += REGION_SHARE * output.clamp(0.0, 1.0);
            }
        }
        pass
    }

    /// Adds to the gradients of the head's rows and of the blocks' views, from the gradient of the
    /// sums.
    pub(super) fn backpropagate(
        &self,
        head: &[Vector],
        sum_slopes: &RegionOutputs,
        slopes: &mut [Vector],
        block_slopes: &mut [Views],
    ) {
        let output_slopes = sum_slopes.map(|slope| slope * REGION_SHARE);
        for region in &self.regions {
            let input = region.backpropagate(head, &gated(&output_slopes, &region.outputs), slopes);
            for block in region.blocks {
                let views = block_slopes[block].iter_mut();
                for (sums, slopes) in views.zip(input.chunks_exact(REGION_CHANNELS)) {
                    for (sum, slope) in sums.iter_mut().zip(slopes) {
                        *sum += slope / REGION_SUM_SCALE;
                    }
                }
            }
        }
    }
}

impl Region {
    fn of(head: &[Vector], at: [usize; 4], blocks: &[Views]) -> Region {
        let mut input = ZERO;
        for block in at {
            for (sums, view) in input.chunks_exact_mut(REGION_CHANNELS).zip(&blocks[block]) {
                for (sum, number) in sums.iter_mut().zip(view) {
                    *sum += number / REGION_SUM_SCALE;
                }
            }
        }
        let bias = &head[head::REGIONS_BIAS];
        let outputs = std::array::from_fn(|n| bias[n] + dot(&head[head::REGIONS + n], &input));
        Region { blocks: at, input, outputs }
    }

    /// Adds to the gradient of the head's rows, from the gradient of the outputs before the clamp.
    /// Returns the gradient of the input.
    fn backpropagate(
        &self,
        head: &[Vector],
        output_slopes: &RegionOutputs,
        slopes: &mut [Vector],
    ) -> Vector {
        let mut input = ZERO;
        for (n, &slope) in output_slopes.iter().enumerate() {
            if slope == 0.0 {
                continue;
            }
            slopes[head::REGIONS_BIAS][n] += slope;
            add_scaled(&mut slopes[head::REGIONS + n], slope, &self.input);
            add_scaled(&mut input, slope, &head[head::REGIONS + n]);
        }
        input
    }
}

/// The blocks of each region of the board. It does not use the engine's code on purpose: tests compare
/// both.
fn regions_of(shape: BlockShape) -> impl Iterator<Item = [usize; 4]> {
    let BlockShape { columns, rows } = shape;
    (1..rows).flat_map(move |row| {
        (1..columns).map(move |column| {
            let last = row * columns + column;
            [last - columns - 1, last - columns, last - 1, last]
        })
    })
}
