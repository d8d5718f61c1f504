//! CRC-32 of any range of a file, in constant time per range.

use std::ops::Range;

use crc32fast::Hasher;

/// Distance in bytes between the positions whose checksums are stored.
const STEP: usize = 64;

/// The checksums of the prefixes of a file.
pub(crate) struct Checksums {
    /// The checksums of the first `index * STEP` bytes.
    sums: Vec<u32>,
}

impl Checksums {
    /// Reads the file once.
    pub(crate) fn of(bytes: &[u8]) -> Checksums {
        let mut hasher = Hasher::new();
        let mut sums = vec![0];
        for step in bytes.chunks_exact(STEP) {
            hasher.update(step);
            sums.push(hasher.clone().finalize());
        }
        Checksums { sums }
    }

    /// The checksum of the bytes before `end`.
    fn up_to(&self, bytes: &[u8], end: usize) -> u32 {
        let mut hasher = Hasher::new_with_initial(self.sums[end / STEP]);
        hasher.update(&bytes[end / STEP * STEP..end]);
        hasher.finalize()
    }

    /// The checksum of a range of the bytes.
    pub(crate) fn of_range(&self, bytes: &[u8], range: Range<usize>) -> u32 {
        // The checksum of a concatenation is the exclusive or of the second part's checksum and the
        // first part's checksum shifted by the length of the second part.
        let start = self.up_to(bytes, range.start);
        let mut shifted = Hasher::new_with_initial_len(start, range.start as u64);
        shifted.combine(&Hasher::new_with_initial_len(0, range.len() as u64));
        shifted.finalize() ^ self.up_to(bytes, range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_ranges_are_those_of_their_bytes() {
        let bytes: Vec<u8> = (0..1000u32).map(|it| (it * it % 251) as u8).collect();
        let sums = Checksums::of(&bytes);
        for start in [0, 1, 63, 64, 65, 128, 500, 999, 1000] {
            for end in [start, start + 1, start + 64, start + 200, 1000] {
                let range = start..end.min(1000).max(start);
                let expected = crc32fast::hash(&bytes[range.clone()]);
                assert_eq!(sums.of_range(&bytes, range.clone()), expected, "{range:?}");
            }
        }
    }
}
