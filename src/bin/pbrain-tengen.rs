//! The brain: speaks the Gomocup/Piskvork protocol on standard input and output.

use std::fs::File;
use std::io;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use simplelog::{Config, LevelFilter, WriteLogger};

/// A Gomoku and Renju engine that speaks the Gomocup/Piskvork protocol on stdin and stdout.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    /// Write what is read and printed, and the time planned and used for each move, to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

fn start_log(path: &Path) -> anyhow::Result<()> {
    let file = File::create(path)
        .with_context(|| format!("cannot write the log to {}", path.display()))?;
    WriteLogger::init(LevelFilter::Debug, Config::default(), file)?;
    Ok(())
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    if let Some(path) = &arguments.log {
        start_log(path)?;
    }
    // Some managers take what appears on stderr for an answer, others never empty its pipe.
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    Ok(match tengen::protocol::serve(io::stdin(), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    })
}
