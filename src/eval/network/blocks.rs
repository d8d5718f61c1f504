//! The division of a board into blocks of 3x3 cells.
//!
//! Where a side of the board is not divisible by three, the blocks overhang both borders by the
//! same number of cells (one or two), so that the division is symmetric on every board. Regions
//! ([`super::regions`]) are 2x2 neighbouring blocks.

use tengen_rules::types::{BoardSize, GRID, Point};

/// Cells per side of a block.
pub(super) const BLOCK_SIDE: usize = 3;

/// The blocks of a board, numbered row by row.
pub struct BlockGrid {
    size: BoardSize,
    columns: usize,
    rows: usize,
    /// By cell.
    blocks: Box<[u8; GRID]>,
}

impl BlockGrid {
    /// The blocks of a board of this size.
    pub fn new(size: BoardSize) -> BlockGrid {
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        let columns = count(width);
        let mut blocks = Box::new([0; GRID]);
        for point in size.points() {
            let column = (usize::from(point.x()) + overhang(width)) / BLOCK_SIDE;
            let row = (usize::from(point.y()) + overhang(height)) / BLOCK_SIDE;
            blocks[point.index()] = (row * columns + column) as u8;
        }
        BlockGrid { size, columns, rows: count(height), blocks }
    }

    /// The size of the board.
    pub(super) fn size(&self) -> BoardSize {
        self.size
    }

    /// Blocks per row.
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows of blocks.
    #[inline]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of blocks.
    pub(super) fn len(&self) -> usize {
        self.columns * self.rows
    }

    /// The number of the block that contains this cell of the board.
    #[inline]
    pub fn block(&self, point: Point) -> usize {
        usize::from(self.blocks[point.index()])
    }
}

/// Cells by which the blocks overhang each border of a side with `length` cells.
const fn overhang(length: usize) -> usize {
    // 2 * overhang + length is divisible by BLOCK_SIDE.
    length % BLOCK_SIDE
}

/// Blocks along a side with `length` cells.
const fn count(length: usize) -> usize {
    (length + 2 * overhang(length)) / BLOCK_SIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_symmetric_squares() {
        for (width, height) in (5..=36).map(|side| (side, 41 - side)) {
            let size = BoardSize::new(width, height).unwrap();
            let grid = BlockGrid::new(size);
            let mut cells = vec![0; grid.rows() * grid.columns()];
            for point in size.points() {
                let place = |point| {
                    let block = grid.block(point);
                    (block % grid.columns(), block / grid.columns())
                };
                let (column, row) = place(point);
                cells[grid.block(point)] += 1;
                let opposite = Point::new(size.width() - 1 - point.x(), point.y());
                assert_eq!(place(opposite), (grid.columns() - 1 - column, row));
                let opposite = Point::new(point.x(), size.height() - 1 - point.y());
                assert_eq!(place(opposite), (column, grid.rows() - 1 - row));
            }
            assert!(cells.iter().all(|&cells| (1..=9).contains(&cells)), "{size}: {cells:?}");
        }
        let grid = |text: &str| BlockGrid::new(text.parse().unwrap());
        let extent = |grid: &BlockGrid| [grid.columns(), grid.rows()];
        assert_eq!(extent(&grid("15")), [5, 5]);
        assert_eq!(extent(&grid("20")), [8, 8]);
        let block = |size: &str, x, y| grid(size).block(Point::new(x, y));
        assert_eq!([block("15", 2, 2), block("15", 3, 0), block("15", 0, 3)], [0, 1, 5]);
        assert_eq!([block("20", 0, 0), block("20", 1, 0), block("20", 0, 1)], [0, 1, 8]);
    }
}
