//! Bytes to text.

use super::RecordError;

/// The text of a file that should be UTF-8; a byte order mark is dropped.
///
/// # Errors
/// When it is not, with the first wrong byte.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, RecordError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        RecordError::new("the text is not UTF-8; name its encoding").at_byte(error.valid_up_to())
    })?;
    Ok(text.trim_start_matches('\u{feff}'))
}

/// The number of the line, from 1, in which the byte `offset` of `text` stands.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count()
}
