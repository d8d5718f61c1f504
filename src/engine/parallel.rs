//! Lazy SMP: several threads search the same position on a shared table.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::search::{Budget, Iteration, Line, Observer, Progress, RootTask, Silent, Table, Worker};
use crate::types::Point;

use super::clock::Clock;

/// Searches with `main` and all `helpers`, each second helper one ply ahead; the answer is that
/// of the thread which got furthest with the best score. The observer hears what `main` finds,
/// with the positions of all threads.
pub(super) fn run(
    main: &mut Worker,
    helpers: &mut [Worker],
    table: &Table,
    clock: &Clock<'_>,
    observer: &mut dyn Observer,
    task: &RootTask,
) -> Vec<Line> {
    let tallies: Vec<_> = helpers.iter().map(|_| Tally::new(clock)).collect();
    std::thread::scope(|scope| {
        let running: Vec<_> = helpers
            .iter_mut()
            .zip(&tallies)
            .enumerate()
            .map(|(index, (worker, tally))| {
                let first_depth = (task.first_depth + index as u32 % 2 + 1).min(task.last_depth);
                let task = RootTask { first_depth, fours_nodes: 0, ..task.clone() };
                scope.spawn(move || worker.run(table, tally, &mut Silent, &task))
            })
            .collect();
        let mut sum = Sum { observer, helpers: &tallies };
        let mut best = main.run(table, clock, &mut sum, task);
        clock.finished.press();
        for helper in running {
            let Ok(lines) = helper.join() else { continue };
            if is_better(&lines, &best) {
                best = lines;
            }
        }
        best
    })
}

/// Whether another thread's answer replaces the one chosen so far.
fn is_better(lines: &[Line], best: &[Line]) -> bool {
    let worth = |lines: &[Line]| lines.first().map(|line| (line.depth, line.score));
    match (worth(lines), worth(best)) {
        (Some((depth, score)), Some((best_depth, best_score))) => {
            score > best_score && (depth >= best_depth || score.is_win())
        }
        (found, _) => found.is_some(),
    }
}

/// The budget of one helper, which notes how far the helper is.
///
/// On cache lines of its own, like the worker: its thread writes to it during the whole search.
#[repr(align(128))]
struct Tally<'a> {
    clock: &'a Clock<'a>,
    /// Positions that the helper had visited when it last asked.
    nodes: AtomicU64,
}

impl<'a> Tally<'a> {
    fn new(clock: &'a Clock<'a>) -> Tally<'a> {
        Tally { clock, nodes: AtomicU64::new(0) }
    }
}

impl Budget for Tally<'_> {
    fn exhausted(&self, nodes: u64) -> bool {
        self.nodes.store(nodes, Ordering::Relaxed);
        self.clock.exhausted(nodes)
    }

    fn node_limit(&self) -> u64 {
        self.clock.node_limit()
    }

    fn wants_another(&self, iteration: Iteration) -> bool {
        self.clock.wants_another(iteration)
    }
}

/// Hands on what the main thread finds, with the positions of the helpers added to its own.
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
    use crate::engine::{Limits, Plan, StopSwitch};
    use crate::types::Score;

    /// Keeps the counts that were announced.
    #[derive(Default)]
    struct Counts(Vec<u64>);

    impl Observer for Counts {
        fn iteration(&mut self, progress: Progress<'_>) {
            self.0.push(progress.nodes);
        }
    }

    #[test]
    fn an_announced_line_counts_the_positions_of_all_threads() {
        let (limits, stop) = (Limits::nodes(40_000), StopSwitch::new());
        let clock = Clock::new(&limits, Plan::new(&limits, 0), 4, &stop);
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
