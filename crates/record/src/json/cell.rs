//! Cells in JSON, and what lists of moves state about each: the player, a comment, the time.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::keys::{find, is_named};
use super::object::unexpected;
use crate::RecordError;
use crate::games::Collector;
use tengen_rules::types::{BoardSize, CellText, Color, Coordinates, Notation};

/// The keys of a cell in an object, and those of its column and row.
const CELL_KEYS: [&str; 12] = [
    "at",
    "move",
    "coord",
    "coordinate",
    "coordinates",
    "pos",
    "position",
    "point",
    "cell",
    "square",
    "location",
    "mv",
];
const PAIR_KEYS: [(&str, &str); 4] = [("x", "y"), ("col", "row"), ("column", "row"), ("c", "r")];

/// The keys of the player of a move.
const PLAYER_KEYS: [&str; 6] = ["color", "colour", "player", "side", "stone", "piece"];

const COMMENT_KEYS: [&str; 4] = ["comment", "note", "annotation", "remark"];

/// The keys of the time of a move in milliseconds.
const TIME_KEYS: [&str; 5] = ["time_ms", "ms", "elapsed_ms", "duration_ms", "used_ms"];

/// Keys that number the moves.
const NUMBER_KEYS: [&str; 10] =
    ["no", "n", "number", "index", "step", "ply", "order", "move", "move_number", "turn"];

/// The accepted forms of a cell.
pub(super) const CELLS: &str = "cells such as \"h8\", [7,7] or [7,7,1], where 1 is black, 2 white";

/// How the cells of a game are written.
pub(super) struct CellReader {
    pub(super) size: BoardSize,
    pub(super) notation: Notation,
    /// The number of the first column and the first row in pairs of numbers.
    pub(super) base: i64,
}

/// A cell of a list.
pub(super) struct ListedCell {
    pub(super) at: Coordinates,
    /// The player, if the list names one.
    player: Option<Player>,
    pub(super) comment: Option<String>,
    pub(super) time_ms: Option<u64>,
}

#[derive(Clone, Copy)]
struct Player {
    /// `None` if the name is unknown. Numbers such as 0 have different meanings.
    color: Option<Color>,
    /// Whether it is a number that may have another meaning than the color.
    is_doubtful: bool,
}

/// A cell as written.
enum Written<'a> {
    Text(Cow<'a, str>),
    Pair(i64, i64),
}

impl CellReader {
    /// Cells as one string or as a list of cells; `out` receives what is left out.
    pub(super) fn read(
        &self,
        key: &str,
        value: &Value,
        out: &mut Collector,
    ) -> Result<Vec<ListedCell>, RecordError> {
        let plain = |at| ListedCell { at, player: None, comment: None, time_ms: None };
        let list = match value {
            Value::String(text) => return Ok(self.text(text)?.into_iter().map(plain).collect()),
            Value::Array(list) => list,
            other => return Err(unexpected(key, other, "a string or a list")),
        };
        if let Some(cells) = self.numbers(list, out) {
            return Ok(cells.into_iter().map(plain).collect());
        }
        let mut cells = Vec::new();
        for item in list {
            let Some((written, player)) = parts(item) else {
                return Err(unexpected(key, item, CELLS));
            };
            let of_item = match written {
                Written::Text(text) => self.text(&text)?,
                Written::Pair(x, y) => vec![self.pair(x, y)],
            };
            let start = cells.len();
            cells.extend(of_item.into_iter().map(|at| ListedCell { player, ..plain(at) }));
            if let (Some(fields), Some(cell)) = (item.as_object(), cells.get_mut(start)) {
                cell.take_keys(fields, out);
            }
        }
        Ok(cells)
    }

    /// A list of numbers only: one pair, or indices of cells; `None` for other lists.
    fn numbers(&self, list: &[Value], out: &mut Collector) -> Option<Vec<Coordinates>> {
        let numbers = list.iter().map(Value::as_i64).collect::<Option<Vec<i64>>>()?;
        let (width, height) = (i64::from(self.size.width()), i64::from(self.size.height()));
        let is_index = |number: &i64| (0..width * height).contains(number);
        match numbers[..] {
            [x, y] => Some(vec![self.pair(x, y)]),
            // A list of columns and rows has no such numbers.
            _ if numbers.iter().all(is_index)
                && numbers.iter().any(|number| *number > width.max(height)) =>
            {
                let last = width * height - 1;
                out.remark(format!("numbers are cells counted by rows, 0 to {last}"));
                let at = |index| Coordinates { x: index % width, y: index / width };
                Some(numbers.into_iter().map(at).collect())
            }
            _ => None,
        }
    }

    fn pair(&self, x: i64, y: i64) -> Coordinates {
        Coordinates { x: x.saturating_sub(self.base), y: y.saturating_sub(self.base) }
    }

    fn text(&self, text: &str) -> Result<Vec<Coordinates>, RecordError> {
        let cells = self.notation.parse_all(text)?;
        let is_named = text.contains(|symbol: char| symbol.is_alphabetic());
        let at = |at: Coordinates| if is_named { at } else { self.pair(at.x, at.y) };
        Ok(cells.into_iter().map(at).collect())
    }
}

impl ListedCell {
    /// The color that the list names.
    pub(super) fn color(&self) -> Option<Color> {
        self.player?.color
    }

    /// Takes comment and time from the keys of a move; `out` receives the other keys.
    fn take_keys(&mut self, fields: &Map<String, Value>, out: &mut Collector) {
        let comment = find(fields, &COMMENT_KEYS).filter(|(_, value)| value.is_string());
        let time = find(fields, &TIME_KEYS).filter(|(_, value)| milliseconds(value).is_some());
        self.comment = comment.and_then(|(_, value)| value.as_str()).map(str::to_string);
        self.time_ms = time.and_then(|(_, value)| milliseconds(value));
        let taken = [comment, time].map(|found| found.map(|(key, _)| key));
        let has = |names: &[&str], key: &str| names.iter().any(|name| is_named(key, name));
        for (key, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
            let is_known = taken.contains(&Some(key))
                || has(&CELL_KEYS, key)
                || PAIR_KEYS.iter().any(|(x, y)| has(&[x, y], key))
                || has(&PLAYER_KEYS, key)
                || (has(&NUMBER_KEYS, key) && value.is_number());
            if !is_known {
                out.leave_out(format!("the key {key:?} of the moves"));
            }
        }
    }
}

fn milliseconds(value: &Value) -> Option<u64> {
    value.as_f64().filter(|time| *time >= 0.0).map(|time| time.round() as u64)
}

/// The number of cells in a text; 0 if it has anything else.
pub(super) fn count_cells(text: &str) -> usize {
    CellText::read_all(text).map_or(0, |cells| cells.len())
}

/// Whether a value is a text of cells, or of a cell and its player, or a list of cells or of lists.
pub(super) fn holds_cells(value: &Value) -> bool {
    match value {
        Value::String(text) => text_with_player(text).is_some() || count_cells(text) > 0,
        Value::Array(list) => list.iter().all(|item| match parts(item) {
            Some((Written::Text(text), _)) => count_cells(&text) > 0,
            Some(_) => true,
            None => item.is_array(),
        }),
        _ => false,
    }
}

/// Whether a value is a cell: a string, two numbers, one of these with a player, or an object with
/// one of these.
pub(super) fn is_cell(value: &Value) -> bool {
    parts(value).is_some()
}

/// Whether lists are the rows of a board, and not cells with players or other numbers. Three cells in
/// a corner can look like a board of 3x3 cells, and are read as one.
pub(super) fn are_rows(list: &[Value]) -> bool {
    let numbers = |value: &Value| -> Option<Vec<f64>> {
        value.as_array()?.iter().map(Value::as_f64).collect()
    };
    let Some(rows) = list.iter().map(numbers).collect::<Option<Vec<_>>>() else { return false };
    let is_plain = rows.iter().flatten().all(|number| [-1.0, 0.0, 1.0, 2.0].contains(number));
    let is_move = |value: &Value| is_cell(value) && value[2] != 0;
    let is_small = is_plain && (rows.len() == 3 || !list.iter().all(is_move));
    !rows.is_empty()
        && rows.iter().all(|row| row.len() > 2)
        && (is_small || rows.iter().any(|row| row.len() > 3))
}

/// The players that the moves name, one for each. `None` if they name none, or not each in a known
/// way, which is a remark. Numbers under `player` or `side` may have another meaning than the color:
/// they are a remark if they contradict the order of the moves, of which `first` plays the first one
/// if it is known.
pub(super) fn players(
    moves: &[ListedCell],
    first: Option<Color>,
    out: &mut Collector,
) -> Option<Vec<Color>> {
    if moves.iter().all(|cell| cell.player.is_none()) {
        return None;
    }
    let colors: Option<Vec<Color>> = moves.iter().map(ListedCell::color).collect();
    if colors.is_none() {
        out.leave_out("the players of the moves (expected black or white)");
    }
    let colors = colors?;
    let is_in_turn = colors.windows(2).all(|pair| pair[0] != pair[1])
        && first.is_none_or(|first| colors.first().is_none_or(|color| *color == first));
    let is_doubtful = |cell: &ListedCell| cell.player.is_some_and(|player| player.is_doubtful);
    if !is_in_turn && moves.iter().any(is_doubtful) {
        out.leave_out("the numbers of the players, which contradict the order of the moves");
        return None;
    }
    Some(colors)
}

/// The player with this name or number.
pub(super) fn color(value: &Value) -> Option<Color> {
    let name = value.as_str().map_or_else(|| value.to_string(), str::to_ascii_lowercase);
    match name.as_str() {
        "black" | "b" | "x" | "1" | "黑" | "黒" => Some(Color::Black),
        "white" | "w" | "o" | "2" | "-1" | "白" => Some(Color::White),
        _ => None,
    }
}

/// Whether a text is a cell and the number of its player, as `H8,1` in collections of puzzles, in
/// which the order of the stones has no meaning.
pub(super) fn is_stone(value: &Value) -> bool {
    value
        .as_str()
        .and_then(text_with_player)
        .is_some_and(|(_, player)| ["1", "2"].contains(&player))
}

/// The cell and the player of `H8,1` or `black H8`; `None` for other texts.
fn text_with_player(text: &str) -> Option<(&str, &str)> {
    let is_one = |cell: &&str| CellText::read_one(cell).is_ok();
    let is_player = |name: &&str| color(&Value::from(*name)).is_some();
    let separators = [',', ';', ':', ' '];
    let behind = text.trim().rsplit_once(separators).map(|(cell, name)| (cell, name.trim()));
    let before = text.trim().split_once(separators).map(|(name, cell)| (cell, name.trim()));
    let named = before.filter(|(_, name)| !name.starts_with(|it: char| it.is_ascii_digit()));
    [behind, named].into_iter().flatten().find(|(cell, name)| is_one(cell) && is_player(name))
}

/// The cell in an item of a list, and its player; `None` for other items.
fn parts(value: &Value) -> Option<(Written<'_>, Option<Player>)> {
    let sure = |name: &Value| Player { color: color(name), is_doubtful: false };
    match value {
        Value::String(text) => Some(match text_with_player(text) {
            Some((cell, name)) => (Written::Text(cell.into()), Some(sure(&name.into()))),
            None => (Written::Text(text.into()), None),
        }),
        Value::Array(list) => match &list[..] {
            [x, y, player] if x.is_i64() && y.is_i64() => {
                let is_player = color(player).is_some() || *player == 0;
                is_player.then_some((pair(x, y)?, Some(sure(player))))
            }
            [x, y] if pair(x, y).is_some() => Some((pair(x, y)?, None)),
            [one, other] => {
                let named = |cell, name| {
                    let written = sole_cell(cell).filter(|_| color(name).is_some())?;
                    Some((written, Some(sure(name))))
                };
                named(one, other).or_else(|| named(other, one))
            }
            _ => None,
        },
        Value::Object(fields) if find(fields, &["moves"]).is_none() => {
            let player =
                PLAYER_KEYS.iter().find_map(|name| find(fields, &[name])).map(|(key, name)| {
                    let is_digits = |text: &str| text.parse::<u32>().is_ok();
                    let is_number = name.is_number() || name.as_str().is_some_and(is_digits);
                    let is_doubtful = is_number && !key.to_ascii_lowercase().starts_with("col");
                    Player { color: color(name), is_doubtful }
                });
            Some((cell_of(fields)?, player))
        }
        _ => None,
    }
}

/// The cell of an object: the text of `at` or `move` if it is a cell, as `x` and `y` can be pixels.
fn cell_of(fields: &Map<String, Value>) -> Option<Written<'_>> {
    let text = || ["at", "move"].iter().find_map(|key| find(fields, &[key])?.1.as_str());
    let named = || CELL_KEYS.iter().find_map(|key| sole_cell(find(fields, &[key])?.1));
    let pair = |(x, y): &(&str, &str)| pair(find(fields, &[x])?.1, find(fields, &[y])?.1);
    text()
        .filter(|text| CellText::read_one(text).is_ok())
        .map(|text| Written::Text(text.into()))
        .or_else(|| PAIR_KEYS.iter().find_map(pair))
        .or_else(named)
        .or_else(|| text().map(|text| Written::Text(text.into())))
}

/// A text of one cell, a pair, or an object with one of these.
fn sole_cell(value: &Value) -> Option<Written<'_>> {
    match value {
        Value::String(text) => CellText::read_one(text).is_ok().then(|| Written::Text(text.into())),
        Value::Array(list) if list.len() == 2 => pair(&list[0], &list[1]),
        Value::Object(fields) => cell_of(fields),
        _ => None,
    }
}

/// A pair of numbers, or the letter of a column and the number of a row.
fn pair<'a>(x: &Value, y: &Value) -> Option<Written<'a>> {
    let whole = |value: &Value| match value {
        Value::String(text) => text.trim().parse().ok(),
        value => {
            value.as_i64().or(value.as_f64().filter(|it| it.fract() == 0.0).map(|it| it as i64))
        }
    };
    match (whole(x), whole(y), x.as_str()) {
        (Some(x), Some(y), _) => Some(Written::Pair(x, y)),
        (None, Some(y), Some(x)) if x.len() < 3 && x.bytes().all(|it| it.is_ascii_alphabetic()) => {
            Some(Written::Text(format!("{x}{y}").into()))
        }
        _ => None,
    }
}
