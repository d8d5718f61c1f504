//! `tengen puzzles`: positions of games with exactly one winning first move by vcf or vct.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::games::GameFiles;
use tengen::engine::StopSwitch;
use tengen_cli::atomic_file;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::progress::progress_bar;
use tengen_cli::units;
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
    /// Node limit of the solver for each move, such as 500k or 1e6
    #[arg(long, default_value = "20k", value_parser = units::count)]
    nodes: u64,
    /// End the search after this time and print the puzzles found: seconds, or with units as 90m or
    /// 8h
    #[arg(long, value_name = "TIME", value_parser = units::seconds)]
    time: Option<Duration>,
    /// Look through every line of the trees, not only the main line
    #[arg(long)]
    variations: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

impl Args {
    /// Whether the tool writes a file, not only standard output.
    pub fn writes_file(&self) -> bool {
        self.out.is_some()
    }
}

/// Prints one JSON object for each puzzle, short and narrow ones first. Of the symmetric forms of a
/// position only one is printed. Ctrl-C or `--time` ends the search; the puzzles found so far are
/// printed.
///
/// # Errors
/// If a file is invalid, or the output exists or cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    search_files(args, out, notes, stop_on_interrupt)
}

/// As [`run`]; `switch` makes the switch that ends the search, once the games are read.
fn search_files(
    args: &Args,
    out: &mut dyn Write,
    notes: &mut dyn Write,
    switch: impl FnOnce() -> anyhow::Result<StopSwitch>,
) -> anyhow::Result<()> {
    if let Some(path) = &args.out {
        args.overwrite.check(path)?;
        atomic_file::ensure_folder_exists(path)?;
    }
    let games = args.input.read(notes)?;
    let stop = switch()?;
    let left_out: usize = games.iter().map(variation_nodes).sum();
    if left_out > 0 && !args.variations {
        writeln!(notes, "the main lines only; --variations adds {left_out} moves of variations")?;
    }
    let Args { count, plies, nodes, variations, .. } = *args;
    let options = PuzzleOptions { count, plies, nodes, variations };
    // A time that no clock can hold is no limit.
    let deadline = args.time.and_then(|time| Instant::now().checked_add(time));
    let ended = || stop.is_pressed() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let bar = progress_bar(0, if variations { "lines" } else { "games" });
    let puzzles = find_puzzles(&options, &games, &ended, |done, count| {
        bar.set_length(count as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let mut text = Vec::new();
    for puzzle in &puzzles {
        writeln!(text, "{}", serde_json::to_string(puzzle)?)?;
    }
    match &args.out {
        Some(path) => {
            atomic_file::write(path, &text).with_context(|| path.display().to_string())?;
        }
        None => out.write_all(&text)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    /// White wins by threats.
    const GAME: &str = "8,5 10,3 4,6 5,4 10,5 7,7 10,7 7,4 7,6 4,4 8,4 6,6 5,5 6,4 3,4 6,7 6,5 8,6 \
                        9,7 5,9 6,8 8,8";

    fn parsed(options: &[&str]) -> Args {
        Command::parse_from([&["puzzles"][..], options].concat()).args
    }

    #[test]
    fn limits_have_units() {
        let nodes = |text| parsed(&["--nodes", text]).nodes;
        assert_eq!(["1e6", "2M", "500k"].map(nodes), [1_000_000, 2_000_000, 500_000]);
        assert_eq!(parsed(&["--time", "1m30s"]).time, Some(Duration::from_secs(90)));
        assert_eq!((parsed(&[]).nodes, parsed(&[]).time), (20_000, None));
    }

    #[test]
    fn puzzles_are_written_to_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let [games, path] = ["games.txt", "puzzles.jsonl"].map(|name| folder.path().join(name));
        fs::write(&games, GAME).unwrap();
        let [games, out] = [&games, &path].map(|path| path.to_str().unwrap());
        let run = |options: &[&str]| {
            let args = parsed(&[&[games, "--rule", "standard"][..], options].concat());
            let mut printed = Vec::new();
            search_files(&args, &mut printed, &mut Vec::new(), || Ok(StopSwitch::new()))
                .map(|()| String::from_utf8(printed).unwrap())
        };
        let printed = run(&[]).unwrap();
        assert_eq!(printed.lines().count(), 1);
        assert_eq!(run(&["--time", "0"]).unwrap(), "");
        fs::write(&path, "kept").unwrap();
        let error = run(&["--out", out]).unwrap_err().to_string();
        assert!(error.ends_with("the file already exists (--force replaces it)"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
        assert_eq!(run(&["--out", out, "--force"]).unwrap(), "");
        assert_eq!(fs::read_to_string(&path).unwrap(), printed);
    }
}
