//! Answers with a move: from the book, the database, a search or a level.

use std::time::Duration;

use super::{Exchange, Outcome, Player, Prediction, catch_panic};
use crate::book::BookMove;
use crate::database::{Advice, advise};
use crate::engine::{Limits, Request, Silent, StopSwitch, WinKind};
use crate::memory;
use crate::moment::Instant;
use crate::players::{Person, Player as _, Skill};
use crate::protocol::analysis::SearchOutput;
use crate::protocol::interrupts::Arrival;
use crate::protocol::reply::{Reply, SessionError};
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::Point;

/// Maximum number of positions to look up in the database before a search, about a second.
const MAX_LOOKUPS: usize = 100_000;

/// Node limit of the search that replaces a crashed one.
const FALLBACK_NODES: u64 = 10_000;

impl Player {
    /// Searches the game's position, plays the answer and returns it. `lines` is the number of best
    /// moves to print.
    pub(in crate::protocol) fn answer(
        &mut self,
        lines: usize,
        exchange: &mut Exchange<'_>,
    ) -> Outcome {
        let position = Position::from_board(&self.board()?);
        memory::announce(any_move(&position, &[]));
        self.find_network();
        self.networks.take_notices().into_iter().for_each(|notice| exchange.message(notice));
        if let Some(notice) = self.settings.take_rule_notice(self.yixin) {
            exchange.message(notice);
        }
        let received = self.received(exchange.arrival);
        let excluded = self.exclusions.after(self.game()?.stones());
        let limits = self.settings.limits();
        let known = Vec::new();
        let mut request = Request { limits, lines, excluded, received: Some(received), known };
        let goal = self.settings.take_goal();
        if let Some(skill) = self.settings.level().skill {
            return self.answer_below_strength(
                skill,
                &position,
                &request,
                exchange.arrival,
                received,
            );
        }
        if let Some(notice) = self.books.find(self.engine.memory_limit()) {
            exchange.message(notice);
            self.set_options();
        }
        if goal.is_none()
            && let Some(chosen) = self.book_move(position.board(), &request)
        {
            let proved = if chosen.is_proved() { " (proved to win)" } else { "" };
            exchange.message(format_args!("book move {}{proved}", chosen.point));
            return self.play_answer(Some(chosen.point), received);
        }
        if let Some(advice) = self.advice(position.board(), &request, exchange) {
            let is_excluded = |point| request.excluded.contains(&point);
            if let Some(win) = advice.win.filter(|&point| lines == 1 && !is_excluded(point)) {
                exchange.message(format_args!("proved win in the database: {win}"));
                return self.play_answer(Some(win), received);
            }
            let is_left = |point: &Point| {
                !is_excluded(*point)
                    && !advice.excluded.contains(point)
                    && !is_foul(&position, *point, position.side_to_move())
            };
            // A request for several best moves also needs the values of losing moves. With no move
            // left, the search would ignore the manager's exclusions, too.
            if lines == 1 && position.board().empty_points().any(|point| is_left(&point)) {
                request.excluded.extend(advice.excluded);
            }
            request.known = advice.known;
        }
        let best = self.best_play(goal, &position, &request, exchange);
        let answer = self.play_answer(best.first().copied(), received)?;
        self.prediction = Some(Prediction { reply: best.get(1).copied() });
        Ok(answer)
    }

    /// One of the moves of the book. Requests for several moves, and for a number of nodes or plies,
    /// are not answered from the book, so that their results are the same everywhere.
    fn book_move(&self, board: &Board, request: &Request) -> Option<BookMove> {
        let Request { limits, lines, excluded, .. } = request;
        if *lines > 1 || limits.nodes.is_some() || limits.depth.is_some() {
            return None;
        }
        let mut moves = self.books.moves(board);
        moves.retain(|it| !excluded.contains(&it.point));
        let chosen = rand::random_range(0..moves.len().max(1));
        moves.get(chosen).copied()
    }

    /// The advice of the database for a search; `None` without a database, or if it has no time.
    fn advice(
        &self,
        board: &Board,
        request: &Request,
        exchange: &mut Exchange<'_>,
    ) -> Option<Advice> {
        let database = self.database.get()?;
        let time = [request.limits.turn, request.limits.left].into_iter().flatten().min();
        let lookups = match time {
            Some(Duration::ZERO) => return None,
            // A look-up takes about ten microseconds: a twentieth of the time at most.
            Some(time) => (time.as_millis() as usize).saturating_mul(5),
            None => usize::MAX,
        };
        match advise(database, board, lookups.min(MAX_LOOKUPS)) {
            Ok(advice) => Some(advice),
            Err(error) => {
                exchange.message(error);
                None
            }
        }
    }

    /// The best play found, even if the search crashes; empty when the board is full.
    fn best_play(
        &mut self,
        goal: Option<WinKind>,
        position: &Position,
        request: &Request,
        exchange: &mut Exchange<'_>,
    ) -> Vec<Point> {
        let mut output = SearchOutput::new(exchange.out, self.settings.detail(), request);
        output.begin();
        let running = self.interrupts.think(exchange.arrival.number);
        let (engine, stop) = (&mut self.engine, running.switch());
        let report = catch_panic(|| {
            let mut report = match goal {
                Some(kind) => engine.think_by_threats(kind, position, request, stop, &mut output),
                None => engine.think(position, request, stop, &mut output),
            };
            engine.complete_lines(position, &mut report, request, stop);
            report
        });
        drop(running);
        match report {
            Some(report) => {
                output.finish(&report);
                report.lines.into_iter().next().map(|line| line.moves).unwrap_or_default()
            }
            None => match output.best_play() {
                found if !found.is_empty() => found.to_vec(),
                _ => self.fallback_play(position, &request.excluded),
            },
        }
    }

    /// As [`Player::answer`], below full strength and without search output.
    fn answer_below_strength(
        &mut self,
        skill: Skill,
        position: &Position,
        request: &Request,
        arrival: Arrival,
        received: Instant,
    ) -> Outcome {
        let networks = self.networks.networks().clone();
        let person = self
            .person
            .get_or_insert_with(|| Person::with_networks(skill, rand::random(), networks));
        let running = self.interrupts.think(arrival.number);
        let chosen = catch_panic(|| person.choose(position, request, running.switch()));
        drop(running);
        let chosen = chosen.unwrap_or_else(|| {
            self.person = None;
            self.fallback_play(position, &request.excluded).first().copied()
        });
        self.play_answer(chosen, received)
    }

    /// Plays the answer to a request whose time started at `since`.
    fn play_answer(&mut self, point: Option<Point>, since: Instant) -> Outcome {
        let point = point.ok_or(SessionError::FullBoard)?;
        self.game_mut()?.play(point);
        self.finish_answer(since);
        // The reply is still to be printed.
        memory::announce(Some(point));
        Ok(Some(Reply::Move(point)))
    }

    /// The play found by a search of few nodes, or any legal move, for a search that crashed before
    /// it found a move. Empty when the board is full.
    fn fallback_play(&mut self, position: &Position, excluded: &[Point]) -> Vec<Point> {
        let limits = Limits::nodes(FALLBACK_NODES);
        let request = Request::new(limits).excluding(excluded.to_vec());
        let report =
            catch_panic(|| self.engine.think(position, &request, &StopSwitch::new(), &mut Silent));
        let found = report.and_then(|report| report.lines.into_iter().next());
        match found {
            Some(line) => line.moves,
            None => any_move(position, excluded).into_iter().collect(),
        }
    }
}

/// The empty cell nearest to the centre that is not a foul, or any empty cell if all are fouls.
/// Excluded cells come last.
fn any_move(position: &Position, excluded: &[Point]) -> Option<Point> {
    let board = position.board();
    let (side, center) = (board.side_to_move(), board.size().center());
    let mut cells: Vec<Point> = board.empty_points().collect();
    cells.sort_by_key(|cell| (excluded.contains(cell), cell.distance(center)));
    let legal = cells.iter().find(|&&cell| !is_foul(position, cell, side));
    legal.or(cells.first()).copied()
}
