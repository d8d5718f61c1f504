//! One JSON object as a game.

use serde_json::Value;

use super::board;
use super::cell::{CELLS, CellReader, ListedCell, color, count_cells, players};
use super::keys::{Fields, base, find, is_top_left};
use super::output::{self, Converted, OF_PUZZLES};
use super::set_up::{self, stones_of};
use super::size::StatedSize;
use crate::games::Collector;
use crate::replay::IllegalMove;
use crate::text::append_line;
use crate::{Cursor, GameRecord, GameResult, NodeId, RecordError, SetUp};
use tengen_rules::types::{BoardSize, Color, Coordinates, Rule};

/// The settings that a line inherits from its match.
pub(super) struct Terms {
    pub(super) size: BoardSize,
    pub(super) rule: Option<Rule>,
}

/// Reads a game; `None` for the header of a match record, whose settings go to `of_match`.
pub(super) fn read_value(
    value: Value,
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
    let Converted { fields, left_out, is_stored } =
        output::convert(&fields).unwrap_or(Converted { fields, left_out: None, is_stored: false });
    if let Some(what) = left_out {
        out.leave_out(what);
    }
    let fields = Fields::of(fields, out)?;
    if !fields.give_position() {
        return Err(fields.without_position());
    }
    let size = StatedSize::with(|name| fields.get(name));
    let stated = size.as_ref().map(StatedSize::board).transpose()?;
    let drawn = match drawn(&fields, stated, of_match.size, out) {
        // Beside moves, the key may have another meaning.
        Err(_) if fields.have_moves() => {
            out.leave_out(format!("the key {:?}", fields.written("board")));
            None
        }
        drawn => drawn?,
    };
    let board = stated.or(drawn.as_ref().map(|board| board.size)).unwrap_or(of_match.size);
    let mut game = GameRecord::new(board);
    game.rule = of_match.rule.or(drawn.as_ref().and_then(|board| board.rule));
    match fields.get("rule") {
        None => {}
        // Yixin and Rapfi number renju 2, the protocol of Gomocup 4.
        Some(rule) if *rule == 2 => {
            out.remark("rule 2 is read as renju");
            game.rule = Some(Rule::Renju);
        }
        Some(rule) => out.rule(&mut game, &plain(rule)),
    }
    let line = Line { fields, size, drawn, is_stored };
    let reader = line.reader(game.size, out)?;
    let unplayable = line.play(&mut game, &reader, out)?;
    line.check_shown(&game, &reader, out)?;
    line.other_keys(&mut game, unplayable.is_some(), out)?;
    if let Some((at, reason)) = unplayable {
        let last = game.main_line().last().unwrap_or(NodeId::ROOT);
        append_line(&mut game.note_mut(last).comment, &IllegalMove::statement(at, reason));
    }
    Ok(Some(game))
}

/// The board that an object shows, as a game that starts from it.
fn drawn(
    fields: &Fields,
    stated: Option<BoardSize>,
    of_match: BoardSize,
    out: &mut Collector,
) -> Result<Option<GameRecord>, RecordError> {
    match fields.get("board") {
        None => Ok(None),
        Some(part @ Value::Object(_)) => {
            let mut terms = Terms { size: stated.unwrap_or(of_match), rule: None };
            read_value(part.clone(), &mut terms, out)
        }
        Some(board) => board::read(fields.written("board"), board, stated, out).map(Some),
    }
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
struct Line {
    fields: Fields,
    size: Option<StatedSize>,
    /// The board that it shows.
    drawn: Option<GameRecord>,
    /// Whether it is a position of a database.
    is_stored: bool,
}

impl Line {
    /// Whether it lists or shows stones, unlike a game with set-up stones.
    fn is_position(&self) -> bool {
        let names = ["black_stones", "white_stones", "stones", "board"];
        self.fields.list_stones || names.iter().any(|name| self.fields.get(name).is_some())
    }

    /// How the cells are written.
    fn reader(&self, size: BoardSize, out: &mut Collector) -> Result<CellReader, RecordError> {
        let key = self.fields.written("coordinate_base");
        let base = self.fields.get("coordinate_base").map_or(Ok(0), |value| {
            base(key, value).ok_or_else(|| unexpected(key, value, "0 or 1"))
        })?;
        if base == 1 {
            out.remark(format!("columns and rows are counted from 1, as {key:?} states"));
        }
        if let Some(origin) = self.fields.get("coordinate_origin")
            && is_top_left(origin) == Some(false)
        {
            let key = self.fields.written("coordinate_origin");
            return Err(unexpected(key, origin, "the top left"));
        }
        let mut notation = out.options.notation(size);
        // The letters of KataGo's columns skip I.
        let is_width = self.size.as_ref().is_some_and(|size| size.keys.contains(&"width"));
        if is_width && self.fields.written("width").eq_ignore_ascii_case("boardXSize") {
            notation = notation.skipping_i();
            out.remark("the names of the columns skip the letter i, as in KataGo");
        }
        Ok(CellReader { size, notation, base })
    }

    /// The stones before the first move, and the side to move if it is stated.
    fn start(
        &self,
        reader: &CellReader,
        moves: &[ListedCell],
        out: &mut Collector,
    ) -> Result<Option<SetUp>, RecordError> {
        let names: &[&str] = if moves.is_empty() { &set_up::ALL } else { &set_up::BEFORE_MOVES };
        let listed = set_up::read(&self.fields, names, reader, out)?;
        let drawn = self.drawn.as_ref().filter(|_| moves.is_empty() && listed.is_none());
        let first = self.fields.get("first_player").and_then(color);
        let Some(mut start) = listed.or(drawn.map(stones_of)) else {
            let first = first.filter(|_| moves.first().and_then(ListedCell::color) == first);
            return Ok(first.map(|first| SetUp { side: Some(first), ..SetUp::default() }));
        };
        // Beside moves, the key states the side after them.
        let to_move = self.fields.get("to_move").filter(|_| moves.is_empty());
        start.side = start.side.or(first).or(to_move.and_then(color));
        Ok(Some(start))
    }

    /// Sets up the stones and plays the moves. Returns an unplayable last move and its reason.
    fn play(
        &self,
        game: &mut GameRecord,
        reader: &CellReader,
        out: &mut Collector,
    ) -> Result<Option<(Coordinates, &str)>, RecordError> {
        let moves = match self.fields.get("moves") {
            Some(list) => reader.read(self.fields.written("moves"), list, out)?,
            None => Vec::new(),
        };
        let set_up = self.start(reader, &moves, out)?;
        let stated = set_up.as_ref().map_or(Some(Color::Black), |set_up| set_up.side);
        let colors = players(&moves, stated, out).unwrap_or_default();
        let mut cursor = Cursor::new(game);
        let mut first = Color::Black;
        if let Some(mut stones) = set_up {
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
        let reason = self.fields.get("reason").and_then(Value::as_str);
        let lost_by = reason.filter(|reason| UNPLAYABLE.contains(reason));
        for (index, cell) in moves.iter().enumerate() {
            let (at, side) = (cell.at, if index == 0 { first } else { cursor.side() });
            if let Some(named) = colors.get(index).filter(|&&named| named != side) {
                let (named, side) = (named.name(), side.name());
                let reason = format!("{at} is marked as {named}'s move (expected {side}'s)");
                return Err(RecordError::new(reason));
            }
            match (cursor.play(side, at), lost_by) {
                (Err(_), Some(reason)) if index + 1 == moves.len() => {
                    return Ok(Some((at, reason)));
                }
                (played, _) => {
                    let node = played?;
                    if cell.comment.is_some() || cell.time_ms.is_some() {
                        let note = cursor.record().note_mut(node);
                        note.comment = cell.comment.clone().unwrap_or_default();
                        note.time_ms = cell.time_ms;
                    }
                }
            }
        }
        for (name, side) in [("to_move", cursor.side()), ("first_player", first)] {
            if self.fields.get(name).is_some_and(|stated| color(stated) != Some(side)) {
                let key = self.fields.written(name);
                out.leave_out(format!("the key {key:?}, which contradicts the moves"));
            }
        }
        Ok(None)
    }

    /// Checks that a board beside the moves shows the position after or before them, or is empty, and
    /// that stones beside the moves are on the board after them.
    fn check_shown(
        &self,
        game: &GameRecord,
        reader: &CellReader,
        out: &mut Collector,
    ) -> Result<(), RecordError> {
        let contradicts = |key: &str| {
            let reason = format!(
                "{key:?} shows another position than that after the moves (stones before the moves: \
                 \"set_up\")"
            );
            RecordError::new(reason)
        };
        let end = cells_of(game);
        if let Some(drawn) = &self.drawn {
            let drawn = cells_of(drawn);
            // Some programs list the columns of a board.
            let columns: Vec<_> = drawn.iter().map(|&((x, y), color)| ((y, x), color)).collect();
            let is_end = |cells: &[Stone]| {
                cells.len() == end.len() && cells.iter().all(|cell| end.contains(cell))
            };
            let is_start = drawn == shown(game.size, &stones_of(game))?;
            if !drawn.is_empty() && !is_start && !is_end(&drawn) && !is_end(&columns) {
                return Err(contradicts(self.fields.written("board")));
            }
        }
        if !self.fields.have_moves() {
            return Ok(());
        }
        for name in set_up::STONES.iter().filter(|name| self.fields.get(name).is_some()) {
            let key = self.fields.written(name);
            let Ok(Some(stones)) = set_up::read(&self.fields, &[name], reader, out) else {
                out.leave_out(format!("the key {key:?}"));
                continue;
            };
            if !shown(game.size, &stones)?.iter().all(|cell| end.contains(cell)) {
                return Err(contradicts(key));
            }
        }
        Ok(())
    }

    /// Reads the keys of everything but board, rule and moves. `has_unplayable` tells whether an
    /// unplayable last move is not in the game.
    fn other_keys(
        &self,
        game: &mut GameRecord,
        has_unplayable: bool,
        out: &mut Collector,
    ) -> Result<(), RecordError> {
        // Keys of other programs can have another meaning.
        let checked = |name: &str, read: Result<(), RecordError>, out: &mut Collector| match read {
            Err(_) if !self.fields.is_own(name) => {
                out.leave_out(format!("the key {:?}", self.fields.written(name)));
                Ok(())
            }
            read => read,
        };
        if let Some(value) = self.fields.get("info") {
            checked("info", info(game, value), out)?;
        }
        let is_position = self.is_position();
        for (name, key, value) in self.fields.iter() {
            let mut read = Ok(());
            match name {
                // The order of the games implies their match numbers.
                "rule" | "game" | "info" | "coordinate_base" | "coordinate_origin" => {}
                // Read with the moves.
                "moves" | "set_up" | "stones" | "board" | "black_stones" | "white_stones"
                | "walls" | "to_move" => {}
                "first_player" if color(value).is_some() => {}
                name if self.size.as_ref().is_some_and(|size| size.keys.contains(&name)) => {}
                name if name == "id" || (is_position && OF_PUZZLES.contains(&name)) => {
                    add_info(game, name, value, out);
                }
                "title" => add_info(game, "game", value, out),
                "date" | "event" | "round" | "place" => add_info(game, name, value, out),
                "comment" if self.is_stored || value.is_string() => {
                    append_line(&mut game.note_mut(NodeId::ROOT).comment, &text(key, value)?);
                }
                "result" if self.is_stored => out.leave_out("the key \"result\"".to_string()),
                "black" => read = set_player(game, Color::Black, key, value, out),
                "white" => read = set_player(game, Color::White, key, value, out),
                "result" => verdict(game, value, out),
                "reason" => read = text(key, value).map(|reason| game.reason = Some(reason)),
                "opening" if value.as_str().is_some_and(|name| count_cells(name) == 0) => {
                    add_info(game, name, value, out);
                }
                "opening" => {
                    read = number(key, value).map(|count| game.opening = count as usize);
                }
                "times_ms" => read = times(game, value, has_unplayable),
                "comments" if value.is_array() => out.leave_out("the list \"comments\""),
                "comments" => read = comments(game, value),
                "winner" if value.is_string() => {}
                _ if key.starts_with("//") => out.leave_out("keys that begin with //"),
                _ => out.leave_out(format!("the key {key:?}")),
            }
            checked(name, read, out)?;
        }
        // The players and the result come first: the winner may be a player's name.
        if let Some(name) = self.fields.get("winner").and_then(Value::as_str) {
            set_winner(game, name, out);
        }
        Ok(())
    }
}

/// Adds information about the game, unless it has another value of this name.
fn add_info(game: &mut GameRecord, name: &str, value: &Value, out: &mut Collector) {
    let text = plain(value);
    if *game.info.entry(name.to_string()).or_insert_with(|| text.clone()) != text {
        out.leave_out(format!("the key {name:?}, since \"info\" has another {name:?}"));
    }
}

/// Sets the name of a player, which may be one of several keys of the player.
fn set_player(
    game: &mut GameRecord,
    color: Color,
    key: &str,
    value: &Value,
    out: &mut Collector,
) -> Result<(), RecordError> {
    let named = value.as_object().and_then(|fields| find(fields, &["name"]));
    let name = text(key, named.map_or(value, |(_, name)| name))?;
    if named.is_some() {
        out.leave_out(format!("the keys of {key:?} except its name"));
    }
    game.players[color] = Some(name);
    Ok(())
}

/// A value as text: the cells of a list with spaces between them.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// A stone of a position: its column and row, and its symbol.
type Stone = ((usize, usize), char);

/// The stones after a game.
fn cells_of(game: &GameRecord) -> Vec<Stone> {
    let board = game.end().to_string();
    let of_row = |(y, row): (usize, &str)| {
        let symbols = row.split_whitespace().filter_map(|cell| cell.chars().next()).enumerate();
        symbols.map(move |(x, symbol)| ((x, y), symbol)).collect::<Vec<_>>()
    };
    let cells = board.lines().enumerate().flat_map(of_row);
    cells.filter(|(_, symbol)| ['X', 'O'].contains(symbol)).collect()
}

/// The stones of a position.
fn shown(size: BoardSize, stones: &SetUp) -> Result<Vec<Stone>, RecordError> {
    let mut game = GameRecord::new(size);
    Cursor::new(&mut game).set_up(stones)?;
    Ok(cells_of(&game))
}

/// Maximum number of characters of a value in an error.
const MAX_QUOTED: usize = 100;

/// The reasons in match records for an unplayable last move.
const UNPLAYABLE: [&str; 2] = ["occupied", "off-board"];

pub(super) fn unexpected(key: &str, value: &Value, expected: &str) -> RecordError {
    let text = value.to_string();
    let shown: String = text.chars().take(MAX_QUOTED).collect();
    let cut = if shown.len() < text.len() { "..." } else { "" };
    RecordError::new(format!("{key:?} is {shown}{cut}; expected {expected}"))
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
        append_line(&mut game.note_mut(node).comment, &text("comments", comment)?);
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
