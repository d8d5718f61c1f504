//! The file and number of a game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a position or a game comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The file; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The number of the game or line in the file, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub game: Option<usize>,
}
