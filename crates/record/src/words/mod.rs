//! Parsers for rules, results and the side to move in natural language, in eight languages.

mod caption;
mod negation;
mod result;
mod rule;
mod turn;

pub(crate) use caption::{names_player, tag_of};
pub(crate) use result::is_plain_result;
pub use result::parse_result;
pub use rule::parse_rule;
pub(crate) use rule::{negates_rule, rule_in_title};
pub(crate) use turn::parse_turn;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Removes differences in case, width and accents.
pub(crate) fn normalised(text: &str) -> String {
    let mut plain = String::new();
    for symbol in text.nfkd().filter(|&symbol| !is_combining_mark(symbol)) {
        match symbol {
            'đ' | 'Đ' => plain.push('d'),
            // The fraction slash, into which the normalization splits a half.
            '\u{2044}' => plain.push('/'),
            symbol => plain.extend(symbol.to_lowercase()),
        }
    }
    plain
}

/// The words of a normalised text: maximal runs of letters and digits.
struct Words<'a> {
    list: Vec<&'a str>,
    /// The words without anything between them.
    joined: String,
    /// Where the words start in `joined`.
    starts: Vec<usize>,
}

impl<'a> Words<'a> {
    fn new(normalised: &'a str) -> Words<'a> {
        let between = |symbol: char| !symbol.is_alphanumeric();
        let list: Vec<&str> = normalised.split(between).filter(|word| !word.is_empty()).collect();
        let starts = list.iter().scan(0, |end, word| {
            let start = *end;
            *end += word.len();
            Some(start)
        });
        Words { starts: starts.collect(), joined: list.concat(), list }
    }

    /// Whether the words contain one of these phrases. A phrase in Latin or Cyrillic letters must
    /// start at a word but may end within one, so that inflections and trailing numbers do not
    /// matter. A phrase in Chinese, Japanese or Korean, which do not separate words, may start
    /// anywhere.
    fn has_any(&self, phrases: &'static [&'static str]) -> bool {
        phrases.iter().any(|phrase| self.has(&Sought::of(phrase)))
    }

    fn has(&self, sought: &Sought) -> bool {
        !self.places(sought).is_empty()
    }

    /// Where a phrase stands, as [`Words::has_any`] looks for it: its starts and ends in `joined`.
    fn places(&self, sought: &Sought) -> Vec<(usize, usize)> {
        let text = sought.text.as_str();
        let with_end = |at: usize| (at, at + text.len());
        if sought.is_eastern {
            return self.joined.match_indices(text).map(|(at, _)| with_end(at)).collect();
        }
        let starts = self.starts.iter().copied();
        starts.filter(|&at| self.joined[at..].starts_with(text)).map(with_end).collect()
    }

    /// The words with blanks instead of these phrases and their endings. Other letters behind
    /// Chinese, Japanese or Korean ones begin a word.
    fn without(&self, lists: &[&'static [&'static str]]) -> String {
        let mut is_left_out = vec![false; self.joined.len()];
        for sought in lists.iter().copied().flatten().map(|phrase| Sought::of(phrase)) {
            for (start, end) in self.places(&sought) {
                let next = self.starts.partition_point(|&start| start < end);
                let next = self.starts.get(next).copied().unwrap_or(self.joined.len());
                let is_ending = |it: char| it.is_alphabetic() && !is_eastern(it);
                let ending = if sought.is_eastern { "" } else { &self.joined[end..next] };
                let rest = ending.trim_start_matches(is_ending).len();
                is_left_out[start..end + ending.len() - rest].fill(true);
            }
        }
        let mut rest = String::new();
        for (at, symbol) in self.joined.char_indices() {
            let begins = rest.ends_with(is_eastern) && !is_eastern(symbol);
            if begins || self.starts.binary_search(&at).is_ok() {
                rest.push(' ');
            }
            rest.push(if is_left_out[at] { ' ' } else { symbol });
        }
        rest
    }

    /// Whether the words contain one of these phrases, which ends with a word or before a number or
    /// a Chinese, Japanese or Korean letter.
    fn has_any_whole(&self, phrases: &'static [&'static str]) -> bool {
        let ends = |at: usize| {
            at == self.joined.len()
                || self.starts.binary_search(&at).is_ok()
                || self.joined[at..].starts_with(|it: char| it.is_numeric() || is_eastern(it))
        };
        let mut places = phrases.iter().flat_map(|phrase| self.places(&Sought::of(phrase)));
        places.any(|(_, end)| ends(end))
    }

    /// Whether the words are one of these phrases, maybe with a number.
    fn are_any(&self, phrases: &'static [&'static str]) -> bool {
        let plain = self.joined.trim_matches(char::is_numeric);
        phrases.iter().any(|phrase| plain == Sought::of(phrase).text)
    }

    /// Whether one of the words equals one of these.
    fn has_any_word(&self, words: &'static [&'static str]) -> bool {
        words.iter().any(|word| self.list.contains(&Sought::of(word).text.as_str()))
    }
}

/// Whether a normalised character is a Chinese, Japanese or Korean letter.
pub(crate) fn is_eastern(symbol: char) -> bool {
    matches!(symbol, '\u{2e80}'..='\u{9fff}' | '\u{1100}'..='\u{11ff}')
}

/// A phrase that is looked for.
struct Sought {
    /// Its normalised words without anything between them.
    text: String,
    /// Whether it has Chinese, Japanese or Korean letters.
    is_eastern: bool,
}

thread_local! {
    /// The phrases that were looked for: files may have many games.
    static SOUGHT: RefCell<HashMap<&'static str, Rc<Sought>>> = RefCell::default();
}

impl Sought {
    fn of(phrase: &'static str) -> Rc<Sought> {
        SOUGHT.with_borrow_mut(|known| {
            let made = known.entry(phrase).or_insert_with(|| Rc::new(Sought::new(phrase)));
            Rc::clone(made)
        })
    }

    fn new(phrase: &str) -> Sought {
        let normalised = normalised(phrase);
        let text = Words::new(&normalised).joined;
        let is_eastern = text.chars().any(is_eastern);
        Sought { text, is_eastern }
    }
}

/// The words of the web page in each language; files may contain them.
#[cfg(test)]
fn of_the_web_page() -> impl Iterator<Item = serde_json::Value> {
    let languages = [
        include_str!("../../../words/languages/cs.json"),
        include_str!("../../../words/languages/en.json"),
        include_str!("../../../words/languages/ja.json"),
        include_str!("../../../words/languages/ko.json"),
        include_str!("../../../words/languages/ru.json"),
        include_str!("../../../words/languages/vi.json"),
        include_str!("../../../words/languages/zh-Hans.json"),
        include_str!("../../../words/languages/zh-Hant.json"),
    ];
    languages.into_iter().map(|text| serde_json::from_str(text).unwrap())
}
