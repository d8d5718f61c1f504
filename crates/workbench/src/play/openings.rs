//! Opening rules that decide the colours: people type their answers, players of this program
//! answer by the engine's advice.

use super::Finish;
use super::command::Command;
use super::session::{PlaySession, Prompted, Seat};
use tengen::engine::opening::Opening;
use tengen::opening::{
    Adviser, Answer, AnswerError, Dialogue, OpeningRule, Question, Seat as Side,
};
use tengen_rules::game::{Game, Offence};
use tengen_rules::types::{BoardSize, CellText, Color, Notation, Rule, SizeError};

/// An opening in progress.
pub(super) struct OpeningDialogue {
    pub(super) dialogue: Dialogue,
    /// Answers for players of this program.
    adviser: Adviser,
    /// The dialogue before each answer, and whose answer it was.
    earlier: Vec<(Side, Dialogue)>,
}

impl OpeningDialogue {
    /// An opening before the first answer.
    ///
    /// # Errors
    /// If the board is too small for an opening.
    pub(super) fn new(
        opening: OpeningRule,
        size: BoardSize,
        rule: Rule,
    ) -> Result<OpeningDialogue, SizeError> {
        let dialogue = Dialogue::new(opening, size, rule)?;
        Ok(OpeningDialogue { dialogue, adviser: Adviser::default(), earlier: Vec::new() })
    }

    /// Whether the second player has black, as things stand.
    pub(super) fn second_has_black(&self) -> bool {
        self.dialogue.seat_of(Color::Black) == Side::Second
    }

    /// Applies an answer.
    fn answer(&mut self, side: Side, answer: Answer) -> Result<(), AnswerError> {
        let before = self.dialogue.clone();
        self.dialogue.answer(answer)?;
        self.earlier.push((side, before));
        Ok(())
    }

    /// Takes back the last answer of a side that `is_own` accepts, and those after it; false if there
    /// is none.
    fn take_back(&mut self, is_own: impl Fn(Side) -> bool) -> bool {
        let Some(last) = self.earlier.iter().rposition(|(side, _)| is_own(*side)) else {
            return false;
        };
        self.earlier.truncate(last + 1);
        if let Some((_, before)) = self.earlier.pop() {
            self.dialogue = before;
        }
        // Its plan belongs to the answers taken back.
        self.adviser = Adviser::default();
        true
    }
}

/// The index of the seat of a player. Until the end of the opening seat 0 belongs to the first player.
const fn seat_index(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

impl PlaySession<'_> {
    /// Handles one question and its answer, or ends the opening. Returns the end of the session if
    /// the player leaves.
    pub(super) fn opening_step(&mut self) -> anyhow::Result<Option<Finish>> {
        let Some(opening) = &self.opening else { return Ok(None) };
        let Some((side, question)) = opening.dialogue.question() else {
            self.end_opening();
            return Ok(None);
        };
        let offers = opening.dialogue.offers();
        match &self.seats[seat_index(side)] {
            Seat::Person => match (question, offers) {
                (Question::Pick, &[only]) => {
                    self.take_answer(side, Answer::Point(only));
                    Ok(None)
                }
                _ => self.ask_person(side, question),
            },
            Seat::Player { .. } => {
                self.ask_player(side)?;
                Ok(None)
            }
        }
    }

    /// Gives each player the seat of the colour that the opening decided.
    fn end_opening(&mut self) {
        let Some(opening) = self.opening.take() else { return };
        if opening.second_has_black() {
            self.seats.swap(0, 1);
        }
        self.opening_moves = self.game.moves().count();
        let side = self.game.side_to_move();
        self.screen.note(format!(
            "the opening is over; black: {}, white: {}, {} to move",
            self.seats[0].name(),
            self.seats[1].name(),
            side.name()
        ));
        self.screen.change();
    }

    fn ask_person(&mut self, side: Side, question: Question) -> anyhow::Result<Option<Finish>> {
        self.screen.note(question_text(question));
        let prompt = match self.only_person() {
            Some(_) => format!("you ({})", player_label(side)),
            None => player_label(side).to_string(),
        };
        let line = match self.prompt(&prompt)? {
            Prompted::Line(line) => line,
            Prompted::Empty => return Ok(None),
            Prompted::Finish(finish) => return Ok(Some(finish)),
        };
        let notation = self.game.notation();
        if let Some(answer) = parse_answer(&line, question, notation, self.game.size()) {
            self.take_answer(side, answer);
            return Ok(None);
        }
        match Command::parse(&line) {
            Ok(Command::Quit) => return Ok(Some(Finish::Complete)),
            Ok(Command::Undo) => self.take_back_answer(),
            Ok(Command::Hint(_)) => self.hint_for_opening()?,
            Ok(Command::Move(cell)) => {
                self.screen.note(Offence::OffBoard.of_move(cell, self.game.size()))
            }
            Ok(
                Command::Redo
                | Command::Swap
                | Command::Seat(..)
                | Command::Level(_)
                | Command::Go
                | Command::Resign,
            ) => {
                self.screen.note("not during an opening: answer the question, or type new or quit")
            }
            Ok(command) => self.execute(command)?,
            Err(problem) => self.screen.note(problem),
        }
        Ok(None)
    }

    /// Takes back the last answer of a person.
    fn take_back_answer(&mut self) {
        let persons = [0, 1].map(|index| self.seats[index].is_person());
        let Some(opening) = &mut self.opening else { return };
        if opening.take_back(|side| persons[seat_index(side)]) {
            self.show_answers();
        } else {
            self.screen.note("no answer of yours to take back");
        }
    }

    /// Notes the answer that the engine would give.
    fn hint_for_opening(&mut self) -> anyhow::Result<()> {
        let limits = self.turn_limits();
        let seed = self.seed.unwrap_or_else(rand::random);
        let Some(opening) = &self.opening else { return Ok(()) };
        let (engine, screen) = (&mut self.engine, &mut self.screen);
        let (answer, _) = self.input.run_interruptible(|stop| {
            screen.show_transient("thinking; Ctrl-C stops it")?;
            let mut advice = Opening::new(engine, &limits, stop, seed);
            anyhow::Ok(opening.adviser.clone().answer(&mut advice, &opening.dialogue))
        });
        let Some(answer) = answer? else { return Ok(()) };
        let text = match answer {
            Answer::Point(point) => self.game.notation().name(point),
            Answer::Swap => "swap".to_string(),
            Answer::Stay => "stay".to_string(),
            Answer::Extend => "the third choice".to_string(),
            Answer::Number(number) => number.to_string(),
        };
        self.screen.note(format!("best answer {text}"));
        self.screen.clear_transient();
        Ok(())
    }

    fn ask_player(&mut self, side: Side) -> anyhow::Result<()> {
        let limits = self.turn_limits();
        let Some(opening) = &mut self.opening else { return Ok(()) };
        let seed = self.seed.unwrap_or_else(rand::random);
        let engine = &mut self.engine;
        let screen = &mut self.screen;
        let (answer, _) = self.input.run_interruptible(|stop| {
            screen.show_transient(&format!("the {} thinks", player_label(side)))?;
            let mut advice = Opening::new(engine, &limits, stop, seed);
            anyhow::Ok(opening.adviser.answer(&mut advice, &opening.dialogue))
        });
        if let Some(answer) = answer? {
            self.take_answer(side, answer);
        }
        Ok(())
    }

    /// Applies an answer and shows the result.
    fn take_answer(&mut self, side: Side, answer: Answer) {
        let Some(opening) = &mut self.opening else { return };
        if let Err(refusal) = opening.answer(side, answer) {
            self.screen.note(refusal.to_string());
            return;
        }
        let before = self.game.moves().count();
        self.show_answers();
        self.note_time(before);
        let text = match answer {
            Answer::Point(point) => self.game.notation().name(point),
            Answer::Swap => "swaps".to_string(),
            Answer::Stay => "stays".to_string(),
            Answer::Extend => "takes the third choice".to_string(),
            Answer::Number(1) => "asks for 1 fifth move".to_string(),
            Answer::Number(number) => format!("asks for {number} fifth moves"),
        };
        let player = match self.only_person() {
            Some(person) if person == seat_index(side) => "you",
            _ => player_label(side),
        };
        self.screen.note(format!("{player}: {text}"));
    }

    /// Puts the stones of the opening on the board.
    fn show_answers(&mut self) {
        let Some(opening) = &self.opening else { return };
        let moves = opening.dialogue.board().moves();
        self.game = Game::replay(self.game.size(), self.game.rule(), moves);
        self.screen.change();
    }
}

const fn player_label(side: Side) -> &'static str {
    match side {
        Side::First => "first player",
        Side::Second => "second player",
    }
}

/// The question as shown to a person.
fn question_text(question: Question) -> String {
    match question {
        Question::Place { color, reach: 0 } => {
            format!("place a {} stone in the centre", color.name())
        }
        Question::Place { color, reach: u8::MAX } => {
            format!("place a {} stone anywhere", color.name())
        }
        Question::Place { color, reach } => {
            let side = 2 * u32::from(reach) + 1;
            format!("place a {} stone within the central {side}x{side}", color.name())
        }
        Question::Swap => "swap or stay?".to_string(),
        Question::SwapOrExtend => "swap, stay, or more (place two more stones)?".to_string(),
        Question::SwapOrOffer => "swap, stay, or ten (offer ten fifth moves)?".to_string(),
        Question::Number { most } => format!("how many fifth moves, 1 to {most}?"),
        Question::Offer { given, wanted } => {
            format!("offer fifth move {} of {wanted}", given + 1)
        }
        Question::Pick => "pick one of the fifth moves offered".to_string(),
    }
}

/// Parses a person's answer. `None` if the line is not an answer.
fn parse_answer(
    line: &str,
    question: Question,
    notation: Notation,
    size: BoardSize,
) -> Option<Answer> {
    let word = line.trim().to_ascii_lowercase();
    let is_swap =
        matches!(question, Question::Swap | Question::SwapOrExtend | Question::SwapOrOffer);
    match word.as_str() {
        "yes" | "y" if is_swap => Some(Answer::Swap),
        "no" | "n" if is_swap => Some(Answer::Stay),
        "swap" => Some(Answer::Swap),
        "stay" => Some(Answer::Stay),
        "more" | "ten" => Some(Answer::Extend),
        _ if word.parse::<usize>().is_ok() => word.parse().ok().map(Answer::Number),
        _ => {
            let at = CellText::read_one(&word).ok()?.at(notation);
            size.point(at.x, at.y).map(Answer::Point)
        }
    }
}
