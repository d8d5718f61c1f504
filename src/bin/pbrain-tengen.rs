//! The brain: speaks the Gomocup/Piskvork protocol on standard input and output.

use std::ffi::OsString;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, LineWriter, Read, Write};
use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use simplelog::{ConfigBuilder, LevelFilter, WriteLogger};
use tengen::book::Book;
use tengen::database;
use tengen::memory::ReserveAllocator;
use tengen::protocol::Resources;

#[global_allocator]
static ALLOCATOR: ReserveAllocator = ReserveAllocator(std::alloc::System);

const HELP: &str = "\
A Gomoku and Renju engine that speaks the Gomocup/Piskvork protocol on stdin and stdout

Usage: pbrain-tengen [OPTIONS]

Options:
      --log <FILE>       Append all input and output, and the time planned and used for each move,
                         to this file
      --book <FILE>      Play the moves of this opening book (tengen study book writes books)
      --no-book          Use no book, neither that of the manager's folder nor the embedded moves that
                         are proved to win
      --database <FILE>  Use this database of positions (tengen study); not in all builds
  -h, --help             Print help
  -V, --version          Print version
";

/// The task given by the arguments.
#[derive(Debug, PartialEq, Eq)]
enum Task {
    /// Run a session.
    Serve(Arguments),
    Help,
    Version,
}

/// The arguments of a session.
#[derive(Debug, Default, PartialEq, Eq)]
struct Arguments {
    log: Option<PathBuf>,
    book: Option<PathBuf>,
    no_book: bool,
    database: Option<PathBuf>,
}

impl Arguments {
    /// The options that name a file.
    const OPTIONS: [&str; 3] = ["--log", "--book", "--database"];

    /// The file of an option.
    fn file(&mut self, option: &str) -> &mut Option<PathBuf> {
        match option {
            "--log" => &mut self.log,
            "--book" => &mut self.book,
            _ => &mut self.database,
        }
    }
}

/// An error in the arguments.
#[derive(Debug, PartialEq, Eq)]
enum UsageError {
    Unknown(OsString),
    NoFile(&'static str),
    Twice(&'static str),
    BookAndNoBook,
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UsageError::Unknown(argument) => {
                write!(f, "unexpected argument '{}', see --help", argument.display())
            }
            UsageError::NoFile(option) => write!(f, "{option} needs the name of a file"),
            UsageError::Twice(option) => write!(f, "{option} is given twice"),
            UsageError::BookAndNoBook => f.write_str("--book and --no-book exclude each other"),
        }
    }
}

/// Parses the arguments after the program's name.
fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Task, UsageError> {
    let mut parsed = Arguments::default();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_str().unwrap_or_default();
        match text {
            "-h" | "--help" => return Ok(Task::Help),
            "-V" | "--version" => return Ok(Task::Version),
            "--no-book" => {
                parsed.no_book = true;
                continue;
            }
            // Yixin-Board for Windows passes it; texts are UTF-8 in any case.
            "--force-utf8" => continue,
            _ => {}
        }
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(OsString::from(value))),
            None => (text, None),
        };
        let Some(option) = Arguments::OPTIONS.into_iter().find(|&option| option == name) else {
            return Err(UsageError::Unknown(argument));
        };
        let file = value.or_else(|| arguments.next()).unwrap_or_default();
        if file.is_empty() {
            return Err(UsageError::NoFile(option));
        }
        if parsed.file(option).replace(PathBuf::from(file)).is_some() {
            return Err(UsageError::Twice(option));
        }
    }
    if parsed.no_book && parsed.book.is_some() {
        return Err(UsageError::BookAndNoBook);
    }
    Ok(Task::Serve(parsed))
}

/// Opens the book and the database.
fn resources(arguments: &Arguments) -> Result<Resources, String> {
    let mut resources = Resources { no_book: arguments.no_book, ..Resources::default() };
    if let Some(path) = &arguments.book {
        let book = Book::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        resources.book = Some(book);
    }
    if let Some(path) = &arguments.database {
        resources.database = Some(database::open(path).map_err(|error| error.to_string())?);
    }
    Ok(resources)
}

/// The beginning of the first line of a log.
const LOG_TITLE: &str = "-- Tengen ";

/// Opens the log for appending, so that a restart by the manager does not erase its reason. Only a
/// log of this program is appended to. A terminal, a device or a pipe with a reader is accepted, too.
fn start_log(path: &Path) -> io::Result<()> {
    let existing = path.metadata().ok();
    if existing.as_ref().is_some_and(|existing| existing.is_file()) {
        let mut start = Vec::new();
        File::open(path)?.take(LOG_TITLE.len() as u64).read_to_end(&mut start)?;
        if !LOG_TITLE.as_bytes().starts_with(&start) {
            return Err(io::Error::other("the existing file is not a log of this program"));
        }
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    if existing.is_some_and(|existing| !existing.is_file()) {
        // A pipe without a reader, or with a slow one, must not stop the engine.
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    }
    let mut file = options.open(path)?;
    writeln!(file, "{LOG_TITLE}{}, process {}", env!("CARGO_PKG_VERSION"), std::process::id())?;
    let config = ConfigBuilder::new().set_time_format_rfc3339().build();
    // Write whole lines, except for very long ones, because two brains may share a file.
    WriteLogger::init(LevelFilter::Debug, config, LineWriter::new(file)).map_err(io::Error::other)
}

fn serve(resources: Resources) -> ExitCode {
    // Panics go to the log: some managers read stderr as answers, others never read it.
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    tengen::memory::prepare(second_output());
    match tengen::protocol::serve_with(io::stdin(), io::stdout(), resources) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// A second handle of standard output for the last line when memory is exhausted, because the first
/// one may be locked.
fn second_output() -> Option<File> {
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    #[cfg(any(unix, windows))]
    return handle.ok().map(File::from);
    #[cfg(not(any(unix, windows)))]
    None
}

/// Reports a bad argument or file; the session has not started yet.
fn fail(reason: impl fmt::Display) -> ExitCode {
    // Ignore a closed stderr.
    let _ = writeln!(io::stderr(), "pbrain-tengen: {reason}");
    ExitCode::from(2)
}

fn main() -> ExitCode {
    // A log that reaches the limit must not end the engine.
    tengen::file_size::report_limit_as_error();
    let arguments = match parse(std::env::args_os().skip(1)) {
        Ok(Task::Serve(arguments)) => arguments,
        Ok(Task::Help) => return print(HELP),
        Ok(Task::Version) => return print(concat!("tengen ", env!("CARGO_PKG_VERSION"), "\n")),
        Err(error) => return fail(error),
    };
    if let Some(path) = &arguments.log
        && let Err(error) = start_log(path)
    {
        return fail(format_args!("cannot write the log to {}: {error}", path.display()));
    }
    match resources(&arguments) {
        Ok(resources) => serve(resources),
        Err(error) => fail(error),
    }
}

fn print(text: &str) -> ExitCode {
    // Ignore a closed stdout.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Task, UsageError> {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn log_option_in_both_forms() {
        let files = || Arguments { log: Some(PathBuf::from("a b.log")), ..Arguments::default() };
        assert_eq!(parsed(&["--log", "a b.log"]), Ok(Task::Serve(files())));
        assert_eq!(parsed(&["--log=a b.log"]), Ok(Task::Serve(files())));
        assert_eq!(parsed(&[]), Ok(Task::Serve(Arguments::default())));
        let book = Arguments { book: Some(PathBuf::from("x=y.book")), ..files() };
        assert_eq!(parsed(&["--book=x=y.book", "--log", "a b.log"]), Ok(Task::Serve(book)));
        let no_book = Arguments { no_book: true, ..Arguments::default() };
        assert_eq!(parsed(&["--no-book"]), Ok(Task::Serve(no_book)));
        assert_eq!(parsed(&["--force-utf8"]), Ok(Task::Serve(Arguments::default())));
        assert_eq!(parsed(&["--log", "x", "-h"]), Ok(Task::Help));
        assert_eq!(parsed(&["--version"]), Ok(Task::Version));
    }

    #[test]
    fn other_arguments_are_rejected() {
        assert_eq!(parsed(&["--log"]), Err(UsageError::NoFile("--log")));
        assert_eq!(parsed(&["--book="]), Err(UsageError::NoFile("--book")));
        assert_eq!(parsed(&["--log", "a", "--log", "b"]), Err(UsageError::Twice("--log")));
        assert_eq!(parsed(&["--book", "a", "--no-book"]), Err(UsageError::BookAndNoBook));
        assert_eq!(parsed(&["--loog"]), Err(UsageError::Unknown("--loog".into())));
        let text = UsageError::Unknown("-x".into()).to_string();
        assert_eq!(text, "unexpected argument '-x', see --help");
    }
}
