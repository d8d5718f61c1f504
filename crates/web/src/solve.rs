//! What the solver knows: wins, all of them, what holds against one, points of a kind.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::answer::Fault;
use super::ask::Cost;
use super::desk::Desk;
use super::talk::{Voice, Work};
use tengen::solver::{Judged, Limits};
use tengen_study::solve::{Query, Question, Search, has_none, has_win};
use tengen_study::{PositionInput, State};

/// Time for each look where none is given.
const TIME: Duration = Duration::from_secs(5);

/// Asks about forced wins.
#[derive(Deserialize)]
pub(super) struct Ask {
    tab: String,
    position: PositionInput,
    #[serde(flatten)]
    cost: Cost,
    #[serde(flatten)]
    query: Query,
}

/// The board that asks, and the search.
///
/// # Errors
/// When the question makes no sense.
pub(super) fn answer(ask: Ask) -> Result<(String, Work), Fault> {
    let game = ask.position.engine_game()?;
    let (kind, question) = ask.query.on(&game)?;
    ask.cost.limits()?;
    let cost = ask.cost;
    let work = move |desk: &mut Desk, voice: &Voice| {
        let state = State::of(&game);
        if state != State::Open {
            return Ok(json!({ "state": state.name() }));
        }
        // There is nothing to refute in a move that ends the game.
        if let Question::Refute(point) = question
            && game.clone().try_play(point).map_err(Fault::new)?.is_some()
        {
            return Ok(json!({ "state": state.name(), "result": "none" }));
        }
        let search = Search { limits: &|| limits(cost), stop: &|| voice.is_over() };
        let is_found = if let Question::All = question { has_win } else { has_none };
        let of = game.legal_moves().count();
        let (mut done, mut found) = (0, Vec::new());
        let progress = |judged: &Judged| {
            done += 1;
            if is_found(judged) {
                found.push(judged.at.to_string());
            }
            voice.say(json!({ "judged": done, "of": of, "found": found }));
        };
        let answer = question.ask(&game, kind, &mut desk.solver(), &search, progress);
        let solution = answer.solution(&game);
        let mut object = serde_json::to_value(solution).map_err(Fault::new)?;
        object["state"] = state.name().into();
        object["stopped"] = voice.is_over().into();
        Ok(object)
    };
    Ok((ask.tab, Box::new(work)))
}

/// The limits of each look, counted from now.
fn limits(cost: Cost) -> Limits {
    let until = Some(Instant::now() + cost.time_or(TIME));
    Limits { nodes: cost.nodes(), until, stones: None }
}
