//! The solver's answer to a question.

use super::points::FoundPoints;
use tengen::solver::{Attack, Judged, Shortest, SolveReport, WinKind};
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
    /// Which first moves begin a win of this kind. Others may win in another way.
    Wins(WinKind, Vec<Judged>),
    /// Which moves leave the opponent a win of this kind.
    Defences(WinKind, Vec<Judged>),
    /// The result of the search for the opponent's win, if no win was found.
    NoThreat(SolveReport),
    /// The opponent's answer to a move.
    Refuted {
        /// The move.
        at: Point,
        /// The report on the opponent's win after it.
        report: SolveReport,
    },
    /// The points of the requested kind.
    Points(FoundPoints),
}
