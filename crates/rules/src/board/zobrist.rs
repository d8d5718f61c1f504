//! Zobrist keys from a fixed integer generator: the same on every machine and in every version.

use crate::types::{BoardSize, Color, GRID, Point, Rule};

/// One step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
/// 2014): the `n`-th output for seed 0 is `mix(n + 1)`.
const fn mix(n: u64) -> u64 {
    let z = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

static STONES: [[u64; GRID]; 2] = {
    let mut keys = [[0; GRID]; 2];
    let mut cell = 0;
    while cell < GRID {
        keys[0][cell] = mix(2 * cell as u64 + 1);
        keys[1][cell] = mix(2 * cell as u64 + 2);
        cell += 1;
    }
    keys
};

/// First generator step not used by a stone.
const REST: u64 = 2 * GRID as u64 + 1;

/// Toggled when the side to move changes.
pub(super) const SIDE: u64 = mix(REST);

#[inline]
pub(super) fn stone_key(point: Point, color: Color) -> u64 {
    STONES[color.index()][point.index()]
}

pub(super) fn wall_key(point: Point) -> u64 {
    mix(REST + 1 + point.index() as u64)
}

/// Key of an empty board. It depends on size and rule, so that different games share no hash
/// entries.
pub(super) fn start_key(size: BoardSize, rule: Rule) -> u64 {
    let shape = u64::from(size.width()) << 16 | u64::from(size.height()) << 8 | rule.index() as u64;
    mix(1 << 32 | shape)
}
