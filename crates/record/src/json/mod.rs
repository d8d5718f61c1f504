//! JSON lines: one game per line, as an object with the keys `size`, `rule`, `moves`, `black`,
//! `white`, `result`, `reason`, `opening`, `times_ms`, `set_up`, `comments` and `info`.
//!
//! A line with the key `match`, the first line of a match record, sets size and rule for the
//! following lines that do not state their own.

mod cell;
mod line;
mod object;
mod output;
mod size;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::games::Collector;
use super::{GameRecord, RecordError};
use cell::{are_rows, is_cell};
use object::{Terms, read_value};

pub(super) use line::write;
pub use line::{GameLine, SetUpStones};
pub use output::OF_PUZZLES;
pub use size::take_size;

/// Whether a text is a JSON array.
pub(super) fn is_array(text: &str) -> bool {
    serde_json::from_str::<Vec<IgnoredAny>>(text).is_ok()
}

/// Whether a complete JSON value is at the beginning of a text.
pub(super) fn begins_with_value(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next().is_some_and(|first| first.is_ok())
}

/// Reads lines and skips blank ones. Objects may also span several lines or form an array. An array
/// of cells is a game.
pub(super) fn read(text: &str, out: &mut Collector) {
    let mut terms = Terms { size: out.options.board(), rule: None };
    if text.trim_start().starts_with('[') {
        let error = match serde_json::from_str::<Vec<Value>>(text) {
            Ok(list) => return read_array(&list, &mut terms, out),
            Err(error) => error,
        };
        if !begins_with_value(text) {
            return out.add(Err(syntax_error(&error).at_line(error.line())));
        }
    }
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_cut = serde_json::from_str::<Value>(first).is_err_and(|error| error.is_eof());
    if is_cut && let Some(values) = values_of(text) {
        for (line, value) in values {
            add(read_value(&value, &mut terms, out).map_err(|error| error.at_line(line)), out);
        }
        return;
    }
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let game = read_line(line, &mut terms, out);
        add(game.map_err(|error| error.at_line(index + 1)), out);
    }
}

/// Adds a game, unless it was the header of a match record.
fn add(game: Result<Option<GameRecord>, RecordError>, out: &mut Collector) {
    match game {
        Ok(None) => {}
        Ok(Some(game)) => out.add(Ok(game)),
        Err(error) => out.add(Err(error)),
    }
}

/// All JSON values of a text with the lines on which they begin; `None` if there is anything else.
fn values_of(text: &str) -> Option<Vec<(usize, Value)>> {
    let mut values = Vec::new();
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    // The text before `counted` ends in line `line`.
    let (mut line, mut counted) = (1, 0);
    loop {
        let rest = &text[stream.byte_offset()..];
        let at = text.len() - rest.trim_start().len();
        match stream.next() {
            None => return Some(values),
            Some(Ok(value)) => {
                line += text[counted..at].matches('\n').count();
                counted = at;
                values.push((line, value));
            }
            Some(Err(_)) => return None,
        }
    }
}

/// Reads an array of games, cells, lists of cells, or board rows.
fn read_array(list: &[Value], terms: &mut Terms, out: &mut Collector) {
    let is_cells = |value: &Value| match value {
        Value::Array(list) => list.iter().all(is_cell),
        value => is_cell(value),
    };
    match list {
        _ if are_rows(list) => {
            let rows = list.iter().map(|row| row.to_string() + "\n");
            super::diagram::read(&rows.collect::<String>(), out);
        }
        _ if list.iter().all(is_cell) => {
            let moves = Value::Array(list.to_vec());
            let game = read_value(&serde_json::json!({ "moves": moves }), terms, out);
            add(game, out);
        }
        _ if list.iter().all(is_cells) => {
            for moves in list {
                let game = read_value(&serde_json::json!({ "moves": moves }), terms, out);
                add(game, out);
            }
        }
        _ => {
            for value in list {
                let game = read_value(value, terms, out);
                add(game, out);
            }
        }
    }
}

fn read_line(
    line: &str,
    of_match: &mut Terms,
    out: &mut Collector,
) -> Result<Option<GameRecord>, RecordError> {
    let value: Value = serde_json::from_str(line).map_err(|error| syntax_error(&error))?;
    read_value(&value, of_match, out)
}

/// An error of the library without its line number.
fn syntax_error(error: &serde_json::Error) -> RecordError {
    let place = format!(" at line {} column", error.line());
    RecordError::new(error.to_string().replace(&place, ", at column"))
}
