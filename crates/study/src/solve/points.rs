//! Points of a kind: cells where a side can make or stop something.
//!
//! The kinds are those of composers' collections (lab/0099).

use std::str::FromStr;

use super::question::Search;
use tengen::solver::{Solver, Verdict, WinKind};
use tengen_rules::game::Game;
use tengen_rules::pattern::{LinePattern, Shape};
use tengen_rules::position::Position;
use tengen_rules::threat::{Foul, foul_at, has_winning_four_three, is_foul};
use tengen_rules::types::{Color, DIRECTIONS, Direction, Point};

/// A kind of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointKind {
    /// A move of the side to move makes this.
    Makes(MadePattern),
    /// A black stone would be this foul.
    Fouls(Foul),
    /// A move of the side to move threatens a winning four-three, but is neither a four nor an open
    /// three itself.
    ThreatensFourThree,
    /// A move of the side to move starts a win by threats of at most four stones, including the
    /// five: after every defence, the next move is a winning four-three or better.
    WinsWithFour,
    /// A move of the side to move threatens to win by fours.
    ThreatensFours,
    /// After a move of the side to move, the opponent cannot win by fours.
    StopsFours,
    /// After a black stone, for either side to move, white cannot win by fours. If a four of white
    /// can only be stopped by a double three, only stones that lift the foul count, not those on
    /// the four or those that make its stop a four.
    StopsFoulTrap,
}

/// A pattern that a stone makes on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadePattern {
    /// A three that cannot become a straight four.
    ClosedThree,
    /// A three that can become a straight four.
    OpenThree,
    /// A four with a single answer.
    Four,
    /// A four with two answers.
    StraightFour,
}

const NAMES: [(&str, PointKind); 13] = [
    ("closed-three-points", PointKind::Makes(MadePattern::ClosedThree)),
    ("open-three-points", PointKind::Makes(MadePattern::OpenThree)),
    ("four-points", PointKind::Makes(MadePattern::Four)),
    ("straight-four-points", PointKind::Makes(MadePattern::StraightFour)),
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

/// The help text of the option.
pub fn help() -> String {
    format!("The points of a kind: {}", names())
}

fn names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}

impl FromStr for PointKind {
    type Err = String;

    fn from_str(text: &str) -> Result<PointKind, String> {
        let mut kinds = NAMES.into_iter();
        let named = kinds.find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, kind)| kind);
        named.ok_or_else(|| format!("expected one of {}", names()))
    }
}

/// The points of a kind, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundPoints {
    /// The points of the kind.
    pub points: Vec<Point>,
    /// The cells that the limits left undecided.
    pub unknown: Vec<Point>,
}

impl PointKind {
    /// The points of the kind.
    pub fn find(self, game: &Game, solver: &mut Solver, search: &Search<'_>) -> FoundPoints {
        let mut position = game.position().clone();
        let mut trap = Some(None);
        if self == PointKind::StopsFoulTrap {
            if position.side_to_move() == Color::White {
                position.pass();
            }
            trap = Trap::find(&mut position, solver, search);
        }
        let mut found = FoundPoints::default();
        for cell in game.board().empty_points() {
            let lifts = trap
                .map(|trap| trap.is_none_or(|trap: Trap| trap.is_lifted_by(&mut position, cell)));
            let fits = match lifts {
                Some(false) => Some(false),
                _ if (search.stop)() => None,
                _ => self.fits(&mut position, cell, solver, search),
            };
            match (fits, lifts) {
                (Some(false), _) => {}
                (Some(true), Some(_)) => found.points.push(cell),
                _ => found.unknown.push(cell),
            }
        }
        found
    }

    /// Whether a stone on the cell fits, without regard to a trap; `None` if the limits left this
    /// undecided.
    fn fits(
        self,
        position: &mut Position,
        cell: Point,
        solver: &mut Solver,
        search: &Search<'_>,
    ) -> Option<bool> {
        let side = position.side_to_move();
        if let PointKind::Fouls(foul) = self {
            return Some(foul_at(position, cell) == Some(foul));
        }
        if is_foul(position, cell, side) {
            return Some(false);
        }
        // A five ends the game: it stops everything and threatens nothing.
        if position.shape(cell, side) == Shape::Five && !matches!(self, PointKind::Makes(_)) {
            return Some(matches!(
                self,
                PointKind::WinsWithFour | PointKind::StopsFours | PointKind::StopsFoulTrap
            ));
        }
        let fours = |solver: &mut Solver, after: &Position, attacker: Color| {
            solver
                .decide_position(after, attacker, WinKind::Vcf, &search.limits, search.stop)
                .verdict
        };
        match self {
            PointKind::Fouls(_) => unreachable!("handled above"),
            PointKind::Makes(made) => Some(made.is_made_by(position, cell)),
            PointKind::ThreatensFourThree => Some(
                ![MadePattern::Four, MadePattern::StraightFour, MadePattern::OpenThree]
                    .into_iter()
                    .any(|made| made.is_made_by(position, cell))
                    && position.with_move(cell, |after| {
                        // The opponent's five would come first.
                        after.count(side.opponent(), Shape::Five) == 0
                            && has_winning_four_three(after, side)
                    }),
            ),
            PointKind::WinsWithFour => position.with_move(cell, |after| {
                let limits = search.limits.with_stones(3);
                is_win(
                    solver.decide_position(after, side, WinKind::Vct, &limits, search.stop).verdict,
                )
            }),
            PointKind::ThreatensFours => position.with_move(cell, |after| {
                after.with_pass(|passed| is_win(fours(solver, passed, side)))
            }),
            PointKind::StopsFours | PointKind::StopsFoulTrap => position.with_move(cell, |after| {
                let attacker = side.opponent();
                let (limits, stop) = (&search.limits, search.stop);
                let is_won = is_win(fours(solver, after, attacker))?;
                let holds =
                    !is_won && !solver.only_delays(after, attacker, WinKind::Vcf, limits, stop);
                Some(holds)
            }),
        }
    }
}

/// Whether there is a win; `None` if the search did not decide it.
fn is_win(verdict: Verdict) -> Option<bool> {
    match verdict {
        Verdict::Win(_) => Some(true),
        Verdict::None => Some(false),
        Verdict::Unknown => None,
    }
}

/// A white four whose only stop is a double three for black, and which loses its effect if the stop
/// is exchanged first.
#[derive(Clone, Copy, Debug)]
struct Trap {
    four: Point,
    stop: Point,
}

impl Trap {
    /// The trap by which white would win immediately if black passed, `Some(None)` without a trap;
    /// `None` if the limits left this undecided.
    fn find(
        position: &mut Position,
        solver: &mut Solver,
        search: &Search<'_>,
    ) -> Option<Option<Trap>> {
        let mut fours = |position: &Position| {
            solver.solve_position(position, Color::White, WinKind::Vcf, &search.limits, search.stop)
        };
        let report = position.with_pass(|passed| fours(passed));
        if report.verdict == Verdict::Unknown || report.is_cut {
            return None;
        }
        let &[four, _, stop] = &report.line[..] else { return Some(None) };
        if foul_at(position, stop) != Some(Foul::DoubleThree) {
            return Some(None);
        }
        let exchanged = position.with_pass(|passed| passed.with_move(stop, |after| fours(after)));
        let is_won = is_win(exchanged.verdict)?;
        Some((!is_won).then_some(Trap { four, stop }))
    }

    /// Whether a black stone on `cell`, which is not on the four, makes the stop legal without making
    /// it a four.
    fn is_lifted_by(self, position: &mut Position, cell: Point) -> bool {
        cell != self.four
            && cell != self.stop
            && position.with_move(cell, |after| {
                let lines = after.lines(self.stop, Color::Black).lines();
                foul_at(after, self.stop).is_none() && !lines.iter().any(|line| line.is_four())
            })
    }
}

impl MadePattern {
    fn is_made_by(self, position: &mut Position, cell: Point) -> bool {
        let side = position.side_to_move();
        let lines = position.lines(cell, side).lines();
        let any = |wanted: fn(LinePattern) -> bool| lines.iter().any(|&line| wanted(line));
        match self {
            MadePattern::ClosedThree => any(|line| line == LinePattern::Three),
            MadePattern::Four => any(|line| line == LinePattern::Four),
            MadePattern::StraightFour => any(|line| line == LinePattern::StraightFour),
            MadePattern::OpenThree => DIRECTIONS.into_iter().zip(lines).any(|(direction, line)| {
                line.is_open_three() && has_eye(position, cell, direction)
            }),
        }
    }
}

/// Whether the three that the side to move makes on `cell` can become a straight four that is not
/// possible without the stone.
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
