//! Arguments that several tools share: a board, a position on it, and what a search may cost.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use crate::board::{Board, Cell};
use crate::engine::{Limits, Options, StopSwitch};
use crate::position::Position;
use crate::tools::MoveList;
use crate::tools::referee::Game;
use crate::types::{BoardSize, Color, Rule};

/// Rule and extents.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct BoardArgs {
    /// freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value_t = Rule::Freestyle)]
    pub rule: Rule,
    /// Board size: N or WxH
    #[arg(long, default_value_t = BoardSize::square(15).expect("15 is a size"))]
    pub size: BoardSize,
}

/// A position, given by moves or by a diagram.
#[derive(clap::Args, Clone, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    pub(super) board: BoardArgs,
    /// Moves in playing order, black first: "x,y x,y ..."
    #[arg(long, default_value = "", hide_default_value = true, conflicts_with = "diagram")]
    pub(super) moves: MoveList,
    /// Text board in place of --size and --moves: X black, O white, # out of play, . empty;
    /// - reads it from standard input
    #[arg(long, value_name = "FILE")]
    pub(super) diagram: Option<PathBuf>,
    /// Who is to move, black or white; without it, whoever the number of stones says
    #[arg(long)]
    pub(super) side: Option<Side>,
}

/// A player's name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side(pub Color);

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Side, String> {
        let named = Color::ALL.into_iter().find(|color| color.name() == text);
        named.map(Side).ok_or_else(|| "expected black or white".to_string())
    }
}

impl PositionArgs {
    /// The position, with a side to move.
    ///
    /// # Errors
    /// When the moves are not a game in progress, or the diagram is no board.
    pub fn position(&self) -> anyhow::Result<Position> {
        let mut board = match &self.diagram {
            Some(path) => self.read(path).with_context(|| path.display().to_string())?,
            None => self.play()?.position().board().clone(),
        };
        if let Some(Side(color)) = self.side {
            board.set_side(color);
        }
        ensure!(board.empty_count() > 0, "the board is full");
        Ok(Position::from_board(&board))
    }

    /// The game that the moves lead to.
    pub(super) fn play(&self) -> anyhow::Result<Game> {
        let mut game = Game::new(self.board.size, self.board.rule);
        for (index, &at) in self.moves.0.iter().enumerate() {
            if let Some(ending) = game.play(at) {
                bail!("move {} ({at}) ends the game: {}", index + 1, ending.reason());
            }
        }
        Ok(game)
    }

    fn read(&self, path: &Path) -> anyhow::Result<Board> {
        let text = if path == Path::new("-") {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            text
        } else {
            fs::read_to_string(path)?
        };
        let mut board = Board::from_diagram(self.board.rule, &text)?;
        let count = |cell| board.size().points().filter(|&at| board.cell(at) == cell).count();
        let black_moves = count(Cell::Black) <= count(Cell::White);
        board.set_side(if black_moves { Color::Black } else { Color::White });
        Ok(board)
    }
}

/// What a search may use.
#[derive(clap::Args, Clone, Debug)]
pub struct SearchArgs {
    /// Time in ms; without any limit 5000
    #[arg(long, value_name = "MS")]
    pub(super) time: Option<u64>,
    /// Positions to visit
    #[arg(long)]
    pub(super) nodes: Option<u64>,
    /// Last iteration
    #[arg(long)]
    pub(super) depth: Option<u32>,
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: u16,
    /// Memory in MiB that the whole process may use
    #[arg(long, value_name = "MIB")]
    pub(super) memory: Option<u64>,
}

impl SearchArgs {
    /// The limits, counted from now.
    pub fn limits(&self) -> Limits {
        let unlimited = self.nodes.is_none() && self.depth.is_none();
        let time = self.time.or(unlimited.then_some(5000));
        Limits {
            received: Instant::now(),
            turn: time.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::unlimited()
        }
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

/// A switch that Ctrl-C presses, so that a search ends early and still says what it found.
///
/// # Errors
/// When the process already watches for Ctrl-C.
pub fn stop_on_interrupt() -> anyhow::Result<StopSwitch> {
    let stop = StopSwitch::new();
    let pressed = stop.clone();
    ctrlc::set_handler(move || pressed.press()).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A position as the command line would give it.
    pub(in crate::tools) fn position_args(rule: Rule, size: &str, moves: &str) -> PositionArgs {
        PositionArgs {
            board: BoardArgs { rule, size: size.parse().unwrap() },
            moves: moves.parse().unwrap(),
            diagram: None,
            side: None,
        }
    }

    #[test]
    fn positions_of_moves() {
        let args = position_args(Rule::Standard, "9x30", "1,1 2,2 3,29");
        let position = args.position().unwrap();
        assert_eq!(position.side_to_move(), Color::White);
        assert_eq!(position.board().history().len(), 3);
        let args = PositionArgs { side: Some("black".parse().unwrap()), ..args };
        assert_eq!(args.position().unwrap().side_to_move(), Color::Black);
        let fault = |moves| {
            let args = position_args(Rule::Standard, "15", moves);
            args.position().map(drop).unwrap_err().to_string()
        };
        assert_eq!(fault("1,1 1,1"), "move 2 (1,1) ends the game: occupied");
    }

    #[test]
    fn diagrams_say_who_is_to_move() {
        let path = std::env::temp_dir().join(format!("tengen-diagram-{}", std::process::id()));
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            let diagram = Some(path.clone());
            PositionArgs { diagram, ..position_args(Rule::Renju, "15", "") }.position()
        };
        let odd = read(". X . . .\n. . O . .\n. X . . .\n. . . . .\n. . . . .\n").unwrap();
        assert_eq!(odd.side_to_move(), Color::White);
        assert_eq!(odd.board().size().to_string(), "5x5");
        let even = read(". X . . .\n. . O . .\n. . . . .\n. . . . .\n. . . . .\n").unwrap();
        assert_eq!(even.side_to_move(), Color::Black);
        assert!(read("no board").is_err());
        fs::remove_file(path).unwrap();
    }
}
