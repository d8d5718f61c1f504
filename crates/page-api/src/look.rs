//! Facts about a position: whether the game is over, fouls with their reasons, the threats of each
//! side, and what the embedded proofs say.

use serde::Deserialize;
use serde_json::Value;

use crate::{RequestError, to_json};
use tengen_study::PositionInput;
use tengen_study::facts::Facts;

/// Requests the facts about a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookRequest {
    position: PositionInput,
}

/// State, winner and winning row, side to move, forbidden points with reasons, threats, and what is
/// proved.
///
/// # Errors
/// If the position is impossible.
pub(crate) fn look(request: &LookRequest) -> Result<Value, RequestError> {
    to_json(&Facts::of(&request.position.engine_game()?))
}
