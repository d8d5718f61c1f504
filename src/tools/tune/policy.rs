//! The policy: a softmax regression of the move that caused a cutoff.

use super::adam::Adam;
use super::cells::{BATCH, CellModel, mean};
use super::choices::{Choice, Choices, Move};
use super::table_of;
use crate::eval::classical::OFFSET_CLASSES;
use crate::pattern::{PATTERN_CODES, SHAPES};

/// Pairs of shapes.
const PAIRS: usize = SHAPES * SHAPES;
/// Pull of the weights of pairs and offset classes towards zero.
const DECAY: f32 = 1e-5;

pub(super) struct Policy {
    own: CellModel,
    opponent: CellModel,
    pairs: Adam,
    one_ply: Adam,
    two_plies: Adam,
}

/// Where the weights of a mover start.
#[derive(Clone, Copy)]
struct Offsets {
    own: usize,
    opponent: usize,
    pairs: usize,
    offset: usize,
}

impl Policy {
    pub(super) fn new(tables: usize, decay: f32) -> Policy {
        Policy {
            own: CellModel::new(tables, decay),
            opponent: CellModel::new(tables, decay),
            pairs: Adam::new(tables * PAIRS),
            one_ply: Adam::new(tables * OFFSET_CLASSES),
            two_plies: Adam::new(tables * OFFSET_CLASSES),
        }
    }

    pub(super) fn own(&self, table: usize, number: usize) -> f32 {
        self.own.weight(table, number)
    }

    pub(super) fn opponent(&self, table: usize, number: usize) -> f32 {
        self.opponent.weight(table, number)
    }

    pub(super) fn pair(&self, table: usize, number: usize) -> f32 {
        self.pairs.weight(table * PAIRS + number)
    }

    pub(super) fn one_ply(&self, table: usize, class: usize) -> f32 {
        self.one_ply.weight(table * OFFSET_CLASSES + class)
    }

    pub(super) fn two_plies(&self, table: usize, class: usize) -> f32 {
        self.two_plies.weight(table * OFFSET_CLASSES + class)
    }

    /// One pass over the trained part.
    pub(super) fn train(&mut self, choices: &Choices, rate: f32) {
        let size = self.own.tables * PATTERN_CODES;
        let (mut own_gradients, mut opponent_gradients) = (vec![0.0; size], vec![0.0; size]);
        let (mut own, mut opponent) = (self.own.weights(), self.opponent.weights());
        let mut count = 0;
        for choice in choices.trained() {
            let at = self.offsets(choice);
            let odds = softmax(&self.logits(&own, &opponent, choice));
            for (index, (point, odds)) in choice.moves.iter().zip(odds).enumerate() {
                let error = odds - if index == 0 { 1.0 } else { 0.0 };
                own_gradients[at.own + usize::from(point.own)] += error;
                opponent_gradients[at.opponent + usize::from(point.other)] += error;
                self.pairs.add_gradient(at.pairs + usize::from(point.pair), error);
                self.one_ply.add_gradient(at.offset + usize::from(point.one_ply), error);
                self.two_plies.add_gradient(at.offset + usize::from(point.two_plies), error);
            }
            count += 1;
            if count == BATCH {
                self.own.step(&mut own_gradients, rate, count);
                self.opponent.step(&mut opponent_gradients, rate, count);
                for weights in [&mut self.pairs, &mut self.one_ply, &mut self.two_plies] {
                    weights.step(rate, count, |_| DECAY);
                }
                (own, opponent) = (self.own.weights(), self.opponent.weights());
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
        let (own, opponent) = (self.own.weights(), self.opponent.weights());
        mean(choices.held_out().map(|choice| measure(&self.logits(&own, &opponent, choice))))
    }

    fn offsets(&self, choice: &Choice) -> Offsets {
        let mover = table_of(self.own.tables, choice.side);
        let opponent = table_of(self.own.tables, choice.side.opponent());
        Offsets {
            own: mover * PATTERN_CODES,
            opponent: opponent * PATTERN_CODES,
            pairs: mover * PAIRS,
            offset: mover * OFFSET_CLASSES,
        }
    }

    fn logits(&self, own: &[f32], opponent: &[f32], choice: &Choice) -> Vec<f32> {
        let at = self.offsets(choice);
        let logit = |point: &Move| {
            own[at.own + usize::from(point.own)]
                + opponent[at.opponent + usize::from(point.other)]
                + self.pairs.weight(at.pairs + usize::from(point.pair))
                + self.one_ply.weight(at.offset + usize::from(point.one_ply))
                + self.two_plies.weight(at.offset + usize::from(point.two_plies))
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
