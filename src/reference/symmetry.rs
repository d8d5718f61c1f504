//! The eight ways to turn and mirror a board.

use crate::board::Board;
use crate::types::{BoardSize, Point};

/// One of the eight symmetries: first mirror columns, then rows, then swap the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    mirror_x: bool,
    mirror_y: bool,
    transpose: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|bits| Symmetry {
            mirror_x: bits & 1 != 0,
            mirror_y: bits & 2 != 0,
            transpose: bits & 4 != 0,
        })
    }

    /// Where the cell `point` of a board of this size goes.
    pub fn point(self, size: BoardSize, point: Point) -> Point {
        let x = if self.mirror_x { size.width() - 1 - point.x() } else { point.x() };
        let y = if self.mirror_y { size.height() - 1 - point.y() } else { point.y() };
        if self.transpose { Point::new(y, x) } else { Point::new(x, y) }
    }

    /// The board turned: stones in the same order, walls, side to move.
    pub fn board(self, board: &Board) -> Board {
        let size = board.size();
        let (mut width, mut height) = (size.width(), size.height());
        if self.transpose {
            (width, height) = (height, width);
        }
        let turned_size = BoardSize::new(width.into(), height.into()).expect("sides only swapped");
        let mut turned = Board::new(turned_size, board.rule());
        for wall in board.walls() {
            turned.wall(self.point(size, wall));
        }
        for stone in board.history() {
            turned.place(self.point(size, stone.point), stone.color);
        }
        turned.set_side(board.side_to_move());
        turned
    }
}
