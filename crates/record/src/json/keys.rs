//! The names of keys: those of Tengen's files, and those of other programs.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::board::is_board;
use super::cell::{color, count_cells, holds_cells, is_cell};
use crate::RecordError;
use crate::games::Collector;
use tengen_rules::types::BoardSize;

/// The common names of keys, each with the names in other programs. Case and signs such as `_` do not
/// matter.
static NAMES: [(&str, &[&str]); 28] = [
    (
        "moves",
        &[
            "history",
            "move history",
            "move list",
            "move sequence",
            "sequence",
            "record",
            "game record",
            "plays",
            "steps",
            "kifu",
        ],
    ),
    ("set_up", &["start position", "start board"]),
    ("stones", &["pieces"]),
    ("board", &["board state", "grid", "position", "squares"]),
    ("black_stones", &["black moves", "black pieces", "black positions"]),
    ("white_stones", &["white moves", "white pieces", "white positions"]),
    ("walls", &["obstacles", "blocked"]),
    (
        "to_move",
        &[
            "side",
            "side to move",
            "turn",
            "current turn",
            "next",
            "next player",
            "to play",
            "current player",
            "player to move",
        ],
    ),
    ("first_player", &["initial player", "starting player", "start player"]),
    (
        "base",
        &[
            "coordinate base",
            "coord base",
            "index base",
            "indexing",
            "coordinates",
            "coordinate system",
            "one based",
            "one indexed",
            "zero based",
            "zero indexed",
        ],
    ),
    ("origin", &["coordinate origin"]),
    ("size", &[]),
    ("board_size", &[]),
    ("width", &["board x size", "board width"]),
    ("height", &["board y size", "board height"]),
    ("cols", &["columns", "board cols", "board columns"]),
    ("rows", &["board rows"]),
    (
        "rule",
        &[
            "rules",
            "rule set",
            "rule set id",
            "rule name",
            "rule mode",
            "rule type",
            "game rule",
            "game rules",
            "game type",
            "variant",
        ],
    ),
    ("black", &["black player", "player black", "black name"]),
    ("white", &["white player", "player white", "white name"]),
    ("result", &["game result", "outcome"]),
    ("winner", &[]),
    ("reason", &[]),
    ("opening", &[]),
    ("times_ms", &[]),
    ("comment", &["note", "annotation", "description"]),
    ("comments", &[]),
    ("title", &["name", "game name"]),
];

/// Words in the names of keys whose stones are set up before the moves.
const OF_SET_UP: [&str; 5] = ["setup", "initial", "starting", "handicap", "preset"];

/// The keys of the players or of their stones.
const COLORS: [&str; 2] = ["black", "white"];

/// Keys of objects that hold keys of the game.
const PARTS: [&str; 15] = [
    "game",
    "game record",
    "game data",
    "data",
    "payload",
    "record",
    "position",
    "board",
    "state",
    "game state",
    "meta",
    "metadata",
    "header",
    "settings",
    "players",
];

/// Keys of objects with the common keys of several games.
const DEFAULTS: [&str; 3] = ["default settings", "defaults", "default"];

/// The keys that games in a list inherit from the object around it.
const INHERITED: [&str; 8] =
    ["rule", "size", "board_size", "width", "height", "cols", "rows", "base"];

/// The keys that give a position.
const GIVING: [&str; 7] =
    ["moves", "set_up", "stones", "board", "black_stones", "white_stones", "walls"];

/// The letters and digits of a name, in lower case.
fn plain(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|symbol| symbol.is_alphanumeric());
    letters.map(|symbol| symbol.to_ascii_lowercase())
}

/// Whether a key has this name.
pub(super) fn is_named(key: &str, name: &str) -> bool {
    // For speed: most names differ in the first letter.
    let first = |text: &str| text.as_bytes().first().map(u8::to_ascii_lowercase);
    first(key) == first(name) && plain(key).eq(plain(name))
}

/// The value of the first of these names that an object has, with its key.
pub(super) fn find<'a>(
    fields: &'a Map<String, Value>,
    names: &[&str],
) -> Option<(&'a str, &'a Value)> {
    let of = |name: &&str| {
        let mut found =
            fields.iter().filter(|(key, value)| !value.is_null() && is_named(key, name));
        found.next().map(|(key, value)| (key.as_str(), value))
    };
    names.iter().find_map(of)
}

/// The common name of a key, or the key itself. A name that other things have too counts only with a
/// suitable value.
pub(super) fn common_name<'a>(key: &'a str, value: &Value) -> &'a str {
    let is_listed = |name: &&(&str, &[&str])| {
        is_named(key, name.0) || name.1.iter().any(|other| is_named(key, other))
    };
    let exact = NAMES.iter().find(|(name, _)| *name == key);
    let Some((name, _)) = exact.or_else(|| NAMES.iter().find(is_listed)) else {
        return if is_set_up(key, value) { "set_up" } else { key };
    };
    let is_list =
        || value.is_object() || value.is_array() || holds_cells(value) || is_nothing(value);
    let fits = match *name {
        "board" if is_size(value) => return "board_size",
        "board" if is_list_of_stones(value) => return "stones",
        "rows" if is_board(value) => return "board",
        "origin" if value.is_number() => return "base",
        "base" => key.to_ascii_lowercase().contains("base") || base(key, value).is_some(),
        "board" => is_board(value),
        "moves" => (value.is_array() && !holds_games(value)) || holds_cells(value),
        "to_move" => is_named(key, "side") || color(value).is_some(),
        "stones" | "set_up" | "black_stones" | "white_stones" => is_list(),
        _ => true,
    };
    if fits || exact.is_some() { name } else { key }
}

/// Whether a key without a common name names stones before the moves, as `initialStones`.
fn is_set_up(key: &str, value: &Value) -> bool {
    let name: String = plain(key).collect();
    OF_SET_UP.iter().any(|word| name.contains(word))
        && match value {
            Value::Object(_) => is_game(value) || COLORS.iter().any(|it| holds_cells(&value[*it])),
            value => holds_cells(value),
        }
}

/// The stated keys of an object and of the objects in it, by their common names.
pub(super) struct Fields {
    /// The keys as written, with their values.
    list: BTreeMap<String, (String, Value)>,
}

impl Fields {
    /// The keys of a game, or of its set-up stones; `out` receives those that are left out.
    ///
    /// # Errors
    /// When two keys state different positions.
    pub(super) fn of(
        fields: Map<String, Value>,
        is_set_up: bool,
        out: &mut Collector,
    ) -> Result<Fields, RecordError> {
        let mut all = Fields { list: BTreeMap::new() };
        all.add(fields, 2, out)?;
        if is_set_up || all.lists_stones() {
            all.name_stones();
        }
        Ok(all)
    }

    /// The value of the key with this common name.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.list.get(name).map(|(_, value)| value)
    }

    /// A key as the file writes it.
    pub(super) fn written<'a>(&'a self, name: &'a str) -> &'a str {
        self.list.get(name).map_or(name, |(key, _)| key)
    }

    /// The common names, with keys and values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        self.list.iter().map(|(name, (key, value))| (name.as_str(), key.as_str(), value))
    }

    /// Whether a key gives a position.
    pub(super) fn give_position(&self) -> bool {
        GIVING.iter().any(|name| self.list.contains_key(*name))
    }

    /// The error of an object that gives no position.
    pub(super) fn without_position(&self) -> RecordError {
        let keys: Vec<&str> = self.list.values().map(|(key, _)| key.as_str()).take(12).collect();
        let has = match keys.len() {
            0 => String::new(),
            _ => format!("the object has: {}; ", keys.join(", ")),
        };
        let accepted = "accepted: moves, set_up, board, stones, or black and white";
        RecordError::new(format!("no key \"moves\" ({has}{accepted})"))
    }

    fn add(
        &mut self,
        fields: Map<String, Value>,
        depth: usize,
        out: &mut Collector,
    ) -> Result<(), RecordError> {
        let is_common = |(key, value): &(String, Value)| common_name(key, value) == key;
        let stated = fields.into_iter().filter(|(_, value)| !value.is_null());
        let (parts, stated): (Vec<_>, Vec<_>) =
            stated.partition(|(key, value)| depth > 0 && value.is_object() && is_part(key));
        let (common, others): (Vec<_>, Vec<_>) = stated.into_iter().partition(is_common);
        for (key, value) in common.into_iter().chain(others) {
            self.insert(key, value, out)?;
        }
        for (key, part) in parts {
            let has_moves = self.get("moves").is_some_and(|moves| !is_nothing(moves));
            match part {
                // The position after the moves.
                part if has_moves && is_game(&part) && !self.list.contains_key("board") => {
                    self.list.insert("board".to_string(), (key, part));
                }
                Value::Object(part) => self.add(part, depth - 1, out)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds a key, unless another key of the same name states the same or more.
    fn insert(
        &mut self,
        key: String,
        value: Value,
        out: &mut Collector,
    ) -> Result<(), RecordError> {
        let name = common_name(&key, &value);
        let Some((old, old_value)) = self.list.get(name) else {
            self.list.insert(name.to_string(), (key, value));
            return Ok(());
        };
        match () {
            () if *old_value == value || is_nothing(&value) => {}
            () if is_nothing(old_value) => {
                self.list.insert(name.to_string(), (key, value));
            }
            () if GIVING.contains(&name) || name == "base" => {
                let reason = format!("{old:?} and {key:?} differ (expected one of them)");
                return Err(RecordError::new(reason));
            }
            () => out.leave_out(format!("the key {key:?}")),
        }
        Ok(())
    }

    /// Whether `black` and `white` are stones. Games use these keys for the players' names, which can
    /// look like a cell.
    fn lists_stones(&self) -> bool {
        let values = || COLORS.into_iter().filter_map(|name| self.get(name));
        let cells = |value: &Value| value.as_str().map_or(0, count_cells);
        let are_texts = values().all(|value| *value == "" || cells(value) > 0);
        let most = values().map(cells).max().unwrap_or(0);
        let others = ["moves", "set_up", "stones", "board"];
        let is_alone = !others.iter().any(|name| self.get(name).is_some_and(|it| !is_nothing(it)));
        values().any(Value::is_array) || (are_texts && (most > 1 || (most == 1 && is_alone)))
    }

    fn name_stones(&mut self) {
        for (name, stones) in [("black", "black_stones"), ("white", "white_stones")] {
            if let Some(stated) = self.list.remove(name) {
                self.list.entry(stones.to_string()).or_insert(stated);
            }
        }
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

fn is_list_of_stones(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(|it| it.is_object() && is_cell(it)))
}

fn is_size(value: &Value) -> bool {
    value.is_number() || value.as_str().is_some_and(|text| text.parse::<BoardSize>().is_ok())
}

/// The number of the first column and row that a key such as `base` or `one_based` states.
pub(super) fn base(key: &str, value: &Value) -> Option<i64> {
    let is_zero = key.to_ascii_lowercase().starts_with("zero");
    match value {
        Value::Bool(is_so) => Some(i64::from(*is_so != is_zero)),
        Value::String(text) if text.starts_with(['0', 'z']) => Some(0),
        Value::String(text) if text.starts_with(['1', 'o']) => Some(1),
        value => value.as_i64().filter(|base| (0..2).contains(base)),
    }
}

/// Whether a key of an object gives a position.
fn gives(key: &str, value: &Value) -> bool {
    match common_name(key, value) {
        "black" | "white" => value.is_array(),
        name if GIVING.contains(&name) => !is_nothing(value),
        name => is_part(name) && is_game(value),
    }
}

/// Whether a value is an object that gives a position.
fn is_game(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| fields.iter().any(|(key, value)| gives(key, value)))
}

/// Whether a value is a list with games.
fn holds_games(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().any(is_game))
}

fn is_part(key: &str) -> bool {
    PARTS.iter().any(|part| is_named(key, part))
}

/// The games in a list that an object without a position holds, as `puzzles`. They inherit size,
/// rule and base of the object and all of its defaults. `None` for other objects.
pub(super) fn games_of(
    fields: &Map<String, Value>,
    out: &mut Collector,
) -> Option<Vec<Map<String, Value>>> {
    let mut lists = fields.iter().filter(|(_, value)| holds_games(value));
    let Some((name, list)) = lists.next().filter(|_| lists.next().is_none()) else {
        let mut parts = fields.iter().filter(|(key, _)| is_part(key));
        return parts.find_map(|(_, part)| games_of(part.as_object()?, out));
    };
    if fields.iter().any(|(key, value)| gives(key, value)) {
        return None;
    }
    let mut inherited = Map::new();
    for (key, value) in fields.iter().filter(|(key, value)| *key != name && !value.is_null()) {
        match (common_name(key, value), value) {
            (_, Value::Object(defaults)) if DEFAULTS.iter().any(|name| is_named(key, name)) => {
                inherited.extend(defaults.clone());
            }
            (name, _) if INHERITED.contains(&name) => {
                inherited.entry(key).or_insert(value.clone());
            }
            _ => out.leave_out(format!("the key {key:?}")),
        }
    }
    let mut games = Vec::new();
    for item in list.as_array().into_iter().flatten() {
        let Some(own) = item.as_object().filter(|_| is_game(item)) else {
            out.leave_out("entries without moves or stones");
            continue;
        };
        let mut game = own.clone();
        for (key, value) in &inherited {
            let name = common_name(key, value);
            if !own.iter().any(|(own, value)| common_name(own, value) == name) {
                game.insert(key.clone(), value.clone());
            }
        }
        games.push(game);
    }
    Some(games)
}
