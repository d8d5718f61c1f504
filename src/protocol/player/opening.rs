//! Decisions in openings.

use super::{Exchange, Player, catch_panic};
use crate::engine::StopSwitch;
use crate::engine::opening_search::OpeningSearch;
use crate::protocol::reply::SessionError;
use tengen_rules::types::{BoardSize, Point, Rule};

impl Player {
    /// Three stones that open a game on this board.
    ///
    /// # Errors
    /// Without a game, or when the search crashes twice.
    pub(in crate::protocol) fn place(
        &mut self,
        exchange: &mut Exchange<'_>,
        choose: impl Fn(&mut OpeningSearch<'_>, BoardSize, Rule) -> [Point; 3],
    ) -> Result<[Point; 3], SessionError> {
        let board = self.board_after(&[])?;
        self.decide(exchange, |opening| choose(opening, board.size(), board.rule()))
    }

    /// Makes an opening decision within the current time limits; retries immediately, without time,
    /// if the search crashes. Clears the prediction. A message names the winner if a proof decides.
    ///
    /// # Errors
    /// When the search crashes twice.
    pub(in crate::protocol) fn decide<T>(
        &mut self,
        exchange: &mut Exchange<'_>,
        decision: impl Fn(&mut OpeningSearch<'_>) -> T,
    ) -> Result<T, SessionError> {
        self.prediction = None;
        self.find_network();
        let (limits, received) = (self.settings.limits(), self.received(exchange.arrival));
        let running = self.interrupts.think(exchange.arrival.number);
        let seed = rand::random();
        // Levels do not use proved positions.
        let uses_proofs = self.books.are_used() && self.settings.level().skill.is_none();
        let mut decide = |stop: &StopSwitch| {
            let opening = OpeningSearch::new(&mut self.engine, &limits, stop, seed);
            let mut opening = opening.with_proofs(uses_proofs).received_at(received);
            let decided = catch_panic(|| decision(&mut opening));
            decided.map(|it| (it, opening.proved_winner()))
        };
        let decided = decide(running.switch()).or_else(|| {
            let stop = StopSwitch::new();
            stop.press();
            decide(&stop)
        });
        drop(running);
        self.finish_answer(received);
        let (decided, winner) = decided.ok_or(SessionError::Crash)?;
        if let Some(winner) = winner {
            let winner = winner.name();
            exchange.message(format_args!("the position is proved to be won by {winner}"));
        }
        Ok(decided)
    }
}
