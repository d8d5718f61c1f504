//! The moves of an engine in many positions.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;

use super::super::engine_spec::{EngineSettings, EngineSpec};
use super::super::game::{GameSettings, UNLIMITED_MS, request_lines};
use super::super::player::{MatchPlayer, MoveRequest};
use super::super::process::EngineFailure;
use tengen::engine::StopSwitch;
use tengen_cli::progress::progress_bar;
use tengen_rules::game::Game;
use tengen_rules::moves::MoveList;
use tengen_rules::types::Point;

/// The move of an engine in one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveChoice {
    /// `None` when the engine gave no legal move.
    pub(super) point: Option<Point>,
    pub(super) elapsed: Duration,
}

/// An engine and the conditions under which it chooses.
pub(super) struct ChoiceQuery<'a> {
    pub(super) engine: &'a EngineSpec,
    pub(super) settings: &'a EngineSettings,
    pub(super) game_settings: &'a GameSettings,
    pub(super) stop: &'a StopSwitch,
}

impl ChoiceQuery<'_> {
    /// The moves in the order of the positions, each in a new game; `None` for positions that were not
    /// answered before `stop` was pressed.
    ///
    /// # Errors
    /// When the engine cannot be started.
    pub(super) fn choose_all(
        &self,
        positions: &[Game],
        threads: usize,
    ) -> anyhow::Result<Vec<Option<MoveChoice>>> {
        let next = AtomicUsize::new(0);
        let bar = progress_bar(positions.len() as u64, "moves");
        let work = || -> anyhow::Result<Vec<(usize, MoveChoice)>> {
            let mut choices = Vec::new();
            let mut player = self.start()?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(game) = positions.get(number) else { break };
                if self.stop.is_pressed() {
                    break;
                }
                bar.inc(1);
                match self.choose(&mut player, game, number) {
                    Ok(choice) => choices.push((number, choice)),
                    Err(EngineFailure::Stopped) => break,
                    // The next position gets a new process.
                    Err(_) => {
                        choices.push((number, MoveChoice::default()));
                        std::mem::replace(&mut player, self.start()?).quit();
                    }
                }
            }
            player.quit();
            Ok(choices)
        };
        let parts: Vec<anyhow::Result<_>> = thread::scope(|scope| {
            let workers: Vec<_> =
                (0..threads.min(positions.len())).map(|_| scope.spawn(work)).collect();
            let join = |worker: thread::ScopedJoinHandle<'_, _>| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            workers.into_iter().map(join).collect()
        });
        bar.finish_and_clear();
        let mut choices = vec![None; positions.len()];
        for part in parts {
            part?.into_iter().for_each(|(number, choice)| choices[number] = Some(choice));
        }
        Ok(choices)
    }

    fn start(&self) -> anyhow::Result<MatchPlayer> {
        MatchPlayer::start(self.engine, self.settings, self.stop.clone())
            .with_context(|| format!("cannot start {}", self.engine.name))
    }

    /// # Errors
    /// When the engine gives no move in time.
    fn choose(
        &self,
        player: &mut MatchPlayer,
        game: &Game,
        number: usize,
    ) -> Result<MoveChoice, EngineFailure> {
        player.start_game(self.game_settings, &self.settings.info, number as u64)?;
        let moves = MoveList::of(game);
        let request = MoveRequest {
            lines: &request_lines(&moves, true, UNLIMITED_MS),
            position: game.position(),
            left: None,
            limit: Duration::from_millis(
                self.game_settings.turn.saturating_add(self.game_settings.tolerance),
            ),
        };
        let (at, elapsed) = player.request_move(self.game_settings, &request)?;
        Ok(MoveChoice { point: game.check(at).ok(), elapsed })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::fixtures::game_settings;
    use tengen_rules::types::Rule;

    /// The move of this engine depends on the time left for the game.
    const SCRIPT: &str = r#"
while read -r word what number; do
  case $word in
    START) echo OK ;;
    INFO) [ "$what" != time_left ] || left=$number ;;
    BEGIN|DONE) if [ "$left" -gt 1000000 ]; then echo 1,1; else echo 2,2; fi ;;
    END) exit ;;
  esac
done"#;

    /// The choice of an engine on an empty board.
    fn choices(engine: &EngineSpec, stop: &StopSwitch) -> Vec<Option<MoveChoice>> {
        let size = "15".parse().unwrap();
        let game_settings = game_settings(size);
        let settings = EngineSettings::default();
        let query =
            ChoiceQuery { engine, settings: &settings, game_settings: &game_settings, stop };
        query.choose_all(&[Game::new(size, Rule::Freestyle)], 1).unwrap()
    }

    #[test]
    fn time_left_is_unlimited() {
        let command = ["sh", "-c", SCRIPT].map(str::to_string).to_vec();
        let engine = EngineSpec { name: "a".into(), command, built_in: None };
        let choices = choices(&engine, &StopSwitch::new());
        assert_eq!(choices[0].unwrap().point, Some("1,1".parse().unwrap()));
    }

    /// An engine that was not asked has not failed.
    #[test]
    fn positions_after_a_stop_have_no_choice() {
        let engine: EngineSpec = "bot:random".parse().unwrap();
        let stop = StopSwitch::new();
        stop.press();
        assert_eq!(choices(&engine, &stop), [None]);
    }
}
