//! A review as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Evaluation, Finding, Grade, MoveReview, Review, comment};
use crate::cell::CellName;
use crate::facts::Opening;
use crate::named::{Named, impl_name};
use crate::origin::Origin;
use tengen::solver::WinKind;
use tengen_record::GameResult;
use tengen_record::replay::IllegalMove;
use tengen_rules::board::Stone;
use tengen_rules::game::Offence;
use tengen_rules::openings::RenjuOpening;
use tengen_rules::types::{BoardSize, Color, Notation, Point, Rule, Score, four_places};
use tengen_words::Words;

/// A reviewed game. The JSON of the tool names cells as `7,7` (column from the left and row from the
/// top, both counted from 0), the page as `h8`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A reviewed game, as `tengen review --json` prints it")]
pub struct ReviewDocument {
    /// The file and number of the game.
    #[serde(flatten)]
    pub origin: Origin,
    /// With --variations: the number of the line in the tree, from 1; absent for the main line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variation: Option<usize>,
    /// For a variation: the number of its first move that is not on an earlier line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_move: Option<usize>,
    /// The rule of the game.
    pub rule: Named<Rule>,
    /// Columns of the board.
    pub width: u8,
    /// Rows of the board.
    pub height: u8,
    /// The opening of renju; absent for other rules and before the third move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// The result on the board, else the one in the file; null if neither is known.
    pub result: Option<Named<GameResult>>,
    /// The reason: five, full, the name of the foul, or the text of the file.
    pub reason: Option<String>,
    /// The forbidden move by which black lost, the last of the moves.
    pub foul: Option<CellName>,
    /// Number of initial moves that were given. They have no grade and do not count for the
    /// accuracy.
    pub given: usize,
    /// Stones on the board before the first move.
    pub set_up: Vec<SetUpStone>,
    /// The accuracy of each side, 0 to 1: the mean of exp(-5 loss) over its moves from positions that
    /// were not lost yet; null without such moves.
    pub accuracy: Accuracy,
    /// Numbers of the moves that changed the lead.
    pub turning_points: Vec<usize>,
    /// Number of the move after which every position was a forced loss for its player; null if
    /// there is no such move, or it was given.
    pub losing_move: Option<usize>,
    /// Black's win rate, 0 to 1, in every position, the start first; 0 and 1 only if a win is
    /// proved.
    pub black_win_rates: Vec<f64>,
    /// Every move, including an illegal one that lost the game.
    pub moves: Vec<ReviewedMove>,
}

/// A stone that was set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetUpStone {
    /// The colour.
    pub color: Named<Color>,
    /// The cell.
    pub at: CellName,
}

/// The accuracy of each side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Accuracy {
    /// Black's accuracy.
    pub black: Option<f64>,
    /// White's accuracy.
    pub white: Option<f64>,
}

/// A move of a reviewed game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewedMove {
    /// Its number, from 1.
    pub number: usize,
    /// The player.
    pub color: Named<Color>,
    /// The cell.
    pub at: CellName,
    /// The engine's move.
    pub best: Option<CellName>,
    /// The best line, starting with the engine's move.
    pub line: Vec<CellName>,
    /// The value before the move, with best play.
    pub before: Value,
    /// The value after the move.
    pub after: Value,
    /// Win rate given away, 0 to 1.
    pub loss: f64,
    /// The grade of the move; null for a given move.
    pub grade: Option<Named<Grade>>,
    /// The reason why the move is illegal and lost the game: double-three, double-four, overline,
    /// occupied or off-board; absent for a legal move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offence: Option<String>,
    /// A forced result that the move gave away or allowed.
    pub finding: Option<FindingEntry>,
    /// An English sentence about the move; null without a finding.
    pub comment: Option<String>,
}

/// The value of a position for the player of the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Value {
    /// The score in points; null if the result is forced.
    pub score: Option<i32>,
    /// Plies to a forced win, negative for a forced loss.
    pub forced: Option<i64>,
    /// Win rate, 0 to 1; 0 and 1 only if a win is proved.
    pub win_rate: f64,
}

/// A forced result that a move gave away or allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindingEntry {
    /// The kind of finding.
    pub kind: Named<FindingKind>,
    /// Plies to the win or loss.
    pub plies: usize,
    /// The kind of win: vcf if every move is a four, vct if every move is a four or threatens a
    /// decisive one; null if the line shows neither.
    pub by: Option<Named<WinKind>>,
    /// The line of the win or loss.
    pub line: Vec<CellName>,
}

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// The player had a forced win before the move, but not after it.
    MissedWin,
    /// The player had no forced loss before the move, but has one after it.
    MissedDefence,
    /// Every move was already a forced loss.
    Lost,
}

impl FindingKind {
    /// All kinds.
    pub const ALL: [FindingKind; 3] =
        [FindingKind::MissedWin, FindingKind::MissedDefence, FindingKind::Lost];

    /// `missed-win`, `missed-defence` or `lost`.
    pub const fn name(self) -> &'static str {
        match self {
            FindingKind::MissedWin => "missed-win",
            FindingKind::MissedDefence => "missed-defence",
            FindingKind::Lost => "lost",
        }
    }
}

impl_name! {
    Grade, "Grade", Grade::ALL;
    FindingKind, "FindingKind", FindingKind::ALL;
}

/// An evaluation in a game file: a line of a comment, and its values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct NotedEvaluation {
    /// The line of the comment.
    pub text: String,
    /// The score in points for the side to move; null if the result is forced.
    pub score: Option<i32>,
    /// Plies to a forced win of the side to move, negative for a forced loss.
    pub forced: Option<i64>,
    /// The win rate of the side to move, 0 to 1.
    pub win_rate: f64,
    /// The best line of both sides.
    pub line: Vec<CellName>,
}

impl NotedEvaluation {
    /// The evaluation of a position with this side to move, on a board with this notation.
    pub fn of(evaluation: &Evaluation, side: Color, notation: Notation) -> NotedEvaluation {
        let text = comment::line(evaluation, side, notation);
        NotedEvaluation::read(text, evaluation, notation)
    }

    /// The evaluation in a line of a comment.
    pub fn read(text: String, evaluation: &Evaluation, notation: Notation) -> NotedEvaluation {
        let Value { score, forced, win_rate } = evaluation.score.into();
        NotedEvaluation { text, score, forced, win_rate, line: notation.list(&evaluation.line) }
    }
}

/// Progress of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewProgress {
    /// Number of positions evaluated so far.
    pub judged: usize,
    /// Number of positions of the game.
    pub of: usize,
}

/// A review with its evaluations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewAnswer {
    /// The review; absent if it was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewDocument>,
    /// Every position of the game, the start first, including the one after an illegal last move.
    pub evaluations: Vec<NotedEvaluation>,
    /// Whether the review was stopped.
    pub stopped: bool,
}

impl ReviewAnswer {
    /// The answer of a review that was stopped.
    pub const fn stopped() -> ReviewAnswer {
        ReviewAnswer { review: None, evaluations: Vec::new(), stopped: true }
    }
}

impl From<&Review> for ReviewAnswer {
    fn from(review: &Review) -> ReviewAnswer {
        let notation = review.game.notation();
        // After an illegal move, the position is lost for its player.
        let lost = Evaluation { score: Score::win_in(0), line: Vec::new() };
        let evaluations = review.evaluations.iter().chain(review.illegal.map(|_| &lost));
        let noted = evaluations
            .zip(review.sides())
            .map(|(evaluation, side)| NotedEvaluation::of(evaluation, side, notation));
        ReviewAnswer { review: Some(review.into()), evaluations: noted.collect(), stopped: false }
    }
}

impl From<&Review> for ReviewDocument {
    fn from(review: &Review) -> ReviewDocument {
        let game = &review.game;
        let notation = game.notation();
        let set_up = game.history().len() - game.moves().count();
        let set_up = game.history()[..set_up].iter();
        let stone = |stone: &Stone| SetUpStone {
            color: Named(stone.color),
            at: notation.name(stone.point),
        };
        ReviewDocument {
            origin: Origin::default(),
            variation: None,
            from_move: None,
            rule: Named(game.rule()),
            width: game.size().width(),
            height: game.size().height(),
            opening: RenjuOpening::of(game).map(Opening::from),
            result: review.result().map(Named),
            reason: review.reason().map(str::to_string),
            foul: review.illegal.filter(is_foul).map(|illegal| notation.name(illegal.at)),
            given: review.given,
            set_up: set_up.map(stone).collect(),
            accuracy: Accuracy {
                black: review.accuracy[Color::Black].map(four_places),
                white: review.accuracy[Color::White].map(four_places),
            },
            turning_points: review.turning_points.clone(),
            losing_move: review.losing_move(),
            black_win_rates: review.black_win_rates().into_iter().map(four_places).collect(),
            moves: review.moves.iter().map(|it| ReviewedMove::of(it, notation)).collect(),
        }
    }
}

impl ReviewDocument {
    /// The document with cells as `7,7` instead of `h8`, as in the JSON of the other tools.
    #[must_use]
    pub fn with_coordinates(mut self) -> ReviewDocument {
        let size = BoardSize::new(self.width.into(), self.height.into());
        let Ok(notation) = size.map(Notation::new) else { return self };
        let change = |cell: &mut CellName| {
            if let Ok(at) = notation.parse(cell) {
                *cell = at.to_string();
            }
        };
        self.foul.iter_mut().for_each(change);
        self.set_up.iter_mut().for_each(|stone| change(&mut stone.at));
        for it in &mut self.moves {
            let cells = [&mut it.at].into_iter().chain(&mut it.best).chain(&mut it.line);
            let of_finding = it.finding.iter_mut().flat_map(|finding| &mut finding.line);
            cells.chain(of_finding).for_each(change);
        }
        self
    }
}

fn is_foul(illegal: &IllegalMove) -> bool {
    matches!(illegal.offence, Offence::Foul(_))
}

impl ReviewedMove {
    fn of(it: &MoveReview, notation: Notation) -> ReviewedMove {
        ReviewedMove {
            number: it.number,
            color: Named(it.color),
            at: notation.name(it.at),
            best: it.best.map(|best| notation.name(best)),
            line: notation.list(&it.line),
            before: it.before.into(),
            after: it.after.into(),
            loss: four_places(it.loss),
            grade: it.grade.map(Named),
            offence: it.offence.map(|offence| offence.name().to_string()),
            finding: it.finding.as_ref().map(|finding| FindingEntry::of(finding, notation)),
            comment: super::text::reason(it, notation, Words::english()),
        }
    }
}

impl FindingEntry {
    fn of(finding: &Finding, notation: Notation) -> FindingEntry {
        let entry = |kind, plies: usize, by: Option<WinKind>, line: &[Point]| FindingEntry {
            kind: Named(kind),
            plies,
            by: by.map(Named),
            line: notation.list(line),
        };
        match finding {
            Finding::MissedWin { plies, by, line } => {
                entry(FindingKind::MissedWin, *plies, *by, line)
            }
            Finding::MissedDefence { plies, by, line, .. } => {
                entry(FindingKind::MissedDefence, *plies, *by, line)
            }
            Finding::Lost { plies } => entry(FindingKind::Lost, *plies, None, &[]),
        }
    }
}

impl From<Score> for Value {
    fn from(score: Score) -> Value {
        Value {
            score: (!score.is_forced()).then(|| score.value()),
            forced: score.signed_plies(),
            win_rate: score.rounded_win_rate(),
        }
    }
}
