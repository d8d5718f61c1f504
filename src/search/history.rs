//! What earlier nodes taught about moves.

use crate::board::Board;
use crate::types::{BoardSize, ByColor, Color, GRID, Point};

/// Bound of every history value.
const LIMIT: i32 = 16_384;

/// The two stones that came before a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    /// The opponent's last stone.
    pub theirs: Option<Point>,
    /// The mover's own last stone.
    pub ours: Option<Point>,
}

impl Before {
    /// The last stones on the board, as the side to move sees them.
    #[inline]
    pub fn of(board: &Board) -> Before {
        let mut stones = board.history().iter().rev().map(|stone| stone.point);
        Before { theirs: stones.next(), ours: stones.next() }
    }
}

/// Move statistics of one thread. Every value lies within plus and minus 16384.
pub struct Histories {
    size: BoardSize,
    quiet: ByColor<Box<[i16]>>,
    /// By the opponent's last stone and the move, see [`Histories::pair`].
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

    /// Index of an earlier stone and a move. The tables are looked up for every candidate of
    /// every node, so they hold the cells of the board and no walls: they stay in the caches.
    #[inline]
    fn pair(&self, stone: Point, point: Point) -> usize {
        let cell = |point: Point| {
            usize::from(point.y()) * usize::from(self.size.width()) + usize::from(point.x())
        };
        cell(stone) * self.size.area() + cell(point)
    }

    /// How well the move did for `color`.
    #[inline]
    pub fn quiet(&self, color: Color, point: Point) -> i32 {
        i32::from(self.quiet[color][point.index()])
    }

    /// How well the move did for `color` as an answer to the opponent's stone.
    #[inline]
    pub fn reply(&self, color: Color, before: Before, point: Point) -> i32 {
        before.theirs.map_or(0, |stone| i32::from(self.replies[color][self.pair(stone, point)]))
    }

    /// How well the move did for `color` as a continuation of its own last stone.
    #[inline]
    pub fn plan(&self, color: Color, before: Before, point: Point) -> i32 {
        before.ours.map_or(0, |stone| i32::from(self.plans[color][self.pair(stone, point)]))
    }

    /// `best` caused a cutoff at `depth`; the moves of `tried` did not.
    pub fn reward(
        &mut self,
        color: Color,
        before: Before,
        best: Point,
        tried: &[Point],
        depth: i32,
    ) {
        let bonus = bonus(depth);
        let moves = tried.iter().map(|&point| (point, -bonus)).chain([(best, bonus)]);
        for (point, bonus) in moves {
            update(&mut self.quiet[color][point.index()], bonus);
            if let Some(stone) = before.theirs {
                let pair = self.pair(stone, point);
                update(&mut self.replies[color][pair], bonus);
            }
            if let Some(stone) = before.ours {
                let pair = self.pair(stone, point);
                update(&mut self.plans[color][pair], bonus);
            }
        }
    }
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
        let before = Before { theirs: Some(Point::new(3, 3)), ours: None };
        for _ in 0..10_000 {
            histories.reward(Color::White, before, good, &[bad], 30);
        }
        let elsewhere = Before { theirs: Some(Point::new(4, 4)), ours: before.theirs };
        assert!(histories.quiet(Color::White, good) > LIMIT / 2);
        assert!(histories.quiet(Color::White, bad) < -LIMIT / 2);
        assert!(histories.reply(Color::White, before, good) > LIMIT / 2);
        assert!(histories.reply(Color::White, before, bad) < -LIMIT / 2);
        assert_eq!(histories.reply(Color::White, elsewhere, good), 0);
        assert_eq!(histories.plan(Color::White, elsewhere, good), 0);
        assert_eq!(histories.quiet(Color::Black, good), 0);
    }
}
