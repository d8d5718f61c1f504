//! A set of cells.

use tengen_rules::types::{GRID, Point};

/// A set of cells of the padded grid, one bit each.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PointSet([u64; GRID / 64]);

impl PointSet {
    pub(super) const EMPTY: PointSet = PointSet([0; GRID / 64]);

    pub(super) fn insert(&mut self, point: Point) {
        self.0[point.index() / 64] |= 1 << (point.index() % 64);
    }

    pub(super) fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 == 1
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        points.into_iter().for_each(|point| self.insert(point));
    }
}
