//! Forced wins: a win, all wins, defences, and points of a kind.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::SearchLimits;
use crate::engine_pool::EngineSlot;
use crate::response::HttpError;
use crate::stream::{ProgressSender, SearchTask};
use tengen::solver::{Judged, SolveLimits};
use tengen_study::solve::{Query, Question, Search, has_none, has_win};
use tengen_study::{PositionInput, State};

/// Default time of each search.
const TIME: Duration = Duration::from_secs(5);

/// Requests an answer of the solver.
#[derive(Deserialize)]
pub(crate) struct SolveRequest {
    tab: String,
    position: PositionInput,
    #[serde(flatten)]
    limits: SearchLimits,
    #[serde(flatten)]
    query: Query,
}

/// The search for the answer.
///
/// # Errors
/// If the request is invalid.
pub(crate) fn solve(request: SolveRequest) -> Result<SearchTask, HttpError> {
    let game = request.position.engine_game()?;
    let (kind, question) = request.query.on(&game)?;
    request.limits.to_engine()?;
    let limits = request.limits;
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let state = State::of(&game);
        if state != State::Open {
            return Ok(json!({ "state": state.name() }));
        }
        // A move that ends the game cannot be refuted.
        if let Question::Refute(point) = question
            && game.clone().try_play(point).map_err(HttpError::new)?.is_some()
        {
            return Ok(json!({ "state": state.name(), "result": "none" }));
        }
        let search = Search { limits: solver_limits(limits), stop: &|| sender.is_stopped() };
        let is_found = if let Question::All = question { has_win } else { has_none };
        let of = game.legal_moves().count();
        let (mut done, mut found) = (0, Vec::new());
        let progress = |judged: &Judged| {
            done += 1;
            if is_found(judged) {
                found.push(judged.at.to_string());
            }
            sender.send(json!({ "judged": done, "of": of, "found": found }));
        };
        let answer = question.ask(&game, kind, &mut slot.solver(), &search, progress);
        let solution = answer.solution(&game);
        let mut object = serde_json::to_value(solution).map_err(HttpError::new)?;
        object["state"] = state.name().into();
        object["stopped"] = sender.is_stopped().into();
        Ok(object)
    };
    Ok(SearchTask::new(request.tab, job))
}

/// The limits of each search.
fn solver_limits(limits: SearchLimits) -> SolveLimits {
    let mut solver_limits = SolveLimits::time(limits.time_or(TIME));
    solver_limits.nodes = limits.nodes();
    solver_limits
}
