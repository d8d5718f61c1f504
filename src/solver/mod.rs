//! Proofs of forced wins: by continuous fours, by fours and threes, by any threats.

mod budget;
mod expand;
mod fours;
#[cfg(test)]
mod game_tests;
mod guess;
mod limits;
mod line;
mod points;
mod prove;
#[cfg(test)]
mod puzzle_tests;
mod questions;
mod shortest_line;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod vcf;
mod zone;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

pub use budget::Budget;
pub use fours::{Fours, FoursResult};
pub use limits::SolveLimits;
pub use questions::{Judged, Shortest};
pub use shortest_line::ShortestLine;
pub use tree::{Attack, Reply};
pub use vcf::{Vcf, VcfLimits};

use crate::eval::network::Networks;
use crate::moment::Instant;
use crate::stop::StopSwitch;
use expand::Width;
use limits::Bounds;
use prove::Prover;
use tengen_rules::game::Game;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::answers_to_five;
use tengen_rules::types::{Color, Point, UnknownName, by_name};

/// Node limit of the VCF search before threats are tried.
const FOURS_FIRST: u64 = 200_000;
/// Nodes of the first turn of each search of [`WinKind::Any`]; each further turn has twice as many.
const FIRST_TURN: u64 = 100_000;
/// Node limit for finding the first move of a proved win after the limits are reached.
const FIRST_MOVE: u64 = 20_000;

/// A kind of win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WinKind {
    /// Every move of the attacker makes a four.
    Vcf,
    /// Fours, and moves that threaten a straight four or a four-three; in caro, where a four may
    /// be stopped in more than one way, a straight four alone.
    Vct,
    /// Any moves that threaten continuous fours.
    Any,
}

impl WinKind {
    /// Every kind, narrowest first.
    pub const ALL: [WinKind; 3] = [WinKind::Vcf, WinKind::Vct, WinKind::Any];

    /// `vcf`, `vct` or `any`.
    pub const fn name(self) -> &'static str {
        match self {
            WinKind::Vcf => "vcf",
            WinKind::Vct => "vct",
            WinKind::Any => "any",
        }
    }
}

impl FromStr for WinKind {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<WinKind, UnknownName> {
        by_name(&WinKind::ALL, WinKind::name, text)
    }
}

impl fmt::Display for WinKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The result of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The attacker wins within this number of plies from here.
    Win(u16),
    /// It is proved that the attacker has no win of the kind. A win of another kind may exist: after
    /// [`WinKind::Vcf`] try [`WinKind::Vct`], then [`WinKind::Any`].
    None,
    /// Neither was proved within the limits.
    Unknown,
}

/// A verdict, its cost, and the line of a win if the call returns one.
#[derive(Clone, Debug)]
pub struct SolveReport {
    /// The verdict.
    pub verdict: Verdict,
    /// The kind of the win.
    pub kind: WinKind,
    /// Of a win: the moves of both sides up to the five, with the longest resistance that the proof
    /// contains. Empty from calls that return only a verdict.
    pub line: Vec<Point>,
    /// Whether the limits cut the line before the five.
    pub is_cut: bool,
    /// Nodes visited for the verdict.
    pub nodes: u64,
    /// Time taken, including the line.
    pub elapsed: Duration,
}

/// The moves of a win.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WinLine {
    /// The moves of both sides, with the longest resistance that the proof contains.
    pub moves: Vec<Point>,
    /// Whether the limits cut the line before the five.
    pub is_cut: bool,
    /// Nodes visited to find it.
    pub nodes: u64,
}

/// Proves forced wins, and caches results from one call to the next.
///
/// Start with [`Solver::new`] and [`Solver::solve`]. The methods that take a [`Position`] require
/// one whose game is not over.
pub struct Solver {
    bytes: u64,
    networks: Networks,
    threats: Prover,
    /// Created on first use.
    wide: Option<Prover>,
}

impl Solver {
    /// A solver with empty tables of about `bytes`; twice that for [`WinKind::Any`].
    pub fn new(bytes: u64) -> Solver {
        Solver::with_networks(bytes, Networks::embedded())
    }

    /// A solver that orders its moves with these networks. They affect only the time to find a
    /// proof, not its validity.
    pub fn with_networks(bytes: u64, networks: Networks) -> Solver {
        let threats = Prover::new(Width::Threats, bytes, networks.clone());
        Solver { bytes, networks, threats, wide: None }
    }

    /// Whether `attacker`, to move or not, has a win of the kind; if the game is over, whether it
    /// has won. Pressing `stop` ends the search within a few milliseconds.
    ///
    /// The same limits hold for the line of a win: it has the same deadline, and the node limit of
    /// the verdict once more. [`SolveReport::is_cut`] is set if the limits cut it short. It has at
    /// least its first move, unless the tables are too small for the proof. Callers that do not
    /// show the line can use [`Solver::decide`].
    ///
    /// ```
    /// use tengen::{BoardSize, Game, Rule, SolveLimits, Solver, StopSwitch, Verdict, WinKind};
    ///
    /// let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
    /// for at in ["h8", "a1", "i8", "a3", "j8", "a5"] {
    ///     game.play(game.point(at)?);
    /// }
    /// let (side, limits) = (game.side_to_move(), SolveLimits::nodes(10_000));
    /// let mut solver = Solver::new(1 << 20);
    /// let report = solver.solve(&game, side, WinKind::Vcf, &limits, &StopSwitch::new());
    /// assert_eq!(report.verdict, Verdict::Win(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(
        &mut self,
        game: &Game,
        attacker: Color,
        kind: WinKind,
        limits: &SolveLimits,
        stop: &StopSwitch,
    ) -> SolveReport {
        if let Some(ending) = game.ending() {
            return SolveReport::immediate(ending.winner() == Some(attacker), kind);
        }
        self.solve_position(game.position(), attacker, kind, limits, &|| stop.is_pressed())
    }

    /// The verdict of [`Solver::solve`] without a line.
    ///
    /// ```
    /// use tengen::{BoardSize, Game, Rule, SolveLimits, Solver, StopSwitch, Verdict, WinKind};
    ///
    /// let game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
    /// let (side, limits) = (game.side_to_move(), SolveLimits::nodes(10_000));
    /// let report = Solver::new(1 << 20).decide(&game, side, WinKind::Vcf, &limits, &StopSwitch::new());
    /// assert_eq!(report.verdict, Verdict::None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decide(
        &mut self,
        game: &Game,
        attacker: Color,
        kind: WinKind,
        limits: &SolveLimits,
        stop: &StopSwitch,
    ) -> SolveReport {
        if let Some(ending) = game.ending() {
            return SolveReport::immediate(ending.winner() == Some(attacker), kind);
        }
        self.decide_position(game.position(), attacker, kind, limits, &|| stop.is_pressed())
    }

    /// Like [`Solver::solve`] in a position of an unfinished game. `stop` is called often and ends
    /// the search immediately.
    pub fn solve_position(
        &mut self,
        position: &Position,
        attacker: Color,
        kind: WinKind,
        limits: &SolveLimits,
        stop: &dyn Fn() -> bool,
    ) -> SolveReport {
        let bounds = limits.begun();
        let report = self.decide_within(position, attacker, kind, &bounds, stop);
        self.with_line(position, attacker, report, &bounds, stop)
    }

    /// Like [`Solver::decide`] in a position of an unfinished game. `stop` is called often and ends
    /// the search immediately.
    pub fn decide_position(
        &mut self,
        position: &Position,
        attacker: Color,
        kind: WinKind,
        limits: &SolveLimits,
        stop: &dyn Fn() -> bool,
    ) -> SolveReport {
        self.decide_within(position, attacker, kind, &limits.begun(), stop)
    }

    /// The first move of a win that this solver has reported for the side to move. It comes from
    /// the tables or from a short VCF search. `None` without a win, or if the proof has been
    /// overwritten in the tables and the limits end before it is found again.
    pub fn first_move(
        &mut self,
        position: &Position,
        report: &SolveReport,
        limits: &SolveLimits,
        stop: &dyn Fn() -> bool,
    ) -> Option<Point> {
        let Verdict::Win(plies) = report.verdict else { return None };
        let bounds = limits.begun();
        let mut budget = bounds.budget(stop);
        let stones = bounds.stones;
        let by_fours = report.kind == WinKind::Vcf;
        let prover = self.prover(report.kind);
        prover.first_move(&mut position.clone(), by_fours, stones, plies, &mut budget)
    }

    /// The line of a win that this solver has reported for `attacker`, to move or not. Empty
    /// without a win. The limits are for the line alone.
    pub fn line(
        &mut self,
        position: &Position,
        attacker: Color,
        report: &SolveReport,
        limits: &SolveLimits,
        stop: &dyn Fn() -> bool,
    ) -> WinLine {
        self.line_within(position, attacker, report, &limits.begun(), stop)
    }

    fn line_within(
        &mut self,
        position: &Position,
        attacker: Color,
        report: &SolveReport,
        bounds: &Bounds,
        stop: &dyn Fn() -> bool,
    ) -> WinLine {
        // A win in 0 plies has already been played.
        let Verdict::Win(plies @ 1..) = report.verdict else { return WinLine::default() };
        let mut position = position.clone();
        let stones = bounds.stones;
        let mut budget = bounds.budget(stop);
        let prover = self.prover(report.kind);
        let mut line = prover.line(&mut position, attacker, stones, plies, &mut budget);
        if line.moves.is_empty() && position.side_to_move() == attacker {
            // The limits are reached. The first move is in the tables, or takes few nodes to find.
            let mut budget = Budget::new(FIRST_MOVE, None, stop);
            let by_fours = report.kind == WinKind::Vcf;
            let first = prover.first_move(&mut position, by_fours, stones, plies, &mut budget);
            line.moves.extend(first);
            line.nodes += budget.nodes();
        }
        line
    }

    /// The report with the line of its win.
    fn with_line(
        &mut self,
        position: &Position,
        attacker: Color,
        report: SolveReport,
        bounds: &Bounds,
        stop: &dyn Fn() -> bool,
    ) -> SolveReport {
        let begun = Instant::now();
        let line = self.line_within(position, attacker, &report, bounds, stop);
        let elapsed = report.elapsed + begun.elapsed();
        SolveReport { line: line.moves, is_cut: line.is_cut, elapsed, ..report }
    }

    fn decide_within(
        &mut self,
        position: &Position,
        attacker: Color,
        kind: WinKind,
        bounds: &Bounds,
        stop: &dyn Fn() -> bool,
    ) -> SolveReport {
        let begun = Instant::now();
        let mut budget = bounds.budget(stop);
        let stones = bounds.stones;
        let mut task = Task { position: position.clone(), attacker, stones };
        let (verdict, kind) = match kind {
            WinKind::Vcf => (self.by_fours(&mut task, &mut budget), kind),
            WinKind::Vct => self.by_threats(&mut task, &mut budget),
            WinKind::Any => self.by_any_means(&mut task, &mut budget),
        };
        let (nodes, elapsed) = (budget.nodes(), begun.elapsed());
        SolveReport { verdict, kind, line: Vec::new(), is_cut: false, nodes, elapsed }
    }

    fn by_fours(&mut self, task: &mut Task, budget: &mut Budget<'_>) -> Verdict {
        let Task { position, attacker, stones } = task;
        let Some(length) = stones.checked_sub(1) else { return Verdict::None };
        let fours = &mut self.threats.expander.fours;
        let mut solve =
            |position: &mut Position| match fours.solve(position, length, u64::MAX, budget) {
                FoursResult::Win => Verdict::Win(2 * fours.stones(position) - 1),
                FoursResult::None => Verdict::None,
                FoursResult::Unknown => Verdict::Unknown,
            };
        let defender = attacker.opponent();
        if position.side_to_move() == *attacker {
            return solve(position);
        }
        // After a four every answer has to lose.
        if position.count(*attacker, Shape::Five) == 0 || position.count(defender, Shape::Five) > 0
        {
            return Verdict::None;
        }
        let mut longest = 2;
        for answer in answers_to_five(position, defender) {
            match position.with_move(answer, &mut solve) {
                Verdict::Win(plies) => longest = longest.max(plies + 1),
                other => return other,
            }
        }
        Verdict::Win(longest)
    }

    fn by_threats(&mut self, task: &mut Task, budget: &mut Budget<'_>) -> (Verdict, WinKind) {
        let fours = budget.share(FOURS_FIRST, |budget| self.by_fours(task, budget));
        if let Verdict::Win(_) = fours {
            return (fours, WinKind::Vcf);
        }
        (task.prove(&mut self.threats, budget), WinKind::Vct)
    }

    /// Fours, then threats and wide threats in turns.
    fn by_any_means(&mut self, task: &mut Task, budget: &mut Budget<'_>) -> (Verdict, WinKind) {
        let mut turn = FIRST_TURN;
        let mut exhausted = false;
        loop {
            let before = budget.nodes();
            if !exhausted {
                let (verdict, kind) = budget.share(turn, |budget| self.by_threats(task, budget));
                if let Verdict::Win(_) = verdict {
                    return (verdict, kind);
                }
                exhausted = verdict == Verdict::None;
            }
            let (bytes, networks) = (self.bytes, &self.networks);
            let new = || Prover::new(Width::AnyFours, bytes, networks.clone());
            let wide = self.wide.get_or_insert_with(new);
            let verdict = budget.share(turn, |budget| task.prove(wide, budget));
            // A turn without a new node only read the tables: if VCF searches were cut short,
            // another turn cannot decide more either.
            let learned = budget.nodes() > before;
            if verdict != Verdict::Unknown || budget.is_over() || !learned {
                return (verdict, WinKind::Any);
            }
            turn *= 2;
        }
    }

    /// The proof of a win that this solver has reported for the side to move, with at most `moves`
    /// moves. Further moves are omitted and counted, as are replies whose answers are not found
    /// within the limits. The limits are for the proof tree alone. `None` without a win, or if the
    /// limits or `stop` end the search before its first move is found.
    pub fn tree(
        &mut self,
        position: &Position,
        report: &SolveReport,
        limits: &SolveLimits,
        moves: usize,
        stop: &dyn Fn() -> bool,
    ) -> Option<Attack> {
        let bounds = limits.begun();
        let mut budget = bounds.budget(stop);
        let stones = bounds.stones;
        let Verdict::Win(plies) = report.verdict else { return None };
        let mut position = position.clone();
        self.prover(report.kind).tree(&mut position, stones, plies, &mut { moves }, &mut budget)
    }

    /// The prover that proves wins of this kind.
    fn prover(&mut self, kind: WinKind) -> &mut Prover {
        match (kind, &mut self.wide) {
            (WinKind::Any, Some(wide)) => wide,
            _ => &mut self.threats,
        }
    }
}

/// A position and the win to search for.
struct Task {
    position: Position,
    attacker: Color,
    stones: u16,
}

impl Task {
    fn prove(&mut self, prover: &mut Prover, budget: &mut Budget<'_>) -> Verdict {
        prover.prove(&mut self.position, self.attacker, self.stones, budget)
    }
}
