//! One question about one position, put to the solver.

use super::answer::Answer;
use super::points::PointKind;
use tengen::solver::{Judged, SolveLimits, SolveReport, Solver, Verdict, WinKind};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// What is asked about the side to move, or what threatens it.
#[derive(Clone, Copy)]
pub enum Question {
    /// Whether it has a win; `tree` asks for the proof, of at most so many moves.
    Win {
        /// Moves of the proof at most; `None` for no proof.
        tree: Option<usize>,
    },
    /// Its shortest win.
    Shortest,
    /// Every winning first move.
    All,
    /// Every move that holds against the opponent's win.
    Defend {
        /// Answer [`Answer::NoThreat`] where the opponent has no win after a pass.
        only_from_threat: bool,
    },
    /// What the opponent has after this move, which is allowed and does not end the game.
    Refute(Point),
    /// The points of a kind.
    Points(PointKind),
}

/// What a question may use.
pub struct Search<'a> {
    /// The limits of each search.
    pub limits: SolveLimits,
    /// Whether to end.
    pub stop: &'a dyn Fn() -> bool,
}

impl Question {
    /// The answer as far as the search may go. `done` hears of every move that is judged.
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
                        solver.tree(position, &report, limits, moves, stop)
                    }
                    _ => None,
                };
                Answer::Solved { report, tree }
            }
            Question::Shortest => Answer::Shortest(solver.shortest(position, kind, limits, stop)),
            Question::All => {
                Answer::Wins(solver.judge_moves(position, mover, kind, limits, stop, done))
            }
            Question::Defend { only_from_threat } => {
                let attacker = mover.opponent();
                if only_from_threat && let Some(threat) = calm(position, kind, solver, search) {
                    return Answer::NoThreat(threat);
                }
                Answer::Defences(solver.judge_moves(position, attacker, kind, limits, stop, done))
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

/// The report about the opponent's win after a pass, where there is none or the limits ended the
/// search; `None` where the opponent wins, or `stop` ended the search.
fn calm(
    position: &Position,
    kind: WinKind,
    solver: &mut Solver,
    &Search { ref limits, stop }: &Search<'_>,
) -> Option<SolveReport> {
    let attacker = position.side_to_move().opponent();
    let report = position
        .clone()
        .with_pass(|passed| solver.solve_position(passed, attacker, kind, limits, stop));
    let is_calm = match report.verdict {
        Verdict::Win(_) => false,
        Verdict::None => true,
        Verdict::Unknown => !stop(),
    };
    is_calm.then_some(report)
}
