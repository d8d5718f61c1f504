//! Searches: tactics that must be found at any budget, and results that threads and tables must not
//! change.

mod tactics;
mod threads;

use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// A position with the moves that solve it.
struct Tactic {
    /// The line of the file, for messages.
    line: &'static str,
    position: Position,
    accepted: Vec<Point>,
}

/// The positions of `protocol-tests/tactics.txt`.
fn tactics() -> Vec<Tactic> {
    let text = include_str!("../../protocol-tests/tactics.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parse = |line: &'static str| {
        let parts: Vec<&str> = line.split('|').collect();
        let mut words = parts[0].split_ascii_whitespace();
        let (rule, size) = (words.next().unwrap(), words.next().unwrap());
        let mut position = Position::new(size.parse().unwrap(), rule.parse().unwrap());
        points(parts[1]).into_iter().for_each(|point| position.play(point));
        Tactic { line, position, accepted: points(parts[2]) }
    };
    lines.map(parse).collect()
}

/// Cells named in a text.
fn points(text: &str) -> Vec<Point> {
    text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect()
}
