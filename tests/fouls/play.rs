//! Engine moves in positions with fouls. In the diagrams `X` is black and `O` white; a lower-case
//! letter is a named empty cell, except for `x`, which is an essential black stone. Without these
//! stones each position becomes a variant in which the same moves have other results.

use std::time::Duration;

use tengen::engine::{Engine, Limits, Options, Report, Request, Silent, StopSwitch};
use tengen::solver::{Vcf, VcfLimits};
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::threat::{Foul, StaticResult, foul_at, fouls, static_result};
use tengen_rules::types::{Color, Point, Rule, Score};

fn position(rule: Rule, side: Color, drawing: &str) -> Position {
    let stones = drawing.replace('x', "X").replace(|cell: char| cell.is_ascii_lowercase(), ".");
    let mut board = Board::from_diagram(rule, &stones).expect(drawing);
    board.set_side(side);
    Position::from_board(&board)
}

fn variant(drawing: &str) -> String {
    drawing.replace('x', ".")
}

/// The cell with this name.
fn cell(drawing: &str, name: char) -> Point {
    let rows = (0..).zip(drawing.lines().filter(|row| !row.trim().is_empty()));
    let find = |(y, row): (u8, &str)| {
        Some((row.split_whitespace().position(|cell| cell == name.to_string())?, y))
    };
    let (x, y) = rows.filter_map(find).next().expect(drawing);
    Point::new(x as u8, y)
}

/// Plies to a win by fours of the side to move, and its first move.
fn fours(position: &Position) -> Option<(usize, Point)> {
    let limits = VcfLimits { fours: 8, nodes: 50_000, near: None };
    let mut line = Vec::new();
    let plies = Vcf::new(10).solve(&mut position.clone(), limits, Some(&mut line))?;
    Some((plies, line[0]))
}

fn think(position: &Position, request: &Request) -> Report {
    let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
    engine.think(position, request, &StopSwitch::new(), &mut Silent)
}

fn after(position: &Position, point: Point) -> Position {
    let mut position = position.clone();
    position.play(point);
    position
}

/// The score and the move of a search. With two lines there is no VCF search before it.
fn search(position: &Position, lines: usize, depth: u32) -> (Score, Point) {
    let request = Request::new(Limits::depth(depth)).with_lines(lines);
    let report = think(position, &request);
    (report.lines[0].score, report.lines[0].moves[0])
}

/// White makes a four on `w` and black must answer on `f`, which is a foul.
const ANSWERS_THAT_ARE_FOULS: [(&str, Foul); 3] = [
    (
        ". . . . . O . . . . .
         . . . . . x . . . . .
         . . . . . X . . . . .
         . . . . . X . . . . .
         X O O O w f . . . . .
         . . . . . X . . . . .
         . . . . . x . . . . .
         . . . . . O . . . . .",
        Foul::Overline,
    ),
    (
        ". . . . . . . . . . .
         . . . . . x . . . . .
         . . . . . . . . . . .
         . . . . . X . . . . .
         X O O O w f . . . . .
         . . . . . X . . . . .
         . . . . . . . . . . .
         . . . . . X . . . . .",
        Foul::DoubleFour,
    ),
    (
        ". . . . . . . . . . .
         . . . . . . . . . . .
         . . . . . X . . . . .
         . . . . . X . . . . .
         X O O O w f . . . . .
         . . . . . . X . . . .
         . . . . . . . x . . .
         . . . . . . . . . . .
         . . . . . . . . . . .",
        Foul::DoubleThree,
    ),
];

#[test]
fn white_wins_with_a_four_that_only_a_foul_answers() {
    for (drawing, foul) in ANSWERS_THAT_ARE_FOULS {
        let (four, answer) = (cell(drawing, 'w'), cell(drawing, 'f'));
        let lost = position(Rule::Renju, Color::White, drawing);
        assert_eq!(foul_at(&after(&lost, four), answer), Some(foul), "{drawing}");
        assert_eq!(static_result(&after(&lost, four)), StaticResult::LossIn(2), "{drawing}");
        assert_eq!(fours(&lost), Some((3, four)), "{drawing}");
        for lines in [1, 2] {
            assert_eq!(search(&lost, lines, 3), (Score::win_in(3), four), "{drawing}");
        }

        let safe = position(Rule::Renju, Color::White, &variant(drawing));
        assert_eq!(
            static_result(&after(&safe, four)),
            StaticResult::BlockFour(answer),
            "{drawing}"
        );
        assert_eq!(fours(&safe), None, "{drawing}");
        for lines in [1, 2] {
            assert!(!search(&safe, lines, 3).0.is_win(), "{drawing}");
        }
    }
}

/// The column through `f` is not a three: its only eye `e` would be an overline. In the variant it
/// is a three, and `f` a double-three.
const ANSWER_THAT_ONLY_LOOKS_LIKE_A_FOUL: &str = "
    . . . . . O . . . . .
    . . . . . . . . . . .
    . . . . . X . . . . .
    . . . . . X . . . . .
    X O O O w f . . . . .
    . O x x x e X X O . .
    . . . . . . . X . . .
    . . . . . . . . . . .
    . . . . . . . . . . .";

#[test]
fn white_does_not_rely_on_an_answer_that_only_looks_like_a_foul() {
    let drawing = ANSWER_THAT_ONLY_LOOKS_LIKE_A_FOUL;
    let (four, answer) = (cell(drawing, 'w'), cell(drawing, 'f'));
    let safe = position(Rule::Renju, Color::White, drawing);
    assert_eq!(static_result(&after(&safe, four)), StaticResult::BlockFour(answer));
    assert_eq!(fours(&safe), None);
    assert!(!search(&safe, 2, 3).0.is_win());
    assert_eq!(search(&after(&safe, four), 1, 1).1, answer);

    let lost = position(Rule::Renju, Color::White, &variant(drawing));
    assert_eq!(foul_at(&after(&lost, four), answer), Some(Foul::DoubleThree));
    assert_eq!(fours(&lost), Some((3, four)));
}

/// White's three on `w` can be stopped on `f`, `g` and `h` only, and all of them are overlines.
const THREE_THAT_ONLY_FOULS_ANSWER: &str = "
    . . . O . . . O O . .
    . . . X . . . x X . .
    . . . X . . . X X . .
    . . . X . . . X X . .
    . . X f O O w g h . .
    . . . X . . . X X . .
    . . . X . . . x X . .
    . . . O . . . O O . .";

#[test]
fn white_wins_with_a_three_that_only_fouls_answer() {
    let drawing = THREE_THAT_ONLY_FOULS_ANSWER;
    let three = cell(drawing, 'w');
    let lost = position(Rule::Renju, Color::White, drawing);
    for name in ['f', 'g', 'h'] {
        assert_eq!(foul_at(&lost, cell(drawing, name)), Some(Foul::Overline));
    }
    assert_eq!(static_result(&after(&lost, three)), StaticResult::AnswerStraightFour);
    assert_eq!(search(&lost, 1, 4), (Score::win_in(5), three));
    assert_eq!(search(&after(&lost, three), 1, 4).0, Score::loss_in(4));

    let safe = position(Rule::Renju, Color::White, &variant(drawing));
    assert!(!search(&safe, 1, 4).0.is_win());
    assert_eq!(search(&after(&safe, three), 1, 4).1, cell(drawing, 'g'));
}

/// Black's four lacks only `e`, which makes six or seven. White has a three.
const FOUR_THAT_ONLY_AN_OVERLINE_COMPLETES: &str = "
    . . . . . . . . . . .
    . . . . . . . . . . .
    O X X X X e x . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . w O O O v . .
    . . . . . . . . . . .
    . . . . . . . . . . .";

#[test]
fn four_that_only_an_overline_completes_needs_no_answer() {
    let drawing = FOUR_THAT_ONLY_AN_OVERLINE_COMPLETES;
    let answer = cell(drawing, 'e');
    for rule in [Rule::Renju, Rule::Standard] {
        let free = position(rule, Color::White, drawing);
        assert_eq!(static_result(&free), StaticResult::WinIn(3));
        for lines in [1, 2] {
            let (score, point) = search(&free, lines, 3);
            assert_eq!(score, Score::win_in(3));
            assert!([cell(drawing, 'w'), cell(drawing, 'v')].contains(&point), "{point}");
        }
        let bound = position(rule, Color::White, &variant(drawing));
        assert_eq!(static_result(&bound), StaticResult::BlockFour(answer));
    }
    let freestyle = position(Rule::Freestyle, Color::White, drawing);
    assert_eq!(static_result(&freestyle), StaticResult::BlockFour(answer));
    assert_eq!(search(&freestyle, 1, 3).1, answer);
}

/// A stone on `a` makes a three in the column, and in the row a four that only an overline
/// completes.
const FOUR_THREE_WITHOUT_A_FOUR: &str = "
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . O . X . O . . . .
    . . . . X . . . . . .
    O X X X a b x . . . .
    . . . . . . . . . . .
    . . O . . . O . . . .
    . . . . . . . . . . .";

#[test]
fn four_three_does_not_count_a_four_that_only_an_overline_completes() {
    let drawing = FOUR_THREE_WITHOUT_A_FOUR;
    for rule in [Rule::Renju, Rule::Standard] {
        let quiet = position(rule, Color::Black, drawing);
        assert_eq!(fours(&quiet), None);
        // With a four it would be a win in five plies; by threes it takes seven or more.
        assert!(search(&quiet, 2, 1).0 < Score::win_in(5));
        let winning = position(rule, Color::Black, &variant(drawing));
        assert_eq!(fours(&winning), Some((5, cell(drawing, 'a'))));
    }
    let freestyle = position(Rule::Freestyle, Color::Black, drawing);
    assert_eq!(fours(&freestyle), Some((5, cell(drawing, 'a'))));
}

/// An unbroken four after black's move on `a`: five on `b`, but six and more on `c`.
const STRAIGHT_FOUR_WITH_ONE_COMPLETION: &str = "
    . . . . . . . . . . .
    . . . . . . . . . . .
    . O b X X X a c x . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .";

#[test]
fn a_straight_four_with_one_legal_completion_is_only_a_four() {
    let drawing = STRAIGHT_FOUR_WITH_ONE_COMPLETION;
    let (four, answer) = (cell(drawing, 'a'), cell(drawing, 'b'));
    for rule in [Rule::Renju, Rule::Standard] {
        let quiet = position(rule, Color::Black, drawing);
        assert_eq!(fours(&quiet), None);
        assert!(!search(&quiet, 2, 4).0.is_win());
        assert_eq!(static_result(&after(&quiet, four)), StaticResult::BlockFour(answer));
        let (score, point) = search(&after(&quiet, four), 1, 4);
        assert!(point == answer && !score.is_loss(), "{point}");

        let winning = position(rule, Color::Black, &variant(drawing));
        assert_eq!(fours(&winning), Some((3, four)));
        assert_eq!(static_result(&after(&winning, four)), StaticResult::LossIn(2));
    }
    let freestyle = position(Rule::Freestyle, Color::Black, drawing);
    assert_eq!(fours(&freestyle), Some((3, four)));
}

/// Each of the cells `f`, `g` and `h` makes two fours with the other two as completions; `s` is
/// the only cell where black may play.
const ONE_MOVE_BEFORE_FOULS_ONLY: &str = "
    f X X X g
    O X s O X
    O O X O X
    O X O X X
    X O O O h";

#[test]
fn fouls_are_played_only_without_other_moves() {
    let drawing = ONE_MOVE_BEFORE_FOULS_ONLY;
    let only = cell(drawing, 's');
    let before = position(Rule::Renju, Color::Black, drawing);
    let end = position(Rule::Renju, Color::Black, &drawing.replace('s', "O"));
    assert_eq!(fouls(&before).len(), 3);
    assert_eq!(fouls(&end).len(), end.board().empty_count());
    let limits = [
        Limits::turn(Duration::ZERO),
        Limits::turn(Duration::from_millis(20)),
        Limits::nodes(1),
        Limits::nodes(50),
        Limits::depth(8),
    ];
    for limits in limits {
        for lines in [1, 4] {
            for excluded in [vec![], vec![only]] {
                let request = Request::new(limits).with_lines(lines).excluding(excluded);
                assert_eq!(think(&before, &request).best(), Some(only), "{request:?}");
                let last = think(&end, &request).best().expect("the board is not full");
                assert!(end.is_empty(last), "{request:?}");
            }
        }
    }
    assert_eq!(search(&end, 1, 8).0, Score::loss_in(2));
}
