//! How long a move may take.

use std::time::Duration;

use super::{Limits, StopSwitch};
use crate::board::Board;
use crate::search::{Budget, Iteration};
use crate::types::Rule;

/// Time kept back for the pipe, the manager's polling and the operating system.
const MARGIN: Duration = Duration::from_millis(40);
/// Moves that a share of the clock always leaves room for: an unsettled position may take a third
/// of what is left, and no plan more.
const LEAST_MOVES_TO_GO: u32 = 3;

/// The time plan of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// After this no new iteration starts, unless the position is unsettled.
    pub soft: Option<Duration>,
    /// After this the search ends wherever it is.
    pub hard: Option<Duration>,
}

impl Plan {
    /// Plans one of `to_go` moves that are expected to come.
    ///
    /// A move whose turn limit fits into the game that often takes the whole turn; otherwise it
    /// takes a share of what is left, which an unsettled position may exceed.
    pub fn new(limits: &Limits, to_go: u32) -> Plan {
        let turn = limits.turn.map(without_margin);
        let Some(left) = limits.left else { return Plan { soft: turn, hard: turn } };
        let to_go = to_go.max(LEAST_MOVES_TO_GO);
        let usable = left.saturating_sub(MARGIN + left / 50);
        let increment = limits.increment.saturating_sub(MARGIN);
        if let Some(turn) = turn
            && turn * to_go <= usable
        {
            return Plan { soft: Some(turn), hard: Some(turn) };
        }
        let share = usable / to_go + increment;
        let within = |time: Duration| turn.map_or(time, |turn| turn.min(time)).min(usable);
        Plan {
            soft: Some(within(share)),
            hard: Some(within((share * 3).min(usable / 3 + increment))),
        }
    }
}

/// Moves that the side to move plans to think about until the result is known.
///
/// Where every move matters as much as every other, and each doubling of its time as much as the
/// one before, the best share of a move is one part of what is left by the mean number of moves
/// that are still to come. In 100 games against Rapfi at 500 ms on a large board of freestyle that
/// mean was 14 and hardly changed as the games went on. On small boards games are longer and
/// decided later, and shares by their means were not better than 36 moves at first.
pub fn moves_to_go(board: &Board) -> u32 {
    let made = board.history().len() as u32 / 2;
    let large = board.size().area() > 16 * 16;
    let to_go = match board.rule() {
        Rule::Freestyle if large => 14 + made / 4,
        _ => 36_u32.saturating_sub(made).max(12),
    };
    to_go.min(board.empty_count() as u32 / 2 + 1)
}

/// Keeps the margin back; of very short times only a part of it.
fn without_margin(time: Duration) -> Duration {
    time.saturating_sub(MARGIN.min(time / 8 + Duration::from_millis(1)))
}

/// The budget of one search.
pub(super) struct Clock<'a> {
    limits: &'a Limits,
    plan: Plan,
    nodes: u64,
    stop: &'a StopSwitch,
    /// Ends the helpers when the main thread is done.
    pub(super) finished: StopSwitch,
}

impl<'a> Clock<'a> {
    pub(super) fn new(
        limits: &'a Limits,
        plan: Plan,
        threads: usize,
        stop: &'a StopSwitch,
    ) -> Self {
        let nodes = limits.nodes.map_or(u64::MAX, |nodes| (nodes / threads as u64).max(1));
        Clock { limits, plan, nodes, stop, finished: StopSwitch::new() }
    }

    /// Positions that the search for fours at the root may visit: a small part of the move.
    pub(super) fn fours_nodes(&self, most: u64) -> u64 {
        let by_time = self.plan.hard.map_or(most, |hard| hard.as_millis() as u64 * 300);
        most.min(by_time).min(self.nodes / 10)
    }
}

impl Budget for Clock<'_> {
    fn exhausted(&self, _nodes: u64) -> bool {
        self.stop.is_pressed()
            || self.finished.is_pressed()
            || self.plan.hard.is_some_and(|hard| self.limits.received.elapsed() >= hard)
    }

    fn node_limit(&self) -> u64 {
        self.nodes
    }

    fn wants_another(&self, iteration: Iteration) -> bool {
        if self.stop.is_pressed() || self.finished.is_pressed() {
            return false;
        }
        if iteration.forced {
            return false;
        }
        let Some(soft) = self.plan.soft else { return true };
        if iteration.only_move {
            return false;
        }
        self.limits.received.elapsed() < soft * percent(iteration, self.plan) / 100
    }
}

/// How much of the soft limit the position deserves.
fn percent(iteration: Iteration, plan: Plan) -> u32 {
    if plan.soft == plan.hard {
        return 100;
    }
    let stability = match iteration.stable {
        0..=1 => 130,
        2..=3 => 105,
        4..=6 => 85,
        _ => 65,
    };
    let drop = (iteration.drop.clamp(0, 120) / 2) as u32;
    let effort = if iteration.effort > 90 { 15 } else { 0 };
    stability + drop - effort
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardSize, Point};

    fn plan(turn: Option<u64>, left: Option<u64>, to_go: u32) -> Plan {
        let limits = Limits {
            turn: turn.map(Duration::from_millis),
            left: left.map(Duration::from_millis),
            ..Limits::unlimited()
        };
        Plan::new(&limits, to_go)
    }

    #[test]
    fn no_limit_no_plan() {
        assert_eq!(plan(None, None, 0), Plan { soft: None, hard: None });
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
                board.place(point, board.side_to_move());
                let left = board.empty_count() as u32;
                let to_go = moves_to_go(&board);
                assert!(to_go >= 1 && to_go <= left / 2 + 1);
                assert!(left < 100 || to_go >= 12);
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
}
