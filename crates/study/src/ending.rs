//! The state of a game, and how it ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::named::{Named, impl_name};
use tengen_rules::game::{self, Game, Offence};
use tengen_rules::threat::Foul;
use tengen_rules::types::Color;

/// The reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Five in a row.
    Five,
    /// The board is full.
    Full,
    /// An illegal move.
    Illegal(Offence),
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 8] = [
        Reason::Five,
        Reason::Full,
        Reason::Illegal(Offence::Foul(Foul::DoubleThree)),
        Reason::Illegal(Offence::Foul(Foul::DoubleFour)),
        Reason::Illegal(Offence::Foul(Foul::Overline)),
        Reason::Illegal(Offence::Occupied),
        Reason::Illegal(Offence::OffBoard),
        Reason::Illegal(Offence::AfterEnd),
    ];

    /// `five`, `full`, or the name of the offence.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Five => "five",
            Reason::Full => "full",
            Reason::Illegal(offence) => offence.name(),
        }
    }
}

impl From<game::Ending> for Reason {
    fn from(ending: game::Ending) -> Reason {
        match ending {
            game::Ending::Five(_) => Reason::Five,
            game::Ending::Full => Reason::Full,
            game::Ending::Illegal(_, offence) => Reason::Illegal(offence),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ending {
    /// The winner; null for a draw.
    pub winner: Option<Named<Color>>,
    /// Five in a row, a full board, or an illegal move.
    pub reason: Named<Reason>,
}

impl From<game::Ending> for Ending {
    fn from(ending: game::Ending) -> Ending {
        Ending { winner: ending.winner().map(Named), reason: Named(ending.into()) }
    }
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The side to move has a legal move.
    Open,
    /// Black is to move, and every empty cell is forbidden.
    OnlyFouls,
    /// The game is over.
    Over(Reason),
}

impl State {
    /// The state of a game.
    pub fn of(game: &Game) -> State {
        match game.ending() {
            Some(ending) => State::Over(ending.into()),
            None if game.legal_moves().next().is_none() => State::OnlyFouls,
            None => State::Open,
        }
    }

    /// All states.
    pub fn all() -> impl Iterator<Item = State> {
        [State::Open, State::OnlyFouls].into_iter().chain(Reason::ALL.map(State::Over))
    }

    /// `open`, `only-fouls`, or the name of the reason for the end of the game.
    pub const fn name(self) -> &'static str {
        match self {
            State::Open => "open",
            State::OnlyFouls => "only-fouls",
            State::Over(reason) => reason.name(),
        }
    }
}

impl_name! {
    Reason, "Reason", Reason::ALL;
    State, "State", State::all().collect::<Vec<_>>();
}
