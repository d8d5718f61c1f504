//! Points of a kind: where something can be made, where something can be stopped.
//!
//! The kinds are those of composers' collections, and were compared with 54 complete lists of
//! points there, 41 of which they reproduce; what a kind leaves out, the lists leave out. The
//! others differ for these reasons: four name a stop after which the attacker wins by fours all
//! the same (`solve --refute` shows how); three lists of `stop-foul-trap` lack points that spoil a
//! three by making its row too long, and one is of a position without a trap; one list of
//! `make-four-three` counts two threes whose only eye is a double four, another a row without an
//! eye; one list of `closed-three-points` names a cell with no stone in reach, and two lack a cell
//! of a line of which they name others.

use std::str::FromStr;

use super::question::Search;
use tengen::solver::{Solver, Verdict, WinKind};
use tengen_rules::game::Game;
use tengen_rules::pattern::{LinePattern, Shape};
use tengen_rules::position::Position;
use tengen_rules::threat::{Foul, foul_at, has_winning_four_three, is_foul};
use tengen_rules::types::{Color, DIRECTIONS, Direction, Point};

/// What the points are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointKind {
    /// The side to move may make this there.
    Makes(Made),
    /// Black would commit this foul there.
    Fouls(Foul),
    /// After the side to move has played there, it threatens a winning four-three, and no more:
    /// the move is neither a four nor an open three itself.
    ThreatensFourThree,
    /// There the side to move begins a win by threats that takes at most four stones, the five
    /// included: whatever the defence, the next move is a winning four-three or more.
    WinsWithFour,
    /// After the side to move has played there, it threatens to win by fours.
    ThreatensFours,
    /// After the side to move has played there, the opponent cannot win by fours.
    StopsFours,
    /// After black has played there, whoever is to move, white cannot win by fours. Where white's
    /// four leaves black a double three alone, only moves that lift the foul count: neither
    /// those on the four nor those that make its stop a four.
    StopsFoulTrap,
}

/// What a stone makes on some line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// A three that one move stops.
    ClosedThree,
    /// A three that becomes a straight four.
    OpenThree,
    /// One that has a single answer.
    Four,
    /// A four with two answers.
    StraightFour,
}

const NAMES: [(&str, PointKind); 13] = [
    ("closed-three-points", PointKind::Makes(Made::ClosedThree)),
    ("open-three-points", PointKind::Makes(Made::OpenThree)),
    ("four-points", PointKind::Makes(Made::Four)),
    ("straight-four-points", PointKind::Makes(Made::StraightFour)),
    ("double-three-points", PointKind::Fouls(Foul::DoubleThree)),
    ("double-four-points", PointKind::Fouls(Foul::DoubleFour)),
    ("overline-points", PointKind::Fouls(Foul::Overline)),
    ("make-four-three", PointKind::ThreatensFourThree),
    ("two-move-four-three", PointKind::WinsWithFour),
    ("make-vcf", PointKind::ThreatensFours),
    ("stop-vcf", PointKind::StopsFours),
    ("stop-double-threat", PointKind::StopsFours),
    ("stop-foul-trap", PointKind::StopsFoulTrap),
];

/// What `--help` says of them.
pub fn help() -> String {
    format!("The points of a kind: {}", names())
}

fn names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}

impl FromStr for PointKind {
    type Err = String;

    fn from_str(text: &str) -> Result<PointKind, String> {
        let named = NAMES.into_iter().find(|&(name, _)| name == text).map(|(_, kind)| kind);
        named.ok_or_else(|| format!("expected one of {}", names()))
    }
}

impl PointKind {
    /// The points of the kind, row by row; those that could not be decided within the limits
    /// are not among them.
    pub fn find(self, game: &Game, solver: &mut Solver, search: &Search<'_>) -> Vec<Point> {
        let mut position = game.position().clone();
        let mut trap: Option<Trap> = None;
        if self == PointKind::StopsFoulTrap {
            if position.side_to_move() == Color::White {
                position.pass();
            }
            trap = Trap::find(&mut position, solver, search);
        }
        let cells: Vec<Point> = position.board().empty_points().collect();
        cells
            .into_iter()
            .take_while(|_| !(search.stop)())
            .filter(|&cell| {
                self.fits(&mut position, cell, solver, search)
                    && trap.is_none_or(|trap| trap.is_lifted(&mut position, cell))
            })
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
        // After a five there is nothing to threaten and nothing to fear.
        if position.shape(cell, side) == Shape::Five && !matches!(self, PointKind::Makes(_)) {
            return matches!(
                self,
                PointKind::WinsWithFour | PointKind::StopsFours | PointKind::StopsFoulTrap
            );
        }
        let fours = |solver: &mut Solver, after: &Position, attacker: Color| {
            solver
                .solve_position(after, attacker, WinKind::Vcf, &search.limits, search.stop)
                .verdict
        };
        match self {
            PointKind::Fouls(_) => unreachable!("answered above"),
            PointKind::Makes(made) => made.is_made(position, cell),
            PointKind::ThreatensFourThree => {
                ![Made::Four, Made::StraightFour, Made::OpenThree]
                    .into_iter()
                    .any(|made| made.is_made(position, cell))
                    && position.with_move(cell, |after| {
                        // A five comes before it.
                        after.count(side.opponent(), Shape::Five) == 0
                            && has_winning_four_three(after, side)
                    })
            }
            PointKind::WinsWithFour => position.with_move(cell, |after| {
                let limits = search.limits.with_stones(3);
                let report = solver.solve_position(after, side, WinKind::Vct, &limits, search.stop);
                matches!(report.verdict, Verdict::Win(_))
            }),
            PointKind::ThreatensFours => position.with_move(cell, |after| {
                let verdict = after.with_pass(|passed| fours(solver, passed, side));
                matches!(verdict, Verdict::Win(_))
            }),
            PointKind::StopsFours | PointKind::StopsFoulTrap => position.with_move(cell, |after| {
                let attacker = side.opponent();
                let (limits, stop) = (&search.limits, search.stop);
                fours(solver, after, attacker) == Verdict::None
                    && !solver.only_delays(after, attacker, WinKind::Vcf, limits, stop)
            }),
        }
    }
}

/// A four of white's whose only stop is a double three, where a four on the stop is no trap.
#[derive(Clone, Copy, Debug)]
struct Trap {
    four: Point,
    stop: Point,
}

impl Trap {
    /// The trap that white, if black passed, would win by at once.
    fn find(position: &mut Position, solver: &mut Solver, search: &Search<'_>) -> Option<Trap> {
        let mut fours = |position: &Position| {
            solver.solve_position(position, Color::White, WinKind::Vcf, &search.limits, search.stop)
        };
        let report = position.with_pass(|passed| fours(passed));
        let &[four, _, stop] = &report.line[..] else { return None };
        if foul_at(position, stop) != Some(Foul::DoubleThree) {
            return None;
        }
        let exchanged = position.with_pass(|passed| passed.with_move(stop, |after| fours(after)));
        (exchanged.verdict == Verdict::None).then_some(Trap { four, stop })
    }

    /// Whether a black stone on `cell`, off the four, makes the stop legal without making it a
    /// four.
    fn is_lifted(self, position: &mut Position, cell: Point) -> bool {
        cell != self.four
            && cell != self.stop
            && position.with_move(cell, |after| {
                let lines = after.lines(self.stop, Color::Black).lines();
                foul_at(after, self.stop).is_none() && !lines.iter().any(|line| line.is_four())
            })
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

/// Whether the three that the side to move makes on `cell` can become a straight four, one that
/// another three of the line does not make without it.
fn has_eye(position: &mut Position, cell: Point, direction: Direction) -> bool {
    let side = position.side_to_move();
    let is_straight = |position: &Position, eye: Point| {
        position.is_empty(eye)
            && position.lines(eye, side).line(direction.axis()) == LinePattern::StraightFour
    };
    let eyes = (-4..=4).map(|steps| cell.shift(direction, steps));
    let own: Vec<Point> = eyes.filter(|&eye| !is_straight(position, eye)).collect();
    position.with_move(cell, |after| {
        own.into_iter().any(|eye| is_straight(after, eye) && !is_foul(after, eye, side))
    })
}
