//! The engine: searches positions within limits of time, nodes and memory.

mod clock;
mod control_group;
#[cfg(all(target_arch = "wasm32", target_feature = "atomics"))]
pub mod helper_pool;
mod limits;
mod memory_plan;
pub mod opening_search;
mod parallel;
mod report;
mod threats;
mod whole_lines;

use std::path::Path;
use std::time::Duration;

pub use crate::eval::network::{FileError, LoadedNetwork, NetworkError, Networks};
pub use crate::search::{Line, Observer, Progress, STACK_BYTES, Silent, TreeObserver};
pub use crate::solver::WinKind;
pub use crate::stop::StopSwitch;
pub use limits::{KnownValue, Limits, Request};
pub use memory_plan::MAX_TABLE_BYTES;
pub use report::Report;

use clock::{Clock, MovesToGo, Plan};

use crate::memory;
use crate::moment::Instant;
use crate::movegen::first_move;
use crate::search::{RootTask, TranspositionTable, Worker, params};
use tengen_rules::game::Game;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{Point, Rule, Score};

/// Resources of the engine, independent of a position.
///
/// ```
/// use tengen::{Engine, Options, Rule};
///
/// let options = Options { threads: 2, ..Options::default() };
/// let error = options.with_network(Rule::Renju, "no-such-file.net").unwrap_err();
/// assert!(error.to_string().contains("no-such-file.net"));
/// let engine = Engine::new(Options::default());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Search threads; 0 means 1. The number is reduced if `memory` has no room for them.
    pub threads: usize,
    /// Bytes that the whole process may use; `None` for the default.
    pub memory: Option<u64>,
    /// Bytes of `memory` that the caller uses, for example for an opening book.
    pub reserved: u64,
    /// Bytes of the transposition table; overrides `memory`.
    pub hash: Option<u64>,
    /// The networks of the evaluation: the embedded ones, or networks from files.
    pub networks: Networks,
}

impl Options {
    /// Sets the network for positions under `rule`, from a file of the trainer.
    ///
    /// # Errors
    /// When the file cannot be read, or is not an undamaged network of this version for the rule.
    pub fn with_network(
        mut self,
        rule: Rule,
        path: impl AsRef<Path>,
    ) -> Result<Options, NetworkError> {
        self.networks.insert(LoadedNetwork::open(path, rule)?);
        Ok(self)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            memory: None,
            reserved: 0,
            hash: None,
            networks: Networks::embedded(),
        }
    }
}

/// Searches positions, and keeps its table and statistics from one search to the next.
///
/// ```
/// use std::time::Duration;
/// use tengen::{BoardSize, Engine, Game, Limits, Rule};
///
/// let mut game = Game::new(BoardSize::square(15)?, Rule::Renju);
/// let mut engine = Engine::default();
/// while game.history().len() < 3 {
///     let point = engine.best_move(&game, Limits::turn(Duration::from_millis(20)));
///     game.play(point.expect("a game in progress"));
/// }
/// # Ok::<(), tengen::SizeError>(())
/// ```
///
/// With one thread, the same searches with the same [`Limits::nodes`] give the same results on
/// every machine. Scores are for the side to move; 200 points are a factor of about 2.7 in the odds
/// of winning, see [`Score`].
///
/// ```
/// use tengen::{Engine, Game, Limits, Rule};
///
/// let game = Game::from_diagram(
///     Rule::Freestyle,
///     ". . . . . .
///      . X X X . .
///      . O . O . .
///      . . . . O .
///      . . . . . .
///      . . . . . .",
/// )?;
/// let report = Engine::default().analyze(&game, Limits::nodes(1_000), 2);
/// let best = &report.lines[0];
/// assert_eq!(best.score.forced_plies(), Some(3));
/// assert_eq!(game.notation().name(best.moves[0]), "e5");
/// # Ok::<(), tengen::DiagramError>(())
/// ```
pub struct Engine {
    options: Options,
    table: Option<TranspositionTable>,
    /// The requested size of the table; the system may have given less.
    table_bytes: u64,
    /// Whether nothing was searched since [`Engine::new_game`].
    is_new_game: bool,
    workers: Vec<Worker>,
    /// Observes the tree of the first worker.
    tree_observer: Option<Box<dyn TreeObserver>>,
}

impl Engine {
    /// An engine without statistics. Cheap: memory is allocated on first use.
    pub fn new(options: Options) -> Engine {
        Engine {
            options,
            table: None,
            table_bytes: 0,
            is_new_game: true,
            workers: Vec::new(),
            tree_observer: None,
        }
    }

    /// Changes the options; takes effect with the next request.
    pub fn set_options(&mut self, options: Options) {
        // Within a game a table is only replaced by a larger one, so one that may now be too large is
        // dropped.
        let memory = |it: &Options| (it.memory, it.reserved, it.hash, it.threads);
        if memory(&options) != memory(&self.options) {
            self.table = None;
        }
        // Scores of other networks cannot be compared.
        if options.networks != self.options.networks {
            self.table = None;
            self.workers.clear();
        }
        self.options = options;
    }

    /// The current options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The memory limit for the whole process.
    pub(crate) fn memory_limit(&self) -> u64 {
        memory_plan::limit(&self.options)
    }

    /// Discards all statistics of earlier positions, before a new game: the next search gives the
    /// same result as that of a new engine. A transposition table of up to 1 GiB is zeroed, so that
    /// the next search need not wait for new memory; a larger one is freed.
    pub fn new_game(&mut self) {
        if self.table_bytes > memory_plan::MAX_ZEROED_BYTES {
            self.table = None;
        }
        self.table.iter_mut().for_each(TranspositionTable::clear);
        self.workers.iter_mut().for_each(Worker::clear);
        self.is_new_game = true;
    }

    /// Sets the observer of the trees of the next searches and returns the previous one. Only the
    /// tree of the first thread is observed. The observer is kept if a search panics.
    pub fn set_tree_observer(
        &mut self,
        observer: Option<Box<dyn TreeObserver>>,
    ) -> Option<Box<dyn TreeObserver>> {
        std::mem::replace(&mut self.tree_observer, observer)
    }

    /// Share of the transposition table that the last search wrote, in permille.
    pub fn hashfull(&self) -> u32 {
        self.table.as_ref().map_or(0, TranspositionTable::hashfull)
    }

    /// The move to play; `None` when the game is over.
    pub fn best_move(&mut self, game: &Game, limits: Limits) -> Option<Point> {
        if game.ending().is_some() {
            return None;
        }
        let request = Request::new(limits);
        self.think(game.position(), &request, &StopSwitch::new(), &mut Silent).best()
    }

    /// The best moves, at most `lines`, each with its score and the play expected after it. The
    /// play of a forced result continues up to the five ([`Engine::complete_lines`]). Empty when
    /// the game is over.
    pub fn analyze(&mut self, game: &Game, limits: Limits, lines: usize) -> Report {
        self.analyze_with(game, limits, lines, &StopSwitch::new(), &mut Silent)
    }

    /// Like [`Engine::analyze`]; pressing `stop`, on this thread or another, ends the search within
    /// a few milliseconds. `observer` is called once for each line of each depth: with `lines` best
    /// moves, [`Progress::rank`](crate::Progress::rank) is the number of the line. A closure is an observer if
    /// the type of its argument is written, `|progress: &Progress<'_>|`.
    ///
    /// ```
    /// use tengen::{BoardSize, Engine, Game, Limits, Progress, Rule, StopSwitch};
    ///
    /// let game = Game::new(BoardSize::square(15)?, Rule::Renju);
    /// let stop = StopSwitch::new();
    /// let mut iterations = 0;
    /// let mut observer = |progress: &Progress<'_>| {
    ///     iterations += 1;
    ///     if progress.line.depth >= 3 {
    ///         stop.press();
    ///     }
    /// };
    /// let mut engine = Engine::default();
    /// let report = engine.analyze_with(&game, Limits::unlimited(), 1, &stop, &mut observer);
    /// assert!(report.best().is_some());
    /// assert_eq!(iterations, 3);
    /// # Ok::<(), tengen::SizeError>(())
    /// ```
    pub fn analyze_with(
        &mut self,
        game: &Game,
        limits: Limits,
        lines: usize,
        stop: &StopSwitch,
        observer: &mut dyn Observer,
    ) -> Report {
        if game.ending().is_some() {
            return Report::default();
        }
        let request = Request::new(limits).with_lines(lines);
        let mut report = self.think(game.position(), &request, stop, observer);
        self.complete_lines(game.position(), &mut report, &request, stop);
        report
    }

    /// Searches `position` until the limits are reached or `stop` is pressed. The general form of
    /// [`Engine::analyze_with`]: it accepts positions of games that are over, excluded moves and
    /// the arrival of the request.
    ///
    /// If a search panics, its workers are dropped and the engine remains usable.
    pub fn think(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
        observer: &mut dyn Observer,
    ) -> Report {
        let plan = self.plan(position, &request.limits, request.start());
        let area = position.board().size().area();
        let nodes = request.limits.nodes;
        let bytes = memory_plan::table_bytes(&self.options, area, plan.soft, nodes);
        self.search(position, request, plan, bytes, stop, observer)
    }

    /// Like [`Engine::think`] without an observer, for callers that need a score: if the limits end
    /// the search before the first iteration, it is repeated one ply deep.
    pub fn evaluate(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
    ) -> Report {
        let report = self.think(position, request, stop, &mut Silent);
        if report.lines.first().is_none_or(|line| line.depth > 0) {
            return report;
        }
        let one_ply = Request { limits: Limits::depth(1), received: None, ..request.clone() };
        self.think(position, &one_ply, stop, &mut Silent)
    }

    /// Searches `position` until `stop` is pressed or the search is complete, to fill the table.
    /// The table keeps its size: it fits the searches of this game, and a new one would lose its
    /// entries and delay the next answer. Does nothing without a table.
    pub fn ponder(&mut self, position: &Position, stop: &StopSwitch) {
        if self.table.is_none() {
            return;
        }
        let request = Request::new(Limits::unlimited());
        let plan = self.plan(position, &request.limits, request.start());
        self.search(position, &request, plan, self.table_bytes, stop, &mut Silent);
    }

    fn plan(&self, position: &Position, limits: &Limits, start: Instant) -> Plan {
        let to_go = MovesToGo::on(position.board());
        Plan::new(limits, start, to_go, memory_plan::threads(&self.options))
    }

    /// Searches with a table of at least half of `bytes`.
    fn search(
        &mut self,
        position: &Position,
        request: &Request,
        plan: Plan,
        bytes: u64,
        stop: &StopSwitch,
        observer: &mut dyn Observer,
    ) -> Report {
        if !self.prepare(position, bytes) {
            return without_search(position, request, plan.start);
        }
        let clock = Clock::new(plan, stop);
        let task = RootTask {
            lines: request.lines.max(1),
            excluded: request.excluded.clone(),
            first_depth: 1,
            last_depth: plan.depth,
            fours_nodes: plan.fours_nodes(params::root_vcf_nodes() as u64),
        };
        let Some(table) = &self.table else { unreachable!("the table was just made") };
        table.new_search();
        request.known.iter().for_each(|known| table.store(known.key, 0, known.entry()));
        // A panic drops the workers and returns the observer.
        let mut running = RunningWorkers::new(&mut self.workers, &mut self.tree_observer);
        let lines = parallel::run(&mut running.workers, table, &clock, observer, &task);
        let nodes = running.workers.iter().map(Worker::nodes).sum();
        let workers = std::mem::take(&mut running.workers);
        drop(running);
        self.workers = workers;
        self.tree_observer = self.workers.first_mut().and_then(Worker::take_tree_observer);
        let report = Report { lines, nodes, elapsed: plan.start.elapsed() };
        log_effort(plan, &report);
        report
    }

    /// Sets the position of the requested number of workers and ensures a table of at least half of
    /// `bytes`, or fewer workers and a smaller table if memory is short. Returns false if there is
    /// not enough memory for one worker.
    fn prepare(&mut self, position: &Position, bytes: u64) -> bool {
        if memory::is_low() {
            self.free_memory();
            memory::restore_reserve();
        }
        // A larger table would lose the entries of this game, so one of half the size is kept. An
        // empty table has nothing to lose: it takes the exact size, as that of a new engine.
        let is_small = self.table_bytes < bytes / 2;
        if is_small || (self.is_new_game && self.table_bytes != bytes) {
            // Free the old table before the new one is allocated.
            self.table = None;
        }
        self.is_new_game = false;
        // The workers come first: a table can be of any size.
        self.workers.truncate(memory_plan::threads(&self.options));
        for worker in &mut self.workers {
            worker.set_position(position.clone());
        }
        while self.workers.len() < memory_plan::threads(&self.options) {
            if !memory::has_room(Worker::MIN_BYTES) {
                if self.workers.is_empty() && self.table.take().is_some() {
                    continue;
                }
                break;
            }
            let networks = self.options.networks.clone();
            self.workers.push(Worker::with_networks(position.clone(), networks));
        }
        let Some(main) = self.workers.first_mut() else { return false };
        main.prepare_root();
        if self.table.is_none() {
            self.table = Some(TranspositionTable::new(bytes));
            self.table_bytes = bytes;
        }
        true
    }

    /// Frees the table and the workers; the next search allocates them again.
    pub(crate) fn free_memory(&mut self) {
        self.table = None;
        self.workers.clear();
    }
}

/// The answer if the system has no memory for a search: the legal move near the stones that makes
/// the best shape for the mover, or takes it from the opponent.
fn without_search(position: &Position, request: &Request, start: Instant) -> Report {
    let side = position.side_to_move();
    let value = |point: &Point| {
        let own = position.shape(*point, side);
        let other = position.shape(*point, side.opponent());
        // A five comes first; of equal shapes, the mover's own comes first.
        let is_better = own >= other && own != Shape::FoulCandidate;
        (own == Shape::Five, own.max(other), is_better)
    };
    let is_free = |point: &Point| !request.excluded.contains(point);
    let is_legal = |point: &Point| is_free(point) && !is_foul(position, *point, side);
    let board = position.board();
    let best = position.candidates().filter(is_legal).max_by_key(value);
    let best = best.or_else(|| first_move(position, &request.excluded).filter(is_legal));
    let best = best.or_else(|| board.empty_points().find(is_legal));
    let best = best.or_else(|| board.empty_points().next());
    let line =
        |point| Line { score: Score::DRAW, depth: 0, selective_depth: 0, moves: vec![point] };
    Report { lines: best.map(line).into_iter().collect(), nodes: 0, elapsed: start.elapsed() }
}

/// The workers of a running search, the first of them with the observer of the tree. Dropping this
/// drops the workers and returns the observer.
struct RunningWorkers<'a> {
    workers: Vec<Worker>,
    observer: &'a mut Option<Box<dyn TreeObserver>>,
}

impl<'a> RunningWorkers<'a> {
    /// Takes the workers and the observer.
    fn new(
        workers: &mut Vec<Worker>,
        observer: &'a mut Option<Box<dyn TreeObserver>>,
    ) -> RunningWorkers<'a> {
        let mut workers = std::mem::take(workers);
        if let Some(main) = workers.first_mut() {
            main.set_tree_observer(observer.take());
        }
        RunningWorkers { workers, observer }
    }
}

impl Drop for RunningWorkers<'_> {
    fn drop(&mut self) {
        if let Some(main) = self.workers.first_mut() {
            *self.observer = main.take_tree_observer();
        }
    }
}

impl Default for Engine {
    /// An engine with one thread and the default memory.
    fn default() -> Engine {
        Engine::new(Options::default())
    }
}

/// Logs the plan of a move and its actual effort.
fn log_effort(plan: Plan, report: &Report) {
    let planned = |limit: Option<Duration>| {
        limit.map_or("no limit".to_string(), |limit| format!("{} ms", limit.as_millis()))
    };
    log::debug!(
        "planned {}, at most {}; used {} ms, {} nodes, depth {}",
        planned(plan.soft),
        planned(plan.hard),
        report.elapsed.as_millis(),
        report.nodes,
        report.lines.first().map_or(0, |line| line.depth),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::NetworkFile;
    use tengen_rules::types::BoardSize;

    #[test]
    fn change_of_networks_resets_the_engine() {
        let position = Position::new(BoardSize::square(15).unwrap(), Rule::Standard);
        let request = Request::new(Limits::nodes(2_000));
        let search = |engine: &mut Engine| {
            engine.think(&position, &request, &StopSwitch::new(), &mut Silent).lines
        };
        let caro = NetworkFile::read(crate::eval::network::embedded(Rule::Caro)).unwrap();
        let bytes = NetworkFile { rule: Rule::Standard, ..caro }.write();
        let network = LoadedNetwork::from_bytes(&bytes, Rule::Standard).unwrap();
        let mut options = Options::default();
        options.networks.insert(network);
        let mut engine = Engine::default();
        let embedded = search(&mut engine);
        engine.set_options(options.clone());
        let loaded = search(&mut engine);
        assert_ne!(loaded, embedded);
        assert_eq!(loaded, search(&mut Engine::new(options)));
        engine.set_options(Options::default());
        assert_eq!(search(&mut engine), embedded);
    }

    #[test]
    fn table_fits_the_planned_time() {
        let position = Position::new(BoardSize::square(15).unwrap(), Rule::Standard);
        let mut engine = Engine::default();
        let mut searched_with = |new_game: bool, limits: Limits| {
            if new_game {
                engine.new_game();
            }
            let pressed = StopSwitch::new();
            pressed.press();
            engine.think(&position, &Request::new(limits), &pressed, &mut Silent);
            engine.table_bytes
        };
        let area = position.board().size().area();
        let options = Options::default();
        let bytes = |time| memory_plan::table_bytes(&options, area, time, None);
        // Planned for a share of the clock, not for the most that a move may take.
        let game = Some(Duration::from_secs(15));
        let clock = Limits { left: game, game, ..Limits::unlimited() };
        let plan = Engine::default().plan(&position, &clock, Instant::now());
        let large = bytes(plan.soft);
        assert!(large < bytes(plan.hard));
        assert_eq!(searched_with(true, clock), large);
        let turn_for = |wanted: u64| {
            let turn = |ms| Limits::turn(Duration::from_millis(ms));
            let soft = |ms| Engine::default().plan(&position, &turn(ms), Instant::now()).soft;
            turn((1..60_000).find(|&ms| bytes(soft(ms)) == wanted).unwrap())
        };
        let small = large / 8;
        assert_eq!(searched_with(false, turn_for(small)), large);
        assert_eq!(searched_with(true, turn_for(small)), small);
        // Twice the size is not worth the entries of the game.
        assert_eq!(searched_with(false, turn_for(2 * small)), small);
        assert_eq!(searched_with(false, turn_for(4 * small)), 4 * small);
    }

    #[test]
    fn pondering_keeps_the_table() {
        let position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        let mut engine = Engine::default();
        let pressed = StopSwitch::new();
        pressed.press();
        engine.ponder(&position, &pressed);
        assert!(engine.table.is_none(), "no search before");
        let request = Request::new(Limits::nodes(1_000));
        engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
        let bytes = engine.table_bytes;
        engine.ponder(&position, &pressed);
        assert_eq!(engine.table_bytes, bytes);
    }
}
