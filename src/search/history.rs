//! What earlier nodes taught about moves.

use std::ops::Range;

use crate::position::LastStones;
use crate::types::{BoardSize, ByColor, Color, GRID, Point};

/// Bound of every history value.
const LIMIT: i32 = 16_384;

/// Move statistics of one thread. Every value lies within plus and minus 16384.
pub struct Histories {
    size: BoardSize,
    quiet: ByColor<Box<[i16]>>,
    /// By the opponent's last stone and the move.
    replies: ByColor<Box<[i16]>>,
    /// By the own last stone and the move.
    plans: ByColor<Box<[i16]>>,
}

impl Histories {
    /// Statistics for boards of this size that know nothing.
    pub fn new(size: BoardSize) -> Histories {
        let pairs = size.area() * size.area();
        Histories {
            size,
            quiet: ByColor::from_fn(|_| vec![0; GRID].into()),
            replies: ByColor::from_fn(|_| vec![0; pairs].into()),
            plans: ByColor::from_fn(|_| vec![0; pairs].into()),
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

    /// How well the move did for `color`.
    #[inline]
    pub fn quiet(&self, color: Color, point: Point) -> i32 {
        i32::from(self.quiet[color][point.index()])
    }

    /// What is known about the moves of `color` after these stones.
    #[inline]
    pub fn after<'a>(&'a self, color: Color, last: LastStones) -> Learned<'a> {
        let row = |table: &'a [i16], stone: Option<Point>| stone.map(|at| &table[self.row(at)]);
        Learned {
            size: self.size,
            quiet: &self.quiet[color],
            replies: row(&self.replies[color], last.theirs),
            plans: row(&self.plans[color], last.ours),
        }
    }

    /// Where the moves after `stone` stand in the tables of pairs.
    #[inline]
    fn row(&self, stone: Point) -> Range<usize> {
        let start = cell(self.size, stone) * self.size.area();
        start..start + self.size.area()
    }

    /// `best` caused a cutoff at `depth`; the moves of `tried` did not.
    pub fn reward(
        &mut self,
        color: Color,
        last: LastStones,
        best: Point,
        tried: &[Point],
        depth: i32,
    ) {
        let bonus = bonus(depth);
        let moves = tried.iter().map(|&point| (point, -bonus)).chain([(best, bonus)]);
        for (point, bonus) in moves {
            update(&mut self.quiet[color][point.index()], bonus);
            let cell = cell(self.size, point);
            if let Some(stone) = last.theirs {
                let row = self.row(stone);
                update(&mut self.replies[color][row][cell], bonus);
            }
            if let Some(stone) = last.ours {
                let row = self.row(stone);
                update(&mut self.plans[color][row][cell], bonus);
            }
        }
    }
}

/// What the histories know about the moves of one node.
#[derive(Clone, Copy)]
pub struct Learned<'a> {
    size: BoardSize,
    quiet: &'a [i16],
    replies: Option<&'a [i16]>,
    plans: Option<&'a [i16]>,
}

/// How well a move did: everywhere, as an answer to the opponent's last stone, as a continuation
/// of the own last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub quiet: i32,
    pub reply: i32,
    pub plan: i32,
}

impl Learned<'_> {
    /// What is known about one move.
    #[inline]
    pub fn record(&self, point: Point) -> Record {
        let cell = cell(self.size, point);
        let of = |row: Option<&[i16]>| row.map_or(0, |row| i32::from(row[cell]));
        Record {
            quiet: i32::from(self.quiet[point.index()]),
            reply: of(self.replies),
            plan: of(self.plans),
        }
    }
}

/// Number of a cell of the board. The tables of pairs are looked up for every candidate of every
/// node, so they hold the cells of the board and no walls: they stay in the caches.
#[inline]
fn cell(size: BoardSize, point: Point) -> usize {
    usize::from(point.y()) * usize::from(size.width()) + usize::from(point.x())
}

fn bonus(depth: i32) -> i32 {
    (depth * depth * 16 + depth * 32).min(1_600)
}

/// Moves `value` towards the bound, the less the closer it is.
fn update(value: &mut i16, bonus: i32) {
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
            histories.reward(Color::White, last, good, &[bad], 30);
        }
        let elsewhere = LastStones { theirs: Some(Point::new(4, 4)), ours: last.theirs };
        let [liked, disliked] =
            [good, bad].map(|point| histories.after(Color::White, last).record(point));
        assert!(liked.quiet > LIMIT / 2 && disliked.quiet < -LIMIT / 2);
        assert!(liked.reply > LIMIT / 2 && disliked.reply < -LIMIT / 2);
        assert_eq!(liked.quiet, histories.quiet(Color::White, good));
        let Record { reply, plan, .. } = histories.after(Color::White, elsewhere).record(good);
        assert_eq!((reply, plan), (0, 0));
        assert_eq!(histories.quiet(Color::Black, good), 0);
    }
}
