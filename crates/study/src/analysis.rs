//! The engine's analysis of a position, and the threats on the board.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, board_of, cells, cells_with};
use crate::ending::{Ending, State};
use crate::facts::Opening;
use crate::input::InputError;
use crate::named::Named;
use crate::origin::Origin;
use tengen::engine::{self, Report};
use tengen_rules::board::{self, Board};
use tengen_rules::game::Game;
use tengen_rules::openings::RenjuOpening;
use tengen_rules::pattern::LinePattern;
use tengen_rules::threat::{self, ThreatKind};
use tengen_rules::types::{BoardSize, Color, Direction, Point, Rule, Score};

/// A position and its analysis. Cells are strings x,y: column from the left and row from the top,
/// both from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A line of `tengen analyze --json`")]
pub struct Analysis {
    /// The file and number of the game.
    #[serde(flatten)]
    pub origin: Origin,
    /// With --every on files: the number of times that the position occurs in the games, in any
    /// order of moves, rotated or mirrored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub count: Option<usize>,
    /// The rule of the game.
    pub rule: Named<Rule>,
    /// Columns of the board.
    #[schemars(range(min = 1, max = 36))]
    pub width: u8,
    /// Rows of the board.
    #[schemars(range(min = 1, max = 36))]
    pub height: u8,
    /// Black's stones, row by row.
    pub black: Vec<Cell>,
    /// White's stones, row by row.
    pub white: Vec<Cell>,
    /// Cells out of play.
    pub walls: Vec<Cell>,
    /// The moves that led to the position, in playing order; empty for a diagram.
    pub moves: Vec<Cell>,
    /// The side to move.
    pub side_to_move: Named<Color>,
    /// The opening of renju; absent for other rules, before the third move, and for diagrams with more
    /// than three stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// How the game ended; null if it is not over.
    pub ending: Option<Ending>,
    /// The best moves, best first; empty if the game is over.
    pub lines: Vec<Line>,
    /// The threats on the board, the strongest first.
    pub threats: Vec<Threat>,
    /// The threats that one more stone of either colour would make, the strongest first, fouls last.
    pub prospects: Vec<Prospect>,
    /// With --cells: every empty cell, row by row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<EmptyCell>>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time of the search in milliseconds.
    pub ms: u64,
}

/// A move and its expected continuation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// The rank among the moves; 1 is the best.
    #[schemars(range(min = 1))]
    pub rank: usize,
    /// The move.
    pub r#move: Cell,
    /// Score for the side to move; 200 points are a factor of e in the odds. A win in n plies is
    /// 30000 - n.
    #[schemars(range(min = -30000, max = 30000))]
    pub score: i32,
    /// Win rate of the side to move; 0 and 1 only if a win is proved.
    #[schemars(range(min = 0, max = 1))]
    pub win_rate: f64,
    /// The forced result; null if none is known.
    pub forced: Option<Forced>,
    /// Depth of the last completed iteration in plies.
    pub depth: u32,
    /// The deepest ply that was visited.
    pub selective_depth: u32,
    /// Best play of both sides, the move itself first.
    pub pv: Vec<Cell>,
}

/// A forced result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Forced {
    /// The side that wins.
    pub winner: Named<Color>,
    /// Moves of both sides up to the five.
    #[schemars(range(min = 1))]
    pub plies: usize,
}

/// Stones of one colour on one line that make a threat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Threat {
    /// The colour of the stones.
    pub color: Named<Color>,
    /// A straight four, a four, an open three or a closed three.
    pub kind: Named<ThreatKind>,
    /// The direction of the line.
    pub direction: Named<Direction>,
    /// The stones, row by row.
    pub stones: Vec<Cell>,
    /// The cells where the next stone makes the five, the straight four or the four.
    pub cells: Vec<Cell>,
}

/// The threat that a stone of one colour on an empty cell would make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prospect {
    /// The colour of the stone.
    pub color: Named<Color>,
    /// The cell.
    pub at: Cell,
    /// The strongest kind of threat that applies.
    pub kind: Named<ThreatKind>,
    /// Whether renju forbids the move.
    pub foul: bool,
    /// The stones of the threat.
    pub stones: Vec<Cell>,
}

/// An empty cell and the threats that a stone of either colour would make there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmptyCell {
    /// The cell.
    pub at: Cell,
    /// The effect of a black stone.
    pub black: Makes,
    /// The effect of a white stone.
    pub white: Makes,
}

/// The effect of a stone on an empty cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Makes {
    /// The strongest kind of threat that it makes; null for no threat.
    pub makes: Option<Named<ThreatKind>>,
    /// Whether renju forbids the move.
    pub foul: bool,
    /// The pattern on the row.
    pub row: Named<LinePattern>,
    /// The pattern on the column.
    pub column: Named<LinePattern>,
    /// The pattern on the line from the upper left to the lower right.
    pub diagonal: Named<LinePattern>,
    /// The pattern on the line from the upper right to the lower left.
    pub anti_diagonal: Named<LinePattern>,
}

/// The best moves that a search has found so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BestMoves {
    /// The state of the game; absent while the search is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Named<State>>,
    /// The best moves, best first; empty if the game is over.
    pub lines: Vec<Line>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time of the search in milliseconds.
    pub ms: u64,
}

/// The move of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// The cell; null if there is no legal move.
    pub r#move: Option<Cell>,
    /// The line of the search; null for players without a search.
    pub line: Option<Line>,
    /// The state of the game.
    pub state: Named<State>,
    /// Whether the search was stopped.
    pub stopped: bool,
}

impl Choice {
    /// A choice without a move.
    pub fn none(state: State) -> Choice {
        Choice { r#move: None, line: None, state: Named(state), stopped: false }
    }
}

impl Analysis {
    /// The analysis of a game's position from a search report; `with_cells` adds all empty cells.
    pub fn new(game: &Game, report: &Report, with_cells: bool) -> Analysis {
        let board = game.board();
        let view = || board.empty_points().map(|point| EmptyCell::of(game, point)).collect();
        Analysis {
            origin: Origin::default(),
            count: None,
            rule: Named(game.rule()),
            width: game.size().width(),
            height: game.size().height(),
            black: cells_with(board, board::Cell::Black),
            white: cells_with(board, board::Cell::White),
            walls: cells_with(board, board::Cell::Wall),
            moves: cells(game.moves()),
            side_to_move: Named(game.side_to_move()),
            opening: RenjuOpening::of(game).map(Opening::from),
            ending: game.ending().map(Ending::from),
            lines: lines(report.searched_lines(), game.side_to_move()),
            threats: game.threats().iter().map(Threat::from).collect(),
            prospects: game.prospects().iter().map(Prospect::from).collect(),
            cells: with_cells.then(view),
            nodes: report.nodes,
            ms: u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

impl Analysis {
    /// The board of the position.
    ///
    /// # Errors
    /// When the board size is invalid, or a cell is outside the board or given twice.
    pub fn board(&self) -> Result<Board, InputError> {
        let size = BoardSize::new(self.width.into(), self.height.into())?;
        let stones = [&*self.black, &self.white];
        board_of(size, self.rule.0, &self.walls, stones, self.side_to_move.0)
    }
}

/// The lines of a search for `side`, ranked by their order. Lines without a move are skipped.
pub fn lines<'a>(found: impl IntoIterator<Item = &'a engine::Line>, side: Color) -> Vec<Line> {
    (1..).zip(found).filter_map(|(rank, line)| Line::new(rank, line, side)).collect()
}

impl Line {
    /// The line of a search for `side`; `None` if it has no move.
    pub fn new(rank: usize, line: &engine::Line, side: Color) -> Option<Line> {
        let &first = line.moves.first()?;
        Some(Line {
            rank,
            r#move: Cell(first),
            score: line.score.value(),
            win_rate: line.score.rounded_win_rate(),
            forced: Forced::of(line.score, side),
            depth: line.depth,
            selective_depth: line.selective_depth,
            pv: cells(line.moves.iter().copied()),
        })
    }
}

impl Forced {
    /// The forced result that a score for `side` means, if any.
    pub fn of(score: Score, side: Color) -> Option<Forced> {
        let winner = if score.is_win() { side } else { side.opponent() };
        score.forced_plies().map(|plies| Forced { winner: Named(winner), plies })
    }
}

impl From<&threat::Threat> for Threat {
    fn from(threat: &threat::Threat) -> Threat {
        Threat {
            color: Named(threat.color),
            kind: Named(threat.kind),
            direction: Named(threat.direction),
            stones: cells(threat.stones.iter().copied()),
            cells: cells(threat.cells.iter().copied()),
        }
    }
}

impl From<&threat::Prospect> for Prospect {
    fn from(prospect: &threat::Prospect) -> Prospect {
        Prospect {
            color: Named(prospect.color),
            at: Cell(prospect.at),
            kind: Named(prospect.kind),
            foul: prospect.kind.is_foul(),
            stones: cells(prospect.stones.iter().copied()),
        }
    }
}

impl EmptyCell {
    /// The effects of stones on the empty cell `point`.
    pub fn of(game: &Game, point: Point) -> EmptyCell {
        let makes = |color| Makes::of(game, point, color);
        EmptyCell { at: Cell(point), black: makes(Color::Black), white: makes(Color::White) }
    }
}

impl Makes {
    fn of(game: &Game, point: Point, color: Color) -> Makes {
        let kind = game.makes(point, color);
        let lines = game.lines(point, color).unwrap_or([LinePattern::Dead; 4]);
        let [row, column, diagonal, anti_diagonal] = lines.map(Named);
        Makes {
            makes: kind.map(Named),
            foul: kind.is_some_and(ThreatKind::is_foul),
            row,
            column,
            diagonal,
            anti_diagonal,
        }
    }
}
