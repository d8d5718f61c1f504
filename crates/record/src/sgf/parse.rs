//! The grammar: trees of nodes with properties, as events, so that depth costs no stack.

use std::cell::Cell;

use crate::{RecordError, text};

/// A property of a node.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Property {
    /// Its name in capitals.
    pub(super) name: String,
    /// Its values as they stand between the brackets, escapes included.
    pub(super) values: Vec<String>,
    /// The byte at which it begins.
    pub(super) at: usize,
}

/// What comes next in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;` and the properties behind it.
    Node(Vec<Property>),
}

/// Reads events from a text.
pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Where the last event began.
    began: usize,
    /// Whether there is something between the trees or behind them.
    has_more: bool,
    /// Whether the grammar was found broken where the parser stands.
    is_broken: Cell<bool>,
}

impl Parser<'_> {
    /// A parser at the first tree of `text`.
    pub(super) fn new(text: &str) -> Parser<'_> {
        // Mail headers and the like may stand before the first tree.
        let at = first_tree(text).or_else(|| text.find('(')).unwrap_or(text.len());
        Parser { text, at, depth: 0, began: at, has_more: false, is_broken: Cell::new(false) }
    }

    /// Whether text between the trees or behind them has been passed over.
    pub(super) fn has_more(&self) -> bool {
        self.has_more
    }

    /// The same error with the number of its line: of the property at which it is placed, else of
    /// the last event.
    pub(super) fn placed(&self, error: RecordError) -> RecordError {
        error.byte_to_line(|byte| text::line_of(self.text, byte.unwrap_or(self.began)))
    }

    fn error(&self, reason: &str) -> RecordError {
        self.is_broken.set(true);
        RecordError::new(reason).at_line(text::line_of(self.text, self.at))
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let start = rest.trim_start_matches(|symbol: char| symbol.is_whitespace());
        self.at += rest.len() - start.len();
        start.chars().next()
    }

    /// Where the parser stands, to read from there again.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.at, self.depth)
    }

    /// Goes back to a place.
    pub(super) fn go_back(&mut self, (at, depth): (usize, usize)) {
        (self.at, self.depth) = (at, depth);
    }

    /// Goes to the end of a game, inside of which the parser stands. Where the grammar is broken that
    /// is the next place that looks like the beginning of one.
    pub(super) fn leave_game(&mut self) {
        while self.depth > 0 {
            if self.is_broken.take() || self.next().is_err() {
                self.is_broken.set(false);
                return self.find_game();
            }
        }
        self.is_broken.set(false);
    }

    fn find_game(&mut self) {
        self.depth = 0;
        // A bracket with its node on a line of their own, or with a property that only roots have.
        let is_root = |at: usize| {
            let rest = self.text[at + 1..].trim_start();
            let Some(properties) = rest.strip_prefix(';') else { return false };
            let before = self.text[..at].trim_end_matches([' ', '\t']);
            let properties = properties.trim_start();
            let has_name = |name: &&str| {
                properties
                    .strip_prefix(*name)
                    .is_some_and(|rest| rest.trim_start().starts_with('['))
            };
            (before.ends_with('\n') && !properties.starts_with(['B', 'W']))
                || ["FF", "GM", "SZ", "CA", "AP", "PB", "EV", "GN"].iter().any(has_name)
        };
        let brackets = self.text[self.at..].match_indices('(').map(|(offset, _)| self.at + offset);
        self.at = brackets.into_iter().find(|&at| is_root(at)).unwrap_or(self.text.len());
    }

    /// The next event; `None` at the end of the file.
    ///
    /// # Errors
    /// When the file breaks off inside a tree or something else stands there.
    pub(super) fn next(&mut self) -> Result<Option<Event>, RecordError> {
        let mut symbol = self.peek();
        if self.depth == 0 && symbol.is_some_and(|symbol| symbol != '(') {
            symbol = self.pass_over();
        }
        self.began = self.at;
        match symbol {
            None if self.depth == 0 => return Ok(None),
            None => return Err(self.error("the file ends inside a game")),
            Some('(') => {
                self.at += 1;
                self.depth += 1;
                return Ok(Some(Event::Open));
            }
            Some(')') if self.depth > 0 => {
                self.at += 1;
                self.depth -= 1;
                return Ok(Some(Event::Close));
            }
            Some(';') if self.depth > 0 => self.at += 1,
            Some(other) => return Err(self.error(&format!("{other:?} is not expected here"))),
        }
        let mut properties = Vec::new();
        while self.peek().is_some_and(is_of_name) {
            properties.push(self.property()?);
        }
        Ok(Some(Event::Node(properties)))
    }

    /// Goes to the next tree, past whatever stands before it; `None` when there is none.
    fn pass_over(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let next = first_tree(rest);
        let passed = &rest[..next.unwrap_or(rest.len())];
        // The end mark of old systems, and padding.
        self.has_more |=
            passed.contains(|it: char| !it.is_whitespace() && it != '\u{1a}' && it != '\0');
        self.at += passed.len();
        next.map(|_| '(')
    }

    fn property(&mut self) -> Result<Property, RecordError> {
        let at = self.at;
        let rest = &self.text[at..];
        let length = rest.len() - rest.trim_start_matches(is_of_name).len();
        // Version 3 allowed small letters in names, which do not count; some have no others.
        let name = &rest[..length];
        let name = match name.contains(|symbol: char| symbol.is_ascii_uppercase()) {
            true => name.replace(|symbol: char| symbol.is_ascii_lowercase(), ""),
            false => name.to_ascii_uppercase(),
        };
        self.at += length;
        let mut values = Vec::new();
        while self.peek() == Some('[') {
            let begin = self.at;
            let value = self.value()?;
            // A point with a game in it has lost its bracket.
            if matches!(name.as_str(), "B" | "W") && value.contains("(;") {
                self.at = begin;
                return Err(self.error("a value is not closed by ]"));
            }
            values.push(value);
        }
        if values.is_empty() {
            return Err(self.error(&format!("the property {name} has no value")));
        }
        Ok(Property { name, values, at })
    }

    fn value(&mut self) -> Result<String, RecordError> {
        let begin = self.at + 1;
        let mut escaped = false;
        for (offset, symbol) in self.text[begin..].char_indices() {
            match symbol {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                ']' => {
                    self.at = begin + offset + 1;
                    return Ok(self.text[begin..begin + offset].to_string());
                }
                _ => {}
            }
        }
        Err(self.error("a value is not closed by ]"))
    }
}

/// Where the first tree of a text begins: brackets stand elsewhere, too.
fn first_tree(text: &str) -> Option<usize> {
    let brackets = text.match_indices('(').map(|(at, _)| at);
    brackets.into_iter().find(|at| text[at + 1..].trim_start().starts_with(';'))
}

/// Whether names of properties have this letter: digits are not in the standard, but in renju's
/// `5A`, the fifth moves that are offered.
fn is_of_name(symbol: char) -> bool {
    symbol.is_ascii_alphanumeric()
}

/// The text that a value stands for: a backslash keeps the next character, or hides a line
/// break; unless so kept, tabs and other such blanks of ASCII are spaces.
pub(super) fn unescape(value: &str) -> String {
    let mut text = String::new();
    let value = value.replace("\r\n", "\n").replace('\r', "\n");
    let mut symbols = value.chars();
    while let Some(symbol) = symbols.next() {
        text.push(match symbol {
            '\\' => match symbols.next() {
                Some('\n') | None => continue,
                Some(kept) => kept,
            },
            '\t' | '\u{b}' | '\u{c}' => ' ',
            other => other,
        });
    }
    text
}

/// A value of two parts, both still escaped: a colon that no backslash stands before is between
/// them.
pub(super) fn parts(value: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    let colon = value.find(|symbol| {
        let is_colon = symbol == ':' && !escaped;
        escaped = symbol == '\\' && !escaped;
        is_colon
    })?;
    Some((&value[..colon], &value[colon + 1..]))
}

/// A text as a value.
pub(super) fn escape(text: &str) -> String {
    let mut value = String::new();
    for symbol in text.chars() {
        if matches!(symbol, ']' | '\\' | '\t' | '\u{b}' | '\u{c}') {
            value.push('\\');
        }
        value.push(symbol);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Result<Vec<Event>, RecordError> {
        let mut parser = Parser::new(text);
        std::iter::from_fn(|| parser.next().transpose()).collect()
    }

    #[test]
    fn trees_are_events() {
        let property = |name: &str, values: &[&str], at| Property {
            name: name.to_string(),
            values: values.iter().map(ToString::to_string).collect(),
            at,
        };
        assert_eq!(
            events("mail (x)\n( ;GaMe[4] SZ [15]\n(;AB[aa] [bb]5A[])) (;b[])").unwrap(),
            [
                Event::Open,
                Event::Node(vec![property("GM", &["4"], 12), property("SZ", &["15"], 20)]),
                Event::Open,
                Event::Node(vec![property("AB", &["aa", "bb"], 30), property("5A", &[""], 41)]),
                Event::Close,
                Event::Close,
                Event::Open,
                Event::Node(vec![property("B", &[""], 50)]),
                Event::Close,
            ]
        );
        for (bad, message) in [
            ("(;B[aa]\n", "line 2: the file ends inside a game"),
            ("(;B[aa\n)", "line 1: a value is not closed by ]"),
            ("(;B)", "line 1: the property B has no value"),
        ] {
            assert_eq!(events(bad).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn texts_are_escaped_and_come_back() {
        assert_eq!(unescape("a\\]b\\\\c\\\nd\te\r\nf"), "a]b\\cd e\nf");
        for text in ["", "a]b", "\\", "x:y\nz", "][", "ä]"] {
            assert_eq!(unescape(&escape(text)), text);
        }
    }
}
