//! `tengen perft`: counts move sequences, to check board, fouls and endings against known numbers.
//!
//! `perft(n)` is the number of sequences of exactly `n` legal moves from a position. A legal
//! move is an empty cell that is not a foul of the side to move. A move that makes a five or fills
//! the board ends the game and has no successors.

use std::io::Write;
use std::time::Instant;

use crate::sources::SourceArgs;
use tengen_cli::progress::progress_bar;
use tengen_cli::units;
use tengen_rules::board::makes_five;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::Point;

/// Arguments of `tengen perft`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Maximum length of the sequences
    #[arg(long, default_value_t = 3, value_parser = units::whole::<u32>(1..=20))]
    depth: u32,
}

fn legal_moves(position: &Position) -> Vec<Point> {
    let mover = position.side_to_move();
    let is_legal = |&point: &Point| !is_foul(position, point, mover);
    position.board().empty_points().filter(is_legal).collect()
}

/// Number of sequences of `depth` legal moves, at least 1. `progress` is called after each first move.
fn perft(position: &mut Position, depth: u32, progress: &mut dyn FnMut()) -> u64 {
    let mover = position.side_to_move();
    let moves = legal_moves(position);
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut sequences = 0;
    for point in moves {
        if !makes_five(position.board(), point, mover) {
            sequences += position.with_move(point, |after| perft(after, depth - 1, &mut || ()));
        }
        progress();
    }
    sequences
}

/// Prints one line for each depth: depth, count, seconds.
///
/// # Errors
/// If the position is not playable or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let mut position = args.source.game(notes)?.position().clone();
    for depth in 1..=args.depth {
        let started = Instant::now();
        let bar = progress_bar(legal_moves(&position).len() as u64, "moves");
        let sequences = perft(&mut position, depth, &mut || bar.inc(1));
        bar.finish_and_clear();
        writeln!(out, "perft {depth}: {sequences} ({:.2} s)", started.elapsed().as_secs_f64())?;
        out.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_cli::args::PositionArgs;
    use tengen_rules::types::Rule;

    fn count(rule: Rule, size: &str, moves: &str, depth: u32) -> u64 {
        let game = PositionArgs::from_moves(rule, size, moves).game(&mut Vec::new()).unwrap();
        perft(&mut game.position().clone(), depth, &mut || ())
    }

    #[test]
    fn empty_board_counts_are_falling_factorials() {
        for rule in Rule::ALL {
            assert_eq!(count(rule, "5", "", 3), 25 * 24 * 23);
            assert_eq!(count(rule, "36", "", 1), 1296);
            assert_eq!(count(rule, "9x30", "", 2), 270 * 269);
        }
    }

    #[test]
    fn wins_have_no_successors() {
        // Black has four in the top row of a 5x5 board and is to move: 4,0 wins.
        let moves = "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,2";
        assert_eq!(count(Rule::Freestyle, "5", moves, 1), 17);
        assert_eq!(count(Rule::Freestyle, "5", moves, 2), 16 * 16);
        // White to move: any of 17 cells, but 4,0 leaves black without that win.
        let white = "0,0 0,1 1,0 1,1 2,0 2,1 3,0";
        assert_eq!(count(Rule::Freestyle, "5", white, 3), 17 * 16 * 16 + 17 * 16);
    }

    #[test]
    fn fouls_are_illegal_for_black_only() {
        // A double-three for black at 9,6.
        let moves = "9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14";
        assert_eq!(count(Rule::Standard, "15", moves, 1), 217);
        assert_eq!(count(Rule::Renju, "15", moves, 1), 216);
        let white = "9,7 0,14 9,8 2,14 7,6 4,14 8,6";
        assert_eq!(count(Rule::Renju, "15", white, 1), 218);
    }

    #[test]
    fn full_board_has_no_successors() {
        // One empty cell, which does not win.
        let moves = "0,0 1,0 2,0 3,0 4,0 0,1 1,1 2,1 3,1 4,1 1,2 0,2 3,2 2,2 0,3 4,2 2,3 1,3 \
                     4,3 3,3 0,4 1,4 2,4 3,4";
        assert_eq!(count(Rule::Freestyle, "5", moves, 1), 1);
        assert_eq!(count(Rule::Freestyle, "5", moves, 2), 0);
    }
}
