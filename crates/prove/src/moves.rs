//! The moves to try, and the order of replies.

use tengen::{Engine, Limits, Line, Options, Report, Request, Silent, StopSwitch};
use tengen_rules::pattern::Shape;
use tengen_rules::threat;

use crate::state::{State, checked_color};

/// Bytes of the engine's transposition table. Jobs with short searches touch only a part.
const HASH_BYTES: u64 = 32 << 20;
/// Bytes of the table for each node of a long search, and most bytes.
const BYTES_PER_NODE: u64 = 32;
const MOST_HASH_BYTES: u64 = 512 << 20;

/// A move, with its value for the side that plays it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The cell.
    pub cell: u8,
    /// The chance to win after it, 0 to 1.
    pub chance: f64,
    /// Plies to the end that the engine announces, negative if the move loses.
    pub plies: Option<i64>,
}

impl Candidate {
    /// Whether the engine announces a win.
    pub fn wins(&self) -> bool {
        self.plies.is_some_and(|plies| plies > 0)
    }

    /// Whether the engine announces a loss.
    fn loses(&self) -> bool {
        self.plies.is_some_and(|plies| plies < 0)
    }
}

/// Finds good moves with the engine.
pub struct Guide {
    engine: Engine,
    /// Nodes of the engine.
    pub nodes: u64,
}

impl Guide {
    /// Creates an engine with one thread. Later searches profit from the table of earlier ones.
    pub fn new() -> Guide {
        let options = Options { threads: 1, hash: Some(HASH_BYTES), ..Options::default() };
        Guide { engine: Engine::new(options), nodes: 0 }
    }

    /// Prepares searches of `nodes` nodes: replaces the transposition table if it is too small.
    pub fn make_room(&mut self, nodes: u64) {
        let bytes = nodes.saturating_mul(BYTES_PER_NODE).min(MOST_HASH_BYTES);
        let options = self.engine.options();
        if options.hash.is_none_or(|hash| hash < bytes) {
            let options = Options { hash: Some(bytes), ..options.clone() };
            self.engine.set_options(options);
        }
    }

    /// At most `width` moves of the attacker, to move, best first. The engine visits `nodes` nodes.
    pub fn candidates(&mut self, state: &State, nodes: u64, width: usize) -> Vec<Candidate> {
        let mut lines = self.lines(state, nodes, width);
        lines.retain(|candidate| !candidate.loses());
        let is_four =
            |cell: u8| threat::makes_four(&state.position, state.point(cell), state.attacker);
        // A four that does not win by threats only delays the quiet move, if there is one.
        let fives = state.position.count(state.defender(), Shape::Five);
        let has_quiet = fives == 0 && lines.iter().any(|candidate| !is_four(candidate.cell));
        lines.into_iter().filter(|candidate| !has_quiet || !is_four(candidate.cell)).collect()
    }

    /// The first moves of the engine's lines.
    fn lines(&mut self, state: &State, nodes: u64, width: usize) -> Vec<Candidate> {
        let report = self.think(state, nodes, width);
        report.searched_lines().filter_map(|line| candidate(state, line)).collect()
    }

    fn think(&mut self, state: &State, nodes: u64, width: usize) -> Report {
        let request = Request::new(Limits::nodes(nodes).for_analysis()).with_lines(width);
        let report = self.engine.think(&state.position, &request, &StopSwitch::new(), &mut Silent);
        self.nodes += report.nodes;
        report
    }

    /// The best replies of the defender, to move, with their chances to win. `None` if the engine
    /// announces a win of the defender.
    pub fn replies(&mut self, state: &State, nodes: u64, width: usize) -> Option<Vec<Candidate>> {
        let lines = self.lines(state, nodes, width);
        let wins = lines.first().is_some_and(Candidate::wins);
        (!wins).then_some(lines)
    }
}

/// The first move of a line of the engine.
fn candidate(state: &State, line: &Line) -> Option<Candidate> {
    let cell = state.cell(*line.moves.first()?);
    Some(Candidate { cell, chance: line.score.win_rate(), plies: line.score.signed_plies() })
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
