//! `tengen puzzles`: positions of games with exactly one winning first move by vcf or vct.

use std::io::Write;

use crate::games::GameFiles;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_study::positions::variation_nodes;
use tengen_study::puzzles::{PuzzleOptions, find_puzzles};

/// Arguments of `tengen puzzles`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    input: GameFiles,
    /// Maximum number of puzzles
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Minimum length of the win, in plies
    #[arg(long, default_value_t = 7)]
    plies: usize,
    /// Node limit of the solver for each move
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Look through every line of the trees, not only the main line
    #[arg(long)]
    variations: bool,
}

/// Prints one JSON object for each puzzle, short and narrow ones first. Of the symmetric forms of a
/// position only one is printed. Ctrl-C ends the search; the puzzles found so far are printed.
///
/// # Errors
/// If a file is invalid, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let games = args.input.read(notes)?;
    let stop = stop_on_interrupt()?;
    let left_out: usize = games.iter().map(variation_nodes).sum();
    if left_out > 0 && !args.variations {
        writeln!(notes, "the main lines only; --variations adds {left_out} moves of variations")?;
    }
    let Args { count, plies, nodes, variations, .. } = *args;
    let options = PuzzleOptions { count, plies, nodes, variations };
    for puzzle in find_puzzles(&options, &games, &|| stop.is_pressed()) {
        writeln!(out, "{}", serde_json::to_string(&puzzle)?)?;
    }
    Ok(())
}
