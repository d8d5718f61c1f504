//! Network files: a file that is read is written byte for byte the same.

use tengen::eval::network::{NetworkFile, embedded};
use tengen_rules::types::Rule;

/// Bytes of the checksum at the end of a file.
const CHECKSUM_BYTES: usize = 8;
/// Bytes of an edit: three of its offset, two of the value.
const EDIT_BYTES: usize = 5;

/// Reads the bytes as a file, then as edits of an embedded network.
///
/// The checksum of a file catches nearly every change. The edits change a whole file instead: the
/// first byte picks the network, then three bytes name an offset and two the bytes to be put
/// there. The checksum is put right, so that the numbers reach the checks behind it.
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
        assert!(file.write() == bytes, "a file is written as it was read");
    }
}
