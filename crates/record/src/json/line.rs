//! A game as a JSON object on one line.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::feature::sets_up_at_the_start_only;
use crate::text::append_line;
use crate::{GameRecord, GameResult, NodeId, RecordError, SetUp};
use tengen_rules::types::{Color, Point, Rule};

/// A game. A cell is a string `x,y`: the column from the left and the row from the top, both
/// counted from 0. Cells are separated by blanks.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(title = "A line of `tengen convert --to jsonl`"))]
pub struct GameLine<'a> {
    /// Columns and rows of the board, such as `15x15`.
    size: String,
    /// The rule, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "String", extend("enum" = Rule::ALL.map(Rule::name))))]
    rule: Option<&'a str>,
    /// The stones on the board before the first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "SetUpStones"))]
    set_up: Option<SetUpStones>,
    /// The moves, as cells in playing order.
    moves: String,
    /// The name of the black player.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "String"))]
    black: Option<&'a str>,
    /// The name of the white player.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "String"))]
    white: Option<&'a str>,
    /// `black` or `white` for a win, `draw`, or `void` for a game that does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schemas",
        schemars(with = "String", extend("enum" = ["black", "white", "draw", "void"]))
    )]
    result: Option<&'a str>,
    /// The reason for the result, such as `five`, `timeout` or `resignation`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "String"))]
    reason: Option<&'a str>,
    /// Number of initial moves that were given and not chosen by the players; absent if 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(with = "usize", range(min = 1)))]
    opening: Option<usize>,
    /// Milliseconds used for each of the last moves; `null` where unknown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times_ms: Vec<Option<u64>>,
    /// Comments by the number of moves before them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    comments: BTreeMap<usize, String>,
    /// Date, event and other information about the game.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    info: &'a BTreeMap<String, String>,
}

/// Stones on the board before the first move, each list as cells separated by blanks.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SetUpStones {
    /// Cells with black stones.
    black: String,
    /// Cells with white stones.
    white: String,
    /// Cells out of play.
    #[serde(skip_serializing_if = "String::is_empty")]
    walls: String,
    /// The side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schemas",
        schemars(with = "String", extend("enum" = Color::ALL.map(Color::name)))
    )]
    side: Option<&'static str>,
}

fn joined(points: impl IntoIterator<Item = Point>) -> String {
    let names: Vec<String> = points.into_iter().map(|point| point.to_string()).collect();
    names.join(" ")
}

/// Formats a game as one line.
///
/// # Errors
/// When the moves do not alternate.
pub fn write(game: &GameRecord) -> Result<String, RecordError> {
    let set_up = game.note(NodeId::ROOT).map(|note| &note.set_up).filter(|it| !it.is_empty());
    let white_begins = SetUp { side: Some(Color::White), ..SetUp::default() };
    let first = game.plays().next().map(|play| play.color);
    let set_up = set_up.or((first == white_begins.side).then_some(&white_begins));
    let (moves, set_up) = match set_up {
        None => (game.moves()?, None),
        Some(set_up) => {
            let stones = SetUpStones {
                black: joined(set_up.black.iter().copied()),
                white: joined(set_up.white.iter().copied()),
                walls: joined(set_up.walls.iter().copied()),
                side: side_after(game, set_up).map(Color::name),
            };
            (moves_after(game, set_up)?, Some(stones))
        }
    };
    let times: Vec<Option<u64>> = game.times().collect();
    let known = times.iter().position(Option::is_some).unwrap_or(times.len());
    let line = GameLine {
        size: game.size.to_string(),
        rule: game.rule.map(Rule::name),
        set_up,
        moves: joined(moves),
        black: game.players[Color::Black].as_deref(),
        white: game.players[Color::White].as_deref(),
        result: game.result.map(GameResult::name),
        reason: game.reason.as_deref(),
        opening: Some(game.opening).filter(|&opening| opening > 0),
        times_ms: times[known..].to_vec(),
        comments: comments_by_ply(game),
        info: &game.info,
    };
    let line = serde_json::to_string(&line).map_err(|error| RecordError::new(error.to_string()))?;
    Ok(line + "\n")
}

/// Comments by the number of moves before them. The comment of a node without a move is appended
/// to that of the preceding move.
fn comments_by_ply(game: &GameRecord) -> BTreeMap<usize, String> {
    let mut comments: BTreeMap<usize, String> = BTreeMap::new();
    let mut ply = 0;
    for node in std::iter::once(NodeId::ROOT).chain(game.main_line()) {
        ply += usize::from(game.play_of(node).is_some());
        if let Some(note) = game.note(node).filter(|note| !note.comment.is_empty()) {
            let comment = comments.entry(ply).or_default();
            append_line(comment, &note.comment);
        }
    }
    comments
}

/// The side to move after the set-up stones: the stated side, else the side of the first move.
fn side_after(game: &GameRecord, set_up: &SetUp) -> Option<Color> {
    set_up.side.or_else(|| game.plays().next().map(|play| play.color))
}

/// The moves after the set-up stones, which must alternate.
fn moves_after(game: &GameRecord, set_up: &SetUp) -> Result<Vec<Point>, RecordError> {
    if !sets_up_at_the_start_only(game) {
        return Err(RecordError::new("stones are set up between moves, which jsonl cannot hold"));
    }
    let mut side = side_after(game, set_up).unwrap_or(Color::Black);
    let mut moves = Vec::new();
    for play in game.plays() {
        match play.at {
            Some(point) if play.color == side => moves.push(point),
            _ => {
                let reason = "the moves after the set-up do not alternate, which jsonl cannot hold";
                return Err(RecordError::new(reason));
            }
        }
        side = side.opponent();
    }
    Ok(moves)
}
