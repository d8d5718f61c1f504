//! What a match shows while it goes on: a line that is redrawn on a terminal, with the time that
//! is left; elsewhere a line every few seconds.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The progress of a match.
pub struct Display {
    /// On a terminal.
    bar: Option<ProgressBar>,
    interval: Duration,
    reported: Instant,
}

impl Display {
    /// A display of a match of which `played` games are known already; `total` is `None` where
    /// only a test ends it.
    pub fn new(seconds: u64, played: usize, total: Option<usize>) -> Display {
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
            // Games of an earlier run say nothing about the speed of this one.
            bar.reset_eta();
            bar
        });
        Display { bar, interval: Duration::from_secs(seconds), reported: Instant::now() }
    }

    /// Counts a game and shows how it stands.
    ///
    /// # Errors
    /// When the stream fails.
    pub fn show(
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

    /// Writes a line that stays.
    ///
    /// # Errors
    /// When the stream fails.
    pub fn say(&self, stream: &mut dyn Write, line: &str) -> io::Result<()> {
        match &self.bar {
            Some(bar) => bar.suspend(|| writeln!(stream, "{line}")),
            None => writeln!(stream, "{line}"),
        }
    }

    /// Takes the redrawn line away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
