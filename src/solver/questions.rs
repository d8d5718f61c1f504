//! What players ask about a forced win: the shortest, all of them, what holds against it.

use super::{Kind, Limits, Report, Solver, Verdict};
use crate::pattern::Shape;
use crate::position::Position;
use crate::threat::{answers_to_five, is_foul};
use crate::types::{Color, Point};

/// One move and what the attacker has after it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The move.
    pub at: Point,
    /// What the attacker has.
    pub report: Report,
    /// Of a defence: a four that only puts the loss off, see [`Solver::only_delays`].
    pub delays: bool,
}

/// The shortest win of a kind.
#[derive(Clone, Debug)]
pub struct Shortest {
    /// The shortest win found, or the verdict that there is none.
    pub report: Report,
    /// Whether nothing shorter exists: every smaller number of stones was refuted.
    pub proved: bool,
}

impl Solver {
    /// The shortest win of the kind for the side to move: a win first, then every smaller number
    /// of the attacker's stones, from one up, until one suffices.
    pub fn shortest(
        &mut self,
        position: &Position,
        kind: Kind,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
    ) -> Shortest {
        let attacker = position.side_to_move();
        let mut best = self.solve(position, attacker, kind, limits, stop);
        let Verdict::Win(_) = best.verdict else { return Shortest { report: best, proved: false } };
        let most = best.line.len().div_ceil(2) as u16;
        let (mut nodes, mut elapsed) = (best.nodes, best.elapsed);
        let mut proved = true;
        for stones in 1..most {
            let left = limits.nodes.map(|most| most.saturating_sub(nodes));
            let limits = Limits { stones: Some(stones), nodes: left, ..*limits };
            let report = self.solve(position, attacker, best.kind, &limits, stop);
            nodes += report.nodes;
            elapsed += report.elapsed;
            match report.verdict {
                Verdict::None => {}
                Verdict::Unknown => {
                    proved = false;
                    break;
                }
                Verdict::Win(_) => {
                    best = report;
                    break;
                }
            }
        }
        Shortest { report: Report { nodes, elapsed, ..best }, proved }
    }

    /// Whether the defender's last move is a four that only delays: once it is answered the
    /// attacker, if the defender passed, has a win of the kind again, and no further move of the
    /// defender holds against that. An answer that makes a four of its own leaves the defender no
    /// choice, so that what comes after it has been judged already.
    pub fn only_delays(
        &mut self,
        position: &mut Position,
        attacker: Color,
        kind: Kind,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        if position.count(attacker.opponent(), Shape::Five) == 0 {
            return false;
        }
        answers_to_five(position, attacker).into_iter().any(|answer| {
            position.play(answer);
            let lost = position.count(attacker, Shape::Five) == 0 && {
                position.pass();
                let report = self.solve(position, attacker, kind, limits, stop);
                position.pass();
                matches!(report.verdict, Verdict::Win(_))
                    && !self.some_move_holds(position, attacker, kind, limits, stop)
            };
            position.undo();
            lost
        })
    }

    /// Whether the defender, to move, has a move that holds.
    fn some_move_holds(
        &mut self,
        position: &mut Position,
        attacker: Color,
        kind: Kind,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let cells: Vec<Point> = position.board().empty_points().collect();
        cells.into_iter().any(|at| {
            !is_foul(position, at, attacker.opponent())
                && position.with_move(at, |after| {
                    let report = self.solve(after, attacker, kind, limits, stop);
                    report.verdict == Verdict::None
                        && !self.only_delays(after, attacker, kind, limits, stop)
                })
        })
    }

    /// Every legal move of the side to move, with what `attacker` has after it; the limits hold
    /// for each move by itself. `done` hears of every move judged.
    ///
    /// With the side to move as attacker these are all winning first moves; with its opponent,
    /// all defences.
    pub fn judge_moves(
        &mut self,
        position: &Position,
        attacker: Color,
        kind: Kind,
        limits: &dyn Fn() -> Limits,
        stop: &dyn Fn() -> bool,
        mut done: impl FnMut(&Judged),
    ) -> Vec<Judged> {
        let side = position.side_to_move();
        let mut after = position.clone();
        let mut judged = Vec::new();
        for at in position.board().empty_points() {
            if is_foul(position, at, side) {
                continue;
            }
            after.play(at);
            let report = self.solve(&after, attacker, kind, &limits(), stop);
            let holds = !matches!(report.verdict, Verdict::Win(_));
            let delays = holds
                && side != attacker
                && self.only_delays(&mut after, attacker, kind, &limits(), stop);
            after.undo();
            judged.push(Judged { at, report, delays });
            judged.last().into_iter().for_each(&mut done);
            if stop() {
                break;
            }
        }
        judged
    }
}
