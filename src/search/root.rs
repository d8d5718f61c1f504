//! Iterative deepening over the moves of the root.

use super::params as p;
use super::pruning::{self, Late};
use super::worker::{Resources, Worker};
use super::{Budget, Iteration, Line, Observer, Progress, Stopped, Table};
use crate::movegen;
use crate::pattern::Shape;
use crate::threat::{Situation, VcfLimits, is_foul, makes_four, situation};
use crate::types::{MAX_PLY, Point, Score};

/// What a search is asked at the root.
#[derive(Clone, Debug)]
pub struct RootTask {
    /// Number of best moves wanted.
    pub lines: usize,
    /// Moves that the answer must not be, as long as another is left.
    pub excluded: Vec<Point>,
    /// First iteration (plies).
    pub first_depth: u32,
    /// Last iteration (plies).
    pub last_depth: u32,
    /// Positions that the search for continuous fours before the first iteration may visit.
    pub fours_nodes: u64,
}

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
struct RootMove {
    point: Point,
    /// Score of the current iteration; the lowest where the move was only refuted.
    score: Score,
    nodes: u64,
    selective_depth: usize,
    pv: Vec<Point>,
}

/// One search from one position.
struct RootSearch<'a> {
    worker: &'a mut Worker,
    resources: Resources<'a>,
    observer: &'a mut dyn Observer,
    moves: Vec<RootMove>,
    depth: u32,
    /// Moves that the current pass has judged; they stand before the others.
    judged: usize,
}

impl Worker {
    /// Searches the worker's position. The lines come best first; there is none only when the
    /// board is full.
    pub fn run(
        &mut self,
        table: &Table,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        task: &RootTask,
    ) -> Vec<Line> {
        self.start_counting(budget);
        if task.lines == 1
            && let Some(line) = self.immediate(budget, task)
        {
            return vec![line];
        }
        let moves = self.root_moves(task);
        let resources = Resources { table, budget };
        RootSearch { worker: self, resources, observer, moves, depth: 0, judged: 0 }.deepen(task)
    }

    /// A win on the face of the position, or one by continuous fours.
    fn immediate(&mut self, budget: &dyn Budget, task: &RootTask) -> Option<Line> {
        let mut moves = Vec::new();
        let situation = situation(&self.position);
        let plies = if let Situation::Won(plies) = situation {
            movegen::generate(&self.position, situation, &mut moves);
            plies
        } else {
            let plies = self.fours_from_root(budget, task.fours_nodes, &mut moves);
            plies?
        };
        let allowed = moves.first().is_some_and(|best| !task.excluded.contains(best));
        allowed.then(|| Line {
            score: Score::win_in(plies),
            depth: plies as u32,
            selective_depth: plies as u32,
            moves,
        })
    }

    /// Plies to a win by continuous fours, searched in slices so that a stop is heard in between;
    /// a slice goes on where the failures of the one before it ended.
    fn fours_from_root(
        &mut self,
        budget: &dyn Budget,
        most_nodes: u64,
        moves: &mut Vec<Point>,
    ) -> Option<usize> {
        let mut left = most_nodes;
        let mut slice = 4_096;
        while left > 0 && !budget.exhausted(self.nodes) {
            let nodes = left.min(slice);
            let limits = VcfLimits { fours: MAX_PLY as u32 / 4, nodes, near: None };
            let plies = self.root_fours.solve(&mut self.position, limits, Some(moves));
            self.nodes += self.root_fours.nodes();
            if plies.is_some() || self.root_fours.nodes() < nodes {
                return plies;
            }
            left -= nodes;
            slice = 8_192;
        }
        None
    }

    fn root_moves(&mut self, task: &RootTask) -> Vec<RootMove> {
        let side = self.position.side_to_move();
        let situation = match situation(&self.position) {
            // Nothing to choose by force; and several lines need several moves.
            Situation::Lost(_) | Situation::Won(_) => Situation::Free,
            _ if task.lines > 1 => Situation::Free,
            other => other,
        };
        let mut points = Vec::new();
        movegen::generate(&self.position, situation, &mut points);
        let legal = |point: &Point| !is_foul(&self.position, *point, side);
        points.retain(legal);
        if points.is_empty() {
            points.extend(self.position.board().empty_points().filter(legal));
        }
        let open = |point: &Point| legal(point) && !task.excluded.contains(point);
        let allowed: Vec<Point> = points.iter().copied().filter(open).collect();
        if !allowed.is_empty() {
            points = allowed;
        } else if !points.is_empty() && !task.excluded.is_empty() {
            let others: Vec<Point> = self.position.board().empty_points().filter(open).collect();
            if !others.is_empty() {
                points = others;
            }
        }
        if points.is_empty() {
            points.extend(movegen::any_move(&self.position));
        }
        let center = self.position.board().size().center();
        let rank =
            |&point: &Point| (-self.position.urgency(point, side), point.distance(center), point);
        points.sort_by_key(rank);
        if points.len() < task.lines {
            // More moves are to be shown than are worth trying.
            let other = |point: &Point| open(point) && !points.contains(point);
            let mut others: Vec<Point> =
                self.position.board().empty_points().filter(other).collect();
            others.sort_by_key(rank);
            others.truncate(task.lines - points.len());
            points.extend(others);
        }
        points
            .into_iter()
            .map(|point| RootMove {
                point,
                score: Score::MIN,
                nodes: 0,
                selective_depth: 0,
                pv: vec![point],
            })
            .collect()
    }
}

impl RootSearch<'_> {
    fn deepen(mut self, task: &RootTask) -> Vec<Line> {
        let wanted = task.lines.min(self.moves.len());
        let mut lines = self.unsearched(wanted);
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
                    self.announce(rank, &line);
                    lines[rank] = line;
                }
                if finished.is_err() {
                    self.avoid_loss(&mut lines);
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
    fn avoid_loss(&self, lines: &mut [Line]) {
        if let [line] = lines
            && line.score.is_loss()
            && line.depth == self.depth
            && let Some(other) = self.moves.get(self.judged)
        {
            line.moves.clone_from(&other.pv);
            line.score = Score::DRAW;
            line.depth = 0;
        }
    }

    /// A stopped iteration may have moved a line up and left it in its old place as well.
    fn replace_duplicates(&self, lines: &mut [Line]) {
        for rank in 1..lines.len() {
            let (better, rest) = lines.split_at_mut(rank);
            let taken = |point: Point| better.iter().any(|line| line.moves[0] == point);
            if taken(rest[0].moves[0])
                && let Some(other) = self.moves.iter().find(|other| !taken(other.point))
            {
                rest[0] = Line {
                    score: Score::DRAW,
                    depth: 0,
                    selective_depth: 0,
                    moves: vec![other.point],
                };
            }
        }
    }

    /// Lines for the case that not even the first iteration ends.
    fn unsearched(&self, wanted: usize) -> Vec<Line> {
        self.moves[..wanted]
            .iter()
            .map(|root_move| Line {
                score: Score::DRAW,
                depth: 0,
                selective_depth: 0,
                moves: vec![root_move.point],
            })
            .collect()
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
        worker.position.play(point);
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
