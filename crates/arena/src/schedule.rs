//! Plays the games of a match on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::Context;

use super::contender::{Contender, Handling};
use super::game::{Conclusion, Terms, play};
use super::openings::Openings;
use super::pairing::Pairings;
use super::process::Failure;
use super::record::Record;
use super::seat::Seat;
use tengen::engine::StopSwitch;
use tengen_rules::types::{ByColor, Color};

/// Keeps the games of one seed apart from those of the next one: an odd number without a pattern
/// (the golden ratio as a 64-bit fraction).
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A match as it is to be played.
pub struct Plan {
    /// The engines.
    pub contenders: Vec<Contender>,
    /// What each gets besides the terms.
    pub handling: Vec<Handling>,
    /// Who plays whom in which game.
    pub pairings: Pairings,
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
    stop: StopSwitch,
    /// The seat of each engine, once it was needed.
    seats: Vec<Option<Seat>>,
}

impl Plan {
    /// Plays the games and hands each record to `received`, on this thread, until all are
    /// played or `stop` is pressed. Games then in progress are abandoned.
    ///
    /// # Errors
    /// When an engine cannot be started at all, or `received` fails.
    pub fn play(
        &self,
        stop: &StopSwitch,
        mut received: impl FnMut(Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let next = AtomicUsize::new(0);
        let (sender, results): (Sender<anyhow::Result<Record>>, Receiver<_>) = channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.min(self.games.len()) {
                let (sender, next, stop) = (sender.clone(), &next, stop.clone());
                scope.spawn(move || {
                    let seats = self.contenders.iter().map(|_| None).collect();
                    let mut table = Table { plan: self, stop, seats };
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
                    stop.press();
                }
            }
            outcome
        })
    }
}

impl Table<'_> {
    /// Plays one game; `None` when the match is being stopped.
    fn play(&mut self, game: usize) -> anyhow::Result<Option<Record>> {
        if self.stop.is_pressed() {
            return Ok(None);
        }
        let slot = self.plan.pairings.slot(game);
        // By colour, as in the slot.
        let engine = ByColor::new(slot.engines[0], slot.engines[1]);
        for color in Color::ALL {
            self.seat(engine[color])?;
        }
        let Ok(seats) = self.seats.get_disjoint_mut(slot.engines) else { return Ok(None) };
        let [Some(black), Some(white)] = seats else { return Ok(None) };
        let mut players = ByColor::new(black, white);
        let names = ByColor::from_fn(|color| self.plan.contenders[engine[color]].name.as_str());
        let info = ByColor::from_fn(|color| self.plan.handling[engine[color]].info.as_slice());
        let opening = self.plan.openings.of_pair(slot.opening);
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
            self.seats[engine[color]] = None;
        }
        if self.plan.fresh {
            self.clear();
        }
        Ok(Some(record))
    }

    /// Starts the engine with this number if it does not run.
    fn seat(&mut self, engine: usize) -> anyhow::Result<()> {
        if self.seats[engine].is_none() {
            let (contender, handling) =
                (&self.plan.contenders[engine], &self.plan.handling[engine]);
            let seat = Seat::take(contender, handling, self.stop.clone())
                .with_context(|| format!("cannot start {}", contender.command[0]))?;
            self.seats[engine] = Some(seat);
        }
        Ok(())
    }

    /// Dismisses the engines.
    fn clear(&mut self) {
        for player in self.seats.iter_mut().filter_map(Option::take) {
            player.dismiss();
        }
    }
}
