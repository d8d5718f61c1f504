//! The position before the first move: lists of stones, and boards.

use serde_json::Value;

use super::board;
use super::cell::{CellReader, ListedCell, color};
use super::keys::Fields;
use super::object::unexpected;
use super::size::StatedSize;
use crate::games::Collector;
use crate::{GameRecord, NodeId, RecordError, SetUp};
use tengen_rules::types::{Color, ParseMoveError, Point};

/// The keys of `set_up`, and their common names.
const SET_UP_KEYS: [&str; 4] = ["black", "white", "walls", "side"];
const IN_SET_UP: [&str; 5] = ["black_stones", "white_stones", "walls", "to_move", "stones"];

/// The keys of all stones before the first move of an object without moves.
pub(super) const ALL: [&str; 5] = ["set_up", "stones", "black_stones", "white_stones", "walls"];

/// The keys of stones. Beside moves they show the position after the moves.
pub(super) const STONES: [&str; 3] = ["stones", "black_stones", "white_stones"];

/// The keys of stones that are set up before moves.
pub(super) const BEFORE_MOVES: [&str; 2] = ["set_up", "walls"];

/// The stones under these keys of an object; `None` if it has none of them.
pub(super) fn read(
    fields: &Fields,
    names: &[&'static str],
    reader: &CellReader,
    out: &mut Collector,
) -> Result<Option<SetUp>, RecordError> {
    let mut all = SetUp::default();
    let mut is_stated = false;
    for &name in names {
        let Some(value) = fields.get(name) else { continue };
        is_stated = true;
        let key = fields.written(name);
        match (name, value) {
            ("set_up" | "stones", Value::Object(inner)) => {
                let inner = Fields::of_set_up(inner.clone(), out)?;
                // The object of a position, as a puzzle, has other keys too.
                let is_position = fields.is_own(name)
                    && (inner.get("moves").is_some()
                        || StatedSize::with(|it| inner.get(it)).is_some());
                let mut unknown = inner.iter().filter(|it| !IN_SET_UP.contains(&it.0));
                if let Some((_, other, _)) = unknown.next().filter(|_| !is_position) {
                    let expected = SET_UP_KEYS.join(", ");
                    let reason = format!("unknown key {other:?} in {key:?} (expected {expected})");
                    return Err(RecordError::new(reason));
                }
                let stones = read(&inner, &ALL, reader, out)?.unwrap_or_default();
                all.black.extend(stones.black);
                all.white.extend(stones.white);
                all.walls.extend(stones.walls);
                all.side = side(&inner, "to_move")?.or(all.side);
            }
            ("set_up", value) if board::is_board(value) => {
                let drawn = board::read(key, value, Some(reader.size), out)?;
                all = stones_of(&drawn);
            }
            ("set_up", other) if !other.is_array() => {
                return Err(unexpected(key, other, "an object"));
            }
            (_, value) => {
                let cells = reader.read(key, value, out)?;
                let has_colors = cells.iter().all(|cell| cell.color().is_some());
                for (index, cell) in cells.iter().enumerate() {
                    let color = match name {
                        "black_stones" => Some(Color::Black),
                        "white_stones" => Some(Color::White),
                        "walls" => None,
                        _ if has_colors => cell.color(),
                        // Without players the stones alternate, as moves do.
                        "stones" => Some(Color::after_moves(index)),
                        _ => return Err(unexpected(key, value, "stones with their players")),
                    };
                    let point = point(cell, reader)?;
                    match color {
                        Some(Color::Black) => all.black.push(point),
                        Some(Color::White) => all.white.push(point),
                        None => all.walls.push(point),
                    }
                }
            }
        }
    }
    Ok(is_stated.then_some(all))
}

/// The stones of a board.
pub(super) fn stones_of(board: &GameRecord) -> SetUp {
    let stones = board.note(NodeId::ROOT).map(|note| note.set_up.clone());
    SetUp { side: None, ..stones.unwrap_or_default() }
}

/// The side that a key states.
pub(super) fn side(fields: &Fields, name: &str) -> Result<Option<Color>, RecordError> {
    let Some(value) = fields.get(name) else { return Ok(None) };
    let key = fields.written(name);
    color(value).map(Some).ok_or_else(|| unexpected(key, value, "black or white"))
}

fn point(cell: &ListedCell, reader: &CellReader) -> Result<Point, RecordError> {
    let at = cell.at;
    let outside = || ParseMoveError::outside(&at.to_string(), reader.size).into();
    reader.size.point(at.x, at.y).ok_or_else(outside)
}
