//! Arguments that several subcommands share: a board, a position on it, and limits of a search.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};

use crate::diagram;
use crate::network::NetworkArgs;
use crate::selection::Selection;
use crate::units::{self, TimeLimit};
use tengen::engine::{Limits, Options};
use tengen_rules::game::{Ending, Game};
use tengen_rules::moves::MoveText;
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
    /// Text diagram instead of --size and --moves: X black, O white, # out of play, . empty, or as
    /// other programs draw it, with coordinates or a frame; - reads standard input up to the end of
    /// the board
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    pub diagram: Option<PathBuf>,
    /// Side to move, black or white; default: by the number of stones
    #[arg(long)]
    pub side: Option<Color>,
    /// Which board or game of a file, and its encoding.
    #[command(flatten)]
    pub selection: Selection,
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
            selection: Selection::default(),
        }
    }

    /// The game in progress. The stones of a diagram cannot be taken back. `notes` receives what
    /// was not used of the diagram.
    ///
    /// # Errors
    /// When a move is illegal, the diagram is invalid, or the game is over.
    pub fn game(&self, notes: &mut dyn Write) -> anyhow::Result<Game> {
        self.game_from(&mut std::io::stdin().lock(), notes)
    }

    /// [`PositionArgs::game`] with `input` as standard input. A diagram is read up to its end; the
    /// rest of `input` is left to the caller.
    ///
    /// # Errors
    /// The errors of [`PositionArgs::game`].
    pub fn game_from(
        &self,
        input: &mut dyn BufRead,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Game> {
        let game = match &self.diagram {
            Some(_) => self.drawn(input, notes)?,
            None => play(self.board.size(), self.board.rule(), &self.moves)?,
        };
        let game = self.with_side(game);
        if let Some(ending) = game.ending() {
            bail!("the game is over: {ending}");
        }
        Ok(game)
    }

    /// The board of the diagram, which may be finished.
    ///
    /// # Errors
    /// When there is no diagram, or it is invalid.
    pub fn drawn(&self, input: &mut dyn BufRead, notes: &mut dyn Write) -> anyhow::Result<Game> {
        let path = self.diagram.as_deref().context("no diagram")?;
        diagram::read(path, self.board.rule(), &self.selection, input, notes)
            .with_context(|| path.display().to_string())
    }

    /// The game with the side to move of `--side`.
    #[must_use]
    pub fn with_side(&self, game: Game) -> Game {
        match self.side {
            Some(color) if color != game.side_to_move() => {
                let mut board = game.board().clone();
                board.set_side(color);
                Game::from_board(&board)
            }
            _ => game,
        }
    }
}

/// The game after moves from the empty board.
///
/// # Errors
/// When a move is illegal, or ends the game.
pub fn play(size: BoardSize, rule: Rule, moves: &MoveText) -> anyhow::Result<Game> {
    let mut game = Game::new(size, rule);
    for (number, (written, at)) in (1..).zip(moves.on(size)) {
        match game.play(at) {
            None => {}
            Some(Ending::Illegal(_, offence)) => {
                bail!("move {number}: {}", offence.of_move(written, size));
            }
            Some(ending) => {
                bail!("move {number} ({written}) ends the game: {}", ending.reason());
            }
        }
    }
    Ok(game)
}

/// The limit of a search without any other.
pub const DEFAULT_TIME: TimeLimit = TimeLimit::milliseconds(5000);

/// Limits of a search.
#[derive(clap::Args, Clone, Debug)]
pub struct SearchArgs {
    /// Time: ms, or with units as 2s, 1m30s or 1h; inf searches until Ctrl-C; default 5s if there
    /// is no other limit
    #[arg(long, value_parser = units::positive_limit)]
    pub time: Option<TimeLimit>,
    /// Number of nodes, such as 50000, 500k, 2M or 1e6
    #[arg(long, value_parser = units::positive_count)]
    pub nodes: Option<u64>,
    /// Depth limit, in plies
    #[arg(long, value_parser = units::whole::<u32>(1..=1000))]
    pub depth: Option<u32>,
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u16>(1..=1024))]
    pub threads: u16,
    /// Memory limit of the process in MiB
    #[arg(long, value_name = "MIB",
          value_parser = units::whole::<u64>(1..=1_048_576))]
    pub memory: Option<u64>,
    /// Networks from files.
    #[command(flatten)]
    pub network: NetworkArgs,
}

impl SearchArgs {
    /// The limits of a search.
    pub fn limits(&self) -> Limits {
        let unlimited = self.nodes.is_none() && self.depth.is_none();
        let time = self.time.or(unlimited.then_some(DEFAULT_TIME));
        let mut limits = Limits::unlimited();
        limits.turn = time.and_then(TimeLimit::duration);
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
    fn moves_give_the_game_and_its_side_to_move() {
        let args = PositionArgs::from_moves(Rule::Standard, "9x30", "1,1 2,2 3,29");
        let game = |args: &PositionArgs| args.game(&mut Vec::new());
        assert_eq!(game(&args).unwrap().side_to_move(), Color::White);
        assert_eq!(game(&args).unwrap().history().len(), 3);
        let args = PositionArgs { side: Some("black".parse().unwrap()), ..args };
        assert_eq!(game(&args).unwrap().side_to_move(), Color::Black);
        let fault = |moves| {
            let args = PositionArgs::from_moves(Rule::Standard, "15", moves);
            game(&args).map(drop).unwrap_err().to_string()
        };
        assert_eq!(fault("1,1 1,1"), "move 2: 1,1 is taken");
        let outside = "move 1: p1 lies outside the 15x15 board (expected a1 to o15)";
        assert_eq!(fault("p1"), outside);
    }

    #[test]
    fn time_is_limited_unless_it_is_unlimited() {
        let search = |time, nodes| SearchArgs {
            time,
            nodes,
            depth: None,
            threads: 1,
            memory: None,
            network: NetworkArgs::default(),
        };
        let turn = |time, nodes| search(time, nodes).limits().turn;
        assert_eq!(turn(None, None), DEFAULT_TIME.duration());
        assert_eq!(turn(None, Some(1)), None);
        assert_eq!(turn(Some(TimeLimit::Unlimited), None), None);
        assert_eq!(turn("2s".parse().ok(), Some(1)), Some(std::time::Duration::from_secs(2)));
    }

    #[test]
    fn diagrams_give_the_side_to_move() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board.txt");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let diagram = Some(path.clone());
            let args = PositionArgs { diagram, ..PositionArgs::from_moves(Rule::Renju, "15", "") };
            args.game(&mut Vec::new())
        };
        let odd = read(". X . . .\n. . O . .\n. X . . .\n. . . . .\n. . . . .\n").unwrap();
        assert_eq!(odd.side_to_move(), Color::White);
        assert_eq!(odd.board().size().to_string(), "5x5");
        let even = read(". X . . .\n. . O . .\n. . . . .\n. . . . .\n. . . . .\n").unwrap();
        assert_eq!(even.side_to_move(), Color::Black);
        assert!(read("no board").is_err());
    }
}
