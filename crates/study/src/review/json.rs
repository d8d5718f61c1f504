//! A review as JSON, described by `schemas/review.schema.json`.

use serde::Serialize;

use super::{Finding, MoveReview, Review};
use tengen::solver::WinKind;
use tengen_record::GameResult;
use tengen_rules::types::{Color, Notation, Point, Score, four_places};

/// A reviewed game.
#[derive(Serialize)]
struct Document {
    rule: String,
    width: u8,
    height: u8,
    /// `black`, `white`, `draw` or `void`; null while the game goes on.
    result: Option<&'static str>,
    reason: Option<String>,
    /// The forbidden move that ended the game; it is not among `moves`.
    foul: Option<String>,
    /// Stones that were set up before the first move.
    set_up: Vec<SetUp>,
    accuracy: Accuracy,
    turning_points: Vec<usize>,
    losing_move: Option<usize>,
    /// Black's chance to win, 0 to 1, of every position, the start first.
    black_win_rates: Vec<f64>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct SetUp {
    color: &'static str,
    at: String,
}

#[derive(Serialize)]
struct Accuracy {
    black: Option<f64>,
    white: Option<f64>,
}

#[derive(Serialize)]
struct Move {
    number: usize,
    color: &'static str,
    at: String,
    best: Option<String>,
    line: Vec<String>,
    before: Value,
    after: Value,
    loss: f64,
    grade: &'static str,
    finding: Option<Found>,
    /// The move in one sentence; null where there is nothing to say.
    comment: Option<String>,
}

/// A score for the mover.
#[derive(Serialize)]
struct Value {
    /// Points; null where the result is forced.
    score: Option<i32>,
    /// Plies to a forced win, negative to a forced loss; null otherwise.
    forced: Option<i64>,
    /// Chance to win, 0 to 1.
    win_rate: f64,
}

#[derive(Serialize)]
struct Found {
    kind: &'static str,
    plies: usize,
    /// `vcf` or `vct`; null where the line shows neither.
    by: Option<&'static str>,
    line: Vec<String>,
}

/// The review as one JSON object on one line, with cells as `h8`.
pub fn json(review: &Review) -> serde_json::Value {
    let game = &review.game;
    let notation = game.notation();
    let set_up = game.history().len() - review.moves.len();
    let set_up = game.history()[..set_up]
        .iter()
        .map(|stone| SetUp { color: stone.color.name(), at: notation.name(stone.point) })
        .collect();
    let document = Document {
        rule: game.rule().to_string(),
        width: game.size().width(),
        height: game.size().height(),
        result: review.result().map(GameResult::name),
        reason: review.reason().map(str::to_string),
        foul: review.foul.map(|(point, _)| notation.name(point)),
        set_up,
        accuracy: Accuracy {
            black: review.accuracy[Color::Black].map(four_places),
            white: review.accuracy[Color::White].map(four_places),
        },
        turning_points: review.turning_points.clone(),
        losing_move: review.losing_move(),
        black_win_rates: review.black_win_rates().into_iter().map(four_places).collect(),
        moves: review.moves.iter().map(|it| entry(it, notation)).collect(),
    };
    serde_json::to_value(document).unwrap_or_else(|_| unreachable!("plain values only"))
}

fn entry(it: &MoveReview, notation: Notation) -> Move {
    let found = |kind, plies: usize, by: Option<WinKind>, line: &[Point]| Found {
        kind,
        plies,
        by: by.map(WinKind::name),
        line: notation.list(line),
    };
    Move {
        number: it.number,
        color: it.color.name(),
        at: notation.name(it.point),
        best: it.best.map(|best| notation.name(best)),
        line: notation.list(&it.line),
        before: value(it.before),
        after: value(it.after),
        loss: four_places(it.loss),
        grade: it.grade.name(),
        finding: it.finding.as_ref().map(|finding| match finding {
            Finding::MissedWin { plies, by, line } => found("missed-win", *plies, *by, line),
            Finding::MissedDefence { plies, by, line, .. } => {
                found("missed-defence", *plies, *by, line)
            }
            Finding::Lost { plies } => found("lost", *plies, None, &[]),
        }),
        comment: super::text::reason(it, notation),
    }
}

fn value(score: Score) -> Value {
    Value {
        score: (!score.is_forced()).then(|| score.value()),
        forced: score.signed_plies(),
        win_rate: four_places(score.win_rate()),
    }
}
