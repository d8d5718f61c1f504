//! Answers about a database, for JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::minimax::before_move;
use super::stored::{StoredPosition, StoredResult};
use crate::cell::Cell;
use crate::facts::Opening;
use crate::named::Named;
use crate::proved::Proved;
use tengen_rules::board::Board;
use tengen_rules::game::Game;
use tengen_rules::openings::RenjuOpening;
use tengen_rules::types::{Point, Rule, Score, four_places};
use tengen_store::{BoardStats, CheckReport, MergeCounts, Record, RepairReport, Stats};

/// A position and the moves from it to other positions of the database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The answer of `tengen study show --json`")]
pub struct ShownPosition {
    /// Whether the database contains the position.
    pub known: bool,
    /// The opening of renju; absent for other rules, before the third move, and for diagrams with more
    /// than three stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// What the embedded proofs say; absent if nothing is proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<Proved>,
    /// The position with its record.
    pub position: StoredPosition,
    /// The moves, best first.
    pub moves: Vec<ShownMove>,
}

/// A move to a position of the database. Values are for the side that plays it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShownMove {
    /// The cell.
    pub at: Cell,
    /// The best known value; null if nothing is known.
    pub score: Option<i32>,
    /// The win rate of the side to move, 0 to 1.
    pub win_rate: Option<f64>,
    /// The result of the position after the move.
    pub result: Option<StoredResult>,
    /// Games that reached the position after the move.
    pub games: u64,
    /// The label of the position after the move.
    pub label: String,
    /// The comment of the position after the move.
    pub comment: String,
}

impl ShownPosition {
    /// The answer for a board, given the records of the positions after it.
    pub fn new(board: &Board, record: Option<&Record>, moves: &[(Point, Record)]) -> ShownPosition {
        ShownPosition {
            known: record.is_some(),
            opening: None,
            proved: Proved::of(&Game::from_board(board)),
            position: StoredPosition::new(board, record.unwrap_or(&Record::default())),
            moves: moves.iter().map(|(point, record)| ShownMove::new(*point, record)).collect(),
        }
    }
}

impl ShownPosition {
    /// The same answer with the opening of the position.
    #[must_use]
    pub fn with_opening(self, opening: Option<&RenjuOpening>) -> ShownPosition {
        ShownPosition { opening: opening.map(Opening::from), ..self }
    }
}

impl ShownMove {
    /// A move with the record of the position after it.
    pub fn new(point: Point, after: &Record) -> ShownMove {
        let score = after.value().map(before_move);
        let result = after.result.as_ref().map(|result| {
            let after = StoredResult::from(result);
            StoredResult {
                value: Named(result.value.opponent()),
                plies: result.distance.map(|plies| plies.saturating_add(1)),
                best: Some(Cell(point)),
                ..after
            }
        });
        ShownMove {
            at: Cell(point),
            score: score.map(Score::value),
            win_rate: score.map(|score| four_places(score.win_rate())),
            result,
            games: after.games.total(),
            label: after.label.clone(),
            comment: after.comment.clone(),
        }
    }
}

/// The contents of a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The answer of `tengen study stats --json`")]
pub struct DatabaseStats {
    /// Size of the file in bytes, without the log of recent writes.
    pub file_bytes: u64,
    /// Unused bytes of the file.
    pub free_bytes: u64,
    /// Damaged records whose rule and board are unreadable.
    pub damaged: u64,
    /// The contents by rule and board size.
    pub boards: Vec<BoardCounts>,
}

/// The contents for one rule and board size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BoardCounts {
    /// The rule.
    pub rule: Named<Rule>,
    /// Columns of the board.
    pub width: u8,
    /// Rows of the board.
    pub height: u8,
    /// Positions.
    pub positions: u64,
    /// Numbers of positions by number of stones, in ascending order.
    pub by_stones: Vec<StonesCount>,
    /// Positions with a proved result.
    pub proved: ResultCounts,
    /// Positions with a claimed result.
    pub claimed: ResultCounts,
    /// Positions with an evaluation.
    pub evaluated: u64,
    /// Nodes of all evaluations.
    pub nodes: u64,
    /// Positions that occur in games.
    pub in_games: u64,
    /// Positions with a label.
    pub labels: u64,
    /// Positions with a comment.
    pub comments: u64,
    /// Number of texts on cells.
    pub texts: u64,
    /// Damaged records; they are not counted above.
    pub damaged: u64,
}

/// Number of positions with a number of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StonesCount {
    /// Stones.
    pub stones: usize,
    /// Positions.
    pub positions: u64,
}

/// Positions by their result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResultCounts {
    /// Wins.
    pub win: u64,
    /// Draws.
    pub draw: u64,
    /// Losses.
    pub loss: u64,
}

impl From<&Stats> for DatabaseStats {
    fn from(stats: &Stats) -> DatabaseStats {
        DatabaseStats {
            file_bytes: stats.file_bytes,
            free_bytes: stats.free_bytes,
            damaged: stats.damaged,
            boards: stats.boards.iter().map(BoardCounts::from).collect(),
        }
    }
}

impl From<&BoardStats> for BoardCounts {
    fn from(board: &BoardStats) -> BoardCounts {
        let results = |[loss, draw, win]: [u64; 3]| ResultCounts { win, draw, loss };
        let stones =
            board.by_stones.iter().map(|(&stones, &positions)| StonesCount { stones, positions });
        BoardCounts {
            rule: Named(board.rule),
            width: board.size.width(),
            height: board.size.height(),
            positions: board.positions,
            by_stones: stones.collect(),
            proved: results(board.proved),
            claimed: results(board.claimed),
            evaluated: board.evaluated,
            nodes: board.nodes,
            in_games: board.in_games,
            labels: board.labels,
            comments: board.comments,
            texts: board.texts,
            damaged: board.damaged,
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The answer of `tengen study check --json`")]
pub struct DatabaseCheck {
    /// Intact positions.
    pub positions: u64,
    /// The first problems, with their locations.
    pub problems: Vec<String>,
}

impl From<CheckReport> for DatabaseCheck {
    fn from(report: CheckReport) -> DatabaseCheck {
        let CheckReport { positions, problems } = report;
        DatabaseCheck { positions, problems }
    }
}

/// The result of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The answer of `tengen study repair --json`")]
pub struct DatabaseRepair {
    /// Positions in the new file.
    pub positions: u64,
    /// Rows of the damaged file that could not be read.
    pub damaged_rows: u64,
    /// Pages of the damaged file with such rows.
    pub damaged_pages: u32,
    /// Pages past the end of a truncated file.
    pub missing_pages: u32,
    /// Records whose source's name was lost.
    pub lost_sources: u64,
}

impl From<RepairReport> for DatabaseRepair {
    fn from(report: RepairReport) -> DatabaseRepair {
        DatabaseRepair {
            positions: report.positions,
            damaged_rows: report.damaged_rows,
            damaged_pages: report.damaged_pages,
            missing_pages: report.missing_pages,
            lost_sources: report.lost_origins,
        }
    }
}

/// The positions that were deleted, or would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The answer of `tengen study prune --json`")]
pub struct Pruned {
    /// Positions that satisfy the conditions.
    pub positions: u64,
    /// Whether they were changed; false with --dry-run.
    pub done: bool,
}

/// Statistics of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The answer of `tengen study import --json` and `merge --json`")]
pub struct ImportCounts {
    /// Games, or lines of JSON, that were read.
    pub games: u64,
    /// Of these, games that were skipped because an earlier import finished them.
    pub known_games: u64,
    /// Games whose result, or lack of one, was counted at each of their positions.
    pub counted_games: u64,
    /// Games that were not counted because an earlier import counted them, maybe from another file.
    pub repeated_games: u64,
    /// Nodes of all trees.
    pub nodes: u64,
    /// Positions that were new.
    pub inserted: u64,
    /// Known positions that changed.
    pub changed: u64,
    /// Lines that continue in the file after a five, a full board or a forbidden move.
    pub cut_lines: u64,
    /// Claims that contradict another result: an older claim was replaced, a proof was kept.
    pub claims_conflicts: u64,
    /// Proofs that contradict each other, so that one of them is wrong.
    pub proofs_conflicts: u64,
    /// Positions where a label was replaced, or a text was shortened or dropped.
    pub texts_dropped: u64,
}

impl ImportCounts {
    /// Adds the counts of merges.
    pub fn add(&mut self, merged: MergeCounts) {
        self.inserted += merged.inserted;
        self.changed += merged.changed;
        self.claims_conflicts += merged.claims_conflicts;
        self.proofs_conflicts += merged.proofs_conflicts;
        self.texts_dropped += merged.texts_dropped;
    }
}
