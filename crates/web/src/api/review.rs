//! A whole game, looked at move by move.

use serde::Deserialize;
use serde_json::{Value, json};

use super::analyse::score;
use crate::engine_pool::EngineSlot;
use crate::response::HttpError;
use crate::stream::{ProgressSender, SearchTask};
use tengen_rules::game::Game;
use tengen_study::PositionInput;
use tengen_study::review::{self, Effort, Evaluation, Review, comment};

/// Positions of the search for each position of the game, where no number is given, and at most.
const NODES: u64 = 50_000;
const MOST_NODES: u64 = 100_000_000;

/// Asks for a review.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    tab: String,
    position: PositionInput,
    nodes: Option<u64>,
    /// What an earlier review found, one text for each position: then nothing is searched.
    evaluations: Option<Vec<String>>,
}

/// The board that asks, and the search.
///
/// # Errors
/// When the game is none, or has no moves.
pub(crate) fn review(request: ReviewRequest) -> Result<SearchTask, HttpError> {
    let mut game = request.position.engine_game()?;
    // What a forbidden last move led to is known.
    let foul = request.position.foul(&game);
    if foul.is_some() {
        game.undo();
    }
    let count = game.moves().count();
    if count == 0 {
        return Err(HttpError::new("there is no move to look at"));
    }
    let nodes = request.nodes.unwrap_or(NODES);
    if !(1..=MOST_NODES).contains(&nodes) {
        return Err(HttpError::new(format!("nodes is {nodes}: expected 1 to {MOST_NODES}")));
    }
    let noted = match request.evaluations {
        Some(texts) => Some(noted(&texts, &game, count + 1)?),
        None => None,
    };
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let evaluations = match noted {
            Some(evaluations) => evaluations,
            None => {
                slot.engine.clear();
                let progress = |done| sender.send(json!({ "judged": done, "of": count + 1 }));
                let effort = Effort { nodes };
                let found =
                    review::evaluate(&game, &mut slot.engine, effort, &sender.stop, progress);
                let Some(found) = found else { return Ok(json!({ "stopped": true })) };
                found
            }
        };
        let texts = evaluations.iter().map(|it| evaluation(it, &game)).collect::<Vec<_>>();
        let review = Review { foul, ..Review::new(game, evaluations) };
        Ok(json!({ "review": review::json(&review), "evaluations": texts }))
    };
    Ok(SearchTask::new(request.tab, job))
}

fn noted(texts: &[String], game: &Game, wanted: usize) -> Result<Vec<Evaluation>, HttpError> {
    if texts.len() != wanted {
        let problem = format!("{} evaluations for {wanted} positions", texts.len());
        return Err(HttpError::new(problem));
    }
    let read = |text: &String| {
        comment::find(text, game.size())
            .ok_or_else(|| HttpError::new(format!("{text:?} is no evaluation")))
    };
    texts.iter().map(read).collect()
}

/// An evaluation as the page keeps it: its text as in files, and its numbers.
pub(crate) fn evaluation(evaluation: &Evaluation, game: &Game) -> Value {
    let notation = game.notation();
    let mut object = score(evaluation.score);
    object["text"] = comment::line(evaluation, notation).into();
    object["moves"] = notation.list(&evaluation.line).into();
    object
}
