//! The collection of renju positions in `protocol-tests/fouls.jsonl` as boards.

use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Color, Point, Rule};

use crate::collection;

/// A position with its forbidden points.
pub struct FoulCase {
    /// Name in the collection.
    pub id: String,
    /// The stones, black to move.
    pub board: Board,
    /// The forbidden points, row by row, with their kind if only one applies.
    pub forbidden: Vec<(Point, Option<String>)>,
}

/// The whole collection.
pub fn foul_cases() -> Vec<FoulCase> {
    collection::foul_cases().into_iter().map(FoulCase::of).collect()
}

impl FoulCase {
    fn of(case: collection::FoulCase) -> FoulCase {
        let point = |text: &str| text.parse::<Point>().expect("a point");
        let size = BoardSize::square(case.size.into()).expect("a size");
        let mut board = Board::new(size, Rule::Renju);
        for (stones, color) in [(&case.black, Color::Black), (&case.white, Color::White)] {
            stones
                .split_whitespace()
                .for_each(|at| board.place(point(at), color).expect("an empty cell"));
        }
        board.set_side(Color::Black);
        let forbidden = case.forbidden.into_iter().map(|(at, kind)| (point(&at), kind)).collect();
        FoulCase { id: case.id, board, forbidden }
    }
}
