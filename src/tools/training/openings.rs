//! Where self-play games start.

use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::pattern::Shape;
use crate::position::Position;
use crate::threat::{StaticResult, static_result};
use crate::types::{BoardSize, Point, Rule};

/// Positions of a search that finds most lopsided openings.
const GLANCE: u64 = 20_000;

/// An opening that `is_level` finds level in a search of `nodes` nodes; `None` when it was
/// told to stop.
pub(super) fn level_opening(
    rule: Rule,
    size: BoardSize,
    nodes: u64,
    random: &mut SmallRng,
    mut is_level: impl FnMut(&Position, u64) -> Option<bool>,
) -> Option<Position> {
    loop {
        let position = random_opening(rule, size, random);
        // Most openings are lopsided, and a glance is enough to see it.
        if (nodes <= GLANCE || is_level(&position, GLANCE)?) && is_level(&position, nodes)? {
            return Some(position);
        }
    }
}

/// A few random stones near the centre without a four or a way to make one.
fn random_opening(rule: Rule, size: BoardSize, random: &mut SmallRng) -> Position {
    loop {
        let mut position = Position::new(size, rule);
        let center = size.center();
        let reach = random.random_range(2..=4).min(size.width().min(size.height()) / 2);
        let near = |point: &Point| point.distance(center) <= reach;
        let stones = random.random_range(2..=8);
        for _ in 0..stones {
            let side = position.side_to_move();
            let cells: Vec<Point> = position
                .board()
                .empty_points()
                .filter(near)
                .filter(|&cell| position.shape(cell, side) < Shape::Four)
                .collect();
            let Some(&cell) = cells.choose(random) else { break };
            position.play(cell);
        }
        if static_result(&position) == StaticResult::NoThreat {
            return position;
        }
    }
}
