//! The best moves, while the search finds them.

use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Fault;
use super::ask::Cost;
use super::desk::Desk;
use super::talk::{Voice, Work};
use tengen::engine::{Limits, Line, Observer, Progress, Request};
use tengen_rules::game::Game;
use tengen_rules::types::{Notation, Score, four_places};
use tengen_study::{PositionInput, State, points};

/// Most of the best moves that can be asked for.
const MOST_LINES: usize = 50;

/// Asks for the best moves.
#[derive(Deserialize)]
pub(super) struct Ask {
    tab: String,
    position: PositionInput,
    /// How many.
    lines: usize,
    #[serde(flatten)]
    cost: Cost,
    /// Points to leave out as long as another is left.
    #[serde(default)]
    avoid: Vec<String>,
}

/// The board that asks, and the search.
///
/// # Errors
/// When the question makes no sense.
pub(super) fn answer(ask: Ask) -> Result<(String, Work), Fault> {
    let game = ask.position.engine_game()?;
    let avoid = points(&game, &ask.avoid)?;
    if !(1..=MOST_LINES).contains(&ask.lines) {
        return Err(Fault::new(format!("{} lines: expected 1 to {MOST_LINES}", ask.lines)));
    }
    let limits = Limits { analysis: true, ..ask.cost.limits()? };
    let work = move |desk: &mut Desk, voice: &Voice| {
        let state = State::of(&game);
        if state != State::Open {
            return Ok(json!({ "state": state.name(), "lines": [] }));
        }
        let request = Request { limits, lines: ask.lines, excluded: avoid };
        let mut known = Known::new(&game, voice, ask.lines);
        let report = desk.engine.think(game.position(), &request, &voice.stop, &mut known);
        known.lines = report.searched_lines().cloned().collect();
        let mut found = known.json(report.nodes);
        found["state"] = state.name().into();
        Ok(found)
    };
    Ok((ask.tab, Box::new(work)))
}

/// The best lines as far as they are known.
pub(super) struct Known<'a> {
    notation: Notation,
    voice: &'a Voice,
    wanted: usize,
    started: std::time::Instant,
    lines: Vec<Line>,
}

impl<'a> Known<'a> {
    pub(super) fn new(game: &Game, voice: &'a Voice, wanted: usize) -> Known<'a> {
        let started = std::time::Instant::now();
        Known { notation: game.notation(), voice, wanted, started, lines: Vec::new() }
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

impl Observer for Known<'_> {
    fn iteration(&mut self, progress: Progress<'_>) {
        self.put(progress.rank, progress.line);
        self.voice.say(self.json(progress.nodes));
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
pub(super) fn score(score: Score) -> Value {
    json!({
        "score": score.value(),
        "rate": four_places(score.win_rate()),
        "forced": score.signed_plies(),
    })
}
