//! Slow reference implementations for tests (slow twins): they follow the definitions of the rules,
//! without tables or counters. Every incremental structure is compared with its twin. The crate also
//! holds random positions and test data.

pub mod census;
pub mod collection;
pub mod diagrams;
pub mod effort;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub mod faults;
pub mod forced_wins;
pub mod foul;
mod outcome;
pub mod problems;
pub mod random;

pub use foul::{foul_at, fouls};
pub use outcome::{five_cells, has_five, is_draw, is_five};
pub use random::random_walk;

use tengen_rules::board::Board;
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, Color, Point, Rule};

/// The game on 15x15 with these moves, such as `h8 h9`.
///
/// # Panics
/// If a name is invalid, or a move illegal.
pub fn game(rule: Rule, moves: &str) -> Game {
    let mut game = Game::new(BoardSize::square(15).expect("a valid size"), rule);
    for name in moves.split_whitespace() {
        let at = game.point(name).unwrap_or_else(|error| panic!("{moves}: {error}"));
        game.try_play(at).unwrap_or_else(|offence| panic!("{moves}: {name}: {offence}"));
    }
    game
}

/// The board after a move of the side to move.
pub fn after(board: &Board, point: Point) -> Board {
    let mut board = board.clone();
    board.place(point, board.side_to_move()).expect("an empty cell");
    board
}

/// Whether a stone of `color` on the empty cell would be a foul.
pub fn is_foul(board: &Board, point: Point, color: Color) -> bool {
    board.rule().has_fouls(color) && foul_at(board, point).is_some()
}
