//! `tengen bench`: a fixed search that measures speed and prints the signature of the search, which
//! is equal on all machines.

use std::io::{self, Write};

use tengen::bench::{SIGNATURE_DEPTH, measure, position_count};
use tengen::eval::weights_hash;
use tengen_cli::progress::progress_bar;
use tengen_cli::units;
use tengen_rules::types::{BoardSize, Notation};

/// Arguments of `tengen bench`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Depth of each search in plies; only the default gives the signature
    #[arg(long, default_value_t = SIGNATURE_DEPTH, value_parser = units::whole::<u32>(1..=1000))]
    depth: u32,
    /// Search threads; only 1 gives the signature
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u16>(1..=1024))]
    threads: u16,
    /// Print a line for each position
    #[arg(long)]
    verbose: bool,
}

/// Searches every position with an empty table and prints the time, the speed and, as the last
/// line, the signature.
///
/// # Errors
/// If `out` cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut written: io::Result<()> = Ok(());
    let bar = progress_bar(position_count() as u64, "positions");
    let totals = measure(args.depth, args.threads.into(), |searched| {
        bar.inc(1);
        if args.verbose && written.is_ok() {
            let (report, line) = (searched.report, &searched.report.lines[0]);
            let size: BoardSize = searched.size.parse().expect("a board size");
            let text = format!(
                "{:>2} {} {}: {} score {} depth {}-{} nodes {}",
                searched.number,
                searched.rule,
                searched.size,
                Notation::new(size).name(line.moves[0]),
                line.score,
                line.depth,
                line.selective_depth,
                report.nodes
            );
            written = bar.suspend(|| writeln!(out, "{text}"));
        }
    });
    bar.finish_and_clear();
    written?;
    let (nodes, seconds) = (totals.nodes, totals.elapsed.as_secs_f64());
    writeln!(out, "weights {:016x}", weights_hash())?;
    writeln!(out, "seconds {seconds:.3}")?;
    // Test frameworks read this line, and scripts the last one.
    writeln!(out, "{nodes} nodes {:.0} nps", nodes as f64 / seconds.max(1e-9))?;
    if (args.depth, args.threads) == (SIGNATURE_DEPTH, 1) {
        writeln!(out, "Bench: {nodes}")?;
    } else {
        writeln!(out, "no signature: it needs one thread and depth {SIGNATURE_DEPTH}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_ends_with_speed_and_no_signature_at_other_depths() {
        let args = Args { depth: 5, threads: 1, verbose: true };
        let mut out = Vec::new();
        run(&args, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let [.., speed, signature] = lines[..] else { panic!("{text}") };
        let words: Vec<&str> = speed.split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{speed}") };
        assert!(nps.parse::<u64>().is_ok_and(|nps| nps > 0));
        assert_eq!(signature, "no signature: it needs one thread and depth 18");
        assert!(nodes.parse::<u64>().is_ok());
        // Cells as people write them.
        assert!(lines[0].contains(" freestyle 15: ") && !lines[0].contains(','), "{text}");
    }
}
