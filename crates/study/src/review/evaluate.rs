//! Evaluates every position of a game with the engine and the solver.

use tengen::engine::{Engine, Limits, Line, Request, StopSwitch};
use tengen::solver::{SolveLimits, Solver, Verdict, WinKind};
use tengen_rules::game::{Ending, Game};
use tengen_rules::types::{Point, Score};

/// Memory of the solver in bytes.
const SOLVER_BYTES: u64 = 16 << 20;
/// Maximum number of defences to refute before the next one is accepted.
const REFUTED_DEFENCES: usize = 3;

/// The evaluation of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Score for the side to move.
    pub score: Score,
    /// The best line of both sides; empty if the game is over.
    pub line: Vec<Point>,
}

/// The effort for a position.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Nodes of each search by the engine and by the solver. A position gets one of each, or up to
    /// four if the move of the game lost.
    pub nodes: u64,
}

/// Evaluates every position of the game, from the last to the first, so that the hash table holds
/// the end of the game for the earlier positions. The solver finds wins by threats that the search
/// misses, and checks the defences that are shown for missed ones. Calls `progress` with the number
/// of evaluated positions. `None` if `stop` was pressed before the end.
pub fn evaluate(
    game: &Game,
    engine: &mut Engine,
    effort: Effort,
    stop: &StopSwitch,
    mut progress: impl FnMut(usize),
) -> Option<Vec<Evaluation>> {
    let solver = Solver::with_networks(SOLVER_BYTES, engine.options().networks.clone());
    let mut asking = Asking { engine, solver, effort, stop };
    let mut game = game.clone();
    let mut evaluations = vec![asking.value(&game, &[])];
    let mut played = game.moves().last();
    while game.undo() {
        if stop.is_pressed() {
            return None;
        }
        progress(evaluations.len());
        let loses = evaluations.last().is_some_and(|after| after.score.is_win());
        let mut evaluation = asking.value(&game, &[]);
        if loses {
            evaluation = asking.with_defence(&game, evaluation, played);
        }
        evaluations.push(evaluation);
        played = game.moves().last();
    }
    if stop.is_pressed() {
        return None;
    }
    progress(evaluations.len());
    evaluations.reverse();
    Some(evaluations)
}

/// The engine and the solver with their limits.
struct Asking<'a> {
    engine: &'a mut Engine,
    solver: Solver,
    effort: Effort,
    stop: &'a StopSwitch,
}

impl Asking<'_> {
    /// The evaluation of a position, without the moves in `excluded`.
    fn value(&mut self, game: &Game, excluded: &[Point]) -> Evaluation {
        let over = |score| Evaluation { score, line: Vec::new() };
        match game.ending() {
            Some(Ending::Full) => return over(Score::DRAW),
            Some(ending) => {
                let won = ending.winner() == Some(game.side_to_move());
                return over(if won { Score::win_in(0) } else { Score::loss_in(0) });
            }
            None => {}
        }
        let searched = match self.best_line(game, excluded) {
            Some(line) => Evaluation { score: line.score, line: line.moves },
            None => return over(Score::DRAW),
        };
        if searched.score.is_loss() || !excluded.is_empty() {
            return searched;
        }
        match self.proved_win(game) {
            Some(proved) if improves_on(&proved, &searched) => proved,
            _ => searched,
        }
    }

    /// The best line of the search, without the moves in `excluded`.
    fn best_line(&mut self, game: &Game, excluded: &[Point]) -> Option<Line> {
        let limits = Limits::nodes(self.effort.nodes);
        let request = Request::new(limits).excluding(excluded.to_vec());
        let report = self.engine.evaluate(game.position(), &request, self.stop);
        report.lines.into_iter().next()
    }

    /// A win of the side to move by fours and threes.
    fn proved_win(&mut self, game: &Game) -> Option<Evaluation> {
        let limits = SolveLimits::nodes(self.effort.nodes);
        let side = game.side_to_move();
        let report = self.solver.solve(game, side, WinKind::Vct, &limits, self.stop);
        match report.verdict {
            Verdict::Win(plies) if !report.line.is_empty() => {
                Some(Evaluation { score: Score::win_in(plies.into()), line: report.line })
            }
            _ => None,
        }
    }

    /// The evaluation of a position in which the player's move lost, with a best move that the solver
    /// does not refute.
    fn with_defence(
        &mut self,
        game: &Game,
        mut evaluation: Evaluation,
        played: Option<Point>,
    ) -> Evaluation {
        let mut refuted: Vec<Point> = played.into_iter().collect();
        for _ in 0..REFUTED_DEFENCES {
            let Some(&best) = evaluation.line.first() else { break };
            if evaluation.score.is_forced() || Some(best) == played {
                break;
            }
            let mut after = game.clone();
            let ended = after.play(best).is_some();
            if ended || self.proved_win(&after).is_none() {
                break;
            }
            refuted.push(best);
            let other = self.value(game, &refuted);
            if other.line.first().is_none_or(|best| refuted.contains(best)) {
                break;
            }
            evaluation = other;
        }
        evaluation
    }
}

/// Whether a proved win improves on the result of the search: no win, a longer win, or a win with an
/// incomplete line.
fn improves_on(proved: &Evaluation, searched: &Evaluation) -> bool {
    let plies = |evaluation: &Evaluation| evaluation.score.forced_plies().unwrap_or(usize::MAX);
    let is_whole = |evaluation: &Evaluation| evaluation.line.len() >= plies(evaluation);
    !searched.score.is_win()
        || plies(proved) < plies(searched)
        || is_whole(proved) && !is_whole(searched)
}
