//! Moves that the manager does not want to see as an answer.

use crate::board::Stone;
use crate::types::Point;

/// Excluded moves, and games whose last move is excluded.
#[derive(Clone, Debug, Default)]
pub(super) struct Exclusions {
    points: Vec<Point>,
    paths: Vec<Vec<Point>>,
}

/// Most excluded games kept. "All but one" on the largest board takes one for each cell.
const MOST_PATHS: usize = 4096;

impl Exclusions {
    pub(super) fn exclude(&mut self, point: Point) {
        if !self.points.contains(&point) {
            self.points.push(point);
        }
    }

    pub(super) fn include(&mut self, point: Point) {
        self.points.retain(|&excluded| excluded != point);
    }

    pub(super) fn include_all(&mut self) {
        self.points.clear();
    }

    pub(super) fn exclude_path(&mut self, path: Vec<Point>) {
        if self.paths.len() < MOST_PATHS && !self.paths.contains(&path) {
            self.paths.push(path);
        }
    }

    pub(super) fn include_path(&mut self, path: &[Point]) {
        self.paths.retain(|excluded| excluded != path);
    }

    pub(super) fn include_all_paths(&mut self) {
        self.paths.clear();
    }

    /// The moves excluded after these stones: a path counts once its last move is next.
    pub(super) fn after(&self, stones: &[Stone]) -> Vec<Point> {
        let next = self.paths.iter().filter_map(|path| {
            let (last, before) = path.split_last()?;
            let played = stones.iter().map(|stone| stone.point);
            played.eq(before.iter().copied()).then_some(*last)
        });
        self.points.iter().copied().chain(next).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Color;

    #[test]
    fn a_path_excludes_its_last_move_only() {
        let (a, b, c) = (Point::new(7, 7), Point::new(8, 8), Point::new(9, 9));
        let mut exclusions = Exclusions::default();
        exclusions.exclude(c);
        exclusions.exclude(c);
        exclusions.exclude_path(vec![a, b]);
        let stone = |point| Stone { point, color: Color::Black };
        assert_eq!(exclusions.after(&[]), [c]);
        assert_eq!(exclusions.after(&[stone(a)]), [c, b]);
        assert_eq!(exclusions.after(&[stone(b)]), [c]);
        exclusions.include(c);
        exclusions.include_path(&[a, b]);
        assert!(exclusions.after(&[stone(a)]).is_empty());
    }
}
