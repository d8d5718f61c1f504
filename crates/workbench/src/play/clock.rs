//! The clock of a game: time for the whole game and an increment for each move.

use std::time::{Duration, Instant};

use tengen_rules::types::{ByColor, Color};

/// A game clock for both colours.
#[derive(Clone, Debug)]
pub(super) struct GameClock {
    game: Duration,
    increment: Duration,
    left: ByColor<Duration>,
    since: Option<Instant>,
}

impl GameClock {
    /// A clock with the full time.
    pub(super) fn new(game: Duration, increment: Duration) -> GameClock {
        GameClock { game, increment, left: ByColor::new(game, game), since: None }
    }

    /// Resets the clock to the full time.
    pub(super) fn reset(&mut self) {
        *self = GameClock::new(self.game, self.increment);
    }

    /// Starts the clock if it is stopped.
    pub(super) fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Stops the clock and subtracts the used time from that of `color`.
    pub(super) fn pause(&mut self, color: Color) {
        if let Some(since) = self.since.take() {
            self.left[color] = self.left[color].saturating_sub(since.elapsed());
        }
    }

    /// Stops the clock after a move of `color` and adds the increment.
    pub(super) fn moved(&mut self, color: Color) {
        self.pause(color);
        self.left[color] += self.increment;
    }

    /// Time left for `color`, which is to move.
    pub(super) fn left(&self, color: Color) -> Duration {
        let used = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.left[color].saturating_sub(used)
    }

    /// Time left for `color` when the clock was last stopped, as `minutes:seconds`.
    pub(super) fn shown(&self, color: Color) -> String {
        let seconds = self.left[color].as_secs();
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }

    /// The time for the whole game.
    pub(super) fn game(&self) -> Duration {
        self.game
    }

    /// The increment for each move.
    pub(super) fn increment(&self) -> Duration {
        self.increment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_charges_the_mover_and_adds_the_increment() {
        let second = Duration::from_secs(1);
        let mut clock = GameClock::new(60 * second, 5 * second);
        clock.start();
        clock.moved(Color::Black);
        assert!(clock.left(Color::Black) > 64 * second);
        assert_eq!(clock.left(Color::White), 60 * second);
        assert_eq!(clock.shown(Color::White), "1:00");
        clock.reset();
        assert_eq!(clock.left(Color::Black), 60 * second);
        let mut over = GameClock::new(Duration::ZERO, Duration::ZERO);
        over.start();
        over.pause(Color::Black);
        assert!(over.left(Color::Black).is_zero());
    }
}
