//! Game records: a tree of moves with players, times, comments and a result, and a reader and a
//! writer for each file format.
//!
//! ```
//! use tengen_record::{Format, ReadOptions, read, write};
//!
//! let games = read(b"(;GM[4]SZ[15];B[hh];W[ii](;B[gg])(;B[hi]))", &ReadOptions::default())?;
//! let game = &games.list[0];
//! assert_eq!(game.main_line().count(), 3);
//! let mut out = Vec::new();
//! let lost = write(&games.list, Format::Psq, &mut out)?;
//! assert!(String::from_utf8(out)?.starts_with("Piskvorky 15x15"));
//! assert_eq!(lost.to_string(), "variations");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Write a game to a file with a player's name and a variation, read the file, and replay it:
//!
//! ```
//! use tengen_record::{Cursor, Format, GameRecord, ReadOptions, read, write};
//! use tengen_rules::{BoardSize, Color, Game, Rule};
//!
//! let mut game = Game::new(BoardSize::square(15)?, Rule::Renju);
//! for at in ["h8", "i9"] {
//!     game.play(game.point(at)?);
//! }
//! let mut record = GameRecord::from_game(&game);
//! record.players[Color::Black] = Some("Ada".to_string());
//! let first = record.main_line().next().expect("the game has two moves");
//! let mut cursor = Cursor::new(&mut record);
//! cursor.descend(first);
//! // Add a variation: another answer to the first move.
//! let answer = cursor.play(Color::White, game.point("h9")?)?;
//! cursor.record().note_mut(answer).comment = "direct".to_string();
//!
//! let folder = std::env::temp_dir();
//! let path = folder.join(format!("tengen-record-{}.sgf", std::process::id()));
//! write(&[record], Format::Sgf, &mut std::fs::File::create(&path)?)?;
//!
//! // Some formats are detected by the file's name.
//! let options = ReadOptions { name: Some(&path), ..ReadOptions::default() };
//! let games = read(&std::fs::read(&path)?, &options)?;
//! std::fs::remove_file(&path)?;
//! let record = &games.list[0];
//! assert_eq!(record.players[Color::Black].as_deref(), Some("Ada"));
//! let again = record.game(Rule::Freestyle)?;
//! assert_eq!((again.rule(), again.moves().count()), (Rule::Renju, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`read_each`] reads a file game by game: an invalid game is reported with its position and the
//! reason, and the other games are still read. [`read`] rejects a file that contains an invalid
//! game. Both report content that they skip or reinterpret. [`write()`] reports which features the
//! format cannot hold.

mod cursor;
mod diagram;
mod encoding;
mod error;
mod feature;
mod format;
mod game;
mod games;
mod json;
mod lines;
mod pairs;
mod piskvork;
pub mod reasons;
mod renlib;
pub mod replay;
mod rif;
mod sgf;
#[cfg(test)]
mod tests;
mod text;
mod transform;
mod tree;
mod words;
mod yixin;

pub use cursor::Cursor;
pub use encoding::{Encoding, ParseEncodingError, decode};
pub use error::{Cause, Place, RecordError};
pub use feature::{FormatFeature, FormatFeatures};
pub use format::{Format, GameWriter, ReadOptions, WriteError, read, read_each, visit_each, write};
pub use games::{BadGame, Games, Remark};
pub use json::{GameLine, OF_PUZZLES, SetUpStones, take_size};
pub use replay::{Replayed, replay};
pub use tree::{Mark, MarkKind, NodeId, Note, Play, Property, SetUp};
pub use words::{parse_result, parse_rule};

use std::collections::BTreeMap;

use tree::Tree;
use words::rule_in_title;

use tengen_rules::board::{Board, Cell};
use tengen_rules::game::Ending;
use tengen_rules::types::{BoardSize, ByColor, Color, GRID, Point, Rule};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// A win for this side.
    Win(Color),
    /// A draw.
    Draw,
    /// A void game, which does not count.
    Void,
}

impl GameResult {
    /// `black`, `white`, `draw` or `void`.
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::Win(color) => color.name(),
            GameResult::Draw => "draw",
            GameResult::Void => "void",
        }
    }

    /// The result with this name.
    pub fn from_name(name: &str) -> Option<GameResult> {
        let all = [
            GameResult::Win(Color::Black),
            GameResult::Win(Color::White),
            GameResult::Draw,
            GameResult::Void,
        ];
        all.into_iter().find(|result| result.name() == name)
    }
}

impl From<Ending> for GameResult {
    fn from(ending: Ending) -> GameResult {
        ending.winner().map_or(GameResult::Draw, GameResult::Win)
    }
}

/// A game with all the data a file can hold about it.
///
/// The moves form a tree. The root is the start position and has no move. The first child of a
/// node continues the game; the other children are variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The board.
    pub size: BoardSize,
    /// The rule set, if known.
    pub rule: Option<Rule>,
    /// Whether the rule is only the default of the file's format, as in a RenLib file.
    pub has_default_rule: bool,
    /// Names of the players.
    pub players: ByColor<Option<String>>,
    /// The result, if known.
    pub result: Option<GameResult>,
    /// The reason for the result in one word: `five`, `full`, a foul's name or one of [`reasons`].
    pub reason: Option<String>,
    /// Number of initial moves that were given and not chosen by the players.
    pub opening: usize,
    /// Other information by name: `date`, `event`, `round`, `place` and so on.
    pub info: BTreeMap<String, String>,
    tree: Tree,
}

impl GameRecord {
    /// An empty record: only the board size is known.
    pub fn new(size: BoardSize) -> GameRecord {
        GameRecord {
            size,
            rule: None,
            has_default_rule: false,
            players: ByColor::default(),
            result: None,
            reason: None,
            opening: 0,
            info: BTreeMap::new(),
            tree: Tree::new(),
        }
    }

    /// A game with these moves, without rule and result; the sides alternate, and black moves first.
    ///
    /// To record a [`Game`](tengen_rules::Game), use [`GameRecord::from_game`], which also keeps
    /// set-up stones, passes, a losing foul, rule and result.
    ///
    /// # Errors
    /// When a move is off the board or on a stone.
    pub fn from_moves(
        size: BoardSize,
        moves: impl IntoIterator<Item = Point>,
    ) -> Result<GameRecord, RecordError> {
        let mut record = GameRecord::new(size);
        let mut cursor = Cursor::new(&mut record);
        for point in moves {
            cursor.play(cursor.side(), point)?;
        }
        Ok(record)
    }

    /// The move or pass that leads to a node; `None` for the root and for nodes that only hold a
    /// comment or set up stones.
    ///
    /// # Panics
    /// When the node belongs to another record. This applies to all methods that take a node.
    pub fn play_of(&self, node: NodeId) -> Option<Play> {
        self.tree.node(node).play
    }

    /// The board changes at a node: first its set-up stones, then its move.
    fn changes(&self, node: NodeId) -> impl Iterator<Item = (Point, Cell)> {
        let set_up = self.note(node).into_iter().flat_map(|note| note.set_up.changes());
        let play = self.play_of(node).and_then(|play| Some((play.at?, Cell::stone(play.color))));
        set_up.chain(play)
    }

    /// The side to move after a node, given the side to move before it. If the root sets up more
    /// black stones than white ones and states no side, white moves first.
    fn side_after(&self, node: NodeId, side: Color) -> Color {
        let set_up = self.note(node).map(|note| &note.set_up);
        let by_count = |it: &SetUp| {
            let is_white = node == NodeId::ROOT && it.black.len() > it.white.len();
            if is_white { Color::White } else { side }
        };
        let play = self.play_of(node).map(|play| play.color.opponent());
        play.or(set_up.and_then(|it| it.side)).or(set_up.map(by_count)).unwrap_or(side)
    }

    /// The parent of a node.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.tree.node(node).parent
    }

    /// The first child of a node, which continues the game.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.tree.node(node).first_child
    }

    /// The next sibling of a node, an alternative to it.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        self.tree.node(node).next_sibling
    }

    /// All children of a node; the first one continues the game.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// Number of nodes, including the root.
    pub fn node_count(&self) -> usize {
        self.tree.len()
    }

    /// Every node, the root first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.tree.ids()
    }

    /// The note at a node.
    pub fn note(&self, node: NodeId) -> Option<&Note> {
        self.tree.notes.get(&node)
    }

    /// The note at a node, which is created if there is none.
    pub fn note_mut(&mut self, node: NodeId) -> &mut Note {
        self.tree.notes.entry(node).or_default()
    }

    /// Whether this node continues the game after its parent.
    fn is_first_child(&self, node: NodeId) -> bool {
        self.parent(node).is_none_or(|parent| self.first_child(parent) == Some(node))
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(NodeId::ROOT), |&node| self.first_child(node))
    }

    /// The moves and passes of the main line.
    pub fn plays(&self) -> impl Iterator<Item = Play> {
        self.main_line().filter_map(|node| self.play_of(node))
    }

    /// Whether `node` holds the last move of the main line.
    pub fn ends_with(&self, node: NodeId) -> bool {
        self.main_line().filter(|&it| self.play_of(it).is_some()).last() == Some(node)
    }

    /// The nodes from the root (exclusive) to `node` (inclusive).
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(node), |&node| self.parent(node)).collect();
        path.pop();
        path.reverse();
        path
    }

    /// Adds a move as the last child of `parent`.
    ///
    /// # Errors
    /// When the move is off the board or on a stone.
    pub fn add(&mut self, parent: NodeId, color: Color, at: Point) -> Result<NodeId, RecordError> {
        let path = self.path(parent);
        let mut cursor = Cursor::new(self);
        path.into_iter().for_each(|node| cursor.descend(node));
        cursor.play(color, at)
    }

    /// The main line as a list of alternating moves, black first. Set-up stones come before the
    /// moves if alternating moves could have placed them.
    ///
    /// # Errors
    /// When the game has a pass, two moves of one side in a row, stones that are set up after the
    /// start, cells out of play, or set-up stones that alternating moves cannot produce.
    pub fn moves(&self) -> Result<Vec<Point>, RecordError> {
        let mut moves = self.set_up_as_moves()?;
        for node in self.main_line() {
            let problem = match self.play_of(node) {
                _ if self.note(node).is_some_and(|note| !note.set_up.is_empty()) => {
                    "sets up stones"
                }
                None => continue,
                Some(Play { at: None, .. }) => "passes",
                Some(Play { color: Color::White, .. }) if moves.is_empty() => {
                    let reason = "white makes the first move, which a list of moves cannot hold";
                    return Err(RecordError::new(reason));
                }
                Some(Play { color, .. }) if color != Color::after_moves(moves.len()) => {
                    "has two moves of one side in a row"
                }
                Some(Play { at: Some(point), .. }) => {
                    moves.push(point);
                    continue;
                }
            };
            return Err(RecordError::new(format!(
                "the game {problem} after move {}, which a list of moves cannot hold",
                moves.len()
            )));
        }
        Ok(moves)
    }

    /// The set-up stones of the start position, in an order in which they could have been played.
    fn set_up_as_moves(&self) -> Result<Vec<Point>, RecordError> {
        let Some(note) = self.note(NodeId::ROOT) else { return Ok(Vec::new()) };
        let set_up = &note.set_up;
        let (black, white) = (set_up.black.len(), set_up.white.len());
        let side = self.plays().next().map(|play| play.color).or(set_up.side);
        let in_turn = black == white || black == white + 1;
        if !set_up.walls.is_empty() {
            return Err(RecordError::new("a list of moves cannot hold cells out of play"));
        }
        if black + white == 0 {
            return Ok(Vec::new());
        }
        if !in_turn || side.is_some_and(|side| (side == Color::White) != (black > white)) {
            return Err(RecordError::new(format!(
                "{black} black and {white} white stones are set up, which a list of moves cannot hold"
            )));
        }
        let stone = |index: usize| match index % 2 {
            0 => set_up.black[index / 2],
            _ => set_up.white[index / 2],
        };
        Ok((0..black + white).map(stone).collect())
    }

    /// The board before the first move. `rule` applies if the record has no rule. White moves first
    /// if the record states it, or if it states no side and black has more stones.
    pub fn start(&self, rule: Rule) -> Board {
        let mut board = Board::new(self.size, self.rule.unwrap_or(rule));
        let nothing = SetUp::default();
        let set_up = self.note(NodeId::ROOT).map_or(&nothing, |note| &note.set_up);
        // If a cell is listed twice, the first entry counts.
        for &cell in &set_up.walls {
            let _ = board.wall(cell);
        }
        for (color, cells) in [(Color::Black, &set_up.black), (Color::White, &set_up.white)] {
            for &cell in cells {
                let _ = board.place(cell, color);
            }
        }
        let first = self.plays().next().map(|play| play.color);
        board.set_side(first.or(set_up.side).unwrap_or(board.side_by_count()));
        board
    }

    /// The board after the last node of the main line; freestyle if the record has no rule.
    pub fn end(&self) -> Board {
        let mut cells = vec![Cell::Empty; GRID];
        let mut side = Color::Black;
        for node in std::iter::once(NodeId::ROOT).chain(self.main_line()) {
            self.changes(node).for_each(|(point, cell)| cells[point.index()] = cell);
            side = self.side_after(node, side);
        }
        let mut board = Board::new(self.size, self.rule.unwrap_or(Rule::Freestyle));
        for point in self.size.points() {
            match cells[point.index()] {
                Cell::Empty => {}
                Cell::Black => board.place_unchecked(point, Color::Black),
                Cell::White => board.place_unchecked(point, Color::White),
                Cell::Wall => board.wall(point).expect("an empty cell"),
            }
        }
        board.set_side(side);
        board
    }

    /// The time of each move of the main line in milliseconds, if known.
    pub fn times(&self) -> impl Iterator<Item = Option<u64>> {
        let played = self.main_line().filter(|&node| self.play_of(node).is_some());
        played.map(|node| self.note(node).and_then(|note| note.time_ms))
    }
}
