//! Arguments of commands: numbers.

use std::fmt;

use tengen_rules::types::integer;

/// An error: a command lacks required arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// The command.
    pub verb: &'static str,
    /// The expected arguments.
    pub expected: &'static str,
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} expects {}", self.verb, self.expected)
    }
}

impl std::error::Error for ArgumentError {}

/// The fields of `text`, separated by any mixture of commas and whitespace.
pub(super) fn fields(text: &str) -> impl Iterator<Item = &str> {
    text.split(|symbol: char| symbol == ',' || symbol.is_whitespace())
        .filter(|field| !field.is_empty())
}

/// The first `N` fields as numbers; further ones are ignored.
pub(super) fn numbers<const N: usize>(
    verb: &'static str,
    expected: &'static str,
    arguments: &str,
) -> Result<[i64; N], ArgumentError> {
    let mut parsed = fields(arguments).map(integer);
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = parsed.next().flatten().ok_or(ArgumentError { verb, expected })?;
    }
    Ok(numbers)
}

/// The number of bytes up to the closing quotation mark of a text that begins with one.
pub(super) fn end_of_quote(text: &str) -> Option<usize> {
    let mut symbols = text.char_indices().skip(1);
    loop {
        match symbols.next()? {
            (at, '"') => return Some(at + 1),
            (_, '\\') => drop(symbols.next()),
            _ => {}
        }
    }
}

/// The text in quotation marks at the start, with `\"` and `\\` for `"` and `\`; without quotation
/// marks, all of it.
pub(super) fn unquoted(text: &str) -> String {
    match text.strip_prefix('"') {
        Some(rest) => unquote(text).unwrap_or_else(|| rest.to_owned()),
        None => text.to_owned(),
    }
}

/// The content of a text that begins with a quotation mark; `None` without a closing one.
fn unquote(text: &str) -> Option<String> {
    let mut content = String::new();
    let mut symbols = text.chars().skip(1);
    loop {
        match symbols.next()? {
            '"' => return Some(content),
            '\\' => content.push(symbols.next()?),
            symbol => content.push(symbol),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_split_at_commas_and_whitespace() {
        let split = |text| fields(text).collect::<Vec<_>>();
        for text in ["7,8", "7 , 8", "7 8", "  7,8", "7\t8", "7,8 "] {
            assert_eq!(split(text), ["7", "8"], "{text:?}");
        }
        assert!(split(" , ").is_empty());
    }

    #[test]
    fn quoted_texts_end_at_the_closing_mark() {
        assert_eq!(unquoted("\"a \\\"b\\\" \\\\c\" rest"), "a \"b\" \\c");
        assert_eq!(unquoted("one two"), "one two");
        assert_eq!(unquoted("\"open"), "open");
        for open in ["\"", "\"a", "\"a\\\"", "\"a\\"] {
            assert_eq!(end_of_quote(open), None, "{open}");
        }
        assert_eq!(
            ["\"\"b", "\"a\\\"\"", "\"é\"\""].map(end_of_quote),
            [Some(2), Some(5), Some(4)]
        );
    }
}
