//! An opening in progress: a sequence of questions and answers.

use std::fmt;

use super::{OpeningRule, Seat};
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Color, MIN_ENGINE_SIDE, Point, Rule, SizeError};

/// Maximum number of fifth moves that white may request under Soosõrv-8.
const SOOSORV_OFFERS: usize = 8;
/// A zone that is the whole board.
const ANYWHERE: u8 = u8::MAX;

/// A question to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Place the next stone.
    Place {
        /// The colour of the stone.
        color: Color,
        /// Largest distance from the centre in either direction: 0 for the centre, 255 for
        /// anywhere.
        reach: u8,
    },
    /// Swap colours or stay.
    Swap,
    /// Swap, stay, or place two more stones ([`Answer::Extend`]).
    SwapOrExtend,
    /// Swap, stay, or offer ten fifth moves ([`Answer::Extend`]).
    SwapOrOffer,
    /// Choose the number of fifth moves that black must offer.
    Number {
        /// The largest number allowed; the smallest is 1.
        most: usize,
    },
    /// Offer one more fifth move.
    Offer {
        /// Number of offers so far.
        given: usize,
        /// Number of offers required.
        wanted: usize,
    },
    /// Pick one of the offered fifth moves.
    Pick,
}

/// A player's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Places, offers or picks this point.
    Point(Point),
    /// Takes the other colour.
    Swap,
    /// Keeps the colour.
    Stay,
    /// Takes the third choice: more stones or offers.
    Extend,
    /// Requests this number of fifth moves.
    Number(usize),
}

/// An answer that is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerError {
    /// The answer does not fit this question; `None` if the opening is over.
    NotAsked(Option<Question>),
    /// The cell is taken or off the board.
    Taken(Point),
    /// The stone must lie within this distance from the centre.
    OutOfReach(u8),
    /// The point, or one that is equal by symmetry, was offered before.
    Offered(Point),
    /// The point was not offered.
    NotOffered(Point),
    /// The number must be from 1 to this.
    Number(usize),
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::NotAsked(question) => f.write_str(match question {
                None => "the opening is over",
                Some(Question::Swap) => "expected swap or stay",
                Some(Question::SwapOrExtend) => {
                    "expected swap, stay, or the choice of two more stones"
                }
                Some(Question::SwapOrOffer) => {
                    "expected swap, stay, or the choice to offer fifth moves"
                }
                Some(Question::Number { .. }) => "expected a number of fifth moves",
                Some(Question::Place { .. } | Question::Offer { .. } | Question::Pick) => {
                    "expected a cell"
                }
            }),
            AnswerError::Taken(_) => f.write_str("the cell is taken"),
            AnswerError::OutOfReach(0) => f.write_str("the first stone must lie in the centre"),
            AnswerError::OutOfReach(reach) => {
                let side = 2 * u32::from(*reach) + 1;
                write!(f, "the stone must lie within the central {side}x{side}")
            }
            AnswerError::Offered(_) => {
                f.write_str("that fifth move was offered already, itself or by symmetry")
            }
            AnswerError::NotOffered(_) => f.write_str("that fifth move was not offered"),
            AnswerError::Number(most) => write!(f, "expected a number from 1 to {most}"),
        }
    }
}

impl std::error::Error for AnswerError {}

/// An opening in progress.
///
/// ```
/// use tengen::opening::{Answer, Dialogue, OpeningRule, Question, Seat};
/// use tengen::{BoardSize, Color, Point, Rule};
///
/// let mut opening = Dialogue::new(OpeningRule::Swap, BoardSize::square(15)?, Rule::Freestyle)?;
/// for (x, y) in [(7, 7), (8, 9), (3, 3)] {
///     opening.answer(Answer::Point(Point::new(x, y)))?;
/// }
/// assert_eq!(opening.question(), Some((Seat::Second, Question::Swap)));
/// opening.answer(Answer::Swap)?;
/// assert_eq!(opening.question(), None);
/// assert_eq!(opening.seat_of(Color::Black), Seat::Second);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dialogue {
    rule: OpeningRule,
    board: Board,
    black: Seat,
    question: Option<(Seat, Question)>,
    /// Number of fifth moves that black has to offer.
    wanted: usize,
    offers: Vec<Point>,
}

impl Dialogue {
    /// Fifth moves that black offers under Taraguchi-10.
    pub const TARAGUCHI_OFFERS: usize = 10;

    /// An empty board, with the question to the first player.
    ///
    /// # Errors
    /// When a side has fewer than [`MIN_ENGINE_SIDE`] cells: there is no room for an opening.
    pub fn new(opening: OpeningRule, size: BoardSize, rule: Rule) -> Result<Dialogue, SizeError> {
        BoardSize::at_least(MIN_ENGINE_SIDE, size.width().into(), size.height().into())?;
        let mut dialogue = Dialogue {
            rule: opening,
            board: Board::new(size, rule),
            black: Seat::First,
            question: None,
            wanted: 0,
            offers: Vec::new(),
        };
        dialogue.question = Some(dialogue.place_by(Seat::First));
        Ok(dialogue)
    }

    /// The rule.
    pub fn rule(&self) -> OpeningRule {
        self.rule
    }

    /// The current question and the player to answer it; `None` when the opening is over and the
    /// side to move continues.
    pub fn question(&self) -> Option<(Seat, Question)> {
        self.question
    }

    /// The stones so far, without the offers.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The fifth moves offered so far.
    pub fn offers(&self) -> &[Point] {
        &self.offers
    }

    /// The number of fifth moves that white requested; 0 before the request.
    pub fn wanted(&self) -> usize {
        self.wanted
    }

    /// The player who currently has this colour.
    pub fn seat_of(&self, color: Color) -> Seat {
        match color {
            Color::Black => self.black,
            Color::White => self.black.other(),
        }
    }

    /// Answers the question.
    ///
    /// # Errors
    /// When the answer is not allowed; the question then remains.
    pub fn answer(&mut self, answer: Answer) -> Result<(), AnswerError> {
        use Question::{Number, Offer, Pick, Place, Swap, SwapOrExtend, SwapOrOffer};
        let (seat, question) = self.question.ok_or(AnswerError::NotAsked(None))?;
        self.question = match (question, answer) {
            (Place { reach, .. }, Answer::Point(point)) => {
                self.check_place(point, reach)?;
                self.board.place_unchecked(point, self.board.side_to_move());
                self.after_stone(seat)
            }
            (Swap | SwapOrExtend | SwapOrOffer, Answer::Swap) => {
                self.black = self.black.other();
                self.after_swap()
            }
            (Swap | SwapOrExtend | SwapOrOffer, Answer::Stay) => self.after_swap(),
            (SwapOrExtend, Answer::Extend) => Some(self.place_by(seat)),
            (SwapOrOffer, Answer::Extend) => self.ask_offers(Dialogue::TARAGUCHI_OFFERS),
            (Number { most }, Answer::Number(number)) => {
                if !(1..=most).contains(&number) {
                    return Err(AnswerError::Number(most));
                }
                self.wanted = number;
                Some((seat.other(), Swap))
            }
            (Offer { wanted, .. }, Answer::Point(point)) => {
                self.check_offer(point)?;
                self.offers.push(point);
                self.ask_offers(wanted)
            }
            (Pick, Answer::Point(point)) => {
                if !self.offers.contains(&point) {
                    return Err(AnswerError::NotOffered(point));
                }
                self.board.place_unchecked(point, Color::Black);
                None
            }
            _ => return Err(AnswerError::NotAsked(Some(question))),
        };
        Ok(())
    }

    /// The question after a stone that `seat` has placed.
    fn after_stone(&self, seat: Seat) -> Option<(Seat, Question)> {
        match (self.rule, self.stones()) {
            (OpeningRule::Taraguchi10, 4) => Some((seat.other(), Question::SwapOrOffer)),
            (OpeningRule::Taraguchi10, _) => Some((seat.other(), Question::Swap)),
            (_, 1 | 2) => Some(self.place_by(seat)),
            (OpeningRule::Swap2, 3) => Some((seat.other(), Question::SwapOrExtend)),
            (OpeningRule::Swap2, 4) => Some(self.place_by(seat)),
            (OpeningRule::Soosorv8, 4) => Some((seat, Question::Number { most: SOOSORV_OFFERS })),
            _ => Some((seat.other(), Question::Swap)),
        }
    }

    /// The question after a swap or a decision to stay.
    fn after_swap(&mut self) -> Option<(Seat, Question)> {
        let mover = self.seat_of(self.board.side_to_move());
        match (self.rule, self.stones()) {
            (OpeningRule::Soosorv8, 3) | (OpeningRule::Taraguchi10, ..5) => {
                Some(self.place_by(mover))
            }
            (OpeningRule::Soosorv8, _) => self.ask_offers(self.wanted),
            _ => None,
        }
    }

    fn stones(&self) -> usize {
        self.board.history().len()
    }

    /// The question for the next stone, to this player.
    fn place_by(&self, seat: Seat) -> (Seat, Question) {
        let stones = self.stones() as u8;
        let reach = match self.rule {
            OpeningRule::Swap | OpeningRule::Swap2 => ANYWHERE,
            OpeningRule::Soosorv8 if stones == 3 => ANYWHERE,
            OpeningRule::Soosorv8 | OpeningRule::Taraguchi10 => stones,
        };
        (seat, Question::Place { color: self.board.side_to_move(), reach })
    }

    /// The question for one more fifth move to black, or for the pick to white once there are
    /// `wanted` offers or no other is possible.
    fn ask_offers(&self, wanted: usize) -> Option<(Seat, Question)> {
        let given = self.offers.len();
        let more = self.board.empty_points().any(|point| self.check_offer(point).is_ok());
        if given < wanted && more {
            Some((self.black, Question::Offer { given, wanted }))
        } else {
            Some((self.black.other(), Question::Pick))
        }
    }

    fn check_place(&self, point: Point, reach: u8) -> Result<(), AnswerError> {
        let center = self.board.size().center();
        if !self.board.is_empty(point) {
            Err(AnswerError::Taken(point))
        } else if point.distance(center) > reach {
            Err(AnswerError::OutOfReach(reach))
        } else {
            Ok(())
        }
    }

    /// Checks an offer; no two offers may be equal by a symmetry of the stones.
    fn check_offer(&self, point: Point) -> Result<(), AnswerError> {
        if !self.board.is_empty(point) {
            return Err(AnswerError::Taken(point));
        }
        let size = self.board.size();
        let symmetries = self.board.symmetries();
        let repeated =
            symmetries.iter().any(|symmetry| self.offers.contains(&symmetry.point(size, point)));
        if repeated { Err(AnswerError::Offered(point)) } else { Ok(()) }
    }
}
