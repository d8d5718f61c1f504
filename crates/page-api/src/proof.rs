//! Why a move loses: a line of the embedded proofs and of the solver.

use std::time::Duration;

use serde::Deserialize;

use crate::{EngineSlot, ProgressSender, RequestError, SearchTask, to_json};
use tengen::engine::{Limits, Request};
use tengen::solver::SolveLimits;
use tengen_rules::position::Position;
use tengen_study::proved::LosingLine;
use tengen_study::solve::Search;
use tengen_study::{InputError, PositionInput, point};

/// Nodes of the search for each move of the loser.
const DEFENCE_NODES: u64 = 20_000;
/// Time of the search for the win by threats at the end.
const TIME: Duration = Duration::from_secs(5);

/// Requests the line after a move.
#[derive(Deserialize)]
pub(crate) struct ProofRequest {
    position: PositionInput,
    /// The move, of the side to move.
    at: String,
}

/// The search for the line.
///
/// # Errors
/// If the request is invalid, or the move illegal.
pub(crate) fn proof(request: &ProofRequest) -> Result<SearchTask, RequestError> {
    let game = request.position.engine_game()?;
    let at = point(&game, &request.at)?;
    game.check(at).map_err(|offence| InputError::from(offence).at(&request.at))?;
    let rule = game.rule();
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        if game.clone().play(at).is_some() {
            return to_json(&LosingLine::default());
        }
        let mut solver = slot.solver();
        let search = Search { limits: SolveLimits::time(TIME), stop: &|| sender.is_stopped() };
        let defence = Request::new(Limits::nodes(DEFENCE_NODES));
        let defend =
            |position: &Position| slot.engine.evaluate(position, &defence, &sender.stop).best();
        to_json(&LosingLine::after(&game, at, &mut solver, &search, defend))
    };
    Ok(SearchTask::new(rule, job))
}
