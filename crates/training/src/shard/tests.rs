//! Shards that are written, cut short, damaged and continued.

#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::io::Read;
use std::path::Path;

use super::read::ShardBlock;
use super::*;
use crate::data_file::DataFile;
use crate::training_game::tests::example;
use tengen_rules::types::{BoardSize, Rule};

fn header() -> ShardHeader {
    ShardHeader {
        rule: Rule::Renju,
        size: BoardSize::square(15).unwrap(),
        first: 10,
        games: 5,
        origin: ShardOrigin::Files,
    }
}

/// Writes a shard of two blocks, with three and two games, and returns its bytes and the offsets
/// of the blocks.
fn write_whole(path: &Path) -> (Vec<u8>, [usize; 2]) {
    let mut writer = ShardWriter::open(path, &header()).unwrap();
    assert_eq!(writer.next_game(), 10);
    let first = writer.length() as usize;
    writer.write(&[example(), example(), example()]).unwrap();
    let second = writer.length() as usize;
    writer.write(&[example(), example()]).unwrap();
    (std::fs::read(path).unwrap(), [first, second])
}

#[test]
fn shards_are_read_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    write_whole(&path);
    let shard = Shard::parse(std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(shard.header, header());
    let blocks: Vec<ShardBlock> = shard.blocks().map(Result::unwrap).collect();
    let games: Vec<_> = blocks.iter().map(|block| (block.first, block.records.len())).collect();
    assert_eq!(games, [(10, 3), (13, 2)]);
    assert!(blocks.iter().flat_map(|block| &block.records).all(|it| *it == example()));
}

#[test]
fn incomplete_shards_continue_after_the_last_complete_block() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let (whole, [first, second]) = write_whole(&path);
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let mut writer = ShardWriter::open(&path, &header()).unwrap();
        assert_eq!(writer.next_game(), if length < second { 10 } else { 13 }, "{length}");
        if length < second {
            assert_eq!(writer.length() as usize, first);
            writer.write(&[example(), example(), example()]).unwrap();
        }
        writer.write(&[example(), example()]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
}

/// Two runs with the same options would overwrite each other's games.
#[test]
fn shards_have_one_writer_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    write_whole(&path);
    let longer = ShardHeader { games: 1_000, ..header() };
    // After the header was replaced, and after the last block was.
    let mut writer = ShardWriter::open(&path, &longer).unwrap();
    assert!(ShardWriter::open(&path, &longer).is_err());
    let mut games = writer.reopen_last_block(3);
    games.push(example());
    writer.write(&games).unwrap();
    assert!(ShardWriter::open(&path, &longer).is_err());
    drop(writer);
    assert_eq!(ShardWriter::open(&path, &longer).unwrap().next_game(), 16);
}

/// A file with two names is written in place.
#[cfg(unix)]
#[test]
fn shards_with_two_names_are_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    write_whole(&path);
    std::fs::hard_link(&path, folder.path().join("b")).unwrap();
    let longer = ShardHeader { games: 1_000, ..header() };
    let mut writer = ShardWriter::open(&path, &longer).unwrap();
    writer.write(&[example()]).unwrap();
    assert_eq!(DataFile::read(&folder.path().join("b")).unwrap().games.len(), 6);
}

/// A write that fails or is interrupted must not destroy games of earlier runs.
#[cfg(unix)]
#[test]
fn written_bytes_are_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let (whole, _) = write_whole(&path);
    let read = |file: &mut File| {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    };
    // A longer header, then a longer last block.
    let mut before = File::open(&path).unwrap();
    let mut writer = ShardWriter::open(&path, &ShardHeader { games: 1_000, ..header() }).unwrap();
    let grown = std::fs::read(&path).unwrap();
    assert!(grown.len() > whole.len());
    assert_eq!(read(&mut before), whole);
    let mut before = File::open(&path).unwrap();
    let mut games = writer.reopen_last_block(3);
    assert_eq!((games.len(), writer.next_game()), (2, 13));
    assert_eq!(std::fs::read(&path).unwrap(), grown);
    games.push(example());
    writer.write(&games).unwrap();
    assert_eq!(read(&mut before), grown);
    writer.write(&[example()]).unwrap();
    let shard = Shard::parse(std::fs::read(&path).unwrap()).unwrap();
    let blocks = shard.blocks().map(Result::unwrap);
    let games: Vec<_> = blocks.map(|block| (block.first, block.records.len())).collect();
    assert_eq!(games, [(10, 3), (13, 3), (16, 1)]);
}

#[test]
fn damage_is_reported_with_its_offset_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let (whole, [first, second]) = write_whole(&path);
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x40;
        std::fs::write(&path, &damaged).unwrap();
        let Ok(shard) = Shard::parse(damaged) else {
            assert!(at < first, "byte {at}");
            assert!(ShardWriter::open(&path, &header()).is_err());
            continue;
        };
        let blocks: Vec<_> = shard.blocks().collect();
        let place = if at < second { first } else { second };
        let faults: Vec<usize> =
            blocks.iter().filter_map(|block| Some(block.as_ref().err()?.at)).collect();
        assert_eq!(faults, [place], "byte {at}");
        assert_eq!(blocks.len(), 2);
        // Damage in the last block may stem from a stop; earlier damage cannot.
        assert_eq!(ShardWriter::open(&path, &header()).is_ok(), at >= second);
    }
}

/// Computing the checksum of each candidate separately would take hours.
#[test]
fn undamaged_blocks_are_found_among_many_candidates() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let (whole, [first, second]) = write_whole(&path);
    let mut bytes = whole[..first].to_vec();
    let total = first + 8_000_000 + whole.len() - second;
    while bytes.len() < first + 8_000_000 {
        let payload = total - bytes.len() - BLOCK_BYTES - CHECKSUM_BYTES;
        bytes.extend(BLOCK_MAGIC);
        bytes.extend([0; 12]);
        bytes.extend((payload as u32).to_le_bytes());
    }
    bytes.extend(&whole[second..]);
    let shard = Shard::parse(bytes).unwrap();
    let blocks: Vec<_> = shard.blocks().collect();
    assert_eq!(blocks[0].as_ref().unwrap_err().at, first);
    assert_eq!((blocks.len(), blocks[1].as_ref().unwrap().first), (2, 13));
}

/// Forged checksums make the scan read invalid blocks, up to its limit.
#[test]
fn search_for_blocks_with_forged_sums_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let (whole, [first, _]) = write_whole(&path);
    // Each block contains the next one, followed by its own checksum.
    let mut nested = Vec::new();
    for _ in 0..4_000 {
        let mut block = BLOCK_MAGIC.to_vec();
        block.extend(0u64.to_le_bytes());
        block.extend(u32::MAX.to_le_bytes());
        block.extend((nested.len() as u32).to_le_bytes());
        block.extend(&nested);
        block.extend(crc32fast::hash(&block).to_le_bytes());
        nested = block;
    }
    let shard = Shard::parse([&whole[..first], &nested].concat()).unwrap();
    assert_eq!(shard.blocks().map(|block| block.is_err()).collect::<Vec<_>>(), [true]);
}

/// Complete blocks that are duplicated, misplaced or missing.
#[test]
fn blocks_out_of_order_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let (whole, [first, second]) = write_whole(&path);
    let read = |parts: &[&[u8]]| {
        std::fs::write(&path, parts.concat()).unwrap();
        let input = DataFile::read(&path).unwrap();
        let numbers: Vec<u64> = input.games.iter().map(|(number, _)| *number).collect();
        (numbers, input.faults)
    };
    let (head, one, two) = (&whole[..first], &whole[first..second], &whole[second..]);
    let all = read(&[&whole]).0;
    let early = read(&[head, one]).0;
    assert!(read(&[&whole]).1.is_empty());
    assert_eq!(read(&[head, one]), (early.clone(), Vec::new()), "a run that was stopped");
    let (numbers, faults) = read(&[head, one, one, two]);
    assert_eq!((numbers, faults.len()), (all.clone(), 1));
    assert!(faults[0].starts_with(&format!("at byte {second}: game")), "{faults:?}");
    let (numbers, faults) = read(&[head, two]);
    assert_eq!(numbers, all[early.len()..]);
    assert!(faults[0].ends_with("are missing"), "{faults:?}");
    let (numbers, faults) = read(&[head, two, one]);
    assert_eq!((numbers, faults.len()), (all[early.len()..].to_vec(), 2));
}

#[test]
fn shards_with_another_header_are_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    write_whole(&path);
    let other = ShardHeader { rule: Rule::Standard, ..header() };
    let error = ShardWriter::open(&path, &other).unwrap_err().to_string();
    assert!(error.contains("different header") && error.contains("standard"), "{error}");
    std::fs::write(&path, "a text").unwrap();
    let error = ShardWriter::open(&path, &other).unwrap_err().to_string();
    assert_eq!(error, "not a shard");
    assert_eq!(std::fs::read(&path).unwrap(), b"a text");
}
