//! The value: a logistic regression of the result.

use super::adam::Adam;
use super::cells::{BATCH, CellModel, mean};
use super::positions::{Sample, Samples};
use super::table_of;
use crate::eval::classical::THREAT_ENTRIES;
use crate::pattern::PATTERN_CODES;

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

fn cross_entropy(target: f32, expected: f32) -> f32 {
    let expected = expected.clamp(1e-6, 1.0 - 1e-6);
    -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
}

/// Logistic regression of the result.
pub(super) struct Value {
    on_turn: CellModel,
    off_turn: CellModel,
    threats: Adam,
}

impl Value {
    pub(super) fn new(tables: usize, decay: f32) -> Value {
        Value {
            on_turn: CellModel::new(tables, decay),
            off_turn: CellModel::new(tables, decay),
            threats: Adam::new(tables * THREAT_ENTRIES),
        }
    }

    pub(super) fn on_turn(&self, table: usize, number: usize) -> f32 {
        self.on_turn.weight(table, number)
    }

    pub(super) fn off_turn(&self, table: usize, number: usize) -> f32 {
        self.off_turn.weight(table, number)
    }

    pub(super) fn threat(&self, table: usize, entry: usize) -> f32 {
        self.threats.weight(table * THREAT_ENTRIES + entry)
    }

    /// One pass over the trained part.
    pub(super) fn train(&mut self, samples: &Samples, rate: f32) {
        let size = self.on_turn.tables * PATTERN_CODES;
        let (mut on_turn_gradients, mut off_turn_gradients) = (vec![0.0; size], vec![0.0; size]);
        let (mut on_turn, mut off_turn) = (self.on_turn.weights(), self.off_turn.weights());
        let mut count = 0;
        for sample in samples.trained() {
            let error = sigmoid(self.logit(&on_turn, &off_turn, sample)) - sample.target;
            let [own, other, threat] = self.offsets(sample);
            sample.own.iter().for_each(|&n| on_turn_gradients[own + usize::from(n)] += error);
            sample.other.iter().for_each(|&n| off_turn_gradients[other + usize::from(n)] -= error);
            self.threats.add_gradient(threat, error);
            count += 1;
            if count == BATCH {
                self.on_turn.step(&mut on_turn_gradients, rate, count);
                self.off_turn.step(&mut off_turn_gradients, rate, count);
                self.threats.step(rate, count, |_| 1e-5);
                (on_turn, off_turn) = (self.on_turn.weights(), self.off_turn.weights());
                count = 0;
            }
        }
    }

    /// Mean cross-entropy over the held-out part.
    pub(super) fn loss(&self, samples: &Samples) -> f32 {
        let (on_turn, off_turn) = (self.on_turn.weights(), self.off_turn.weights());
        mean(samples.held_out().map(|sample| {
            cross_entropy(sample.target, sigmoid(self.logit(&on_turn, &off_turn, sample)))
        }))
    }

    fn offsets(&self, sample: &Sample) -> [usize; 3] {
        let own = table_of(self.on_turn.tables, sample.side);
        let other = table_of(self.on_turn.tables, sample.side.opponent());
        let threat = own * THREAT_ENTRIES + usize::from(sample.threat);
        [own * PATTERN_CODES, other * PATTERN_CODES, threat]
    }

    fn logit(&self, on_turn: &[f32], off_turn: &[f32], sample: &Sample) -> f32 {
        let [own, other, threat] = self.offsets(sample);
        let sum = |weights: &[f32], cells: &[u16], offset: usize| -> f32 {
            cells.iter().map(|&number| weights[offset + usize::from(number)]).sum()
        };
        sum(on_turn, &sample.own, own) - sum(off_turn, &sample.other, other)
            + self.threats.weight(threat)
    }
}
