//! The player of a session: settings, game and engine. It answers requests, and searches in the
//! opponent's time.

mod answer;
mod opening;
mod ponder;
#[cfg(test)]
mod tests;

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::arrangement::{Arrangement, Exclusions};
use super::books::BookFinder;
use super::command::{Block, BlockKind};
use super::interrupts::{Arrival, Interrupts};
use super::networks::NetworkFinder;
use super::reply::{Output, Reply, SessionError};
use super::settings::{Info, Settings};
use super::yixin::DatabaseAccess;
use crate::book::Book;
use crate::database::Database;
use crate::engine::{Engine, Options};
use crate::moment::Instant;
use crate::players::Person;
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Coordinates, Point, Rule};

/// Subtracted from the time of a process's first request: some managers start the clock while the
/// process is still loading.
const COLD_START: Duration = Duration::from_millis(25);

/// One line to print, nothing, or an error.
pub(super) type Outcome = Result<Option<Reply>, SessionError>;

/// The input being answered, and the output for its replies.
pub(super) struct Exchange<'a> {
    /// The arrival of the input.
    pub(super) arrival: Arrival,
    /// Receives the replies.
    pub(super) out: &'a mut dyn Output,
}

impl Exchange<'_> {
    /// Prints a message.
    pub(super) fn message(&mut self, text: impl Display) {
        self.out.send(&Reply::message(text));
    }
}

/// The expected continuation after an answer.
#[derive(Clone, Copy, Debug)]
struct Prediction {
    /// The opponent's best reply, if the search found one.
    reply: Option<Point>,
}

/// Resources that a session has from the start.
#[derive(Default)]
pub struct Resources {
    /// A database, as `YXSETDATABASE` opens it.
    pub database: Option<Box<dyn Database>>,
    /// An opening book. It is used instead of that of `INFO folder`.
    pub book: Option<Book>,
    /// Whether to start without any book, as `INFO usebook 0` does.
    pub no_book: bool,
}

/// Settings, game and engine.
pub(super) struct Player {
    pub(super) engine: Engine,
    pub(super) exclusions: Exclusions,
    /// Whether the manager uses the Yixin-Board dialect.
    pub(super) yixin: bool,
    pub(super) database: DatabaseAccess,
    books: BookFinder,
    settings: Settings,
    networks: NetworkFinder,
    /// Plays instead of the engine below full strength.
    person: Option<Person>,
    interrupts: Interrupts,
    game: Option<Arrangement>,
    /// The opponent's expected reply; `None` unless the last input was answered with a move.
    prediction: Option<Prediction>,
    /// The time of the last answer.
    answered: Option<Instant>,
}

impl Player {
    /// A player without a game.
    pub(super) fn new(engine: Engine, resources: Resources) -> Player {
        let mut books = resources.book.map_or_else(BookFinder::default, BookFinder::with_book);
        books.set_used(!resources.no_book);
        let mut player = Player {
            engine,
            exclusions: Exclusions::default(),
            yixin: false,
            database: DatabaseAccess::new(resources.database),
            books,
            settings: Settings::new(),
            networks: NetworkFinder::new(),
            person: None,
            interrupts: Interrupts::new(),
            game: None,
            prediction: None,
            answered: None,
        };
        player.set_options();
        player
    }

    /// The state that ends its searches.
    pub(super) fn interrupts(&self) -> &Interrupts {
        &self.interrupts
    }

    /// Applies a setting; returns a message if it is invalid.
    pub(super) fn set(&mut self, info: Info) -> Option<Reply> {
        match &info {
            // The characters of another encoding are lost.
            Info::Folder(folder) if folder.contains(char::REPLACEMENT_CHARACTER) => {
                return Some(Reply::message("folder ignored: its name is not UTF-8"));
            }
            Info::Folder(folder) => {
                self.networks.set_folder(folder);
                self.books.set_folder(folder);
            }
            Info::UseBook(value) => self.books.set_used(*value > 0),
            Info::UseDatabase(value) => self.database.set_used(*value > 0),
            Info::DatabaseReadOnly(value) => self.database.set_read_only(*value > 0),
            _ => {}
        }
        let before = self.settings.level();
        let applied = self.settings.apply(info);
        if self.settings.level() != before {
            self.person = None;
        }
        if self.settings.level().skill.is_some() {
            // A level has an engine of its own.
            self.engine.free_memory();
        }
        self.set_options();
        applied.err().map(Reply::message)
    }

    /// Applies the settings, the found networks and the memory of the book to the engine.
    fn set_options(&mut self) {
        let networks = self.networks.networks().clone();
        let reserved = self.books.bytes();
        let options = Options { networks, reserved, ..self.settings.options() };
        if options.networks != self.engine.options().networks {
            self.person = None;
        }
        self.engine.set_options(options);
    }

    /// Looks for a network of the current rule, unless that was done before.
    fn find_network(&mut self) {
        self.networks.find(self.rule());
        self.set_options();
    }

    /// Name, version and network of the engine.
    pub(super) fn about(&mut self) -> Reply {
        self.find_network();
        Reply::About { network: self.networks.name(self.rule()) }
    }

    /// Starts a game on an empty board.
    ///
    /// The engine forgets the game before. Yixin-Board sends `START` before most analyses of one
    /// game, and `YXHASHCLEAR` if the engine shall forget.
    pub(super) fn start(&mut self, size: BoardSize) {
        if !self.yixin {
            self.engine.new_game();
        }
        self.game = Some(Arrangement::new(size));
        // A new seed for every game.
        self.person = None;
        self.prediction = None;
        self.settings.new_game();
    }

    /// The game, if there is one.
    pub(super) fn game(&self) -> Result<&Arrangement, SessionError> {
        self.game.as_ref().ok_or(SessionError::NoGame)
    }

    /// The game, to be changed; clears the prediction.
    pub(super) fn game_mut(&mut self) -> Result<&mut Arrangement, SessionError> {
        self.prediction = None;
        self.game.as_mut().ok_or(SessionError::NoGame)
    }

    /// The current rule.
    pub(super) fn rule(&self) -> Rule {
        self.settings.rule(self.yixin)
    }

    /// The position under the current rule.
    pub(super) fn board(&self) -> Result<Board, SessionError> {
        Ok(self.game()?.board(self.rule()))
    }

    /// Clears the prediction, so that no search in the opponent's time follows.
    pub(super) fn clear_prediction(&mut self) {
        self.prediction = None;
    }

    /// Replaces the position by that of a block.
    pub(super) fn set_up(
        &mut self,
        block: &Block,
        exchange: &mut Exchange<'_>,
    ) -> Result<(), SessionError> {
        let (game, ignored) = Arrangement::from_entries(self.game()?.size(), &block.entries);
        // A full board can be set up, but not answered.
        if game.empty_count() == 0 && block.kind == BlockKind::Board {
            return Err(SessionError::FullBoard);
        }
        if ignored + block.junk > 0 {
            let count = ignored + block.junk;
            exchange.message(format_args!("ignored lines of the position: {count}"));
        }
        *self.game_mut()? = game;
        Ok(())
    }

    /// The cells of a block as moves from an empty board.
    pub(super) fn moves_of(&self, block: &Block) -> Result<Vec<Point>, SessionError> {
        let game = self.game()?;
        if block.junk > 0 {
            return Err(SessionError::JunkLines(block.junk));
        }
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

    /// The board after these moves from an empty one, black first, under the current rule.
    pub(super) fn board_after(&self, points: &[Point]) -> Result<Board, SessionError> {
        let game = Arrangement::from_moves(self.game()?.size(), points);
        Ok(game.board(self.rule()))
    }

    /// Places a stone of the side to move.
    pub(super) fn play(&mut self, at: Coordinates) -> Result<Point, SessionError> {
        let point = self.game()?.empty_cell(at)?;
        self.game_mut()?.play(point);
        Ok(point)
    }

    /// The start of a request's time: its arrival, but not before the last answer, so that queued
    /// requests have their whole time.
    ///
    /// The clock continues while the process is suspended, so a suspended search may end
    /// immediately: whether the manager stopped its own clock is unknown, and an early answer never
    /// loses a game.
    fn received(&self, arrival: Arrival) -> Instant {
        match self.answered {
            Some(answered) => arrival.received.max(answered),
            None => arrival.received.checked_sub(COLD_START).unwrap_or(arrival.received),
        }
    }

    /// Charges the game clock for an answer whose time started at `since`.
    fn finish_answer(&mut self, since: Instant) {
        let now = Instant::now();
        self.settings.charge(now.saturating_duration_since(since));
        self.answered = Some(now);
    }
}

/// The result of `work`; `None` if it panicked. The panic hook logs the reason, and the engine
/// discards the state of a crashed search, so that the next one is reliable.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
