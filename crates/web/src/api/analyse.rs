//! The best moves, while the search finds them.

use serde::Deserialize;
use serde_json::{Value, json};

use super::SearchLimits;
use crate::engine_pool::EngineSlot;
use crate::response::HttpError;
use crate::stream::{ProgressSender, SearchTask};
use tengen::engine::{Limits, Line, Observer, Progress, Request};
use tengen_rules::game::Game;
use tengen_rules::types::{Notation, Score, four_places};
use tengen_study::{PositionInput, State, points};

/// Most of the best moves that can be asked for.
const MOST_LINES: usize = 50;

/// Asks for the best moves.
#[derive(Deserialize)]
pub(crate) struct AnalyseRequest {
    tab: String,
    position: PositionInput,
    /// How many.
    lines: usize,
    #[serde(flatten)]
    limits: SearchLimits,
    /// Points to leave out as long as another is left.
    #[serde(default)]
    avoid: Vec<String>,
}

/// The board that asks, and the search.
///
/// # Errors
/// When the question makes no sense.
pub(crate) fn analyse(request: AnalyseRequest) -> Result<SearchTask, HttpError> {
    let game = request.position.engine_game()?;
    let avoid = points(&game, &request.avoid)?;
    if !(1..=MOST_LINES).contains(&request.lines) {
        return Err(HttpError::new(format!("{} lines: expected 1 to {MOST_LINES}", request.lines)));
    }
    let limits = Limits { analysis: true, ..request.limits.to_engine()? };
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let state = State::of(&game);
        if state != State::Open {
            return Ok(json!({ "state": state.name(), "lines": [] }));
        }
        let request = Request { limits, lines: request.lines, excluded: avoid };
        let mut known = BestLines::new(&game, sender, request.lines);
        let report = slot.engine.think(game.position(), &request, &sender.stop, &mut known);
        known.lines = report.searched_lines().cloned().collect();
        let mut found = known.json(report.nodes);
        found["state"] = state.name().into();
        Ok(found)
    };
    Ok(SearchTask::new(request.tab, job))
}

/// The best lines as far as they are known.
pub(crate) struct BestLines<'a> {
    notation: Notation,
    sender: &'a ProgressSender,
    wanted: usize,
    started: std::time::Instant,
    lines: Vec<Line>,
}

impl<'a> BestLines<'a> {
    pub(crate) fn new(game: &Game, sender: &'a ProgressSender, wanted: usize) -> BestLines<'a> {
        let started = std::time::Instant::now();
        BestLines { notation: game.notation(), sender, wanted, started, lines: Vec::new() }
    }

    /// A line of the present iteration goes to its rank; what the last iteration had stays behind
    /// it, without the same move.
    fn put(&mut self, rank: usize, line: &Line) {
        self.lines.retain(|old| old.moves.first() != line.moves.first());
        self.lines.insert(rank.min(self.lines.len()), line.clone());
        self.lines.truncate(self.wanted);
    }

    fn json(&self, nodes: u64) -> Value {
        let lines: Vec<Value> =
            self.lines.iter().map(|line| line_json(line, self.notation)).collect();
        let ms = self.started.elapsed().as_millis() as u64;
        json!({ "lines": lines, "nodes": nodes, "ms": ms })
    }
}

impl Observer for BestLines<'_> {
    fn iteration(&mut self, progress: Progress<'_>) {
        self.put(progress.rank, progress.line);
        self.sender.send(self.json(progress.nodes));
    }
}

fn line_json(line: &Line, notation: Notation) -> Value {
    let mut object = score(line.score);
    object["moves"] = notation.list(&line.moves).into();
    object["depth"] = line.depth.into();
    object["reach"] = line.selective_depth.into();
    object
}

/// A score for the side to move: points, chance to win, plies to a forced end (negative to a
/// loss).
pub(crate) fn score(score: Score) -> Value {
    json!({
        "score": score.value(),
        "rate": four_places(score.win_rate()),
        "forced": score.signed_plies(),
    })
}
