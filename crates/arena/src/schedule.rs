//! Plays the games of a match on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::Context;

use super::engine_spec::{EngineSettings, EngineSpec};
use super::game::{GameSettings, Side, Start, Termination, play};
use super::match_file::MatchGame;
use super::opening_book::OpeningBook;
use super::pairing::Pairings;
use super::player::MatchPlayer;
use super::process::EngineFailure;
use tengen::engine::StopSwitch;
use tengen_rules::types::ByColor;

/// Separates the games of consecutive seeds: an odd number without a pattern (the golden ratio as a
/// 64-bit fraction).
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A match to play.
pub struct MatchPlan {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// The settings of each engine.
    pub settings: Vec<EngineSettings>,
    /// Which engines play which game.
    pub pairings: Pairings,
    /// Seed of the random numbers of players of this program.
    pub seed: u64,
    /// Rule, board, clocks and limits.
    pub game_settings: GameSettings,
    /// Start positions; not used with `swap2`.
    pub openings: OpeningBook,
    /// Whether the engines choose openings and colours by swap2.
    pub swap2: bool,
    /// Numbers of the games to play, in this order.
    pub games: Vec<usize>,
    /// Number of games played in parallel.
    pub concurrency: usize,
    /// Whether each game starts new processes.
    pub fresh: bool,
}

/// A thread with its engine processes.
struct Worker<'a> {
    plan: &'a MatchPlan,
    stop: StopSwitch,
    /// The players that have been started, by engine.
    players: Vec<Option<MatchPlayer>>,
}

impl MatchPlan {
    /// Plays the games and passes each finished game to `received` on this thread, until all games
    /// are played or `stop` is pressed. Games in progress are then abandoned.
    ///
    /// # Errors
    /// When an engine cannot be started, or `received` fails.
    pub fn play(
        &self,
        stop: &StopSwitch,
        mut received: impl FnMut(MatchGame) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let next = AtomicUsize::new(0);
        let (sender, results): (Sender<anyhow::Result<MatchGame>>, Receiver<_>) = channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.min(self.games.len()) {
                let (sender, next, stop) = (sender.clone(), &next, stop.clone());
                scope.spawn(move || {
                    let players = self.engines.iter().map(|_| None).collect();
                    let mut worker = Worker { plan: self, stop, players };
                    while let Some(&game) = self.games.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(result) = worker.play(game).transpose() else { break };
                        let broken = result.is_err();
                        // The receiver is gone once the match is over.
                        if sender.send(result).is_err() || broken {
                            break;
                        }
                    }
                    worker.quit_all();
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

impl Worker<'_> {
    /// Plays one game; `None` when the match is being stopped.
    fn play(&mut self, game: usize) -> anyhow::Result<Option<MatchGame>> {
        if self.stop.is_pressed() {
            return Ok(None);
        }
        let scheduled = self.plan.pairings.scheduled(game);
        for engine in scheduled.engines {
            self.start(engine)?;
        }
        let Ok(players) = self.players.get_disjoint_mut(scheduled.engines) else { return Ok(None) };
        let [Some(first), Some(second)] = players else { return Ok(None) };
        let side = |player, engine: usize| {
            let engine = &self.plan.settings[engine];
            let settings = engine.limits.apply(&self.plan.game_settings);
            Side { player, settings, info: &engine.info }
        };
        let [one, other] = scheduled.engines;
        let sides = [side(first, one), side(second, other)];
        let opening = self.plan.openings.of_pair(scheduled.opening);
        let start = if self.plan.swap2 { Start::Swap2 } else { Start::Moves(&opening) };
        // Different for every game, but equal if the match is repeated.
        let seed = self.plan.seed.wrapping_mul(SEED_STEP).wrapping_add(2 * game as u64);
        let Ok(played) = play(start, sides, seed) else { return Ok(None) };
        let is_swapped = played.swap2.as_ref().is_some_and(|swap2| swap2.is_swapped);
        let engine = if is_swapped { ByColor::new(other, one) } else { ByColor::new(one, other) };
        let names = ByColor::from_fn(|color| self.plan.engines[engine[color]].name.as_str());
        let mut record = MatchGame::new(game, &names, &played);
        let failed = match played.termination {
            Termination::Failed(color, failure) => Some((color, failure)),
            _ => None,
        };
        debug_assert!(failed.is_none_or(|(_, failure)| failure != EngineFailure::Stopped));
        if let Some(color) = played.termination.offender()
            && let Some(player) = &mut self.players[engine[color]]
        {
            let has_crashed = failed.is_some_and(|(_, failure)| failure == EngineFailure::Crash);
            record.add_details(player.failure_details(has_crashed));
        }
        if let Some((color, _)) = failed {
            // A late answer must not reach the next game.
            self.players[engine[color]] = None;
        }
        if self.plan.fresh {
            self.quit_all();
        }
        Ok(Some(record))
    }

    /// Starts the engine with this number if it does not run.
    fn start(&mut self, engine: usize) -> anyhow::Result<()> {
        if self.players[engine].is_none() {
            let (spec, settings) = (&self.plan.engines[engine], &self.plan.settings[engine]);
            let player = MatchPlayer::start(spec, settings, self.stop.clone())
                .with_context(|| format!("cannot start {}", spec.command[0]))?;
            self.players[engine] = Some(player);
        }
        Ok(())
    }

    /// Ends the engines.
    fn quit_all(&mut self) {
        MatchPlayer::quit_all(self.players.iter_mut().filter_map(Option::take));
    }
}
