//! The brain: speaks the Gomocup/Piskvork protocol on standard input and output.

use std::ffi::OsString;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, LineWriter, Write};
use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use simplelog::{ConfigBuilder, LevelFilter, WriteLogger};
use tengen::memory::ReserveAllocator;

#[global_allocator]
static ALLOCATOR: ReserveAllocator = ReserveAllocator(std::alloc::System);

const HELP: &str = "\
A Gomoku and Renju engine that speaks the Gomocup/Piskvork protocol on stdin and stdout

Usage: pbrain-tengen [OPTIONS]

Options:
      --log <FILE>  Append all input and output, and the time planned and used for each move, to
                    this file
  -h, --help        Print help
  -V, --version     Print version
";

/// The task given by the arguments.
#[derive(Debug, PartialEq, Eq)]
enum Task {
    /// Run a session, with an optional log.
    Serve(Option<PathBuf>),
    Help,
    Version,
}

/// An error in the arguments.
#[derive(Debug, PartialEq, Eq)]
enum UsageError {
    Unknown(OsString),
    NoFile,
    Twice,
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UsageError::Unknown(argument) => {
                write!(f, "unexpected argument '{}', see --help", argument.display())
            }
            UsageError::NoFile => f.write_str("--log needs the name of a file"),
            UsageError::Twice => f.write_str("--log is given twice"),
        }
    }
}

/// Parses the arguments after the program's name.
fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Task, UsageError> {
    let mut log = None;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let file = match argument.to_str() {
            Some("-h" | "--help") => return Ok(Task::Help),
            Some("-V" | "--version") => return Ok(Task::Version),
            Some("--log") => arguments.next().unwrap_or_default(),
            Some(text) if text.starts_with("--log=") => text["--log=".len()..].into(),
            _ => return Err(UsageError::Unknown(argument)),
        };
        if file.is_empty() {
            return Err(UsageError::NoFile);
        }
        if log.replace(PathBuf::from(file)).is_some() {
            return Err(UsageError::Twice);
        }
    }
    Ok(Task::Serve(log))
}

/// Opens the log for appending, so that a restart by the manager does not erase its reason.
fn start_log(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "-- Tengen {}, process {}", env!("CARGO_PKG_VERSION"), std::process::id())?;
    let config = ConfigBuilder::new().set_time_format_rfc3339().build();
    // Write whole lines, except for very long ones, because two brains may share a file.
    WriteLogger::init(LevelFilter::Debug, config, LineWriter::new(file)).map_err(io::Error::other)
}

fn serve() -> ExitCode {
    // Panics go to the log: some managers read stderr as answers, others never read it.
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    tengen::memory::prepare(second_output());
    match tengen::protocol::serve(io::stdin(), io::stdout()) {
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
    let log = match parse(std::env::args_os().skip(1)) {
        Ok(Task::Serve(log)) => log,
        Ok(Task::Help) => return print(HELP),
        Ok(Task::Version) => return print(concat!("tengen ", env!("CARGO_PKG_VERSION"), "\n")),
        Err(error) => return fail(error),
    };
    if let Some(path) = log
        && let Err(error) = start_log(&path)
    {
        return fail(format_args!("cannot write the log to {}: {error}", path.display()));
    }
    serve()
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
        let log = Ok(Task::Serve(Some(PathBuf::from("a b.log"))));
        assert_eq!(parsed(&["--log", "a b.log"]), log);
        assert_eq!(parsed(&["--log=a b.log"]), log);
        assert_eq!(parsed(&[]), Ok(Task::Serve(None)));
        assert_eq!(parsed(&["--log", "x", "-h"]), Ok(Task::Help));
        assert_eq!(parsed(&["--version"]), Ok(Task::Version));
    }

    #[test]
    fn other_arguments_are_rejected() {
        assert_eq!(parsed(&["--log"]), Err(UsageError::NoFile));
        assert_eq!(parsed(&["--log="]), Err(UsageError::NoFile));
        assert_eq!(parsed(&["--log", "a", "--log", "b"]), Err(UsageError::Twice));
        assert_eq!(parsed(&["--loog"]), Err(UsageError::Unknown("--loog".into())));
        let text = UsageError::Unknown("-x".into()).to_string();
        assert_eq!(text, "unexpected argument '-x', see --help");
    }
}
