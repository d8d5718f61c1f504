//! The players of this program.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tengen::players::{self, Bot, LEVELS};

/// The players of this program, from beginner level to full strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The output of `tengen levels --json`")]
pub struct Players {
    /// The levels, the weakest first.
    pub levels: Vec<Level>,
    /// The textbook players.
    pub bots: Vec<BotEntry>,
}

/// A level of strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Level {
    /// The name on the command line.
    pub name: String,
    /// Elo in freestyle, counted from the lowest level; null at full strength.
    pub freestyle: Option<i32>,
    /// Elo in renju, counted from the lowest level; null at full strength.
    pub renju: Option<i32>,
    /// How often the level overlooks lines, in percent, by their best move; null at full strength.
    pub overlooks: Option<Overlooks>,
    /// Node limit per move; null for no limit.
    pub nodes: Option<u64>,
    /// Depth limit in plies; null for no limit.
    pub depth: Option<u32>,
}

/// How often a level overlooks the lines of each kind, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overlooks {
    /// Lines where one more stone makes a five.
    #[schemars(range(min = 0, max = 100))]
    pub five: f32,
    /// Lines where one more stone makes a straight four.
    #[schemars(range(min = 0, max = 100))]
    pub straight_four: f32,
    /// Lines where one more stone makes a four.
    #[schemars(range(min = 0, max = 100))]
    pub four: f32,
    /// Lines where one more stone makes an open three.
    #[schemars(range(min = 0, max = 100))]
    pub three: f32,
}

/// A textbook player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BotEntry {
    /// The name on the command line, such as `bot:random`.
    pub name: String,
    /// Description of its play.
    pub about: String,
}

/// All players.
pub fn players() -> Players {
    let bot = |bot: Bot| BotEntry { name: format!("bot:{bot}"), about: bot.about().to_string() };
    Players {
        levels: LEVELS.iter().map(Level::from).collect(),
        bots: Bot::ALL.into_iter().map(bot).collect(),
    }
}

impl From<&players::Level> for Level {
    fn from(level: &players::Level) -> Level {
        let sight = level.skill.map(|skill| skill.sight);
        Level {
            name: level.name.to_string(),
            freestyle: level.freestyle,
            renju: level.renju,
            overlooks: sight.map(|sight| Overlooks {
                five: sight.five,
                straight_four: sight.straight_four,
                four: sight.four,
                three: sight.three,
            }),
            nodes: level.skill.map(|skill| skill.nodes),
            depth: level.skill.map(|skill| skill.depth),
        }
    }
}
