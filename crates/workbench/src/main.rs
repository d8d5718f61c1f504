//! The workbench: one subcommand per tool, see `tengen help`.

use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::{anyhow, bail};
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use tengen::engine::STACK_BYTES;
use tengen_arena::{choices, match_play, merge};
use tengen_cli::interrupt::INTERRUPTED_STATUS;
use tengen_cli::printable::{PrintableWriter, printable, shortened};
use tengen_cli::selection::{Selection, has_skipped};
use tengen_training as training;
#[cfg(feature = "web")]
use tengen_web as web;
use tengen_workbench::{
    analyze, bench, convert, features, forbidden, games, judge, levels, perft, play, preferences,
    prove, puzzles, review, shell_files, solve, study, usage, verify,
};

/// Exit status if `--skip-bad` left games out.
const INCOMPLETE: u8 = 1;
/// Exit status if a certificate is refused.
const REFUSED: u8 = 1;

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
    /// Prove that a position is won, and write certificates
    Prove(prove::Args),
    /// Check certificates of won positions
    Verify(verify::Args),
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
            Tool::Solve(args) => args.writes_file(),
            Tool::Prove(_) => true,
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

/// The standard output. Its errors name it, as those of files name the file.
struct NamedOutput<W>(W);

impl<W: Write> Write for NamedOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(named)
    }
}

fn named(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("standard output: {error}"))
}

fn run(tool: Tool) -> anyhow::Result<ExitCode> {
    let stdout = NamedOutput(io::stdout().lock());
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
        Tool::Prove(args) => prove::run(&args, &mut out)?,
        Tool::Verify(args) => {
            if !verify::run(&args, &mut out, &mut notes)? {
                status = REFUSED.into();
            }
        }
        Tool::Study(args) => study::run(&args, &mut out, &mut notes)?,
        Tool::Puzzles(args) => puzzles::run(&args, &mut out, &mut notes)?,
        Tool::Perft(args) => perft::run(&args, &mut out, &mut notes)?,
        Tool::Judge(args) => judge::run(&args, &mut out, &mut notes)?,
        Tool::Forbidden(args) => forbidden::run(&args, &mut out, &mut notes)?,
        Tool::Bench(args) => bench::run(&args, &mut out)?,
        Tool::Completions(args) => shell_files::completions(&args, command(), &mut out)?,
        Tool::Man(args) => shell_files::man(&args, command())?,
        Tool::Selfplay(args) => training::selfplay::run(&args, &mut out, &mut notes)?,
        Tool::Genfens(args) => training::genfens::run(&args, &mut out, &mut notes)?,
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

/// The error and its causes. Some errors repeat their cause in their own text.
fn causes(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| match cause.to_string() {
        cause if text.is_empty() => cause,
        cause if text.ends_with(&cause) => text,
        cause => format!("{text}: {cause}"),
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

/// The arguments of a start without arguments: the board if the program was started from a desktop,
/// without a terminal to print to, and otherwise the short help.
fn default_arguments(has_terminal: bool, has_desktop: bool) -> &'static [&'static str] {
    if cfg!(feature = "web") && has_desktop && !has_terminal { &["web", "--open"] } else { &["-h"] }
}

/// Whether one of the standard streams is a terminal.
fn has_terminal() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()
}

/// Whether windows can be opened: on Linux in a session of X or Wayland. On Windows the program is a
/// console program.
fn has_desktop() -> bool {
    let names = ["DISPLAY", "WAYLAND_DISPLAY"];
    let has_session =
        || names.iter().any(|name| std::env::var_os(name).is_some_and(|it| !it.is_empty()));
    cfg!(target_os = "macos") || (cfg!(unix) && has_session())
}

/// The definition of the command line.
fn command() -> Command {
    usage::prepared(Arguments::command())
}

/// Parses the command line, or returns the help or the error to print.
fn parse(words: &[OsString]) -> Result<Tool, clap::Error> {
    let parsed = command().try_get_matches_from(words);
    let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    parsed.map(|arguments| arguments.tool).map_err(|error| usage::explained(error, &command()))
}

fn main() -> ExitCode {
    tengen::file_size::report_limit_as_error();
    let mut words = arguments(std::env::args_os().collect());
    if words.len() <= 1 {
        let added = default_arguments(has_terminal(), has_desktop());
        words = [OsString::from("tengen")]
            .into_iter()
            .chain(added.iter().map(OsString::from))
            .collect();
    }
    let (typed, file) = (words.clone(), preferences::path());
    let words = match preferences::with_preferences(words, file.as_deref(), &command()) {
        Ok(words) => words,
        Err(error) => {
            let _ = writeln!(io::stderr(), "tengen: {}", printable(&causes(&error)));
            return ExitCode::from(2);
        }
    };
    let tool = parse(&words).unwrap_or_else(|error| {
        if let Some(file) = file.filter(|_| parse(&typed).is_ok()) {
            let file = printable(&file.display().to_string());
            let _ = writeln!(io::stderr(), "tengen: invalid with the options of {file}:");
        }
        error.exit()
    });
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
            let message = printable(&shortened(&format!("tengen: {}", causes(&error))));
            let _ = writeln!(io::stderr(), "{message}");
            if let Some(hint) = usage::moves_hint(&error, &words, &command()) {
                let _ = writeln!(io::stderr(), "tengen: {}", printable(&hint));
            }
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn start_without_arguments_opens_the_board_only_from_a_desktop() {
        let starts = [(true, true), (true, false), (false, false), (false, true)];
        let first = starts.map(|(terminal, desktop)| default_arguments(terminal, desktop)[0]);
        let board = if cfg!(feature = "web") { "web" } else { "-h" };
        assert_eq!(first, ["-h", "-h", "-h", board]);
    }

    /// Every option with a value: the words of its tool, and its name.
    fn options() -> Vec<(Vec<String>, String)> {
        fn collect(command: &Command, words: &[String], found: &mut Vec<(Vec<String>, String)>) {
            let words = [words, &[command.get_name().to_string()]].concat();
            for arg in command.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                found.extend(arg.get_long().map(|long| (words.clone(), format!("--{long}"))));
            }
            command.get_subcommands().for_each(|tool| collect(tool, &words, found));
        }
        let mut found = Vec::new();
        collect(&command(), &[], &mut found);
        found
    }

    #[test]
    fn causes_are_not_repeated() {
        let full = anyhow!("disk full").context("i/o error: disk full").context("a.npz");
        assert_eq!(causes(&full), "a.npz: i/o error: disk full");
        assert_eq!(causes(&anyhow!("b").context("a")), "a: b");
    }

    /// The options for which 0 means something.
    const ZERO: [&str; 45] = [
        "choices --pause",
        "choices --seed",
        "features --symmetry",
        "match --first-move",
        "match --increment",
        "match --match",
        "match --max-moves",
        "match --nodes",
        "match --pause",
        "match --progress",
        "match --seed",
        "match --stop-after",
        "match --tolerance",
        "play --seed",
        "puzzles --time",
        "selfplay --balance",
        "selfplay --cutoffs",
        "selfplay --first",
        "selfplay --labels",
        "selfplay --seed",
        "selfplay --time",
        "selfplay --tree-starts",
        "study analyze --solver-nodes",
        "study analyze --time",
        "study book --margin",
        "study export --depth",
        "study export --games",
        "study export --plies",
        "study export --score",
        "study export --stones",
        "study grow --margin",
        "study grow --solver-nodes",
        "study grow --time",
        "study prune --depth",
        "study prune --games",
        "study prune --plies",
        "study prune --score",
        "study prune --stones",
        "study query --depth",
        "study query --games",
        "study query --plies",
        "study query --score",
        "study query --stones",
        "train --seed",
        "web --port",
    ];

    /// The error for a value of an option, unless the value is valid.
    fn fault(words: &[String], option: &str, value: &str) -> Option<String> {
        let words = words.iter().cloned().chain([format!("{option}={value}")]);
        let words: Vec<OsString> = words.map(OsString::from).collect();
        let error = parse(&words).err()?.to_string();
        error.contains("invalid value").then_some(error)
    }

    #[test]
    fn invalid_values_are_refused_with_the_accepted_ones() {
        let mut refused = 0;
        for (words, option) in options() {
            let Some(error) = fault(&words, &option, "12x~") else { continue };
            refused += 1;
            let says = ["expected", "possible values", "valid values", "such as"];
            assert!(says.iter().any(|part| error.contains(part)), "{words:?}: {error}");
            // Messages of the standard library name no values.
            let plain = ["invalid digit", "cannot parse", "invalid float", "is not in"];
            assert!(!plain.iter().any(|part| error.contains(part)), "{words:?}: {error}");
        }
        assert!(refused > 100, "{refused} options");
    }

    /// Options with numbers refuse 0 where it makes no sense.
    #[test]
    fn zero_is_accepted_where_it_means_something() {
        let is_number = |words: &[String], option: &str| {
            fault(words, option, "7").is_none() && fault(words, option, "seven").is_some()
        };
        let accepts_zero = |(words, option): &(Vec<String>, String)| {
            is_number(words, option) && fault(words, option, "0").is_none()
        };
        let accepted: BTreeSet<String> = options()
            .iter()
            .filter(|it| accepts_zero(it))
            .map(|(words, option)| format!("{} {option}", words[1..].join(" ")))
            .collect();
        let expected: BTreeSet<String> = ZERO.map(String::from).into();
        assert_eq!(accepted, expected);
    }

    #[test]
    fn names_may_be_written_in_capitals() {
        for words in [
            ["play", "--rule=RENJU"],
            ["play", "--color=White"],
            ["play", "--level=Master"],
            ["play", "--level=BOT:Random"],
            ["play", "--black=ME"],
            ["play", "--opening=Swap2"],
            ["analyze", "--side=BLACK"],
            ["analyze", "--time=INF"],
            ["analyze", "--size=15X15"],
            ["analyze", "--encoding=GBK"],
            ["solve", "--kind=VCF"],
            ["solve", "--points=Stop-VCF"],
            ["convert", "--to=SGF"],
            ["convert", "--from=Psq"],
            ["convert", "--flip=Vertical"],
            ["convert", "--rows=TOP"],
            ["features", "--symmetry=ALL"],
            ["features", "--planes=OWN,Opponent"],
            ["match", "--engine=Level:Novice"],
            ["completions", "BASH"],
        ] {
            let words = ["tengen"].iter().chain(&words).map(OsString::from);
            let error = parse(&words.collect::<Vec<_>>()).err().map(|error| error.to_string());
            let is_valid = error.as_ref().is_none_or(|error| !error.contains("invalid value"));
            assert!(is_valid, "{error:?}");
        }
    }
}
