//! Fouls as the checker judges them, for the positions of `protocol-tests/fouls.jsonl` and random
//! boards, against the slow implementation of the test kit.

use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Color, Point, Rule};
use tengen_testkit::collection::foul_cases;
use tengen_testkit::{five_cells, is_foul};
use tengen_verify as verify;

fn empty_board(size: usize) -> verify::Board {
    verify::Board::new(verify::Rule::Renju, size, verify::Color::Black)
}

fn is_forbidden(board: &mut verify::Board, cell: usize) -> bool {
    let judgement = board.judged(cell, verify::Color::Black).expect("few judgements");
    judgement.is_some_and(|judgement| judgement.is_foul)
}

/// The cell of a certificate for a point.
fn cell(point: Point, size: usize) -> usize {
    usize::from(point.x()) + size * (size - 1 - usize::from(point.y()))
}

#[test]
fn collected_positions_have_the_listed_fouls() {
    let mut positions = 0;
    for case in foul_cases() {
        let size = usize::from(case.board.size().width());
        if !(5..=15).contains(&size) {
            continue;
        }
        let mut board = empty_board(size);
        for stone in case.board.history() {
            let color = match stone.color {
                Color::Black => verify::Color::Black,
                Color::White => verify::Color::White,
            };
            board.place(cell(stone.point, size), color);
        }
        let mut expected: Vec<usize> =
            case.forbidden.iter().map(|&(point, _)| cell(point, size)).collect();
        expected.sort_unstable();
        let empty: Vec<usize> = (0..size * size).filter(|&cell| board.is_empty(cell)).collect();
        let found: Vec<usize> =
            empty.into_iter().filter(|&cell| is_forbidden(&mut board, cell)).collect();
        assert_eq!(found, expected, "{}", case.id);
        positions += 1;
    }
    assert!(positions > 100, "{positions} positions");
}

#[test]
fn random_boards_have_the_fouls_of_the_definition() {
    let mut source = SmallRng::seed_from_u64(3);
    let mut fouls = 0;
    for _ in 0..100 {
        let side: usize = source.random_range(7..=11);
        let size = BoardSize::square(side as i64).unwrap();
        let mut order: Vec<usize> = (0..side * side).collect();
        order.shuffle(&mut source);
        let black = source.random_range(8..8 + side);
        let white = black + source.random_range(0..8);
        let mut slow = Board::new(size, Rule::Renju);
        let mut fast = empty_board(side);
        let point = |cell: usize| {
            let (x, rank) = (cell % side, cell / side);
            size.point(x as i64, (side - 1 - rank) as i64).unwrap()
        };
        for (index, &cell) in order[..white].iter().enumerate() {
            let (color, own) = match index < black {
                true => (Color::Black, verify::Color::Black),
                false => (Color::White, verify::Color::White),
            };
            slow.place_unchecked(point(cell), color);
            fast.place(cell, own);
        }
        slow.set_side(Color::Black);
        let fives = five_cells(&slow, Color::Black);
        for &cell in &order[white..] {
            let five = fives.contains(&point(cell));
            assert_eq!(fast.would_be_five(cell, verify::Color::Black), five);
            let expected = !five && is_foul(&slow, point(cell), Color::Black);
            assert_eq!(is_forbidden(&mut fast, cell), expected, "{slow}");
            fouls += usize::from(expected);
        }
    }
    assert!(fouls > 50, "{fouls} fouls");
}
