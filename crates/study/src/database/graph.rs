//! The positions of a database as a graph in memory, from moves to the positions after them.

use std::collections::BTreeSet;

use super::key_index::KeyIndex;
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{BoardSize, Point, Rule, Score, Symmetry};
use tengen_store::{Canonical, Error, Evidence, Filter, GameValue, Key, Reader, Record, TreeValue};

/// Positions of one rule and board. Points of a node are those of its canonical board.
#[derive(Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    index: KeyIndex,
    /// All moves. Lists in one array take a fourth of the memory of two lists per node.
    links: Vec<Link>,
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
    /// The last move from this node that was added, or `NO_LINK`.
    last_move: LinkIndex,
    /// The last move to this node that was added, or `NO_LINK`.
    last_parent: LinkIndex,
    /// The symmetries of the board, as bits in the order of [`Symmetry::ALL`].
    symmetries: u8,
}

type LinkIndex = u32;

/// The end of a list of links.
const NO_LINK: LinkIndex = LinkIndex::MAX;

/// A move between two nodes, in the list of the moves from one and in that of the moves to the other.
#[derive(Clone, Copy, Debug)]
struct Link {
    parent: NodeIndex,
    child: NodeIndex,
    /// The previous move from the parent.
    previous_move: LinkIndex,
    /// The previous move to the child.
    previous_parent: LinkIndex,
    point: Point,
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
    /// The legal moves with their scores, best first. Only one of several symmetric moves is listed.
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

    /// A position, as node 0, and the positions after its moves; `None` if the store does not have
    /// the position.
    ///
    /// # Errors
    /// When the store cannot be read or a record is damaged.
    pub(super) fn of_moves(reader: &Reader<'_>, key: &Key) -> Result<Option<Graph>, Error> {
        let Some(record) = reader.get_key(key)? else { return Ok(None) };
        let mut graph = Graph::default();
        graph.insert(key.clone(), &record);
        let board = key.board();
        let mut next = board.clone();
        for point in board.empty_points() {
            next.place_unchecked(point, board.side_to_move());
            let child = Key::of(&next);
            next.undo();
            if graph.find(&child).is_some() {
                continue;
            }
            if let Some(record) = reader.get_key(&child)? {
                let board = child.board();
                graph.add(child, &board, &record, true);
            }
        }
        Ok(Some(graph))
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
        self.index.find(key, |index| &self.node(index).key)
    }

    /// The legal moves from a node to other nodes. Only one of several symmetric moves is listed, but
    /// moves that are not symmetric can lead to images of one node, which is then repeated.
    pub fn edges(&self, index: NodeIndex) -> impl Iterator<Item = Edge> {
        let last = self.node(index).last_move;
        self.list(last, |link| link.previous_move)
            .map(|link| Edge { point: link.point, child: link.child })
    }

    /// The nodes before a node; a node with several moves to this one is repeated.
    pub fn parents(&self, index: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let last = self.node(index).last_parent;
        self.list(last, |link| link.previous_parent).map(|link| link.parent)
    }

    /// A list of links, from the last one on.
    fn list(
        &self,
        last: LinkIndex,
        previous: impl Fn(&Link) -> LinkIndex,
    ) -> impl Iterator<Item = &Link> {
        let get = move |index: LinkIndex| (index != NO_LINK).then(|| &self.links[index as usize]);
        std::iter::successors(get(last), move |link| get(previous(link)))
    }

    /// The nodes without a move that leads to them.
    pub fn roots(&self) -> impl Iterator<Item = NodeIndex> {
        let nodes = (0..).zip(&self.nodes);
        nodes.filter(|(_, node)| node.last_parent == NO_LINK).map(|(index, _)| index)
    }

    /// Every node, those with more stones first.
    pub fn from_the_end(&self) -> impl Iterator<Item = NodeIndex> {
        self.levels.iter().rev().flatten().copied()
    }

    /// Adds a position after a legal move of `parent` and returns its number. Also links it with
    /// other positions before and after it.
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
        let (mut moves, is_forbidden) = (BTreeSet::new(), forbidden(&canonical));
        for point in canonical.empty_points() {
            next.place_unchecked(point, canonical.side_to_move());
            let after = self.find(&Key::of(&next));
            next.undo();
            if let Some(after) = after.filter(|_| !is_forbidden(point)) {
                moves.insert((after, self.node(child).normal(point)));
            }
        }
        for (after, point) in moves {
            self.link(child, after, point);
        }
        child
    }

    /// Adds a position and links it with those from which a legal move leads to it. With
    /// `needs_parent`, a position without a parent is skipped.
    fn add(
        &mut self,
        key: Key,
        board: &Board,
        record: &Record,
        needs_parent: bool,
    ) -> Option<NodeIndex> {
        // A move that is legal in one order of moves may be forbidden in another one.
        let has_fouls = board.rule().has_fouls(board.side_to_move().opponent());
        let parents: BTreeSet<(NodeIndex, Point)> = Canonical::parents(board)
            .filter_map(|(point, Canonical { key, symmetry })| {
                let parent = self.find(&key)?;
                let point = symmetry.point(board.size(), point);
                let is_legal = !has_fouls || !forbidden(&key.board())(point);
                is_legal.then(|| (parent, self.node(parent).normal(point)))
            })
            .collect();
        if needs_parent && parents.is_empty() {
            return None;
        }
        let child = self.insert(key, record);
        for (parent, point) in parents {
            self.link(parent, child, point);
        }
        Some(child)
    }

    fn link(&mut self, parent: NodeIndex, child: NodeIndex, point: Point) {
        let (previous_move, previous_parent) =
            (self.node(parent).last_move, self.node(child).last_parent);
        let index = LinkIndex::try_from(self.links.len()).expect("fewer than 2^32 moves");
        self.links.push(Link { parent, child, previous_move, previous_parent, point });
        self.node_mut(parent).last_move = index;
        self.node_mut(child).last_parent = index;
    }

    fn insert(&mut self, key: Key, record: &Record) -> NodeIndex {
        let index = NodeIndex::try_from(self.nodes.len()).expect("fewer than 2^32 positions");
        let stones = key.stones();
        if self.levels.len() <= stones {
            self.levels.resize_with(stones + 1, Vec::new);
        }
        self.levels[stones].push(index);
        let kept = key.board().symmetries();
        let all = (0..).zip(Symmetry::ALL).filter(|(_, symmetry)| kept.contains(symmetry));
        let symmetries = all.fold(0, |bits, (bit, _)| bits | 1 << bit);
        let mut node = Node {
            key,
            result: None,
            evaluation: None,
            tree: record.tree,
            games: record.games.total(),
            last_move: NO_LINK,
            last_parent: NO_LINK,
            symmetries,
        };
        node.set_record(record);
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.index.insert(index, |index| &nodes[index as usize].key);
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
            let board = self.key.board();
            let is_forbidden = forbidden(&board);
            let mut moves: Vec<(Point, Option<Score>)> = Vec::new();
            for scored in &found.moves {
                let point = self.normal(scored.point);
                let is_new = moves.iter().all(|&(known, _)| known != point);
                if is_new && board.is_empty(point) && !is_forbidden(point) {
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
        let kept = (0..).zip(Symmetry::ALL).filter(|(bit, _)| self.symmetries >> bit & 1 == 1);
        let images = kept.map(|(_, symmetry)| symmetry.point(size, point));
        images.min().unwrap_or(point)
    }
}

/// Whether the side to move may not play on an empty cell.
fn forbidden(board: &Board) -> impl Fn(Point) -> bool {
    let side = board.side_to_move();
    let position = board.rule().has_fouls(side).then(|| Position::from_board(board));
    move |point| position.as_ref().is_some_and(|position| is_foul(position, point, side))
}

/// The stones of all images of a board.
fn images(board: &Board) -> Vec<Board> {
    let symmetries = Symmetry::of_size(board.size());
    symmetries.iter().map(|&symmetry| board.turned(symmetry)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::{
        DOUBLE_FOUR, TURNED_MOVES, board, board_of, searched, store_of,
    };
    use tengen_store::{ScoredMove, Store};

    fn store(boards: &[Board]) -> (tempfile::TempDir, Store) {
        store_of(boards.iter().map(|board| (board.clone(), Record::default())))
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
        assert_eq!(graph.edges(find(&boards[0])).count(), 2);
        assert_eq!(graph.parents(find(&boards[5])).count(), 2);
        for (index, node) in (0..).zip(graph.nodes()) {
            for edge in graph.edges(index) {
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
        assert_eq!(graph.parents(child).collect::<Vec<_>>(), [parent]);
        let last = graph.find(&Key::of(&boards[2])).unwrap();
        assert_eq!(graph.edges(child).map(|edge| edge.child).collect::<Vec<_>>(), [last]);
    }

    #[test]
    fn moves_to_images_of_one_position_are_all_linked() {
        let [first, second] = TURNED_MOVES;
        let parent = board(&[(6, 4), (7, 7)]);
        let children = [first, second].map(|at| board(&[(6, 4), (7, 7), at]));
        assert_eq!(Key::of(&children[0]), Key::of(&children[1]));
        let (_folder, store) = store(&[parent.clone(), children[0].clone()]);
        let graph = read(&store, None);
        let index = graph.find(&Key::of(&parent)).unwrap();
        let symmetry = Canonical::of(&parent).symmetry;
        let points: BTreeSet<Point> = graph.edges(index).map(|edge| edge.point).collect();
        let turned = [first, second].map(|(x, y)| symmetry.point(parent.size(), Point::new(x, y)));
        assert_eq!(points, turned.into());
        assert_eq!(graph.candidates(index).len(), 1);
    }

    #[test]
    fn forbidden_moves_are_not_linked() {
        let after = board_of(Rule::Renju, &DOUBLE_FOUR);
        let before = board_of(Rule::Renju, &DOUBLE_FOUR[..12]);
        // The stone that makes the double four is not the last one.
        let mut legal = DOUBLE_FOUR;
        legal.swap(0, 12);
        let legal = board_of(Rule::Renju, &legal[..12]);
        let (_folder, store) = store(&[before.clone(), legal.clone(), after.clone()]);
        let parents = |graph: &Graph| -> Vec<Key> {
            let child = graph.find(&Key::of(&after)).unwrap();
            graph.parents(child).map(|parent| graph.node(parent).key.clone()).collect()
        };
        let graph = Graph::read(&store.reader(), Rule::Renju, after.size(), None).unwrap();
        assert_eq!(parents(&graph), [Key::of(&legal)]);
        let below = Graph::read(&store.reader(), Rule::Renju, after.size(), Some(&before)).unwrap();
        assert_eq!(below.nodes().len(), 1);
        let moves = Graph::of_moves(&store.reader(), &Key::of(&before)).unwrap().unwrap();
        assert_eq!(moves.nodes().len(), 1);
        // A new position is not linked with a position after a forbidden move, either.
        let mut graph = Graph::default();
        let root = board_of(Rule::Renju, &DOUBLE_FOUR[..11]);
        let root = graph.insert(Key::of(&root), &Record::default());
        let child = graph.insert(Key::of(&after), &Record::default());
        let turned = Canonical::of(&board_of(Rule::Renju, &DOUBLE_FOUR[..11])).symmetry;
        let (x, y) = DOUBLE_FOUR[11];
        let between = graph.add_child(root, turned.point(after.size(), Point::new(x, y)));
        assert_eq!(graph.node(between).key, Key::of(&before));
        assert_eq!((graph.edges(between).count(), graph.parents(child).count()), (0, 0));
    }

    #[test]
    fn scores_of_illegal_moves_are_left_out() {
        let before = board_of(Rule::Renju, &DOUBLE_FOUR[..12]);
        let mut record = searched(Score::raw(5));
        let moves = &mut record.evaluation.as_mut().unwrap().moves;
        // Forbidden, occupied, legal.
        for (x, y) in [(7, 7), (7, 6), (0, 0)] {
            moves.push(ScoredMove { point: Point::new(x, y), score: None });
        }
        let (_folder, store) = store_of([(before.clone(), record)]);
        let graph = Graph::read(&store.reader(), Rule::Renju, before.size(), None).unwrap();
        assert_eq!(graph.nodes()[0].evaluation.as_ref().unwrap().moves.len(), 1);
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
