//! The engines and the opening of each game.

/// The pairings of a match and the order of its games.
///
/// Games 2n and 2n + 1 are a pair: the same two engines and the same opening with colours
/// swapped. All pairings play an opening before the next opening is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairings {
    list: Vec<[usize; 2]>,
}

/// The engines and the opening of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScheduledGame {
    /// The engines that play black and white, by number.
    pub(super) engines: [usize; 2],
    /// Number of the opening.
    pub(super) opening: usize,
}

impl Pairings {
    /// Every engine against every other engine.
    pub fn round_robin(engines: usize) -> Pairings {
        let list = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        Pairings { list: list.collect() }
    }

    /// The first engine against each of the others.
    pub fn gauntlet(engines: usize) -> Pairings {
        Pairings { list: (1..engines).map(|other| [0, other]).collect() }
    }

    /// The pairings; the first engine plays black in the first game of a pair.
    pub fn list(&self) -> &[[usize; 2]] {
        &self.list
    }

    /// The engines and the opening of the game with this number, counted from 0.
    pub(super) fn scheduled(&self, game: usize) -> ScheduledGame {
        let pair = game / 2;
        let [first, second] = self.list[pair % self.list.len()];
        let engines = if game.is_multiple_of(2) { [first, second] } else { [second, first] };
        ScheduledGame { engines, opening: pair / self.list.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_engines_play_pairs_in_order() {
        let pairings = Pairings::round_robin(2);
        assert_eq!(pairings, Pairings::gauntlet(2));
        assert_eq!(pairings.scheduled(0), ScheduledGame { engines: [0, 1], opening: 0 });
        assert_eq!(pairings.scheduled(7), ScheduledGame { engines: [1, 0], opening: 3 });
    }

    #[test]
    fn round_robins_play_every_opening_with_both_colours() {
        let pairings = Pairings::round_robin(4);
        let mut slots: Vec<([usize; 2], usize)> = (0..24)
            .map(|game| pairings.scheduled(game))
            .map(|scheduled| (scheduled.engines, scheduled.opening))
            .collect();
        slots.sort();
        slots.dedup();
        assert_eq!(slots.len(), 24);
        assert!(slots.iter().all(|&([black, white], opening)| black != white && opening < 2));
        assert_eq!(Pairings::gauntlet(4).list(), [[0, 1], [0, 2], [0, 3]]);
    }
}
