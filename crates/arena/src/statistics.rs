//! Elo, likelihood of superiority and SPRT of two engines from pairs of games.
//!
//! The two games of an opening depend on each other (an opening that favours black gives one
//! win each), so all values are computed over pairs: the pentanomial model.

/// Two-sided 95 % quantile of the normal distribution.
pub(super) const NORMAL_95: f64 = 1.959_963_985;

/// A number with its sign and this number of decimal places; a rounded zero is positive.
pub(super) fn signed(value: f64, places: usize) -> String {
    let text = format!("{value:+.places$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|it| matches!(it, b'0' | b'.')) => format!("+{digits}"),
        _ => text,
    }
}

/// Count of an outcome that was never seen, which keeps its likelihood defined.
const UNSEEN: f64 = 1e-3;

/// Numbers of pairs that gave the first engine 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts(pub [u64; 5]);

/// An Elo difference with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// The difference at the measured score; infinite if one side won all games.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// Likelihood of superiority: the probability that the first engine is stronger.
    pub los: f64,
}

/// The Elo difference at which the expected score (0 to 1) is `score`.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score (0 to 1) at an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Distribution function of the normal distribution (Abramowitz and Stegun, 26.2.17; error
/// below 1e-7).
fn normal_cdf(x: f64) -> f64 {
    if x < 0.0 {
        return 1.0 - normal_cdf(-x);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * x);
    let tail = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530]
        .iter()
        .fold(0.0, |sum, factor| (sum + factor) * t);
    1.0 - tail * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

impl PairCounts {
    /// Adds a pair in which the first engine scored this number of half points, 0 to 4.
    ///
    /// # Panics
    /// When `half_points` is greater than 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and variance of a pair's score, each pair scoring 0 to 1.
    pub fn moments(&self) -> (f64, f64) {
        let count = self.count() as f64;
        let over = |value: &dyn Fn(f64) -> f64| -> f64 {
            let weighted = |(i, &n): (usize, &u64)| n as f64 * value(i as f64 / 4.0);
            self.0.iter().enumerate().map(weighted).sum::<f64>() / count
        };
        let mean = over(&|score| score);
        (mean, over(&|score| (score - mean).powi(2)))
    }

    /// The Elo difference, or `None` before the first pair.
    ///
    /// The interval is Wilson's, for the number of independent games that would have the variance of
    /// these pairs. Unlike the mean plus or minus two standard errors, it is meaningful after only a
    /// few pairs and if one side won all games. The likelihood of superiority belongs to the same test
    /// of equal engines: it is above 97.5 % if the interval lies above 0.
    pub fn estimate(&self) -> Option<EloEstimate> {
        let count = self.count() as f64;
        if count == 0.0 {
            return None;
        }
        let (mean, variance) = self.moments();
        let spread = mean * (1.0 - mean);
        // Few pairs may have less variance than their engines, or none. Two more pairs, each of two
        // independent games of equal engines, keep a better result from a lower estimate.
        let games = count * (count * spread + 0.5) / (count * variance + 0.25);
        let scale = 1.0 + NORMAL_95 * NORMAL_95 / games;
        let centre = (mean + NORMAL_95 * NORMAL_95 / (2.0 * games)) / scale;
        let half = NORMAL_95 / scale
            * (spread / games + NORMAL_95 * NORMAL_95 / (4.0 * games * games)).sqrt();
        let los = normal_cdf((mean - 0.5) * 2.0 * games.sqrt());
        // Rounding errors must not make an infinite end finite.
        let end = |score: f64| match score {
            _ if score < 1e-9 => f64::NEG_INFINITY,
            _ if score > 1.0 - 1e-9 => f64::INFINITY,
            _ => elo(score),
        };
        Some(EloEstimate { elo: elo(mean), low: end(centre - half), high: end(centre + half), los })
    }
}

/// A sequential probability ratio test between two Elo differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Difference under the null hypothesis.
    pub elo0: f64,
    /// Difference under the alternative, greater than `elo0`.
    pub elo1: f64,
    /// Probability of accepting the alternative if the difference is `elo0`.
    pub alpha: f64,
    /// Probability of accepting the null hypothesis if the difference is `elo1`.
    pub beta: f64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// The difference is `elo0` or less.
    H0,
    /// The difference is `elo1` or more.
    H1,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends (Wald 1945): H0 below, H1 above.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the pairs under `elo1` and `elo0`. Each likelihood is that of the
    /// best-fitting distribution with the expected score.
    pub fn log_likelihood_ratio(&self, pairs: &PairCounts) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let weights = pairs.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = weights.iter().sum();
        let observed = weights.map(|weight| weight / total);
        let (null, other) = (expected_score(self.elo0), expected_score(self.elo1));
        let (null, other) = (most_likely(&observed, null), most_likely(&observed, other));
        weights.iter().zip(null.iter().zip(&other)).map(|(w, (p0, p1))| w * (p1 / p0).ln()).sum()
    }

    /// The decision after these pairs.
    pub fn decide(&self, pairs: &PairCounts) -> SprtDecision {
        let ratio = self.log_likelihood_ratio(pairs);
        let (lower, upper) = self.bounds();
        if ratio <= lower {
            SprtDecision::H0
        } else if ratio >= upper {
            SprtDecision::H1
        } else {
            SprtDecision::Open
        }
    }
}

/// The distribution over pair scores with this mean under which `observed` is most likely.
///
/// With a Lagrange multiplier `m` it is `p_i / (1 + m (s_i - mean))`, where `m` is the zero of
/// `sum p_i (s_i - mean) / (1 + m (s_i - mean))`, a decreasing function between its poles
/// `-1 / (1 - mean)` and `1 / mean`.
fn most_likely(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    let distance = |i: usize| i as f64 / 4.0 - mean;
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // 100 bisections exhaust the precision of a float.
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        let slope: f64 =
            (0..5).map(|i| observed[i] * distance(i) / (1.0 + middle * distance(i))).sum();
        if slope > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let multiplier = (low + high) / 2.0;
    std::array::from_fn(|i| observed[i] / (1.0 + multiplier * distance(i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() < tolerance, "{value} is not {expected}");
    }

    #[test]
    fn rounded_zero_has_no_minus() {
        assert_eq!(signed(-0.04, 1), "+0.0");
        assert_eq!(signed(-0.3, 0), "+0");
        assert_eq!(signed(-0.06, 1), "-0.1");
        assert_eq!(signed(12.34, 1), "+12.3");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(elo(0.75), 190.848, 1e-3);
        close(elo(0.5), 0.0, 1e-9);
        close(expected_score(190.848), 0.75, 1e-6);
        for difference in [-700.0, -20.0, 0.0, 3.5, 400.0] {
            close(elo(expected_score(difference)), difference, 1e-9);
        }
    }

    #[test]
    fn normal_cdf_matches_known_values() {
        close(normal_cdf(0.0), 0.5, 1e-7);
        close(normal_cdf(1.959_963_985), 0.975, 1e-7);
        close(normal_cdf(-1.0), 0.158_655_254, 1e-7);
        close(normal_cdf(6.0), 1.0, 1e-7);
    }

    #[test]
    fn bounds_match_known_values() {
        let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        close(sprt.bounds().0, -2.944_439, 1e-6);
        close(sprt.bounds().1, 2.944_439, 1e-6);
    }

    /// Reference values from the tests of fastchess (logistic model).
    #[test]
    fn ratio_matches_published_values() {
        let sprt = |elo0, elo1| Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 };
        let first = PairCounts([223, 9863, 20279 + 1000, 10037, 246]);
        close(sprt(0.5, 2.5).log_likelihood_ratio(&first), -3.07, 0.02);
        assert_eq!(sprt(0.5, 2.5).decide(&first), SprtDecision::H0);
        let second = PairCounts([871, 26175, 55003 + 980, 26678, 821]);
        close(sprt(0.0, 2.0).log_likelihood_ratio(&second), -4.98, 0.02);
    }

    #[test]
    fn ratio_has_the_sign_of_the_evidence() {
        let sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
        assert_eq!(sprt.log_likelihood_ratio(&PairCounts::default()), 0.0);
        assert_eq!(sprt.decide(&PairCounts([0, 0, 9, 0, 0])), SprtDecision::Open);
        assert_eq!(sprt.decide(&PairCounts([10, 30, 100, 90, 60])), SprtDecision::H1);
        assert_eq!(sprt.decide(&PairCounts([60, 90, 100, 30, 10])), SprtDecision::H0);
        // Mirrored results under mirrored hypotheses give the negated ratio.
        let mirrored = Sprt { elo0: -20.0, elo1: 0.0, ..sprt };
        let ratio = sprt.log_likelihood_ratio(&PairCounts([1, 2, 3, 4, 5]));
        close(ratio, -mirrored.log_likelihood_ratio(&PairCounts([5, 4, 3, 2, 1])), 1e-9);
    }

    #[test]
    fn fitted_distributions_have_the_given_mean() {
        let fitted = most_likely(&[0.1, 0.2, 0.4, 0.2, 0.1], 0.6);
        close(fitted.iter().sum(), 1.0, 1e-9);
        close(fitted.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum(), 0.6, 1e-9);
    }

    #[test]
    fn estimates_match_known_values() {
        assert_eq!(PairCounts::default().estimate(), None);
        let even = PairCounts([10, 20, 40, 20, 10]).estimate().unwrap();
        close(even.elo, 0.0, 1e-9);
        close(even.low, -even.high, 1e-9);
        close(even.los, 0.5, 1e-7);
        // Pairs of independent coin flips: the interval of 400 independent games, whose
        // standard error is 1/40: Wilson's ends are 0.5 -+ 0.04876.
        let flips = PairCounts([50, 0, 100, 0, 50]).estimate().unwrap();
        close(flips.high, elo(0.548_766), 0.01);
        // Black won every game: the two engines are equal.
        let split = PairCounts([0, 0, 100, 0, 0]).estimate().unwrap();
        close(split.los, 0.5, 1e-7);
        let swept = PairCounts([0, 0, 0, 0, 20]).estimate().unwrap();
        assert!(swept.elo.is_infinite() && swept.high.is_infinite());
        for pairs in 1..200 {
            assert!(PairCounts([0, 0, 0, 0, pairs]).estimate().unwrap().high.is_infinite());
            assert!(PairCounts([pairs, 0, 0, 0, 0]).estimate().unwrap().low.is_infinite());
        }
        close(swept.low, elo(0.912_376), 0.01);
        assert!(swept.los > 0.999);
    }

    #[test]
    fn better_results_do_not_lower_estimates_of_few_pairs() {
        let codes =
            (0..9u64.pow(5)).map(|code| [1, 9, 81, 729, 6561].map(|place| code / place % 9));
        for counts in codes.filter(|counts| (1..=8).contains(&counts.iter().sum::<u64>())) {
            let worse = PairCounts(counts).estimate().unwrap();
            for points in (0..4).filter(|&points| counts[points] > 0) {
                let mut counts = counts;
                counts[points] -= 1;
                counts[points + 1] += 1;
                let better = PairCounts(counts).estimate().unwrap();
                // The last printed digit is 0.001.
                assert!(better.los > worse.los - 0.0005, "{counts:?}: {better:?}, {worse:?}");
                assert!(better.low >= worse.low && better.high >= worse.high, "{counts:?}");
            }
        }
        // The interval excludes 0 together with the likelihood.
        for (counts, is_clear) in [([0, 0, 0, 1, 1], false), ([0, 0, 0, 0, 2], true)] {
            let estimate = PairCounts(counts).estimate().unwrap();
            assert_eq!((estimate.low > 0.0, estimate.los > 0.975), (is_clear, is_clear));
        }
    }
}
