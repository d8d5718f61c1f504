//! Opening rules, which share out the colours: what may be placed where, and who may swap
//! when. What to answer is for people, or for an [`Adviser`], who asks [`crate::engine::opening`].
//!
//! Sources: swap and swap2 as five-in-a-row tournaments play them (three stones anywhere, then
//! the other player takes a side; swap2 with two more stones as a third choice). The other two are
//! rules of the Renju International Federation. The Taraguchi rule stands word for word among the
//! federation's proposals as its Swedish member publishes them
//! (<https://luffarschack.org/artiklarna-kategorivis/43-regler/527-olika-oppningsregler>), with
//! five fifth moves where Taraguchi-10 has ten; that no two may be equal by symmetry is said
//! there, and why by the federation's players when it was decided
//! (<https://old.renju.net/blog/>, April 2008). The federation's pages of the two rules
//! (<https://www.renju.net/rule/>) could not be read when this was written; Soosõrv-8 follows the
//! article that retells its page
//! (<https://en.wikipedia.org/wiki/Soos%C3%B5rv_opening_rule>: Soosõrv-N with N = 8), in the same
//! words as those of the federation's pages that could be read (Yamaguchi:
//! <http://renju.net/media/showrule.php?rule=5>). In short:
//!
//! *Soosõrv-8*: the first player places one of the 26 openings (black in the centre, white next
//! to it, black within the central 5x5); the other may swap; white places the fourth stone and
//! says how many fifth moves, 1 to 8, are wanted; the other may swap; black offers that many, no
//! two of them equal by symmetry; white picks one and goes on.
//!
//! *Taraguchi-10*: black in the centre, white within the central 3x3, black within 5x5, white
//! within 7x7, and after each of them the other player may swap. After the fourth there is
//! another choice: black, without a swap, offers ten different fifth moves anywhere, of which
//! white picks one. Otherwise black places the fifth within the central 9x9 and the other may
//! swap once more.

mod adviser;
mod dialogue;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

pub use adviser::Adviser;
pub use dialogue::{Answer, Dialogue, Question, Refusal};

/// Who placed the first stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The player who begins.
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

/// A rule that shares out the colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OpeningRule {
    /// Three stones anywhere; the other player takes a side.
    Swap,
    /// As swap; or the other player places two more stones and the first takes a side.
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

/// A name that is no opening rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseOpeningError(String);

impl fmt::Display for ParseOpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: expected swap, swap2, soosorv-8 or taraguchi-10", self.0)
    }
}

impl std::error::Error for ParseOpeningError {}

impl FromStr for OpeningRule {
    type Err = ParseOpeningError;

    fn from_str(text: &str) -> Result<OpeningRule, ParseOpeningError> {
        OpeningRule::ALL
            .into_iter()
            .find(|rule| rule.name() == text)
            .ok_or_else(|| ParseOpeningError(text.to_string()))
    }
}
