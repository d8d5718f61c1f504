//! The player of one side of a match: an engine process or a player of this program.

use std::io;
use std::time::{Duration, Instant};

use super::engine_spec::{EngineSettings, EngineSpec};
use super::game::{GameSettings, START_TIMEOUT};
use super::process::{EngineFailure, EngineProcess, FailureDetails, OpeningAnswer, quit_all};
use tengen::engine::opening_search::{Choice, OpeningSearch};
use tengen::engine::{Engine, Limits, Networks, Options, Request, StopSwitch};
use tengen::players::{Player, PlayerName};
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::types::{Coordinates, Point};

/// The player of one side.
pub enum MatchPlayer {
    /// An engine process.
    Engine(EngineProcess),
    /// A player of this program.
    BuiltIn(BuiltInPlayer),
}

/// A player of this program in a match.
pub struct BuiltInPlayer {
    name: PlayerName,
    networks: Networks,
    player: Option<Box<dyn Player>>,
    stop: StopSwitch,
}

/// A request for a move.
pub struct MoveRequest<'a> {
    /// The lines of the protocol.
    pub lines: &'a [String],
    /// The position.
    pub position: &'a Position,
    /// Milliseconds left on the game clock, if there is one.
    pub left: Option<u64>,
    /// Time limit of the answer.
    pub limit: Duration,
}

/// A request for a decision in a swap2 opening.
pub struct OpeningRequest<'a> {
    /// The lines of the protocol.
    pub lines: &'a [String],
    /// The board with the stones placed so far: none, three or five.
    pub board: &'a Board,
    /// Milliseconds left on the game clock, if there is one.
    pub left: Option<u64>,
    /// Time limit of the answer.
    pub limit: Duration,
    /// Seed for the random numbers of a player of this program.
    pub seed: u64,
}

impl MatchPlayer {
    /// Starts the process, if the engine is not built in. Waits end early when `stop` is pressed.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn start(
        spec: &EngineSpec,
        settings: &EngineSettings,
        stop: StopSwitch,
    ) -> io::Result<MatchPlayer> {
        match spec.built_in {
            Some(name) => {
                let networks = settings.networks.clone();
                Ok(MatchPlayer::BuiltIn(BuiltInPlayer { name, networks, player: None, stop }))
            }
            None => EngineProcess::spawn(spec, settings, stop).map(MatchPlayer::Engine),
        }
    }

    /// Starts a game; a player of this program draws its random numbers from `seed`.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn start_game(
        &mut self,
        settings: &GameSettings,
        info: &[String],
        seed: u64,
    ) -> Result<(), EngineFailure> {
        match self {
            MatchPlayer::Engine(process) => process
                .start_game(&settings.start_line(), START_TIMEOUT)
                .and_then(|()| process.send(&settings.info_lines(info))),
            MatchPlayer::BuiltIn(built_in) => {
                let (memory, networks) = (Some(settings.memory << 20), built_in.networks.clone());
                let options = Options { memory, networks, ..Options::default() };
                built_in.player = Some(built_in.name.player(options, Some(seed)));
                Ok(())
            }
        }
    }

    /// Extra time for the next move, see [`EngineProcess::take_allowance`].
    pub fn take_allowance(&mut self) -> Duration {
        match self {
            MatchPlayer::Engine(process) => process.take_allowance(),
            MatchPlayer::BuiltIn(_) => Duration::ZERO,
        }
    }

    /// Requests a move; returns it and the time it took.
    ///
    /// # Errors
    /// When no move arrives in time, or the match is being stopped.
    pub fn request_move(
        &mut self,
        settings: &GameSettings,
        request: &MoveRequest<'_>,
    ) -> Result<(Coordinates, Duration), EngineFailure> {
        match self {
            MatchPlayer::Engine(process) => process.request_move(request.lines, request.limit),
            MatchPlayer::BuiltIn(built_in) => built_in.choose(settings, request),
        }
    }

    /// Requests a decision in a swap2 opening. Returns it and its time.
    ///
    /// # Errors
    /// When no decision arrives in time, the engine does not support the command, or the match is
    /// being stopped.
    pub fn request_opening(
        &mut self,
        settings: &GameSettings,
        request: &OpeningRequest<'_>,
    ) -> Result<(OpeningAnswer, Duration), EngineFailure> {
        match self {
            MatchPlayer::Engine(process) => process.request_opening(request.lines, request.limit),
            MatchPlayer::BuiltIn(built_in) => built_in.decide(settings, request),
        }
    }

    /// The score that an engine reported for its last move; `None` for a player of this program.
    pub fn score(&self) -> Option<i32> {
        match self {
            MatchPlayer::Engine(process) => process.score(),
            MatchPlayer::BuiltIn(_) => None,
        }
    }

    /// Details of the failure of an engine.
    pub fn failure_details(&mut self, has_crashed: bool) -> FailureDetails {
        match self {
            MatchPlayer::Engine(process) => process.failure_details(has_crashed),
            MatchPlayer::BuiltIn(_) => FailureDetails::default(),
        }
    }

    /// Ends the engine.
    pub fn quit(self) {
        MatchPlayer::quit_all([self]);
    }

    /// Ends these engines at the same time.
    pub fn quit_all(players: impl IntoIterator<Item = MatchPlayer>) {
        let process = |player| match player {
            MatchPlayer::Engine(process) => Some(process),
            MatchPlayer::BuiltIn(_) => None,
        };
        quit_all(players.into_iter().filter_map(process).collect());
    }
}

impl BuiltInPlayer {
    fn choose(
        &mut self,
        settings: &GameSettings,
        request: &MoveRequest<'_>,
    ) -> Result<(Coordinates, Duration), EngineFailure> {
        let limits = limits(settings, request.left);
        let received = Instant::now();
        let search = Request::new(limits).received_at(received);
        let player = self.player.as_mut().ok_or(EngineFailure::Start)?;
        let point = player.choose(request.position, &search, &self.stop);
        if self.stop.is_pressed() {
            return Err(EngineFailure::Stopped);
        }
        let elapsed = received.elapsed();
        match point {
            Some(point) if elapsed <= request.limit => Ok((point.into(), elapsed)),
            _ => Err(EngineFailure::Timeout),
        }
    }

    /// Decides at full strength: levels affect only the moves after the opening, but do not use
    /// proved positions.
    fn decide(
        &mut self,
        settings: &GameSettings,
        request: &OpeningRequest<'_>,
    ) -> Result<(OpeningAnswer, Duration), EngineFailure> {
        let received = Instant::now();
        let limits = limits(settings, request.left);
        let (memory, networks) = (Some(settings.memory << 20), self.networks.clone());
        let mut engine = Engine::new(Options { memory, networks, ..Options::default() });
        let mut opening = OpeningSearch::new(&mut engine, &limits, &self.stop, request.seed)
            .with_proofs(self.name.is_full_strength());
        let stones = |points: &[Point]| {
            OpeningAnswer::Stones(points.iter().map(|&point| point.into()).collect())
        };
        let choice = match request.board.history().len() {
            0 => None,
            3 => Some(opening.after_three(request.board)),
            _ => Some(opening.after_five(request.board)),
        };
        let answer = match choice {
            None => stones(&opening.propose(request.board.size(), request.board.rule())),
            Some(Choice::Swap) => OpeningAnswer::Swap,
            Some(Choice::Stay(point)) => stones(&[point]),
            Some(Choice::Extend(points)) => stones(&points),
        };
        if self.stop.is_pressed() {
            return Err(EngineFailure::Stopped);
        }
        let elapsed = received.elapsed();
        if elapsed > request.limit {
            return Err(EngineFailure::Timeout);
        }
        Ok((answer, elapsed))
    }
}

/// The limits of a search under these settings, with this time left on the game clock.
fn limits(settings: &GameSettings, left: Option<u64>) -> Limits {
    let mut limits = Limits::turn(Duration::from_millis(settings.turn));
    limits.left = left.map(Duration::from_millis);
    limits.game = left.map(|_| Duration::from_millis(settings.game));
    limits.increment = Duration::from_millis(settings.increment);
    limits.nodes = (settings.nodes > 0).then_some(settings.nodes);
    limits
}
