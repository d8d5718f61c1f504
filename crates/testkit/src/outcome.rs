//! Fives and draws, found by scanning the whole board.

use std::iter::successors;

use tengen_rules::board::{Board, Cell};
use tengen_rules::types::{Color, DIRECTIONS, Direction, Point, Rule};

/// Whether `color` has a winning five.
pub fn has_five(board: &Board, color: Color) -> bool {
    rows(board, color).any(|row| wins(board, color, &row))
}

/// Whether the stone of `color` on `point` is part of a winning five.
pub fn is_five(board: &Board, point: Point, color: Color) -> bool {
    rows(board, color).any(|row| row.cells.contains(&point) && wins(board, color, &row))
}

/// The empty cells where a stone of `color` completes a five, row by row.
pub fn five_cells(board: &Board, color: Color) -> Vec<Point> {
    let completes = |point: &Point| {
        let mut board = board.clone();
        board.place(*point, color).expect("an empty cell");
        is_five(&board, *point, color)
    };
    board.empty_points().filter(completes).collect()
}

/// Whether the board is full and neither side has a five.
pub fn is_draw(board: &Board) -> bool {
    let full = board.size().points().all(|point| board.cell(point) != Cell::Empty);
    full && !Color::ALL.into_iter().any(|color| has_five(board, color))
}

/// A maximal unbroken row of stones of one colour.
struct Row {
    cells: Vec<Point>,
    before: Point,
    after: Point,
}

/// All rows of `color` in the four directions, including single stones.
fn rows(board: &Board, color: Color) -> impl Iterator<Item = Row> {
    let own = move |point: &Point| board.cell(*point) == Cell::stone(color);
    let row_from = move |start: Point, direction: Direction| {
        let before = start.shift(direction, -1);
        let step = move |point: &Point| Some(point.shift(direction, 1));
        let cells: Vec<Point> = successors(Some(start), step).take_while(own).collect();
        let after = cells.last()?.shift(direction, 1);
        (!own(&before)).then_some(Row { cells, before, after })
    };
    board.size().points().flat_map(move |start| {
        DIRECTIONS.into_iter().filter_map(move |direction| row_from(start, direction))
    })
}

/// Whether the row wins the game for `color`.
fn wins(board: &Board, color: Color, row: &Row) -> bool {
    let length = row.cells.len();
    let other = Cell::stone(color.opponent());
    let enclosed = board.cell(row.before) == other && board.cell(row.after) == other;
    match (board.rule(), color) {
        (Rule::Freestyle, _) | (Rule::Renju, Color::White) => length >= 5,
        (Rule::Standard, _) | (Rule::Renju, Color::Black) => length == 5,
        (Rule::Caro, _) => length == 5 && !enclosed,
        (Rule::CaroOverline, _) => length >= 6 || length == 5 && !enclosed,
    }
}
