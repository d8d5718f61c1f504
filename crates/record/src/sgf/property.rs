//! Names of properties, and properties without a place in a record, which are kept verbatim.

use super::{GIVEN, INFO, MILLISECONDS, OTHER_INFO, REASON, WALLS, opening};
use crate::{Property, RecordError};
use tengen_rules::types::Color;

/// The player whose move a property with this name holds.
pub(super) fn player(name: &str) -> Option<Color> {
    match name {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

/// Whether a property with this name holds moves.
pub(super) fn holds_moves(name: &str) -> bool {
    player(name).is_some() || opening::holds_moves(name)
}

/// Whether a property is read elsewhere or carries no information about the game.
pub(super) fn is_known(name: &str, is_root: bool) -> bool {
    let of_game =
        ["FF", "GM", "CA", "ST", "SZ", "PB", "PW", "RU", "RE", "TE", REASON, GIVEN, OTHER_INFO];
    let of_root = of_game.contains(&name) || INFO.iter().any(|&(property, _)| property == name);
    holds_moves(name) || (is_root && of_root)
}

/// Properties of a node that have a place of their own in a record.
const PLACED: [&str; 13] =
    ["AB", "AW", "AE", WALLS, "PL", "C", MILLISECONDS, "LB", "CR", "MA", "SQ", "TR", ""];

impl Property {
    /// A property that has no other place in a record.
    ///
    /// # Errors
    /// If the name is not one of SGF or has a place of its own, or a value is not written as between
    /// brackets.
    pub fn new(name: String, values: Vec<String>) -> Result<Property, RecordError> {
        let letters = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if !letters || PLACED.contains(&name.as_str()) || is_known(&name, false) {
            return Err(RecordError::new(format!("invalid property {name:?}")));
        }
        if values.is_empty() {
            return Err(RecordError::new(format!("property {name} has no value")));
        }
        if let Some(value) = values.iter().find(|value| !is_value(value)) {
            return Err(RecordError::new(format!("invalid value of {name}: [{value}]")));
        }
        Ok(Property { name, values })
    }
}

/// Whether a text ends where its bracket is: without a bracket or backslash that is not escaped.
fn is_value(text: &str) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let ends = match letter {
            '\\' => letters.next().is_none(),
            _ => letter == ']',
        };
        if ends {
            return false;
        }
    }
    true
}
