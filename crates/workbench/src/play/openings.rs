//! Openings that share out the colours, as a talk between two players: people answer in words,
//! players of this program by what the engine thinks.

use super::Finish;
use super::command::{Command, HELP};
use super::table::{Heard, Seat, Table};
use tengen::engine::Limits;
use tengen::engine::opening::Opening;
use tengen::opening::{Adviser, Answer, Dialogue, OpeningRule, Question, Seat as Side};
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, Color, Notation, Rule, SizeError};

/// An opening in progress.
pub(super) struct OpeningTalk {
    pub(super) dialogue: Dialogue,
    /// Speaks for players of this program.
    adviser: Adviser,
}

impl OpeningTalk {
    /// Nothing has been said.
    ///
    /// # Errors
    /// When the board has no room for an opening.
    pub(super) fn new(
        opening: OpeningRule,
        size: BoardSize,
        rule: Rule,
    ) -> Result<OpeningTalk, SizeError> {
        let dialogue = Dialogue::new(opening, size, rule)?;
        Ok(OpeningTalk { dialogue, adviser: Adviser::default() })
    }
}

impl Table<'_> {
    /// One question and its answer, or the end of the opening. A finish when the player leaves.
    pub(super) fn talk_about_opening(&mut self) -> anyhow::Result<Option<Finish>> {
        let Some(talk) = &self.opening else { return Ok(None) };
        let Some((side, question)) = talk.dialogue.question() else {
            self.end_opening();
            return Ok(None);
        };
        // Until the end the first seat is that of the player who began.
        let seat = match side {
            Side::First => 0,
            Side::Second => 1,
        };
        match &self.seats[seat] {
            Seat::Person => self.ask_person(side, question),
            Seat::Player { .. } => {
                self.ask_player(side)?;
                Ok(None)
            }
        }
    }

    /// Everybody takes the seat of the colour they got.
    fn end_opening(&mut self) {
        let Some(talk) = self.opening.take() else { return };
        if talk.dialogue.seat_of(Color::Black) == Side::Second {
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
        self.screen.note(wording(question));
        let prompt = name_of(side);
        let line = match self.listen(prompt)? {
            Heard::Line(line) => line,
            Heard::Nothing => return Ok(None),
            Heard::End(finish) => return Ok(Some(finish)),
        };
        let notation = self.game.notation();
        if let Some(answer) = parse_answer(&line, notation, self.game.size()) {
            self.take_answer(side, answer);
            return Ok(None);
        }
        match Command::parse(&line) {
            Ok(Command::Quit) => return Ok(Some(Finish::Complete)),
            Ok(Command::New { rule, size }) => {
                self.opening = None;
                let (rule, size) =
                    (rule.unwrap_or(self.game.rule()), size.unwrap_or(self.game.size()));
                self.new_game(rule, size);
            }
            Ok(Command::Moves) => self.screen.note(self.moves_line()),
            Ok(Command::Board) => self.screen.change(),
            Ok(Command::Help) => self.screen.note(HELP),
            Ok(Command::Move(cell)) => self.screen.note(format!("{cell} lies off the board")),
            Ok(_) => self.screen.note("that has to wait: answer the question, or say new or quit"),
            Err(problem) => self.screen.note(problem),
        }
        Ok(None)
    }

    fn ask_player(&mut self, side: Side) -> anyhow::Result<()> {
        let Some(talk) = &mut self.opening else { return Ok(()) };
        let limits = Limits::turn(self.time);
        let seed = self.seed.unwrap_or_else(rand::random);
        let engine = &mut self.engine;
        let screen = &mut self.screen;
        let (answer, _) = self.ears.while_thinking(|stop| {
            screen.meanwhile(&format!("the {} thinks", name_of(side)))?;
            let mut opening = Opening::new(engine, &limits, stop, seed);
            anyhow::Ok(talk.adviser.answer(&mut opening, &talk.dialogue))
        });
        if let Some(answer) = answer? {
            self.take_answer(side, answer);
        }
        Ok(())
    }

    /// Hands the answer to the rule, and shows what came of it.
    fn take_answer(&mut self, side: Side, answer: Answer) {
        let Some(talk) = &mut self.opening else { return };
        if let Err(refusal) = talk.dialogue.answer(answer) {
            self.screen.note(refusal.to_string());
            return;
        }
        let moves = talk.dialogue.board().moves();
        self.game = Game::replay(self.game.size(), self.game.rule(), moves);
        let said = match answer {
            Answer::Point(point) => self.game.notation().name(point),
            Answer::Swap => "swaps".to_string(),
            Answer::Stay => "stays".to_string(),
            Answer::Extend => "takes the third choice".to_string(),
            Answer::Number(number) => format!("asks for {number} fifth moves"),
        };
        self.screen.note(format!("{}: {said}", name_of(side)));
        self.screen.change();
    }
}

const fn name_of(side: Side) -> &'static str {
    match side {
        Side::First => "first player",
        Side::Second => "second player",
    }
}

/// The question in words.
fn wording(question: Question) -> String {
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

/// What a person says to a question; `None` for anything else.
fn parse_answer(line: &str, notation: Notation, size: BoardSize) -> Option<Answer> {
    let word = line.trim().to_ascii_lowercase();
    match word.as_str() {
        "swap" => Some(Answer::Swap),
        "stay" => Some(Answer::Stay),
        "more" | "ten" => Some(Answer::Extend),
        _ if word.parse::<usize>().is_ok() => word.parse().ok().map(Answer::Number),
        _ => {
            let at = notation.parse(&word).ok()?;
            size.point(at.x, at.y).map(Answer::Point)
        }
    }
}
