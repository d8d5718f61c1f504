//! An engine as the command line names it.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, ensure};

use tengen::players::{ParsePlayerError, PlayerName};

/// A named engine and how to start it.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Name in reports and records.
    pub name: String,
    /// Program and arguments; never empty.
    pub command: Vec<String>,
    /// A player of this program, who needs no process.
    pub inside: Option<PlayerName>,
}

/// Why a text names no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseContenderError {
    /// There is no program in it.
    Empty,
    /// A quotation mark without its partner.
    Quote,
    /// No player of this program is called so.
    Player(ParsePlayerError),
}

impl fmt::Display for ParseContenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseContenderError::Empty => f.write_str("expected NAME=COMMAND"),
            ParseContenderError::Quote => f.write_str("a quotation mark is not closed"),
            ParseContenderError::Player(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ParseContenderError {}

impl FromStr for Contender {
    type Err = ParseContenderError;

    /// `NAME=COMMAND`, or a command alone, which is then named after its program. Words with
    /// blanks are put in single or double quotes. `level:NAME` and `bot:NAME` in place of the
    /// command are players of this program.
    fn from_str(text: &str) -> Result<Contender, ParseContenderError> {
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if is_name(name) => (Some(name), command),
            _ => (None, text),
        };
        if ["level:", "bot:"].iter().any(|kind| command.starts_with(kind)) {
            let player = command.parse::<PlayerName>().map_err(ParseContenderError::Player)?;
            let name = name.unwrap_or(command).to_string();
            return Ok(Contender {
                name,
                command: vec![command.to_string()],
                inside: Some(player),
            });
        }
        let command = split_words(command)?;
        let program = command.first().ok_or(ParseContenderError::Empty)?;
        let stem = Path::new(program).file_stem().unwrap_or_default().to_string_lossy();
        let name = name.map_or_else(|| stem.into_owned(), str::to_string);
        Ok(Contender { name, command, inside: None })
    }
}

/// The engines' names, all different, to which every option with a name belongs.
///
/// # Errors
/// When two engines have one name, or an option names none of them.
pub(super) fn engine_names(
    engines: &[Contender],
    infos: &[ExtraInfo],
    pauses: &[Delay],
    first_moves: &[Delay],
) -> anyhow::Result<Vec<String>> {
    let names: Vec<String> = engines.iter().map(|it| it.name.clone()).collect();
    for (index, name) in names.iter().enumerate() {
        ensure!(!names[..index].contains(name), "two engines are called {name}");
    }
    let meant = infos.iter().map(|info| ("info", &info.name));
    let meant = meant.chain(pauses.iter().map(|delay| ("pause", &delay.name)));
    let meant = meant.chain(first_moves.iter().map(|delay| ("first-move", &delay.name)));
    for (option, name) in meant {
        if let Some(name) = name {
            let engine = engines.iter().find(|engine| engine.name == *name);
            let engine =
                engine.with_context(|| format!("--{option} {name}: no engine is called so"))?;
            ensure!(
                engine.inside.is_none(),
                "--{option} {name}: that is a player of this program, which takes no such orders"
            );
        }
    }
    Ok(names)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "/\\'\":".contains(c))
}

fn split_words(text: &str) -> Result<Vec<String>, ParseContenderError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for symbol in text.chars() {
        match quote {
            Some(mark) if symbol == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(symbol),
            None if symbol == '"' || symbol == '\'' => {
                quote = Some(symbol);
                word.get_or_insert_default();
            }
            None if symbol.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(symbol),
        }
    }
    if quote.is_some() {
        return Err(ParseContenderError::Quote);
    }
    words.extend(word);
    Ok(words)
}

/// An `INFO` line for one engine, or for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraInfo {
    /// The engine it is meant for; all without one.
    pub name: Option<String>,
    /// Key and value as they are sent.
    pub text: String,
}

impl fmt::Display for ExtraInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl FromStr for ExtraInfo {
    type Err = String;

    /// `KEY=VALUE` or `NAME:KEY=VALUE`.
    fn from_str(text: &str) -> Result<ExtraInfo, String> {
        let (target, value) = text.split_once('=').ok_or("expected [NAME:]KEY=VALUE")?;
        let (name, key) = match target.split_once(':') {
            Some((name, key)) => (Some(name.to_string()), key),
            None => (None, target),
        };
        if key.is_empty() || value.contains(['\r', '\n']) {
            return Err("expected [NAME:]KEY=VALUE".to_string());
        }
        Ok(ExtraInfo { name, text: format!("{key} {value}") })
    }
}

/// A number of milliseconds for one engine, or for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The engine it is meant for; all without one.
    pub name: Option<String>,
    /// Milliseconds.
    pub ms: u64,
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}: {}", self.ms),
            None => write!(f, "{}", self.ms),
        }
    }
}

impl FromStr for Delay {
    type Err = String;

    /// `MS` or `NAME:MS`.
    fn from_str(text: &str) -> Result<Delay, String> {
        let (name, ms) = match text.rsplit_once(':') {
            Some((name, ms)) => (Some(name.to_string()), ms),
            None => (None, text),
        };
        let ms = ms.parse().ok().filter(|&ms| ms <= LONGEST_DELAY_MS);
        let ms =
            ms.ok_or_else(|| format!("expected [NAME:]MS with MS from 0 to {LONGEST_DELAY_MS}"))?;
        Ok(Delay { name, ms })
    }
}

/// A minute: more is a slip of the hand.
const LONGEST_DELAY_MS: u64 = 60_000;

/// What one engine gets besides the terms of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handling {
    /// More `INFO` keys and values.
    pub info: Vec<String>,
    /// Waited, on nobody's clock, before lines are sent to it.
    pub pause: Duration,
    /// Forgiven for the first move of its process, which may still be loading its files.
    pub first_move: Duration,
}

impl Handling {
    /// What the engine called `name` gets. A delay with its name goes before one for all; of
    /// several the last counts.
    pub fn of(name: &str, info: &[ExtraInfo], pause: &[Delay], first_move: &[Delay]) -> Handling {
        let meant = |target: &Option<String>| target.as_ref().is_none_or(|it| it == name);
        let delay_of = |delays: &[Delay]| {
            let chosen = delays
                .iter()
                .filter(|delay| meant(&delay.name))
                .max_by_key(|delay| delay.name.is_some());
            Duration::from_millis(chosen.map_or(0, |delay| delay.ms))
        };
        let info = info.iter().filter(|info| meant(&info.name));
        Handling {
            info: info.map(|info| info.text.clone()).collect(),
            pause: delay_of(pause),
            first_move: delay_of(first_move),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (String, Vec<String>) {
        let contender: Contender = text.parse().unwrap();
        (contender.name, contender.command)
    }

    #[test]
    fn names_and_words() {
        assert_eq!(
            parse("new=./brain --log x"),
            ("new".into(), vec!["./brain".into(), "--log".into(), "x".into()])
        );
        assert_eq!(parse("dir/pbrain-a.exe -k=1").0, "pbrain-a");
        assert_eq!(parse("w='/my dir/brain' ''").1, ["/my dir/brain", ""]);
        assert_eq!("a='x".parse::<Contender>(), Err(ParseContenderError::Quote));
        assert_eq!("a= ".parse::<Contender>(), Err(ParseContenderError::Empty));
    }

    #[test]
    fn players_of_this_program_need_no_command() {
        let bot: Contender = "a=bot:one-ply:attack=2,defence=0.5".parse().unwrap();
        assert_eq!(bot.name, "a");
        assert_eq!(bot.inside.unwrap().to_string(), "bot:one-ply:attack=2,defence=0.5");
        let bot: Contender = "bot:one-ply:attack=2,defence=0.5".parse().unwrap();
        assert_eq!(bot.name, "bot:one-ply:attack=2,defence=0.5");
        let level: Contender = "level:novice".parse().unwrap();
        assert_eq!((level.name.as_str(), level.inside.is_some()), ("level:novice", true));
        let error = "level:nobody".parse::<Contender>().unwrap_err().to_string();
        assert!(error.starts_with("\"nobody\" is no level"), "{error}");
    }

    #[test]
    fn options_belong_to_an_engine_that_can_take_them() {
        let engines = ["a=./a", "b=level:full"].map(|text| text.parse::<Contender>().unwrap());
        let info = |text: &str| [text.parse::<ExtraInfo>().unwrap()];
        let fault = |info: &[ExtraInfo]| engine_names(&engines, info, &[], &[]).err();
        assert!(fault(&info("a:max_node=5")).is_none());
        assert!(fault(&info("max_node=5")).is_none());
        let refused = |text: &str| fault(&info(text)).unwrap().to_string();
        assert_eq!(refused("c:max_node=5"), "--info c: no engine is called so");
        assert!(refused("b:max_node=5").starts_with("--info b: that is a player of this program"));
    }

    #[test]
    fn info_lines_know_their_engine() {
        let info: ExtraInfo = "new:thread_num=2".parse().unwrap();
        assert_eq!((info.name.as_deref(), info.text.as_str()), (Some("new"), "thread_num 2"));
        let both: ExtraInfo = "strength=50".parse().unwrap();
        assert_eq!((both.name, both.text.as_str()), (None, "strength 50"));
        assert!("strength".parse::<ExtraInfo>().is_err());
    }

    #[test]
    fn delays_of_one_engine_go_before_those_of_all() {
        let delay = |text: &str| text.parse::<Delay>();
        assert_eq!(delay("rapfi:20"), Ok(Delay { name: Some("rapfi".into()), ms: 20 }));
        assert_eq!(delay("20").unwrap().to_string(), "20");
        for bad in ["", "x", "-1", "a:", "a:x", "60001", "99999999999999999999"] {
            assert!(delay(bad).is_err(), "{bad}");
        }
        let delays = [delay("rapfi:20").unwrap(), delay("5").unwrap(), delay("7").unwrap()];
        let handling = |name| Handling::of(name, &[], &delays, &delays[..1]);
        assert_eq!(handling("rapfi").pause, Duration::from_millis(20));
        assert_eq!(handling("new").pause, Duration::from_millis(7));
        assert_eq!(handling("rapfi").first_move, Duration::from_millis(20));
        assert_eq!(handling("new").first_move, Duration::ZERO);
    }
}
