//! Naive twins: the rules again, as their definitions read, without a table or a counter. Slow,
//! short, and what every incremental structure is compared with. Compiled for tests only.

mod census;
mod data;
mod diagrams;
mod foul;
mod foul_play_tests;
mod foul_tests;
mod four_three_tests;
mod outcome;
mod outcome_tests;
mod random;
mod random_tests;

pub use foul::{foul_at, fouls};
pub use outcome::{five_cells, has_five, is_draw, is_five};
pub use random::random_walk;

use crate::board::Board;
use crate::types::{Color, Point};

/// The board once the side to move has played there.
fn after(board: &Board, point: Point) -> Board {
    let mut board = board.clone();
    board.place(point, board.side_to_move());
    board
}

/// Whether a stone of `color` on the empty cell would be a foul.
fn is_foul(board: &Board, point: Point, color: Color) -> bool {
    board.rule().has_fouls(color) && foul_at(board, point).is_some()
}
