//! Analyses a position: first with the solver, then by a search.

use std::time::Duration;

use super::import::ended;
use super::values::own_provenance;
use tengen::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};
use tengen::solver::{SolveLimits, SolveReport, Solver, Verdict, WinKind};
use tengen_rules::board::{Board, Outcome};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::{Color, Point, Score};
use tengen_store::{Bound, Evaluation, Evidence, GameValue, KnownResult, Provenance, ScoredMove};

/// Limits of the analysis of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Node limit of the search.
    pub nodes: Option<u64>,
    /// Time limit of the search.
    pub time: Option<Duration>,
    /// Number of best moves to find.
    pub lines: usize,
    /// Node limit of each query to the solver; 0 to skip the solver.
    pub solver_nodes: u64,
}

/// The result of the analysis of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// A result that the rules or the solver prove.
    pub result: Option<KnownResult>,
    /// The result of the search; absent if the result was proved without it.
    pub evaluation: Option<Evaluation>,
    /// Number of nodes of solver and search.
    pub nodes: u64,
}

/// Size of the solver's tables in bytes.
const SOLVER_BYTES: u64 = 16 << 20;

/// Analyses positions one after the other.
pub struct Analyst {
    engine: Engine,
    solver: Solver,
    effort: Effort,
    /// The provenance of findings, without the time.
    own: Provenance,
    now: fn() -> u32,
}

impl Analyst {
    /// An analyst; `now` gives the time of results, in seconds since 1970.
    pub fn new(options: Options, effort: Effort, now: fn() -> u32) -> Analyst {
        let solver = Solver::with_networks(SOLVER_BYTES, options.networks.clone());
        let own = own_provenance(0);
        Analyst { engine: Engine::new(options), solver, effort, own, now }
    }

    /// Analyses a position. `None` if `stop` was pressed before the analysis was complete.
    pub fn analyse(&mut self, board: &Board, stop: &StopSwitch) -> Option<Finding> {
        if let Some(outcome) = Outcome::of(board) {
            let result = Some(ended(outcome, board.side_to_move()));
            return Some(Finding { result, ..Finding::default() });
        }
        let game = Game::from_board(board);
        let mut finding = Finding::default();
        if game.legal_moves().next().is_none() {
            // Every move is forbidden. The rules of renju do not define the result of such a game.
            // There is nothing more to search.
            let depth = u16::try_from(board.empty_count()).unwrap_or(u16::MAX);
            finding.evaluation = Some(self.evaluation(Score::DRAW, depth, 0, Vec::new()));
            return Some(finding);
        }
        if self.effort.solver_nodes > 0 {
            finding.result = self.solve(game.position(), stop, &mut finding.nodes);
        }
        if finding.result.is_none() && !stop.is_pressed() {
            finding.evaluation = self.search(&game, stop, &mut finding.nodes);
        }
        (!stop.is_pressed()).then_some(finding)
    }

    /// A win of the side to move, or of the opponent if a pass would lose.
    fn solve(
        &mut self,
        position: &Position,
        stop: &StopSwitch,
        nodes: &mut u64,
    ) -> Option<KnownResult> {
        let side = position.side_to_move();
        let mut solve = |position: &Position, attacker: Color, kind: WinKind| -> SolveReport {
            let limits = SolveLimits::nodes(self.effort.solver_nodes);
            let pressed = || stop.is_pressed();
            let report = self.solver.solve_position(position, attacker, kind, &limits, &pressed);
            *nodes += report.nodes;
            report
        };
        let own = solve(position, side, WinKind::Vct);
        if let Verdict::Win(plies) = own.verdict {
            return Some(self.proved(GameValue::Win, plies, own.line.first().copied()));
        }
        let mut passed = position.clone();
        passed.pass();
        let threat = solve(&passed, side.opponent(), WinKind::Vct);
        if !matches!(threat.verdict, Verdict::Win(_)) {
            return None;
        }
        let loss = solve(position, side.opponent(), WinKind::Any);
        match loss.verdict {
            Verdict::Win(plies) => {
                Some(self.proved(GameValue::Loss, plies, loss.line.first().copied()))
            }
            Verdict::None | Verdict::Unknown => None,
        }
    }

    fn search(&mut self, game: &Game, stop: &StopSwitch, nodes: &mut u64) -> Option<Evaluation> {
        // Clear the tables, so that the search does not depend on previous analyses.
        self.engine.new_game();
        let mut limits = Limits::unlimited().for_analysis();
        limits.nodes = self.effort.nodes;
        limits.turn = self.effort.time;
        let lines = self.effort.lines.clamp(1, game.board().empty_count());
        let request = Request::new(limits).with_lines(lines);
        let report = self.engine.think(game.position(), &request, stop, &mut Silent);
        *nodes += report.nodes;
        let moves: Vec<ScoredMove> = report
            .searched_lines()
            .filter_map(|line| {
                let &point = line.moves.first()?;
                Some(ScoredMove { point, score: Some(line.score) })
            })
            .collect();
        let best = report.lines.first()?;
        let depth = u16::try_from(best.depth).unwrap_or(u16::MAX);
        Some(self.evaluation(best.score, depth, report.nodes, moves))
    }

    fn evaluation(
        &self,
        score: Score,
        depth: u16,
        nodes: u64,
        moves: Vec<ScoredMove>,
    ) -> Evaluation {
        Evaluation {
            score,
            depth,
            bound: Bound::Exact,
            nodes,
            moves,
            provenance: self.provenance(),
        }
    }

    fn proved(&self, value: GameValue, plies: u16, best: Option<Point>) -> KnownResult {
        KnownResult {
            value,
            distance: Some(plies),
            evidence: Evidence::Proved,
            best,
            provenance: self.provenance(),
        }
    }

    fn provenance(&self) -> Provenance {
        Provenance { time: (self.now)(), ..self.own.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Rule;

    const EFFORT: Effort = Effort { nodes: Some(2_000), time: None, lines: 2, solver_nodes: 5_000 };

    fn board(rule: Rule, moves: &str) -> Board {
        tengen_testkit::game(rule, moves).board().clone()
    }

    fn analyse(board: &Board) -> Finding {
        let options = Options { hash: Some(1 << 20), ..Options::default() };
        Analyst::new(options, EFFORT, || 7).analyse(board, &StopSwitch::new()).unwrap()
    }

    #[test]
    fn forced_wins_and_losses_are_proved_without_a_search() {
        let win = analyse(&board(Rule::Freestyle, "h8 a1 i8 a3 j8 a5"));
        let result = win.result.unwrap();
        assert_eq!((result.value, result.distance), (GameValue::Win, Some(3)));
        assert_eq!((result.evidence, result.provenance.time), (Evidence::Proved, 7));
        assert_eq!(win.evaluation, None);
        // White cannot stop a straight four.
        let loss = analyse(&board(Rule::Freestyle, "h8 a1 i8 a3 j8 a5 k8"));
        assert_eq!(loss.result.map(|result| result.value), Some(GameValue::Loss));
    }

    #[test]
    fn searches_of_open_positions_are_deterministic() {
        let quiet = board(Rule::Renju, "h8 i9 g7");
        let found = analyse(&quiet);
        assert_eq!(found, analyse(&quiet));
        let evaluation = found.evaluation.unwrap();
        assert_eq!(evaluation.moves.len(), 2);
        assert!(evaluation.nodes >= 2_000 && found.result.is_none());
    }

    #[test]
    fn finished_games_have_the_result_of_the_rules() {
        let over = board(Rule::Freestyle, "a1 a2 b1 b2 c1 c2 d1 d2 e1");
        let result = analyse(&over).result.unwrap();
        assert_eq!((result.value, result.distance), (GameValue::Loss, Some(0)));
    }

    #[test]
    fn stopped_analyses_return_none() {
        let stop = StopSwitch::new();
        stop.press();
        let mut analyst = Analyst::new(Options::default(), EFFORT, || 0);
        assert_eq!(analyst.analyse(&board(Rule::Renju, "h8 i9"), &stop), None);
    }
}
