//! Iterative deepening over the moves of the root.

use std::cmp::Reverse;

use super::RootTask;
use super::moves::{RootMove, root_moves};
use crate::search::params as p;
use crate::search::pruning::LmrInput;
use crate::search::pvs::{MoveSearch, NodeInfo, Window};
use crate::search::worker::{Refuted, Resources, Worker};
use crate::search::{Iteration, Line, Observer, Progress, Stopped};
use tengen_rules::pattern::Shape;
use tengen_rules::threat::{is_foul, makes_four};
use tengen_rules::types::{Point, Score};

/// One search from one position.
pub(super) struct RootSearch<'a> {
    worker: &'a mut Worker,
    resources: Resources<'a>,
    observer: &'a mut dyn Observer,
    moves: Vec<RootMove>,
    depth: u32,
}

impl<'a> RootSearch<'a> {
    /// Prepares a search.
    pub(super) fn new(
        worker: &'a mut Worker,
        resources: Resources<'a>,
        observer: &'a mut dyn Observer,
        task: &RootTask,
    ) -> RootSearch<'a> {
        let moves = root_moves(&worker.position, &mut worker.evaluator, task);
        RootSearch { worker, resources, observer, moves, depth: 0 }
    }

    /// Searches one ply deeper per iteration until the budget ends. Returns the lines, best first.
    pub(super) fn deepen(mut self, task: &RootTask) -> Vec<Line> {
        let wanted = task.lines.min(self.moves.len());
        // In case not even the first iteration finishes.
        let mut lines: Vec<Line> =
            self.moves[..wanted].iter().map(|first| unsearched(vec![first.point])).collect();
        let mut stable = 0;
        // With one empty cell there is only one ply.
        let last_depth = match self.worker.position.board().empty_count() {
            0 => return lines,
            1 => 1,
            _ => task.last_depth,
        };
        for depth in task.first_depth..=last_depth {
            self.depth = depth;
            let before = self.worker.nodes;
            let last_best = lines.first().map(|line| (line.moves[0], line.score));
            for root_move in &mut self.moves {
                (root_move.nodes, root_move.bound) = (0, None);
            }
            let mut news = Vec::with_capacity(wanted);
            for (rank, known) in lines.iter().enumerate() {
                let finished = self.aspiration_search(rank, known.score);
                self.record_refuted();
                if let Some(line) = self.line(rank, finished.is_ok())
                    && (finished.is_ok() || rank == 0)
                {
                    let line = if finished.is_ok() { line } else { with_longer_play(line, &lines) };
                    let fallback = finished.err().and_then(|_| self.fallback(&line, wanted));
                    news.push(fallback.unwrap_or_else(|| {
                        self.announce(rank, &line);
                        line
                    }));
                }
                if finished.is_err() {
                    return fill_up(news, lines);
                }
            }
            lines = news;
            // Each line was the best of the remaining ones, but the scores of two searches may not
            // be in order.
            sort(&mut lines);
            self.moves[..wanted].sort_by_key(|root_move| Reverse(root_move.score));
            let best = &self.moves[0];
            let (same, drop) = last_best.map_or((false, 0), |(point, score)| {
                (point == best.point, score.value() - best.score.value())
            });
            stable = if same { stable + 1 } else { 1 };
            let spent = (self.worker.nodes - before).max(1);
            let iteration = Iteration {
                stable,
                drop,
                effort: (best.nodes * 100 / spent) as u32,
                forced: self.moves[..wanted].iter().all(|it| it.score.is_forced()),
                only_move: self.moves.len() == 1,
            };
            if !self.resources.budget.should_continue(iteration) {
                break;
            }
        }
        lines
    }

    /// Records the moves that lose, for comparison with the results of other threads.
    fn record_refuted(&mut self) {
        let depth = self.depth;
        for lost in self.moves.iter().filter(|it| it.bound.is_some_and(Score::is_loss)) {
            let known = &mut self.worker.refuted;
            match known.iter_mut().find(|it| it.point == lost.point) {
                Some(known) => known.depth = depth,
                None => known.push(Refuted { point: lost.point, depth }),
            }
        }
    }

    /// The move to play when a stopped iteration refuted the best move and found no better one
    /// (lab/0018): the move with the best bound that does not lose, else one that was not searched.
    fn fallback(&self, line: &Line, wanted: usize) -> Option<Line> {
        if wanted != 1 || !line.score.is_loss() {
            return None;
        }
        let bound = |it: &&RootMove| it.bound.filter(|bound| !bound.is_loss()).map(Reverse);
        let seen = self.moves.iter().filter(|it| bound(it).is_some()).min_by_key(bound);
        let other = seen.or_else(|| self.moves.iter().find(|it| it.bound.is_none()))?;
        let score = other.bound.unwrap_or(Score::DRAW);
        Some(Line { score, ..unsearched(vec![other.point]) })
    }

    /// Searches the moves from `rank` on in a window around `expected`, which is widened until the
    /// score lies inside. Leaves the best move at `rank`.
    fn aspiration_search(&mut self, rank: usize, expected: Score) -> Result<(), Stopped> {
        self.moves[rank].score = Score::MIN;
        let mut width = p::aspiration_window();
        let narrow = self.depth >= p::aspiration_depth() as u32 && !expected.is_forced();
        let mut window = if narrow {
            Window { alpha: expected.plus(-width), beta: expected.plus(width) }
        } else {
            Window::FULL
        };
        loop {
            let Window { alpha, beta } = window;
            let score = self.search_moves(rank, window)?;
            if score <= alpha && alpha > Score::MIN {
                window.beta = Score::raw((alpha.value() + beta.value()) / 2);
                window.alpha = score.plus(-width);
            } else if score >= beta && beta < Score::MAX {
                window.beta = score.plus(width);
            } else {
                return Ok(());
            }
            width *= 2;
            // Double the width each time; open the window completely past a limit or for a forced
            // result.
            if width > p::aspiration_widest() || score.is_forced() {
                window = Window::FULL;
            }
        }
    }

    /// One pass over the moves from `rank` on; leaves them sorted by score.
    ///
    /// The first move keeps the score and line of the previous pass until it has new ones, so that
    /// a stop in between does not restore a move that the previous pass found to be worse.
    fn search_moves(&mut self, rank: usize, window: Window) -> Result<Score, Stopped> {
        for root_move in &mut self.moves[rank + 1..] {
            root_move.score = Score::MIN;
        }
        let mut best = Score::MIN;
        for index in rank..self.moves.len() {
            let point = self.moves[index].point;
            self.observer.root_move(point);
            let nodes = self.worker.nodes;
            self.worker.selective_depth = 0;
            let alpha = best.max(window.alpha);
            let score = self.search_move(point, index - rank, Window { alpha, ..window });
            let root_move = &mut self.moves[index];
            root_move.nodes += self.worker.nodes - nodes;
            let score = score?;
            root_move.bound = Some(score);
            self.observer.root_move_done(point, score.is_loss());
            if index == rank || score > alpha {
                root_move.score = score;
                root_move.selective_depth = self.worker.selective_depth;
                let below = &self.worker.frames[1].pv;
                // A score above the window comes without a line; the old line of the move is the
                // best guess until the next pass.
                let is_guess = below.is_empty() && score >= window.beta && !score.is_forced();
                if !is_guess {
                    root_move.pv.clear();
                    root_move.pv.push(point);
                    root_move.pv.extend_from_slice(below);
                }
                // Move the new best to the front; the others keep their order.
                self.moves[rank..=index].rotate_right(1);
                // Only the first line determines the best move.
                if rank == 0 && score > best {
                    self.observer.best_move(point);
                }
            }
            best = best.max(score);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// The score of a root move after `move_count` other moves.
    fn search_move(
        &mut self,
        point: Point,
        move_count: usize,
        window: Window,
    ) -> Result<Score, Stopped> {
        let side = self.worker.position.side_to_move();
        self.worker.frames[1].pv.clear();
        if self.worker.position.shape(point, side) == Shape::Five {
            return Ok(Score::win_in(1));
        }
        // A foul is a root move only if there is no other move.
        if is_foul(&self.worker.position, point, side) {
            return Ok(Score::loss_in(2));
        }
        let depth = self.depth as i32 - 1;
        let reduction = (move_count > 0).then(|| self.reduction(point, move_count).min(depth));
        let frame = &mut self.worker.frames[0];
        frame.evaluation = None;
        frame.makes_three = self.worker.position.shape(point, side) >= Shape::OpenThree;
        let root = NodeInfo { depth: self.depth as i32, ply: 0, cut_node: false };
        let search = MoveSearch { point, depth, reduction };
        self.worker.search_move::<true>(self.resources, window, root, search)
    }

    /// Reduction of a late root move (plies).
    fn reduction(&self, point: Point, move_count: usize) -> i32 {
        let position = &self.worker.position;
        let side = position.side_to_move();
        let depth = self.depth as i32;
        if depth < self.worker.pruning.lmr_depth || makes_four(position, point, side) {
            return 0;
        }
        self.worker.pruning.lmr(&LmrInput {
            depth,
            move_count,
            pv: true,
            improving: true,
            history: self.worker.histories.main(side, point),
            ..LmrInput::default()
        })
    }

    /// The line of this rank; `None` if an unfinished iteration has not searched any of its moves.
    fn line(&self, rank: usize, finished: bool) -> Option<Line> {
        let root_move = &self.moves[rank];
        (finished || root_move.score > Score::MIN).then(|| Line {
            score: root_move.score,
            depth: self.depth,
            selective_depth: root_move.selective_depth as u32,
            moves: root_move.pv.clone(),
        })
    }

    fn announce(&mut self, rank: usize, line: &Line) {
        self.observer.iteration(&Progress { rank, line, nodes: self.worker.nodes });
    }
}

/// The line of a stopped iteration, with the play of the last complete iteration for the same move
/// if that is longer: a stopped pass may have only a bound and one reply. A forced result keeps its
/// own play unless the score of the complete iteration is the same.
fn with_longer_play(mut line: Line, before: &[Line]) -> Line {
    let known = before.iter().find(|known| known.moves[0] == line.moves[0]);
    if let Some(known) = known
        && known.moves.len() > line.moves.len()
        && (!line.score.is_forced() || line.score == known.score)
    {
        line.moves.clone_from(&known.moves);
    }
    line
}

/// Fills the lines of a stopped iteration up to the previous number, with the previous lines of
/// other moves.
fn fill_up(mut news: Vec<Line>, before: Vec<Line>) -> Vec<Line> {
    let wanted = before.len();
    for line in before {
        if news.len() < wanted && news.iter().all(|known| known.moves[0] != line.moves[0]) {
            news.push(line);
        }
    }
    sort(&mut news);
    news
}

/// Sorts by score, best first; unsearched lines come last.
fn sort(lines: &mut [Line]) {
    lines.sort_by_key(|line| (line.depth == 0, Reverse(line.score)));
}

/// A line that has not been searched.
fn unsearched(moves: Vec<Point>) -> Line {
    Line { score: Score::DRAW, depth: 0, selective_depth: 0, moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};
    use crate::search::{TranspositionTable, Unlimited};
    use tengen_rules::board::Board;
    use tengen_rules::game::Game;
    use tengen_rules::position::Position;
    use tengen_rules::types::{BoardSize, Color, Rule};
    use tengen_testkit::effort::sample;

    #[test]
    fn last_empty_cell_has_its_score() {
        let think = |diagram: &str| {
            let game = Game::from_diagram(Rule::Freestyle, diagram).unwrap();
            let request = Request::new(Limits::nodes(100)).with_lines(2);
            let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
            engine.think(game.position(), &request, &StopSwitch::new(), &mut Silent).lines
        };
        let rows = "O O X O O\nX X O X X\nO O X O O\nX O O X O\n";
        let lines = think(&format!("X X X X .\n{rows}"));
        assert_eq!((lines.len(), lines[0].score), (1, Score::win_in(1)));
        let lines = think(&format!("X O X X .\n{}", rows.replacen('O', "X", 1)));
        assert_eq!((lines.len(), lines[0].score), (1, Score::DRAW));
        assert_eq!(lines[0].moves, [Point::new(4, 0)]);
    }

    /// A stopped pass has only a bound and the reply that set it.
    #[test]
    fn stopped_iteration_keeps_the_longer_play_of_its_move() {
        let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Renju);
        position.play(position.board().size().center());
        for nodes in sample((2_000..30_000).step_by(1_000)) {
            let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
            let mut announced: Vec<Line> = Vec::new();
            let mut observer = |progress: &Progress<'_>| announced.push(progress.line.clone());
            let request = Request::new(Limits::nodes(nodes));
            let report = engine.think(&position, &request, &StopSwitch::new(), &mut observer);
            let best = &report.lines[0];
            let whole = announced.iter().rev().find(|line| line.depth < best.depth);
            let Some(whole) = whole.filter(|line| line.moves[0] == best.moves[0]) else { continue };
            assert!(
                best.moves.len() >= whole.moves.len().min(4),
                "{nodes}: {best:?} after {whole:?}"
            );
        }
        let line = |score: Score, moves: &[u8]| Line {
            score,
            moves: moves.iter().map(|&x| Point::new(x, 0)).collect(),
            ..unsearched(Vec::new())
        };
        let longer = |line, known| with_longer_play(line, &[known]).moves.len();
        let (even, won) = (Score::DRAW, Score::win_in(5));
        assert_eq!(longer(line(even, &[1, 2]), line(even, &[1, 3, 4])), 3);
        assert_eq!(longer(line(even, &[1, 2]), line(even, &[2, 3, 4])), 2, "another move");
        assert_eq!(
            longer(line(won, &[1, 2]), line(even, &[1, 3, 4])),
            2,
            "not the line of the win"
        );
        assert_eq!(longer(line(won, &[1, 2]), line(won, &[1, 3, 4])), 3);
    }

    /// For searches that stop at many different points.
    #[test]
    fn several_lines_are_sorted_and_searched() {
        for moves in ["7,7 8,8 7,8 9,9", "7,7 8,6 6,8"] {
            let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
            moves.split(' ').for_each(|point| position.play(point.parse::<Point>().unwrap()));
            for nodes in (1500..4000).step_by(100) {
                let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
                let limits = Limits::nodes(nodes);
                let request = Request::new(limits).with_lines(6);
                let report = engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
                let lines = report.lines;
                assert!(lines.is_sorted_by(|one, next| one.score >= next.score), "{lines:?}");
                assert!(lines.iter().all(|line| line.depth > 0), "{nodes}: {lines:?}");
                let mut first: Vec<Point> = lines.iter().map(|line| line.moves[0]).collect();
                first.sort();
                first.dedup();
                assert_eq!(first.len(), 6, "{nodes}: {lines:?}");
            }
        }
    }

    /// Cells far from every stone are not candidates, but they are legal moves.
    #[test]
    fn isolated_cells_are_legal_moves() {
        let walls = "# # # # # # # # # # #\n".repeat(4);
        let diagram = format!(". # # # # # # # # # .\n{walls}");
        let game = Game::from_diagram(Rule::Freestyle, &diagram).unwrap();
        let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
        let request = Request::new(Limits::nodes(100));
        let report = engine.think(game.position(), &request, &StopSwitch::new(), &mut Silent);
        assert!(!report.lines[0].score.is_forced(), "{:?}", report.lines);
    }

    /// Black's moves in the first row are fouls after each other, so that the side that has the last
    /// move elsewhere does not lose.
    #[test]
    fn cells_far_from_every_stone_may_hold() {
        let top = "X X . . X X\n";
        let wall = "# # # # # #\n";
        for rows in [
            format!("{}# # . . # #\n# # . # # #\n", wall.repeat(4)),
            format!("{}. # # # # #\n", wall.repeat(6)),
        ] {
            let mut board = Board::from_diagram(Rule::Renju, &format!("{top}{rows}")).unwrap();
            board.set_side(Color::Black);
            for nodes in [30, 300, 3_000] {
                let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
                let request = Request::new(Limits::nodes(nodes));
                let position = Position::from_board(&board);
                let report = engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
                let line = &report.lines[0];
                assert!(!line.score.is_loss(), "{board}\n{line:?}");
                assert!(nodes < 3_000 || line.moves[0].y() > 0, "{board}\n{line:?}");
            }
        }
    }

    /// Statistics of a search must not influence the first search of a new game.
    #[test]
    fn cleared_engine_searches_like_a_new_one() {
        let position = |moves: &str| {
            let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
            moves.split(' ').for_each(|point| position.play(point.parse::<Point>().unwrap()));
            position
        };
        let full_of_fours =
            position("10,5 7,8 4,6 6,7 7,9 6,10 5,6 6,8 6,9 5,8 4,8 4,9 7,6 6,6 9,8 6,5 6,4 5,10");
        let quiet = position("7,7 8,8 6,8");
        let think = |engine: &mut Engine, position: &Position, nodes| {
            let request = Request::new(Limits::nodes(nodes));
            let report = engine.think(position, &request, &StopSwitch::new(), &mut Silent);
            (report.nodes, report.lines)
        };
        let new = || Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
        let wanted = think(&mut new(), &quiet, 300);
        for nodes in (1000..1100).step_by(7) {
            let mut engine = new();
            think(&mut engine, &full_of_fours, nodes);
            engine.new_game();
            assert_eq!(think(&mut engine, &quiet, 300), wanted, "{nodes}");
        }
    }

    #[test]
    fn fallback_is_the_best_move_that_does_not_lose() {
        let mut worker =
            Worker::new(Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle));
        worker.position.play(Point::new(7, 7));
        let table = TranspositionTable::new(1 << 20);
        let task = RootTask {
            lines: 1,
            excluded: Vec::new(),
            first_depth: 1,
            last_depth: 9,
            fours_nodes: 0,
        };
        let resources = Resources { table: &table, budget: &Unlimited };
        let observer = &mut Silent;
        let mut search = RootSearch::new(&mut worker, resources, observer, &task);
        search.depth = 9;
        let points: Vec<Point> = search.moves.iter().map(|it| it.point).collect();
        let mut fallback = |bounds: [Option<Score>; 5], lost: Score| {
            let all = bounds.into_iter().chain(std::iter::repeat(bounds[4]));
            search.moves.iter_mut().zip(all).for_each(|(it, bound)| it.bound = bound);
            let line = Line { score: lost, depth: 9, ..unsearched(vec![points[0]]) };
            search.worker.refuted.clear();
            search.record_refuted();
            let other = search.fallback(&line, 1).map(|line| (line.moves[0], line.score.value()));
            (other, search.worker.refuted().iter().map(|it| it.point).collect::<Vec<_>>())
        };
        let (loss, low, high) = (Score::loss_in(6), Score::raw(-90), Score::raw(40));
        let searched = [Some(loss), Some(low), Some(high), Some(Score::loss_in(8)), None];
        assert_eq!(fallback(searched, loss), (Some((points[2], 40)), vec![points[0], points[3]]));
        let others_lose = [Some(loss), Some(loss), Some(loss), Some(loss), None];
        assert_eq!(fallback(others_lose, loss), (Some((points[4], 0)), points[..4].to_vec()));
        assert_eq!(fallback([Some(loss); 5], loss), (None, points.clone()), "all lose");
        assert_eq!(fallback(searched, low).0, None, "nothing is lost");
    }

    /// Many moves lose here, but not all: a search that stops just after its first move was refuted
    /// must not play that move.
    #[test]
    fn stopped_iteration_avoids_a_refuted_move() {
        for moves in [
            "10,5 7,8 4,6 6,7 7,9 6,10 5,6 6,8 6,9 5,8 4,8 4,9 7,6 6,6 9,8 6,5 6,4 5,10",
            "6,10 6,9 6,7 10,7 4,4 7,10 5,8 7,8",
        ] {
            let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
            for point in moves.split(' ').map(|point| point.parse::<Point>().unwrap()) {
                position.play(point);
            }
            for nodes in sample(20..600) {
                let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
                let request = Request::new(Limits::nodes(nodes));
                let report = engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
                assert!(!report.lines[0].score.is_loss(), "{nodes}: {:?}", report.lines);
            }
        }
    }
}
