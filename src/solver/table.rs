//! Proof and disproof numbers of positions, in bounded memory.

/// More than any proof number that is not final.
pub(super) const INFINITE: u32 = 1 << 30;

/// What is known about one position, seen by the side to move there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProofEntry {
    pub(super) key: u64,
    /// Nodes that at least have to be decided to prove that the side to move reaches its
    /// goal; 0 when it is proved, [`INFINITE`] when it is refuted.
    pub(super) phi: u32,
    /// The same for the other side.
    pub(super) delta: u32,
    /// Nodes expanded below.
    pub(super) work: u32,
    /// Of a proved win of the attacker: plies to the five. Of a refuted one: [`SURE`], or
    /// [`UNSURE`] where a look for fours on which it rests ended too early.
    pub(super) plies: u16,
}

/// Everything was tried.
pub(super) const SURE: u16 = 0;
/// Something may have been overlooked.
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

/// An entry in plain numbers: the system hands out zeroed memory untouched, page by page as it
/// is used, so that a large table costs nothing where a small one would do.
type Slot = [u64; 3];

/// Positions per bucket.
const WAYS: usize = 4;

/// Keeps the entries that cost the most work.
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

    /// Replaces the entry of the same position or the one that cost least.
    pub(super) fn put(&mut self, entry: ProofEntry) {
        let first = self.bucket(entry.key);
        let slots = &mut self.slots[first..first + WAYS];
        let same = slots.iter().position(|slot| slot[0] == entry.key);
        let place =
            same.or_else(|| (0..WAYS).min_by_key(|&way| ProofEntry::unpack(slots[way]).work));
        slots[place.unwrap_or(0)] = entry.pack();
    }
}

/// A table of so many zeros, or of half as many as long as the system has no room for them, but
/// of `least`. Both numbers are powers of two.
pub(super) fn zeroed<T: Clone>(zero: T, slots: usize, least: usize) -> Box<[T]> {
    // A vector of zeros that the system refuses ends the process, so the room is asked for
    // first, and given back.
    let has_room = |slots| Vec::<T>::new().try_reserve_exact(slots).is_ok();
    vec![zero; halved(slots, least, has_room)].into_boxed_slice()
}

fn halved(mut slots: usize, least: usize, has_room: impl Fn(usize) -> bool) -> usize {
    while slots > least && !has_room(slots) {
        slots /= 2;
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_takes_what_the_system_gives() {
        for (most, slots) in [(usize::MAX, 1 << 40), (1 << 20, 1 << 20), (0, 1 << 8)] {
            assert_eq!(halved(1 << 40, 1 << 8, |slots| slots <= most), slots);
        }
        // More than there are addresses.
        assert!(zeroed([0; 3], 1 << 62, 1 << 8).len() < 1 << 62);
    }

    #[test]
    fn entries_come_back_and_the_cheapest_goes() {
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
