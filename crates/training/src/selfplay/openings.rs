//! Balanced openings, printed instead of games.

use std::io::Write;

use rayon::prelude::*;

use super::SelfplayRun;
use crate::play;
use tengen_cli::progress::progress_bar;
use tengen_rules::moves::MoveList;

impl SelfplayRun<'_> {
    /// Prints an opening for each number; `notes` states how many were left out.
    pub(super) fn openings(
        &self,
        end: u64,
        out: &mut dyn Write,
        notes: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let bar = progress_bar(self.args.games, "openings");
        let (mut next, mut left_out) = (self.args.first, 0);
        while next < end && !self.is_over() {
            // One opening for each thread, printed together.
            let stop = end.min(next.saturating_add(self.pool.current_num_threads() as u64));
            let openings: Vec<_> = self.pool.install(|| {
                let opening = |number| {
                    let stop = &self.interrupts.stop;
                    let opening = play::match_opening(&self.settings, number, stop);
                    bar.inc(1);
                    opening
                };
                (next..stop).into_par_iter().map(opening).collect()
            });
            for opening in openings.iter().map_while(Option::as_ref) {
                let moves: MoveList = opening.position.board().moves().collect();
                left_out += opening.left_out;
                bar.suspend(|| writeln!(out, "{moves}").and_then(|()| out.flush()))?;
            }
            next = stop;
        }
        bar.finish_and_clear();
        if let Some(note) = play::note_on_left_out(left_out) {
            writeln!(notes, "{note}")?;
        }
        Ok(())
    }
}
