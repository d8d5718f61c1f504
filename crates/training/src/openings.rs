//! Openings of self-play games.

use tengen::random::Random;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::{StaticResult, static_result};
use tengen_rules::types::{BoardSize, Point, Rule};

/// Nodes of the first search of an opening, and the factor of each further search. The first search
/// rejects most unbalanced openings; the last one is expensive.
const FIRST_SEARCH: (u64, u64) = (20_000, 8);

/// An opening that `is_level` accepts in searches of increasing size, the last one with `nodes`
/// nodes, and `is_usable` afterwards. `None` if `is_level` returns `None` because it was stopped.
pub(super) fn level_opening(
    rule: Rule,
    size: BoardSize,
    nodes: u64,
    random: &mut Random,
    mut is_level: impl FnMut(&Position, u64) -> Option<bool>,
    mut is_usable: impl FnMut(&Position) -> bool,
) -> Option<Position> {
    'openings: loop {
        let position = random_opening(rule, size, random);
        for nodes in search_nodes(nodes) {
            if !is_level(&position, nodes)? {
                continue 'openings;
            }
        }
        if is_usable(&position) {
            return Some(position);
        }
    }
}

/// Nodes of the searches of an opening.
fn search_nodes(nodes: u64) -> impl Iterator<Item = u64> {
    let (first, factor) = FIRST_SEARCH;
    let grow = move |last: &u64| last.checked_mul(factor);
    std::iter::successors(Some(first), grow).take_while(move |&step| step < nodes).chain([nodes])
}

/// A few random stones near the centre that make no four and no threat.
fn random_opening(rule: Rule, size: BoardSize, random: &mut Random) -> Position {
    loop {
        let mut position = Position::new(size, rule);
        let center = size.center();
        let reach = (2 + random.below(3) as u8).min(size.width().min(size.height()) / 2);
        let near = |point: &Point| point.distance(center) <= reach;
        let stones = 2 + random.below(7);
        for _ in 0..stones {
            let side = position.side_to_move();
            let cells: Vec<Point> = position
                .board()
                .empty_points()
                .filter(near)
                .filter(|&cell| position.shape(cell, side) < Shape::Four)
                .collect();
            let Some(&cell) = random.choose(&cells) else { break };
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
    fn searches_grow_up_to_the_limit() {
        let steps = |nodes| search_nodes(nodes).collect::<Vec<_>>();
        assert_eq!(steps(5_000), [5_000]);
        assert_eq!(steps(20_000), [20_000]);
        assert_eq!(steps(20_001), [20_000, 20_001]);
        assert_eq!(steps(2_000_000), [20_000, 160_000, 1_280_000, 2_000_000]);
        assert_eq!(steps(u64::MAX).last(), Some(&u64::MAX));
    }
}
