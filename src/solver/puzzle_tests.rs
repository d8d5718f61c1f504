//! Solves the puzzles of `protocol-tests/puzzles`, and checks the shorter solutions against every
//! defence. Solves some positions of `protocol-tests/solver`.

use std::collections::HashSet;

use serde_json::Value;

use super::tests::Checker;
use super::{SolveLimits, Solver, Verdict, WinKind};
use crate::book::image_key;
use tengen_rules::types::{Color, Point, Rule};
use tengen_testkit::effort::sample;
use tengen_testkit::problems::{Puzzle, position, puzzles};

/// Maximum length of solutions that are checked against every defence (plies).
const CHECKED: u64 = 15;

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().expect("a string")
}

#[test]
fn puzzles_have_one_solution() {
    for puzzle in sample(Rule::ALL.into_iter().flat_map(puzzles)) {
        let Puzzle { line, position, kind, first, plies } = puzzle;
        let (side, kind) = (position.side_to_move(), kind.parse().expect("a kind"));
        let mut solver = Solver::new(4 << 20);
        let report =
            solver.solve_position(&position, side, kind, &SolveLimits::default(), &|| false);
        assert!(matches!(report.verdict, Verdict::Win(_)), "{line}");
        assert_eq!(report.line[0], first, "{line}");
        let judged = solver.judge_moves(
            &position,
            side,
            kind,
            &SolveLimits::nodes(200_000),
            &|| false,
            |_| {},
        );
        let wins = judged.iter().filter(|judged| matches!(judged.report.verdict, Verdict::Win(_)));
        assert_eq!(wins.map(|judged| judged.at).collect::<Vec<_>>(), [first], "{line}");
        assert!(judged.iter().all(|judged| judged.report.verdict != Verdict::Unknown), "{line}");
        assert!(plies % 2 == 1 && report.line.len() % 2 == 1, "{line}");
        if plies <= CHECKED {
            let mut checker = Checker::new(kind);
            checker.check(position.board());
            assert!(checker.visited > 1, "{line}");
        }
    }
}

/// The first `most` positions whose cost is in this range of nodes.
fn some_of(cases: &[Value], cost: std::ops::Range<u64>, most: usize) -> Vec<&Value> {
    let fits = |case: &&Value| cost.contains(&case["nodes"].as_u64().expect("a number"));
    cases.iter().filter(fits).take(most).collect()
}

#[test]
fn solver_positions_are_distinct_sorted_and_won() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol-tests/solver/kagetsu.jsonl");
    let file = std::fs::read_to_string(path).expect("a text file");
    let cases: Vec<Value> =
        file.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    assert_eq!(cases.len(), 1000);
    assert!(cases.iter().is_sorted_by_key(|case| case["nodes"].as_u64()));
    let images: HashSet<u64> = cases.iter().map(|case| image_key(position(case).board())).collect();
    assert_eq!(images.len(), cases.len());
    for (number, case) in (1..).zip(&cases) {
        assert_eq!(text(case, "id"), format!("{number:04}"));
        assert_eq!((text(case, "to_move"), text(case, "winner")), ("black", "black"));
        let win: Point = text(case, "win").parse().expect("a point");
        assert!(position(case).board().is_empty(win), "{case}");
    }
    let mut solver = Solver::new(16 << 20);
    let limits = SolveLimits::nodes(200_000);
    for case in [some_of(&cases, 0..200, 6), some_of(&cases, 200..4_000, 6)].concat() {
        let position = position(case);
        let report =
            solver.solve_position(&position, Color::Black, WinKind::Vct, &limits, &|| false);
        assert!(matches!(report.verdict, Verdict::Win(_)), "{case}");
    }
    for case in some_of(&cases, 16..200, 3) {
        let position = position(case);
        let win = text(case, "win").parse().expect("a point");
        let judged =
            solver.judge_moves(&position, Color::Black, WinKind::Vct, &limits, &|| false, |_| {});
        let judged = judged.iter().find(|it| it.at == win).expect("a legal move");
        assert!(matches!(judged.report.verdict, Verdict::Win(_)), "{case}");
    }
}

/// `POSITIONS=FILE cargo test --release --lib wins_of_a_file -- --ignored --nocapture`: checks the
/// wins that the solver finds within 400,000 nodes a position against every legal defence.
#[test]
#[ignore = "takes a file of positions, an object a line"]
fn wins_of_a_file_hold() {
    let file = std::env::var("POSITIONS").expect("a file named by POSITIONS");
    let positions = std::fs::read_to_string(file).expect("a text file");
    let (mut wins, mut visited) = (0, 0);
    for line in positions.lines() {
        let position = position(&serde_json::from_str(line).expect("a JSON object"));
        let limits = SolveLimits::nodes(400_000);
        let side = position.side_to_move();
        let report =
            Solver::new(64 << 20).solve_position(&position, side, WinKind::Any, &limits, &|| false);
        if let Verdict::Win(_) = report.verdict {
            let mut checker = Checker::new(report.kind);
            checker.check(position.board());
            (wins, visited) = (wins + 1, visited + checker.visited);
        }
    }
    println!("{wins} of {} won, {visited} positions checked", positions.lines().count());
}
