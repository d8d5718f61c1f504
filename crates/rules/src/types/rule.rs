//! The rule sets and what each counts as a win.

use std::fmt;
use std::str::FromStr;

use super::{Color, UnknownName, by_name};

/// A rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more in a row wins (`INFO rule 0`).
    Freestyle,
    /// Exactly five wins, longer rows do not count (`INFO rule 1`).
    Standard,
    /// Black needs exactly five and must not foul, white wins with five or more
    /// (`INFO rule 4`; RIF International Rules of Renju, sections 9.2 and 9.3).
    Renju,
    /// Exactly five wins unless an opponent stone stands at both ends (`INFO rule 9`).
    Caro,
    /// Like [`Rule::Caro`], but six or more always wins (`INFO rule 8`).
    CaroOverline,
}

/// The rows that win for one player. All rules reduce to these four tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FiveRule {
    /// Five or more.
    AtLeastFive,
    /// Five, no more.
    ExactlyFive,
    /// Five, no more, and not enclosed by opponent stones at both ends. The edge does not enclose.
    UnenclosedFive,
    /// An unenclosed five, or six or more.
    UnenclosedFiveOrMore,
}

impl Rule {
    /// Every rule set.
    pub const ALL: [Rule; 5] =
        [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroOverline];

    /// The rows with which `color` wins.
    #[inline]
    pub const fn five_rule(self, color: Color) -> FiveRule {
        match (self, color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => FiveRule::AtLeastFive,
            (Rule::Standard, _) | (Rule::Renju, Color::Black) => FiveRule::ExactlyFive,
            (Rule::Caro, _) => FiveRule::UnenclosedFive,
            (Rule::CaroOverline, _) => FiveRule::UnenclosedFiveOrMore,
        }
    }

    /// Whether `color` can lose by a foul.
    #[inline]
    pub const fn has_fouls(self, color: Color) -> bool {
        matches!((self, color), (Rule::Renju, Color::Black))
    }

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroOverline => "caro-overline",
        }
    }

    /// Number in the Gomocup protocol (`INFO rule`).
    pub const fn number(self) -> i64 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::CaroOverline => 8,
            Rule::Caro => 9,
        }
    }

    /// The rule set with this number in the Gomocup protocol.
    pub fn from_number(number: i64) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.number() == number)
    }

    /// Position in [`Rule::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl FiveRule {
    /// Whether a row of `length` wins; it is `enclosed` if opponent stones stand directly beyond
    /// both ends.
    #[inline]
    pub const fn wins(self, length: usize, enclosed: bool) -> bool {
        match self {
            FiveRule::AtLeastFive => length >= 5,
            FiveRule::ExactlyFive => length == 5,
            FiveRule::UnenclosedFive => length == 5 && !enclosed,
            FiveRule::UnenclosedFiveOrMore => length > 5 || (length == 5 && !enclosed),
        }
    }

    /// Whether the cells beyond the ends of a five matter.
    #[inline]
    pub const fn counts_enclosure(self) -> bool {
        matches!(self, FiveRule::UnenclosedFive | FiveRule::UnenclosedFiveOrMore)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Rule {
    type Err = UnknownName;

    /// Upper and lower case are equal.
    fn from_str(text: &str) -> Result<Rule, UnknownName> {
        by_name(&Rule::ALL, Rule::name, text)
    }
}
