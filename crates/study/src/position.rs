//! Positions in JSON.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::input::InputError;
use tengen_rules::board::{Board, Stone};
use tengen_rules::game::{Ending, Game, Offence};
use tengen_rules::threat::Foul;
use tengen_rules::types::{BoardSize, CellText, Color, MIN_ENGINE_SIDE, Point};

/// Maximum number of moves of a game, including passes.
const MAX_MOVES: usize = 4096;
/// The name of a pass.
const PASS: &str = "pass";
/// The keys of a position.
const KEYS: [&str; 10] =
    ["rule", "size", "width", "height", "black", "white", "walls", "side", "moves", "turn"];
/// An alias of `turn`.
const TURN_ALIAS: &str = "to_move";

/// A position: a board, set-up stones, and the moves after them. Cells are strings, `h8` or `7,7`.
///
/// ```
/// use tengen_study::PositionInput;
///
/// let text = r#"{"rule":"renju","size":15,"black":["h8"],"white":["i9"],"moves":["j8","pass"]}"#;
/// let position: PositionInput = serde_json::from_str(text)?;
/// let game = position.game()?;
/// assert_eq!(game.history().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionInput {
    /// The name of the rule.
    pub rule: String,
    /// The board size, instead of width and height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Extent>,
    /// Columns of the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<i64>,
    /// Rows of the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<i64>,
    /// Black stones set up before the first move.
    #[serde(default)]
    pub black: Vec<String>,
    /// White stones set up before the first move.
    #[serde(default)]
    pub white: Vec<String>,
    /// Cells out of play.
    #[serde(default)]
    pub walls: Vec<String>,
    /// The side that makes the first move; default: by the number of set-up stones, or black.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The moves in playing order: cells or `pass`.
    #[serde(default, deserialize_with = "null_is_empty")]
    pub moves: Moves,
    /// The side to move after the moves, if the sides did not alternate.
    #[serde(default, alias = "to_move", skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
}

fn null_is_empty<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Moves, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Moves in playing order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "moves: expected a list of cells, or a text")]
pub enum Moves {
    /// Cells and `pass`, one by one.
    List(Vec<String>),
    /// Cells as people write and paste them, and `pass`: `h8i9`, `7,7 8,6`, `1. h8 pass`.
    Text(String),
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::List(Vec::new())
    }
}

impl Moves {
    /// The names of the moves.
    ///
    /// # Errors
    /// When a text has a part that is neither a cell nor a separator, or there are too many moves.
    fn names(&self) -> Result<Cow<'_, [String]>, InputError> {
        let names = match self {
            Moves::List(names) => Cow::Borrowed(names.as_slice()),
            Moves::Text(text) => Cow::Owned(read_text(text)?),
        };
        match names.len() {
            0..=MAX_MOVES => Ok(names),
            _ => Err(InputError::TooManyMoves(MAX_MOVES)),
        }
    }
}

/// The names of the moves in a text.
fn read_text(text: &str) -> Result<Vec<String>, InputError> {
    // A pass is read as a cell outside every board, so that numbers and players before it count.
    const STAND_IN: &str = "aj9999";
    let text = text.to_ascii_lowercase().replace(PASS, &format!(" {STAND_IN} "));
    let names = CellText::read_all(&text)?.into_iter().map(|cell| cell.to_string());
    Ok(names.map(|name| if name == STAND_IN { PASS.to_string() } else { name }).collect())
}

/// The size of a board: `15`, or `"9x12"` (columns, rows) if the sides differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Extent {
    /// The side of a square board.
    Side(#[schemars(range(min = 1, max = 36))] i64),
    /// Columns and rows.
    Text(String),
}

impl Extent {
    /// Parses the size.
    ///
    /// # Errors
    /// When the size is not supported.
    pub fn board_size(&self) -> Result<BoardSize, InputError> {
        Ok(match self {
            Extent::Side(side) => BoardSize::square(*side)?,
            Extent::Text(text) => text.parse()?,
        })
    }
}

impl From<BoardSize> for Extent {
    fn from(size: BoardSize) -> Extent {
        match size.width() == size.height() {
            true => Extent::Side(size.width().into()),
            false => Extent::Text(size.to_string()),
        }
    }
}

impl PositionInput {
    /// Takes the fields of a position from an object, and leaves its other fields.
    ///
    /// # Errors
    /// When a field of the position has the wrong type.
    pub fn take_from(fields: &mut Map<String, Value>) -> serde_json::Result<PositionInput> {
        let keys = KEYS.into_iter().chain([TURN_ALIAS]);
        let own: Map<String, Value> = keys.filter_map(|key| fields.remove_entry(key)).collect();
        serde_json::from_value(Value::Object(own))
    }

    /// The empty board.
    ///
    /// # Errors
    /// When the size or the rule is invalid.
    pub fn empty(&self) -> Result<Game, InputError> {
        Ok(Game::new(self.board_size()?, parse_name(&self.rule)?))
    }

    /// The size of the board.
    ///
    /// # Errors
    /// When the size is missing or not supported.
    pub fn board_size(&self) -> Result<BoardSize, InputError> {
        match (&self.size, self.width, self.height) {
            (Some(size), None, None) => size.board_size(),
            (None, Some(width), Some(height)) => Ok(BoardSize::new(width, height)?),
            _ => Err(InputError::NoSize),
        }
    }

    /// The game. If the last move is a foul, the game is over.
    ///
    /// # Errors
    /// When a cell or a move is invalid, with its number and name.
    pub fn game(&self) -> Result<Game, InputError> {
        let mut game = self.set_up()?;
        let moves = self.moves.names()?;
        // Each pass rebuilds the position.
        let most_passes = game.size().area();
        if moves.iter().filter(|name| *name == PASS).count() > most_passes {
            return Err(InputError::TooManyPasses(most_passes));
        }
        for (number, name) in (1..).zip(moves.iter()) {
            let place = || format!("move {number} ({name})");
            if name == PASS {
                if game.ending().is_some() {
                    return Err(InputError::from(Offence::AfterEnd).at(place()));
                }
                game = with_turn(&game, game.side_to_move().opponent());
                continue;
            }
            let at = game.cell(name).map_err(|error| InputError::from(error).at(place()))?;
            match game.check(at) {
                Err(Offence::Foul(_)) if number == moves.len() => drop(game.play(at)),
                Err(offence) => return Err(InputError::from(offence).at(place())),
                Ok(_) => drop(game.play(at)),
            }
        }
        match color(self.turn.as_deref())? {
            Some(turn) if turn != game.side_to_move() && game.ending().is_none() => {
                Ok(with_turn(&game, turn))
            }
            _ => Ok(game),
        }
    }

    /// The game, for the engine.
    ///
    /// # Errors
    /// As for [`PositionInput::game`], and when the board is too small for the engine.
    pub fn engine_game(&self) -> Result<Game, InputError> {
        self.ensure_engine_size()?;
        self.game()
    }

    /// Checks that the engine supports the board size.
    ///
    /// # Errors
    /// When the board is too small for the engine.
    pub fn ensure_engine_size(&self) -> Result<(), InputError> {
        let size = self.board_size()?;
        BoardSize::at_least(MIN_ENGINE_SIDE, size.width().into(), size.height().into())?;
        Ok(())
    }

    /// The last move, if it is a foul that ended the game.
    pub fn foul(&self, game: &Game) -> Option<(Point, Foul)> {
        let Some(Ending::Illegal(_, Offence::Foul(foul))) = game.ending() else { return None };
        Some((point(game, self.moves.names().ok()?.last()?).ok()?, foul))
    }

    /// The board before the first move, and the stones of the moves, including illegal moves such as
    /// those after the end of the game.
    ///
    /// # Errors
    /// When a cell is invalid or occupied.
    pub fn stones(&self) -> Result<(Board, Vec<Stone>), InputError> {
        let start = self.set_up()?;
        let mut board = start.board().clone();
        let mut color = start.side_to_move();
        let mut stones = Vec::new();
        for (number, name) in (1..).zip(self.moves.names()?.iter()) {
            if name != PASS {
                let place = || format!("move {number} ({name})");
                let point = point(&start, name).map_err(|error| error.at(place()))?;
                let placed = board.place(point, color);
                placed.map_err(|_| InputError::from(Offence::Occupied).at(place()))?;
                stones.push(Stone { point, color });
            }
            color = color.opponent();
        }
        Ok((start.board().clone(), stones))
    }

    /// The game before the first move.
    fn set_up(&self) -> Result<Game, InputError> {
        let empty = self.empty()?;
        let side = color(self.side.as_deref())?;
        let kinds = [
            (&self.walls, None),
            (&self.black, Some(Color::Black)),
            (&self.white, Some(Color::White)),
        ];
        if side.is_none() && kinds.iter().all(|(cells, _)| cells.is_empty()) {
            return Ok(empty);
        }
        let mut board = Board::new(empty.size(), empty.rule());
        for (cells, stone) in kinds {
            for name in cells {
                let point = point(&empty, name)?;
                let placed = match stone {
                    Some(color) => board.place(point, color),
                    None => board.wall(point),
                };
                placed.map_err(|_| InputError::SetUpTwice(name.clone()))?;
            }
        }
        board.set_side(side.unwrap_or(board.side_by_count()));
        Ok(Game::from_board(&board))
    }
}

/// Parses cell names.
///
/// # Errors
/// For the first invalid name.
pub fn points(game: &Game, names: &[String]) -> Result<Vec<Point>, InputError> {
    names.iter().map(|name| point(game, name)).collect()
}

/// Parses a cell name, `h8` or `7,7`.
///
/// # Errors
/// When the name is invalid or the cell lies outside the board.
pub fn point(game: &Game, name: &str) -> Result<Point, InputError> {
    let at = game.cell(name)?;
    let outside = || InputError::OffBoard(name.to_string(), game.size());
    game.size().point(at.x, at.y).ok_or_else(outside)
}

/// Parses a name: a rule, a colour or a kind of win.
///
/// # Errors
/// When the name is unknown.
pub fn parse_name<T: FromStr<Err: fmt::Display>>(name: &str) -> Result<T, InputError> {
    name.parse().map_err(|error: T::Err| InputError::Name(name.to_string(), error.to_string()))
}

/// Parses `black` or `white`.
///
/// # Errors
/// When the name is neither.
pub fn color(name: Option<&str>) -> Result<Option<Color>, InputError> {
    name.map(parse_name).transpose()
}

/// The game with another side to move. Its moves become set-up stones.
fn with_turn(game: &Game, turn: Color) -> Game {
    let mut board = game.board().clone();
    board.set_side(turn);
    Game::from_board(&board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tengen_rules::types::ParseMoveError;

    fn read(value: Value) -> Result<Game, InputError> {
        serde_json::from_value::<PositionInput>(value).unwrap().game()
    }

    #[test]
    fn size_is_read_from_size_or_width_and_height() {
        let sizes = [json!(9), json!("9x9")].map(|size| json!({ "rule": "caro", "size": size }));
        for value in sizes.into_iter().chain([json!({ "rule": "caro", "width": 9, "height": 9 })]) {
            assert_eq!(read(value).unwrap().size(), BoardSize::square(9).unwrap());
        }
        let both = json!({ "rule": "caro", "size": 9, "width": 9, "height": 9 });
        assert_eq!(read(both).unwrap_err(), InputError::NoSize);
        assert_eq!(Extent::from(BoardSize::new(9, 12).unwrap()), Extent::Text("9x12".to_string()));
    }

    #[test]
    fn moves_follow_the_set_up_stones() {
        let mut value =
            json!({ "rule": "freestyle", "size": 15, "black": ["h8"], "moves": ["i9"] });
        let game = read(value.clone()).unwrap();
        assert_eq!(game.history().last().map(|stone| stone.color), Some(Color::White));
        value["to_move"] = "white".into();
        assert_eq!(read(value.clone()).unwrap().side_to_move(), Color::White);
        value["moves"] = json!(["h8"]);
        let error = read(value).unwrap_err().to_string();
        assert_eq!(error, "move 1 (h8): the cell is taken");
    }

    #[test]
    fn moves_are_a_list_or_a_text() {
        let moves = |moves: Value| {
            let value = json!({ "rule": "freestyle", "size": 15, "moves": moves });
            let position = serde_json::from_value::<PositionInput>(value);
            let (_, stones) = position.map_err(|error| error.to_string())?.stones().unwrap();
            Ok(stones.iter().map(|it| (it.point.x(), it.point.y(), it.color)).collect::<Vec<_>>())
        };
        let list = moves(json!(["h8", "pass", "8,6"]));
        for text in [
            "h8pass8,6",
            "H8 PASS i9",
            "1. 7,7 2. pass 3. 8,6",
            "h8, pass - i9",
            "1 h8 2 pass 3 i9",
            "1 h8 pass 2 i9",
            "B: h8 W: pass B: i9",
        ] {
            assert_eq!(moves(json!(text)), list, "{text}");
        }
        assert_eq!(moves(json!("")), moves(json!(null)));
        let error = "moves: expected a list of cells, or a text".to_string();
        assert_eq!(moves(json!([7])), Err(error));
    }

    #[test]
    fn texts_of_moves_are_read_whole_or_refused() {
        let error = |text: &str| {
            read(json!({ "rule": "caro", "size": 15, "moves": text })).unwrap_err().to_string()
        };
        assert_eq!(error("h8 hello"), InputError::from(ParseMoveError::new("hello")).to_string());
        let outside = error("7,7 -1,3");
        assert!(outside.starts_with("move 2 (-1,3): "), "{outside}");
        assert_eq!(error(&"pass".repeat(MAX_MOVES + 1)), "too many moves (at most 4096)");
    }

    #[test]
    fn take_from_leaves_other_fields() {
        let value =
            json!({ "id": "x", "rule": "renju", "size": 15, "to_move": "white", "plies": 3 });
        let Value::Object(mut fields) = value else { unreachable!("an object") };
        let position = PositionInput::take_from(&mut fields).unwrap();
        assert_eq!(position.game().unwrap().side_to_move(), Color::White);
        assert_eq!(Value::Object(fields), json!({ "id": "x", "plies": 3 }));
    }
}
