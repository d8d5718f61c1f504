//! Arguments that several tools share: a board, a position on it, and what a search may cost.

use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};

use tengen::engine::{Limits, Options, StopSwitch};
use tengen_rules::game::Game;
use tengen_rules::moves::MoveText;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Color, MIN_ENGINE_SIDE, Rule, SizeError};

/// Rule and extents.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct BoardArgs {
    /// freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value_t = Rule::Freestyle)]
    pub rule: Rule,
    /// Board size: N or WxH; without it 15, or in play, analyze, review and solve what a file tells
    #[arg(long)]
    pub size: Option<BoardSize>,
}

impl BoardArgs {
    /// The board asked for, otherwise 15x15.
    pub fn size(&self) -> BoardSize {
        self.size.unwrap_or(BoardSize::square(15).expect("15 is a size"))
    }
}

/// Reads the size of a board on which engines play each other.
///
/// # Errors
/// When a side is too short for a five, or too long.
pub fn size_for_engines(text: &str) -> Result<BoardSize, SizeError> {
    let size: BoardSize = text.parse()?;
    BoardSize::at_least(MIN_ENGINE_SIDE, size.width().into(), size.height().into())
}

/// A position, given by moves or by a diagram.
#[derive(clap::Args, Clone, Debug)]
pub struct PositionArgs {
    /// Rule and extents.
    #[command(flatten)]
    pub board: BoardArgs,
    /// Moves in playing order, black first: "h8 i9 ..." or "7,7 8,6 ..."
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true,
        conflicts_with = "diagram"
    )]
    pub moves: MoveText,
    /// Text board in place of --size and --moves: X black, O white, # out of play, . empty;
    /// - reads it from standard input, up to the first empty line
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    pub diagram: Option<PathBuf>,
    /// Who is to move, black or white; without it, whoever the number of stones says
    #[arg(long)]
    pub side: Option<Color>,
}

impl PositionArgs {
    /// The arguments `--rule`, `--size` and `--moves` with these values.
    ///
    /// # Panics
    /// When `size` or `moves` cannot be parsed.
    pub fn of_moves(rule: Rule, size: &str, moves: &str) -> PositionArgs {
        PositionArgs {
            board: BoardArgs { rule, size: Some(size.parse().expect("a board size")) },
            moves: moves.parse().expect("moves"),
            diagram: None,
            side: None,
        }
    }

    /// The game to go on with, which is not over. Moves can be taken back, a diagram cannot.
    ///
    /// # Errors
    /// When the moves are not a game in progress, the diagram is no board, or the game is over.
    pub fn game(&self) -> anyhow::Result<Game> {
        self.game_from(&mut std::io::stdin().lock())
    }

    /// The same for a tool that goes on to read `input` itself: a diagram that comes from there
    /// ends before its first empty line, and what follows is left.
    ///
    /// # Errors
    /// As [`PositionArgs::game`].
    pub fn game_from(&self, input: &mut dyn BufRead) -> anyhow::Result<Game> {
        let mut game = match &self.diagram {
            Some(path) => read_diagram(path, self.board.rule, input)
                .with_context(|| path.display().to_string())?,
            None => self.play()?,
        };
        if let Some(color) = self.side
            && color != game.side_to_move()
        {
            let mut board = game.board().clone();
            board.set_side(color);
            game = Game::from_board(&board);
        }
        if let Some(ending) = game.ending() {
            bail!("the game is over: {ending}");
        }
        Ok(game)
    }

    /// The position of [`PositionArgs::game`].
    ///
    /// # Errors
    /// As there.
    pub fn position(&self) -> anyhow::Result<Position> {
        Ok(self.game()?.position().clone())
    }

    /// The game that the moves lead to.
    fn play(&self) -> anyhow::Result<Game> {
        let mut game = Game::new(self.board.size(), self.board.rule);
        for (number, (written, at)) in (1..).zip(self.moves.on(self.board.size())) {
            if let Some(ending) = game.play(at) {
                bail!("move {number} ({written}) ends the game: {}", ending.reason());
            }
        }
        Ok(game)
    }
}

/// Reads the diagram in the file, or the one that `input` begins with when the file is `-`.
fn read_diagram(path: &Path, rule: Rule, input: &mut dyn BufRead) -> anyhow::Result<Game> {
    let text = if path == Path::new("-") {
        paragraph(input)?
    } else {
        let bytes = fs::read(path)?;
        String::from_utf8(bytes).context("it is not UTF-8 text")?
    };
    Ok(Game::from_diagram(rule, text.trim_start_matches('\u{feff}'))?)
}

/// The lines up to the first empty one after them, or to the end.
fn paragraph(input: &mut dyn BufRead) -> anyhow::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(text);
        }
        let line = String::from_utf8(line).context("it is not UTF-8 text")?;
        if line.trim().is_empty() && !text.trim().is_empty() {
            return Ok(text);
        }
        text += &line;
    }
}

/// What a search may use.
#[derive(clap::Args, Clone, Debug)]
pub struct SearchArgs {
    /// Time in ms; without any limit 5000
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
    /// Nodes to visit
    #[arg(long)]
    pub nodes: Option<u64>,
    /// Last iteration
    #[arg(long)]
    pub depth: Option<u32>,
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Memory in MiB that the whole process may use
    #[arg(long, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub memory: Option<u64>,
}

impl SearchArgs {
    /// The limits of a search.
    pub fn limits(&self) -> Limits {
        let unlimited = self.nodes.is_none() && self.depth.is_none();
        let time = self.time.or(unlimited.then_some(5000));
        let mut limits = Limits::unlimited();
        limits.turn = time.map(Duration::from_millis);
        limits.nodes = self.nodes;
        limits.depth = self.depth;
        limits
    }

    /// The engine's options.
    pub fn options(&self) -> Options {
        Options {
            threads: self.threads.into(),
            memory: self.memory.map(|mib| mib << 20),
            ..Options::default()
        }
    }
}

/// Set once the user has pressed Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C ended a search: the tool's answer is then not all that was asked for.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A switch that Ctrl-C presses, so that a search ends early and still says what it found.
///
/// # Errors
/// When the process already watches for Ctrl-C.
pub fn stop_on_interrupt() -> anyhow::Result<StopSwitch> {
    let stop = StopSwitch::new();
    let pressed = stop.clone();
    on_interrupt(move || pressed.press())?;
    Ok(stop)
}

/// Has Ctrl-C do this.
///
/// # Errors
/// When the process already watches for Ctrl-C.
pub fn on_interrupt(react: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let handler = move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        react();
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_testkit::Folder;

    #[test]
    fn positions_of_moves() {
        let args = PositionArgs::of_moves(Rule::Standard, "9x30", "1,1 2,2 3,29");
        let position = args.position().unwrap();
        assert_eq!(position.side_to_move(), Color::White);
        assert_eq!(position.board().history().len(), 3);
        let args = PositionArgs { side: Some("black".parse().unwrap()), ..args };
        assert_eq!(args.position().unwrap().side_to_move(), Color::Black);
        let fault = |moves| {
            let args = PositionArgs::of_moves(Rule::Standard, "15", moves);
            args.position().map(drop).unwrap_err().to_string()
        };
        assert_eq!(fault("1,1 1,1"), "move 2 (1,1) ends the game: occupied");
    }

    #[test]
    fn diagrams_say_who_is_to_move() {
        let folder = Folder::new("diagram");
        let path = folder.file("board.txt");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            let diagram = Some(path.clone());
            PositionArgs { diagram, ..PositionArgs::of_moves(Rule::Renju, "15", "") }.position()
        };
        let odd = read(". X . . .\n. . O . .\n. X . . .\n. . . . .\n. . . . .\n").unwrap();
        assert_eq!(odd.side_to_move(), Color::White);
        assert_eq!(odd.board().size().to_string(), "5x5");
        let even = read(". X . . .\n. . O . .\n. . . . .\n. . . . .\n. . . . .\n").unwrap();
        assert_eq!(even.side_to_move(), Color::Black);
        assert!(read("no board").is_err());
    }
}
