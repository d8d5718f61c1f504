//! Forward pass and backpropagation of one position.
//!
//! The same sums and layers as in `eval::network`, in floating point. See there for their names.

mod board;
mod regions;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::samples::{Candidate, CellGroup, SampleKind, SampleSet, TrainingSample};
use super::weights::{NetworkRows, RowTable, Vector, WIDTH, ZERO, add, add_scaled, dot, head};
use board::{BoardPass, FIRST_INPUTS, FirstInputs};
use tengen::eval::network::has_more_space;

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

/// The intermediate results of the value.
struct ValuePass<'a> {
    board: BoardPass<'a>,
    /// An empty board of the same size and an empty 15x15 board: what the first adds to the inputs
    /// beyond the second is subtracted, see `eval::network`. It depends on the weights, so that it has
    /// a gradient. `None` on 15x15.
    empty: Option<[BoardPass<'a>; 2]>,
    /// Of the first layer.
    inputs: FirstInputs,
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

    /// The rows of the head.
    fn head_rows(self) -> Range<usize> {
        self.head..self.head + head::ROWS
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
        let head = &rows.vectors[sides.head_rows()];
        let pass = |cells| BoardPass::of(rows, sides, cells);
        let board = pass(samples.cells(sample));
        let empty = samples.empty_boards(sample).map(|boards| boards.map(pass));
        let mut inputs = board.inputs;
        if let Some([own, reference]) = &empty {
            for n in corrected_inputs(samples, sample) {
                inputs[n] -= own.inputs[n] - reference.inputs[n];
            }
        }
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
        ValuePass { board, empty, inputs, first, first_out, second, second_out, output }
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

/// The inputs of the first layer from which those of empty boards are subtracted: on smaller boards
/// those of the regions only, see `eval::network`.
fn corrected_inputs(samples: &SampleSet, sample: &TrainingSample) -> Range<usize> {
    let start = if has_more_space(samples.size(sample)) { 0 } else { 2 * WIDTH };
    start..FIRST_INPUTS
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
        let head = &rows.vectors[sides.head_rows()];
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
    let head = &rows.vectors[sides.head_rows()];

    // The output and the second layer.
    let mut first_slope = ZERO;
    if output.value_loss.is_some() {
        let slope = (chance(output.logit) - sample.target) * OUTPUT_LOGITS;
        let slopes = &mut gradient.vectors[sides.head_rows()];
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
    let slopes = &mut gradient.vectors[sides.head_rows()];
    add(&mut slopes[head::FIRST_BIAS], &first);
    add(&mut slopes[head::THREATS + usize::from(sample.threat)], &first);
    let mut input_slopes = [0.0; FIRST_INPUTS];
    for (n, (&input, slope)) in forward.inputs.iter().zip(&mut input_slopes).enumerate() {
        add_scaled(&mut slopes[head::FIRST + n], input, &first);
        *slope = dot(&head[head::FIRST + n], &first);
    }

    // The board.
    forward.board.backpropagate(rows, sides, &input_slopes, gradient);
    if let Some([own, reference]) = &forward.empty {
        input_slopes[..corrected_inputs(samples, sample).start].fill(0.0);
        own.backpropagate(rows, sides, &input_slopes.map(|slope| -slope), gradient);
        reference.backpropagate(rows, sides, &input_slopes, gradient);
    }
    output
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
    let head = &rows.vectors[sides.head_rows()];
    let slopes = &mut gradient.vectors[sides.head_rows()];
    add(&mut slopes[head::QUERY_BIAS], &query_slope);
    for (n, slope) in first_slope.iter_mut().enumerate() {
        add_scaled(&mut slopes[head::QUERY + n], forward.first_out[n], &query_slope);
        *slope += dot(&head[head::QUERY + n], &query_slope);
    }
}
