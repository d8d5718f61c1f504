//! What is done when somebody asks for it.

use std::path::Path;

use super::super::clock::GameClock;
use super::super::command::{Command, HELP};
use super::super::file;
use super::super::openings::OpeningTalk;
use super::super::threats::describe;
use super::{Seat, Table};
use tengen::engine::{Limits, Request, Silent};
use tengen::opening::OpeningRule;
use tengen::players::PlayerName;
use tengen_record::{GameResult, reasons};
use tengen_rules::game::{Game, Offence};
use tengen_rules::types::{BoardSize, Color, Rule, Written};
use tengen_study::review::reason;

impl Table<'_> {
    pub(super) fn obey(&mut self, command: Command) -> anyhow::Result<()> {
        match command {
            Command::Move(cell) => self.person_moves(&cell),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Hint => self.hint()?,
            Command::Threats => self.threats(),
            Command::New { rule, size } => {
                let rule = rule.unwrap_or(self.game.rule());
                self.new_game(rule, size.unwrap_or(self.game.size()));
            }
            Command::Opening(rule) => {
                let (size, of_game) = (self.game.size(), self.game.rule());
                match OpeningTalk::new(rule, size, of_game) {
                    Ok(talk) => {
                        self.new_game(of_game, size);
                        self.begin_opening(rule, talk);
                    }
                    Err(error) => self.screen.note(format!("no opening by {rule}: {error}")),
                }
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
            Command::Resign => self.end(self.resigning().opponent(), reasons::RESIGNATION),
            Command::Help => self.screen.note(HELP),
            // It ends the session where it is heard.
            Command::Quit => {}
        }
        Ok(())
    }

    /// Plays the move unless it is illegal: nobody loses a game here by a slip of the hand.
    fn person_moves(&mut self, cell: &Written) {
        if self.is_over() {
            self.screen.note("the game is over; new starts another one, undo goes back");
            return;
        }
        let at = cell.at(self.game.notation());
        let name = self.game.notation().name(at);
        match self.game.check(at) {
            Ok(point) => self.place(point),
            Err(Offence::Foul(foul)) => {
                self.screen.note(format!("{name} is forbidden to black: {}", foul.name()));
            }
            Err(Offence::Occupied) => self.screen.note(format!("{name} is taken")),
            // As it was typed: a cell far off the board has no name, or a strange one.
            Err(_) => self.screen.note(format!("{cell} lies off the board")),
        }
    }

    /// Who gives up: the only person, whoever is to move; of two or none, who is to move.
    fn resigning(&self) -> Color {
        match [0, 1].map(|index| self.seats[index].is_person()) {
            [true, false] => Color::Black,
            [false, true] => Color::White,
            _ => self.game.side_to_move(),
        }
    }

    /// Takes back the last move of a person and what came after it; between players of this
    /// program, or two people, the last move. Who gave up has not, and nothing else is taken back.
    fn undo(&mut self) {
        if matches!(self.verdict, Some((_, reasons::RESIGNATION))) {
            self.verdict = None;
            self.announced = false;
            return;
        }
        let persons = [0, 1].map(|index| self.seats[index].is_person());
        let own = |color: Color| persons[color.index()];
        let stones = self.game.moves().count() - self.opening_moves;
        let history = self.game.history();
        let moved = history[history.len() - stones..].iter().any(|stone| own(stone.color));
        if stones == 0 || persons.contains(&true) && !moved {
            self.screen.note("you have not moved yet");
            return;
        }
        let was_late = matches!(self.verdict.take(), Some((_, reasons::TIMEOUT)));
        self.stop_clock();
        if was_late && let Some(clock) = &mut self.clock {
            clock.reset();
            self.screen.note("the clock is set anew");
        }
        loop {
            let last = self.game.history().last().map(|stone| stone.point);
            let stones = self.game.history().len();
            if !self.game.undo() {
                break;
            }
            // A foul that ended the game put no stone on the board.
            if self.game.history().len() < stones {
                self.undone.extend(last);
            }
            if own(self.game.side_to_move()) || !persons.contains(&true) {
                break;
            }
        }
        self.after_jump();
    }

    /// Plays again what undo took back.
    fn redo(&mut self) {
        if self.is_over() {
            self.screen.note("the game is over");
            return;
        }
        if self.undone.is_empty() {
            self.screen.note("there is nothing to play again");
            return;
        }
        self.stop_clock();
        while let Some(point) = self.undone.pop() {
            if self.game.try_play(point).is_err() {
                self.undone.clear();
            }
            let seat = &self.seats[self.game.side_to_move().index()];
            if seat.is_person() || self.has_no_person() {
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
        self.screen.change();
    }

    pub(in crate::play) fn new_game(&mut self, rule: Rule, size: BoardSize) {
        self.set_game(Game::new(size, rule));
        self.paused = false;
        self.introduce();
    }

    fn set_game(&mut self, game: Game) {
        self.game = game;
        self.undone.clear();
        self.opening_moves = 0;
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

    pub(in crate::play) fn begin_opening(&mut self, rule: OpeningRule, talk: OpeningTalk) {
        self.opening = Some(talk);
        self.screen.note(format!("opening by {rule}; the player of black begins"));
    }

    fn set_level(&mut self, name: PlayerName) {
        self.level = name;
        for seat in self.seats.iter_mut().filter(|seat| !seat.is_person()) {
            *seat = Seat::of(Some(name));
        }
        self.introduce();
        if self.seats.iter().all(Seat::is_person) {
            self.screen.note(format!("{name} moves where you say go"));
        }
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
        // Ctrl-C made it move; the opponent answers.
        self.paused = false;
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
        let names = self.game.notation().list(&line.moves);
        let Some(first) = names.first() else { return Ok(()) };
        self.screen.note(format!("I would play {first}: {}", reason(&self.game, line)));
        self.screen.note(format!("it may go on: {}", names.join(" ")));
        self.screen.wipe();
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
        let agreed = self.verdict.map(|(winner, why)| (GameResult::Win(winner), why));
        let ended = self.game.ending().map(|ending| (ending.winner().into(), ending.reason()));
        let own = self.own_files.iter().any(|own| own == path);
        match file::save(path, &self.game, agreed.or(ended), own) {
            Ok(lost) => {
                self.own_files.push(path.to_path_buf());
                let lost = if lost.is_empty() { lost } else { format!(", without {lost}") };
                self.screen.note(format!("saved to {}{lost}", path.display()));
            }
            Err(error) => self.screen.note(format!("not saved: {error:#}")),
        }
    }

    fn load(&mut self, path: &Path) {
        let mut notes = Vec::new();
        // Archives do not tell their board, but it is always the same.
        let is_archive = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("rec"));
        let size = (!is_archive).then_some(self.game.size());
        match file::load(path, self.game.rule(), size, &mut notes) {
            Ok(game) => {
                self.screen.note_lines(&notes);
                self.set_game(game);
                self.paused = true;
                self.introduce();
            }
            Err(error) => self.screen.note(format!("not loaded: {error:#}")),
        }
    }
}
