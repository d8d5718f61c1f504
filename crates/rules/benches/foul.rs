//! Speed of a full-board foul list in renju positions from games.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tengen_rules::position::Position;
use tengen_rules::threat::fouls;

use tengen_testkit::collection::foul_cases;

/// The positions of the collection from games between engines, with at least 20 stones.
fn game_positions() -> Vec<Position> {
    let games = foul_cases().into_iter().filter(|case| case.tags.contains("src:rapfi-game"));
    let positions = games.map(|case| Position::from_board(&case.board));
    positions.filter(|position| position.board().history().len() >= 20).collect()
}

fn foul_lists(criterion: &mut Criterion) {
    let positions = game_positions();
    let mut next = 0;
    criterion.bench_function("foul list, renju 15, middle games in turn", |bencher| {
        bencher.iter(|| {
            next = (next + 1) % positions.len();
            black_box(fouls(&positions[next]))
        });
    });
}

criterion_group!(benches, foul_lists);
criterion_main!(benches);
