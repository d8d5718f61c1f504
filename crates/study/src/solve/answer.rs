//! The solver's answer to a question.

use tengen::solver::{Attack, Judged, Shortest, SolveReport};
use tengen_rules::types::Point;

/// The answer to a question about a position.
pub enum Answer {
    /// Whether the side to move has a win.
    Solved {
        /// Verdict and line.
        report: SolveReport,
        /// The whole proof, if it was requested and there is a win.
        tree: Option<Attack>,
    },
    /// The shortest win of the side to move.
    Shortest(Shortest),
    /// The moves of the side to move, judged as attacks.
    Wins(Vec<Judged>),
    /// The moves of the side to move, judged as defences.
    Defences(Vec<Judged>),
    /// No threat of the opponent was found; the report of the search for one.
    NoThreat(SolveReport),
    /// The opponent's answer to a move.
    Refuted {
        /// The move.
        at: Point,
        /// The report on the opponent's win after it.
        report: SolveReport,
    },
    /// The points of the requested kind.
    Points(Vec<Point>),
}
