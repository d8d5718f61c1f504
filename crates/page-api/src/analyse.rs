//! Analysis: the best moves, with the progress of the search.

use std::cmp::Reverse;

use serde::Deserialize;

use crate::{EngineSlot, ProgressSender, RequestError, SearchLimits, SearchTask, parse, to_json};
use tengen::engine::{Line, Observer, Progress, Request};
use tengen_rules::game::Game;
use tengen_rules::types::Color;
use tengen_study::analysis::{BestMoves, lines};
use tengen_study::{Named, PositionInput, State, points};

/// Maximum number of best moves.
const MAX_LINES: usize = 50;

/// Requests the best moves.
#[derive(Deserialize)]
struct AnalyseRequest {
    position: PositionInput,
    /// Number of best moves.
    lines: usize,
    #[serde(flatten)]
    limits: SearchLimits,
    /// Points to exclude, unless no other is left.
    #[serde(default)]
    avoid: Vec<String>,
}

/// The search for the best moves that the body of an `analyse` request asks for. `keep` receives the
/// game and the result before it is the answer.
///
/// # Errors
/// If the request is invalid.
pub fn analyse<F>(body: &[u8], keep: F) -> Result<SearchTask, RequestError>
where
    F: FnOnce(&Game, &BestMoves) -> Result<(), RequestError> + Send + 'static,
{
    let request: AnalyseRequest = parse(body)?;
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
        let found = BestMoves { state: Some(Named(state)), ..best.found(report.nodes) };
        keep(&game, &found)?;
        to_json(&found)
    };
    Ok(SearchTask::new(rule, job))
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

    /// Inserts a line of the current iteration. Lines of the last iteration stay until the search
    /// replaces them. The best line is first.
    fn put(&mut self, line: &Line) {
        self.lines.retain(|old| old.moves.first() != line.moves.first());
        self.lines.insert(0, line.clone());
        self.lines.sort_by_key(|line| Reverse(line.score));
        if self.lines.len() > self.wanted {
            let is_other = |old: &Line| old.moves.first() != line.moves.first();
            let outdated = self.lines.iter().rposition(|old| old.depth < line.depth);
            let other = || self.lines.iter().rposition(is_other);
            self.lines.remove(outdated.or_else(other).unwrap_or(0));
        }
    }

    /// The lines after this number of nodes.
    fn found(&self, nodes: u64) -> BestMoves {
        let ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        BestMoves { state: None, lines: lines(&self.lines, self.side), nodes, ms }
    }
}

impl Observer for BestLines<'_> {
    fn iteration(&mut self, progress: &Progress<'_>) {
        self.put(progress.line);
        self.sender.send(&self.found(progress.nodes));
    }
}

#[cfg(test)]
mod tests {
    use tengen::engine::StopSwitch;
    use tengen_rules::types::{BoardSize, Rule, Score};

    use super::*;

    #[test]
    fn lines_of_two_iterations_are_sorted_by_value() {
        let game = Game::new(BoardSize::new(15, 15).unwrap(), Rule::Freestyle);
        let sender = ProgressSender::new(|_| {}, StopSwitch::new());
        let mut best = BestLines::new(&game, &sender, 2);
        let mut put = |at: &str, score, depth| {
            let moves = points(&game, &[at.to_string()]).unwrap();
            best.put(&Line { score: Score::raw(score), depth, selective_depth: depth, moves });
            best.lines.iter().map(|line| (line.score.value(), line.depth)).collect::<Vec<_>>()
        };
        put("h8", 80, 9);
        put("h9", 60, 9);
        assert_eq!(put("h8", 50, 10), [(60, 9), (50, 10)]);
        assert_eq!(put("h10", 40, 10), [(50, 10), (40, 10)]);
    }

    #[test]
    fn a_single_line_is_always_the_newest() {
        let game = Game::new(BoardSize::new(15, 15).unwrap(), Rule::Freestyle);
        let sender = ProgressSender::new(|_| {}, StopSwitch::new());
        let mut best = BestLines::new(&game, &sender, 1);
        for (at, score) in [("h8", 80), ("h9", 60)] {
            let moves = points(&game, &[at.to_string()]).unwrap();
            best.put(&Line { score: Score::raw(score), depth: 9, selective_depth: 9, moves });
        }
        assert_eq!(best.lines[0].score, Score::raw(60));
    }
}
