//! Fives and draws: the twins compared with known boards and with the functions of `board`.

use tengen_rules::board::{Board, makes_five};
use tengen_rules::types::{BoardSize, Color, DIRECTIONS, Point, Rule};
use tengen_testkit::{five_cells, has_five, is_draw, is_five};

/// Every straight run of `length` cells that fits on the board, edges and corners included.
fn runs(size: BoardSize, length: isize) -> Vec<Vec<Point>> {
    let empty = Board::new(size, Rule::Freestyle);
    let run = |start: Point, direction| -> Vec<Point> {
        (0..length).map(|distance| start.shift(direction, distance)).collect()
    };
    size.points()
        .flat_map(|start| DIRECTIONS.map(|direction| run(start, direction)))
        .filter(|run| run.iter().all(|&cell| empty.is_empty(cell)))
        .collect()
}

#[test]
fn rows_win_on_every_line_of_the_board() {
    let size = BoardSize::new(9, 15).unwrap();
    for rule in Rule::ALL {
        for color in Color::ALL {
            let long_wins = match rule {
                Rule::Freestyle | Rule::CaroOverline => true,
                Rule::Standard | Rule::Caro => false,
                Rule::Renju => color == Color::White,
            };
            for (length, expected) in [(4, false), (5, true), (6, long_wins), (7, long_wins)] {
                for run in runs(size, length) {
                    let mut board = Board::new(size, rule);
                    run.iter().for_each(|&cell| board.place(cell, color).unwrap());
                    assert_eq!(has_five(&board, color), expected, "{board:?}");
                    assert!(!has_five(&board, color.opponent()), "{board:?}");
                    for &cell in &run {
                        assert_eq!(is_five(&board, cell, color), expected, "{cell}, {board:?}");
                        assert_eq!(makes_five(&board, cell, color), expected, "{cell}, {board:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn enclosed_fives() {
    let enclosed = "OXXXXXO........";
    let at_the_edge = "XXXXXO.........";
    let enclosed_six = "OXXXXXXO.......";
    let walled = "OXXXXX#........";
    for (row, freestyle, standard, caro, caro_overline) in [
        (enclosed, true, true, false, false),
        (at_the_edge, true, true, true, true),
        (walled, true, true, true, true),
        (enclosed_six, true, false, false, true),
    ] {
        let text = format!("{row}\n{}", "...............\n".repeat(4));
        for (rule, expected) in [
            (Rule::Freestyle, freestyle),
            (Rule::Standard, standard),
            (Rule::Renju, standard),
            (Rule::Caro, caro),
            (Rule::CaroOverline, caro_overline),
        ] {
            let board = Board::from_diagram(rule, &text).unwrap();
            assert_eq!(has_five(&board, Color::Black), expected, "{board:?}");
            assert_eq!(makes_five(&board, Point::new(2, 0), Color::Black), expected, "{board:?}");
        }
    }
}

#[test]
fn completions_of_a_five() {
    let text = "
        . X X X X . . . .
        . . . . . . . . .
        X X X . X X . . .
        . . . . . . . . .
        O O . O O . . O O";
    let cells = |rule, color| five_cells(&Board::from_diagram(rule, text).unwrap(), color);
    let ends = [Point::new(0, 0), Point::new(5, 0)];
    let with_six = [ends[0], ends[1], Point::new(3, 2)];
    assert_eq!(cells(Rule::Renju, Color::Black), ends);
    assert_eq!(cells(Rule::Standard, Color::Black), ends);
    assert_eq!(cells(Rule::Freestyle, Color::Black), with_six);
    assert_eq!(cells(Rule::CaroOverline, Color::Black), with_six);
    assert_eq!(cells(Rule::Renju, Color::White), [Point::new(2, 4)]);
}

#[test]
fn a_full_board_without_a_five_is_a_draw() {
    let full = "
        X O X O X
        X O X O X
        O X O X O
        O X O X O
        X O X O X";
    let draw = |text: &str| is_draw(&Board::from_diagram(Rule::Renju, text).unwrap());
    assert!(draw(full));
    assert!(draw(&full.replacen('X', "#", 1)));
    assert!(!draw(&full.replacen('O', ".", 1)));
    assert!(!draw(&full.replacen("X O X O X", "X X X X X", 1)));
}
