//! What earlier nodes taught about moves.

use std::ops::Range;

use super::params as p;
use tengen_rules::position::LastStones;
use tengen_rules::types::{BoardSize, ByColor, Color, GRID, Point};

/// Bound of every history value.
const LIMIT: i32 = 16_384;

/// Move statistics of one thread. Every value lies within plus and minus 16384.
///
/// The *main history* knows how well a move did anywhere, the *continuation histories* how well
/// it did after the stone one ply back (the opponent's last one) and two plies back (the mover's
/// own): answers and continuations.
pub struct Histories {
    size: BoardSize,
    /// The number of each cell of the board, row by row. The tables of pairs are looked up for
    /// every candidate of every node, so they hold the cells of the board and no walls: they stay
    /// in the caches (lab/0033).
    cells: Box<[u16; GRID]>,
    main: ByColor<Box<[i16]>>,
    /// By the opponent's last stone and the move.
    one_ply: ByColor<Box<[i16]>>,
    /// By the own last stone and the move.
    two_plies: ByColor<Box<[i16]>>,
}

impl Histories {
    /// Statistics for boards of this size that know nothing.
    pub fn new(size: BoardSize) -> Histories {
        let pairs = size.area() * size.area();
        Histories {
            size,
            cells: cells(size),
            main: ByColor::from_fn(|_| vec![0; GRID].into()),
            one_ply: ByColor::from_fn(|_| vec![0; pairs].into()),
            two_plies: ByColor::from_fn(|_| vec![0; pairs].into()),
        }
    }

    /// Turns to boards of this size; another size than before makes everything forgotten.
    pub fn set_size(&mut self, size: BoardSize) {
        if size != self.size {
            *self = Histories::new(size);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::new(self.size);
    }

    /// How well the move did for `color`, wherever it was played.
    #[inline]
    pub fn main(&self, color: Color, point: Point) -> i32 {
        i32::from(self.main[color][point.index()])
    }

    /// What is known about the moves of `color` after these stones.
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

    /// Where the moves after `stone` stand in the tables of pairs.
    #[inline]
    fn row(&self, stone: Point) -> Range<usize> {
        let start = usize::from(self.cells[stone.index()]) * self.size.area();
        start..start + self.size.area()
    }

    /// `best` caused a cutoff at `depth`; the `moves_tried` moves before it did not.
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

/// What the histories know about the moves of one node.
#[derive(Clone, Copy)]
pub struct HistoryView<'a> {
    cells: &'a [u16; GRID],
    main: &'a [i16],
    one_ply: Option<&'a [i16]>,
    two_plies: Option<&'a [i16]>,
}

/// How well a move did: anywhere, as an answer to the opponent's last stone, as a continuation
/// of the own last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryScores {
    pub main: i32,
    pub one_ply: i32,
    pub two_plies: i32,
}

impl HistoryView<'_> {
    /// What is known about one move.
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

/// The number of each cell of a board of this size, row by row.
fn cells(size: BoardSize) -> Box<[u16; GRID]> {
    let mut cells = Box::new([0; GRID]);
    for (number, point) in (0..).zip(size.points()) {
        cells[point.index()] = number;
    }
    cells
}

/// What a cutoff at this depth is worth: a deep one cost more and means more.
fn bonus(depth: i32) -> i32 {
    (depth * depth * p::history_bonus_square() + depth * p::history_bonus_slope())
        .min(p::history_bonus_most())
}

/// Moves `value` towards the bound, the less the closer it is ("gravity": what is old fades as
/// new results come in).
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
        let [liked, disliked] =
            [good, bad].map(|point| histories.after(Color::White, last).of(point));
        assert!(liked.main > LIMIT / 2 && disliked.main < -LIMIT / 2);
        assert!(liked.one_ply > LIMIT / 2 && disliked.one_ply < -LIMIT / 2);
        assert_eq!(liked.main, histories.main(Color::White, good));
        let HistoryScores { one_ply, two_plies, .. } =
            histories.after(Color::White, elsewhere).of(good);
        assert_eq!((one_ply, two_plies), (0, 0));
        assert_eq!(histories.main(Color::Black, good), 0);
    }
}
