//! Multi-line texts.

use std::borrow::Cow;

/// Appends a line to a text.
pub(super) fn append_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// The number of the line, from 1, that contains the byte `offset` of `text`.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count()
}

/// Converts the line breaks `\r\n`, `\r` and `\n\r` to `\n`.
pub(super) fn with_plain_lines(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    let mut symbols = text.chars().peekable();
    while let Some(symbol) = symbols.next() {
        let partner = match symbol {
            '\n' => '\r',
            '\r' => '\n',
            other => {
                plain.push(other);
                continue;
            }
        };
        symbols.next_if_eq(&partner);
        plain.push('\n');
    }
    plain.into()
}

/// Whether a line begins or ends a block of code in Markdown.
pub(super) fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// The text without the end mark (Ctrl-Z) of old programs and without the zeros of padded files.
pub(super) fn without_padding(text: &str) -> &str {
    let is_padding = |symbol| matches!(symbol, '\0' | '\u{1a}');
    let end = text.trim_end_matches(|symbol: char| is_padding(symbol) || symbol.is_whitespace());
    // Blank lines at the end of a file may be empty names.
    if text[end.len()..].contains(is_padding) { end } else { text }
}

/// The text without byte order marks at the beginnings of lines, which joined files have.
pub(super) fn without_marks(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{feff}') {
        return text.into();
    }
    text.split_inclusive('\n').map(|line| line.trim_start_matches('\u{feff}')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_marks_keeps_other_text() {
        assert_eq!(without_marks("\u{feff}a\u{feff}b\n\u{feff}c\n"), "a\u{feff}b\nc\n");
    }

    #[test]
    fn without_padding_keeps_blank_lines() {
        for text in ["h8 i9\r\n\u{1a}", "h8 i9\n\0\0\0\n\0", "h8 i9\u{1a}"] {
            assert_eq!(without_padding(text), "h8 i9", "{text:?}");
        }
        for text in ["", "h8\n\n", "h8\u{1a}i9", "\0h8"] {
            assert_eq!(without_padding(text), text);
        }
    }

    #[test]
    fn with_plain_lines_accepts_all_line_breaks() {
        for text in ["a\nb\n\nc", "a\r\nb\r\n\r\nc", "a\rb\r\rc", "a\n\rb\n\r\n\rc"] {
            assert_eq!(with_plain_lines(text), "a\nb\n\nc", "{text:?}");
        }
    }
}
