//! The board size of a game in JSON.

use serde_json::{Map, Value};
use tengen_rules::types::{BoardSize, SizeError};

use crate::RecordError;

/// The keys of the board size: one for both sides, or one for the columns and one for the rows.
const SIZE_KEYS: [&[&str]; 6] = [
    &["size"],
    &["board_size"],
    &["boardSize"],
    &["width", "height"],
    &["cols", "rows"],
    &["columns", "rows"],
];

/// Takes the board size that an object states, with its keys; `None` if it states none.
///
/// # Errors
/// When the size is invalid.
pub fn take_size(fields: &mut Map<String, Value>) -> Result<Option<BoardSize>, RecordError> {
    let Some(stated) = StatedSize::of(fields) else { return Ok(None) };
    let size = stated.board()?;
    fields.retain(|key, _| !stated.keys.contains(&key.as_str()));
    Ok(Some(size))
}

/// The board size that an object states.
pub(super) struct StatedSize {
    /// `15x15` or the text that the file has instead.
    text: String,
    /// Its keys.
    pub(super) keys: &'static [&'static str],
}

impl StatedSize {
    /// The first size of an object; `None` if it states none. Only `size` can be invalid.
    pub(super) fn of(fields: &Map<String, Value>) -> Option<StatedSize> {
        SIZE_KEYS.into_iter().find_map(|keys| {
            let stated = |key: &&str| fields.get(*key).filter(|value| !value.is_null());
            let sides = keys.iter().map(stated).collect::<Option<Vec<&Value>>>()?;
            let is_size = keys.len() == 1 || sides.iter().all(|side| side.is_number());
            let text = sides.into_iter().map(text).collect::<Vec<_>>().join("x");
            // Other keys may have another meaning, such as the size of a picture.
            let is_sure = keys == ["size"] || text.parse::<BoardSize>().is_ok();
            (is_size && is_sure).then_some(StatedSize { text, keys })
        })
    }

    /// The board.
    ///
    /// # Errors
    /// When the size is invalid.
    pub(super) fn board(&self) -> Result<BoardSize, RecordError> {
        self.text.parse().map_err(|cause: SizeError| RecordError::new(cause.to_string()))
    }
}

/// `15`, `15.0`, `"15x15"` or `[15, 15]` as the text of a size.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(text).collect::<Vec<_>>().join("x"),
        other => other.as_f64().map_or_else(|| other.to_string(), |side| side.to_string()),
    }
}
