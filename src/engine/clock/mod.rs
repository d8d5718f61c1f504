//! Plans the time of a move.

#[cfg(test)]
mod simulated_games;

use std::time::Duration;

use super::memory_plan::NODES_PER_MS;
use super::{Limits, StopSwitch};
use crate::memory;
use crate::moment::Instant;
use crate::search::{Budget, Iteration};
use tengen_rules::board::Board;
use tengen_rules::types::{MAX_PLY, Rule};

// Tunable parameters of time management.

/// Time reserved for the pipe, the manager's polling and the operating system.
const MARGIN: Duration = Duration::from_millis(40);
/// In short turns the margin is the turn divided by this.
const MARGIN_SHARE: u32 = 8;
/// Reserve of the game clock: a fixed part, and a part for each move of the engine until the board
/// is full (twice the mean delay of a move on a busy machine). If only the reserve is left, moves are
/// made immediately.
const RESERVE: (Duration, Duration) = (Duration::from_millis(200), Duration::from_millis(15));
/// The reserve of a short game is at most the game time divided by this, and at least
/// [`MIN_RESERVE`]: games end long before the board is full. With 3 seconds it is the mean delay of
/// 115 moves.
const RESERVE_SHARE: u32 = 3;
/// The least reserve, longer than any single delay.
const MIN_RESERVE: Duration = Duration::from_millis(100);
/// A game is short if the reserve is more than the game time divided by this. Its moves take shares of
/// the whole clock, as in a long game, until only the reserve is left.
const SHORT_GAME_SHARE: u32 = 4;
/// The assumed game time if only the time left is known.
const MIN_GAME: Duration = Duration::from_secs(3);
/// Least number of moves to plan for: no move takes more than a third of the time left.
const MIN_MOVES_TO_GO: u32 = 3;
/// Maximum number of shares for an unsettled position.
const MAX_SHARES: u32 = 3;
/// Moves to go on large boards of freestyle: the number at the start, and the number of moves made
/// after which it grows by one.
const LARGE_TO_GO: (u32, u32) = (14, 4);
/// Moves to go elsewhere: the number at the start, which falls by one with each move made, and its
/// minimum.
const SMALL_TO_GO: (u32, u32) = (36, 12);
/// The same for games of at most [`SHORT_GAME`]: such games are decided after fewer moves, and time that
/// is left then is lost.
const SHORT_TO_GO: (u32, u32) = (20, 8);
/// The longest game to which [`SHORT_TO_GO`] applies.
const SHORT_GAME: Duration = Duration::from_secs(60);
/// Cells of the largest small board.
const SMALL_AREA: usize = 16 * 16;
/// Share of the soft limit (percent) by the maximum number of iterations in a row with the same
/// best move.
const BY_STABILITY: [(u32, u32); 4] = [(1, 130), (3, 105), (6, 85), (u32::MAX, 65)];
/// Score drop that adds one percent to the soft limit, and the largest drop that counts (score).
const BY_DROP: (i32, i32) = (2, 120);
/// Reduction of the soft limit (percent), and the share of nodes of the best move (percent) above
/// which it applies.
const BY_EFFORT: (u32, u32) = (15, 90);
/// Nodes per millisecond of a move's time that the VCF search at the root may visit: a fifth of those
/// that a thread visits.
const FOURS_PER_MS: u64 = NODES_PER_MS / 5;
/// The VCF search at the root may visit a node limit divided by this.
const FOURS_SHARE: u64 = 10;

/// The plan for one move: [`Limits`] converted to times and counts for threads to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The start of the times below.
    pub(super) start: Instant,
    /// After this time no new iteration starts, unless the position is unsettled.
    pub(super) soft: Option<Duration>,
    /// After this time the search is stopped.
    pub(super) hard: Option<Duration>,
    /// Nodes that each thread may visit.
    pub(super) nodes: u64,
    /// Plies of the last iteration.
    pub(super) depth: u32,
    /// Whether a search with only one move ends early.
    pub(super) only_move_ends: bool,
}

impl Plan {
    /// Plans one move for this number of threads, with times that start at `start`.
    ///
    /// The move takes the whole turn limit if the time left allows that for all moves to go;
    /// otherwise it takes a share of the time left, which an unsettled position may exceed.
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

    /// Nodes that the VCF search at the root may visit: a small part of the move.
    pub(super) fn fours_nodes(&self, most: u64) -> u64 {
        let by_time =
            self.hard.map_or(most, |hard| (hard.as_millis() as u64).saturating_mul(FOURS_PER_MS));
        most.min(by_time).min(self.nodes / FOURS_SHARE)
    }

    /// Whether another iteration should start after this time, given the result of the last one.
    pub(super) fn should_continue(&self, elapsed: Duration, iteration: Iteration) -> bool {
        if iteration.forced {
            return false;
        }
        let Some(soft) = self.soft else { return true };
        if iteration.only_move && self.only_move_ends {
            return false;
        }
        elapsed < soft.saturating_mul(self.percent(iteration)) / 100
    }

    /// Share of the soft limit for the position (percent).
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
    /// The planned time for a move on this board, without adjustment for the search; `None` without
    /// a time limit. It starts with the request.
    pub(crate) fn planned(&self, board: &Board) -> Option<Duration> {
        times(self, MovesToGo::on(board)).0
    }
}

/// The soft and the hard time limit.
fn times(limits: &Limits, to_go: MovesToGo) -> (Option<Duration>, Option<Duration>) {
    let turn = limits.turn.map(without_margin);
    let Some(left) = limits.left else { return (turn, turn) };
    let (always, for_a_move) = RESERVE;
    let whole = always + for_a_move.saturating_sub(limits.increment) * to_go.at_most;
    let game = limits.game.unwrap_or(left.max(MIN_GAME));
    let reserve = whole.min((game / RESERVE_SHARE).max(MIN_RESERVE));
    let usable = left.saturating_sub(reserve);
    let is_short = limits.game.is_some_and(|game| game <= SHORT_GAME);
    let expected = if is_short { to_go.expected_in_short } else { to_go.expected };
    let to_go = expected.max(MIN_MOVES_TO_GO);
    let increment = limits.increment.saturating_sub(MARGIN);
    if let Some(turn) = turn
        && turn.checked_mul(to_go).is_some_and(|game| game <= usable)
    {
        return (Some(turn), Some(turn));
    }
    let third = (usable / MIN_MOVES_TO_GO).saturating_add(increment);
    let divided = if reserve > game / SHORT_GAME_SHARE { left } else { usable };
    let share = (divided / to_go).saturating_add(increment).min(third);
    let within = |time: Duration| turn.map_or(time, |turn| turn.min(time)).min(usable);
    let most = share.saturating_mul(MAX_SHARES).min(third);
    (Some(within(share)), Some(within(most)))
}

/// Number of moves to go for the side to move, including this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MovesToGo {
    /// Expected number until the game is decided.
    expected: u32,
    /// The same in a short game.
    expected_in_short: u32,
    /// Maximum number that the board has room for.
    at_most: u32,
}

impl MovesToGo {
    /// The moves to go on this board.
    ///
    /// If all moves matter equally, and each doubling of the time gains the same, the best share of
    /// a move is the time left divided by the mean number of moves to go (lab/0034).
    pub(super) fn on(board: &Board) -> MovesToGo {
        let made = board.history().len() as u32 / 2;
        let falling = |(first, least): (u32, u32)| first.saturating_sub(made).max(least);
        let (expected, in_short) = match board.rule() {
            Rule::Freestyle if board.size().area() > SMALL_AREA => {
                let (first, made_for_one) = LARGE_TO_GO;
                let expected = first + made / made_for_one;
                (expected, expected)
            }
            _ => (falling(SMALL_TO_GO), falling(SHORT_TO_GO)),
        };
        let at_most = board.empty_count() as u32 / 2 + 1;
        MovesToGo {
            expected: expected.min(at_most),
            expected_in_short: in_short.min(at_most),
            at_most,
        }
    }
}

/// The time without the margin, which is smaller for very short times.
pub(super) fn without_margin(time: Duration) -> Duration {
    time.saturating_sub(MARGIN.min(time / MARGIN_SHARE + Duration::from_millis(1)))
}

/// The budget of one search: its plan, and the switches that end it early.
pub(super) struct Clock<'a> {
    plan: Plan,
    stop: &'a StopSwitch,
    /// Ends the helpers when the main thread has finished.
    pub(super) finished: StopSwitch,
}

impl<'a> Clock<'a> {
    pub(super) fn new(plan: Plan, stop: &'a StopSwitch) -> Self {
        Clock { plan, stop, finished: StopSwitch::new() }
    }

    /// Whether every thread must stop immediately.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_pressed()
            || self.finished.is_pressed()
            || memory::is_low()
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

    fn should_continue(&self, iteration: Iteration) -> bool {
        if self.stop.is_pressed() || self.finished.is_pressed() || memory::is_low() {
            return false;
        }
        self.plan.should_continue(self.plan.start.elapsed(), iteration)
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
        Plan::new(
            &limits,
            Instant::now(),
            MovesToGo { expected, expected_in_short: expected, at_most: 100 },
            1,
        )
    }

    #[test]
    fn plan_without_limits_is_unlimited() {
        let plan = plan(None, None, 0);
        assert_eq!((plan.soft, plan.hard, plan.nodes), (None, None, u64::MAX));
        assert_eq!(plan.depth, MAX_PLY as u32 / 2);
        let limits = Limits { nodes: Some(9), depth: Some(0), ..Limits::unlimited() };
        let to_go = MovesToGo { expected: 0, expected_in_short: 0, at_most: 0 };
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
    fn moves_to_go_are_fewer_than_the_cells() {
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

    /// So results about shares from short games apply to these as well.
    #[test]
    fn game_clock_alone_binds_in_long_games() {
        for (turn, game) in [(30_000, 180_000), (300_000, 1_000_000)] {
            for to_go in [14, 36] {
                let soft = |turn| plan(turn, Some(game), to_go).soft;
                assert_eq!(soft(Some(turn)), soft(None));
            }
        }
    }

    #[test]
    fn forced_results_and_only_moves_end_a_search() {
        let to_go = MovesToGo { expected: 20, expected_in_short: 20, at_most: 100 };
        let continues = |limits: Limits, forced, only_move| {
            let iteration = Iteration { stable: 1, drop: 0, effort: 0, forced, only_move };
            let plan = Plan::new(&limits, Instant::now(), to_go, 1);
            plan.should_continue(Duration::ZERO, iteration)
        };
        let play = Limits::turn(Duration::from_secs(1));
        let analysis = Limits { analysis: true, ..play };
        for limits in [play, analysis, Limits::unlimited()] {
            assert!(continues(limits, false, false));
            assert!(!continues(limits, true, false));
        }
        let only_moves = [play, analysis, Limits::unlimited()].map(|it| continues(it, false, true));
        assert_eq!(only_moves, [false, true, true]);
    }

    /// 58.3 seconds for 20 moves, or 59.8 and the increment without the margin.
    #[test]
    fn increment_is_added_to_the_share_and_replaces_the_reserve() {
        let to_go = MovesToGo { expected: 20, expected_in_short: 20, at_most: 100 };
        let minute = Duration::from_secs(60);
        let share = |increment| {
            let limits = Limits::unlimited().with_clock(minute, Duration::from_millis(increment));
            times(&limits.with_game(minute), to_go).0
        };
        let expected = [2915, 3950].map(|share| Some(Duration::from_millis(share)));
        assert_eq!([0, 1000].map(share), expected);
    }

    #[test]
    fn turn_that_fits_the_game_is_used_completely() {
        assert_eq!(plan(Some(1_000), Some(180_000), 30).hard, Some(Duration::from_millis(960)));
        assert!(plan(Some(30_000), Some(180_000), 30).soft.unwrap() < Duration::from_secs(6));
    }

    #[test]
    fn unsettled_position_takes_more_time() {
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
