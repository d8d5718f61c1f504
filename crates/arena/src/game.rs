//! One game between two players.

use std::time::Duration;

use super::adjudication::{Adjudication, ScoreHistory};
use super::player::{MatchPlayer, MoveRequest};
use super::process::EngineFailure;
use super::swap2;
use tengen_rules::game::{Ending, Game};
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, ByColor, Color, Rule};

/// The value of `INFO time_left` without a game clock.
pub(super) const UNLIMITED_MS: i64 = 2_147_483_647;
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
    /// Wall-clock time by which a limit may be exceeded. On a game clock all moves of a game share it.
    pub tolerance: u64,
    /// Nodes per move; 0 for no limit.
    pub nodes: u64,
    /// Memory limit sent to the engines, in MiB.
    pub memory: u64,
    /// Number of stones at which a game is drawn; 0 for a full board only.
    pub max_moves: usize,
    /// Rules that end a game early by the engines' scores.
    pub adjudication: Adjudication,
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
    /// The engines' scores decided the game: the winner, or `None` for a draw.
    Adjudicated(Option<Color>),
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// How the game ended.
    pub termination: Termination,
    /// All moves, including the opening and an illegal last move.
    pub moves: MoveList,
    /// The number of opening moves among them: from the book, or placed by swap2 before the colours
    /// were settled.
    pub opening: usize,
    /// Milliseconds of each move after the opening.
    pub times: Vec<u64>,
    /// The decisions of the swap2 opening.
    pub swap2: Option<Swap2Result>,
}

/// The swap2 opening of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swap2Result {
    /// Whether the player who placed the first stones plays white.
    pub is_swapped: bool,
    /// Milliseconds of each decision.
    pub times: Vec<u64>,
}

/// How a game begins.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// These moves are given.
    Moves(&'a MoveList),
    /// Swap2: the players place the first stones and choose the colours.
    Swap2,
}

/// One side of a game.
pub struct Side<'a> {
    /// Its player.
    pub player: &'a mut MatchPlayer,
    /// Rule, board, clocks and limits; rule, board and adjudication are the same for both sides.
    pub settings: GameSettings,
    /// Additional `INFO` keys and values.
    pub info: &'a [String],
}

impl Termination {
    /// The winner's colour; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Termination::ByRules(ending) => ending.winner(),
            Termination::Failed(color, _) => Some(color.opponent()),
            Termination::MaxMoves => None,
            Termination::Adjudicated(winner) => winner,
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

    /// One word: the reason of the ending, `max-moves`, `adjudicated`, or the name of a failure.
    pub fn reason(self) -> &'static str {
        match self {
            Termination::ByRules(ending) => ending.reason(),
            Termination::Failed(_, failure) => failure.name(),
            Termination::MaxMoves => "max-moves",
            Termination::Adjudicated(_) => "adjudicated",
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
pub(super) fn request_lines(moves: &MoveList, first: bool, left: i64) -> Vec<String> {
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

/// Plays a game. Without swap2 the first side plays black. Players of this program draw their random
/// numbers from `seed`.
///
/// # Errors
/// [`EngineFailure::Stopped`] only: every other failure ends the game and is its termination.
pub fn play(
    start: Start<'_>,
    sides: [Side<'_>; 2],
    seed: u64,
) -> Result<FinishedGame, EngineFailure> {
    let mut played = FinishedGame {
        termination: Termination::MaxMoves,
        moves: MoveList::default(),
        opening: 0,
        times: Vec::new(),
        swap2: None,
    };
    match run_game(start, sides, seed, &mut played) {
        Ok(termination) => played.termination = termination,
        Err((_, EngineFailure::Stopped)) => return Err(EngineFailure::Stopped),
        Err((color, failure)) => played.termination = Termination::Failed(color, failure),
    }
    Ok(played)
}

/// The players of a game and their clocks.
pub(super) struct Table<'a> {
    /// The first and the second player, with their clocks.
    seats: [(Side<'a>, GameClock); 2],
    /// Whether the second player plays black.
    pub(super) is_swapped: bool,
}

impl<'a> Table<'a> {
    fn new(sides: [Side<'a>; 2]) -> Table<'a> {
        let seats = sides.map(|side| {
            let clock = GameClock::new(&side.settings);
            (side, clock)
        });
        Table { seats, is_swapped: false }
    }

    fn seat(&mut self, color: Color) -> &mut (Side<'a>, GameClock) {
        &mut self.seats[color.index() ^ usize::from(self.is_swapped)]
    }

    /// The player of this colour.
    pub(super) fn side(&mut self, color: Color) -> &mut Side<'a> {
        &mut self.seat(color).0
    }

    /// Requests an answer from the player of this colour and charges its clock. Returns the answer
    /// and its time in milliseconds.
    pub(super) fn timed<T>(
        &mut self,
        color: Color,
        ask: impl FnOnce(&mut Side<'a>, Turn) -> Result<(T, Duration), EngineFailure>,
    ) -> Result<(T, u64), (Color, EngineFailure)> {
        let (side, clock) = self.seat(color);
        let allowance = side.player.take_allowance();
        let turn = clock.turn(&side.settings, allowance);
        let (answer, elapsed) = ask(side, turn).map_err(|failure| (color, failure))?;
        clock.charge(&side.settings, elapsed.saturating_sub(allowance));
        Ok((answer, elapsed.as_millis() as u64))
    }
}

/// The game clock of one side.
struct GameClock {
    /// Milliseconds left; negative after moves that used a part of the tolerance, so that a game can
    /// use the tolerance only once.
    left: i64,
}

impl GameClock {
    fn new(settings: &GameSettings) -> GameClock {
        GameClock { left: i64::try_from(settings.game).unwrap_or(i64::MAX) }
    }

    /// The time for the next answer; `allowance` is extra time that is not charged.
    fn turn(&self, settings: &GameSettings, allowance: Duration) -> Turn {
        let has_clock = settings.game > 0;
        let time = if has_clock { self.left } else { UNLIMITED_MS };
        let signed = |ms: u64| i64::try_from(ms).unwrap_or(i64::MAX);
        let allowed = signed(settings.turn).min(time).saturating_add(signed(settings.tolerance));
        let limit = Duration::from_millis(allowed.max(0) as u64).saturating_add(allowance);
        Turn { time, left: has_clock.then_some(time.max(0) as u64), limit }
    }

    /// Subtracts the time of an answer, and adds the increment.
    fn charge(&mut self, settings: &GameSettings, used: Duration) {
        let used = i64::try_from(used.as_millis()).unwrap_or(i64::MAX);
        self.left = self.left.saturating_sub(used).saturating_add_unsigned(settings.increment);
    }
}

/// The time that a side has for one answer.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    /// The value of `INFO time_left`.
    pub(super) time: i64,
    /// Milliseconds left on the game clock, if there is one; 0 for an overdrawn clock.
    pub(super) left: Option<u64>,
    /// Time limit of the answer.
    pub(super) limit: Duration,
}

/// Plays until the game ends; an error holds the side that failed.
fn run_game(
    start: Start<'_>,
    sides: [Side<'_>; 2],
    seed: u64,
    played: &mut FinishedGame,
) -> Result<Termination, (Color, EngineFailure)> {
    let mut game = Game::new(sides[0].settings.size, sides[0].settings.rule);
    if let Start::Moves(moves) = start {
        played.moves.clone_from(moves);
        played.opening = moves.0.len();
        for &at in &moves.0 {
            if let Some(ending) = game.play(at) {
                return Ok(Termination::ByRules(ending));
            }
        }
    }
    let mut table = Table::new(sides);
    for color in Color::ALL {
        let Side { player, settings, info } = table.side(color);
        let seed = seed.wrapping_add(color.index() as u64);
        player.start_game(settings, info, seed).map_err(|failure| (color, failure))?;
    }
    if matches!(start, Start::Swap2)
        && let Some(ending) = swap2::play(&mut table, &mut game, seed, played)?
    {
        return Ok(Termination::ByRules(ending));
    }
    let mut first_moves = ByColor::new(true, true);
    let mut scores = ScoreHistory::default();
    loop {
        let mover = game.position().side_to_move();
        let &GameSettings { max_moves, adjudication, .. } = &table.side(mover).settings;
        let stones = played.moves.0.len();
        if max_moves > 0 && stones >= max_moves {
            return Ok(Termination::MaxMoves);
        }
        if let Some(winner) = adjudication.verdict(&scores, stones) {
            return Ok(Termination::Adjudicated(winner));
        }
        let (at, ms) = table.timed(mover, |side, turn| {
            let request = MoveRequest {
                lines: &request_lines(&played.moves, first_moves[mover], turn.time),
                position: game.position(),
                left: turn.left,
                limit: turn.limit,
            };
            side.player.request_move(&side.settings, &request)
        })?;
        scores.add(mover, table.side(mover).player.score());
        first_moves[mover] = false;
        played.moves.0.push(at);
        played.times.push(ms);
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

    fn settings() -> GameSettings {
        GameSettings {
            rule: Rule::Caro,
            size: "9x30".parse().unwrap(),
            turn: 1000,
            game: 0,
            increment: 0,
            tolerance: 0,
            nodes: 5000,
            memory: 350,
            max_moves: 0,
            adjudication: Adjudication::default(),
        }
    }

    /// The tolerance must not start again with each move.
    #[test]
    fn overdrawn_game_clock_uses_the_tolerance_once() {
        let settings = GameSettings { game: 1000, tolerance: 300, ..settings() };
        let mut clock = GameClock::new(&settings);
        let move_time = Duration::from_millis(250);
        let limits = [1300, 1050, 800, 550, 300, 50, 0];
        for (moves, limit) in limits.into_iter().enumerate() {
            let turn = clock.turn(&settings, Duration::ZERO);
            assert_eq!(turn.time, 1000 - 250 * moves as i64);
            assert_eq!(turn.left, Some(turn.time.max(0) as u64));
            assert_eq!(turn.limit, Duration::from_millis(limit), "after {moves} moves");
            clock.charge(&settings, move_time);
        }
        // The increment pays off the overdraft first: -750 + 800.
        clock.charge(&GameSettings { increment: 800, ..settings.clone() }, Duration::ZERO);
        assert_eq!(clock.turn(&settings, Duration::ZERO).limit, Duration::from_millis(350));
        let allowance = Duration::from_secs(9);
        assert_eq!(clock.turn(&settings, allowance).limit, Duration::from_millis(9350));
    }

    #[test]
    fn game_without_a_clock_has_the_time_of_a_move() {
        let settings = GameSettings { tolerance: 20, ..settings() };
        let mut clock = GameClock::new(&settings);
        for _ in 0..3 {
            let turn = clock.turn(&settings, Duration::ZERO);
            assert_eq!((turn.time, turn.left), (UNLIMITED_MS, None));
            assert_eq!(turn.limit, Duration::from_millis(1020));
            clock.charge(&settings, Duration::from_millis(1010));
        }
    }

    #[test]
    fn boards_and_limits_are_sent() {
        let settings = GameSettings { increment: 40, ..settings() };
        assert_eq!(settings.start_line(), "RECTSTART 9,30");
        let lines = settings.info_lines(&["thread_num 2".to_string()]);
        assert!(lines.contains(&"INFO max_memory 367001600".to_string()));
        assert!(lines.contains(&"INFO rule 9".to_string()));
        let last = ["INFO max_node 5000", "INFO time_increment 40", "INFO thread_num 2"];
        assert_eq!(lines[lines.len() - 3..], last);
    }
}
