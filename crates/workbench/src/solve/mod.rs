//! `tengen solve`: proves and shows forced wins, and lists the defences.

mod args;
mod output;
mod runner;
mod source;
#[cfg(test)]
mod tests;
mod text;

use std::io::Write;

use anyhow::ensure;

pub use args::Args;
use runner::Runner;
use source::Positions;
use tengen::engine::StopSwitch;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::journal::Journal;
use tengen_rules::game::Game;

/// Answers the question about one position, or about each position of a file. Ctrl-C stops the
/// search; the answers so far are printed.
///
/// # Errors
/// If a position is not playable, its game is over, the move to refute is illegal, or `out` cannot
/// be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(path) = &args.out {
        Journal::check_output(path, args.overwrite)?;
    }
    let input = Input::read(args, notes)?;
    answer_all(args, &input, out, notes, &stop_on_interrupt()?)
}

fn answer_all(
    args: &Args,
    input: &Input,
    out: &mut dyn Write,
    notes: &mut dyn Write,
    stop: &StopSwitch,
) -> anyhow::Result<()> {
    let runner = Runner { args, stop };
    match (input, &args.out) {
        (Input::One(game), _) => runner.one(game, out),
        (Input::Many(positions, has_files), None) => runner.many(positions, *has_files, out),
        (Input::Many(positions, _), Some(path)) => runner.many_to_file(positions, path, notes),
    }
}

/// The positions to solve.
enum Input {
    One(Box<Game>),
    /// The positions of files, and whether there are several files.
    Many(Positions, bool),
}

impl Input {
    fn read(args: &Args, notes: &mut dyn Write) -> anyhow::Result<Input> {
        let source = args.source.clone();
        if source.files.is_empty() {
            ensure!(!args.variations && args.out.is_none(), "--variations and --out need files");
            return Ok(Input::One(Box::new(source.position.game(notes)?)));
        }
        let is_json = args.json || args.out.is_some();
        ensure!(args.tree.is_none() || is_json, "--tree with files needs --json");
        let mut positions = match args.variations {
            true => Positions::of_trees(&source, notes)?,
            false => Positions::Listed(source::read(&source, notes)?),
        };
        if let Some(refuted) = &args.refute {
            positions.skip_failing(refuted, |game| args.question(game).map(drop), notes)?;
        }
        // The numbers of --game count the games of all files, also of those without a position.
        let has_files = source.game_files().paths()?.len() > 1;
        Ok(Input::Many(positions, has_files))
    }
}
