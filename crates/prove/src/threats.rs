//! Wins by threats: whether there is one, and its proof as bytes of a certificate.

use tengen::solver::{SolveLimits, SolveReport, Solver, Verdict, WinKind};
use tengen_rules::types::Color;
use tengen_verify::{NULL, SAME, Summary};

use crate::proof::Written;
use crate::search::Effort;
use crate::state::{State, checked_color};

/// Bytes of the solver's tables.
const TABLE_BYTES: u64 = 64 << 20;
/// The solver of the attacker's threats.
pub struct Threats {
    solver: Solver,
    /// Node limit of each question while a proof is written, see [`Effort::write`].
    pub writing: u64,
    /// Nodes of all questions.
    pub nodes: u64,
}

impl Threats {
    /// Creates a solver with empty tables.
    pub fn new(effort: &Effort) -> Threats {
        Threats { solver: Solver::new(TABLE_BYTES), writing: effort.write, nodes: 0 }
    }

    /// Whether the attacker, to move, wins by threats.
    pub fn wins(&mut self, state: &State, nodes: u64) -> Verdict {
        self.ask(state, state.attacker, WinKind::Vct, nodes).verdict
    }

    /// Whether the attacker, to move, wins by threats if the defender passes.
    pub fn wins_after_pass(&mut self, state: &mut State, nodes: u64) -> bool {
        state.position.pass();
        let verdict = self.wins(state, nodes);
        state.position.pass();
        matches!(verdict, Verdict::Win(_))
    }

    /// Whether the defender, to move, wins by fours.
    pub fn defender_wins(&mut self, state: &State, nodes: u64) -> bool {
        let report = self.ask(state, state.defender(), WinKind::Vcf, nodes);
        matches!(report.verdict, Verdict::Win(_))
    }

    fn ask(&mut self, state: &State, side: Color, kind: WinKind, nodes: u64) -> SolveReport {
        let limits = SolveLimits::nodes(nodes);
        let report = self.solver.decide_position(&state.position, side, kind, &limits, &|| false);
        self.nodes += report.nodes;
        report
    }

    /// The first move of a win by threats of the attacker, to move.
    fn first_move(&mut self, state: &State) -> Option<u8> {
        let report = self.ask(state, state.attacker, WinKind::Vct, self.writing);
        let limits = SolveLimits::nodes(self.writing);
        let point = self.solver.first_move(&state.position, &report, &limits, &|| false)?;
        Some(state.cell(point))
    }

    /// Writes the proof of a position with the attacker to move, who wins by threats. `written` has
    /// the completed and-nodes outside passes; `None` below a pass. Returns `None` if the solver does
    /// not find the win again; `out` and `written` are then unchanged.
    pub fn write_or(
        &mut self,
        state: &mut State,
        mut written: Option<&mut Written>,
        out: &mut Vec<u8>,
    ) -> Option<Summary> {
        let (start, nodes) = (out.len(), written.as_ref().map(|written| written.len()));
        let summary = self.try_write_or(state, written.as_deref_mut(), out);
        if summary.is_none() {
            out.truncate(start);
            if let (Some(written), Some(nodes)) = (written, nodes) {
                written.truncate(nodes);
            }
        }
        summary
    }

    fn try_write_or(
        &mut self,
        state: &mut State,
        written: Option<&mut Written>,
        out: &mut Vec<u8>,
    ) -> Option<Summary> {
        let cell = self.first_move(state)?;
        out.push(cell);
        let color = checked_color(state.attacker);
        let judgement = state.board.judged(cell.into(), color).ok()?;
        let mut summary = Summary::default();
        if !state.makes_five(cell) {
            state.play(cell);
            let after = self.write_and(state, written, out);
            state.undo();
            summary = after?;
        }
        summary.add_move(cell.into(), judgement.as_ref());
        Some(summary)
    }

    fn write_and(
        &mut self,
        state: &mut State,
        mut written: Option<&mut Written>,
        out: &mut Vec<u8>,
    ) -> Option<Summary> {
        if written.as_ref().is_some_and(|written| written.contains(state.key)) {
            out.push(SAME);
            return Some(Summary::default());
        }
        out.push(NULL);
        let (zone, mut summary) = self.write_null(state, out)?;
        for cell in zone {
            let defender = checked_color(state.defender());
            if state.board.would_be_five(cell.into(), defender) {
                return None;
            }
            if let Some(judgement) = state.board.judged(cell.into(), defender).ok()?
                && judgement.is_foul
            {
                summary.add_foul(&judgement);
                continue;
            }
            state.play(cell);
            let after = self.try_write_or(state, written.as_deref_mut(), out);
            if let Some(after) = &after {
                summary.add_reply(&state.board, cell.into(), after);
            }
            state.undo();
            after?;
        }
        if let Some(written) = written {
            written.insert(state.key);
        }
        Some(summary)
    }

    /// Writes the proof after a pass, in a position with the defender to move. Returns the replies in
    /// its zone, ascending, and the summary of the node without replies.
    pub fn write_null(
        &mut self,
        state: &mut State,
        out: &mut Vec<u8>,
    ) -> Option<(Vec<u8>, Summary)> {
        state.position.pass();
        let null = self.write_or(state, None, out);
        state.position.pass();
        let mut summary = null?;
        let zone = summary.zone(&state.board).ok()?;
        summary.raise();
        let mut replies = state.empty_cells();
        replies.retain(|&cell| zone.has(cell.into()));
        Some((replies, summary))
    }
}
