//! A board as arrays of numbers, for machine learning and statistics.

use tengen_rules::board::{Board, Cell};
use tengen_rules::types::Color;

/// One entry per cell, row by row: one-hot for empty, black and white. A cell out of play is all
/// zeros.
pub fn one_hot(board: &Board) -> Vec<[u8; 3]> {
    per_cell(board, |cell| match cell {
        Cell::Empty => [1, 0, 0],
        Cell::Black => [0, 1, 0],
        Cell::White => [0, 0, 1],
        Cell::Wall => [0, 0, 0],
    })
}

/// One number per cell, row by row, from the view of `color`: 1 for an own stone, -1 for an
/// opponent's stone, 0 for empty or out of play.
pub fn seen_by(board: &Board, color: Color) -> Vec<i8> {
    per_cell(board, |cell| match cell.color() {
        Some(owner) if owner == color => 1,
        Some(_) => -1,
        None => 0,
    })
}

fn per_cell<T>(board: &Board, view: impl Fn(Cell) -> T) -> Vec<T> {
    board.size().points().map(|point| view(board.cell(point))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Rule;

    #[test]
    fn views_encode_every_kind_of_cell() {
        let board = Board::from_diagram(Rule::Renju, "X . #\n. O .\n").unwrap();
        let (empty, black, white) = ([1, 0, 0], [0, 1, 0], [0, 0, 1]);
        assert_eq!(one_hot(&board), [black, empty, [0; 3], empty, white, empty]);
        assert_eq!(seen_by(&board, Color::Black), [1, 0, 0, 0, -1, 0]);
        assert_eq!(seen_by(&board, Color::White), [-1, 0, 0, 0, 1, 0]);
    }
}
