//! The tactics and puzzles of `protocol-tests`.

use serde_json::Value;
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Color, Point, Rule};

/// A position with the moves that solve it.
pub struct Tactic {
    /// The line of the file, for messages.
    pub line: String,
    /// The position after its moves.
    pub position: Position,
    /// Every move that solves it.
    pub accepted: Vec<Point>,
}

/// The positions of `protocol-tests/tactics.txt`.
///
/// # Panics
/// When the file cannot be read, or a line does not follow its format.
pub fn tactics() -> Vec<Tactic> {
    read("tactics.txt").lines().filter(|line| !line.starts_with('#')).map(tactic).collect()
}

fn tactic(line: &str) -> Tactic {
    let points = |text: &str| -> Vec<Point> {
        text.split_whitespace().map(|word| word.parse().expect(line)).collect()
    };
    let [start, moves, accepted] = line.split('|').collect::<Vec<_>>()[..] else {
        panic!("{line}: expected three fields");
    };
    let [rule, size, ..] = start.split_whitespace().collect::<Vec<_>>()[..] else {
        panic!("{line}: expected rule and size");
    };
    let mut position = Position::new(size.parse().expect(line), rule.parse().expect(line));
    points(moves).into_iter().for_each(|point| position.play(point));
    Tactic { line: line.to_owned(), position, accepted: points(accepted) }
}

/// A position with one winning move.
pub struct Puzzle {
    /// The line of the file, for messages.
    pub line: String,
    /// The position.
    pub position: Position,
    /// The kind of the win, such as `vct`.
    pub kind: String,
    /// The winning move.
    pub first: Point,
    /// The length of the solution.
    pub plies: u64,
}

/// The puzzles of a rule in `protocol-tests/puzzles`.
///
/// # Panics
/// When the file cannot be read, or a line does not follow its format.
pub fn puzzles(rule: Rule) -> Vec<Puzzle> {
    let puzzle = |line: &str| {
        let case: Value = serde_json::from_str(line).expect(line);
        let [first] = points(&case, "first")[..] else { panic!("{line}: expected one solution") };
        Puzzle {
            line: line.to_owned(),
            position: position(&case),
            kind: text(&case, "kind").to_owned(),
            first,
            plies: case["plies"].as_u64().expect("a number"),
        }
    };
    read(&format!("puzzles/{rule}.jsonl")).lines().map(puzzle).collect()
}

/// The position of an object, as `tengen solve FILES` reads it.
///
/// # Panics
/// When a field is missing or invalid.
pub fn position(case: &Value) -> Position {
    let rule: Rule = text(case, "rule").parse().expect("a rule");
    let side = case["size"].as_i64().expect("a number");
    let mut board = Board::new(BoardSize::square(side).expect("a size"), rule);
    for color in Color::ALL {
        for point in points(case, color.name()) {
            board.place(point, color).expect("an empty cell");
        }
    }
    board.set_side(text(case, "to_move").parse().expect("a colour"));
    Position::from_board(&board)
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().expect("a string")
}

fn points(case: &Value, field: &str) -> Vec<Point> {
    let list = case[field].as_array().expect("a list").iter();
    list.map(|at| at.as_str().expect("a string").parse().expect("a point")).collect()
}

/// A file of `protocol-tests`, read while tests run, as that of [`crate::collection::foul_cases`].
fn read(name: &str) -> String {
    let path = format!("{}/../../protocol-tests/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
