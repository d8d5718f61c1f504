//! Asking the engine, and the solver, about every position of a game.

use tengen::engine::{Engine, Limits, Line, Request, StopSwitch};
use tengen::solver::{SolveLimits, Solver, Verdict, WinKind};
use tengen_rules::game::{Ending, Game};
use tengen_rules::types::{Point, Score};

/// Bytes in which the solver remembers what it proved.
const SOLVER_BYTES: u64 = 16 << 20;
/// Defences that turn out to lose before the last one is believed.
const REFUTED_DEFENCES: usize = 3;

/// What is known about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Score for the side to move.
    pub score: Score,
    /// Best play of both sides; empty where the game is over.
    pub line: Vec<Point>,
}

/// What may be spent on a position.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Nodes of each search and of each look by the solver: one of either for a position, up to
    /// four where the move played lost.
    pub nodes: u64,
}

/// Asks about every position of the game, from the last to the first, so that what the end
/// teaches is known at the beginning. Wins by threats that the search did not see are proved by the
/// solver, and a defence that is shown where the player missed one holds against it. `progress`
/// hears how many are done. `None` when `stop` was pressed before the end.
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

/// Who is asked, and what it may cost.
struct Asking<'a> {
    engine: &'a mut Engine,
    solver: Solver,
    effort: Effort,
    stop: &'a StopSwitch,
}

impl Asking<'_> {
    /// What the position is worth, the moves in `excluded` left out of the search.
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
            Some(proved) if says_more(&proved, &searched) => proved,
            _ => searched,
        }
    }

    /// What the search thinks best, the moves in `excluded` left out.
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

    /// The evaluation of a position in which the player's move lost, with another best move where
    /// the solver shows that the one found by the search loses as well.
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

/// Whether a proved win is news to what the search found: it found none, a longer one, or one of
/// which it cannot show every move.
fn says_more(proved: &Evaluation, searched: &Evaluation) -> bool {
    let plies = |evaluation: &Evaluation| evaluation.score.forced_plies().unwrap_or(usize::MAX);
    let is_whole = |evaluation: &Evaluation| evaluation.line.len() >= plies(evaluation);
    !searched.score.is_win()
        || plies(proved) < plies(searched)
        || is_whole(proved) && !is_whole(searched)
}
