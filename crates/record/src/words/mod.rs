//! Parsers for rules and results in natural language, in eight languages.

mod negation;
mod result;
mod rule;

pub(crate) use result::begins_result;
pub use result::parse_result;
pub use rule::parse_rule;
pub(crate) use rule::rule_in_title;

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
    /// The words with one of [`MARKS`] between them.
    marked: String,
}

/// The marks between words: a blank, an opening bracket, the end of a sentence, a colon and the end
/// of a clause. A gap with several of them gets the last in this order.
const MARKS: [char; 5] = [' ', '(', '.', ':', '|'];

fn mark(symbol: char) -> char {
    match symbol {
        '(' | '[' | '{' | '【' | '「' => MARKS[1],
        '.' | '。' => MARKS[2],
        ':' | '=' => MARKS[3],
        ',' | ';' | '!' | '?' | '/' | '|' | '+' | '&' | '、' | '\n' | ')' | ']' | '}' | '】'
        | '」' => MARKS[4],
        _ => MARKS[0],
    }
}

/// The words of a normalised text with one of [`MARKS`] between them.
fn marked(normalised: &str) -> String {
    let mut marked = String::new();
    let mut gap = None;
    for symbol in normalised.chars() {
        if !symbol.is_alphanumeric() {
            gap = gap.max(Some(mark(symbol)));
            continue;
        }
        // `No. 5` is a number.
        let is_number = symbol.is_numeric() && gap == Some(MARKS[2]) && marked.ends_with("no");
        let gap = gap.take().map(|gap| if is_number { MARKS[0] } else { gap });
        marked.extend(gap.filter(|_| !marked.is_empty()));
        marked.push(symbol);
    }
    marked
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
        let marked = marked(normalised);
        Words { starts: starts.collect(), joined: list.concat(), list, marked }
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

    /// Whether a phrase that ends here ends with a word or before a number or a Chinese, Japanese or
    /// Korean letter.
    fn ends_whole(&self, at: usize) -> bool {
        self.ends_word(at)
            || self.joined[at..]
                .starts_with(|symbol: char| symbol.is_numeric() || is_eastern(symbol))
    }

    /// Whether a word ends here.
    fn ends_word(&self, at: usize) -> bool {
        at == self.joined.len() || self.starts.binary_search(&at).is_ok()
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
fn is_eastern(symbol: char) -> bool {
    matches!(symbol, '\u{2e80}'..='\u{9fff}' | '\u{1100}'..='\u{11ff}')
}

/// A phrase that is looked for.
struct Sought {
    /// Its normalised words without anything between them.
    text: String,
    /// Its normalised words with one of [`MARKS`] between them.
    marked: String,
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
        let Words { joined: text, marked, .. } = Words::new(&normalised);
        let is_eastern = text.chars().any(is_eastern);
        Sought { text, marked, is_eastern }
    }
}
