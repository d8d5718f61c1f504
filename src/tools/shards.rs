//! Numbered pieces of work, each of which depends on nothing but its number.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

/// Pieces computed between two writes.
const CHUNK: u64 = 64;

/// Bytes of one piece's transposition table.
pub(super) const HASH: u64 = 4 << 20;

/// Start of the random numbers of a piece.
pub(super) fn seed(base: u64, number: u64) -> u64 {
    base.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number
}

/// Makes the text of every number, on all cores, and writes the texts in order.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn write(
    numbers: Range<u64>,
    out: &mut impl Write,
    text: impl Fn(u64) -> String + Sync,
) -> io::Result<()> {
    let mut next = numbers.start;
    while next < numbers.end {
        let stop = numbers.end.min(next + CHUNK);
        let texts: Vec<String> = (next..stop).into_par_iter().map(&text).collect();
        for text in texts {
            out.write_all(text.as_bytes())?;
        }
        out.flush()?;
        next = stop;
    }
    Ok(())
}
