//! What an engine chooses in many positions.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;

use super::super::contender::{Contender, Handling};
use super::super::game::{NO_LIMIT, Terms, request};
use super::super::process::Failure;
use super::super::seat::{Seat, Turn};
use tengen::engine::StopSwitch;
use tengen_rules::game::Game;
use tengen_rules::moves::MoveList;
use tengen_rules::types::Point;

/// An answer to one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// A legal move; `None` where the engine failed to give one.
    pub(super) point: Option<Point>,
    pub(super) elapsed: Duration,
}

/// An engine that is asked.
pub(super) struct Asked<'a> {
    pub(super) engine: &'a Contender,
    pub(super) handling: &'a Handling,
    pub(super) terms: &'a Terms,
    pub(super) stop: &'a StopSwitch,
}

impl Asked<'_> {
    /// Its choices in the order of the positions, each from a new game; those after `stop` was
    /// pressed are missing moves.
    ///
    /// # Errors
    /// When the engine cannot be started.
    pub(super) fn choose_all(
        &self,
        positions: &[Game],
        threads: usize,
    ) -> anyhow::Result<Vec<Choice>> {
        let next = AtomicUsize::new(0);
        let work = || -> anyhow::Result<Vec<(usize, Choice)>> {
            let mut choices = Vec::new();
            let mut seat = self.seat()?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(game) = positions.get(number) else { break };
                if self.stop.is_pressed() {
                    break;
                }
                match self.choose(&mut seat, game, number) {
                    Ok(choice) => choices.push((number, choice)),
                    Err(Failure::Stopped) => break,
                    // Whatever state it is in, the next position deserves a sound process.
                    Err(_) => {
                        choices.push((number, Choice::default()));
                        std::mem::replace(&mut seat, self.seat()?).dismiss();
                    }
                }
            }
            seat.dismiss();
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
        let mut choices = vec![Choice::default(); positions.len()];
        for part in parts {
            part?.into_iter().for_each(|(number, choice)| choices[number] = choice);
        }
        Ok(choices)
    }

    fn seat(&self) -> anyhow::Result<Seat> {
        Seat::take(self.engine, self.handling, self.stop.clone())
            .with_context(|| format!("cannot start {}", self.engine.name))
    }

    /// # Errors
    /// When the engine gives no move in time.
    fn choose(&self, seat: &mut Seat, game: &Game, number: usize) -> Result<Choice, Failure> {
        seat.start_game(self.terms, &self.handling.info, number as u64)?;
        let moves = MoveList::of(game);
        let turn = Turn {
            lines: &request(&moves, true, NO_LIMIT),
            position: game.position(),
            left: None,
            limit: Duration::from_millis(self.terms.turn.saturating_add(self.terms.tolerance)),
        };
        let (at, elapsed) = seat.ask_move(self.terms, &turn)?;
        Ok(Choice { point: game.check(at).ok(), elapsed })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::fixtures::terms;
    use tengen_rules::types::Rule;

    /// Says where it would play by whether the whole game has time left.
    const SCRIPT: &str = r#"
while read -r word what number; do
  case $word in
    START) echo OK ;;
    INFO) [ "$what" != time_left ] || left=$number ;;
    BEGIN|DONE) if [ "$left" -gt 1000000 ]; then echo 1,1; else echo 2,2; fi ;;
    END) exit ;;
  esac
done"#;

    #[test]
    fn an_engine_has_a_turns_time_and_no_games() {
        let command = ["sh", "-c", SCRIPT].map(str::to_string).to_vec();
        let engine = Contender { name: "a".into(), command, inside: None };
        let size = "15".parse().unwrap();
        let terms = terms(size);
        let (handling, stop) = (Handling::default(), StopSwitch::new());
        let asked = Asked { engine: &engine, handling: &handling, terms: &terms, stop: &stop };
        let choices = asked.choose_all(&[Game::new(size, Rule::Freestyle)], 1).unwrap();
        assert_eq!(choices[0].point, Some("1,1".parse().unwrap()));
    }
}
