//! Network files: writing a file that was read gives the same bytes.

use tengen::eval::network::{NetworkFile, embedded};
use tengen_rules::types::Rule;

/// Bytes of the checksum at the end of a file.
const CHECKSUM_BYTES: usize = 8;
/// Bytes of an edit: three for the offset, two for the value.
const EDIT_BYTES: usize = 5;

/// Reads the bytes as a file, then as edits of an embedded network.
///
/// Since the checksum of a file detects nearly every change, the bytes are also used as edits of a
/// valid file: the first byte selects the network, then each edit has three bytes for an offset and
/// two bytes to write there. The checksum is corrected, so that the numbers reach the later checks.
pub fn network(bytes: &[u8]) {
    check(bytes);
    let Some((&rule, edits)) = bytes.split_first() else { return };
    let mut file = embedded(Rule::ALL[usize::from(rule) % Rule::ALL.len()]).to_vec();
    let content = file.len() - CHECKSUM_BYTES;
    for edit in edits.chunks_exact(EDIT_BYTES) {
        let offset = u32::from_le_bytes([edit[0], edit[1], edit[2], 0]) as usize;
        let offset = offset % (content - 1);
        file[offset..offset + 2].copy_from_slice(&edit[3..]);
    }
    let sum = NetworkFile::hash(&file[..content]);
    file[content..].copy_from_slice(&sum.to_le_bytes());
    check(&file);
}

fn check(bytes: &[u8]) {
    if let Ok(file) = NetworkFile::read(bytes) {
        assert!(file.write() == bytes, "the written file differs");
    }
}
