//! The gradient compared with finite differences, and the losses with the engine.

use std::ops::Range;

use super::super::super::text;
use super::super::export;
use super::super::samples::HoldOut;
use super::super::weights::Weights;
use super::*;
use tengen::eval::Evaluator;
use tengen::eval::network::{self, NetworkFile};
use tengen::movegen;
use tengen_rules::position::Position;
use tengen_rules::threat::static_result;
use tengen_rules::types::{Point, Rule};

const MOVES: &str = "7,7 8,8 6,8 8,6 8,7 6,7 9,7 10,7 5,9 4,10 7,9 6,9";

/// A game with a score for every position from the fourth stone on.
fn samples(rule: Rule) -> SampleSet {
    let scores = "10 -20 30 150 -300 80 -90 120 40";
    let text = format!("# rule={rule} size=15x15\nwhite 4 {MOVES} | {scores}\n");
    let input = text::read(&text).unwrap();
    assert_eq!(input.faults, Vec::<String>::new());
    let mut samples = SampleSet::default();
    samples.add(&input, 0.5, HoldOut::Share).unwrap();
    samples
}

fn loss(rows: &NetworkRows, samples: &SampleSet) -> f64 {
    let one = |at| {
        let output = evaluate(rows, samples, samples.get(at));
        let policy = output.policy_loss.unwrap_or(0.0);
        f64::from(output.value_loss.unwrap_or(0.0)) + f64::from(POLICY_SHARE * policy)
    };
    (0..samples.len()).map(one).sum()
}

/// The layers of the first side, as ranges of rows.
fn layers(rows: &NetworkRows) -> [(&'static str, Range<usize>); 10] {
    let start = rows.head(0);
    let table = |table| rows.code(0, table, 0)..rows.code(0, table, 0) + 3_060;
    [
        ("own codes of the value", table(RowTable::ValueOwn)),
        ("other codes of the value", table(RowTable::ValueOther)),
        ("own codes of the policy", table(RowTable::PolicyOwn)),
        ("other codes of the policy", table(RowTable::PolicyOther)),
        ("threats", start + head::THREATS..start + head::FIRST),
        ("first layer", start + head::FIRST..start + head::SECOND),
        ("second layer", start + head::SECOND..start + head::OUTPUT),
        ("output", start + head::OUTPUT..start + head::QUERY),
        ("query", start + head::QUERY..start + head::ONE_PLY),
        ("offsets and flanks", start + head::ONE_PLY..start + head::ROWS),
    ]
}

/// Random weights and the gradient of the loss over all samples.
fn rows_and_gradient(rule: Rule, samples: &SampleSet) -> (NetworkRows, NetworkRows) {
    let sides = if rule == Rule::Renju { 2 } else { 1 };
    let rows = Weights::random(sides, 5).rows();
    let mut gradient = NetworkRows::zero(rows.sides());
    for at in 0..samples.len() {
        backpropagate(&rows, samples, samples.get(at), &mut gradient);
    }
    (rows, gradient)
}

/// Compares with central differences of the loss, for at most 80 weights of each layer.
#[test]
fn gradient_equals_finite_differences() {
    const WEIGHTS: usize = 80;
    for rule in [Rule::Standard, Rule::Renju] {
        let samples = samples(rule);
        let (mut rows, gradient) = rows_and_gradient(rule, &samples);
        for (layer, part) in layers(&rows) {
            let slopes = gradient.vectors[part.clone()].as_flattened();
            let largest = slopes.iter().fold(0.0_f32, |most, slope| most.max(slope.abs()));
            // Smaller slopes are below the rounding error of the loss.
            let steep = |&n: &usize| slopes[n].abs() > largest / 20.0;
            let steep: Vec<usize> = (0..slopes.len()).filter(steep).collect();
            let flat: Vec<usize> = (0..slopes.len()).filter(|&n| slopes[n] == 0.0).collect();
            let mut differences = |n: usize, step: f32| {
                let mut at = |offset: f32| {
                    let weight = &mut rows.vectors[part.clone()].as_flattened_mut()[n];
                    let original = *weight;
                    *weight += offset;
                    let moved = f64::from(*weight - original);
                    let found = loss(&rows, &samples);
                    rows.vectors[part.clone()].as_flattened_mut()[n] = original;
                    (moved, found)
                };
                let ((back, below), (_, here), (forth, above)) = (at(-step), at(0.0), at(step));
                [(here - below) / -back, (above - below) / (forth - back), (above - here) / forth]
            };
            let (mut compared, mut kinks, mut is_bent) = (0, 0, false);
            for &n in steep.iter().step_by((steep.len() / WEIGHTS).max(1)) {
                let slope = f64::from(slopes[n]);
                let step = (5e-4 / slopes[n].abs()).min(0.02);
                // The smaller step helps if a clamp bends the loss within the larger one.
                let is_equal = [step, step / 8.0].iter().any(|&step| {
                    let [left, central, right] = differences(n, step);
                    is_bent = (left - right).abs() > 0.1 * slope.abs();
                    !is_bent && (central / slope - 1.0).abs() < 0.06
                });
                assert!(is_equal || is_bent, "{rule}, {layer}, weight {n}: not {slope}");
                compared += usize::from(is_equal);
                kinks += usize::from(!is_equal);
            }
            let enough = 50.min(steep.len() * 2 / 3);
            assert!(
                compared >= enough && kinks <= compared / 4,
                "{rule}, {layer}: {compared}, {kinks}"
            );
            let tolerance = f64::from(largest) / 50.0 + 1e-4;
            let bent = flat
                .iter()
                .step_by(flat.len().div_ceil(WEIGHTS).max(1))
                .filter(|&&n| differences(n, 0.01)[1].abs() > tolerance);
            let bent = bent.count();
            assert!(bent <= WEIGHTS / 10, "{rule}, {layer}: {bent} weights without a slope");
        }
    }
}

#[test]
fn gradient_of_a_layer_predicts_the_change_of_the_loss() {
    for rule in [Rule::Standard, Rule::Renju] {
        let samples = samples(rule);
        let (rows, gradient) = rows_and_gradient(rule, &samples);
        for (layer, part) in layers(&rows) {
            let slopes = gradient.vectors[part.clone()].as_flattened();
            let square: f32 = slopes.iter().map(|slope| slope * slope).sum();
            assert!(square > 0.0, "{rule}, {layer}: nothing is trained");
            // The expected change of the loss.
            let change = 2e-3;
            let step = change / square;
            let moved = |step: f32| {
                let mut rows = rows.clone();
                for at in part.clone() {
                    add_scaled(&mut rows.vectors[at], step, &gradient.vectors[at]);
                }
                loss(&rows, &samples)
            };
            let found = moved(step) - moved(-step);
            let wanted = 2.0 * f64::from(change);
            assert!((found / wanted - 1.0).abs() < 0.1, "{rule}, {layer}: {found}");
        }
    }
}

#[test]
fn loss_matches_the_engine_network() {
    for rule in Rule::ALL {
        let samples = samples(rule);
        let file = NetworkFile::read(network::embedded(rule)).unwrap();
        let rows = export::rows(&file);
        let mut evaluator = Evaluator::new(rule);
        let mut position = Position::new("15".parse().unwrap(), rule);
        let moves: Vec<Point> = MOVES.split(' ').map(|word| word.parse().unwrap()).collect();
        let mut compared = 0;
        for (stones, &point) in moves.iter().enumerate() {
            let at = samples.select(|sample| usize::from(sample.stones) == stones);
            if let Some(&at) = at.first() {
                let sample = samples.get(at as usize);
                let output = evaluate(&rows, &samples, sample);
                let score = evaluator.value(&position).value();
                let expected = output.logit * 200.0;
                assert!((score as f32 - expected).abs() < 60.0, "{rule}: {score}, {expected}");
                if let Some(loss) = output.policy_loss {
                    let (mut points, mut scores) = (Vec::new(), Vec::new());
                    movegen::generate(&position, static_result(&position), &mut points);
                    let last = position.last_stones();
                    evaluator.score_moves(&position, last, &points, &mut scores);
                    let best = points.iter().position(|&it| it == point).unwrap();
                    let logits = scores.iter().map(|&score| score as f32 / 256.0);
                    let sum: f32 = logits.clone().map(f32::exp).sum();
                    let found = sum.ln() - logits.clone().nth(best).unwrap();
                    assert!((found - loss).abs() < 0.5, "{rule}: {found}, {loss}");
                    compared += 1;
                }
            }
            position.play(point);
        }
        assert!(compared >= 4, "{rule}: {compared}");
    }
}
