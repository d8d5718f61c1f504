//! Opening rules. The page holds the answers so far. The server replays them, returns the next
//! question, and answers for the engine.

use serde::Deserialize;
use serde_json::{Value, json};

use super::SearchLimits;
use crate::engine_pool::EngineSlot;
use crate::response::HttpError;
use crate::stream::{ProgressSender, SearchTask};
use tengen::engine::opening::Opening;
use tengen::opening::{Adviser, Answer, Dialogue, OpeningRule, Question, Seat};
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, Color, Point};
use tengen_study::{InputError, parse_name, point};

/// Maximum number of answers.
const MAX_ANSWERS: usize = 64;

/// An opening and the answers so far.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpeningRequest {
    opening: String,
    rule: String,
    width: i64,
    height: i64,
    /// `h8`, `swap`, `stay`, `extend`, or a number.
    answers: Vec<String>,
}

/// Requests the answers of the engine.
#[derive(Deserialize)]
pub(crate) struct OpeningAnswerRequest {
    tab: String,
    told: OpeningRequest,
    #[serde(flatten)]
    limits: SearchLimits,
    seed: Option<u64>,
}

impl OpeningRequest {
    fn dialogue(&self) -> Result<(Dialogue, Game), HttpError> {
        let opening: OpeningRule = self.opening.parse().map_err(HttpError::new)?;
        let rule = parse_name(&self.rule)?;
        let size = BoardSize::new(self.width, self.height).map_err(HttpError::new)?;
        if self.answers.len() > MAX_ANSWERS {
            return Err(HttpError::new(format!(
                "too many answers: expected at most {MAX_ANSWERS}"
            )));
        }
        let game = Game::new(size, rule);
        let mut dialogue = Dialogue::new(opening, size, rule).map_err(HttpError::new)?;
        for (number, text) in (1..).zip(&self.answers) {
            let place = || format!("answer {number} ({text})");
            let answer = parse(text, &game).map_err(|error| error.at(place()))?;
            dialogue.answer(answer).map_err(|refusal| HttpError::new(refusal).at(place()))?;
        }
        Ok((dialogue, game))
    }
}

fn parse(text: &str, game: &Game) -> Result<Answer, InputError> {
    Ok(match text {
        "swap" => Answer::Swap,
        "stay" => Answer::Stay,
        "extend" => Answer::Extend,
        _ => match text.parse() {
            Ok(number) => Answer::Number(number),
            Err(_) => Answer::Point(point(game, text)?),
        },
    })
}

fn name(answer: Answer, game: &Game) -> String {
    match answer {
        Answer::Point(point) => game.notation().name(point),
        Answer::Swap => "swap".to_string(),
        Answer::Stay => "stay".to_string(),
        Answer::Extend => "extend".to_string(),
        Answer::Number(number) => number.to_string(),
    }
}

/// The next question, the player it is for, and the stones.
pub(crate) fn state(told: &OpeningRequest) -> Result<Value, HttpError> {
    let (dialogue, game) = told.dialogue()?;
    Ok(describe(&dialogue, &game))
}

fn describe(dialogue: &Dialogue, game: &Game) -> Value {
    let notation = game.notation();
    let board = dialogue.board();
    let is_allowed = |&point: &Point| dialogue.clone().answer(Answer::Point(point)).is_ok();
    json!({
        "moves": notation.list(board.moves()),
        "offers": notation.list(dialogue.offers()),
        "black": seat(dialogue.seat_of(Color::Black)),
        "asked": dialogue.question().map(|(asked, _)| seat(asked)),
        "question": dialogue.question().map(|(_, question)| question_json(question)),
        "allowed": notation.list(board.empty_points().filter(is_allowed)),
    })
}

const fn seat(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

fn question_json(question: Question) -> Value {
    match question {
        Question::Place { color, reach } => {
            json!({ "kind": "place", "color": color.name(), "reach": reach })
        }
        Question::Swap => json!({ "kind": "swap" }),
        Question::SwapOrExtend => json!({ "kind": "swap-or-extend" }),
        Question::SwapOrOffer => json!({ "kind": "swap-or-offer" }),
        Question::Number { most } => json!({ "kind": "number", "most": most }),
        Question::Offer { given, wanted } => {
            json!({ "kind": "offer", "given": given, "wanted": wanted })
        }
        Question::Pick => json!({ "kind": "pick" }),
    }
}

/// The engine's answers up to the next question for the other player.
///
/// # Errors
/// If the opening is invalid or over.
pub(crate) fn answer(request: OpeningAnswerRequest) -> Result<SearchTask, HttpError> {
    let (mut dialogue, game) = request.told.dialogue()?;
    let Some((speaker, _)) = dialogue.question() else {
        return Err(HttpError::new("the opening is over"));
    };
    let limits = request.limits.to_engine()?;
    let seed = request.seed.unwrap_or_else(rand::random);
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let mut adviser = Adviser::default();
        let mut given = Vec::new();
        while let Some((asked, _)) = dialogue.question()
            && asked == speaker
        {
            let mut opening = Opening::new(&mut slot.engine, &limits, &sender.stop, seed);
            let Some(answer) = adviser.answer(&mut opening, &dialogue) else { break };
            dialogue.answer(answer).map_err(HttpError::new)?;
            given.push(name(answer, &game));
            sender.send(json!({ "answers": given }));
        }
        Ok(json!({ "answers": given, "stopped": sender.is_stopped() }))
    };
    Ok(SearchTask::new(request.tab, job))
}
