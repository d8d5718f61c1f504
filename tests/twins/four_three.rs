//! Wins in five plies and answers to four-threes, compared with a search that recognises only
//! fives.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use tengen::movegen;
use tengen_rules::board::{Board, makes_five};
use tengen_rules::position::Position;
use tengen_rules::threat::{StaticResult, static_result};
use tengen_rules::types::{BoardSize, Color, Point, Rule};
use tengen_testkit::{after, is_foul};

/// A position of stones close to each other, without a five.
fn random_position(rule: Rule, rng: &mut SmallRng) -> Position {
    let mut position = Position::new(BoardSize::square(10).unwrap(), rule);
    position.play(position.board().size().center());
    for _ in 0..rng.random_range(8..26) {
        let side = position.side_to_move();
        let near: Vec<Point> = position.candidates().collect();
        let Some(&cell) = near.choose(rng) else { break };
        if !makes_five(position.board(), cell, side) {
            position.play(cell);
        }
    }
    position
}

fn can_make_five(board: &Board, color: Color) -> bool {
    board.empty_points().any(|cell| makes_five(board, cell, color))
}

/// Whether the side to move completes five, or makes a four that leaves its opponent no answer.
fn wins_in_three(board: &Board) -> bool {
    let side = board.side_to_move();
    can_make_five(board, side)
        || board.empty_points().any(|four| {
            let four = after(board, four);
            can_make_five(&four, side) && !can_make_five(&four, side.opponent()) && {
                let mut answers =
                    four.empty_points().filter(|&answer| !is_foul(&four, answer, side.opponent()));
                answers.all(|answer| can_make_five(&after(&four, answer), side))
            }
        })
}

/// Whether the opponent loses within four plies after the move.
fn wins_in_five_with(board: &Board, point: Point) -> bool {
    let board = after(board, point);
    let defender = board.side_to_move();
    let mut answers = board.empty_points().filter(|&answer| !is_foul(&board, answer, defender));
    !can_make_five(&board, defender) && answers.all(|answer| wins_in_three(&after(&board, answer)))
}

#[test]
fn four_threes_win_and_omitted_answers_lose() {
    let mut rng = SmallRng::seed_from_u64(5);
    let (mut wins, mut left_out) = ([0; Rule::ALL.len()], [0; Rule::ALL.len()]);
    for round in 0..40_000 {
        let number = round % Rule::ALL.len();
        let mut position = random_position(Rule::ALL[number], &mut rng);
        let board = position.board().clone();
        let mut moves = Vec::new();
        match static_result(&position) {
            found @ StaticResult::WinIn(5) if wins[number] < 30 => {
                movegen::generate(&position, found, &mut moves);
                assert!(wins_in_five_with(&board, moves[0]), "{}\n{board}", moves[0]);
                wins[number] += 1;
            }
            found @ StaticResult::AnswerFourThree => {
                movegen::generate(&position, found, &mut moves);
                for cell in board.empty_points().filter(|cell| !moves.contains(cell)) {
                    let next = position.with_move(cell, |next| static_result(next));
                    assert!(matches!(next, StaticResult::WinIn(3 | 5)), "{cell} {next:?}\n{board}");
                    left_out[number] += 1;
                }
            }
            _ => {}
        }
    }
    println!("{wins:?} wins, {left_out:?} moves left out");
    for (number, rule) in Rule::ALL.into_iter().enumerate() {
        let applies = Color::ALL.iter().any(|&color| !rule.five_rule(color).counts_enclosure());
        assert!(wins[number] > 20, "{rule}: {wins:?}");
        assert!(!applies || left_out[number] > 2_000, "{rule}: {left_out:?}");
    }
}
