//! Evaluates every position of a game with the engine and the solver.

use std::collections::HashMap;

use crate::positions::PositionKey;
use tengen::engine::{Engine, Limits, Line, Report, Request, StopSwitch};
use tengen::solver::{SolveLimits, Solver, Verdict, WinKind};
use tengen_rules::board::Board;
use tengen_rules::game::{Ending, Game};
use tengen_rules::types::{Point, Score, Symmetry};

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

/// The evaluation of a finished game.
pub fn ended(game: &Game) -> Option<Evaluation> {
    let score = match game.ending()? {
        Ending::Full => Score::DRAW,
        ending if ending.winner() == Some(game.side_to_move()) => Score::win_in(0),
        _ => Score::loss_in(0),
    };
    Some(Evaluation { score, line: Vec::new() })
}

/// Evaluations of positions, independent of the order of moves, rotation and reflection: for games
/// that share positions, and to continue a review.
#[derive(Debug, Default)]
pub struct Evaluations {
    by_key: HashMap<PositionKey, (Symmetry, Evaluation)>,
}

impl Evaluations {
    /// The evaluation of a position, in the orientation of this board.
    pub fn get(&self, board: &Board) -> Option<Evaluation> {
        let (key, symmetry) = PositionKey::oriented(board);
        let (known_by, evaluation) = self.by_key.get(&key)?;
        let size = board.size();
        // Transform into the canonical form, and from there to this board.
        let here = |&point: &Point| symmetry.inverse().point(size, known_by.point(size, point));
        let line = evaluation.line.iter().map(here).collect();
        Some(Evaluation { score: evaluation.score, line })
    }

    /// Stores the evaluation of a position.
    pub fn insert(&mut self, board: &Board, evaluation: &Evaluation) {
        let (key, symmetry) = PositionKey::oriented(board);
        self.by_key.insert(key, (symmetry, evaluation.clone()));
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Whether no evaluation is stored.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }
}

/// Evaluates every position of the game, from the last to the first, so that the hash table holds
/// the end of the game for the earlier positions. The solver finds wins by threats that the search
/// misses, and checks the defences that are shown for missed ones. Calls `progress` with the number
/// of evaluated positions. `None` if `stop` was pressed before the end.
///
/// `nodes` limits each search by the engine and by the solver. A position gets one of each, or up to
/// four if the move of the game lost. Positions in `known` are not searched, and new evaluations are
/// added to it, even if `stop` ends the work.
pub fn evaluate(
    game: &Game,
    engine: &mut Engine,
    nodes: u64,
    stop: &StopSwitch,
    known: &mut Evaluations,
    mut progress: impl FnMut(usize),
) -> Option<Vec<Evaluation>> {
    let solver = Solver::with_networks(SOLVER_BYTES, engine.options().networks.clone());
    let mut asking = Asking { engine, solver, nodes, stop };
    let mut game = game.clone();
    let mut evaluations = vec![asking.known_or(&game, known, |asking| asking.value(&game, &[]))];
    let mut played = game.moves().last();
    while game.undo() {
        if stop.is_pressed() {
            return None;
        }
        progress(evaluations.len());
        let loses = evaluations.last().is_some_and(|after| after.score.is_win());
        evaluations.push(asking.known_or(&game, known, |asking| {
            let evaluation = asking.value(&game, &[]);
            if loses { asking.with_defence(&game, evaluation, played) } else { evaluation }
        }));
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
    nodes: u64,
    stop: &'a StopSwitch,
}

impl Asking<'_> {
    /// The known evaluation of the position, or else that of `search`, which is stored unless the
    /// search was stopped.
    fn known_or(
        &mut self,
        game: &Game,
        known: &mut Evaluations,
        search: impl FnOnce(&mut Self) -> Evaluation,
    ) -> Evaluation {
        if let Some(evaluation) = ended(game).or_else(|| known.get(game.board())) {
            return evaluation;
        }
        let evaluation = search(self);
        if !self.stop.is_pressed() {
            known.insert(game.board(), &evaluation);
        }
        evaluation
    }

    /// The evaluation of a position, without the moves in `excluded`.
    fn value(&mut self, game: &Game, excluded: &[Point]) -> Evaluation {
        if let Some(over) = ended(game) {
            return over;
        }
        let searched = match self.best_line(game, excluded) {
            Some(line) => Evaluation { score: line.score, line: line.moves },
            None => return Evaluation { score: Score::DRAW, line: Vec::new() },
        };
        if searched.score.is_loss() || !excluded.is_empty() {
            return searched;
        }
        match self.proved_win(game, &searched) {
            Some(proved) if improves_on(&proved, &searched) => proved,
            _ => searched,
        }
    }

    /// The best line of the search, without the moves in `excluded`.
    fn best_line(&mut self, game: &Game, excluded: &[Point]) -> Option<Line> {
        let limits = Limits::nodes(self.nodes);
        let request = Request::new(limits).excluding(excluded.to_vec());
        let mut report = self.engine.evaluate(game.position(), &request, self.stop);
        self.engine.complete_lines(game.position(), &mut report, &request, self.stop);
        report.lines.into_iter().next()
    }

    /// A win of the side to move by fours and threes, with a complete line if the limits allow it.
    /// Also `None` if the search already found a complete line that is not longer.
    fn proved_win(&mut self, game: &Game, searched: &Evaluation) -> Option<Evaluation> {
        let limits = SolveLimits::nodes(self.nodes);
        let (side, position, stop) = (game.side_to_move(), game.position(), self.stop);
        let report = self.solver.decide(game, side, WinKind::Vct, &limits, stop);
        let Verdict::Win(plies) = report.verdict else { return None };
        let score = Score::win_in(plies.into());
        if searched.score >= score && searched.line.len() == searched.score.forced_plies()? {
            return None;
        }
        let written = self.solver.line(position, side, &report, &limits, &|| stop.is_pressed());
        let line = Line { score, depth: 1, selective_depth: 1, moves: written.moves };
        let mut report = Report { lines: vec![line], ..Report::default() };
        let request = Request::new(Limits::nodes(self.nodes));
        self.engine.complete_lines(position, &mut report, &request, stop);
        let line = report.lines.pop()?;
        let is_known = !line.moves.is_empty();
        is_known.then_some(Evaluation { score: line.score, line: line.moves })
    }

    /// Whether the side to move wins by fours and threes.
    fn has_win(&mut self, game: &Game) -> bool {
        let limits = SolveLimits::nodes(self.nodes);
        let report =
            self.solver.decide(game, game.side_to_move(), WinKind::Vct, &limits, self.stop);
        matches!(report.verdict, Verdict::Win(_))
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
            if ended || !self.has_win(&after) {
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
