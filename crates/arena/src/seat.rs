//! Who plays for one side of a match: an engine's process, or a player of this program.

use std::io;
use std::time::{Duration, Instant};

use super::contender::{Contender, Handling};
use super::game::{START_PATIENCE, Terms};
use super::process::{Failure, Process};
use tengen::engine::{Limits, Options, Request, StopSwitch};
use tengen::players::{Player, PlayerName};
use tengen_rules::position::Position;
use tengen_rules::types::Coordinates;

/// Whoever answers for one side.
pub enum Seat {
    /// An engine, through the protocol.
    Process(Process),
    /// A player of this program, for one game.
    Inside(Inside),
}

/// A player of this program at a match.
pub struct Inside {
    name: PlayerName,
    player: Option<Box<dyn Player>>,
    stop: StopSwitch,
}

/// What is asked of the side to move.
pub struct Turn<'a> {
    /// The request in the protocol's words.
    pub lines: &'a [String],
    /// The position.
    pub position: &'a Position,
    /// Milliseconds left of the game, where it has a clock.
    pub left: Option<u64>,
    /// When the answer is too late.
    pub limit: Duration,
}

impl Seat {
    /// Starts the process, where there is one. Waits end early when `stop` is pressed.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn take(contender: &Contender, handling: &Handling, stop: StopSwitch) -> io::Result<Seat> {
        match contender.inside {
            Some(name) => Ok(Seat::Inside(Inside { name, player: None, stop })),
            None => Process::spawn(contender, handling, stop).map(Seat::Process),
        }
    }

    /// Begins a game; a player of this program draws from `seed`.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn start_game(&mut self, terms: &Terms, info: &[String], seed: u64) -> Result<(), Failure> {
        match self {
            Seat::Process(process) => process
                .start_game(&terms.start_line(), START_PATIENCE)
                .and_then(|()| process.send(&terms.info_lines(info))),
            Seat::Inside(inside) => {
                let options = Options { memory: Some(terms.memory << 20), ..Options::default() };
                inside.player = Some(inside.name.player(options, Some(seed)));
                Ok(())
            }
        }
    }

    /// Time forgiven for the next move, see [`Process::take_forgiven`].
    pub fn take_forgiven(&mut self) -> Duration {
        match self {
            Seat::Process(process) => process.take_forgiven(),
            Seat::Inside(_) => Duration::ZERO,
        }
    }

    /// Asks for a move, and says how long it took.
    ///
    /// # Errors
    /// When none arrives in time, or the match is being stopped.
    pub fn ask_move(
        &mut self,
        terms: &Terms,
        turn: &Turn<'_>,
    ) -> Result<(Coordinates, Duration), Failure> {
        match self {
            Seat::Process(process) => process.ask_move(turn.lines, turn.limit),
            Seat::Inside(inside) => inside.choose(terms, turn),
        }
    }

    /// The last lines that an engine wrote.
    pub fn last_lines(&mut self) -> Vec<String> {
        match self {
            Seat::Process(process) => process.last_lines(),
            Seat::Inside(_) => Vec::new(),
        }
    }

    /// Lets the engine leave.
    pub fn dismiss(self) {
        if let Seat::Process(process) = self {
            process.dismiss();
        }
    }
}

impl Inside {
    fn choose(
        &mut self,
        terms: &Terms,
        turn: &Turn<'_>,
    ) -> Result<(Coordinates, Duration), Failure> {
        let mut limits = Limits::turn(Duration::from_millis(terms.turn));
        limits.left = turn.left.map(Duration::from_millis);
        limits.increment = Duration::from_millis(terms.increment);
        limits.nodes = (terms.nodes > 0).then_some(terms.nodes);
        let asked = Instant::now();
        let request = Request::new(limits).received_at(asked);
        let player = self.player.as_mut().ok_or(Failure::Start)?;
        let point = player.choose(turn.position, &request, &self.stop);
        if self.stop.is_pressed() {
            return Err(Failure::Stopped);
        }
        let elapsed = asked.elapsed();
        match point {
            Some(point) if elapsed <= turn.limit => Ok((point.into(), elapsed)),
            _ => Err(Failure::Timeout),
        }
    }
}
