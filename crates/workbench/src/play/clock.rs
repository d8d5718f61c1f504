//! The clock of a game: so much for the whole game, so much more after every move.

use std::time::{Duration, Instant};

use tengen_rules::types::{ByColor, Color};

/// A running clock.
#[derive(Clone, Debug)]
pub(super) struct GameClock {
    game: Duration,
    increment: Duration,
    left: ByColor<Duration>,
    since: Option<Instant>,
}

impl GameClock {
    /// A clock that nobody has used.
    pub(super) fn new(game: Duration, increment: Duration) -> GameClock {
        GameClock { game, increment, left: ByColor::new(game, game), since: None }
    }

    /// The same for a new game.
    pub(super) fn reset(&mut self) {
        *self = GameClock::new(self.game, self.increment);
    }

    /// It begins to run, unless it runs already.
    pub(super) fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Stops it for `color` without a move: what was used stays used.
    pub(super) fn pause(&mut self, color: Color) {
        if let Some(since) = self.since.take() {
            self.left[color] = self.left[color].saturating_sub(since.elapsed());
        }
    }

    /// `color` has moved.
    pub(super) fn moved(&mut self, color: Color) {
        self.pause(color);
        self.left[color] += self.increment;
    }

    /// Time that `color`, who is to move, still has.
    pub(super) fn left(&self, color: Color) -> Duration {
        let used = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.left[color].saturating_sub(used)
    }

    /// Time that either colour had when its last move was made.
    pub(super) fn shown(&self, color: Color) -> String {
        let seconds = self.left[color].as_secs();
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }

    /// Time added after a move.
    pub(super) fn increment(&self) -> Duration {
        self.increment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_for_one_side_and_adds_the_increment() {
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
