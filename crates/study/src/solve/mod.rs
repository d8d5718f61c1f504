//! Questions to the solver and their answers.

mod answer;
mod move_name;
mod points;
mod query;
mod question;
mod solution;

pub use answer::Answer;
pub use move_name::MoveName;
pub use points::{FoundPoints, MadePattern, PointKind, help as point_help};
pub use query::{Judging, Query, QueryAnswer};
pub use question::{Question, Search};
pub use solution::{
    Attack, Calm, Defences, LineMove, Outcome, Points, PositionSource, Reply, Solution, Solved,
    Threat, Wins, named_line, plies,
};

use tengen::solver::{Judged, Verdict};

/// A filter of judged moves.
pub type MoveFilter = fn(&Judged) -> bool;

/// The judged moves that pass a filter.
pub fn select(judged: &[Judged], wanted: MoveFilter) -> impl Iterator<Item = &Judged> {
    judged.iter().filter(move |judged| wanted(judged))
}

/// Whether the attacker wins.
pub fn has_win(judged: &Judged) -> bool {
    matches!(judged.report.verdict, Verdict::Win(_))
}

/// Whether the attacker has no win, and the move does not merely delay one.
pub fn has_none(judged: &Judged) -> bool {
    judged.report.verdict == Verdict::None && !judged.delays
}

/// Whether the search reached its limits first.
pub fn is_unknown(judged: &Judged) -> bool {
    judged.report.verdict == Verdict::Unknown && !judged.delays
}
