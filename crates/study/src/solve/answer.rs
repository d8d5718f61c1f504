//! The answer to one question, as the solver gives it.

use tengen::solver::{Attack, Judged, Shortest, SolveReport};
use tengen_rules::types::Point;

/// The answer to one question about one position.
pub enum Answer {
    /// Has the side to move a win?
    Solved {
        /// Verdict and line.
        report: SolveReport,
        /// The whole proof, where it was asked for and there is a win.
        tree: Option<Attack>,
    },
    /// Its shortest one.
    Shortest(Shortest),
    /// What its first moves lead to.
    Wins(Vec<Judged>),
    /// What its moves leave to the opponent.
    Defences(Vec<Judged>),
    /// Nothing to defend against was found: what became of the opponent's win.
    NoThreat(SolveReport),
    /// What the opponent has after this move.
    Refuted {
        /// The move.
        at: Point,
        /// The opponent's win after it.
        report: SolveReport,
    },
    /// The points of a kind.
    Points(Vec<Point>),
}
