//! Measures a store:
//! `cargo run --release -p tengen-store --example measure -- [POSITIONS] [FOLDER] [CACHE] [MAPPED]`.
//!
//! Writes positions of 20 stones (5,000,000 unless given) in batches of 100,000 to a new store,
//! looks up random ones, and prints CPU seconds, sizes and peak memory. `CACHE` and `MAPPED` are
//! MiB of the page cache and of mapped memory. Linux only: the numbers come from `/proc`.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use tengen_rules::{Board, BoardSize, Point, Rule, Score};
use tengen_store::{
    Bound, Entry, Error, Evaluation, Evidence, Filter, GameValue, GamesRule, KnownResult, Options,
    Origin, Provenance, Record, ScoredMove, Store,
};

const STONES: usize = 20;
const BATCH: usize = 100_000;
/// Boards built at a time.
const GROUP: usize = 5_000;
const LOOKUPS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let positions: usize = args.next().map_or(Ok(5_000_000), |count| count.parse())?;
    let folder = args.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let path = folder.join(format!("measure-{}.tdb", std::process::id()));
    let mut options = Options::default();
    if let Some(mib) = args.next() {
        options.cache_bytes = mib.parse::<usize>()? << 20;
    }
    if let Some(mib) = args.next() {
        options.mapped_bytes = mib.parse::<u64>()? << 20;
    }
    let measured = measure(&path, positions, &options);
    std::fs::remove_file(&path)?;
    Ok(measured?)
}

fn measure(path: &Path, positions: usize, options: &Options) -> Result<(), Error> {
    println!("| operation | number | CPU s | per CPU s |\n|---|---|---|---|");
    let origins = [origin("solver"), origin("search")];
    let mut store = Store::open_or_create(path, options)?;
    let (mut spent, mut first) = (0.0, 0);
    for start in (0..positions).step_by(BATCH) {
        let end = positions.min(start + BATCH);
        let mut entries = Vec::with_capacity(BATCH);
        for group in groups(start..end) {
            let boards: Vec<Board> = group.clone().map(|number| board(number as u64)).collect();
            let records: Vec<Record> = group.map(|number| record(number, &origins)).collect();
            let clock = cpu_seconds();
            for (board, record) in boards.iter().zip(records) {
                entries.push(Entry::new(board, record)?);
            }
            spent += cpu_seconds() - clock;
        }
        let clock = cpu_seconds();
        let mut batch = store.batch()?;
        batch.merge_all(entries, GamesRule::Largest)?;
        batch.commit()?;
        spent += cpu_seconds() - clock;
        if end == 3_000_000 {
            first = end;
            report("first inserts", first, spent);
        }
    }
    if first < positions {
        report("inserts", positions, spent);
    }
    let memory = own_memory_mib();
    println!("| memory after inserts | {memory} MiB | | |");
    look_up(&store, positions)?;
    println!("| memory after look-ups | {} MiB | | |", own_memory_mib());
    let clock = cpu_seconds();
    let count = store.reader().entries(&Filter::default()).count();
    report("walk in key order", count, cpu_seconds() - clock);

    let before = bytes(path);
    let clock = cpu_seconds();
    let done = AtomicBool::new(false);
    let most = std::thread::scope(|scope| {
        let peak = scope.spawn(|| {
            let mut most = 0;
            while !done.load(Ordering::Relaxed) {
                most = own_memory_mib().max(most);
                std::thread::sleep(Duration::from_millis(20));
            }
            most
        });
        let compacted = store.compact();
        done.store(true, Ordering::Relaxed);
        compacted.map(|()| peak.join().expect("the thread counts"))
    })?;
    report("compacted", count, cpu_seconds() - clock);
    println!("| memory while compacting | {most} MiB | | |");
    println!("| bytes per position before | {:.1} | | |", before as f64 / count as f64);
    println!("| bytes per position, compacted | {:.1} | | |", bytes(path) as f64 / count as f64);
    look_up(&store, positions)?;
    drop(store);
    let clock = Instant::now();
    let store = Store::open_with(path, options)?;
    store.get(&board(0))?;
    println!("| opened with first look-up | {:.2} ms | | |", clock.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

/// Splits the numbers into groups whose boards fit in memory.
fn groups(numbers: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    numbers.clone().step_by(GROUP).map(move |start| start..numbers.end.min(start + GROUP))
}

/// Looks up random positions: first stored ones, then missing ones.
fn look_up(store: &Store, positions: usize) -> Result<(), Error> {
    for known in [true, false] {
        for snapshot in [true, false] {
            let mut rng = SmallRng::seed_from_u64(7);
            let view = if snapshot { Some(store.snapshot()?) } else { None };
            let reader = view.as_deref().copied().unwrap_or(store.reader());
            let (mut spent, mut found) = (0.0, 0);
            for group in groups(0..LOOKUPS.min(positions)) {
                let number = |number: usize| match known {
                    true => rng.random_range(0..positions as u64),
                    false => (positions + number) as u64,
                };
                let boards: Vec<Board> = group.map(number).map(board).collect();
                let clock = cpu_seconds();
                for board in &boards {
                    found += usize::from(reader.get(board)?.is_some());
                }
                spent += cpu_seconds() - clock;
            }
            let stored = if known { "known" } else { "unknown" };
            let kind = if snapshot { "in a snapshot" } else { "one by one" };
            let name = format!("look-ups, {stored}, {kind} ({found} found)");
            report(&name, LOOKUPS.min(positions), spent);
        }
    }
    Ok(())
}

/// A position of 20 stones in the middle of the board, determined by `number`.
fn board(number: u64) -> Board {
    let mut rng = SmallRng::seed_from_u64(number);
    let size = BoardSize::square(15).expect("a board");
    let mut board = Board::new(size, Rule::Freestyle);
    while board.history().len() < STONES {
        let point = Point::new(rng.random_range(1..14), rng.random_range(1..14));
        if board.is_empty(point) {
            board.place(point, board.side_to_move()).expect("an empty cell");
        }
    }
    board
}

fn record(number: usize, origins: &[Arc<Origin>; 2]) -> Record {
    let provenance = Provenance {
        origin: Some(Arc::clone(&origins[number % 2])),
        time: 1_780_000_000 + number as u32,
    };
    let score = Score::raw((number % 4_001) as i32 - 2_000);
    let best = Point::new((number % 15) as u8, (number / 15 % 15) as u8);
    let result = KnownResult {
        value: if number.is_multiple_of(2) { GameValue::Win } else { GameValue::Loss },
        distance: Some((number % 50) as u16),
        evidence: if number.is_multiple_of(3) { Evidence::Proved } else { Evidence::Claimed },
        best: Some(best),
        provenance: provenance.clone(),
    };
    let evaluation = Evaluation {
        score,
        depth: (10 + number % 30) as u16,
        bound: Bound::Exact,
        nodes: 20_000 + number as u64 * 7 % 2_000_000,
        moves: vec![ScoredMove { point: best, score: Some(score) }],
        provenance,
    };
    Record { result: Some(result), evaluation: Some(evaluation), ..Record::default() }
}

fn origin(source: &str) -> Arc<Origin> {
    Arc::new(Origin { source: source.to_string(), version: "1.0".to_string() })
}

fn report(name: &str, number: usize, seconds: f64) {
    println!("| {name} | {number} | {seconds:.2} | {:.0} |", number as f64 / seconds);
}

fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// User and system time of this thread.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let nanoseconds = text.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.expect("a number") / 1e9
}

/// Memory of the process without mapped files, which the system can drop.
fn own_memory_mib() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.expect("a number") >> 10
}
