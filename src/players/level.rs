//! The levels, from first steps to full strength.

use super::sight::Sight;

/// What a player of a level can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// What is overlooked.
    pub sight: Sight,
    /// Cells from the nearest stone: no move farther away comes to mind.
    pub reach: u8,
    /// Temperature of a move that is felt, over the move scores (natural logarithms of odds): 1
    /// plays by them as they are, more plays more at random.
    pub whim: f32,
    /// Nodes that may be visited for a move; 0 for a player who does not read ahead.
    pub nodes: u64,
    /// Plies of the last iteration.
    pub depth: u32,
    /// Temperature of a move that is read, over the scores of the search (points): the two best
    /// moves are compared.
    pub doubt: f32,
}

/// A level of play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Its name on the command line.
    pub name: &'static str,
    /// Elo in freestyle on 15x15, counted from the lowest level; `None` at full strength, which
    /// depends on the time it is given.
    pub freestyle: Option<i32>,
    /// The same in renju.
    pub renju: Option<i32>,
    /// What it can do; `None` for the untouched search.
    pub skill: Option<Skill>,
}

/// A player who does not read ahead: what is overlooked, how far away it plays, the temperature.
const fn feels(overlooked: [f32; 4], reach: u8, whim: f32) -> Option<Skill> {
    Some(Skill { sight: sight(overlooked), reach, whim, nodes: 0, depth: 0, doubt: 0.0 })
}

/// A player who reads ahead, and plays by feeling where what it overlooked decides.
const fn reads(overlooked: [f32; 4], nodes: u64, depth: u32, doubt: f32) -> Option<Skill> {
    let (reach, whim) = (u8::MAX, 0.4);
    Some(Skill { sight: sight(overlooked), reach, whim, nodes, depth, doubt })
}

const fn sight([five, straight_four, four, three]: [f32; 4]) -> Sight {
    Sight { five, straight_four, four, three }
}

const fn level(name: &'static str, elo: Option<(i32, i32)>, skill: Option<Skill>) -> Level {
    let (freestyle, renju) = match elo {
        Some((freestyle, renju)) => (Some(freestyle), Some(renju)),
        None => (None, None),
    };
    Level { name, freestyle, renju, skill }
}

/// Every level, from the weakest to full strength. Each beat the one before it by 150 to 300
/// Elo; the README has the table of the games.
#[rustfmt::skip]
pub static LEVELS: [Level; 13] = [
    level("first-steps", Some((0, 0)),         feels([5.0, 95.0, 98.0, 98.0], 3, 30.0)),
    level("beginner",    Some((240, 220)),     feels([4.0, 84.0, 94.0, 94.0], 2, 8.0)),
    level("novice",      Some((440, 460)),     feels([3.0, 64.0, 84.0, 82.0], 2, 3.4)),
    level("learner",     Some((640, 670)),     feels([2.0, 47.0, 70.0, 67.0], 2, 2.2)),
    level("casual",      Some((820, 910)),     feels([1.5, 30.0, 55.0, 51.0], 2, 1.55)),
    level("regular",     Some((1040, 1190)),   feels([1.0, 12.0, 33.0, 26.0], 2, 0.9)),
    level("club",        Some((1240, 1410)),   feels([0.2, 1.5, 6.0, 5.0], 2, 0.3)),
    level("strong",      Some((1510, 1700)),   reads([0.2, 1.4, 5.8, 4.8], 260, 4, 60.0)),
    level("expert",      Some((1690, 1920)),   reads([0.1, 0.4, 2.5, 2.0], 800, 5, 24.0)),
    level("master",      Some((1900, 2160)),   reads([0.0, 0.2, 1.2, 0.8], 1_800, 6, 16.0)),
    level("grandmaster", Some((2170, 2360)),   reads([0.0, 0.1, 0.6, 0.4], 3_800, 8, 13.0)),
    level("champion",    Some((2430, 2610)),   reads([0.0, 0.0, 0.0, 0.0], 9_000, 12, 8.0)),
    level("full",        None,               None),
];

impl Level {
    /// The untouched search.
    pub const FULL: &'static Level = &LEVELS[LEVELS.len() - 1];

    /// The level with this name.
    pub fn named(name: &str) -> Option<&'static Level> {
        LEVELS.iter().find(|level| level.name == name)
    }

    /// The level of a strength in percent: 100 and more is full strength, the other levels share
    /// 0 to 99 evenly.
    pub fn of_strength(percent: u8) -> &'static Level {
        let below_full = LEVELS.len() - 1;
        &LEVELS[(usize::from(percent) * below_full / 100).min(below_full)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_goes_through_all_levels() {
        let mut levels: Vec<&str> = (0..=100).map(|p| Level::of_strength(p).name).collect();
        assert_eq!(levels[99], LEVELS[LEVELS.len() - 2].name);
        assert_eq!((levels[100], Level::of_strength(255).name), ("full", "full"));
        levels.dedup();
        assert_eq!(levels, LEVELS.map(|level| level.name));
    }

    #[test]
    fn a_five_is_overlooked_less_than_all_else() {
        for sight in LEVELS.iter().filter_map(|level| level.skill).map(|skill| skill.sight) {
            assert!(sight.five <= 5.0, "{sight:?}");
            assert!(sight.five <= sight.straight_four && sight.straight_four <= sight.four);
            assert!(sight.five <= sight.three, "{sight:?}");
        }
    }

    #[test]
    fn levels_grow() {
        assert!(LEVELS.is_sorted_by_key(|level| level.freestyle.unwrap_or(i32::MAX)));
        assert!(LEVELS.is_sorted_by_key(|level| level.renju.unwrap_or(i32::MAX)));
    }
}
