//! Shards of self-play: damaged ones are read without a panic, and their games can be written.

use tengen_rules::types::Rule;
use tengen_training::recorded_games;

use crate::files::are_kept_by_json_lines;

/// Boards with cells of one byte and of two bytes.
const SIZES: [&str; 4] = ["5", "15", "20", "36x9"];

/// Reads the bytes as a file, then as the records of a block in a valid file.
///
/// Checksums detect nearly every change of a file, so the bytes are also used as records: the first byte
/// selects rule and size, the second is the number of games, and the rest are their records.
pub fn shard(bytes: &[u8]) {
    check(bytes);
    if let [kind, games, records @ ..] = bytes {
        check(&file(usize::from(*kind), *games, records));
    }
}

fn check(bytes: &[u8]) {
    if let Ok(Some((games, _))) = recorded_games(bytes) {
        assert!(!games.is_empty());
        are_kept_by_json_lines(&games);
    }
}

/// A shard with one block.
fn file(kind: usize, games: u8, records: &[u8]) -> Vec<u8> {
    let rule = Rule::ALL[kind % Rule::ALL.len()];
    let size = SIZES[kind / Rule::ALL.len() % SIZES.len()];
    let header = format!(
        r#"{{"rule":"{rule}","size":"{size}","first":0,"games":{games},"origin":"files"}}"#
    );
    let mut file = b"TGSP\x01\x00".to_vec();
    file.extend((header.len() as u32).to_le_bytes());
    file.extend(header.into_bytes());
    file.extend(crc32fast::hash(&file).to_le_bytes());
    let mut block = b"TGBL".to_vec();
    block.extend(0_u64.to_le_bytes());
    block.extend(u32::from(games).to_le_bytes());
    block.extend((records.len() as u32).to_le_bytes());
    block.extend(records);
    block.extend(crc32fast::hash(&block).to_le_bytes());
    file.extend(block);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_reach_the_reader_of_games() {
        // Opening of one move, two moves, black wins, one verdict, no sample.
        let records = [1, 2, 112, 113, 1, 1, 0, 0];
        for (kind, rule) in Rule::ALL.into_iter().enumerate() {
            let file = file(Rule::ALL.len() + kind, 1, &records);
            let (games, note) = recorded_games(&file).unwrap().unwrap();
            assert_eq!((games.len(), note), (1, None));
            assert_eq!((games[0].moves().unwrap().len(), games[0].opening), (2, 1));
            assert_eq!((games[0].rule, games[0].size.to_string().as_str()), (Some(rule), "15x15"));
        }
        assert!(recorded_games(&file(0, 1, &records[1..])).is_err());
    }
}
