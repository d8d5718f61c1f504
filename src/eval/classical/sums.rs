//! Sums of cell values, brought up to date when they are asked for.

use super::weights::{CellValue, Weights};
use crate::position::{Changes, Position};
use crate::types::{ByColor, Color};

/// Ways to go past a stone of the history.
const FORWARD: i32 = 1;
const BACK: i32 = -1;

/// The cell values of each colour, summed over all empty cells (evaluation units).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// With that colour to move.
    on_turn: ByColor<i32>,
    /// With the other colour to move.
    off_turn: ByColor<i32>,
}

/// The sums of the boards along a history, one per number of stones. Most boards that a search
/// plays through are never evaluated (a search for continuous fours visits nothing else), so
/// nothing is done before somebody asks; then the sums of the last board that is still part of
/// the history follow its changes.
#[derive(Default)]
pub struct LazySums {
    by_length: Vec<Known>,
}

/// Sums, and the key of the board that they belong to: sums depend on nothing but the board, so
/// it does not matter how the search came there.
#[derive(Clone, Copy, Default)]
struct Known {
    key: Option<u64>,
    sums: Sums,
}

impl Sums {
    /// Adds up all empty cells.
    pub fn of(position: &Position, weights: &ByColor<&Weights>) -> Sums {
        let mut sums = Sums::default();
        for point in position.board().empty_points() {
            for color in Color::ALL {
                sums.add(color, weights[color].value(position.code(point, color)), 1);
            }
        }
        sums
    }

    /// For `side` to move: its own sum less that of its opponent.
    #[inline]
    pub fn balance(&self, side: Color) -> i32 {
        self.on_turn[side] - self.off_turn[side.opponent()]
    }

    /// Adds a cell's value so many times.
    #[inline]
    fn add(&mut self, color: Color, value: CellValue, times: i32) {
        self.on_turn[color] += times * i32::from(value.on_turn);
        self.off_turn[color] += times * i32::from(value.off_turn);
    }

    /// Goes past one stone of the history, [`FORWARD`] or [`BACK`].
    #[inline]
    fn pass<const WAY: i32>(&mut self, changes: Changes<'_>, weights: &ByColor<&Weights>) {
        for color in Color::ALL {
            self.add(color, weights[color].value(changes.taken[color]), -WAY);
        }
        for cell in changes.cells {
            for color in Color::ALL {
                // Most changes matter to one colour only.
                let (before, after) = (cell.before(color), cell.after(color));
                if before != after {
                    self.add(color, weights[color].value(before), -WAY);
                    self.add(color, weights[color].value(after), WAY);
                }
            }
        }
    }
}

impl LazySums {
    /// The sums of the position.
    #[inline]
    pub fn get(&mut self, position: &Position, weights: &ByColor<&Weights>) -> Sums {
        let length = position.board().history().len();
        if self.by_length.len() <= length {
            self.by_length.resize(length + 1, Known::default());
        }
        let is_known = |&at: &usize| self.by_length[at].key == Some(position.key_at(at));
        let Some(start) = (0..=length).rev().find(is_known) else {
            return self.start(position, weights);
        };
        let mut sums = self.by_length[start].sums;
        for ply in start..length {
            sums.pass::<FORWARD>(position.changes(ply), weights);
            self.by_length[ply + 1] = Known { key: Some(position.key_at(ply + 1)), sums };
        }
        sums
    }

    /// The sums of a position that has nothing in common with those before, and of all boards of
    /// its history: whatever the search asks next goes on from one of them.
    #[cold]
    fn start(&mut self, position: &Position, weights: &ByColor<&Weights>) -> Sums {
        let length = position.board().history().len();
        let last = Sums::of(position, weights);
        let mut sums = last;
        for at in (0..=length).rev() {
            self.by_length[at] = Known { key: Some(position.key_at(at)), sums };
            if at > 0 {
                sums.pass::<BACK>(position.changes(at - 1), weights);
            }
        }
        last
    }
}
