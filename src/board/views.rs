//! A board as plain numbers, for programs that learn or count.

use super::{Board, Cell};
use crate::types::Color;

impl Board {
    /// One entry per cell, row by row: whether it is empty, black, white. A cell out of play is
    /// none of the three.
    pub fn one_hot(&self) -> Vec<[u8; 3]> {
        self.per_cell(|cell| match cell {
            Cell::Empty => [1, 0, 0],
            Cell::Black => [0, 1, 0],
            Cell::White => [0, 0, 1],
            Cell::Wall => [0, 0, 0],
        })
    }

    /// One number per cell, row by row, as `color` sees it: 1 its own stone, -1 the opponent's,
    /// 0 empty or out of play.
    pub fn seen_by(&self, color: Color) -> Vec<i8> {
        self.per_cell(|cell| match cell.color() {
            Some(owner) if owner == color => 1,
            Some(_) => -1,
            None => 0,
        })
    }

    /// Whether each cell is empty, row by row.
    pub fn empty_mask(&self) -> Vec<bool> {
        self.per_cell(|cell| cell == Cell::Empty)
    }

    fn per_cell<T>(&self, view: impl Fn(Cell) -> T) -> Vec<T> {
        self.size().points().map(|point| view(self.cell(point))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Rule;

    #[test]
    fn views_tell_the_cells_apart() {
        let board = Board::from_diagram(Rule::Renju, "X . #\n. O .\n").unwrap();
        let (empty, black, white) = ([1, 0, 0], [0, 1, 0], [0, 0, 1]);
        assert_eq!(board.one_hot(), [black, empty, [0; 3], empty, white, empty]);
        assert_eq!(board.seen_by(Color::Black), [1, 0, 0, 0, -1, 0]);
        assert_eq!(board.seen_by(Color::White), [-1, 0, 0, 0, 1, 0]);
        assert_eq!(board.empty_mask(), [false, true, false, true, false, true]);
    }
}
