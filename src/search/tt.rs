//! The transposition table: shared by all threads, lock-free.
//!
//! An entry is two atomic words, the data and the data xored with the key, so that a torn write
//! looks like another position (Hyatt, Mann: A lock-less transposition table implementation for
//! parallel search, 2002).

use std::sync::atomic::{AtomicU8, Ordering};

use super::alloc;
use super::params as p;
use crate::prefetch::prefetch;
use tengen_rules::types::{Bound, MAX_PLY, Point, Score};

/// The stored result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// The best move, or the one that caused a cutoff.
    pub best: Option<Point>,
    /// Its score, counted from the probing ply.
    pub score: Score,
    /// The static evaluation.
    pub evaluation: Score,
    /// Plies searched below.
    pub depth: i32,
    /// How the score bounds the true one.
    pub bound: Bound,
}

impl TtEntry {
    /// The stored score if it is a tighter bound than `evaluation`, otherwise `evaluation`.
    #[inline]
    pub fn refine(self, evaluation: Score) -> Score {
        let is_tighter = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > evaluation,
            Bound::Upper => self.score < evaluation,
        };
        if is_tighter { self.score } else { evaluation }
    }
}

/// The data xored with the key, and the data; both zero if nothing is stored.
type Slot = alloc::Pair;

/// Entries that share a cache line.
const BUCKET: usize = 4;
/// Bytes of a cache line.
const LINE: usize = 64;

/// The table. Its pages are zeroed by the system when they are first touched.
pub struct TranspositionTable {
    slots: Box<[Slot]>,
    /// Slots before the first one that starts a cache line.
    skipped: usize,
    buckets: usize,
    generation: AtomicU8,
}

/// Generations wrap around in this many searches.
const GENERATIONS: u8 = 32;
/// Depths are stored with this offset, so that leaves fit an unsigned field.
const DEPTH_OFFSET: i32 = 8;

impl TranspositionTable {
    /// A table of about `bytes`, at least one bucket. When the allocation fails, the size is halved
    /// until it fits, then halved again as headroom for the rest of the system. Without any memory
    /// the table stores nothing.
    pub fn new(bytes: u64) -> TranspositionTable {
        TranspositionTable::with_memory(bytes, alloc::zeroed_pairs)
    }

    /// A table without slots: it stores nothing.
    #[cfg(test)]
    pub fn disabled() -> TranspositionTable {
        TranspositionTable::with_memory(1, |_| None)
    }

    /// A table whose memory `take` allocates for a number of slots.
    fn with_memory(bytes: u64, take: impl Fn(usize) -> Option<Box<[Slot]>>) -> TranspositionTable {
        let mut buckets = (bytes as usize / LINE).max(1);
        let mut slots = take((buckets + 1) * BUCKET);
        let is_refused = slots.is_none();
        while slots.is_none() && buckets > 0 {
            buckets /= 2;
            slots = take((buckets + 1) * BUCKET);
        }
        if is_refused && buckets > 1 {
            drop(slots);
            buckets /= 2;
            slots = take((buckets + 1) * BUCKET);
        }
        let slots = slots.unwrap_or_default();
        let past = slots.as_ptr() as usize % LINE;
        let skipped = (LINE - past) % LINE / size_of::<Slot>();
        TranspositionTable { slots, skipped, buckets, generation: AtomicU8::new(0) }
    }

    /// Clears the table and touches all of its memory.
    pub fn clear(&mut self) {
        self.slots.fill_with(Slot::default);
        self.generation = AtomicU8::new(0);
    }

    /// Marks the entries stored so far as belonging to an earlier search.
    pub fn new_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Prefetches the memory that [`TranspositionTable::probe`] will read. Only a hint: it affects
    /// speed, not results.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Some(first) = self.bucket(key).first() {
            prefetch(first, |[check, _]| check.load(Ordering::Relaxed));
        }
    }

    /// The entry of the position with this key; `ply` is its distance from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            let matches = check.load(Ordering::Relaxed) ^ data == key;
            matches.then(|| unpack(data, ply)).flatten()
        })
    }

    /// Stores `entry`, replacing the least valuable one of the bucket.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim = None;
        for slot in self.bucket(key) {
            let [check, data] = slot;
            let data = data.load(Ordering::Relaxed);
            if check.load(Ordering::Relaxed) ^ data == key {
                // Keep a deeper result of this search, and the old move if there is no new one.
                let old = unpack(data, ply);
                if let Some(old) = old {
                    let fresh = generation_of(data) == generation;
                    if fresh
                        && entry.bound != Bound::Exact
                        && entry.depth + p::tt_depth_slack() < old.depth
                    {
                        return;
                    }
                    entry.best = entry.best.or(old.best);
                }
                victim = Some((i32::MIN, slot));
                break;
            }
            let age = generation.wrapping_sub(generation_of(data)) % GENERATIONS;
            let value = if data == 0 {
                i32::MIN
            } else {
                depth_of(data) - p::tt_age_penalty() * i32::from(age)
            };
            if victim.as_ref().is_none_or(|(least, _)| value < *least) {
                victim = Some((value, slot));
            }
        }
        if let Some((_, [check, data])) = victim {
            let new = pack(&entry, generation, ply);
            check.store(key ^ new, Ordering::Relaxed);
            data.store(new, Ordering::Relaxed);
        }
    }

    /// Share of the sampled entries that this search wrote, in permille.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.slots.iter().take(1000);
        let (mut used, mut total) = (0, 0);
        for [_, data] in sample {
            let data = data.load(Ordering::Relaxed);
            total += 1;
            used += u32::from(data != 0 && generation_of(data) == generation);
        }
        used * 1000 / total.max(1)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let first = self.skipped + high_product(key, self.buckets) * BUCKET;
        self.slots.get(first..first + BUCKET).unwrap_or_default()
    }
}

/// The integer part of `key * count / 2^64`, below `count`.
#[inline]
fn high_product(key: u64, count: usize) -> usize {
    // With 32 bits a product of 128 bits would be a call.
    #[cfg(target_pointer_width = "32")]
    let product = ((key >> 32) * count as u64 + ((key as u32 as u64 * count as u64) >> 32)) >> 32;
    #[cfg(not(target_pointer_width = "32"))]
    let product = (u128::from(key) * count as u128) >> 64;
    product as usize
}

// Data layout, from bit 0: move 16, score 16, evaluation 16, depth 8, bound 2, reserved 1,
// generation 5. No valid data is zero, since the bound is stored as its number plus one.

#[inline]
fn pack(entry: &TtEntry, generation: u8, ply: usize) -> u64 {
    let best = entry.best.map_or(0, |point| point.index() as u64);
    let score = u64::from(to_table(entry.score, ply) as u16);
    let evaluation = u64::from(entry.evaluation.value() as i16 as u16);
    let depth = (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
    best | score << 16
        | evaluation << 32
        | depth << 48
        | (entry.bound as u64 + 1) << 56
        | u64::from(generation) << 59
}

#[inline]
fn unpack(data: u64, ply: usize) -> Option<TtEntry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(TtEntry {
        best: Point::from_index((data & 0xFFFF) as usize),
        score: from_table((data >> 16) as u16 as i16, ply),
        evaluation: Score::raw(i32::from((data >> 32) as u16 as i16)),
        depth: depth_of(data),
        bound,
    })
}

#[inline]
fn depth_of(data: u64) -> i32 {
    (data >> 48 & 0xFF) as i32 - DEPTH_OFFSET
}

#[inline]
fn generation_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// Forced results are stored as distances from the position itself.
#[inline]
fn to_table(score: Score, ply: usize) -> i16 {
    let ply = ply as i32;
    let value = score.value();
    (if score.is_win() {
        value + ply
    } else if score.is_loss() {
        value - ply
    } else {
        value
    }) as i16
}

#[inline]
fn from_table(value: i16, ply: usize) -> Score {
    let score = Score::raw(i32::from(value));
    if score.is_win() {
        score.plus(-(ply as i32))
    } else if score.is_loss() {
        score.plus(ply as i32)
    } else {
        score
    }
}

const _: () = assert!(size_of::<Slot>() * BUCKET == LINE && MAX_PLY < 512);

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: Score, depth: i32) -> TtEntry {
        TtEntry {
            best: Some(Point::new(35, 35)),
            score,
            evaluation: Score::evaluation(-123),
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn probe_returns_stored_entries() {
        let table = TranspositionTable::new(1 << 16);
        assert_eq!(table.probe(77, 0), None);
        for (key, score) in [(1 << 60, Score::DRAW), (2 << 60, Score::evaluation(-19_000))] {
            table.store(key, 5, entry(score, 12));
            assert_eq!(table.probe(key, 9), Some(entry(score, 12)));
        }
    }

    /// Two threads may write the two words of a slot at the same time.
    #[test]
    fn torn_entries_are_not_returned() {
        let table = TranspositionTable::new(1 << 16);
        let data_of = |key: u64| {
            table.store(key, 0, entry(Score::DRAW, (key >> 60) as i32));
            let slot = table.bucket(key).iter().find(|slot| slot[1].load(Ordering::Relaxed) != 0);
            &slot.expect("a stored entry")[1]
        };
        let [torn, other] = [1 << 60, 2 << 60].map(data_of);
        torn.store(other.load(Ordering::Relaxed), Ordering::Relaxed);
        assert_eq!(table.probe(1 << 60, 0), None);
        assert!(table.probe(2 << 60, 0).is_some());
    }

    #[test]
    fn table_without_memory_stores_nothing() {
        for most in [0, 1, 2 * BUCKET, 100] {
            let table = TranspositionTable::with_memory(1 << 30, |slots| {
                (slots <= most).then(|| (0..slots).map(|_| Slot::default()).collect())
            });
            table.new_search();
            table.prefetch(7);
            table.store(7, 0, entry(Score::DRAW, 3));
            assert_eq!(table.probe(7, 0).is_some(), most >= 2 * BUCKET, "{most} slots");
            assert!(table.hashfull() <= 1000);
            // Half of the memory is left as headroom.
            assert!(most < 100 || table.slots.len() * 2 <= most + 2 * BUCKET);
        }
    }

    #[test]
    fn forced_results_are_relative_to_the_probing_ply() {
        let table = TranspositionTable::new(1 << 16);
        table.store(3, 10, entry(Score::win_in(15), 1));
        assert_eq!(table.probe(3, 4).unwrap().score, Score::win_in(9));
        table.store(3, 10, entry(Score::loss_in(14), 1));
        assert_eq!(table.probe(3, 0).unwrap().score, Score::loss_in(4));
    }

    #[test]
    fn old_and_shallow_entries_are_replaced_first() {
        let table = TranspositionTable::new(1);
        for key in 1..=4 {
            table.store(key, 0, entry(Score::DRAW, 10 + key as i32));
        }
        table.store(5, 0, entry(Score::DRAW, 3));
        assert_eq!(table.probe(1, 0), None);
        assert!(table.probe(2, 0).is_some());
        table.new_search();
        table.store(6, 0, entry(Score::DRAW, 1));
        assert_eq!(table.probe(5, 0), None);
        assert!(table.probe(4, 0).is_some() && table.probe(6, 0).is_some());
    }
}
