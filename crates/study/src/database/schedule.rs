//! Chooses the positions to analyse, the most useful first.
//!
//! The cost of a position is a sum over the moves that lead to it: the points that the move loses
//! compared with the best one, and a constant per ply, reduced for moves that were played in many
//! games. If several orders of moves lead to the position, the cheapest applies. Positions with a
//! low cost come first: main lines before side lines, short lines before long ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::analyst::Effort;
use super::graph::{Graph, Node, NodeIndex};
use tengen_rules::types::{Color, Point};

/// Cost of a ply in points.
const PLY_COST: u32 = 60;
/// Maximum reduction by games, in points.
const MAX_BONUS: u32 = 50;
/// Reduction in points per doubling of the number of games.
const GAMES_BONUS: u32 = 10;

/// How a tree grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The side whose repertoire is built: only its best move is followed. `None` follows `breadth`
    /// moves of both sides.
    pub repertoire: Option<Color>,
    /// Number of best moves to follow from a position.
    pub breadth: usize,
    /// Maximum difference to the best move in points.
    pub window: u32,
    /// Maximum number of plies from the start.
    pub plies: usize,
}

/// A task of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Analyse a position.
    Analyse(NodeIndex),
    /// Add the position after a move.
    Add(NodeIndex, Point),
}

impl Graph {
    /// All tasks below `roots`, the cheapest first. With `growth`, missing moves are added to the
    /// graph; otherwise only its positions are analysed.
    pub fn tasks(
        &self,
        roots: &[NodeIndex],
        effort: &Effort,
        growth: Option<&Growth>,
    ) -> Vec<Task> {
        let mut tasks: Vec<(u32, Task)> = Vec::new();
        let mut costs = vec![u32::MAX; self.nodes().len()];
        let mut open = BinaryHeap::new();
        for &root in roots {
            costs[root as usize] = 0;
            open.push((Reverse(0), Reverse(root)));
        }
        let first = roots.iter().map(|&root| self.node(root).key.stones()).min().unwrap_or(0);
        while let Some((Reverse(cost), Reverse(index))) = open.pop() {
            let node = self.node(index);
            if cost > costs[index as usize] || node.is_proved() {
                continue;
            }
            if node.needs_analysis(effort) {
                tasks.push((cost, Task::Analyse(index)));
            }
            let plies = node.key.stones() - first;
            for (point, child, step) in self.steps(index, growth, plies) {
                let cost = cost.saturating_add(step);
                match child {
                    Some(child) if cost < costs[child as usize] => {
                        costs[child as usize] = cost;
                        open.push((Reverse(cost), Reverse(child)));
                    }
                    Some(_) => {}
                    None => tasks.push((cost, Task::Add(index, point))),
                }
            }
        }
        // Sort by key: the numbers of nodes depend on the order in which they were added.
        tasks.sort_by(|(one_cost, one), (other_cost, other)| {
            let key = |task: &Task| match *task {
                Task::Analyse(node) => (&self.node(node).key, None),
                Task::Add(node, point) => (&self.node(node).key, Some(point)),
            };
            one_cost.cmp(other_cost).then_with(|| key(one).cmp(&key(other)))
        });
        tasks.into_iter().map(|(_, task)| task).collect()
    }

    /// The moves to follow from a node, each with the node after it and its cost.
    fn steps(
        &self,
        index: NodeIndex,
        growth: Option<&Growth>,
        plies: usize,
    ) -> Vec<(Point, Option<NodeIndex>, u32)> {
        let candidates = self.candidates(index);
        let best = candidates.first().and_then(|candidate| candidate.score);
        let side = self.node(index).key.side_to_move();
        let mut steps = Vec::new();
        for (rank, candidate) in candidates.iter().enumerate() {
            // A move without a value may be the best one.
            let gap = best.zip(candidate.score).map_or(0, |(best, score)| {
                best.value().saturating_sub(score.value()).unsigned_abs()
            });
            if let Some(growth) = growth {
                let is_own = growth.repertoire == Some(side);
                let breadth = if is_own { 1 } else { growth.breadth };
                let is_narrow = candidate.score.is_some() && rank >= breadth;
                if is_narrow || gap > growth.window || plies >= growth.plies {
                    continue;
                }
            } else if candidate.child.is_none() {
                continue;
            }
            let games = candidate.child.map_or(0, |child| self.node(child).games);
            let bonus = GAMES_BONUS * (games + 1).ilog2();
            let step = gap + PLY_COST - bonus.min(MAX_BONUS);
            steps.push((candidate.point, candidate.child, step));
        }
        steps
    }
}

impl Node {
    /// Whether the position lacks a search with this effort. Evaluations of imported files, whose
    /// number of nodes is unknown, do not count.
    pub fn needs_analysis(&self, effort: &Effort) -> bool {
        if self.is_proved() {
            return false;
        }
        let Some(found) = &self.evaluation else { return true };
        // A search may end slightly before its limit, or much earlier if the result is clear.
        let wanted = effort.nodes.unwrap_or(0);
        let is_short = !found.score.is_forced() && found.nodes < wanted - wanted / 10;
        let is_complete = || usize::from(found.depth) >= self.key.board().empty_count();
        (found.nodes == 0 || is_short) && !is_complete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::{TURNED_MOVES, board, store_of};
    use std::sync::Arc;
    use tengen_rules::board::Board;
    use tengen_rules::types::{BoardSize, Rule, Score};
    use tengen_store::{
        Bound, Evaluation, Games, GamesRule, Key, Origin, Provenance, Record, ScoredMove,
    };

    use crate::database::OWN_SOURCE;

    const EFFORT: Effort = Effort { nodes: Some(100), time: None, lines: 2, solver_nodes: 0 };

    fn searched(score: i32, nodes: u64, moves: &[((u8, u8), i32)]) -> Record {
        let origin = Arc::new(Origin { source: OWN_SOURCE.to_string(), version: String::new() });
        let moves = moves.iter().map(|&((x, y), score)| ScoredMove {
            point: Point::new(x, y),
            score: Some(Score::raw(score)),
        });
        let evaluation = Evaluation {
            score: Score::raw(score),
            depth: 4,
            bound: Bound::Exact,
            nodes,
            moves: moves.collect(),
            provenance: Provenance { origin: Some(origin), time: 0 },
        };
        Record { evaluation: Some(evaluation), ..Record::default() }
    }

    fn graph(records: &[(Board, Record)]) -> (Graph, Vec<NodeIndex>) {
        let (_folder, store) = store_of(records.iter().cloned());
        let size = BoardSize::square(15).unwrap();
        let mut graph = Graph::read(&store.reader(), Rule::Freestyle, size, None).unwrap();
        graph.update_all();
        let roots = graph.roots().collect();
        (graph, roots)
    }

    /// The numbers of stones of the positions to analyse, in order.
    fn order(graph: &Graph, tasks: &[Task]) -> Vec<Key> {
        let analysed = tasks.iter().filter_map(|task| match task {
            Task::Analyse(node) => Some(graph.node(*node).key.clone()),
            Task::Add(..) => None,
        });
        analysed.collect()
    }

    // The first stone is on no axis of symmetry, so that no two moves are equal.
    const FIRST: (u8, u8) = (6, 4);

    #[test]
    fn main_lines_come_before_side_lines_and_deep_ones() {
        let start = board(&[FIRST]);
        let (best, other) = ((6, 6), (2, 3));
        let lines = [
            (start.clone(), searched(50, 100, &[(best, 50), (other, -60)])),
            (board(&[FIRST, best]), Record::default()),
            (board(&[FIRST, other]), Record::default()),
            (board(&[FIRST, best, (9, 9)]), Record::default()),
        ];
        let (graph, roots) = graph(&lines);
        let tasks = graph.tasks(&roots, &EFFORT, None);
        let expected = [1, 3, 2].map(|index: usize| Key::of(&lines[index].0));
        assert_eq!(order(&graph, &tasks), expected);
    }

    #[test]
    fn moves_of_many_games_come_first() {
        let games = |count| Record {
            games: Games { black_wins: count, ..Games::default() },
            ..Record::default()
        };
        let lines = [
            (board(&[FIRST]), searched(0, 100, &[])),
            (board(&[FIRST, (6, 6)]), games(1)),
            (board(&[FIRST, (2, 3)]), games(40)),
        ];
        let (graph, roots) = graph(&lines);
        let tasks = graph.tasks(&roots, &EFFORT, None);
        let expected = [2, 1].map(|index: usize| Key::of(&lines[index].0));
        assert_eq!(order(&graph, &tasks), expected);
    }

    #[test]
    fn analysed_positions_need_no_analysis_with_the_same_effort() {
        let (graph, roots) = graph(&[(board(&[FIRST]), searched(0, 95, &[]))]);
        assert_eq!(graph.tasks(&roots, &EFFORT, None), []);
        let more = Effort { nodes: Some(1_000), ..EFFORT };
        assert_eq!(graph.tasks(&roots, &more, None).len(), 1);
        let timed = Effort { nodes: None, ..EFFORT };
        assert_eq!(graph.tasks(&roots, &timed, None), []);
    }

    #[test]
    fn imported_evaluations_need_an_analysis_until_it_is_merged() {
        let mut imported = searched(70, 0, &[]);
        let evaluation = imported.evaluation.as_mut().unwrap();
        (evaluation.depth, evaluation.provenance) = (40, Provenance::default());
        let needed = |record: &Record| {
            let (graph, roots) = graph(&[(board(&[FIRST]), record.clone())]);
            graph.tasks(&roots, &EFFORT, None).len()
        };
        assert_eq!(needed(&imported), 1);
        // Although its depth is smaller.
        imported.merge(searched(0, 95, &[]), GamesRule::Largest);
        assert_eq!(needed(&imported), 0);
    }

    #[test]
    fn known_positions_are_not_added_again() {
        let moves = TURNED_MOVES.map(|point| (point, 50));
        let root = board(&[FIRST, (7, 7)]);
        let child = board(&[FIRST, (7, 7), TURNED_MOVES[0]]);
        let (graph, roots) =
            graph(&[(root, searched(50, 100, &moves)), (child, searched(-50, 100, &[]))]);
        let growth = Growth { repertoire: None, breadth: 3, window: 100, plies: 4 };
        assert_eq!(graph.tasks(&roots, &EFFORT, Some(&growth)), []);
    }

    #[test]
    fn growth_adds_moves_within_breadth_window_and_depth() {
        let moves = [((6, 6), 50), ((2, 3), 20), ((11, 4), -400)];
        let (graph, roots) = graph(&[(board(&[FIRST]), searched(50, 100, &moves))]);
        let growth = Growth { repertoire: None, breadth: 3, window: 100, plies: 4 };
        let added = |growth: Growth| graph.tasks(&roots, &EFFORT, Some(&growth)).len();
        assert_eq!(added(growth), 2);
        assert_eq!(added(Growth { window: 1_000, ..growth }), 3);
        assert_eq!(added(Growth { breadth: 1, ..growth }), 1);
        assert_eq!(added(Growth { plies: 0, ..growth }), 0);
        // White is to move: its repertoire has one move; Black's repertoire considers several moves
        // of White.
        assert_eq!(added(Growth { repertoire: Some(Color::White), ..growth }), 1);
        assert_eq!(added(Growth { repertoire: Some(Color::Black), ..growth }), 2);
    }
}
