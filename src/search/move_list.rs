//! The moves of one node, taken in order of falling score.

use tengen_rules::types::{GRID, Point};

/// A move and its score: that of the evaluator plus the histories (1/256 of the natural logarithm
/// of odds).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScoredMove {
    pub(super) point: Point,
    pub(super) score: i32,
}

/// Moves that are sorted lazily: most nodes end after a few of them.
#[derive(Clone, Default)]
pub(super) struct MoveList {
    points: Vec<Point>,
    /// One key for each point. The best move has the highest key, and a key contains its own place
    /// in the list, so that finding the best is a plain maximum, which compilers vectorise.
    keys: Vec<i32>,
}

/// Bits of a key for its place: the first of equal moves has the highest key.
const PLACE_BITS: u32 = GRID.trailing_zeros();
/// The highest place; no list has more moves than the grid has cells.
const LAST_PLACE: i32 = GRID as i32 - 1;
/// Bound of the scores; the sums of evaluator and histories lie far within it.
const BOUND: i32 = i32::MAX >> PLACE_BITS;

impl MoveList {
    /// Replaces the moves; `scores` has one score per point.
    #[inline]
    pub(super) fn fill(&mut self, points: &[Point], scores: impl Iterator<Item = i32>) {
        self.points.clear();
        self.points.extend_from_slice(points);
        self.keys.clear();
        let scores = scores.enumerate();
        self.keys.extend(scores.map(|(place, score)| key(score.clamp(-BOUND, BOUND), place)));
    }

    /// Adds `bonus` to the score of a move, if its place is `first` or later.
    #[inline]
    pub(super) fn raise(&mut self, first: usize, point: Point, bonus: i32) {
        if let Some(after) = self.points.iter().skip(first).position(|&other| other == point) {
            let place = first + after;
            let raised = score(self.keys[place]) + bonus;
            self.keys[place] = key(raised.clamp(-BOUND, BOUND), place);
        }
    }

    /// Swaps the best of the moves from the place `first` on to `first` and returns it. `None` past
    /// the last move.
    #[inline]
    pub(super) fn take_best(&mut self, first: usize) -> Option<ScoredMove> {
        let best = self.keys.get(first..)?.iter().copied().max()?;
        let place = (LAST_PLACE - (best & LAST_PLACE)) as usize;
        self.points.swap(first, place);
        self.keys[place] = key(score(self.keys[first]), place);
        Some(ScoredMove { point: self.points[first], score: score(best) })
    }
}

#[inline]
fn key(score: i32, place: usize) -> i32 {
    score << PLACE_BITS | (LAST_PLACE - place as i32)
}

#[inline]
fn score(key: i32) -> i32 {
    key >> PLACE_BITS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Each time the first of the best moves is swapped to the front.
        #[test]
        fn take_best_equals_selection_sort(
            scores in prop::collection::vec(-3_000..3_000i32, 0..300),
            flat: bool,
        ) {
            let moves: Vec<ScoredMove> = (0u16..).zip(&scores).map(|(index, &score)| {
                let point = Point::new((index % 20) as u8, (index / 20) as u8);
                ScoredMove { point, score: if flat { score / 1_000 } else { score * 300 } }
            }).collect();
            let mut list = MoveList::default();
            let points: Vec<Point> = moves.iter().map(|scored| scored.point).collect();
            list.fill(&points, moves.iter().map(|scored| scored.score));
            let mut slow = moves;
            for first in 0..slow.len() {
                let rest = &slow[first..];
                let highest = rest.iter().map(|scored| scored.score).max().unwrap();
                let best = rest.iter().position(|scored| scored.score == highest).unwrap();
                slow.swap(first, first + best);
                prop_assert_eq!(list.take_best(first), Some(slow[first]));
            }
            prop_assert_eq!(list.take_best(slow.len()), None);
            prop_assert_eq!(list.take_best(slow.len() + 1), None);
        }
    }

    #[test]
    fn raise_ignores_moves_already_taken() {
        let points: Vec<Point> = (0..4).map(|x| Point::new(x, 0)).collect();
        let mut list = MoveList::default();
        list.fill(&points, [50, 40, 30, 20].into_iter());
        assert_eq!(list.take_best(0).map(|best| best.point), Some(points[0]));
        list.raise(1, points[0], 100);
        list.raise(1, points[3], 15);
        list.raise(1, Point::new(9, 9), 100);
        let rest = [1, 2, 3].map(|place| list.take_best(place).unwrap());
        assert_eq!(rest.map(|best| best.point), [points[1], points[3], points[2]]);
        assert_eq!(rest.map(|best| best.score), [40, 35, 30]);
    }
}
