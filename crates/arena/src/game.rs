//! One game between two engine processes.

use std::time::Duration;

use super::process::Failure;
use super::seat::{Seat, Turn};
use tengen_rules::game::{Ending, Game};
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, ByColor, Color, Rule};

/// What `INFO time_left` says without a match clock.
pub(super) const NO_LIMIT: u64 = 2_147_483_647;
/// How long an engine may take to answer `START`.
pub(super) const START_PATIENCE: Duration = Duration::from_secs(10);

/// Time and other limits of every game, in milliseconds where it is time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Rule set.
    pub rule: Rule,
    /// Board.
    pub size: BoardSize,
    /// Time for one move.
    pub turn: u64,
    /// Time for a whole game; 0 for no such clock.
    pub game: u64,
    /// Time added to the game clock after each move.
    pub increment: u64,
    /// Wall-clock time over a limit that is forgiven.
    pub tolerance: u64,
    /// Nodes that an engine may visit for a move; 0 for any number.
    pub nodes: u64,
    /// Memory in MiB that an engine is told it may use.
    pub memory: u64,
    /// Number of stones at which a game is a draw; 0 for a full board only.
    pub max_moves: usize,
}

/// Why a game was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The referee ended it.
    Ended(Ending),
    /// This player's engine failed.
    Failed(Color, Failure),
    /// As many moves as the terms allow.
    MaxMoves,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it ended.
    pub conclusion: Conclusion,
    /// Every move, the opening and an illegal last one included.
    pub moves: MoveList,
    /// Milliseconds of each move after the opening.
    pub times: Vec<u64>,
}

impl Conclusion {
    /// The winner's colour; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Conclusion::Ended(ending) => ending.winner(),
            Conclusion::Failed(color, _) => Some(color.opponent()),
            Conclusion::MaxMoves => None,
        }
    }

    /// The player who lost other than over the board: by failure or an illegal move.
    pub fn offender(self) -> Option<Color> {
        match self {
            Conclusion::Failed(color, _) | Conclusion::Ended(Ending::Illegal(color, _)) => {
                Some(color)
            }
            _ => None,
        }
    }

    /// One word: the referee's reason, `start`, `timeout`, `crash` or `max-moves`.
    pub fn reason(self) -> &'static str {
        match self {
            Conclusion::Ended(ending) => ending.reason(),
            Conclusion::Failed(_, failure) => failure.name(),
            Conclusion::MaxMoves => "max-moves",
        }
    }
}

impl Terms {
    /// The line that starts a game on this board.
    pub(super) fn start_line(&self) -> String {
        let (width, height) = (self.size.width(), self.size.height());
        if width == height {
            format!("START {width}")
        } else {
            format!("RECTSTART {width},{height}")
        }
    }

    /// The `INFO` lines of a new game, in Piskvork's order.
    pub(super) fn info_lines(&self, extra: &[String]) -> Vec<String> {
        let mut lines = vec![
            format!("INFO max_memory {}", self.memory << 20),
            format!("INFO timeout_match {}", self.game),
            format!("INFO timeout_turn {}", self.turn),
            "INFO game_type 1".to_string(),
            format!("INFO rule {}", self.rule.number()),
        ];
        if self.nodes > 0 {
            lines.push(format!("INFO max_node {}", self.nodes));
        }
        if self.increment > 0 {
            lines.push(format!("INFO time_increment {}", self.increment));
        }
        lines.extend(extra.iter().map(|info| format!("INFO {info}")));
        lines
    }
}

/// The lines that ask for the next move: `BEGIN` on an empty board, the whole `BOARD` for a
/// player's first move, then one `TURN` after another.
pub(super) fn request(moves: &MoveList, first: bool, left: u64) -> Vec<String> {
    let mut lines = vec![format!("INFO time_left {left}")];
    match moves.0.last() {
        None => lines.push("BEGIN".to_string()),
        Some(last) if !first => lines.push(format!("TURN {last}")),
        Some(_) => {
            lines.push("BOARD".to_string());
            let own = moves.0.len() % 2;
            let stone = |(i, at)| format!("{at},{}", if i % 2 == own { 1 } else { 2 });
            lines.extend(moves.0.iter().enumerate().map(stone));
            lines.push("DONE".to_string());
        }
    }
    lines
}

/// Plays a game from an opening; `info` holds more `INFO` keys and values for each player. Players
/// of this program draw from `seed`.
///
/// # Errors
/// [`Failure::Stopped`] only: every other failure is a conclusion.
pub fn play(
    terms: &Terms,
    opening: &MoveList,
    players: &mut ByColor<&mut Seat>,
    info: &ByColor<&[String]>,
    seed: u64,
) -> Result<Played, Failure> {
    let mut played =
        Played { conclusion: Conclusion::MaxMoves, moves: opening.clone(), times: Vec::new() };
    match contest(terms, players, info, seed, &mut played) {
        Ok(conclusion) => played.conclusion = conclusion,
        Err((_, Failure::Stopped)) => return Err(Failure::Stopped),
        Err((color, failure)) => played.conclusion = Conclusion::Failed(color, failure),
    }
    Ok(played)
}

/// The conversation with both players; a failure is told with its owner.
fn contest(
    terms: &Terms,
    players: &mut ByColor<&mut Seat>,
    info: &ByColor<&[String]>,
    seed: u64,
    played: &mut Played,
) -> Result<Conclusion, (Color, Failure)> {
    let mut game = Game::new(terms.size, terms.rule);
    for &at in &played.moves.0 {
        if let Some(ending) = game.play(at) {
            return Ok(Conclusion::Ended(ending));
        }
    }
    for color in Color::ALL {
        players[color]
            .start_game(terms, info[color], seed.wrapping_add(color.index() as u64))
            .map_err(|failure| (color, failure))?;
    }
    let mut left = ByColor::new(terms.game, terms.game);
    let mut first = ByColor::new(true, true);
    loop {
        if terms.max_moves > 0 && played.moves.0.len() >= terms.max_moves {
            return Ok(Conclusion::MaxMoves);
        }
        let mover = game.position().side_to_move();
        let time = if terms.game > 0 { left[mover] } else { NO_LIMIT };
        let forgiven = players[mover].take_forgiven();
        let allowed = terms.turn.min(time).saturating_add(terms.tolerance);
        let limit = Duration::from_millis(allowed) + forgiven;
        let lines = request(&played.moves, first[mover], time);
        let turn = Turn {
            lines: &lines,
            position: game.position(),
            left: (terms.game > 0).then_some(time),
            limit,
        };
        let (at, elapsed) =
            players[mover].ask_move(terms, &turn).map_err(|failure| (mover, failure))?;
        first[mover] = false;
        let charged = elapsed.saturating_sub(forgiven).as_millis() as u64;
        left[mover] = left[mover].saturating_sub(charged).saturating_add(terms.increment);
        played.moves.0.push(at);
        played.times.push(elapsed.as_millis() as u64);
        if let Some(ending) = game.play(at) {
            return Ok(Conclusion::Ended(ending));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_name_own_stones_first() {
        let moves: MoveList = "7,7 8,8 9,9".parse().unwrap();
        let board = request(&moves, true, 500);
        assert_eq!(board, ["INFO time_left 500", "BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE"]);
        assert_eq!(request(&moves, false, 500)[1..], ["TURN 9,9"]);
        assert_eq!(request(&MoveList::default(), true, NO_LIMIT)[1..], ["BEGIN"]);
    }

    #[test]
    fn rectangles_and_limits_are_told() {
        let terms = Terms {
            rule: Rule::Caro,
            size: "9x30".parse().unwrap(),
            turn: 1000,
            game: 0,
            increment: 0,
            tolerance: 0,
            nodes: 5000,
            memory: 350,
            max_moves: 0,
        };
        assert_eq!(terms.start_line(), "RECTSTART 9,30");
        let lines = terms.info_lines(&["thread_num 2".to_string()]);
        assert!(lines.contains(&"INFO max_memory 367001600".to_string()));
        assert!(lines.contains(&"INFO rule 9".to_string()));
        assert_eq!(lines[lines.len() - 2..], ["INFO max_node 5000", "INFO thread_num 2"]);
    }
}
