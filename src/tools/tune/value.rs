//! The value: a logistic regression of the result.

use super::adam::Adam;
use super::cells::{BATCH, CellModel, mean};
use super::positions::{Sample, Samples};
use super::table_of;
use crate::pattern::{COMBINATIONS, THREAT_ENTRIES};

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

fn cross_entropy(target: f32, expected: f32) -> f32 {
    let expected = expected.clamp(1e-6, 1.0 - 1e-6);
    -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
}

/// Logistic regression of the result.
pub(super) struct Value {
    moving: CellModel,
    waiting: CellModel,
    threats: Adam,
}

impl Value {
    pub(super) fn new(tables: usize, decay: f32) -> Value {
        Value {
            moving: CellModel::new(tables, decay),
            waiting: CellModel::new(tables, decay),
            threats: Adam::new(tables * THREAT_ENTRIES),
        }
    }

    pub(super) fn moving(&self, table: usize, number: usize) -> f32 {
        self.moving.weight(table, number)
    }

    pub(super) fn waiting(&self, table: usize, number: usize) -> f32 {
        self.waiting.weight(table, number)
    }

    pub(super) fn threat(&self, table: usize, entry: usize) -> f32 {
        self.threats.weight(table * THREAT_ENTRIES + entry)
    }

    /// One pass over the trained part.
    pub(super) fn train(&mut self, samples: &Samples, rate: f32) {
        let size = self.moving.tables * COMBINATIONS;
        let (mut moving_gradients, mut waiting_gradients) = (vec![0.0; size], vec![0.0; size]);
        let (mut moving, mut waiting) = (self.moving.weights(), self.waiting.weights());
        let mut count = 0;
        for sample in samples.trained() {
            let error = sigmoid(self.logit(&moving, &waiting, sample)) - sample.target;
            let [own, other, threat] = self.offsets(sample);
            sample.own.iter().for_each(|&n| moving_gradients[own + usize::from(n)] += error);
            sample.other.iter().for_each(|&n| waiting_gradients[other + usize::from(n)] -= error);
            self.threats.add_gradient(threat, error);
            count += 1;
            if count == BATCH {
                self.moving.step(&mut moving_gradients, rate, count);
                self.waiting.step(&mut waiting_gradients, rate, count);
                self.threats.step(rate, count, |_| 1e-5);
                (moving, waiting) = (self.moving.weights(), self.waiting.weights());
                count = 0;
            }
        }
    }

    /// Mean cross-entropy over the held-out part.
    pub(super) fn loss(&self, samples: &Samples) -> f32 {
        let (moving, waiting) = (self.moving.weights(), self.waiting.weights());
        mean(samples.held_out().map(|sample| {
            cross_entropy(sample.target, sigmoid(self.logit(&moving, &waiting, sample)))
        }))
    }

    fn offsets(&self, sample: &Sample) -> [usize; 3] {
        let own = table_of(self.moving.tables, sample.side);
        let other = table_of(self.moving.tables, sample.side.opponent());
        let threat = own * THREAT_ENTRIES + usize::from(sample.threat);
        [own * COMBINATIONS, other * COMBINATIONS, threat]
    }

    fn logit(&self, moving: &[f32], waiting: &[f32], sample: &Sample) -> f32 {
        let [own, other, threat] = self.offsets(sample);
        let sum = |weights: &[f32], cells: &[u16], offset: usize| -> f32 {
            cells.iter().map(|&number| weights[offset + usize::from(number)]).sum()
        };
        sum(moving, &sample.own, own) - sum(waiting, &sample.other, other)
            + self.threats.weight(threat)
    }
}
