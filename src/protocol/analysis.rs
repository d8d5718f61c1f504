//! Output of a running search: depth, score, nodes, speed and best play.

use std::time::Duration;

use super::reply::{MAX_TEXT, Output, Reply};
use super::settings::Detail;
use crate::engine::{Line, Observer, Progress, Report, Request};
use crate::memory;
use crate::moment::Instant;
use tengen_rules::types::Point;

/// Without `INFO show_detail` the first line is printed after this time and the next ones whenever
/// the time has doubled: a dozen lines in the longest turn.
const FIRST_LINE: Duration = Duration::from_millis(50);

/// Number of best moves printed after every iteration; the others follow at the end of the search.
const LINES_PER_ITERATION: usize = 16;

/// Minimum time between two marks of the move being searched.
const MARK_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum number of moves of best play in one line, except for a forced win. `INFO` lines show a
/// forced win whole, the others the moves that fit.
const MAX_PLAY: usize = 12;

/// Prints the progress of one search.
pub(super) struct SearchOutput<'a> {
    out: &'a mut dyn Output,
    detail: Detail,
    /// Number of best moves requested. With more than one the manager is a board for analysis, not
    /// a referee.
    lines: usize,
    received: Instant,
    silent_from: Option<Duration>,
    next_line: Duration,
    /// The line last printed for every rank.
    printed: Vec<Line>,
    marked: Option<Point>,
    next_mark: Duration,
    best: Option<Point>,
    /// Best play of the last iteration.
    play: Vec<Point>,
}

impl<'a> SearchOutput<'a> {
    /// Output of the search of a request.
    ///
    /// In the last tenth of the time for a move nothing is printed, because a line that delays the
    /// move could lose on time.
    pub(super) fn new(
        out: &'a mut dyn Output,
        detail: Detail,
        request: &Request,
    ) -> SearchOutput<'a> {
        let &Request { limits, lines, .. } = request;
        let time = [limits.turn, limits.left].into_iter().flatten().min();
        let time = time.filter(|_| lines == 1);
        SearchOutput {
            out,
            detail,
            lines,
            received: request.start(),
            silent_from: time.map(|time| time - time / 10),
            next_line: FIRST_LINE,
            printed: Vec::new(),
            marked: None,
            next_mark: Duration::ZERO,
            best: None,
            play: Vec::new(),
        }
    }

    /// Best play found so far; empty before the end of the first iteration.
    pub(super) fn best_play(&self) -> &[Point] {
        &self.play
    }

    /// Called before the search; removes the marks of the last one.
    pub(super) fn begin(&mut self) {
        if self.mark_time().is_some() {
            self.realtime(format_args!("REFRESH"));
        }
    }

    /// Called after the search; prints its result unless the last lines were the same.
    pub(super) fn finish(&mut self, report: &Report) {
        if report.lines == self.printed || self.is_silent(report.elapsed) {
            return;
        }
        for (rank, line) in report.lines.iter().enumerate() {
            let progress = Progress { rank, line, nodes: report.nodes };
            self.print(progress, report.lines.len(), report.elapsed);
        }
    }

    fn is_silent(&self, elapsed: Duration) -> bool {
        self.silent_from.is_some_and(|limit| elapsed >= limit)
    }

    /// Prints one of `ranks` lines that are printed together.
    fn print(&mut self, progress: Progress<'_>, ranks: usize, elapsed: Duration) {
        self.out.send(&Reply::Message(summary(progress, elapsed)));
        if self.detail.info {
            for text in panel(progress, ranks, elapsed) {
                self.out.send(&Reply::Info(text));
            }
        }
        if progress.rank == 0 && self.detail.realtime {
            self.realtime(format_args!("VAL {}", progress.line.score.value()));
            self.out.send(&Reply::Message(with_play("REALTIME PV", progress.line, MAX_TEXT)));
        }
        match self.printed.get_mut(progress.rank) {
            Some(line) => line.clone_from(progress.line),
            None => self.printed.push(progress.line.clone()),
        }
    }

    fn realtime(&mut self, text: std::fmt::Arguments<'_>) {
        self.out.send(&Reply::message(format_args!("REALTIME {text}")));
    }

    /// Prints the line of an iteration that ended at this time, unless it is too soon or too late.
    fn print_iteration(&mut self, progress: Progress<'_>, elapsed: Duration) {
        if self.is_silent(elapsed) || progress.rank >= LINES_PER_ITERATION {
            return;
        }
        if self.lines == 1 && self.detail == Detail::default() {
            if elapsed < self.next_line {
                return;
            }
            self.next_line = 2 * elapsed;
        }
        self.print(progress, self.lines.min(LINES_PER_ITERATION), elapsed);
    }

    /// The elapsed time if marks are printed now, else `None`.
    fn mark_time(&self) -> Option<Duration> {
        let elapsed = self.received.elapsed();
        (self.detail.realtime && !self.is_silent(elapsed)).then_some(elapsed)
    }
}

impl Observer for SearchOutput<'_> {
    fn iteration(&mut self, progress: &Progress<'_>) {
        if progress.rank == 0 {
            self.play.clone_from(&progress.line.moves);
            memory::announce(self.play.first().copied());
        }
        self.print_iteration(*progress, self.received.elapsed());
    }

    fn root_move(&mut self, point: Point) {
        let Some(elapsed) = self.mark_time().filter(|&elapsed| elapsed >= self.next_mark) else {
            return;
        };
        self.realtime(format_args!("POS {point}"));
        self.marked = Some(point);
        self.next_mark = elapsed + MARK_INTERVAL;
    }

    fn root_move_done(&mut self, point: Point, lost: bool) {
        if self.mark_time().is_none() {
            return;
        }
        // Only a mark that was printed is removed. In the silent last part of the search it stays;
        // boards clear their marks when the move arrives.
        if self.marked == Some(point) {
            self.realtime(format_args!("DONE {point}"));
            self.marked = None;
        }
        if lost {
            self.realtime(format_args!("LOSE {point}"));
        }
    }

    fn best_move(&mut self, point: Point) {
        if self.best == Some(point) || self.mark_time().is_none() {
            return;
        }
        self.best = Some(point);
        self.realtime(format_args!("BEST {point}"));
    }
}

/// The line for people and match runners.
fn summary(progress: Progress<'_>, elapsed: Duration) -> String {
    let Progress { rank, line, nodes } = progress;
    let numbers = format!(
        "depth {}-{} multipv {} ev {} n {nodes} n/ms {} tm {} pv",
        line.depth,
        line.selective_depth,
        rank + 1,
        line.score,
        u128::from(nodes) / elapsed.as_millis().max(1),
        elapsed.as_millis(),
    );
    with_play(&numbers, line, MAX_TEXT)
}

/// The lines for panels with one field per number, for one of `ranks` best moves. `NODES` is the
/// total, because nodes are not counted per rank.
fn panel(progress: Progress<'_>, ranks: usize, elapsed: Duration) -> [String; 12] {
    let Progress { rank, line, nodes } = progress;
    let per_second = u128::from(nodes) * 1000 / elapsed.as_millis().max(1);
    [
        format!("PV {rank}"),
        format!("NUMPV {ranks}"),
        format!("DEPTH {}", line.depth),
        format!("SELDEPTH {}", line.selective_depth),
        format!("NODES {nodes}"),
        format!("TOTALNODES {nodes}"),
        format!("TOTALTIME {}", elapsed.as_millis()),
        format!("SPEED {per_second}"),
        format!("EVAL {}", line.score),
        format!("WINRATE {:.4}", line.score.win_rate()),
        with_play("BESTLINE", line, usize::MAX),
        "PV DONE".to_owned(),
    ]
}

/// `start` with the moves of best play that fit into `length` symbols.
fn with_play(start: &str, line: &Line, length: usize) -> String {
    let mut text = start.to_owned();
    let most = line.score.forced_plies().unwrap_or(0).max(MAX_PLAY);
    for point in line.moves.iter().take(most) {
        let cell = format!(" {point}");
        if text.len() + cell.len() > length {
            break;
        }
        text += &cell;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Limits;
    use tengen_rules::types::Score;

    fn line(depth: u32, score: Score) -> Line {
        let moves = vec![Point::new(7, 7), Point::new(8, 9)];
        Line { score, depth, selective_depth: depth + 5, moves }
    }

    fn watch(limits: Limits, detail: Detail, lines: usize, at: &[u64]) -> Vec<String> {
        let mut out = Vec::new();
        let request = Request::new(limits).with_lines(lines);
        let mut output = SearchOutput::new(&mut out, detail, &request);
        for (depth, &elapsed) in at.iter().enumerate() {
            let line = line(depth as u32 + 1, Score::win_in(5));
            let elapsed = Duration::from_millis(elapsed);
            output.print_iteration(Progress { rank: 0, line: &line, nodes: 5000 }, elapsed);
        }
        out.iter().map(Reply::to_string).collect()
    }

    #[test]
    fn line_has_every_number() {
        let limits = Limits::unlimited();
        assert_eq!(
            watch(limits, Detail::default(), 1, &[250]),
            ["MESSAGE depth 1-6 multipv 1 ev +M5 n 5000 n/ms 20 tm 250 pv 7,7 8,9"]
        );
    }

    #[test]
    fn lines_are_rare_and_never_late() {
        let limits = Limits::turn(Duration::from_secs(1));
        let at = [1, 150, 210, 300, 419, 421, 600, 850, 899, 901, 999];
        assert_eq!(watch(limits, Detail::default(), 1, &at).len(), 3);
        assert_eq!(watch(limits, Detail::default(), 3, &at).len(), at.len());
        let none = Limits::turn(Duration::ZERO);
        let detail = Detail { realtime: true, info: true };
        assert!(watch(none, detail, 1, &at).is_empty());
    }

    #[test]
    fn show_detail_adds_lines() {
        let limits = Limits::unlimited();
        let realtime = watch(limits, Detail { realtime: true, info: false }, 1, &[1]);
        let value = format!("MESSAGE REALTIME VAL {}", Score::win_in(5).value());
        assert_eq!(realtime[1..], [&value, "MESSAGE REALTIME PV 7,7 8,9"], "a number, not +M5");
        let info = watch(limits, Detail { realtime: false, info: true }, 1, &[1]);
        assert_eq!((info[1].as_str(), info.len()), ("INFO PV 0", 13));
    }

    #[test]
    fn long_forced_win_is_cut_between_moves_and_whole_in_info() {
        let moves: Vec<Point> = (0..41).map(|x| Point::new(x % 15, 10)).collect();
        let line = Line { moves, ..line(9, Score::win_in(41)) };
        let mut out = Vec::new();
        let detail = Detail { realtime: true, info: true };
        let request = Request::new(Limits::unlimited());
        let mut output = SearchOutput::new(&mut out, detail, &request);
        output.print(Progress { rank: 0, line: &line, nodes: 1 }, 1, Duration::ZERO);
        let texts: Vec<String> = out.iter().map(Reply::to_string).collect();
        let cells = |start: &str, before: &str| -> Vec<Point> {
            let text = texts.iter().find(|it| it.starts_with(start)).expect("such a line");
            let (_, cells) = text.split_once(before).expect("the moves");
            cells.split(' ').map(|cell| cell.parse().expect("a cell")).collect()
        };
        assert_eq!(cells("INFO BESTLINE", "BESTLINE "), line.moves);
        for (start, before) in [("MESSAGE depth", " pv "), ("MESSAGE REALTIME PV", "PV ")] {
            let shown = cells(start, before);
            assert!(shown.len() > 20 && line.moves.starts_with(&shown), "{shown:?}");
        }
    }

    #[test]
    fn marks_come_in_pairs() {
        let request = Request::new(Limits::unlimited());
        let mut out = Vec::new();
        let detail = Detail { realtime: true, info: false };
        let mut output = SearchOutput::new(&mut out, detail, &request);
        for x in 0..3 {
            output.root_move(Point::new(x, 0));
            // Suppress the marks of the other moves, on slow machines as well.
            output.next_mark = Duration::MAX;
            output.root_move_done(Point::new(x, 0), x == 2);
            output.best_move(Point::new(0, 0));
        }
        let lines: Vec<String> = out.iter().map(Reply::to_string).collect();
        assert_eq!(
            lines,
            ["POS 0,0", "DONE 0,0", "BEST 0,0", "LOSE 2,0"]
                .map(|t| format!("MESSAGE REALTIME {t}"))
        );
    }

    #[test]
    fn the_result_is_printed_once() {
        let request = Request::new(Limits::unlimited());
        let mut out = Vec::new();
        let mut output = SearchOutput::new(&mut out, Detail::default(), &request);
        let report = |depth| Report {
            lines: vec![line(depth, Score::DRAW)],
            nodes: 1,
            elapsed: Duration::from_millis(300),
        };
        output.finish(&report(3));
        output.finish(&report(3));
        output.finish(&report(4));
        assert_eq!(out.len(), 2);
    }

    #[test]
    fn lines_of_a_result_are_counted() {
        let limits = Limits::unlimited();
        let detail = Detail { realtime: false, info: true };
        for (wanted, during) in [(3, "INFO NUMPV 3"), (20, "INFO NUMPV 16")] {
            let panels = watch(limits, detail, wanted, &[1]);
            assert!(panels.iter().any(|text| text == during), "{panels:?}");
            let mut out = Vec::new();
            let lines = vec![line(1, Score::DRAW); wanted];
            let report = Report { lines, nodes: 1, elapsed: Duration::from_millis(1) };
            let request = Request::new(limits).with_lines(wanted);
            SearchOutput::new(&mut out, detail, &request).finish(&report);
            let counts = out.iter().map(Reply::to_string).filter(|text| text.contains("NUMPV"));
            let expected = vec![format!("INFO NUMPV {wanted}"); wanted];
            assert_eq!(counts.collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn all_lines_are_printed_after_a_stopped_iteration() {
        let request = Request::new(Limits::unlimited());
        let mut out = Vec::new();
        let request = request.with_lines(2);
        let mut output = SearchOutput::new(&mut out, Detail::default(), &request);
        let (old, new) = (line(3, Score::DRAW), line(4, Score::DRAW));
        for (rank, line) in [&old, &old, &new].into_iter().enumerate() {
            let progress = Progress { rank: rank % 2, line, nodes: 1 };
            output.print_iteration(progress, Duration::from_millis(1));
        }
        let lines = vec![new, line(0, Score::DRAW)];
        output.finish(&Report { lines, nodes: 1, elapsed: Duration::from_millis(2) });
        let ranks: Vec<String> =
            out.iter().map(|reply| reply.to_string()[18..27].to_owned()).collect();
        assert_eq!(ranks, ["multipv 1", "multipv 2", "multipv 1", "multipv 1", "multipv 2"]);
    }
}
