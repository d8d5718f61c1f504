//! Rows of stones, and what ends a game.

use super::{Board, Cell, Stone};
use crate::types::{Color, DIRECTIONS, Direction, Point};

/// An unbroken row of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Number of stones.
    pub length: usize,
    /// Whether opponent stones stand directly beyond both ends. Edges, walls and empty cells do
    /// not enclose a row.
    pub enclosed: bool,
}

/// The row that a stone of `color` on `point` belongs to, or would belong to if `point` is empty.
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
/// Each line is judged separately: an overlong or enclosed row on one line does not invalidate a
/// five on another.
pub fn makes_five(board: &Board, point: Point, color: Color) -> bool {
    DIRECTIONS.into_iter().any(|way| makes_five_on(board, point, color, way))
}

/// Like [`makes_five`], on one line.
pub fn makes_five_on(board: &Board, point: Point, color: Color, direction: Direction) -> bool {
    let row = row_through(board, point, color, direction);
    board.rule().five_rule(color).wins(row.length, row.enclosed)
}

/// The cells of the row that a stone of `color` on `point` belongs to, in no particular order.
pub fn row_stones(board: &Board, point: Point, color: Color, direction: Direction) -> Vec<Point> {
    let is_own = |&cell: &Point| board.cell(cell) == Cell::stone(color);
    let run = |sign: isize| (1..).map(move |steps| point.shift(direction, sign * steps));
    run(-1).take_while(is_own).chain([point]).chain(run(1).take_while(is_own)).collect()
}

/// The stones of every winning row through the stone of `color` on `point`, row by row.
pub fn winning_row(board: &Board, point: Point, color: Color) -> Vec<Point> {
    let wins = |&way: &Direction| makes_five_on(board, point, color, way);
    let rows = DIRECTIONS.into_iter().filter(wins);
    let mut stones: Vec<Point> =
        rows.flat_map(|way| row_stones(board, point, color, way)).collect();
    stones.sort();
    stones.dedup();
    stones
}

/// A result that the stones alone decide. Fouls and other offences are left to [`Game`](crate::Game).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This player has a winning five.
    Five(Color),
    /// The board is full and neither player has won.
    Full,
}

impl Outcome {
    /// The outcome after `stone`, which is already on the board, if the game was not over before
    /// it. A five takes precedence over a full board.
    pub fn after(board: &Board, stone: Stone) -> Option<Outcome> {
        if makes_five(board, stone.point, stone.color) {
            return Some(Outcome::Five(stone.color));
        }
        (board.empty_count() == 0).then_some(Outcome::Full)
    }

    /// The outcome of a set-up board. If both players have a five, the one not to move has won:
    /// its stone is assumed to be the last.
    pub fn of(board: &Board) -> Option<Outcome> {
        let has_five = |color: Color| {
            let mut own = board.history().iter().filter(|stone| stone.color == color);
            own.any(|stone| makes_five(board, stone.point, color))
        };
        let waiting = board.side_to_move().opponent();
        let winner = [waiting, waiting.opponent()].into_iter().find(|&color| has_five(color));
        let full = (board.empty_count() == 0).then_some(Outcome::Full);
        winner.map(Outcome::Five).or(full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Rule;

    fn outcome(rule: Rule, text: &str, side: Color) -> Option<Outcome> {
        let mut board = Board::from_diagram(rule, text).unwrap();
        board.set_side(side);
        Outcome::of(&board)
    }

    #[test]
    fn set_up_boards_have_an_outcome() {
        let five = "XXXXX.\n.OOOO.\n......\n......\n......\n";
        for side in Color::ALL {
            assert_eq!(outcome(Rule::Caro, five, side), Some(Outcome::Five(Color::Black)));
            assert_eq!(outcome(Rule::Caro, &five.replacen('X', ".", 1), side), None);
            let both = five.replace(".OOOO.", ".OOOOO");
            let last = side.opponent();
            assert_eq!(outcome(Rule::Standard, &both, side), Some(Outcome::Five(last)));
        }
        let six = five.replace("XXXXX.", "XXXXXX");
        assert_eq!(outcome(Rule::Renju, &six, Color::White), None);
        let winner = Some(Outcome::Five(Color::Black));
        assert_eq!(outcome(Rule::Freestyle, &six, Color::White), winner);
    }

    #[test]
    fn full_boards_without_a_five_are_draws() {
        let full = "XOXOX\nXOXOX\nOXOXO\nOXOXO\nXOXOX";
        assert_eq!(outcome(Rule::Renju, full, Color::White), Some(Outcome::Full));
        assert_eq!(
            outcome(Rule::Renju, &full.replace("XOXOX\nXO", "XOXOX\n#."), Color::White),
            None
        );
        let won = full.replacen("XOXOX", "XXXXX", 1);
        assert_eq!(outcome(Rule::Renju, &won, Color::White), Some(Outcome::Five(Color::Black)));
        assert_eq!(outcome(Rule::Renju, "XOX#\nOX#O", Color::White), Some(Outcome::Full));
    }
}
