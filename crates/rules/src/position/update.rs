//! Playing and taking back a stone.

use super::changes::CellChange;
use super::counts::{Counts, Tally};
use super::near::SavedRows;
use super::{Position, Square};
use crate::board::{Cell, Stone};
use crate::pattern::{HALF_LONG, HALF_SHORT, WindowSpace};
use crate::types::{Color, DIRECTIONS, GRID, Point};

/// The state before a stone, except for the changed cells.
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

/// The amounts that a stone adds to the windows of its neighbours, by sign and distance.
type Weights<const HALF: usize> = [[u32; HALF]; 2];

/// Signs of both ways along a line, in the order of [`Weights`].
const SIGNS: [isize; 2] = [-1, 1];

/// The weights of a stone of `color`, computed at compile time because every move needs them.
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
            // Seen from the neighbour, the stone lies in the opposite direction.
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
        self.board.place_unchecked(point, color);
        let square = &mut self.squares[point.index()];
        square.cell = Cell::stone(color);
        self.changes.push(CellChange::taken(point.index(), square.patterns));
        self.counts.remove(square.patterns);
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

    /// Updates windows, patterns and counts after a stone of `color` on `point`. In a middle game
    /// the lines of 26 of 35 cells change, those of each colour in four of five of these cells, so
    /// computing both costs less than testing which one changed (lab/0038).
    #[inline]
    fn add_stone<const HALF: usize>(&mut self, point: Point, color: Color) {
        let weights = weights::<HALF>(color);
        let mut tally = Tally::UNCHANGED;
        // Written out, so that the axis is a constant in each call.
        self.add_along::<HALF>(0, point, weights, &mut tally);
        self.add_along::<HALF>(1, point, weights, &mut tally);
        self.add_along::<HALF>(2, point, weights, &mut tally);
        self.add_along::<HALF>(3, point, weights, &mut tally);
        self.counts.apply(&tally);
    }

    /// The part of [`Position::add_stone`] on one axis.
    #[inline(always)]
    fn add_along<const HALF: usize>(
        &mut self,
        axis: usize,
        point: Point,
        weights: &Weights<HALF>,
        tally: &mut Tally,
    ) {
        let Position { squares, changes, tables, .. } = self;
        for (sign, weights) in SIGNS.into_iter().zip(weights) {
            for (cell, &weight) in cells_along(point, axis, sign).zip(weights) {
                let square = &mut squares[cell];
                if square.cell == Cell::Wall {
                    break;
                }
                let window = &mut square.windows[axis];
                *window += weight;
                if square.cell == Cell::Empty {
                    let lines = tables.packed_lines(*window);
                    let before = square.patterns;
                    if !before.has_lines(axis, lines) {
                        let after = before.with_lines(tables, axis, lines);
                        tally.cell(before, after);
                        square.patterns = after;
                        changes.push(CellChange::new(cell, before, after));
                    }
                }
            }
        }
    }
}

fn remove_stone<const HALF: usize>(squares: &mut [Square; GRID], stone: Stone) {
    remove_along::<HALF>(squares, 0, stone);
    remove_along::<HALF>(squares, 1, stone);
    remove_along::<HALF>(squares, 2, stone);
    remove_along::<HALF>(squares, 3, stone);
}

#[inline(always)]
fn remove_along<const HALF: usize>(squares: &mut [Square; GRID], axis: usize, stone: Stone) {
    for (sign, weights) in SIGNS.into_iter().zip(weights::<HALF>(stone.color)) {
        for (cell, &weight) in cells_along(stone.point, axis, sign).zip(weights) {
            let square = &mut squares[cell];
            if square.cell == Cell::Wall {
                break;
            }
            square.windows[axis] -= weight;
        }
    }
}

/// The indices of the cells on one side of `point`, from the nearest on. They continue beyond the edge.
// An iterator, because a closure called for each cell is not inlined in WebAssembly.
#[inline(always)]
fn cells_along(point: Point, axis: usize, sign: isize) -> impl Iterator<Item = usize> {
    let step = DIRECTIONS[axis].step() * sign;
    let mut cell = point.index();
    std::iter::repeat_with(move || {
        cell = cell.wrapping_add_signed(step) & (GRID - 1);
        cell
    })
}
