//! The levels of play, from first steps to full strength.

use super::sight::Sight;

/// The parameters of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// How often lines are overlooked.
    pub sight: Sight,
    /// Largest distance of a move from the nearest stone (cells).
    pub reach: u8,
    /// Softmax temperature of a move without a search, over the move scores (log-odds): 1 uses them
    /// unchanged, more is more random.
    pub move_temperature: f32,
    /// Node limit of a search; 0 for levels that do not search.
    pub nodes: u64,
    /// Plies of the last iteration.
    pub depth: u32,
    /// Softmax temperature between the two best moves of a search, over their scores (points).
    pub search_temperature: f32,
}

/// A level of play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Its name on the command line.
    pub name: &'static str,
    /// Elo in freestyle on 15x15, relative to the lowest level; `None` at full strength, which
    /// depends on the time limit.
    pub freestyle: Option<i32>,
    /// Elo in renju on 15x15, as `freestyle`.
    pub renju: Option<i32>,
    /// Its parameters; `None` for the unrestricted search.
    pub skill: Option<Skill>,
}

/// A level that plays by move scores alone.
const fn intuitive(overlooked: [f32; 4], reach: u8, move_temperature: f32) -> Option<Skill> {
    Some(Skill {
        sight: sight(overlooked),
        reach,
        move_temperature,
        nodes: 0,
        depth: 0,
        search_temperature: 0.0,
    })
}

/// A level that searches, unless something decisive was overlooked.
const fn calculating(
    overlooked: [f32; 4],
    nodes: u64,
    depth: u32,
    search_temperature: f32,
) -> Option<Skill> {
    let (reach, move_temperature) = (u8::MAX, 0.4);
    Some(Skill {
        sight: sight(overlooked),
        reach,
        move_temperature,
        nodes,
        depth,
        search_temperature,
    })
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

/// Every level, weakest first (lab/0095).
#[rustfmt::skip]
pub static LEVELS: [Level; 13] = [
    level("first-steps", Some((0, 0)),         intuitive([5.0, 95.0, 98.0, 98.0], 3, 30.0)),
    level("beginner",    Some((240, 260)),     intuitive([4.0, 84.0, 94.0, 94.0], 2, 8.0)),
    level("novice",      Some((460, 500)),     intuitive([3.0, 64.0, 84.0, 82.0], 2, 3.4)),
    level("learner",     Some((690, 710)),     intuitive([2.0, 47.0, 70.0, 67.0], 2, 2.2)),
    level("casual",      Some((930, 890)),     intuitive([1.4, 27.0, 51.0, 47.0], 2, 1.4)),
    level("regular",     Some((1180, 1080)),   intuitive([1.0, 11.0, 31.0, 24.0], 2, 0.8)),
    level("club",        Some((1440, 1350)),   intuitive([0.2, 1.5, 6.0, 5.0], 2, 0.22)),
    level("strong",      Some((1740, 1600)),   calculating([0.2, 1.4, 5.8, 4.8], 46, 2, 60.0)),
    level("expert",      Some((1990, 1910)),   calculating([0.1, 0.4, 2.5, 2.0], 800, 5, 24.0)),
    level("master",      Some((2210, 2140)),   calculating([0.0, 0.2, 1.2, 0.8], 1_800, 6, 16.0)),
    level("grandmaster", Some((2440, 2320)),   calculating([0.0, 0.1, 0.6, 0.4], 3_800, 8, 13.0)),
    level("champion",    Some((2650, 2560)),   calculating([0.0, 0.0, 0.0, 0.0], 9_000, 12, 8.0)),
    level("full",        None,               None),
];

impl Level {
    /// The unrestricted search.
    pub const FULL: &'static Level = &LEVELS[LEVELS.len() - 1];

    /// The level with this name.
    pub fn named(name: &str) -> Option<&'static Level> {
        LEVELS.iter().find(|level| level.name.eq_ignore_ascii_case(name))
    }

    /// The level for a strength in percent: full strength from 100 on; 0 to 99 are divided evenly
    /// among the other levels.
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
    fn fives_are_overlooked_least() {
        for sight in LEVELS.iter().filter_map(|level| level.skill).map(|skill| skill.sight) {
            assert!(sight.five <= 5.0, "{sight:?}");
            assert!(sight.five <= sight.straight_four && sight.straight_four <= sight.four);
            assert!(sight.five <= sight.three, "{sight:?}");
        }
    }

    #[test]
    fn levels_are_sorted_by_elo() {
        assert!(LEVELS.is_sorted_by_key(|level| level.freestyle.unwrap_or(i32::MAX)));
        assert!(LEVELS.is_sorted_by_key(|level| level.renju.unwrap_or(i32::MAX)));
    }
}
