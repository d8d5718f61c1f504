//! Search scores.

use std::fmt;
use std::ops::Neg;

/// Deepest ply a search can reach.
pub const MAX_PLY: usize = 256;

/// A number of plies in words: `1 ply`, `3 plies`.
pub fn plies(count: usize) -> String {
    counted(count, "ply")
}

/// A number with a noun: `1 game`, `3 games`, `3 replies`.
pub fn counted<N: fmt::Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    match (count == N::from(1), noun.strip_suffix('y')) {
        (true, _) => format!("{count} {noun}"),
        (false, Some(stem)) => format!("{count} {stem}ies"),
        (false, None) => format!("{count} {noun}s"),
    }
}

/// Rounds a rate to four decimal places; further digits are noise.
pub fn four_places(rate: f64) -> f64 {
    (rate * 10_000.0).round() / 10_000.0
}

/// A rate from 0 to 1, see [`Score::rounded_win_rate`], as a percentage: `65`, or `65.3` with one
/// of `decimals`. Only rates of 0 and 1 are shown as `0` and `100`.
pub fn percent(rate: f64, decimals: usize) -> String {
    if rate <= 0.0 || rate >= 1.0 {
        return format!("{:.decimals$}", 100.0 * rate.clamp(0.0, 1.0));
    }
    let least = 0.1_f64.powi(decimals as i32);
    format!("{:.decimals$}", (100.0 * rate).clamp(least, 100.0 - least))
}

/// Value of a position for the side to move. Integers only, so that a search is the same on
/// every machine. A win in `n` plies is `WIN - n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// An even position, and the value of a full board.
    pub const DRAW: Score = Score(0);
    /// A win at the current ply.
    pub const WIN: Score = Score(30_000);
    /// A bound below which no score lies.
    pub const MIN: Score = Score(-30_001);
    /// A bound above which no score lies.
    pub const MAX: Score = Score(30_001);
    /// Largest absolute value of an evaluation: everything beyond is a forced result.
    const EVALUATION_LIMIT: i32 = 20_000;
    /// Points per unit of the natural logarithm of the odds.
    const LOGIT: f64 = 200.0;
    /// Smallest absolute value of a forced result.
    const FORCED: i32 = Score::WIN.0 - 2 * MAX_PLY as i32;

    /// An evaluation, clamped away from the forced results.
    #[inline]
    pub fn evaluation(value: i32) -> Score {
        Score(value.clamp(-Score::EVALUATION_LIMIT, Score::EVALUATION_LIMIT))
    }

    /// The score with this value, which must be in range.
    #[inline]
    pub const fn raw(value: i32) -> Score {
        Score(value)
    }

    /// The side to move wins `plies` from the root.
    #[inline]
    pub const fn win_in(plies: usize) -> Score {
        Score(Score::WIN.0 - plies as i32)
    }

    /// The side to move loses `plies` from the root.
    #[inline]
    pub const fn loss_in(plies: usize) -> Score {
        Score(plies as i32 - Score::WIN.0)
    }

    /// The plain number.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether the side to move has a forced win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::FORCED
    }

    /// Whether the side to move has a forced loss.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::FORCED
    }

    /// Whether the result is forced, either way.
    #[inline]
    pub const fn is_forced(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Plies to the forced end, counted from the root; `None` when nothing is forced.
    pub const fn forced_plies(self) -> Option<usize> {
        if self.is_forced() { Some((Score::WIN.0 - self.0.abs()) as usize) } else { None }
    }

    /// Like [`Score::forced_plies`], negative for a loss.
    pub fn signed_plies(self) -> Option<i64> {
        let sign = if self.is_win() { 1 } else { -1 };
        self.forced_plies().map(|plies| sign * plies as i64)
    }

    /// Chance that the side to move wins, 0 to 1: the logistic curve that the networks are trained
    /// with (see `tengen train`), or 0 or 1 if the result is forced.
    pub fn win_rate(self) -> f64 {
        if self.is_forced() {
            f64::from(u8::from(self.is_win()))
        } else {
            1.0 / (1.0 + (-f64::from(self.0) / Score::LOGIT).exp())
        }
    }

    /// [`Score::win_rate`] rounded to four places for display and files. It is 0 or 1 only if the
    /// result is forced.
    pub fn rounded_win_rate(self) -> f64 {
        let rate = four_places(self.win_rate());
        if self.is_forced() { rate } else { rate.clamp(0.0001, 0.9999) }
    }

    /// The score changed by `delta`, clamped to the bounds.
    #[inline]
    pub fn plus(self, delta: i32) -> Score {
        Score((self.0 + delta).clamp(Score::MIN.0, Score::MAX.0))
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// Evaluations as numbers, forced results as `+M5` or `-M4` (plies to the end).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.forced_plies() {
            Some(plies) => write!(f, "{}M{plies}", if self.is_win() { '+' } else { '-' }),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundred_percent_is_for_forced_results() {
        let texts = |score: Score| {
            let rate = score.rounded_win_rate();
            [percent(rate, 0), percent(rate, 1)]
        };
        assert_eq!(texts(Score::win_in(5)), ["100", "100.0"]);
        assert_eq!(texts(Score::loss_in(4)), ["0", "0.0"]);
        assert_eq!(texts(Score::evaluation(i32::MAX)), ["99", "99.9"]);
        assert_eq!(texts(Score::evaluation(i32::MIN)), ["1", "0.1"]);
        assert_eq!(texts(Score::raw(1_200)), ["99", "99.8"]);
        assert_eq!(texts(Score::raw(123)), ["65", "64.9"]);
        assert_eq!(Score::evaluation(i32::MAX).rounded_win_rate(), 0.9999);
    }

    #[test]
    fn forced_results_differ_from_evaluations() {
        assert!(Score::win_in(MAX_PLY).is_win());
        assert!(Score::loss_in(MAX_PLY).is_loss());
        assert!(!Score::evaluation(i32::MAX).is_forced());
        assert_eq!(Score::win_in(5).to_string(), "+M5");
        assert_eq!(Score::loss_in(4).to_string(), "-M4");
        assert_eq!(-Score::win_in(3), Score::loss_in(3));
        assert_eq!((Score::win_in(5).signed_plies(), Score::DRAW.signed_plies()), (Some(5), None));
        assert_eq!(Score::loss_in(4).signed_plies(), Some(-4));
        assert_eq!(Score::MAX.plus(10), Score::MAX);
        assert_eq!((Score::win_in(3).win_rate(), Score::loss_in(3).win_rate()), (1.0, 0.0));
        assert_eq!(Score::DRAW.win_rate(), 0.5);
        assert!((Score::evaluation(200).win_rate() - 0.731).abs() < 0.001);
    }
}
