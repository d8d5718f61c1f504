//! Merging two records of the same position.
//!
//! Results and evaluations are the larger of two by a total order, so the outcome of many merges
//! does not depend on their order or repetition:
//!
//! - Results: a proof before a claim, so that a claim never changes a proof. Of two proofs the one
//!   with the shorter distance wins, of two claims the later one.
//! - Evaluations: more nodes, so that a search is not lost to an imported evaluation, whose nodes are
//!   unknown (0), and need not be repeated. On ties the greater depth, with [`EXACT_BONUS`] plies
//!   added for exact scores; then exact scores before bounds, the tighter bound, the later time.
//! - Tree values: the one with more plies. It must be recomputed in either case, see
//!   [`Merged::values_changed`].
//! - Games: the larger counts, or their sums, see [`GamesRule`].
//! - Texts: both are kept, the new one after the old one: comments as paragraphs, texts on cells, which
//!   have one line, after a blank. An existing label is kept.

use std::cmp::Reverse;

use super::{
    Bound, Evaluation, Evidence, Games, KnownResult, MAX_TEXT, Provenance, Record, ScoredMove,
};

/// Plies by which an exact score outweighs a bound.
const EXACT_BONUS: u32 = 3;

/// How counts of games are merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GamesRule {
    /// The larger of both counts, for records that may count the same games and for merges that may
    /// be repeated.
    #[default]
    Largest,
    /// The sum, for games that were not counted before.
    Add,
}

/// The effects of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The position was not in the store.
    pub inserted: bool,
    /// The record changed.
    pub changed: bool,
    /// The position is new, or its result, evaluation or tree value changed: the tree values of this
    /// position and of those before it may be old.
    pub values_changed: bool,
    /// Two proofs contradict each other, so one is wrong; the shorter one was kept.
    pub proofs_conflict: bool,
    /// A claim contradicts a proof or another claim; one of them was dropped.
    pub claims_conflict: bool,
    /// A label or text was dropped because another label existed or the text became too long.
    pub text_dropped: bool,
}

/// The effects of several merges, as numbers of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergeCounts {
    /// New positions.
    pub inserted: u64,
    /// Known positions whose record changed.
    pub changed: u64,
    /// See [`Merged::proofs_conflict`].
    pub proofs_conflicts: u64,
    /// See [`Merged::claims_conflict`].
    pub claims_conflicts: u64,
    /// See [`Merged::text_dropped`].
    pub texts_dropped: u64,
}

impl MergeCounts {
    /// Counts one more merge.
    pub fn add(&mut self, merged: Merged) {
        self.inserted += u64::from(merged.inserted);
        self.changed += u64::from(merged.changed && !merged.inserted);
        self.proofs_conflicts += u64::from(merged.proofs_conflict);
        self.claims_conflicts += u64::from(merged.claims_conflict);
        self.texts_dropped += u64::from(merged.text_dropped);
    }
}

impl Record {
    /// Merges another record of the same position into this one, by the rules of the module.
    pub fn merge(&mut self, other: Record, games: GamesRule) -> Merged {
        let before = self.clone();
        let mut merged = Merged::default();
        if let Some(new) = other.result {
            match &mut self.result {
                None => self.result = Some(new),
                Some(old) => merge_results(old, new, &mut merged),
            }
        }
        if let Some(new) = other.evaluation {
            match &mut self.evaluation {
                Some(old) if evaluation_order(&new) <= evaluation_order(old) => {}
                old => *old = Some(new),
            }
        }
        self.tree = self.tree.max(other.tree);
        self.games = self.games.merge(other.games, games);
        if self.label.is_empty() {
            self.label = other.label;
        } else if !other.label.is_empty() && other.label != self.label {
            merged.text_dropped = true;
        }
        merged.text_dropped |= !append_text(&mut self.comment, other.comment, "\n\n");
        for (point, mut text) in other.texts {
            let known = self.texts.entry(point).or_default();
            // Texts of several lines, as older versions joined them, are compared by words.
            if !known.is_empty() && *known != text {
                (*known, text) = (one_line(known), one_line(&text));
            }
            merged.text_dropped |= !append_text(known, text, " ");
        }
        merged.changed = *self != before;
        merged.values_changed = (&self.result, &self.evaluation, self.tree)
            != (&before.result, &before.evaluation, before.tree);
        merged
    }
}

impl Games {
    fn merge(self, other: Games, rule: GamesRule) -> Games {
        let merge = match rule {
            GamesRule::Largest => u64::max,
            GamesRule::Add => u64::saturating_add,
        };
        Games {
            black_wins: merge(self.black_wins, other.black_wins),
            draws: merge(self.draws, other.draws),
            white_wins: merge(self.white_wins, other.white_wins),
            unknown: merge(self.unknown, other.unknown),
        }
    }
}

fn merge_results(old: &mut KnownResult, new: KnownResult, merged: &mut Merged) {
    let proved = |result: &KnownResult| result.evidence == Evidence::Proved;
    if old.value != new.value {
        let both_proved = proved(old) && proved(&new);
        merged.proofs_conflict = both_proved;
        merged.claims_conflict = !both_proved;
    }
    if result_order(&new) > result_order(old) {
        *old = new;
    }
}

/// A total order in which better results are larger.
fn result_order(result: &KnownResult) -> impl Ord + '_ {
    let proved = result.evidence == Evidence::Proved;
    let Provenance { origin, time } = &result.provenance;
    let distance = Reverse(result.distance.map_or(u32::MAX, u32::from));
    let (claim_time, proof_distance) =
        if proved { (0, distance) } else { (*time, Reverse(u32::MAX)) };
    let rest = (distance, Reverse(*time), result.best.is_some(), result.best, origin);
    (proved, claim_time, proof_distance, result.value, rest)
}

fn evaluation_order(found: &Evaluation) -> impl Ord + '_ {
    let exact = found.bound == Bound::Exact;
    let depth = u32::from(found.depth) + if exact { EXACT_BONUS } else { 0 };
    let tightness = match found.bound {
        Bound::Exact => 0,
        Bound::Lower => found.score.value(),
        Bound::Upper => -found.score.value(),
    };
    let Evaluation { score, bound, nodes, moves, provenance, .. } = found;
    let moves: &[ScoredMove] = moves;
    let rest = (provenance.time, *score, moves, &provenance.origin);
    (*nodes, depth, *bound, tightness, rest)
}

/// The words of a text, separated by single blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Appends a text unless the old one contains its parts, paragraphs or words, already. False if it
/// did not fit.
fn append_text(old: &mut String, new: String, separator: &str) -> bool {
    let bounded = |text: &str| -> String {
        let parts = text.split(separator).filter(|part| !part.is_empty());
        parts.flat_map(|part| [separator, part]).chain([separator]).collect()
    };
    let contains = |text: &str, part: &str| bounded(text).contains(&bounded(part));
    if !old.is_empty() && contains(old, &new) {
        return true;
    }
    if contains(&new, old) {
        *old = new;
        return true;
    }
    let fits = old.len() + separator.len() + new.len() <= MAX_TEXT;
    if fits {
        old.push_str(separator);
        old.push_str(&new);
    }
    fits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tengen_rules::Score;

    use super::super::samples::{point, provenance, records};
    use super::super::{GameValue, TreeValue};
    use super::*;

    fn result(value: GameValue, evidence: Evidence, distance: u16, time: u32) -> Record {
        let result = KnownResult {
            value,
            distance: Some(distance),
            evidence,
            best: Some(point(7, 7)),
            provenance: provenance("solver", time),
        };
        Record { result: Some(result), ..Record::default() }
    }

    fn evaluation(depth: u16, bound: Bound, score: i32, nodes: u64) -> Record {
        let evaluation = Evaluation {
            score: Score::raw(score),
            depth,
            bound,
            nodes,
            moves: Vec::new(),
            provenance: provenance("search", 5),
        };
        Record { evaluation: Some(evaluation), ..Record::default() }
    }

    /// Merges in both orders, which must agree, and returns the record.
    fn merge(a: &Record, b: &Record) -> (Record, Merged) {
        let (mut ab, mut ba) = (a.clone(), b.clone());
        let merged = ab.merge(b.clone(), GamesRule::Largest);
        ba.merge(a.clone(), GamesRule::Largest);
        assert_eq!(ab, ba);
        (ab, merged)
    }

    #[test]
    fn proofs_replace_claims_of_any_age_and_distance() {
        let proof = result(GameValue::Win, Evidence::Proved, 21, 1);
        for value in [GameValue::Win, GameValue::Loss] {
            let claim = result(value, Evidence::Claimed, 3, 9);
            let (record, merged) = merge(&proof, &claim);
            assert_eq!(record, proof);
            assert_eq!(merged.claims_conflict, value == GameValue::Loss);
            assert!(!merged.proofs_conflict && !merged.changed);
        }
    }

    #[test]
    fn shorter_proofs_replace_longer_ones() {
        let long = result(GameValue::Loss, Evidence::Proved, 20, 1);
        let short = result(GameValue::Loss, Evidence::Proved, 12, 7);
        assert_eq!(merge(&long, &short).0, short);
        let mut unknown = long.clone();
        unknown.result.as_mut().unwrap().distance = None;
        assert_eq!(merge(&unknown, &long).0, long);
    }

    #[test]
    fn contradicting_proofs_are_reported() {
        let win = result(GameValue::Win, Evidence::Proved, 5, 1);
        let loss = result(GameValue::Loss, Evidence::Proved, 8, 2);
        let (record, merged) = merge(&loss, &win);
        assert!(merged.proofs_conflict && !merged.claims_conflict);
        assert_eq!(record, win);
    }

    #[test]
    fn later_claims_replace_earlier_ones() {
        let early = result(GameValue::Win, Evidence::Claimed, 5, 1);
        let late = result(GameValue::Loss, Evidence::Claimed, 9, 2);
        let (record, merged) = merge(&early, &late);
        assert_eq!(record, late);
        assert!(merged.claims_conflict);
    }

    #[test]
    fn evaluations_are_ordered_by_nodes_depth_bound_and_tightness() {
        // In ascending order.
        let rising = [
            evaluation(5, Bound::Upper, 100, 0),
            evaluation(5, Bound::Upper, 50, 0),
            evaluation(5, Bound::Lower, 20, 0),
            evaluation(5, Bound::Lower, 40, 0),
            evaluation(6, Bound::Lower, -200, 0),
            evaluation(8, Bound::Lower, 0, 0),
            evaluation(5, Bound::Exact, 0, 0),
            evaluation(9, Bound::Upper, 0, 0),
            evaluation(7, Bound::Exact, 0, 0),
            evaluation(3, Bound::Exact, 0, 1_000),
            evaluation(2, Bound::Exact, 0, 2_000),
        ];
        for (index, better) in rising.iter().enumerate() {
            for worse in &rising[..index] {
                assert_eq!(&merge(worse, better).0, better);
            }
        }
    }

    #[test]
    fn games_are_added_or_the_larger_counts_kept() {
        let games = |black_wins, draws| Record {
            games: Games { black_wins, draws, ..Games::default() },
            ..Record::default()
        };
        let mut largest = games(3, 5);
        largest.merge(games(4, 2), GamesRule::Largest);
        assert_eq!(largest, games(4, 5));
        let mut sum = games(3, 5);
        assert!(sum.merge(games(4, 2), GamesRule::Add).changed);
        assert_eq!(sum, games(7, 7));
    }

    #[test]
    fn merged_texts_keep_both_without_repetition() {
        let comment = |text: &str| Record { comment: text.to_string(), ..Record::default() };
        let mut record = comment("good");
        for text in ["bad", "good", "bad", ""] {
            record.merge(comment(text), GamesRule::Largest);
        }
        assert_eq!(record, comment("good\n\nbad"));
        assert!(!record.merge(comment("good\n\nbad"), GamesRule::Largest).changed);
        let mut part = comment("bad");
        part.merge(record.clone(), GamesRule::Largest);
        assert_eq!(part, record);
        let long = comment(&"x".repeat(MAX_TEXT - 3));
        let mut record = long.clone();
        let merged = record.merge(comment("more"), GamesRule::Largest);
        assert!(merged.text_dropped && !merged.changed && record == long);
    }

    #[test]
    fn texts_and_games_change_no_values() {
        let by_tree = |score| {
            let tree = Some(TreeValue { plies: 2, score: Score::raw(score), best: None });
            Record { tree, ..Record::default() }
        };
        let games = Games { draws: 1, ..Games::default() };
        let noted = Record { comment: "good".to_string(), games, ..Record::default() };
        let searched = evaluation(9, Bound::Exact, 4, 100);
        for (new, values_changed) in [(noted, false), (searched, true), (by_tree(8), true)] {
            let mut record = by_tree(7);
            let merged = record.merge(new, GamesRule::Largest);
            assert_eq!((merged.changed, merged.values_changed), (true, values_changed));
        }
    }

    #[test]
    fn labels_are_not_replaced() {
        let label = |text: &str| Record { label: text.to_string(), ..Record::default() };
        let mut record = label("");
        assert!(!record.merge(label("main line"), GamesRule::Largest).text_dropped);
        assert!(record.merge(label("other"), GamesRule::Largest).text_dropped);
        assert_eq!(record, label("main line"));
    }

    #[test]
    fn merged_texts_on_cells_stay_one_line() {
        let text = |text: &str| Record {
            texts: [(point(7, 6), text.to_string())].into(),
            ..Record::default()
        };
        let mut record = text("A");
        for new in ["1", "A", "A 1", "1"] {
            record.merge(text(new), GamesRule::Largest);
        }
        assert_eq!(record, text("A 1"));
        // Other blanks between the same words are no news.
        for new in ["A  1", " "] {
            assert!(!record.merge(text(new), GamesRule::Largest).changed, "{new:?}");
        }
        record.merge(text("11"), GamesRule::Largest);
        assert_eq!(record, text("A 1 11"));
        let mut joined = text("A\n\nB");
        for new in ["A", "B", "A  B", "A\n\nB"] {
            joined.merge(text(new), GamesRule::Largest);
            assert_eq!(joined, text("A B"), "{new:?}");
        }
        let mut blank = text(" ");
        blank.merge(text("A"), GamesRule::Largest);
        assert_eq!(blank, text("A"));
    }

    proptest! {
        #[test]
        fn order_and_repetition_of_merges_do_not_matter(
            a in records(), b in records(), c in records()
        ) {
            let clean = |mut record: Record| {
                record.label.clear();
                record.comment.clear();
                record.texts.clear();
                record
            };
            let [a, b, c] = [a, b, c].map(clean);
            let (ab, _) = merge(&a, &b);
            let (bc, _) = merge(&b, &c);
            prop_assert_eq!(merge(&ab, &c).0, merge(&a, &bc).0);
            prop_assert_eq!(merge(&a, &a), (a.clone(), Merged::default()));
            prop_assert_eq!(&merge(&ab, &b).0, &ab);
            let proved = |record: &Record| {
                record.result.as_ref().is_some_and(|result| result.evidence == Evidence::Proved)
            };
            prop_assert_eq!(proved(&ab), proved(&a) || proved(&b));
        }

        #[test]
        fn no_text_is_lost(a in records(), b in records()) {
            let mut merged = a.clone();
            let outcome = merged.merge(b.clone(), GamesRule::Largest);
            if !outcome.text_dropped {
                for record in [&a, &b] {
                    prop_assert!(merged.comment.contains(&record.comment));
                    for (point, text) in &record.texts {
                        prop_assert!(merged.texts[point].contains(text));
                    }
                }
            }
        }
    }
}
