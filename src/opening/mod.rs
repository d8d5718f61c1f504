//! Opening rules, which decide the colours: where stones may be placed, and who may swap when. The
//! answers come from people, or from an [`Adviser`], which uses [`engine::opening_search`](crate::engine::opening_search).
//!
//! *Swap*: the first player places three stones anywhere; the other player takes a colour.
//! *Swap2* adds a third choice: the other player places two more stones, and the first player takes
//! a colour.
//!
//! *Soosõrv-8*: the first player places one of the 26 openings (black in the centre, white next
//! to it, black within the central 5x5); the other may swap; white places the fourth stone and
//! requests 1 to 8 fifth moves; the other may swap; black offers that many, no two of them equal by
//! symmetry; white picks one and continues.
//!
//! *Taraguchi-10*: black in the centre, white within the central 3x3, black within 5x5, white
//! within 7x7, and after each of these stones the other player may swap. After the fourth stone
//! there is another choice: black offers, without a swap, ten different fifth moves anywhere, of
//! which white picks one. Otherwise black places the fifth stone within the central 9x9, and the
//! other player may swap once more.
//!
//! Sources: swap and swap2 follow the practice of five-in-a-row tournaments. The other two are
//! rules of the Renju International Federation, whose pages (<https://www.renju.net/rule/>) were
//! not available when this was written. The Taraguchi rule follows the wording of the federation's
//! proposals as published by its Swedish member
//! (<https://luffarschack.org/artiklarna-kategorivis/43-regler/527-olika-oppningsregler>), with
//! five fifth moves where Taraguchi-10 has ten. These proposals exclude offers that are equal by
//! symmetry; the federation's players gave the reason when it was decided
//! (<https://old.renju.net/blog/>, April 2008). Soosõrv-8 follows the article about it
//! (<https://en.wikipedia.org/wiki/Soos%C3%B5rv_opening_rule>: Soosõrv-N with N = 8), whose wording
//! agrees with the available page on the federation's Yamaguchi rule
//! (<http://renju.net/media/showrule.php?rule=5>).

mod adviser;
mod dialogue;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

pub use adviser::Adviser;
pub use dialogue::{Answer, AnswerError, Dialogue, Question};
use tengen_rules::types::{UnknownName, by_name};

/// A player, by who placed the first stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The player who placed it.
    First,
    /// The other one.
    Second,
}

impl Seat {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

/// An opening rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OpeningRule {
    /// Three stones anywhere; the other player takes a side.
    Swap,
    /// As swap, or the other player places two more stones and the first takes a side.
    Swap2,
    /// The rule of the renju world championships since 2017.
    Soosorv8,
    /// The Taraguchi rule with ten fifth moves.
    Taraguchi10,
}

impl OpeningRule {
    /// Every rule.
    pub const ALL: [OpeningRule; 4] =
        [OpeningRule::Swap, OpeningRule::Swap2, OpeningRule::Soosorv8, OpeningRule::Taraguchi10];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::Swap => "swap",
            OpeningRule::Swap2 => "swap2",
            OpeningRule::Soosorv8 => "soosorv-8",
            OpeningRule::Taraguchi10 => "taraguchi-10",
        }
    }
}

impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for OpeningRule {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<OpeningRule, UnknownName> {
        by_name(&OpeningRule::ALL, OpeningRule::name, text)
    }
}
