//! Games as trees of moves, converted from records and to records.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::input::InputError;
use crate::position::{color, parse_name, point, points};
use crate::review::{NotedEvaluation, comment};
use tengen_record::{
    Cursor, GameRecord, GameResult, Mark, MarkKind, NodeId, Note, Play, Property, SetUp,
};
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, Color, MIN_ENGINE_SIDE, Notation, Point, Rule};

/// Maximum number of nodes of a tree.
const MAX_NODES: usize = 100_000;

/// A game with its variations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameTree {
    /// Columns of the board.
    pub width: i64,
    /// Rows of the board.
    pub height: i64,
    /// The rule, if known.
    pub rule: Option<String>,
    /// The name of black's player.
    #[serde(default)]
    pub black: Option<String>,
    /// The name of white's player.
    #[serde(default)]
    pub white: Option<String>,
    /// `black`, `white`, `draw` or `void`.
    #[serde(default)]
    pub result: Option<String>,
    /// The reason for the result, in one word.
    #[serde(default)]
    pub reason: Option<String>,
    /// Number of given moves.
    #[serde(default)]
    pub opening: usize,
    /// Date, event and other information.
    #[serde(default)]
    pub info: BTreeMap<String, String>,
    /// The start first, parents before children, the main line before variations.
    pub nodes: Vec<Node>,
}

/// A position of the game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// The index of the parent; absent at the start.
    #[serde(default)]
    pub parent: Option<usize>,
    /// `black` or `white`; absent without a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// The point; absent for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// A comment on the position.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The evaluation of an engine, which files hold as a line of the comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<NotedEvaluation>,
    /// Thinking time of the move in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Stones set up at this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_up: Option<Stones>,
    /// Marks on the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Label>,
    /// Other properties of a file in SGF, which are written back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<OtherProperty>,
}

/// A property of SGF that the tree only keeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OtherProperty {
    /// Its name in upper case.
    pub name: String,
    /// Its values as written between the brackets, with escapes.
    pub values: Vec<String>,
}

/// Set-up stones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Stones {
    /// Black stones.
    pub black: Vec<String>,
    /// White stones.
    pub white: Vec<String>,
    /// Cells that become empty.
    pub clear: Vec<String>,
    /// Cells out of play.
    pub walls: Vec<String>,
    /// The side to move.
    pub side: Option<String>,
}

/// A mark: `circle`, `cross`, `square`, `triangle`, a text, or an `arrow` or `line` to another cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// The cell.
    pub at: String,
    /// The end of an arrow or a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The name of the mark; absent for a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
    /// The text, if the mark is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

const SIGNS: [(&str, MarkKind); 4] = [
    ("circle", MarkKind::Circle),
    ("cross", MarkKind::Cross),
    ("square", MarkKind::Square),
    ("triangle", MarkKind::Triangle),
];

/// Marks from one cell to another, and their properties in SGF.
const PAIRS: [(&str, &str); 2] = [("arrow", "AR"), ("line", "LN")];

impl GameTree {
    /// Converts a record to a tree.
    ///
    /// # Errors
    /// If the board is too small for the engine, or the tree is too large.
    pub fn of(record: &GameRecord) -> Result<GameTree, InputError> {
        let size = record.size;
        BoardSize::at_least(MIN_ENGINE_SIDE, size.width().into(), size.height().into())?;
        if record.node_count() > MAX_NODES {
            let count = record.node_count();
            return Err(InputError::other(format!("{count} moves: expected at most {MAX_NODES}")));
        }
        let mut tree = GameTree {
            width: size.width().into(),
            height: size.height().into(),
            rule: record.rule.map(|rule| rule.name().to_string()),
            black: record.players[Color::Black].clone(),
            white: record.players[Color::White].clone(),
            result: record.result.map(|result| result.name().to_string()),
            reason: record.reason.clone(),
            opening: record.opening,
            info: record.info.clone(),
            nodes: Vec::with_capacity(record.node_count()),
        };
        let game = Game::new(size, record.rule.unwrap_or(Rule::Freestyle));
        let mut waiting = vec![(None, NodeId::ROOT)];
        while let Some((parent, id)) = waiting.pop() {
            let number = tree.nodes.len();
            tree.nodes.push(Node::of(record, id, parent, &game));
            let children: Vec<NodeId> = record.children(id).collect();
            waiting.extend(children.into_iter().rev().map(|child| (Some(number), child)));
        }
        Ok(tree)
    }

    /// Converts the tree to a record.
    ///
    /// # Errors
    /// If a node is invalid, with its index.
    pub fn record(&self) -> Result<GameRecord, InputError> {
        let size = BoardSize::at_least(MIN_ENGINE_SIDE, self.width, self.height)
            .map_err(InputError::other)?;
        let mut record = GameRecord::new(size);
        record.rule = self.rule.as_deref().map(parse_name).transpose()?;
        record.players[Color::Black] = self.black.clone();
        record.players[Color::White] = self.white.clone();
        if let Some(name) = self.result.as_deref() {
            let result = GameResult::from_name(name)
                .ok_or_else(|| InputError::other(format!("invalid result {name:?}")))?;
            record.result = Some(result);
        }
        record.reason = self.reason.clone();
        record.opening = self.opening;
        record.info = self.info.clone();
        self.add_nodes(&mut record)?;
        Ok(record)
    }

    fn add_nodes(&self, record: &mut GameRecord) -> Result<(), InputError> {
        if self.nodes.is_empty() || self.nodes.len() > MAX_NODES {
            let count = self.nodes.len();
            return Err(InputError::other(format!("{count} nodes: expected 1 to {MAX_NODES}")));
        }
        let game = Game::new(record.size, record.rule.unwrap_or(Rule::Freestyle));
        let mut depths = Vec::with_capacity(self.nodes.len());
        let mut path: Vec<usize> = Vec::new();
        let mut cursor = Cursor::new(record);
        for (number, node) in self.nodes.iter().enumerate() {
            let place = || format!("node {number}");
            match node.parent {
                None if number == 0 => depths.push(0),
                // Depth first: the parent is on the path to the previous node.
                Some(parent) if is_on(&path, &depths, parent) => {
                    let depth = depths[parent];
                    cursor.ascend(depth);
                    path.truncate(depth + 1);
                    depths.push(depth + 1);
                }
                _ => {
                    return Err(InputError::other(
                        "invalid parent: the nodes are not in depth-first order",
                    )
                    .at(place()));
                }
            }
            if number > 0 {
                node.play(&mut cursor, &game).map_err(|error| error.at(place()))?;
            }
            path.push(number);
            node.annotate(&mut cursor, &game).map_err(|error| error.at(place()))?;
        }
        Ok(())
    }
}

impl Node {
    fn of(record: &GameRecord, id: NodeId, parent: Option<usize>, game: &Game) -> Node {
        let notation = game.notation();
        let mut node = Node { parent, ..Node::default() };
        if let Some(Play { color, at }) = record.play_of(id) {
            node.color = Some(color.name().to_string());
            node.at = at.map(|at| notation.name(at));
        }
        let Some(note) = record.note(id) else { return node };
        node.time_ms = note.time_ms;
        node.comment = note.comment.clone();
        let line = note.comment.lines().find(|line| comment::is_line(line));
        if let Some((line, found)) =
            line.and_then(|line| Some((line, comment::find(line, record.size)?)))
        {
            node.evaluation = Some(NotedEvaluation::read(line.to_string(), &found, notation));
            node.comment = without_evaluation(&note.comment);
        }
        if !note.set_up.is_empty() {
            node.set_up = Some(Stones::of(&note.set_up, notation));
        }
        node.marks = note.marks.iter().map(|mark| Label::of(mark, notation)).collect();
        for property in &note.properties {
            let sign = PAIRS.iter().find(|(_, name)| *name == property.name);
            match sign.zip(property.pairs(record.size)) {
                Some((&(sign, _), pairs)) => {
                    node.marks
                        .extend(pairs.iter().map(|&pair| Label::of_pair(sign, pair, notation)));
                }
                None => {
                    let Property { name, values } = property.clone();
                    node.properties.push(OtherProperty { name, values });
                }
            }
        }
        node
    }

    /// Adds the node with its move.
    fn play(&self, cursor: &mut Cursor<'_>, game: &Game) -> Result<(), InputError> {
        let added = match (color(self.color.as_deref())?, &self.at) {
            (Some(color), Some(name)) => cursor.play(color, point(game, name)?),
            (Some(color), None) => cursor.pass(color),
            (None, None) => cursor.comment(),
            (None, Some(name)) => {
                return Err(InputError::other(format!("move {name} has no colour")));
            }
        };
        added.map(drop).map_err(InputError::other)
    }

    /// Adds set-up stones, comment, marks, time and evaluation of the node.
    fn annotate(&self, cursor: &mut Cursor<'_>, game: &Game) -> Result<(), InputError> {
        if let Some(stones) = &self.set_up {
            cursor.set_up(&stones.set_up(game)?).map_err(InputError::other)?;
        }
        let noted = self.evaluation.as_ref();
        let line = noted
            .and_then(|noted| noted.text.lines().find(|line| comment::is_line(line)))
            .filter(|line| comment::find(line, game.size()).is_some());
        let plain = self.comment.is_empty() && self.time_ms.is_none() && self.marks.is_empty();
        if plain && line.is_none() && self.properties.is_empty() {
            return Ok(());
        }
        let (pairs, signs): (Vec<&Label>, Vec<&Label>) =
            self.marks.iter().partition(|label| label.to.is_some());
        let marks: Vec<Mark> =
            signs.into_iter().map(|label| label.mark(game)).collect::<Result<_, _>>()?;
        let mut properties = pair_properties(&pairs, game)?;
        for OtherProperty { name, values } in &self.properties {
            properties
                .push(Property::new(name.clone(), values.clone()).map_err(InputError::other)?);
        }
        let id = cursor.node();
        let note: &mut Note = cursor.record().note_mut(id);
        note.comment = self.comment.clone();
        note.time_ms = self.time_ms;
        note.marks = marks;
        note.properties = properties;
        if let Some(line) = line {
            comment::put(&mut note.comment, line);
        }
        Ok(())
    }
}

/// The properties of marks from one cell to another.
fn pair_properties(labels: &[&Label], game: &Game) -> Result<Vec<Property>, InputError> {
    let mut properties = Vec::new();
    for (sign, property) in PAIRS {
        let own = labels.iter().filter(|label| label.sign.as_deref() == Some(sign));
        let pairs: Vec<_> = own.map(|label| label.pair(game)).collect::<Result<_, _>>()?;
        if !pairs.is_empty() {
            properties.push(Property::of_pairs(property, &pairs));
        }
    }
    let is_known =
        |label: &&&Label| PAIRS.iter().any(|(sign, _)| label.sign.as_deref() == Some(sign));
    match labels.iter().find(|label| !is_known(label)) {
        Some(label) => Err(label.invalid()),
        None => Ok(properties),
    }
}

/// Whether a node is on the path, which has one node of each depth.
fn is_on(path: &[usize], depths: &[usize], node: usize) -> bool {
    depths.get(node).and_then(|&depth| path.get(depth)) == Some(&node)
}

/// The comment without the line of the evaluation.
fn without_evaluation(comment: &str) -> String {
    let kept = comment.lines().filter(|line| !comment::is_line(line));
    kept.collect::<Vec<_>>().join("\n")
}

impl Stones {
    fn of(set_up: &SetUp, notation: Notation) -> Stones {
        Stones {
            black: notation.list(&set_up.black),
            white: notation.list(&set_up.white),
            clear: notation.list(&set_up.clear),
            walls: notation.list(&set_up.walls),
            side: set_up.side.map(|side| side.name().to_string()),
        }
    }

    fn set_up(&self, game: &Game) -> Result<SetUp, InputError> {
        Ok(SetUp {
            black: points(game, &self.black)?,
            white: points(game, &self.white)?,
            clear: points(game, &self.clear)?,
            walls: points(game, &self.walls)?,
            side: color(self.side.as_deref())?,
        })
    }
}

impl Label {
    fn of(mark: &Mark, notation: Notation) -> Label {
        let named = SIGNS.iter().find(|(_, kind)| *kind == mark.kind);
        let text = match &mark.kind {
            MarkKind::Label(text) => Some(text.clone()),
            _ => None,
        };
        let sign = named.map(|(name, _)| name.to_string());
        Label { at: notation.name(mark.at), to: None, sign, text }
    }

    fn of_pair(sign: &str, (from, to): (Point, Point), notation: Notation) -> Label {
        let (at, to) = (notation.name(from), Some(notation.name(to)));
        Label { at, to, sign: Some(sign.to_string()), text: None }
    }

    /// The cells of an arrow or a line.
    fn pair(&self, game: &Game) -> Result<(Point, Point), InputError> {
        let (at, to) =
            (point(game, &self.at)?, point(game, self.to.as_deref().unwrap_or_default())?);
        if at == to { Err(self.invalid()) } else { Ok((at, to)) }
    }

    fn invalid(&self) -> InputError {
        InputError::other(format!("invalid mark on {}", self.at))
    }

    fn mark(&self, game: &Game) -> Result<Mark, InputError> {
        let at = point(game, &self.at)?;
        let named = |name: &str| SIGNS.iter().find(|(known, _)| *known == name);
        let kind = match (self.sign.as_deref().map(named), &self.text) {
            (Some(Some((_, kind))), _) => kind.clone(),
            (None, Some(text)) => MarkKind::Label(text.clone()),
            _ => return Err(self.invalid()),
        };
        Ok(Mark { at, kind })
    }
}
