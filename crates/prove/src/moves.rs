//! The moves to try, and the order of replies.

use tengen::{Engine, Limits, Options, Request, Silent, StopSwitch};
use tengen_rules::threat;
use tengen_rules::types::Point;

use crate::state::{State, checked_color};

/// Bytes of the engine's transposition table.
const HASH_BYTES: u64 = 32 << 20;

/// A move of the attacker with its estimated chance to win.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The cell.
    pub cell: u8,
    /// The chance to win after it, 0 to 1.
    pub chance: f64,
}

/// Finds good moves with the engine.
pub struct Guide {
    engine: Engine,
    /// Nodes of the engine.
    pub nodes: u64,
}

impl Guide {
    /// Without statistics of earlier searches.
    pub fn new() -> Guide {
        let options = Options { threads: 1, hash: Some(HASH_BYTES), ..Options::default() };
        Guide { engine: Engine::new(options), nodes: 0 }
    }

    /// At most `width` moves of the attacker, to move, best first. The engine visits `nodes` nodes.
    pub fn candidates(&mut self, state: &State, nodes: u64, width: usize) -> Vec<Candidate> {
        let request = Request::new(Limits::nodes(nodes).for_analysis()).with_lines(width);
        let stop = StopSwitch::new();
        let report = self.engine.think(&state.position, &request, &stop, &mut Silent);
        self.nodes += report.nodes;
        let fives = state.position.count(state.defender(), tengen_rules::pattern::Shape::Five);
        let is_four = |point| threat::makes_four(&state.position, point, state.attacker);
        let lost = |plies: Option<i64>| plies.is_some_and(|plies| plies < 0);
        let lines: Vec<(Point, f64)> = report
            .searched_lines()
            .filter(|line| !lost(line.score.signed_plies()))
            .filter_map(|line| Some((*line.moves.first()?, line.score.win_rate())))
            .collect();
        // A four that does not win by threats only delays the quiet move, if there is one.
        let has_quiet = fives == 0 && lines.iter().any(|&(point, _)| !is_four(point));
        lines
            .into_iter()
            .filter(|&(point, _)| !has_quiet || !is_four(point))
            .map(|(point, chance)| Candidate { cell: state.cell(point), chance })
            .collect()
    }

    /// The best replies of the defender, to move, with their chances to win. `None` if the engine
    /// announces a win of the defender.
    pub fn replies(&mut self, state: &State, nodes: u64, width: usize) -> Option<Vec<Candidate>> {
        let request = Request::new(Limits::nodes(nodes).for_analysis()).with_lines(width);
        let report = self.engine.think(&state.position, &request, &StopSwitch::new(), &mut Silent);
        self.nodes += report.nodes;
        let first = report.lines.first().and_then(|line| line.score.signed_plies());
        if first.is_some_and(|plies| plies > 0) {
            return None;
        }
        let candidate = |line: &tengen::Line| {
            let cell = state.cell(*line.moves.first()?);
            Some(Candidate { cell, chance: line.score.win_rate() })
        };
        Some(report.searched_lines().filter_map(candidate).collect())
    }
}

/// The replies of the defender that are legal and need a proof, of these cells. `None` if one of
/// them makes a five.
pub fn legal_replies(state: &mut State, cells: &[u8]) -> Option<Vec<u8>> {
    let defender = checked_color(state.defender());
    let mut replies = Vec::new();
    for &cell in cells {
        if state.board.would_be_five(cell.into(), defender) {
            return None;
        }
        let judgement = state.board.judged(cell.into(), defender).ok()?;
        if judgement.is_none_or(|judgement| !judgement.is_foul) {
            replies.push(cell);
        }
    }
    Some(replies)
}

/// Whether the attacker, to move, may play on this cell.
pub fn is_legal_move(state: &mut State, cell: u8) -> bool {
    let attacker = checked_color(state.attacker);
    let judgement = |state: &mut State| state.board.judged(cell.into(), attacker);
    state.board.is_empty(cell.into())
        && judgement(state).is_ok_and(|judgement| judgement.is_none_or(|it| !it.is_foul))
}

impl Default for Guide {
    fn default() -> Guide {
        Guide::new()
    }
}
