//! A table of proof numbers in bounded memory.

use crate::memory::units_with_room;

/// Larger than any proof number that is not final.
pub(super) const INFINITE: u32 = 1 << 30;

/// The entry of one position, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProofEntry {
    pub(super) key: u64,
    /// Minimum number of nodes to decide to prove that the side to move reaches its goal; 0 if it
    /// is proved, [`INFINITE`] if it is refuted.
    pub(super) phi: u32,
    /// As `phi`, for the other side.
    pub(super) delta: u32,
    /// Nodes expanded below.
    pub(super) work: u32,
    /// For a proved win of the attacker: plies to the five. For a refuted one: [`SURE`], or
    /// [`UNSURE`] if it depends on a VCF search that ended too early.
    pub(super) plies: u16,
}

/// The refutation is complete.
pub(super) const SURE: u16 = 0;
/// The refutation may be incomplete.
pub(super) const UNSURE: u16 = 1;

impl ProofEntry {
    pub(super) fn is_decided(&self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    fn pack(&self) -> Slot {
        let numbers = u64::from(self.phi) << 32 | u64::from(self.delta);
        [self.key, numbers, u64::from(self.work) << 16 | u64::from(self.plies)]
    }

    fn unpack([key, numbers, rest]: Slot) -> ProofEntry {
        ProofEntry {
            key,
            phi: (numbers >> 32) as u32,
            delta: numbers as u32,
            work: (rest >> 16) as u32,
            plies: rest as u16,
        }
    }
}

/// An entry as plain numbers: the system allocates zeroed pages only as they are used, so that a
/// large table costs no more than a small one if few entries are used.
type Slot = [u64; 3];

/// Positions per bucket.
const WAYS: usize = 4;

/// A table that keeps the entries that cost most work.
pub(super) struct ProofTable {
    slots: Box<[Slot]>,
}

impl ProofTable {
    /// A table of at most `bytes`, and at least one page.
    pub(super) fn new(bytes: u64) -> ProofTable {
        let least = 64 * WAYS as u64;
        let fitting = (bytes / size_of::<Slot>() as u64).max(least);
        ProofTable { slots: zeroed([0; 3], 1 << fitting.ilog2(), least as usize) }
    }

    fn bucket(&self, key: u64) -> usize {
        (key as usize & (self.slots.len() / WAYS - 1)) * WAYS
    }

    pub(super) fn get(&self, key: u64) -> Option<ProofEntry> {
        let first = self.bucket(key);
        let slots = &self.slots[first..first + WAYS];
        slots.iter().find(|slot| slot[0] == key).map(|&slot| ProofEntry::unpack(slot))
    }

    /// Stores an entry; replaces that of the same position or the one that cost least work.
    pub(super) fn put(&mut self, entry: ProofEntry) {
        let first = self.bucket(entry.key);
        let slots = &mut self.slots[first..first + WAYS];
        let same = slots.iter().position(|slot| slot[0] == entry.key);
        let place =
            same.or_else(|| (0..WAYS).min_by_key(|&way| ProofEntry::unpack(slots[way]).work));
        slots[place.unwrap_or(0)] = entry.pack();
    }
}

/// A table of `slots` zeros; halved, down to `least`, while the allocation fails. Both numbers are
/// powers of two.
pub(super) fn zeroed<T: Clone>(zero: T, slots: usize, least: usize) -> Box<[T]> {
    // A failed allocation of a vector of zeros aborts the process.
    vec![zero; units_with_room(slots, least, size_of::<T>())].into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_shrinks_to_the_available_memory() {
        // More than there are addresses.
        assert!(zeroed([0; 3], 1 << 62, 1 << 8).len() < 1 << 62);
    }

    #[test]
    fn entry_of_least_work_is_replaced() {
        let mut table = ProofTable::new(1);
        let buckets = (table.slots.len() / WAYS) as u64;
        let entry = |way: u64| ProofEntry {
            key: 7 + way * buckets,
            phi: INFINITE,
            delta: 0,
            work: u32::MAX - way as u32,
            plies: 77,
        };
        (0..5).for_each(|way| table.put(entry(way)));
        for way in [0, 1, 2, 4] {
            assert_eq!(table.get(entry(way).key), Some(entry(way)));
        }
        assert_eq!(table.get(entry(3).key), None);
    }
}
