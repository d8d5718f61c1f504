//! The puzzles of `protocol-tests/puzzles`: solved, and the shorter solutions held against every
//! defence.

use serde_json::Value;

use super::tests::Checker;
use super::{Kind, Limits, Solver, Verdict};
use crate::board::Board;
use crate::position::Position;
use crate::types::{BoardSize, Color, Point, Rule};

const PUZZLES: [&str; 5] = [
    include_str!("../../protocol-tests/puzzles/freestyle.jsonl"),
    include_str!("../../protocol-tests/puzzles/standard.jsonl"),
    include_str!("../../protocol-tests/puzzles/renju.jsonl"),
    include_str!("../../protocol-tests/puzzles/caro.jsonl"),
    include_str!("../../protocol-tests/puzzles/caro-overline.jsonl"),
];

/// Plies of the longest solutions that are played out against every defence.
const CHECKED: u64 = 15;

struct Puzzle {
    position: Position,
    kind: Kind,
    first: Vec<Point>,
    plies: u64,
}

fn parse(line: &str) -> Puzzle {
    let case: Value = serde_json::from_str(line).expect("a JSON object");
    let text = |field: &str| case[field].as_str().expect("a string");
    let points = |field: &str| -> Vec<Point> {
        let list = case[field].as_array().expect("a list").iter();
        list.map(|at| at.as_str().expect("a string").parse().expect("a point")).collect()
    };
    let rule: Rule = text("rule").parse().expect("a rule");
    let side = case["size"].as_i64().expect("a number");
    let mut board = Board::new(BoardSize::square(side).expect("a size"), rule);
    for color in Color::ALL {
        points(color.name()).into_iter().for_each(|point| board.place(point, color));
    }
    let mover = Color::ALL.into_iter().find(|color| color.name() == text("to_move"));
    board.set_side(mover.expect("a colour"));
    Puzzle {
        position: Position::from_board(&board),
        kind: Kind::ALL.into_iter().find(|kind| kind.name() == text("kind")).expect("a kind"),
        first: points("first"),
        plies: case["plies"].as_u64().expect("a number"),
    }
}

#[test]
fn puzzles_have_one_solution() {
    for line in PUZZLES.iter().flat_map(|file| file.lines()) {
        let Puzzle { position, kind, first, plies } = parse(line);
        let side = position.side_to_move();
        let mut solver = Solver::new(4 << 20);
        let report = solver.solve(&position, side, kind, &Limits::default(), &|| false);
        assert!(matches!(report.verdict, Verdict::Win(_)), "{line}");
        assert_eq!(vec![report.line[0]], first, "{line}");
        let judged = solver.judge_moves(
            &position,
            side,
            kind,
            &|| Limits { nodes: Some(200_000), ..Limits::default() },
            &|| false,
            |_| {},
        );
        let wins = judged.iter().filter(|judged| matches!(judged.report.verdict, Verdict::Win(_)));
        assert_eq!(wins.map(|judged| judged.at).collect::<Vec<_>>(), first, "{line}");
        assert!(judged.iter().all(|judged| judged.report.verdict != Verdict::Unknown), "{line}");
        assert!(plies % 2 == 1 && report.line.len() % 2 == 1, "{line}");
        if plies <= CHECKED {
            let mut checker = Checker::new(kind);
            checker.check(position.board());
            assert!(checker.visited > 1, "{line}");
        }
    }
}
