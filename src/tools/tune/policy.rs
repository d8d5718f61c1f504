//! The policy: a softmax regression of the move that caused a cutoff.

use super::adam::Adam;
use super::cells::{BATCH, CellModel, mean};
use super::choices::{Choice, Choices, Move};
use super::table_of;
use crate::pattern::{COMBINATIONS, DISPLACEMENTS, SHAPES};

/// Pairs of shapes.
const PAIRS: usize = SHAPES * SHAPES;
/// Pull of the weights of pairs and displacements towards zero.
const DECAY: f32 = 1e-5;

pub(super) struct Policy {
    attack: CellModel,
    defence: CellModel,
    pairs: Adam,
    replies: Adam,
    plans: Adam,
}

/// Where the weights of a mover start.
#[derive(Clone, Copy)]
struct Offsets {
    attack: usize,
    defence: usize,
    pairs: usize,
    near: usize,
}

impl Policy {
    pub(super) fn new(tables: usize, decay: f32) -> Policy {
        Policy {
            attack: CellModel::new(tables, decay),
            defence: CellModel::new(tables, decay),
            pairs: Adam::new(tables * PAIRS),
            replies: Adam::new(tables * DISPLACEMENTS),
            plans: Adam::new(tables * DISPLACEMENTS),
        }
    }

    pub(super) fn attack(&self, table: usize, number: usize) -> f32 {
        self.attack.weight(table, number)
    }

    pub(super) fn defence(&self, table: usize, number: usize) -> f32 {
        self.defence.weight(table, number)
    }

    pub(super) fn pair(&self, table: usize, number: usize) -> f32 {
        self.pairs.weight(table * PAIRS + number)
    }

    pub(super) fn reply(&self, table: usize, displacement: usize) -> f32 {
        self.replies.weight(table * DISPLACEMENTS + displacement)
    }

    pub(super) fn plan(&self, table: usize, displacement: usize) -> f32 {
        self.plans.weight(table * DISPLACEMENTS + displacement)
    }

    /// One pass over the trained part.
    pub(super) fn train(&mut self, choices: &Choices, rate: f32) {
        let size = self.attack.tables * COMBINATIONS;
        let (mut attack_gradients, mut defence_gradients) = (vec![0.0; size], vec![0.0; size]);
        let (mut attack, mut defence) = (self.attack.weights(), self.defence.weights());
        let mut count = 0;
        for choice in choices.trained() {
            let at = self.offsets(choice);
            let odds = softmax(&self.logits(&attack, &defence, choice));
            for (index, (point, odds)) in choice.moves.iter().zip(odds).enumerate() {
                let error = odds - if index == 0 { 1.0 } else { 0.0 };
                attack_gradients[at.attack + usize::from(point.own)] += error;
                defence_gradients[at.defence + usize::from(point.other)] += error;
                self.pairs.add_gradient(at.pairs + usize::from(point.pair), error);
                self.replies.add_gradient(at.near + usize::from(point.reply), error);
                self.plans.add_gradient(at.near + usize::from(point.plan), error);
            }
            count += 1;
            if count == BATCH {
                self.attack.step(&mut attack_gradients, rate, count);
                self.defence.step(&mut defence_gradients, rate, count);
                for weights in [&mut self.pairs, &mut self.replies, &mut self.plans] {
                    weights.step(rate, count, |_| DECAY);
                }
                (attack, defence) = (self.attack.weights(), self.defence.weights());
                count = 0;
            }
        }
    }

    /// Mean cross-entropy over the held-out part.
    pub(super) fn loss(&self, choices: &Choices) -> f32 {
        self.judge(choices, |logits| -softmax(logits)[0].max(1e-9).ln())
    }

    /// How often the refuting move gets the highest odds in the held-out part.
    pub(super) fn accuracy(&self, choices: &Choices) -> f32 {
        self.judge(choices, |logits| {
            f32::from(u8::from(logits.iter().all(|&logit| logit <= logits[0])))
        })
    }

    fn judge(&self, choices: &Choices, measure: impl Fn(&[f32]) -> f32) -> f32 {
        let (attack, defence) = (self.attack.weights(), self.defence.weights());
        mean(choices.held_out().map(|choice| measure(&self.logits(&attack, &defence, choice))))
    }

    fn offsets(&self, choice: &Choice) -> Offsets {
        let mover = table_of(self.attack.tables, choice.side);
        let opponent = table_of(self.attack.tables, choice.side.opponent());
        Offsets {
            attack: mover * COMBINATIONS,
            defence: opponent * COMBINATIONS,
            pairs: mover * PAIRS,
            near: mover * DISPLACEMENTS,
        }
    }

    fn logits(&self, attack: &[f32], defence: &[f32], choice: &Choice) -> Vec<f32> {
        let at = self.offsets(choice);
        let logit = |point: &Move| {
            attack[at.attack + usize::from(point.own)]
                + defence[at.defence + usize::from(point.other)]
                + self.pairs.weight(at.pairs + usize::from(point.pair))
                + self.replies.weight(at.near + usize::from(point.reply))
                + self.plans.weight(at.near + usize::from(point.plan))
        };
        choice.moves.iter().map(logit).collect()
    }
}

fn softmax(logits: &[f32]) -> Vec<f32> {
    let highest = logits.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| (logit - highest).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}
