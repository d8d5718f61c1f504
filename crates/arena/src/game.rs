//! One game between two players.

use std::time::Duration;

use super::player::{MatchPlayer, MoveRequest};
use super::process::EngineFailure;
use tengen_rules::game::{Ending, Game};
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, ByColor, Color, Rule};

/// The value of `INFO time_left` without a game clock.
pub(super) const UNLIMITED_MS: u64 = 2_147_483_647;
/// Time for the answer to `START`.
pub(super) const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Rule, board, clocks and limits of the games of a match; times are in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSettings {
    /// Rule set.
    pub rule: Rule,
    /// Board.
    pub size: BoardSize,
    /// Time for one move.
    pub turn: u64,
    /// Time for a whole game; 0 for no game clock.
    pub game: u64,
    /// Time added to the game clock after each move.
    pub increment: u64,
    /// Wall-clock time by which a limit may be exceeded.
    pub tolerance: u64,
    /// Nodes for one move; 0 for no limit.
    pub nodes: u64,
    /// Memory limit sent to the engines, in MiB.
    pub memory: u64,
    /// Number of stones at which a game is drawn; 0 for a full board only.
    pub max_moves: usize,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By the rules, or by an illegal move.
    ByRules(Ending),
    /// The engine of this side failed.
    Failed(Color, EngineFailure),
    /// The limit of moves was reached.
    MaxMoves,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// How the game ended.
    pub termination: Termination,
    /// All moves, including the opening and an illegal last move.
    pub moves: MoveList,
    /// Milliseconds of each move after the opening.
    pub times: Vec<u64>,
}

impl Termination {
    /// The winner's colour; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Termination::ByRules(ending) => ending.winner(),
            Termination::Failed(color, _) => Some(color.opponent()),
            Termination::MaxMoves => None,
        }
    }

    /// The side that lost by a failure or an illegal move.
    pub fn offender(self) -> Option<Color> {
        match self {
            Termination::Failed(color, _) | Termination::ByRules(Ending::Illegal(color, _)) => {
                Some(color)
            }
            _ => None,
        }
    }

    /// One word: the reason of the ending, `start`, `timeout`, `crash` or `max-moves`.
    pub fn reason(self) -> &'static str {
        match self {
            Termination::ByRules(ending) => ending.reason(),
            Termination::Failed(_, failure) => failure.name(),
            Termination::MaxMoves => "max-moves",
        }
    }
}

impl GameSettings {
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

/// The lines that request the next move: `BEGIN` on an empty board, `BOARD` with all stones for a
/// player's first move, `TURN` later.
pub(super) fn request_lines(moves: &MoveList, first: bool, left: u64) -> Vec<String> {
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

/// Plays a game from an opening; `info` holds additional `INFO` keys and values for each player.
/// Players of this program draw their random numbers from `seed`.
///
/// # Errors
/// [`EngineFailure::Stopped`] only: every other failure ends the game and is its termination.
pub fn play(
    settings: &GameSettings,
    opening: &MoveList,
    players: &mut ByColor<&mut MatchPlayer>,
    info: &ByColor<&[String]>,
    seed: u64,
) -> Result<FinishedGame, EngineFailure> {
    let mut played = FinishedGame {
        termination: Termination::MaxMoves,
        moves: opening.clone(),
        times: Vec::new(),
    };
    match run_game(settings, players, info, seed, &mut played) {
        Ok(termination) => played.termination = termination,
        Err((_, EngineFailure::Stopped)) => return Err(EngineFailure::Stopped),
        Err((color, failure)) => played.termination = Termination::Failed(color, failure),
    }
    Ok(played)
}

/// Plays until the game ends; an error holds the side that failed.
fn run_game(
    settings: &GameSettings,
    players: &mut ByColor<&mut MatchPlayer>,
    info: &ByColor<&[String]>,
    seed: u64,
    played: &mut FinishedGame,
) -> Result<Termination, (Color, EngineFailure)> {
    let mut game = Game::new(settings.size, settings.rule);
    for &at in &played.moves.0 {
        if let Some(ending) = game.play(at) {
            return Ok(Termination::ByRules(ending));
        }
    }
    for color in Color::ALL {
        players[color]
            .start_game(settings, info[color], seed.wrapping_add(color.index() as u64))
            .map_err(|failure| (color, failure))?;
    }
    let mut left = ByColor::new(settings.game, settings.game);
    let mut first = ByColor::new(true, true);
    loop {
        if settings.max_moves > 0 && played.moves.0.len() >= settings.max_moves {
            return Ok(Termination::MaxMoves);
        }
        let mover = game.position().side_to_move();
        let time = if settings.game > 0 { left[mover] } else { UNLIMITED_MS };
        let allowance = players[mover].take_allowance();
        let allowed = settings.turn.min(time).saturating_add(settings.tolerance);
        let limit = Duration::from_millis(allowed) + allowance;
        let lines = request_lines(&played.moves, first[mover], time);
        let request = MoveRequest {
            lines: &lines,
            position: game.position(),
            left: (settings.game > 0).then_some(time),
            limit,
        };
        let (at, elapsed) =
            players[mover].request_move(settings, &request).map_err(|failure| (mover, failure))?;
        first[mover] = false;
        let charged = elapsed.saturating_sub(allowance).as_millis() as u64;
        left[mover] = left[mover].saturating_sub(charged).saturating_add(settings.increment);
        played.moves.0.push(at);
        played.times.push(elapsed.as_millis() as u64);
        if let Some(ending) = game.play(at) {
            return Ok(Termination::ByRules(ending));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_marks_own_stones() {
        let moves: MoveList = "7,7 8,8 9,9".parse().unwrap();
        let board = request_lines(&moves, true, 500);
        assert_eq!(board, ["INFO time_left 500", "BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE"]);
        assert_eq!(request_lines(&moves, false, 500)[1..], ["TURN 9,9"]);
        assert_eq!(request_lines(&MoveList::default(), true, UNLIMITED_MS)[1..], ["BEGIN"]);
    }

    #[test]
    fn boards_and_limits_are_sent() {
        let settings = GameSettings {
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
        assert_eq!(settings.start_line(), "RECTSTART 9,30");
        let lines = settings.info_lines(&["thread_num 2".to_string()]);
        assert!(lines.contains(&"INFO max_memory 367001600".to_string()));
        assert!(lines.contains(&"INFO rule 9".to_string()));
        assert_eq!(lines[lines.len() - 2..], ["INFO max_node 5000", "INFO thread_num 2"]);
    }
}
