//! `tengen bench`: a fixed search, for speed and for the signature that every machine must give.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args as ClapArgs;

use crate::engine::{Engine, Limits, Options, Report, Request, Silent, StopSwitch};
use crate::eval::weights_hash;
use crate::position::Position;
use crate::types::Point;

/// How much to search.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Plies of each search; the signature is that of the default
    #[arg(long, default_value_t = SIGNATURE_DEPTH)]
    depth: u32,
    /// Search threads; with more than one the number of nodes varies
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print a line per position
    #[arg(long)]
    verbose: bool,
}

/// Plies of the searches behind the signature. Fewer in tests, which only want it to be the same
/// each time.
const SIGNATURE_DEPTH: u32 = if cfg!(test) { 6 } else { 18 };

/// Bytes of the transposition table: part of the signature.
const HASH: u64 = 64 << 20;

/// Rule, size and moves of the positions: cuts of self-play games over all rules and both sizes
/// of the tournaments, and two boards of other shapes.
const POSITIONS: &[(&str, &str, &str)] = &[
    ("freestyle", "15", "10,10 3,3 10,6 6,9 6,8 8,8 9,5"),
    ("freestyle", "15", "10,4 7,6 9,11 9,3 8,10 7,9 10,10 9,10"),
    ("freestyle", "15", "7,5 8,9 6,5 7,9 9,9 5,5 7,4 5,6 5,7 7,7 7,10 4,8"),
    (
        "freestyle",
        "15",
        "8,8 3,4 6,5 3,10 4,4 7,10 4,5 4,7 5,8 3,5 7,6 3,7 3,3 3,8 3,6 3,9 3,11 4,10",
    ),
    ("freestyle", "20", "13,13 6,6 13,9 9,12 9,11 11,11 15,11"),
    ("freestyle", "20", "9,9 9,12 8,11 12,8 8,10 10,8 11,8 8,9"),
    ("freestyle", "20", "11,11 6,7 9,8 6,13 7,7 10,13 10,8 7,8 8,9 7,14 8,15 6,11 10,9 6,14"),
    (
        "freestyle",
        "20",
        "12,9 13,10 15,10 15,9 15,14 14,8 16,10 14,9 14,7 16,9 17,9 13,8 12,8 16,8",
    ),
    ("standard", "15", "10,4 7,6 9,11 9,3 8,10"),
    ("standard", "15", "7,5 8,9 6,5 7,9 9,9 5,5 6,4 8,6"),
    ("standard", "15", "9,6 9,5 9,7 8,8 10,4 10,8 8,4 7,4 10,5 10,3 10,10 11,4"),
    ("standard", "15", "5,7 9,8 5,10 10,9 11,10 10,6 10,8 9,7 9,9 8,10 11,5 10,4 10,7 9,4"),
    ("standard", "20", "13,7 10,9 12,14 12,6 11,15"),
    ("standard", "20", "9,9 9,12 8,11 12,8 8,10 11,7 10,6 8,12"),
    ("renju", "15", "10,10 3,3 10,6 6,9 6,8 8,8 9,5"),
    ("renju", "15", "10,4 7,6 9,11 9,3 10,10 8,4 7,5 8,5"),
    ("renju", "15", "4,7 10,10 6,6 6,10 9,10 7,6 4,8 5,4 6,5 4,9 3,10 6,7 7,9 5,8 8,5 4,4"),
    ("renju", "15", "8,8 3,4 6,5 3,10 4,4 7,10 7,5 4,5 5,6 4,9 5,8 5,9 3,9 4,7 4,8 6,8 5,7 6,6"),
    ("caro", "15", "10,10 3,3 10,6 6,9 6,8 8,8 8,10"),
    ("caro", "15", "10,4 7,6 9,11 9,3 10,10 11,9 8,10 9,10"),
    ("caro-overline", "15", "10,10 3,3 10,6 6,9 6,8 8,8 8,10"),
    ("caro-overline", "15", "10,4 7,6 9,11 9,3 10,10 11,9 8,10 9,10"),
    ("freestyle", "9x30", "6,17 4,13 5,13 3,17 6,15 4,18"),
    ("renju", "20", "13,13 6,6 13,9 9,12 9,11 11,11 15,15"),
];

/// The signature of this program.
///
/// # Errors
/// None but those of a program that was put together wrongly.
pub fn signature() -> anyhow::Result<u64> {
    let args = Args { depth: SIGNATURE_DEPTH, threads: 1, verbose: false };
    Ok(measure(&args, |_, _| Ok(()))?.0)
}

/// Searches every position with an empty table and prints the time, the speed and, as the last
/// line, the signature.
///
/// # Errors
/// When `out` cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let (nodes, time) = measure(args, |number, report| {
        if args.verbose {
            let (rule, size, _) = POSITIONS[number];
            let line = report.lines.first().context("a bench position without a move")?;
            writeln!(
                out,
                "{:>2} {rule} {size}: {} score {} depth {}-{} nodes {}",
                number + 1,
                line.moves[0],
                line.score,
                line.depth,
                line.selective_depth,
                report.nodes
            )?;
        }
        Ok(())
    })?;
    let seconds = time.as_secs_f64();
    writeln!(out, "weights {:016x}", weights_hash())?;
    writeln!(out, "seconds {seconds:.3}")?;
    // Test frameworks read this line, and scripts the last one.
    writeln!(out, "{nodes} nodes {:.0} nps", nodes as f64 / seconds.max(1e-9))?;
    writeln!(out, "Bench: {nodes}")?;
    Ok(())
}

/// The nodes and the time that all positions take; `each` hears of every search. Memory and
/// pattern tables are made ready before the clock starts.
fn measure(
    args: &Args,
    mut each: impl FnMut(usize, &Report) -> anyhow::Result<()>,
) -> anyhow::Result<(u64, Duration)> {
    let options = Options { threads: args.threads.into(), hash: Some(HASH), ..Options::default() };
    let mut engine = Engine::new(options);
    let positions = POSITIONS
        .iter()
        .map(|&(rule, size, moves)| set_up(rule, size, moves))
        .collect::<anyhow::Result<Vec<_>>>()?;
    // A glance takes the memory and builds the tables of every rule.
    for position in &positions {
        search(&mut engine, position, 1);
    }
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (number, position) in positions.iter().enumerate() {
        engine.empty();
        let start = Instant::now();
        let report = search(&mut engine, position, args.depth);
        time += start.elapsed();
        nodes += report.nodes;
        each(number, &report)?;
    }
    Ok((nodes, time))
}

fn search(engine: &mut Engine, position: &Position, depth: u32) -> Report {
    let request = Request::best_move(Limits::depth(depth));
    engine.think(position, &request, &StopSwitch::new(), &mut Silent)
}

fn set_up(rule: &str, size: &str, moves: &str) -> anyhow::Result<Position> {
    let mut position = Position::new(size.parse()?, rule.parse()?);
    for word in moves.split_ascii_whitespace() {
        position.play(word.parse::<Point>()?);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_does_not_depend_on_the_run() {
        let args = Args { depth: 5, threads: 1, verbose: false };
        let signature = || {
            let mut out = Vec::new();
            run(&args, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            let [.., speed, signature] = lines[..] else { panic!("{text}") };
            let words: Vec<&str> = speed.split(' ').collect();
            let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{speed}") };
            assert!(nps.parse::<u64>().is_ok_and(|nps| nps > 0));
            assert_eq!(signature, format!("Bench: {nodes}"));
            signature.to_string()
        };
        let first = signature();
        assert!(first.len() > 10);
        assert_eq!(first, signature());
    }
}
