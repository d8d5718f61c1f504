//! The engine's answers in an opening.

use super::{Answer, Dialogue, OpeningRule, Question};
use crate::engine::opening_search::{Choice, OpeningSearch};
use tengen_rules::types::Point;

/// Answers the questions of one opening with the engine, and keeps the planned points for the
/// questions that follow.
#[derive(Clone, Debug)]
pub struct Adviser {
    /// Points of the next answers, in reverse order.
    plan: Vec<Point>,
    /// The number of fifth moves to request.
    number: usize,
}

impl Default for Adviser {
    fn default() -> Adviser {
        Adviser { plan: Vec::new(), number: 1 }
    }
}

impl Adviser {
    /// The answer to the current question of the dialogue; `None` when there is none. If a decision
    /// yields several points, the others are kept for the next questions.
    pub fn answer(
        &mut self,
        opening: &mut OpeningSearch<'_>,
        dialogue: &Dialogue,
    ) -> Option<Answer> {
        let (_, question) = dialogue.question()?;
        let board = dialogue.board();
        let rule = dialogue.rule();
        let swap_if = |swaps| if swaps { Answer::Swap } else { Answer::Stay };
        Some(match question {
            Question::Place { reach, .. } => {
                if self.plan.is_empty() {
                    self.plan_stones(opening, dialogue, reach);
                }
                self.next_point(dialogue)
            }
            Question::Swap if rule == OpeningRule::Swap2 => {
                // The engine answers as white, but the first player still has black.
                swap_if(opening.after_five(board) != Choice::Swap)
            }
            Question::Swap if dialogue.wanted() > 0 => {
                swap_if(opening.should_swap_of_offers(board, dialogue.wanted()))
            }
            Question::Swap => swap_if(opening.should_swap(board)),
            Question::SwapOrExtend => match opening.after_three(board) {
                Choice::Swap => Answer::Swap,
                Choice::Stay(_) => Answer::Stay,
                Choice::Extend([first, second]) => {
                    self.plan = vec![second, first];
                    Answer::Extend
                }
            },
            Question::SwapOrOffer => {
                if opening.should_swap_by_half(board) {
                    Answer::Swap
                } else if opening.should_swap_of_offers(board, Dialogue::TARAGUCHI_OFFERS) {
                    // The worst of ten offers would lose black's advantage.
                    Answer::Stay
                } else {
                    Answer::Extend
                }
            }
            Question::Number { most } => Answer::Number(self.number.clamp(1, most)),
            Question::Offer { wanted, .. } => {
                if self.plan.is_empty() {
                    self.plan = opening.fifth_moves(board, wanted);
                    self.plan.reverse();
                }
                self.next_point(dialogue)
            }
            Question::Pick => {
                let offers = dialogue.offers();
                let picked = opening.choose_fifth(board, offers);
                Answer::Point(picked.unwrap_or(offers[0]))
            }
        })
    }

    /// Plans the stones that one player places in succession.
    fn plan_stones(&mut self, opening: &mut OpeningSearch<'_>, dialogue: &Dialogue, reach: u8) {
        let board = dialogue.board();
        self.plan = match dialogue.rule() {
            OpeningRule::Soosorv8 if board.history().len() == 3 => {
                let found = opening.fourth_and_offers(board);
                self.number = found.map_or(1, |(_, offers)| offers);
                found.into_iter().map(|(fourth, _)| fourth).collect()
            }
            OpeningRule::Soosorv8 => opening.place_soosorv(board.size(), board.rule()).into(),
            OpeningRule::Taraguchi10 => opening.balance_within(board, reach).into_iter().collect(),
            _ => opening.propose(board.size(), board.rule()).into(),
        };
        self.plan.reverse();
    }

    /// The next planned point that the rule allows; without one, the allowed point nearest to the
    /// centre.
    fn next_point(&mut self, dialogue: &Dialogue) -> Answer {
        let is_allowed = |point| dialogue.clone().answer(Answer::Point(point)).is_ok();
        while let Some(point) = self.plan.pop() {
            if is_allowed(point) {
                return Answer::Point(point);
            }
        }
        let board = dialogue.board();
        let center = board.size().center();
        let free = board.empty_points().filter(|&point| is_allowed(point));
        let nearest = free.min_by_key(|point| point.distance(center));
        Answer::Point(nearest.unwrap_or(center))
    }
}
