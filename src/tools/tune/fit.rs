//! The two models and their gradients.

use super::adam::Adam;
use super::data::{Sample, Samples};
use super::table_of;
use crate::pattern::{COMBINATIONS, LinePattern, SHAPES, Shape, THREAT_ENTRIES, combinations};

/// Samples between two steps.
const BATCH: usize = 1_024;

/// A weight per combination, made of what its lines and its shape are worth and its own share.
struct CellModel {
    tables: usize,
    decay: f32,
    adam: Adam,
    parts: Vec<[usize; 5]>,
}

/// Weights of one table: one per combination, per line, per shape.
const TABLE: usize = COMBINATIONS + LinePattern::COUNT + SHAPES;

impl CellModel {
    fn new(tables: usize, decay: f32) -> CellModel {
        let parts = combinations()
            .map(|lines| {
                let line = |index: usize| COMBINATIONS + lines[index] as usize;
                let shape = Shape::combine(lines, false) as usize;
                [line(0), line(1), line(2), line(3), COMBINATIONS + LinePattern::COUNT + shape]
            })
            .collect();
        CellModel { tables, decay, adam: Adam::new(tables * TABLE), parts }
    }

    fn weight(&self, table: usize, number: usize) -> f32 {
        let shared: f32 =
            self.parts[number].iter().map(|&part| self.adam.weight(table * TABLE + part)).sum();
        shared + self.adam.weight(table * TABLE + number)
    }

    /// All weights, so that a batch looks each up once.
    fn weights(&self) -> Vec<f32> {
        (0..self.tables * COMBINATIONS)
            .map(|index| self.weight(index / COMBINATIONS, index % COMBINATIONS))
            .collect()
    }

    /// Hands the gradients by combination on to the parts and steps.
    fn step(&mut self, gradients: &mut [f32], rate: f32, count: usize) {
        for (index, gradient) in gradients.iter_mut().enumerate() {
            let gradient = std::mem::take(gradient);
            if gradient != 0.0 {
                let (table, number) = (index / COMBINATIONS, index % COMBINATIONS);
                self.adam.add_gradient(table * TABLE + number, gradient);
                for &part in &self.parts[number] {
                    self.adam.add_gradient(table * TABLE + part, gradient);
                }
            }
        }
        let decay = self.decay;
        let own_share = |index: usize| if index % TABLE < COMBINATIONS { decay } else { 0.0 };
        self.adam.step(rate, count, own_share);
    }
}

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

/// Softmax regression of the move played.
pub(super) struct Policy {
    attack: CellModel,
    defence: CellModel,
}

impl Policy {
    pub(super) fn new(tables: usize, decay: f32) -> Policy {
        Policy { attack: CellModel::new(tables, decay), defence: CellModel::new(tables, decay) }
    }

    pub(super) fn attack(&self, table: usize, number: usize) -> f32 {
        self.attack.weight(table, number)
    }

    pub(super) fn defence(&self, table: usize, number: usize) -> f32 {
        self.defence.weight(table, number)
    }

    /// One pass over the trained part.
    pub(super) fn train(&mut self, samples: &Samples, rate: f32) {
        let size = self.attack.tables * COMBINATIONS;
        let (mut attack_gradients, mut defence_gradients) = (vec![0.0; size], vec![0.0; size]);
        let (mut attack, mut defence) = (self.attack.weights(), self.defence.weights());
        let mut count = 0;
        for sample in samples.trained().filter(|sample| sample.moves.len() > 1) {
            let (own, other) = self.offsets(sample);
            let odds = softmax(&self.logits(&attack, &defence, sample));
            for (index, (&(a, d), odds)) in sample.moves.iter().zip(odds).enumerate() {
                let error = odds - if index == 0 { 1.0 } else { 0.0 };
                attack_gradients[own + usize::from(a)] += error;
                defence_gradients[other + usize::from(d)] += error;
            }
            count += 1;
            if count == BATCH {
                self.attack.step(&mut attack_gradients, rate, count);
                self.defence.step(&mut defence_gradients, rate, count);
                (attack, defence) = (self.attack.weights(), self.defence.weights());
                count = 0;
            }
        }
    }

    /// Mean cross-entropy over the held-out part.
    pub(super) fn loss(&self, samples: &Samples) -> f32 {
        self.judge(samples, |logits| -softmax(logits)[0].max(1e-9).ln())
    }

    /// How often the move played gets the highest odds in the held-out part.
    pub(super) fn accuracy(&self, samples: &Samples) -> f32 {
        self.judge(samples, |logits| {
            f32::from(u8::from(logits.iter().all(|&logit| logit <= logits[0])))
        })
    }

    fn judge(&self, samples: &Samples, measure: impl Fn(&[f32]) -> f32) -> f32 {
        let (attack, defence) = (self.attack.weights(), self.defence.weights());
        let choices = samples.held_out().filter(|sample| sample.moves.len() > 1);
        mean(choices.map(|sample| measure(&self.logits(&attack, &defence, sample))))
    }

    fn offsets(&self, sample: &Sample) -> (usize, usize) {
        let tables = self.attack.tables;
        let own = table_of(tables, sample.side) * COMBINATIONS;
        (own, table_of(tables, sample.side.opponent()) * COMBINATIONS)
    }

    fn logits(&self, attack: &[f32], defence: &[f32], sample: &Sample) -> Vec<f32> {
        let (own, other) = self.offsets(sample);
        let logit =
            |&(a, d): &(u16, u16)| attack[own + usize::from(a)] + defence[other + usize::from(d)];
        sample.moves.iter().map(logit).collect()
    }
}

fn softmax(logits: &[f32]) -> Vec<f32> {
    let highest = logits.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| (logit - highest).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

fn mean(values: impl Iterator<Item = f32>) -> f32 {
    let (sum, count) =
        values.fold((0.0f64, 0u32), |(sum, count), value| (sum + f64::from(value), count + 1));
    (sum / f64::from(count.max(1))) as f32
}
