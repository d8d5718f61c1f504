//! The workbench: one subcommand per tool, see `tengen help`.

use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::{anyhow, bail};
use clap::{CommandFactory, Parser, Subcommand};
use tengen::engine::STACK_BYTES;
use tengen_arena::{choices, match_play, merge};
use tengen_cli::interrupt::INTERRUPTED_STATUS;
use tengen_cli::printable::{PrintableWriter, printable, shortened};
use tengen_cli::selection::{Selection, has_skipped};
use tengen_training as training;
#[cfg(feature = "web")]
use tengen_web as web;
use tengen_workbench::{
    analyze, bench, convert, features, forbidden, games, judge, levels, perft, play, puzzles,
    review, shell_files, solve, study,
};

/// Exit status if `--skip-bad` left games out.
const INCOMPLETE: u8 = 1;

/// Workbench of the Tengen Gomoku and Renju engine.
#[derive(Parser)]
#[command(name = "tengen", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand)]
enum Tool {
    /// Play against the engine
    Play(play::Args),
    /// Serve a board for the browser, on this machine only
    #[cfg(feature = "web")]
    Web(web::Args),
    /// List the levels and textbook players
    Levels(levels::Args),
    /// Analyse positions: best moves, threats, best line
    Analyze(analyze::Args),
    /// Review whole games: mistakes, missed wins, turning points, accuracy
    Review(review::Args),
    /// Prove forced wins, and find defences
    Solve(solve::Args),
    /// Keep positions in a database: import, look up, analyse, export
    Study(Box<study::Args>),
    /// Find puzzles in games: positions with exactly one winning first move (vcf or vct)
    Puzzles(puzzles::Args),
    /// Print the result of a sequence of moves as one JSON line
    Judge(judge::Args),
    /// Print the points that renju forbids to black as one JSON line
    Forbidden(forbidden::Args),
    /// Count sequences of legal moves
    Perft(perft::Args),
    /// Convert game files to another format
    Convert(convert::Args),
    /// Convert the positions of games to planes of numbers for machine learning
    Features(features::Args),
    /// Play a match between engines and measure their difference in strength
    Match(Box<match_play::Args>),
    /// Merge the records of a match that was played in parts
    Merge(merge::Args),
    /// Compare engines by the value of the moves they choose in the same positions
    Choices(choices::Args),
    /// Search fixed positions and print speed and signature
    Bench(bench::Args),
    /// Generate training data by self-play, or find balanced openings
    Selfplay(training::selfplay::Args),
    /// Generate balanced openings for OpenBench: genfens N seed S book None
    #[command(hide = true)]
    Genfens(training::genfens::Args),
    /// Describe, check and merge shards of training data
    Data(training::data::Args),
    /// Train the network of a rule on shards of data
    Train(training::train::Args),
    /// Print the completion script for a shell
    Completions(shell_files::CompletionArgs),
    /// Write the manual pages to a folder
    #[command(hide = true)]
    Man(shell_files::ManArgs),
}

impl Tool {
    /// Whether the tool writes a file, and so continues when the output pipe is closed.
    fn writes_file(&self) -> bool {
        match self {
            Tool::Review(args) => args.writes_file(),
            Tool::Puzzles(args) => args.writes_file(),
            Tool::Study(args) => args.writes_file(),
            Tool::Convert(args) => args.writes_file(),
            Tool::Features(_) => true,
            Tool::Match(args) => args.writes_file(),
            Tool::Merge(args) => args.writes_file(),
            Tool::Selfplay(args) => args.writes_file(),
            Tool::Data(args) => args.writes_file(),
            Tool::Train(_) => true,
            _ => false,
        }
    }
}

/// A stream that discards its output once the pipe is closed.
struct IgnoreBrokenPipe<W>(W);

impl<W: Write> Write for IgnoreBrokenPipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if is_broken_pipe(&error) => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().or_else(|error| if is_broken_pipe(&error) { Ok(()) } else { Err(error) })
    }
}

fn run(tool: Tool) -> anyhow::Result<ExitCode> {
    let stdout = io::stdout().lock();
    let stdout: Box<dyn Write> =
        if tool.writes_file() { Box::new(IgnoreBrokenPipe(stdout)) } else { Box::new(stdout) };
    let mut out = BufWriter::new(stdout);
    let mut notes = PrintableWriter(IgnoreBrokenPipe(io::stderr()));
    let mut status = ExitCode::SUCCESS;
    match tool {
        Tool::Play(args) => {
            let input = BufReader::new(io::stdin());
            if play::run(&args, input, &mut out)? == play::Finish::Interrupted {
                status = INTERRUPTED_STATUS.into();
            }
        }
        #[cfg(feature = "web")]
        Tool::Web(args) => web::run(&args, &mut out)?,
        Tool::Levels(args) => levels::run(&args, &mut out)?,
        Tool::Convert(args) => convert::run(&args, &mut out, &mut notes)?,
        Tool::Features(args) => features::run(&args, &mut notes)?,
        Tool::Analyze(args) => analyze::run(&args, &mut out, &mut notes)?,
        Tool::Review(args) => review::run(&args, &mut out, &mut notes)?,
        Tool::Solve(args) => solve::run(&args, &mut out, &mut notes)?,
        Tool::Study(args) => study::run(&args, &mut out, &mut notes)?,
        Tool::Puzzles(args) => puzzles::run(&args, &mut out, &mut notes)?,
        Tool::Perft(args) => perft::run(&args, &mut out, &mut notes)?,
        Tool::Judge(args) => judge::run(&args, &mut out, &mut notes)?,
        Tool::Forbidden(args) => forbidden::run(&args, &mut out, &mut notes)?,
        Tool::Bench(args) => bench::run(&args, &mut out)?,
        Tool::Completions(args) => {
            shell_files::completions(&args, Arguments::command(), &mut out)?;
        }
        Tool::Man(args) => shell_files::man(&args, Arguments::command())?,
        Tool::Selfplay(args) => training::selfplay::run(&args, &mut out)?,
        Tool::Genfens(args) => training::genfens::run(&args, &mut out)?,
        Tool::Data(args) => training::data::run(&args, &mut out)?,
        Tool::Merge(args) => merge::run(&args, &mut out, &mut notes)?,
        Tool::Choices(args) => {
            let mut left_out = PrintableWriter(IgnoreBrokenPipe(io::stderr()));
            let mut read = |path: &Path, size, selection: &Selection| {
                games::read_on(size, path, selection, &mut left_out)
            };
            choices::run(&args, &mut read, &mut out, &mut notes)?;
        }
        Tool::Train(args) => training::train::run(&args, &mut out)?,
        Tool::Match(args) => match_play::run(&args, &mut out, &mut notes)?,
    }
    out.flush()?;
    Ok(match () {
        () if tengen_cli::interrupt::interrupted() => INTERRUPTED_STATUS.into(),
        () if has_skipped() => INCOMPLETE.into(),
        () => status,
    })
}

/// Whether an error is a closed output pipe, as after `tengen perft | head -1`. It is not reported.
fn is_closed_output(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref()).any(is_broken_pipe)
}

fn is_broken_pipe(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)
}

/// The command line. Workers of OpenBench pass a command of several words as one argument, and
/// `quit` after it.
fn arguments(words: Vec<OsString>) -> Vec<OsString> {
    match words.get(1).and_then(|first| first.to_str()) {
        Some(command) if command.starts_with("genfens ") => {
            let command = command.split_whitespace().map(OsString::from);
            words.iter().take(1).cloned().chain(command).collect()
        }
        _ => words,
    }
}

fn main() -> ExitCode {
    let tool = Arguments::parse_from(arguments(std::env::args_os().collect())).tool;
    // The search is recursive and needs more than the main thread's default stack.
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(|| run(tool));
    let result =
        thread.map_err(|error| anyhow!("cannot start a thread: {error}")).and_then(|thread| {
            thread.join().unwrap_or_else(|_| bail!("the program crashed, please report it"))
        });
    match result {
        Ok(status) => status,
        Err(error) if is_closed_output(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Ignore a closed standard error.
            let message = printable(&shortened(&format!("tengen: {error:#}")));
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::from(2)
        }
    }
}
