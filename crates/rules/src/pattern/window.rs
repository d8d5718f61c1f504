//! Numbering of line windows.
//!
//! A window is an empty middle cell with up to `half` cells on each side, clipped at the first
//! wall. Both sides are numbered alike: a side that reaches `n` cells before the wall starts at
//! `1 + 3 + ... + 3^(n-1)` and adds `3^(k-1)` for a black and `2 * 3^(k-1)` for a white stone at
//! distance `k`. The window's number is `left * sides + right`. A stone therefore adds the same
//! amount for every board size and distance to the edge, and every number below `sides * sides` is
//! a window.

use crate::types::Color;

/// Half length of windows under rules where five or more wins for both sides: a sixth stone never
/// matters.
pub const HALF_SHORT: usize = 4;
/// Half length of windows under rules where a sixth stone, or a stone beyond a five, matters.
pub const HALF_LONG: usize = 5;

/// The content of one cell of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Empty,
    Black,
    White,
    Wall,
}

/// Numbering of all windows of one half length.
#[derive(Clone, Copy, Debug)]
pub struct WindowSpace {
    half: usize,
    sides: usize,
}

/// The cells of a window; the middle one is at [`HALF_LONG`].
pub(super) type Slots = [Slot; 2 * HALF_LONG + 1];

impl WindowSpace {
    /// Windows with `half` cells on each side.
    pub const fn new(half: usize) -> WindowSpace {
        WindowSpace { half, sides: Self::side_start(half + 1) }
    }

    /// Cells on each side of the middle.
    #[inline]
    pub const fn half(self) -> usize {
        self.half
    }

    /// Number of different sides, the same for left and right.
    pub const fn sides(self) -> usize {
        self.sides
    }

    /// Numbers of the left and of the right side of a window, each below [`WindowSpace::sides`].
    pub const fn sides_of(self, window: usize) -> (usize, usize) {
        (window / self.sides, window % self.sides)
    }

    /// Number of windows.
    pub const fn count(self) -> usize {
        self.sides * self.sides
    }

    /// First number of the sides that reach `reach` cells: `(3^reach - 1) / 2`.
    const fn side_start(reach: usize) -> usize {
        (3usize.pow(reach as u32) - 1) / 2
    }

    /// The window without stones whose sides reach `left` and `right` cells.
    pub const fn empty(self, left: usize, right: usize) -> u32 {
        (Self::side_start(left) * self.sides + Self::side_start(right)) as u32
    }

    /// The amount that a black stone at `offset` from the middle adds to the number (negative: on
    /// the left). A white stone adds twice the amount.
    pub const fn weight(self, offset: isize) -> u32 {
        const POWERS: [u32; HALF_LONG] = [1, 3, 9, 27, 81];
        let power = POWERS[offset.unsigned_abs() - 1];
        if offset < 0 { power * self.sides as u32 } else { power }
    }

    /// The amount that a stone of `color` at `offset` from the middle adds; 0 past the ends.
    #[inline]
    pub const fn stone(self, offset: isize, color: Color) -> u32 {
        if offset.unsigned_abs() > self.half {
            return 0;
        }
        (1 + color.index() as u32) * self.weight(offset)
    }

    /// The number of the window read from the other end.
    pub(super) const fn mirrored(self, window: usize) -> usize {
        let (left, right) = self.sides_of(window);
        right * self.sides + left
    }

    /// The cells of a window; the middle one is empty.
    pub(super) fn slots(self, window: usize) -> Slots {
        let mut slots = [Slot::Wall; 2 * HALF_LONG + 1];
        slots[HALF_LONG] = Slot::Empty;
        let (left, right) = self.sides_of(window);
        for (side, sign) in [(left, -1), (right, 1)] {
            let reach = (0..=self.half).rfind(|&n| Self::side_start(n) <= side).unwrap_or(0);
            let mut digits = side - Self::side_start(reach);
            for distance in 1..=reach as isize {
                slots[(HALF_LONG as isize + sign * distance) as usize] = match digits % 3 {
                    0 => Slot::Empty,
                    1 => Slot::Black,
                    _ => Slot::White,
                };
                digits /= 3;
            }
        }
        slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_one_window() {
        for half in [HALF_SHORT, HALF_LONG] {
            let space = WindowSpace::new(half);
            assert_eq!(space.count(), if half == 4 { 14_641 } else { 132_496 });
            for window in 0..space.count() {
                let slots = space.slots(window);
                let reach = |sign: isize| {
                    (1..=half as isize)
                        .take_while(|d| slots[(5 + sign * d) as usize] != Slot::Wall)
                        .count()
                };
                let mut number = space.empty(reach(-1), reach(1));
                for offset in (-5isize..=5).filter(|&offset| offset != 0) {
                    number += match slots[(5 + offset) as usize] {
                        Slot::Black => space.weight(offset),
                        Slot::White => 2 * space.weight(offset),
                        Slot::Empty | Slot::Wall => 0,
                    };
                }
                assert_eq!(number as usize, window);
            }
        }
    }
}
