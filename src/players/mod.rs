//! Players of different strength: levels that play like people, from first steps to full strength,
//! and textbook players.
//!
//! A player chooses a legal move in a position. Random choices depend only on its seed, and its
//! effort is limited in nodes or plies instead of time: the same seed plays the same game on slow
//! and fast machines. Time limits are respected as well, as a last resort for callers with a clock.
//!
//! ```
//! use tengen::players::PlayerName;
//! use tengen::{BoardSize, Game, Limits, Options, Rule};
//!
//! let mut game = Game::new(BoardSize::square(9)?, Rule::Freestyle);
//! let names: [PlayerName; 2] = ["level:beginner".parse()?, "bot:one-ply".parse()?];
//! let mut players = names.map(|name| name.player(Options::default(), Some(7)));
//! let mut turn = 0;
//! while let Some(point) = players[turn % 2].best_move(&game, Limits::unlimited()) {
//!     game.play(point);
//!     turn += 1;
//! }
//! assert!(game.ending().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

use crate::engine::{Engine, Limits, Request, Silent, StopSwitch};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::Point;

/// A player that chooses moves.
pub trait Player: Send {
    /// A legal move for the side to move within the limits of `request`, or earlier after `stop`.
    /// Textbook players use only the time limits and ignore excluded moves. `None` only if the
    /// board is full; a foul only if no other move is left.
    fn choose(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
    ) -> Option<Point>;

    /// The move to play within these limits; `None` when the game is over.
    fn best_move(&mut self, game: &Game, limits: Limits) -> Option<Point> {
        if game.ending().is_some() {
            return None;
        }
        self.choose(game.position(), &Request::new(limits), &StopSwitch::new())
    }

    /// Clears the state of the previous game.
    fn new_game(&mut self);
}

/// The engine at full strength.
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

/// The legal moves near the stones; if there are none, every legal move, and as a last resort any
/// empty cell. Empty only on a full board.
fn legal_moves(position: &Position) -> Vec<Point> {
    let mut moves = legal_moves_except(position, &[]);
    if moves.is_empty() {
        moves.extend(position.board().empty_points().next());
    }
    moves
}

/// The legal moves near the stones that are not in `avoided`; if there are none, all legal moves
/// not in `avoided`.
fn legal_moves_except(position: &Position, avoided: &[Point]) -> Vec<Point> {
    let side = position.side_to_move();
    let is_allowed = |point: &Point| !avoided.contains(point) && !is_foul(position, *point, side);
    let mut moves: Vec<Point> = position.candidates().filter(is_allowed).collect();
    if moves.is_empty() {
        moves.extend(position.board().empty_points().filter(is_allowed));
    }
    moves
}
