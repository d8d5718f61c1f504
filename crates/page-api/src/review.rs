//! Reviews: a whole game, move by move.

use serde::Deserialize;
use serde_json::json;

use crate::{EngineSlot, ProgressSender, RequestError, SearchTask, to_json};
use tengen_record::replay::IllegalMove;
use tengen_rules::game::Game;
use tengen_study::PositionInput;
use tengen_study::review::{
    self, Evaluation, Evaluations, Review, ReviewAnswer, ReviewProgress, comment,
};

/// Nodes for each position of the game: default and maximum.
const NODES: u64 = 50_000;
const MAX_NODES: u64 = 100_000_000;

/// Requests a review.
#[derive(Deserialize)]
pub(crate) struct ReviewRequest {
    position: PositionInput,
    nodes: Option<u64>,
    /// The evaluations of an earlier review, one for each position. With them nothing is searched.
    evaluations: Option<Vec<String>>,
    /// Number of moves at the start that were given: they are not graded.
    #[serde(default)]
    given: usize,
}

/// The search for the evaluations.
///
/// # Errors
/// If the request is invalid or the game has no moves.
pub(crate) fn review(request: ReviewRequest) -> Result<SearchTask, RequestError> {
    let mut game = request.position.engine_game()?;
    // A forbidden last move needs no evaluation.
    let foul = request.position.foul(&game);
    if foul.is_some() {
        game.undo();
    }
    let illegal = foul.map(|(point, foul)| IllegalMove::foul(point, foul));
    let count = game.moves().count();
    if count == 0 && illegal.is_none() {
        return Err(RequestError::with_code("the game has no moves", "no-moves", json!({})));
    }
    let nodes = request.nodes.unwrap_or(NODES);
    if !(1..=MAX_NODES).contains(&nodes) {
        return Err(RequestError::new(format!("nodes is {nodes}: expected 1 to {MAX_NODES}")));
    }
    let known = match request.evaluations {
        Some(mut texts) => {
            // The evaluation after a forbidden move adds no information.
            texts
                .truncate(texts.len() - usize::from(illegal.is_some() && texts.len() == count + 2));
            Some(parse_evaluations(&texts, &game, count + 1)?)
        }
        None => None,
    };
    let given = request.given;
    let rule = game.rule();
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let evaluations = match known {
            Some(evaluations) => evaluations,
            None => {
                slot.engine.new_game();
                let progress = |judged| sender.send(&ReviewProgress { judged, of: count + 1 });
                let (engine, known) = (&mut slot.engine, &mut Evaluations::default());
                let found = review::evaluate(&game, engine, nodes, &sender.stop, known, progress);
                let Some(found) = found else { return to_json(&ReviewAnswer::stopped()) };
                found
            }
        };
        let review = Review::new(game, evaluations).with_given(given).with_illegal(illegal);
        to_json(&ReviewAnswer::from(&review))
    };
    Ok(SearchTask::new(rule, job))
}

/// The evaluations in these texts, one for each of the `count` positions of a game.
///
/// # Errors
/// If their number is another, or a text is invalid.
fn parse_evaluations(
    texts: &[String],
    game: &Game,
    count: usize,
) -> Result<Vec<Evaluation>, RequestError> {
    if texts.len() != count {
        let problem = format!("{} evaluations for {count} positions", texts.len());
        return Err(RequestError::new(problem));
    }
    let read = |text: &String| {
        comment::find(text, game.size())
            .ok_or_else(|| RequestError::new(format!("invalid evaluation {text:?}")))
    };
    texts.iter().map(read).collect()
}
