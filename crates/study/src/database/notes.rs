//! Writes records as lines of comments in game files, and reads these lines. Texts on cells are marks.
//!
//! ```text
//! Tengen: result win in 21, proved, best h9
//! Tengen: score +123, win rate 65 % for black, line h9
//! Tengen: games 12 black, 3 drawn, 4 white, 1 without a result
//! Tengen: label main line
//! ```
//!
//! Values are for the side to move. Counts of games are not read, since a file could be read twice.
//! Results are read as claims, since the file contains no proof.

use crate::review::{self, comment};
use tengen_record::MarkKind;
use tengen_rules::types::{BoardSize, Color, Notation, Score};
use tengen_store::{
    Bound, Evaluation, Evidence, GameValue, Games, KnownResult, Provenance, Record, ScoredMove,
};

const RESULT: &str = "Tengen: result ";
const GAMES: &str = "Tengen: games ";
const LABEL: &str = "Tengen: label ";

/// The comment of a record, with a line for each part that a game file cannot store otherwise.
/// `side` is the side to move.
pub fn with_lines(record: &Record, side: Color, notation: Notation) -> String {
    let mut lines: Vec<String> = Vec::new();
    if !record.comment.is_empty() {
        lines.push(record.comment.clone());
    }
    if let Some(result) = &record.result {
        lines.push(result_line(result, notation));
    }
    if let Some(score) = score(record) {
        let line = record.best().into_iter().collect();
        lines.push(comment::line(&review::Evaluation { score, line }, side, notation));
    }
    if record.games != Games::default() {
        let Games { black_wins, draws, white_wins, unknown } = record.games;
        lines.push(format!(
            "{GAMES}{black_wins} black, {draws} drawn, {white_wins} white, {unknown} without a result"
        ));
    }
    if !record.label.is_empty() {
        lines.push(format!("{LABEL}{}", record.label));
    }
    lines.join("\n")
}

/// The value for the line with the score: from the tree, else from the evaluation.
fn score(record: &Record) -> Option<Score> {
    let tree = record.tree.map(|tree| tree.score);
    tree.or(record.evaluation.as_ref().map(|found| found.score))
}

/// The data in the lines of a comment, and the comment without these lines.
pub fn read(text: &str, size: BoardSize, provenance: &Provenance) -> Record {
    let mut record = Record::default();
    if !text.contains("Tengen: ") {
        record.comment = text.to_string();
        return record;
    }
    record.evaluation = comment::find(text, size).map(|found| Evaluation {
        score: found.score,
        depth: 0,
        bound: Bound::Exact,
        nodes: 0,
        moves: found
            .line
            .first()
            .map(|&point| ScoredMove { point, score: Some(found.score) })
            .into_iter()
            .collect(),
        provenance: provenance.clone(),
    });
    let mut rest = Vec::new();
    for line in text.lines() {
        if let Some(result) = line.strip_prefix(RESULT).and_then(|it| result(it, size, provenance))
        {
            record.result = Some(result);
        } else if let Some(label) = line.strip_prefix(LABEL) {
            record.label = label.to_string();
        } else {
            let is_read = comment::is_line(line) && record.evaluation.is_some();
            if !line.starts_with(GAMES) && !is_read {
                rest.push(line);
            }
        }
    }
    record.comment = rest.join("\n");
    record
}

fn result_line(result: &KnownResult, notation: Notation) -> String {
    let mut line = format!("{RESULT}{}", result.value.name());
    if let Some(distance) = result.distance {
        line += &format!(" in {distance}");
    }
    line += &format!(", {}", result.evidence.name());
    if let Some(best) = result.best {
        line += &format!(", best {}", notation.name(best));
    }
    line
}

/// The result in the rest of a line.
fn result(text: &str, size: BoardSize, provenance: &Provenance) -> Option<KnownResult> {
    let mut parts = text.split(", ");
    let first = parts.next()?;
    let (name, distance) = match first.split_once(" in ") {
        Some((name, plies)) => (name, Some(plies.parse().ok()?)),
        None => (first, None),
    };
    let value = GameValue::ALL.into_iter().find(|value| value.name() == name)?;
    let best = parts.find_map(|part| part.strip_prefix("best "));
    let best = match best {
        Some(name) => {
            let at = Notation::new(size).parse(name).ok()?;
            Some(size.point(at.x, at.y)?)
        }
        None => None,
    };
    let provenance = provenance.clone();
    Some(KnownResult { value, distance, evidence: Evidence::Claimed, best, provenance })
}

/// The mark that a text on a cell represents.
pub(super) fn mark_kind(text: &str) -> MarkKind {
    let kinds = [MarkKind::Circle, MarkKind::Cross, MarkKind::Square, MarkKind::Triangle];
    kinds
        .into_iter()
        .find(|kind| symbol(kind) == text)
        .unwrap_or_else(|| MarkKind::Label(text.to_string()))
}

/// The text on a cell that represents a mark.
pub(super) fn symbol(kind: &MarkKind) -> &str {
    match kind {
        MarkKind::Label(text) => text,
        MarkKind::Circle => "\u{25cb}",
        MarkKind::Cross => "\u{d7}",
        MarkKind::Square => "\u{25a1}",
        MarkKind::Triangle => "\u{25b3}",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Point;

    fn size() -> BoardSize {
        BoardSize::square(15).unwrap()
    }

    #[test]
    fn records_round_trip_through_comments() {
        let result = |distance, best| KnownResult {
            value: GameValue::Loss,
            distance,
            evidence: Evidence::Claimed,
            best,
            provenance: Provenance::default(),
        };
        let best = Point::new(7, 6);
        let evaluation = Evaluation {
            score: Score::raw(123),
            depth: 0,
            bound: Bound::Exact,
            nodes: 0,
            moves: vec![ScoredMove { point: best, score: Some(Score::raw(123)) }],
            provenance: Provenance::default(),
        };
        let record = Record {
            result: Some(result(Some(12), Some(best))),
            evaluation: Some(evaluation),
            label: "main line".to_string(),
            comment: "one\n\ntwo".to_string(),
            ..Record::default()
        };
        let games = Games { black_wins: 2, ..Games::default() };
        let text =
            with_lines(&Record { games, ..record.clone() }, Color::Black, Notation::new(size()));
        let expected = "one\n\ntwo\nTengen: result loss in 12, claimed, best h9\n\
                        Tengen: score +123, win rate 65 % for black, line h9\n\
                        Tengen: games 2 black, 0 drawn, 0 white, 0 without a result\n\
                        Tengen: label main line";
        assert_eq!(text, expected);
        assert_eq!(read(&text, size(), &Provenance::default()), record);
        for short in [result(None, None), result(Some(0), None), result(None, Some(best))] {
            let record = Record { result: Some(short), ..Record::default() };
            let text = with_lines(&record, Color::Black, Notation::new(size()));
            assert_eq!(read(&text, size(), &Provenance::default()), record, "{text}");
        }
    }

    #[test]
    fn proofs_become_claims_and_other_lines_stay() {
        let read = |text: &str| read(text, size(), &Provenance::default());
        let record = read("Tengen: result win, proved");
        assert_eq!(record.result.map(|result| result.evidence), Some(Evidence::Claimed));
        for text in ["Tengen: result maybe", "Tengen: score x", "Tengen: result win in x", "good"] {
            let record = read(text);
            assert_eq!(record, Record { comment: text.to_string(), ..Record::default() });
        }
    }
}
