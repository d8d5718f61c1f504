//! Compares the proofs of several searches.

use tengen::search::{Budget, Iteration, Line, RootTask, Silent, TranspositionTable, Worker};
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Rule};
use tengen_testkit::random_walk;

/// A budget of nodes.
struct Nodes(u64);

impl Budget for Nodes {
    fn exhausted(&self, _nodes: u64) -> bool {
        false
    }

    fn node_limit(&self) -> u64 {
        self.0
    }

    fn should_continue(&self, iteration: Iteration) -> bool {
        !iteration.forced
    }
}

fn best_line(position: &Position, table: &TranspositionTable, nodes: u64) -> Option<Line> {
    let task =
        RootTask { lines: 1, excluded: Vec::new(), first_depth: 1, last_depth: 30, fours_nodes: 0 };
    Worker::new(position.clone()).run(table, &Nodes(nodes), &mut Silent, &task).into_iter().next()
}

/// With a table so small that nearly every entry is overwritten, a large one, and one shared by
/// several searches, no proof may contradict another.
#[test]
fn proofs_with_small_and_large_tables_agree() {
    let (mut wins, mut losses) = (0, 0);
    for rule in Rule::ALL {
        let large = TranspositionTable::new(64 << 20);
        for seed in 0..12 {
            let mut position = Position::new(BoardSize::square(12).unwrap(), rule);
            random_walk(&mut position, 77 * seed + rule.index() as u64, 26, |_| ());
            if position.board().empty_count() == 0 {
                continue;
            }
            let lines = [
                best_line(&position, &TranspositionTable::new(1 << 20), 8_000),
                best_line(&position, &TranspositionTable::new(1 << 10), 2_000),
                best_line(&position, &large, 8_000),
            ];
            let scores = lines.map(|line| line.expect("the board is not full").score);
            let won = scores.iter().any(|score| score.is_win());
            let lost = scores.iter().any(|score| score.is_loss());
            assert!(!(won && lost), "{scores:?}\n{:?}", position.board());
            wins += usize::from(won);
            losses += usize::from(lost);
        }
    }
    assert!(wins + losses > 8, "{wins} wins, {losses} losses");
}
