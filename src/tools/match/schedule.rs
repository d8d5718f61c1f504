//! Plays the games of a match on several threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::Context;

use super::contender::{Contender, Handling};
use super::game::{Conclusion, Terms, play};
use super::openings::Openings;
use super::player::Failure;
use super::record::Record;
use super::seat::Seat;
use crate::types::{ByColor, Color};

/// Keeps the games of one seed apart from those of the next one: an odd number without a pattern
/// (the golden ratio as a 64-bit fraction).
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A match as it is to be played.
pub struct Plan {
    /// The engines; the first has black in even games.
    pub contenders: [Contender; 2],
    /// What each gets besides the terms.
    pub handling: [Handling; 2],
    /// What players of this program draw from.
    pub seed: u64,
    /// Limits of every game.
    pub terms: Terms,
    /// Start positions.
    pub openings: Openings,
    /// Numbers of the games to play, in this order.
    pub games: Vec<usize>,
    /// Games at the same time.
    pub concurrency: usize,
    /// Whether each game gets processes of its own.
    pub fresh: bool,
}

/// The engine processes of one thread.
struct Table<'a> {
    plan: &'a Plan,
    stop: Arc<AtomicBool>,
    seats: [Option<Seat>; 2],
}

impl Plan {
    /// Plays the games and hands each record to `received`, on this thread, until all are
    /// played or `stop` becomes true. Games then in progress are abandoned.
    ///
    /// # Errors
    /// When an engine cannot be started at all, or `received` fails.
    pub fn play(
        &self,
        stop: &Arc<AtomicBool>,
        mut received: impl FnMut(Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let next = AtomicUsize::new(0);
        let (sender, results): (Sender<anyhow::Result<Record>>, Receiver<_>) = channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.min(self.games.len()) {
                let (sender, next, stop) = (sender.clone(), &next, Arc::clone(stop));
                scope.spawn(move || {
                    let mut table = Table { plan: self, stop, seats: [None, None] };
                    while let Some(&game) = self.games.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(result) = table.play(game).transpose() else { break };
                        let broken = result.is_err();
                        // Nobody listens once the match is over.
                        if sender.send(result).is_err() || broken {
                            break;
                        }
                    }
                    table.clear();
                });
            }
            drop(sender);
            let mut outcome = Ok(());
            for result in results {
                outcome = outcome.and_then(|()| received(result?));
                if outcome.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            outcome
        })
    }
}

impl Table<'_> {
    /// Plays one game; `None` when the match is being stopped.
    fn play(&mut self, game: usize) -> anyhow::Result<Option<Record>> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let engines = self.plan.contenders.iter().zip(&self.plan.handling);
        for (seat, (contender, handling)) in self.seats.iter_mut().zip(engines) {
            if seat.is_none() {
                let taken = Seat::take(contender, handling, Arc::clone(&self.stop))
                    .with_context(|| format!("cannot start {}", contender.command[0]))?;
                *seat = Some(taken);
            }
        }
        let [Some(first), Some(second)] = &mut self.seats else { return Ok(None) };
        let first_is_black = game.is_multiple_of(2);
        // Colour of seat 0, then seat by colour.
        let by_color = |color: Color| usize::from((color == Color::White) == first_is_black);
        let mut players =
            if first_is_black { ByColor::new(first, second) } else { ByColor::new(second, first) };
        let names = ByColor::from_fn(|color| self.plan.contenders[by_color(color)].name.as_str());
        let info = ByColor::from_fn(|color| self.plan.handling[by_color(color)].info.as_slice());
        let opening = self.plan.openings.of_pair(game / 2);
        // Other draws in every game, the same ones whenever the match is played again.
        let seed = self.plan.seed.wrapping_mul(SEED_STEP).wrapping_add(2 * game as u64);
        let Ok(played) = play(&self.plan.terms, &opening, &mut players, &info, seed) else {
            return Ok(None);
        };
        let mut record = Record::new(game, &names, opening.0.len(), &played);
        if let Some(offender) = played.conclusion.offender() {
            record.last_lines = players[offender].last_lines();
        }
        if let Conclusion::Failed(color, failure) = played.conclusion {
            debug_assert_ne!(failure, Failure::Stopped);
            // Whatever it is doing now must not reach the next game.
            self.seats[by_color(color)] = None;
        }
        if self.plan.fresh {
            self.clear();
        }
        Ok(Some(record))
    }

    /// Dismisses the engines.
    fn clear(&mut self) {
        for player in self.seats.iter_mut().filter_map(Option::take) {
            player.dismiss();
        }
    }
}
