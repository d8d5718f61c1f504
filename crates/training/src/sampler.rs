//! Samples training positions from the trees of searches.
//!
//! Nearly all nodes of a tree are positions that no game reaches. Samples from the tree train the
//! network on the positions that a search evaluates; positions of games do not cover these.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen::random::Random;
use tengen::search::TreeObserver;
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// Minimum depth of a node in plies for its cutoff to be sampled. Cutoffs near the leaves rest on
/// shallow searches.
const MIN_CUTOFF_DEPTH: i32 = 3;

/// A position of the tree and the move that caused a cutoff in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cutoff {
    /// The stones in the order in which they were placed.
    pub(crate) moves: Vec<Point>,
    /// The move that caused the cutoff.
    pub(crate) best: Point,
    /// Search depth of the node in plies.
    pub(crate) depth: u32,
}

/// Keeps `capacity` of the offered items, each with the same probability (Vitter's algorithm R).
struct Reservoir<T> {
    capacity: usize,
    offered: u64,
    drawn: Vec<T>,
}

impl<T> Reservoir<T> {
    fn new(capacity: usize) -> Reservoir<T> {
        Reservoir { capacity, offered: 0, drawn: Vec::new() }
    }

    /// Offers an item; `make` is called only if the item is kept.
    fn offer(&mut self, random: &mut Random, make: impl FnOnce() -> T) {
        self.offered += 1;
        if self.drawn.len() < self.capacity {
            self.drawn.push(make());
        } else if self.capacity > 0 {
            let slot = random.below(self.offered) as usize;
            if let Some(slot) = self.drawn.get_mut(slot) {
                *slot = make();
            }
        }
    }
}

/// Samples one or more searches; the same searches and seed give the same samples. Sampling does not
/// affect the searches.
///
/// Clones share the samples: one clone goes to the engine, another one collects them afterwards.
#[derive(Clone)]
pub(crate) struct TreeSampler(Arc<Mutex<Samples>>);

struct Samples {
    random: Random,
    evaluated: Reservoir<Vec<Point>>,
    cutoffs: Reservoir<Cutoff>,
}

impl TreeSampler {
    /// Samples up to `evaluated` statically evaluated positions and up to `cutoffs` cutoffs.
    pub(crate) fn new(evaluated: usize, cutoffs: usize, seed: u64) -> TreeSampler {
        TreeSampler(Arc::new(Mutex::new(Samples {
            random: Random::new(seed),
            evaluated: Reservoir::new(evaluated),
            cutoffs: Reservoir::new(cutoffs),
        })))
    }

    /// Takes the samples: the evaluated positions, each as its stones in the order in which they
    /// were placed, and the cutoffs.
    pub(crate) fn take(&self) -> (Vec<Vec<Point>>, Vec<Cutoff>) {
        let mut samples = self.samples();
        let Samples { evaluated, cutoffs, .. } = &mut *samples;
        (std::mem::take(&mut evaluated.drawn), std::mem::take(&mut cutoffs.drawn))
    }

    fn samples(&self) -> MutexGuard<'_, Samples> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TreeObserver for TreeSampler {
    fn on_evaluation(&mut self, position: &Position) {
        let mut samples = self.samples();
        let Samples { random, evaluated, .. } = &mut *samples;
        evaluated.offer(random, || stones(position));
    }

    fn on_cutoff(&mut self, position: &Position, best: Point, depth: i32) {
        if depth >= MIN_CUTOFF_DEPTH {
            let cutoff = || Cutoff { moves: stones(position), best, depth: depth as u32 };
            let mut samples = self.samples();
            let Samples { random, cutoffs, .. } = &mut *samples;
            cutoffs.offer(random, cutoff);
        }
    }
}

fn stones(position: &Position) -> Vec<Point> {
    position.board().moves().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reservoir_keeps_every_item_with_equal_probability() {
        let mut hits = [0u32; 50];
        let mut random = Random::new(5);
        for _ in 0..4_000 {
            let mut reservoir = Reservoir::new(5);
            (0..hits.len()).for_each(|number| reservoir.offer(&mut random, || number));
            assert_eq!(reservoir.drawn.len(), 5);
            reservoir.drawn.iter().for_each(|&number| hits[number] += 1);
        }
        // 400 each, with a standard deviation of 19.
        assert!(hits.iter().all(|hits| (320..480).contains(hits)), "{hits:?}");
    }

    #[test]
    fn reservoir_without_capacity_stays_empty() {
        let mut random = Random::new(5);
        let mut reservoir = Reservoir::new(0);
        (0..9).for_each(|number| reservoir.offer(&mut random, || number));
        assert!(reservoir.drawn.is_empty());
    }
}
