//! Named threats, compared with definitions that place stones one by one.

use std::collections::BTreeMap;

use tengen_rules::board::{Board, makes_five, row_through};
use tengen_rules::position::Position;
use tengen_rules::threat::{Threat, ThreatKind, foul_at, kind_at, prospects, threats};
use tengen_rules::types::{Color, DIRECTIONS, Direction, Point, Rule};
use tengen_testkit::diagrams::diagrams;
use tengen_testkit::random::Generator;
use tengen_testkit::{has_five, is_foul};

/// A stone of `color` on `at`, and what it makes.
struct Stone {
    at: Point,
    color: Color,
}

impl Stone {
    /// The empty cells of the line that share a five with the stone.
    fn near(&self, board: &Board, direction: Direction) -> Vec<Point> {
        let line = board.size().line(self.at, direction);
        line.filter(|&cell| board.is_empty(cell) && cell.distance(self.at) <= 4).collect()
    }

    /// How many empty cells of the line complete a five that the stone belongs to.
    fn fives(&self, board: &mut Board, direction: Direction) -> usize {
        let near = self.near(board, direction);
        near.into_iter()
            .filter(|&cell| {
                let row = row_through(board, cell, self.color, direction);
                let wins = board.rule().five_rule(self.color).wins(row.length, row.enclosed);
                wins && with_stone(board, cell, self.color, |board| {
                    self.row(board, direction).contains(&cell)
                })
            })
            .count()
    }

    /// How many fours of the line the stone belongs to. Where an enclosed five does not count, two
    /// fives that a single opponent stone stops are one four.
    fn fours(&self, board: &mut Board, direction: Direction) -> usize {
        match self.fives(board, direction) {
            2.. if self.has_answer(board, direction) => 1,
            fives => fives,
        }
    }

    /// Whether a single opponent stone on the line leaves no five.
    fn has_answer(&self, board: &mut Board, direction: Direction) -> bool {
        self.near(board, direction).into_iter().any(|cell| {
            let other = self.color.opponent();
            with_stone(board, cell, other, |board| self.fives(board, direction) == 0)
        })
    }

    /// The unbroken row through the stone, without the stone itself.
    fn row(&self, board: &Board, direction: Direction) -> Vec<Point> {
        let own = |&cell: &Point| board.cell(cell).color() == Some(self.color);
        let run = |sign: isize| (1..).map(move |steps| self.at.shift(direction, sign * steps));
        run(-1).take_while(own).chain(run(1).take_while(own)).collect()
    }

    /// Whether the stone is part of an unbroken four that two cells complete and no single
    /// opponent stone stops.
    fn is_straight_four(&self, board: &mut Board, direction: Direction) -> bool {
        self.row(board, direction).len() == 3 && self.fours(board, direction) == 2
    }

    /// Whether one more stone of the line makes a legal straight four; for a side without fouls two
    /// fours on the line count as well.
    fn is_open_three(&self, board: &mut Board, direction: Direction) -> bool {
        self.near(board, direction).into_iter().any(|eye| {
            if self.has_fouls(board) {
                let allowed =
                    !is_foul(board, eye, self.color) && !makes_five(board, eye, self.color);
                return allowed
                    && with_stone(board, eye, self.color, |board| {
                        self.row(board, direction).contains(&eye)
                            && self.is_straight_four(board, direction)
                    });
            }
            with_stone(board, eye, self.color, |board| self.fours(board, direction) >= 2)
        })
    }

    /// Whether one more stone of the line makes a four and is not a foul.
    fn is_three(&self, board: &mut Board, direction: Direction) -> bool {
        self.near(board, direction).into_iter().any(|cell| {
            !is_foul(board, cell, self.color)
                && with_stone(board, cell, self.color, |board| self.fives(board, direction) > 0)
        })
    }

    fn has_fouls(&self, board: &Board) -> bool {
        board.rule().has_fouls(self.color)
    }

    /// The kind of threat that the stone makes; its cell must be empty.
    fn kind(&self, board: &mut Board) -> Option<ThreatKind> {
        if makes_five(board, self.at, self.color) {
            return Some(ThreatKind::Five);
        }
        if is_foul(board, self.at, self.color) {
            let foul = tengen_testkit::foul_at(board, self.at);
            return Some(ThreatKind::Foul(foul.expect("a foul")));
        }
        with_stone(board, self.at, self.color, |board| {
            let fours = DIRECTIONS.map(|direction| self.fours(board, direction));
            let straight = DIRECTIONS.into_iter().any(|way| self.is_straight_four(board, way));
            let lines = || DIRECTIONS.into_iter().zip(fours).filter(|&(_, fours)| fours == 0);
            let threes = lines().filter(|&(way, _)| self.is_open_three(board, way)).count();
            match (fours.iter().sum(), threes) {
                (2.., _) if straight => Some(ThreatKind::StraightFour),
                (2.., _) => Some(ThreatKind::DoubleFour),
                (1, 1..) => Some(ThreatKind::FourThree),
                (1, 0) => Some(ThreatKind::Four),
                (0, 2..) => Some(ThreatKind::DoubleThree),
                (0, 1) => Some(ThreatKind::OpenThree),
                (0, 0) if lines().any(|(way, _)| self.is_three(board, way)) => {
                    Some(ThreatKind::Three)
                }
                _ => None,
            }
        })
    }
}

/// Whether stones of the threat are a straight four of its line.
fn has_straight_four(board: &mut Board, threat: &Threat) -> bool {
    let (color, way) = (threat.color, threat.direction);
    threat.stones.iter().any(|&at| Stone { at, color }.is_straight_four(board, way))
}

/// The result of `f` while a stone stands on the empty cell.
fn with_stone<T>(
    board: &mut Board,
    point: Point,
    color: Color,
    f: impl FnOnce(&mut Board) -> T,
) -> T {
    board.place(point, color).unwrap();
    let result = f(board);
    board.undo();
    result
}

/// The position with the same stones under another rule.
fn under(rule: Rule, model: &Board) -> Position {
    let mut board = Board::new(model.size(), rule);
    model.history().iter().for_each(|stone| board.place(stone.point, stone.color).unwrap());
    Position::from_board(&board)
}

#[test]
fn kinds_match_the_definitions() {
    let mut met = BTreeMap::new();
    for seed in 1..24 {
        let (_, model) = Generator::from_seed(seed);
        for rule in Rule::ALL {
            let position = under(rule, model.board());
            let mut board = position.board().clone();
            for color in Color::ALL {
                for at in position.board().empty_points() {
                    let expected = Stone { at, color }.kind(&mut board);
                    let kind = kind_at(&position, at, color);
                    assert_eq!(kind, expected, "{rule} {color:?} {at}\n{board:?}");
                    *met.entry(kind.map_or("none", ThreatKind::name)).or_insert(0) += 1;
                }
            }
        }
    }
    assert_eq!(met.len(), 12, "{met:?}");
}

/// Every cell of a threat carries it out, and every cell that carries out a threat is listed.
#[test]
fn threats_list_exactly_the_cells_that_carry_them_out() {
    let mut met = 0;
    for seed in 100..140 {
        let (_, model) = Generator::from_seed(seed);
        for rule in Rule::ALL {
            let position = under(rule, model.board());
            let mut board = position.board().clone();
            let named = threats(&position);
            for threat in &named {
                let color = threat.color;
                assert!(threat.stones.iter().all(|&it| board.cell(it).color() == Some(color)));
                for &at in &threat.cells {
                    let stone = Stone { at, color };
                    assert!(!is_foul(&board, at, color), "{threat:?}\n{board:?}");
                    let way = threat.direction;
                    let carried = match threat.kind {
                        ThreatKind::StraightFour | ThreatKind::Four => {
                            let is_straight = threat.kind == ThreatKind::StraightFour;
                            // A five that can be extended is listed as a four as well.
                            makes_five(&board, at, color)
                                && (has_straight_four(&mut board, threat) == is_straight
                                    || has_five(&board, color))
                        }
                        ThreatKind::OpenThree => {
                            with_stone(&mut board, at, color, |board| stone.fours(board, way) >= 2)
                        }
                        _ => with_stone(&mut board, at, color, |board| stone.fives(board, way) > 0),
                    };
                    assert!(carried, "{threat:?}\n{board:?}");
                    met += 1;
                }
            }
            for prospect in prospects(&position) {
                let is_named =
                    |it: &Threat| it.color == prospect.color && it.cells.contains(&prospect.at);
                // A weaker threat on the line of a four is not listed.
                let has_four = named
                    .iter()
                    .any(|it| it.color == prospect.color && it.kind <= ThreatKind::Four);
                let grave = match prospect.kind {
                    ThreatKind::Five => true,
                    ThreatKind::StraightFour => !has_four,
                    _ => false,
                };
                assert!(!grave || named.iter().any(is_named), "{prospect:?}\n{board:?}");
            }
        }
    }
    assert!(met > 1000, "{met}");
}

#[test]
fn fouls_are_prospects_with_their_kind_and_not_threats() {
    for diagram in diagrams() {
        let position = Position::from_board(&diagram.board);
        for threat in threats(&position).iter().filter(|threat| threat.color == Color::Black) {
            assert!(!threat.stones.is_empty() && threat.stones.len() <= 4, "{}", diagram.name);
            let forbidden = |cell: &&Point| foul_at(&position, **cell).is_some();
            assert_eq!(threat.cells.iter().find(forbidden), None, "{}", diagram.name);
        }
        let named = prospects(&position).into_iter().filter_map(|it| match it.kind {
            ThreatKind::Foul(foul) if it.color == Color::Black => Some((it.at, foul)),
            _ => None,
        });
        let mut named: Vec<_> = named.collect();
        named.sort();
        assert_eq!(named, diagram.fouls, "{}", diagram.name);
    }
}
