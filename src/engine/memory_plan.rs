//! Divides the memory limit between table, threads and solver.

use std::sync::OnceLock;
use std::time::Duration;

use super::{Options, control_group};

const MIB: u64 = 1 << 20;
/// The limit if none was given, or if it is 0.
const DEFAULT_LIMIT: u64 = 350 * MIB;
/// Memory for everything except the table: code and pattern tables, and for each cell of the board
/// statistics, caches and the VCF search of one thread. Measured with a table of 1 MiB: 9.6 MiB on
/// 15x15, 13.1 on 20x20, 24 on 36x36, and some more after a minute.
const FIXED: (u64, u64) = (8 * MIB, MIB / 64);
/// Statistics and stack of each further thread: 1.8 MB on 15x15, 2.4 MB on 20x20.
const PER_THREAD: u64 = 3 * MIB;
/// The smallest table, even under a smaller limit.
const MIN_TABLE_BYTES: u64 = MIB;
/// Bytes of the largest table.
pub const MAX_TABLE_BYTES: u64 = 64 << 30;

/// The largest table that is zeroed for a new game; a larger one is freed instead.
pub(super) const MAX_ZEROED_BYTES: u64 = 1 << 30;
/// Nodes that one thread visits per millisecond on a fast machine.
pub(super) const NODES_PER_MS: u64 = 1_500;
/// Useful bytes of the table per node of one move's search: its own entry, and room for those of
/// one or two moves before (lab/0035).
const BYTES_PER_NODE: u64 = 32;

/// Search threads under `options`: the requested number, limited so that the further threads leave
/// half of the memory to the table on 15x15.
pub(super) fn threads(options: &Options) -> usize {
    let room = match requested_limit(options) {
        Some(limit) => 1 + limit.saturating_sub(fixed(options, 15 * 15)) / 2 / PER_THREAD,
        None => u64::MAX,
    };
    (options.threads as u64).clamp(1, room) as usize
}

/// Memory for everything except the table, on a board with this number of cells.
fn fixed(options: &Options, area: usize) -> u64 {
    let (always, for_a_cell) = FIXED;
    (always + for_a_cell * area as u64).saturating_add(options.reserved)
}

/// The memory limit for the whole process.
pub(super) fn limit(options: &Options) -> u64 {
    limit_or(options, DEFAULT_LIMIT)
}

/// The requested memory limit, or that of the system if it is lower.
fn requested_limit(options: &Options) -> Option<u64> {
    let requested = options.memory.filter(|&limit| limit > 0);
    [requested, system_limit()].into_iter().flatten().min()
}

/// The memory limit, by default this one.
fn limit_or(options: &Options, default: u64) -> u64 {
    match options.memory {
        Some(1..) => requested_limit(options).unwrap_or(default),
        _ => default.min(system_limit().unwrap_or(default)),
    }
}

/// The limit that the system sets for the process.
fn system_limit() -> Option<u64> {
    static LIMIT: OnceLock<Option<u64>> = OnceLock::new();
    // The tests must not depend on where they run.
    if cfg!(test) { None } else { *LIMIT.get_or_init(control_group::memory_limit) }
}

/// Bytes for the transposition table under `options`, on a board of `area` cells, for moves planned to
/// take `time` and at most `nodes`.
///
/// A table that short moves cannot fill slows them down: its entries are spread over the whole
/// table, and the system zeroes each page on first touch, on some virtual machines no more than
/// 600 KB per millisecond. At 100 ms a move the first move would do nothing else. Sizes that depend
/// on the move are powers of two, so that small changes of the clock do not change the size.
pub(super) fn table_bytes(
    options: &Options,
    area: usize,
    time: Option<Duration>,
    nodes: Option<u64>,
) -> u64 {
    let threads = threads(options) as u64;
    let bytes = options.hash.filter(|&hash| hash > 0).unwrap_or_else(|| {
        let further = PER_THREAD * (threads - 1);
        let limit = limit_or(options, DEFAULT_LIMIT + further);
        let most = limit.saturating_sub(fixed(options, area).saturating_add(further)) / 10 * 7;
        let in_time = time.map_or(u64::MAX, |time| {
            let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
            ms.saturating_mul(NODES_PER_MS * threads)
        });
        let nodes = in_time.min(nodes.unwrap_or(u64::MAX));
        let useful = nodes.saturating_mul(BYTES_PER_NODE);
        most.min(useful.checked_next_power_of_two().unwrap_or(u64::MAX))
    });
    bytes.clamp(MIN_TABLE_BYTES, MAX_TABLE_BYTES)
}

/// Bytes for a solver in addition to the table, on a board of `area` cells: a part of the memory that
/// the table leaves.
pub(super) fn solver_bytes(options: &Options, area: usize) -> u64 {
    (limit(options).saturating_sub(fixed(options, area)) / 10)
        .clamp(MIN_TABLE_BYTES, MAX_TABLE_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_leaves_room_for_the_rest() {
        for (limit, side) in
            [0, 1, 10, 40, 80, 350, 4_096].into_iter().zip([15, 20, 36].iter().cycle())
        {
            let limit = limit * MIB;
            let options = Options { memory: Some(limit), ..Options::default() };
            let area = side * side;
            let table = table_bytes(&options, area, None, None);
            assert!(table >= MIN_TABLE_BYTES);
            if limit >= 40 * MIB {
                let fixed = fixed(&options, area);
                assert!(table + fixed < limit && table * 2 > limit - 2 * fixed);
                assert!(table + solver_bytes(&options, area) + fixed < limit);
            }
        }
        let given = Options { hash: Some(32 * MIB), ..Options::default() };
        assert_eq!(table_bytes(&given, 225, Some(Duration::ZERO), Some(1)), 32 * MIB);
    }

    #[test]
    fn threads_share_the_memory() {
        let within = |memory, threads| {
            super::threads(&Options { memory: Some(memory), threads, ..Options::default() })
        };
        assert_eq!([0, 1, 64].map(|threads| within(0, threads)), [1, 1, 64]);
        assert_eq!([1, 10 * MIB, 17 * MIB].map(|memory| within(memory, 8)), [1, 1, 1]);
        assert_eq!([18 * MIB, 350 * MIB].map(|memory| within(memory, 8)), [2, 8]);
        assert_eq!(within(350 * MIB, 64), 57);
        for memory in [10 * MIB, 25 * MIB, 80 * MIB] {
            let options = Options { memory: Some(memory), threads: 64, ..Options::default() };
            let threads = super::threads(&options) as u64;
            let fixed = fixed(&options, 225);
            let used = table_bytes(&options, 225, None, None) + fixed + (threads - 1) * PER_THREAD;
            assert!(used <= memory.max(fixed + MIN_TABLE_BYTES));
        }
        // Many threads leave a useful table; without a limit its size does not change.
        let table = |memory, threads| {
            table_bytes(&Options { memory, threads, ..Options::default() }, 225, None, None)
        };
        assert!(table(Some(350 * MIB), 64) > 100 * MIB);
        assert_eq!(table(None, 64), table(None, 1));
    }

    #[test]
    fn reserved_memory_is_left_to_the_caller() {
        let all = Options { threads: 8, ..Options::default() };
        for memory in [Some(40 * MIB), None] {
            let all = Options { memory, ..all.clone() };
            let rest = Options { reserved: 20 * MIB, ..all.clone() };
            assert_eq!(super::limit(&rest), super::limit(&all));
            let table = |options: &Options| table_bytes(options, 225, None, None);
            assert!(table(&rest) < table(&all));
            assert!(solver_bytes(&rest, 225) < solver_bytes(&all, 225));
            let [one, none] = [20 * MIB, u64::MAX]
                .map(|reserved| table(&Options { reserved, threads: 1, ..all.clone() }));
            let expected = table(&Options { threads: 1, ..all }) - 14 * MIB;
            assert!(one.abs_diff(expected) < 10, "7 of 10 parts of the memory");
            assert_eq!(none, MIN_TABLE_BYTES);
        }
        let threads =
            |reserved| super::threads(&Options { memory: Some(40 * MIB), reserved, ..all.clone() });
        assert_eq!([0, 20 * MIB].map(threads), [5, 2]);
    }

    #[test]
    fn short_moves_take_small_tables() {
        let options = Options::default();
        let timed = |ms| table_bytes(&options, 225, Some(Duration::from_millis(ms)), None);
        let whole = table_bytes(&options, 225, None, None);
        assert_eq!(timed(0), MIN_TABLE_BYTES);
        assert_eq!(timed(100), 8 * MIB);
        assert_eq!((timed(5_000), timed(u64::MAX)), (whole, whole));
        assert!((0..3_000).all(|ms| timed(ms) <= timed(ms + 1)));
        assert_eq!(table_bytes(&options, 225, None, Some(120_000)), 4 * MIB);
        assert_eq!(
            table_bytes(&options, 225, Some(Duration::from_secs(9)), Some(120_000)),
            4 * MIB
        );
        let two = Options { threads: 2, ..options };
        assert_eq!(table_bytes(&two, 225, Some(Duration::from_millis(100)), None), 16 * MIB);
    }
}
