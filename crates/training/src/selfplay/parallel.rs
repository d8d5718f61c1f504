//! Games played in parallel and returned in the order of their numbers.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::{Interrupts, SelfplayRun};
use crate::play;
use crate::training_game::TrainingGame;
use tengen_rules::types::counted;

impl SelfplayRun<'_> {
    /// Plays games in parallel, begun in the order of their numbers. Returns the games without a gap:
    /// after an interruption those are finished that later finished ones wait for.
    pub(super) fn play_games(
        &self,
        numbers: Range<u64>,
        bar: &ProgressBar,
    ) -> anyhow::Result<Vec<TrainingGame>> {
        let next = AtomicU64::new(numbers.start);
        let finished = Mutex::new(BTreeMap::new());
        let Interrupts { stop, hurry } = self.interrupts;
        self.pool.broadcast(|_| {
            while !self.is_over() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= numbers.end {
                    break;
                }
                if let Some(game) = play::play(&self.settings, number, stop) {
                    lock(&finished).insert(number, game);
                    bar.inc(1);
                }
            }
        });
        let newest = lock(&finished).last_key_value().map_or(numbers.start, |(&number, _)| number);
        let is_missing = |number: &u64| !lock(&finished).contains_key(number);
        let missing: Vec<u64> = (numbers.start..newest).filter(is_missing).collect();
        if !missing.is_empty() {
            let note =
                format!("finishing {}; Ctrl-C leaves them out", counted(missing.len(), "game"));
            bar.println(note);
            self.pool.install(|| {
                missing.into_par_iter().with_max_len(1).for_each(|number| {
                    if let Some(game) = play::play(&self.settings, number, hurry) {
                        lock(&finished).insert(number, game);
                        bar.inc(1);
                    }
                });
            });
        }
        let finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
        let in_turn =
            numbers.zip(finished).take_while(|(expected, (number, _))| expected == number);
        Ok(in_turn.map(|(_, (_, game))| game).collect())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
