//! The write-ahead log of an SQLite database: pages that were committed but not yet copied into
//! the file. The format is described on sqlite.org/fileformat2.html, section 4.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// First number of a log; its last bit is set if the checksums use big-endian words.
const MAGIC: u32 = 0x377f_0682;

/// The offset of the newest committed image of each page in the log. Empty without a valid log.
pub(super) fn committed_pages(path: &Path, page_size: usize) -> io::Result<HashMap<u32, u64>> {
    let mut pages = HashMap::new();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(pages),
        Err(error) => return Err(error),
    };
    let mut file = BufReader::new(file);
    let mut header = [0; HEADER];
    if file.read_exact(&mut header).is_err() || number(&header, 8) as usize != page_size {
        return Ok(pages);
    }
    let magic = number(&header, 0);
    let big_endian = magic & 1 == 1;
    let mut sum = add_checksum((0, 0), &header[..24], big_endian);
    if magic & !1 != MAGIC || sum != (number(&header, 24), number(&header, 28)) {
        return Ok(pages);
    }
    let mut uncommitted = Vec::new();
    let mut frame = vec![0; FRAME_HEADER + page_size];
    let mut offset = HEADER as u64;
    // A frame with another salt or a wrong checksum belongs to an older log.
    while file.read_exact(&mut frame).is_ok() && frame[8..16] == header[16..24] {
        sum = add_checksum(sum, &frame[..8], big_endian);
        sum = add_checksum(sum, &frame[FRAME_HEADER..], big_endian);
        if sum != (number(&frame, 16), number(&frame, 20)) {
            break;
        }
        uncommitted.push((number(&frame, 0), offset + FRAME_HEADER as u64));
        let ends_transaction = number(&frame, 4) != 0;
        if ends_transaction {
            pages.extend(uncommitted.drain(..));
        }
        offset += frame.len() as u64;
    }
    Ok(pages)
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn add_checksum((mut first, mut second): (u32, u32), bytes: &[u8], big: bool) -> (u32, u32) {
    for pair in bytes.chunks_exact(8) {
        let word = |at: usize| {
            let word = number(pair, at);
            if big { word } else { word.swap_bytes() }
        };
        first = first.wrapping_add(word(0)).wrapping_add(second);
        second = second.wrapping_add(word(4)).wrapping_add(first);
    }
    (first, second)
}
