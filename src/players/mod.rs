//! Players with a character of their own: levels that play like people, from first steps to
//! full strength, and the players of the textbooks.
//!
//! A player answers a position with a legal move. What it draws by chance it draws from its seed,
//! and what it may cost is counted in nodes or plies, never in time: the same seed plays the same
//! game on a slow machine and on a fast one. Time limits are kept all the same, as the last resort
//! of a caller who has a clock.

mod bots;
mod level;
mod name;
mod person;
mod sight;
#[cfg(test)]
mod tests;

pub use bots::{Bot, ParseBotError, Weights};
pub use level::{LEVELS, Level, Skill};
pub use name::{ParsePlayerError, PlayerName};
pub use person::Person;
pub use sight::Sight;

use crate::engine::{Engine, Request, Silent, StopSwitch};
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::Point;

/// Somebody who answers positions with moves.
pub trait Player: Send {
    /// A legal move for the side to move within the limits of `request`, ended early by `stop`.
    /// Textbook players use the time limits only and do not exclude moves. `None` only when the
    /// board is full; a foul only when nothing else is left.
    fn choose(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
    ) -> Option<Point>;

    /// Forgets the game that was played so far.
    fn new_game(&mut self);
}

/// The engine at full strength: the untouched search, the same move for the same limits.
impl Player for Engine {
    fn choose(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
    ) -> Option<Point> {
        self.think(position, request, stop, &mut Silent).best()
    }

    fn new_game(&mut self) {
        Engine::new_game(self);
    }
}

/// The legal moves near the stones; where there are none, every legal move, and as a last resort
/// some move. Empty only on a full board.
fn legal_moves(position: &Position) -> Vec<Point> {
    let mut moves = legal_moves_but(position, &[]);
    if moves.is_empty() {
        moves.extend(position.board().empty_points().next());
    }
    moves
}

/// The legal moves near the stones that are not in `avoided`; where there are none, all such moves.
fn legal_moves_but(position: &Position, avoided: &[Point]) -> Vec<Point> {
    let side = position.side_to_move();
    let is_meant = |point: &Point| !avoided.contains(point) && !is_foul(position, *point, side);
    let mut moves: Vec<Point> = position.candidates().filter(is_meant).collect();
    if moves.is_empty() {
        moves.extend(position.board().empty_points().filter(is_meant));
    }
    moves
}
