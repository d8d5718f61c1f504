//! Boards in JSON: rows as lists or texts, or one list of all cells.

use serde_json::Value;

use super::cell::{color, holds_cells};
use super::object::unexpected;
use crate::games::Collector;
use crate::{GameRecord, ReadOptions, RecordError, diagram};
use tengen_rules::types::{BoardSize, Color};

const BOARDS: &str = "the rows of a board, with 0 for an empty cell, 1 for black and 2 for white";

/// Reads a board as a game that starts from it. `size` is the stated one, which a list of all cells
/// needs unless the board is a square.
pub(super) fn read(
    key: &str,
    value: &Value,
    size: Option<BoardSize>,
    out: &mut Collector,
) -> Result<GameRecord, RecordError> {
    let text = text(value, size).ok_or_else(|| unexpected(key, value, BOARDS))?;
    let options = ReadOptions { numbers: None, ..out.options.clone() };
    let mut boards = Collector::new(&options);
    diagram::read(&text, &mut boards);
    let boards = boards.finish();
    if let Some(bad) = boards.bad.first() {
        return Err(RecordError::new(format!("{key:?}: {}", bad.error.reason())));
    }
    boards.remarks.into_iter().for_each(|remark| out.remark(remark.text));
    boards.left_out.into_iter().for_each(|what| out.leave_out(what));
    let board = boards.list.into_iter().next().ok_or_else(|| unexpected(key, value, BOARDS))?;
    match size.filter(|size| *size != board.size) {
        None => Ok(board),
        Some(stated) => {
            let reason = format!("{key:?} has {} cells, but the size is {stated}", board.size);
            Err(RecordError::new(reason))
        }
    }
}

/// A board as lines of text; `None` for other values.
///
/// Some programs mark empty cells by -1 and stones by 0 and 1. Such boards are refused.
fn text(value: &Value, size: Option<BoardSize>) -> Option<String> {
    let joined = |rows: Vec<String>| rows.join("\n");
    let number = |number: i64| {
        let cells = value.as_array().into_iter().flatten();
        let cells =
            cells.flat_map(|it| it.as_array().map_or(std::slice::from_ref(it), Vec::as_slice));
        cells.filter(|cell| **cell == number).count()
    };
    if number(-1) > number(0) {
        return None;
    }
    match value {
        Value::String(text) if text.contains('\n') => Some(text.clone()),
        Value::String(text) if text.contains(['|', '/']) => Some(text.replace(['|', '/'], "\n")),
        Value::String(text) => {
            let cells: Vec<String> = text.chars().map(String::from).collect();
            Some(joined(chunks(&cells, size)?))
        }
        Value::Array(list) if list.iter().all(Value::is_array) => {
            let row = |row: &Value| Some(symbols(row.as_array()?)?.join(" "));
            Some(joined(list.iter().map(row).collect::<Option<_>>()?))
        }
        Value::Array(list) => {
            let row = |row: &Value| {
                let text = row.as_str().filter(|_| !holds_cells(row));
                text.filter(|text| text.chars().count() > 1).map(str::to_string)
            };
            match list.iter().map(row).collect::<Option<Vec<String>>>() {
                Some(rows) => Some(joined(rows)),
                None => Some(joined(chunks(&symbols(list)?, size)?)),
            }
        }
        _ => None,
    }
}

/// All cells of a board by its rows.
fn chunks(cells: &[String], size: Option<BoardSize>) -> Option<Vec<String>> {
    let side = cells.len().isqrt();
    let (width, height) = match size {
        Some(size) => (usize::from(size.width()), usize::from(size.height())),
        None => (side, side),
    };
    let rows = || cells.chunks(width).map(|row| row.join(" ")).collect();
    (width > 0 && width * height == cells.len()).then(rows)
}

/// Whether a value is a board, as far as this can be told without its size.
pub(super) fn is_board(value: &Value) -> bool {
    text(value, None).is_some_and(|text| text.lines().count() > 2)
}

/// The symbols of cells; `None` for other values.
fn symbols(cells: &[Value]) -> Option<Vec<String>> {
    let symbol = |cell: &Value| match cell {
        Value::Null | Value::Bool(false) => Some(".".to_string()),
        Value::String(text) if ["", " ", "empty", "none"].contains(&text.as_str()) => {
            Some(".".to_string())
        }
        Value::String(text) => Some(match color(cell) {
            Some(Color::Black) => "X".to_string(),
            Some(Color::White) => "O".to_string(),
            None if text.chars().count() == 1 => text.clone(),
            None => return None,
        }),
        Value::Number(number) => Some(match number.as_f64()? {
            -1.0 => "2".to_string(),
            number => number.to_string(),
        }),
        _ => None,
    };
    cells.iter().map(symbol).collect()
}
