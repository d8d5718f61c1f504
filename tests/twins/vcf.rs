//! The VCF search of the horizon, near the last stone and with one solver for all positions,
//! compared with brute force.

use std::collections::HashMap;

use tengen::solver::{Vcf, VcfLimits};
use tengen_rules::position::Position;
use tengen_rules::threat::{StaticResult, answers_to_five, is_foul, makes_four, static_result};
use tengen_rules::types::{BoardSize, Point, Rule};
use tengen_testkit::random_walk;

/// Fours in a row that both searches follow.
const FOURS: u32 = 4;

/// Whether `to` is within two cells of `from`, or within four cells on a line.
fn is_near(from: Point, to: Point) -> bool {
    let (dx, dy) = (from.x().abs_diff(to.x()), from.y().abs_diff(to.y()));
    let far = dx.max(dy);
    far > 0 && (far <= 2 || far <= 4 && (dx == 0 || dy == 0 || dx == dy))
}

/// Whether the side to move wins by at most `fours` fours followed by a static result, each four
/// near the one before it, the first near `near`. Brute force without a table.
fn wins(position: &mut Position, fours: u32, near: Point) -> bool {
    let side = position.side_to_move();
    let block = match static_result(position) {
        StaticResult::WinIn(_) => return true,
        StaticResult::LossIn(_) | StaticResult::BlockFourSomehow => return false,
        StaticResult::BlockFour(cell) => Some(cell),
        _ => None,
    };
    if fours == 0 {
        return false;
    }
    let cells: Vec<Point> = position.board().empty_points().collect();
    cells.into_iter().any(|cell| {
        // A four of the opponent may be blocked anywhere; the next four is near that cell.
        let allowed = block.map_or(is_near(near, cell), |block| block == cell);
        allowed
            && makes_four(position, cell, side)
            && !is_foul(position, cell, side)
            && position.with_move(cell, |after| loses(after, fours - 1, cell))
    })
}

/// Whether every answer to the four on `cell` loses.
fn loses(position: &mut Position, fours: u32, cell: Point) -> bool {
    let answers = match static_result(position) {
        StaticResult::LossIn(_) => return true,
        StaticResult::BlockFour(answer) => vec![answer],
        StaticResult::BlockFourSomehow => answers_to_five(position, position.side_to_move()),
        _ => return false,
    };
    answers.into_iter().all(|answer| position.with_move(answer, |after| wins(after, fours, cell)))
}

#[test]
fn vcf_near_a_stone_equals_brute_force() {
    let mut found = HashMap::new();
    for rule in Rule::ALL {
        // One solver for all positions, with few slots, as the search uses it.
        let mut solver = Vcf::new(6);
        for seed in 0..60 {
            let mut position = Position::new(BoardSize::new(11, 12).unwrap(), rule);
            let mut seen = Vec::new();
            random_walk(&mut position, 1_000 * seed + rule.index() as u64, 45, |position| {
                seen.push(position.clone());
            });
            for mut position in seen.into_iter().skip(12) {
                let Some(near) = position.last_stones().ours else { continue };
                let expected = wins(&mut position.clone(), FOURS, near);
                let limits = VcfLimits { fours: FOURS, nodes: u64::MAX, near: Some(near) };
                let key = position.board().key();
                let plies = solver.solve(&mut position, limits, None);
                assert_eq!(plies.is_some(), expected, "near {near}\n{:?}", position.board());
                assert_eq!(position.board().key(), key);
                if plies.is_some_and(|plies| plies > 3) {
                    *found.entry(rule.name()).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(found.len() == Rule::ALL.len() && found.values().all(|&wins| wins > 5), "{found:?}");
}
