//! The player of a session: settings, game and engine. It answers requests, and searches in the
//! opponent's time.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::analysis::SearchOutput;
use super::arrangement::{Arrangement, Exclusions};
use super::books::BookFinder;
use super::command::{Block, BlockKind};
use super::interrupts::{Arrival, Interrupts};
use super::networks::NetworkFinder;
use super::reply::{Output, Reply, SessionError};
use super::settings::{Info, Settings};
use super::yixin::DatabaseAccess;
use crate::book::{Book, BookMove};
use crate::database::{Advice, Database, advise, databases};
use crate::engine::opening::Opening;
use crate::engine::{Engine, Limits, Options, Request, Silent, StopSwitch, WinKind};
use crate::memory;
use crate::moment::Instant;
use crate::players::{Person, Player as _, Skill};
use tengen_rules::board::{self, Board};
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{BoardSize, Coordinates, Point, Rule};

/// Subtracted from the time of a process's first request: some managers start the clock while the
/// process is still loading.
const COLD_START: Duration = Duration::from_millis(25);

/// Maximum number of positions to look up in the database before a search, about a second.
const MAX_LOOKUPS: usize = 100_000;

/// Node limit of the search that replaces a crashed one.
const FALLBACK_NODES: u64 = 10_000;

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
    /// A player without a game; `interrupts` can end the searches of `engine`.
    pub(super) fn new(interrupts: Interrupts, mut engine: Engine, resources: Resources) -> Player {
        let settings = Settings::new();
        engine.set_options(settings.options());
        let mut books = resources.book.map_or_else(BookFinder::default, BookFinder::with_book);
        books.set_used(!resources.no_book);
        Player {
            engine,
            exclusions: Exclusions::default(),
            yixin: false,
            database: DatabaseAccess::new(databases(), resources.database),
            books,
            settings,
            networks: NetworkFinder::new(),
            person: None,
            interrupts,
            game: None,
            prediction: None,
            answered: None,
        }
    }

    /// Applies a setting; returns a message if it is invalid.
    pub(super) fn set(&mut self, info: Info) -> Option<Reply> {
        match &info {
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

    /// Applies the settings and the found networks to the engine.
    fn set_options(&mut self) {
        let networks = self.networks.networks().clone();
        let options = Options { networks, ..self.settings.options() };
        if options.networks != self.engine.options().networks {
            self.person = None;
        }
        self.engine.set_options(options);
    }

    /// Looks for a network of the current rule, unless that was done before.
    fn find_network(&mut self) {
        self.networks.find(self.settings.rule(self.yixin));
        self.set_options();
    }

    /// Name, version and network of the engine.
    pub(super) fn about(&mut self) -> Reply {
        self.find_network();
        Reply::About { network: self.networks.name(self.settings.rule(self.yixin)) }
    }

    /// Starts a game on an empty board.
    pub(super) fn start(&mut self, size: BoardSize) {
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
        Ok(self.game()?.board(self.settings.rule(self.yixin)))
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
        Ok(game.board(self.settings.rule(self.yixin)))
    }

    /// Places a stone of the side to move.
    pub(super) fn play(&mut self, at: Coordinates) -> Result<Point, SessionError> {
        let point = self.game()?.empty_cell(at)?;
        self.game_mut()?.play(point);
        Ok(point)
    }

    /// Searches the game's position, plays the answer and returns it. `lines` is the number of best
    /// moves to print.
    pub(super) fn answer(&mut self, lines: usize, exchange: &mut Exchange<'_>) -> Outcome {
        let position = Position::from_board(&self.board()?);
        memory::announce(any_move(&position, &[]));
        self.find_network();
        self.networks.take_notices().into_iter().for_each(|notice| exchange.message(notice));
        let received = self.received(exchange.arrival);
        let excluded = self.exclusions.after(self.game()?.stones());
        let limits = self.settings.limits();
        let known = Vec::new();
        let mut request = Request { limits, lines, excluded, received: Some(received), known };
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
        let notice = self.books.find();
        notice.into_iter().for_each(|notice| exchange.message(notice));
        if goal.is_none()
            && let Some(chosen) = self.book_move(position.board(), &request)
        {
            let proved = if chosen.is_proved() { " (proved to win)" } else { "" };
            exchange.message(format_args!("book move {}{proved}", chosen.point));
            return self.play_answer(Some(chosen.point), received);
        }
        if let Some(advice) = self.advice(position.board(), &request, exchange) {
            let is_excluded = |point| request.excluded.contains(&point);
            if let Some(win) = advice.win.filter(|&point| lines == 1 && !is_excluded(point)) {
                exchange.message(format_args!("proved win in the database: {win}"));
                return self.play_answer(Some(win), received);
            }
            // A request for several best moves also needs the values of losing moves.
            if lines == 1 {
                request.excluded.extend(advice.excluded);
            }
            request.known = advice.known;
        }
        let best = self.best_play(goal, &position, &request, exchange);
        let answer = self.play_answer(best.first().copied(), received)?;
        self.prediction = Some(Prediction { reply: best.get(1).copied() });
        Ok(answer)
    }

    /// One of the moves of the book. Requests for several moves, and for a number of nodes or plies,
    /// are not answered from the book, so that their results are the same everywhere.
    fn book_move(&self, board: &Board, request: &Request) -> Option<BookMove> {
        let Request { limits, lines, excluded, .. } = request;
        if *lines > 1 || limits.nodes.is_some() || limits.depth.is_some() {
            return None;
        }
        let mut moves = self.books.moves(board);
        moves.retain(|it| !excluded.contains(&it.point));
        let chosen = rand::random_range(0..moves.len().max(1));
        moves.get(chosen).copied()
    }

    /// The advice of the database for a search; `None` without a database, or if it has no time.
    fn advice(
        &self,
        board: &Board,
        request: &Request,
        exchange: &mut Exchange<'_>,
    ) -> Option<Advice> {
        let database = self.database.get()?;
        let time = [request.limits.turn, request.limits.left].into_iter().flatten().min();
        let lookups = match time {
            Some(Duration::ZERO) => return None,
            // A look-up takes about ten microseconds: a twentieth of the time at most.
            Some(time) => (time.as_millis() as usize).saturating_mul(5),
            None => usize::MAX,
        };
        match advise(database, board, lookups.min(MAX_LOOKUPS)) {
            Ok(advice) => Some(advice),
            Err(error) => {
                exchange.message(error);
                None
            }
        }
    }

    /// The best play found, even if the search crashes; empty when the board is full.
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
        let report = catch_panic(|| {
            let mut report = match goal {
                Some(kind) => engine.think_by_threats(kind, position, request, stop, &mut output),
                None => engine.think(position, request, stop, &mut output),
            };
            engine.complete_lines(position, &mut report, request, stop);
            report
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

    /// As [`Player::answer`], below full strength and without search output.
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

    /// Plays the answer to a request whose time started at `since`.
    fn play_answer(&mut self, point: Option<Point>, since: Instant) -> Outcome {
        let point = point.ok_or(SessionError::FullBoard)?;
        self.game_mut()?.play(point);
        self.finish_answer(since);
        // The reply is still to be printed.
        memory::announce(Some(point));
        Ok(Some(Reply::Move(point)))
    }

    /// The play found by a search of few nodes, or any legal move, for a search that crashed before
    /// it found a move. Empty when the board is full.
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
    /// When there is no game, or when the search crashes twice.
    pub(super) fn place(
        &mut self,
        exchange: &mut Exchange<'_>,
        choose: impl Fn(&mut Opening<'_>, BoardSize, Rule) -> [Point; 3],
    ) -> Result<[Point; 3], SessionError> {
        let board = self.board_after(&[])?;
        self.decide(exchange, |opening| choose(opening, board.size(), board.rule()))
    }

    /// Makes an opening decision within the current time limits; retries immediately, without time,
    /// if the search crashes. Clears the prediction. A message names the winner if a proof decides.
    ///
    /// # Errors
    /// When the search crashes twice.
    pub(super) fn decide<T>(
        &mut self,
        exchange: &mut Exchange<'_>,
        decision: impl Fn(&mut Opening<'_>) -> T,
    ) -> Result<T, SessionError> {
        self.prediction = None;
        self.find_network();
        let (limits, received) = (self.settings.limits(), self.received(exchange.arrival));
        let running = self.interrupts.think(exchange.arrival.number);
        let seed = rand::random();
        // Levels do not use proved positions.
        let uses_proofs = self.books.are_used() && self.settings.level().skill.is_none();
        let mut decide = |stop: &StopSwitch| {
            let opening = Opening::new(&mut self.engine, &limits, stop, seed);
            let mut opening = opening.with_proofs(uses_proofs).received_at(received);
            let decided = catch_panic(|| decision(&mut opening));
            decided.map(|it| (it, opening.proved_winner()))
        };
        let decided = decide(running.switch()).or_else(|| {
            let stop = StopSwitch::new();
            stop.press();
            decide(&stop)
        });
        drop(running);
        self.finish_answer(received);
        let (decided, winner) = decided.ok_or(SessionError::Crash)?;
        if let Some(winner) = winner {
            let winner = winner.name();
            exchange.message(format_args!("the position is proved to be won by {winner}"));
        }
        Ok(decided)
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

    /// Searches in the opponent's time until the next input arrives, if pondering is on and there
    /// is a prediction. Prints nothing. `number` is that of the last input handled.
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
        // A search that ended without a stop is complete.
        if !running.switch().is_pressed() {
            drop(running);
            self.prediction = None;
        }
    }
}

/// The result of `work`; `None` if it panicked. The panic hook logs the reason, and the engine
/// discards the state of a crashed search, so that the next one is reliable.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// The empty cell nearest to the centre that is not a foul, if there is one; an excluded cell only
/// if there is no other.
fn any_move(position: &Position, excluded: &[Point]) -> Option<Point> {
    let board = position.board();
    let (side, center) = (board.side_to_move(), board.size().center());
    let mut cells: Vec<Point> = board.empty_points().collect();
    cells.sort_by_key(|cell| (excluded.contains(cell), cell.distance(center)));
    let legal = cells.iter().find(|&&cell| !is_foul(position, cell, side));
    legal.or(cells.first()).copied()
}

/// The position to search in the opponent's time: after the predicted reply, or the current one
/// without a prediction. `None` when the game is over.
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
    use crate::protocol::{Arrival, Decoder, Interrupts, Reply, Session};
    use crate::proved;
    use tengen_rules::types::{BoardSize, Color, Rule, Score};

    /// The messages about a book in the answer to h8, if the book has this move as the reply.
    fn book_messages(reply: BookMove, info: &str) -> Vec<String> {
        let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        board.place(Point::new(7, 7), Color::Black).unwrap();
        let mut book = Book::default();
        book.insert(&board, &[reply]);
        let resources = Resources { book: Some(book), ..Resources::default() };
        messages(resources, &format!("START 15\n{info}\nTURN 7,7\n"))
    }

    /// The messages about a book in a session with these lines.
    fn messages(resources: Resources, lines: &str) -> Vec<String> {
        let mut replies = replies(resources, lines);
        replies.retain(|reply| reply.contains("book"));
        replies
    }

    /// The replies of a session with these lines.
    fn replies(resources: Resources, lines: &str) -> Vec<String> {
        let mut session = Session::with_resources(Interrupts::new(), resources);
        let mut replies: Vec<Reply> = Vec::new();
        for (number, input) in (1..).zip(Decoder::new().feed(lines.as_bytes())) {
            let arrival = Arrival { number, received: Instant::now() };
            session.handle(input, arrival, &mut replies);
        }
        replies.iter().map(Reply::to_string).collect()
    }

    #[test]
    fn proved_moves_of_a_book_are_announced() {
        let corner = Point::new(0, 14);
        let scored = BookMove { point: corner, score: Score::raw(30_000) };
        let time = "INFO timeout_turn 100";
        assert_eq!(book_messages(scored, time), ["MESSAGE book move 0,14"]);
        let proved = BookMove::proved(corner);
        assert_eq!(book_messages(proved, time), ["MESSAGE book move 0,14 (proved to win)"]);
        // Results with a limit of nodes and levels do not depend on books.
        for info in ["INFO max_node 100", "INFO strength 20"] {
            assert_eq!(book_messages(proved, info), [""; 0], "{info}");
        }
    }

    #[test]
    fn embedded_proved_moves_are_played_unless_books_are_off() {
        let lines = |info: &str| {
            format!(
                "START 15\nINFO timeout_turn 100\n{info}\nBOARD\n7,7,1\n7,6,2\n8,6,1\n7,5,2\nDONE\n"
            )
        };
        let proved = |resources, info: &str| {
            messages(resources, &lines(info)).iter().any(|it| it.ends_with("(proved to win)"))
        };
        assert!(proved(Resources::default(), ""));
        for info in ["INFO usebook 0", "INFO max_node 100", "INFO strength 20", "INFO rule 4"] {
            assert!(!proved(Resources::default(), info), "{info}");
        }
        assert!(proved(Resources::default(), "INFO usebook 0\nINFO usebook 1"));
        let no_book = || Resources { no_book: true, ..Resources::default() };
        assert!(!proved(no_book(), ""));
        assert!(proved(no_book(), "INFO usebook 1"));
    }

    #[test]
    fn decisions_by_a_proof_name_the_winner() {
        let swap2 = |moves: &str| {
            let lines = format!("START 15\nINFO timeout_turn 100\nSWAP2BOARD\n{moves}\nDONE\n");
            let mut replies = replies(Resources::default(), &lines);
            replies.retain(|reply| reply.contains("proved to be won by") || reply == "SWAP");
            replies
        };
        let proved = ["MESSAGE the position is proved to be won by black", "SWAP"];
        assert_eq!(swap2("7,7\n7,6\n8,6"), proved);
        assert!(!swap2("0,0\n14,14\n0,2").contains(&proved[0].to_string()));
    }

    #[test]
    fn opening_decisions_use_proofs_unless_books_are_off() {
        // White picks the fifth move that is not proved to win for black.
        let picks_other = |resources, infos: &[Info]| {
            let mut player =
                Player::new(Interrupts::new(), Engine::new(Options::default()), resources);
            player.start(BoardSize::square(15).unwrap());
            player.set(Info::TimeoutTurn(0));
            infos.iter().for_each(|info| drop(player.set(info.clone())));
            let opening = [(7, 7), (7, 6), (8, 6), (7, 5)].map(|(x, y)| Point::new(x, y));
            let board = player.board_after(&opening).unwrap();
            let offers = [proved::winning_move(&board).unwrap().point, Point::new(0, 14)];
            let mut replies: Vec<Reply> = Vec::new();
            let arrival = Arrival { number: 1, received: Instant::now() };
            let mut exchange = Exchange { arrival, out: &mut replies };
            let picked = player.decide(&mut exchange, |it| it.choose_fifth(&board, &offers));
            let picked = picked.unwrap();
            picked == Some(offers[1])
        };
        assert!(picks_other(Resources::default(), &[]));
        let no_book = || Resources { no_book: true, ..Resources::default() };
        assert!(!picks_other(no_book(), &[]));
        assert!(picks_other(no_book(), &[Info::UseBook(1)]));
        for info in [Info::UseBook(0), Info::MaxNode(100), Info::Strength(20)] {
            assert!(!picks_other(Resources::default(), std::slice::from_ref(&info)), "{info:?}");
        }
    }

    #[test]
    fn no_position_to_ponder_after_the_end() {
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
