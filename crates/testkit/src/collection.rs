//! The positions of `protocol-tests/fouls.jsonl`.

use serde_json::Value;
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Color, Point, Rule};

/// A renju position with its forbidden points.
pub struct FoulCase {
    /// Name in the collection.
    pub id: String,
    /// The stones on a square board, black to move.
    pub board: Board,
    /// The forbidden points, row by row, with their kind if only one applies.
    pub forbidden: Vec<(Point, Option<String>)>,
    /// The topics of the position.
    pub tags: String,
}

/// The whole collection.
///
/// # Panics
/// When the file cannot be read, or a line does not follow the format described in `README.md`.
pub fn foul_cases() -> Vec<FoulCase> {
    // Read while tests run: a package of this crate, built alone, does not have the file.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocol-tests/fouls.jsonl");
    let file = std::fs::read_to_string(path).expect(path);
    file.lines().map(|line| parse(line).expect(line)).collect()
}

fn parse(line: &str) -> Option<FoulCase> {
    let case: Value = serde_json::from_str(line).ok()?;
    let mut board = Board::new(BoardSize::square(case["size"].as_i64()?).ok()?, Rule::Renju);
    for color in Color::ALL {
        for point in case[color.name()].as_str()?.split_whitespace() {
            board.place(point.parse().ok()?, color).ok()?;
        }
    }
    board.set_side(Color::Black);
    let forbidden = case["forbidden"].as_object()?.iter();
    let forbidden = forbidden.map(|(at, kind)| Some((at.parse().ok()?, kind.as_str())));
    let mut forbidden: Vec<(Point, Option<&str>)> = forbidden.collect::<Option<_>>()?;
    forbidden.sort();
    let forbidden = forbidden.into_iter().map(|(at, kind)| (at, kind.map(str::to_owned))).collect();
    let text = |field: &str| Some(case[field].as_str()?.to_owned());
    Some(FoulCase { id: text("id")?, board, forbidden, tags: text("tags")? })
}
