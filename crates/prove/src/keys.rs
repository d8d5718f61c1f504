//! Keys of positions, and maps from them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use tengen_rules::types::Color;

/// Identifies the stones of a position. A collision costs a proof, not its validity: certificates are
/// checked.
pub type Key = u128;

/// The key of a stone.
pub fn stone_key(cell: u8, color: Color) -> Key {
    let seed = 2 * u64::from(cell) + u64::from(color == Color::White);
    Key::from(mixed(2 * seed)) << 64 | Key::from(mixed(2 * seed + 1))
}

/// SplitMix64.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of these stones.
pub fn key_of(black: &[u8], white: &[u8]) -> Key {
    let keys =
        |cells: &[u8], color| cells.iter().fold(0, |key: Key, &cell| key ^ stone_key(cell, color));
    keys(black, Color::Black) ^ keys(white, Color::White)
}

/// Uses keys as hashes, because they are random already.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

/// A map from positions.
pub type KeyMap<T> = HashMap<Key, T, BuildHasherDefault<KeyHasher>>;
