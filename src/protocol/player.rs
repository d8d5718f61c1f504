//! The player behind a conversation: settings, game and engine. It answers requests to think, and
//! thinks in the opponent's time.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::analysis::SearchOutput;
use super::arrangement::{Arrangement, Exclusions};
use super::command::{Block, BlockKind};
use super::interrupts::{Arrival, Interrupts};
use super::networks::NetworkFinder;
use super::reply::{Output, Reply, SessionError};
use super::settings::{Info, Settings};
use crate::engine::opening::Opening;
use crate::engine::{Engine, Limits, Options, Request, Silent, StopSwitch, WinKind};
use crate::players::{Person, Player as _, Skill};
use tengen_rules::board::{self, Board};
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{BoardSize, Coordinates, Point, Rule};

/// Taken off the time of the first request of a process: some managers run the clock while the
/// process is still being loaded.
const COLD_START: Duration = Duration::from_millis(25);

/// Nodes that the search may visit that stands in for a crashed one.
const FALLBACK_NODES: u64 = 10_000;

/// Nothing to print, or one line, or one line about what is wrong.
pub(super) type Outcome = Result<Option<Reply>, SessionError>;

/// An input that is being answered, and where lines go in the meantime.
pub(super) struct Exchange<'a> {
    /// Which input it is.
    pub(super) arrival: Arrival,
    /// Where its lines go.
    pub(super) out: &'a mut dyn Output,
}

impl Exchange<'_> {
    /// Prints a message.
    pub(super) fn message(&mut self, text: impl Display) {
        self.out.send(&Reply::message(text));
    }
}

/// What the engine expects after its answer.
#[derive(Clone, Copy, Debug)]
struct Prediction {
    /// The opponent's best reply, if the search saw one.
    reply: Option<Point>,
}

/// Settings, game, and the engine that answers.
pub(super) struct Player {
    pub(super) engine: Engine,
    pub(super) exclusions: Exclusions,
    /// The manager speaks the Yixin-Board dialect.
    pub(super) yixin: bool,
    settings: Settings,
    networks: NetworkFinder,
    /// Plays in the engine's place below full strength.
    person: Option<Person>,
    interrupts: Interrupts,
    game: Option<Arrangement>,
    /// What the opponent may do next; known only right after an answer.
    prediction: Option<Prediction>,
    /// When the last answer was given.
    answered: Option<Instant>,
}

impl Player {
    /// A player without a game, whose searches by `engine` `interrupts` can end.
    pub(super) fn new(interrupts: Interrupts, mut engine: Engine) -> Player {
        let settings = Settings::new();
        engine.set_options(settings.options());
        Player {
            engine,
            exclusions: Exclusions::default(),
            yixin: false,
            settings,
            networks: NetworkFinder::new(),
            person: None,
            interrupts,
            game: None,
            prediction: None,
            answered: None,
        }
    }

    /// Takes over a setting; the message that says why it cannot.
    pub(super) fn set(&mut self, info: Info) -> Option<Reply> {
        if let Info::Folder(folder) = &info {
            self.networks.set_folder(folder);
        }
        let before = self.settings.level();
        let applied = self.settings.apply(info);
        if self.settings.level() != before {
            self.person = None;
        }
        self.set_options();
        applied.err().map(Reply::message)
    }

    /// Hands the settings and the networks found to the engine.
    fn set_options(&mut self) {
        let networks = self.networks.networks().clone();
        let options = Options { networks, ..self.settings.options() };
        if options.networks != self.engine.options().networks {
            self.person = None;
        }
        self.engine.set_options(options);
    }

    /// Searches for a network of the rule in force, where that was not done yet.
    fn find_network(&mut self) {
        self.networks.find(self.settings.rule(self.yixin));
        self.set_options();
    }

    /// Name, version and networks of the engine.
    pub(super) fn about(&mut self) -> Reply {
        self.find_network();
        Reply::About { network: self.networks.name(self.settings.rule(self.yixin)) }
    }

    /// Begins a game on an empty board.
    pub(super) fn start(&mut self, size: BoardSize) {
        self.game = Some(Arrangement::new(size));
        // Another game, other draws.
        self.person = None;
        self.prediction = None;
        self.settings.new_game();
    }

    /// The game, if there is one.
    pub(super) fn game(&self) -> Result<&Arrangement, SessionError> {
        self.game.as_ref().ok_or(SessionError::NoGame)
    }

    /// The game to be changed: what was expected of the opponent no longer holds.
    pub(super) fn game_mut(&mut self) -> Result<&mut Arrangement, SessionError> {
        self.prediction = None;
        self.game.as_mut().ok_or(SessionError::NoGame)
    }

    /// The position under the rule in force.
    pub(super) fn board(&self) -> Result<Board, SessionError> {
        Ok(self.game()?.board(self.settings.rule(self.yixin)))
    }

    /// Whatever was expected of the opponent, nobody waits for it any more.
    pub(super) fn clear_prediction(&mut self) {
        self.prediction = None;
    }

    /// Replaces the position by the one that a block describes.
    pub(super) fn set_up(
        &mut self,
        block: &Block,
        exchange: &mut Exchange<'_>,
    ) -> Result<(), SessionError> {
        let (game, ignored) = Arrangement::from_entries(self.game()?.size(), &block.entries);
        // A full board can be shown, but not answered.
        if game.empty_count() == 0 && block.kind == BlockKind::Board {
            return Err(SessionError::FullBoard);
        }
        if ignored + block.junk > 0 {
            let count = ignored + block.junk;
            exchange.message(format_args!("{count} lines of the position ignored"));
        }
        *self.game_mut()? = game;
        Ok(())
    }

    /// The cells of a block as moves from the empty board.
    pub(super) fn moves_of(&self, block: &Block) -> Result<Vec<Point>, SessionError> {
        let game = self.game()?;
        let mut moves = Vec::new();
        for at in block.cells() {
            let point = game.cell(at)?;
            if moves.contains(&point) {
                return Err(SessionError::Repeated(point));
            }
            moves.push(point);
        }
        Ok(moves)
    }

    /// The board after these moves from the empty one, black first, under the rule in force.
    pub(super) fn board_after(&self, points: &[Point]) -> Result<Board, SessionError> {
        let game = Arrangement::from_moves(self.game()?.size(), points);
        Ok(game.board(self.settings.rule(self.yixin)))
    }

    /// Puts a stone of the side to move.
    pub(super) fn play(&mut self, at: Coordinates) -> Result<Point, SessionError> {
        let point = self.game()?.empty_cell(at)?;
        self.game_mut()?.play(point);
        Ok(point)
    }

    /// Thinks about the game, plays the answer on it and returns it. `lines` is the number of
    /// best moves to show.
    pub(super) fn answer(&mut self, lines: usize, exchange: &mut Exchange<'_>) -> Outcome {
        let position = Position::from_board(&self.board()?);
        self.find_network();
        self.networks.take_notices().into_iter().for_each(|notice| exchange.message(notice));
        let received = self.received(exchange.arrival);
        let excluded = self.exclusions.after(self.game()?.stones());
        let limits = self.settings.limits();
        let request = Request { limits, lines, excluded, received: Some(received) };
        let goal = self.settings.take_goal();
        if let Some(skill) = self.settings.level().skill {
            return self.answer_below_strength(
                skill,
                &position,
                &request,
                exchange.arrival,
                received,
            );
        }
        let best = self.best_play(goal, &position, &request, exchange);
        let answer = self.play_answer(best.first().copied(), received)?;
        self.prediction = Some(Prediction { reply: best.get(1).copied() });
        Ok(answer)
    }

    /// The best play that is found, whatever becomes of the search; empty when the board is full.
    fn best_play(
        &mut self,
        goal: Option<WinKind>,
        position: &Position,
        request: &Request,
        exchange: &mut Exchange<'_>,
    ) -> Vec<Point> {
        let mut output = SearchOutput::new(exchange.out, self.settings.detail(), request);
        output.begin();
        let running = self.interrupts.think(exchange.arrival.number);
        let (engine, stop) = (&mut self.engine, running.switch());
        let report = catch_panic(|| match goal {
            Some(kind) => engine.think_by_threats(kind, position, request, stop, &mut output),
            None => engine.think(position, request, stop, &mut output),
        });
        drop(running);
        match report {
            Some(report) => {
                output.finish(&report);
                report.lines.into_iter().next().map(|line| line.moves).unwrap_or_default()
            }
            None => match output.best_play() {
                found if !found.is_empty() => found.to_vec(),
                _ => self.fallback_play(position, &request.excluded),
            },
        }
    }

    /// The same below full strength: a move, and nothing about it.
    fn answer_below_strength(
        &mut self,
        skill: Skill,
        position: &Position,
        request: &Request,
        arrival: Arrival,
        received: Instant,
    ) -> Outcome {
        let networks = self.networks.networks().clone();
        let person = self
            .person
            .get_or_insert_with(|| Person::with_networks(skill, rand::random(), networks));
        let running = self.interrupts.think(arrival.number);
        let chosen = catch_panic(|| person.choose(position, request, running.switch()));
        drop(running);
        let chosen = chosen.unwrap_or_else(|| {
            self.person = None;
            self.fallback_play(position, &request.excluded).first().copied()
        });
        self.play_answer(chosen, received)
    }

    /// Plays the answer to a request whose time ran from `since`.
    fn play_answer(&mut self, point: Option<Point>, since: Instant) -> Outcome {
        let point = point.ok_or(SessionError::FullBoard)?;
        self.game_mut()?.play(point);
        self.finish_answer(since);
        Ok(Some(Reply::Move(point)))
    }

    /// The play that a search of hardly any nodes finds, or any legal move: for when the
    /// proper search has crashed before it had found a move. Empty when the board is full.
    fn fallback_play(&mut self, position: &Position, excluded: &[Point]) -> Vec<Point> {
        let limits = Limits::nodes(FALLBACK_NODES);
        let request = Request::new(limits).excluding(excluded.to_vec());
        let report =
            catch_panic(|| self.engine.think(position, &request, &StopSwitch::new(), &mut Silent));
        let found = report.and_then(|report| report.lines.into_iter().next());
        match found {
            Some(line) => line.moves,
            None => any_move(position, excluded).into_iter().collect(),
        }
    }

    /// Three stones that open a game on this board.
    ///
    /// # Errors
    /// When there is no game, or the choice crashed again.
    pub(super) fn place(
        &mut self,
        arrival: Arrival,
        choose: impl Fn(&mut Opening<'_>, BoardSize, Rule) -> [Point; 3],
    ) -> Result<[Point; 3], SessionError> {
        let board = self.board_after(&[])?;
        self.decide(arrival, |opening| choose(opening, board.size(), board.rule()))
    }

    /// Decides about an opening within the time in force; at once, when the search has crashed.
    /// What the opponent may do next is not known after that.
    ///
    /// # Errors
    /// When it crashed again.
    pub(super) fn decide<T>(
        &mut self,
        arrival: Arrival,
        decision: impl Fn(&mut Opening<'_>) -> T,
    ) -> Result<T, SessionError> {
        self.prediction = None;
        self.find_network();
        let (limits, received) = (self.settings.limits(), self.received(arrival));
        let running = self.interrupts.think(arrival.number);
        let seed = rand::random();
        let mut decide = |stop: &StopSwitch| {
            let opening = Opening::new(&mut self.engine, &limits, stop, seed);
            catch_panic(|| decision(&mut opening.received_at(received)))
        };
        let decided = decide(running.switch()).or_else(|| {
            let stop = StopSwitch::new();
            stop.press();
            decide(&stop)
        });
        drop(running);
        self.finish_answer(received);
        decided.ok_or(SessionError::Crash)
    }

    /// When the time of a request began to run.
    ///
    /// That is its arrival, but never from before the last answer: requests that wait
    /// in the queue have their whole time. The clock goes on while the process is suspended, and
    /// a search that was suspended may end at once: it cannot know whether the manager stopped
    /// its own clock too, and an early answer never loses a game.
    fn received(&self, arrival: Arrival) -> Instant {
        match self.answered {
            Some(answered) => arrival.received.max(answered),
            None => arrival.received.checked_sub(COLD_START).unwrap_or(arrival.received),
        }
    }

    /// An answer whose time ran from `since` is about to be printed.
    fn finish_answer(&mut self, since: Instant) {
        let now = Instant::now();
        self.settings.charge(now.saturating_duration_since(since));
        self.answered = Some(now);
    }

    /// Thinks in the opponent's time until the next input arrives, if that is wanted and the
    /// last answer still stands. Prints nothing. `number` is that of the last input handled.
    pub(super) fn ponder(&mut self, number: u64) {
        let Some(prediction) = self.prediction.filter(|_| self.settings.pondering()) else {
            return;
        };
        let Some(board) = self.board().ok().and_then(|board| position_to_ponder(board, prediction))
        else {
            return;
        };
        let position = Position::from_board(&board);
        let running = self.interrupts.ponder(number);
        catch_panic(|| self.engine.ponder(&position, running.switch()));
        // A search that ended by itself has nothing more to find.
        if !running.switch().is_pressed() {
            drop(running);
            self.prediction = None;
        }
    }
}

/// What `work` returns; `None` when it panicked. The panic hook has told the log why, and the
/// engine gives up what a crashed search has left behind, so that the next one can be trusted.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// The empty cell nearest to the centre that is no foul, if there is one; an excluded one only
/// where there is no other.
fn any_move(position: &Position, excluded: &[Point]) -> Option<Point> {
    let board = position.board();
    let (side, center) = (board.side_to_move(), board.size().center());
    let mut cells: Vec<Point> = board.empty_points().collect();
    cells.sort_by_key(|cell| (excluded.contains(cell), cell.distance(center)));
    let legal = cells.iter().find(|&&cell| !is_foul(position, cell, side));
    legal.or(cells.first()).copied()
}

/// The position to think about in the opponent's time: after the predicted reply, else as it is.
/// `None` when the game is over.
fn position_to_ponder(mut board: Board, prediction: Prediction) -> Option<Board> {
    let reply = prediction.reply.filter(|&point| board.is_empty(point));
    if board::Outcome::of(&board).is_some() {
        return None;
    }
    if let Some(point) = reply {
        board.place_unchecked(point, board.side_to_move());
    }
    board::Outcome::of(&board).is_none().then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::{BoardSize, Color, Rule};

    #[test]
    fn nothing_to_expect_after_the_end() {
        let size = BoardSize::square(15).unwrap();
        let mut board = Board::new(size, Rule::Freestyle);
        for x in 0..4 {
            board.place(Point::new(x, 0), Color::Black).unwrap();
            board.place(Point::new(x, 5), Color::White).unwrap();
        }
        let quiet = Prediction { reply: Some(Point::new(9, 9)) };
        let after = position_to_ponder(board.clone(), quiet).unwrap();
        assert_eq!(after.side_to_move(), Color::White);
        let five = Prediction { reply: Some(Point::new(4, 0)) };
        assert!(position_to_ponder(board.clone(), five).is_none());
        let taken = Prediction { reply: Some(Point::new(0, 0)) };
        assert_eq!(position_to_ponder(board.clone(), taken).unwrap().key(), board.key());
        board.place(Point::new(4, 0), Color::Black).unwrap();
        assert!(position_to_ponder(board, quiet).is_none());
    }
}
