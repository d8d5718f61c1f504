//! The parser. It returns trees of nodes with properties as events, so deep trees need no stack.

use std::cell::Cell;

use super::OF_GAME_START;
use crate::RecordError;

/// A property of a node.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Property {
    /// Its name in upper case.
    pub(super) name: String,
    /// Its values as written between the brackets, with escapes.
    pub(super) values: Vec<String>,
    /// The byte offset of its start.
    pub(super) at: usize,
}

/// The next element of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;` and the properties after it.
    Node(Vec<Property>),
}

/// Reads events from a text.
#[derive(Clone)]
pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// The start of the last event.
    began: usize,
    /// Whether there is text between or after the trees.
    has_more: bool,
    /// Whether text between the nodes of trees was skipped.
    has_text_inside: bool,
    /// Whether the text is malformed at the current position.
    is_broken: Cell<bool>,
    /// The position of the opening bracket that was the last event.
    opened: Option<usize>,
    /// Whether the root of the last tree has a property that only a root has.
    is_game: bool,
    /// Why the closing bracket of the last tree is missing. Its brackets are closed there.
    cut: Option<&'static str>,
    /// A position and its line.
    line: Cell<(usize, usize)>,
}

impl Parser<'_> {
    /// A parser at the first tree of `text`.
    pub(super) fn new(text: &str) -> Parser<'_> {
        // Text such as mail headers may come before the first tree.
        let at = first_tree(text).unwrap_or(text.len());
        Parser {
            text,
            at,
            depth: 0,
            began: at,
            has_more: false,
            has_text_inside: false,
            is_broken: Cell::new(false),
            opened: None,
            is_game: false,
            cut: None,
            line: Cell::new((0, 1)),
        }
    }

    /// The remark on the last tree if its closing bracket is missing.
    pub(super) fn cut(&self) -> Option<&'static str> {
        self.cut
    }

    /// Whether text between or after the trees was skipped.
    pub(super) fn has_more(&self) -> bool {
        self.has_more
    }

    /// Whether text between the nodes of trees was skipped.
    pub(super) fn has_text_inside(&self) -> bool {
        self.has_text_inside
    }

    /// Adds the line of the error: that of its byte offset, else that of the last event.
    pub(super) fn placed(&self, error: RecordError) -> RecordError {
        error.byte_to_line(|byte| self.line_of(byte.unwrap_or(self.began)))
    }

    fn error(&self, reason: &str) -> RecordError {
        self.is_broken.set(true);
        RecordError::new(reason).at_line(self.line_of(self.at))
    }

    /// The line of a byte offset. Counts from the last one, since a file may have many errors.
    fn line_of(&self, offset: usize) -> usize {
        let (last, line) = self.line.get();
        let between = &self.text.as_bytes()[offset.min(last)..offset.max(last)];
        let breaks = between.iter().filter(|&&byte| byte == b'\n').count();
        let line = if offset < last { line - breaks } else { line + breaks };
        self.line.set((offset, line));
        line
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let start = rest.trim_start_matches(|symbol: char| symbol.is_whitespace());
        self.at += rest.len() - start.len();
        start.chars().next()
    }

    /// Skips to the end of the current game. If the text is malformed, skips to the next position
    /// that looks like the start of a game.
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
        // A bracket with a node at the start of a line, or with a root property.
        let is_root = |at: usize| {
            let rest = self.text[at + 1..].trim_start();
            let Some(properties) = rest.strip_prefix(';') else { return has_root_name(rest) };
            let before = self.text[..at].trim_end_matches([' ', '\t']);
            let properties = properties.trim_start();
            (before.ends_with('\n') && !properties.starts_with(['B', 'W']))
                || has_root_name(properties)
        };
        let brackets = self.text[self.at..].match_indices('(').map(|(offset, _)| self.at + offset);
        self.at = brackets.into_iter().find(|&at| is_root(at)).unwrap_or(self.text.len());
    }

    /// The next event; `None` at the end of the file. A game that starts inside another one ends that
    /// one, whose closing bracket is missing.
    ///
    /// # Errors
    /// When the file ends inside a tree or contains unexpected text.
    pub(super) fn next(&mut self) -> Result<Option<Event>, RecordError> {
        let mut symbol = self.peek();
        let opened = self.opened.take();
        if self.depth == 0 && symbol.is_some() {
            symbol = self.skip_to_tree();
        }
        self.began = self.at;
        if self.depth > 0 && self.cut.is_some() {
            return Ok(Some(self.close()));
        }
        match symbol {
            None if self.depth == 0 => return Ok(None),
            None if opened.is_some() => return Err(self.error("the file ends inside a game")),
            None => {
                self.cut = Some("the file ends inside the game; its closing bracket is missing");
                return Ok(Some(self.close()));
            }
            Some('(') => {
                self.opened = Some(self.at);
                if self.depth == 0 {
                    (self.is_game, self.cut) = (false, None);
                }
                self.at += 1;
                self.depth += 1;
                return Ok(Some(Event::Open));
            }
            Some(')') if self.depth > 0 => {
                self.at += 1;
                return Ok(Some(self.close()));
            }
            Some(';') if self.depth > 0 => self.at += 1,
            // Some programs write the root without a semicolon.
            Some(_)
                if self.depth == 1 && opened.is_some() && is_property(&self.text[self.at..]) => {}
            Some(_) if self.skip_text() => {
                self.opened = opened;
                return self.next();
            }
            Some(other) => return Err(self.error(&format!("unexpected {other:?}"))),
        }
        let mut properties = Vec::new();
        while self.peek().is_some_and(is_of_name) {
            properties.push(self.property()?);
        }
        if let Some(bracket) = opened.filter(|_| is_game_start(&properties)) {
            if self.depth > 1 && self.is_game {
                self.cut = Some("the closing bracket of the game is missing");
                self.at = bracket;
                return Ok(Some(self.close()));
            }
            self.is_game |= self.depth == 1;
        }
        Ok(Some(Event::Node(properties)))
    }

    fn close(&mut self) -> Event {
        self.depth -= 1;
        Event::Close
    }

    /// Skips text between the nodes of a tree, to the next node or bracket on the same line or at the
    /// start of the next one. Returns whether there is one.
    fn skip_text(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(end) = rest.find([';', '(', ')']) else { return false };
        if end == 0 || rest[..end].trim_end().contains('\n') {
            return false;
        }
        self.at += end;
        self.has_text_inside = true;
        true
    }

    /// Skips to the next tree; `None` if there is none.
    fn skip_to_tree(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let next = first_tree(rest);
        let passed = &rest[..next.unwrap_or(rest.len())];
        // Ignore the end-of-file character of old systems, and padding.
        self.has_more |=
            passed.contains(|it: char| !it.is_whitespace() && it != '\u{1a}' && it != '\0');
        self.at += passed.len();
        next.map(|_| '(')
    }

    fn property(&mut self) -> Result<Property, RecordError> {
        let at = self.at;
        let rest = &self.text[at..];
        let length = rest.len() - rest.trim_start_matches(is_of_name).len();
        // Version 3 allowed lower-case letters in names, which are ignored, unless the whole name
        // is in lower case.
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
            // If a value contains the start of a game, its closing bracket is missing.
            if has_game_start(&value)
                || (matches!(name.as_str(), "B" | "W") && value.contains("(;"))
            {
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

/// The start of the first tree in a text. Other brackets are skipped.
fn first_tree(text: &str) -> Option<usize> {
    let brackets = text.match_indices('(').map(|(at, _)| at);
    brackets.into_iter().find(|at| {
        let rest = text[at + 1..].trim_start();
        rest.starts_with(';') || is_property(rest)
    })
}

/// Whether a text starts with a property: a name of up to two capital letters and a value.
fn is_property(text: &str) -> bool {
    let rest = text.trim_start_matches(|symbol: char| symbol.is_ascii_uppercase());
    (1..=2).contains(&(text.len() - rest.len())) && rest.trim_start().starts_with('[')
}

/// Whether a node is the root of a game and not of a variation.
fn is_game_start(properties: &[Property]) -> bool {
    properties.iter().any(|property| OF_GAME_START.contains(&property.name.as_str()))
}

/// Whether a text starts with a property that only a root has.
fn has_root_name(text: &str) -> bool {
    let is_next =
        |name: &str| text.strip_prefix(name).is_some_and(|it| it.trim_start().starts_with('['));
    ["FF", "GM", "SZ", "CA", "AP", "PB", "EV", "GN"].into_iter().any(is_next)
}

/// Whether a text contains the start of a game with a property that only a root has.
pub(crate) fn holds_game(text: &str) -> bool {
    text.match_indices("(;").any(|(at, start)| has_root_name(text[at + start.len()..].trim_start()))
}

/// Whether a value contains the start of another game on a line of its own. Unlike a game that a
/// comment quotes, it has no escaped bracket.
fn has_game_start(value: &str) -> bool {
    let escaped = value.rfind("\\]");
    value.match_indices("(;").any(|(at, start)| {
        let before = value[..at].trim_end_matches([' ', '\t']);
        let root = value[at + start.len()..].trim_start();
        before.ends_with(['\n', '\r', ')'])
            && has_root_name(root)
            && escaped.is_none_or(|escaped| escaped < at)
    })
}

/// Whether a character may be part of a property name. Digits are not standard but occur in `5A`,
/// the fifth moves that are offered in renju.
fn is_of_name(symbol: char) -> bool {
    symbol.is_ascii_alphanumeric()
}

/// Removes the escapes of a value: a backslash keeps the next character or removes a line break.
/// Unescaped tabs, vertical tabs and form feeds become spaces.
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

/// Splits a composed value at its first unescaped colon. Both parts are still escaped.
pub(super) fn parts(value: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    let colon = value.find(|symbol| {
        let is_colon = symbol == ':' && !escaped;
        escaped = symbol == '\\' && !escaped;
        is_colon
    })?;
    Some((&value[..colon], &value[colon + 1..]))
}

/// Escapes a text for use as a value, also where it would look like the start of another game.
pub(super) fn escape(text: &str) -> String {
    let mut value = String::new();
    for symbol in text.chars() {
        if matches!(symbol, ']' | '\\' | '\t' | '\u{b}' | '\u{c}') {
            value.push('\\');
        }
        value.push(symbol);
    }
    if has_game_start(&value) { value.replace("(;", "\\(;") } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Result<Vec<Event>, RecordError> {
        let mut parser = Parser::new(text);
        std::iter::from_fn(|| parser.next().transpose()).collect()
    }

    #[test]
    fn trees_are_parsed_as_events() {
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
            ("(;B[aa](\n", "line 2: the file ends inside a game"),
            ("(;B[aa\n)", "line 1: a value is not closed by ]"),
            ("(;B)", "line 1: the property B has no value"),
        ] {
            assert_eq!(events(bad).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn line_is_counted_in_any_order() {
        let parser = Parser::new("a\n(\n\n)");
        let lines = [0, 5, 2, 4, 1, 3, 6].map(|at| parser.line_of(at));
        assert_eq!(lines, [1, 4, 2, 3, 1, 2, 4]);
    }

    #[test]
    fn unescape_inverts_escape() {
        assert_eq!(unescape("a\\]b\\\\c\\\nd\te\r\nf"), "a]b\\cd e\nf");
        for text in ["", "a]b", "\\", "x:y\nz", "][", "ä]", "(;)", "\\\n(;GM[4", "x)(;GM[4"] {
            let value = escape(text);
            assert_eq!(unescape(&value), text);
            assert!(!has_game_start(&value), "{value}");
        }
    }
}
