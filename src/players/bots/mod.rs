//! Textbook players: random moves, patterns one ply deep, minimax.

mod minimax;
mod one_ply;

use std::fmt;
use std::str::FromStr;

use super::Player;
use crate::engine::{Request, StopSwitch};
use crate::random::Random;
use minimax::Minimax;
use one_ply::OnePly;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::Point;

pub use one_ply::Weights;

/// A textbook player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bot {
    /// Any legal move.
    Random,
    /// The cell with the highest pattern value, for the player plus for the opponent.
    OnePly(Weights),
    /// Minimax of 2 plies over the 12 best cells of [`Bot::OnePly`].
    Minimax2,
    /// Minimax of 5 plies over the 15 best cells of [`Bot::OnePly`].
    Minimax5,
}

/// An error: the text is not the name of a textbook player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseBotError(String);

impl Bot {
    /// Every textbook player, weakest first.
    pub const ALL: [Bot; 4] =
        [Bot::Random, Bot::OnePly(Weights::EVEN), Bot::Minimax2, Bot::Minimax5];

    /// A description in one line.
    pub const fn about(self) -> &'static str {
        match self {
            Bot::Random => "any legal move",
            Bot::OnePly(_) => {
                "the cell whose patterns count most; one-ply:attack=N,defence=N weighs them"
            }
            Bot::Minimax2 => "minimax, 2 plies, 12 candidates",
            Bot::Minimax5 => "minimax, 5 plies, 15 candidates",
        }
    }

    /// The player with this seed.
    pub fn player(self, seed: u64) -> Box<dyn Player> {
        let random = Random::new(seed);
        match self {
            Bot::Random => Box::new(RandomMover { random }),
            Bot::OnePly(weights) => Box::new(OnePly::new(weights, random)),
            Bot::Minimax2 => Box::new(Minimax::new(2, 12, random)),
            Bot::Minimax5 => Box::new(Minimax::new(5, 15, random)),
        }
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bot::Random => f.write_str("random"),
            Bot::OnePly(weights) if *weights == Weights::EVEN => f.write_str("one-ply"),
            Bot::OnePly(weights) => write!(f, "one-ply:{weights}"),
            Bot::Minimax2 => f.write_str("minimax-2"),
            Bot::Minimax5 => f.write_str("minimax-5"),
        }
    }
}

impl fmt::Display for ParseBotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown bot {:?}: expected random, one-ply, one-ply:attack=N,defence=N \
             (0 to 1000), minimax-2 or minimax-5",
            self.0
        )
    }
}

impl std::error::Error for ParseBotError {}

impl FromStr for Bot {
    type Err = ParseBotError;

    fn from_str(text: &str) -> Result<Bot, ParseBotError> {
        let error = || ParseBotError(text.to_string());
        let text = &text.to_ascii_lowercase();
        if let Some(weights) = text.strip_prefix("one-ply:") {
            return weights.parse().map(Bot::OnePly).map_err(|()| error());
        }
        Bot::ALL.into_iter().find(|bot| bot.to_string() == *text).ok_or_else(error)
    }
}

/// Plays random legal moves.
struct RandomMover {
    random: Random,
}

impl Player for RandomMover {
    fn choose(&mut self, position: &Position, _: &Request, _: &StopSwitch) -> Option<Point> {
        let side = position.side_to_move();
        let free: Vec<Point> = position
            .board()
            .empty_points()
            .filter(|&point| !is_foul(position, point, side))
            .collect();
        self.random.choose(&free).copied().or_else(|| position.board().empty_points().next())
    }

    fn new_game(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for bot in Bot::ALL {
            assert_eq!(bot.to_string().parse(), Ok(bot));
        }
        let weighted: Bot = "one-ply:attack=2,defence=0.5".parse().unwrap();
        assert_eq!(weighted, Bot::OnePly(Weights { attack: 2.0, defence: 0.5 }));
        assert_eq!(weighted.to_string().parse(), Ok(weighted));
        for bad in ["", "one-ply:", "one-ply:attack=x", "one-ply:attack=-1", "one-ply:attack=nan"] {
            let error = bad.parse::<Bot>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("unknown bot {bad:?}")), "{error}");
        }
    }
}
