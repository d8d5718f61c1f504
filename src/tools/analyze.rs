//! `tengen analyze`: what the engine thinks of a position, iteration by iteration.

use std::io::Write;
use std::time::Instant;

use crate::engine::{Engine, Line, Observer, Progress, Request, StopSwitch};
use crate::tools::MoveList;
use crate::tools::setup::{PositionArgs, SearchArgs, stop_on_interrupt};
use crate::types::Coordinates;

/// Arguments of `tengen analyze`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Number of best moves to show
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1296))]
    lines: u16,
}

/// Prints every finished iteration. A stream that fails ends the search.
struct Printer<'a> {
    out: &'a mut dyn Write,
    started: Instant,
    ranks: bool,
    stop: StopSwitch,
    failure: Option<std::io::Error>,
}

impl Observer for Printer<'_> {
    fn iteration(&mut self, progress: Progress<'_>) {
        if self.failure.is_some() {
            return;
        }
        let rank = self.ranks.then_some(progress.rank);
        let written = writeln!(
            self.out,
            "{}  nodes {}  ms {}  {}",
            head(rank, progress.line),
            progress.nodes,
            self.started.elapsed().as_millis(),
            moves(progress.line)
        )
        .and_then(|()| self.out.flush());
        if let Err(error) = written {
            self.failure = Some(error);
            self.stop.press();
        }
    }
}

/// Rank from 1, depth and score of a line.
fn head(rank: Option<usize>, line: &Line) -> String {
    let rank = rank.map_or(String::new(), |rank| format!("#{}  ", rank + 1));
    let depth = format!("{}-{}", line.depth, line.selective_depth);
    format!("{rank}depth {depth:>5}  score {:>6}", line.score.to_string())
}

fn moves(line: &Line) -> MoveList {
    MoveList(line.moves.iter().copied().map(Coordinates::from).collect())
}

/// Prints the board, the iterations, and the best lines. Ctrl-C ends the search early.
///
/// # Errors
/// When the position is not playable or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    search(args, out, &stop_on_interrupt()?)
}

fn search(args: &Args, out: &mut dyn Write, stop: &StopSwitch) -> anyhow::Result<()> {
    let position = args.position.position()?;
    let board = position.board();
    write!(out, "{board}")?;
    writeln!(out, "{} {}, {} to move", board.rule(), board.size(), board.side_to_move().name())?;
    out.flush()?;
    let request =
        Request { limits: args.search.limits(), lines: args.lines.into(), excluded: Vec::new() };
    let started = request.limits.received;
    let ranks = args.lines > 1;
    let mut printer = Printer { out: &mut *out, started, ranks, stop: stop.clone(), failure: None };
    let mut engine = Engine::new(args.search.options());
    let report = engine.think(&position, &request, stop, &mut printer);
    if let Some(error) = printer.failure {
        return Err(error.into());
    }
    for (rank, line) in report.lines.iter().enumerate() {
        writeln!(out, "best {}  {}", head(ranks.then_some(rank), line), moves(line))?;
    }
    let seconds = report.elapsed.as_secs_f64();
    let speed = report.nodes as f64 / seconds.max(1e-6);
    writeln!(out, "nodes {}  seconds {seconds:.2}  nodes/s {speed:.0}", report.nodes)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::setup::tests::position_args;
    use crate::types::Rule;

    #[test]
    fn the_winning_move_is_shown() {
        let args = Args {
            position: position_args(Rule::Renju, "15", "7,7 0,0 8,7 2,0 9,7 4,0 10,7 6,7"),
            search: SearchArgs {
                time: None,
                nodes: Some(1000),
                depth: Some(4),
                threads: 1,
                memory: Some(64),
            },
            lines: 1,
        };
        let mut out = Vec::new();
        search(&args, &mut out, &StopSwitch::new()).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("renju 15x15, black to move\n"), "{text}");
        let best = text.lines().find(|line| line.starts_with("best ")).unwrap();
        assert!(best.contains("+M1") && best.ends_with("  11,7"), "{best}");
    }
}
