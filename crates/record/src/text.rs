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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_plain_lines_accepts_all_line_breaks() {
        for text in ["a\nb\n\nc", "a\r\nb\r\n\r\nc", "a\rb\r\rc", "a\n\rb\n\r\n\rc"] {
            assert_eq!(with_plain_lines(text), "a\nb\n\nc", "{text:?}");
        }
    }
}
