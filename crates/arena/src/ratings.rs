//! Ratings of several engines from their results against each other.
//!
//! The ratings maximize the likelihood of the results (Bradley and Terry 1952, a draw counts as half
//! a win), with one virtual draw of each engine against an average one, which keeps them finite. The
//! errors use the robust ("sandwich") covariance over pairs of games, since the two games of an
//! opening depend on each other.

use super::statistics::{NORMAL_95, PairCounts};

/// Elo of one unit of the logistic scale.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Virtual games of each engine against an average one.
const PRIOR_GAMES: f64 = 1.0;
/// Upper bound of the steps of Newton's method.
const STEPS: usize = 50;

/// A rating relative to the mean of all ratings, with half its 95 % interval, both in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Half the width of the interval.
    pub error: f64,
}

/// The ratings of `engines` engines from the pairs of games of each pairing, from the view of its
/// first engine.
pub fn ratings(engines: usize, results: &[([usize; 2], PairCounts)]) -> Vec<Rating> {
    let played: Vec<([usize; 2], f64, f64, f64)> = results
        .iter()
        .filter(|(_, pairs)| pairs.count() > 0)
        .map(|&(who, pairs)| {
            let (mean, variance) = pairs.moments();
            (who, pairs.count() as f64, mean, variance)
        })
        .collect();
    let mut strength = vec![0.0; engines];
    for _ in 0..STEPS {
        let (slope, curvature) = likelihood(&strength, &played);
        let Some(step) = solve(curvature, slope) else { break };
        // Bound the step: results such as 40 to 0 would overshoot.
        strength.iter_mut().zip(&step).for_each(|(value, step)| *value += step.clamp(-1.0, 1.0));
        if step.iter().all(|step| step.abs() < 1e-10) {
            break;
        }
    }
    let (_, curvature) = likelihood(&strength, &played);
    let covariance = covariance(&strength, &played);
    let mean = strength.iter().sum::<f64>() / engines as f64;
    (0..engines)
        .map(|engine| {
            // The gradient of this engine's distance from the mean.
            let share = 1.0 / engines as f64;
            let direction =
                (0..engines).map(|other| f64::from(u8::from(other == engine)) - share).collect();
            let weights = solve(curvature.clone(), direction).unwrap_or_default();
            let rows = covariance.iter().map(|row| dot(row, &weights)).collect::<Vec<_>>();
            let variance = dot(&weights, &rows).max(0.0);
            Rating {
                elo: ELO * (strength[engine] - mean),
                error: NORMAL_95 * ELO * variance.sqrt(),
            }
        })
        .collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The gradient of the log-likelihood, and its negated Hessian.
fn likelihood(
    strength: &[f64],
    played: &[([usize; 2], f64, f64, f64)],
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut slope = vec![0.0; strength.len()];
    let mut curvature = vec![vec![0.0; strength.len()]; strength.len()];
    for (engine, &value) in strength.iter().enumerate() {
        let expected = chance(value);
        slope[engine] += PRIOR_GAMES * (0.5 - expected);
        curvature[engine][engine] += PRIOR_GAMES * expected * (1.0 - expected);
    }
    for &([a, b], pairs, mean, _) in played {
        let expected = chance(strength[a] - strength[b]);
        let games = 2.0 * pairs;
        slope[a] += games * (mean - expected);
        slope[b] -= games * (mean - expected);
        add_between(&mut curvature, a, b, games * expected * (1.0 - expected));
    }
    (slope, curvature)
}

/// The covariance of the gradient.
fn covariance(strength: &[f64], played: &[([usize; 2], f64, f64, f64)]) -> Vec<Vec<f64>> {
    let mut covariance = vec![vec![0.0; strength.len()]; strength.len()];
    for &([a, b], pairs, _, variance) in played {
        let expected = chance(strength[a] - strength[b]);
        // A pair scores 0 to 2, `variance` is that of a score of 0 to 1. One more pair, of two
        // independent games, covers outcomes that were not seen.
        let unseen = 2.0 * expected * (1.0 - expected);
        let of_pair = (pairs * 4.0 * variance + unseen) / (pairs + 1.0);
        add_between(&mut covariance, a, b, pairs * of_pair);
    }
    covariance
}

/// Adds the weight of a result between `a` and `b`.
fn add_between(matrix: &mut [Vec<f64>], a: usize, b: usize, weight: f64) {
    matrix[a][a] += weight;
    matrix[b][b] += weight;
    matrix[a][b] -= weight;
    matrix[b][a] -= weight;
}

/// Solves `matrix * x = right` by elimination; `None` if there is no unique solution.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for column in 0..n {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..n {
            let factor = matrix[row][column] / matrix[column][column];
            let (above, below) = matrix.split_at_mut(row);
            let pivot = above[column].iter().skip(column);
            below[0].iter_mut().skip(column).zip(pivot).for_each(|(x, y)| *x -= factor * y);
            right[row] -= factor * right[column];
        }
    }
    for column in (0..n).rev() {
        let known: f64 = (column + 1..n).map(|other| matrix[column][other] * right[other]).sum();
        right[column] = (right[column] - known) / matrix[column][column];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_of_two_engines_equal_the_estimate_of_a_match() {
        let pairs = PairCounts([30, 100, 300, 200, 70]);
        let estimate = pairs.estimate().unwrap();
        let [first, second] = ratings(2, &[([0, 1], pairs)])[..] else { panic!() };
        assert!((first.elo + second.elo).abs() < 1e-6);
        assert!((first.elo - second.elo - estimate.elo).abs() < 0.5, "{first:?}");
        let half = (estimate.high - estimate.low) / 2.0;
        assert!((2.0 * first.error - half).abs() < 0.05 * half, "{first:?}, {half}");
    }

    #[test]
    fn differences_add_up() {
        // A score of 75 % is 191 Elo, and a score of 90 % is 382 Elo.
        let three_to_one = PairCounts([0, 0, 500, 0, 500]);
        let nine_to_one = PairCounts([0, 0, 200, 0, 800]);
        let results = [([0, 1], three_to_one), ([1, 2], three_to_one), ([0, 2], nine_to_one)];
        let table = ratings(3, &results);
        assert!((table[0].elo - table[1].elo - 191.0).abs() < 2.0, "{table:?}");
        assert!((table[1].elo - table[2].elo - 191.0).abs() < 2.0, "{table:?}");
    }

    #[test]
    fn ratings_are_finite_without_losses_or_games() {
        let table = ratings(3, &[([0, 1], PairCounts([0, 0, 0, 0, 20]))]);
        assert!(table.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(table[0].elo > 300.0 && table[0].elo > table[2].elo && table[2].elo > table[1].elo);
    }

    #[test]
    fn more_games_reduce_the_error() {
        let error = |n: u64| ratings(2, &[([0, 1], PairCounts([n, n, n, n, n]))])[0].error;
        assert!((error(10) / error(1000) - 10.0).abs() < 1.0);
    }
}
