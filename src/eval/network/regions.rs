//! Sums over regions of the board: further inputs of the first layer.
//!
//! A region is 2x2 neighbouring blocks, six cells square; its neighbours overlap it by half. The
//! views of its empty cells (half of their channels) are summed and pass through a small layer, the
//! same for every region. The outputs, clamped to 0..=1, are summed over all regions. Sums over the
//! whole board count the patterns; sums over regions also show which of them are near each other.
//!
//! The layer is linear before the clamp, so that the products of a region are the sum of those of
//! its four blocks. `sums` keeps the products of unchanged blocks.

use super::blocks::BLOCK_SIDE;
use super::head::{HIDDEN, Layer, SUM_SCALE, sums_fit};

/// The channels of a view that the regions read, its first ones.
pub const REGION_CHANNELS: usize = 16;
/// Inputs of the regions' layer: channels of both views.
pub const REGION_INPUTS: usize = 2 * REGION_CHANNELS;
/// Outputs of the regions' layer.
pub const REGION_OUTPUTS: usize = 16;
/// Cells with activation 1 that make an input of 1 of the regions' layer.
pub const REGION_SUM_SCALE: f32 = 8.0;
/// What the output 1 of one region adds to an input of the first layer.
pub const REGION_SHARE: f32 = REGION_SUM_SCALE / SUM_SCALE;
/// Side of the board with whose empty regions those of other boards are compared: the size of most
/// training positions.
pub const REFERENCE_SIDE: i64 = 15;
/// Fixed-point 1.0 of a bias of the regions' layer.
pub const REGION_BIAS_ONE: f32 = (REGION_ONE << REGION_SHIFT) as f32;

/// Fixed-point 1.0 of an input and of an output of the regions' layer.
pub(super) const REGION_ONE: i32 = 127 * REGION_SUM_SCALE as i32;
/// Right shift from products to outputs: weights have ten binary places.
pub(super) const REGION_SHIFT: u32 = 10;
/// The largest sum over the cells of a region.
const LARGEST_SUM: i32 = 4 * (BLOCK_SIDE * BLOCK_SIDE) as i32 * 127;

/// The weights of the regions in the order of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionWeights {
    /// By input, then by output.
    pub layer: [[i16; REGION_OUTPUTS]; REGION_INPUTS],
    /// By output.
    pub bias: [i32; REGION_OUTPUTS],
    /// Further rows of the first layer, by output of the regions, then by output.
    pub first: [[i16; HIDDEN]; REGION_OUTPUTS],
}

impl RegionWeights {
    /// Whether the sums of products fit 32 bits.
    pub(super) fn sums_fit(&self) -> bool {
        sums_fit(&self.layer, self.bias.map(|bias| i64::from(bias).abs()), LARGEST_SUM)
    }
}

/// The layer of the regions for one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionLayer {
    pub(super) layer: Layer<REGION_INPUTS, REGION_OUTPUTS>,
    pub(super) bias: [i32; REGION_OUTPUTS],
}

impl RegionLayer {
    /// Arranges the weights of a file.
    pub(super) fn new(weights: &RegionWeights) -> RegionLayer {
        RegionLayer { layer: Layer::new(&weights.layer), bias: weights.bias }
    }
}

/// An output of the layer, scaled and clamped to 0..=1.
#[inline(always)]
pub(super) fn region_output(sum: i32) -> i32 {
    (sum >> REGION_SHIFT).clamp(0, REGION_ONE)
}
