//! Points of a kind: where something can be made, where something can be stopped.

use std::str::FromStr;

use crate::game::Game;
use crate::pattern::LinePattern;
use crate::position::Position;
use crate::solver::{Kind, Limits, Solver, Verdict};
use crate::threat::{Foul, foul_at, has_winning_four_three, is_foul};
use crate::types::{Color, DIRECTIONS, Direction, Point};

/// What the points are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PointKind {
    /// The side to move may make this there.
    Makes(Made),
    /// Black would commit this foul there.
    Fouls(Foul),
    /// After the side to move has played there, it threatens a winning four-three.
    ThreatensFourThree,
    /// After the side to move has played there, it threatens to win by fours.
    ThreatensFours,
    /// After the side to move has played there, the opponent cannot win by fours.
    StopsFours,
}

/// What a stone makes on some line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    ClosedThree,
    OpenThree,
    Four,
    StraightFour,
}

/// What a search for points may use.
pub(super) struct Search<'a> {
    /// The limits of each look, counted from now.
    pub(super) limits: &'a dyn Fn() -> Limits,
    /// Whether to end.
    pub(super) stop: &'a dyn Fn() -> bool,
}

const NAMES: [(&str, PointKind); 12] = [
    ("closed-three-points", PointKind::Makes(Made::ClosedThree)),
    ("open-three-points", PointKind::Makes(Made::OpenThree)),
    ("four-points", PointKind::Makes(Made::Four)),
    ("straight-four-points", PointKind::Makes(Made::StraightFour)),
    ("double-three-points", PointKind::Fouls(Foul::DoubleThree)),
    ("double-four-points", PointKind::Fouls(Foul::DoubleFour)),
    ("overline-points", PointKind::Fouls(Foul::Overline)),
    ("make-four-three", PointKind::ThreatensFourThree),
    ("make-vcf", PointKind::ThreatensFours),
    ("stop-vcf", PointKind::StopsFours),
    ("stop-double-threat", PointKind::StopsFours),
    ("stop-foul-trap", PointKind::StopsFours),
];

impl FromStr for PointKind {
    type Err = String;

    fn from_str(text: &str) -> Result<PointKind, String> {
        let named = NAMES.into_iter().find(|&(name, _)| name == text).map(|(_, kind)| kind);
        let names = || NAMES.map(|(name, _)| name).join(", ");
        named.ok_or_else(|| format!("expected one of {}", names()))
    }
}

impl PointKind {
    /// The points of the kind, row by row; those that could not be decided within the limits
    /// are not among them.
    pub(super) fn find(self, game: &Game, solver: &mut Solver, search: &Search<'_>) -> Vec<Point> {
        let mut position = game.position().clone();
        let cells: Vec<Point> = position.board().empty_points().collect();
        cells
            .into_iter()
            .take_while(|_| !(search.stop)())
            .filter(|&cell| self.fits(&mut position, cell, solver, search))
            .collect()
    }

    fn fits(
        self,
        position: &mut Position,
        cell: Point,
        solver: &mut Solver,
        search: &Search<'_>,
    ) -> bool {
        let side = position.side_to_move();
        if let PointKind::Fouls(foul) = self {
            return foul_at(position, cell) == Some(foul);
        }
        if is_foul(position, cell, side) {
            return false;
        }
        let fours = |solver: &mut Solver, after: &Position, attacker: Color| {
            let limits = (search.limits)();
            solver.solve(after, attacker, Kind::Vcf, &limits, search.stop).verdict
        };
        match self {
            PointKind::Fouls(_) => unreachable!("answered above"),
            PointKind::Makes(made) => made.is_made(position, cell),
            PointKind::ThreatensFourThree => {
                position.with_move(cell, |after| has_winning_four_three(after, side))
            }
            PointKind::ThreatensFours => position.with_move(cell, |after| {
                after.pass();
                let found = matches!(fours(solver, after, side), Verdict::Win(_));
                after.pass();
                found
            }),
            PointKind::StopsFours => position.with_move(cell, |after| {
                let attacker = side.opponent();
                fours(solver, after, attacker) == Verdict::None && {
                    let limits = (search.limits)();
                    !solver.only_delays(after, attacker, Kind::Vcf, &limits, search.stop)
                }
            }),
        }
    }
}

impl Made {
    fn is_made(self, position: &mut Position, cell: Point) -> bool {
        let side = position.side_to_move();
        let lines = position.lines(cell, side).lines();
        let any = |wanted: fn(LinePattern) -> bool| lines.iter().any(|&line| wanted(line));
        match self {
            Made::ClosedThree => any(|line| line == LinePattern::Three),
            Made::Four => any(|line| line == LinePattern::Four),
            Made::StraightFour => any(|line| line == LinePattern::StraightFour),
            Made::OpenThree => DIRECTIONS.into_iter().zip(lines).any(|(direction, line)| {
                line.is_open_three() && has_eye(position, cell, direction)
            }),
        }
    }
}

/// Whether the three that the side to move makes on `cell` can become a straight four.
fn has_eye(position: &mut Position, cell: Point, direction: Direction) -> bool {
    let side = position.side_to_move();
    position.with_move(cell, |after| {
        let mut eyes = (-4..=4).map(|steps| cell.shift(direction, steps));
        eyes.any(|eye| {
            after.is_empty(eye)
                && after.lines(eye, side).line(direction.axis()) == LinePattern::StraightFour
                && !is_foul(after, eye, side)
        })
    })
}
