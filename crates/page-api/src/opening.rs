//! Opening rules. The page holds the answers so far. The server replays them, returns the next
//! question, and answers for the engine.

use serde::Deserialize;
use serde_json::Value;

use crate::{EngineSlot, ProgressSender, RequestError, SearchLimits, SearchTask, to_json};
use tengen::engine::opening_search::OpeningSearch;
use tengen::opening::Adviser;
use tengen_study::opening::{OpeningAnswers, OpeningInput, OpeningState, answer_text};

/// Requests the answers of the engine.
#[derive(Deserialize)]
pub(crate) struct OpeningAnswerRequest {
    opening: OpeningInput,
    #[serde(flatten)]
    limits: SearchLimits,
    seed: Option<u64>,
}

/// The next question, the player it is for, and the stones.
///
/// # Errors
/// If the opening is unknown, or an answer is not possible.
pub(crate) fn state(opening: &OpeningInput) -> Result<Value, RequestError> {
    let (dialogue, _) = opening.dialogue()?;
    to_json(&OpeningState::from(&dialogue))
}

/// The engine's answers up to the next question for the other player.
///
/// # Errors
/// If the opening is invalid or over.
pub(crate) fn answer(request: OpeningAnswerRequest) -> Result<SearchTask, RequestError> {
    let (mut dialogue, game) = request.opening.dialogue()?;
    let Some((seat, _)) = dialogue.question() else {
        return Err(RequestError::new("the opening is over"));
    };
    let rule = game.rule();
    let limits = request.limits.to_engine()?;
    let seed = request.seed.unwrap_or_else(rand::random);
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let mut adviser = Adviser::default();
        let mut given = Vec::new();
        while let Some((asked, _)) = dialogue.question()
            && asked == seat
        {
            let mut opening = OpeningSearch::new(&mut slot.engine, &limits, &sender.stop, seed);
            let Some(answer) = adviser.answer(&mut opening, &dialogue) else { break };
            dialogue.answer(answer).map_err(RequestError::new)?;
            given.push(answer_text(answer, &game));
            sender.send(&OpeningAnswers { answers: given.clone(), stopped: false });
        }
        to_json(&OpeningAnswers { answers: given, stopped: sender.is_stopped() })
    };
    Ok(SearchTask::new(rule, job))
}
