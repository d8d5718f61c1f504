//! JSON lines: one game per line, as an object with the keys `size`, `rule`, `moves`, `black`,
//! `white`, `result`, `reason`, `opening`, `times_ms`, `set_up`, `comments` and `info`.
//!
//! A line with the key `match`, the first line of a match record, sets size and rule for the
//! following lines that do not state their own.
//!
//! Objects of other programs have other keys: `keys` lists their names.

mod board;
mod cell;
mod keys;
mod line;
mod object;
mod output;
mod set_up;
mod size;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::RecordError;
use super::games::Collector;
use cell::{are_rows, is_cell, is_stone};
use keys::games_of;
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
            Ok(list) => return read_array(list, &mut terms, out),
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
            read_games(value, Some(line), &mut terms, out);
        }
        return;
    }
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(value) => read_games(value, Some(index + 1), &mut terms, out),
            Err(error) => out.add(Err(syntax_error(&error).at_line(index + 1))),
        }
    }
}

/// Adds the game of an object, or the games of its list. The header of a match record is skipped.
fn read_games(value: Value, line: Option<usize>, terms: &mut Terms, out: &mut Collector) {
    let listed = value.as_object().and_then(|fields| games_of(fields, out));
    let values = match listed {
        Some(games) => games.into_iter().map(Value::Object).collect(),
        None => vec![value],
    };
    for value in values {
        match (read_value(value, terms, out), line) {
            (Ok(None), _) => {}
            (Ok(Some(game)), _) => out.add(Ok(game)),
            (Err(error), Some(line)) => out.add(Err(error.at_line(line))),
            (Err(error), None) => out.add(Err(error)),
        }
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
fn read_array(list: Vec<Value>, terms: &mut Terms, out: &mut Collector) {
    let is_cells = |value: &Value| match value {
        Value::Array(list) => list.iter().all(is_cell),
        value => is_cell(value),
    };
    if are_rows(&list) {
        let rows = list.iter().map(|row| row.to_string() + "\n");
        super::diagram::read(&rows.collect::<String>(), out);
    } else if list.iter().all(is_cell) {
        read_games(of_cells(list, out), None, terms, out);
    } else if list.iter().all(is_cells) {
        for item in list {
            match item {
                Value::Array(cells) if cells.is_empty() => out.leave_out("empty lists"),
                Value::Array(cells) => read_games(of_cells(cells, out), None, terms, out),
                cell => read_games(of_cells(vec![cell], out), None, terms, out),
            }
        }
    } else {
        for value in list {
            read_games(value, None, terms, out);
        }
    }
}

/// The object of a game with these moves, or of a puzzle with these stones.
fn of_cells(mut list: Vec<Value>, out: &mut Collector) -> Value {
    let is_mark = |it: &Value| it.as_str().is_some_and(|it| !it.contains(char::is_alphanumeric));
    let is_puzzle = |it: &Value| is_stone(it) || is_mark(it);
    if !list.iter().any(is_stone) || !list.iter().all(is_puzzle) {
        return serde_json::json!({ "moves": list });
    }
    if list.iter().any(is_mark) {
        out.leave_out("marks in lists of stones");
        list.retain(|it| !is_mark(it));
    }
    serde_json::json!({ "set_up": list })
}

/// An error of the library without its line number.
fn syntax_error(error: &serde_json::Error) -> RecordError {
    let place = format!(" at line {} column", error.line());
    RecordError::new(error.to_string().replace(&place, ", at column"))
}
