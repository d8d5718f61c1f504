//! How the memory limit is divided.

use super::Options;

const MIB: u64 = 1 << 20;
/// Used when no limit was given, and when 0 means that there is none.
const DEFAULT_LIMIT: u64 = 350 * MIB;
/// Everything but the table: code, pattern tables, a thread's statistics.
const FIXED: u64 = 12 * MIB;
/// A further thread's statistics and stack.
const PER_THREAD: u64 = 6 * MIB;
/// The smallest table that is worth having, whatever the limit says.
const LEAST_TABLE: u64 = MIB;
/// Bytes of the largest table.
pub const MOST_TABLE: u64 = 64 << 30;

/// Bytes for the transposition table under `options`.
pub(super) fn table_bytes(options: &Options) -> u64 {
    let bytes = options.hash.filter(|&hash| hash > 0).unwrap_or_else(|| {
        let limit = options.memory.filter(|&limit| limit > 0).unwrap_or(DEFAULT_LIMIT);
        let others = FIXED + PER_THREAD * (options.threads.max(1) as u64 - 1);
        limit.saturating_sub(others) / 10 * 7
    });
    bytes.clamp(LEAST_TABLE, MOST_TABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_leaves_room_for_the_rest() {
        for limit in [0, 1, 10 * MIB, 80 * MIB, 350 * MIB, 4_096 * MIB] {
            let options = Options { memory: Some(limit), ..Options::default() };
            let table = table_bytes(&options);
            assert!(table >= LEAST_TABLE);
            if limit >= 20 * MIB {
                assert!(table + FIXED < limit && table * 2 > limit - 2 * FIXED);
            }
        }
        let asked = Options { hash: Some(32 * MIB), ..Options::default() };
        assert_eq!(table_bytes(&asked), 32 * MIB);
    }
}
