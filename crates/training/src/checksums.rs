//! CRC-32 of any range of a file, each in the same short time.

use std::ops::Range;

use crc32fast::Hasher;

/// Bytes between two positions whose sums are kept.
const STEP: usize = 64;

/// The sums of the beginnings of a file.
pub(crate) struct Checksums {
    /// The sum of the first `index * STEP` bytes.
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

    /// The sum of the bytes up to `end`.
    fn up_to(&self, bytes: &[u8], end: usize) -> u32 {
        let mut hasher = Hasher::new_with_initial(self.sums[end / STEP]);
        hasher.update(&bytes[end / STEP * STEP..end]);
        hasher.finalize()
    }

    /// The sum of a range of the bytes.
    pub(crate) fn of_range(&self, bytes: &[u8], range: Range<usize>) -> u32 {
        // The sum of two texts is that of the first, shifted by the length of the second, combined by
        // exclusive or with that of the second.
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
