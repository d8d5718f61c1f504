//! `tengen solve`: looks for a forced result and shows it move by move.

use std::io::Write;

use anyhow::{Context, ensure};

use crate::engine::{Engine, Limits, Observer, Progress, Report, Request, StopSwitch};
use crate::game::Game;
use crate::position::Position;
use crate::tools::MoveList;
use crate::tools::setup::{PositionArgs, SearchArgs, stop_on_interrupt};
use crate::types::Point;

/// Arguments of `tengen solve`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// Ends the search at the first iteration with a forced result.
struct Watcher {
    stop: StopSwitch,
    found: bool,
}

impl Observer for Watcher {
    fn iteration(&mut self, progress: Progress<'_>) {
        if progress.rank == 0 && progress.line.score.is_forced() {
            self.found = true;
            self.stop.press();
        }
    }
}

/// Prints who wins by force, in how many moves of both sides, and best play to the end; or that
/// no forced result was found within the limits. Ctrl-C ends the search early.
///
/// # Errors
/// When the position is not playable, the engine contradicts itself, or `out` cannot be
/// written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    search(args, out, &stop_on_interrupt()?)
}

fn search(args: &Args, out: &mut dyn Write, interrupted: &StopSwitch) -> anyhow::Result<()> {
    let position = args.position.position()?;
    let mut engine = Engine::new(args.search.options());
    let report = prove(&mut engine, &position, args.search.limits(), interrupted);
    let line = report.lines.first().context("the board is full")?;
    let spent = format!("{} nodes, {:.2} s", report.nodes, report.elapsed.as_secs_f64());
    let Some(plies) = line.score.forced_plies() else {
        writeln!(
            out,
            "no forced result found: score {} at depth {}, {spent}",
            line.score, line.depth
        )?;
        return Ok(());
    };
    let mover = position.side_to_move();
    let winner = if line.score.is_win() { mover } else { mover.opponent() };
    let mut game = Game::from_position(position);
    let moves = complete(&mut engine, &mut game, &line.moves, &args.search, interrupted);
    let ending = game.ending();
    ensure!(
        ending.is_none_or(|ending| ending.winner() == Some(winner)),
        "the engine claims a win of {} that its own line {moves} refutes",
        winner.name()
    );
    writeln!(out, "{} wins in {plies} plies ({spent})", winner.name())?;
    writeln!(out, "{moves}")?;
    Ok(())
}

/// Searches until a result is forced, the limits are reached or the user interrupts; afterwards
/// the switch is pressed only if the user did it.
fn prove(
    engine: &mut Engine,
    position: &Position,
    limits: Limits,
    interrupted: &StopSwitch,
) -> Report {
    let request = Request::best_move(limits);
    let mut watcher = Watcher { stop: interrupted.clone(), found: false };
    let report = engine.think(position, &request, interrupted, &mut watcher);
    if watcher.found {
        interrupted.release();
    }
    report
}

/// Extends the principal variation, which a search may cut short, to the end of the game.
fn complete(
    engine: &mut Engine,
    game: &mut Game,
    known: &[Point],
    args: &SearchArgs,
    interrupted: &StopSwitch,
) -> MoveList {
    let mut known = known.iter().copied();
    let mut moves = Vec::new();
    while game.ending().is_none() && !interrupted.is_pressed() {
        let next = known
            .next()
            .or_else(|| prove(engine, game.position(), args.limits(), interrupted).best());
        let Some(point) = next else { break };
        moves.push(point.into());
        game.play(point);
    }
    MoveList(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::setup::tests::position_args;
    use crate::types::Rule;

    fn solve(moves: &str) -> String {
        let args = Args {
            position: position_args(Rule::Freestyle, "15", moves),
            search: SearchArgs {
                time: None,
                nodes: Some(20_000),
                depth: Some(6),
                threads: 1,
                memory: Some(64),
            },
        };
        let mut out = Vec::new();
        search(&args, &mut out, &StopSwitch::new()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn wins_and_losses_are_shown_to_the_end() {
        // An open four of the side to move, then of the other side.
        let won = solve("7,7 0,0 8,7 2,0 9,7 4,0 10,7 0,2");
        assert!(won.starts_with("black wins in 1 plies"), "{won}");
        let lost = solve("7,7 0,0 8,7 2,0 9,7 4,0 10,7");
        assert!(lost.starts_with("black wins in 2 plies"), "{lost}");
        assert_eq!(lost.lines().nth(1).unwrap().split(' ').count(), 2);
        // A three that becomes an open four: the proof ends with the five.
        let three = solve("7,7 0,0 8,7 2,0 9,7 4,0");
        assert!(three.starts_with("black wins in 3 plies"), "{three}");
        assert_eq!(three.lines().nth(1).unwrap().split(' ').count(), 3);
    }

    #[test]
    fn quiet_positions_are_not_solved() {
        assert!(solve("7,7").starts_with("no forced result found"), "{}", solve("7,7"));
    }
}
