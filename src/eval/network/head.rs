//! Computes the value of a board from its sums: two small layers in fixed point.

use super::CHANNELS;
use super::regions::{REGION_OUTPUTS, RegionLayer, RegionWeights};
use super::simd::Sums;
use super::threats::THREAT_ENTRIES;
use tengen_rules::types::{Color, Score};

/// Activations of a hidden layer.
pub const HIDDEN: usize = 32;
/// Channels of both views.
pub const INPUTS: usize = 2 * CHANNELS;
/// Inputs of the first layer: both views and the outputs of the regions.
const FIRST_INPUTS: usize = INPUTS + REGION_OUTPUTS;

/// Sums of views are in units of 1/127, summed outputs of regions in units of 1/1016. The first
/// layer reads both shifted by this, so that even those of a large board fit 16 bits.
const INPUT_SHIFT: u32 = 3;
/// The largest input, reached only on boards of more than 1,000 cells. A file whose sums of
/// products could overflow 32 bits is rejected, see [`HeadWeights::sums_fit`].
const INPUT_LIMIT: i32 = 16_000;
/// Fixed-point scale of the weights (represents 1.0).
pub const WEIGHT_ONE: f32 = 1024.0;
/// Fixed-point 1.0 of an input of the first layer: a sum of [`SUM_SCALE`] cells with activation 1.
pub const INPUT_ONE: f32 = 127.0 * SUM_SCALE / 8.0;
/// Cells with activation 1 that make an input of 1.
pub const SUM_SCALE: f32 = 32.0;
/// Fixed-point 1.0 of a hidden activation, also its maximum.
const HIDDEN_ONE: i32 = 4064;
/// Right shift from the first layer's products to activations.
const FIRST_SHIFT: u32 = 7;
/// Right shift from the second layer's products to activations.
const SECOND_SHIFT: u32 = 10;
/// Rows of threats are stored shifted right by this.
const THREAT_SHIFT: u32 = 6;
/// Fixed-point 1.0 of a bias of the first layer.
pub const FIRST_ONE: f32 = INPUT_ONE * WEIGHT_ONE;
/// Fixed-point 1.0 of a bias of the second layer and of the output.
pub const SECOND_ONE: f32 = HIDDEN_ONE as f32 * WEIGHT_ONE;
/// Fixed-point 1.0 in a row of threats.
pub const THREAT_ONE: f32 = FIRST_ONE / 64.0;
/// Score per unit of output: a unit is four natural logarithms of odds, 200 points each.
pub const OUTPUT_SCORE: i64 = 800;

/// Activations of a hidden layer, 0 to [`HIDDEN_ONE`].
pub type Hidden = [i16; HIDDEN];

/// Weights of one layer in the order of the inner loop: by pair of inputs, by output, by input of
/// the pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer<const FROM: usize, const TO: usize = HIDDEN> {
    pairs: Vec<[[i16; 2]; TO]>,
}

impl<const FROM: usize, const TO: usize> Layer<FROM, TO> {
    /// From weights by input, then by output.
    pub fn new(weights: &[[i16; TO]; FROM]) -> Layer<FROM, TO> {
        let pair = |two: &[[i16; TO]]| std::array::from_fn(|out| [two[0][out], two[1][out]]);
        Layer { pairs: weights.chunks_exact(2).map(pair).collect() }
    }

    #[inline]
    pub(super) fn pairs(&self) -> &[[[i16; 2]; TO]] {
        &self.pairs
    }
}

/// The weights of a head in the order of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadWeights {
    /// By threat entry.
    pub threats: Box<[[i16; HIDDEN]; THREAT_ENTRIES]>,
    /// By input, then by output.
    pub first: [[i16; HIDDEN]; INPUTS],
    /// By output.
    pub first_bias: [i32; HIDDEN],
    /// By input, then by output.
    pub second: [[i16; HIDDEN]; HIDDEN],
    /// By output.
    pub second_bias: [i32; HIDDEN],
    /// By input.
    pub output: [i16; HIDDEN],
    /// The bias of the output.
    pub output_bias: i32,
    /// The weights of the regions.
    pub regions: RegionWeights,
}

impl HeadWeights {
    /// Whether the sums of products of every layer fit 32 bits on every board.
    pub(super) fn sums_fit(&self) -> bool {
        let start = std::array::from_fn(|out| {
            let threats = self.threats.iter().map(|row| i64::from(row[out]).abs());
            let threat = threats.max().unwrap_or(0) << THREAT_SHIFT;
            i64::from(self.first_bias[out]).abs() + threat
        });
        sums_fit(&self.first_rows(), start, INPUT_LIMIT)
            && self.regions.sums_fit()
            && hidden_sums_fit(&self.second, self.second_bias)
            && hidden_sums_fit(&self.output.map(|weight| [weight]), [self.output_bias])
    }

    /// The weights of all inputs of the first layer.
    fn first_rows(&self) -> [[i16; HIDDEN]; FIRST_INPUTS] {
        let mut rows = [[0; HIDDEN]; FIRST_INPUTS];
        rows[..INPUTS].copy_from_slice(&self.first);
        rows[INPUTS..].copy_from_slice(&self.regions.first);
        rows
    }
}

/// Whether the sums of products of a layer that reads numbers between layers fit 32 bits.
pub(super) fn hidden_sums_fit<const TO: usize>(
    weights: &[[i16; TO]; HIDDEN],
    bias: [i32; TO],
) -> bool {
    sums_fit(weights, bias.map(|bias| i64::from(bias).abs()), HIDDEN_ONE)
}

/// Whether the sums of products of a layer fit 32 bits, for inputs and biases with absolute values
/// of at most `largest` and `start`.
pub(super) fn sums_fit<const FROM: usize, const TO: usize>(
    weights: &[[i16; TO]; FROM],
    start: [i64; TO],
    largest: i32,
) -> bool {
    start.into_iter().enumerate().all(|(out, start)| {
        let weights: i64 = weights.iter().map(|row| i64::from(row[out]).abs()).sum();
        start + weights * i64::from(largest) <= i64::from(i32::MAX)
    })
}

/// The two layers for one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    threats: Box<[[i16; HIDDEN]; THREAT_ENTRIES]>,
    regions: RegionLayer,
    first: Layer<FIRST_INPUTS>,
    first_bias: [i32; HIDDEN],
    second: Layer<HIDDEN>,
    second_bias: [i32; HIDDEN],
    output: [i16; HIDDEN],
    output_bias: i32,
}

impl Head {
    /// Arranges the weights of a file.
    pub fn new(weights: HeadWeights) -> Head {
        Head {
            regions: RegionLayer::new(&weights.regions),
            first: Layer::new(&weights.first_rows()),
            threats: weights.threats,
            first_bias: weights.first_bias,
            second: Layer::new(&weights.second),
            second_bias: weights.second_bias,
            output: weights.output,
            output_bias: weights.output_bias,
        }
    }

    /// The layer of the regions.
    pub(super) fn regions(&self) -> &RegionLayer {
        &self.regions
    }

    /// The output of the first layer with `side` to move, from the sums of the board and the summed
    /// outputs of the regions; `dense` computes a layer.
    // Always inlined: the caller decides for which processors this is compiled, see `simd`.
    #[inline(always)]
    pub(super) fn hidden(
        &self,
        sums: &Sums,
        regions: &[i32; REGION_OUTPUTS],
        side: Color,
        threat: usize,
        dense: impl Fn(&Layer<FIRST_INPUTS>, &[i32; HIDDEN], &[i16; FIRST_INPUTS]) -> [i32; HIDDEN],
    ) -> Hidden {
        let scale = |input: &mut [i16], sums: &[i32]| {
            for (input, &sum) in input.iter_mut().zip(sums) {
                *input = (sum >> INPUT_SHIFT).clamp(-INPUT_LIMIT, INPUT_LIMIT) as i16;
            }
        };
        let mut input = [0; FIRST_INPUTS];
        let (own, rest) = input.split_at_mut(CHANNELS);
        let (other, outputs) = rest.split_at_mut(CHANNELS);
        scale(own, &sums[side]);
        scale(other, &sums[side.opponent()]);
        scale(outputs, regions);
        let mut bias = self.first_bias;
        for (bias, &threat) in bias.iter_mut().zip(&self.threats[threat]) {
            *bias += i32::from(threat) << THREAT_SHIFT;
        }
        clamped(dense(&self.first, &bias, &input), FIRST_SHIFT)
    }

    /// The value for the side to move from the output `hidden` of the first layer; `dense` computes
    /// a layer.
    #[inline(always)]
    pub(super) fn value(
        &self,
        hidden: &Hidden,
        dense: impl Fn(&Layer<HIDDEN>, &[i32; HIDDEN], &Hidden) -> [i32; HIDDEN],
    ) -> Score {
        let hidden = clamped(dense(&self.second, &self.second_bias, hidden), SECOND_SHIFT);
        let output = hidden
            .iter()
            .zip(&self.output)
            .fold(self.output_bias, |sum, (&a, &b)| sum + i32::from(a) * i32::from(b));
        Score::evaluation((i64::from(output) * OUTPUT_SCORE / (SECOND_ONE as i64)) as i32)
    }
}

/// Scales and clamps sums of products to numbers between layers, 0 to 1.
#[inline(always)]
fn clamped(sums: [i32; HIDDEN], shift: u32) -> [i16; HIDDEN] {
    // A loop: `map` of so long an array is a call.
    let mut clamped = [0; HIDDEN];
    for (clamped, sum) in clamped.iter_mut().zip(sums) {
        *clamped = (sum >> shift).clamp(0, HIDDEN_ONE) as i16;
    }
    clamped
}
