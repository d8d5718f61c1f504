//! A search that runs the solver first: does the side to move have a win by fours or threats, and
//! after which moves does the opponent have one?
//!
//! Only on request: running the solver before every search gains nothing (lab/0036).

use std::cmp::Reverse;
use std::time::Duration;

use super::clock::{Clock, MovesToGo, Plan};
use super::{Engine, Limits, Observer, Report, Request, Silent, StopSwitch, memory_plan};
use crate::moment::Instant;
use crate::search::Line;
use crate::solver::{SolveLimits, SolveReport, Solver, Verdict, WinKind};
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{Color, MAX_PLY, Point, Score};

/// Node limit of the solver if neither time nor nodes are limited.
const WITHOUT_CLOCK: u64 = 1_000_000;

impl Engine {
    /// Like [`Engine::think`], but the solver looks for wins of the kind first, with half of the
    /// time and of the nodes. The lines of proved wins use the rest of the limits, and are cut
    /// short when the limits are reached.
    ///
    /// If one line is requested, a proved win is the result. If several are, the solver judges
    /// every move: moves that win come first, moves after which the opponent has a win of the kind
    /// come last, and the ordinary search ranks the moves in between. If the solver proves nothing,
    /// the result is that of the ordinary search.
    pub fn think_by_threats(
        &mut self,
        kind: WinKind,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
        observer: &mut dyn Observer,
    ) -> Report {
        let limits = &request.limits;
        let start = request.start();
        let plan = Plan::new(limits, start, MovesToGo::on(position.board()), 1);
        let request = &request.clone().received_at(start);
        let clock = Clock::new(plan, stop);
        let over = || clock.is_over();
        let bounded = plan.soft.is_some() || limits.nodes.is_some();
        let without_clock = (!bounded).then_some(WITHOUT_CLOCK);
        let area = position.board().size().area();
        let bytes = memory_plan::solver_bytes(&self.options, area).min(most_bytes(plan.soft));
        let mut runs = SolverRuns {
            solver: Solver::with_networks(bytes, self.options.networks.clone()),
            kind,
            nodes: limits.nodes.map(|nodes| nodes / 2).or(without_clock),
            until: plan.soft.map(|soft| plan.start + soft / 2),
            stop: &over,
            visited: 0,
            line_nodes: limits.nodes.unwrap_or(LINE_NODES),
            line_until: plan.soft.map(|soft| plan.start + soft),
        };
        // If every move is a foul or excluded, there is nothing to judge; the ordinary search then
        // chooses one of them.
        let judgement = (request.lines > 1)
            .then(|| runs.judge(position, &request.excluded))
            .filter(|judgement| !judgement.is_empty());
        let report = if let Some(judgement) = judgement {
            // If a win is known, the ordinary search would report a worse move as the best.
            let silent: &mut dyn Observer = &mut Silent;
            let observer = if judgement.wins.is_empty() { observer } else { silent };
            let valued = judgement
                .remaining_request(request, runs.visited)
                .map(|open| self.think(position, &open, stop, observer));
            let proofs = judgement.proofs.clone();
            let mut report = judgement.into_report(valued, request.lines);
            runs.write_lines(position, &mut report.lines, &proofs);
            report
        } else {
            match runs.win(position, &request.excluded) {
                Some(line) => Report { lines: vec![line], nodes: 0, elapsed: Duration::ZERO },
                None => {
                    let limits = limits.less(runs.visited);
                    self.think(position, &Request { limits, ..request.clone() }, stop, observer)
                }
            }
        };
        let nodes = report.nodes + runs.visited;
        Report { nodes, elapsed: start.elapsed(), ..report }
    }
}

/// Maximum size of the solver's tables for a move of this time. Large tables take longer to clear than
/// a short move has.
fn most_bytes(soft: Option<Duration>) -> u64 {
    /// More than the solver fills in a millisecond.
    const BYTES_PER_MS: u64 = 64 << 10;
    let bytes = |time: Duration| {
        (time.as_millis() as u64).saturating_mul(BYTES_PER_MS).saturating_add(1 << 20)
    };
    soft.map_or(u64::MAX, bytes)
}

impl Limits {
    /// The limits that remain after this number of nodes.
    fn less(&self, nodes: u64) -> Limits {
        Limits { nodes: self.nodes.map(|most| most.saturating_sub(nodes).max(1)), ..*self }
    }
}

/// Node limit for all lines together if nodes are not limited.
const LINE_NODES: u64 = 200_000;

/// Runs the solver on one position and the positions after its moves, within common limits.
struct SolverRuns<'a> {
    solver: Solver,
    kind: WinKind,
    nodes: Option<u64>,
    until: Option<Instant>,
    stop: &'a dyn Fn() -> bool,
    /// Nodes visited so far.
    visited: u64,
    /// Nodes left for the lines of all wins.
    line_nodes: u64,
    /// Deadline of the last line.
    line_until: Option<Instant>,
}

/// A proved win of one side after a move.
#[derive(Clone)]
struct MoveProof {
    at: Point,
    winner: Color,
    report: SolveReport,
}

/// The solver's results for the moves of a position.
#[derive(Default)]
struct Judgement {
    /// Winning moves, each as a line of one move.
    wins: Vec<Line>,
    /// Moves after which the opponent wins, each as a line of one move.
    losses: Vec<Line>,
    /// The proofs of both.
    proofs: Vec<MoveProof>,
    /// The number of moves that are neither.
    others: usize,
}

impl Judgement {
    fn is_empty(&self) -> bool {
        self.wins.is_empty() && self.losses.is_empty() && self.others == 0
    }

    /// The request for the ordinary search of the undecided moves, after the solver has visited
    /// this number of nodes. `None` if there is no undecided move or no line left for one.
    fn remaining_request(&self, request: &Request, visited: u64) -> Option<Request> {
        let decided = self.wins.iter().chain(&self.losses).flat_map(|line| line.moves.first());
        let lines = self.others.min(request.lines.saturating_sub(self.wins.len()));
        (lines > 0).then(|| Request {
            limits: request.limits.less(visited),
            lines,
            excluded: request.excluded.iter().chain(decided).copied().collect(),
            received: request.received,
            known: request.known.clone(),
        })
    }

    /// At most `most` lines, best first. The ordinary search may have found faster wins than the
    /// solver, and slower losses. Moves that it has not searched come before moves that lose.
    fn into_report(self, valued: Option<Report>, most: usize) -> Report {
        let (others, nodes) = valued.map_or_else(Default::default, |it| (it.lines, it.nodes));
        let mut lines: Vec<Line> = self.wins.into_iter().chain(others).chain(self.losses).collect();
        let kind = |line: &Line| {
            if line.score.is_loss() { 2 } else { u8::from(line.depth == 0) }
        };
        lines.sort_by_key(|line| (kind(line), Reverse(line.score)));
        lines.truncate(most);
        Report { lines, nodes, elapsed: Duration::ZERO }
    }
}

impl SolverRuns<'_> {
    /// A win of the side to move, unless its first move is excluded.
    fn win(&mut self, position: &Position, excluded: &[Point]) -> Option<Line> {
        let side = position.side_to_move();
        let report = self.prove(position, side, 1)?;
        let moves = self.moves(position, side, &report, self.line_nodes);
        let first = moves.first()?;
        let score = Score::win_in(plies(&report)?);
        (!excluded.contains(first)).then(|| line(score, moves))
    }

    /// Judges every legal move.
    fn judge(&mut self, position: &Position, excluded: &[Point]) -> Judgement {
        let side = position.side_to_move();
        let mut judgement = Judgement::default();
        let cells = position.board().empty_points();
        let moves: Vec<Point> =
            cells.filter(|&at| !excluded.contains(&at) && !is_foul(position, at, side)).collect();
        let mut after = position.clone();
        for (index, &at) in moves.iter().enumerate() {
            if position.shape(at, side) == Shape::Five {
                judgement.wins.push(line(Score::win_in(1), vec![at]));
                continue;
            }
            // On a large board even runs of the solver without nodes take a tenth of a second.
            if self.is_over() {
                judgement.others += 1;
                continue;
            }
            let remaining = 2 * (moves.len() - index) as u32;
            after.with_move(at, |after| {
                let own = self.prove(after, side, remaining);
                let (winner, report) = match own {
                    Some(report) => (side, Some(report)),
                    None => (side.opponent(), self.prove(after, side.opponent(), remaining - 1)),
                };
                let Some(report) = report else {
                    judgement.others += 1;
                    return;
                };
                let Some(plies) = plies(&report) else { return };
                if winner == side {
                    judgement.wins.push(line(Score::win_in(plies + 1), vec![at]));
                } else {
                    judgement.losses.push(line(Score::loss_in(plies + 1), vec![at]));
                }
                judgement.proofs.push(MoveProof { at, winner, report });
            });
        }
        judgement
    }

    /// Whether the time is over or the search is stopped.
    fn is_over(&self) -> bool {
        self.until.is_some_and(|end| Instant::now() >= end) || (self.stop)()
    }

    /// Extends each line that consists of only a proved move. The lines share the nodes and the
    /// time.
    fn write_lines(&mut self, position: &Position, lines: &mut [Line], proofs: &[MoveProof]) {
        let proof_of = |line: &Line| match line.moves[..] {
            [only] => proofs.iter().find(|proof| proof.at == only),
            _ => None,
        };
        let mut waiting = lines.iter().filter(|line| proof_of(line).is_some()).count() as u64;
        let mut after = position.clone();
        for line in lines {
            let Some(MoveProof { at, winner, report }) = proof_of(line) else { continue };
            let nodes = self.line_nodes / waiting;
            waiting -= 1;
            let rest = after.with_move(*at, |after| self.moves(after, *winner, report, nodes));
            line.moves.extend(rest);
            line.depth = line.moves.len() as u32;
            line.selective_depth = line.depth;
        }
    }

    /// The line of a proved win, found with at most `nodes` nodes.
    fn moves(
        &mut self,
        position: &Position,
        attacker: Color,
        report: &SolveReport,
        nodes: u64,
    ) -> Vec<Point> {
        let mut limits = SolveLimits::nodes(nodes);
        limits.time = self.line_until.map(time_left);
        let line = self.solver.line(position, attacker, report, &limits, self.stop);
        self.visited += line.nodes;
        self.line_nodes = self.line_nodes.saturating_sub(line.nodes);
        line.moves
    }

    /// The attacker's win, if the solver proves one. `remaining` is the number of solver runs,
    /// including this one, that share the rest of the limits.
    fn prove(
        &mut self,
        position: &Position,
        attacker: Color,
        remaining: u32,
    ) -> Option<SolveReport> {
        let mut limits = SolveLimits::unlimited();
        limits.nodes =
            self.nodes.map(|most| most.saturating_sub(self.visited) / u64::from(remaining));
        limits.time = self.until.map(|end| time_left(end) / remaining);
        let report = self.solver.decide_position(position, attacker, self.kind, &limits, self.stop);
        self.visited += report.nodes;
        matches!(report.verdict, Verdict::Win(_)).then_some(report)
    }
}

fn time_left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now())
}

/// Plies of a proved win, clamped to the range of a score.
fn plies(report: &SolveReport) -> Option<usize> {
    match report.verdict {
        Verdict::Win(plies) => Some(usize::from(plies).min(MAX_PLY - 2)),
        Verdict::None | Verdict::Unknown => None,
    }
}

fn line(score: Score, moves: Vec<Point>) -> Line {
    let depth = moves.len() as u32;
    Line { score, depth, selective_depth: depth, moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::game::Game;
    use tengen_rules::types::Rule;

    fn think(game: &Game, kind: WinKind, lines: usize) -> Report {
        let request = Request::new(Limits::nodes(20_000)).with_lines(lines);
        let mut engine = Engine::default();
        engine.think_by_threats(kind, game.position(), &request, &StopSwitch::new(), &mut Silent)
    }

    /// Black has two crossing open twos; the white stones are far away.
    fn twos() -> Game {
        Game::from_diagram(
            Rule::Freestyle,
            ". . . . . . . . . . . . . . O
             . . . . . . . . . . . . . . .
             . . . . . . . . . . . . . . O
             . . . . . . . . . . . . . . .
             . . . . . . . . . . . . . . .
             . . . . . X . . . . . . . . .
             . . . . . X . . . . . . . . .
             . . . . . . X X . . . . . . .
             . . . . . . . . . . . . . . .
             . . . . . . . . . . . . . . .
             . . . . . . . . . . . . . . .
             . . . . . . . . . . . . . . .
             . . . . . . . . . . . . . . .
             O . . . . . . . . . . . . . .
             O . . . . . . . . . . . . . .",
        )
        .unwrap()
    }

    #[test]
    fn short_moves_have_small_tables() {
        let ms = |ms| most_bytes(Some(Duration::from_millis(ms)));
        assert!(ms(0) > 0 && ms(0) < 2 << 20 && ms(1_000) > ms(10) && ms(10_000) > 256 << 20);
        assert_eq!(most_bytes(None), u64::MAX);
    }

    #[test]
    fn moves_are_not_judged_after_the_deadline() {
        let game = Game::from_diagram(
            Rule::Freestyle,
            ". X X X . . .
             . . . . . . .
             O O . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . .
             . . . . . . O",
        )
        .unwrap();
        let judged = |until: Option<Instant>, is_stopped: bool| {
            let mut runs = SolverRuns {
                solver: Solver::new(1 << 20),
                kind: WinKind::Vcf,
                nodes: Some(100_000),
                until,
                stop: &|| is_stopped,
                visited: 0,
                line_nodes: 0,
                line_until: None,
            };
            let judgement = runs.judge(game.position(), &[]);
            (judgement.proofs.len(), judgement.others)
        };
        let cells = game.position().board().empty_count();
        let (proofs, others) = judged(None, false);
        assert_eq!((proofs > 0, proofs + others), (true, cells));
        assert_eq!(judged(Some(Instant::now()), false), (0, cells));
        assert_eq!(judged(None, true), (0, cells));
    }

    #[test]
    fn a_proved_win_is_the_answer() {
        let game = twos();
        let report = think(&game, WinKind::Vct, 1);
        assert!(report.lines[0].score.is_win(), "{report:?}");
        assert_eq!(report.lines[0].depth as usize, report.lines[0].moves.len());
        // There are no fours yet, so the result is that of the ordinary search.
        let report = think(&game, WinKind::Vcf, 1);
        assert!(report.best().is_some() && report.nodes > 0);
    }

    #[test]
    fn every_move_gets_its_verdict() {
        let mut game = twos();
        game.play(Point::new(5, 7));
        // A double three: white has no fours, so black wins after every reply.
        let report = think(&game, WinKind::Vct, 1000);
        assert_eq!(report.lines.len(), game.board().empty_count());
        let proved = report.lines.iter().filter(|line| line.score.is_loss()).count();
        assert!(proved > 150, "{proved}");
        // One move earlier, with black to move, this move wins and comes first.
        let report = think(&twos(), WinKind::Vct, 1000);
        assert!(report.lines[0].score > report.lines[report.lines.len() - 1].score);
        let winners = report.lines.iter().filter(|line| line.score.is_win());
        assert!(winners.map(|line| line.moves[0]).any(|first| first == Point::new(5, 7)));
    }

    /// The ordinary search gets no more moves than there are lines left.
    #[test]
    fn lines_are_best_first() {
        for (kind, lines) in [(WinKind::Vcf, 3), (WinKind::Vct, 6), (WinKind::Vct, 40)] {
            let report = think(&twos(), kind, lines);
            assert_eq!(report.lines.len(), lines);
            let looked_at = report.lines.iter().filter(|line| line.depth > 0);
            assert!(looked_at.map(|line| line.score).is_sorted_by(|one, next| one >= next));
        }
        let wanted = Request::new(Limits::nodes(9)).with_lines(3);
        let found = |wins| Judgement { wins, others: 100, ..Judgement::default() };
        let win = |x| line(Score::win_in(5), vec![Point::new(x, 0)]);
        let open = |wins| found(wins).remaining_request(&wanted, 0).map(|open| open.lines);
        let lines = [0, 2, 3, 4].map(|wins| open((0..wins).map(win).collect()));
        assert_eq!(lines, [Some(3), Some(1), None, None]);
    }

    #[test]
    fn a_stopped_search_still_has_a_move() {
        let request = Request::new(Limits::unlimited());
        let stop = StopSwitch::new();
        stop.press();
        let report = Engine::default().think_by_threats(
            WinKind::Vct,
            twos().position(),
            &request,
            &stop,
            &mut Silent,
        );
        assert!(report.best().is_some());
    }
}
