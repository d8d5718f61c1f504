//! Playing and taking back a stone.

use super::changes::CellChange;
use super::near::SavedRows;
use super::{Counts, Patterns, Position, Square};
use crate::board::{Cell, Stone};
use crate::pattern::{HALF_LONG, HALF_SHORT, PatternTables, WindowSpace};
use crate::types::{Color, DIRECTIONS, GRID, Point};

/// What a stone changed besides cells, as it was before.
#[derive(Clone, Copy)]
pub(super) struct Saved {
    /// Key of the board, see [`Position::key_at`].
    pub(super) key: u64,
    counts: Counts,
    rows: SavedRows,
    /// Where the changed cells of this stone start in the list of changes.
    pub(super) first_change: u32,
    side: Color,
}

/// What a stone adds to the windows of its neighbours, by sign and distance.
type Weights<const HALF: usize> = [[u32; HALF]; 2];

/// Signs of the two ways along a line, in the order of [`Weights`].
const SIGNS: [isize; 2] = [-1, 1];

/// What a stone of `color` adds, worked out by the compiler: every move asks.
#[inline]
fn weights<const HALF: usize>(color: Color) -> &'static Weights<HALF> {
    let both = const { &weights_of_both::<HALF>() };
    &both[color.index()]
}

const fn weights_of_both<const HALF: usize>() -> [Weights<HALF>; 2] {
    let space = WindowSpace::new(HALF);
    let mut all = [[[0; HALF]; 2]; 2];
    let mut color = 0;
    while color < 2 {
        let mut index = 0;
        while index < HALF {
            let distance = index as isize + 1;
            // Seen from the neighbour the stone lies the other way.
            all[color][0][index] = space.stone(distance, Color::ALL[color]);
            all[color][1][index] = space.stone(-distance, Color::ALL[color]);
            index += 1;
        }
        color += 1;
    }
    all
}

impl Position {
    /// Puts a stone of either colour on an empty cell; the other colour is to move.
    ///
    /// # Panics
    /// When the cell is not empty.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        assert!(self.is_empty(point), "{point} is taken");
        self.saved.push(Saved {
            key: self.board.key(),
            counts: self.counts,
            rows: self.near.place(point),
            first_change: self.changes.len() as u32,
            side: self.board.side_to_move(),
        });
        self.board.place(point, color);
        let square = &mut self.squares[point.index()];
        square.cell = Cell::stone(color);
        for owner in Color::ALL {
            self.counts.remove(square.patterns.shapes[owner], owner);
        }
        if self.tables.space().half() == HALF_SHORT {
            self.add_stone::<HALF_SHORT>(point, color);
        } else {
            self.add_stone::<HALF_LONG>(point, color);
        }
    }

    /// Takes back `stone`, the last one.
    #[inline]
    pub(super) fn take_back(&mut self, stone: Stone) {
        if self.tables.space().half() == HALF_SHORT {
            remove_stone::<HALF_SHORT>(&mut self.squares, stone);
        } else {
            remove_stone::<HALF_LONG>(&mut self.squares, stone);
        }
        self.squares[stone.point.index()].cell = Cell::Empty;
        self.board.undo();
        let Some(saved) = self.saved.pop() else { return };
        self.board.set_side(saved.side);
        self.counts = saved.counts;
        self.near.take_back(stone.point, &saved.rows);
        for change in &self.changes[saved.first_change as usize..] {
            change.restore(&mut self.squares);
        }
        self.changes.truncate(saved.first_change as usize);
    }

    /// Brings windows, patterns and counts up to date after a stone of `color` on `point`: in a
    /// middle game the lines of 25 cells change, those of either colour in four of five of them.
    /// Noting such cells in a mask without a branch, and then renewing both colours at once, took
    /// as long.
    #[inline]
    fn add_stone<const HALF: usize>(&mut self, point: Point, color: Color) {
        let weights = weights::<HALF>(color);
        visit_windows(&mut self.squares, point, weights, |cell, square, axis, weight| {
            let window = &mut square.windows[axis];
            *window += weight;
            if square.cell == Cell::Empty {
                let lines = self.tables.packed_lines(*window);
                let before = square.patterns;
                if lines != before.packed_lines(axis) {
                    let after = before.with_lines(self.tables, &mut self.counts, axis, lines);
                    square.patterns = after;
                    self.changes.push(CellChange::new(cell, before, after));
                }
            }
        });
    }
}

fn remove_stone<const HALF: usize>(squares: &mut [Square; GRID], stone: Stone) {
    let weights = weights::<HALF>(stone.color);
    visit_windows(squares, stone.point, weights, |_, square, axis, weight| {
        square.windows[axis] -= weight;
    });
}

/// Hands every cell whose windows reach `point` to `visit`: its number, itself, the axis of the
/// line they share and what the stone adds to its window there.
#[inline(always)]
fn visit_windows<const HALF: usize>(
    squares: &mut [Square; GRID],
    point: Point,
    weights: &Weights<HALF>,
    mut visit: impl FnMut(usize, &mut Square, usize, u32),
) {
    for direction in DIRECTIONS {
        for (sign, weights) in SIGNS.into_iter().zip(weights) {
            let step = direction.step() * sign;
            let mut cell = point.index();
            for &weight in weights {
                cell = cell.wrapping_add_signed(step) & (GRID - 1);
                let square = &mut squares[cell];
                if square.cell == Cell::Wall {
                    break;
                }
                visit(cell, square, direction.axis(), weight);
            }
        }
    }
}

impl Patterns {
    /// The patterns of both colours on one line, as [`PatternTables::packed_lines`] packs them.
    #[inline]
    fn packed_lines(&self, axis: usize) -> u8 {
        self.keys[Color::Black].nibble(axis) | self.keys[Color::White].nibble(axis) << 4
    }

    /// The same but for one line; brings the counts up to date as well.
    #[inline]
    fn with_lines(
        mut self,
        tables: &PatternTables,
        counts: &mut Counts,
        axis: usize,
        lines: u8,
    ) -> Patterns {
        for color in Color::ALL {
            let nibble = lines >> (4 * color.index()) & 15;
            if nibble != self.keys[color].nibble(axis) {
                counts.remove(self.shapes[color], color);
                self.keys[color] = self.keys[color].with_nibble(axis, nibble);
                self.classify(tables, color);
                counts.add(self.shapes[color], color);
            }
        }
        self
    }
}
