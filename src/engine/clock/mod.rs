//! How long a move may take.

#[cfg(test)]
mod simulated_games;

use std::time::{Duration, Instant};

use super::{Limits, StopSwitch};
use crate::search::{Budget, Iteration};
use tengen_rules::board::Board;
use tengen_rules::types::{MAX_PLY, Rule};

// Every number about time that a match can argue about.

/// Time kept back for the pipe, the manager's polling and the operating system.
const MARGIN: Duration = Duration::from_millis(40);
/// Of turns too short for that, one part in this many is kept back.
const MARGIN_SHARE: u32 = 8;
/// Time of the game clock that is kept back in any case, and for each move that the board has room
/// for: twice what moves come in late, on average, on a busy machine. Where no more is left, moves
/// are made at once.
const RESERVE: (Duration, Duration) = (Duration::from_millis(200), Duration::from_millis(15));
/// Moves that a share of the clock always leaves room for: an unsettled position may take a third
/// of what is left, and no plan more.
const LEAST_MOVES_TO_GO: u32 = 3;
/// Shares that an unsettled position may take.
const MOST_SHARES: u32 = 3;
/// Moves to come on large boards of freestyle at the start, and moves made for one more.
const LARGE_TO_GO: (u32, u32) = (14, 4);
/// Moves to come elsewhere: the first number at the start, one fewer for each move made, never
/// below the second.
const SMALL_TO_GO: (u32, u32) = (36, 12);
/// Cells of the largest small board.
const SMALL_AREA: usize = 16 * 16;
/// Share of the soft limit (percent) by the iterations in a row, up to so many, with one best
/// move.
const BY_STABILITY: [(u32, u32); 4] = [(1, 130), (3, 105), (6, 85), (u32::MAX, 65)];
/// Points that the score fell for one percent more, and the largest fall that counts (score).
const BY_DROP: (i32, i32) = (2, 120);
/// Percent less where the best move took a larger share (percent) of the nodes than this.
const BY_EFFORT: (u32, u32) = (15, 90);
/// Nodes in a millisecond that the search for continuous fours at the root may visit of a
/// move's time, about a fifth of what a thread visits.
const FOURS_PER_MS: u64 = 300;
/// Of a limit in nodes, it may visit one part in this many.
const FOURS_SHARE: u64 = 10;

/// What one move will take: [`Limits`] made into times and counts that a thread can compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// When the times below begin to run.
    pub(super) start: Instant,
    /// After this no new iteration starts, unless the position is unsettled.
    pub(super) soft: Option<Duration>,
    /// After this the search ends wherever it is.
    pub(super) hard: Option<Duration>,
    /// Nodes that each thread may visit.
    pub(super) nodes: u64,
    /// Plies of the last iteration.
    pub(super) depth: u32,
    /// An only move ends the search: nothing is left to choose.
    pub(super) only_move_ends: bool,
}

impl Plan {
    /// Plans one of the moves to come, for this number of threads, with times that run from
    /// `start`.
    ///
    /// A move whose turn limit fits into the game that often takes the whole turn; otherwise it
    /// takes a share of what is left, which an unsettled position may exceed.
    pub(super) fn new(limits: &Limits, start: Instant, to_go: MovesToGo, threads: usize) -> Plan {
        let (soft, hard) = times(limits, to_go);
        Plan {
            start,
            soft,
            hard,
            nodes: limits.nodes.map_or(u64::MAX, |nodes| (nodes / threads as u64).max(1)),
            depth: limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 / 2),
            only_move_ends: !limits.analysis,
        }
    }

    /// Nodes that the search for fours at the root may visit: a small part of the move.
    pub(super) fn fours_nodes(&self, most: u64) -> u64 {
        let by_time =
            self.hard.map_or(most, |hard| (hard.as_millis() as u64).saturating_mul(FOURS_PER_MS));
        most.min(by_time).min(self.nodes / FOURS_SHARE)
    }

    /// Whether another iteration should start so long after the request, given what the last one
    /// found.
    pub(super) fn goes_on_after(&self, elapsed: Duration, iteration: Iteration) -> bool {
        if iteration.forced {
            return false;
        }
        let Some(soft) = self.soft else { return true };
        if iteration.only_move && self.only_move_ends {
            return false;
        }
        elapsed < soft.saturating_mul(self.percent(iteration)) / 100
    }

    /// How much of the soft limit the position deserves.
    fn percent(&self, iteration: Iteration) -> u32 {
        if self.soft == self.hard {
            return 100;
        }
        let stable = BY_STABILITY.into_iter().find(|&(most, _)| iteration.stable <= most);
        let stability = stable.map_or(100, |(_, percent)| percent);
        let (points, most) = BY_DROP;
        let drop = (iteration.drop.clamp(0, most) / points) as u32;
        let (less, share) = BY_EFFORT;
        let effort = if iteration.effort > share { less } else { 0 };
        stability + drop - effort
    }
}

impl Limits {
    /// The time that the engine plans for a move on this board, neither settled nor unsettled;
    /// `None` where none is set. It runs from the request.
    pub(crate) fn planned(&self, board: &Board) -> Option<Duration> {
        times(self, MovesToGo::on(board)).0
    }
}

/// After which time no new iteration starts, and after which the search ends.
fn times(limits: &Limits, to_go: MovesToGo) -> (Option<Duration>, Option<Duration>) {
    let turn = limits.turn.map(without_margin);
    let Some(left) = limits.left else { return (turn, turn) };
    let (always, for_a_move) = RESERVE;
    let reserve = always + for_a_move.saturating_sub(limits.increment) * to_go.at_most;
    let usable = left.saturating_sub(reserve);
    let to_go = to_go.expected.max(LEAST_MOVES_TO_GO);
    let increment = limits.increment.saturating_sub(MARGIN);
    if let Some(turn) = turn
        && turn.checked_mul(to_go).is_some_and(|game| game <= usable)
    {
        return (Some(turn), Some(turn));
    }
    let share = (usable / to_go).saturating_add(increment);
    let within = |time: Duration| turn.map_or(time, |turn| turn.min(time)).min(usable);
    let third = (usable / LEAST_MOVES_TO_GO).saturating_add(increment);
    let most = share.saturating_mul(MOST_SHARES).min(third);
    (Some(within(share)), Some(within(most)))
}

/// Moves that the side to move has before it, this one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MovesToGo {
    /// Those that it plans to think about until the result is known.
    expected: u32,
    /// Those that the board has room for.
    at_most: u32,
}

impl MovesToGo {
    /// What to plan for on this board.
    ///
    /// Where every move matters as much as every other, and each doubling of its time as much as
    /// the one before, the best share of a move is the time left divided by the mean number of
    /// moves still to come (lab/0034).
    pub(super) fn on(board: &Board) -> MovesToGo {
        let made = board.history().len() as u32 / 2;
        let expected = match board.rule() {
            Rule::Freestyle if board.size().area() > SMALL_AREA => {
                let (first, made_for_one) = LARGE_TO_GO;
                first + made / made_for_one
            }
            _ => {
                let (first, least) = SMALL_TO_GO;
                first.saturating_sub(made).max(least)
            }
        };
        let at_most = board.empty_count() as u32 / 2 + 1;
        MovesToGo { expected: expected.min(at_most), at_most }
    }
}

/// Keeps the margin back; of very short times only a part of it.
pub(super) fn without_margin(time: Duration) -> Duration {
    time.saturating_sub(MARGIN.min(time / MARGIN_SHARE + Duration::from_millis(1)))
}

/// The budget of one search: its plan, and the switches that end it early.
pub(super) struct Clock<'a> {
    plan: Plan,
    stop: &'a StopSwitch,
    /// Ends the helpers when the main thread is done.
    pub(super) finished: StopSwitch,
}

impl<'a> Clock<'a> {
    pub(super) fn new(plan: Plan, stop: &'a StopSwitch) -> Self {
        Clock { plan, stop, finished: StopSwitch::new() }
    }

    /// Whether every thread must stop at once.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_pressed()
            || self.finished.is_pressed()
            || self.plan.hard.is_some_and(|hard| self.plan.start.elapsed() >= hard)
    }
}

impl Budget for Clock<'_> {
    fn exhausted(&self, _nodes: u64) -> bool {
        self.is_over()
    }

    fn node_limit(&self) -> u64 {
        self.plan.nodes
    }

    fn wants_another(&self, iteration: Iteration) -> bool {
        if self.stop.is_pressed() || self.finished.is_pressed() {
            return false;
        }
        self.plan.goes_on_after(self.plan.start.elapsed(), iteration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::{BoardSize, Point};

    fn plan(turn: Option<u64>, left: Option<u64>, expected: u32) -> Plan {
        let limits = Limits {
            turn: turn.map(Duration::from_millis),
            left: left.map(Duration::from_millis),
            ..Limits::unlimited()
        };
        Plan::new(&limits, Instant::now(), MovesToGo { expected, at_most: 100 }, 1)
    }

    #[test]
    fn no_limit_no_plan() {
        let plan = plan(None, None, 0);
        assert_eq!((plan.soft, plan.hard, plan.nodes), (None, None, u64::MAX));
        assert_eq!(plan.depth, MAX_PLY as u32 / 2);
        let limits = Limits { nodes: Some(9), depth: Some(0), ..Limits::unlimited() };
        let to_go = MovesToGo { expected: 0, at_most: 0 };
        let plan = Plan::new(&limits, Instant::now(), to_go, 4);
        assert_eq!((plan.nodes, plan.depth), (2, 1));
    }

    #[test]
    fn plans_stay_inside_their_limits() {
        for turn in [0, 1, 5, 30, 100, 1_000, 300_000] {
            for left in [0, 1, 50, 500, 10_000, 1_000_000, u64::MAX / 1_000_000] {
                for to_go in [0, 1, 12, 50, 500] {
                    let plan = plan(Some(turn), Some(left), to_go);
                    let (soft, hard) = (plan.soft.unwrap(), plan.hard.unwrap());
                    assert!(soft <= hard, "{turn} {left} {to_go}");
                    assert!(hard <= Duration::from_millis(turn.min(left)));
                    assert!(hard < Duration::from_millis(left) || left == 0);
                }
            }
        }
    }

    #[test]
    fn moves_to_come_are_fewer_than_the_cells() {
        for (rule, side) in [(Rule::Freestyle, 15), (Rule::Freestyle, 20), (Rule::Renju, 15)] {
            let mut board = Board::new(BoardSize::square(side).unwrap(), rule);
            let cells: Vec<Point> = board.empty_points().collect();
            for point in cells {
                board.place(point, board.side_to_move()).unwrap();
                let left = board.empty_count() as u32;
                let to_go = MovesToGo::on(&board);
                assert_eq!(to_go.at_most, left / 2 + 1);
                assert!(to_go.expected >= 1 && to_go.expected <= to_go.at_most);
                assert!(left < 100 || to_go.expected >= 12);
            }
        }
    }

    /// So what a short game teaches about shares holds for these as well.
    #[test]
    fn the_game_clock_alone_binds_in_long_games() {
        for (turn, game) in [(30_000, 180_000), (300_000, 1_000_000)] {
            for to_go in [14, 36] {
                let soft = |turn| plan(turn, Some(game), to_go).soft;
                assert_eq!(soft(Some(turn)), soft(None));
            }
        }
    }

    #[test]
    fn a_turn_that_fits_the_game_is_used_whole() {
        assert_eq!(plan(Some(1_000), Some(180_000), 30).hard, Some(Duration::from_millis(960)));
        assert!(plan(Some(30_000), Some(180_000), 30).soft.unwrap() < Duration::from_secs(6));
    }

    #[test]
    fn an_unsettled_position_takes_more_time() {
        let share = plan(None, Some(100_000), 20);
        let iteration = |stable, drop, effort| Iteration {
            stable,
            drop,
            effort,
            forced: false,
            only_move: false,
        };
        let percent = |stable, drop, effort| share.percent(iteration(stable, drop, effort));
        let by_stability = [1, 2, 3, 4, 6, 7, 100].map(|stable| percent(stable, 0, 0));
        assert_eq!(by_stability, [130, 105, 105, 85, 85, 65, 65]);
        assert_eq!([-50, 1, 40, 120, 999].map(|drop| percent(4, drop, 0)), [85, 85, 105, 145, 145]);
        assert_eq!([0, 90, 91].map(|effort| percent(4, 0, effort)), [85, 85, 70]);
        let whole_turn = plan(Some(1_000), None, 20);
        assert_eq!(whole_turn.percent(iteration(1, 120, 0)), 100);
    }
}
