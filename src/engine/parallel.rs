//! Lazy SMP: several threads search the same position on a shared table.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::StopSwitch;
use super::clock::Clock;
use crate::search::{
    Budget, Iteration, Line, Observer, Progress, Refuted, RootTask, STACK_BYTES, Silent, Table,
    Worker,
};
use crate::types::Point;

/// Searches with all workers, the first of them on this thread; the helpers begin one and two plies
/// ahead by turns. The answer is that of the thread which got furthest with the best score. The
/// observer hears what the first worker finds, with the nodes of all threads.
///
/// Helpers for which the system has no thread do not search. If one crashes, all helpers are
/// dropped: the next search gets new ones.
pub(super) fn run(
    workers: &mut Vec<Worker>,
    table: &Table,
    clock: &Clock<'_>,
    observer: &mut dyn Observer,
    task: &RootTask,
) -> Vec<Line> {
    let Some((main, helpers)) = workers.split_first_mut() else { return Vec::new() };
    if helpers.is_empty() {
        return main.run(table, clock, observer, task);
    }
    let tallies: Vec<_> = helpers.iter().map(|_| Tally::new(clock)).collect();
    let (best, crashed) = thread::scope(|scope| {
        // Dropped before the scope waits for the helpers, even when this thread panics.
        let _finish = PressOnDrop(&clock.finished);
        let mut running = Vec::new();
        for (index, (worker, tally)) in helpers.iter_mut().zip(&tallies).enumerate() {
            let first_depth = (task.first_depth + index as u32 % 2 + 1).min(task.last_depth);
            let task = RootTask { first_depth, fours_nodes: 0, ..task.clone() };
            let search = move || worker.run(table, tally, &mut Silent, &task);
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            running.extend(builder.spawn_scoped(scope, search));
        }
        let mut sum = Sum { observer, helpers: &tallies };
        let mut best = main.run(table, clock, &mut sum, task);
        clock.finished.press();
        let mut crashed = false;
        for helper in running {
            match helper.join() {
                Ok(lines) if is_better(&lines, &best, main.refuted()) => best = lines,
                Ok(_) => {}
                Err(_) => crashed = true,
            }
        }
        (best, crashed)
    });
    if crashed {
        workers.truncate(1);
    }
    best
}

/// Ends the helpers when dropped.
struct PressOnDrop<'a>(&'a StopSwitch);

impl Drop for PressOnDrop<'_> {
    fn drop(&mut self) {
        self.0.press();
    }
}

/// Whether another thread's answer replaces the one chosen so far. `refuted` are the moves that
/// the first thread found to lose; the depth of its own answer is 0 where that stands in for one
/// of them.
fn is_better(lines: &[Line], best: &[Line], refuted: &[Refuted]) -> bool {
    let (Some(line), Some(best)) = (lines.first(), best.first()) else { return !lines.is_empty() };
    // A thread that has not come as far as a refutation has not seen it.
    let is_refuted = |it: &Refuted| line.moves.first() == Some(&it.point) && line.depth < it.depth;
    if refuted.iter().any(is_refuted) {
        return false;
    }
    // A move that was searched to the end as far as all moves of the first thread were is better
    // than one that was not.
    if best.depth == 0 && refuted.iter().any(|it| line.depth + 1 >= it.depth) {
        return !line.score.is_loss();
    }
    line.score > best.score && (line.depth >= best.depth || line.score.is_win())
}

/// The budget of one helper, which notes how far the helper is.
///
/// On cache lines of its own, like the worker: its thread writes to it during the whole search.
#[repr(align(128))]
struct Tally<'a> {
    clock: &'a Clock<'a>,
    /// Nodes that the helper had visited when it last asked.
    nodes: AtomicU64,
}

impl<'a> Tally<'a> {
    fn new(clock: &'a Clock<'a>) -> Tally<'a> {
        Tally { clock, nodes: AtomicU64::new(0) }
    }
}

impl Budget for Tally<'_> {
    fn exhausted(&self, nodes: u64) -> bool {
        #[cfg(debug_assertions)]
        super::planted::helper(nodes);
        self.nodes.store(nodes, Ordering::Relaxed);
        self.clock.is_over()
    }

    fn node_limit(&self) -> u64 {
        self.clock.node_limit()
    }

    /// As long as the first thread goes on: how settled the position is, that one judges.
    fn wants_another(&self, _: Iteration) -> bool {
        !self.clock.is_over()
    }
}

/// Hands on what the main thread finds, with the nodes of the helpers added to its own.
struct Sum<'a> {
    observer: &'a mut dyn Observer,
    helpers: &'a [Tally<'a>],
}

impl Observer for Sum<'_> {
    fn iteration(&mut self, progress: Progress<'_>) {
        let others = self.helpers.iter().map(|tally| tally.nodes.load(Ordering::Relaxed));
        let nodes = progress.nodes + others.sum::<u64>();
        self.observer.iteration(Progress { nodes, ..progress });
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
    use super::*;
    use crate::board::Board;
    use crate::engine::Limits;
    use crate::engine::clock::{MovesToGo, Plan};
    use crate::types::{BoardSize, Rule, Score};

    /// Keeps the counts that were announced.
    #[derive(Default)]
    struct Counts(Vec<u64>);

    impl Observer for Counts {
        fn iteration(&mut self, progress: Progress<'_>) {
            self.0.push(progress.nodes);
        }
    }

    #[test]
    fn what_the_first_thread_refuted_does_not_come_back() {
        let line = |x: u8, depth, score| {
            let moves = vec![Point::new(x, 7)];
            [Line { score: Score::raw(score), depth, selective_depth: depth, moves }]
        };
        let better = |line: &[Line], best: &[Line]| {
            let refuted = [Refuted { point: Point::new(1, 7), depth: 14 }];
            is_better(line, best, &refuted)
        };
        let unsearched = line(2, 0, 0);
        assert!(!better(&line(1, 13, 50), &unsearched), "the refuted move, less deep");
        assert!(better(&line(1, 14, 50), &unsearched), "the refuted move, as deep");
        assert!(better(&line(3, 13, -50), &unsearched), "another move, searched");
        assert!(!better(&line(3, 5, -50), &unsearched), "another move, hardly searched");
        assert!(!better(&line(3, 14, Score::loss_in(6).value()), &unsearched));
        assert!(better(&line(3, 14, -40), &line(4, 13, -50)), "the better of two helpers");
        assert!(!better(&line(1, 13, 50), &line(4, 13, -50)), "however good it looked before");
        // Where nothing was refuted, depth and score decide.
        assert!(is_better(&line(1, 9, 5), &line(2, 9, 0), &[]));
        assert!(!is_better(&line(1, 8, 5), &line(2, 9, 0), &[]));
        assert!(is_better(&line(1, 1, Score::win_in(5).value()), &line(2, 9, 0), &[]));
        assert!(!is_better(&[], &line(2, 9, 0), &[]) && is_better(&line(1, 1, 0), &[], &[]));
    }

    #[test]
    fn an_announced_line_counts_the_nodes_of_all_threads() {
        let (limits, stop) = (Limits::nodes(40_000), StopSwitch::new());
        let board = Board::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        let clock = Clock::new(Plan::new(&limits, MovesToGo::on(&board), 4), &stop);
        let helpers = [Tally::new(&clock), Tally::new(&clock)];
        assert!(!helpers[0].exhausted(512) && !helpers[1].exhausted(1_024));
        assert!(!helpers[0].exhausted(2_048));
        let line = Line { score: Score::DRAW, depth: 1, selective_depth: 1, moves: Vec::new() };
        let mut counts = Counts::default();
        let mut sum = Sum { observer: &mut counts, helpers: &helpers };
        sum.iteration(Progress { rank: 0, line: &line, nodes: 300 });
        assert_eq!(counts.0, [300 + 2_048 + 1_024]);
        assert_eq!(helpers[1].node_limit(), 10_000);
    }
}
