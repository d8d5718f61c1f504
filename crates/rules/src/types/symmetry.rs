//! The eight rotations and reflections of a board.

use super::{BoardSize, Coordinates, Point};

/// A turn or reflection of a board: first mirror the columns, then the rows, then swap the two.
///
/// ```
/// use tengen_rules::{BoardSize, Point, Symmetry};
///
/// let size = BoardSize::new(15, 20)?;
/// let quarter = Symmetry::ALL[6];
/// assert_eq!(quarter.size(size).to_string(), "20x15");
/// assert_eq!(quarter.point(size, Point::new(0, 0)), Point::new(19, 0));
/// # Ok::<(), tengen_rules::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    mirror_x: bool,
    mirror_y: bool,
    transpose: bool,
}

impl Symmetry {
    /// The symmetry that leaves every cell in its place.
    pub const IDENTITY: Symmetry = Symmetry::ALL[0];

    /// All eight, [`Symmetry::IDENTITY`] first. Number 3 is the half turn; 6 turns a quarter clockwise and
    /// 5 a quarter the other way.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry { mirror_x: false, mirror_y: false, transpose: false }; 8];
        let mut bits = 0;
        while bits < 8 {
            all[bits].mirror_x = bits & 1 != 0;
            all[bits].mirror_y = bits & 2 != 0;
            all[bits].transpose = bits & 4 != 0;
            bits += 1;
        }
        all
    };

    /// The symmetries that map a board of this size onto itself: eight on a square, four on a
    /// rectangle.
    pub fn of_size(size: BoardSize) -> &'static [Symmetry] {
        if size.width() == size.height() { &Symmetry::ALL } else { &Symmetry::ALL[..4] }
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        if self.transpose {
            Symmetry { mirror_x: self.mirror_y, mirror_y: self.mirror_x, transpose: true }
        } else {
            self
        }
    }

    /// The extents of the turned board.
    #[must_use]
    pub const fn size(self, size: BoardSize) -> BoardSize {
        if self.transpose { size.transposed() } else { size }
    }

    /// The image of the cell `point` of a board of this size.
    #[must_use]
    pub fn point(self, size: BoardSize, point: Point) -> Point {
        let x = if self.mirror_x { size.width() - 1 - point.x() } else { point.x() };
        let y = if self.mirror_y { size.height() - 1 - point.y() } else { point.y() };
        if self.transpose { Point::new(y, x) } else { Point::new(x, y) }
    }

    /// Like [`Symmetry::point`], for coordinates that need not lie on the board.
    #[must_use]
    pub fn coordinates(self, size: BoardSize, at: Coordinates) -> Coordinates {
        let mirror = |side: u8, at: i64| (i64::from(side) - 1).saturating_sub(at);
        let x = if self.mirror_x { mirror(size.width(), at.x) } else { at.x };
        let y = if self.mirror_y { mirror(size.height(), at.y) } else { at.y };
        if self.transpose { Coordinates { x: y, y: x } } else { Coordinates { x, y } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_permute_the_cells_and_are_undone() {
        for (width, height) in [(5, 5), (9, 6), (1, 7)] {
            let size = BoardSize::new(width, height).unwrap();
            for symmetry in Symmetry::ALL {
                let turned = symmetry.size(size);
                let mut images: Vec<Point> =
                    size.points().map(|point| symmetry.point(size, point)).collect();
                for (&image, point) in images.iter().zip(size.points()) {
                    assert!(turned.contains(image), "{symmetry:?}, {point}");
                    assert_eq!(symmetry.inverse().point(turned, image), point);
                    assert_eq!(symmetry.coordinates(size, point.into()), image.into());
                    assert_eq!(Symmetry::IDENTITY.point(size, point), point);
                }
                images.sort();
                images.dedup();
                assert_eq!(images.len(), size.area(), "{symmetry:?}");
            }
        }
    }

    #[test]
    fn all_eight_differ_and_quarters_turn() {
        let size = BoardSize::new(9, 6).unwrap();
        let corner = Point::new(1, 0);
        let images = Symmetry::ALL.map(|symmetry| symmetry.point(size, corner).to_string());
        assert_eq!(images, ["1,0", "7,0", "1,5", "7,5", "0,1", "0,7", "5,1", "5,7"]);
        assert_eq!(Symmetry::of_size(size).len(), 4);
        assert_eq!(Symmetry::of_size(BoardSize::square(9).unwrap()).len(), 8);
    }
}
