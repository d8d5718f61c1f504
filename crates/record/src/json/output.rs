//! Objects that Tengen's tools print: puzzles, positions of a database, analyses, and reviews. They
//! are converted to objects that describe a game.

use serde_json::{Map, Value};

/// Keys of a puzzle that describe its solution. They become information about the game.
pub const OF_PUZZLES: [&str; 4] = ["kind", "first", "plies", "branching"];

/// Keys of an analysis except those of its position.
const OF_ANALYSES: [&str; 10] =
    ["file", "count", "ending", "lines", "opening", "threats", "prospects", "cells", "nodes", "ms"];

/// Keys of a review except those of its game.
const OF_REVIEWS: [&str; 8] = [
    "variation",
    "from_move",
    "foul",
    "accuracy",
    "turning_points",
    "losing_move",
    "black_win_rates",
    "given",
];

/// An object as another one with the keys of a game, and what is left out of it.
pub(super) struct Converted {
    pub(super) fields: Map<String, Value>,
    pub(super) left_out: Option<&'static str>,
    /// Whether it is a position of a database.
    pub(super) is_stored: bool,
}

/// Converts an analysis, a review or a position of a database; `None` for other objects.
pub(super) fn convert(fields: &Map<String, Value>) -> Option<Converted> {
    let side = |key: &str| fields.get(key).and_then(Value::as_u64);
    let (width, height) = (side("width")?, side("height")?);
    let mut fields = fields.clone();
    fields.retain(|key, _| key != "width" && key != "height");
    fields.insert("size".to_string(), format!("{width}x{height}").into());
    if fields.contains_key("prospects") {
        let is_played =
            fields.get("moves").and_then(Value::as_array).is_some_and(|it| !it.is_empty());
        let side = fields.remove("side_to_move");
        if is_played {
            // The moves give the stones.
            fields.retain(|key, _| key != "black" && key != "white");
            if let Some(walls) =
                fields.remove("walls").filter(|walls| *walls != serde_json::json!([]))
            {
                fields.insert("set_up".to_string(), serde_json::json!({ "walls": walls }));
            }
        } else if let Some(side) = side {
            fields.insert("to_move".to_string(), side);
            fields.remove("moves");
        }
        fields.retain(|key, _| !OF_ANALYSES.contains(&key.as_str()));
        return Some(Converted { fields, left_out: Some("the analysis"), is_stored: false });
    }
    if fields.contains_key("black_win_rates") {
        let given = fields.get("given").cloned().unwrap_or(0.into());
        let set_up = fields.remove("set_up");
        if let Some(set_up) =
            set_up.as_ref().and_then(Value::as_array).and_then(|list| stones(list))
        {
            fields.insert("set_up".to_string(), set_up);
        }
        fields.insert("opening".to_string(), given);
        fields.retain(|key, _| !OF_REVIEWS.contains(&key.as_str()));
        return Some(Converted { fields, left_out: Some("the review"), is_stored: false });
    }
    let side = fields.remove("side_to_move")?;
    fields.insert("to_move".to_string(), side);
    Some(Converted { fields, left_out: None, is_stored: true })
}

/// The stones of a list of colours and cells; `None` if it is empty.
fn stones(list: &[Value]) -> Option<Value> {
    let of = |color: &str| {
        let own = list.iter().filter(|stone| stone["color"] == color);
        own.map(|stone| stone["at"].clone()).collect::<Vec<Value>>()
    };
    let object = serde_json::json!({ "black": of("black"), "white": of("white") });
    (!list.is_empty()).then_some(object)
}
