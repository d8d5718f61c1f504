//! Whether a phrase for a rule is negated by the words around it.

mod phrases;

use super::{Sought, Words, is_eastern};
use phrases::*;

/// What a phrase names. Words of this kind in its neighbourhood have other meanings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// A rule set. "Renju no swap" negates the swap, so only clear negations count.
    RuleSet,
    /// Forbidden moves. To allow them negates the rule.
    Foul,
    /// Rows of more than five.
    Overline,
}

/// What a text says about the phrases of a list.
#[derive(Clone, Copy, Default)]
pub(super) struct Senses {
    /// Whether it states one of them.
    pub(super) affirmed: bool,
    /// Whether it negates one of them.
    pub(super) negated: bool,
    /// Whether a word near one of them may negate it.
    pub(super) unclear: bool,
}

impl Senses {
    /// Combines this with what the text says about other phrases.
    pub(super) fn with(self, other: Senses) -> Senses {
        Senses {
            affirmed: self.affirmed || other.affirmed,
            negated: self.negated || other.negated,
            unclear: self.unclear || other.unclear,
        }
    }
}

/// What the words on one side of a phrase make of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Nothing,
    On,
    Off,
    Unclear,
}

impl Words<'_> {
    /// What the words say about these phrases. `may_end` is whether a phrase may end there.
    pub(super) fn senses(
        &self,
        phrases: &'static [&'static str],
        may_end: impl Fn(usize) -> bool,
        topic: Topic,
    ) -> Senses {
        let mut senses = Senses::default();
        for sought in phrases.iter().map(|phrase| Sought::of(phrase)) {
            for (start, end) in self.places(&sought).into_iter().filter(|&(_, end)| may_end(end)) {
                // Every word but the first has one mark before it.
                let marks = |at: usize| self.starts.partition_point(|&start| start < at) - 1;
                let behind_phrase = &self.marked[end + marks(end)..];
                // A phrase in Latin or Cyrillic letters may end within a word.
                let is_ending =
                    |it: char| !sought.is_eastern && it.is_alphanumeric() && !is_eastern(it);
                let behind = behind(behind_phrase.trim_start_matches(is_ending), topic);
                match (before(&self.marked[..start + marks(start + 1)], topic), behind) {
                    (Side::Nothing | Side::On, Side::Nothing | Side::On) => senses.affirmed = true,
                    (Side::On, Side::Unclear) => senses.affirmed = true,
                    (Side::Off, Side::Nothing | Side::Unclear) => senses.negated = true,
                    (Side::Nothing | Side::On, Side::Off) => senses.negated = true,
                    _ => senses.unclear = true,
                }
            }
        }
        senses
    }
}

/// What the words before a phrase make of it.
fn before(text: &str, topic: Topic) -> Side {
    let clause = text.rsplit(['|', '.', ':', '(']).next().unwrap_or(text);
    let mut rest = clause;
    while let Some(shorter) = strip_end(rest, BETWEEN_NOT) {
        rest = shorter;
    }
    if strip_end(rest, MUST_NOT).is_some() {
        return if topic == Topic::Foul { Side::On } else { Side::Unclear };
    }
    // South Africa in Chinese ends with this word.
    if let Some(left) = strip_end(rest, &["非"]).filter(|left| !left.ends_with('南')) {
        return if left.is_empty() { Side::Off } else { Side::Unclear };
    }
    if let Some(left) = strip_end(rest, NOT) {
        // `三三不算禁手`
        let is_partial = topic == Topic::Foul && strip_end(left, SHAPES).is_some();
        return if is_partial { Side::Unclear } else { Side::Off };
    }
    if topic != Topic::Foul {
        return Side::Nothing;
    }
    if let Some(left) = strip_end(rest, ALLOWED) {
        return if strip_end(left, NOT).is_some() { Side::On } else { Side::Off };
    }
    let is_partial = strip_end(rest, SHAPES).is_some_and(|left| strip_end(left, NOT).is_some());
    match () {
        () if is_partial || strip_end(rest, MAYBE_NO_FOUL).is_some() => Side::Unclear,
        () if strip_end(clause, WITH).is_some() => Side::On,
        () => Side::Nothing,
    }
}

/// What the words behind a phrase make of it.
fn behind(text: &str, topic: Topic) -> Side {
    let clause = text.split(['|', '.']).next().unwrap_or(text);
    let is_foul = topic == Topic::Foul;
    let rest = skip_between(clause, topic);
    let skipped = &clause[..clause.len() - rest.len()];
    // What is in brackets negates the phrase only if it says nothing else.
    let in_brackets = skipped.contains('(');
    let is_value = skipped.ends_with(':') || (is_foul && skipped.ends_with(GAPS));
    let is_at_end = |list| strip_start(rest, list).is_some_and(str::is_empty);
    if is_at_end(OFF_AT_END) || (is_value && is_at_end(OFF_VALUES)) {
        return Side::Off;
    }
    // Forbidding the moves is the rule of renju. Allowing them negates it.
    let verbs = [OFF_VERBS, if is_foul { ALLOWED } else { PROHIBITED }];
    let verb = verbs.into_iter().find_map(|list| strip_item(rest, list));
    let is_verb = verb.is_some();
    if let Some(left) = verb.or_else(|| strip_item(rest, OFF)) {
        // `禁手关闭 限时`
        let is_done = !skipped.ends_with(GAPS) && left.starts_with(GAPS);
        let left = skip_between(left.trim_start_matches(is_korean), topic);
        let has_object = is_verb
            && topic == Topic::RuleSet
            && !left.starts_with(char::is_numeric)
            && strip_start(left, NO_OBJECT).is_none();
        return match () {
            () if left.is_empty() => Side::Off,
            () if is_done => Side::Unclear,
            () if in_brackets || has_object || is_other(left) => Side::Nothing,
            () => Side::Unclear,
        };
    }
    if strip_start(rest, ON).is_some() {
        return Side::On;
    }
    if strip_start(rest, if is_foul { PROHIBITED } else { ALLOWED }).is_some() {
        return Side::On;
    }
    if in_brackets || is_other(rest) {
        return Side::Nothing;
    }
    let is_within = !skipped.ends_with(GAPS) && strip_item(rest, MAYBE_OFF_WITHIN).is_some();
    let negation = strip_start(rest, MAYBE_OFF);
    let is_maybe_off = negation.is_some_and(|left| strip_start(left, LIMITED).is_none());
    let is_sentence = strip_end(skipped, VERBS).is_some() && negation.is_some();
    let is_unclear = match topic {
        Topic::RuleSet => is_sentence || strip_start(rest, MAYBE_NOT).is_some(),
        Topic::Foul | Topic::Overline => is_within || is_maybe_off,
    };
    if is_unclear { Side::Unclear } else { Side::Nothing }
}

/// The text behind the words that may stand between a phrase and its negation.
fn skip_between(text: &str, topic: Topic) -> &str {
    let mut rest = text.trim_start_matches(GAPS);
    let lists = [BETWEEN_OFF, if topic == Topic::RuleSet { &[] } else { BETWEEN_FOUL_OFF }];
    while let Some(shorter) = lists.into_iter().find_map(|list| strip_start(rest, list)) {
        rest = shorter;
    }
    rest
}

/// Whether the next words name something that is often absent in games of any rule set.
fn is_other(text: &str) -> bool {
    let near: Vec<&str> = text.split(GAPS).take(NEAR).collect();
    near.iter()
        .any(|word| OTHER_TOPICS.iter().any(|topic| word.contains(&Sought::of(topic).marked)))
}

/// The number of words behind a negation that may name what it negates.
const NEAR: usize = 3;

/// The marks between the words of a clause.
const GAPS: [char; 3] = [' ', '(', ':'];

/// The text before one of these items at its end. An item must be a whole word, or the end of a word
/// in Chinese or Japanese that continues behind it.
fn strip_end<'a>(text: &'a str, list: &'static [&'static str]) -> Option<&'a str> {
    let end = text.trim_end();
    list.iter().find_map(|item| {
        let item = Sought::of(item);
        let left = end.strip_suffix(&item.marked)?;
        let continues = end.len() == text.len() && item.text.starts_with(is_chinese);
        (left.is_empty() || left.ends_with(' ') || continues).then_some(left)
    })
}

/// As [`strip_item`], without the marks behind the item.
fn strip_start<'a>(text: &'a str, list: &'static [&'static str]) -> Option<&'a str> {
    strip_item(text, list).map(|left| left.trim_start_matches(GAPS))
}

/// The text behind one of these items at its start. The item must end with a word, unless it is in
/// Chinese, Japanese or Korean or has [`STEM`] letters.
fn strip_item<'a>(text: &'a str, list: &'static [&'static str]) -> Option<&'a str> {
    list.iter().find_map(|item| {
        let item = Sought::of(item);
        let left = text.strip_prefix(&item.marked)?;
        let is_stem = item.is_eastern || item.text.chars().count() >= STEM;
        let ends = left.is_empty() || left.starts_with(GAPS) || left.starts_with(is_eastern);
        let left =
            if item.is_eastern { left } else { left.trim_start_matches(char::is_alphabetic) };
        (is_stem || ends).then_some(left)
    })
}

/// The number of letters of a word that may have other endings.
const STEM: usize = 5;

/// Whether a normalised character is a Korean letter.
fn is_korean(symbol: char) -> bool {
    matches!(symbol, '\u{1100}'..='\u{11ff}')
}

/// Whether a normalised character is a Chinese or Japanese letter.
fn is_chinese(symbol: char) -> bool {
    matches!(symbol, '\u{2e80}'..='\u{9fff}')
}

#[cfg(test)]
mod tests;
