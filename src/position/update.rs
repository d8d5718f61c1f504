//! Playing and taking back a stone.

use super::near::SavedRows;
use super::{Position, Square, Totals};
use crate::board::{Cell, Stone};
use crate::pattern::{HALF_LONG, HALF_SHORT, LineKey, PatternTables, Shape, WindowSpace};
use crate::types::{ByColor, Color, DIRECTIONS, GRID, Point};

/// An empty cell as it was before a stone changed its patterns.
#[derive(Clone, Copy)]
pub(super) struct Change {
    cell: u16,
    keys: ByColor<LineKey>,
    attacks: ByColor<i16>,
    defences: ByColor<i16>,
    shapes: ByColor<Shape>,
}

/// Everything else as it was before a stone.
#[derive(Clone, Copy)]
pub(super) struct Saved {
    totals: Totals,
    rows: SavedRows,
    first_change: u32,
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
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        debug_assert!(self.is_empty(point), "{point} is taken");
        self.saved.push(Saved {
            totals: self.totals,
            rows: self.near.place(point),
            first_change: self.changes.len() as u32,
            side: self.board.side_to_move(),
        });
        self.board.place(point, color);
        let square = &mut self.squares[point.index()];
        square.cell = Cell::stone(color);
        for owner in Color::ALL {
            self.totals.remove(self.tables.entry(square.keys[owner], owner), owner);
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
        self.totals = saved.totals;
        self.near.take_back(stone.point, &saved.rows);
        for change in &self.changes[saved.first_change as usize..] {
            change.restore(&mut self.squares[usize::from(change.cell) & (GRID - 1)]);
        }
        self.changes.truncate(saved.first_change as usize);
    }

    #[inline]
    fn add_stone<const HALF: usize>(&mut self, point: Point, color: Color) {
        let weights = weights::<HALF>(color);
        visit_windows(&mut self.squares, point, weights, |cell, square, axis, weight| {
            let window = &mut square.windows[axis];
            *window += weight;
            if square.cell == Cell::Empty {
                let lines = self.tables.packed_lines(*window);
                if lines != square.packed_lines(axis) {
                    self.changes.push(Change::save(cell, square));
                    square.relabel(self.tables, &mut self.totals, axis, lines);
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

impl Square {
    /// The patterns of both colours on one line, as [`PatternTables::packed_lines`] packs them.
    #[inline]
    fn packed_lines(&self, axis: usize) -> u8 {
        self.keys[Color::Black].nibble(axis) | self.keys[Color::White].nibble(axis) << 4
    }

    /// Gives one line new patterns and brings shapes and totals up to date.
    #[inline]
    fn relabel(&mut self, tables: &PatternTables, totals: &mut Totals, axis: usize, lines: u8) {
        for color in Color::ALL {
            let nibble = lines >> (4 * color.index()) & 15;
            if nibble != self.keys[color].nibble(axis) {
                totals.remove(tables.entry(self.keys[color], color), color);
                self.keys[color] = self.keys[color].with_nibble(axis, nibble);
                let entry = self.evaluate(tables, color);
                totals.add(entry, color);
            }
        }
    }
}

impl Change {
    #[inline]
    fn save(cell: usize, square: &Square) -> Change {
        Change {
            cell: cell as u16,
            keys: square.keys,
            attacks: square.attacks,
            defences: square.defences,
            shapes: square.shapes,
        }
    }

    #[inline]
    fn restore(&self, square: &mut Square) {
        square.keys = self.keys;
        square.attacks = self.attacks;
        square.defences = self.defences;
        square.shapes = self.shapes;
    }
}
