//! Parsers for rules and results in natural language, in eight languages.

mod result;
mod rule;

pub use result::parse_result;
pub use rule::parse_rule;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Removes differences in case, width and accents.
fn normalised(text: &str) -> String {
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
fn words(normalised: &str) -> Vec<&str> {
    let between = |symbol: char| !symbol.is_alphanumeric();
    normalised.split(between).filter(|word| !word.is_empty()).collect()
}

/// Whether a list of normalised words contains a phrase. A phrase in Latin or Cyrillic letters must
/// start at a word but may end within one, so that inflections and trailing numbers do not matter.
/// A phrase in Chinese, Japanese or Korean, which do not separate words, may start anywhere.
fn has_phrase(words: &[&str], phrase: &str) -> bool {
    let phrase = normalised(phrase);
    let joined: String = words.concat();
    let sought: String = self::words(&phrase).concat();
    let is_eastern = |symbol: char| {
        ('\u{2e80}'..='\u{9fff}').contains(&symbol) || ('\u{1100}'..='\u{11ff}').contains(&symbol)
    };
    if sought.chars().any(is_eastern) {
        return joined.contains(&sought);
    }
    let mut start = 0;
    words.iter().any(|word| {
        let found = joined[start..].starts_with(&sought);
        start += word.len();
        found
    })
}

/// Whether one of the words equals `word`.
fn has_word(words: &[&str], word: &str) -> bool {
    let word = normalised(word);
    words.contains(&word.as_str())
}
