//! The gradient compared with finite differences, and the losses with the engine.

use std::ops::Range;

use super::super::super::data_file::DataFile;
use super::super::super::shard::{ShardHeader, ShardOrigin};
use super::super::super::training_game::tests::game;
use super::super::export;
use super::super::samples::HoldOut;
use super::super::weights::Weights;
use super::*;
use tengen::eval::Evaluator;
use tengen::eval::network::{self, LoadedNetwork, NetworkFile, Networks};
use tengen::movegen;
use tengen_rules::position::Position;
use tengen_rules::threat::static_result;
use tengen_rules::types::{BoardSize, Point, Rule, Symmetry};

const MOVES: &str = "7,7 8,8 6,8 8,6 8,7 6,7 9,7 10,7 5,9 4,10 7,9 6,9";

/// Rules and board sizes.
const CASES: [(Rule, &str); 3] =
    [(Rule::Standard, "15x15"), (Rule::Renju, "11x16"), (Rule::Freestyle, "20x20")];

fn moves() -> Vec<Point> {
    MOVES.split(' ').map(|word| word.parse().unwrap()).collect()
}

/// A game with a score for every position from the fourth stone on.
fn samples(rule: Rule, size: &str) -> SampleSet {
    samples_of(rule, size.parse().unwrap(), &moves())
}

/// The same for other moves.
fn samples_of(rule: Rule, size: BoardSize, moves: &[Point]) -> SampleSet {
    let moves: Vec<String> = moves.iter().map(Point::to_string).collect();
    let text = format!("white 4 {} | 10 -20 30 150 -300 80 -90 120 40", moves.join(" "));
    let header = ShardHeader { rule, size, first: 0, games: 1, origin: ShardOrigin::Files };
    let games = vec![(0, game(rule, size, &text))];
    let input = DataFile { header, games, faults: Vec::new() };
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
fn layers(rows: &NetworkRows) -> [(&'static str, Range<usize>); 13] {
    let start = rows.head(0);
    let table = |table| rows.code(0, table, 0)..rows.code(0, table, 0) + 3_060;
    [
        ("own codes of the value", table(RowTable::ValueOwn)),
        ("other codes of the value", table(RowTable::ValueOther)),
        ("own codes of the policy", table(RowTable::PolicyOwn)),
        ("other codes of the policy", table(RowTable::PolicyOther)),
        ("threats", start + head::THREATS..start + head::REGIONS),
        ("regions", start + head::REGIONS..start + head::REGIONS_BIAS),
        ("bias of the regions", start + head::REGIONS_BIAS..start + head::FIRST),
        ("first layer", start + head::FIRST..start + head::FIRST_REGIONS),
        ("first layer of the regions", start + head::FIRST_REGIONS..start + head::SECOND),
        ("second layer", start + head::SECOND..start + head::OUTPUT),
        ("output", start + head::OUTPUT..start + head::QUERY),
        ("query", start + head::QUERY..start + head::ONE_PLY),
        ("offsets and flanks", start + head::ONE_PLY..start + head::ROWS),
    ]
}

/// Multiplies the weights of the sums over regions. Those of a new network are too small for tests.
fn strengthen_regions(rows: &mut NetworkRows) {
    for side in 0..rows.sides() {
        let start = rows.head(side);
        let weights = &mut rows.vectors[start + head::FIRST_REGIONS..start + head::FIRST_BIAS];
        weights.as_flattened_mut().iter_mut().for_each(|weight| *weight *= 30.0);
    }
}

/// Random weights with strong regions.
fn random_rows(rule: Rule) -> NetworkRows {
    let sides = if rule == Rule::Renju { 2 } else { 1 };
    let mut rows = Weights::random(sides, 5).rows();
    strengthen_regions(&mut rows);
    rows
}

/// Random weights and the gradient of the loss over all samples.
fn rows_and_gradient(rule: Rule, samples: &SampleSet) -> (NetworkRows, NetworkRows) {
    let rows = random_rows(rule);
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
    for (rule, size) in CASES {
        let samples = samples(rule, size);
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
                compared >= enough && kinks <= compared / 3,
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
    for (rule, size) in CASES {
        let samples = samples(rule, size);
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

/// The embedded networks with the first layer's weights of the regions set to zero, and twice as
/// large.
#[test]
fn loss_matches_the_engine_network() {
    for rule in Rule::ALL {
        let mut without = NetworkFile::read(network::embedded(rule)).unwrap();
        let mut with = without.clone();
        let scale = |file: &mut NetworkFile, factor: i16| {
            let first = file.sides.iter_mut().map(|side| &mut side.head.regions.first);
            first.flat_map(|rows| rows.as_flattened_mut()).for_each(|it| *it *= factor);
        };
        scale(&mut without, 0);
        scale(&mut with, 2);
        for size in ["15x15", "20x20", "11x16"] {
            let plain = compare_losses(&without, rule, size);
            let found = compare_losses(&with, rule, size);
            let changes = plain.iter().zip(&found).map(|(one, other)| (one - other).abs());
            let large = changes.filter(|&change| change > 2.0 * SCORE_TOLERANCE).count();
            assert!(large >= 3, "{rule} {size}: {plain:?}, {found:?}");
        }
    }
}

/// Largest difference between scores of the trainer and of the engine, which computes in integers.
const SCORE_TOLERANCE: f32 = 25.0;

/// Compares the outputs with those of the engine in all positions of a game. Returns the scores.
fn compare_losses(file: &NetworkFile, rule: Rule, size: &str) -> Vec<f32> {
    let rows = export::rows(&file.sides);
    let mut networks = Networks::embedded();
    networks.insert(LoadedNetwork::from_bytes(&file.write(), rule).unwrap());
    let mut evaluator = Evaluator::with_networks(rule, &networks);
    let samples = samples(rule, size);
    let mut position = Position::new(size.parse().unwrap(), rule);
    let (mut compared, mut found) = (0, Vec::new());
    for (stones, point) in moves().into_iter().enumerate() {
        let at = samples.select(|sample| usize::from(sample.stones) == stones);
        if let Some(&at) = at.first() {
            let output = evaluate(&rows, &samples, samples.get(at as usize));
            let score = evaluator.value(&position).value() as f32;
            let expected = output.logit * 200.0;
            assert!((score - expected).abs() < SCORE_TOLERANCE, "{rule}: {score}, {expected}");
            found.push(score);
            if let Some(loss) = output.policy_loss {
                let found = policy_loss(&mut evaluator, &position, point);
                assert!((found - loss).abs() < 0.5, "{rule}: {found}, {loss}");
                compared += 1;
            }
        }
        position.play(point);
    }
    assert!(compared >= 4, "{rule}: {compared}");
    found
}

/// The policy loss of the engine's scores of the moves.
fn policy_loss(evaluator: &mut Evaluator, position: &Position, best: Point) -> f32 {
    let (mut points, mut scores) = (Vec::new(), Vec::new());
    movegen::generate(position, static_result(position), &mut points);
    evaluator.score_moves(position, position.last_stones(), &points, &mut scores);
    let best = points.iter().position(|&point| point == best).unwrap();
    let logits = scores.iter().map(|&score| score as f32 / 256.0);
    let sum: f32 = logits.clone().map(f32::exp).sum();
    sum.ln() - logits.clone().nth(best).unwrap()
}

#[test]
fn symmetric_positions_have_equal_losses() {
    for size in ["15", "16", "20", "11x16"] {
        let size: BoardSize = size.parse().unwrap();
        let rows = random_rows(Rule::Freestyle);
        let logits = |symmetry: Symmetry| {
            let moves: Vec<Point> =
                moves().into_iter().map(|point| symmetry.point(size, point)).collect();
            let samples = samples_of(Rule::Freestyle, size, &moves);
            let logit = |at| evaluate(&rows, &samples, samples.get(at)).logit;
            (0..samples.len()).map(logit).collect::<Vec<f32>>()
        };
        let expected = logits(Symmetry::of_size(size)[0]);
        for &symmetry in Symmetry::of_size(size) {
            let found = logits(symmetry);
            let is_equal = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
            assert_eq!(found.len(), expected.len());
            let is_same = found.iter().zip(&expected).all(is_equal);
            assert!(is_same, "{size}: {found:?}, expected {expected:?}");
        }
    }
}
