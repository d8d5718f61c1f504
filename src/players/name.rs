//! Players by name.

use std::fmt;
use std::str::FromStr;

use super::bots::{Bot, ParseBotError};
use super::level::{LEVELS, Level};
use super::{Person, Player};
use crate::engine::{Engine, Options};

/// Whom a name stands for: `level:club`, `bot:one-ply`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayerName {
    /// One of [`LEVELS`].
    Level(&'static Level),
    /// A textbook player.
    Bot(Bot),
}

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParsePlayerError {
    /// There is no such level.
    Level(String),
    /// There is no such textbook player.
    Bot(ParseBotError),
    /// Neither `level:` nor `bot:`, and no level is called so.
    Kind(String),
}

impl PlayerName {
    /// The player. `options` are the engine's at full strength; a lower level uses their networks
    /// only.
    /// Without a seed every game is another one.
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
        write!(f, "{name:?} is not a level: expected {}", names.join(", "))?;
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
        match text.split_once(':') {
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
    fn names_go_both_ways() {
        let levels = LEVELS.iter().map(PlayerName::from);
        for name in levels.chain(Bot::ALL.into_iter().map(PlayerName::Bot)) {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        assert_eq!("full".parse(), Ok(PlayerName::Level(Level::FULL)));
    }

    #[test]
    fn wrong_names_are_named() {
        for (text, named) in
            [("nobody", "\"nobody\""), ("level:nobody", "\"nobody\""), ("bot:x", "\"x\"")]
        {
            let error = text.parse::<PlayerName>().unwrap_err().to_string();
            assert!(error.starts_with(named), "{error}");
        }
    }
}
