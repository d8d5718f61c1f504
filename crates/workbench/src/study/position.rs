//! The position of a command, as moves or as a diagram. Unlike a game in progress it may be over,
//! and its moves may pass through positions that no game reaches in this order.

use std::io::{Write, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use tengen_cli::diagram;
use tengen_cli::selection::Selection;
use tengen_rules::board::Board;
use tengen_rules::game::{Game, Offence};
use tengen_rules::moves::MoveText;
use tengen_rules::openings::RenjuOpening;
use tengen_rules::types::{BoardSize, Color, Notation, Rule};
use tengen_store::Reader;

/// The position.
#[derive(clap::Args, Clone, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    board: BoardChoice,
    /// Alternating moves in any order, black first: "h8 i9 ..." or "7,7 8,6 ..."
    #[arg(long, default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    moves: MoveText,
    /// Text diagram instead of --size and --moves: X black, O white, # out of play, . empty, or as
    /// other programs draw it, with coordinates or a frame; - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "size"])]
    diagram: Option<PathBuf>,
    /// Side to move, black or white; default: by the number of stones
    #[arg(long)]
    side: Option<Color>,
}

/// The rule and the board.
#[derive(clap::Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardChoice {
    /// freestyle, standard, renju, caro or caro-overline; default: the rule of the database if it
    /// holds only one, else freestyle
    #[arg(long)]
    pub rule: Option<Rule>,
    /// Board size: N or WxH; default: the size of the database if it holds only one, else 15
    #[arg(long)]
    pub size: Option<BoardSize>,
}

impl BoardChoice {
    /// The rule and the board size; missing options are taken from the database.
    ///
    /// # Errors
    /// When the database holds several of them, or cannot be read.
    pub fn of(self, reader: &Reader<'_>) -> anyhow::Result<(Rule, BoardSize)> {
        let boards = reader.boards()?;
        let fits = |&(rule, size): &(Rule, BoardSize)| {
            self.rule.is_none_or(|it| it == rule) && self.size.is_none_or(|it| it == size)
        };
        let fitting: Vec<(Rule, BoardSize)> = boards.into_iter().filter(fits).collect();
        match fitting[..] {
            [board] => Ok(board),
            [] => Ok((
                self.rule.unwrap_or(Rule::Freestyle),
                self.size.unwrap_or(BoardSize::square(15).expect("15 is a size")),
            )),
            _ => {
                let names: Vec<String> =
                    fitting.iter().map(|(rule, size)| format!("{rule} {size}")).collect();
                bail!("the database holds {}: choose with --rule and --size", names.join(", "))
            }
        }
    }
}

impl PositionArgs {
    /// Whether neither moves, a diagram nor a side are given.
    pub fn is_default(&self) -> bool {
        self.moves.0.is_empty() && self.diagram.is_none() && self.side.is_none()
    }

    /// The board. `notes` receives what was not used of a diagram.
    ///
    /// # Errors
    /// When a move lies outside the board or on a stone, or the diagram is invalid.
    pub fn board(&self, reader: &Reader<'_>, notes: &mut dyn Write) -> anyhow::Result<Board> {
        let mut board = match &self.diagram {
            Some(path) => {
                let stored = self.board.of(reader).map(|(rule, _)| rule);
                let rule = self.board.rule.unwrap_or(stored.unwrap_or(Rule::Freestyle));
                drawn(path, rule, notes)?
            }
            None => {
                let (rule, size) = self.board.of(reader)?;
                placed(&self.moves, rule, size)?
            }
        };
        if let Some(side) = self.side {
            board.set_side(side);
        }
        Ok(board)
    }

    /// The opening of renju of this board: the first three stones of the moves. The order of the
    /// stones of a diagram is unknown.
    pub fn opening(&self, board: &Board) -> Option<&'static RenjuOpening> {
        match self.diagram {
            Some(_) => RenjuOpening::of(&Game::from_board(board)),
            None => RenjuOpening::of_board(board),
        }
    }
}

/// The board of a diagram. `notes` receives what was not used of it.
///
/// # Errors
/// When the file cannot be read, or has no board.
pub fn drawn(path: &Path, rule: Rule, notes: &mut dyn Write) -> anyhow::Result<Board> {
    let game = diagram::read(path, rule, &Selection::default(), &mut stdin().lock(), notes);
    Ok(game.with_context(|| path.display().to_string())?.board().clone())
}

/// The board with these stones, alternating, black first.
pub fn placed(moves: &MoveText, rule: Rule, size: BoardSize) -> anyhow::Result<Board> {
    let mut board = Board::new(size, rule);
    for (number, (written, at)) in (1..).zip(moves.on(size)) {
        let fault = |offence: Offence| anyhow!("move {number}: {}", offence.of_move(written, size));
        let point = size.point(at.x, at.y).ok_or_else(|| fault(Offence::OffBoard))?;
        board.place(point, board.side_to_move()).map_err(|_| fault(Offence::Occupied))?;
    }
    Ok(board)
}

/// Rule, size, number of stones and side to move, and moves that lead to the position.
pub fn describe(board: &Board) -> String {
    let stones = super::count(board.history().len() as u64, "stone");
    let (rule, size, side) = (board.rule(), board.size(), board.side_to_move().name());
    format!("{rule} {size}, {stones}, {side} to move")
}

/// The stones as moves for `--moves`; for positions that moves cannot produce, the stones of each
/// colour.
pub fn stones(board: &Board) -> String {
    let notation = Notation::new(board.size());
    let of = |color: Color| {
        let own = board.history().iter().filter(move |stone| stone.color == color);
        own.map(|stone| notation.name(stone.point)).collect::<Vec<String>>()
    };
    let (black, white) = (of(Color::Black), of(Color::White));
    let in_turn = black.len() == white.len() + usize::from(board.side_to_move() == Color::White);
    if in_turn && board.walls().next().is_none() {
        let mut moves = Vec::new();
        let mut white = white.into_iter();
        for point in black {
            moves.push(point);
            moves.extend(white.next());
        }
        return moves.join(" ");
    }
    let walls = notation.list(board.walls()).join(" ");
    let mut parts = vec![format!("X {}", black.join(" ")), format!("O {}", white.join(" "))];
    if !walls.is_empty() {
        parts.push(format!("# {walls}"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Point;

    fn board(moves: &str) -> Board {
        placed(&moves.parse().unwrap(), Rule::Renju, BoardSize::square(15).unwrap()).unwrap()
    }

    #[test]
    fn stones_are_moves_that_give_the_position() {
        let start = board("h8 i9 a1 o15 c3");
        assert_eq!(board(&stones(&start)).key(), start.key());
        assert_eq!(describe(&start), "renju 15x15, 5 stones, white to move");
        let mut odd = board("h8 i9");
        odd.set_side(Color::White);
        odd.wall(Point::new(0, 0)).unwrap();
        assert_eq!(stones(&odd), "X h8, O i9, # a15");
    }

    #[test]
    fn impossible_moves_are_rejected() {
        let size = BoardSize::square(15).unwrap();
        let error = |moves: &str| {
            placed(&moves.parse().unwrap(), Rule::Renju, size).unwrap_err().to_string()
        };
        assert_eq!(error("h8 h8"), "move 2: h8 is taken");
        assert_eq!(
            error("h8 a16"),
            "move 2: a16 lies outside the 15x15 board (expected a1 to o15)"
        );
    }
}
