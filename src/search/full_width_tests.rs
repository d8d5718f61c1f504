//! Compares the search with a full-width search without pruning, reductions and transposition
//! table: the proved results must be the same.

use std::collections::HashSet;

use super::pruning::PruningParams;
use super::{Budget, Iteration, Line, RootTask, Silent, TranspositionTable, Worker};
use tengen_rules::board::{Board, makes_five};
use tengen_rules::position::Position;
use tengen_rules::types::Rule;
use tengen_testkit::effort::{is_reduced, sample};
use tengen_testkit::problems::{puzzles, tactics};

/// Depth of the full-width search (plies).
const DEPTH: u32 = 3;

/// Depth of the search with pruning (plies).
const PRUNED_DEPTH: u32 = 8;
/// Most nodes of one search.
const NODES: u64 = 100_000;

/// The longest results that the full-width search must prove as well (plies): those within its
/// depth plus the static results and fours beyond it.
const LONGEST: usize = 7;

#[derive(Clone, Copy)]
enum Search {
    Pruned,
    FullWidth,
}

/// The best line of a search without the VCF at the root, and whether the search ended within
/// [`NODES`].
fn search(position: &Position, search: Search) -> (Line, bool) {
    let mut worker = Worker::new(position.clone());
    let (table, last_depth) = match search {
        Search::Pruned => (TranspositionTable::new(1 << 20), PRUNED_DEPTH),
        Search::FullWidth => {
            worker.pruning = PruningParams::full_width();
            (TranspositionTable::disabled(), DEPTH)
        }
    };
    let (lines, excluded) = (1, Vec::new());
    let task = RootTask { lines, excluded, first_depth: 1, last_depth, fours_nodes: 0 };
    let lines = worker.run(&table, &Nodes(NODES), &mut Silent, &task);
    (lines.into_iter().next().expect("an empty cell"), worker.nodes() < NODES)
}

/// A budget of nodes.
struct Nodes(u64);

impl Budget for Nodes {
    fn exhausted(&self, _: u64) -> bool {
        false
    }

    fn node_limit(&self) -> u64 {
        self.0
    }

    /// Continues after a proved result: a deeper iteration may prove a shorter one.
    fn should_continue(&self, _: Iteration) -> bool {
        true
    }
}

/// The positions of the tactics and of the puzzles, and those after their first solution.
fn positions() -> Vec<Position> {
    let tactics = tactics().into_iter().map(|tactic| (tactic.position, tactic.accepted[0]));
    let puzzles = Rule::ALL.into_iter().flat_map(puzzles);
    let puzzles = puzzles.map(|puzzle| (puzzle.position, puzzle.first));
    let mut positions = Vec::new();
    for (position, best) in tactics.chain(puzzles) {
        let mut after: Position = position.clone();
        positions.push(position);
        after.play(best);
        positions.push(after);
    }
    positions
}

/// Both searches prove the same winner, and a short win or loss in the same number of plies.
#[test]
fn full_width_search_proves_the_same_results() {
    let mut seen = HashSet::new();
    let (mut results, mut distances) = (0, 0);
    for start in sample(positions()) {
        // Follow the best play to the end while the result is proved.
        let mut position = start;
        while !is_over(position.board()) && seen.insert(position.board().key()) {
            let (pruned, _) = search(&position, Search::Pruned);
            let score = pruned.score;
            let Some(plies) = score.forced_plies() else { break };
            let board = position.board();
            let (full, has_ended) = search(&position, Search::FullWidth);
            let full = full.score;
            if full.is_forced() {
                assert_eq!(full.is_win(), score.is_win(), "{full:?} {score:?}\n{board:?}");
                results += 1;
            }
            if plies <= LONGEST && has_ended {
                assert_eq!(full, score, "\n{board:?}");
                distances += usize::from(plies >= 3);
            }
            position.play(pruned.moves[0]);
        }
    }
    let is_enough = results >= 300 && distances >= 200;
    assert!(is_reduced() || is_enough, "{results} results, {distances} distances");
}

fn is_over(board: &Board) -> bool {
    board.empty_count() == 0
        || board.last().is_some_and(|last| makes_five(board, last.point, last.color))
}
