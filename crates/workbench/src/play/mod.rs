//! `tengen play`: games in the terminal between people, levels, textbook players and the engine.

mod board;
mod clock;
mod command;
mod editor;
mod file;
mod input;
mod openings;
mod screen;
mod session;
#[cfg(test)]
mod tests;
mod threats;
mod varied;

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use crate::language::LanguageArgs;
use board::Style;
use clock::GameClock;
use input::InputEvents;
use openings::OpeningDialogue;
use screen::{Screen, Window};
use session::{PlaySession, Seat};
use tengen::book::Book;
use tengen::engine::Options;
use tengen::opening::OpeningRule;
use tengen::players::{Level, PlayerName};
use tengen_cli::args::PositionArgs;
use tengen_cli::network::NetworkArgs;
use tengen_cli::units::{self, TimeLimit};
use tengen_rules::types::{Color, Rule};

/// Arguments of `tengen play`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Your colour, black or white
    #[arg(long, default_value = "black")]
    color: Color,
    /// Opponent: a level or bot:NAME (see `tengen levels`); default: full; on a terminal,
    /// `play` asks
    #[arg(long, visible_alias = "opponent", value_name = "NAME")]
    level: Option<PlayerName>,
    /// Player of black, instead of --color and --level: me, a level or bot:NAME
    #[arg(long, value_name = "PLAYER", value_parser = parse_player)]
    black: Option<PlayerChoice>,
    /// Player of white
    #[arg(long, value_name = "PLAYER", value_parser = parse_player)]
    white: Option<PlayerChoice>,
    /// Time of the engine for a move: ms, or with units as 2s; inf thinks until Ctrl-C
    #[arg(long, default_value = "2s", value_parser = units::positive_limit)]
    time: TimeLimit,
    /// Clock: the time for the whole game and the time added for each move, as 5m or 5m+3s; a number
    /// alone is seconds
    #[arg(long, value_name = "TIME[+TIME]", value_parser = command::clock_times)]
    clock: Option<(Duration, Duration)>,
    /// Threads of the engine
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u16>(1..=1024))]
    threads: u16,
    /// Seed that repeats the moves of levels and bots; with a seed, full strength searches 200 nodes
    /// for each millisecond of its time, so that its moves repeat, too [default: random, so that each game differs]
    #[arg(long, value_parser = units::whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Opening rule: swap, swap2, soosorv-8 or taraguchi-10
    #[arg(long, value_name = "RULE", conflicts_with_all = ["moves", "diagram", "side", "load"])]
    opening: Option<OpeningRule>,
    /// Continue the game of a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "diagram", "side"])]
    load: Option<PathBuf>,
    /// Rule of a loaded game whose file names none: --rule of the preferences
    #[arg(long, value_name = "RULE", hide = true)]
    usual_rule: Option<Rule>,
    /// Width of the output in columns [default: that of the window]
    #[arg(long, value_parser = units::whole::<u16>(20..=1000))]
    columns: Option<u16>,
    /// Opening book of full strength (tengen study book writes books)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    language: LanguageArgs,
}

/// A player of this program; `None` for a person.
type PlayerChoice = Option<PlayerName>;

fn parse_player(text: &str) -> Result<PlayerChoice, String> {
    if text.eq_ignore_ascii_case("me") {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|error| format!("{error}, or me"))
}

impl Args {
    /// The player for seats without a named one.
    fn opponent(&self) -> PlayerName {
        self.level.unwrap_or(Level::FULL.into())
    }

    /// Whether the arguments name neither players nor a game.
    fn is_bare(&self) -> bool {
        let has_player = self.level.is_some() || self.black.is_some() || self.white.is_some();
        let PositionArgs { moves, diagram, .. } = &self.position;
        let has_game = !moves.0.is_empty() || diagram.is_some() || self.load.is_some();
        !has_player && !has_game && self.opening.is_none()
    }

    /// The players of black and white. If only one is given, the other is a person if that one is a
    /// player of this program, and the other way round. If none is given, a person has --color.
    fn seats(&self) -> [PlayerChoice; 2] {
        let opponent_of = |is_engine: bool| (!is_engine).then_some(self.opponent());
        match (self.black, self.white) {
            (Some(black), Some(white)) => [black, white],
            (Some(black), None) => [black, opponent_of(black.is_some())],
            (None, Some(white)) => [opponent_of(white.is_some()), white],
            (None, None) => Color::ALL.map(|color| opponent_of(color == self.color)),
        }
    }
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By `quit` or the end of the input.
    Complete,
    /// By Ctrl-C.
    Interrupted,
}

/// Plays until `quit` or the end of the input.
///
/// # Errors
/// If the position is not playable or a stream fails.
pub fn run(
    args: &Args,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> anyhow::Result<Finish> {
    // Colours and redraws for terminals that support them, plain text otherwise.
    let terminal = std::io::stdout().is_terminal();
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = match std::env::var_os("TERM") {
        Some(term) => term == "dumb",
        // The old Windows console does not interpret escape sequences.
        None => cfg!(windows) && !set("WT_SESSION"),
    };
    let columns = args.columns.map(usize::from);
    let style = Style { color: terminal && !dumb && !set("NO_COLOR"), columns };
    let echo = !std::io::stdin().is_terminal();
    let window = match terminal && !dumb {
        false => Window::None,
        true if echo => Window::Output,
        true => Window::Both,
    };
    let screen = Screen::new(out, style, window, echo, args.language.words());
    run_session(args, input, screen, true)
}

/// Runs a session. `interruptible` installs the Ctrl-C handler.
fn run_session(
    args: &Args,
    mut input: impl BufRead + Send + 'static,
    mut screen: Screen<'_>,
    interruptible: bool,
) -> anyhow::Result<Finish> {
    let (threads, networks) = (args.threads.into(), args.network.networks());
    let options = Options { threads, networks, ..Options::default() };
    let PositionArgs { board, selection, .. } = &args.position;
    let mut notes = Vec::new();
    let game = match &args.load {
        Some(path) => {
            let usual = args.usual_rule.unwrap_or(Rule::Freestyle);
            file::load(path, *board, usual, selection, &mut notes)?
        }
        None => args.position.game_from(&mut input, &mut notes)?,
    };
    screen.note_lines(&notes);
    let input = InputEvents::new(input, interruptible, screen.edits(), screen.input_is_piped())?;
    let mut session = PlaySession::new(game, args.seats().map(Seat::of), options, input, screen);
    session.time = args.time;
    session.seed = args.seed;
    session.level = args.opponent();
    session.clock = args.clock.map(|(game, increment)| GameClock::new(game, increment));
    if let Some(path) = &args.book {
        let book = Book::open(path).with_context(|| path.display().to_string())?;
        session.book = Some(Arc::new(book));
    }
    if let Some(rule) = args.opening {
        let opening = OpeningDialogue::new(rule, session.game.size(), session.game.rule())
            .with_context(|| format!("--opening {rule}"))?;
        session.begin_opening(rule, opening);
    }
    match args.is_bare() && session.asks_for_level() {
        true => session.play_with_level(),
        false => session.play(),
    }
}
