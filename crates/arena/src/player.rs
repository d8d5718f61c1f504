//! The player of one side of a match: an engine process or a player of this program.

use std::io;
use std::time::{Duration, Instant};

use super::engine_spec::{EngineSettings, EngineSpec};
use super::game::{GameSettings, START_TIMEOUT};
use super::process::{EngineFailure, EngineProcess};
use tengen::engine::{Limits, Networks, Options, Request, StopSwitch};
use tengen::players::{Player, PlayerName};
use tengen_rules::position::Position;
use tengen_rules::types::Coordinates;

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
    /// Time after which the answer is too late.
    pub limit: Duration,
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

    /// The last lines that an engine wrote.
    pub fn last_lines(&mut self) -> Vec<String> {
        match self {
            MatchPlayer::Engine(process) => process.last_lines(),
            MatchPlayer::BuiltIn(_) => Vec::new(),
        }
    }

    /// Ends the engine.
    pub fn quit(self) {
        if let MatchPlayer::Engine(process) = self {
            process.quit();
        }
    }
}

impl BuiltInPlayer {
    fn choose(
        &mut self,
        settings: &GameSettings,
        request: &MoveRequest<'_>,
    ) -> Result<(Coordinates, Duration), EngineFailure> {
        let mut limits = Limits::turn(Duration::from_millis(settings.turn));
        limits.left = request.left.map(Duration::from_millis);
        limits.increment = Duration::from_millis(settings.increment);
        limits.nodes = (settings.nodes > 0).then_some(settings.nodes);
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
}
