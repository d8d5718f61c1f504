//! The positions of a database as a graph in memory, from moves to the positions after them.

use std::collections::HashMap;

use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Point, Rule, Score, Symmetry};
use tengen_store::{Canonical, Error, Evidence, Filter, GameValue, Key, Reader, Record, TreeValue};

/// Positions of one rule and board. Points of a node are those of its canonical board.
#[derive(Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    index: HashMap<Key, NodeIndex>,
    /// Nodes by number of stones: moves lead from each level to the next.
    levels: Vec<Vec<NodeIndex>>,
    /// Number of positions proved by the positions after them since the graph was read.
    pub(super) proofs: u64,
}

/// The number of a node.
pub type NodeIndex = u32;

/// A position with the parts of its record that decide its value.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position.
    pub key: Key,
    /// The result, if known.
    pub result: Option<NodeResult>,
    /// The evaluation, if any.
    pub evaluation: Option<NodeEvaluation>,
    /// The value derived from the positions after this one.
    pub tree: Option<TreeValue>,
    /// Games with this position.
    pub games: u64,
    /// The moves to other nodes, one per node.
    pub edges: Vec<Edge>,
    /// The nodes before this one.
    pub parents: Vec<NodeIndex>,
    /// The symmetries of the board, if there is more than one.
    symmetries: Box<[Symmetry]>,
}

/// A known result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeResult {
    /// The value for the side to move.
    pub value: GameValue,
    /// Whether it is proved.
    pub evidence: Evidence,
    /// Plies to the end.
    pub distance: Option<u16>,
    /// A move that keeps the result.
    pub best: Option<Point>,
    /// The result as a score.
    pub score: Score,
}

/// An evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeEvaluation {
    /// The value for the side to move.
    pub score: Score,
    /// Number of nodes searched.
    pub nodes: u64,
    /// Depth of the search in plies.
    pub depth: u16,
    /// The moves with their scores, best first. Only one of several symmetric moves is listed.
    pub moves: Box<[(Point, Option<Score>)]>,
}

/// A move to another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The cell.
    pub point: Point,
    /// The position after it.
    pub child: NodeIndex,
}

/// Name of this program as the source of results and evaluations.
pub const OWN_SOURCE: &str = "Tengen";

impl Graph {
    /// The positions of this rule and board that can be reached from `root` through positions of
    /// the store; all positions if there is no root. Reads the store once.
    ///
    /// # Errors
    /// When the store cannot be read or a record is damaged.
    pub fn read(
        reader: &Reader<'_>,
        rule: Rule,
        size: BoardSize,
        root: Option<&Board>,
    ) -> Result<Graph, Error> {
        let mut graph = Graph::default();
        let filter = Filter { rule: Some(rule), size: Some(size), ..Filter::default() };
        let mut entries = reader.entries(&filter);
        if let Some(board) = root {
            let key = Key::of(board);
            let Some(record) = reader.get_key(&key)? else { return Ok(graph) };
            graph.insert(key.clone(), &record);
            // Keys are sorted by number of stones.
            entries.resume_after(&key);
        }
        let images = root.map(images).unwrap_or_default();
        for entry in entries {
            let entry = entry?;
            let board = entry.key.board();
            if root.is_some() && !images.iter().any(|image| image.is_part_of(&board)) {
                continue;
            }
            graph.add(entry.key, &board, &entry.record, root.is_some());
        }
        Ok(graph)
    }

    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    pub fn node(&self, index: NodeIndex) -> &Node {
        &self.nodes[index as usize]
    }

    pub(super) fn node_mut(&mut self, index: NodeIndex) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of a position.
    pub fn find(&self, key: &Key) -> Option<NodeIndex> {
        self.index.get(key).copied()
    }

    /// The nodes without a move that leads to them.
    pub fn roots(&self) -> impl Iterator<Item = NodeIndex> {
        (0..).zip(&self.nodes).filter(|(_, node)| node.parents.is_empty()).map(|(index, _)| index)
    }

    /// Every node, those with more stones first.
    pub fn from_the_end(&self) -> impl Iterator<Item = NodeIndex> {
        self.levels.iter().rev().flatten().copied()
    }

    /// Adds a position after a move of `parent` and returns its number. Also links it with other
    /// positions before and after it.
    pub fn add_child(&mut self, parent: NodeIndex, point: Point) -> NodeIndex {
        let mut board = self.node(parent).key.board();
        board.place_unchecked(point, board.side_to_move());
        let Canonical { key, .. } = Canonical::of(&board);
        if let Some(known) = self.find(&key) {
            return known;
        }
        let canonical = key.board();
        let child = self.add(key, &canonical, &Record::default(), false).expect("a new node");
        let mut next = canonical.clone();
        for point in canonical.empty_points() {
            next.place_unchecked(point, canonical.side_to_move());
            let after = self.find(&Key::of(&next));
            next.undo();
            if let Some(after) = after {
                self.link(child, after, point);
            }
        }
        child
    }

    /// Adds a position and links it with those before it. With `needs_parent`, a position without a
    /// parent is skipped.
    fn add(
        &mut self,
        key: Key,
        board: &Board,
        record: &Record,
        needs_parent: bool,
    ) -> Option<NodeIndex> {
        let parents: Vec<(Point, NodeIndex)> = Canonical::parents(board)
            .filter_map(|(point, Canonical { key, symmetry })| {
                Some((symmetry.point(board.size(), point), self.find(&key)?))
            })
            .collect();
        if needs_parent && parents.is_empty() {
            return None;
        }
        let child = self.insert(key, record);
        for (point, parent) in parents {
            self.link(parent, child, point);
        }
        Some(child)
    }

    fn link(&mut self, parent: NodeIndex, child: NodeIndex, point: Point) {
        let node = self.node_mut(parent);
        let point = node.normal(point);
        if let Some(edge) = node.edges.iter_mut().find(|edge| edge.child == child) {
            // Several moves can lead to symmetric images of one position: keep the smallest move.
            edge.point = edge.point.min(point);
            return;
        }
        node.edges.push(Edge { point, child });
        self.node_mut(child).parents.push(parent);
    }

    fn insert(&mut self, key: Key, record: &Record) -> NodeIndex {
        let index = NodeIndex::try_from(self.nodes.len()).expect("fewer than 2^32 positions");
        let stones = key.stones();
        if self.levels.len() <= stones {
            self.levels.resize_with(stones + 1, Vec::new);
        }
        self.levels[stones].push(index);
        let symmetries = key.board().symmetries();
        let symmetries = if symmetries.len() > 1 { symmetries.into() } else { Box::default() };
        let mut node = Node {
            key: key.clone(),
            result: None,
            evaluation: None,
            tree: record.tree,
            games: record.games.total(),
            edges: Vec::new(),
            parents: Vec::new(),
            symmetries,
        };
        node.set_record(record);
        self.nodes.push(node);
        self.index.insert(key, index);
        index
    }
}

impl Node {
    /// Sets result and evaluation from a record in canonical form.
    pub(super) fn set_record(&mut self, record: &Record) {
        self.result = record.result.as_ref().map(|result| NodeResult {
            value: result.value,
            evidence: result.evidence,
            distance: result.distance,
            best: result.best,
            score: result.score(),
        });
        self.evaluation = record.evaluation.as_ref().map(|found| {
            let mut moves: Vec<(Point, Option<Score>)> = Vec::new();
            for scored in &found.moves {
                let point = self.normal(scored.point);
                if moves.iter().all(|&(known, _)| known != point) {
                    moves.push((point, scored.score));
                }
            }
            NodeEvaluation {
                score: found.score,
                nodes: found.nodes,
                depth: found.depth,
                moves: moves.into(),
            }
        });
    }

    /// Stores a new proof and evaluation. An existing proof is kept.
    pub(super) fn add_record(&mut self, record: &Record) {
        let (result, evaluation) = (self.result, self.evaluation.take());
        self.set_record(record);
        if self.result.is_none() || result.is_some_and(|it| it.evidence == Evidence::Proved) {
            self.result = result;
        }
        self.evaluation = self.evaluation.take().or(evaluation);
    }

    /// Whether the result is proved.
    pub fn is_proved(&self) -> bool {
        self.result.is_some_and(|result| result.evidence == Evidence::Proved)
    }

    /// The best known value for the side to move, see [`Record::value`].
    pub fn value(&self) -> Option<Score> {
        let tree = self.tree.map(|tree| tree.score);
        let found = self.evaluation.as_ref().map(|found| found.score);
        self.result.map(|result| result.score).or(tree).or(found)
    }

    /// The smallest of the points that are equal under the board's symmetries.
    pub fn normal(&self, point: Point) -> Point {
        let size = self.key.size();
        let images = self.symmetries.iter().map(|symmetry| symmetry.point(size, point));
        images.min().unwrap_or(point)
    }
}

/// The stones of all images of a board.
fn images(board: &Board) -> Vec<Board> {
    let symmetries = Symmetry::of_size(board.size());
    symmetries.iter().map(|&symmetry| board.turned(symmetry)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_store::Store;

    fn board(moves: &[(u8, u8)]) -> Board {
        let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for &(x, y) in moves {
            board.place(Point::new(x, y), board.side_to_move()).unwrap();
        }
        board
    }

    fn store(boards: &[Board]) -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(folder.path().join("x.tdb")).unwrap();
        for board in boards {
            store.put(board, &Record::default()).unwrap();
        }
        (folder, store)
    }

    fn read(store: &Store, root: Option<&Board>) -> Graph {
        let size = BoardSize::square(15).unwrap();
        Graph::read(&store.reader(), Rule::Freestyle, size, root).unwrap()
    }

    #[test]
    fn moves_link_positions_and_transpositions_meet() {
        let boards = [
            board(&[(7, 7)]),
            board(&[(7, 7), (8, 8)]),
            board(&[(7, 7), (9, 9)]),
            board(&[(7, 7), (8, 8), (3, 4)]),
            board(&[(7, 7), (9, 9), (3, 4)]),
            board(&[(7, 7), (8, 8), (3, 4), (9, 9)]),
            // Not connected.
            board(&[(0, 0), (1, 5), (3, 3)]),
        ];
        let (_folder, store) = store(&boards);
        let graph = read(&store, Some(&boards[0]));
        assert_eq!(graph.nodes().len(), 6);
        let find = |board: &Board| graph.find(&Key::of(board)).unwrap();
        assert_eq!(graph.node(find(&boards[0])).edges.len(), 2);
        assert_eq!(graph.node(find(&boards[5])).parents.len(), 2);
        for node in graph.nodes() {
            for edge in &node.edges {
                let mut board = node.key.board();
                board.place(edge.point, board.side_to_move()).unwrap();
                assert_eq!(Key::of(&board), graph.node(edge.child).key);
            }
        }
        let all = read(&store, None);
        assert_eq!(all.nodes().len(), 7);
        assert_eq!(all.roots().count(), 2);
        let stones: Vec<usize> =
            all.from_the_end().map(|index| all.node(index).key.stones()).collect();
        assert_eq!(stones, [4, 3, 3, 3, 2, 2, 1]);
        assert!(read(&store, Some(&board(&[(5, 5)]))).is_empty());
    }

    #[test]
    fn new_children_are_linked_both_ways() {
        let boards = [
            board(&[(7, 7)]),
            board(&[(7, 7), (8, 8)]),
            board(&[(7, 7), (8, 8), (3, 4), (9, 9)]),
            board(&[(7, 7), (9, 9)]),
        ];
        let (_folder, store) = store(&boards);
        let mut graph = read(&store, None);
        let parent = graph.find(&Key::of(&boards[1])).unwrap();
        let symmetry = Canonical::of(&boards[1]).symmetry;
        let point = symmetry.point(boards[1].size(), Point::new(3, 4));
        let child = graph.add_child(parent, point);
        assert_eq!(graph.add_child(parent, point), child);
        let node = graph.node(child);
        assert_eq!(node.parents, [parent]);
        let last = graph.find(&Key::of(&boards[2])).unwrap();
        assert_eq!(node.edges.iter().map(|edge| edge.child).collect::<Vec<_>>(), [last]);
    }

    #[test]
    fn symmetric_moves_are_listed_once() {
        let (_folder, store) = store(&[board(&[(7, 7)])]);
        let graph = read(&store, None);
        let node = &graph.nodes()[0];
        assert_eq!(node.normal(Point::new(8, 8)), node.normal(Point::new(6, 8)));
        assert_ne!(node.normal(Point::new(8, 8)), node.normal(Point::new(7, 8)));
    }
}
