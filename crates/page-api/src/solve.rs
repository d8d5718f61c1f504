//! Forced wins: a win, all wins, defences, and points of a kind.

use std::time::Duration;

use serde::Deserialize;

use crate::{EngineSlot, ProgressSender, RequestError, SearchLimits, SearchTask, to_json};
use tengen::solver::SolveLimits;
use tengen_study::PositionInput;
use tengen_study::solve::{Judging, Query, Search};

/// Default time of each search.
const TIME: Duration = Duration::from_secs(5);

/// Requests an answer of the solver.
#[derive(Deserialize)]
pub(crate) struct SolveRequest {
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
pub(crate) fn solve(request: SolveRequest) -> Result<SearchTask, RequestError> {
    let game = request.position.engine_game()?;
    let (kind, question) = request.query.on(&game)?;
    request.limits.to_engine()?;
    let limits = request.limits;
    let rule = game.rule();
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let search = Search { limits: solver_limits(limits), stop: &|| sender.is_stopped() };
        let solver = &mut slot.solver();
        let progress = |progress: &Judging| sender.send(progress);
        to_json(&question.answer(&game, kind, solver, &search, progress))
    };
    Ok(SearchTask::new(rule, job))
}

/// The limits of each search.
fn solver_limits(limits: SearchLimits) -> SolveLimits {
    let mut solver_limits = SolveLimits::time(limits.time_or(TIME));
    solver_limits.nodes = limits.nodes();
    solver_limits
}
