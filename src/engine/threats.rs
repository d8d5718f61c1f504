//! A search that asks the solver first: is there a win by fours or by threats, and what does
//! every move leave to the opponent?
//!
//! Only on request: a look of the solver before every search does not gain (lab/0036).

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use super::clock::{Clock, MovesToGo, Plan};
use super::{Engine, Limits, Observer, Report, Request, Silent, StopSwitch, memory_plan};
use crate::search::Line;
use crate::solver::{SolveLimits, Solver, Verdict, WinKind};
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{Color, MAX_PLY, Point, Score};

/// Nodes that the solver may visit where neither time nor nodes are limited.
const WITHOUT_CLOCK: u64 = 1_000_000;

impl Engine {
    /// Thinks as [`Engine::think`] does, but the solver looks for wins of the kind first, with
    /// half of the time and of the nodes. Writing down the lines of those it proves comes on top.
    ///
    /// Where one line is wanted, a proved win is the answer. Where more are wanted, the solver
    /// judges every move: first come those that win, last those after which the opponent has a
    /// win of the kind, and between them the ordinary search values the others. Where nothing is
    /// proved, the answer is that of the ordinary search.
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
        let mut inquiry = Inquiry {
            solver: Solver::with_networks(
                memory_plan::solver_bytes(&self.options),
                self.options.networks.clone(),
            ),
            kind,
            nodes: limits.nodes.map(|nodes| nodes / 2).or(without_clock),
            until: plan.soft.map(|soft| plan.start + soft / 2),
            stop: &over,
            visited: 0,
        };
        // Nothing to judge where every move is a foul or excluded: the ordinary search knows which
        // of them to make all the same.
        let judgement = (request.lines > 1)
            .then(|| inquiry.judge(position, &request.excluded))
            .filter(|judgement| !judgement.is_empty());
        let report = if let Some(judgement) = judgement {
            // What it takes for the best move is not, where a win is known.
            let silent: &mut dyn Observer = &mut Silent;
            let observer = if judgement.wins.is_empty() { observer } else { silent };
            let valued = judgement
                .open_question(request, inquiry.visited)
                .map(|open| self.think(position, &open, stop, observer));
            judgement.joined(valued, request.lines)
        } else {
            match inquiry.win(position, &request.excluded) {
                Some(line) => Report { lines: vec![line], nodes: 0, elapsed: Duration::ZERO },
                None => {
                    let limits = limits.less(inquiry.visited);
                    self.think(position, &Request { limits, ..request.clone() }, stop, observer)
                }
            }
        };
        let nodes = report.nodes + inquiry.visited;
        Report { nodes, elapsed: start.elapsed(), ..report }
    }
}

impl Limits {
    /// The same once so many nodes are visited.
    fn less(&self, nodes: u64) -> Limits {
        Limits { nodes: self.nodes.map(|most| most.saturating_sub(nodes).max(1)), ..*self }
    }
}

/// Questions to the solver about one position, and what it may cost together to decide them. A
/// line is written down up to the hard limit: a win without a first move is no answer.
struct Inquiry<'a> {
    solver: Solver,
    kind: WinKind,
    nodes: Option<u64>,
    until: Option<Instant>,
    stop: &'a dyn Fn() -> bool,
    /// Nodes visited so far.
    visited: u64,
}

/// What the solver says about the moves of a position.
struct Judgement {
    /// Those that win.
    wins: Vec<Line>,
    /// Those after which the opponent wins.
    losses: Vec<Line>,
    /// How many moves are neither.
    others: usize,
}

impl Judgement {
    fn is_empty(&self) -> bool {
        self.wins.is_empty() && self.losses.is_empty() && self.others == 0
    }

    /// What the ordinary search has to say about the other moves, as many as there are lines for
    /// them, once the solver has visited so many nodes; `None` when there are none.
    fn open_question(&self, request: &Request, visited: u64) -> Option<Request> {
        let decided = self.wins.iter().chain(&self.losses).flat_map(|line| line.moves.first());
        let lines = self.others.min(request.lines.saturating_sub(self.wins.len()));
        (lines > 0).then(|| Request {
            limits: request.limits.less(visited),
            lines,
            excluded: request.excluded.iter().chain(decided).copied().collect(),
            received: request.received,
        })
    }

    /// At most so many lines, the best first. The ordinary search may have found quicker wins
    /// than the solver and slower losses; what it never looked at comes before what loses.
    fn joined(self, valued: Option<Report>, most: usize) -> Report {
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

impl Inquiry<'_> {
    /// A win of the side to move that begins with no excluded move.
    fn win(&mut self, position: &Position, excluded: &[Point]) -> Option<Line> {
        let (plies, moves) = self.ask(position, position.side_to_move(), 1)?;
        let first = moves.first()?;
        (!excluded.contains(first)).then(|| line(Score::win_in(plies), moves))
    }

    /// What every legal move leads to.
    fn judge(&mut self, position: &Position, excluded: &[Point]) -> Judgement {
        let side = position.side_to_move();
        let mut judgement = Judgement { wins: Vec::new(), losses: Vec::new(), others: 0 };
        let cells = position.board().empty_points();
        let moves: Vec<Point> =
            cells.filter(|&at| !excluded.contains(&at) && !is_foul(position, at, side)).collect();
        let mut after = position.clone();
        for (index, &at) in moves.iter().enumerate() {
            if position.shape(at, side) == Shape::Five {
                judgement.wins.push(line(Score::win_in(1), vec![at]));
                continue;
            }
            let questions = 2 * (moves.len() - index) as u32;
            let begun_with = |moves: Vec<Point>| std::iter::once(at).chain(moves).collect();
            after.with_move(at, |after| {
                if let Some((plies, moves)) = self.ask(after, side, questions) {
                    judgement.wins.push(line(Score::win_in(plies + 1), begun_with(moves)));
                } else if let Some((plies, moves)) = self.ask(after, side.opponent(), questions - 1)
                {
                    judgement.losses.push(line(Score::loss_in(plies + 1), begun_with(moves)));
                } else {
                    judgement.others += 1;
                }
            });
        }
        judgement
    }

    /// The attacker's win with its plies. `questions` says how many share what is left, this one
    /// included.
    fn ask(
        &mut self,
        position: &Position,
        attacker: Color,
        questions: u32,
    ) -> Option<(usize, Vec<Point>)> {
        let mut limits = SolveLimits::unlimited();
        limits.nodes =
            self.nodes.map(|most| most.saturating_sub(self.visited) / u64::from(questions));
        let time_left = |end: Instant| end.saturating_duration_since(Instant::now());
        limits.time = self.until.map(|end| time_left(end) / questions);
        let report = self.solver.solve_position(position, attacker, self.kind, &limits, self.stop);
        self.visited += report.nodes;
        match report.verdict {
            Verdict::Win(plies) => Some((usize::from(plies).min(MAX_PLY - 2), report.line)),
            Verdict::None | Verdict::Unknown => None,
        }
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

    /// Black has two open twos that cross, white stones stand far away.
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
    fn a_proved_win_is_the_answer() {
        let game = twos();
        let report = think(&game, WinKind::Vct, 1);
        assert!(report.lines[0].score.is_win(), "{report:?}");
        assert_eq!(report.lines[0].depth as usize, report.lines[0].moves.len());
        // There are no fours yet, so that the ordinary search answers.
        let report = think(&game, WinKind::Vcf, 1);
        assert!(report.best().is_some() && report.nodes > 0);
    }

    #[test]
    fn every_move_gets_its_verdict() {
        let mut game = twos();
        game.play(Point::new(5, 7));
        // A double three: white has no fours, so that whatever it does, black has a win.
        let report = think(&game, WinKind::Vct, 1000);
        assert_eq!(report.lines.len(), game.board().empty_count());
        let proved = report.lines.iter().filter(|line| line.score.is_loss()).count();
        assert!(proved > 150, "{proved}");
        // For black itself, before it, that move wins, and it is told first.
        let report = think(&twos(), WinKind::Vct, 1000);
        assert!(report.lines[0].score > report.lines[report.lines.len() - 1].score);
        let winners = report.lines.iter().filter(|line| line.score.is_win());
        assert!(winners.map(|line| line.moves[0]).any(|first| first == Point::new(5, 7)));
    }

    /// No more of them are searched than there are lines for.
    #[test]
    fn lines_are_best_first() {
        for (kind, lines) in [(WinKind::Vcf, 3), (WinKind::Vct, 6), (WinKind::Vct, 40)] {
            let report = think(&twos(), kind, lines);
            assert_eq!(report.lines.len(), lines);
            let looked_at = report.lines.iter().filter(|line| line.depth > 0);
            assert!(looked_at.map(|line| line.score).is_sorted_by(|one, next| one >= next));
        }
        let wanted = Request::new(Limits::nodes(9)).with_lines(3);
        let found = |wins| Judgement { wins, losses: Vec::new(), others: 100 };
        let win = |x| line(Score::win_in(5), vec![Point::new(x, 0)]);
        let open = |wins| found(wins).open_question(&wanted, 0).map(|open| open.lines);
        let asked = [0, 2, 3, 4].map(|wins| open((0..wins).map(win).collect()));
        assert_eq!(asked, [Some(3), Some(1), None, None]);
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
