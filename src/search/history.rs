//! History heuristics: statistics of cutoffs that order and reduce moves.

use std::ops::Range;

use super::params as p;
use crate::memory;
use tengen_rules::position::LastStones;
use tengen_rules::types::{BoardSize, ByColor, Color, GRID, Point};

/// Bound of every history value.
const LIMIT: i32 = 16_384;
/// Minimum number of different cell numbers.
const MIN_NUMBERS: usize = 32;

/// Move statistics of one thread. Every value lies between -16384 and 16384.
///
/// The *main history* counts how well a move did in any position, the *continuation histories* how
/// well it did after the stone one ply back (the opponent's last one) and two plies back (the
/// mover's own).
pub struct Histories {
    size: BoardSize,
    /// The number of different cell numbers: one per cell, fewer if memory is short.
    numbers: usize,
    /// The number of each cell of the board, row by row. The tables of pairs are read for every
    /// candidate of every node; they contain only cells of the board, not walls, so that they stay
    /// in the caches (lab/0033).
    cells: Box<[u16; GRID]>,
    main: ByColor<Box<[i16]>>,
    /// By the opponent's last stone and the move.
    one_ply: ByColor<Box<[i16]>>,
    /// By the side's own last stone and the move.
    two_plies: ByColor<Box<[i16]>>,
}

impl Histories {
    /// Empty statistics for boards of this size.
    pub fn new(size: BoardSize) -> Histories {
        // Two tables of pairs for each colour.
        let has_room = |numbers: usize| memory::has_room(4 * size_of::<i16>() * numbers * numbers);
        let numbers = memory::halved(size.area(), MIN_NUMBERS, has_room);
        let pairs = numbers * numbers;
        Histories {
            size,
            numbers,
            cells: cells(size, numbers),
            main: ByColor::from_fn(|_| vec![0; GRID].into()),
            one_ply: ByColor::from_fn(|_| vec![0; pairs].into()),
            two_plies: ByColor::from_fn(|_| vec![0; pairs].into()),
        }
    }

    /// Prepares for boards of this size; a change of size clears all statistics.
    pub fn set_size(&mut self, size: BoardSize) {
        if size != self.size {
            *self = Histories::new(size);
        }
    }

    /// Clears all statistics.
    pub fn clear(&mut self) {
        *self = Histories::new(self.size);
    }

    /// The main history of a move of `color`.
    #[inline]
    pub fn main(&self, color: Color, point: Point) -> i32 {
        i32::from(self.main[color][point.index()])
    }

    /// The statistics of the moves of `color` after these stones.
    #[inline]
    pub fn after<'a>(&'a self, color: Color, last: LastStones) -> HistoryView<'a> {
        let row = |table: &'a [i16], stone: Option<Point>| stone.map(|at| &table[self.row(at)]);
        HistoryView {
            cells: &self.cells,
            main: &self.main[color],
            one_ply: row(&self.one_ply[color], last.theirs),
            two_plies: row(&self.two_plies[color], last.ours),
        }
    }

    /// The range of the moves after `stone` in the tables of pairs.
    #[inline]
    fn row(&self, stone: Point) -> Range<usize> {
        let start = usize::from(self.cells[stone.index()]) * self.numbers;
        start..start + self.numbers
    }

    /// Rewards `best`, which caused a cutoff at `depth`, and penalises `moves_tried`, which did
    /// not.
    pub fn update(
        &mut self,
        color: Color,
        last: LastStones,
        best: Point,
        moves_tried: &[Point],
        depth: i32,
    ) {
        let bonus = bonus(depth);
        let moves = moves_tried.iter().map(|&point| (point, -bonus)).chain([(best, bonus)]);
        for (point, bonus) in moves {
            add(&mut self.main[color][point.index()], bonus);
            let cell = usize::from(self.cells[point.index()]);
            if let Some(stone) = last.theirs {
                let row = self.row(stone);
                add(&mut self.one_ply[color][row][cell], bonus);
            }
            if let Some(stone) = last.ours {
                let row = self.row(stone);
                add(&mut self.two_plies[color][row][cell], bonus);
            }
        }
    }
}

/// The statistics of the moves of one node.
#[derive(Clone, Copy)]
pub struct HistoryView<'a> {
    cells: &'a [u16; GRID],
    main: &'a [i16],
    one_ply: Option<&'a [i16]>,
    two_plies: Option<&'a [i16]>,
}

/// The statistics of a move: in any position, after the opponent's last stone, and after the side's
/// own last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryScores {
    pub main: i32,
    pub one_ply: i32,
    pub two_plies: i32,
}

impl HistoryView<'_> {
    /// The statistics of one move.
    #[inline]
    pub fn of(&self, point: Point) -> HistoryScores {
        let cell = usize::from(self.cells[point.index()]);
        let of = |row: Option<&[i16]>| row.map_or(0, |row| i32::from(row[cell]));
        HistoryScores {
            main: i32::from(self.main[point.index()]),
            one_ply: of(self.one_ply),
            two_plies: of(self.two_plies),
        }
    }
}

/// The number of each cell of a board of this size, row by row, from 0 and below `numbers`.
fn cells(size: BoardSize, numbers: usize) -> Box<[u16; GRID]> {
    let mut cells = Box::new([0; GRID]);
    for (index, point) in size.points().enumerate() {
        cells[point.index()] = (index % numbers) as u16;
    }
    cells
}

/// The bonus of a cutoff at this depth: a deeper cutoff is stronger evidence for a move.
fn bonus(depth: i32) -> i32 {
    (depth * depth * p::history_bonus_square() + depth * p::history_bonus_slope())
        .min(p::history_bonus_most())
}

/// Adds `bonus` to `value`, scaled down as `value` approaches the bound ("history gravity": old
/// results fade as new ones arrive).
fn add(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT).clamp(-LIMIT, LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_the_bound() {
        let mut histories = Histories::new(BoardSize::square(15).unwrap());
        let (good, bad) = (Point::new(1, 1), Point::new(2, 2));
        let last = LastStones { theirs: Some(Point::new(3, 3)), ours: None };
        for _ in 0..10_000 {
            histories.update(Color::White, last, good, &[bad], 30);
        }
        let elsewhere = LastStones { theirs: Some(Point::new(4, 4)), ours: last.theirs };
        let [high, low] = [good, bad].map(|point| histories.after(Color::White, last).of(point));
        assert!(high.main > LIMIT / 2 && low.main < -LIMIT / 2);
        assert!(high.one_ply > LIMIT / 2 && low.one_ply < -LIMIT / 2);
        assert_eq!(high.main, histories.main(Color::White, good));
        let HistoryScores { one_ply, two_plies, .. } =
            histories.after(Color::White, elsewhere).of(good);
        assert_eq!((one_ply, two_plies), (0, 0));
        assert_eq!(histories.main(Color::Black, good), 0);
    }
}
