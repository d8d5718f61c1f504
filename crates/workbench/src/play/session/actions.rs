//! The commands of a session.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, ensure};

use super::super::clock::GameClock;
use super::super::command::Command;
use super::super::file;
use super::super::openings::OpeningDialogue;
use super::super::threats::describe;
use super::{PlaySession, Seat};
use tengen::engine::{Request, Silent};
use tengen::opening::OpeningRule;
use tengen::players::{Player as _, PlayerName};
use tengen_cli::args::BoardArgs;
use tengen_cli::atomic_file::ensure_regular_file;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::selection::Selection;
use tengen_record::{GameResult, reasons};
use tengen_rules::game::{Game, Offence};
use tengen_rules::threat::Foul;
use tengen_rules::types::{BoardSize, ByColor, CellText, Color, Rule, percent};
use tengen_study::review::{self, Review, evaluate, reason};
use tengen_study::wording;
use tengen_words::say;

/// Nodes of each search of `review`: about a tenth of a second.
const REVIEW_NODES: u64 = 20_000;

impl PlaySession<'_> {
    pub(in crate::play) fn execute(&mut self, command: Command) -> anyhow::Result<()> {
        let words = self.screen.words;
        match command {
            Command::Move(cell) => self.play_person_move(&cell),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Hint(moves) => self.hint(moves)?,
            Command::Review => self.review()?,
            Command::Threats => self.threats(),
            Command::Fouls => self.fouls(),
            Command::New { rule, size } => {
                let rule = rule.unwrap_or(self.game.rule());
                self.new_game(rule, size.unwrap_or(self.game.size()));
            }
            Command::Opening(rule) => {
                let (size, of_game) = (self.game.size(), self.game.rule());
                match OpeningDialogue::new(rule, size, of_game) {
                    Ok(opening) => {
                        self.new_game(of_game, size);
                        self.begin_opening(rule, opening);
                    }
                    Err(error) => {
                        self.screen.note(say!(words, "play.no-opening", rule = rule, error = error))
                    }
                }
            }
            Command::Swap => {
                self.seats.swap(0, 1);
                self.announce_game();
            }
            Command::Seat(color, name) => {
                self.seats[color.index()] = Seat::of(name);
                self.announce_game();
            }
            Command::Level(name) => self.set_level(name),
            Command::Go => self.go()?,
            Command::ShowTime => {
                self.screen.note(say!(words, "play.time", time = self.time));
            }
            Command::Time(time) => {
                self.time = time;
                self.screen.note(say!(words, "play.time", time = time));
            }
            Command::Clock(terms) => {
                self.clock = terms.map(|(game, increment)| GameClock::new(game, increment));
                let key = if terms.is_some() { "play.clock-on" } else { "play.clock-off" };
                self.screen.note(words.text(key));
            }
            Command::Numbers => {
                self.numbers = !self.numbers;
                self.screen.change();
            }
            Command::Moves => self.screen.note(self.moves_line()),
            Command::Board => self.screen.change(),
            Command::Save { name, force } => self.save(Path::new(&name), force),
            Command::Load(name) => self.load(Path::new(&name)),
            Command::Resign if self.is_over() => self.screen.note(words.text("play.over-already")),
            Command::Resign => self.end(self.resigning_color().opponent(), reasons::RESIGNATION),
            Command::Help => self.screen.note(words.text("play.help")),
            Command::Unknown(line) => {
                self.screen.note(say!(words, "play.unknown", line = format!("{line:?}")));
            }
            // Handled where lines are read.
            Command::Quit => {}
        }
        Ok(())
    }

    /// Plays a person's move. Illegal moves are refused, so a typing error does not lose the game.
    fn play_person_move(&mut self, cell: &CellText) {
        let words = self.screen.words;
        if self.is_over() {
            self.screen.note(words.text("play.over-continue"));
            return;
        }
        let at = cell.at(self.game.notation());
        let name = self.game.notation().name(at);
        match self.game.check(at) {
            Ok(point) => self.place(point),
            // As typed, because a cell outside the board may have no name.
            Err(Offence::OffBoard) => {
                self.note_refusal(Offence::OffBoard, &cell.to_string());
            }
            Err(offence) => self.note_refusal(offence, &name),
        }
    }

    /// Notes why a move, `written` in this way, is refused.
    pub(in crate::play) fn note_refusal(&mut self, offence: Offence, written: &str) {
        let size = self.game.size();
        self.screen.note(wording::refused(self.screen.words, offence, written, size));
    }

    /// The colour that `resign` gives up for: that of the only person, else the side to move.
    fn resigning_color(&self) -> Color {
        match [0, 1].map(|index| self.seats[index].is_person()) {
            [true, false] => Color::Black,
            [false, true] => Color::White,
            _ => self.game.side_to_move(),
        }
    }

    /// Takes back the last move of the only person and the moves after it. With two people or none
    /// it takes back one move. After a resignation it takes back only the resignation.
    fn undo(&mut self) {
        if matches!(self.decision, Some((_, reasons::RESIGNATION))) {
            self.decision = None;
            self.announced = false;
            return;
        }
        let persons = [0, 1].map(|index| self.seats[index].is_person());
        let own = |color: Color| persons[color.index()];
        let stones = self.game.moves().count() - self.opening_moves;
        let history = self.game.history();
        let moved = history[history.len() - stones..].iter().any(|stone| own(stone.color));
        if stones == 0 || persons.contains(&true) && !moved {
            self.screen.note(self.screen.words.text("play.no-undo"));
            return;
        }
        let was_late = matches!(self.decision.take(), Some((_, reasons::TIMEOUT)));
        self.stop_clock();
        if was_late && let Some(clock) = &mut self.clock {
            clock.reset();
            self.screen.note(self.screen.words.text("play.clock-reset"));
        }
        loop {
            let after = self.game.side_to_move();
            let last = self.game.history().last().map(|stone| (stone.point, after));
            let stones = self.game.history().len();
            if !self.game.undo() {
                break;
            }
            // A foul that ended the game is not a stone on the board.
            if self.game.history().len() < stones {
                self.undone.extend(last);
            }
            if own(self.game.side_to_move()) || !persons.contains(&true) {
                break;
            }
        }
        self.position_changed();
    }

    /// Plays the moves again that undo took back.
    fn redo(&mut self) {
        if self.is_over() {
            self.screen.note(self.screen.words.text("error.over"));
            return;
        }
        if self.undone.is_empty() {
            self.screen.note(self.screen.words.text("play.no-redo"));
            return;
        }
        self.stop_clock();
        while let Some((point, after)) = self.undone.pop() {
            if self.game.try_play(point).is_err() {
                self.undone.clear();
            } else if self.game.side_to_move() != after {
                self.game.pass();
            }
            let seat = &self.seats[self.game.side_to_move().index()];
            if seat.is_person() || self.has_no_person() {
                break;
            }
        }
        self.position_changed();
    }

    /// Pauses after undo or redo.
    fn position_changed(&mut self) {
        self.announced = false;
        // Otherwise the engine would immediately play again the move taken back.
        self.paused = true;
        self.turn_started = Instant::now();
        self.screen.change();
        if !self.seats[self.game.side_to_move().index()].is_person() {
            self.announce_turn();
        }
    }

    pub(in crate::play) fn new_game(&mut self, rule: Rule, size: BoardSize) {
        self.set_game(Game::new(size, rule));
        self.paused = false;
        self.announce_game();
    }

    fn set_game(&mut self, game: Game) {
        self.game = game;
        self.opening = None;
        self.undone.clear();
        self.times.clear();
        self.turn_started = Instant::now();
        self.opening_moves = 0;
        self.decision = None;
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

    pub(in crate::play) fn begin_opening(&mut self, rule: OpeningRule, opening: OpeningDialogue) {
        self.opening = Some(opening);
        self.screen.note(say!(self.screen.words, "play.opening", rule = rule));
    }

    /// Gives every seat of this program to this player.
    pub(super) fn set_opponent(&mut self, name: PlayerName) {
        self.level = name;
        for seat in self.seats.iter_mut().filter(|seat| !seat.is_person()) {
            *seat = Seat::of(Some(name));
        }
    }

    fn set_level(&mut self, name: PlayerName) {
        self.set_opponent(name);
        self.announce_game();
        if self.seats.iter().all(Seat::is_person) {
            let name = wording::player(self.screen.words, name);
            self.screen.note(say!(self.screen.words, "play.go", name = name));
        }
    }

    /// Lets a player of this program move for the side to move.
    fn go(&mut self) -> anyhow::Result<()> {
        if self.is_over() {
            self.screen.note(self.screen.words.text("error.over"));
            return Ok(());
        }
        let mover = self.game.side_to_move();
        if !self.seats[mover.index()].is_person() {
            self.paused = false;
            return Ok(());
        }
        let person = std::mem::replace(&mut self.seats[mover.index()], Seat::of(Some(self.level)));
        let moved = self.play_engine_move(mover);
        self.seats[mover.index()] = person;
        // Ctrl-C may have paused the game.
        self.paused = false;
        moved
    }

    /// Notes the engine's best move, its reason and its line; or several moves with their win rates
    /// and their lines.
    fn hint(&mut self, moves: usize) -> anyhow::Result<()> {
        if self.is_over() {
            self.screen.note(self.screen.words.text("error.over"));
            return Ok(());
        }
        let words = self.screen.words;
        let request = Request::new(self.turn_limits()).with_lines(moves);
        let (engine, position) = (&mut self.engine, self.game.position());
        let screen = &mut self.screen;
        let (report, _) = self.input.run_interruptible(|stop| {
            screen.show_transient(words.text("play.considering"))?;
            let mut report = engine.think(position, &request, stop, &mut Silent);
            engine.complete_lines(position, &mut report, &request, stop);
            anyhow::Ok(report)
        });
        let report = report?;
        self.screen.clear_transient();
        let Some(line) = report.lines.first() else { return Ok(()) };
        if moves > 1 {
            let side = wording::color(words, self.game.side_to_move());
            self.screen.note(say!(words, "play.best-moves", color = side));
            for (rank, line) in (1..).zip(report.searched_lines()) {
                let rate = percent(line.score.rounded_win_rate(), 1);
                let names = self.game.notation().list(&line.moves).join(" ");
                self.screen.note(format!("{rank:>2}. {rate:>5} %  {names}"));
            }
            return Ok(());
        }
        let names = self.game.notation().list(&line.moves);
        let Some(first) = names.first() else { return Ok(()) };
        let reason = reason(&self.game, line, words);
        self.screen.note(say!(words, "play.best-move", at = first, reason = reason));
        self.screen.note(say!(words, "play.line", moves = names.join(" ")));
        Ok(())
    }

    /// Notes the review of the game so far. Positions that an earlier review searched are not searched
    /// again.
    fn review(&mut self) -> anyhow::Result<()> {
        if self.game.moves().next().is_none() {
            self.screen.note(self.screen.words.text("play.no-review"));
            return Ok(());
        }
        let (game, engine, known) = (&self.game, &mut self.engine, &mut self.evaluations);
        let screen = &mut self.screen;
        let count = game.moves().count() + 1;
        let (evaluations, _) = self.input.run_interruptible(|stop| {
            let mut failure = Ok(());
            let progress = |done| {
                if failure.is_ok() {
                    failure = screen.show_progress(done, count);
                }
            };
            let evaluations = evaluate(game, engine, REVIEW_NODES, stop, known, progress);
            failure.map(|()| evaluations)
        });
        self.screen.clear_transient();
        match evaluations? {
            Some(evaluations) => {
                let review = Review::new(self.game.clone(), evaluations);
                let review = review.with_given(self.opening_moves);
                let verdict = self
                    .decision
                    .map(|(winner, why)| (GameResult::Win(winner), Some(why.to_string())));
                let text = review::text(&review.with_verdict(verdict), self.screen.words);
                self.screen.note(text);
            }
            None => self.screen.note(self.screen.words.text("play.review-stopped")),
        }
        Ok(())
    }

    fn threats(&mut self) {
        for color in Color::ALL {
            for line in describe(&self.game, color, self.screen.words) {
                self.screen.note(line);
            }
        }
    }

    /// Notes the points that renju forbids to black.
    fn fouls(&mut self) {
        if !self.game.rule().has_fouls(Color::Black) {
            self.screen.note(self.screen.words.text("play.no-fouls-here"));
            return;
        }
        let words = self.screen.words;
        let fouls = self.game.fouls();
        let notation = self.game.notation();
        for kind in [Foul::DoubleThree, Foul::DoubleFour, Foul::Overline] {
            let points = fouls.iter().filter(|foul| foul.1 == kind).map(|foul| foul.0);
            let names = notation.list(points);
            if !names.is_empty() {
                let (foul, points) = (wording::foul(words, kind), names.join(" "));
                self.screen.note(say!(words, "play.fouls", foul = foul, points = points));
            }
        }
        if fouls.is_empty() {
            self.screen.note(words.text("play.no-fouls"));
        }
    }

    /// The names of the players of black and white in game files.
    fn player_names(&self) -> ByColor<String> {
        // In an opening the first seat is that of the first player.
        let is_turned = self.opening.as_ref().is_some_and(OpeningDialogue::second_has_black);
        let name = |index: usize| match &self.seats[index] {
            Seat::Person => "human".to_string(),
            Seat::Player { name, .. } => format!("Tengen {name}"),
        };
        match is_turned {
            false => ByColor::new(name(0), name(1)),
            true => ByColor::new(name(1), name(0)),
        }
    }

    fn save(&mut self, path: &Path, force: bool) {
        let words = self.screen.words;
        let decision = self.decision.map(|(winner, why)| (GameResult::Win(winner), why));
        // A file of this session may be written again.
        let own = self.saved_files.iter().any(|own| own == path);
        let played = file::PlayedGame {
            game: &self.game,
            players: self.player_names(),
            decision,
            times: &self.times,
        };
        match file::save(path, &played, OverwriteArgs { force: force || own }) {
            Ok(lost) => {
                self.saved_files.push(path.to_path_buf());
                let path = path.display();
                self.screen.note(match lost.is_empty() {
                    true => say!(words, "play.saved", path = path),
                    false => say!(words, "play.saved-without", path = path, lost = lost),
                });
            }
            Err(error) => {
                self.screen.note(say!(words, "play.not-saved", error = format!("{error:#}")));
            }
        }
    }

    fn load(&mut self, path: &Path) {
        let mut notes = Vec::new();
        // Archives have a fixed board size and do not store it.
        let is_archive = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("rec"));
        let size = (!is_archive).then_some(self.game.size());
        let board = BoardArgs { rule: None, size };
        let loaded = ensure_readable(path).and_then(|()| {
            file::load(path, board, self.game.rule(), &Selection::default(), &mut notes)
        });
        match loaded {
            Ok(game) => {
                self.screen.note_lines(&notes);
                self.set_game(game);
                self.paused = true;
                self.announce_game();
                self.announce_turn();
            }
            Err(error) => {
                let error = format!("{error:#}");
                self.screen.note(say!(self.screen.words, "play.not-loaded", error = error));
            }
        }
    }
}

/// Rejects standard input, pipes and devices: they may have no end, and Ctrl-C does not stop reading.
fn ensure_readable(path: &Path) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    ensure!(path != Path::new("-"), "-: expected the name of a file");
    // Of a folder, only regular files are read.
    if path.is_dir() {
        return Ok(());
    }
    ensure_regular_file(path).with_context(name)
}
