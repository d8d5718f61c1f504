//! Forward pass and backpropagation of one position.
//!
//! The same sums and layers as in `eval::network`, in floating point. See there for their names.

mod excess;
mod regions;
#[cfg(test)]
mod tests;

use super::samples::{BoardCells, Candidate, CellGroup, SampleKind, SampleSet, TrainingSample};
use super::weights::{NetworkRows, RowTable, Vector, WIDTH, ZERO, add, add_scaled, dot, head};
use excess::ExcessPass;
use regions::{RegionOutputs, RegionPass, Views};
use tengen::eval::network::{REGION_OUTPUTS, SUM_SCALE};

/// Logits in one unit of the output.
const OUTPUT_LOGITS: f32 = 4.0;
/// Weight of the policy loss relative to the value loss.
pub(super) const POLICY_SHARE: f32 = 0.1;
/// Smaller gradients of policy logits are ignored.
const MIN_SLOPE: f32 = 1e-5;

/// The output of the network for a position, with its losses.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkOutput {
    /// Logit of the expected result of the side to move.
    pub(super) logit: f32,
    /// Cross-entropy of the target; `None` if the position has no value.
    pub(super) value_loss: Option<f32>,
    /// Cross-entropy of the best move; `None` if it is unknown.
    pub(super) policy_loss: Option<f32>,
}

/// Inputs of the first layer: sums of both views over the board, the side to move first, and the
/// sums over regions.
const FIRST_INPUTS: usize = 2 * WIDTH + REGION_OUTPUTS;

/// The intermediate results of the value.
struct ValuePass<'a> {
    regions: RegionPass,
    /// `None` on 15x15.
    excess: Option<ExcessPass<'a>>,
    /// Of the first layer.
    inputs: [f32; FIRST_INPUTS],
    /// Before the clamp.
    first: Vector,
    first_out: Vector,
    /// Before the clamp.
    second: Vector,
    second_out: Vector,
    output: f32,
}

/// The intermediate results of the policy.
struct PolicyPass {
    query: Vector,
    /// Probability of every candidate.
    chances: Vec<f32>,
    best: usize,
    loss: f32,
}

/// The rows of the side to move and of its opponent.
#[derive(Clone, Copy)]
struct RowOffsets {
    own: usize,
    other: usize,
    head: usize,
}

impl RowOffsets {
    fn of(rows: &NetworkRows, sample: &TrainingSample) -> RowOffsets {
        let own = usize::from(sample.side) % rows.sides();
        RowOffsets { own, other: rows.sides() - 1 - own, head: rows.head(own) }
    }

    /// Rows of the own code and of the other code, for each viewer.
    #[inline]
    fn views(self, rows: &NetworkRows, cells: &CellGroup) -> [(usize, usize); 2] {
        let (own, other) = (usize::from(cells.own), usize::from(cells.other));
        let view = |side: usize, own: usize, other: usize| {
            (rows.code(side, RowTable::ValueOwn, own), rows.code(side, RowTable::ValueOther, other))
        };
        [view(self.own, own, other), view(self.other, other, own)]
    }

    /// The rows of a candidate.
    #[inline]
    fn candidate(self, rows: &NetworkRows, candidate: &Candidate) -> [usize; 8] {
        let [a, b, c, d] =
            candidate.flanks.map(|pair| self.head + head::FLANKS + usize::from(pair));
        [
            rows.code(self.own, RowTable::PolicyOwn, usize::from(candidate.own)),
            rows.code(self.own, RowTable::PolicyOther, usize::from(candidate.other)),
            a,
            b,
            c,
            d,
            self.head + head::ONE_PLY + usize::from(candidate.one_ply),
            self.head + head::TWO_PLIES + usize::from(candidate.two_plies),
        ]
    }
}

/// The numbers, clamped to 0..=1.
#[inline]
fn clamped(numbers: &Vector) -> Vector {
    numbers.map(|number| number.clamp(0.0, 1.0))
}

/// The gradient before a clamp.
#[inline]
fn gated<const N: usize>(slope: &[f32; N], before: &[f32; N]) -> [f32; N] {
    std::array::from_fn(|n| if before[n] > 0.0 && before[n] < 1.0 { slope[n] } else { 0.0 })
}

/// Cross-entropy of a logit against the true probability.
fn cross_entropy(truth: f32, logit: f32) -> f32 {
    logit.max(0.0) - logit * truth + (-logit.abs()).exp().ln_1p()
}

/// The probability of a logit.
pub(super) fn chance(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

impl<'a> ValuePass<'a> {
    fn of(
        rows: &NetworkRows,
        sides: RowOffsets,
        samples: &'a SampleSet,
        sample: &TrainingSample,
    ) -> ValuePass<'a> {
        let head = &rows.vectors[sides.head..sides.head + head::ROWS];
        let cells = samples.cells(sample);
        let blocks = block_sums(rows, sides, cells);
        let regions = RegionPass::of(head, cells.shape, &blocks);
        let excess = samples.empty_boards(sample).map(|it| ExcessPass::of(rows, sides, it));
        let mut sums = regions.sums;
        if let Some(excess) = &excess {
            excess.subtract_from(&mut sums);
        }
        let inputs = first_inputs(&blocks, &sums);
        let mut first = head[head::FIRST_BIAS];
        add(&mut first, &head[head::THREATS + usize::from(sample.threat)]);
        for (row, &input) in head[head::FIRST..].iter().zip(&inputs) {
            add_scaled(&mut first, input, row);
        }
        let first_out = clamped(&first);
        let mut second = head[head::SECOND_BIAS];
        for (row, &input) in head[head::SECOND..].iter().zip(&first_out) {
            add_scaled(&mut second, input, row);
        }
        let second_out = clamped(&second);
        let output = head[head::OUTPUT_BIAS][0] + dot(&head[head::OUTPUT], &second_out);
        ValuePass { regions, excess, inputs, first, first_out, second, second_out, output }
    }

    fn output_for(&self, sample: &TrainingSample, choice: Option<&PolicyPass>) -> NetworkOutput {
        let logit = self.output * OUTPUT_LOGITS;
        let has_value = sample.kind != SampleKind::Cutoff;
        NetworkOutput {
            logit,
            value_loss: has_value.then(|| cross_entropy(sample.target, logit)),
            policy_loss: choice.map(|choice| choice.loss),
        }
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

/// The inputs of the first layer.
fn first_inputs(blocks: &[Views], regions: &RegionOutputs) -> [f32; FIRST_INPUTS] {
    let mut inputs = [0.0; FIRST_INPUTS];
    let (board, further) = inputs.split_at_mut(2 * WIDTH);
    for views in blocks {
        board.iter_mut().zip(views.as_flattened()).for_each(|(sum, view)| *sum += view);
    }
    board.iter_mut().for_each(|sum| *sum /= SUM_SCALE);
    further.copy_from_slice(regions);
    inputs
}

impl PolicyPass {
    fn of(
        rows: &NetworkRows,
        sides: RowOffsets,
        samples: &SampleSet,
        sample: &TrainingSample,
        forward: &ValuePass,
    ) -> Option<PolicyPass> {
        let best = usize::from(sample.best?);
        let head = &rows.vectors[sides.head..sides.head + head::ROWS];
        let mut query = head[head::QUERY_BIAS];
        for (row, &input) in head[head::QUERY..].iter().zip(&forward.first_out) {
            add_scaled(&mut query, input, row);
        }
        let mut chances: Vec<f32> = samples
            .candidates(sample)
            .iter()
            .map(|candidate| dot(&query, &clamped(&view(rows, sides, candidate))))
            .collect();
        let highest = chances.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = chances.iter().map(|logit| (logit - highest).exp()).sum();
        let loss = sum.ln() + highest - chances[best];
        for logit in &mut chances {
            *logit = (*logit - highest).exp() / sum;
        }
        Some(PolicyPass { query, chances, best, loss })
    }
}

/// The view of a candidate before the clamp.
#[inline]
fn view(rows: &NetworkRows, sides: RowOffsets, candidate: &Candidate) -> Vector {
    let mut view = ZERO;
    for row in sides.candidate(rows, candidate) {
        add(&mut view, &rows.vectors[row]);
    }
    view
}

/// The output of the network for a position.
pub(super) fn evaluate(
    rows: &NetworkRows,
    samples: &SampleSet,
    sample: &TrainingSample,
) -> NetworkOutput {
    let sides = RowOffsets::of(rows, sample);
    let forward = ValuePass::of(rows, sides, samples, sample);
    let choice = PolicyPass::of(rows, sides, samples, sample, &forward);
    forward.output_for(sample, choice.as_ref())
}

/// [`evaluate`], which also adds the gradient of the loss to `gradient`.
pub(super) fn backpropagate(
    rows: &NetworkRows,
    samples: &SampleSet,
    sample: &TrainingSample,
    gradient: &mut NetworkRows,
) -> NetworkOutput {
    let sides = RowOffsets::of(rows, sample);
    let forward = ValuePass::of(rows, sides, samples, sample);
    let choice = PolicyPass::of(rows, sides, samples, sample, &forward);
    let output = forward.output_for(sample, choice.as_ref());
    let head = &rows.vectors[sides.head..sides.head + head::ROWS];

    // The output and the second layer.
    let mut first_slope = ZERO;
    if output.value_loss.is_some() {
        let slope = (chance(output.logit) - sample.target) * OUTPUT_LOGITS;
        let slopes = &mut gradient.vectors[sides.head..sides.head + head::ROWS];
        slopes[head::OUTPUT_BIAS][0] += slope;
        add_scaled(&mut slopes[head::OUTPUT], slope, &forward.second_out);
        let second = gated(&head[head::OUTPUT].map(|weight| weight * slope), &forward.second);
        add(&mut slopes[head::SECOND_BIAS], &second);
        for (n, slope) in first_slope.iter_mut().enumerate() {
            add_scaled(&mut slopes[head::SECOND + n], forward.first_out[n], &second);
            *slope = dot(&head[head::SECOND + n], &second);
        }
    }
    if let Some(choice) = choice {
        backpropagate_policy(
            rows,
            samples,
            sample,
            sides,
            &forward,
            &choice,
            &mut first_slope,
            gradient,
        );
    }

    // The first layer.
    let first = gated(&first_slope, &forward.first);
    let slopes = &mut gradient.vectors[sides.head..sides.head + head::ROWS];
    add(&mut slopes[head::FIRST_BIAS], &first);
    add(&mut slopes[head::THREATS + usize::from(sample.threat)], &first);
    let mut input_slopes = [0.0; FIRST_INPUTS];
    for (n, (&input, slope)) in forward.inputs.iter().zip(&mut input_slopes).enumerate() {
        add_scaled(&mut slopes[head::FIRST + n], input, &first);
        *slope = dot(&head[head::FIRST + n], &first);
    }

    // The views of every block.
    let (board, sums) = input_slopes.split_at(2 * WIDTH);
    let mut views = [ZERO; 2];
    for (view, slope) in views.as_flattened_mut().iter_mut().zip(board) {
        *view = slope / SUM_SCALE;
    }
    let sums = std::array::from_fn(|n| sums[n]);
    let cells = samples.cells(sample);
    let mut block_slopes = vec![views; cells.shape.blocks()];
    forward.regions.backpropagate(head, &sums, slopes, &mut block_slopes);
    backpropagate_cells(rows, sides, cells.groups, &block_slopes, gradient);
    if let Some(excess) = &forward.excess {
        excess.backpropagate(rows, sides, &sums, gradient);
    }
    output
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

/// Adds the gradient of the policy loss to `gradient`, and that of the output of the first layer to
/// `first_slope`.
#[allow(clippy::too_many_arguments)]
fn backpropagate_policy(
    rows: &NetworkRows,
    samples: &SampleSet,
    sample: &TrainingSample,
    sides: RowOffsets,
    forward: &ValuePass,
    choice: &PolicyPass,
    first_slope: &mut Vector,
    gradient: &mut NetworkRows,
) {
    let mut query_slope = ZERO;
    for (number, candidate) in samples.candidates(sample).iter().enumerate() {
        let wanted = if number == choice.best { 1.0 } else { 0.0 };
        let slope = POLICY_SHARE * (choice.chances[number] - wanted);
        if slope.abs() < MIN_SLOPE {
            continue;
        }
        let before = view(rows, sides, candidate);
        add_scaled(&mut query_slope, slope, &clamped(&before));
        let slope = gated(&choice.query.map(|weight| weight * slope), &before);
        for row in sides.candidate(rows, candidate) {
            add(&mut gradient.vectors[row], &slope);
        }
    }
    let head = &rows.vectors[sides.head..sides.head + head::ROWS];
    let slopes = &mut gradient.vectors[sides.head..sides.head + head::ROWS];
    add(&mut slopes[head::QUERY_BIAS], &query_slope);
    for (n, slope) in first_slope.iter_mut().enumerate() {
        add_scaled(&mut slopes[head::QUERY + n], forward.first_out[n], &query_slope);
        *slope += dot(&head[head::QUERY + n], &query_slope);
    }
}
