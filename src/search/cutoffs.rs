//! Moves that caused cutoffs, drawn from the tree: what move ordering learns from.
//!
//! Nearly all nodes of a tree are positions that no game would reach. Moves drawn from them teach
//! an order that fits the search, where the moves of games teach one that fits games.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::position::Position;
use crate::types::Point;

/// Nodes nearer to the leaves than this (plies) are left out: what is found there is shallow.
const LEAST_DEPTH: i32 = 3;

/// A position of the tree and the move that refuted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cutoff {
    /// The stones in the order in which they were placed.
    pub moves: Vec<Point>,
    /// The move that caused the cutoff.
    pub best: Point,
}

/// Draws cutoffs from a search.
pub struct CutoffSampler {
    share: f64,
    random: SmallRng,
    drawn: Vec<Cutoff>,
}

impl CutoffSampler {
    /// Draws one of `every` cutoffs on average; the same ones for the same search and `seed`.
    pub fn new(every: u32, seed: u64) -> CutoffSampler {
        let random = SmallRng::seed_from_u64(seed);
        CutoffSampler { share: 1.0 / f64::from(every.max(1)), random, drawn: Vec::new() }
    }

    /// What was drawn.
    pub fn into_drawn(self) -> Vec<Cutoff> {
        self.drawn
    }

    /// Takes note of a cutoff by `best` in a node of this depth, or not.
    pub(super) fn offer(&mut self, position: &Position, best: Point, depth: i32) {
        if depth >= LEAST_DEPTH && self.random.random_bool(self.share) {
            let moves = position.board().history().iter().map(|stone| stone.point).collect();
            self.drawn.push(Cutoff { moves, best });
        }
    }
}
