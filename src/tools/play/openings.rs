//! Openings that share out the colours, as a talk between two players: people answer in words,
//! players of this program by what the engine thinks.

use super::Finish;
use super::command::Command;
use super::table::{Heard, Seat, Table};
use crate::engine::Limits;
use crate::engine::opening::{Choice, Opening};
use crate::game::Game;
use crate::opening::{Answer, Dialogue, OpeningRule, Question, Seat as Side};
use crate::types::{BoardSize, Color, Notation, Point, Rule};

/// An opening in progress.
pub(super) struct OpeningTalk {
    pub(super) dialogue: Dialogue,
    /// Points that a player of this program will name next, the last one first.
    plan: Vec<Point>,
    /// The number of fifth moves that it will ask for.
    number: usize,
}

impl OpeningTalk {
    /// Nothing has been said.
    pub(super) fn new(opening: OpeningRule, size: BoardSize, rule: Rule) -> OpeningTalk {
        OpeningTalk { dialogue: Dialogue::new(opening, size, rule), plan: Vec::new(), number: 1 }
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
                self.ask_player(side, question)?;
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
                self.set_game(Game::new(
                    size.unwrap_or(self.game.size()),
                    rule.unwrap_or(self.game.rule()),
                ));
            }
            Ok(Command::Moves) => self.screen.note(self.moves_line()),
            Ok(Command::Board) => self.screen.change(),
            Ok(_) => self.screen.note("that has to wait: answer the question, or say new or quit"),
            Err(problem) => self.screen.note(problem),
        }
        Ok(None)
    }

    fn ask_player(&mut self, side: Side, question: Question) -> anyhow::Result<()> {
        let Some(talk) = &mut self.opening else { return Ok(()) };
        let limits = Limits::turn(self.time);
        let seed = self.seed.unwrap_or_else(rand::random);
        let engine = &mut self.engine;
        let screen = &mut self.screen;
        let (answer, _) = self.ears.while_thinking(|stop| {
            screen.meanwhile(&format!("the {} thinks", name_of(side)))?;
            let mut opening = Opening::new(engine, &limits, stop, seed);
            anyhow::Ok(decide(&mut opening, talk, question))
        });
        self.take_answer(side, answer?);
        Ok(())
    }

    /// Hands the answer to the rule, and shows what came of it.
    fn take_answer(&mut self, side: Side, answer: Answer) {
        let Some(talk) = &mut self.opening else { return };
        if let Err(refusal) = talk.dialogue.answer(answer) {
            self.screen.note(refusal.to_string());
            return;
        }
        let stones = talk.dialogue.board().history().iter().map(|stone| stone.point);
        self.game = Game::replay(self.game.size(), self.game.rule(), stones);
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

/// What a player of this program answers. Points of one decision are kept for the next questions.
fn decide(opening: &mut Opening<'_>, talk: &mut OpeningTalk, question: Question) -> Answer {
    let board = talk.dialogue.board().clone();
    let rule = talk.dialogue.rule();
    let swap_if = |swaps| if swaps { Answer::Swap } else { Answer::Stay };
    match question {
        Question::Place { reach, .. } => {
            if talk.plan.is_empty() {
                let stones = board.history().len();
                talk.plan = match rule {
                    OpeningRule::Soosorv8 if stones == 3 => {
                        let found = opening.fourth_and_offers(&board);
                        talk.number = found.map_or(1, |(_, offers)| offers);
                        found.into_iter().map(|(fourth, _)| fourth).collect()
                    }
                    OpeningRule::Soosorv8 => {
                        opening.place_soosorv(board.size(), board.rule()).into()
                    }
                    OpeningRule::Taraguchi10 => {
                        opening.balance_within(&board, reach).into_iter().collect()
                    }
                    _ => opening.propose(board.size(), board.rule()).into(),
                };
                talk.plan.reverse();
            }
            next_point(talk, &board)
        }
        Question::Swap if rule == OpeningRule::Swap2 => {
            // The engine speaks as white, the first player still has black.
            swap_if(opening.after_five(&board) != Choice::Swap)
        }
        Question::Swap if talk.wanted() > 0 => {
            swap_if(opening.wants_swap_of_offers(&board, talk.wanted()))
        }
        Question::Swap => swap_if(opening.wants_swap(&board)),
        Question::SwapOrExtend => match opening.after_three(&board) {
            Choice::Swap => Answer::Swap,
            Choice::Stay(_) => Answer::Stay,
            Choice::Extend([first, second]) => {
                talk.plan = vec![second, first];
                Answer::Extend
            }
        },
        Question::SwapOrOffer => {
            if opening.wants_swap(&board) {
                Answer::Swap
            } else if opening.wants_swap_of_offers(&board, Dialogue::TARAGUCHI_OFFERS) {
                // The worst of ten would lose what black has.
                Answer::Stay
            } else {
                Answer::Extend
            }
        }
        Question::Number { most } => Answer::Number(talk.number.clamp(1, most)),
        Question::Offer { given, wanted } => {
            if talk.plan.is_empty() {
                talk.plan = opening.fifth_moves(&board, wanted);
                talk.plan.reverse();
                talk.plan.truncate(wanted - given);
            }
            next_point(talk, &board)
        }
        Question::Pick => {
            let offers = talk.dialogue.offers().to_vec();
            let picked = opening.choose_fifth(&board, &offers);
            Answer::Point(picked.unwrap_or(offers[0]))
        }
    }
}

/// The next planned point that the rule takes; where the plan fails, the first point that it does.
fn next_point(talk: &mut OpeningTalk, board: &crate::board::Board) -> Answer {
    let allowed =
        |talk: &OpeningTalk, point| talk.dialogue.clone().answer(Answer::Point(point)).is_ok();
    while let Some(point) = talk.plan.pop() {
        if allowed(talk, point) {
            return Answer::Point(point);
        }
    }
    let center = board.size().center();
    let free = board.empty_points().filter(|&point| allowed(talk, point));
    let nearest = free.min_by_key(|point| point.distance(center));
    Answer::Point(nearest.unwrap_or(center))
}

impl OpeningTalk {
    fn wanted(&self) -> usize {
        self.dialogue.wanted()
    }
}
