//! Bytes to text.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::RecordError;

/// How the letters of a file are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Default for Encoding {
    /// UTF-8.
    fn default() -> Encoding {
        Encoding(encoding_rs::UTF_8)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl FromStr for Encoding {
    type Err = ParseEncodingError;

    /// Any name of the web's encoding standard: `gbk`, `shift_jis`, `cp1251`, `big5`, `utf-8` ...,
    /// and the numbers that Windows has for those of Asia.
    fn from_str(text: &str) -> Result<Encoding, ParseEncodingError> {
        let label = match text.trim().to_ascii_lowercase().as_str() {
            "cp932" => "shift_jis",
            "cp936" => "gbk",
            "cp949" => "euc-kr",
            "cp950" => "big5",
            _ => text,
        };
        let found = encoding_rs::Encoding::for_label(label.as_bytes());
        found.map(Encoding).ok_or_else(|| ParseEncodingError { text: text.to_string() })
    }
}

/// A text that names no encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseEncodingError {
    text: String,
}

impl fmt::Display for ParseEncodingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        write!(f, "unknown encoding {text:?}: expected one such as utf-8, gbk, shift_jis or cp1251")
    }
}

impl std::error::Error for ParseEncodingError {}

impl Encoding {
    /// The text that these bytes, which begin at byte `at` of a file, stand for; without a byte
    /// order mark.
    ///
    /// # Errors
    /// When they are no text in this encoding.
    pub(super) fn decode(self, bytes: &[u8], at: usize) -> Result<Cow<'_, str>, RecordError> {
        let text: Cow<'_, str> = if self == Encoding::default() {
            let text = std::str::from_utf8(bytes).map_err(|error| {
                RecordError::new("the text is not UTF-8; name its encoding")
                    .at_byte(at + error.valid_up_to())
            })?;
            text.into()
        } else {
            let text = self.0.decode_without_bom_handling_and_without_replacement(bytes);
            text.ok_or_else(|| RecordError::new(format!("the text is not {self}")).at_byte(at))?
        };
        Ok(match text {
            Cow::Borrowed(text) => text.trim_start_matches('\u{feff}').into(),
            Cow::Owned(text) => text.trim_start_matches('\u{feff}').to_owned().into(),
        })
    }
}

/// Adds a line to a text of lines.
pub(super) fn append_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// The number of the line, from 1, in which the byte `offset` of `text` stands.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count()
}
