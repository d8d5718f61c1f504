//! The tree of moves. Its nodes are in one vector, linked by index, so that files of a hundred
//! megabytes need neither recursion nor one allocation per node.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use tengen_rules::board::Cell;
use tengen_rules::types::{Color, Point};

/// A node in the tree of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The start of the game.
    pub const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A move or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Play {
    /// The player.
    pub color: Color,
    /// The cell; `None` for a pass.
    pub at: Option<Point>,
}

/// Stones that are set up and not played.
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
    /// The side to move, if stated.
    pub side: Option<Color>,
}

impl SetUp {
    /// Whether nothing is set up.
    pub fn is_empty(&self) -> bool {
        *self == SetUp::default()
    }

    /// The changed cells, in the order in which the changes apply.
    pub(super) fn changes(&self) -> impl Iterator<Item = (Point, Cell)> {
        let kinds = [
            (&self.clear, Cell::Empty),
            (&self.black, Cell::Black),
            (&self.white, Cell::White),
            (&self.walls, Cell::Wall),
        ];
        kinds.into_iter().flat_map(|(points, cell)| points.iter().map(move |&point| (point, cell)))
    }

    /// Adds what is set up later, which replaces the contents of its cells.
    pub(super) fn merge(&mut self, later: &SetUp) {
        for (point, cell) in later.changes() {
            for points in [&mut self.black, &mut self.white, &mut self.walls] {
                points.retain(|&it| it != point);
            }
            match cell {
                Cell::Empty => {}
                Cell::Black => self.black.push(point),
                Cell::White => self.white.push(point),
                Cell::Wall => self.walls.push(point),
            }
        }
        self.side = later.side.or(self.side);
    }

    /// Sorts the cells of each kind.
    pub fn sort(&mut self) {
        for points in [&mut self.black, &mut self.white, &mut self.clear, &mut self.walls] {
            points.sort();
        }
    }
}

/// The kind of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A text.
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

/// A mark on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The cell.
    pub at: Point,
    /// The kind.
    pub kind: MarkKind,
}

/// An SGF property that has no other place in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name in upper case.
    pub name: String,
    /// Its values as written between the brackets, with escapes.
    pub values: Vec<String>,
}

/// The data of a node in addition to its move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// A comment on the position; may be empty.
    pub comment: String,
    /// The time of the move in milliseconds.
    pub time_ms: Option<u64>,
    /// Stones set up at this node.
    pub set_up: SetUp,
    /// Marks on the board.
    pub marks: Vec<Mark>,
    /// Other SGF properties.
    pub properties: Vec<Property>,
}

/// A node and its links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) play: Option<Play>,
    pub(super) parent: Option<NodeId>,
    pub(super) first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    pub(super) next_sibling: Option<NodeId>,
}

/// All nodes. Notes are stored separately, since few nodes have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    pub(super) notes: BTreeMap<NodeId, Note>,
}

impl Tree {
    /// A tree with only a root.
    pub(super) fn new() -> Tree {
        Tree { nodes: vec![Node::new(None, None)], notes: BTreeMap::new() }
    }

    /// Reserves capacity for `nodes` additional nodes.
    pub(super) fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve_exact(nodes);
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The ids of all nodes, parents before their children.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> {
        (1..).filter_map(NonZeroU32::new).map(NodeId).take(self.len())
    }

    /// All nodes, parents before their children.
    pub(super) fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.nodes.iter_mut()
    }

    /// Adds a node as the last child of `parent`; `None` if the tree is full, at 2^32 - 1 nodes.
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
