//! The table: a game, who sits where, and what is done at each turn.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Finish;
use super::board::View;
use super::clock::GameClock;
use super::command::{Command, HELP};
use super::ears::{Ears, Event};
use super::file;
use super::openings::OpeningTalk;
use super::screen::Screen;
use super::threats::describe;
use crate::engine::{Engine, Limits, Options, Request, Silent};
use crate::game::{Game, Offence};
use crate::opening::OpeningRule;
use crate::players::{Level, Player, PlayerName};
use crate::record::Verdict;
use crate::review::reason;
use crate::types::{BoardSize, Color, Coordinates, Point, Rule};

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
    /// A result without an end on the board, and why.
    verdict: Option<(Color, &'static str)>,
    numbers: bool,
    /// The person wants the word, although it is not their turn.
    paused: bool,
    announced: bool,
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
            match self.listen(mover.name())? {
                Heard::Line(line) => match Command::parse(&line, self.game.notation()) {
                    Ok(Command::Quit) => return self.leave(Finish::Complete),
                    Ok(command) => self.obey(command)?,
                    Err(problem) => self.screen.note(problem),
                },
                Heard::Nothing => self.paused = false,
                Heard::End(finish) => return self.leave(finish),
            }
        }
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
        let notation = self.game.notation();
        let names: Vec<String> =
            self.game.history().iter().map(|stone| notation.name(stone.point)).collect();
        format!("moves: {}", names.join(" "))
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
        let runs = !self.is_over() && self.opening.is_none();
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
        if runs
            && let Some(clock) = &mut self.clock
            && clock.left(mover).is_zero()
        {
            clock.pause(mover);
            self.verdict = Some((mover.opponent(), "time"));
            return Ok(Heard::Nothing);
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

    fn obey(&mut self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Move(at) => self.person_moves(at),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Hint => self.hint()?,
            Command::Threats => self.threats(),
            Command::New { rule, size } => {
                let rule = rule.unwrap_or(self.game.rule());
                self.new_game(rule, size.unwrap_or(self.game.size()));
            }
            Command::Opening(rule) => {
                self.new_game(self.game.rule(), self.game.size());
                self.begin_opening(rule);
            }
            Command::Swap => {
                self.seats.swap(0, 1);
                self.introduce();
            }
            Command::Seat(color, name) => {
                self.seats[color.index()] = Seat::of(name);
                self.introduce();
            }
            Command::Level(name) => self.set_level(name),
            Command::Go => self.go()?,
            Command::Time(time) => {
                self.time = time;
                self.screen.note(format!("the engine takes {} ms a move", time.as_millis()));
            }
            Command::Clock(terms) => {
                self.clock = terms.map(|(game, increment)| GameClock::new(game, increment));
                self.screen.note(if terms.is_some() { "the clock is set" } else { "no clock" });
            }
            Command::Numbers => {
                self.numbers = !self.numbers;
                self.screen.change();
            }
            Command::Moves => self.screen.note(self.moves_line()),
            Command::Board => self.screen.change(),
            Command::Save(name) => self.save(Path::new(&name)),
            Command::Load(name) => self.load(Path::new(&name)),
            Command::Resign if self.is_over() => self.screen.note("the game is over already"),
            Command::Resign => {
                self.verdict = Some((self.game.side_to_move().opponent(), "resignation"));
            }
            Command::Help => self.screen.note(HELP),
            // It ends the session where it is heard.
            Command::Quit => {}
        }
        Ok(())
    }

    /// Plays the move unless it is illegal: nobody loses a game here by a slip of the hand.
    fn person_moves(&mut self, at: Coordinates) {
        if self.is_over() {
            self.screen.note("the game is over; new starts another one, undo goes back");
            return;
        }
        let name = self.game.notation().name(at);
        match self.game.check(at) {
            Ok(point) => self.place(point),
            Err(Offence::Foul(foul)) => {
                self.screen.note(format!("{name} is forbidden to black: {}", foul.name()));
            }
            Err(Offence::Occupied) => self.screen.note(format!("{name} is taken")),
            Err(_) => self.screen.note(format!("{name} lies off the board")),
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

    /// A player of this program moves.
    fn player_moves(&mut self, mover: Color) -> anyhow::Result<()> {
        // With people at the table one redraw for both moves is enough.
        if self.seats.iter().all(|seat| !seat.is_person()) {
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
        if let Some(clock) = &mut self.clock
            && clock.left(mover).is_zero()
        {
            self.verdict = Some((mover.opponent(), "time"));
            return Ok(());
        }
        if let Some(point) = chosen {
            let name = self.game.notation().name(point);
            self.place(point);
            self.screen.note(format!("{}: {name}", mover.name()));
        }
        self.paused = interrupted && self.seats.iter().all(|seat| !seat.is_person());
        Ok(())
    }

    /// What `mover` may spend; its clock begins to run.
    fn limits(&mut self, mover: Color) -> Limits {
        let limits = Limits::turn(self.time);
        let Some(clock) = &mut self.clock else { return limits };
        clock.start();
        Limits { left: Some(clock.left(mover)), increment: clock.increment(), ..limits }
    }

    /// Takes back the last move of a person and what came after it; between players of this
    /// program, or two people, the last move.
    fn undo(&mut self) {
        let persons = [0, 1].map(|index| self.seats[index].is_person());
        let own = |color: Color| persons[color.index()];
        let stones = self.game.moves().count();
        let history = self.game.history();
        let moved = history[history.len() - stones..].iter().any(|stone| own(stone.color));
        if stones == 0 || persons.contains(&true) && !moved {
            self.screen.note("you have not moved yet");
            return;
        }
        self.verdict = None;
        loop {
            let last = self.game.history().last().map(|stone| stone.point);
            if !self.game.undo() {
                break;
            }
            self.undone.extend(last);
            if own(self.game.side_to_move()) || !persons.contains(&true) {
                break;
            }
        }
        self.after_jump();
    }

    /// Plays again what undo took back.
    fn redo(&mut self) {
        if self.undone.is_empty() {
            self.screen.note("there is nothing to play again");
            return;
        }
        while let Some(point) = self.undone.pop() {
            if self.game.try_play(point).is_err() {
                self.undone.clear();
            }
            let seat = &self.seats[self.game.side_to_move().index()];
            if seat.is_person() || self.seats.iter().all(|seat| !seat.is_person()) {
                break;
            }
        }
        self.after_jump();
    }

    /// The game stands elsewhere than before.
    fn after_jump(&mut self) {
        self.announced = false;
        // Otherwise the engine would at once play again what was taken back.
        self.paused = true;
        if let Some(clock) = &mut self.clock {
            clock.pause(self.game.side_to_move());
        }
        self.screen.change();
    }

    fn new_game(&mut self, rule: Rule, size: BoardSize) {
        self.set_game(Game::new(size, rule));
        self.paused = false;
        self.introduce();
    }

    pub(super) fn set_game(&mut self, game: Game) {
        self.game = game;
        self.undone.clear();
        self.verdict = None;
        self.announced = false;
        if let Some(clock) = &mut self.clock {
            clock.reset();
        }
        for seat in &mut self.seats {
            if let Seat::Player { player: Some(player), .. } = seat {
                player.new_game();
            }
        }
        self.screen.change();
    }

    pub(super) fn begin_opening(&mut self, rule: OpeningRule) {
        self.opening = Some(OpeningTalk::new(rule, self.game.size(), self.game.rule()));
        self.screen.note(format!("opening by {rule}; the player of black begins"));
    }

    fn set_level(&mut self, name: PlayerName) {
        self.level = name;
        for seat in self.seats.iter_mut().filter(|seat| !seat.is_person()) {
            *seat = Seat::of(Some(name));
        }
        self.introduce();
    }

    /// Lets a player of this program move for whoever is to move.
    fn go(&mut self) -> anyhow::Result<()> {
        if self.is_over() {
            self.screen.note("the game is over");
            return Ok(());
        }
        let mover = self.game.side_to_move();
        if !self.seats[mover.index()].is_person() {
            self.paused = false;
            return Ok(());
        }
        let person = std::mem::replace(&mut self.seats[mover.index()], Seat::of(Some(self.level)));
        let moved = self.player_moves(mover);
        self.seats[mover.index()] = person;
        moved
    }

    /// What the engine would play, how it would go on, and why.
    fn hint(&mut self) -> anyhow::Result<()> {
        if self.is_over() {
            self.screen.note("the game is over");
            return Ok(());
        }
        let request = Request::best_move(Limits::turn(self.time));
        let (engine, position) = (&mut self.engine, self.game.position());
        let screen = &mut self.screen;
        let (report, _) = self.ears.while_thinking(|stop| {
            screen.meanwhile("thinking; Ctrl-C ends it")?;
            anyhow::Ok(engine.think(position, &request, stop, &mut Silent))
        });
        let report = report?;
        let Some(line) = report.lines.first() else { return Ok(()) };
        let notation = self.game.notation();
        let names: Vec<String> = line.moves.iter().map(|&point| notation.name(point)).collect();
        let Some(first) = names.first() else { return Ok(()) };
        self.screen.note(format!("I would play {first}: {}", reason(&self.game, line)));
        self.screen.note(format!("it may go on: {}", names.join(" ")));
        // On a terminal the redraw wipes away that it was thinking.
        self.screen.change();
        Ok(())
    }

    fn threats(&mut self) {
        for color in Color::ALL {
            for line in describe(&self.game, color) {
                self.screen.note(line);
            }
        }
    }

    fn save(&mut self, path: &Path) {
        let winner = self.verdict.map(|(winner, _)| Verdict::Win(winner));
        let ended = self.game.ending().map(|ending| match ending.winner() {
            Some(color) => Verdict::Win(color),
            None => Verdict::Draw,
        });
        let own = self.own_files.iter().any(|own| own == path);
        match file::save(path, &self.game, winner.or(ended), own) {
            Ok(lost) => {
                self.own_files.push(path.to_path_buf());
                let lost = if lost.is_empty() { lost } else { format!(", without {lost}") };
                self.screen.note(format!("saved to {}{lost}", path.display()));
            }
            Err(error) => self.screen.note(format!("not saved: {error:#}")),
        }
    }

    fn load(&mut self, path: &Path) {
        match file::load(path) {
            Ok(game) => {
                self.set_game(game);
                self.paused = true;
                self.own_files.push(path.to_path_buf());
                self.introduce();
            }
            Err(error) => self.screen.note(format!("not loaded: {error:#}")),
        }
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
