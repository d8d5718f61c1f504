//! Commands of the terminal.

use std::time::Duration;

use tengen::opening::OpeningRule;
use tengen::players::PlayerName;
use tengen_cli::units::{self, TimeLimit};
use tengen_rules::types::{BoardSize, CellText, Color, Rule};

/// A parsed command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Move(CellText),
    Undo,
    Redo,
    /// This number of best moves.
    Hint(usize),
    Review,
    Threats,
    Fouls,
    New {
        rule: Option<Rule>,
        size: Option<BoardSize>,
    },
    Opening(OpeningRule),
    Swap,
    Seat(Color, Option<PlayerName>),
    Level(PlayerName),
    Go,
    ShowTime,
    Time(TimeLimit),
    Clock(Option<(Duration, Duration)>),
    Numbers,
    Moves,
    Board,
    Save {
        name: String,
        /// Whether an existing file is replaced.
        force: bool,
    },
    Load(String),
    Resign,
    Quit,
    Help,
    /// A line that is neither a move nor a command.
    Unknown(String),
}

impl Command {
    /// Parses a line. Commands are case-insensitive, file names are not.
    ///
    /// # Errors
    /// A message that names the invalid argument of a command.
    pub(super) fn parse(line: &str) -> Result<Command, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
        let name = rest.to_ascii_lowercase();
        let alone = |command: Command| match rest {
            "" => Ok(command),
            _ => Err(format!("unexpected argument {rest:?} of {word}")),
        };
        match word.as_str() {
            "undo" | "u" => alone(Command::Undo),
            "redo" => alone(Command::Redo),
            "hint" | "analyze" => hint(rest).map(Command::Hint),
            "review" => alone(Command::Review),
            "threats" => alone(Command::Threats),
            "fouls" => alone(Command::Fouls),
            "swap" => alone(Command::Swap),
            "go" => alone(Command::Go),
            "numbers" => alone(Command::Numbers),
            "moves" => alone(Command::Moves),
            "board" => alone(Command::Board),
            "resign" => alone(Command::Resign),
            "quit" | "exit" | "q" => alone(Command::Quit),
            "help" | "?" => alone(Command::Help),
            "new" => new_game(rest),
            "opening" => {
                name.parse().map(Command::Opening).map_err(|error| format!("{name:?}: {error}"))
            }
            "black" | "white" if name.is_empty() => {
                Err(format!("{word} needs a player: me, a level, or bot:NAME (see tengen levels)"))
            }
            "black" => seat(Color::Black, &name),
            "white" => seat(Color::White, &name),
            "level" => name.parse().map(Command::Level).map_err(|error| format!("{error}")),
            "time" if rest.is_empty() => Ok(Command::ShowTime),
            "time" => time_limit(rest).map(Command::Time),
            "clock" => clock(&name),
            "save" | "load" if rest.is_empty() => Err(format!("{word} needs a file name")),
            "save" => match rest.strip_prefix("--force ") {
                Some(name) => Ok(Command::Save { name: name.trim().to_string(), force: true }),
                None => Ok(Command::Save { name: rest.to_string(), force: false }),
            },
            "load" => Ok(Command::Load(rest.to_string())),
            _ => Ok(match CellText::read_one(line) {
                Ok(cell) => Command::Move(cell),
                Err(_) => Command::Unknown(line.to_string()),
            }),
        }
    }
}

/// The number of best moves.
fn hint(rest: &str) -> Result<usize, String> {
    if rest.is_empty() {
        return Ok(1);
    }
    let number = rest.parse().ok().filter(|number| (1..=MAX_HINTS).contains(number));
    number.ok_or_else(|| format!("{rest:?}: expected a number of moves from 1 to {MAX_HINTS}"))
}

fn new_game(rest: &str) -> Result<Command, String> {
    let (mut rule, mut size) = (None, None);
    for word in rest.split_whitespace() {
        if let Ok(found) = word.to_ascii_lowercase().parse() {
            rule = Some(found);
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            size = Some(word.parse().map_err(|error| format!("{word:?}: {error}"))?);
        } else {
            return Err(format!("{word:?}: expected a rule, or a size such as 15"));
        }
    }
    Ok(Command::New { rule, size })
}

fn seat(color: Color, who: &str) -> Result<Command, String> {
    match who {
        "me" | "human" => Ok(Command::Seat(color, None)),
        "engine" => seat(color, "full"),
        _ => match who.parse() {
            Ok(name) => Ok(Command::Seat(color, Some(name))),
            Err(error) => Err(format!("{error}, or me")),
        },
    }
}

/// The time for a move.
fn time_limit(text: &str) -> Result<TimeLimit, String> {
    let limit: TimeLimit = text.parse()?;
    match limit.duration() {
        Some(time) if time.is_zero() || time > DAY => {
            Err(format!("{text:?}: expected 1 ms to one day, or inf"))
        }
        _ => Ok(limit),
    }
}

fn clock(text: &str) -> Result<Command, String> {
    match text {
        "off" => Ok(Command::Clock(None)),
        _ => match clock_times(text) {
            Ok(terms) => Ok(Command::Clock(Some(terms))),
            Err(error) => Err(format!("{error}, or off")),
        },
    }
}

/// The time for the whole game and the time added for each move: `5m`, `5m 3s`, `300+3`.
pub(super) fn clock_times(text: &str) -> Result<(Duration, Duration), String> {
    let time = |part: &str, least: Duration| match units::seconds(part) {
        Ok(time) if (least..=DAY).contains(&time) => Ok(time),
        Ok(_) => Err(format!("{part:?}: expected 1 s to one day")),
        Err(error) => Err(error),
    };
    let is_between = |c: char| c.is_whitespace() || c == '+';
    let (game, increment) = text.trim().split_once(is_between).unwrap_or((text, "0"));
    let game = time(game.trim(), Duration::from_secs(1))?;
    Ok((game, time(increment.trim(), Duration::ZERO)?))
}

/// Largest number of moves of `hint`.
const MAX_HINTS: usize = 20;

const DAY: Duration = Duration::from_secs(24 * 3600);

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::{Coordinates, Notation};

    fn parse(line: &str) -> Result<Command, String> {
        Command::parse(line)
    }

    #[test]
    fn parse_reads_moves_in_both_notations() {
        let notation = Notation::new(BoardSize::square(15).unwrap());
        let cell = |text: &str| match parse(text) {
            Ok(Command::Move(cell)) => cell.at(notation),
            other => panic!("{text}: {other:?}"),
        };
        for text in ["h8", "H8", " 7,7 ", "\u{ff28}\u{ff18}", "(7,7)", "h 8", "10. h8"] {
            assert_eq!(cell(text), Coordinates { x: 7, y: 7 });
        }
        assert_eq!(cell("a1"), Coordinates { x: 0, y: 14 });
    }

    #[test]
    fn parse_reads_arguments() {
        assert_eq!(
            parse("new Renju 9x7"),
            Ok(Command::New { rule: Some(Rule::Renju), size: BoardSize::new(9, 7).ok() })
        );
        assert_eq!(parse("NEW"), Ok(Command::New { rule: None, size: None }));
        assert_eq!(parse("black me"), Ok(Command::Seat(Color::Black, None)));
        let bot = "bot:random".parse().ok();
        assert_eq!(parse("white bot:random"), Ok(Command::Seat(Color::White, bot)));
        assert_eq!(parse("time 500"), Ok(Command::Time(TimeLimit::milliseconds(500))));
        assert_eq!(parse("time 2s"), Ok(Command::Time(TimeLimit::milliseconds(2_000))));
        assert_eq!(parse("time inf"), Ok(Command::Time(TimeLimit::Unlimited)));
        let clock = (Duration::from_secs(300), Duration::from_secs(3));
        assert_eq!(parse("clock 300 3"), Ok(Command::Clock(Some(clock))));
        assert_eq!(parse("clock 5m 3s"), parse("clock 300 3"));
        assert_eq!(parse("clock off"), Ok(Command::Clock(None)));
        let save = |name: &str, force| Ok(Command::Save { name: name.to_string(), force });
        assert_eq!(parse("save My Game.sgf"), save("My Game.sgf", false));
        assert_eq!(parse("save --force My Game.sgf"), save("My Game.sgf", true));
        assert_eq!(parse("time"), Ok(Command::ShowTime));
        assert_eq!(parse(" Foo "), Ok(Command::Unknown("Foo".to_string())));
        assert_eq!(parse("opening swap2"), Ok(Command::Opening(OpeningRule::Swap2)));
    }

    #[test]
    fn parse_names_the_invalid_part() {
        for (line, named) in [
            ("new 99", "\"99\""),
            ("new chess", "\"chess\""),
            ("level nobody", "\"nobody\""),
            ("black nobody", "\"nobody\""),
            ("time 0", "\"0\""),
            ("time 2x", "\"2x\""),
            ("white", "white needs a player"),
            ("clock 1 x", "\"x\""),
            ("opening pro", "\"pro\""),
            ("undo 3", "\"3\""),
            ("save", "save needs"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(named), "{line}: {error}");
        }
    }
}
