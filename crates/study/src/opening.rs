//! Opening rules as a dialogue: the answers so far are replayed, and the next question is returned.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, CellName, cells};
use crate::input::InputError;
use crate::named::{Name, Named};
use crate::position::{parse_name, point};
use tengen::opening::{Answer, Dialogue, OpeningRule, Question, Seat};
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, Color, Point};

/// Maximum number of answers.
const MAX_ANSWERS: usize = 64;

/// An opening and the answers so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningInput {
    /// The name of the opening rule.
    pub opening: String,
    /// The name of the rule of the game.
    pub rule: String,
    /// Columns of the board.
    pub width: i64,
    /// Rows of the board.
    pub height: i64,
    /// The answers: `h8`, `swap`, `stay`, `extend`, or a number.
    pub answers: Vec<String>,
}

/// The stones of an opening, and the next question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpeningState {
    /// The stones in playing order.
    pub moves: Vec<Cell>,
    /// The fifth moves that were offered.
    pub offers: Vec<Cell>,
    /// The player with the black stones.
    pub black: Named<Seat>,
    /// The player to answer the question; null if the opening is over.
    pub asked: Option<Named<Seat>>,
    /// The question; null if the opening is over.
    pub question: Option<OpeningQuestion>,
    /// The cells that answer the question.
    pub allowed: Vec<Cell>,
}

/// A question of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum OpeningQuestion {
    /// Place a stone.
    Place {
        /// The colour of the stone.
        color: Named<Color>,
        /// The maximum distance from the centre; 255 for no limit.
        reach: u8,
    },
    /// Swap or stay?
    Swap,
    /// Swap, stay, or place two more stones?
    SwapOrExtend,
    /// Swap, stay, or offer fifth moves?
    SwapOrOffer,
    /// State the number of fifth moves to offer.
    Number {
        /// The largest number.
        most: usize,
    },
    /// Offer a fifth move.
    Offer {
        /// Number of moves offered so far.
        given: usize,
        /// Number of moves to offer in total.
        wanted: usize,
    },
    /// Pick one of the offered moves.
    Pick,
}

/// The opening answers of a player of this program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpeningAnswers {
    /// The answers: `h8`, `swap`, `stay`, `extend`, or a number.
    pub answers: Vec<String>,
    /// Whether the search was stopped.
    pub stopped: bool,
}

impl Name for Seat {
    const TYPE: &'static str = "Seat";

    fn all() -> Vec<Seat> {
        vec![Seat::First, Seat::Second]
    }

    fn name(self) -> &'static str {
        match self {
            Seat::First => "first",
            Seat::Second => "second",
        }
    }
}

impl OpeningInput {
    /// The opening after the answers, and the empty board.
    ///
    /// # Errors
    /// When a name is unknown, or an answer is invalid, with its number and text.
    pub fn dialogue(&self) -> Result<(Dialogue, Game), InputError> {
        let opening: OpeningRule = parse_name(&self.opening)?;
        let rule = parse_name(&self.rule)?;
        let size = BoardSize::new(self.width, self.height)?;
        if self.answers.len() > MAX_ANSWERS {
            return Err(InputError::other(format!(
                "too many answers: expected at most {MAX_ANSWERS}"
            )));
        }
        let game = Game::new(size, rule);
        let mut dialogue = Dialogue::new(opening, size, rule).map_err(InputError::other)?;
        for (number, text) in (1..).zip(&self.answers) {
            let place = || format!("answer {number} ({text})");
            let answer = parse_answer(text, &game).map_err(|error| error.at(place()))?;
            let given = dialogue.answer(answer);
            given.map_err(|error| InputError::Answer(error).at(place()))?;
        }
        Ok((dialogue, game))
    }
}

/// Parses an answer.
///
/// # Errors
/// When the text is not an answer.
pub fn parse_answer(text: &str, game: &Game) -> Result<Answer, InputError> {
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

/// The text of an answer, `h8` for a cell.
pub fn answer_text(answer: Answer, game: &Game) -> CellName {
    match answer {
        Answer::Point(point) => game.notation().name(point),
        Answer::Swap => "swap".to_string(),
        Answer::Stay => "stay".to_string(),
        Answer::Extend => "extend".to_string(),
        Answer::Number(number) => number.to_string(),
    }
}

impl From<&Dialogue> for OpeningState {
    fn from(dialogue: &Dialogue) -> OpeningState {
        let board = dialogue.board();
        let is_allowed = |&point: &Point| dialogue.clone().answer(Answer::Point(point)).is_ok();
        OpeningState {
            moves: cells(board.moves()),
            offers: cells(dialogue.offers().iter().copied()),
            black: Named(dialogue.seat_of(Color::Black)),
            asked: dialogue.question().map(|(asked, _)| Named(asked)),
            question: dialogue.question().map(|(_, question)| question.into()),
            allowed: cells(board.empty_points().filter(is_allowed)),
        }
    }
}

impl From<Question> for OpeningQuestion {
    fn from(question: Question) -> OpeningQuestion {
        match question {
            Question::Place { color, reach } => {
                OpeningQuestion::Place { color: Named(color), reach }
            }
            Question::Swap => OpeningQuestion::Swap,
            Question::SwapOrExtend => OpeningQuestion::SwapOrExtend,
            Question::SwapOrOffer => OpeningQuestion::SwapOrOffer,
            Question::Number { most } => OpeningQuestion::Number { most },
            Question::Offer { given, wanted } => OpeningQuestion::Offer { given, wanted },
            Question::Pick => OpeningQuestion::Pick,
        }
    }
}
