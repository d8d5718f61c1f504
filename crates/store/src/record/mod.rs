//! The record of a position.
//!
//! A [`Record`] has five independent parts: the game-theoretic [`KnownResult`], the
//! [`Evaluation`] of a search, the [`TreeValue`] derived from later positions, the [`Games`] that
//! reached the position, and the texts.
//! Points and texts on cells belong to the board of the call: the store turns them to
//! and from the canonical form.

pub(crate) mod codec;
mod merge;
#[cfg(test)]
mod samples;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use merge::{GamesRule, MergeCounts, Merged};
use tengen_rules::types::MAX_PLY;
pub use tengen_rules::types::{Bound, GameValue};
use tengen_rules::{BoardSize, Point, Score, Symmetry};

use crate::Error;

/// The longest label in bytes.
pub const MAX_LABEL: usize = 64;
/// The longest comment or text on a cell in bytes.
pub const MAX_TEXT: usize = 64 * 1024;

/// The kind of evidence for a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// Not proved: from a person, an imported file or a search score.
    Claimed,
    /// Proved by the solver of this program, or by a checked proof.
    Proved,
}

impl Evidence {
    /// Both kinds.
    pub const ALL: [Evidence; 2] = [Evidence::Claimed, Evidence::Proved];

    /// `claimed` or `proved`.
    pub const fn name(self) -> &'static str {
        match self {
            Evidence::Claimed => "claimed",
            Evidence::Proved => "proved",
        }
    }
}

/// A program or person that contributes records.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// Name of the engine, file or person.
    pub source: String,
    /// Version of the engine; empty if it has none.
    pub version: String,
}

/// The source and time of a part of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Provenance {
    /// The source; `None` if unknown.
    pub origin: Option<Arc<Origin>>,
    /// The time in seconds since 1970 (UTC); 0 if unknown.
    pub time: u32,
}

/// A known result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownResult {
    /// The outcome.
    pub value: GameValue,
    /// Plies to the end of the game; for a proved win or loss an upper bound.
    pub distance: Option<u16>,
    /// Whether it was proved.
    pub evidence: Evidence,
    /// A move that keeps the outcome.
    pub best: Option<Point>,
    /// By whom and when.
    pub provenance: Provenance,
}

/// A move that a search examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScoredMove {
    /// The cell.
    pub point: Point,
    /// Value of the position after the move, for the side that plays it.
    pub score: Option<Score>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Value for the side to move.
    pub score: Score,
    /// Depth of the search in plies.
    pub depth: u16,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes searched.
    pub nodes: u64,
    /// The best moves, best first.
    pub moves: Vec<ScoredMove>,
    /// By whom and when.
    pub provenance: Provenance,
}

/// The minimax value of a position, derived from the positions after it in the store. The store does
/// not compute it: after changes of their records, a tool has to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeValue {
    /// Plies to the position whose evaluation determines the score.
    pub plies: u16,
    /// Value for the side to move.
    pub score: Score,
    /// The best move.
    pub best: Option<Point>,
}

/// Games that reached a position, by their outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// Games won by Black.
    pub black_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by White.
    pub white_wins: u64,
    /// Games without a result.
    pub unknown: u64,
}

impl Games {
    /// All games together.
    pub const fn total(self) -> u64 {
        self.black_wins
            .saturating_add(self.draws)
            .saturating_add(self.white_wins)
            .saturating_add(self.unknown)
    }
}

/// All data of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The result, if one is known.
    pub result: Option<KnownResult>,
    /// The best evaluation, if there is one.
    pub evaluation: Option<Evaluation>,
    /// The value derived from the positions after this one, if any has a value.
    pub tree: Option<TreeValue>,
    /// The games that reached the position.
    pub games: Games,
    /// A short label of one line; empty for none.
    pub label: String,
    /// A comment; empty for none.
    pub comment: String,
    /// Texts on cells of the board.
    pub texts: BTreeMap<Point, String>,
}

impl KnownResult {
    /// The result as a score for the side to move; an unknown distance counts as 0.
    pub fn score(&self) -> Score {
        // The score of a forced result has a maximum distance.
        let plies = usize::from(self.distance.unwrap_or(0)).min(MAX_DISTANCE);
        match self.value {
            GameValue::Loss => Score::loss_in(plies),
            GameValue::Draw => Score::DRAW,
            GameValue::Win => Score::win_in(plies),
        }
    }

    /// Like [`KnownResult::score`]; `None` for a win or loss of unknown length.
    pub fn exact_score(&self) -> Option<Score> {
        let is_exact = self.distance.is_some() || self.value == GameValue::Draw;
        is_exact.then(|| self.score())
    }
}

/// Maximum distance that the score of a forced result can represent.
const MAX_DISTANCE: usize = 2 * MAX_PLY;

impl Record {
    /// The best known value for the side to move: of a proof, else a claim, else the tree value,
    /// else the evaluation.
    pub fn value(&self) -> Option<Score> {
        let result = self.result.as_ref().map(KnownResult::score);
        let tree = self.tree.map(|tree| tree.score);
        result.or(tree).or(self.evaluation.as_ref().map(|found| found.score))
    }

    /// The best known move, of the same source as [`Record::value`] if that has one.
    pub fn best(&self) -> Option<Point> {
        let result = self.result.as_ref().and_then(|result| result.best);
        let tree = self.tree.and_then(|tree| tree.best);
        let found = self.evaluation.as_ref().and_then(|found| found.moves.first());
        result.or(tree).or(found.map(|scored| scored.point))
    }

    /// The score of a proof, if its length is known.
    pub fn proved_score(&self) -> Option<Score> {
        self.proof().and_then(KnownResult::exact_score)
    }

    /// The value for the side to move that follows from no claim, and its relation to the true
    /// value: of a proof, else the evaluation. The tree value is left out: claims and evaluations of
    /// other sources about any later position may determine it.
    pub fn unclaimed_value(&self) -> Option<(Score, Bound)> {
        let proved = self.proved_score().map(|score| (score, Bound::Exact));
        proved.or(self.evaluation.as_ref().map(|found| (found.score, found.bound)))
    }

    /// Like [`Record::unclaimed_value`], for the table of a search. `None` if a claim, or a proof
    /// of unknown length, may contradict the search that found the value.
    pub fn search_value(&self) -> Option<(Score, Bound)> {
        let is_sure = self.result.is_none() || self.proved_score().is_some();
        self.unclaimed_value().filter(|_| is_sure)
    }

    /// The best move that follows from no claim, of the same source as [`Record::unclaimed_value`]
    /// if that has one.
    pub fn unclaimed_best(&self) -> Option<Point> {
        let proof = self.proof().and_then(|proof| proof.best);
        let found = self.evaluation.as_ref().and_then(|found| found.moves.first());
        proof.or(found.map(|scored| scored.point))
    }

    fn proof(&self) -> Option<&KnownResult> {
        self.result.as_ref().filter(|result| result.evidence == Evidence::Proved)
    }

    /// Whether the record is empty.
    pub fn is_empty(&self) -> bool {
        *self == Record::default()
    }

    /// The record with proofs turned into claims. For imported files whose proofs were not checked.
    #[must_use]
    pub fn without_proofs(mut self) -> Record {
        if let Some(result) = &mut self.result {
            result.evidence = Evidence::Claimed;
        }
        self
    }

    /// The record of the turned board. `size` is the size before the turn.
    #[must_use]
    pub fn turned(mut self, size: BoardSize, symmetry: Symmetry) -> Record {
        if symmetry == Symmetry::ALL[0] {
            return self;
        }
        let turn = |point: &mut Point| *point = symmetry.point(size, *point);
        if let Some(best) = self.result.as_mut().and_then(|result| result.best.as_mut()) {
            turn(best);
        }
        if let Some(best) = self.tree.as_mut().and_then(|tree| tree.best.as_mut()) {
            turn(best);
        }
        for scored in self.evaluation.iter_mut().flat_map(|found| &mut found.moves) {
            turn(&mut scored.point);
        }
        if !self.texts.is_empty() {
            let texts = std::mem::take(&mut self.texts);
            let texts = texts.into_iter().map(|(point, text)| (symmetry.point(size, point), text));
            self.texts = texts.collect();
        }
        self
    }

    /// Checks that a store can hold the record for a board of this size.
    pub(crate) fn validate(&self, size: BoardSize) -> Result<(), Error> {
        let invalid = |reason: String| Err(Error::InvalidRecord { reason });
        let best = self.result.iter().filter_map(|result| result.best);
        let best = best.chain(self.tree.and_then(|tree| tree.best));
        let moves = self.evaluation.iter().flat_map(|found| &found.moves);
        let mut points =
            best.chain(moves.map(|scored| scored.point)).chain(self.texts.keys().copied());
        if let Some(point) = points.find(|&point| !size.contains(point)) {
            return invalid(format!("the point {point} lies outside the {size} board"));
        }
        let found = self.evaluation.iter();
        let scores = found.flat_map(|found| {
            found.moves.iter().filter_map(|scored| scored.score).chain([found.score])
        });
        let mut scores = scores.chain(self.tree.map(|tree| tree.score)).map(Score::value);
        let range = Score::MIN.value()..=Score::MAX.value();
        if let Some(score) = scores.find(|score| !range.contains(score)) {
            return invalid(format!("score {score} (expected {range:?})"));
        }
        if self.label.len() > MAX_LABEL || self.label.contains(char::is_control) {
            let label = &self.label;
            return invalid(format!(
                "label {label:?} (expected one line of at most {MAX_LABEL} bytes)"
            ));
        }
        let mut texts = self.texts.values().chain([&self.comment]);
        if let Some(text) = texts.find(|text| text.len() > MAX_TEXT) {
            return invalid(format!(
                "a text of {} bytes (expected at most {MAX_TEXT})",
                text.len()
            ));
        }
        if let Some((point, _)) = self.texts.iter().find(|(_, text)| text.is_empty()) {
            return invalid(format!("an empty text on {point}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::samples::point;
    use super::*;

    fn record(evidence: Option<(Evidence, Option<u16>)>, tree: Option<Score>) -> Record {
        let result = evidence.map(|(evidence, distance)| KnownResult {
            value: GameValue::Loss,
            distance,
            evidence,
            best: Some(point(1, 0)),
            provenance: Provenance::default(),
        });
        let evaluation = Evaluation {
            score: Score::win_in(9),
            depth: 5,
            bound: Bound::Lower,
            nodes: 10,
            moves: vec![ScoredMove { point: point(3, 0), score: None }],
            provenance: Provenance::default(),
        };
        let tree = tree.map(|score| TreeValue { plies: 2, score, best: Some(point(2, 0)) });
        Record { result, evaluation: Some(evaluation), tree, ..Record::default() }
    }

    #[test]
    fn unclaimed_value_and_move_have_the_same_source() {
        let (claim, proof) = ((Evidence::Claimed, Some(4)), (Evidence::Proved, Some(4)));
        let (open, forced) = (Score::raw(-70), Score::loss_in(4));
        let searched = (Score::win_in(9), Bound::Lower);
        let exact = |score| (score, Bound::Exact);
        // Evidence and tree value; the value, the move, and whether searches use the value.
        let cases = [
            (None, None, searched, 3, true),
            // A tree value may follow from a claim, whether it is forced or not.
            (None, Some(open), searched, 3, true),
            (None, Some(forced), searched, 3, true),
            (Some(claim), Some(open), searched, 3, false),
            (Some(proof), Some(open), exact(forced), 1, true),
            (Some((Evidence::Proved, None)), None, searched, 1, false),
        ];
        for (evidence, tree, value, x, is_for_searches) in cases {
            let record = record(evidence, tree);
            assert_eq!(record.unclaimed_value(), Some(value), "{record:?}");
            assert_eq!(record.unclaimed_best(), Some(point(x, 0)), "{record:?}");
            assert_eq!(record.search_value().is_some(), is_for_searches, "{record:?}");
        }
    }
}
