//! What combinations of lines are worth to the evaluation and to move ordering.
//!
//! The numbers are fitted to games that Tengen played against itself and to trees that it
//! searched (`tengen tune`), and live in text files beside this one, one per kind of player: a
//! line of four numbers per combination (see [`super::combination`]), a line per combination of
//! threat classes (see `eval`), a line per pair of shapes, and a line of two numbers per
//! displacement (see [`super::displacement`]).

use std::sync::OnceLock;

use super::Shape;
use super::combination::COMBINATIONS;
use super::displacement::{DISPLACEMENTS, displacement_of_steps};
use super::shape::SHAPES;
use crate::types::{Color, GRID, Point, Rule};

/// Evaluation units per point of [`crate::types::Score`]: cell values are summed over the whole
/// board and need a finer grain.
pub const VALUE_GRAIN: i32 = 16;

/// Threat classes of one side: sixteen sets of shapes it can make.
pub const THREAT_CLASSES: usize = 16;

/// Entries of the threat table: whether a straight four must be answered, the classes of the
/// side to move, those of its opponent.
pub const THREAT_ENTRIES: usize = 2 * THREAT_CLASSES * THREAT_CLASSES;

/// The numbers of one kind of player.
pub struct Weights {
    /// By combination.
    pub cells: Vec<CellWeights>,
    /// By threat entry, for this player to move (evaluation units).
    pub threats: Vec<i16>,
    /// By pair of shapes, see [`Weights::pair_number`].
    pub pairs: Vec<i16>,
    /// By displacement.
    pub near: Vec<NearWeights>,
    /// By steps in the grid, from [`GRID`] less than none on.
    near_by_steps: Box<[NearWeights]>,
}

/// What a displacement from an earlier stone adds to a move (urgency).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NearWeights {
    /// From the opponent's last stone.
    pub reply: i16,
    /// From the mover's own last stone.
    pub plan: i16,
}

/// What one combination of lines at an empty cell is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellWeights {
    /// To the evaluation of the colour whose lines these are, when it is to move
    /// ([`VALUE_GRAIN`] per point).
    pub moving: i16,
    /// The same when the other colour is to move.
    pub waiting: i16,
    /// To that colour as a move (1/256 of a natural logarithm of odds).
    pub attack: i16,
    /// To the other colour as a move that takes the cell away (as `attack`).
    pub defence: i16,
}

impl Weights {
    /// The numbers for `color` under `rule`. Caro plays by those of standard.
    pub fn of(rule: Rule, color: Color) -> &'static Weights {
        const TEXTS: [&str; 4] = [
            include_str!("weights/freestyle.txt"),
            include_str!("weights/standard.txt"),
            include_str!("weights/renju-black.txt"),
            include_str!("weights/renju-white.txt"),
        ];
        static WEIGHTS: [OnceLock<Weights>; TEXTS.len()] = [const { OnceLock::new() }; TEXTS.len()];
        let index = match (rule, color) {
            (Rule::Freestyle, _) => 0,
            (Rule::Standard | Rule::Caro | Rule::CaroOverline, _) => 1,
            (Rule::Renju, Color::Black) => 2,
            (Rule::Renju, Color::White) => 3,
        };
        WEIGHTS[index].get_or_init(|| Weights::parse(TEXTS[index]))
    }

    /// What a cell that makes these two shapes adds to a move of this player (urgency).
    #[inline]
    pub fn pair(&self, own: Shape, other: Shape) -> i16 {
        self.pairs[Weights::pair_number(own, other)]
    }

    /// Number of a pair of shapes: what the mover would make at a cell, and the opponent.
    #[inline]
    pub fn pair_number(own: Shape, other: Shape) -> usize {
        own as usize * SHAPES + other as usize
    }

    /// What an earlier stone on `from` adds to a move of this player on `to`.
    #[inline]
    pub fn near(&self, from: Point, to: Point) -> NearWeights {
        self.near_by_steps[GRID + to.index() - from.index()]
    }

    /// Reads a weights file; what it lacks is zero.
    fn parse(text: &str) -> Weights {
        let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let mut numbers = line.split_ascii_whitespace().map(|n| n.parse().unwrap_or(0));
            [(); 4].map(|()| numbers.next().unwrap_or(0))
        });
        let mut next = || lines.next().unwrap_or([0; 4]);
        let cells = (0..COMBINATIONS)
            .map(|_| {
                let [moving, waiting, attack, defence] = next();
                CellWeights { moving, waiting, attack, defence }
            })
            .collect();
        let threats = (0..THREAT_ENTRIES).map(|_| next()[0]).collect();
        let pairs = (0..SHAPES * SHAPES).map(|_| next()[0]).collect();
        let near: Vec<NearWeights> = (0..DISPLACEMENTS)
            .map(|_| {
                let [reply, plan, ..] = next();
                NearWeights { reply, plan }
            })
            .collect();
        let grid = GRID as isize;
        let near_by_steps = (-grid..grid).map(|steps| near[displacement_of_steps(steps)]).collect();
        Weights { cells, threats, pairs, near, near_by_steps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_complete() {
        for rule in Rule::ALL {
            for color in Color::ALL {
                let weights = Weights::of(rule, color);
                assert!(weights.cells.iter().filter(|cell| cell.attack != 0).count() > 200);
                assert!(weights.threats.iter().any(|&threat| threat != 0));
                assert!(weights.pairs.iter().any(|&pair| pair != 0));
                let unused = |near: &NearWeights| near.reply == 0 || near.plan == 0;
                // The way from a cell to itself, and what was rounded to zero.
                assert!(weights.near.iter().filter(|near| unused(near)).count() < 4);
            }
        }
    }
}
