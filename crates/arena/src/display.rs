//! Progress of a match: a redrawn line with the remaining time on a terminal, else a line every few
//! seconds.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The progress of a match.
pub struct ProgressDisplay {
    /// `None` when standard error is not a terminal.
    bar: Option<ProgressBar>,
    interval: Duration,
    reported: Instant,
}

impl ProgressDisplay {
    /// The display of a match of which `played` games are already known; `total` is `None` if only
    /// a test ends the match.
    pub fn new(interval: Duration, played: usize, total: Option<usize>) -> ProgressDisplay {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = match total {
                Some(total) => ProgressBar::new(total as u64),
                None => ProgressBar::no_length(),
            };
            let template = match total {
                Some(_) => "{pos}/{len} games, {eta} left  {wide_msg}",
                None => "{pos} games, {elapsed}  {wide_msg}",
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_position(played as u64);
            // Games of an earlier run do not count for the speed of this one.
            bar.reset_eta();
            bar
        });
        ProgressDisplay { bar, interval, reported: Instant::now() }
    }

    /// Counts a game and shows the standings.
    ///
    /// # Errors
    /// When the stream fails.
    pub fn update(
        &mut self,
        stream: &mut dyn Write,
        line: impl FnOnce() -> String,
    ) -> io::Result<()> {
        if let Some(bar) = &self.bar {
            bar.inc(1);
            bar.set_message(line());
        } else if self.reported.elapsed() >= self.interval {
            self.reported = Instant::now();
            writeln!(stream, "{}", line())?;
        }
        Ok(())
    }

    /// Prints a permanent line.
    ///
    /// # Errors
    /// When the stream fails.
    pub fn print_line(&self, stream: &mut dyn Write, line: &str) -> io::Result<()> {
        match &self.bar {
            Some(bar) => bar.suspend(|| writeln!(stream, "{line}")),
            None => writeln!(stream, "{line}"),
        }
    }

    /// Removes the redrawn line.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
