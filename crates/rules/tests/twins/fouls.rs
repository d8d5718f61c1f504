//! Foul verdicts: on the collection, on the diagrams, under symmetries, and at the edge of the
//! board.

use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::threat::{self, Foul};
use tengen_rules::types::{BoardSize, Color, Point, Rule, Symmetry};
use tengen_testkit::collection::foul_cases;
use tengen_testkit::diagrams::{diagrams, foul_mark};
use tengen_testkit::{five_cells, foul_at, fouls};

/// An implementation of the foul rules.
struct Referee {
    name: &'static str,
    foul_at: fn(&Board, Point) -> Option<Foul>,
    fouls: fn(&Board) -> Vec<(Point, Foul)>,
}

const REFEREES: [Referee; 2] = [
    Referee { name: "reference", foul_at, fouls },
    Referee {
        name: "tables",
        foul_at: |board, point| threat::foul_at(&Position::from_board(board), point),
        fouls: |board| threat::fouls(&Position::from_board(board)),
    },
];

#[test]
fn every_position_of_the_collection_is_judged_as_expected() {
    for referee in REFEREES {
        for case in foul_cases() {
            let judged = (referee.fouls)(&case.board);
            let context = || format!("{}, {}\n{}", referee.name, case.id, case.board);
            let places =
                |list: &[(Point, Foul)]| list.iter().map(|foul| foul.0).collect::<Vec<_>>();
            let expected: Vec<Point> = case.forbidden.iter().map(|foul| foul.0).collect();
            assert_eq!(places(&judged), expected, "{}", context());
            for (&(point, foul), (_, kind)) in judged.iter().zip(&case.forbidden) {
                let kind = kind.as_deref().unwrap_or(foul.name());
                assert_eq!(foul.name(), kind, "at {point}, {}", context());
            }
        }
    }
}

#[test]
fn every_diagram_is_judged_as_drawn() {
    for referee in REFEREES {
        for diagram in diagrams() {
            let context = || format!("{}, {}\n{}", referee.name, diagram.name, diagram.board);
            assert_eq!(five_cells(&diagram.board, Color::Black), diagram.fives, "{}", context());
            assert_eq!((referee.fouls)(&diagram.board), diagram.fouls, "{}", context());
        }
    }
}

#[test]
fn symmetries_commute_with_every_verdict() {
    for referee in REFEREES {
        for case in foul_cases().iter().step_by(5) {
            let size = case.board.size();
            let straight = (referee.fouls)(&case.board);
            for symmetry in Symmetry::ALL {
                let turn = |&(point, foul)| (symmetry.point(size, point), foul);
                let mut expected: Vec<(Point, Foul)> = straight.iter().map(turn).collect();
                expected.sort();
                let turned = (referee.fouls)(&case.board.turned(symmetry));
                assert_eq!(turned, expected, "{}, {}, {symmetry:?}", referee.name, case.id);
            }
        }
    }
}

/// Fouls in the smallest rectangle that holds them; a digit marks the foul as in the diagram files.
const TIGHT_FOULS: [&str; 12] = [
    "XXX6XX",
    "X....\n.X....\n..X...\n...6..\n....X.\n.....X",
    "X.X4X.X",
    "X......\n.......\n..X....\n...4...\n....X..\n.......\n......X",
    "XX.4X.XX",
    "XXX.4.XXX",
    "4XXX.\nX....\nX....\nX....\n.....",
    "4XXX.\n.X...\n..X..\n...X.\n.....",
    "......\n.3XX..\n.X....\n.X....\n......\n......",
    ".......\n.X...X.\n..X.X..\n...3...\n.......\n.......",
    "......\n...X..\n......\n.X.3X.\n...X..\n......",
    "......\n.X....\n..3XX.\n...X..\n......\n......",
];

#[test]
fn fouls_reach_every_edge_and_corner() {
    let sizes = [(15, 15), (9, 30)].map(|(width, height)| BoardSize::new(width, height).unwrap());
    for referee in REFEREES {
        for (shape, size) in
            TIGHT_FOULS.into_iter().flat_map(|shape| sizes.map(|size| (shape, size)))
        {
            for (board, mark, foul) in size.points().filter_map(|origin| lay(shape, size, origin)) {
                for symmetry in Symmetry::ALL {
                    let board = board.turned(symmetry);
                    let point = symmetry.point(size, mark);
                    let judged = (referee.foul_at)(&board, point);
                    assert_eq!(judged, Some(foul), "{}, {point}\n{board}", referee.name);
                }
            }
        }
    }
}

/// A board with the shape's upper left cell on `origin`, and its marked foul. `None` if the shape
/// does not fit.
fn lay(shape: &str, size: BoardSize, origin: Point) -> Option<(Board, Point, Foul)> {
    let mut board = Board::new(size, Rule::Renju);
    let mut marked = None;
    for (dy, row) in (0..).zip(shape.lines()) {
        for (dx, cell) in (0..).zip(row.chars()) {
            let point = size.point(i64::from(origin.x()) + dx, i64::from(origin.y()) + dy)?;
            if cell == 'X' {
                board.place(point, Color::Black).unwrap();
            }
            marked = foul_mark(cell).map(|foul| (point, foul)).or(marked);
        }
    }
    marked.map(|(point, foul)| (board, point, foul))
}

#[test]
fn walls_act_as_edges() {
    for referee in REFEREES {
        for case in foul_cases().iter().step_by(10) {
            let offset = 3;
            let mut framed = Board::new(BoardSize::new(22, 20).unwrap(), Rule::Renju);
            let inner = case.board.size();
            let moved = |point: Point| Point::new(point.x() + offset, point.y() + offset);
            let inside: Vec<Point> = inner.points().map(moved).collect();
            for cell in framed.size().points().filter(|cell| !inside.contains(cell)) {
                framed.wall(cell).unwrap();
            }
            for stone in case.board.history() {
                framed.place(moved(stone.point), stone.color).unwrap();
            }
            let expected: Vec<(Point, Foul)> = (referee.fouls)(&case.board)
                .into_iter()
                .map(|(point, foul)| (moved(point), foul))
                .collect();
            assert_eq!((referee.fouls)(&framed), expected, "{}, {}", referee.name, case.id);
        }
    }
}

#[test]
fn only_renju_has_fouls() {
    let shape = "XXX6XX";
    for referee in REFEREES {
        for rule in Rule::ALL {
            let size = BoardSize::square(15).unwrap();
            let mut board = Board::new(size, rule);
            let (renju, point, foul) = lay(shape, size, Point::new(0, 0)).unwrap();
            for stone in renju.history() {
                board.place(stone.point, stone.color).unwrap();
            }
            let expected = (rule == Rule::Renju).then_some(foul);
            assert_eq!((referee.foul_at)(&board, point), expected, "{}, {rule}", referee.name);
        }
    }
}
