//! `tengen play`: games in the terminal, of people, levels, textbook players and the engine.

mod board;
mod clock;
mod command;
mod ears;
mod file;
mod openings;
mod screen;
mod table;
#[cfg(test)]
mod tests;
mod threats;

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, ensure};

use board::Style;
use ears::Ears;
use openings::OpeningTalk;
use screen::Screen;
use table::{Seat, Table};
use tengen::engine::Options;
use tengen::opening::OpeningRule;
use tengen::players::PlayerName;
use tengen_cli::setup::PositionArgs;
use tengen_rules::types::Color;

/// Arguments of `tengen play`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Your colour, black or white
    #[arg(long, default_value = "black")]
    color: Color,
    /// Whom to play against: a level or bot:NAME (see `tengen levels`)
    #[arg(long, visible_alias = "opponent", default_value = "full", value_name = "NAME")]
    level: PlayerName,
    /// Who plays black, in place of --color and --level: me, a level or bot:NAME
    #[arg(long, value_name = "WHO", value_parser = who)]
    black: Option<Who>,
    /// Who plays white
    #[arg(long, value_name = "WHO", value_parser = who)]
    white: Option<Who>,
    /// The engine's time for a move in ms
    #[arg(long, default_value_t = 2000, value_name = "MS")]
    time: u64,
    /// The engine's threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Number that levels and bots draw from; without it every game is another one
    #[arg(long)]
    seed: Option<u64>,
    /// Share out the colours by swap, swap2, soosorv-8 or taraguchi-10
    #[arg(long, value_name = "RULE", conflicts_with_all = ["moves", "diagram", "side", "load"])]
    opening: Option<OpeningRule>,
    /// Go on with a game from a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "diagram", "side"])]
    load: Option<PathBuf>,
}

/// Who plays a colour: a person, or a player with a name.
type Who = Option<PlayerName>;

fn who(text: &str) -> Result<Who, String> {
    if text == "me" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|error| format!("{error}; or me"))
}

impl Args {
    /// Who plays black and who white. Beside a player of this program sits a person and the other
    /// way round, unless both seats are named; where none is, --color is the person's.
    fn seats(&self) -> [Who; 2] {
        let unless = |person: bool| (!person).then_some(self.level);
        match (self.black, self.white) {
            (Some(black), Some(white)) => [black, white],
            (Some(black), None) => [black, unless(black.is_some())],
            (None, Some(white)) => [unless(white.is_some()), white],
            (None, None) => Color::ALL.map(|color| unless(color == self.color)),
        }
    }
}

/// How a session came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By `quit` or the end of the input.
    Complete,
    /// By Ctrl-C.
    Interrupted,
}

/// Plays until the player leaves or the input ends.
///
/// # Errors
/// When the position is not playable or a stream fails.
pub fn run(
    args: &Args,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> anyhow::Result<Finish> {
    // The environment speaks for the terminal; what is no terminal gets plain text.
    let terminal = std::io::stdout().is_terminal();
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = match std::env::var_os("TERM") {
        Some(term) => term == "dumb",
        // The old console of Windows prints the sequences as they are.
        None => cfg!(windows) && !set("WT_SESSION"),
    };
    let style = Style { color: terminal && !dumb && !set("NO_COLOR"), columns: None };
    let echo = !std::io::stdin().is_terminal();
    session(args, input, Screen::new(out, style, terminal && !dumb, echo), true)
}

/// The session itself; `interruptible` says whether to watch for Ctrl-C.
fn session(
    args: &Args,
    mut input: impl BufRead + Send + 'static,
    mut screen: Screen<'_>,
    interruptible: bool,
) -> anyhow::Result<Finish> {
    ensure!(args.time > 0, "--time 0: the engine needs some time for a move");
    let options = Options { threads: args.threads.into(), ..Options::default() };
    let board = &args.position.board;
    let mut notes = Vec::new();
    let game = match &args.load {
        Some(path) => file::load(path, board.rule, board.size, &mut notes)?,
        None => args.position.game_from(&mut input)?,
    };
    screen.note_lines(&notes);
    let ears = Ears::new(input, interruptible)?;
    let mut table = Table::new(game, args.seats().map(Seat::of), options, ears, screen);
    table.time = Duration::from_millis(args.time);
    table.seed = args.seed;
    table.level = args.level;
    if let Some(rule) = args.opening {
        let talk = OpeningTalk::new(rule, table.game.size(), table.game.rule())
            .with_context(|| format!("--opening {rule}"))?;
        table.begin_opening(rule, talk);
    }
    table.play()
}
