//! Swap2 openings: the engines place the first stones and choose the colours through `SWAP2BOARD`,
//! as in Gomocup's manager.
//!
//! The first player places three stones. The second takes black, or plays the fourth stone as
//! white, or places two more stones; then the first player takes black or plays the sixth stone as
//! white. Until the colours are settled, the first player counts as black.

use super::game::{FinishedGame, Swap2Result, Table};
use super::player::OpeningRequest;
use super::process::{EngineFailure, OpeningAnswer};
use tengen_rules::game::{Ending, Game, Offence};
use tengen_rules::moves::MoveList;
use tengen_rules::types::{Color, Coordinates};

/// The request for the next decision with these stones on the board.
fn request_lines(moves: &MoveList, left: i64) -> Vec<String> {
    let mut lines = vec![format!("INFO time_left {left}"), "SWAP2BOARD".to_string()];
    lines.extend(moves.0.iter().map(Coordinates::to_string));
    lines.push("DONE".to_string());
    lines
}

/// Plays the opening. Returns an ending if a stone was illegal; the ending names the side of its
/// player.
///
/// # Errors
/// When a player fails.
pub(super) fn play(
    table: &mut Table<'_>,
    game: &mut Game,
    seed: u64,
    played: &mut FinishedGame,
) -> Result<Option<Ending>, (Color, EngineFailure)> {
    let (first, second) = (Color::Black, Color::White);
    let mut opening = Opening { table, game, seed, played };
    opening.played.swap2 = Some(Swap2Result::default());
    for (decision, (who, allowed)) in
        [(first, 3..=3), (second, 1..=2), (first, 1..=1)].into_iter().enumerate()
    {
        let stones = match opening.ask(who)? {
            OpeningAnswer::Stones(stones) if allowed.contains(&stones.len()) => stones,
            OpeningAnswer::Swap if decision > 0 => {
                // The player who swaps takes black.
                opening.settle(who == second);
                return Ok(None);
            }
            OpeningAnswer::Swap | OpeningAnswer::Stones(_) => {
                return Err((who, EngineFailure::NoSwap2));
            }
        };
        for &at in &stones {
            let color = opening.game.position().side_to_move();
            if let Some(ending) = opening.place(who, at) {
                opening.begin_with_last_stone();
                // Times of moves belong to the colours in turn.
                if color == who {
                    opening.count_time_as_move();
                }
                return Ok(Some(ending));
            }
        }
        if stones.len() == 1 {
            // The player who places this stone is white.
            opening.settle(who == first);
            opening.begin_with_last_stone();
            opening.count_time_as_move();
            return Ok(None);
        }
        opening.played.opening = opening.played.moves.0.len();
    }
    Ok(None)
}

/// An opening in progress.
struct Opening<'a, 'b> {
    table: &'a mut Table<'b>,
    game: &'a mut Game,
    seed: u64,
    played: &'a mut FinishedGame,
}

impl Opening<'_, '_> {
    /// Requests the next decision of a player.
    fn ask(&mut self, who: Color) -> Result<OpeningAnswer, (Color, EngineFailure)> {
        let Opening { table, game, seed, played } = self;
        let (answer, ms) = table.timed(who, |side, turn| {
            let request = OpeningRequest {
                lines: &request_lines(&played.moves, turn.time),
                board: game.position().board(),
                left: turn.left,
                limit: turn.limit,
                seed: seed.wrapping_add(who.index() as u64),
            };
            side.player.request_opening(&side.settings, &request)
        })?;
        played.swap2.get_or_insert_default().times.push(ms);
        Ok(answer)
    }

    /// Places a stone of either colour for a player; an illegal one ends the game.
    fn place(&mut self, who: Color, at: Coordinates) -> Option<Ending> {
        self.played.moves.0.push(at);
        match self.game.play(at)? {
            Ending::Illegal(_, offence @ (Offence::Occupied | Offence::OffBoard)) => {
                Some(Ending::Illegal(who, offence))
            }
            ending => Some(ending),
        }
    }

    /// Counts the last stone as the first move after the opening.
    fn begin_with_last_stone(&mut self) {
        self.played.opening = self.played.moves.0.len().saturating_sub(1);
    }

    /// Counts the time of the last decision as that of a move.
    fn count_time_as_move(&mut self) {
        let times = &mut self.played.swap2.get_or_insert_default().times;
        self.played.times.extend(times.pop());
    }

    /// Settles the colours.
    fn settle(&mut self, is_swapped: bool) {
        self.table.is_swapped = is_swapped;
        self.played.swap2.get_or_insert_default().is_swapped = is_swapped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_name_the_stones_in_order() {
        let moves: MoveList = "7,7 8,7 9,9".parse().unwrap();
        let lines = ["INFO time_left 5", "SWAP2BOARD", "7,7", "8,7", "9,9", "DONE"];
        assert_eq!(request_lines(&moves, 5), lines);
        assert_eq!(request_lines(&MoveList::default(), 5)[1..], ["SWAP2BOARD", "DONE"]);
    }
}
