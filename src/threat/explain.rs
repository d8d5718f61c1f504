//! Why a point is forbidden to black, or why it is not: every line through it that counts, or
//! only seems to.
//!
//! For people: it looks at everything again, and may be slow.

use super::foul::{Foul, foul_at, is_real_three_at};
use super::named::members;
use crate::pattern::{LinePattern, Shape};
use crate::position::Position;
use crate::types::{Color, DIRECTIONS, Direction, Point};

/// What a black stone makes on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoulPart {
    /// Six or more in a row.
    Overline,
    /// A four; two of them can stand on one line.
    Four,
    /// A three, or what looks like one.
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

/// One line through a point and what it has to do with a foul.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoulLine {
    /// What the stone makes there.
    pub part: FoulPart,
    /// On which line.
    pub direction: Direction,
    /// The stones that take part, row by row.
    pub stones: Vec<Point>,
    /// Whether it counts. A three does not where black may not make a straight four of it (RIF
    /// International Rules of Renju, 9.3).
    pub is_real: bool,
    /// Of a three that does not count: the cells that would make the straight four, each of them
    /// forbidden to black or a five on another line.
    pub forbidden: Vec<Point>,
}

/// A point that makes several threes or fours, or an overline, and what renju says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Where.
    pub at: Point,
    /// The foul; `None` where it only looks like one.
    pub foul: Option<Foul>,
    /// The lines.
    pub reasons: Vec<FoulLine>,
}

/// Every empty point that is forbidden to black or looks as if it were, row by row. Empty outside
/// renju.
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
        let forbidden = if is_real { Vec::new() } else { forbidden_eyes(position, at, direction) };
        Some(FoulLine { part, direction, stones, is_real, forbidden })
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

/// The cells that would turn the three on this line into a straight four, if black were allowed
/// to play there.
fn forbidden_eyes(position: &Position, at: Point, direction: Direction) -> Vec<Point> {
    let mut after = position.clone();
    after.place(at, Color::Black);
    let makes_straight_four = |&cell: &Point| {
        let line = after.lines(cell, Color::Black).line(direction.axis());
        let is_five = after.shape(cell, Color::Black) == Shape::Five;
        line == LinePattern::StraightFour && (is_five || foul_at(&after, cell).is_some())
    };
    let near = position.board().size().line(at, direction).filter(|cell| cell.distance(at) <= 4);
    near.filter(|&cell| after.is_empty(cell)).filter(makes_straight_four).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::reference::random_walk;
    use crate::types::{BoardSize, Rule};

    fn told(diagram: &str, at: &str) -> String {
        let game = Game::from_diagram(Rule::Renju, diagram).unwrap();
        let notation = game.notation();
        let all = explanations(game.position());
        let found = all.iter().find(|it| it.at == game.point(at).unwrap()).unwrap();
        let names = |points: &[Point]| notation.list(points).join(" ");
        let reasons = found.reasons.iter().map(|it| {
            let real = if it.is_real { "" } else { "no " };
            format!("; {real}{} {}|{}", it.part.name(), names(&it.stones), names(&it.forbidden))
        });
        found.foul.map_or("legal", Foul::name).to_string() + &reasons.collect::<String>()
    }

    #[test]
    fn every_line_of_a_foul_is_named() {
        let double_three = ". . . . . . . . .\n. . . . . . . . .\n. . . . X . . . .\n\
                            . . . . X . . . .\n. . X X . . . . .\n. . . . . . . . .\n\
                            . . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n";
        assert_eq!(told(double_three, "e5"), "double-three; three c5 d5|; three e7 e6|");
        let double_four = double_three.replace(". . X X . . . . .", "O X X X . . . . .");
        let double_four = double_four.replacen(". . . . . . . . .", ". . . . O . . . .", 1);
        let double_four = double_four.replacen(". . . . . . . . .", ". . . . X . . . .", 1);
        assert_eq!(told(&double_four, "e5"), "double-four; four b5 c5 d5|; four e8 e7 e6|");
        let overline = ". . . . . . .\n. X X . X X X\n. . . . . . .\n. . . . . . .\n\
                        . . . . . . .\n";
        assert_eq!(told(overline, "d4"), "overline; overline b4 c4 e4 f4 g4|");
    }

    #[test]
    fn a_three_that_does_not_count_says_what_stands_in_its_way() {
        // The three on the row can become a straight four on f5 only, where black would make an
        // overline with the column.
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
        assert!(row.is_some_and(|it| it.forbidden == [game.point("f7").unwrap()]), "{found:?}");
    }

    #[test]
    fn explanations_agree_with_the_verdicts() {
        let mut seen = 0;
        for seed in 0..40 {
            let size = BoardSize::square(15).unwrap();
            let mut position = Position::new(size, Rule::Renju);
            random_walk(&mut position, seed, 120, |position| {
                for told in explanations(position) {
                    let real = told.reasons.iter().filter(|it| it.is_real);
                    let count = |part: FoulPart| real.clone().filter(|it| it.part == part).count();
                    seen += 1;
                    match told.foul {
                        Some(Foul::Overline) => assert!(count(FoulPart::Overline) > 0),
                        Some(Foul::DoubleFour) => assert!(count(FoulPart::Four) > 0),
                        Some(Foul::DoubleThree) => assert!(count(FoulPart::Three) >= 2),
                        None => {
                            assert!(count(FoulPart::Three) < 2, "{told:?}");
                            assert_eq!(count(FoulPart::Overline), 0, "{told:?}");
                        }
                    }
                }
            });
        }
        assert!(seen > 100, "{seen}");
    }
}
