//! The number of cells of each shape.

use super::patterns::Patterns;
use crate::pattern::{SHAPES, Shape};
use crate::types::{ByColor, Color};

/// The number of empty cells of each shape, by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts(ByColor<[u16; SHAPES]>);

impl Counts {
    /// No cells.
    pub(super) const ZERO: Counts = Counts(ByColor::new([0; SHAPES], [0; SHAPES]));

    /// Number of cells where a stone of `color` makes exactly this shape.
    #[inline]
    pub(super) fn of(&self, color: Color, shape: Shape) -> usize {
        usize::from(self.0[color][shape as usize])
    }

    /// Counts a cell with these patterns.
    #[inline]
    pub(super) fn add(&mut self, patterns: Patterns) {
        for color in Color::ALL {
            self.0[color][patterns.code_shape(color).shape() as usize] += 1;
        }
    }

    /// Removes a cell with these patterns from the counts.
    #[inline]
    pub(super) fn remove(&mut self, patterns: Patterns) {
        for color in Color::ALL {
            self.0[color][patterns.code_shape(color).shape() as usize] -= 1;
        }
    }

    /// Adds the changes of a tally.
    #[inline]
    pub(super) fn apply(&mut self, tally: &Tally) {
        for color in Color::ALL {
            let bytes = tally.0[color].0.map(u64::to_le_bytes);
            for (count, &byte) in self.0[color].iter_mut().zip(bytes.as_flattened()) {
                *count = *count + u16::from(byte) - u16::from(UNCHANGED);
            }
        }
    }
}

/// The changes of the counts by one stone.
///
/// Updating the counts in memory for each of the two dozen cells would take longer than computing
/// their new patterns: nearly all of them change between the same few shapes, so that each update
/// would wait for the one before. These numbers stay in registers.
pub(super) struct Tally(ByColor<Bytes>);

/// A byte for each shape.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Bytes([u64; 2]);

/// The byte of a count that does not change. A stone changes at most 40 cells, so no byte
/// overflows.
const UNCHANGED: u8 = 128;

/// The increment for one cell, by the number of its shape.
static ONE: [Bytes; 16] = {
    let mut bytes = [Bytes([0; 2]); 16];
    let mut shape = 0;
    while shape < 16 {
        bytes[shape].0[shape / 8] = 1 << (8 * (shape % 8));
        shape += 1;
    }
    bytes
};

impl Tally {
    /// No changes yet.
    pub(super) const UNCHANGED: Tally = {
        let bytes = Bytes([u64::from_le_bytes([UNCHANGED; 8]); 2]);
        Tally(ByColor::new(bytes, bytes))
    };

    /// Adds the change of one cell's patterns.
    #[inline(always)]
    pub(super) fn cell(&mut self, before: Patterns, after: Patterns) {
        for color in Color::ALL {
            let one = |patterns: Patterns| ONE[patterns.code_shape(color).shape_number()].0;
            let changes = one(before).into_iter().zip(one(after));
            for (bytes, (before, after)) in self.0[color].0.iter_mut().zip(changes) {
                *bytes = bytes.wrapping_add(after).wrapping_sub(before);
            }
        }
    }
}
