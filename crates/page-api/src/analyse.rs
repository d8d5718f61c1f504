//! Analysis: the best moves, with the progress of the search.

use serde::Deserialize;

use crate::{EngineSlot, ProgressSender, RequestError, SearchLimits, SearchTask, to_json};
use tengen::engine::{Line, Observer, Progress, Request};
use tengen_rules::game::Game;
use tengen_rules::types::Color;
use tengen_study::analysis::{BestMoves, lines};
use tengen_study::{Named, PositionInput, State, points};

/// Maximum number of best moves.
const MAX_LINES: usize = 50;

/// Requests the best moves.
#[derive(Deserialize)]
pub(crate) struct AnalyseRequest {
    tab: String,
    position: PositionInput,
    /// Number of best moves.
    lines: usize,
    #[serde(flatten)]
    limits: SearchLimits,
    /// Points to exclude, unless no other is left.
    #[serde(default)]
    avoid: Vec<String>,
}

/// The search for the best moves.
///
/// # Errors
/// If the request is invalid.
pub(crate) fn analyse(request: AnalyseRequest) -> Result<SearchTask, RequestError> {
    let game = request.position.engine_game()?;
    let avoid = points(&game, &request.avoid)?;
    if !(1..=MAX_LINES).contains(&request.lines) {
        return Err(RequestError::new(format!(
            "{} lines: expected 1 to {MAX_LINES}",
            request.lines
        )));
    }
    let limits = request.limits.to_engine()?.for_analysis();
    let rule = game.rule();
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let state = State::of(&game);
        if state != State::Open {
            return to_json(&BestMoves { state: Some(Named(state)), ..BestMoves::default() });
        }
        let request = Request::new(limits).with_lines(request.lines).excluding(avoid);
        let mut best = BestLines::new(&game, sender, request.lines);
        let mut report = slot.engine.think(game.position(), &request, &sender.stop, &mut best);
        slot.engine.complete_lines(game.position(), &mut report, &request, &sender.stop);
        best.lines = report.searched_lines().cloned().collect();
        to_json(&BestMoves { state: Some(Named(state)), ..best.found(report.nodes) })
    };
    Ok(SearchTask::new(request.tab, rule, job))
}

/// The best lines found so far.
pub(crate) struct BestLines<'a> {
    side: Color,
    sender: &'a ProgressSender,
    wanted: usize,
    started: tengen::moment::Instant,
    lines: Vec<Line>,
}

impl<'a> BestLines<'a> {
    pub(crate) fn new(game: &Game, sender: &'a ProgressSender, wanted: usize) -> BestLines<'a> {
        let started = tengen::moment::Instant::now();
        BestLines { side: game.side_to_move(), sender, wanted, started, lines: Vec::new() }
    }

    /// Inserts a line of the current iteration at its rank. Lines of the last iteration with other
    /// moves follow.
    fn put(&mut self, rank: usize, line: &Line) {
        self.lines.retain(|old| old.moves.first() != line.moves.first());
        self.lines.insert(rank.min(self.lines.len()), line.clone());
        self.lines.truncate(self.wanted);
    }

    /// The lines after this number of nodes.
    fn found(&self, nodes: u64) -> BestMoves {
        let ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        BestMoves { state: None, lines: lines(&self.lines, self.side), nodes, ms }
    }
}

impl Observer for BestLines<'_> {
    fn iteration(&mut self, progress: &Progress<'_>) {
        self.put(progress.rank, progress.line);
        self.sender.send(&self.found(progress.nodes));
    }
}
