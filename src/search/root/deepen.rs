//! Iterative deepening over the moves of the root.

use super::RootTask;
use super::moves::{RootMove, root_moves};
use crate::pattern::Shape;
use crate::search::params as p;
use crate::search::pruning::{self, Late};
use crate::search::worker::{Resources, Worker};
use crate::search::{Iteration, Line, Observer, Progress, Stopped};
use crate::threat::{is_foul, makes_four};
use crate::types::{Point, Score};

/// One search from one position.
pub(super) struct RootSearch<'a> {
    worker: &'a mut Worker,
    resources: Resources<'a>,
    observer: &'a mut dyn Observer,
    moves: Vec<RootMove>,
    depth: u32,
    /// Moves that the current pass has judged; they stand before the others.
    judged: usize,
}

impl<'a> RootSearch<'a> {
    /// A search that has looked at nothing yet.
    pub(super) fn new(
        worker: &'a mut Worker,
        resources: Resources<'a>,
        observer: &'a mut dyn Observer,
        task: &RootTask,
    ) -> RootSearch<'a> {
        let moves = root_moves(&worker.position, &mut worker.evaluator, task);
        RootSearch { worker, resources, observer, moves, depth: 0, judged: 0 }
    }

    /// Searches one ply deeper after the other, as long as the budget wants. The lines come
    /// best first.
    pub(super) fn deepen(mut self, task: &RootTask) -> Vec<Line> {
        let wanted = task.lines.min(self.moves.len());
        // For the case that not even the first iteration ends.
        let mut lines: Vec<Line> =
            self.moves[..wanted].iter().map(|first| unsearched(vec![first.point])).collect();
        let mut stable = 0;
        if self.worker.position.board().empty_count() <= 1 {
            return lines;
        }
        for depth in task.first_depth..=task.last_depth {
            self.depth = depth;
            let before = self.worker.nodes;
            let last_best = lines.first().map(|line| (line.moves[0], line.score));
            for root_move in &mut self.moves {
                root_move.nodes = 0;
            }
            for rank in 0..wanted {
                let expected = lines.get(rank).map_or(Score::DRAW, |line| line.score);
                let finished = self.aspire(rank, expected);
                if let Some(line) = self.line(rank, finished.is_ok())
                    && (finished.is_ok() || rank == 0)
                {
                    let escape = finished.err().and_then(|_| self.escape(&line, wanted));
                    lines[rank] = escape.unwrap_or_else(|| {
                        self.announce(rank, &line);
                        line
                    });
                }
                if finished.is_err() {
                    self.replace_duplicates(&mut lines);
                    return lines;
                }
            }
            let best = &self.moves[0];
            let (same, drop) = last_best.map_or((false, 0), |(point, score)| {
                (point == best.point, score.value() - best.score.value())
            });
            stable = if same { stable + 1 } else { 1 };
            let spent = (self.worker.nodes - before).max(1);
            let iteration = Iteration {
                depth,
                stable,
                drop,
                effort: (best.nodes * 100 / spent) as u32,
                forced: best.score.is_forced(),
                only_move: self.moves.len() == 1,
            };
            if !self.resources.budget.wants_another(iteration) {
                break;
            }
        }
        lines
    }

    /// A stopped iteration may have found that the best move so far loses, and nothing about the
    /// others: the next one cannot be worse.
    fn escape(&self, line: &Line, wanted: usize) -> Option<Line> {
        let other = self.moves.get(self.judged)?;
        (wanted == 1 && line.score.is_loss()).then(|| unsearched(other.pv.clone()))
    }

    /// A stopped iteration may have moved a line up and left it in its old place as well.
    fn replace_duplicates(&self, lines: &mut [Line]) {
        for rank in 1..lines.len() {
            let (better, rest) = lines.split_at_mut(rank);
            let taken = |point: Point| better.iter().any(|line| line.moves[0] == point);
            if taken(rest[0].moves[0])
                && let Some(other) = self.moves.iter().find(|other| !taken(other.point))
            {
                rest[0] = unsearched(vec![other.point]);
            }
        }
    }

    /// Searches the moves from `rank` on in a window around `expected`, widened until the score
    /// lies inside. The best move stands at `rank` afterwards.
    fn aspire(&mut self, rank: usize, expected: Score) -> Result<(), Stopped> {
        let mut width = p::aspiration_window();
        let narrow = self.depth >= p::aspiration_depth() as u32 && !expected.is_forced();
        let (mut alpha, mut beta) = if narrow {
            (expected.plus(-width), expected.plus(width))
        } else {
            (Score::MIN, Score::MAX)
        };
        loop {
            let score = self.search_moves(rank, alpha, beta)?;
            if score <= alpha && alpha > Score::MIN {
                beta = Score::raw((alpha.value() + beta.value()) / 2);
                alpha = score.plus(-width);
            } else if score >= beta && beta < Score::MAX {
                beta = score.plus(width);
            } else {
                return Ok(());
            }
            width *= 2;
            if width > 1000 || score.is_forced() {
                (alpha, beta) = (Score::MIN, Score::MAX);
            }
        }
    }

    /// One pass over the moves from `rank` on; leaves them sorted by score.
    fn search_moves(&mut self, rank: usize, alpha: Score, beta: Score) -> Result<Score, Stopped> {
        for root_move in &mut self.moves[rank..] {
            root_move.score = Score::MIN;
        }
        let mut best = Score::MIN;
        for index in rank..self.moves.len() {
            let point = self.moves[index].point;
            self.observer.root_move(point);
            let nodes = self.worker.nodes;
            self.worker.selective_depth = 0;
            let score = self.search_move(point, index - rank, best.max(alpha), beta);
            self.judged = index;
            let root_move = &mut self.moves[index];
            root_move.nodes += self.worker.nodes - nodes;
            let score = score?;
            self.observer.root_move_done(point, score.is_loss());
            if index == rank || score > best.max(alpha) {
                root_move.score = score;
                root_move.selective_depth = self.worker.selective_depth;
                root_move.pv.clear();
                root_move.pv.push(point);
                root_move.pv.extend_from_slice(&self.worker.frames[1].pv);
                // The new best goes to the front; the others keep their order.
                self.moves[rank..=index].rotate_right(1);
                if score > best {
                    self.observer.best_move(point);
                }
            }
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    fn search_move(
        &mut self,
        point: Point,
        tried: usize,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let side = self.worker.position.side_to_move();
        if self.worker.position.shape(point, side) == Shape::Five {
            return Ok(Score::win_in(1));
        }
        // Among the moves of the root only when nothing else is left.
        if is_foul(&self.worker.position, point, side) {
            return Ok(Score::loss_in(2));
        }
        let depth = self.depth as i32 - 1;
        let reduction = self.reduction(point, tried).min(depth);
        let (worker, resources) = (&mut *self.worker, self.resources);
        worker.frames[0].evaluation = None;
        worker.frames[1].pv.clear();
        worker.play(resources, point);
        let mut score = Ok(alpha);
        if tried > 0 {
            let below = -alpha;
            let mut probe = |depth: i32| {
                worker
                    .search::<false>(resources, below.plus(-1), below, depth, 1, true)
                    .map(|score| -score)
            };
            score = probe(depth - reduction);
            if reduction > 0 && matches!(score, Ok(score) if score > alpha) {
                score = probe(depth);
            }
        }
        if tried == 0 || matches!(score, Ok(score) if score > alpha && alpha < beta) {
            score = worker.search::<true>(resources, -beta, -alpha, depth, 1, false).map(|s| -s);
        }
        worker.position.undo();
        score
    }

    /// Plies by which a late root move is searched less deep at first.
    fn reduction(&self, point: Point, tried: usize) -> i32 {
        let position = &self.worker.position;
        let side = position.side_to_move();
        if tried == 0
            || (self.depth as i32) < p::reduction_depth()
            || makes_four(position, point, side)
        {
            return 0;
        }
        pruning::reduction(&Late {
            depth: self.depth as i32,
            tried,
            pv: true,
            cut: false,
            improving: true,
            refuted: 0,
            history: self.worker.histories.quiet(side, point),
        })
    }

    /// The line of this rank; of an unfinished iteration only when a move was searched in it.
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
        let progress = Progress { rank, line, nodes: self.worker.nodes };
        self.observer.iteration(progress);
    }
}

/// A line about which nothing is known.
fn unsearched(moves: Vec<Point>) -> Line {
    Line { score: Score::DRAW, depth: 0, selective_depth: 0, moves }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};
    use crate::position::Position;
    use crate::types::{BoardSize, Point, Rule};

    /// Many moves lose here, not all: a search that stops just after it refuted its first choice
    /// must not resign itself to that.
    #[test]
    fn a_stopped_iteration_does_not_settle_for_a_loss() {
        for moves in [
            "10,5 7,8 4,6 6,7 7,9 6,10 5,6 6,8 6,9 5,8 4,8 4,9 7,6 6,6 9,8 6,5 6,4 5,10",
            "6,10 6,9 6,7 10,7 4,4 7,10 5,8 7,8",
        ] {
            let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
            for point in moves.split(' ').map(|point| point.parse::<Point>().unwrap()) {
                position.play(point);
            }
            for nodes in 20..600 {
                let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
                let request = Request::best_move(Limits::nodes(nodes));
                let report = engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
                assert!(!report.lines[0].score.is_loss(), "{nodes}: {:?}", report.lines);
            }
        }
    }
}
