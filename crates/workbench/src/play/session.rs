//! A session: the game, the seats, and the turns.

mod actions;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::Finish;
use super::board::View;
use super::clock::GameClock;
use super::command::Command;
use super::input::{Event, InputEvents, LINE_BYTES};
use super::openings::OpeningDialogue;
use super::screen::Screen;
use super::varied::VariedPlayer;
use crate::preferences;
use tengen::book::Book;
use tengen::engine::{Engine, Limits, Options, Request};
use tengen::players::{LEVELS, Level, Player as _, PlayerName};
use tengen_cli::units::TimeLimit;
use tengen_record::{GameResult, reasons};
use tengen_rules::board::row_stones;
use tengen_rules::game::Game;
use tengen_rules::types::{Color, DIRECTIONS, Point};
use tengen_study::review::Evaluations;
use tengen_study::wording;
use tengen_words::{Words, say};

/// Who plays a colour.
pub(super) enum Seat {
    /// A person at the keyboard.
    Person,
    /// A player of this program.
    Player {
        /// Its name.
        name: PlayerName,
        /// The player, created at its first move.
        player: Option<Box<VariedPlayer>>,
    },
}

impl Seat {
    /// The seat of the player with this name, or of a person.
    pub(super) fn of(name: Option<PlayerName>) -> Seat {
        name.map_or(Seat::Person, |name| Seat::Player { name, player: None })
    }

    pub(super) fn is_person(&self) -> bool {
        matches!(self, Seat::Person)
    }

    pub(super) fn name(&self, words: &Words) -> String {
        match self {
            Seat::Person => words.text("opening.you").to_string(),
            Seat::Player { name, .. } => wording::player(words, *name),
        }
    }
}

/// The reason of a loss by having only forbidden moves.
const ONLY_FOULS: &str = "only forbidden moves are left";

/// A session of games in the terminal.
pub(super) struct PlaySession<'a> {
    pub(super) game: Game,
    pub(super) seats: [Seat; 2],
    /// Used for hints, and for the answers of players in openings.
    pub(super) engine: Engine,
    pub(super) time: TimeLimit,
    pub(super) seed: Option<u64>,
    /// The opening book of players at full strength.
    pub(super) book: Option<Arc<Book>>,
    /// The player for seats without a named one.
    pub(super) level: PlayerName,
    pub(super) input: InputEvents,
    pub(super) screen: Screen<'a>,
    /// The opening in progress.
    pub(super) opening: Option<OpeningDialogue>,
    pub(super) clock: Option<GameClock>,
    /// Evaluations of `review`.
    evaluations: Evaluations,
    options: Options,
    /// Moves taken back, the earliest last, with the side to move after each: a game of a file may
    /// contain passes.
    undone: Vec<(Point, Color)>,
    /// Number of moves of the opening, which `undo` does not take back.
    pub(super) opening_moves: usize,
    /// The winner and the reason, if the game was decided off the board.
    decision: Option<(Color, &'static str)>,
    numbers: bool,
    /// Whether players of this program wait for a command.
    paused: bool,
    announced: bool,
    /// Files saved in this session, which may be replaced.
    saved_files: Vec<PathBuf>,
    /// Milliseconds of each move, with the moves taken back.
    times: Vec<Option<u64>>,
    /// When the side to move began to think.
    turn_started: Instant,
}

impl<'a> PlaySession<'a> {
    pub(super) fn new(
        game: Game,
        seats: [Seat; 2],
        options: Options,
        input: InputEvents,
        screen: Screen<'a>,
    ) -> PlaySession<'a> {
        PlaySession {
            game,
            seats,
            engine: Engine::new(options.clone()),
            time: TimeLimit::milliseconds(2000),
            seed: None,
            book: None,
            level: Level::FULL.into(),
            input,
            screen,
            opening: None,
            clock: None,
            evaluations: Evaluations::default(),
            options,
            undone: Vec::new(),
            opening_moves: 0,
            decision: None,
            numbers: false,
            paused: false,
            announced: false,
            saved_files: Vec::new(),
            times: Vec::new(),
            turn_started: Instant::now(),
        }
    }

    /// Plays turn by turn until `quit` or the end of the input.
    pub(super) fn play(&mut self) -> anyhow::Result<Finish> {
        self.announce_game();
        loop {
            if self.opening.is_some() {
                if let Some(finish) = self.opening_step()? {
                    return self.leave(finish);
                }
                continue;
            }
            self.announce_end();
            let mover = self.game.side_to_move();
            if !self.is_over() && !self.paused && !self.seats[mover.index()].is_person() {
                self.play_engine_move(mover)?;
                continue;
            }
            if !self.is_over() && self.has_only_fouls() {
                self.end(mover.opponent(), ONLY_FOULS);
                continue;
            }
            match self.prompt(wording::color(self.screen.words, mover))? {
                Prompted::Line(line) => match Command::parse(&line) {
                    Ok(Command::Quit) => return self.leave(Finish::Complete),
                    Ok(command) => self.execute(command)?,
                    Err(problem) => self.screen.note(problem),
                },
                Prompted::Empty => self.paused = false,
                Prompted::Finish(finish) => return self.leave(finish),
            }
        }
    }

    /// Whether a person at a terminal can be asked for the level before the first move.
    pub(super) fn asks_for_level(&self) -> bool {
        self.screen.edits()
    }

    /// Asks for the level, keeps it, then plays as [`PlaySession::play`].
    pub(super) fn play_with_level(&mut self) -> anyhow::Result<Finish> {
        let words = self.screen.words;
        let names: Vec<String> = LEVELS.iter().map(|level| listed(words, level.name)).collect();
        // It does not run during the question.
        let clock = self.clock.take();
        let mut first = None;
        loop {
            self.screen.note(say!(words, "play.levels", names = names.join(", ")));
            let line = match self.prompt(words.text("play.ask-level"))? {
                Prompted::Line(line) => line,
                Prompted::Empty => {
                    self.keep_level(self.level);
                    break;
                }
                Prompted::Finish(finish) => return Ok(finish),
            };
            match line.trim().parse() {
                Ok(name) => {
                    self.set_opponent(name);
                    self.keep_level(name);
                    break;
                }
                Err(error) => match Command::parse(&line) {
                    Ok(Command::Quit) => return Ok(Finish::Complete),
                    Ok(Command::Unknown(_)) | Err(_) => self.screen.note(error.to_string()),
                    // A move or another command begins the game at full strength.
                    Ok(command) => {
                        first = Some(command);
                        break;
                    }
                },
            }
        }
        self.clock = clock;
        self.turn_started = Instant::now();
        if let Some(command) = first {
            self.execute(command)?;
        }
        self.play()
    }

    /// Keeps the answer for later games.
    fn keep_level(&mut self, name: PlayerName) {
        let words = self.screen.words;
        let Some(path) = preferences::path() else { return };
        let kept = preferences::keep(&path, "--level", &name.to_string());
        let (name, path) = (wording::player(words, name), path.display());
        self.screen.note(match kept {
            Ok(()) => say!(words, "play.kept", name = name, path = path),
            Err(error) => say!(words, "play.not-kept", error = format!("{error:#}")),
        });
    }

    /// Whether the side to move has only forbidden moves.
    fn has_only_fouls(&self) -> bool {
        self.game.rule().has_fouls(self.game.side_to_move())
            && self.game.legal_moves().next().is_none()
    }

    /// Whether the game is over: on the board, by resignation or on time.
    fn is_over(&self) -> bool {
        self.game.ending().is_some() || self.decision.is_some()
    }

    fn announce_game(&mut self) {
        let words = self.screen.words;
        let [black, white] = [0, 1].map(|index| self.seats[index].name(words));
        let rule = wording::rule(words, self.game.rule());
        let size = self.game.size();
        self.screen.note(say!(
            words,
            "play.players",
            rule = rule,
            size = size,
            black = black,
            white = white
        ));
    }

    /// Notes whose turn it is, and what continues the game.
    fn announce_turn(&mut self) {
        if self.is_over() {
            return;
        }
        let mover = self.game.side_to_move();
        let words = self.screen.words;
        let color = wording::color(words, mover);
        let note = match &self.seats[mover.index()] {
            Seat::Person => say!(words, "play.turn-person", color = color),
            Seat::Player { name, .. } => {
                let name = wording::player(words, *name);
                say!(words, "play.turn-engine", color = color, name = name)
            }
        };
        self.screen.note(note);
    }

    /// Notes once how the game ended.
    fn announce_end(&mut self) {
        if !self.is_over() || std::mem::replace(&mut self.announced, true) {
            return;
        }
        let words = self.screen.words;
        let (mut text, winner) = match (self.decision, self.game.ending()) {
            (Some((winner, why)), _) => {
                let why = if why == ONLY_FOULS { words.text("play.only-fouls") } else { why };
                (wording::result(words, GameResult::Win(winner), Some(why)), Some(winner))
            }
            (None, Some(ending)) => (wording::ending(words, ending), ending.winner()),
            (None, None) => return,
        };
        if let (Some(winner), Some(person)) = (winner, self.only_person()) {
            text = match winner.index() == person {
                true => say!(words, "play.you-win", ending = text),
                false => say!(words, "play.you-lose", ending = text),
            };
        }
        self.screen.note(text);
        self.screen.note(self.moves_line());
    }

    /// The index of the seat of the only person.
    pub(super) fn only_person(&self) -> Option<usize> {
        match [0, 1].map(|index| self.seats[index].is_person()) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }

    pub(super) fn moves_line(&self) -> String {
        let moves = self.game.notation().list(self.game.moves()).join(" ");
        say!(self.screen.words, "play.moves", moves = moves)
    }

    /// Shows the moves of an unfinished game and leaves.
    fn leave(&mut self, finish: Finish) -> anyhow::Result<Finish> {
        if !self.announced {
            self.screen.note(self.moves_line());
        }
        self.show()?;
        Ok(finish)
    }

    pub(super) fn show(&mut self) -> anyhow::Result<()> {
        // Also on white's turn: white can win by them.
        let show_fouls = !self.is_over() && self.game.rule().has_fouls(Color::Black);
        let offers = self.opening.as_ref().map_or(&[][..], |opening| opening.dialogue.offers());
        let view = View { game: &self.game, numbers: self.numbers, fouls: show_fouls, offers };
        Ok(self.screen.show(&view)?)
    }

    /// Notes why the input is refused, and shows the board.
    fn refuse(&mut self, why: String) -> Prompted {
        self.screen.note(why);
        Prompted::Line("board".to_string())
    }

    /// Shows the board and the notes, and waits for a line.
    pub(super) fn prompt(&mut self, prompt: &str) -> anyhow::Result<Prompted> {
        self.show()?;
        let mover = self.game.side_to_move();
        // The clock of a paused program does not run.
        let waits = self.paused && !self.seats[mover.index()].is_person();
        let runs = !self.is_over() && self.opening.is_none() && !waits;
        let mut prompt = prompt.to_string();
        if let Some(clock) = &mut self.clock {
            prompt += &format!(" {} - {}", clock.shown(Color::Black), clock.shown(Color::White));
            if runs {
                clock.start();
            }
        }
        prompt += "> ";
        if !self.input.shows_prompts() {
            self.screen.prompt(&prompt)?;
        }
        let event = self.input.next(&prompt);
        if let Event::Line(line) = &event {
            self.screen.echo(line)?;
        }
        if runs && self.is_out_of_time(mover) && !ends_clock(&event) {
            self.end(mover.opponent(), reasons::TIMEOUT);
            // The line came too late. The end of the input and Ctrl-C still count.
            if matches!(event, Event::Line(_)) {
                return Ok(Prompted::Empty);
            }
        }
        match event {
            Event::Line(bytes) if bytes.len() > LINE_BYTES => {
                let words = self.screen.words;
                Ok(self.refuse(say!(words, "play.line-too-long", most = LINE_BYTES)))
            }
            Event::Line(bytes) => match String::from_utf8(bytes) {
                Ok(line) if line.trim().is_empty() => Ok(Prompted::Empty),
                Ok(line) => Ok(Prompted::Line(line)),
                Err(_) => Ok(self.refuse(self.screen.words.text("play.not-text").to_string())),
            },
            Event::End => {
                self.screen.end_line()?;
                Ok(Prompted::Finish(Finish::Complete))
            }
            Event::Interrupt => {
                self.screen.end_line()?;
                Ok(Prompted::Finish(Finish::Interrupted))
            }
            Event::Failed(error) => {
                self.screen.end_line()?;
                self.leave(Finish::Interrupted)?;
                Err(error.into())
            }
        }
    }

    fn place(&mut self, point: Point) {
        let mover = self.game.side_to_move();
        let before = self.game.moves().count();
        if self.game.try_play(point).is_err() {
            return;
        }
        self.note_time(before);
        self.note_row(point, mover);
        if let Some(clock) = &mut self.clock {
            clock.moved(mover);
        }
        if self.undone.last() == Some(&(point, self.game.side_to_move())) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        self.paused = false;
        self.screen.change();
    }

    /// Notes a row of five or more that does not win under the rule.
    fn note_row(&mut self, point: Point, color: Color) {
        if self.game.ending().is_some() {
            return;
        }
        let board = self.game.board();
        let row = |direction| row_stones(board, point, color, direction).len();
        let longest = DIRECTIONS.into_iter().map(row).max().unwrap_or(0);
        if longest >= 5 {
            let words = self.screen.words;
            let rule = wording::rule(words, self.game.rule());
            self.screen.note(match longest {
                5 => say!(words, "play.row-blocked", length = longest, rule = rule),
                _ => say!(words, "play.row-long", length = longest, rule = rule),
            });
        }
    }

    /// Stores the time of a move that was played after this number of moves.
    pub(super) fn note_time(&mut self, before: usize) {
        if self.game.moves().count() > before {
            self.times.resize(before, None);
            let ms = self.turn_started.elapsed().as_millis();
            self.times.push(Some(u64::try_from(ms).unwrap_or(u64::MAX)));
        }
        self.turn_started = Instant::now();
    }

    fn has_no_person(&self) -> bool {
        !self.seats.iter().any(Seat::is_person)
    }

    fn is_out_of_time(&self, mover: Color) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.left(mover).is_zero())
    }

    /// Ends the game by a decision off the board.
    fn end(&mut self, winner: Color, why: &'static str) {
        self.stop_clock();
        self.decision = Some((winner, why));
    }

    /// Stops the clock of the side to move.
    fn stop_clock(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.pause(self.game.side_to_move());
        }
    }

    /// Lets a player of this program move.
    fn play_engine_move(&mut self, mover: Color) -> anyhow::Result<()> {
        // With a person, one redraw for both moves is enough.
        if self.has_no_person() {
            self.show()?;
        }
        let request = Request::new(self.limits(mover));
        let Seat::Player { name, player } = &mut self.seats[mover.index()] else { return Ok(()) };
        let seed = self.seed.map(|seed| seed.wrapping_mul(2).wrapping_add(mover.index() as u64));
        let (options, book) = (&self.options, &self.book);
        let player = player.get_or_insert_with(|| {
            let player = VariedPlayer::new(*name, options.clone(), seed);
            Box::new(player.with_book(book.clone()))
        });
        let words = self.screen.words;
        let color = wording::color(words, mover);
        let (position, screen) = (self.game.position(), &mut self.screen);
        let (chosen, interrupted) = self.input.run_interruptible(|stop| {
            screen.show_transient(&say!(words, "play.thinking", color = color))?;
            anyhow::Ok(player.choose(position, &request, stop))
        });
        let chosen = chosen?;
        if self.is_out_of_time(mover) {
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
            self.screen.note(format!("{color}: {name}"));
        }
        self.paused = interrupted && self.has_no_person();
        if self.paused {
            self.announce_turn();
        }
        Ok(())
    }

    /// The limits for a move without a clock.
    pub(super) fn turn_limits(&self) -> Limits {
        self.time.duration().map_or(Limits::unlimited(), Limits::turn)
    }

    /// The limits for a move of `mover`. Starts its clock.
    fn limits(&mut self, mover: Color) -> Limits {
        let limits = self.turn_limits();
        let Some(clock) = &mut self.clock else { return limits };
        clock.start();
        limits.with_clock(clock.left(mover), clock.increment()).with_game(clock.game())
    }
}

/// The name of a level as it is typed, with its name in the language.
fn listed(words: &Words, name: &str) -> String {
    match words.find(&format!("level.{name}")) {
        Some(own) => format!("{name} ({own})"),
        None => name.to_string(),
    }
}

/// Whether the line turns the clock off, which counts even if it comes late.
fn ends_clock(event: &Event) -> bool {
    let Event::Line(bytes) = event else { return false };
    let line = std::str::from_utf8(bytes).unwrap_or_default();
    Command::parse(line) == Ok(Command::Clock(None))
}

/// The result of a prompt.
pub(super) enum Prompted {
    /// A line that is not empty.
    Line(String),
    /// An empty line, or one that came after the time was up.
    Empty,
    /// The session ends.
    Finish(Finish),
}
