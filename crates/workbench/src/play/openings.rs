//! Opening rules that decide the colours: people type their answers, players of this program
//! answer by the engine's advice.

use super::Finish;
use super::command::Command;
use super::session::{PlaySession, Prompted, Seat};
use tengen::engine::opening_search::OpeningSearch;
use tengen::opening::{
    Adviser, Answer, AnswerError, Dialogue, OpeningRule, Question, Seat as Side,
};
use tengen_rules::game::{Game, Offence};
use tengen_rules::types::{BoardSize, CellText, Color, Notation, Rule, SizeError};
use tengen_study::wording;
use tengen_words::{Words, say};

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
        let words = self.screen.words;
        self.screen.note(say!(
            words,
            "opening.over",
            black = self.seats[0].name(words),
            white = self.seats[1].name(words),
            color = wording::color(words, self.game.side_to_move())
        ));
        self.screen.change();
    }

    fn ask_person(&mut self, side: Side, question: Question) -> anyhow::Result<Option<Finish>> {
        let words = self.screen.words;
        self.screen.note(question_text(question, words));
        let player = player_label(side, words);
        let prompt = match self.only_person() {
            Some(_) => say!(words, "opening.you-are", player = player),
            None => player.to_string(),
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
                self.note_refusal(Offence::OffBoard, &cell.to_string());
            }
            Ok(
                Command::Redo
                | Command::Swap
                | Command::Seat(..)
                | Command::Level(_)
                | Command::Go
                | Command::Resign,
            ) => {
                self.screen.note(words.text("opening.not-now"));
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
            self.screen.note(self.screen.words.text("opening.no-undo"));
        }
    }

    /// Notes the answer that the engine would give.
    fn hint_for_opening(&mut self) -> anyhow::Result<()> {
        let limits = self.turn_limits();
        let seed = self.seed.unwrap_or_else(rand::random);
        let words = self.screen.words;
        let Some(opening) = &self.opening else { return Ok(()) };
        let (engine, screen) = (&mut self.engine, &mut self.screen);
        let (answer, _) = self.input.run_interruptible(|stop| {
            screen.show_transient(words.text("play.considering"))?;
            let mut advice = OpeningSearch::new(engine, &limits, stop, seed);
            let answer = opening.adviser.clone().answer(&mut advice, &opening.dialogue);
            anyhow::Ok((answer, advice.proved_winner()))
        });
        let (Some(answer), winner) = answer? else { return Ok(()) };
        let text = match answer {
            Answer::Point(point) => self.game.notation().name(point),
            Answer::Swap => "swap".to_string(),
            Answer::Stay => "stay".to_string(),
            Answer::Extend if offers_fifth_moves(opening) => "ten".to_string(),
            Answer::Extend => "more".to_string(),
            Answer::Number(number) => number.to_string(),
        };
        self.screen.note(say!(words, "opening.best-answer", answer = text));
        self.note_proof(winner);
        self.screen.clear_transient();
        Ok(())
    }

    fn ask_player(&mut self, side: Side) -> anyhow::Result<()> {
        let limits = self.turn_limits();
        let Some(opening) = &mut self.opening else { return Ok(()) };
        let seed = self.seed.unwrap_or_else(rand::random);
        // Levels do not use proved positions.
        let uses_proofs = match &self.seats[seat_index(side)] {
            Seat::Player { name, .. } => name.is_full_strength(),
            Seat::Person => false,
        };
        let engine = &mut self.engine;
        let screen = &mut self.screen;
        let words = screen.words;
        let (answer, _) = self.input.run_interruptible(|stop| {
            let player = player_label(side, words);
            screen.show_transient(&say!(words, "opening.thinks", player = player))?;
            let mut advice =
                OpeningSearch::new(engine, &limits, stop, seed).with_proofs(uses_proofs);
            let answer = opening.adviser.answer(&mut advice, &opening.dialogue);
            anyhow::Ok((answer, advice.proved_winner()))
        });
        if let (Some(answer), winner) = answer? {
            self.take_answer(side, answer);
            self.note_proof(winner);
        }
        Ok(())
    }

    /// Notes who is proved to win, if a proof decided an answer.
    fn note_proof(&mut self, winner: Option<Color>) {
        let words = self.screen.words;
        if let Some(winner) = winner {
            let color = wording::color(words, winner);
            self.screen.note(say!(words, "proved.wins", color = color));
        }
    }

    /// Applies an answer and shows the result.
    fn take_answer(&mut self, side: Side, answer: Answer) {
        let Some(opening) = &mut self.opening else { return };
        if let Err(refusal) = opening.answer(side, answer) {
            self.screen.note(refusal.to_string());
            return;
        }
        let offers = offers_fifth_moves(opening);
        let before = self.game.moves().count();
        self.show_answers();
        self.note_time(before);
        let words = self.screen.words;
        let text = match answer {
            Answer::Point(point) => self.game.notation().name(point),
            Answer::Swap => words.text("opening.swaps").to_string(),
            Answer::Stay => words.text("opening.stays").to_string(),
            Answer::Extend if offers => words.text("opening.offers").to_string(),
            Answer::Extend => words.text("opening.extends").to_string(),
            Answer::Number(number) => say!(words, "opening.asks-for", number = number),
        };
        let player = match self.only_person() {
            Some(person) if person == seat_index(side) => words.text("opening.you"),
            _ => player_label(side, words),
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

/// Whether the third choice of the opening is to offer fifth moves, not to place two more stones.
fn offers_fifth_moves(opening: &OpeningDialogue) -> bool {
    opening.dialogue.rule() == OpeningRule::Taraguchi10
}

fn player_label(side: Side, words: &Words) -> &str {
    words.text(match side {
        Side::First => "opening.first",
        Side::Second => "opening.second",
    })
}

/// The question as shown to a person.
fn question_text(question: Question, words: &Words) -> String {
    let stone = |color| wording::color(words, color);
    match question {
        Question::Place { color, reach: 0 } => {
            say!(words, "opening.ask.place-center", color = stone(color))
        }
        Question::Place { color, reach: u8::MAX } => {
            say!(words, "opening.ask.place-anywhere", color = stone(color))
        }
        Question::Place { color, reach } => {
            let side = 2 * u32::from(reach) + 1;
            say!(words, "opening.ask.place-within", color = stone(color), side = side)
        }
        Question::Swap => words.text("opening.swap").to_string(),
        Question::SwapOrExtend => words.text("opening.swap-or-extend").to_string(),
        Question::SwapOrOffer => words.text("opening.swap-or-offer").to_string(),
        Question::Number { most } => say!(words, "opening.number", most = most),
        Question::Offer { given, wanted } => {
            say!(words, "opening.ask.offer", offer = given + 1, wanted = wanted)
        }
        Question::Pick => words.text("opening.ask.pick").to_string(),
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
