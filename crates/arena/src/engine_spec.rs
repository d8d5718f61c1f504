//! Engines and their settings on the command line.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::side_limits::{LimitsOption, SideLimits};
use tengen::engine::Networks;
use tengen::players::{ParsePlayerError, PlayerName};
use tengen_cli::units;

/// An engine: its name and how to start it.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// Name in reports and records.
    pub name: String,
    /// Program and arguments; never empty.
    pub command: Vec<String>,
    /// The player of this program that `command` names; it runs without a process.
    pub built_in: Option<PlayerName>,
}

/// The reason why a text is not an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseEngineError {
    /// The program is missing.
    Empty,
    /// A quotation mark is not closed.
    Quote,
    /// An unknown player of this program.
    Player(ParsePlayerError),
}

impl fmt::Display for ParseEngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseEngineError::Empty => f.write_str("expected NAME=COMMAND"),
            ParseEngineError::Quote => f.write_str("a quotation mark is not closed"),
            ParseEngineError::Player(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ParseEngineError {}

impl FromStr for EngineSpec {
    type Err = ParseEngineError;

    /// Parses `NAME=COMMAND`, or only a command, in which case the name is that of the program. Words
    /// with spaces must be in single or double quotes. The commands `level:NAME` and `bot:NAME` are
    /// players of this program.
    fn from_str(text: &str) -> Result<EngineSpec, ParseEngineError> {
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if is_name(name) => (Some(name), command),
            _ => (None, text),
        };
        let kind = command.split_once(':').map(|(kind, _)| kind.to_ascii_lowercase());
        if matches!(kind.as_deref(), Some("level" | "bot")) {
            let player = command.parse::<PlayerName>().map_err(ParseEngineError::Player)?;
            let name = name.unwrap_or(command).to_string();
            return Ok(EngineSpec {
                name,
                command: vec![command.to_string()],
                built_in: Some(player),
            });
        }
        let command = split_words(command)?;
        let program = command.first().ok_or(ParseEngineError::Empty)?;
        let stem = Path::new(program).file_stem().unwrap_or_default().to_string_lossy();
        let name = name.map_or_else(|| stem.into_owned(), str::to_string);
        Ok(EngineSpec { name, command, built_in: None })
    }
}

/// The names of the engines.
///
/// # Errors
/// When two engines have the same name, or an option names an unknown engine or one that is built
/// in.
pub(super) fn engine_names(
    engines: &[EngineSpec],
    infos: &[InfoOption],
    pauses: &[DelayOption],
    first_moves: &[DelayOption],
    limits: &[LimitsOption],
) -> anyhow::Result<Vec<String>> {
    let names: Vec<String> = engines.iter().map(|it| it.name.clone()).collect();
    for (index, name) in names.iter().enumerate() {
        let command = engines[index].command.join(" ");
        ensure!(
            !names[..index].contains(name),
            "duplicate engine name {name} (expected different names, such as {NEW_NAME}={command})"
        );
    }
    let targets = infos.iter().map(|info| ("info", &info.name));
    let targets = targets.chain(pauses.iter().map(|delay| ("pause", &delay.name)));
    let targets = targets.chain(first_moves.iter().map(|delay| ("first-move", &delay.name)));
    for (option, name) in targets {
        if let Some(name) = name {
            let engine = engines.iter().find(|engine| engine.name == *name);
            let engine = engine.with_context(|| format!("--{option} {name}: unknown engine"))?;
            ensure!(
                engine.built_in.is_none(),
                "--{option} {name}: a player of this program has no such option"
            );
        }
    }
    for LimitsOption { name, limits } in limits {
        let engine = engines.iter().find(|engine| engine.name == *name);
        let engine = engine.with_context(|| format!("--limits {name}: unknown engine"))?;
        ensure!(
            engine.built_in.is_none() || limits.strength.is_none(),
            "--limits {name}: the name of a player of this program gives its strength"
        );
    }
    Ok(names)
}

/// A name in the hint for engines with the same name.
const NEW_NAME: &str = "second";

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "/\\'\":".contains(c))
}

/// Splits at white space outside quotes. A backslash is an ordinary character, since Windows paths
/// contain it, and so is `#`. A POSIX shell (crate `shlex`) treats both differently.
fn split_words(text: &str) -> Result<Vec<String>, ParseEngineError> {
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
        return Err(ParseEngineError::Quote);
    }
    words.extend(word);
    Ok(words)
}

/// The option `--info`: an `INFO` line for one engine or for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfoOption {
    /// The engine; `None` for all.
    pub name: Option<String>,
    /// Key and value as sent.
    pub text: String,
}

impl fmt::Display for InfoOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl FromStr for InfoOption {
    type Err = String;

    /// `KEY=VALUE` or `NAME:KEY=VALUE`.
    fn from_str(text: &str) -> Result<InfoOption, String> {
        let (target, value) = text.split_once('=').ok_or("expected [NAME:]KEY=VALUE")?;
        let (name, key) = match target.split_once(':') {
            Some((name, key)) => (Some(name.to_string()), key),
            None => (None, target),
        };
        if key.is_empty() || value.contains(['\r', '\n']) {
            return Err("expected [NAME:]KEY=VALUE".to_string());
        }
        Ok(InfoOption { name, text: format!("{key} {value}") })
    }
}

/// An option with a number of milliseconds, for one engine or for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelayOption {
    /// The engine; `None` for all.
    pub name: Option<String>,
    /// Milliseconds.
    pub ms: u64,
}

impl fmt::Display for DelayOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}: {}", self.ms),
            None => write!(f, "{}", self.ms),
        }
    }
}

impl FromStr for DelayOption {
    type Err = String;

    /// `TIME` or `NAME:TIME`, in milliseconds or with a unit.
    fn from_str(text: &str) -> Result<DelayOption, String> {
        let (name, ms) = match text.rsplit_once(':') {
            Some((name, ms)) => (Some(name.to_string()), ms),
            None => (None, text),
        };
        let ms = units::milliseconds(ms).ok().filter(|&ms| ms <= MAX_DELAY_MS);
        let ms = ms.ok_or_else(|| {
            format!("expected [NAME:]TIME with TIME from 0 to {MAX_DELAY_MS} ms, such as 20 or 2s")
        })?;
        Ok(DelayOption { name, ms })
    }
}

/// One minute; larger values are taken for mistakes.
const MAX_DELAY_MS: u64 = 60_000;

/// The settings of one engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSettings {
    /// Additional `INFO` keys and values.
    pub info: Vec<String>,
    /// Pause before lines are sent, not charged to any clock.
    pub pause: Duration,
    /// Extra time for the first move of its process, which may still be loading its files.
    pub first_move: Duration,
    /// Networks of a player of this program; an engine process has its own.
    pub networks: Networks,
    /// Limits that differ from those of the match.
    pub limits: SideLimits,
}

impl EngineSettings {
    /// The settings of the engine `name`. A delay for that engine takes precedence over one for all.
    /// If there are several, the last one counts.
    pub(super) fn of(
        name: &str,
        info: &[InfoOption],
        pause: &[DelayOption],
        first_move: &[DelayOption],
    ) -> EngineSettings {
        let applies = |target: &Option<String>| target.as_ref().is_none_or(|it| it == name);
        let delay_of = |delays: &[DelayOption]| {
            let chosen = delays
                .iter()
                .filter(|delay| applies(&delay.name))
                .max_by_key(|delay| delay.name.is_some());
            Duration::from_millis(chosen.map_or(0, |delay| delay.ms))
        };
        let info = info.iter().filter(|info| applies(&info.name));
        EngineSettings {
            info: info.map(|info| info.text.clone()).collect(),
            pause: delay_of(pause),
            first_move: delay_of(first_move),
            networks: Networks::embedded(),
            limits: SideLimits::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (String, Vec<String>) {
        let spec: EngineSpec = text.parse().unwrap();
        (spec.name, spec.command)
    }

    #[test]
    fn specs_are_split_into_name_and_words() {
        assert_eq!(
            parse("new=./brain --log x"),
            ("new".into(), vec!["./brain".into(), "--log".into(), "x".into()])
        );
        assert_eq!(parse("dir/pbrain-a.exe -k=1").0, "pbrain-a");
        assert_eq!(parse("w='/my dir/brain' ''").1, ["/my dir/brain", ""]);
        assert_eq!(
            parse(r#"C:\engines\rapfi.exe --dir "C:\my files\" 'D:\a b' #1"#).1,
            [r"C:\engines\rapfi.exe", "--dir", r"C:\my files\", r"D:\a b", "#1"]
        );
        assert_eq!("a='x".parse::<EngineSpec>(), Err(ParseEngineError::Quote));
        assert_eq!("a= ".parse::<EngineSpec>(), Err(ParseEngineError::Empty));
    }

    #[test]
    fn built_in_players_are_parsed() {
        let bot: EngineSpec = "a=bot:one-ply:attack=2,defence=0.5".parse().unwrap();
        assert_eq!(bot.name, "a");
        assert_eq!(bot.built_in.unwrap().to_string(), "bot:one-ply:attack=2,defence=0.5");
        let bot: EngineSpec = "bot:one-ply:attack=2,defence=0.5".parse().unwrap();
        assert_eq!(bot.name, "bot:one-ply:attack=2,defence=0.5");
        let level: EngineSpec = "level:novice".parse().unwrap();
        assert_eq!((level.name.as_str(), level.built_in.is_some()), ("level:novice", true));
        let error = "level:nobody".parse::<EngineSpec>().unwrap_err().to_string();
        assert!(error.starts_with("unknown level \"nobody\""), "{error}");
    }

    #[test]
    fn duplicate_names_get_a_hint() {
        let engines = ["level:novice", "LEVEL:novice", "level:novice"];
        let engines = engines.map(|text| text.parse::<EngineSpec>().unwrap());
        let names = |engines: &[EngineSpec]| engine_names(engines, &[], &[], &[], &[]);
        let error = names(&[engines[0].clone(), engines[2].clone()]).unwrap_err().to_string();
        let expected = "duplicate engine name level:novice (expected different names, such as \
                        second=level:novice)";
        assert_eq!(error, expected);
        let second = "second=level:novice".parse().unwrap();
        assert_eq!(names(&[engines[0].clone(), second]).unwrap(), ["level:novice", "second"]);
    }

    #[test]
    fn options_for_unknown_or_built_in_engines_are_rejected() {
        let engines = ["a=./a", "b=level:full"].map(|text| text.parse::<EngineSpec>().unwrap());
        let info = |text: &str| [text.parse::<InfoOption>().unwrap()];
        let fault = |info: &[InfoOption]| engine_names(&engines, info, &[], &[], &[]).err();
        assert!(fault(&info("a:max_node=5")).is_none());
        assert!(fault(&info("max_node=5")).is_none());
        let refused = |text: &str| fault(&info(text)).unwrap().to_string();
        assert_eq!(refused("c:max_node=5"), "--info c: unknown engine");
        assert!(refused("b:max_node=5").starts_with("--info b: a player of this program"));
    }

    #[test]
    fn info_options_may_name_an_engine() {
        let info: InfoOption = "new:thread_num=2".parse().unwrap();
        assert_eq!((info.name.as_deref(), info.text.as_str()), (Some("new"), "thread_num 2"));
        let both: InfoOption = "strength=50".parse().unwrap();
        assert_eq!((both.name, both.text.as_str()), (None, "strength 50"));
        assert!("strength".parse::<InfoOption>().is_err());
    }

    #[test]
    fn delays_of_one_engine_precede_those_of_all() {
        let delay = |text: &str| text.parse::<DelayOption>();
        assert_eq!(delay("rapfi:20"), Ok(DelayOption { name: Some("rapfi".into()), ms: 20 }));
        assert_eq!(delay("20").unwrap().to_string(), "20");
        for bad in ["", "x", "-1", "a:", "a:x", "60001", "99999999999999999999"] {
            assert!(delay(bad).is_err(), "{bad}");
        }
        let delays = [delay("rapfi:20").unwrap(), delay("5").unwrap(), delay("7").unwrap()];
        let settings = |name| EngineSettings::of(name, &[], &delays, &delays[..1]);
        assert_eq!(settings("rapfi").pause, Duration::from_millis(20));
        assert_eq!(settings("new").pause, Duration::from_millis(7));
        assert_eq!(settings("rapfi").first_move, Duration::from_millis(20));
        assert_eq!(settings("new").first_move, Duration::ZERO);
    }
}
