//! What earlier nodes taught about moves.

use crate::types::{ByColor, Color, GRID, Point};

/// Bound of every history value.
const LIMIT: i32 = 16_384;

/// Move statistics of one thread.
pub struct Histories {
    quiet: ByColor<Box<[i16]>>,
    counter: ByColor<Box<[Option<Point>]>>,
}

impl Histories {
    /// Statistics that know nothing.
    pub fn new() -> Histories {
        Histories {
            quiet: ByColor::from_fn(|_| vec![0; GRID].into()),
            counter: ByColor::from_fn(|_| vec![None; GRID].into()),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::new();
    }

    /// How well the move did for `color`, within plus and minus 16384.
    #[inline]
    pub fn quiet(&self, color: Color, point: Point) -> i32 {
        i32::from(self.quiet[color][point.index()])
    }

    /// The move that last refuted `previous`, a move of the opponent of `color`.
    #[inline]
    pub fn counter(&self, color: Color, previous: Option<Point>) -> Option<Point> {
        self.counter[color][previous?.index()]
    }

    /// `best` caused a cutoff at `depth`; the moves of `tried` did not.
    pub fn reward(
        &mut self,
        color: Color,
        best: Point,
        tried: &[Point],
        previous: Option<Point>,
        depth: i32,
    ) {
        let bonus = bonus(depth);
        update(&mut self.quiet[color][best.index()], bonus);
        for point in tried {
            update(&mut self.quiet[color][point.index()], -bonus);
        }
        if let Some(previous) = previous {
            self.counter[color][previous.index()] = Some(best);
        }
    }
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
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
        let mut histories = Histories::new();
        let (good, bad) = (Point::new(1, 1), Point::new(2, 2));
        for _ in 0..10_000 {
            histories.reward(Color::White, good, &[bad], None, 30);
        }
        assert!(histories.quiet(Color::White, good) > LIMIT / 2);
        assert!(histories.quiet(Color::White, bad) < -LIMIT / 2);
        assert_eq!(histories.quiet(Color::Black, good), 0);
    }
}
