//! Gradient descent with adaptive rates (Kingma, Ba: Adam, 2015), one weight at a time.

/// A vector of weights with its running moments.
pub(super) struct Adam {
    weights: Vec<f32>,
    gradients: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;

impl Adam {
    pub(super) fn new(size: usize) -> Adam {
        Adam {
            weights: vec![0.0; size],
            gradients: vec![0.0; size],
            means: vec![0.0; size],
            squares: vec![0.0; size],
            steps: 0,
        }
    }

    #[inline]
    pub(super) fn weight(&self, index: usize) -> f32 {
        self.weights[index]
    }

    #[inline]
    pub(super) fn add_gradient(&mut self, index: usize, gradient: f32) {
        self.gradients[index] += gradient;
    }

    /// Applies the gradients gathered from a batch of `count` samples; `decay(index)` pulls a
    /// weight towards zero.
    pub(super) fn step(&mut self, rate: f32, count: usize, decay: impl Fn(usize) -> f32) {
        self.steps += 1;
        let mean_bias = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_bias = 1.0 - SQUARE_DECAY.powi(self.steps);
        for index in 0..self.weights.len() {
            let gradient = self.gradients[index] / count as f32;
            self.gradients[index] = 0.0;
            let gradient = gradient + decay(index) * self.weights[index];
            let mean = &mut self.means[index];
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
            let square = &mut self.squares[index];
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
            if *square > 0.0 {
                let step = (*mean / mean_bias) / ((*square / square_bias).sqrt() + EPSILON);
                self.weights[index] -= rate * step;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_bottom_of_a_bowl() {
        let mut adam = Adam::new(2);
        for _ in 0..2_000 {
            for (index, target) in [3.0, -1.0].into_iter().enumerate() {
                adam.add_gradient(index, adam.weight(index) - target);
            }
            adam.step(0.01, 1, |_| 0.0);
        }
        assert!((adam.weight(0) - 3.0).abs() < 0.05 && (adam.weight(1) + 1.0).abs() < 0.05);
    }
}
