//! Queries about forced wins: the shortest win, all winning moves, and the defences.

use std::time::Duration;

use super::limits::Bounds;
use super::line::below;
use super::prove::ANY_STONES;
use super::{SolveLimits, SolveReport, Solver, Verdict, WinKind};
use crate::moment::Instant;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::{answers_to_five, is_foul, makes_four};
use tengen_rules::types::{Color, Point};

/// The line of the first win may take the remaining time divided by this number.
const FIRST_LINE_SHARE: u32 = 4;

/// One move and the attacker's verdict after it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The move.
    pub at: Point,
    /// The verdict for the attacker, without a line.
    pub report: SolveReport,
    /// For a defence: whether it is a four that only delays the loss, see [`Solver::only_delays`].
    pub delays: bool,
}

/// The shortest win of a kind.
#[derive(Clone, Debug)]
pub struct Shortest {
    /// The shortest win found, or the verdict that there is none.
    pub report: SolveReport,
    /// Whether it is proved that no shorter win exists: every smaller number of stones was refuted.
    pub proved: bool,
}

impl Solver {
    /// The shortest win of the kind for the side to move: first any win, then every number of the
    /// attacker's stones, from one up, until one suffices. The first win may be by fours alone
    /// while a shorter one is not, so each number is searched for all wins of the kind.
    pub fn shortest(
        &mut self,
        position: &Position,
        kind: WinKind,
        limits: &SolveLimits,
        stop: &dyn Fn() -> bool,
    ) -> Shortest {
        let begun = Instant::now();
        let (attacker, bounds) = (position.side_to_move(), limits.begun());
        let mut best = self.decide_within(position, attacker, kind, &bounds, stop);
        let Verdict::Win(plies) = best.verdict else {
            return Shortest { report: best, proved: false };
        };
        // Later there may be no time for its line.
        let first = bounds.until.map(|_| {
            let share = bounds.with_share_of_time(FIRST_LINE_SHARE);
            self.line_within(position, attacker, &best, &share, stop)
        });
        // Counted from the plies of the proof, because the defender of the line may resist less
        // long.
        let most = plies.div_ceil(2);
        let mut nodes = best.nodes;
        let (mut proved, mut stones_of_best) = (true, bounds.stones);
        for stones in 1..=most {
            let bounds = Bounds { stones, nodes: bounds.nodes.saturating_sub(nodes), ..bounds };
            let report = self.decide_within(position, attacker, kind, &bounds, stop);
            nodes += report.nodes;
            match report.verdict {
                Verdict::None => {}
                // With as many stones as the first proof needs there is a win, even if not found
                // again.
                Verdict::Unknown => {
                    proved = stones == most;
                    break;
                }
                Verdict::Win(_) => {
                    (best, stones_of_best) = (report, stones);
                    break;
                }
            }
        }
        let best = SolveReport { nodes, elapsed: begun.elapsed(), ..best };
        let is_first = stones_of_best == bounds.stones;
        if let Some(line) = first.filter(|line| is_first && !line.is_cut) {
            let report = SolveReport { line: line.moves, is_cut: false, ..best };
            return Shortest { report, proved };
        }
        let bounds = Bounds { stones: stones_of_best, ..bounds };
        Shortest { report: self.with_line(position, attacker, best, &bounds, stop), proved }
    }

    /// Whether the defender's last move is a four that only delays the loss. After the answer to
    /// it, all of the following must hold:
    ///
    /// - the attacker has a win of the kind again if the defender passes;
    /// - the defender does not win by fours;
    /// - no move of the defender, immediately or after one more such four, can hold that would not
    ///   have held without the four. A move that the limits leave undecided can hold.
    ///
    /// An answer that makes a four itself leaves the defender no choice, so the moves after it have
    /// been judged already. Defences that need three preparing fours are not searched for.
    pub fn only_delays(
        &mut self,
        position: &mut Position,
        attacker: Color,
        kind: WinKind,
        limits: &SolveLimits,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        self.delays_within(position, attacker, kind, &limits.begun(), stop)
    }

    fn delays_within(
        &mut self,
        position: &mut Position,
        attacker: Color,
        kind: WinKind,
        bounds: &Bounds,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let mut question = Question { solver: self, attacker, kind, bounds, stop };
        let Some(answer) = question.answer_that_renews(position) else { return false };
        if position.with_move(answer, |after| question.defender_wins_by_fours(after)) {
            return false;
        }
        let cells: Vec<Point> = position.board().empty_points().collect();
        // The defender's next move, immediately or after one more four.
        let fours = cells.iter().filter(|&&at| at != answer && question.is_four(position, at));
        let ways: Vec<Option<Point>> = [None].into_iter().chain(fours.copied().map(Some)).collect();
        !ways.into_iter().any(|second| {
            cells.iter().any(|&at| {
                let may_hold = position.with_move(answer, |after| {
                    question.after_four(after, second, |question, after| {
                        question.leaves(after, at, |verdict| !matches!(verdict, Verdict::Win(_)))
                    })
                });
                may_hold
                    && position.without_last(|before| {
                        question.holds(before, at)
                            || second.is_some()
                                && question.after_four(before, second, |question, after| {
                                    question.holds(after, at)
                                })
                    }) == Some(false)
            })
        })
    }

    /// Every legal move of the side to move, with `attacker`'s verdict after it; the limits apply
    /// to each move separately. `done` is called after each searched move. The moves that `stop` left
    /// unsearched are unknown.
    ///
    /// With the side to move as attacker this finds all winning first moves; with its opponent, all
    /// defences.
    pub fn judge_moves(
        &mut self,
        position: &Position,
        attacker: Color,
        kind: WinKind,
        limits: &SolveLimits,
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
            if stop() {
                let unknown = Verdict::Unknown;
                let report =
                    SolveReport { verdict: unknown, ..SolveReport::immediate(false, kind) };
                judged.push(Judged { at, report, delays: false });
                continue;
            }
            let mut bounds = limits.begun();
            let five = position.shape(at, side) == Shape::Five;
            judged.push(after.with_move(at, |after| {
                let report = if five {
                    SolveReport::immediate(side == attacker, kind)
                } else {
                    // The stones of the attacker are counted from here on, including this one.
                    if side == attacker {
                        bounds.stones = below(bounds.stones);
                    }
                    self.decide_within(after, attacker, kind, &bounds, stop)
                };
                let holds = !matches!(report.verdict, Verdict::Win(_));
                let delays = holds
                    && !five
                    && side != attacker
                    && self.delays_within(after, attacker, kind, &bounds, stop);
                Judged { at, report, delays }
            }));
            judged.last().into_iter().for_each(&mut done);
        }
        judged
    }
}

impl SolveReport {
    /// The report of a game that is over; `won` if the attacker has won.
    pub(super) fn immediate(won: bool, kind: WinKind) -> SolveReport {
        let verdict = if won { Verdict::Win(0) } else { Verdict::None };
        SolveReport {
            verdict,
            kind,
            line: Vec::new(),
            is_cut: false,
            nodes: 0,
            elapsed: Duration::ZERO,
        }
    }
}

/// The parameters of repeated queries about one win.
struct Question<'a> {
    solver: &'a mut Solver,
    attacker: Color,
    kind: WinKind,
    bounds: &'a Bounds,
    stop: &'a dyn Fn() -> bool,
}

impl Question<'_> {
    fn verdict(&mut self, position: &Position) -> Verdict {
        self.solver
            .decide_within(position, self.attacker, self.kind, self.bounds, self.stop)
            .verdict
    }

    /// After a four of the defender: the answer, not a four itself, after which the attacker would
    /// win again if the defender passed.
    fn answer_that_renews(&mut self, position: &mut Position) -> Option<Point> {
        if position.count(self.attacker.opponent(), Shape::Five) == 0 {
            return None;
        }
        answers_to_five(position, self.attacker).into_iter().find(|&answer| {
            position.with_move(answer, |after| {
                after.count(self.attacker, Shape::Five) == 0
                    && matches!(after.with_pass(|passed| self.verdict(passed)), Verdict::Win(_))
            })
        })
    }

    /// Whether a stone of the defender on `at` is a legal four.
    fn is_four(&self, position: &Position, at: Point) -> bool {
        let defender = self.attacker.opponent();
        makes_four(position, at, defender) && !is_foul(position, at, defender)
    }

    /// Runs `f`, if a four is given after the defender's four there and an answer after which the
    /// attacker would win again; false if there is no such answer.
    fn after_four(
        &mut self,
        position: &mut Position,
        four: Option<Point>,
        f: impl FnOnce(&mut Question<'_>, &mut Position) -> bool,
    ) -> bool {
        let Some(four) = four else { return f(self, position) };
        position.with_move(four, |after| {
            let Some(answer) = self.answer_that_renews(after) else { return false };
            after.with_move(answer, |after| f(self, after))
        })
    }

    /// Whether the defender, to move, wins by fours.
    fn defender_wins_by_fours(&mut self, position: &Position) -> bool {
        let bounds = Bounds { stones: ANY_STONES, ..*self.bounds };
        let defender = self.attacker.opponent();
        let report =
            self.solver.decide_within(position, defender, WinKind::Vcf, &bounds, self.stop);
        matches!(report.verdict, Verdict::Win(_))
    }

    /// Whether the defender's move on `at` holds.
    fn holds(&mut self, position: &mut Position, at: Point) -> bool {
        self.leaves(position, at, |verdict| verdict == Verdict::None)
    }

    /// Whether the attacker's verdict after the defender's move on `at` is accepted, and the move
    /// is not a four that only delays the win.
    fn leaves(&mut self, position: &mut Position, at: Point, accepts: fn(Verdict) -> bool) -> bool {
        position.is_empty(at)
            && !is_foul(position, at, self.attacker.opponent())
            && position.with_move(at, |after| {
                accepts(self.verdict(after)) && self.answer_that_renews(after).is_none()
            })
    }
}
