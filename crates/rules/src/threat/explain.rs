//! Explains why a point is forbidden to black, or why it only appears to be: the lines through it
//! that count towards a foul, and those that do not.
//!
//! For display, not for searches: everything is recomputed, which is slow.

use super::foul::{Foul, foul_at, is_real_three_at};
use super::named::members;
use crate::board::Cell;
use crate::pattern::{LinePattern, Shape};
use crate::position::Position;
use crate::types::{Color, DIRECTIONS, Direction, Point};

/// A part of a foul: the pattern that a black stone makes on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoulPart {
    /// Six or more in a row.
    Overline,
    /// A four; one line can have two of them.
    Four,
    /// A three, or a line that looks like one.
    Three,
}

impl FoulPart {
    /// `overline`, `four` or `three`.
    pub const fn name(self) -> &'static str {
        match self {
            FoulPart::Overline => "overline",
            FoulPart::Four => "four",
            FoulPart::Three => "three",
        }
    }
}

/// One line through a point and its part in a foul.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoulLine {
    /// The pattern that the stone makes on the line.
    pub part: FoulPart,
    /// The direction of the line.
    pub direction: Direction,
    /// The stones that take part, row by row.
    pub stones: Vec<Point>,
    /// Whether the line counts. A three does not count if black may not extend it to a straight
    /// four (RIF International Rules of Renju, 9.3).
    pub is_real: bool,
    /// For a three that does not count: the cells that would make the straight four, each with the
    /// foul that forbids it to black, or `None` where black makes a five on another line.
    pub blocked_eyes: Vec<(Point, Option<Foul>)>,
}

/// A point that makes several threes or fours, or an overline, with its verdict under renju.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The point.
    pub at: Point,
    /// The foul; `None` if the point only appears to be forbidden.
    pub foul: Option<Foul>,
    /// The lines that count or appear to.
    pub reasons: Vec<FoulLine>,
}

/// Every empty point that is forbidden to black or appears to be, row by row. Empty outside renju.
pub fn explanations(position: &Position) -> Vec<Explanation> {
    let points = position.cells_with(Color::Black, Shape::FoulCandidate);
    points.map(|point| explain(position, point)).collect()
}

fn explain(position: &Position, at: Point) -> Explanation {
    let lines = position.lines(at, Color::Black).lines();
    let reasons = DIRECTIONS.into_iter().zip(lines).filter_map(|(direction, line)| {
        let part = part_of(line)?;
        let stones = members(position, at, Color::Black, direction, line);
        let is_real = part != FoulPart::Three || is_real_three_at(position, at, direction);
        let blocked_eyes = if is_real { Vec::new() } else { blocked_eyes(position, at, direction) };
        Some(FoulLine { part, direction, stones, is_real, blocked_eyes })
    });
    Explanation { at, foul: foul_at(position, at), reasons: reasons.collect() }
}

fn part_of(line: LinePattern) -> Option<FoulPart> {
    match line {
        LinePattern::Overline => Some(FoulPart::Overline),
        line if line.is_four() => Some(FoulPart::Four),
        line if line.is_open_three() => Some(FoulPart::Three),
        _ => None,
    }
}

/// The cells that would turn the three on this line into a straight four, but where black has a
/// foul or makes a five. A straight four is unbroken, so each is the first cell past the stones.
fn blocked_eyes(
    position: &Position,
    at: Point,
    direction: Direction,
) -> Vec<(Point, Option<Foul>)> {
    let mut after = position.clone();
    after.place(at, Color::Black);
    let past = |sign: isize| {
        let mut cells = (1..).map(|steps| at.shift(direction, sign * steps));
        cells.find(|&cell| after.cell(cell) != Cell::Black)
    };
    let makes_straight_four = |&cell: &Point| {
        let lines = || after.lines(cell, Color::Black);
        after.is_empty(cell) && lines().line(direction.axis()) == LinePattern::StraightFour
    };
    let blocked = |eye| match after.shape(eye, Color::Black) {
        Shape::Five => Some((eye, None)),
        _ => foul_at(&after, eye).map(|foul| (eye, Some(foul))),
    };
    [-1, 1].into_iter().filter_map(past).filter(makes_straight_four).filter_map(blocked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::game::Game;
    use crate::threat::{ThreatKind, prospects};
    use crate::types::{BoardSize, Rule};

    fn explained(diagram: &str, at: &str) -> String {
        let game = Game::from_diagram(Rule::Renju, diagram).unwrap();
        let notation = game.notation();
        let all = explanations(game.position());
        let found = all.iter().find(|it| it.at == game.point(at).unwrap()).unwrap();
        let names = |points: &[Point]| notation.list(points).join(" ");
        let reasons = found.reasons.iter().map(|it| {
            let real = if it.is_real { "" } else { "no " };
            let eye = |&(at, foul): &(Point, Option<Foul>)| {
                format!("{} {}", notation.name(at), foul.map_or("five", Foul::name))
            };
            let blocked = it.blocked_eyes.iter().map(eye).collect::<Vec<_>>().join(", ");
            format!("; {real}{} {}|{blocked}", it.part.name(), names(&it.stones))
        });
        found.foul.map_or("legal", Foul::name).to_string() + &reasons.collect::<String>()
    }

    #[test]
    fn explanations_name_every_line_of_a_foul() {
        let double_three = ". . . . . . . . .\n. . . . . . . . .\n. . . . X . . . .\n\
                            . . . . X . . . .\n. . X X . . . . .\n. . . . . . . . .\n\
                            . . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n";
        assert_eq!(explained(double_three, "e5"), "double-three; three c5 d5|; three e7 e6|");
        let double_four = double_three.replace(". . X X . . . . .", "O X X X . . . . .");
        let double_four = double_four.replacen(". . . . . . . . .", ". . . . O . . . .", 1);
        let double_four = double_four.replacen(". . . . . . . . .", ". . . . X . . . .", 1);
        assert_eq!(explained(&double_four, "e5"), "double-four; four b5 c5 d5|; four e8 e7 e6|");
        let overline = ". . . . . . .\n. X X . X X X\n. . . . . . .\n. . . . . . .\n\
                        . . . . . . .\n";
        assert_eq!(explained(overline, "d4"), "overline; overline b4 c4 e4 f4 g4|");
    }

    #[test]
    fn explanation_names_the_blocked_eyes_of_a_three() {
        // The three on the row can become a straight four only on f7, where black would make an
        // overline on the column.
        let diagram = ". . . . . . . . . . .\n. . . . . X . . . . .\n. . . . X X . . . . .\n\
                       . . . . X X . . . . .\nO . X X . . . O . . .\n. . . . . X . . . . .\n\
                       . . . . . X . . . . .\n. . . . . . . . . . .\n. . . . . . . . . . .\n\
                       . . . . . . . . . . .\n. . . . . . . . . . .\n";
        let game = Game::from_diagram(Rule::Renju, diagram).unwrap();
        let point = game.point("e7").unwrap();
        let found = explain(game.position(), point);
        assert_eq!(found.foul, None, "{found:?}");
        let row = found.reasons.iter().find(|it| it.direction.axis() == 0);
        assert!(row.is_some_and(|it| !it.is_real), "{found:?}");
        let eye = (game.point("f7").unwrap(), Some(Foul::Overline));
        assert!(row.is_some_and(|it| it.blocked_eyes == [eye]), "{found:?}");
    }

    /// A game on a 15x15 board with these stones.
    fn placed(black: &str, white: &str) -> Game {
        let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Renju);
        for (color, stones) in [(Color::Black, black), (Color::White, white)] {
            let points = stones.split(' ').map(|point| point.parse::<Point>().unwrap());
            points.for_each(|point| board.place(point, color).unwrap());
        }
        Game::from_board(&board)
    }

    #[test]
    fn a_cell_that_makes_five_is_neither_an_eye_nor_forbidden() {
        // The row's three has one eye, 7,8, and there a diagonal becomes five.
        let game = placed("8,8 9,8 6,7 8,9 9,10 10,11", "14,14");
        let found = explain(game.position(), game.point("6,8").unwrap());
        let row = found.reasons.iter().find(|it| it.direction.axis() == 0).unwrap();
        assert_eq!(row.blocked_eyes, [(game.point("7,8").unwrap(), None)], "{found:?}");
    }

    #[test]
    fn eyes_of_another_three_on_the_line_are_not_its_own() {
        let columns = "7,4 7,5 7,6 7,8 7,9 10,4 10,5 10,6 10,8 10,9";
        let black = format!("4,7 5,7 11,7 12,7 13,7 6,8 6,9 {columns}");
        let game = placed(&black, "2,7");
        let at = game.point("6,7").unwrap();
        let found = explain(game.position(), at);
        let row = found.reasons.iter().find(|it| it.direction.axis() == 0).unwrap();
        assert_eq!(row.blocked_eyes, [(game.point("7,7").unwrap(), Some(Foul::Overline))]);
        // The row's three does not count, so its stones are not part of the open three.
        let prospects = prospects(game.position());
        let three = prospects.iter().find(|it| it.at == at && it.color == Color::Black).unwrap();
        assert_eq!(three.kind, ThreatKind::OpenThree);
        let names: Vec<String> = three.stones.iter().map(Point::to_string).collect();
        assert_eq!(names, ["6,8", "6,9"]);
    }
}
