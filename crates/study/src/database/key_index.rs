//! Numbers of positions by their keys, without copies of the keys.

use std::hash::{BuildHasher, RandomState};

use super::graph::NodeIndex;
use tengen_store::Key;

/// Marks a free slot.
const FREE: NodeIndex = NodeIndex::MAX;

/// A hash table of numbers. The keys are stored elsewhere: each call gets a function that returns the
/// key of a number.
#[derive(Debug, Default)]
pub(super) struct KeyIndex {
    /// A power of two of slots, at most three quarters of them taken; or none.
    slots: Vec<NodeIndex>,
    taken: usize,
    state: RandomState,
}

impl KeyIndex {
    /// The number of a key.
    pub fn find<'k>(&self, key: &Key, key_of: impl Fn(NodeIndex) -> &'k Key) -> Option<NodeIndex> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.slot_of(key, |index| key_of(index) == key)];
        (slot != FREE).then_some(slot)
    }

    /// Adds a number, whose key is not in the table.
    pub fn insert<'k>(&mut self, index: NodeIndex, key_of: impl Fn(NodeIndex) -> &'k Key) {
        if (self.taken + 1) * 4 > self.slots.len() * 3 {
            let size = (self.slots.len() * 2).max(16);
            let old = std::mem::replace(&mut self.slots, vec![FREE; size]);
            for index in old.into_iter().filter(|&index| index != FREE) {
                let slot = self.slot_of(key_of(index), |_| false);
                self.slots[slot] = index;
            }
        }
        let slot = self.slot_of(key_of(index), |_| false);
        self.slots[slot] = index;
        self.taken += 1;
    }

    /// The first slot from the hash of the key on that is free or whose number `is_equal` accepts.
    fn slot_of(&self, key: &Key, is_equal: impl Fn(NodeIndex) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.state.hash_one(key) as usize & mask;
        while self.slots[slot] != FREE && !is_equal(self.slots[slot]) {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::board::Board;
    use tengen_rules::types::{BoardSize, Color, Rule};

    #[test]
    fn numbers_are_found_by_their_keys_while_the_table_grows() {
        let size = BoardSize::new(36, 4).unwrap();
        let keys: Vec<Key> = size
            .points()
            .map(|point| {
                let mut board = Board::new(size, Rule::Freestyle);
                board.place(point, Color::Black).unwrap();
                Key::of(&board)
            })
            .collect();
        let (mut index, mut distinct) = (KeyIndex::default(), Vec::<Key>::new());
        assert_eq!(index.find(&keys[0], |_| unreachable!()), None);
        for key in &keys {
            let known = distinct.iter().position(|it| it == key);
            let found = index.find(key, |number| &distinct[number as usize]);
            assert_eq!(found.map(|number| number as usize), known);
            if known.is_none() {
                distinct.push(key.clone());
                index.insert(distinct.len() as NodeIndex - 1, |number| &distinct[number as usize]);
            }
        }
        // Four mirror images share a key.
        assert_eq!(distinct.len(), 36);
        for (number, key) in distinct.iter().enumerate() {
            let found = index.find(key, |number| &distinct[number as usize]);
            assert_eq!(found, Some(number as NodeIndex));
        }
    }
}
