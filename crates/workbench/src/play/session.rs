//! The table: a game, who sits where, and what is done at each turn.

mod actions;

use std::path::PathBuf;
use std::time::Duration;

use super::Finish;
use super::board::View;
use super::clock::GameClock;
use super::command::Command;
use super::ears::{Ears, Event};
use super::openings::OpeningTalk;
use super::screen::Screen;
use tengen::engine::{Engine, Limits, Options};
use tengen::players::{Level, Player, PlayerName};
use tengen_record::reasons;
use tengen_rules::game::Game;
use tengen_rules::types::{Color, Point};

/// Who plays a colour.
pub(super) enum Seat {
    /// Whoever types.
    Person,
    /// A player of this program; it is made when it first has to move.
    Player {
        /// Its name.
        name: PlayerName,
        /// The player.
        player: Option<Box<dyn Player>>,
    },
}

impl Seat {
    /// The seat of a person, or of the player with this name.
    pub(super) fn of(name: Option<PlayerName>) -> Seat {
        name.map_or(Seat::Person, |name| Seat::Player { name, player: None })
    }

    fn is_person(&self) -> bool {
        matches!(self, Seat::Person)
    }

    pub(super) fn name(&self) -> String {
        match self {
            Seat::Person => "you".to_string(),
            Seat::Player { name, .. } => name.to_string(),
        }
    }
}

/// Why a game is over in which black can only play forbidden moves.
const ONLY_FOULS: &str = "only fouls are left";

/// A game at the terminal.
pub(super) struct Table<'a> {
    pub(super) game: Game,
    pub(super) seats: [Seat; 2],
    /// Answers hints, and speaks for players in openings.
    pub(super) engine: Engine,
    pub(super) time: Duration,
    pub(super) seed: Option<u64>,
    /// Who takes a seat that nobody was named for.
    pub(super) level: PlayerName,
    pub(super) ears: Ears,
    pub(super) screen: Screen<'a>,
    /// An opening that is still being talked about.
    pub(super) opening: Option<OpeningTalk>,
    clock: Option<GameClock>,
    options: Options,
    /// Moves taken back, the last one first.
    undone: Vec<Point>,
    /// Moves that shared out the colours; `undo` does not go behind them.
    pub(super) opening_moves: usize,
    /// A result without an end on the board, and why.
    verdict: Option<(Color, &'static str)>,
    numbers: bool,
    /// The person wants the word, although it is not their turn.
    paused: bool,
    announced: bool,
    /// What was saved here, and may be written over.
    own_files: Vec<PathBuf>,
}

impl<'a> Table<'a> {
    pub(super) fn new(
        game: Game,
        seats: [Seat; 2],
        options: Options,
        ears: Ears,
        screen: Screen<'a>,
    ) -> Table<'a> {
        Table {
            game,
            seats,
            engine: Engine::new(options),
            time: Duration::from_secs(2),
            seed: None,
            level: Level::FULL.into(),
            ears,
            screen,
            opening: None,
            clock: None,
            options,
            undone: Vec::new(),
            opening_moves: 0,
            verdict: None,
            numbers: false,
            paused: false,
            announced: false,
            own_files: Vec::new(),
        }
    }

    /// One turn after the other, until the player leaves or nothing more is typed.
    pub(super) fn play(&mut self) -> anyhow::Result<Finish> {
        self.introduce();
        loop {
            if self.opening.is_some() {
                if let Some(finish) = self.talk_about_opening()? {
                    return self.leave(finish);
                }
                continue;
            }
            self.announce_end();
            let mover = self.game.side_to_move();
            if !self.is_over() && !self.paused && !self.seats[mover.index()].is_person() {
                self.player_moves(mover)?;
                continue;
            }
            if !self.is_over() && self.has_only_fouls() {
                self.end(mover.opponent(), ONLY_FOULS);
                continue;
            }
            match self.listen(mover.name())? {
                Heard::Line(line) => match Command::parse(&line) {
                    Ok(Command::Quit) => return self.leave(Finish::Complete),
                    Ok(command) => self.obey(command)?,
                    Err(problem) => self.screen.note(problem),
                },
                Heard::Nothing => self.paused = false,
                Heard::End(finish) => return self.leave(finish),
            }
        }
    }

    /// Whoever is to move has nothing but forbidden moves. It would have to play one of them.
    fn has_only_fouls(&self) -> bool {
        self.game.rule().has_fouls(self.game.side_to_move())
            && self.game.legal_moves().next().is_none()
    }

    /// The game is over: on the board, by resignation or on time.
    fn is_over(&self) -> bool {
        self.game.ending().is_some() || self.verdict.is_some()
    }

    fn introduce(&mut self) {
        let (rule, size) = (self.game.rule(), self.game.size());
        let [black, white] = [0, 1].map(|index| self.seats[index].name());
        self.screen
            .note(format!("{rule} {size}; black: {black}, white: {white}; help lists commands"));
    }

    /// Says once how the game ended.
    fn announce_end(&mut self) {
        if !self.is_over() || std::mem::replace(&mut self.announced, true) {
            return;
        }
        let text = match (self.verdict, self.game.ending()) {
            (Some((winner, why)), _) => format!("{} wins: {why}", winner.name()),
            (None, Some(ending)) => ending.to_string(),
            (None, None) => return,
        };
        self.screen.note(text);
        self.screen.note(self.moves_line());
    }

    pub(super) fn moves_line(&self) -> String {
        let moves = self.game.board().moves();
        format!("moves: {}", self.game.notation().list(moves).join(" "))
    }

    /// The moves are what is left of a game that is broken off.
    fn leave(&mut self, finish: Finish) -> anyhow::Result<Finish> {
        if !self.announced {
            self.screen.note(self.moves_line());
        }
        self.show()?;
        Ok(finish)
    }

    pub(super) fn show(&mut self) -> anyhow::Result<()> {
        let mover = self.game.side_to_move();
        let minded = !self.is_over() && self.game.rule().has_fouls(mover);
        let offers = self.opening.as_ref().map_or(&[][..], |talk| talk.dialogue.offers());
        let view = View { game: &self.game, numbers: self.numbers, fouls: minded, offers };
        Ok(self.screen.show(&view)?)
    }

    /// Shows what there is to show and waits for a line.
    pub(super) fn listen(&mut self, prompt: &str) -> anyhow::Result<Heard> {
        self.show()?;
        let mover = self.game.side_to_move();
        // A program that is kept waiting is not charged for it.
        let waits = self.paused && !self.seats[mover.index()].is_person();
        let runs = !self.is_over() && self.opening.is_none() && !waits;
        let mut prompt = prompt.to_string();
        if let Some(clock) = &mut self.clock {
            prompt += &format!(" {} - {}", clock.shown(Color::Black), clock.shown(Color::White));
            if runs {
                clock.start();
            }
        }
        self.screen.prompt(&prompt)?;
        let event = self.ears.next();
        if let Event::Line(line) = &event {
            self.screen.heard(line)?;
        }
        if runs && self.has_no_time(mover) {
            self.end(mover.opponent(), reasons::TIMEOUT);
            // What was typed came too late; who leaves, leaves.
            if matches!(event, Event::Line(_)) {
                return Ok(Heard::Nothing);
            }
        }
        match event {
            Event::Line(bytes) => match String::from_utf8(bytes) {
                Ok(line) if line.trim().is_empty() => Ok(Heard::Nothing),
                Ok(line) => Ok(Heard::Line(line)),
                Err(_) => {
                    self.screen.note("that line is not text (UTF-8)");
                    Ok(Heard::Line("board".to_string()))
                }
            },
            Event::End => {
                self.screen.end_line()?;
                Ok(Heard::End(Finish::Complete))
            }
            Event::Interrupt => {
                self.screen.end_line()?;
                Ok(Heard::End(Finish::Interrupted))
            }
            Event::Failed(error) => Err(error.into()),
        }
    }

    fn place(&mut self, point: Point) {
        let mover = self.game.side_to_move();
        if self.game.try_play(point).is_err() {
            return;
        }
        if let Some(clock) = &mut self.clock {
            clock.moved(mover);
        }
        if self.undone.last() == Some(&point) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        self.paused = false;
        self.screen.change();
    }

    fn has_no_person(&self) -> bool {
        !self.seats.iter().any(Seat::is_person)
    }

    fn has_no_time(&self, mover: Color) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.left(mover).is_zero())
    }

    /// Ends the game for a reason that is not on the board.
    fn end(&mut self, winner: Color, why: &'static str) {
        self.stop_clock();
        self.verdict = Some((winner, why));
    }

    /// Charges whoever is to move.
    fn stop_clock(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.pause(self.game.side_to_move());
        }
    }

    /// A player of this program moves.
    fn player_moves(&mut self, mover: Color) -> anyhow::Result<()> {
        // With people at the table one redraw for both moves is enough.
        if self.has_no_person() {
            self.show()?;
        }
        let limits = self.limits(mover);
        let Seat::Player { name, player } = &mut self.seats[mover.index()] else { return Ok(()) };
        let seed = self.seed.map(|seed| seed.wrapping_mul(2).wrapping_add(mover.index() as u64));
        let player = player.get_or_insert_with(|| name.player(self.options, seed));
        let (position, screen) = (self.game.position(), &mut self.screen);
        let (chosen, interrupted) = self.ears.while_thinking(|stop| {
            screen.meanwhile(&format!("{} thinks; Ctrl-C makes it move", mover.name()))?;
            anyhow::Ok(player.choose(position, &limits, stop))
        });
        let chosen = chosen?;
        if self.has_no_time(mover) {
            self.end(mover.opponent(), reasons::TIMEOUT);
            return Ok(());
        }
        if let Some(point) = chosen {
            let name = self.game.notation().name(point);
            if self.game.check(point).is_ok() {
                self.place(point);
            } else {
                self.end(mover.opponent(), ONLY_FOULS);
            }
            self.screen.note(format!("{}: {name}", mover.name()));
        }
        self.paused = interrupted && self.has_no_person();
        Ok(())
    }

    /// What `mover` may spend; its clock begins to run.
    fn limits(&mut self, mover: Color) -> Limits {
        let limits = Limits::turn(self.time);
        let Some(clock) = &mut self.clock else { return limits };
        clock.start();
        Limits { left: Some(clock.left(mover)), increment: clock.increment(), ..limits }
    }
}

/// What came of listening.
pub(super) enum Heard {
    /// A line with something on it.
    Line(String),
    /// An empty line, or the time has run out.
    Nothing,
    /// The end.
    End(Finish),
}
