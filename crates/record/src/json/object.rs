//! One JSON object as a game.

use serde_json::{Map, Value};

use super::cell::{CELLS, cells, players};
use super::output::{self, Converted, OF_PUZZLES};
use super::size::StatedSize;
use crate::games::Collector;
use crate::replay::IllegalMove;
use crate::text::append_line;
use crate::{Cursor, GameRecord, GameResult, NodeId, RecordError, SetUp};
use tengen_rules::types::{BoardSize, Color, Coordinates, Notation, ParseMoveError, Rule};

/// The settings that a line inherits from its match.
pub(super) struct Terms {
    pub(super) size: BoardSize,
    pub(super) rule: Option<Rule>,
}

/// Reads a game; `None` for the header of a match record, whose settings go to `of_match`.
pub(super) fn read_value(
    value: &Value,
    of_match: &mut Terms,
    out: &mut Collector,
) -> Result<Option<GameRecord>, RecordError> {
    let Value::Object(fields) = value else {
        return Err(RecordError::new(format!("expected a game as an object, or {CELLS}")));
    };
    let header = fields.get("match").filter(|header| header.is_object());
    if let Some(header) = header.filter(|_| !fields.contains_key("moves")) {
        of_match.take(&header["terms"], out)?;
        return Ok(None);
    }
    let (is_stored, converted) = match output::convert(fields) {
        None => (false, None),
        Some(Converted { fields, left_out, is_stored }) => {
            if let Some(what) = left_out {
                out.leave_out(what);
            }
            (is_stored, Some(Value::Object(fields)))
        }
    };
    let value = converted.as_ref().unwrap_or(value);
    let fields = converted.as_ref().and_then(Value::as_object).unwrap_or(fields);
    let size = StatedSize::of(fields);
    let board = size.as_ref().map_or(Ok(of_match.size), StatedSize::board)?;
    let mut game = GameRecord::new(board);
    game.rule = of_match.rule;
    if !value["rule"].is_null() {
        out.rule(&mut game, &plain(&value["rule"]));
    }
    // Files of positions use the keys `black` and `white` for stones; games use them for players.
    let is_position = COLOR_KEYS.iter().any(|key| fields.get(*key).is_some_and(Value::is_array));
    let line = Line { value, fields, size, is_position, is_stored };
    let unplayable = line.play(&mut game, out)?;
    line.other_keys(&mut game, unplayable.is_some(), out)?;
    if let Some((at, reason)) = unplayable {
        let last = game.main_line().last().unwrap_or(NodeId::ROOT);
        append_line(&mut game.note_mut(last).comment, &IllegalMove::statement(at, reason));
    }
    Ok(Some(game))
}

impl Terms {
    /// Takes size and rule of a match if it states them.
    fn take(&mut self, terms: &Value, out: &mut Collector) -> Result<(), RecordError> {
        if let Some(size) = terms.as_object().and_then(StatedSize::of) {
            self.size = size.board()?;
        }
        if !terms["rule"].is_null() {
            let mut game = GameRecord::new(self.size);
            out.rule(&mut game, &plain(&terms["rule"]));
            self.rule = game.rule;
        }
        Ok(())
    }
}

/// The object of a game.
struct Line<'a> {
    value: &'a Value,
    fields: &'a Map<String, Value>,
    size: Option<StatedSize>,
    /// Whether it lists the stones of both colors.
    is_position: bool,
    /// Whether it is a position of a database.
    is_stored: bool,
}

impl<'a> Line<'a> {
    /// The value of a key, unless it is `null`.
    fn stated(&self, key: &str) -> Option<&'a Value> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    fn set_up(&self) -> Option<&'a Value> {
        self.stated("set_up").or(self.is_position.then_some(self.value))
    }

    /// The moves, and the players that they name.
    fn moves(
        &self,
        notation: Notation,
        out: &mut Collector,
    ) -> Result<(Vec<Coordinates>, Vec<Color>), RecordError> {
        match self.stated("moves") {
            Some(list) => {
                let moves = cells("moves", list, notation)?;
                let side = match self.set_up() {
                    None => Some(Color::Black),
                    Some(set_up) => ["side", "to_move"]
                        .iter()
                        .find_map(|key| set_up[*key].as_str()?.parse().ok()),
                };
                let colors = players(list, moves.len(), side, out);
                Ok((moves, colors.unwrap_or_default()))
            }
            None if self.is_position => Ok((Vec::new(), Vec::new())),
            None => Err(RecordError::new("missing key \"moves\"")),
        }
    }

    /// Sets up the stones and plays the moves. Returns an unplayable last move and its reason.
    fn play(
        &self,
        game: &mut GameRecord,
        out: &mut Collector,
    ) -> Result<Option<(Coordinates, &'a str)>, RecordError> {
        let size = game.size;
        let notation = out.options.notation(size);
        let (moves, colors) = self.moves(notation, out)?;
        let mut cursor = Cursor::new(game);
        let mut first = Color::Black;
        if let Some(set_up) = self.set_up() {
            let mut stones = stones(set_up, size, notation)?;
            stones.side = stones.side.or(colors.first().copied());
            let only_side = SetUp { side: stones.side, ..SetUp::default() };
            if stones.black.len() > stones.white.len() {
                stones.side = stones.side.or(Some(Color::White));
            }
            // Without set-up stones, the color of the first move holds the side.
            if stones != only_side || moves.is_empty() {
                cursor.set_up(&stones)?;
            }
            first = stones.side.unwrap_or(first);
        }
        // A match record includes the losing move even if it is unplayable. Other files do not hold
        // such a move.
        let lost_by = self.value["reason"].as_str().filter(|reason| UNPLAYABLE.contains(reason));
        for (index, &at) in moves.iter().enumerate() {
            let side = if index == 0 { first } else { cursor.side() };
            if let Some(named) = colors.get(index).filter(|&&named| named != side) {
                let (named, side) = (named.name(), side.name());
                let reason = format!("{at} is marked as {named}'s move (expected {side}'s)");
                return Err(RecordError::new(reason));
            }
            match (cursor.play(side, at), lost_by) {
                (Err(_), Some(reason)) if index + 1 == moves.len() => {
                    return Ok(Some((at, reason)));
                }
                (played, _) => drop(played?),
            }
        }
        Ok(None)
    }

    /// Reads the keys of everything but board, rule and moves. `has_unplayable` tells whether an
    /// unplayable last move is not in the game.
    fn other_keys(
        &self,
        game: &mut GameRecord,
        has_unplayable: bool,
        out: &mut Collector,
    ) -> Result<(), RecordError> {
        if let Some(value) = self.stated("info") {
            info(game, value)?;
        }
        for (key, value) in self.fields.iter().filter(|(_, value)| !value.is_null()) {
            match key.as_str() {
                // The order of the games implies their match numbers.
                "rule" | "moves" | "set_up" | "game" | "info" => {}
                key if self.size.as_ref().is_some_and(|size| size.keys.contains(&key)) => {}
                "black" | "white" | "walls" | "to_move" if self.is_position => {}
                key if key == "id" || (self.is_position && OF_PUZZLES.contains(&key)) => {
                    let text = plain(value);
                    if *game.info.entry(key.to_string()).or_insert_with(|| text.clone()) != text {
                        let what = format!("the key {key:?}, since \"info\" has another {key:?}");
                        out.leave_out(what);
                    }
                }
                "comment" if self.is_stored => {
                    game.note_mut(NodeId::ROOT).comment = text(key, value)?;
                }
                "result" if self.is_stored => out.leave_out("the key \"result\"".to_string()),
                "black" => game.players[Color::Black] = Some(text(key, value)?),
                "white" => game.players[Color::White] = Some(text(key, value)?),
                "result" => verdict(game, value, out),
                "reason" => game.reason = Some(text(key, value)?),
                "opening" => game.opening = number(key, value)? as usize,
                "times_ms" => times(game, value, has_unplayable)?,
                "comments" if value.is_array() => out.leave_out("the list \"comments\""),
                "comments" => comments(game, value)?,
                "winner" if value.is_string() => {}
                other => out.leave_out(format!("the key {other:?}")),
            }
        }
        // The players and the result come first: the winner may be a player's name.
        if let Some(name) = self.value["winner"].as_str() {
            set_winner(game, name, out);
        }
        Ok(())
    }
}

/// A value as text: the cells of a list with spaces between them.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// The keys of the players or of their stones.
const COLOR_KEYS: [&str; 2] = ["black", "white"];

/// The keys of `set_up`.
const SET_UP_KEYS: [&str; 4] = ["black", "white", "walls", "side"];

/// The reasons in match records for an unplayable last move.
const UNPLAYABLE: [&str; 2] = ["occupied", "off-board"];

pub(super) fn unexpected(key: &str, value: &Value, expected: &str) -> RecordError {
    RecordError::new(format!("{key:?} is {value}; expected {expected}"))
}

fn text(key: &str, value: &Value) -> Result<String, RecordError> {
    value.as_str().map(str::to_string).ok_or_else(|| unexpected(key, value, "a string"))
}

fn number(key: &str, value: &Value) -> Result<u64, RecordError> {
    let rounded = || value.as_f64().filter(|number| *number >= 0.0).map(|it| it.round() as u64);
    value.as_u64().or_else(rounded).ok_or_else(|| unexpected(key, value, "a number"))
}

fn verdict(game: &mut GameRecord, value: &Value, out: &mut Collector) {
    match value.as_str() {
        Some("none") => {}
        Some(name) => match GameResult::from_name(name) {
            Some(result) => game.result = Some(result),
            None => {
                // The key "reason" overrides a reason in the text of the result.
                let reason = game.reason.take();
                out.result(game, name);
                game.reason = reason.or(game.reason.take());
            }
        },
        // The meaning of numbers differs between programs.
        None => out.unknown_result(game, &value.to_string()),
    }
}

/// Sets the result by the name of the winner, which may be that of a player.
fn set_winner(game: &mut GameRecord, name: &str, out: &mut Collector) {
    if ["", "none"].contains(&name.trim()) {
        return;
    }
    let is_named = |color: &Color| game.players[*color].as_deref() == Some(name);
    let mut named = Color::ALL.into_iter().filter(is_named);
    let player = named.next().filter(|_| named.next().is_none()).map(GameResult::Win);
    let found = GameResult::from_name(name).or(player);
    match (found, game.result) {
        (Some(_), None) => game.result = found,
        (Some(_), _) if found == game.result => {}
        _ => out.leave_out("the key \"winner\""),
    }
}

fn stones(value: &Value, size: BoardSize, notation: Notation) -> Result<SetUp, RecordError> {
    let Value::Object(fields) = value else { return Err(unexpected("set_up", value, "an object")) };
    let is_stated = |key: &&str| fields.contains_key(*key);
    let is_position = ["moves", "size"].iter().any(is_stated) || StatedSize::of(fields).is_some();
    let unknown = fields.keys().find(|key| !SET_UP_KEYS.contains(&key.as_str()));
    if let Some(key) = unknown.filter(|_| !is_position) {
        let expected = SET_UP_KEYS.join(", ");
        let reason = format!("unknown key {key:?} in \"set_up\" (expected {expected})");
        return Err(RecordError::new(reason));
    }
    let points = |key: &str| match &value[key] {
        Value::Null => Ok(Vec::new()),
        listed => cells(key, listed, notation)?
            .into_iter()
            .map(|at| {
                let outside = || RecordError::from(ParseMoveError::outside(&at.to_string(), size));
                size.point(at.x, at.y).ok_or_else(outside)
            })
            .collect(),
    };
    let side = match if is_position { &value["to_move"] } else { &value["side"] } {
        Value::Null => None,
        name => {
            let named = name.as_str().and_then(|name| name.parse().ok());
            Some(named.ok_or_else(|| unexpected("side", name, "black or white"))?)
        }
    };
    let (black, white, walls) = (points("black")?, points("white")?, points("walls")?);
    Ok(SetUp { black, white, walls, side, clear: Vec::new() })
}

/// Sets the times of the last moves; the moves of an opening have none. If `one_more` is set, the
/// last time belongs to an unplayable move that is not in the game.
fn times(game: &mut GameRecord, value: &Value, one_more: bool) -> Result<(), RecordError> {
    let Value::Array(list) = value else { return Err(unexpected("times_ms", value, "a list")) };
    let list = &list[..list.len() - usize::from(one_more && !list.is_empty())];
    let nodes: Vec<NodeId> = game.main_line().collect();
    let Some(first) = nodes.len().checked_sub(list.len()) else {
        return Err(RecordError::new(format!(
            "{} \"times_ms\" for {} moves",
            list.len(),
            nodes.len()
        )));
    };
    for (&node, time) in nodes[first..].iter().zip(list) {
        if !time.is_null() {
            game.note_mut(node).time_ms = Some(number("times_ms", time)?);
        }
    }
    Ok(())
}

/// Sets comments, keyed by the number of moves before them.
fn comments(game: &mut GameRecord, value: &Value) -> Result<(), RecordError> {
    let Value::Object(fields) = value else {
        return Err(unexpected("comments", value, "an object"));
    };
    let nodes: Vec<NodeId> = std::iter::once(NodeId::ROOT).chain(game.main_line()).collect();
    for (ply, comment) in fields.iter().filter(|(_, comment)| !comment.is_null()) {
        let node = ply.parse().ok().and_then(|ply: usize| nodes.get(ply));
        let Some(&node) = node else {
            return Err(RecordError::new(format!("comment on a missing move {ply:?}")));
        };
        game.note_mut(node).comment = text("comments", comment)?;
    }
    Ok(())
}

fn info(game: &mut GameRecord, value: &Value) -> Result<(), RecordError> {
    let Value::Object(fields) = value else { return Err(unexpected("info", value, "an object")) };
    for (key, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
        game.info.insert(key.clone(), text(key, value)?);
    }
    Ok(())
}
