//! Rows of stones, and what ends a game.

use super::{Board, Cell, Stone};
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
    DIRECTIONS.into_iter().any(|way| makes_five_on(board, point, color, way))
}

/// Whether it does so on this line.
pub fn makes_five_on(board: &Board, point: Point, color: Color, direction: Direction) -> bool {
    let row = row_through(board, point, color, direction);
    board.rule().five_rule(color).wins(row.length, row.enclosed)
}

/// The cells of the row that a stone of `color` on `point` belongs to, in no order.
pub fn row_stones(board: &Board, point: Point, color: Color, direction: Direction) -> Vec<Point> {
    let is_own = |&cell: &Point| board.cell(cell) == Cell::stone(color);
    let run = |sign: isize| (1..).map(move |steps| point.shift(direction, sign * steps));
    run(-1).take_while(is_own).chain([point]).chain(run(1).take_while(is_own)).collect()
}

/// The stones of every row that wins by the stone of `color` on `point`, row by row.
pub fn winning_row(board: &Board, point: Point, color: Color) -> Vec<Point> {
    let wins = |&way: &Direction| makes_five_on(board, point, color, way);
    let rows = DIRECTIONS.into_iter().filter(wins);
    let mut stones: Vec<Point> =
        rows.flat_map(|way| row_stones(board, point, color, way)).collect();
    stones.sort();
    stones.dedup();
    stones
}

/// How stones alone end a game. Fouls and other offences are the business of [`crate::Game`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This player has a winning five.
    Five(Color),
    /// The board is full and nobody has won.
    Full,
}

impl Outcome {
    /// The outcome once `stone` stands on the board, for a game that went on before it. A five
    /// is seen before a full board.
    pub fn after(board: &Board, stone: Stone) -> Option<Outcome> {
        if makes_five(board, stone.point, stone.color) {
            return Some(Outcome::Five(stone.color));
        }
        (board.empty_count() == 0).then_some(Outcome::Full)
    }

    /// The outcome of a board that somebody set up. Where both players have a five, the one who
    /// is not to move has won: that stone came last.
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
    fn set_up_boards_know_their_outcome() {
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
    fn full_boards_are_drawn_unless_somebody_has_five() {
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
