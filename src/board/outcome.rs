//! Rows of stones, and what ends a game.

use super::{Board, Cell};
use crate::types::{Color, DIRECTIONS, Direction, Point};

/// An unbroken row of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Number of stones.
    pub length: usize,
    /// Whether an opponent stone stands right beyond both ends. Edge, wall and empty cell do
    /// not enclose.
    pub enclosed: bool,
}

/// The row that a stone of `color` on `point` belongs to, or would belong to if it is empty.
pub fn row_through(board: &Board, point: Point, color: Color, direction: Direction) -> Row {
    let own = Cell::stone(color);
    let other = Cell::stone(color.opponent());
    let mut length = 1;
    let mut enclosed = true;
    for sign in [-1, 1] {
        let mut distance = sign;
        while board.cell(point.shift(direction, distance)) == own {
            length += 1;
            distance += sign;
        }
        enclosed &= board.cell(point.shift(direction, distance)) == other;
    }
    Row { length, enclosed }
}

/// Whether a stone of `color` on `point` makes, or made, a winning five.
///
/// Each line is judged alone: a long or enclosed row on one line does not spoil a good five on
/// another.
pub fn makes_five(board: &Board, point: Point, color: Color) -> bool {
    let five = board.rule().five_rule(color);
    DIRECTIONS.into_iter().any(|direction| {
        let row = row_through(board, point, color, direction);
        five.wins(row.length, row.enclosed)
    })
}
