//! Limits of one engine of a match that differ from those of the others (`--limits`).

use std::fmt;
use std::str::FromStr;

use super::game::GameSettings;
use tengen_cli::units;

/// Limits of one engine; `None` applies the limit of the match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideLimits {
    /// Milliseconds per move.
    pub turn: Option<u64>,
    /// Milliseconds per game; 0 for no game clock.
    pub game: Option<u64>,
    /// Milliseconds added to the game clock after each move.
    pub increment: Option<u64>,
    /// Nodes per move; 0 for no limit.
    pub nodes: Option<u64>,
    /// Memory limit sent to the engine, in MiB.
    pub memory: Option<u64>,
    /// Level (`INFO strength`), 0 to 100.
    pub strength: Option<u8>,
}

impl SideLimits {
    /// The settings of the match, changed by these limits.
    pub(super) fn apply(&self, settings: &GameSettings) -> GameSettings {
        GameSettings {
            turn: self.turn.unwrap_or(settings.turn),
            game: self.game.unwrap_or(settings.game),
            increment: self.increment.unwrap_or(settings.increment),
            nodes: self.nodes.unwrap_or(settings.nodes),
            memory: self.memory.unwrap_or(settings.memory),
            ..settings.clone()
        }
    }

    /// These limits; `others` supplies the missing ones.
    pub(super) fn or(self, others: SideLimits) -> SideLimits {
        SideLimits {
            turn: self.turn.or(others.turn),
            game: self.game.or(others.game),
            increment: self.increment.or(others.increment),
            nodes: self.nodes.or(others.nodes),
            memory: self.memory.or(others.memory),
            strength: self.strength.or(others.strength),
        }
    }

    /// Sets a limit by name.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = |most: u64| {
            let number = value.parse::<u64>().ok().filter(|&number| number <= most);
            number.ok_or_else(|| format!("{key}={value}: expected a number from 0 to {most}"))
        };
        let time = || match units::milliseconds(value) {
            Ok(ms) if ms <= MAX_MS => Ok(ms),
            Ok(_) => Err(format!("{key}={value}: expected at most 365d")),
            Err(error) => Err(format!("{key}: {error}")),
        };
        match key {
            "turn" => self.turn = Some(time()?),
            "match" => self.game = Some(time()?),
            "increment" => self.increment = Some(time()?),
            "nodes" => {
                self.nodes = Some(units::count(value).map_err(|error| format!("{key}: {error}"))?);
            }
            "memory" => self.memory = Some(number(1 << 20)?.max(1)),
            "strength" => self.strength = Some(number(100)? as u8),
            _ => return Err(format!("unknown limit {key:?} (expected {KEYS})")),
        }
        Ok(())
    }
}

/// Maximum time: one year.
const MAX_MS: u64 = 365 * 24 * 3_600_000;
/// The names of the limits.
const KEYS: &str = "turn, match, increment, nodes, memory or strength";

/// The option `--limits`: limits of one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitsOption {
    /// The engine.
    pub name: String,
    /// Its limits.
    pub limits: SideLimits,
}

impl fmt::Display for LimitsOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SideLimits { turn, game, increment, nodes, memory, strength } = self.limits;
        let strength = strength.map(u64::from);
        let named = [
            ("turn", turn),
            ("match", game),
            ("increment", increment),
            ("nodes", nodes),
            ("memory", memory),
            ("strength", strength),
        ];
        let values = named.iter().filter_map(|(key, value)| value.map(|it| format!("{key}={it}")));
        write!(f, "{}:{}", self.name, values.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for LimitsOption {
    type Err = String;

    /// `NAME:KEY=VALUE,KEY=VALUE`.
    fn from_str(text: &str) -> Result<LimitsOption, String> {
        let expected = || "expected NAME:KEY=VALUE,..., such as old:turn=2s,nodes=20k".to_string();
        let (target, _) = text.split_once('=').ok_or_else(expected)?;
        let colon = target.rfind(':').filter(|&at| at > 0).ok_or_else(expected)?;
        let (name, list) = (&text[..colon], &text[colon + 1..]);
        let mut limits = SideLimits::default();
        for item in list.split(',') {
            let (key, value) = item.split_once('=').ok_or_else(expected)?;
            limits.set(key.trim(), value.trim())?;
        }
        Ok(LimitsOption { name: name.to_string(), limits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_one_engine_are_parsed_and_printed() {
        let option: LimitsOption = "old:turn=500, nodes=20000,strength=40".parse().unwrap();
        assert_eq!(option.name, "old");
        assert_eq!(option.to_string(), "old:turn=500,nodes=20000,strength=40");
        // The name of a player of this program has a colon.
        let level: LimitsOption = "level:full:nodes=5".parse().unwrap();
        assert_eq!((level.name.as_str(), level.limits.nodes), ("level:full", Some(5)));
        let units: LimitsOption =
            "a:turn=1.5s,match=1m30s,increment=20ms,nodes=2M".parse().unwrap();
        assert_eq!(units.to_string(), "a:turn=1500,match=90000,increment=20,nodes=2000000");
        assert_eq!("a:nodes=1e6".parse::<LimitsOption>().unwrap().limits.nodes, Some(1_000_000));
        let error = |text: &str| text.parse::<LimitsOption>().unwrap_err();
        assert!(error("a:turn=soon").starts_with("turn: \"soon\": expected ms, or a time"));
        assert_eq!(error("a:match=366d"), "match=366d: expected at most 365d");
        assert!(error("a:nodes=2m").contains("expected 2M for millions"));
        for bad in ["turn=5", ":turn=5", "a:turn", "a:turn=x", "a:depth=3", "a:strength=101", "a:"]
        {
            assert!(bad.parse::<LimitsOption>().is_err(), "{bad}");
        }
    }

    #[test]
    fn limits_of_one_engine_replace_those_of_the_match() {
        let size = tengen_rules::types::BoardSize::square(15).unwrap();
        let settings = crate::fixtures::game_settings(size);
        let limits = "a:turn=7,memory=0".parse::<LimitsOption>().unwrap().limits;
        let expected = GameSettings { turn: 7, memory: 1, ..settings.clone() };
        assert_eq!(limits.apply(&settings), expected);
        let later = SideLimits { turn: Some(9), nodes: Some(3), ..SideLimits::default() };
        assert_eq!((limits.or(later).turn, limits.or(later).nodes), (Some(7), Some(3)));
    }
}
