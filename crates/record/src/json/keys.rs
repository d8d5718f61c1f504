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
    ("set_up", &[]),
    ("stones", &["pieces"]),
    ("board", &["board state", "grid", "position"]),
    ("black_stones", &["black moves", "black pieces", "black positions"]),
    ("white_stones", &["white moves", "white pieces", "white positions"]),
    ("walls", &[]),
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
        "coordinate_base",
        &[
            "coord base",
            "index base",
            "coordinates",
            "coordinate system",
            "one based",
            "one indexed",
            "zero based",
            "zero indexed",
        ],
    ),
    ("coordinate_origin", &["origin"]),
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

/// The keys of a game in Tengen's files. Their values must be valid, while a key of another program
/// or of an object in the game is left out if its value has another meaning.
const OWN: [&str; 12] = [
    "moves", "set_up", "size", "rule", "black", "white", "result", "reason", "opening", "times_ms",
    "comments", "info",
];

/// Words in the names of keys whose stones are set up before the moves, as in `initialStones`.
const OF_SET_UP: [&str; 5] = ["setup", "initial", "start", "handicap", "preset"];
const OF_STONES: [&str; 4] = ["stone", "position", "board", "piece"];

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
    ["rule", "size", "board_size", "width", "height", "cols", "rows", "coordinate_base"];

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
    match *name {
        "board" if is_named(key, "board") && is_size(value) => "board_size",
        "board" if is_list_of_stones(value) => "stones",
        "rows" if is_board(value) => "board",
        // An invalid size is an error under the key `size` only.
        "size" if exact.is_none() => "board_size",
        name if exact.is_some() || fits(name, key, value) => name,
        _ => key,
    }
}

/// Whether a key has a value that suits its common name.
fn fits(name: &str, key: &str, value: &Value) -> bool {
    match name {
        "coordinate_origin" => is_top_left(value).is_some(),
        "coordinate_base" => {
            key.to_ascii_lowercase().contains("base") || base(key, value).is_some()
        }
        "board" => is_board(value),
        "moves" => (value.is_array() && !holds_games(value)) || holds_cells(value),
        "to_move" => is_named(key, "side") || color(value).is_some(),
        "stones" | "set_up" | "walls" | "black_stones" | "white_stones" => {
            value.is_object() || value.is_array() || holds_cells(value) || is_nothing(value)
        }
        "black" | "white" => value.is_string() || value.is_object() || is_named(key, name),
        _ => true,
    }
}

/// Whether a key without a common name names stones before the moves, as `initialStones`.
fn is_set_up(key: &str, value: &Value) -> bool {
    let name: String = plain(key).collect();
    OF_SET_UP.iter().any(|word| name.contains(word))
        && OF_STONES.iter().any(|word| name.contains(word))
        && match value {
            Value::Object(_) => is_game(value) || COLORS.iter().any(|it| holds_cells(&value[*it])),
            value => holds_cells(value),
        }
}

/// A key of a game.
struct Stated {
    /// The key as written.
    key: String,
    value: Value,
    /// Whether the game itself has it, by the name in Tengen's files.
    is_own: bool,
}

/// The stated keys of an object and of the objects in it, by their common names.
pub(super) struct Fields {
    list: BTreeMap<String, Stated>,
    /// Whether the keys `black` and `white` are stones, which are then under `set_up`.
    pub(super) list_stones: bool,
}

impl Fields {
    /// The keys of a game; `out` receives those that are left out.
    ///
    /// # Errors
    /// When two keys state different positions.
    pub(super) fn of(
        fields: Map<String, Value>,
        out: &mut Collector,
    ) -> Result<Fields, RecordError> {
        let mut all = Fields { list: BTreeMap::new(), list_stones: false };
        all.add(fields, 2, out)?;
        if all.are_stones() {
            all.list_stones = true;
            all.set_up_colors();
        }
        Ok(all)
    }

    /// The keys of set-up stones, where `black` and `white` are cells.
    ///
    /// # Errors
    /// When two keys state different stones.
    pub(super) fn of_set_up(
        fields: Map<String, Value>,
        out: &mut Collector,
    ) -> Result<Fields, RecordError> {
        let mut all = Fields { list: BTreeMap::new(), list_stones: false };
        all.add(fields, 2, out)?;
        for (name, stones) in [("black", "black_stones"), ("white", "white_stones")] {
            if let Some(stated) = all.list.remove(name) {
                all.list.entry(stones.to_string()).or_insert(stated);
            }
        }
        Ok(all)
    }

    /// The value of the key with this common name.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.list.get(name).map(|stated| &stated.value)
    }

    /// A key as the file writes it.
    pub(super) fn written<'a>(&'a self, name: &'a str) -> &'a str {
        self.list.get(name).map_or(name, |stated| &stated.key)
    }

    /// Whether the game itself has a key, by the name in Tengen's files.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.list.get(name).is_some_and(|stated| stated.is_own)
    }

    /// The common names, with keys and values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str, &Value)> {
        self.list.iter().map(|(name, stated)| (name.as_str(), stated.key.as_str(), &stated.value))
    }

    /// Whether a key gives a position.
    pub(super) fn give_position(&self) -> bool {
        GIVING.iter().any(|name| self.list.contains_key(*name))
    }

    /// Whether there is a list of moves that is not empty.
    pub(super) fn have_moves(&self) -> bool {
        self.get("moves").is_some_and(|moves| !is_nothing(moves))
    }

    /// The error of an object that gives no position.
    pub(super) fn without_position(&self) -> RecordError {
        let keys: Vec<&str> = self.list.values().map(|it| it.key.as_str()).take(12).collect();
        let has = match keys.len() {
            0 => String::new(),
            _ => format!("the object has: {}; ", keys.join(", ")),
        };
        let accepted = "accepted: moves, set_up, board, stones, or black and white as lists";
        RecordError::new(format!("no key \"moves\" ({has}{accepted})"))
    }

    fn add(
        &mut self,
        fields: Map<String, Value>,
        depth: usize,
        out: &mut Collector,
    ) -> Result<(), RecordError> {
        let stated = fields.into_iter().filter(|(_, value)| !value.is_null());
        let (parts, mut stated): (Vec<_>, Vec<_>) =
            stated.partition(|(key, value)| depth > 0 && value.is_object() && is_part(key));
        // The moves decide on what other keys mean, and Tengen's keys come first.
        stated.sort_by_cached_key(|(key, value)| {
            let name = common_name(key, value);
            (name != "moves", name != key)
        });
        for (key, value) in stated {
            self.insert(key, value, depth == 2, out)?;
        }
        for (key, part) in parts {
            let Value::Object(mut part) = part else { continue };
            // The position after the moves.
            if self.have_moves() && part.iter().any(|(key, value)| gives(key, value)) {
                let is_shown = |key: &str, value: &Value| {
                    gives(key, value) || common_name(key, value) == "to_move"
                };
                let mut shown = part.clone();
                shown.retain(|key, value| is_shown(key, value));
                part.retain(|key, value| !is_shown(key, value));
                self.insert_as("board", key, Value::Object(shown), false, out)?;
            }
            self.add(part, depth - 1, out)?;
        }
        Ok(())
    }

    /// Adds a key of the game itself or of an object in it.
    fn insert(
        &mut self,
        key: String,
        value: Value,
        of_game: bool,
        out: &mut Collector,
    ) -> Result<(), RecordError> {
        let name = match common_name(&key, &value) {
            "size" if !of_game => "board_size",
            name => name,
        };
        let is_own = of_game && OWN.contains(&name) && name == key;
        if !is_own && NAMES.iter().any(|(known, _)| *known == name) && !fits(name, &key, &value) {
            // Without moves, `board` and `stones` are all that the object gives.
            let is_sole = of_game && GIVING.contains(&name) && !self.list.contains_key("moves");
            if !is_sole {
                out.leave_out(format!("the key {key:?}"));
                return Ok(());
            }
        }
        let name = name.to_string();
        self.insert_as(&name, key, value, is_own, out)
    }

    /// Adds a key by its common name, unless another key of this name states the same or more.
    fn insert_as(
        &mut self,
        name: &str,
        key: String,
        value: Value,
        is_own: bool,
        out: &mut Collector,
    ) -> Result<(), RecordError> {
        let new = Stated { key, value, is_own };
        let has_own_moves = self.is_own("moves");
        let Some(old) = self.list.get(name) else {
            self.list.insert(name.to_string(), new);
            return Ok(());
        };
        match () {
            () if old.value == new.value || is_nothing(&new.value) => {}
            () if is_nothing(&old.value) && !old.is_own => {
                self.list.insert(name.to_string(), new);
            }
            () if (GIVING.contains(&name) && !has_own_moves) || name == "coordinate_base" => {
                let (old, new) = (&old.key, &new.key);
                let reason = format!("{old:?} and {new:?} differ (expected one of them)");
                return Err(RecordError::new(reason));
            }
            () => out.leave_out(format!("the key {:?}", new.key)),
        }
        Ok(())
    }

    /// Whether `black` and `white` are stones. Games use these keys for the players' names, which can
    /// look like cells.
    fn are_stones(&self) -> bool {
        let has_moves = self.list.contains_key("moves");
        let is_list = |name: &&str| {
            self.get(name).is_some_and(Value::is_array) && (!has_moves || self.list[*name].is_own)
        };
        let values = || COLORS.into_iter().filter_map(|name| self.get(name));
        let cells = |value: &Value| value.as_str().map_or(0, count_cells);
        let are_cells = values().all(|value| *value == "" || cells(value) > 0);
        let most = values().map(cells).max().unwrap_or(0);
        let is_side = self.get("to_move").is_some_and(|side| color(side).is_some());
        let is_board = ["size", "board_size", "width"].iter().any(|it| self.get(it).is_some());
        COLORS.iter().any(is_list)
            || (!self.give_position()
                && are_cells
                && ((most > 0 && is_side) || (most > 1 && is_board)))
    }

    /// Moves the stones of `black` and `white` to `set_up`, and the side to move before them.
    fn set_up_colors(&mut self) {
        let mut stones = Map::new();
        for name in ["black", "white", "to_move"] {
            let is_taken = |stated: &Stated| {
                name != "to_move" || stated.key == name && color(&stated.value).is_some()
            };
            if self.list.get(name).is_some_and(is_taken)
                && let Some(stated) = self.list.remove(name)
            {
                stones.insert(name.to_string(), stated.value);
            }
        }
        let stated =
            Stated { key: "black".to_string(), value: Value::Object(stones), is_own: true };
        self.list.entry("set_up".to_string()).or_insert(stated);
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

/// Whether a value is a size such as `15x15`. A number may be that of a table or of a position.
fn is_size(value: &Value) -> bool {
    value.as_str().is_some_and(|it| it.contains(['x', 'X']) && it.parse::<BoardSize>().is_ok())
}

/// The number of the first column and row that a key such as `coordinate_base` or `one_based` states.
pub(super) fn base(key: &str, value: &Value) -> Option<i64> {
    let key = key.to_ascii_lowercase();
    let is_zero = key.starts_with("zero");
    match value {
        Value::String(text) if !is_zero => {
            let text = text.to_ascii_lowercase();
            match text.split(|symbol: char| !symbol.is_alphanumeric()).next()? {
                "0" | "zero" => Some(0),
                "1" | "one" => Some(1),
                _ => None,
            }
        }
        // `coordinates` beside a number or `true` is a setting of the display.
        _ if !["base", "zero", "one"].iter().any(|word| key.contains(word)) => None,
        Value::Bool(is_so) => Some(i64::from(*is_so != is_zero)),
        value => {
            let number = value.as_i64().filter(|number| (0..2).contains(number))?;
            Some(if is_zero { 1 - number } else { number })
        }
    }
}

/// Whether the first column and row are at the top left, by the name of a corner, a side or the
/// centre; `None` for other texts.
pub(super) fn is_top_left(origin: &Value) -> Option<bool> {
    let name: String = plain(origin.as_str()?).collect();
    let is_place = ["top", "upper", "bottom", "lower", "center", "centre"]
        .iter()
        .any(|it| name.starts_with(it));
    is_place.then(|| name.starts_with(['t', 'u']) && !name.contains("right"))
}

/// Whether a key of an object gives a position.
fn gives(key: &str, value: &Value) -> bool {
    match common_name(key, value) {
        "black" | "white" => value.is_array(),
        name if GIVING.contains(&name) => !is_nothing(value) && fits(name, key, value),
        name => is_part(name) && is_game(value),
    }
}

/// Whether a value is an object that gives a position.
fn is_game(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| fields.iter().any(|(key, value)| gives(key, value)))
}

/// Whether a value is a list with games.
fn holds_games(value: &Value) -> bool {
    // For speed: a list of moves can be long.
    value.as_array().is_some_and(|list| list.iter().take(8).any(is_game))
}

fn is_part(key: &str) -> bool {
    PARTS.iter().any(|part| is_named(key, part))
}

/// The games in a list that an object without moves holds, as `puzzles`. They inherit size, rule and
/// base of the object and all of its defaults. `None` for other objects.
pub(super) fn games_of(
    fields: &Map<String, Value>,
    out: &mut Collector,
) -> Option<Vec<Map<String, Value>>> {
    let is_record = fields.get("match").is_some_and(Value::is_object);
    if is_record || fields.get("moves").is_some_and(|moves| !moves.is_null()) {
        return None;
    }
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
