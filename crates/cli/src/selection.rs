//! Which games of a file are read, and in which encoding.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::units;
use tengen_record::Encoding;

/// Which games of a file are read, and in which encoding.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Selection {
    /// Encoding of the input: utf-8, gbk, shift_jis, cp1251 or another; default: what the file
    /// states, UTF-8, or a guess that is named
    #[arg(long)]
    pub encoding: Option<Encoding>,
    /// Use only this game, counted from 1
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>(1..=u64::MAX))]
    pub game: Option<usize>,
    /// Leave out games that cannot be read, list them, and end with status 1
    #[arg(long)]
    pub skip_bad: bool,
}

/// Number of games left out by `--skip-bad`.
static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Whether `--skip-bad` left games out, so that the output is incomplete.
pub fn has_skipped() -> bool {
    SKIPPED.load(Ordering::Relaxed) > 0
}

/// Counts games that were left out.
pub fn count_skipped(games: usize) {
    SKIPPED.fetch_add(games, Ordering::Relaxed);
}

impl Selection {
    /// All games of files in this encoding.
    pub fn of_encoding(encoding: Option<Encoding>) -> Selection {
        Selection { encoding, ..Selection::default() }
    }

    /// The game if it is valid; `None`, with a note, if `--skip-bad` leaves it out.
    ///
    /// # Errors
    /// When the game is invalid and not left out; the message has its number and names the option.
    pub fn sound<T>(
        &self,
        number: usize,
        game: Result<T, impl Into<anyhow::Error>>,
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Option<T>> {
        match game.map_err(Into::<anyhow::Error>::into) {
            Ok(game) => Ok(Some(game)),
            Err(error) if self.skip_bad => {
                writeln!(notes, "{}: left out game {number}: {error:#}", path.display())?;
                count_skipped(1);
                Ok(None)
            }
            Err(error) => Err(error.context(format!("game {number} (see --skip-bad)"))),
        }
    }
}
