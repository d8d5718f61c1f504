//! Speed of a make and undo pair with all its incremental updates, and of the evaluation of the
//! position in between.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tengen::eval::Evaluator;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Point, Rule};

/// A middle game of 30 stones around the centre.
fn middle_game(rule: Rule, side: i64) -> Position {
    let size = BoardSize::square(side).expect("a supported side");
    let mut position = Position::new(size, rule);
    let mut state = 12_345u32;
    let center = size.center();
    position.play(center);
    while position.board().history().len() < 30 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let cells: Vec<Point> =
            position.candidates().filter(|cell| cell.distance(center) <= 5).collect();
        position.play(cells[(state >> 8) as usize % cells.len()]);
    }
    position
}

fn make_and_undo(criterion: &mut Criterion) {
    for (rule, side) in
        [(Rule::Freestyle, 15), (Rule::Freestyle, 20), (Rule::Standard, 15), (Rule::Renju, 15)]
    {
        let mut position = middle_game(rule, side);
        let cells: Vec<Point> = position.candidates().collect();
        let mut evaluator = Evaluator::new(rule);
        let mut next = 0;
        let mut next_cell = || {
            next = (next + 1) % cells.len();
            cells[next]
        };
        criterion.bench_function(&format!("make and undo, {rule} {side}"), |bencher| {
            bencher
                .iter(|| position.with_move(next_cell(), |after| black_box(after.side_to_move())));
        });
        // As in a search, where the position before the move has been evaluated.
        evaluator.value(&position);
        criterion.bench_function(&format!("make, value and undo, {rule} {side}"), |bencher| {
            bencher.iter(|| {
                position.with_move(next_cell(), |after| black_box(evaluator.value(after)))
            });
        });
    }
}

criterion_group!(benches, make_and_undo);
criterion_main!(benches);
