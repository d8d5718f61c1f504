//! Arguments that several subcommands share: a board, a position on it, and limits of a search.

use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::network::NetworkArgs;
use tengen::engine::{Limits, Options};
use tengen_rules::game::Game;
use tengen_rules::moves::MoveText;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Color, MIN_ENGINE_SIDE, Rule, SizeError};

/// Rule and board size.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct BoardArgs {
    /// Rule: freestyle, standard, renju, caro or caro-overline; default: the rule of the game file, if
    /// any, else freestyle
    #[arg(long)]
    pub rule: Option<Rule>,
    /// Board size: N or WxH; default: the size in the game file, if any, else 15
    #[arg(long)]
    pub size: Option<BoardSize>,
}

impl BoardArgs {
    /// The requested rule, by default freestyle.
    pub fn rule(&self) -> Rule {
        self.rule.unwrap_or(Rule::Freestyle)
    }

    /// The requested size, by default 15x15.
    pub fn size(&self) -> BoardSize {
        self.size.unwrap_or(BoardSize::square(15).expect("15 is a valid size"))
    }
}

/// Parses the size of a board on which engines play.
///
/// # Errors
/// When a side is too short for a five or too long.
pub fn size_for_engines(text: &str) -> Result<BoardSize, SizeError> {
    let size: BoardSize = text.parse()?;
    BoardSize::at_least(MIN_ENGINE_SIDE, size.width().into(), size.height().into())
}

/// A position, as moves or as a diagram.
#[derive(clap::Args, Clone, Debug)]
pub struct PositionArgs {
    /// Rule and board size.
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
    /// Text diagram instead of --size and --moves: X black, O white, # out of play, . empty;
    /// - reads it from standard input, up to the first empty line
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    pub diagram: Option<PathBuf>,
    /// Side to move, black or white; default: by the number of stones
    #[arg(long)]
    pub side: Option<Color>,
}

impl PositionArgs {
    /// The arguments for `--rule`, `--size` and `--moves`.
    ///
    /// # Panics
    /// When `size` or `moves` cannot be parsed.
    pub fn from_moves(rule: Rule, size: &str, moves: &str) -> PositionArgs {
        PositionArgs {
            board: BoardArgs { rule: Some(rule), size: Some(size.parse().expect("a board size")) },
            moves: moves.parse().expect("moves"),
            diagram: None,
            side: None,
        }
    }

    /// The game in progress. The stones of a diagram cannot be undone.
    ///
    /// # Errors
    /// When a move is illegal, the diagram is invalid, or the game is over.
    pub fn game(&self) -> anyhow::Result<Game> {
        self.game_from(&mut std::io::stdin().lock())
    }

    /// [`PositionArgs::game`] with `input` as standard input. A diagram is read up to its first empty
    /// line; the rest of `input` is left to the caller.
    ///
    /// # Errors
    /// As for [`PositionArgs::game`].
    pub fn game_from(&self, input: &mut dyn BufRead) -> anyhow::Result<Game> {
        let mut game = match &self.diagram {
            Some(path) => read_diagram(path, self.board.rule(), input)
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
    /// As for [`PositionArgs::game`].
    pub fn position(&self) -> anyhow::Result<Position> {
        Ok(self.game()?.position().clone())
    }

    /// The game after the moves.
    fn play(&self) -> anyhow::Result<Game> {
        let mut game = Game::new(self.board.size(), self.board.rule());
        for (number, (written, at)) in (1..).zip(self.moves.on(self.board.size())) {
            if let Some(ending) = game.play(at) {
                bail!("move {number} ({written}) ends the game: {}", ending.reason());
            }
        }
        Ok(game)
    }
}

/// Reads the diagram in the file, or at the start of `input` when the file is `-`.
fn read_diagram(path: &Path, rule: Rule, input: &mut dyn BufRead) -> anyhow::Result<Game> {
    let text = if path == Path::new("-") {
        paragraph(input)?
    } else {
        let bytes = fs::read(path)?;
        String::from_utf8(bytes).context("not UTF-8 text")?
    };
    Ok(Game::from_diagram(rule, text.trim_start_matches('\u{feff}'))?)
}

/// The text up to its first empty line, or to the end.
fn paragraph(input: &mut dyn BufRead) -> anyhow::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(text);
        }
        let line = String::from_utf8(line).context("not UTF-8 text")?;
        if line.trim().is_empty() && !text.trim().is_empty() {
            return Ok(text);
        }
        text += &line;
    }
}

/// Limits of a search.
#[derive(clap::Args, Clone, Debug)]
pub struct SearchArgs {
    /// Time limit in ms; default: 5000 if there is no other limit
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
    /// Node limit
    #[arg(long)]
    pub nodes: Option<u64>,
    /// Depth limit, in plies
    #[arg(long)]
    pub depth: Option<u32>,
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Memory limit of the process in MiB
    #[arg(long, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub memory: Option<u64>,
    /// Networks from files.
    #[command(flatten)]
    pub network: NetworkArgs,
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
            networks: self.network.networks(),
            ..Options::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_give_the_position_and_its_side_to_move() {
        let args = PositionArgs::from_moves(Rule::Standard, "9x30", "1,1 2,2 3,29");
        let position = args.position().unwrap();
        assert_eq!(position.side_to_move(), Color::White);
        assert_eq!(position.board().history().len(), 3);
        let args = PositionArgs { side: Some("black".parse().unwrap()), ..args };
        assert_eq!(args.position().unwrap().side_to_move(), Color::Black);
        let fault = |moves| {
            let args = PositionArgs::from_moves(Rule::Standard, "15", moves);
            args.position().map(drop).unwrap_err().to_string()
        };
        assert_eq!(fault("1,1 1,1"), "move 2 (1,1) ends the game: occupied");
    }

    #[test]
    fn diagrams_give_the_side_to_move() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board.txt");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            let diagram = Some(path.clone());
            PositionArgs { diagram, ..PositionArgs::from_moves(Rule::Renju, "15", "") }.position()
        };
        let odd = read(". X . . .\n. . O . .\n. X . . .\n. . . . .\n. . . . .\n").unwrap();
        assert_eq!(odd.side_to_move(), Color::White);
        assert_eq!(odd.board().size().to_string(), "5x5");
        let even = read(". X . . .\n. . O . .\n. . . . .\n. . . . .\n. . . . .\n").unwrap();
        assert_eq!(even.side_to_move(), Color::Black);
        assert!(read("no board").is_err());
    }
}
