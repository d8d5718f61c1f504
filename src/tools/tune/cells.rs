//! The part that both models share: a weight per pattern code of lines.

use super::adam::Adam;
use crate::pattern::{LinePattern, PATTERN_CODES, SHAPES, Shape, lines_by_code};

/// Samples between two steps.
pub(super) const BATCH: usize = 1_024;

/// A weight per pattern code, made of what its lines and its shape are worth and its own share.
pub(super) struct CellModel {
    pub(super) tables: usize,
    decay: f32,
    adam: Adam,
    parts: Vec<[usize; 5]>,
}

/// Weights of one table: one per pattern code, per line, per shape.
const TABLE: usize = PATTERN_CODES + LinePattern::COUNT + SHAPES;

impl CellModel {
    pub(super) fn new(tables: usize, decay: f32) -> CellModel {
        let parts = lines_by_code()
            .map(|lines| {
                let line = |index: usize| PATTERN_CODES + lines[index] as usize;
                let shape = Shape::combine(lines, false) as usize;
                [line(0), line(1), line(2), line(3), PATTERN_CODES + LinePattern::COUNT + shape]
            })
            .collect();
        CellModel { tables, decay, adam: Adam::new(tables * TABLE), parts }
    }

    pub(super) fn weight(&self, table: usize, number: usize) -> f32 {
        let shared: f32 =
            self.parts[number].iter().map(|&part| self.adam.weight(table * TABLE + part)).sum();
        shared + self.adam.weight(table * TABLE + number)
    }

    /// All weights, so that a batch looks each up once.
    pub(super) fn weights(&self) -> Vec<f32> {
        (0..self.tables * PATTERN_CODES)
            .map(|index| self.weight(index / PATTERN_CODES, index % PATTERN_CODES))
            .collect()
    }

    /// Hands the gradients by pattern code on to the parts and steps.
    pub(super) fn step(&mut self, gradients: &mut [f32], rate: f32, count: usize) {
        for (index, gradient) in gradients.iter_mut().enumerate() {
            let gradient = std::mem::take(gradient);
            if gradient != 0.0 {
                let (table, number) = (index / PATTERN_CODES, index % PATTERN_CODES);
                self.adam.add_gradient(table * TABLE + number, gradient);
                for &part in &self.parts[number] {
                    self.adam.add_gradient(table * TABLE + part, gradient);
                }
            }
        }
        let decay = self.decay;
        let own_share = |index: usize| if index % TABLE < PATTERN_CODES { decay } else { 0.0 };
        self.adam.step(rate, count, own_share);
    }
}

pub(super) fn mean(values: impl Iterator<Item = f32>) -> f32 {
    let (sum, count) =
        values.fold((0.0f64, 0u32), |(sum, count), value| (sum + f64::from(value), count + 1));
    (sum / f64::from(count.max(1))) as f32
}
