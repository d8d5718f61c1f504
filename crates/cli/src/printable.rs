//! Makes text from files and engines safe for a terminal.

use std::borrow::Cow;
use std::io::{self, Write};

/// The text with control characters as escapes, so that the output of an engine or a name in a file
/// cannot move the cursor, change the title or hide text. Line ends and tabs are kept. Characters
/// that change the direction of the following text are also escaped.
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for symbol in text.chars() {
        let is_direction = matches!(symbol, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
        match symbol {
            '\n' | '\t' => printable.push(symbol),
            _ if symbol.is_control() || is_direction => printable.extend(symbol.escape_default()),
            _ => printable.push(symbol),
        }
    }
    printable
}

/// Maximum number of characters to write; a file may contain a name of megabytes.
const MAX_CHARS: usize = 2_000;

/// The text, cut if it is too long for a message; then the number of omitted characters follows.
pub fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_CHARS) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            let more = text[end..].chars().count();
            Cow::Owned(format!("{}... ({more} more characters)", &text[..end]))
        }
    }
}

/// A stream that receives [`printable`] text, for messages with text from engines and files.
pub struct PrintableWriter<W>(pub W);

impl<W: Write> Write for PrintableWriter<W> {
    /// Formatted text arrives in whole characters.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let text = printable(&shortened(text));
                self.0.write_all(text.as_bytes()).map(|()| bytes.len())
            }
            Err(_) => self.0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The line broken between words so that it fits the columns. Its continuations are indented like the
/// explanation of a command, after two or more blanks, if there is room.
pub fn wrapped(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns {
        return line.to_string();
    }
    let indent = line.trim_start().find("  ").map_or(0, |gap| {
        let behind = line.len() - line.trim_start().len() + gap;
        behind + line[behind..].len() - line[behind..].trim_start().len()
    });
    let indent = if indent * 2 < columns { indent } else { 0 };
    let (mut text, mut length) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let width = word.trim_end().chars().count();
        if length > indent && length + width > columns {
            text.truncate(text.trim_end().len());
            text += &format!("\n{}", " ".repeat(indent));
            length = indent;
        }
        text += word;
        length += word.chars().count();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_escapes() {
        assert_eq!(printable("\x1b]0;owned\x07\x1b[2J"), r"\u{1b}]0;owned\u{7}\u{1b}[2J");
        assert_eq!(printable("a\r\u{9b}2J\u{202e}b\0"), r"a\r\u{9b}2J\u{202e}b\u{0}");
        assert_eq!(printable("七\té\n🙂"), "七\té\n🙂");
    }

    #[test]
    fn long_pieces_are_cut() {
        assert_eq!(shortened("七"), "七");
        let cut = shortened(&"七".repeat(MAX_CHARS + 5)).into_owned();
        assert!(cut.ends_with("七... (5 more characters)"), "{cut}");
    }

    #[test]
    fn messages_are_written_printable() {
        let mut stream = PrintableWriter(Vec::new());
        let name = "七\x1b[2J";
        writeln!(stream, "game 1: {name}").unwrap();
        assert_eq!(String::from_utf8(stream.0).unwrap(), "game 1: 七\\u{1b}[2J\n");
    }

    #[test]
    fn wrapped_lines_break_between_words() {
        assert_eq!(wrapped("moves: h8 i9", 80), "moves: h8 i9");
        assert_eq!(wrapped("moves: h8 i9 j10 k11", 12), "moves: h8 i9\nj10 k11");
        let help = "undo      take back your move";
        assert_eq!(wrapped(help, 24), "undo      take back your\n          move");
        assert_eq!(wrapped(help, 15), "undo      take\nback your move");
        assert_eq!(wrapped("averylongword", 5), "averylongword");
    }
}
