//! No part of the engine plays a foul, and fours are answered and won according to the rules:
//! compared with the reference, on random positions and on forced answers that may be fouls.

use std::ops::Range;
use std::time::Duration;

use tengen::engine::opening_search::{Choice, OpeningSearch};
use tengen::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};
use tengen::players::{LEVELS, Person, Player};
use tengen::search::Line;
use tengen::solver::{Vcf, VcfLimits};
use tengen_rules::board::Board;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::{Foul, StaticResult, static_result};
use tengen_rules::types::{Color, DIRECTIONS, Point};
use tengen_testkit::collection::foul_cases;
use tengen_testkit::forced_wins::quick_five_cells;
use tengen_testkit::random::Generator;
use tengen_testkit::{after, foul_at, fouls, is_foul};

fn engine() -> Engine {
    Engine::new(Options { hash: Some(1 << 20), ..Options::default() })
}

/// The random positions of these seeds with `side` to move.
fn random_boards(seeds: Range<u64>, side: Color) -> impl Iterator<Item = Board> {
    let boards = seeds.map(move |seed| {
        let mut board = Generator::from_seed(seed).1.board().clone();
        board.set_side(side);
        board
    });
    boards.filter(|board| board.empty_count() > 0)
}

/// A position in which white, to move, makes a four on `four` that only `answer` stops.
struct Forced {
    board: Board,
    four: Point,
    answer: Point,
}

/// Positions of the collection with additional white stones on a line through a foul candidate, so
/// that a white four forces black to play there.
fn forced_answers() -> impl Iterator<Item = Forced> {
    foul_cases().into_iter().flat_map(|case| {
        let position = Position::from_board(&case.board);
        let doubtful: Vec<Point> =
            position.cells_with(Color::Black, Shape::FoulCandidate).collect();
        doubtful.into_iter().filter_map(move |answer| forced_answer(&case.board, answer))
    })
}

fn forced_answer(board: &Board, answer: Point) -> Option<Forced> {
    let lines = DIRECTIONS.into_iter().flat_map(|direction| [(direction, -1), (direction, 1)]);
    lines.into_iter().find_map(|(direction, sign)| {
        let [a, b, c, four] = [1, 2, 3, 4].map(|distance| answer.shift(direction, sign * distance));
        if [a, b, c, four].iter().any(|&cell| !board.is_empty(cell)) {
            return None;
        }
        let mut board = board.clone();
        [a, b, c].iter().for_each(|&cell| board.place(cell, Color::White).unwrap());
        board.set_side(Color::White);
        let calm = Color::ALL.iter().all(|&color| quick_five_cells(&board, color).is_empty());
        let only = quick_five_cells(&after(&board, four), Color::White) == [answer];
        (calm && only).then_some(Forced { board, four, answer })
    })
}

#[test]
fn four_wins_if_its_only_answer_is_a_foul() {
    let mut engine = engine();
    let (mut lost, mut held) = ([0; 3], 0);
    for Forced { board, four, answer } in forced_answers() {
        let bound = after(&board, four);
        let foul = foul_at(&bound, answer);
        let expected = match foul {
            Some(_) => StaticResult::LossIn(2),
            None => StaticResult::BlockFour(answer),
        };
        assert_eq!(static_result(&Position::from_board(&bound)), expected, "{answer}\n{bound}");
        let limits = VcfLimits { fours: 1, nodes: 1_000, near: None };
        let wins = Vcf::new(4).solve(&mut Position::from_board(&board), limits, None);
        assert!(foul.is_none() || wins.is_some(), "{four}\n{board}");
        match foul {
            Some(Foul::Overline) => lost[0] += 1,
            Some(Foul::DoubleFour) => lost[1] += 1,
            Some(Foul::DoubleThree) => lost[2] += 1,
            None => {
                let request = Request::new(Limits::nodes(1));
                let position = Position::from_board(&bound);
                let report = engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
                assert_eq!(report.best(), Some(answer), "{bound}");
                held += 1;
            }
        }
    }
    assert!(lost.iter().all(|&count| count > 50) && held > 500, "{lost:?}, {held}");
}

/// Whether the side to move wins with at most `fours` fours followed by a straight four, two fours
/// or a five, by brute force.
fn wins_by_fours(board: &Board, fours: u32) -> bool {
    let side = board.side_to_move();
    if !quick_five_cells(board, side).is_empty() {
        return true;
    }
    let threats = quick_five_cells(board, side.opponent());
    let attack = |point: Point| {
        let four = after(board, point);
        match quick_five_cells(&four, side).as_slice() {
            [] => false,
            _ if is_foul(board, point, side) => false,
            [answer] => {
                fours > 0
                    && (is_foul(&four, *answer, side.opponent())
                        || wins_by_fours(&after(&four, *answer), fours - 1))
            }
            _ => threats.is_empty() || fours > 0,
        }
    };
    match threats.as_slice() {
        [] => board.empty_points().any(attack),
        [only] => attack(*only),
        _ => false,
    }
}

#[test]
fn wins_by_fours_equal_brute_force() {
    let limits = VcfLimits { fours: 2, nodes: 100_000, near: None };
    let mut found = [0; 2];
    for color in Color::ALL {
        for board in random_boards(1..1600, color) {
            let expected = wins_by_fours(&board, limits.fours);
            let solved = Vcf::new(8).solve(&mut Position::from_board(&board), limits, None);
            assert_eq!(solved.is_some(), expected, "{board:?}");
            let needs_fours = expected && !wins_by_fours(&board, 0);
            found[color.index()] += usize::from(needs_fours);
        }
    }
    assert!(found.iter().all(|&count| count > 20), "{found:?}");
}

/// Checks that black plays no foul in the line, from `board` on.
fn check_line(board: &Board, line: &Line, request: &Request) {
    let mut board = board.clone();
    for &point in &line.moves {
        let side = board.side_to_move();
        assert!(board.is_empty(point), "{point} is taken, {request:?}\n{board:?}");
        let legal = !is_foul(&board, point, side) || fouls(&board).len() == board.empty_count();
        assert!(legal, "{point} in {:?}, {request:?}\n{board:?}", line.moves);
        board.place(point, side).unwrap();
    }
}

#[test]
fn no_answer_is_a_foul() {
    let mut engines = [(engine(), 1), (engine(), 3)];
    let bound = forced_answers().step_by(8).map(|forced| after(&forced.board, forced.four));
    let boards = random_boards(1..300, Color::Black).chain(bound);
    let mut asked = 0;
    for board in boards.filter(|board| !fouls(board).is_empty()) {
        let position = Position::from_board(&board);
        asked += 1;
        let no_time = Limits::turn(Duration::ZERO);
        for limits in [no_time, Limits::nodes(1), Limits::nodes(50), Limits::depth(2)] {
            let mut request = Request::new(limits);
            for (engine, lines) in &mut engines {
                request.lines = *lines;
                let report = engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
                report.lines.iter().for_each(|line| check_line(&board, line, &request));
                request.excluded.extend(report.best());
            }
        }
    }
    assert!(asked > 200, "{asked}");
}

#[test]
fn no_level_plays_a_foul() {
    let quick = LEVELS.iter().filter_map(|level| level.skill.filter(|skill| skill.nodes < 1_000));
    let request = Request::new(Limits::unlimited());
    let mut players: Vec<Person> = quick.map(|skill| Person::new(skill, 1)).collect();
    let bound = forced_answers().step_by(8).map(|forced| after(&forced.board, forced.four));
    let boards = random_boards(1..300, Color::Black).chain(bound);
    for board in boards.filter(|board| !fouls(board).is_empty()) {
        let position = Position::from_board(&board);
        for player in &mut players {
            let point = player.choose(&position, &request, &StopSwitch::new()).unwrap();
            let legal =
                !is_foul(&board, point, Color::Black) || fouls(&board).len() == board.empty_count();
            assert!(board.is_empty(point) && legal, "{point}\n{board:?}");
        }
    }
}

#[test]
fn no_opening_move_is_a_foul() {
    let mut engine = engine();
    let stop = StopSwitch::new();
    let mut asked = 0;
    for color in Color::ALL {
        for board in random_boards(1..30, color) {
            let mut offers: Vec<Point> = fouls(&board).iter().map(|foul| foul.0).collect();
            if offers.is_empty() || offers.len() + 1 >= board.empty_count() {
                continue;
            }
            // The fouls come first and would be chosen if they were accepted.
            offers.extend(board.empty_points());
            asked += 1;
            for time in [0, 2] {
                let limits = Limits::turn(Duration::from_millis(time));
                let mut ask = |question: &dyn Fn(&mut OpeningSearch<'_>) -> Vec<Point>| {
                    let moves = question(&mut OpeningSearch::new(&mut engine, &limits, &stop, 1));
                    let mut board = board.clone();
                    for point in moves {
                        let side = board.side_to_move();
                        assert!(!is_foul(&board, point, side), "{point}\n{board:?}");
                        board.place(point, side).unwrap();
                    }
                };
                let moves = |choice| match choice {
                    Choice::Swap => Vec::new(),
                    Choice::Stay(point) => vec![point],
                    Choice::Extend(points) => points.to_vec(),
                };
                ask(&|opening| moves(opening.after_three(&board)));
                ask(&|opening| moves(opening.after_five(&board)));
                ask(&|opening| opening.balance_one(&board, 0, &[]).into_iter().collect());
                ask(&|opening| opening.balance_two(&board, 0, &[]).into_iter().flatten().collect());
                ask(&|opening| opening.choose_fifth(&board, &offers).into_iter().collect());
                ask(&|opening| opening.fifth_moves(&board, 2)[..1].to_vec());
                ask(&|opening| opening.fifth_moves(&board, 2)[1..].to_vec());
            }
        }
    }
    assert!(asked > 20, "{asked}");
}
