//! Generates the relevant moves of one position in a search for a win by threats.
//!
//! A move of the attacker is a *threat* if the defender cannot pass after it: it makes a four, or
//! the attacker can then make a straight four (or two fours) or a winning four-three; in the wide
//! search, or can win by any continuous fours. In renju a legal four of black's may be a foul
//! candidate; a VCF search then decides whether it wins. It does not matter whether the move itself
//! or an earlier one made the threat: after a counter-four the attacker's forced answer continues
//! with a three that is still there. A move that lets the defender make a five, a straight four or
//! a winning four-three is not a threat.
//!
//! The defender's moves are all replies that could hold: those that disturb the threatened win (see
//! [`super::zone`] and the answers of [`tengen_rules::threat`]), and all fours of its own.

use super::guess::{Guess, GuessWeights, Guesser};
use super::table::INFINITE;
use super::zone::zone_of_line;
use super::{Budget, Fours, FoursResult};
use crate::eval::network::Networks;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::{
    add_fours, answers_to_five, answers_to_four_threes, answers_to_straight_four,
    has_disguised_four, has_winning_four_three, is_foul,
};
use tengen_rules::types::Point;

/// Node limit of the VCF search at every position and after every reply (lab/0096).
const PROBE: u64 = 50;
/// Node limit of the VCF search for the fours that a reply has to disturb.
const DISTURBED_PROBE: u64 = 200;
/// Assumed number of replies to a threat of any continuous fours.
const REPLIES_TO_FOURS: u32 = 8;

/// The moves of the attacker that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Fours, and moves that threaten a straight four or a four-three.
    Threats,
    /// Every move that threatens any continuous fours.
    ///
    /// The shapes show whether a move threatens a straight four or a four-three; finding other
    /// continuous fours takes a search, and very few moves threaten any. So such moves count as
    /// threats until they are expanded, those that make nothing last (lab/0097).
    AnyFours,
}

impl Width {
    fn guess_weights(self) -> GuessWeights {
        match self {
            Width::Threats => GuessWeights { after_attack: 20, after_reply: 10 },
            Width::AnyFours => GuessWeights { after_attack: 80, after_reply: 40 },
        }
    }
}

/// A move with the first guess of its proof numbers, see [`super::table::ProofEntry`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) point: Point,
    pub(super) phi: u32,
    pub(super) delta: u32,
    /// For a proved win: plies from there to the five.
    pub(super) plies: u16,
    /// Whether it is only assumed to be a threat: it is searched, but not counted among the open
    /// moves.
    pub(super) is_assumed: bool,
}

/// The result of expanding a position.
pub(super) enum Expansion {
    /// The attacker wins within this number of plies.
    Win(u16),
    /// The attacker does not win; not `sure` if a VCF search ended too early.
    Fail { sure: bool },
    /// The result depends on these moves; the defender's other moves lose within `floor` plies.
    Open { children: Vec<Child>, floor: u16 },
}

/// The defender's moves that could hold.
pub(super) struct Replies {
    pub(super) points: Vec<Point>,
    /// The other moves lose within this number of plies.
    floor: u16,
}

/// Generates moves, and caches results about continuous fours.
pub(super) struct Expander {
    pub(super) fours: Fours,
    pub(super) width: Width,
    guesser: Guesser,
}

impl Expander {
    pub(super) fn new(fours: Fours, width: Width, networks: Networks) -> Expander {
        Expander { fours, width, guesser: Guesser::new(width.guess_weights(), networks) }
    }

    /// Plies to a win of the side to move by fours with at most `stones` stones.
    pub(super) fn win_by_fours(
        &mut self,
        position: &mut Position,
        stones: u16,
        nodes: u64,
        budget: &mut Budget<'_>,
    ) -> Result<Option<u16>, Unsure> {
        if stones == 0 {
            return Ok(None);
        }
        match self.fours.solve(position, length_of(stones), nodes, budget) {
            FoursResult::Win => Ok(Some(2 * self.fours.stones(position) - 1)),
            FoursResult::None => Ok(None),
            FoursResult::Unknown => Err(Unsure),
        }
    }

    /// Expands a position of the attacker, who may still place `stones` stones.
    pub(super) fn attack(
        &mut self,
        position: &mut Position,
        stones: u16,
        budget: &mut Budget<'_>,
    ) -> Expansion {
        if let Ok(Some(plies)) = self.win_by_fours(position, stones, PROBE, budget) {
            return Expansion::Win(plies);
        }
        if stones < 2 {
            return Expansion::Fail { sure: true };
        }
        let children = self.attacking_children(position, stones);
        if children.is_empty() {
            Expansion::Fail { sure: true }
        } else {
            Expansion::Open { children, floor: 0 }
        }
    }

    /// The attacker's legal moves that are threats or may be, most promising first.
    pub(super) fn attacks(&mut self, position: &mut Position, stones: u16) -> Vec<Point> {
        let mut children = self.attacking_children(position, stones);
        children.sort_by_key(|child| child.delta);
        children.into_iter().map(|child| child.point).collect()
    }

    fn attacking_children(&mut self, position: &mut Position, stones: u16) -> Vec<Child> {
        let mut children = Vec::new();
        for point in self.attacking_cells(position) {
            if is_foul(position, point, position.side_to_move()) {
                continue;
            }
            children.extend(self.threat(position, point, stones - 1));
        }
        children
    }

    /// The cells where a stone could make a threat.
    ///
    /// A new straight four, four or open three at another cell lies on a line with the new stone,
    /// which then makes at least an open two or a three itself. A stone that makes nothing can only
    /// create a threat if there is already a four-three or a foul candidate: by taking the cell of
    /// the defender's answer or by lifting the foul.
    fn attacking_cells(&self, position: &Position) -> Vec<Point> {
        let attacker = position.side_to_move();
        if position.count(attacker.opponent(), Shape::Five) > 0 {
            return answers_to_five(position, attacker);
        }
        let any = self.width != Width::Threats
            || position.count(attacker, Shape::FourThree) > 0
            || position.count(attacker, Shape::FoulCandidate) > 0;
        let makes_something = |&cell: &Point| any || position.shape(cell, attacker) > Shape::Quiet;
        position.candidates().filter(makes_something).collect()
    }

    /// The attacker's move on `point`, if it is or may be a threat that `stones` more stones carry
    /// out.
    fn threat(&mut self, position: &mut Position, point: Point, stones: u16) -> Option<Child> {
        let wide = self.width == Width::AnyFours;
        let (attacker, defender) = (position.side_to_move(), position.side_to_move().opponent());
        if wide
            && position.shape(point, attacker) == Shape::Quiet
            && position.count(defender, Shape::Five) == 0
        {
            let guess = self.guesser.after_hopeless_attack(REPLIES_TO_FOURS);
            return Some(Child { is_assumed: true, ..Child::attack(point, guess) });
        }
        position.with_move(point, |after| {
            if defender_wins(after) {
                return None;
            }
            let known = threatened_immediately(after, stones);
            let replies = known.or(wide.then_some(REPLIES_TO_FOURS))?;
            let guess = self.guesser.after_attack(after, replies);
            Some(Child { is_assumed: known.is_none(), ..Child::attack(point, guess) })
        })
    }

    /// Expands a position of the defender; the attacker may still place `stones` stones.
    pub(super) fn defend(
        &mut self,
        position: &mut Position,
        stones: u16,
        budget: &mut Budget<'_>,
    ) -> Expansion {
        let replies = match self.replies(position, stones, budget) {
            Ok(Some(replies)) => replies,
            Ok(None) => return Expansion::Fail { sure: true },
            Err(Unsure) => return Expansion::Fail { sure: false },
        };
        let mut floor = replies.floor;
        let mut children = Vec::new();
        for point in replies.points {
            position.with_move(point, |after| {
                if let Ok(Some(plies)) = self.win_by_fours(after, stones, PROBE, budget) {
                    floor = floor.max(plies + 1);
                } else {
                    let guess = self.guesser.after_reply(after);
                    children.push(Child::reply(point, guess));
                }
            });
        }
        if children.is_empty() {
            Expansion::Win(floor)
        } else {
            Expansion::Open { children, floor }
        }
    }

    /// Every legal reply that could hold after the attacker's move. `None` if the defender wins
    /// immediately, or if there is no threat to reply to.
    ///
    /// # Errors
    /// When the search for such a threat ended too early.
    pub(super) fn replies(
        &mut self,
        position: &mut Position,
        stones: u16,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Replies>, Unsure> {
        let defender = position.side_to_move();
        if stones == 0 || defender_wins(position) {
            return Ok(None);
        }
        let mut replies = if position.count(defender.opponent(), Shape::Five) > 0 {
            Replies { points: answers_to_five(position, defender), floor: 2 }
        } else {
            let Some(mut replies) = self.disturbances(position, stones, budget)? else {
                return Ok(None);
            };
            add_fours(position, defender, &mut replies.points);
            replies
        };
        replies.points.retain(|&reply| !is_foul(position, reply, defender));
        Ok(Some(replies))
    }

    /// The cells where a stone disturbs the win that the attacker has after a pass of the defender;
    /// `None` if it has none.
    ///
    /// # Errors
    /// The errors of [`Expander::replies`].
    fn disturbances(
        &mut self,
        position: &mut Position,
        stones: u16,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Replies>, Unsure> {
        let defender = position.side_to_move();
        let attacker = defender.opponent();
        let mut points = Vec::new();
        if stones >= 2 && position.count(attacker, Shape::StraightFour) > 0 {
            answers_to_straight_four(position, defender, &mut points);
            return Ok(Some(Replies { points, floor: 4 }));
        }
        let four_three = stones >= 3 && has_winning_four_three(position, attacker);
        let disguised = stones >= 2 && has_disguised_four(position, attacker);
        if !four_three && !disguised && self.width == Width::Threats {
            return Ok(None);
        }
        let (win, zone) = position.with_pass(|passed| {
            let win = self.win_by_fours(passed, stones, DISTURBED_PROBE, budget);
            let zone = match win {
                Ok(Some(_)) => zone_of_line(passed, &mut self.fours, length_of(stones), budget),
                _ => None,
            };
            (win, zone)
        });
        let mut floor = win.ok().flatten().map_or(2, |plies| plies + 1);
        if let Some(zone) = zone {
            points.extend(position.board().empty_points().filter(|&cell| zone.contains(cell)));
        } else if four_three {
            answers_to_four_threes(position, defender, &mut points);
            floor = floor.max(6);
        } else {
            return win.map(|_| None);
        }
        Ok(Some(Replies { points, floor }))
    }
}

/// The assumed number of replies to the attacker's last move if it makes a four or threatens a
/// straight four or a four-three with `stones` more stones; otherwise `None`.
fn threatened_immediately(position: &Position, stones: u16) -> Option<u32> {
    let attacker = position.side_to_move().opponent();
    if position.count(attacker, Shape::Five) > 0 {
        Some(1)
    } else if stones >= 2 && position.count(attacker, Shape::StraightFour) > 0 {
        Some(2)
    } else {
        let four_three = stones >= 3 && has_winning_four_three(position, attacker);
        (four_three || stones >= 2 && has_disguised_four(position, attacker)).then_some(3)
    }
}

/// A search for fours ended without a result.
#[derive(Clone, Copy)]
pub(super) struct Unsure;

/// The number of fours among `stones` stones that end with a five.
fn length_of(stones: u16) -> u16 {
    stones - 1
}

/// Whether the defender, to move, wins immediately: by a five or, with no five to stop, by a
/// straight four or a four-three.
fn defender_wins(position: &Position) -> bool {
    let defender = position.side_to_move();
    position.count(defender, Shape::Five) > 0
        || position.count(defender.opponent(), Shape::Five) == 0
            && (position.count(defender, Shape::StraightFour) > 0
                || has_winning_four_three(position, defender))
}

impl Child {
    fn attack(point: Point, after: Guess) -> Child {
        Child { point, phi: after.refute, delta: after.prove, plies: 0, is_assumed: false }
    }

    fn reply(point: Point, after: Guess) -> Child {
        Child { point, phi: after.prove, delta: after.refute, plies: 0, is_assumed: false }
    }

    /// Whether it is known to fail.
    pub(super) fn is_refuted(&self) -> bool {
        self.delta >= INFINITE
    }
}
