//! A position of a database with its record, as a line of JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, board_of, cells_with};
use crate::input::InputError;
use crate::named::{Named, impl_name};
use tengen_rules::board::{Board, Cell as BoardCell};
use tengen_rules::types::{BoardSize, Color, Point, Rule, Score};
use tengen_store::{
    Bound, Evaluation, Evidence, GameValue, Games, KnownResult, Origin, Provenance, Record,
    ScoredMove, TreeValue,
};

impl_name! {
    Bound, "Bound", Bound::ALL;
    Evidence, "Evidence", Evidence::ALL;
    GameValue, "GameValue", GameValue::ALL;
}

/// A position of a database with all stored data. Cells are strings x,y: column from the left and
/// row from the top, both from 0. Values are for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A position as `tengen study` prints it")]
#[serde(deny_unknown_fields)]
pub struct StoredPosition {
    /// The rule.
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub walls: Vec<Cell>,
    /// The side to move.
    pub side_to_move: Named<Color>,
    /// The result, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<StoredResult>,
    /// The evaluation by a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<StoredEvaluation>,
    /// The value derived from the positions after this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<StoredTreeValue>,
    /// The games with this position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<StoredGames>,
    /// A short label.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// A comment.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Texts on cells, row by row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<StoredText>,
}

/// A known result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredResult {
    /// Loss, draw or win of the side to move.
    pub value: Named<GameValue>,
    /// Whether a solver or a checked proof proved it; otherwise it is a claim.
    pub evidence: Named<Evidence>,
    /// Plies to the end; for a proof, the maximum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
    /// A move that keeps the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Cell>,
    /// The source and the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Source>,
}

/// The evaluation by a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredEvaluation {
    /// The score: 200 points multiply the odds of winning by e; a win in n plies is 30000 - n.
    #[schemars(range(min = -30000, max = 30000))]
    pub score: i32,
    /// Whether the value is equal to the score, at least the score, or at most the score.
    pub bound: Named<Bound>,
    /// Depth of the last iteration in plies.
    pub depth: u16,
    /// Number of nodes searched.
    pub nodes: u64,
    /// The best moves, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<StoredMove>,
    /// The source and the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Source>,
}

/// A move that a search examined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredMove {
    /// The cell.
    pub at: Cell,
    /// Its value for the side that plays it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
}

/// The minimax value derived from the positions after this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredTreeValue {
    /// On the scale of search scores.
    pub score: i32,
    /// Plies to the position whose evaluation determines the score.
    pub plies: u16,
    /// The best move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Cell>,
}

/// Games by their result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredGames {
    /// Games won by black.
    pub black: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by white.
    pub white: u64,
    /// Games without a result.
    pub unknown: u64,
}

/// A text on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredText {
    /// The cell.
    pub at: Cell,
    /// The text.
    pub text: String,
}

/// The source and the time of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Name of the engine, file or person; null if unknown.
    pub name: Option<String>,
    /// Version of the engine; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Seconds since 1970 (UTC); 0 if unknown.
    #[serde(default)]
    pub time: u32,
}

impl StoredPosition {
    /// A position with its record.
    pub fn new(board: &Board, record: &Record) -> StoredPosition {
        let texts =
            record.texts.iter().map(|(&at, text)| StoredText { at: Cell(at), text: text.clone() });
        StoredPosition {
            rule: Named(board.rule()),
            width: board.size().width(),
            height: board.size().height(),
            black: cells_with(board, BoardCell::Black),
            white: cells_with(board, BoardCell::White),
            walls: cells_with(board, BoardCell::Wall),
            side_to_move: Named(board.side_to_move()),
            result: record.result.as_ref().map(StoredResult::from),
            evaluation: record.evaluation.as_ref().map(StoredEvaluation::from),
            tree: record.tree.map(StoredTreeValue::from),
            games: (record.games != Games::default()).then(|| record.games.into()),
            label: record.label.clone(),
            comment: record.comment.clone(),
            texts: texts.collect(),
        }
    }

    /// The board.
    ///
    /// # Errors
    /// When the board size is invalid, a cell is outside the board, or a cell is given twice.
    pub fn board(&self) -> Result<Board, InputError> {
        let size = BoardSize::new(self.width.into(), self.height.into())?;
        let stones = [&*self.black, &self.white];
        board_of(size, self.rule.0, &self.walls, stones, self.side_to_move.0)
    }

    /// The record. It is checked against the board when it is stored.
    pub fn record(&self) -> Record {
        let texts = self.texts.iter().map(|text| (text.at.0, text.text.clone()));
        Record {
            result: self.result.as_ref().map(KnownResult::from),
            evaluation: self.evaluation.as_ref().map(Evaluation::from),
            tree: self.tree.as_ref().map(TreeValue::from),
            games: self.games.unwrap_or_default().into(),
            label: self.label.clone(),
            comment: self.comment.clone(),
            texts: texts.collect::<BTreeMap<Point, String>>(),
        }
    }
}

impl From<&KnownResult> for StoredResult {
    fn from(result: &KnownResult) -> StoredResult {
        StoredResult {
            value: Named(result.value),
            evidence: Named(result.evidence),
            plies: result.distance,
            best: result.best.map(Cell),
            by: source(&result.provenance),
        }
    }
}

impl From<&StoredResult> for KnownResult {
    fn from(result: &StoredResult) -> KnownResult {
        KnownResult {
            value: result.value.0,
            distance: result.plies,
            evidence: result.evidence.0,
            best: result.best.map(|Cell(point)| point),
            provenance: provenance(result.by.as_ref()),
        }
    }
}

impl From<&Evaluation> for StoredEvaluation {
    fn from(found: &Evaluation) -> StoredEvaluation {
        let moves = found.moves.iter().map(|&ScoredMove { point, score }| StoredMove {
            at: Cell(point),
            score: score.map(Score::value),
        });
        StoredEvaluation {
            score: found.score.value(),
            bound: Named(found.bound),
            depth: found.depth,
            nodes: found.nodes,
            moves: moves.collect(),
            by: source(&found.provenance),
        }
    }
}

impl From<&StoredEvaluation> for Evaluation {
    fn from(found: &StoredEvaluation) -> Evaluation {
        let moves = found.moves.iter().map(|&StoredMove { at: Cell(point), score }| ScoredMove {
            point,
            score: score.map(Score::raw),
        });
        Evaluation {
            score: Score::raw(found.score),
            depth: found.depth,
            bound: found.bound.0,
            nodes: found.nodes,
            moves: moves.collect(),
            provenance: provenance(found.by.as_ref()),
        }
    }
}

impl From<TreeValue> for StoredTreeValue {
    fn from(tree: TreeValue) -> StoredTreeValue {
        let TreeValue { plies, score, best } = tree;
        StoredTreeValue { score: score.value(), plies, best: best.map(Cell) }
    }
}

impl From<&StoredTreeValue> for TreeValue {
    fn from(tree: &StoredTreeValue) -> TreeValue {
        let best = tree.best.map(|Cell(point)| point);
        TreeValue { plies: tree.plies, score: Score::raw(tree.score), best }
    }
}

impl From<Games> for StoredGames {
    fn from(games: Games) -> StoredGames {
        let Games { black_wins: black, draws, white_wins: white, unknown } = games;
        StoredGames { black, draws, white, unknown }
    }
}

impl From<StoredGames> for Games {
    fn from(games: StoredGames) -> Games {
        let StoredGames { black: black_wins, draws, white: white_wins, unknown } = games;
        Games { black_wins, draws, white_wins, unknown }
    }
}

fn source(provenance: &Provenance) -> Option<Source> {
    let Provenance { origin, time } = provenance;
    let version = origin.as_ref().map(|origin| origin.version.clone()).unwrap_or_default();
    let name = origin.as_ref().map(|origin| origin.source.clone());
    (*provenance != Provenance::default()).then_some(Source { name, version, time: *time })
}

fn provenance(source: Option<&Source>) -> Provenance {
    let Some(Source { name, version, time }) = source else { return Provenance::default() };
    let origin = name
        .as_ref()
        .map(|name| Arc::new(Origin { source: name.clone(), version: version.clone() }));
    Provenance { origin, time: *time }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let origin = Arc::new(Origin { source: "tengen".to_string(), version: "1".to_string() });
        let provenance = Provenance { origin: Some(origin), time: 7 };
        let best = Point::new(8, 8);
        Record {
            result: Some(KnownResult {
                value: GameValue::Win,
                distance: Some(9),
                evidence: Evidence::Proved,
                best: Some(best),
                provenance: provenance.clone(),
            }),
            evaluation: Some(Evaluation {
                score: Score::raw(-12),
                depth: 8,
                bound: Bound::Lower,
                nodes: 1 << 40,
                moves: vec![
                    ScoredMove { point: best, score: Some(Score::raw(-12)) },
                    ScoredMove { point: Point::new(0, 1), score: None },
                ],
                provenance,
            }),
            tree: Some(TreeValue { plies: 3, score: Score::raw(5), best: None }),
            games: Games { black_wins: 1, draws: 2, white_wins: 3, unknown: 4 },
            label: "main".to_string(),
            comment: "two\nlines".to_string(),
            texts: [(Point::new(1, 2), "A".to_string())].into(),
        }
    }

    fn board() -> Board {
        let mut board = Board::new(BoardSize::new(15, 9).unwrap(), Rule::Renju);
        board.place(Point::new(7, 7), Color::Black).unwrap();
        board.place(Point::new(3, 3), Color::White).unwrap();
        board.wall(Point::new(14, 0)).unwrap();
        board.set_side(Color::White);
        board
    }

    #[test]
    fn positions_round_trip_through_json() {
        for record in [record(), Record::default()] {
            let text = serde_json::to_string(&StoredPosition::new(&board(), &record)).unwrap();
            let stored: StoredPosition = serde_json::from_str(&text).unwrap();
            assert_eq!(stored.record(), record);
            let read = stored.board().unwrap();
            assert_eq!((read.key(), read.size()), (board().key(), board().size()));
        }
    }

    #[test]
    fn invalid_boards_are_rejected() {
        let stored = StoredPosition::new(&board(), &Record::default());
        let error = |change: &dyn Fn(&mut StoredPosition)| {
            let mut stored = stored.clone();
            change(&mut stored);
            stored.board().unwrap_err().to_string()
        };
        assert_eq!(error(&|it| it.white.push(Cell(Point::new(7, 7)))), "7,7 is set up twice");
        assert_eq!(
            error(&|it| it.walls.push(Cell(Point::new(7, 9)))),
            "7,9 lies outside the 15x9 board (expected 0,0 to 14,8)"
        );
        assert!(error(&|it| it.width = 37).contains("37"), "{}", error(&|it| it.width = 37));
    }
}
