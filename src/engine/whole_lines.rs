//! Extends the lines of forced results up to the five, after a search.
//!
//! In the search a line ends as soon as shapes, fours or the table prove the result. The solver
//! adds the rest outside the search, so the search tree and the bench signature do not depend on
//! whether lines are shown.

use std::cmp::Reverse;
use std::time::Duration;

use super::clock::{MovesToGo, Plan};
use super::{Engine, Limits, Options, Report, Request, Silent, StopSwitch, memory_plan};
use crate::moment::Instant;
use crate::search::Line;
use crate::solver::{ShortestLine, SolveLimits, Solver};
use tengen_rules::board::makes_five;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{Color, Point, Score};

/// Lower and upper bound of the node limit for the lines of one report.
const NODES: (u64, u64) = (200_000, 400_000);
/// Within these bounds: solver nodes per node of the search.
const NODES_FOR_ONE: u64 = 4;
/// Maximum size of the solver in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// Size in bytes of the table of the additional searches.
const SEARCH_BYTES: u64 = 1 << 20;
/// Maximum number of additional searches for one line.
const MAX_SEARCHES: usize = 6;
/// The lines of a move may take its remaining time divided by this number.
const TIME_SHARE: u32 = 4;
/// Maximum time for the lines in a game. An analysis may exceed its time limit by as much.
const MAX_TIME: Duration = Duration::from_millis(300);

impl Engine {
    /// Completes the lines of forced results in a report of [`Engine::think`] for this request:
    /// each line gets as many moves as its score announces and ends with the five. If the solver
    /// proves that fewer moves suffice, the score is changed and the lines are sorted again. Lines
    /// with other scores do not change, nor does a line that the solver cannot complete within its
    /// limits: a small number of nodes, and a share of the remaining time.
    ///
    /// For callers that show lines. It changes neither the table nor later searches.
    pub fn complete_lines(
        &self,
        position: &Position,
        report: &mut Report,
        request: &Request,
        stop: &StopSwitch,
    ) {
        let mut open =
            report.lines.iter().filter(|line| !is_complete(position, line)).count() as u64;
        if open == 0 {
            return;
        }
        let start = Instant::now();
        let until = self.line_deadline(position, request, report.elapsed);
        // The tables of the solver alone take longer to clear than a short move has.
        if until.is_some_and(|end| end <= start) {
            return;
        }
        let limits = &request.limits;
        let mut nodes = limits
            .nodes
            .map_or(NODES.1, |most| most.saturating_mul(NODES_FOR_ONE).clamp(NODES.0, NODES.1));
        let bytes =
            memory_plan::solver_bytes(&self.options, position.board().size().area()).min(MAX_BYTES);
        let mut writer = Writer {
            position,
            solver: Solver::with_networks(bytes, self.options.networks.clone()),
            engine: None,
            options: Options {
                threads: 1,
                hash: Some(SEARCH_BYTES),
                networks: self.options.networks.clone(),
                ..Options::default()
            },
            until,
            stop,
        };
        let mut is_sorted = true;
        for line in report.lines.iter_mut().filter(|line| !is_complete(position, line)) {
            let share = nodes / open;
            (nodes, open) = (nodes - share, open - 1);
            let before = line.score;
            writer.complete(line, share);
            is_sorted &= line.score == before;
        }
        if !is_sorted {
            report.lines.sort_by_key(|line| (line.depth == 0, Reverse(line.score)));
        }
        report.elapsed += start.elapsed();
    }

    /// The deadline for completing lines; `None` if the request has no time limit.
    fn line_deadline(
        &self,
        position: &Position,
        request: &Request,
        elapsed: Duration,
    ) -> Option<Instant> {
        let now = Instant::now();
        let plan = Plan::new(&request.limits, now, MovesToGo::on(position.board()), 1);
        let left = plan.hard?.saturating_sub(elapsed);
        Some(
            now + if request.limits.analysis {
                left.max(MAX_TIME)
            } else {
                (left / TIME_SHARE).min(MAX_TIME)
            },
        )
    }
}

/// Whether the line announces no forced result, or has all announced moves.
fn is_complete(position: &Position, line: &Line) -> bool {
    let Some(plies) = line.score.forced_plies() else { return true };
    if line.moves.is_empty() || line.depth == 0 {
        return true;
    }
    let played = Played::of(position, &line.moves, winner(position, line.score));
    played.is_won && played.count == plies && line.moves.len() == plies
}

fn winner(position: &Position, score: Score) -> Color {
    let side = position.side_to_move();
    if score.is_win() { side } else { side.opponent() }
}

/// A position after the legal moves at the beginning of a line.
struct Played {
    after: Position,
    count: usize,
    /// Whether the last move is the winner's five.
    is_won: bool,
}

impl Played {
    fn of(position: &Position, moves: &[Point], winner: Color) -> Played {
        let mut after = position.clone();
        let mut count = 0;
        let mut is_won = false;
        for &point in moves {
            let side = after.side_to_move();
            if is_won || !after.is_empty(point) || is_foul(&after, point, side) {
                break;
            }
            after.play(point);
            count += 1;
            let is_five = makes_five(after.board(), point, side);
            is_won = is_five && side == winner;
            if is_five {
                break;
            }
        }
        Played { after, count, is_won }
    }
}

/// Completes the lines of one position.
struct Writer<'a> {
    position: &'a Position,
    solver: Solver,
    /// For additional searches, created on first use.
    engine: Option<Engine>,
    options: Options,
    until: Option<Instant>,
    stop: &'a StopSwitch,
}

impl Writer<'_> {
    /// Completes a line with at most `nodes` nodes.
    fn complete(&mut self, line: &mut Line, nodes: u64) {
        let Some(announced) = line.score.forced_plies() else { return };
        let winner = winner(self.position, line.score);
        let played = Played::of(self.position, &line.moves, winner);
        let mut shorter = None;
        let left = announced.saturating_sub(played.count);
        if played.is_won {
            shorter = Some(line.moves.clone());
        } else if let Some(rest) = self.rest(&played.after, winner, left, nodes / 4) {
            let moves = [&line.moves[..played.count], &rest[..]].concat();
            if moves.len() == announced {
                return line.write(moves);
            }
            shorter = Some(moves);
        }
        // The line has too little resistance, or ends in a position where the solver finds no win.
        // Try again after its first move.
        let first = line.moves[0];
        let played = Played::of(self.position, &[first], winner);
        let rest = announced.saturating_sub(1);
        if played.count == 1
            && !played.is_won
            && let Some(found) = self.shortest(&played.after, winner, rest, nodes / 2)
        {
            let plies = usize::from(found.plies);
            let is_exact = plies == found.line.moves.len();
            if is_exact || shorter.is_none() {
                let moves = std::iter::once(first).chain(found.line.moves).collect();
                if is_exact && plies < rest {
                    let plies = plies + 1;
                    let is_win = line.score.is_win();
                    line.score = if is_win { Score::win_in(plies) } else { Score::loss_in(plies) };
                }
                return line.write(moves);
            }
        }
        if let Some(moves) = shorter {
            let better = self.with_resistance(&moves, winner, announced, nodes / 4);
            line.write(better.unwrap_or(moves));
        }
    }

    /// Replaces the end of a complete line that is shorter than announced by one with better
    /// resistance, so that the line has as many moves as announced.
    fn with_resistance(
        &mut self,
        moves: &[Point],
        winner: Color,
        announced: usize,
        nodes: u64,
    ) -> Option<Vec<Point>> {
        // Positions with the loser to move, last first.
        let winner_begins = self.position.side_to_move() == winner;
        let kept = (1..moves.len()).rev().filter(|kept| (kept % 2 == 1) == winner_begins);
        for kept in kept.skip(1) {
            let played = Played::of(self.position, &moves[..kept], winner);
            let left = announced.checked_sub(kept)?;
            // If the solver finds no proof here, it finds none in an earlier position either.
            let found = self.shortest(&played.after, winner, left, nodes)?;
            if kept + found.line.moves.len() == announced {
                return Some([&moves[..kept], &found.line.moves[..]].concat());
            }
        }
        None
    }

    /// The moves of a win within `plies` plies, from the solver. If the solver finds no win, a new
    /// search plays the first moves, and the solver continues from there.
    fn rest(
        &mut self,
        position: &Position,
        winner: Color,
        plies: usize,
        nodes: u64,
    ) -> Option<Vec<Point>> {
        let mut moves = Vec::new();
        let mut position = position.clone();
        for _ in 0..MAX_SEARCHES {
            let left = plies.checked_sub(moves.len())?;
            if let Some(found) = self.shortest(&position, winner, left, nodes) {
                moves.extend(found.line.moves);
                return Some(moves);
            }
            let played = self.searched(&position, winner, left, 2 * nodes)?;
            let start = position.board().history().len();
            moves.extend(played.after.board().history()[start..].iter().map(|it| it.point));
            if played.is_won {
                return Some(moves);
            }
            position = played.after;
        }
        None
    }

    /// The line of a new search, if it also finds the win.
    fn searched(
        &mut self,
        position: &Position,
        winner: Color,
        plies: usize,
        nodes: u64,
    ) -> Option<Played> {
        if self.until.is_some_and(|end| Instant::now() >= end) || self.stop.is_pressed() {
            return None;
        }
        let options = &self.options;
        let engine = self.engine.get_or_insert_with(|| Engine::new(options.clone()));
        let request = Request::new(Limits::nodes(nodes));
        let report = engine.think(position, &request, self.stop, &mut Silent);
        let line = report.lines.into_iter().next()?;
        let is_theirs = self::winner(position, line.score) == winner;
        let is_news = is_theirs && line.score.forced_plies()? <= plies;
        let played = Played::of(position, &line.moves, winner);
        (is_news && played.count > 0).then_some(played)
    }

    /// A win within `plies` plies, with its complete line.
    fn shortest(
        &mut self,
        position: &Position,
        winner: Color,
        plies: usize,
        nodes: u64,
    ) -> Option<ShortestLine> {
        let is_attacker = position.side_to_move() == winner;
        let stones = u16::try_from((plies + usize::from(is_attacker)) / 2).ok()?;
        let mut limits = SolveLimits::nodes(nodes);
        limits.time = self.until.map(|end| end.saturating_duration_since(Instant::now()));
        let stop = || self.stop.is_pressed();
        let found = self.solver.shortest_line(position, winner, stones, &limits, &stop)?;
        (!found.line.is_cut).then_some(found)
    }
}

impl Line {
    /// Replaces the moves.
    fn write(&mut self, moves: Vec<Point>) {
        self.selective_depth = self.selective_depth.max(moves.len() as u32);
        self.moves = moves;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::game::Game;
    use tengen_rules::types::Rule;
    use tengen_testkit::effort::{is_reduced, sample};
    use tengen_testkit::game;
    use tengen_testkit::problems::puzzles;

    fn completed(game: &Game, request: &Request, engine: &mut Engine) -> (Report, Report) {
        let stop = StopSwitch::new();
        let searched = engine.think(game.position(), request, &stop, &mut Silent);
        let mut report = searched.clone();
        engine.complete_lines(game.position(), &mut report, request, &stop);
        (searched, report)
    }

    /// Plays each announced line and checks its length and its end. Returns the number of such
    /// lines.
    fn check(game: &Game, report: &Report) -> usize {
        let mut announced = 0;
        for line in &report.lines {
            let Some(plies) = line.score.forced_plies() else { continue };
            let winner = winner(game.position(), line.score);
            let mut game = game.clone();
            let mut ending = None;
            for &point in &line.moves {
                assert_eq!(ending, None, "{line:?}");
                ending = game.try_play(point).expect("a legal move");
            }
            assert_eq!(ending.and_then(|it| it.winner()), Some(winner), "{line:?}");
            assert_eq!(line.moves.len(), plies, "{line:?}");
            announced += 1;
        }
        announced
    }

    /// Wins in 1 to about 20 plies.
    const WON: [(Rule, &str); 5] = [
        (Rule::Freestyle, "h8 a1 i8 c1 j8 e1 k8 g1"),
        (Rule::Renju, "h8 a1 i8 c1 j8 e1"),
        (Rule::Standard, "h8 a1 i8 c1 h9 e1 i9 g1"),
        (Rule::Freestyle, "h8 a1 i8 a3 h9 a5 j10 o15"),
        (Rule::Renju, "h8 a1 i8 a3 h9 a5 j10 o15"),
    ];

    #[test]
    fn announced_wins_have_their_whole_line() {
        for (rule, moves) in sample(WON) {
            for lines in [1, 2] {
                let game = game(rule, moves);
                let request = Request::new(Limits::nodes(20_000)).with_lines(lines);
                let mut engine = Engine::default();
                let (searched, report) = completed(&game, &request, &mut engine);
                assert!(check(&game, &report) > 0, "{moves}: {searched:?}");
                assert_eq!(report.best(), searched.best());
                // In a second search the table proves the result immediately, without a line.
                let (searched, report) = completed(&game, &request, &mut engine);
                assert!(check(&game, &report) > 0, "{moves}: {searched:?}");
            }
        }
    }

    #[test]
    fn announced_losses_have_their_whole_line() {
        for (rule, moves) in sample(WON) {
            let mut game = game(rule, moves);
            let request = Request::new(Limits::nodes(20_000));
            let first = completed(&game, &request, &mut Engine::default()).1.best().unwrap();
            if game.play(first).is_some() {
                continue;
            }
            let (_, report) = completed(&game, &request, &mut Engine::default());
            assert!(report.lines[0].score.is_loss(), "{moves}: {report:?}");
            assert_eq!(check(&game, &report), 1);
        }
    }

    /// A search that announces the win of a puzzle shows it to the end, also when the same position
    /// is searched again.
    #[test]
    fn announced_wins_of_puzzles_have_their_whole_line() {
        let mut announced = 0;
        let mut open = Vec::new();
        for rule in Rule::ALL.into_iter().filter(|&rule| rule != Rule::Caro) {
            for puzzle in sample(puzzles(rule).into_iter().step_by(4)) {
                let game = Game::from_board(puzzle.position.board());
                let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
                for lines in [1, 1, 3] {
                    let request = Request::new(Limits::nodes(10_000)).with_lines(lines);
                    let (searched, report) = completed(&game, &request, &mut engine);
                    for (line, before) in report.lines.iter().zip(&searched.lines) {
                        announced += usize::from(line.score.is_forced());
                        if !is_complete(game.position(), line) {
                            open.push(format!("{line:?} from {before:?}"));
                        }
                    }
                }
            }
        }
        assert!((is_reduced() || announced > 60) && open.is_empty(), "{announced}: {open:#?}");
    }

    #[test]
    fn other_lines_and_limits_are_kept() {
        let game = game(Rule::Freestyle, "h8 i9 h9");
        let request = Request::new(Limits::nodes(2_000)).with_lines(2);
        let (searched, report) = completed(&game, &request, &mut Engine::default());
        assert_eq!(searched.lines, report.lines);
    }
}
