//! Lazy SMP: several threads search the same position on a shared table.

use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(all(target_arch = "wasm32", target_feature = "atomics")))]
use std::thread;

use super::StopSwitch;
use super::clock::Clock;
#[cfg(not(all(target_arch = "wasm32", target_feature = "atomics")))]
use crate::search::STACK_BYTES;
use crate::search::{
    Budget, Iteration, Line, Observer, Progress, RootTask, Silent, TranspositionTable, Worker,
};
use tengen_rules::types::Point;

/// Searches with all workers, the first of them on this thread; the helpers start one or two plies
/// ahead in turn. The result is that of the first worker, or of a helper that reached at least the
/// same depth with a better score, but never a move that any thread found to lose. The observer
/// receives the lines of the first worker, with the nodes of all threads.
///
/// Helpers whose thread cannot be started do not search. If one crashes, all helpers are dropped;
/// the next search creates new ones.
pub(super) fn run(
    workers: &mut Vec<Worker>,
    table: &TranspositionTable,
    clock: &Clock<'_>,
    observer: &mut dyn Observer,
    task: &RootTask,
) -> Vec<Line> {
    let Some((main, helpers)) = workers.split_first_mut() else { return Vec::new() };
    if helpers.is_empty() {
        return main.run(table, clock, observer, task);
    }
    let budgets: Vec<_> = helpers.iter().map(|_| HelperBudget::new(clock)).collect();
    let jobs = helpers.iter_mut().zip(&budgets).enumerate().map(|(index, (worker, budget))| {
        let first_depth = (task.first_depth + index as u32 % 2 + 1).min(task.last_depth);
        let task = RootTask { first_depth, fours_nodes: 0, ..task.clone() };
        move || worker.run(table, budget, &mut Silent, &task)
    });
    let mut sum = NodeSum { observer, helpers: &budgets };
    let (mut best, others, crashed) =
        run_together(jobs, || main.run(table, clock, &mut sum, task), &clock.finished);
    let results = ThreadResults::of(workers);
    for lines in others {
        if results.prefers(&lines, &best) {
            best = lines;
        }
    }
    if crashed {
        workers.truncate(1);
    }
    best
}

/// Runs `main` on this thread and each job on one of its own. Presses `finished` when `main` ends,
/// then waits for the jobs. Returns all results, and whether a job crashed.
#[cfg(not(all(target_arch = "wasm32", target_feature = "atomics")))]
fn run_together<T: Send>(
    jobs: impl Iterator<Item = impl FnOnce() -> T + Send>,
    main: impl FnOnce() -> T,
    finished: &StopSwitch,
) -> (T, Vec<T>, bool) {
    thread::scope(|scope| {
        // Dropped before the scope waits for the helpers, even when this thread panics.
        let finish = PressOnDrop(finished);
        let mut running = Vec::new();
        for job in jobs {
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            running.extend(builder.spawn_scoped(scope, job));
        }
        let result = main();
        drop(finish);
        let mut others = Vec::new();
        let mut crashed = false;
        for helper in running {
            match helper.join() {
                Ok(lines) => others.push(lines),
                Err(_) => crashed = true,
            }
        }
        (result, others, crashed)
    })
}

/// The same on threads that the embedder started. A crash of a job ends the whole program.
#[cfg(all(target_arch = "wasm32", target_feature = "atomics"))]
fn run_together<T: Send>(
    jobs: impl Iterator<Item = impl FnOnce() -> T + Send>,
    main: impl FnOnce() -> T,
    finished: &StopSwitch,
) -> (T, Vec<T>, bool) {
    let (result, others) = super::helper_pool::run(jobs, main, finished);
    (result, others, false)
}

/// Ends the helpers when dropped.
#[cfg(not(all(target_arch = "wasm32", target_feature = "atomics")))]
struct PressOnDrop<'a>(&'a StopSwitch);

#[cfg(not(all(target_arch = "wasm32", target_feature = "atomics")))]
impl Drop for PressOnDrop<'_> {
    fn drop(&mut self) {
        self.0.press();
    }
}

/// The refuted moves of all threads, which decide between their results.
struct ThreadResults {
    /// Moves that some thread found to lose, which is a proof at any depth.
    lost: Vec<Point>,
    /// The depth at which the first thread last found such a move.
    reached: u32,
}

impl ThreadResults {
    /// The results of these workers, that of the first thread first.
    fn of(workers: &[Worker]) -> ThreadResults {
        let depths = workers.iter().take(1).flat_map(Worker::refuted).map(|it| it.depth);
        ThreadResults {
            lost: workers.iter().flat_map(Worker::refuted).map(|it| it.point).collect(),
            reached: depths.max().unwrap_or(0),
        }
    }

    fn is_lost(&self, line: &Line) -> bool {
        line.moves.first().is_some_and(|first| self.lost.contains(first))
    }

    /// Whether another thread's result replaces the one chosen so far. The depth of the first
    /// thread's own result is 0 if it is a fallback for a move found to lose.
    fn prefers(&self, lines: &[Line], best: &[Line]) -> bool {
        let (Some(line), Some(best)) = (lines.first(), best.first()) else {
            return !lines.is_empty();
        };
        match (self.is_lost(line), self.is_lost(best)) {
            (true, false) => return false,
            (false, true) => return true,
            // All moves lose, or no thread has another move: choose the longest known loss.
            (true, true) => {
                return line.score.is_loss() && (!best.score.is_loss() || line.score > best.score);
            }
            (false, false) => {}
        }
        if line.depth == 0 {
            return false;
        }
        // A fallback that was not searched is replaced by a move that was searched about as deep as
        // the first thread.
        if best.depth == 0 {
            return line.depth + 1 >= self.reached && !line.score.is_loss();
        }
        line.score > best.score && (line.depth >= best.depth || line.score.is_win())
    }
}

/// The budget of one helper, which publishes its node count.
///
/// Aligned to cache lines of its own, as the worker is, because its thread writes to it during the
/// whole search.
#[repr(align(128))]
struct HelperBudget<'a> {
    clock: &'a Clock<'a>,
    /// Nodes of the helper at its last poll.
    nodes: AtomicU64,
}

impl<'a> HelperBudget<'a> {
    fn new(clock: &'a Clock<'a>) -> HelperBudget<'a> {
        HelperBudget { clock, nodes: AtomicU64::new(0) }
    }
}

impl Budget for HelperBudget<'_> {
    fn exhausted(&self, nodes: u64) -> bool {
        self.nodes.store(nodes, Ordering::Relaxed);
        self.clock.is_over()
    }

    fn node_limit(&self) -> u64 {
        self.clock.node_limit()
    }

    /// Until the clock ends: only the first thread judges how settled the position is.
    fn should_continue(&self, _: Iteration) -> bool {
        !self.clock.is_over()
    }
}

/// Forwards the results of the main thread, with the nodes of the helpers added.
struct NodeSum<'a> {
    observer: &'a mut dyn Observer,
    helpers: &'a [HelperBudget<'a>],
}

impl Observer for NodeSum<'_> {
    fn iteration(&mut self, progress: &Progress<'_>) {
        let others = self.helpers.iter().map(|budget| budget.nodes.load(Ordering::Relaxed));
        let nodes = progress.nodes + others.sum::<u64>();
        self.observer.iteration(&Progress { nodes, ..*progress });
    }

    fn root_move(&mut self, point: Point) {
        self.observer.root_move(point);
    }

    fn root_move_done(&mut self, point: Point, lost: bool) {
        self.observer.root_move_done(point, lost);
    }

    fn best_move(&mut self, point: Point) {
        self.observer.best_move(point);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::engine::Limits;
    use crate::engine::clock::{MovesToGo, Plan};
    use crate::search::TreeObserver;
    use tengen_rules::board::Board;
    use tengen_rules::position::Position;
    use tengen_rules::types::{BoardSize, Rule, Score};

    /// Records the reported node counts.
    #[derive(Default)]
    struct Counts(Vec<u64>);

    impl Observer for Counts {
        fn iteration(&mut self, progress: &Progress<'_>) {
            self.0.push(progress.nodes);
        }
    }

    #[test]
    fn refuted_moves_of_any_thread_are_not_played() {
        let line = |x: u8, depth, score| {
            let moves = vec![Point::new(x, 7)];
            [Line { score: Score::raw(score), depth, selective_depth: depth, moves }]
        };
        let known = ThreadResults { lost: vec![Point::new(1, 7), Point::new(5, 7)], reached: 14 };
        let better = |line: &[Line], best: &[Line]| known.prefers(line, best);
        let loss = |plies| Score::loss_in(plies).value();
        let fallback = line(2, 0, -90);
        assert!(!better(&line(1, 13, 50), &fallback), "the lost move, less deep");
        assert!(!better(&line(1, 15, 50), &fallback), "the lost move, deeper");
        assert!(!better(&line(1, 13, 50), &line(4, 13, -50)), "however good it looked");
        assert!(better(&line(3, 12, -300), &line(1, 14, 50)), "another thread's results");
        assert!(better(&line(3, 0, 0), &line(1, 14, 50)), "anything else");
        assert!(better(&line(3, 13, -50), &fallback), "another move, searched");
        assert!(!better(&line(3, 5, -50), &fallback), "another move, hardly searched");
        assert!(!better(&line(3, 0, 0), &fallback), "another move, not searched");
        assert!(!better(&line(3, 14, loss(6)), &fallback));
        assert!(better(&line(3, 14, -40), &line(4, 13, -50)), "the better of two helpers");
        // Both lose: the longer loss, and never a score without proof.
        assert!(!better(&line(1, 15, -300), &line(5, 14, loss(12))));
        assert!(better(&line(5, 14, loss(12)), &line(1, 15, -300)));
        assert!(better(&line(5, 13, loss(12)), &line(1, 15, loss(8))));
        // Where nothing is lost, depth and score decide.
        let known = ThreadResults { lost: Vec::new(), reached: 0 };
        assert!(known.prefers(&line(1, 9, 5), &line(2, 9, 0)));
        assert!(!known.prefers(&line(1, 8, 5), &line(2, 9, 0)));
        assert!(known.prefers(&line(1, 1, Score::win_in(5).value()), &line(2, 9, 0)));
        assert!(!known.prefers(&line(1, 0, 0), &line(2, 9, -5)), "no thread proposed it");
        assert!(known.prefers(&line(1, 4, -5), &line(2, 0, 0)));
        assert!(!known.prefers(&[], &line(2, 9, 0)) && known.prefers(&line(1, 1, 0), &[]));
    }

    /// Panics at the first static evaluation.
    struct Panicking;

    impl TreeObserver for Panicking {
        fn on_evaluation(&mut self, _: &Position) {
            panic!("a test's panic");
        }
    }

    #[test]
    fn panicking_helper_drops_all_helpers_and_keeps_the_result() {
        let (limits, stop) = (Limits::depth(3), StopSwitch::new());
        let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        position.play(Point::new(7, 7));
        let to_go = MovesToGo::on(position.board());
        let clock = Clock::new(Plan::new(&limits, Instant::now(), to_go, 3), &stop);
        let mut workers: Vec<Worker> = (0..3).map(|_| Worker::new(position.clone())).collect();
        workers[1].set_tree_observer(Some(Box::new(Panicking)));
        let task = RootTask {
            lines: 1,
            excluded: Vec::new(),
            first_depth: 1,
            last_depth: 3,
            fours_nodes: 0,
        };
        let table = TranspositionTable::new(1 << 20);
        let lines = run(&mut workers, &table, &clock, &mut Silent, &task);
        assert!(position.is_empty(lines[0].moves[0]));
        assert_eq!(workers.len(), 1);
    }

    #[test]
    fn reported_line_counts_the_nodes_of_all_threads() {
        let (limits, stop) = (Limits::nodes(40_000), StopSwitch::new());
        let board = Board::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        let plan = Plan::new(&limits, Instant::now(), MovesToGo::on(&board), 4);
        let clock = Clock::new(plan, &stop);
        let helpers = [HelperBudget::new(&clock), HelperBudget::new(&clock)];
        assert!(!helpers[0].exhausted(512) && !helpers[1].exhausted(1_024));
        assert!(!helpers[0].exhausted(2_048));
        let line = Line { score: Score::DRAW, depth: 1, selective_depth: 1, moves: Vec::new() };
        let mut counts = Counts::default();
        let mut sum = NodeSum { observer: &mut counts, helpers: &helpers };
        sum.iteration(&Progress { rank: 0, line: &line, nodes: 300 });
        assert_eq!(counts.0, [300 + 2_048 + 1_024]);
        assert_eq!(helpers[1].node_limit(), 10_000);
    }
}
