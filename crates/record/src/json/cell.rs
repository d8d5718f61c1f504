//! Cells in JSON, and the players that moves name.

use serde_json::Value;

use super::object::unexpected;
use crate::RecordError;
use crate::games::Collector;
use tengen_rules::types::{Color, Coordinates, Notation};

/// The keys of the player of a move.
const PLAYER_KEYS: [&str; 4] = ["color", "colour", "player", "side"];

/// The accepted forms of a cell.
pub(super) const CELLS: &str = "cells such as \"h8\", [7,7] or [7,7,1], where 1 is black, 2 white";

/// Cells as one string or as a list of cells.
pub(super) fn cells(
    key: &str,
    value: &Value,
    notation: Notation,
) -> Result<Vec<Coordinates>, RecordError> {
    let parse = |text: &str| notation.parse_all(text).map_err(RecordError::from);
    match value {
        Value::String(text) => parse(text),
        Value::Array(list) => {
            if list.len() == 2 && list.iter().all(Value::is_number) {
                return Ok(pair_of(value).into_iter().collect());
            }
            let cell = |at: &Value| match at.as_str().or(named_cell(at)) {
                Some(text) => parse(text),
                None => match pair_of(at) {
                    Some(at) => Ok(vec![at]),
                    None => Err(unexpected(key, at, CELLS)),
                },
            };
            Ok(list.iter().map(cell).collect::<Result<Vec<_>, _>>()?.concat())
        }
        other => Err(unexpected(key, other, "a string or a list")),
    }
}

/// Whether a value is a cell: a string, two numbers, two numbers and a player, or an object with
/// one of these.
pub(super) fn is_cell(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(pair) => {
            (pair.len() == 2 && pair.iter().all(Value::is_number)) || is_cell_with_player(value)
        }
        Value::Object(fields) => {
            !fields.contains_key("moves")
                && (named_cell(value).is_some() || pair_of(value).is_some())
        }
        _ => false,
    }
}

/// Whether a value is `[x,y,player]`. Some programs number the players from 0.
fn is_cell_with_player(value: &Value) -> bool {
    value.as_array().is_some_and(|list| {
        list.len() == 3
            && list.iter().all(Value::is_i64)
            && (color(&list[2]).is_some() || list[2] == 0)
    })
}

/// Whether lists are the rows of a board, and not cells with players or other numbers. Three cells in
/// a corner can look like a board of 3x3 cells, and are read as one.
pub(super) fn are_rows(list: &[Value]) -> bool {
    let numbers = |value: &Value| -> Option<Vec<f64>> {
        value.as_array()?.iter().map(Value::as_f64).collect()
    };
    let Some(rows) = list.iter().map(numbers).collect::<Option<Vec<_>>>() else { return false };
    let is_plain = rows.iter().flatten().all(|number| [-1.0, 0.0, 1.0, 2.0].contains(number));
    let is_move = |value: &Value| is_cell_with_player(value) && value[2] != 0;
    let is_small = is_plain && (rows.len() == 3 || !list.iter().all(is_move));
    !rows.is_empty()
        && rows.iter().all(|row| row.len() > 2)
        && (is_small || rows.iter().any(|row| row.len() > 3))
}

/// The players that moves name, one for each of `count` moves. `None` if they name none, or not
/// each in a known way, which is a remark. Numbers under `player` or `side` may have another meaning
/// than the color: they are a remark if they contradict the order of the moves, of which `first`
/// plays the first one if it is known.
pub(super) fn players(
    moves: &Value,
    count: usize,
    first: Option<Color>,
    out: &mut Collector,
) -> Option<Vec<Color>> {
    let is_number = |at: &Value| {
        let named = PLAYER_KEYS.iter().find(|key| !at[**key].is_null());
        let is_digits = |text: &str| text.parse::<u32>().is_ok();
        named.is_some_and(|key| {
            ["player", "side"].contains(key)
                && (at[*key].is_number() || at[*key].as_str().is_some_and(is_digits))
        })
    };
    let player = |at: &Value| match at {
        Value::Array(list) => list.get(2).cloned(),
        Value::Object(_) => {
            PLAYER_KEYS.iter().map(|key| &at[*key]).find(|it| !it.is_null()).cloned()
        }
        _ => None,
    };
    let named: Vec<Option<Value>> = moves.as_array()?.iter().map(player).collect();
    if named.iter().all(Option::is_none) {
        return None;
    }
    // Numbers such as 0 have different meanings.
    let colors: Option<Vec<Color>> = named.iter().map(|name| color(name.as_ref()?)).collect();
    let colors = colors.filter(|colors| colors.len() == count);
    if colors.is_none() {
        out.leave_out("the players of the moves (expected black or white)");
    }
    let colors = colors?;
    let is_in_turn = colors.windows(2).all(|pair| pair[0] != pair[1])
        && first.is_none_or(|first| colors.first().is_none_or(|color| *color == first));
    if !is_in_turn && moves.as_array()?.iter().any(is_number) {
        out.leave_out("the numbers of the players, which contradict the order of the moves");
        return None;
    }
    Some(colors)
}

/// The player with this name or number.
fn color(value: &Value) -> Option<Color> {
    let name = value.as_str().map_or_else(|| value.to_string(), str::to_ascii_lowercase);
    match name.as_str() {
        "black" | "b" | "x" | "1" => Some(Color::Black),
        "white" | "w" | "o" | "2" | "-1" => Some(Color::White),
        _ => None,
    }
}

/// The name of the cell in an object.
fn named_cell(value: &Value) -> Option<&str> {
    ["at", "move"].iter().find_map(|key| value[key].as_str())
}

/// A pair of coordinates, as an array or under common key names.
fn pair_of(value: &Value) -> Option<Coordinates> {
    let keys = [("x", "y"), ("col", "row"), ("column", "row")];
    let pair = |x: &Value, y: &Value| Some(Coordinates { x: x.as_i64()?, y: y.as_i64()? });
    match value {
        Value::Array(list) if list.len() == 2 || is_cell_with_player(value) => {
            pair(&list[0], &list[1])
        }
        Value::Object(_) => keys.iter().find_map(|(x, y)| pair(&value[x], &value[y])),
        _ => None,
    }
}
