//! The tree of moves: nodes in one list, linked by their numbers, so that files of a hundred
//! megabytes need neither recursion nor an allocation a node.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use tengen_rules::board::Cell;
use tengen_rules::types::{Color, Point};

/// A node of one record's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A stone played, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Play {
    /// Who played.
    pub color: Color,
    /// Where; `None` for a pass.
    pub at: Option<Point>,
}

/// Stones set up rather than played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetUp {
    /// Black stones.
    pub black: Vec<Point>,
    /// White stones.
    pub white: Vec<Point>,
    /// Cells that become empty.
    pub clear: Vec<Point>,
    /// Cells out of play.
    pub walls: Vec<Point>,
    /// Who plays next, where that is said.
    pub side: Option<Color>,
}

impl SetUp {
    /// Whether nothing is set up.
    pub fn is_empty(&self) -> bool {
        *self == SetUp::default()
    }

    /// What becomes of which cells, in the order in which it counts.
    pub(super) fn changes(&self) -> impl Iterator<Item = (Point, Cell)> {
        let kinds = [
            (&self.clear, Cell::Empty),
            (&self.black, Cell::Black),
            (&self.white, Cell::White),
            (&self.walls, Cell::Wall),
        ];
        kinds.into_iter().flat_map(|(points, cell)| points.iter().map(move |&point| (point, cell)))
    }

    /// Puts the stones of each kind in the order of their cells.
    pub fn sort(&mut self) {
        for points in [&mut self.black, &mut self.white, &mut self.clear, &mut self.walls] {
            points.sort();
        }
    }
}

/// A sign drawn on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Some letters.
    Label(String),
    /// A circle.
    Circle,
    /// A cross.
    Cross,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
}

/// A sign and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The cell.
    pub at: Point,
    /// What is drawn there.
    pub sign: Sign,
}

/// A property of the Smart Game Format that a record has no other place for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name in capitals.
    pub name: String,
    /// Its values as a file writes them between the brackets, escapes included.
    pub values: Vec<String>,
}

/// What is noted at a node besides its play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// A text about the position; empty for none.
    pub comment: String,
    /// Milliseconds that the play took.
    pub time_ms: Option<u64>,
    /// Stones set up here.
    pub set_up: SetUp,
    /// Signs on the board.
    pub marks: Vec<Mark>,
    /// Whatever else an SGF file says there.
    pub properties: Vec<Property>,
}

/// One node and its relatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) play: Option<Play>,
    pub(super) parent: Option<NodeId>,
    pub(super) first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    pub(super) next_sibling: Option<NodeId>,
}

/// All nodes; few have notes, which are kept apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    pub(super) notes: BTreeMap<NodeId, Note>,
}

impl Tree {
    /// The root alone.
    pub(super) fn new() -> Tree {
        Tree { nodes: vec![Node::new(None, None)], notes: BTreeMap::new() }
    }

    /// Makes room for so many nodes in all.
    pub(super) fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve_exact(nodes);
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The number of every node, parents before their children.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> {
        (1..).filter_map(NonZeroU32::new).map(NodeId).take(self.len())
    }

    /// Every node, parents before their children.
    pub(super) fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.nodes.iter_mut()
    }

    /// Adds a node as the last child of `parent`; `None` when 2^32 nodes are not enough.
    pub(super) fn push(&mut self, parent: NodeId, play: Option<Play>) -> Option<NodeId> {
        let number = u32::try_from(self.nodes.len() + 1).ok().and_then(NonZeroU32::new)?;
        let id = NodeId(number);
        self.nodes.push(Node::new(Some(parent), play));
        let parent = &mut self.nodes[parent.index()];
        match parent.last_child.replace(id) {
            Some(sibling) => self.nodes[sibling.index()].next_sibling = Some(id),
            None => parent.first_child = Some(id),
        }
        Some(id)
    }
}

impl Node {
    fn new(parent: Option<NodeId>, play: Option<Play>) -> Node {
        Node { play, parent, first_child: None, last_child: None, next_sibling: None }
    }
}
