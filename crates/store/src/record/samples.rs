//! Random records for tests.

use std::sync::{Arc, LazyLock};

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use tengen_rules::{BoardSize, Point, Score};

use super::{
    Bound, Evaluation, Evidence, GameValue, Games, KnownResult, Origin, Provenance, Record,
    ScoredMove, TreeValue,
};

/// The board of the records.
pub(crate) fn size() -> BoardSize {
    BoardSize::square(15).unwrap()
}

pub(crate) fn point(x: u8, y: u8) -> Point {
    Point::new(x, y)
}

/// Origins of the records.
pub(crate) fn origins() -> &'static [Arc<Origin>] {
    static ORIGINS: LazyLock<Vec<Arc<Origin>>> = LazyLock::new(|| {
        let origin = |source: &str, version: &str| {
            Arc::new(Origin { source: source.to_string(), version: version.to_string() })
        };
        vec![origin("solver", "1.0"), origin("search", "1.0"), origin("search", "1.1")]
    });
    &ORIGINS
}

/// The first origin of this source.
pub(crate) fn provenance(source: &str, time: u32) -> Provenance {
    let origin = origins().iter().find(|origin| origin.source == source).cloned();
    Provenance { origin, time }
}

fn points() -> impl Strategy<Value = Point> {
    (0..15_u8, 0..15_u8).prop_map(|(x, y)| Point::new(x, y))
}

fn scores() -> impl Strategy<Value = Score> {
    (Score::MIN.value()..=Score::MAX.value()).prop_map(Score::raw)
}

/// Provenances with few different times, so that ties are common.
fn provenances() -> impl Strategy<Value = Provenance> {
    (option::of(0..3_usize), prop_oneof![0..3_u32, any::<u32>()]).prop_map(|(origin, time)| {
        Provenance { origin: origin.map(|index| origins()[index].clone()), time }
    })
}

fn results() -> impl Strategy<Value = KnownResult> {
    let values = prop::sample::select(vec![GameValue::Loss, GameValue::Draw, GameValue::Win]);
    let evidence = prop::sample::select(vec![Evidence::Claimed, Evidence::Proved]);
    let distances = option::of(prop_oneof![0..4_u16, any::<u16>()]);
    (values, distances, evidence, option::of(points()), provenances()).prop_map(
        |(value, distance, evidence, best, provenance)| KnownResult {
            value,
            distance,
            evidence,
            best,
            provenance,
        },
    )
}

fn evaluations() -> impl Strategy<Value = Evaluation> {
    let bounds = prop::sample::select(vec![Bound::Upper, Bound::Lower, Bound::Exact]);
    let depths = prop_oneof![0..6_u16, any::<u16>()];
    let nodes = prop_oneof![0..3_u64, any::<u64>()];
    let moves = vec((points(), option::of(scores())), 0..18);
    (scores(), depths, bounds, nodes, moves, provenances()).prop_map(
        |(score, depth, bound, nodes, moves, provenance)| Evaluation {
            score,
            depth,
            bound,
            nodes,
            moves: moves.into_iter().map(|(point, score)| ScoredMove { point, score }).collect(),
            provenance,
        },
    )
}

fn tree_values() -> impl Strategy<Value = TreeValue> {
    (prop_oneof![0..4_u16, any::<u16>()], scores(), option::of(points()))
        .prop_map(|(plies, score, best)| TreeValue { plies, score, best })
}

/// Records of a 15x15 board.
pub(crate) fn records() -> impl Strategy<Value = Record> {
    let games = prop_oneof![Just([0; 4]), any::<[u64; 4]>()];
    let texts = btree_map(points(), "[a-z]{1,6}", 0..4);
    let label = "[a-z ]{0,8}";
    let found = (option::of(results()), option::of(evaluations()), option::of(tree_values()));
    (found, games, label, "\\PC{0,12}", texts).prop_map(
        |((result, evaluation, tree), games, label, comment, texts)| {
            let [black_wins, draws, white_wins, unknown] = games;
            let games = Games { black_wins, draws, white_wins, unknown };
            Record { result, evaluation, tree, games, label, comment, texts }
        },
    )
}
