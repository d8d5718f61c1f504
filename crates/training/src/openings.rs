//! Where self-play games start.

use rand::Rng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::{StaticResult, static_result};
use tengen_rules::types::{BoardSize, Point, Rule};

/// Nodes of a search that finds most lopsided openings, and how many times as many each further
/// one visits: most of what is lopsided is seen early, and the last search is dear.
const GLANCE: (u64, u64) = (20_000, 8);

/// An opening that `is_level` finds level in searches of more and more nodes, the last one of
/// `nodes`; `None` when it was told to stop.
pub(super) fn level_opening(
    rule: Rule,
    size: BoardSize,
    nodes: u64,
    random: &mut SmallRng,
    mut is_level: impl FnMut(&Position, u64) -> Option<bool>,
) -> Option<Position> {
    'openings: loop {
        let position = random_opening(rule, size, random);
        for nodes in looks(nodes) {
            if !is_level(&position, nodes)? {
                continue 'openings;
            }
        }
        return Some(position);
    }
}

/// Nodes of the searches that an opening has to pass.
fn looks(nodes: u64) -> impl Iterator<Item = u64> {
    let (first, factor) = GLANCE;
    let grow = move |last: &u64| last.checked_mul(factor);
    std::iter::successors(Some(first), grow).take_while(move |&look| look < nodes).chain([nodes])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_look_is_longer_than_the_one_before() {
        let looks = |nodes| looks(nodes).collect::<Vec<_>>();
        assert_eq!(looks(5_000), [5_000]);
        assert_eq!(looks(20_000), [20_000]);
        assert_eq!(looks(20_001), [20_000, 20_001]);
        assert_eq!(looks(2_000_000), [20_000, 160_000, 1_280_000, 2_000_000]);
        assert_eq!(looks(u64::MAX).last(), Some(&u64::MAX));
    }
}
