//! Speed of a full-board foul list in renju positions from games.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::Value;
use tengen::board::Board;
use tengen::position::Position;
use tengen::threat::fouls;
use tengen::types::{BoardSize, Color, Point, Rule};

/// The positions of the collection from games between engines, with at least 20 stones.
fn game_positions() -> Vec<Position> {
    include_str!("../protocol-tests/fouls.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object"))
        .filter(|case: &Value| text(case, "tags").contains("src:rapfi-game"))
        .map(|case| position(&case))
        .filter(|position| position.board().history().len() >= 20)
        .collect()
}

fn position(case: &Value) -> Position {
    let size = BoardSize::square(case["size"].as_i64().expect("a side")).expect("a size");
    let mut board = Board::new(size, Rule::Renju);
    for color in Color::ALL {
        for stone in text(case, color.name()).split_whitespace() {
            board.place(stone.parse::<Point>().expect("a point"), color);
        }
    }
    board.set_side(Color::Black);
    Position::from_board(&board)
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().expect("a string")
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
