//! Who plays whom, and which game is which.

/// The pairings of a match and the order of its games.
///
/// Games 2n and 2n + 1 are a pair: the same two engines and the same opening with colours
/// swapped. Every opening goes through all pairings before the next one is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairings {
    list: Vec<[usize; 2]>,
}

/// A game, by what its number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Engines that have black and white, by number.
    pub engines: [usize; 2],
    /// Number of the opening.
    pub opening: usize,
}

impl Pairings {
    /// Everybody against everybody.
    pub fn round_robin(engines: usize) -> Pairings {
        let list = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        Pairings { list: list.collect() }
    }

    /// The first engine against each of the others.
    pub fn gauntlet(engines: usize) -> Pairings {
        Pairings { list: (1..engines).map(|other| [0, other]).collect() }
    }

    /// The pairings, each with the engine first that has black in the first game of a pair.
    pub fn list(&self) -> &[[usize; 2]] {
        &self.list
    }

    /// What the game with this number, from 0, is.
    pub fn slot(&self, game: usize) -> Slot {
        let pair = game / 2;
        let [first, second] = self.list[pair % self.list.len()];
        let engines = if game.is_multiple_of(2) { [first, second] } else { [second, first] };
        Slot { engines, opening: pair / self.list.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_engines_play_pair_after_pair() {
        let pairings = Pairings::round_robin(2);
        assert_eq!(pairings, Pairings::gauntlet(2));
        assert_eq!(pairings.slot(0), Slot { engines: [0, 1], opening: 0 });
        assert_eq!(pairings.slot(7), Slot { engines: [1, 0], opening: 3 });
    }

    #[test]
    fn everybody_meets_everybody_with_every_opening_and_colour() {
        let pairings = Pairings::round_robin(4);
        let mut slots: Vec<([usize; 2], usize)> = (0..24)
            .map(|game| pairings.slot(game))
            .map(|slot| (slot.engines, slot.opening))
            .collect();
        slots.sort();
        slots.dedup();
        assert_eq!(slots.len(), 24);
        assert!(slots.iter().all(|&([black, white], opening)| black != white && opening < 2));
        assert_eq!(Pairings::gauntlet(4).list(), [[0, 1], [0, 2], [0, 3]]);
    }
}
