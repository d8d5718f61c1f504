//! Databases of Yixin-Board and Rapfi, `.db`.
//!
//! The number of records in four bytes, then the records. All numbers are little-endian. The file
//! may be compressed as an LZ4 frame. A record consists of the length of its key in two bytes, the
//! key, the length of its data in two bytes, and the data.
//!
//! - Key: rule (0 freestyle, 1 standard, 2 renju), columns, rows, then column and row of each
//!   stone in a byte each: the first half, rounded up, is black. -1, -1 is a pass.
//! - Data: a label, a value in two bytes, depth times 4 plus the bound in two bytes (1 upper, 2
//!   lower, 3 exact), a text. Labels `w` and `l` are a win and a loss of the side that has just
//!   moved, values are for the side to move; wins in n plies are 30000 - n.
//! - Text: `@BTXT@` and texts on cells, one per line, each after the cell as two hexadecimal digits;
//!   then a backspace and the comment. A backspace in the comment ends a line. Files without
//!   `charset="UTF-8"` in the first record have other encodings.
//!
//! Keys may be mirrored, since the cells of texts are mirrored with the stones.

mod write;

use std::borrow::Cow;
use std::io::Read;

use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Color, ParseMoveError, Rule, Score};
use tengen_store::{Bound, Evaluation, Evidence, GameValue, KnownResult, Provenance, Record};

use super::notes;
pub use write::Writer;

/// First bytes of an LZ4 frame.
const LZ4: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];
/// Maximum size after decompression, so that a small file cannot fill the memory.
const MAX_BYTES: u64 = 8 << 30;
const BOARD_TEXTS: &str = "@BTXT@";
const CHARSET: &[u8] = b"charset=\"UTF-8\"";
/// Minimum value of a win; databases without distances use this value.
const FIRST_WIN: i16 = 29_500;
const NO_VALUE: i16 = -30_002;

/// The reason why a file or a record cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YixinError {
    /// The offset in the decompressed file.
    pub byte: usize,
    /// The problem.
    pub reason: String,
}

impl std::fmt::Display for YixinError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "byte {}: {}", self.byte, self.reason)
    }
}

impl std::error::Error for YixinError {}

/// The decompressed bytes of a file.
///
/// # Errors
/// When an LZ4 frame is damaged.
pub fn unpacked(bytes: &[u8]) -> std::io::Result<Cow<'_, [u8]>> {
    if !bytes.starts_with(&LZ4) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut unpacked = Vec::new();
    lz4_flex::frame::FrameDecoder::new(bytes).take(MAX_BYTES).read_to_end(&mut unpacked)?;
    Ok(Cow::Owned(unpacked))
}

/// Number of records to examine to recognise a database. The first ones may be bad.
const EXAMINED: u32 = 100;

/// Whether decompressed bytes look like a database: one of the first records is a position, or names
/// the encoding of a database that may be empty.
pub fn is_database(bytes: &[u8]) -> bool {
    let provenance = Provenance::default();
    let mut records = Records::new(bytes, &provenance);
    records.count = records.count.min(EXAMINED);
    records.any(|record| record.is_ok()) || records.is_utf8
}

/// A position with its record, or the reason why the record is not a position.
pub type YixinRecord = Result<(Board, Record), YixinError>;

/// The positions of a database. An error in the file's structure ends the iteration; after a record
/// that is not a position it continues.
pub struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The number of records that the file states.
    count: u32,
    read: u32,
    is_utf8: bool,
    provenance: &'a Provenance,
}

impl<'a> Records<'a> {
    /// The records of decompressed bytes. Results and evaluations get this provenance.
    pub fn new(bytes: &'a [u8], provenance: &'a Provenance) -> Records<'a> {
        let count = bytes.get(..4).and_then(|it| Some(u32::from_le_bytes(it.try_into().ok()?)));
        let (at, count) = (4, count.unwrap_or(0));
        Records { bytes, at, count, read: 0, is_utf8: false, provenance }
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], YixinError> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..length));
        let taken = taken.ok_or_else(|| {
            let reason = format!("the file ends inside record {} of {}", self.read, self.count);
            YixinError { byte: self.bytes.len(), reason }
        })?;
        self.at += length;
        Ok(taken)
    }

    fn block(&mut self) -> Result<&'a [u8], YixinError> {
        let length = self.take(2)?;
        self.take(usize::from(u16::from_le_bytes([length[0], length[1]])))
    }

    /// The next record; `None` for a record without a position.
    fn record(&mut self) -> Result<Option<YixinRecord>, YixinError> {
        self.read += 1;
        let begin = self.at;
        let key = self.block()?;
        if key.is_empty() {
            return Ok(None);
        }
        let data = self.block()?;
        if let &[_, 0, 0] = key {
            self.is_utf8 |= data.get(5..).is_some_and(|text| text.starts_with(CHARSET));
            return Ok(None);
        }
        let board = board(key).map_err(|reason| YixinError { byte: begin, reason });
        Ok(Some(board.map(|board| {
            let record = self.content(data, board.size());
            (board, record)
        })))
    }

    fn content(&self, data: &[u8], size: BoardSize) -> Record {
        let mut record = Record::default();
        let number = |at: usize| match data.get(at..at + 2) {
            Some(&[low, high]) => i16::from_le_bytes([low, high]),
            _ => 0,
        };
        let label = data.first().copied().unwrap_or(0);
        let (value, depth_bound) = (number(1), number(3));
        let result = match label.to_ascii_lowercase() {
            b'w' => Some(GameValue::Loss),
            b'l' => Some(GameValue::Win),
            b'd' => Some(GameValue::Draw),
            0 | 0xff => None,
            other if other.is_ascii_graphic() => {
                record.label = char::from(other).to_string();
                None
            }
            _ => None,
        };
        record.result = result.map(|result| KnownResult {
            value: result,
            distance: distance(result, value),
            evidence: Evidence::Claimed,
            best: None,
            provenance: self.provenance.clone(),
        });
        let bound = match depth_bound & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        };
        let is_score = value != NO_VALUE && (-30_000..=30_000).contains(&value);
        if let Some(bound) = bound.filter(|_| is_score) {
            record.evaluation = Some(Evaluation {
                score: Score::raw(value.into()),
                depth: u16::try_from(depth_bound >> 2).unwrap_or(0),
                bound,
                nodes: 0,
                moves: Vec::new(),
                provenance: self.provenance.clone(),
            });
        }
        let text = data.get(5..).unwrap_or_default();
        add_text(&mut record, &self.decoded(text), size);
        // This program writes long labels as lines of the comment.
        let notes = notes::read(&record.comment, size, self.provenance);
        if !notes.label.is_empty() {
            record.label = notes.label;
            record.comment = notes.comment;
        }
        record
    }

    fn decoded(&self, bytes: &[u8]) -> String {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.to_string(),
            Err(_) if self.is_utf8 => String::from_utf8_lossy(bytes).into_owned(),
            // Yixin-Board is mostly used on Chinese systems.
            Err(_) => encoding_rs::GBK.decode_without_bom_handling(bytes).0.into_owned(),
        }
    }
}

impl Iterator for Records<'_> {
    type Item = YixinRecord;

    fn next(&mut self) -> Option<YixinRecord> {
        while self.read < self.count {
            match self.record() {
                Ok(Some(record)) => return Some(record),
                Ok(None) => {}
                Err(error) => {
                    self.read = self.count;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// Plies to the end, if the value contains them.
fn distance(result: GameValue, value: i16) -> Option<u16> {
    let plies = match result {
        GameValue::Win if value > FIRST_WIN => 30_000 - value,
        GameValue::Loss if value < -FIRST_WIN => 30_000 + value,
        _ => return None,
    };
    u16::try_from(plies).ok()
}

fn board(key: &[u8]) -> Result<Board, String> {
    let &[rule, width, height, ref stones @ ..] = key else {
        return Err(format!("a key of {} bytes (expected 3 or more)", key.len()));
    };
    let rule = match rule {
        0 => Rule::Freestyle,
        1 => Rule::Standard,
        2 => Rule::Renju,
        _ => return Err(format!("rule {rule} (expected 0, 1 or 2)")),
    };
    let size = BoardSize::new(width.into(), height.into()).map_err(|error| error.to_string())?;
    let mut board = Board::new(size, rule);
    let count = stones.len() / 2;
    let black = count.div_ceil(2);
    for (index, cell) in stones.chunks_exact(2).enumerate() {
        if cell == [0xff, 0xff] {
            continue;
        }
        let color = if index < black { Color::Black } else { Color::White };
        let (x, y) = (i64::from(cell[0]), i64::from(cell[1]));
        let outside = || ParseMoveError::outside(&format!("{x},{y}"), size).to_string();
        let point = size.point(x, y).ok_or_else(outside)?;
        board.place(point, color).map_err(|_| format!("{x},{y} has two stones"))?;
    }
    board.set_side(Color::after_moves(count));
    Ok(board)
}

/// Reads texts on cells and the comment from the text of a record.
fn add_text(record: &mut Record, text: &str, size: BoardSize) {
    let text = text.trim_end_matches('\0');
    let Some(rest) = text.strip_prefix(BOARD_TEXTS) else {
        record.comment = text.replace('\u{8}', "\n");
        return;
    };
    let (cells, comment) = rest.split_once('\u{8}').unwrap_or((rest, ""));
    record.comment = comment.replace('\u{8}', "\n");
    for line in cells.split('\n') {
        let mut symbols = line.chars();
        // Boards have up to 32 columns, so the digits continue after F.
        let mut digit = || symbols.next()?.to_digit(36).map(i64::from);
        let Some((x, y)) = digit().zip(digit()) else { continue };
        // Early versions of Rapfi end each text with a zero.
        let text = symbols.as_str().trim_end_matches('\0');
        if let Some(point) = size.point(x, y).filter(|_| !text.is_empty()) {
            record.texts.insert(point, text.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Point;

    fn block(bytes: &[u8]) -> Vec<u8> {
        [&(bytes.len() as u16).to_le_bytes()[..], bytes].concat()
    }

    fn data(label: u8, value: i16, depth: i16, bound: i16, text: &[u8]) -> Vec<u8> {
        let numbers = [value.to_le_bytes(), (depth << 2 | bound).to_le_bytes()].concat();
        [&[label][..], &numbers, text].concat()
    }

    fn file(records: &[(&[u8], Vec<u8>)]) -> Vec<u8> {
        let mut bytes = (records.len() as u32).to_le_bytes().to_vec();
        for (key, data) in records {
            bytes.extend([block(key), block(data)].concat());
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Vec<Result<(Board, Record), YixinError>> {
        Records::new(bytes, &Provenance::default()).collect()
    }

    const HEAD: (&[u8], &[u8]) = (&[0, 0, 0], b"\0\0\0\0\0charset=\"UTF-8\"");

    #[test]
    fn records_are_positions_with_values_and_texts() {
        let key = [2, 15, 15, 7, 7, 3, 4, 8, 8];
        let text = "@BTXT@78one\n89\u{8}first\u{8}second";
        let bytes = file(&[
            (HEAD.0, HEAD.1.to_vec()),
            (&key, data(b'w', -29_990, 12, 3, text.as_bytes())),
            (&key[..5], data(0xff, 150, 9, 2, b"")),
            (&key[..3], Vec::new()),
            (&[0, 15, 15, 7, 7, 0xff, 0xff], data(b'!', NO_VALUE, 0, 0, b"")),
        ]);
        assert!(is_database(&bytes));
        let records: Vec<(Board, Record)> = read(&bytes).into_iter().map(Result::unwrap).collect();
        let [(first, lost), (second, scored), (empty, nothing), (passed, forced)] = &records[..]
        else {
            panic!("{records:?}")
        };
        assert_eq!((first.rule(), first.history().len()), (Rule::Renju, 3));
        assert_eq!(first.side_to_move(), Color::White);
        // Black has just moved and wins, so White, who is to move, loses.
        let result = lost.result.as_ref().unwrap();
        assert_eq!((result.value, result.distance), (GameValue::Loss, Some(10)));
        assert_eq!(result.evidence, Evidence::Claimed);
        assert_eq!(lost.comment, "first\nsecond");
        assert_eq!(
            lost.texts.iter().collect::<Vec<_>>(),
            [(&Point::new(7, 8), &"one".to_string())]
        );
        assert_eq!(second.history().len(), 1);
        let found = scored.evaluation.as_ref().unwrap();
        assert_eq!((found.score.value(), found.depth, found.bound), (150, 9, Bound::Lower));
        assert_eq!((empty.history().len(), nothing), (0, &Record::default()));
        assert_eq!((passed.history().len(), passed.side_to_move()), (1, Color::Black));
        assert_eq!((forced.label.as_str(), &forced.evaluation), ("!", &None));
    }

    #[test]
    fn compressed_files_are_decompressed() {
        use std::io::Write;
        let plain = file(&[(&[0, 15, 15, 7, 7], data(b'd', 0, 0, 0, b"even"))]);
        let mut packer = lz4_flex::frame::FrameEncoder::new(Vec::new());
        packer.write_all(&plain).unwrap();
        let packed = packer.finish().unwrap();
        assert!(packed.starts_with(&LZ4));
        assert_eq!(*unpacked(&packed).unwrap(), plain);
        assert_eq!(*unpacked(&plain).unwrap(), plain);
        assert!(unpacked(&packed[..packed.len() / 2]).is_err());
    }

    #[test]
    fn zeros_after_texts_are_dropped() {
        let text = b"@BTXT@00A\0\n12\0\n11B\0\x08good\0";
        let bytes = file(&[(&[0, 15, 15, 7, 7], data(0, 0, 0, 0, text))]);
        let (_, record) = read(&bytes).remove(0).unwrap();
        let texts = [(0, "A"), (1, "B")].map(|(at, text)| (Point::new(at, at), text.to_string()));
        assert_eq!((record.texts, record.comment.as_str()), (texts.into(), "good"));
    }

    #[test]
    fn databases_are_recognised_without_a_good_first_position() {
        let head = (HEAD.0, HEAD.1.to_vec());
        let bad = (&[5, 15, 15, 7, 7][..], data(0, 0, 0, 0, b""));
        let good = (&[0, 15, 15, 7, 7][..], data(0, 0, 0, 0, b""));
        assert!(is_database(&file(std::slice::from_ref(&head))));
        assert!(is_database(&file(&[head, bad.clone()])));
        assert!(is_database(&file(&[bad.clone(), good])));
        assert!(!is_database(&file(&[bad])));
    }

    #[test]
    fn texts_that_are_not_utf8_are_decoded_as_gbk() {
        let bytes = file(&[(&[0, 15, 15, 7, 7], data(0, 0, 0, 0, b"\xc6\xe5"))]);
        assert_eq!(read(&bytes)[0].as_ref().unwrap().1.comment, "\u{68cb}");
    }

    #[test]
    fn bad_records_and_short_files_are_reported() {
        let good = (&[0, 15, 15, 7, 7][..], data(0, 0, 0, 0, b""));
        let bytes = file(&[
            (&[9, 15, 15], Vec::new()),
            (&[0, 15, 15, 20, 20], Vec::new()),
            (&[0, 15, 15, 7, 7, 7, 7], Vec::new()),
            (good.0, good.1.clone()),
        ]);
        let read_back = read(&bytes);
        let reasons: Vec<String> =
            read_back.iter().filter_map(|it| Some(it.as_ref().err()?.to_string())).collect();
        assert_eq!(
            reasons,
            [
                "byte 4: rule 9 (expected 0, 1 or 2)",
                "byte 11: 20,20 lies outside the 15x15 board (expected 0,0 to 14,14)",
                "byte 20: 7,7 has two stones",
            ]
        );
        assert!(read_back[3].is_ok());
        let cut = read(&bytes[..bytes.len() - 3]);
        let error = cut.last().unwrap().as_ref().unwrap_err().to_string();
        assert!(error.ends_with("the file ends inside record 4 of 4"), "{error}");
        assert!(!is_database(b"hello, this is not a database"));
        assert!(!is_database(b""));
    }
}
