//! Losses of a network on held-out positions.

use std::fmt;

use rayon::prelude::*;

use super::pass::{POLICY_SHARE, chance, evaluate};
use super::samples::{SampleKind, SampleSet, TrainingSample};
use super::weights::NetworkRows;
use tengen_rules::types::counted;

/// Positions of a parallel task.
const CHUNK: usize = 1_024;
/// First stones of the later phases of a game.
const PHASES: [u16; 3] = [10, 20, 40];
/// Bins of the calibration.
const BINS: usize = 10;

/// Losses over some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Losses {
    positions: u64,
    value: f64,
    squares: f64,
    choices: u64,
    policy: f64,
    /// By expected result: number of positions, sums of expected and of true results.
    bins: [(u64, f64, f64); BINS],
}

impl Losses {
    /// The losses over the positions with these numbers, equal for any number of threads.
    pub(super) fn of(rows: &NetworkRows, samples: &SampleSet, numbers: &[u32]) -> Losses {
        let parts: Vec<Losses> = numbers
            .par_chunks(CHUNK)
            .map(|numbers| {
                let mut losses = Losses::default();
                for &number in numbers {
                    losses.add(rows, samples, samples.get(number as usize));
                }
                losses
            })
            .collect();
        let mut all = Losses::default();
        parts.iter().for_each(|part| all.merge(part));
        all
    }

    fn add(&mut self, rows: &NetworkRows, samples: &SampleSet, sample: &TrainingSample) {
        let output = evaluate(rows, samples, sample);
        if let Some(loss) = output.value_loss {
            let (expected, truth) = (f64::from(chance(output.logit)), f64::from(sample.target));
            self.positions += 1;
            self.value += f64::from(loss);
            self.squares += (expected - truth).powi(2);
            let bin = &mut self.bins[((expected * BINS as f64) as usize).min(BINS - 1)];
            *bin = (bin.0 + 1, bin.1 + expected, bin.2 + truth);
        }
        if let Some(loss) = output.policy_loss {
            self.choices += 1;
            self.policy += f64::from(loss);
        }
    }

    fn merge(&mut self, other: &Losses) {
        self.positions += other.positions;
        self.value += other.value;
        self.squares += other.squares;
        self.choices += other.choices;
        self.policy += other.policy;
        for (bin, other) in self.bins.iter_mut().zip(&other.bins) {
            *bin = (bin.0 + other.0, bin.1 + other.1, bin.2 + other.2);
        }
    }

    /// Mean cross-entropy of the value.
    fn value(&self) -> f64 {
        self.value / self.positions.max(1) as f64
    }

    /// Root mean square error of the expected result.
    fn error(&self) -> f64 {
        (self.squares / self.positions.max(1) as f64).sqrt()
    }

    /// Mean cross-entropy of the best move.
    fn policy(&self) -> f64 {
        self.policy / self.choices.max(1) as f64
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.positions > 0 && self.choices > 0 { ", " } else { "" };
        if self.positions > 0 {
            write!(f, "value {:.5}, error {:.4}", self.value(), self.error())?;
        }
        f.write_str(separator)?;
        if self.choices > 0 {
            write!(f, "policy {:.4}", self.policy())?;
        }
        Ok(())
    }
}

/// The held-out positions by kind.
pub(super) struct HeldOutSamples {
    groups: Vec<(&'static str, Vec<u32>)>,
    /// The positions that decide which network is best.
    decisive: Vec<u32>,
}

impl HeldOutSamples {
    pub(super) fn of(samples: &SampleSet) -> HeldOutSamples {
        let select = |kind: SampleKind, proved: bool| {
            samples.select(|it| it.held_out && it.kind == kind && it.proved == proved)
        };
        let groups = [
            ("games", select(SampleKind::Game, false)),
            ("games, proved", select(SampleKind::Game, true)),
            ("trees", select(SampleKind::Tree, false)),
            ("trees, proved", select(SampleKind::Tree, true)),
            ("cutoffs", select(SampleKind::Cutoff, false)),
        ];
        // Positions from search trees, if there are any.
        let decisive = match &groups {
            [(_, games), _, (_, trees), ..] if trees.is_empty() => games.clone(),
            [_, _, (_, trees), ..] => trees.clone(),
        };
        let groups = groups.into_iter().filter(|(_, numbers)| !numbers.is_empty()).collect();
        HeldOutSamples { groups, decisive }
    }

    /// Whether there are no positions to compare networks.
    pub(super) fn is_empty(&self) -> bool {
        self.decisive.is_empty()
    }

    /// The loss by which networks are compared.
    pub(super) fn loss(&self, rows: &NetworkRows, samples: &SampleSet) -> f64 {
        let losses = Losses::of(rows, samples, &self.decisive);
        losses.value() + f64::from(POLICY_SHARE) * losses.policy()
    }

    /// The losses by kind in one line.
    pub(super) fn summary(&self, rows: &NetworkRows, samples: &SampleSet) -> String {
        let group = |(name, numbers): &(&str, Vec<u32>)| {
            format!("{name}: {}", Losses::of(rows, samples, numbers))
        };
        self.groups.iter().map(group).collect::<Vec<_>>().join("; ")
    }

    /// Losses by phase and the calibration, in several lines.
    pub(super) fn details(&self, rows: &NetworkRows, samples: &SampleSet) -> String {
        let mut text = String::new();
        let starts = [0].into_iter().chain(PHASES);
        let ends = PHASES.into_iter().chain([u16::MAX]);
        for (start, end) in starts.zip(ends) {
            let in_phase =
                |&&number: &&u32| (start..end).contains(&samples.get(number as usize).stones);
            let numbers: Vec<u32> = self.decisive.iter().filter(in_phase).copied().collect();
            if !numbers.is_empty() {
                let losses = Losses::of(rows, samples, &numbers);
                text += &format!(
                    "from {start} stones on: {}, {losses}\n",
                    counted(numbers.len(), "position")
                );
            }
        }
        let losses = Losses::of(rows, samples, &self.decisive);
        for (count, expected, truth) in losses.bins.iter().filter(|bin| bin.0 > 0) {
            let count = *count as f64;
            text += &format!(
                "expected {:.3}, found {:.3} in {count} positions\n",
                expected / count,
                truth / count
            );
        }
        text
    }
}
