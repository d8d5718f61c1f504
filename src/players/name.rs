//! Names of players.

use std::fmt;
use std::str::FromStr;

use super::bots::{Bot, ParseBotError};
use super::level::{LEVELS, Level};
use super::{Person, Player};
use crate::engine::{Engine, Options};

/// A player by name: `level:club`, `bot:one-ply`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayerName {
    /// One of [`LEVELS`].
    Level(&'static Level),
    /// A textbook player.
    Bot(Bot),
}

/// An error: the text is not the name of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParsePlayerError {
    /// The level is unknown.
    Level(String),
    /// The textbook player is unknown.
    Bot(ParseBotError),
    /// The text has neither `level:` nor `bot:` and is not the name of a level.
    Kind(String),
}

impl PlayerName {
    /// Whether the player is the engine at full strength.
    pub fn is_full_strength(self) -> bool {
        matches!(self, PlayerName::Level(level) if level.skill.is_none())
    }

    /// Creates the player. `options` are those of the engine at full strength; lower levels use
    /// only their networks. Without a seed it is random, so that games differ.
    pub fn player(self, options: Options, seed: Option<u64>) -> Box<dyn Player> {
        let seed = seed.unwrap_or_else(rand::random);
        match self {
            PlayerName::Bot(bot) => bot.player(seed),
            PlayerName::Level(level) => match level.skill {
                Some(skill) => Box::new(Person::with_networks(skill, seed, options.networks)),
                None => Box::new(Engine::new(options)),
            },
        }
    }
}

impl From<&'static Level> for PlayerName {
    fn from(level: &'static Level) -> PlayerName {
        PlayerName::Level(level)
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerName::Level(level) => write!(f, "level:{}", level.name),
            PlayerName::Bot(bot) => write!(f, "bot:{bot}"),
        }
    }
}

impl fmt::Display for ParsePlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            ParsePlayerError::Bot(error) => return error.fmt(f),
            ParsePlayerError::Level(name) | ParsePlayerError::Kind(name) => name,
        };
        let names: Vec<&str> = LEVELS.iter().map(|level| level.name).collect();
        write!(f, "unknown level {name:?}: expected {}", names.join(", "))?;
        match self {
            ParsePlayerError::Kind(_) => f.write_str("; or level:NAME or bot:NAME"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for ParsePlayerError {}

impl FromStr for PlayerName {
    type Err = ParsePlayerError;

    /// `level:NAME`, `bot:NAME`, or the name of a level alone.
    fn from_str(text: &str) -> Result<PlayerName, ParsePlayerError> {
        let kind = text.split_once(':').map(|(kind, name)| (kind.to_ascii_lowercase(), name));
        match kind.as_ref().map(|(kind, name)| (kind.as_str(), *name)) {
            Some(("bot", name)) => name.parse().map(PlayerName::Bot).map_err(ParsePlayerError::Bot),
            Some(("level", name)) => Level::named(name)
                .map(PlayerName::Level)
                .ok_or_else(|| ParsePlayerError::Level(name.to_string())),
            _ => Level::named(text)
                .map(PlayerName::Level)
                .ok_or_else(|| ParsePlayerError::Kind(text.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        let levels = LEVELS.iter().map(PlayerName::from);
        for name in levels.chain(Bot::ALL.into_iter().map(PlayerName::Bot)) {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        assert_eq!("full".parse(), Ok(PlayerName::Level(Level::FULL)));
        assert!(PlayerName::Level(Level::FULL).is_full_strength());
        assert!(!PlayerName::Level(&LEVELS[0]).is_full_strength());
        assert!(!PlayerName::Bot(Bot::ALL[0]).is_full_strength());
    }

    #[test]
    fn errors_quote_the_unknown_name() {
        for (text, start) in [
            ("nobody", "unknown level \"nobody\""),
            ("level:nobody", "unknown level \"nobody\""),
            ("bot:x", "unknown bot \"x\""),
        ] {
            let error = text.parse::<PlayerName>().unwrap_err().to_string();
            assert!(error.starts_with(start), "{error}");
        }
    }
}
