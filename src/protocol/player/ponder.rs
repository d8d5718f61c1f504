//! Searches in the opponent's time.

use super::{Player, Prediction, catch_panic};
use tengen_rules::board::{self, Board};
use tengen_rules::position::Position;

impl Player {
    /// Searches in the opponent's time until the next input arrives, if pondering is on and there
    /// is a prediction. Prints nothing. `number` is that of the last input handled.
    pub(in crate::protocol) fn ponder(&mut self, number: u64) {
        let Some(prediction) = self.prediction.filter(|_| self.settings.pondering()) else {
            return;
        };
        let Some(board) = self.board().ok().and_then(|board| position_to_ponder(board, prediction))
        else {
            return;
        };
        let position = Position::from_board(&board);
        let running = self.interrupts.ponder(number);
        catch_panic(|| self.engine.ponder(&position, running.switch()));
        // A search that ended without a stop is complete.
        if !running.switch().is_pressed() {
            drop(running);
            self.prediction = None;
        }
    }
}

/// The position to search in the opponent's time: after the predicted reply, or the current one
/// without a prediction. `None` when the game is over.
pub(super) fn position_to_ponder(mut board: Board, prediction: Prediction) -> Option<Board> {
    let reply = prediction.reply.filter(|&point| board.is_empty(point));
    if board::Outcome::of(&board).is_some() {
        return None;
    }
    if let Some(point) = reply {
        board.place_unchecked(point, board.side_to_move());
    }
    board::Outcome::of(&board).is_none().then_some(board)
}
