//! `tengen puzzles`: positions of games with exactly one winning first move by vcf or vct.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::games::{GameFiles, games_hash};
use tengen::COMMIT;
use tengen::engine::StopSwitch;
use tengen_cli::atomic_file;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::journal::Journal;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::progress::progress_bar;
use tengen_cli::units;
use tengen_record::GameRecord;
use tengen_rules::types::{counted, plies as plies_text};
use tengen_study::positions::variation_nodes;
use tengen_study::puzzles::{PuzzleOptions, search_lines};

/// Arguments of `tengen puzzles`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    input: GameFiles,
    /// Maximum number of puzzles
    #[arg(long, default_value_t = 100, value_parser = units::whole::<usize>(1..=u64::MAX))]
    count: usize,
    /// Minimum length of the win, in plies
    #[arg(long, default_value_t = 7, value_parser = units::whole::<usize>(1..=u64::MAX))]
    plies: usize,
    /// Node limit of the solver for each move, such as 500k or 1e6
    #[arg(long, default_value = "20k", value_parser = units::positive_count)]
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
    /// Identifies the games, the options that matter, and the build.
    fn header(&self, games: &[GameRecord]) -> anyhow::Result<String> {
        let Args { plies, nodes, variations, .. } = self;
        let games = games_hash(games)?;
        Ok(format!("puzzles {COMMIT} {plies} {nodes} {variations} {games}"))
    }

    /// Whether the tool writes a file, not only standard output.
    pub fn writes_file(&self) -> bool {
        self.out.is_some()
    }
}

/// Prints one JSON object for each puzzle, short and narrow ones first. Of the symmetric forms of a
/// position only one is printed. Ctrl-C or `--time` ends the search; the puzzles found so far are
/// printed. With `--out` the same command continues it.
///
/// # Errors
/// If a file is invalid, or the output exists or cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    search_files(args, out, notes, stop_on_interrupt)
}

/// Like [`run`]; `switch` makes the switch that ends the search, once the games are read.
fn search_files(
    args: &Args,
    out: &mut dyn Write,
    notes: &mut dyn Write,
    switch: impl FnOnce() -> anyhow::Result<StopSwitch>,
) -> anyhow::Result<()> {
    if let Some(path) = &args.out {
        Journal::check_output(path, args.overwrite)?;
    }
    let games = args.input.read(notes)?;
    let (mut journal, known) = match &args.out {
        Some(path) => {
            let (journal, known) = Journal::open(path, &args.header(&games)?, args.overwrite)?;
            (Some(journal), known)
        }
        None => (None, Vec::new()),
    };
    let stop = switch()?;
    let left_out: usize = games.iter().map(variation_nodes).sum();
    if left_out > 0 && !args.variations {
        let moves = counted(left_out, "move");
        writeln!(notes, "the main lines only; --variations adds {moves} of variations")?;
    }
    let Args { count, plies, nodes, variations, .. } = *args;
    let options = PuzzleOptions { count, plies, nodes, variations };
    // A time that is too long for the clock does not limit the search.
    let deadline = args.time.and_then(|time| Instant::now().checked_add(time));
    let ended = || stop.is_pressed() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let unit = if variations { "line" } else { "game" };
    let bar = progress_bar(0, &format!("{unit}s"));
    let mut failure = None;
    let found = search_lines(&options, &games, known, &ended, &mut |progress| {
        bar.set_length(progress.count as u64);
        bar.set_position(progress.number as u64);
        if let Some(journal) = &mut journal {
            failure = failure.take().or(journal.append(progress.line).err());
        }
    });
    bar.finish_and_clear();
    if let Some(failure) = failure {
        return Err(failure);
    }
    let [searched, all] = found.lines;
    if !found.is_complete {
        let hint = if journal.is_some() { "; the same command continues" } else { "" };
        let all = counted(all, unit);
        writeln!(notes, "the search ended after {searched} of {all}{hint}")?;
    } else if found.puzzles.is_empty() {
        let searched = counted(searched, unit);
        writeln!(notes, "no puzzles of {} or more in {searched}", plies_text(plies))?;
    }
    let mut text = Vec::new();
    for puzzle in &found.puzzles {
        writeln!(text, "{}", serde_json::to_string(puzzle)?)?;
    }
    match &args.out {
        Some(path) => {
            atomic_file::write(path, &text).with_context(|| path.display().to_string())?;
        }
        None => out.write_all(&text)?,
    }
    match journal {
        Some(journal) if found.is_complete => journal.remove(),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;
    use tengen_study::puzzles::SearchedLine;

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
        assert!(!path.with_added_extension("part").exists());
    }

    /// A run that ends early leaves its progress, from which the same command continues.
    #[test]
    fn interrupted_search_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let [games, path] = ["games.txt", "puzzles.jsonl"].map(|name| folder.path().join(name));
        let part = path.with_added_extension("part");
        fs::write(&games, format!("{GAME}\nh8 i9\n{GAME}\n")).unwrap();
        let [games, out] = [&games, &path].map(|path| path.to_str().unwrap());
        let run = |options: &[&str]| {
            let files = [games, "--rule", "standard", "--out", out];
            let mut notes = Vec::new();
            let args = parsed(&[&files[..], options].concat());
            let switch = || Ok(StopSwitch::new());
            search_files(&args, &mut Vec::new(), &mut notes, switch)
                .map(|()| String::from_utf8(notes).unwrap())
        };
        let ended = run(&["--time", "0"]).unwrap();
        assert!(ended.contains("after 0 of 3 games; the same command continues"), "{ended}");
        assert_eq!(run(&[]).unwrap(), "");
        let whole = fs::read_to_string(&path).unwrap();
        assert!(!part.exists() && whole.lines().count() == 1);
        // The journal of a run that was killed after two games: the last one is searched.
        fs::remove_file(&path).unwrap();
        let args = parsed(&[games, "--rule", "standard"]);
        let records = args.input.read(&mut Vec::new()).unwrap();
        let header = args.header(&records).unwrap();
        let careful = OverwriteArgs::default();
        let (mut journal, known) = Journal::open::<SearchedLine>(&path, &header, careful).unwrap();
        assert_eq!(known, []);
        let options = PuzzleOptions { count: 100, plies: 7, nodes: 20_000, variations: false };
        search_lines(&options, &records[..2], known, &|| false, &mut |progress| {
            journal.append(progress.line).unwrap();
        });
        drop(journal);
        fs::write(&path, "the puzzles so far").unwrap();
        assert_eq!(run(&[]).unwrap(), "");
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        assert!(!part.exists());
    }

    #[test]
    fn empty_result_is_announced() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.txt");
        fs::write(&games, "h8 i9\n").unwrap();
        let args = parsed(&[games.to_str().unwrap()]);
        let mut notes = Vec::new();
        search_files(&args, &mut Vec::new(), &mut notes, || Ok(StopSwitch::new())).unwrap();
        assert_eq!(String::from_utf8(notes).unwrap(), "no puzzles of 7 plies or more in 1 game\n");
    }
}
