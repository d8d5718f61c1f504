//! Conditions on positions.

use std::ops::RangeInclusive;

use tengen_rules::{BoardSize, Color, Rule};

use crate::key::Key;
use crate::record::{Evidence, GameValue, Record};

/// Selects the positions that satisfy all given conditions. The default selects every position.
///
/// ```
/// use tengen_store::{Evidence, Filter};
/// use tengen_rules::Rule;
///
/// let proved = Filter {
///     rule: Some(Rule::Renju),
///     evidence: Some(Evidence::Proved),
///     stones: Some(0..=12),
///     ..Filter::default()
/// };
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// The rule set.
    pub rule: Option<Rule>,
    /// The size of the board.
    pub size: Option<BoardSize>,
    /// The side to move.
    pub side: Option<Color>,
    /// Numbers of stones on the board.
    pub stones: Option<RangeInclusive<usize>>,
    /// Whether a result is known.
    pub has_result: Option<bool>,
    /// The value of the result; positions without a result do not match.
    pub value: Option<GameValue>,
    /// The evidence of the result; positions without a result do not match.
    pub evidence: Option<Evidence>,
    /// Plies to the end; positions without a distance do not match.
    pub distance: Option<RangeInclusive<u16>>,
    /// Whether there is an evaluation.
    pub has_evaluation: Option<bool>,
    /// Depths of the evaluation; positions without an evaluation do not match.
    pub depth: Option<RangeInclusive<u16>>,
    /// Numbers of games that reached the position.
    pub games: Option<RangeInclusive<u64>>,
    /// The label; the empty label matches positions without one.
    pub label: Option<String>,
    /// A part of the comment or of a text on a cell, regardless of case.
    pub text: Option<String>,
    /// Source of the result or of the evaluation.
    pub source: Option<String>,
}

impl Filter {
    /// Whether a key satisfies the conditions on the position.
    pub fn matches_key(&self, key: &Key) -> bool {
        self.rule.is_none_or(|rule| key.rule() == rule)
            && self.size.is_none_or(|size| key.size() == size)
            && self.side.is_none_or(|side| key.side_to_move() == side)
            && self.stones.as_ref().is_none_or(|stones| stones.contains(&key.stones()))
    }

    /// Whether a record satisfies the conditions on it.
    pub fn matches_record(&self, record: &Record) -> bool {
        let result = record.result.as_ref();
        let found = record.evaluation.as_ref();
        let distance = result.and_then(|result| result.distance);
        self.has_result.is_none_or(|has| result.is_some() == has)
            && self.value.is_none_or(|value| result.is_some_and(|result| result.value == value))
            && self
                .evidence
                .is_none_or(|evidence| result.is_some_and(|result| result.evidence == evidence))
            && holds(&self.distance, distance)
            && self.has_evaluation.is_none_or(|has| found.is_some() == has)
            && holds(&self.depth, found.map(|found| found.depth))
            && holds(&self.games, Some(record.games.total()))
            && self.label.as_ref().is_none_or(|label| record.label == *label)
            && self.text.as_ref().is_none_or(|text| contains_text(record, text))
            && self.source.as_ref().is_none_or(|source| has_source(record, source))
    }

    /// The first key that can match, and the first key after all that can.
    pub(super) fn key_range(&self) -> (Vec<u8>, Vec<u8>) {
        match self.rule {
            // A key begins with the number of its rule.
            None => (Vec::new(), vec![u8::MAX]),
            Some(rule) => Key::range(rule, self.size),
        }
    }
}

fn holds<T: PartialOrd>(range: &Option<RangeInclusive<T>>, value: Option<T>) -> bool {
    range.as_ref().is_none_or(|range| value.is_some_and(|value| range.contains(&value)))
}

fn contains_text(record: &Record, part: &str) -> bool {
    let part = part.to_lowercase();
    let mut texts = record.texts.values().chain([&record.comment]);
    texts.any(|text| text.to_lowercase().contains(&part))
}

fn has_source(record: &Record, source: &str) -> bool {
    let result = record.result.iter().map(|result| &result.provenance);
    let found = record.evaluation.iter().map(|found| &found.provenance);
    let mut origins = result.chain(found).filter_map(|by| by.origin.as_ref());
    origins.any(|origin| origin.source == source)
}
