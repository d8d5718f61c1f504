//! A question about a position, for the solver.

use super::answer::Answer;
use super::points::PointKind;
use tengen::solver::{Judged, SolveLimits, SolveReport, Solver, Verdict, WinKind};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// A question about the side to move, or about a threat to it.
#[derive(Clone, Copy)]
pub enum Question {
    /// Whether the side to move has a win.
    Win {
        /// Maximum number of moves of the proof; `None` for no proof.
        tree: Option<usize>,
    },
    /// The shortest win of the side to move.
    Shortest,
    /// All winning first moves.
    All,
    /// All moves that hold against the opponent's win.
    Defend {
        /// Whether to answer [`Answer::NoThreat`] if the opponent has no win after a pass.
        only_from_threat: bool,
    },
    /// The opponent's win after this move, which is legal and does not end the game.
    Refute(Point),
    /// The points of a kind.
    Points(PointKind),
}

/// The resources for answering a question.
pub struct Search<'a> {
    /// The limits of each search.
    pub limits: SolveLimits,
    /// Returns whether to stop.
    pub stop: &'a dyn Fn() -> bool,
}

impl Question {
    /// Answers the question within the limits. Calls `done` after every judged move.
    pub fn ask(
        self,
        game: &Game,
        kind: WinKind,
        solver: &mut Solver,
        search: &Search<'_>,
        done: impl FnMut(&Judged),
    ) -> Answer {
        let Search { limits, stop } = search;
        let (position, mover) = (game.position(), game.side_to_move());
        match self {
            Question::Win { tree } => {
                let report = solver.solve_position(position, mover, kind, limits, stop);
                let tree = match (tree, report.verdict) {
                    (Some(moves), Verdict::Win(_)) => {
                        let rest = limits.after(report.elapsed);
                        solver.tree(position, &report, &rest, moves, stop)
                    }
                    _ => None,
                };
                Answer::Solved { report, tree }
            }
            Question::Shortest => Answer::Shortest(solver.shortest(position, kind, limits, stop)),
            Question::All => {
                let judged = solver.judge_moves(position, mover, kind, limits, stop, done);
                Answer::Wins(kind, judged)
            }
            Question::Defend { only_from_threat } => {
                let attacker = mover.opponent();
                if only_from_threat
                    && let Some(threat) = no_threat_report(position, kind, solver, search)
                {
                    return Answer::NoThreat(threat);
                }
                let judged = solver.judge_moves(position, attacker, kind, limits, stop, done);
                Answer::Defences(kind, judged)
            }
            Question::Refute(at) => {
                let mut after = position.clone();
                after.play(at);
                let report = solver.solve_position(&after, mover.opponent(), kind, limits, stop);
                Answer::Refuted { at, report }
            }
            Question::Points(points) => Answer::Points(points.find(game, solver, search)),
        }
    }
}

/// The report on the opponent's win after a pass, if there is no win or the limits ended the search;
/// `None` if the opponent wins, or `stop` ended the search.
fn no_threat_report(
    position: &Position,
    kind: WinKind,
    solver: &mut Solver,
    &Search { ref limits, stop }: &Search<'_>,
) -> Option<SolveReport> {
    let attacker = position.side_to_move().opponent();
    let report = position
        .clone()
        .with_pass(|passed| solver.decide_position(passed, attacker, kind, limits, stop));
    let has_no_win = match report.verdict {
        Verdict::Win(_) => false,
        Verdict::None => true,
        Verdict::Unknown => !stop(),
    };
    has_no_win.then_some(report)
}
