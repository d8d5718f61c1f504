//! The collection of renju positions in `protocol-tests/fouls.jsonl`, one a line, each with the
//! complete list of points forbidden to black. A kind is `null` where several apply.

use serde_json::Value;

use crate::board::Board;
use crate::types::{BoardSize, Color, Point, Rule};

/// A position with its forbidden points.
pub struct FoulCase {
    /// Name in the collection.
    pub id: String,
    /// The stones, black to move.
    pub board: Board,
    /// Forbidden points, row by row, with the kind where only one applies.
    pub forbidden: Vec<(Point, Option<String>)>,
}

/// The whole collection.
pub fn foul_cases() -> Vec<FoulCase> {
    include_str!("../../protocol-tests/fouls.jsonl").lines().map(parse).collect()
}

fn parse(line: &str) -> FoulCase {
    let case: Value = serde_json::from_str(line).expect("a JSON object");
    let text = |field: &str| case[field].as_str().expect("a string").to_owned();
    let point = |text: &str| text.parse::<Point>().expect("a point");
    let side = case["size"].as_i64().expect("a number");
    let mut board = Board::new(BoardSize::square(side).expect("a size"), Rule::Renju);
    for color in Color::ALL {
        for stone in text(color.name()).split_whitespace() {
            board.place(point(stone), color);
        }
    }
    board.set_side(Color::Black);
    let forbidden = case["forbidden"].as_object().expect("an object");
    let mut forbidden: Vec<(Point, Option<String>)> =
        forbidden.iter().map(|(at, kind)| (point(at), kind.as_str().map(str::to_owned))).collect();
    forbidden.sort();
    FoulCase { id: text("id"), board, forbidden }
}
