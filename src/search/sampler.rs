//! Draws positions from inside the tree, for whoever learns from searches.
//!
//! Nearly all nodes of a tree are positions that no game would reach. Positions drawn from them
//! teach what the search asks about, where those of games teach what games contain.

use crate::random::Random;
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// Cutoffs in nodes nearer to the leaves than this (plies) are left out: what is found there is
/// shallow.
const LEAST_CUTOFF_DEPTH: i32 = 3;

/// A position of the tree and the move that caused a cutoff in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cutoff {
    /// The stones in the order in which they were placed.
    pub moves: Vec<Point>,
    /// The move that caused the cutoff.
    pub best: Point,
    /// Plies that the node was searched deep.
    pub depth: u32,
}

/// Keeps so many of all that it is offered, everything with the same chance (Vitter's
/// algorithm R).
struct Reservoir<T> {
    room: usize,
    offered: u64,
    drawn: Vec<T>,
}

impl<T> Reservoir<T> {
    fn new(room: usize) -> Reservoir<T> {
        Reservoir { room, offered: 0, drawn: Vec::new() }
    }

    /// Keeps what `make` makes, or not.
    fn offer(&mut self, random: &mut Random, make: impl FnOnce() -> T) {
        self.offered += 1;
        if self.drawn.len() < self.room {
            self.drawn.push(make());
        } else if self.room > 0 {
            let slot = random.below(self.offered) as usize;
            if let Some(slot) = self.drawn.get_mut(slot) {
                *slot = make();
            }
        }
    }
}

/// Draws from one or more searches; the same for the same searches and seed. The search itself
/// does not change.
pub struct TreeSampler {
    random: Random,
    evaluated: Reservoir<Vec<Point>>,
    cutoffs: Reservoir<Cutoff>,
}

impl TreeSampler {
    /// Draws so many of the positions whose static evaluation is asked for, and so many of the
    /// moves that cause cutoffs.
    pub fn new(evaluated: usize, cutoffs: usize, seed: u64) -> TreeSampler {
        TreeSampler {
            random: Random::new(seed),
            evaluated: Reservoir::new(evaluated),
            cutoffs: Reservoir::new(cutoffs),
        }
    }

    /// The positions drawn, each as its stones in the order in which they were placed, and the
    /// cutoffs drawn.
    pub fn into_drawn(self) -> (Vec<Vec<Point>>, Vec<Cutoff>) {
        (self.evaluated.drawn, self.cutoffs.drawn)
    }

    /// The static evaluation of this position is asked for.
    pub(super) fn evaluated(&mut self, position: &Position) {
        self.evaluated.offer(&mut self.random, || stones(position));
    }

    /// `best` caused a cutoff in a node searched `depth` plies deep.
    pub(super) fn cutoff(&mut self, position: &Position, best: Point, depth: i32) {
        if depth >= LEAST_CUTOFF_DEPTH {
            let cutoff = || Cutoff { moves: stones(position), best, depth: depth as u32 };
            self.cutoffs.offer(&mut self.random, cutoff);
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
    fn everything_is_drawn_with_the_same_chance() {
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
    fn nothing_is_drawn_where_nothing_is_wanted() {
        let mut random = Random::new(5);
        let mut reservoir = Reservoir::new(0);
        (0..9).for_each(|number| reservoir.offer(&mut random, || number));
        assert!(reservoir.drawn.is_empty());
    }
}
