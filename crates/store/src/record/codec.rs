//! Records as bytes: a checksum of two bytes, a byte of flags, and the parts that the flags name.
//!
//! | part | bytes |
//! |---|---|
//! | result | flags (value 2 bits, proved, has distance, has best move), distance, cell, provenance |
//! | evaluation | score (2), flags (bound 2 bits, see `FIRST_*`, moves 4 bits), depth, nodes, moves, provenance |
//! | tree value | score (2), plies times 2, plus 1 if a best move follows; cell |
//! | games | four numbers |
//! | label, comment | text |
//! | texts | count, then cell and text of each |
//!
//! Numbers have seven bits per byte; cells are numbered row by row and take one byte on boards of at
//! most 256 cells, else two. A provenance is the number of the origin (0 for none) and four bytes
//! of time. An evaluation with the provenance of the result does not repeat it.

use std::collections::BTreeMap;
use std::sync::Arc;

use tengen_rules::{BoardSize, Point, Score};

use super::{
    Bound, Evaluation, Evidence, GameValue, Games, KnownResult, Origin, Provenance, Record,
    ScoredMove, TreeValue,
};
use crate::bytes::{Bytes, push_number, push_text, unzigzag, zigzag};

const RESULT: u8 = 1;
const EVALUATION: u8 = 1 << 1;
const GAMES: u8 = 1 << 2;
const LABEL: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const TEXTS: u8 = 1 << 5;
/// The evaluation has the provenance of the result.
const SAME_PROVENANCE: u8 = 1 << 6;
const TREE: u8 = 1 << 7;

const PROVED: u8 = 1 << 2;
const HAS_DISTANCE: u8 = 1 << 3;
const HAS_BEST: u8 = 1 << 4;

/// The first move of the evaluation is the best move of the result.
const FIRST_IS_BEST: u8 = 1 << 2;
/// The score of the first move is the score of the evaluation.
const FIRST_HAS_SCORE: u8 = 1 << 3;
/// From this number of moves on, the number follows the nodes.
const MANY_MOVES: u8 = 15;

/// The reason why bytes are not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// The checksum does not match key and data.
    Checksum,
    /// A part is cut off or holds an impossible value.
    Content,
    /// The number of an origin that is not in the list.
    Origin(u64),
}

impl std::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DecodeError::Checksum => f.write_str("wrong checksum"),
            DecodeError::Content => f.write_str("invalid content"),
            DecodeError::Origin(number) => write!(f, "unknown origin {number}"),
        }
    }
}

/// Appends a record to `bytes`, which must be empty. Points must lie on the board of this size.
/// `number` returns the number of an origin, from 1.
pub(crate) fn encode(
    record: &Record,
    key: &[u8],
    size: BoardSize,
    bytes: &mut Vec<u8>,
    number: &impl Fn(&Arc<Origin>) -> u64,
) {
    bytes.extend([0, 0, 0]);
    let mut flags = 0;
    if let Some(result) = &record.result {
        flags |= RESULT;
        let value = result.value as u8;
        let proved = if result.evidence == Evidence::Proved { PROVED } else { 0 };
        let has_distance = result.distance.map_or(0, |_| HAS_DISTANCE);
        bytes.push(value | proved | has_distance | result.best.map_or(0, |_| HAS_BEST));
        if let Some(distance) = result.distance {
            push_number(bytes, u64::from(distance));
        }
        if let Some(best) = result.best {
            push_cell(bytes, size, best);
        }
        push_provenance(bytes, &result.provenance, number);
    }
    if let Some(found) = &record.evaluation {
        flags |= EVALUATION;
        push_evaluation(bytes, size, found, record.result.as_ref());
        if record.result.as_ref().is_some_and(|result| result.provenance == found.provenance) {
            flags |= SAME_PROVENANCE;
        } else {
            push_provenance(bytes, &found.provenance, number);
        }
    }
    if let Some(tree) = record.tree {
        flags |= TREE;
        bytes.extend((tree.score.value() as i16).to_le_bytes());
        push_number(bytes, u64::from(tree.plies) << 1 | u64::from(tree.best.is_some()));
        if let Some(best) = tree.best {
            push_cell(bytes, size, best);
        }
    }
    if record.games != Games::default() {
        flags |= GAMES;
        let Games { black_wins, draws, white_wins, unknown } = record.games;
        for count in [black_wins, draws, white_wins, unknown] {
            push_number(bytes, count);
        }
    }
    for (text, flag) in [(&record.label, LABEL), (&record.comment, COMMENT)] {
        if !text.is_empty() {
            flags |= flag;
            push_text(bytes, text);
        }
    }
    if !record.texts.is_empty() {
        flags |= TEXTS;
        push_number(bytes, record.texts.len() as u64);
        for (&point, text) in &record.texts {
            push_cell(bytes, size, point);
            push_text(bytes, text);
        }
    }
    bytes[2] = flags;
    let sum = checksum(key, &bytes[2..]);
    bytes[..2].copy_from_slice(&sum);
}

fn push_evaluation(
    bytes: &mut Vec<u8>,
    size: BoardSize,
    found: &Evaluation,
    result: Option<&KnownResult>,
) {
    bytes.extend((found.score.value() as i16).to_le_bytes());
    let best = result.and_then(|result| result.best);
    let (mut first_is_best, mut first_has_score) = (false, false);
    if let Some(first) = found.moves.first() {
        first_is_best = best == Some(first.point);
        first_has_score = first.score == Some(found.score);
    }
    let count = found.moves.len().min(usize::from(MANY_MOVES)) as u8;
    let is_best = if first_is_best { FIRST_IS_BEST } else { 0 };
    let has_score = if first_has_score { FIRST_HAS_SCORE } else { 0 };
    bytes.push(found.bound as u8 | is_best | has_score | count << 4);
    push_number(bytes, u64::from(found.depth));
    push_number(bytes, found.nodes);
    if count == MANY_MOVES {
        push_number(bytes, found.moves.len() as u64);
    }
    for (index, scored) in found.moves.iter().enumerate() {
        if !(index == 0 && first_is_best) {
            push_cell(bytes, size, scored.point);
        }
        if !(index == 0 && first_has_score) {
            let score = scored.score.map(|score| 1 + zigzag(i64::from(score.value())));
            push_number(bytes, score.unwrap_or(0));
        }
    }
}

/// Reads a record. `origin` returns the origin of a number.
pub(crate) fn decode(
    key: &[u8],
    size: BoardSize,
    data: &[u8],
    origin: &impl Fn(u64) -> Option<Arc<Origin>>,
) -> Result<Record, DecodeError> {
    let Some((sum, content)) = data.split_at_checked(2) else { return Err(DecodeError::Content) };
    if checksum(key, content) != sum {
        return Err(DecodeError::Checksum);
    }
    let mut reader = Reader { bytes: Bytes(content), size, unknown: None };
    match reader.record(origin) {
        _ if reader.unknown.is_some() => Err(DecodeError::Origin(reader.unknown.unwrap_or(0))),
        Some(record) if reader.bytes.0.is_empty() => Ok(record),
        _ => Err(DecodeError::Content),
    }
}

struct Reader<'a> {
    bytes: Bytes<'a>,
    size: BoardSize,
    /// The first unknown origin.
    unknown: Option<u64>,
}

impl Reader<'_> {
    fn record(&mut self, origin: &impl Fn(u64) -> Option<Arc<Origin>>) -> Option<Record> {
        let flags = self.bytes.byte()?;
        let mut record = Record::default();
        if flags & RESULT != 0 {
            record.result = Some(self.result(origin)?);
        }
        if flags & EVALUATION != 0 {
            let result = record.result.as_ref();
            let mut found = self.evaluation(result.and_then(|result| result.best))?;
            found.provenance = if flags & SAME_PROVENANCE != 0 {
                result?.provenance.clone()
            } else {
                self.provenance(origin)?
            };
            record.evaluation = Some(found);
        }
        if flags & TREE != 0 {
            let score = self.score()?;
            let number = self.bytes.number()?;
            let best = if number & 1 == 1 { Some(self.cell()?) } else { None };
            let plies = u16::try_from(number >> 1).ok()?;
            record.tree = Some(TreeValue { plies, score, best });
        }
        if flags & GAMES != 0 {
            record.games = Games {
                black_wins: self.bytes.number()?,
                draws: self.bytes.number()?,
                white_wins: self.bytes.number()?,
                unknown: self.bytes.number()?,
            };
        }
        if flags & LABEL != 0 {
            record.label = self.bytes.text()?.to_string();
        }
        if flags & COMMENT != 0 {
            record.comment = self.bytes.text()?.to_string();
        }
        if flags & TEXTS != 0 {
            let count = self.bytes.number()?;
            let texts = (0..count).map(|_| Some((self.cell()?, self.bytes.text()?.to_string())));
            record.texts = texts.collect::<Option<BTreeMap<_, _>>>()?;
        }
        Some(record)
    }

    fn result(&mut self, origin: &impl Fn(u64) -> Option<Arc<Origin>>) -> Option<KnownResult> {
        let flags = self.bytes.byte()?;
        let value = [GameValue::Loss, GameValue::Draw, GameValue::Win];
        let value = *value.get(usize::from(flags & 3))?;
        let proved = flags & PROVED != 0;
        let distance = match flags & HAS_DISTANCE {
            0 => None,
            _ => Some(u16::try_from(self.bytes.number()?).ok()?),
        };
        let best = if flags & HAS_BEST != 0 { Some(self.cell()?) } else { None };
        let evidence = if proved { Evidence::Proved } else { Evidence::Claimed };
        let provenance = self.provenance(origin)?;
        Some(KnownResult { value, distance, evidence, best, provenance })
    }

    fn evaluation(&mut self, best: Option<Point>) -> Option<Evaluation> {
        let score = self.score()?;
        let flags = self.bytes.byte()?;
        let bound = *[Bound::Upper, Bound::Lower, Bound::Exact].get(usize::from(flags & 3))?;
        let depth = u16::try_from(self.bytes.number()?).ok()?;
        let nodes = self.bytes.number()?;
        let count = match flags >> 4 {
            MANY_MOVES => self.bytes.number()?,
            count => u64::from(count),
        };
        let mut moves = Vec::with_capacity(count.min(64) as usize);
        for index in 0..count {
            let point = if index == 0 && flags & FIRST_IS_BEST != 0 { best? } else { self.cell()? };
            let score = if index == 0 && flags & FIRST_HAS_SCORE != 0 {
                Some(score)
            } else {
                match self.bytes.number()?.checked_sub(1) {
                    None => None,
                    Some(value) => Some(Score::raw(i16::try_from(unzigzag(value)).ok()?.into())),
                }
            };
            moves.push(ScoredMove { point, score });
        }
        let provenance = Provenance::default();
        Some(Evaluation { score, depth, bound, nodes, moves, provenance })
    }

    fn score(&mut self) -> Option<Score> {
        let score = i16::from_le_bytes(self.bytes.take(2)?.try_into().ok()?);
        Some(Score::raw(i32::from(score)))
    }

    fn cell(&mut self) -> Option<Point> {
        let number = if self.size.area() <= 256 {
            usize::from(self.bytes.byte()?)
        } else {
            usize::from(u16::from_le_bytes(self.bytes.take(2)?.try_into().ok()?))
        };
        self.size.numbered(number)
    }

    fn provenance(&mut self, origin: &impl Fn(u64) -> Option<Arc<Origin>>) -> Option<Provenance> {
        let number = self.bytes.number()?;
        let time = u32::from_le_bytes(self.bytes.take(4)?.try_into().ok()?);
        let known = if number == 0 { None } else { origin(number) };
        if number != 0 && known.is_none() {
            self.unknown.get_or_insert(number);
        }
        Some(Provenance { origin: known, time })
    }
}

fn push_cell(bytes: &mut Vec<u8>, size: BoardSize, point: Point) {
    let number = size.number(point);
    if size.area() <= 256 {
        bytes.push(number as u8);
    } else {
        bytes.extend((number as u16).to_le_bytes());
    }
}

fn push_provenance(
    bytes: &mut Vec<u8>,
    provenance: &Provenance,
    number: &impl Fn(&Arc<Origin>) -> u64,
) {
    push_number(bytes, provenance.origin.as_ref().map_or(0, number));
    bytes.extend(provenance.time.to_le_bytes());
}

/// CRC-16/XMODEM of key and content. Detects every change of up to 16 consecutive bits.
fn checksum(key: &[u8], content: &[u8]) -> [u8; 2] {
    const TABLE: [u16; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut rest = (byte as u16) << 8;
            let mut bit = 0;
            while bit < 8 {
                rest = (rest << 1) ^ ((rest >> 15) * 0x1021);
                bit += 1;
            }
            table[byte] = rest;
            byte += 1;
        }
        table
    };
    let step = |sum: u16, &byte: &u8| sum << 8 ^ TABLE[usize::from((sum >> 8) as u8 ^ byte)];
    key.iter().chain(content).fold(0, step).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{origins, point, provenance, records, size};
    use super::*;

    const KEY: &[u8] = b"any key";

    fn encoded(record: &Record, size: BoardSize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let number = |origin: &Arc<Origin>| {
            origins().iter().position(|known| known == origin).unwrap() as u64 + 1
        };
        encode(record, KEY, size, &mut bytes, &number);
        bytes
    }

    fn decoded(bytes: &[u8], size: BoardSize) -> Result<Record, DecodeError> {
        decode(KEY, size, bytes, &|number| origins().get(number as usize - 1).cloned())
    }

    fn full_record() -> Record {
        let by = provenance("search", 1_790_000_000);
        let best = ScoredMove { point: point(8, 14), score: Some(Score::raw(-512)) };
        Record {
            result: Some(KnownResult {
                value: GameValue::Loss,
                distance: Some(24),
                evidence: Evidence::Proved,
                best: Some(best.point),
                provenance: by.clone(),
            }),
            evaluation: Some(Evaluation {
                score: Score::raw(-512),
                depth: 24,
                bound: Bound::Exact,
                nodes: 1_500_000,
                moves: vec![best],
                provenance: by,
            }),
            ..Record::default()
        }
    }

    #[test]
    fn a_common_record_takes_eighteen_bytes() {
        let record = full_record();
        let bytes = encoded(&record, size());
        assert_eq!(bytes.len(), 18);
        assert_eq!(decoded(&bytes, size()), Ok(record));
        assert_eq!(encoded(&Record::default(), size()).len(), 3);
        assert_eq!(checksum(b"1234", b"56789"), [0x31, 0xc3], "the published check value");
    }

    #[test]
    fn large_boards_take_two_bytes_per_cell() {
        let large = BoardSize::square(36).unwrap();
        let mut record = full_record();
        record.evaluation.as_mut().unwrap().moves =
            (0..36).map(|x| ScoredMove { point: Point::new(x, 35), score: None }).collect();
        assert_eq!(decoded(&encoded(&record, large), large), Ok(record));
    }

    #[test]
    fn changed_and_cut_bytes_are_rejected() {
        let bytes = encoded(&full_record(), size());
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decoded(&changed, size()), Err(DecodeError::Checksum), "bit {bit}");
        }
        // A cut record with a checksum of its own.
        for length in 2..bytes.len() {
            let cut = [&checksum(KEY, &bytes[2..length]), &bytes[2..length]].concat();
            assert_eq!(decoded(&cut, size()), Err(DecodeError::Content), "{length} bytes");
        }
        assert_eq!(decoded(&[], size()), Err(DecodeError::Content));
        assert_eq!(
            decode(b"other", size(), &bytes, &|_| None),
            Err(DecodeError::Checksum),
            "the checksum covers the key"
        );
        assert_eq!(decode(KEY, size(), &bytes, &|_| None), Err(DecodeError::Origin(2)));
    }

    proptest! {
        #[test]
        fn records_round_trip(record in records()) {
            prop_assert_eq!(decoded(&encoded(&record, size()), size()), Ok(record));
        }

        #[test]
        fn random_bytes_never_panic(content in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = decoded(&[&checksum(KEY, &content), &content[..]].concat(), size());
        }
    }
}
