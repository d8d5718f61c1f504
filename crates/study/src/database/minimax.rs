//! Computes minimax values and proofs from the last positions back to the first.
//!
//! A position is proved
//!
//! - won if a legal move leads to a proved loss of the opponent,
//! - lost if every legal move leads to a proved win of the opponent, where Black's forbidden moves
//!   in renju are not legal and there is at least one legal move,
//! - drawn if every legal move leads to a proved result, one of them to a draw and none to a loss
//!   of the opponent.
//!
//! Claims and scores never prove a position. They determine the tree value: the maximum of the
//! values after the moves in the store and of the scores that the position's own search gave to
//! other moves.

use std::collections::BTreeSet;

use super::graph::{Edge, Graph, Node, NodeIndex, NodeResult};
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{MAX_PLY, Point, Score};
use tengen_store::{Evidence, GameValue, Key, TreeValue};

/// Maximum number of plies that a score of a forced result can hold.
const MAX_FORCED: usize = 2 * MAX_PLY;

/// A move of a position with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The cell.
    pub point: Point,
    /// The value for the side that plays it; `None` if nothing is known.
    pub score: Option<Score>,
    /// Plies to the evaluation that the score comes from.
    pub plies: u16,
    /// The position after it, if it is in the graph.
    pub child: Option<NodeIndex>,
}

impl Graph {
    /// Recomputes all tree values and proofs. Returns the changed nodes.
    pub fn update_all(&mut self) -> BTreeSet<NodeIndex> {
        let order: Vec<NodeIndex> = self.from_the_end().collect();
        order.into_iter().filter(|&index| self.update(index)).collect()
    }

    /// Recomputes the tree values and proofs of these nodes and of all nodes after them. Returns the
    /// changed nodes.
    pub(super) fn update_below(&mut self, roots: &[NodeIndex]) -> BTreeSet<NodeIndex> {
        let mut is_below = vec![false; self.nodes().len()];
        for &root in roots {
            is_below[root as usize] = true;
        }
        let mut order: Vec<NodeIndex> = self.from_the_end().collect();
        for &index in order.iter().rev() {
            if is_below[index as usize] {
                self.edges(index).for_each(|edge| is_below[edge.child as usize] = true);
            }
        }
        order.retain(|&index| is_below[index as usize]);
        order.into_iter().filter(|&index| self.update(index)).collect()
    }

    /// Recomputes the values of these nodes and of all nodes before them. Returns the changed
    /// nodes.
    pub fn update_from(
        &mut self,
        nodes: impl IntoIterator<Item = NodeIndex>,
    ) -> BTreeSet<NodeIndex> {
        // Positions with more stones come first, so that each node is computed once.
        let stones = |graph: &Graph, index| (graph.node(index).key.stones(), index);
        let mut open: BTreeSet<(usize, NodeIndex)> = BTreeSet::new();
        for index in nodes {
            open.insert(stones(self, index));
            open.extend(self.parents(index).map(|parent| stones(self, parent)));
        }
        let mut changed = BTreeSet::new();
        while let Some((_, index)) = open.pop_last() {
            if self.update(index) {
                changed.insert(index);
                open.extend(self.parents(index).map(|parent| stones(self, parent)));
            }
        }
        changed
    }

    /// Recomputes the values of node 0 only. Returns whether they changed.
    pub(super) fn update_first(&mut self) -> bool {
        self.update(0)
    }

    /// The moves of a node that are in the graph or have a score, best first. Of several moves to one
    /// node, only the first cell is listed.
    pub fn candidates(&self, index: NodeIndex) -> Vec<Candidate> {
        let node = self.node(index);
        let scored = node.evaluation.iter().flat_map(|found| &found.moves);
        let score_of = |point| {
            let moves = node.evaluation.iter().flat_map(|found| &found.moves);
            moves.filter(|&&(scored, _)| scored == point).find_map(|&(_, score)| score)
        };
        let mut edges: Vec<Edge> = self.edges(index).collect();
        edges.sort_unstable_by_key(|edge| (edge.child, edge.point));
        let mut candidates: Vec<Candidate> = edges
            .chunk_by(|one, other| one.child == other.child)
            .map(|same| {
                let Edge { point, child } = same[0];
                let after = self.node(child);
                let plies = match after.result {
                    None => after.tree.map_or(0, |tree| tree.plies),
                    Some(_) => 0,
                };
                let value = after.value().map(before_move);
                Candidate {
                    point,
                    score: value.or_else(|| same.iter().find_map(|edge| score_of(edge.point))),
                    plies: if value.is_some() { plies + 1 } else { 0 },
                    child: Some(child),
                }
            })
            .collect();
        for &(point, score) in scored {
            if edges.iter().all(|edge| edge.point != point) {
                candidates.push(Candidate { point, score, plies: 0, child: None });
            }
        }
        // Equal moves are sorted by cell, so that the choice is deterministic.
        candidates.sort_by_key(|it| (std::cmp::Reverse(it.score), it.point));
        candidates
    }

    fn update(&mut self, index: NodeIndex) -> bool {
        let (tree, proof) = (self.tree_value(index), self.proof(index));
        let node = self.node_mut(index);
        let mut is_changed = node.tree != tree;
        node.tree = tree;
        if let Some(proof) = proof.filter(|proof| improves(node, proof)) {
            let is_new = !node.is_proved();
            is_changed |= node.result != Some(proof);
            node.result = Some(proof);
            self.proofs += u64::from(is_new);
        }
        is_changed
    }

    fn tree_value(&self, index: NodeIndex) -> Option<TreeValue> {
        let has_value = |candidate: &Candidate| candidate.child.is_some() && candidate.plies > 0;
        let candidates = self.candidates(index);
        if !candidates.iter().any(has_value) {
            return None;
        }
        let best = candidates.first()?;
        Some(TreeValue { plies: best.plies, score: best.score?, best: Some(best.point) })
    }

    /// The proof of a node by the positions after it.
    fn proof(&self, index: NodeIndex) -> Option<NodeResult> {
        let proofs = || {
            self.edges(index).filter_map(|edge| {
                let result = self.node(edge.child).result?;
                (result.evidence == Evidence::Proved).then_some((edge.point, result))
            })
        };
        let plies = |result: NodeResult| result.distance.map(|plies| plies.saturating_add(1));
        let wins = proofs().filter(|(_, result)| result.value == GameValue::Loss);
        // A win of unknown length counts as the longest.
        let win = wins.min_by_key(|&(point, result)| (plies(result).unwrap_or(u16::MAX), point));
        if let Some((point, result)) = win {
            return Some(proved(GameValue::Win, plies(result), Some(point)));
        }
        let mut has_draw = None;
        let mut longest = Some((0, None));
        let legal = self.legal_results(index)?;
        for (point, result) in legal {
            match result.value {
                GameValue::Loss => return None,
                GameValue::Draw => has_draw = Some(point),
                GameValue::Win => {
                    let plies = plies(result);
                    longest = longest.zip(plies).map(|((most, best), plies)| {
                        if plies > most { (plies, Some(point)) } else { (most, best) }
                    });
                }
            }
        }
        match has_draw {
            Some(point) => Some(proved(GameValue::Draw, None, Some(point))),
            None => {
                let best = longest.and_then(|(_, best)| best);
                Some(proved(GameValue::Loss, longest.map(|(plies, _)| plies), best))
            }
        }
    }

    /// The proved results after every legal move; `None` if one is not proved or there are no legal
    /// moves.
    fn legal_results(&self, index: NodeIndex) -> Option<Vec<(Point, NodeResult)>> {
        let node = self.node(index);
        // Only one of up to eight symmetric moves is an edge.
        let proved = self.edges(index).filter(|edge| self.node(edge.child).is_proved()).count();
        let board = node.key.board();
        let empty = board.empty_count();
        let fouls = if board.rule().has_fouls(board.side_to_move()) { empty } else { 0 };
        if proved == 0 || 8 * proved + fouls < empty {
            return None;
        }
        let side = board.side_to_move();
        let position = Position::from_board(&board);
        let mut next = board.clone();
        let mut results = Vec::new();
        for point in board.empty_points() {
            if is_foul(&position, point, side) {
                continue;
            }
            next.place_unchecked(point, side);
            let after = self.find(&Key::of(&next));
            next.undo();
            let result = self.node(after?).result?;
            if result.evidence != Evidence::Proved {
                return None;
            }
            results.push((point, result));
        }
        (!results.is_empty()).then_some(results)
    }
}

/// Whether a proof adds to the result of a node.
fn improves(node: &Node, proof: &NodeResult) -> bool {
    match node.result {
        None => true,
        Some(known) if known.evidence == Evidence::Claimed => true,
        Some(known) => {
            let plies = |result: &NodeResult| result.distance.unwrap_or(u16::MAX);
            known.value == proof.value && plies(proof) < plies(&known)
        }
    }
}

fn proved(value: GameValue, distance: Option<u16>, best: Option<Point>) -> NodeResult {
    let plies = usize::from(distance.unwrap_or(0)).min(MAX_FORCED);
    let score = match value {
        GameValue::Loss => Score::loss_in(plies),
        GameValue::Draw => Score::DRAW,
        GameValue::Win => Score::win_in(plies),
    };
    NodeResult { value, evidence: Evidence::Proved, distance, best, score }
}

/// The value of a move, from the value of the position after it.
pub fn before_move(after: Score) -> Score {
    let plies = after.forced_plies().map(|plies| (plies + 1).min(MAX_FORCED));
    match plies {
        Some(plies) if after.is_loss() => Score::win_in(plies),
        Some(plies) => Score::loss_in(plies),
        None => Score::raw(-after.value()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::{DOUBLE_FOUR, TURNED_MOVES, store_of, with_result};
    use tengen_rules::board::Board;
    use tengen_rules::types::{BoardSize, Color, Rule};
    use tengen_store::{Bound, Canonical, Evaluation, Provenance, Record, ScoredMove};

    fn empty(side: i64, rule: Rule) -> Board {
        Board::new(BoardSize::square(side).unwrap(), rule)
    }

    fn after(board: &Board, points: &[(u8, u8)]) -> Board {
        let mut board = board.clone();
        for &(x, y) in points {
            board.place(Point::new(x, y), board.side_to_move()).unwrap();
        }
        board
    }

    fn scored(score: i32, moves: &[((u8, u8), i32)]) -> Record {
        let moves = moves.iter().map(|&((x, y), score)| ScoredMove {
            point: Point::new(x, y),
            score: Some(Score::raw(score)),
        });
        let evaluation = Evaluation {
            score: Score::raw(score),
            depth: 5,
            bound: Bound::Exact,
            nodes: 10,
            moves: moves.collect(),
            provenance: Provenance::default(),
        };
        Record { evaluation: Some(evaluation), ..Record::default() }
    }

    /// A graph of these records with its values.
    fn graph(records: &[(Board, Record)]) -> Graph {
        let (_folder, store) = store_of(records.iter().cloned());
        let board = &records[0].0;
        let mut graph = Graph::read(&store.reader(), board.rule(), board.size(), None).unwrap();
        graph.update_all();
        graph
    }

    fn node<'a>(graph: &'a Graph, board: &Board) -> &'a Node {
        graph.node(graph.find(&Key::of(board)).unwrap())
    }

    #[test]
    fn scores_propagate_with_own_scores_of_other_moves() {
        let root = empty(15, Rule::Freestyle);
        let (a, b) = (after(&root, &[(7, 7)]), after(&root, &[(0, 1)]));
        // The search preferred the middle, but the position after it has a worse value.
        let own = |middle, edge| scored(middle, &[((7, 7), middle), ((0, 1), edge)]);
        let values = graph(&[(root.clone(), own(100, 40)), (a.clone(), scored(-60, &[]))]);
        let tree = node(&values, &root).tree.unwrap();
        assert_eq!((tree.score.value(), tree.plies), (60, 1));
        let values = graph(&[(root.clone(), own(100, 40)), (a.clone(), scored(30, &[]))]);
        let tree = node(&values, &root).tree.unwrap();
        // The score of the other move is now better, although the position after it is not in the
        // graph.
        assert_eq!((tree.score.value(), tree.plies), (40, 0));
        let records =
            [(root.clone(), own(100, 40)), (a.clone(), scored(30, &[])), (b, scored(9, &[]))];
        let tree = node(&graph(&records), &root).tree.unwrap();
        assert_eq!((tree.score.value(), tree.plies), (-9, 1));
        // Without values after the moves there is no tree value.
        let values = graph(&[(root.clone(), own(100, 40)), (a, Record::default())]);
        assert_eq!(node(&values, &root).tree, None);
    }

    #[test]
    fn forced_results_count_plies() {
        assert_eq!(before_move(Score::loss_in(4)), Score::win_in(5));
        assert_eq!(before_move(Score::win_in(5)), Score::loss_in(6));
        assert_eq!(before_move(Score::raw(7)), Score::raw(-7));
        assert!(before_move(Score::win_in(MAX_FORCED)).is_loss());
    }

    #[test]
    fn a_proved_loss_after_a_move_proves_a_win() {
        let root = after(&empty(15, Rule::Freestyle), &[(7, 7)]);
        let (long, short) = (after(&root, &[(7, 8)]), after(&root, &[(3, 4)]));
        let before = |evidence| {
            graph(&[
                (root.clone(), scored(0, &[])),
                (long.clone(), with_result(GameValue::Loss, Evidence::Proved, Some(20))),
                (short.clone(), with_result(GameValue::Loss, evidence, Some(8))),
            ])
        };
        let result = node(&before(Evidence::Proved), &root).result.unwrap();
        assert_eq!((result.value, result.distance), (GameValue::Win, Some(9)));
        // A shorter claim is not a proof, but it determines the tree value.
        let values = before(Evidence::Claimed);
        let result = node(&values, &root).result.unwrap();
        assert_eq!((result.evidence, result.distance), (Evidence::Proved, Some(21)));
        assert_eq!(node(&values, &root).tree.unwrap().score, Score::win_in(9));
    }

    #[test]
    fn claims_are_not_proofs() {
        let root = after(&empty(15, Rule::Freestyle), &[(7, 7)]);
        let child = after(&root, &[(7, 8)]);
        let claim = with_result(GameValue::Loss, Evidence::Claimed, Some(8));
        let values = graph(&[(root.clone(), Record::default()), (child, claim)]);
        assert_eq!(node(&values, &root).result, None);
        assert_eq!(node(&values, &root).tree.unwrap().score, Score::win_in(9));
    }

    /// A 5x5 board with walls except on some cells, and the result after a move on each of these.
    fn small(rule: Rule, free: &[(u8, u8)], side: Color) -> Board {
        let mut board = empty(5, rule);
        for point in board.size().points() {
            if !free.contains(&(point.x(), point.y())) {
                board.wall(point).unwrap();
            }
        }
        board.set_side(side);
        board
    }

    #[test]
    fn all_legal_moves_prove_a_loss_or_a_draw() {
        let free = [(0, 0), (2, 1), (4, 3)];
        let root = small(Rule::Freestyle, &free, Color::Black);
        let children = free.map(|point| after(&root, &[point]));
        let with = |values: &[(GameValue, Evidence)]| {
            let mut records = vec![(root.clone(), Record::default())];
            for (index, &(value, evidence)) in values.iter().enumerate() {
                let distance = 4 + 2 * index as u16;
                records
                    .push((children[index].clone(), with_result(value, evidence, Some(distance))));
            }
            node(&graph(&records), &root).result
        };
        let win = (GameValue::Win, Evidence::Proved);
        let result = with(&[win, win, win]).unwrap();
        assert_eq!((result.value, result.distance), (GameValue::Loss, Some(9)));
        assert_eq!(with(&[win, win]), None, "a legal move is missing");
        assert_eq!(with(&[win, win, (GameValue::Win, Evidence::Claimed)]), None);
        let result = with(&[win, (GameValue::Draw, Evidence::Proved), win]).unwrap();
        assert_eq!((result.value, result.evidence), (GameValue::Draw, Evidence::Proved));
    }

    #[test]
    fn symmetric_moves_count_as_proved() {
        // Two free cells that a reflection exchanges: both moves lead to one position.
        let free = [(1, 2), (3, 2)];
        let root = small(Rule::Freestyle, &free, Color::Black);
        let child = after(&root, &[free[0]]);
        let win = with_result(GameValue::Win, Evidence::Proved, Some(4));
        let values = graph(&[(root.clone(), Record::default()), (child, win)]);
        assert_eq!(values.nodes().len(), 2);
        let result = node(&values, &root).result.unwrap();
        assert_eq!((result.value, result.distance), (GameValue::Loss, Some(5)));
    }

    #[test]
    fn forbidden_moves_are_not_legal() {
        // Black's double three at h8 is forbidden; all other cells except one are walls.
        let stones = [(7, 6), (0, 0), (7, 5), (2, 0), (5, 7), (4, 0), (6, 7), (6, 0)];
        let mut root = after(&empty(15, Rule::Renju), &stones);
        let open =
            [(7, 7), (7, 4), (7, 8), (7, 3), (7, 9), (4, 7), (8, 7), (3, 7), (9, 7), (14, 14)];
        for point in root.size().points() {
            if root.is_empty(point) && !open.contains(&(point.x(), point.y())) {
                root.wall(point).unwrap();
            }
        }
        let position = Position::from_board(&root);
        assert!(is_foul(&position, Point::new(7, 7), Color::Black));
        let records = |skipped: (u8, u8)| {
            let mut records = vec![(root.clone(), Record::default())];
            for &point in open.iter().filter(|&&point| point != skipped) {
                records.push((
                    after(&root, &[point]),
                    with_result(GameValue::Win, Evidence::Proved, Some(2)),
                ));
            }
            records
        };
        // White's wins after the legal moves prove the loss.
        let result = node(&graph(&records((7, 7))), &root).result.unwrap();
        assert_eq!((result.value, result.evidence), (GameValue::Loss, Evidence::Proved));
        assert_eq!(node(&graph(&records((14, 14))), &root).result, None);
    }

    #[test]
    fn forbidden_moves_do_not_win() {
        let empty = empty(15, Rule::Renju);
        let before = after(&empty, &DOUBLE_FOUR[..12]);
        let child = after(&empty, &DOUBLE_FOUR);
        let mut legal = DOUBLE_FOUR;
        legal.swap(0, 12);
        let legal = after(&empty, &legal[..12]);
        let own = scored(5, &[((7, 7), 900), ((0, 0), 5)]);
        let loss = with_result(GameValue::Loss, Evidence::Proved, Some(2));
        let values =
            graph(&[(before.clone(), own), (legal.clone(), Record::default()), (child, loss)]);
        assert_eq!((node(&values, &before).result, node(&values, &before).tree), (None, None));
        let candidates = values.candidates(values.find(&Key::of(&before)).unwrap());
        let scores: Vec<_> = candidates.iter().map(|it| it.score.map(Score::value)).collect();
        assert_eq!(scores, [Some(5)]);
        let result = node(&values, &legal).result.unwrap();
        assert_eq!((result.value, result.distance), (GameValue::Win, Some(3)));
    }

    #[test]
    fn moves_to_images_of_one_position_are_one_candidate() {
        let root = after(&empty(15, Rule::Freestyle), &[(6, 4), (7, 7)]);
        // The search listed both moves with a better score than the position after them has.
        let own = || scored(50, &TURNED_MOVES.map(|point| (point, 50)));
        for point in TURNED_MOVES {
            let child = after(&root, &[point]);
            let values = graph(&[(root.clone(), own()), (child.clone(), scored(30, &[]))]);
            assert_eq!(node(&values, &root).tree.unwrap().score, Score::raw(-30));
            // Without a value of its own the position has that of the search.
            let values = graph(&[(root.clone(), own()), (child, Record::default())]);
            let candidates = values.candidates(values.find(&Key::of(&root)).unwrap());
            let found: Vec<_> =
                candidates.iter().map(|it| (it.score, it.child.is_some())).collect();
            assert_eq!(found, [(Some(Score::raw(50)), true)]);
        }
    }

    #[test]
    fn updates_of_some_nodes_agree_with_an_update_of_all() {
        let root = empty(15, Rule::Freestyle);
        let lines: [&[(u8, u8)]; 5] = [
            &[(7, 7)],
            &[(7, 7), (8, 8)],
            &[(7, 7), (8, 8), (3, 4)],
            &[(7, 7), (9, 9)],
            &[(7, 7), (8, 8), (3, 4), (9, 9)],
        ];
        let mut records = vec![(root.clone(), scored(10, &[]))];
        records.extend(lines.iter().map(|line| (after(&root, line), scored(5, &[]))));
        let mut values = graph(&records);
        let last = after(&root, lines[4]);
        let index = values.find(&Key::of(&last)).unwrap();
        let record = with_result(GameValue::Loss, Evidence::Proved, Some(6));
        let turned = record.turned(last.size(), Canonical::of(&last).symmetry);
        values.node_mut(index).set_record(&turned);
        let changed = values.update_from([index]);
        assert!(!changed.is_empty());
        let seen: Vec<_> = values.nodes().iter().map(|node| (node.tree, node.result)).collect();
        assert!(values.update_all().is_empty());
        let again: Vec<_> = values.nodes().iter().map(|node| (node.tree, node.result)).collect();
        assert_eq!(seen, again);
        let third = node(&values, &after(&root, lines[2])).result.unwrap();
        assert_eq!((third.value, third.distance), (GameValue::Win, Some(7)));
    }
}
