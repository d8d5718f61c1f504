//! Naive twins: the rules again, as their definitions read, without a table or a counter. Slow,
//! short, and what every incremental structure is compared with. For tests only, those of the
//! programs too; no other module may import it.

#[cfg(test)]
mod census;
#[cfg(test)]
pub mod data;
#[cfg(test)]
mod diagrams;
#[cfg(test)]
mod evaluation_tests;
#[cfg(test)]
pub mod forced_wins;
mod foul;
#[cfg(test)]
mod foul_play_tests;
#[cfg(test)]
mod foul_tests;
#[cfg(test)]
mod four_three_tests;
#[cfg(test)]
mod named_tests;
mod outcome;
#[cfg(test)]
mod outcome_tests;
#[cfg(test)]
mod random;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod search_tests;
#[cfg(test)]
mod vcf_tests;

pub use foul::{foul_at, fouls};
pub use outcome::{five_cells, has_five, is_draw, is_five};
#[cfg(test)]
pub use random::random_walk;

use crate::board::Board;
use crate::types::{Color, Point};

/// The board once the side to move has played there.
#[cfg(test)]
pub fn after(board: &Board, point: Point) -> Board {
    let mut board = board.clone();
    board.place(point, board.side_to_move());
    board
}

/// Whether a stone of `color` on the empty cell would be a foul.
pub fn is_foul(board: &Board, point: Point, color: Color) -> bool {
    board.rule().has_fouls(color) && foul_at(board, point).is_some()
}
