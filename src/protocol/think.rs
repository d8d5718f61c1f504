//! Requests to think, and thinking in the opponent's time.

use std::time::{Duration, Instant};

use super::analysis::Analyst;
use super::refusal::Refusal;
use super::reply::{Output, Reply};
use super::session::{Arrival, Outcome, Session};
use crate::board::{Board, makes_five};
use crate::engine::{Limits, Request, Silent};
use crate::position::Position;
use crate::types::Point;

/// Taken off the time of the first request of a process: some managers run the clock while the
/// process is still being loaded.
const COLD_START: Duration = Duration::from_millis(25);

/// What the engine expects after its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// The opponent's best reply, if the search saw one.
    reply: Option<Point>,
}

impl Session {
    /// Thinks about the game, plays the answer on it and returns it. `lines` is the number of
    /// best moves to show.
    pub(super) fn answer(
        &mut self,
        lines: usize,
        arrival: Arrival,
        out: &mut dyn Output,
    ) -> Outcome {
        let game = self.game()?;
        let position = Position::from_board(&game.board(self.settings.rule()));
        let limits = self.limits(arrival);
        let request = Request { limits, lines, excluded: self.exclusions.after(game.stones()) };
        let mut analyst = Analyst::new(out, self.settings.detail(), lines, &request.limits);
        analyst.begin();
        let running = self.interrupts.think(arrival.number);
        let report = self.engine.think(&position, &request, running.switch(), &mut analyst);
        drop(running);
        let point = report.best().ok_or(Refusal::FullBoard)?;
        analyst.finish(&report);
        let reply = report.lines.first().and_then(|line| line.moves.get(1)).copied();
        self.game_mut()?.play(point);
        self.prediction = Some(Prediction { reply });
        self.has_answered(request.limits.received);
        Ok(Some(Reply::Move(point)))
    }

    /// What a request may spend.
    ///
    /// Its time runs from its arrival, but never from before the last answer: requests that wait
    /// in the queue have their whole time. The clock goes on while the process is suspended, and
    /// a search that was suspended may end at once: it cannot know whether the manager stopped
    /// its own clock too, and an early answer never loses a game.
    pub(super) fn limits(&self, arrival: Arrival) -> Limits {
        let since = match self.answered {
            Some(answered) => arrival.received.max(answered),
            None => arrival.received.checked_sub(COLD_START).unwrap_or(arrival.received),
        };
        self.settings.limits(since)
    }

    /// An answer whose time ran from `since` is about to be printed.
    pub(super) fn has_answered(&mut self, since: Instant) {
        let now = Instant::now();
        self.settings.charge(now.saturating_duration_since(since));
        self.answered = Some(now);
    }

    /// Thinks in the opponent's time until the next input arrives, if that is wanted and the
    /// last answer still stands. Prints nothing. `number` is that of the last input handled.
    pub fn ponder(&mut self, number: u64) {
        let Some(prediction) = self.prediction.filter(|_| self.settings.pondering()) else {
            return;
        };
        let Some(game) = &self.game else { return };
        let Some(board) = expected(game.board(self.settings.rule()), prediction) else { return };
        let position = Position::from_board(&board);
        let request = Request::best_move(Limits::unlimited());
        let running = self.interrupts.ponder(number);
        self.engine.think(&position, &request, running.switch(), &mut Silent);
        // A search that ended by itself has nothing more to find.
        if !running.switch().is_pressed() {
            drop(running);
            self.prediction = None;
        }
    }
}

/// The position to think about in the opponent's time: after the predicted reply, else as it is.
/// `None` when the game is over.
fn expected(mut board: Board, prediction: Prediction) -> Option<Board> {
    let reply = prediction.reply.filter(|&point| board.is_empty(point));
    let is_over = |board: &Board| {
        board.empty_count() == 0
            || board.last().is_some_and(|last| makes_five(board, last.point, last.color))
    };
    if is_over(&board) {
        return None;
    }
    if let Some(point) = reply {
        board.place(point, board.side_to_move());
    }
    (!is_over(&board)).then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardSize, Color, Rule};

    #[test]
    fn nothing_to_expect_after_the_end() {
        let size = BoardSize::square(15).unwrap();
        let mut board = Board::new(size, Rule::Freestyle);
        for x in 0..4 {
            board.place(Point::new(x, 0), Color::Black);
            board.place(Point::new(x, 5), Color::White);
        }
        let quiet = Prediction { reply: Some(Point::new(9, 9)) };
        let after = expected(board.clone(), quiet).unwrap();
        assert_eq!(after.side_to_move(), Color::White);
        let five = Prediction { reply: Some(Point::new(4, 0)) };
        assert!(expected(board.clone(), five).is_none());
        let taken = Prediction { reply: Some(Point::new(0, 0)) };
        assert_eq!(expected(board.clone(), taken).unwrap().key(), board.key());
        board.place(Point::new(4, 0), Color::Black);
        assert!(expected(board, quiet).is_none());
    }
}
