//! Prints the answers, or writes them to a file that an interrupted run continues.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;

use super::runner::Runner;
use super::source::{Entry, Positions};
use super::text;
use tengen_cli::atomic_file;
use tengen_cli::journal::Journal;
use tengen_cli::printable::printable;
use tengen_cli::progress::{progress_bar, timed_spinner};
use tengen_rules::game::Game;
use tengen_rules::types::counted;
use tengen_study::solve::{Answer, Question};

impl Runner<'_> {
    /// Prints the answer about one position.
    pub(super) fn one(self, game: &Game, out: &mut dyn Write) -> anyhow::Result<()> {
        let bar = match self.args.question(game)? {
            // Each has limits of its own.
            Question::All | Question::Defend { .. } => {
                progress_bar(game.legal_moves().count() as u64, "moves")
            }
            _ => timed_spinner("solving", self.args.time_limit()),
        };
        let answer = self.answer(game, |_| bar.inc(1))?;
        bar.finish_and_clear();
        if self.args.json {
            writeln!(out, "{}", serde_json::to_string(&answer.solution(game))?)?;
        } else {
            text::write(&answer, game, self.args.stones, out)?;
        }
        Ok(())
    }

    /// Prints one line for each position in the order of the file, then the totals. `has_files` adds
    /// the names of the files.
    pub(super) fn many(
        self,
        positions: &Positions,
        has_files: bool,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let begun = Instant::now();
        let bar = progress_bar(positions.len() as u64, "positions");
        let mut totals = text::Totals::default();
        self.answers(positions, 0, |entry, answer| {
            totals.add(&answer);
            let line = self.line(entry, has_files, &answer)?;
            // Flush before the progress bar is drawn again.
            bar.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
        if !self.args.json {
            writeln!(out, "{totals}, {:.1} s", begun.elapsed().as_secs_f64())?;
        }
        Ok(())
    }

    /// Writes a JSON object for each position to a file, after those of an interrupted run.
    pub(super) fn many_to_file(
        self,
        positions: &Positions,
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let (header, overwrite) = (self.args.header(positions)?, self.args.overwrite);
        let (mut journal, mut lines) = Journal::open::<String>(path, &header, overwrite)?;
        let (known, all) = (lines.len(), positions.len());
        let bar = progress_bar(all as u64, "positions");
        bar.set_position(known as u64);
        self.answers(positions, known, |entry, answer| {
            // An interrupted search has no answer.
            if self.stop.is_pressed() {
                return Ok(());
            }
            let solution = entry.solution(&answer);
            let line = serde_json::to_string(&solution)?;
            journal.append(&line)?;
            lines.push(line);
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
        let is_complete = lines.len() >= all;
        let text = lines.iter().fold(String::new(), |text, line| text + line + "\n");
        atomic_file::write(path, text.as_bytes()).with_context(|| path.display().to_string())?;
        let count = counted(lines.len() - known, "position");
        if !is_complete {
            let left = all - lines.len();
            writeln!(notes, "solved {count}; left: {left}; the same command continues")?;
            return Ok(());
        }
        writeln!(notes, "solved {count}; known before: {known}")?;
        journal.remove()
    }

    /// The output line of a position of a file, with the name of the file if there are several.
    fn line(self, entry: &Entry, has_files: bool, answer: &Answer) -> serde_json::Result<String> {
        if self.args.json {
            return serde_json::to_string(&entry.solution(answer));
        }
        let name = entry.name(has_files);
        let answer = text::one_line(answer, &entry.game, self.args.stones);
        Ok(format!("{}: {answer}", printable(&name)))
    }
}
