//! The comparison of several engines, one line for each.

use std::fmt;
use std::time::Duration;

use super::query::MoveChoice;
use tengen_rules::types::counted;

/// Unit of differences of expected results.
const UNIT: f64 = 1e-4;

/// The results of one engine.
struct EngineRow {
    name: String,
    /// Mean expected result of its moves.
    mean: f64,
    /// Positions without a legal move.
    failures: usize,
    per_move: Duration,
    /// Differences to the first engine and to the previous one.
    differences: Vec<(String, MeanDifference)>,
}

/// The difference of the expected results of two engines over the same positions.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MeanDifference {
    mean: f64,
    /// Standard error of the mean.
    error: f64,
    /// Positions with different moves.
    others: usize,
}

/// The comparison of several engines.
pub(super) struct ChoicesReport {
    lines: Vec<EngineRow>,
}

impl ChoicesReport {
    /// The report of moves and their values, by engine and position.
    pub(super) fn new<'a>(
        names: impl Iterator<Item = &'a str>,
        answers: &[Vec<MoveChoice>],
        values: &[Vec<Option<f64>>],
    ) -> ChoicesReport {
        let names: Vec<&str> = names.collect();
        let line = |(number, name): (usize, &&str)| {
            let known: Vec<f64> = values[number].iter().copied().flatten().collect();
            let elapsed: Duration = answers[number].iter().map(|choice| choice.elapsed).sum();
            let mut others: Vec<usize> = [0, number.saturating_sub(1)].into();
            others.dedup();
            others.retain(|&other| other != number);
            let difference = |other: usize| {
                let difference = MeanDifference::between(
                    (&answers[number], &values[number]),
                    (&answers[other], &values[other]),
                );
                (names[other].to_string(), difference)
            };
            EngineRow {
                name: name.to_string(),
                mean: mean(&known),
                failures: answers[number].iter().filter(|choice| choice.point.is_none()).count(),
                per_move: elapsed / answers[number].len().max(1) as u32,
                differences: others.into_iter().map(difference).collect(),
            }
        };
        ChoicesReport { lines: names.iter().enumerate().map(line).collect() }
    }
}

impl MeanDifference {
    /// The difference over positions in which both gave a legal move.
    fn between(
        (choices, values): (&[MoveChoice], &[Option<f64>]),
        (other_choices, other_values): (&[MoveChoice], &[Option<f64>]),
    ) -> MeanDifference {
        let pairs = values.iter().zip(other_values);
        let gains: Vec<f64> =
            pairs.filter_map(|(value, other)| Some((*value)? - (*other)?)).collect();
        let mean = mean(&gains);
        let squares: Vec<f64> = gains.iter().map(|gain| (gain - mean).powi(2)).collect();
        let variance = self::mean(&squares);
        let both = choices.iter().zip(other_choices);
        let others = both.filter(|(choice, other)| choice.point != other.point).count();
        MeanDifference { mean, error: (variance / gains.len().max(1) as f64).sqrt(), others }
    }
}

/// The mean of values, 0 without values.
fn mean(values: &[f64]) -> f64 {
    // `sum` of no values is -0.
    values.iter().fold(0.0, |sum, value| sum + value) / values.len().max(1) as f64
}

impl fmt::Display for ChoicesReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            let ms = line.per_move.as_secs_f64() * 1000.0;
            write!(f, "{}: {:.4}, {ms:.0} ms a move", line.name, line.mean)?;
            for (other, difference) in &line.differences {
                let MeanDifference { mean, error, others } = difference;
                let (mean, error) = (mean / UNIT, error / UNIT);
                // No sign for a rounded zero.
                let mean = if mean.abs() < 0.5 { 0.0 } else { mean };
                write!(
                    f,
                    "; against {other}: {mean:+.0} +- {error:.0}, {}",
                    counted(*others, "other move")
                )?;
            }
            match line.failures {
                0 => writeln!(f)?,
                failures => writeln!(f, "; no legal move in {}", counted(failures, "position"))?,
            }
        }
        writeln!(f, "(differences in 1/10,000 of a game, +- one standard error)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Point;

    fn choice(x: u8) -> MoveChoice {
        MoveChoice { point: Some(Point::new(x, 0)), elapsed: Duration::from_millis(10) }
    }

    #[test]
    fn differences_are_paired_by_position() {
        let answers = [
            vec![choice(1), choice(2), choice(3), choice(4)],
            vec![choice(1), choice(5), choice(6), MoveChoice::default()],
        ];
        let values = [
            vec![Some(0.5), Some(0.4), Some(0.9), Some(0.3)],
            vec![Some(0.5), Some(0.5), Some(0.7), None],
        ];
        let report = ChoicesReport::new(["old", "new"].into_iter(), &answers, &values);
        let text = report.to_string();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("old: 0.5250, 10 ms a move"));
        // Gains of 0, 0.1 and -0.2: mean -1/30, variance 0.0155..., standard error 0.0719...
        let new = "new: 0.5667, 8 ms a move; against old: -333 +- 720, 3 other moves; \
                   no legal move in 1 position";
        assert_eq!(lines.next(), Some(new));
    }

    #[test]
    fn engine_without_legal_moves_has_zeros_without_sign() {
        let answers = [vec![choice(1)], vec![MoveChoice::default()]];
        let values = [vec![Some(0.5)], vec![None]];
        let text = ChoicesReport::new(["old", "new"].into_iter(), &answers, &values).to_string();
        let new = "new: 0.0000, 0 ms a move; against old: +0 +- 0, 1 other move; \
                   no legal move in 1 position";
        assert_eq!(text.lines().nth(1), Some(new));
    }
}
