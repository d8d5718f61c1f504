//! Writes databases of Yixin-Board and Rapfi.

use tengen_rules::board::Board;
use tengen_rules::types::{Color, Notation, Point, Rule, Score, Symmetry};
use tengen_store::{Bound, GameValue, Games, KnownResult, Record};

use super::{BOARD_TEXTS, CHARSET};
use crate::database::notes;

/// Largest board of Rapfi.
const MAX_SIDE: u8 = 22;
/// Label of a position without a result.
const NO_LABEL: u8 = 0xff;
/// Column and row of a pass.
const PASS: [u8; 2] = [0xff, 0xff];
/// Bytes of label, value, depth and bound.
const VALUE_BYTES: usize = 5;

/// Collects records of positions.
#[derive(Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    records: u32,
    /// Positions that the format cannot hold: another rule, a large board, cells out of play, or
    /// stones that alternating moves with at most one pass cannot produce.
    pub skipped: u64,
    /// Texts that were shortened.
    pub shortened: u64,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer::new()
    }
}

impl Writer {
    /// A file without positions.
    pub fn new() -> Writer {
        let mut writer = Writer { bytes: vec![0; 4], records: 0, skipped: 0, shortened: 0 };
        // The first record has no board: it names the encoding of texts.
        writer.record(&[0; 3], &[&[0; VALUE_BYTES], CHARSET].concat());
        writer
    }

    /// Adds a position. Results are claims in this format; counts of games and the moves of
    /// evaluations are lost.
    pub fn add(&mut self, board: &Board, record: &Record) {
        let Some((key, symmetry)) = key(board) else {
            self.skipped += 1;
            return;
        };
        let record = record.clone().turned(board.size(), symmetry);
        let mut text = text(&record, board);
        let most = usize::from(u16::MAX) - VALUE_BYTES;
        if text.len() > most {
            text.truncate(text.floor_char_boundary(most));
            self.shortened += 1;
        }
        let mut data = values(&record).to_vec();
        data.extend(text.as_bytes());
        self.record(&key, &data);
    }

    /// The bytes of the file.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes[..4].copy_from_slice(&self.records.to_le_bytes());
        self.bytes
    }

    /// Adds a record: both parts with their lengths.
    fn record(&mut self, key: &[u8], data: &[u8]) {
        for block in [key, data] {
            self.bytes.extend((block.len() as u16).to_le_bytes());
            self.bytes.extend_from_slice(block);
        }
        self.records += 1;
    }
}

/// The key of the smallest image of a board, and the symmetry that gives this image.
fn key(board: &Board) -> Option<(Vec<u8>, Symmetry)> {
    let rule = match board.rule() {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 2,
        _ => return None,
    };
    let size = board.size();
    let count = |color| board.history().iter().filter(|stone| stone.color == color).count();
    let (black, white) = (count(Color::Black), count(Color::White));
    if size.width().max(size.height()) > MAX_SIDE || board.walls().next().is_some() {
        return None;
    }
    // The number of Black's stones without a pass.
    let usual = white + usize::from(board.side_to_move() == Color::White);
    let pass = match () {
        () if black == usual => None,
        () if black == usual + 1 => Some(Color::White),
        () if black + 1 == usual => Some(Color::Black),
        () => return None,
    };
    let image = |symmetry: Symmetry| {
        let mut bytes = Vec::with_capacity(3 + 2 * board.history().len());
        for color in Color::ALL {
            let stones = board.history().iter().filter(|stone| stone.color == color);
            let mut cells: Vec<[u8; 2]> = stones
                .map(|stone| symmetry.point(size, stone.point))
                .map(|point| [point.x(), point.y()])
                .collect();
            cells.sort_unstable();
            bytes.extend(cells.into_iter().flatten());
            if pass == Some(color) {
                bytes.extend(PASS);
            }
        }
        bytes
    };
    let images = Symmetry::of_size(size).iter().map(|&symmetry| (image(symmetry), symmetry));
    let (stones, symmetry) = images.min_by(|a, b| a.0.cmp(&b.0))?;
    let turned = symmetry.size(size);
    Some(([&[rule, turned.width(), turned.height()], &stones[..]].concat(), symmetry))
}

/// Label, value, depth and bound.
fn values(record: &Record) -> [u8; VALUE_BYTES] {
    let label = match record.result.as_ref().map(|result| result.value) {
        Some(GameValue::Loss) => b'w',
        Some(GameValue::Win) => b'l',
        Some(GameValue::Draw) => b'd',
        None => mark(record).unwrap_or(NO_LABEL),
    };
    let has_length = |result: &&KnownResult| result.distance.is_some();
    let forced = record.result.as_ref().filter(has_length).map(KnownResult::score);
    let found = record.evaluation.as_ref();
    let score = forced.or(found.map(|found| found.score)).or(record.tree.map(|tree| tree.score));
    let bound = match (forced, found.map(|found| found.bound)) {
        (None, Some(Bound::Upper)) => 1,
        (None, Some(Bound::Lower)) => 2,
        _ => {
            if score.is_some() {
                3
            } else {
                0
            }
        }
    };
    // The depth has 13 bits.
    let depth = found.map_or(0, |found| found.depth.min(0x1fff)) as i16;
    let [low, high] = (score.map_or(0, Score::value) as i16).to_le_bytes();
    let [depth_low, depth_high] = (depth << 2 | bound).to_le_bytes();
    [label, low, high, depth_low, depth_high]
}

/// The label as the byte of a record, unless the byte holds the result or would be read as one.
fn mark(record: &Record) -> Option<u8> {
    let &[mark] = record.label.as_bytes() else { return None };
    let is_result = record.result.is_some() || b"wld".contains(&mark.to_ascii_lowercase());
    (mark.is_ascii_graphic() && !is_result).then_some(mark)
}

/// Texts on cells and comment. A label that is not a [`mark`] becomes a line of the comment.
fn text(record: &Record, board: &Board) -> String {
    let mut lines = Record { comment: record.comment.clone(), ..Record::default() };
    if mark(record).is_none() {
        lines.label.clone_from(&record.label);
    }
    debug_assert_eq!(lines.games, Games::default());
    let notation = Notation::new(board.size());
    let comment = notes::with_lines(&lines, board.side_to_move(), notation);
    if record.texts.is_empty() {
        return comment;
    }
    let cells: Vec<String> = record.texts.iter().map(|(&point, text)| cell(point, text)).collect();
    let mut all = format!("{BOARD_TEXTS}{}", cells.join("\n"));
    if !comment.is_empty() {
        all.push('\u{8}');
        all.push_str(&comment);
    }
    all
}

fn cell(point: Point, text: &str) -> String {
    let digit = |number: u8| {
        let digit = char::from_digit(u32::from(number), 36).expect("a side of at most 22");
        digit.to_ascii_uppercase()
    };
    // Line ends and backspaces separate texts.
    let text = text.replace(|it: char| it.is_control(), " ");
    format!("{}{}{text}", digit(point.x()), digit(point.y()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::{board_of, with_result};
    use crate::database::yixin::Records;
    use tengen_rules::types::BoardSize;
    use tengen_store::{Evaluation, Evidence, Provenance};

    fn claimed(value: GameValue, distance: Option<u16>) -> Record {
        with_result(value, Evidence::Claimed, distance)
    }

    fn evaluated(score: i32, bound: Bound) -> Record {
        let evaluation = Evaluation {
            score: Score::raw(score),
            depth: 12,
            bound,
            nodes: 0,
            moves: Vec::new(),
            provenance: Provenance::default(),
        };
        Record { evaluation: Some(evaluation), ..Record::default() }
    }

    /// Writes the position and reads it again, turned back to the board.
    fn round_trip(start: &Board, record: &Record) -> Record {
        let mut writer = Writer::new();
        writer.add(start, record);
        assert_eq!((writer.skipped, writer.shortened), (0, 0));
        let bytes = writer.finish();
        let provenance = Provenance::default();
        let mut records = Records::new(&bytes, &provenance);
        let (board, found) = records.next().unwrap().unwrap();
        assert!(records.next().is_none());
        let turned = |it: &Symmetry| start.turned(*it).key() == board.key();
        let symmetry = *Symmetry::of_size(board.size()).iter().find(|it| turned(it)).unwrap();
        found.turned(board.size(), symmetry.inverse())
    }

    #[test]
    fn values_and_texts_round_trip() {
        let start = board_of(Rule::Renju, &[(7, 7), (9, 3), (2, 11)]);
        let texts = [(Point::new(1, 2), "A".to_string()), (Point::new(14, 0), "b 2".to_string())];
        let record = Record {
            label: "main line".to_string(),
            comment: "first\nsecond \"quoted\"".to_string(),
            texts: texts.into(),
            ..evaluated(-120, Bound::Lower)
        };
        for symmetry in Symmetry::ALL {
            let (turned, size) = (start.turned(symmetry), start.size());
            let record = record.clone().turned(size, symmetry);
            assert_eq!(round_trip(&turned, &record), record, "{symmetry:?}");
        }
        for label in ["!", "x", "", "w", "L", "D", "\u{e9}", " "] {
            for record in [evaluated(7, Bound::Exact), claimed(GameValue::Draw, None)] {
                let record = Record { label: label.to_string(), ..record };
                assert_eq!(round_trip(&start, &record), record, "{label:?}");
            }
        }
        for value in GameValue::ALL {
            let record = claimed(value, None);
            assert_eq!(round_trip(&start, &record), record);
        }
        let found = round_trip(&start, &claimed(GameValue::Loss, Some(8)));
        assert_eq!(found.result, claimed(GameValue::Loss, Some(8)).result);
        assert_eq!(found.evaluation.unwrap().score, Score::loss_in(8));
    }

    #[test]
    fn images_and_passes_have_one_key() {
        let start = board_of(Rule::Freestyle, &[(7, 7), (9, 3), (2, 11), (3, 3)]);
        for side in Color::ALL {
            let mut start = start.clone();
            start.set_side(side);
            let keys: Vec<Vec<u8>> =
                Symmetry::ALL.iter().map(|&it| key(&start.turned(it)).unwrap().0).collect();
            assert!(keys.iter().all(|it| *it == keys[0]));
            assert_eq!(keys[0].len(), 3 + 2 * 4 + if side == Color::White { 2 } else { 0 });
            assert_eq!(round_trip(&start, &Record::default()), Record::default());
        }
    }

    #[test]
    fn a_pass_of_either_side_round_trips() {
        type Cells = &'static [(u8, u8)];
        let black: Cells = &[(7, 7), (8, 8)];
        // Black's and White's stones, the side to move, and the side that passed.
        let cases: [(Cells, Cells, Color, Color); 4] = [
            (black, &[], Color::White, Color::White),
            (black, &[(9, 3)], Color::Black, Color::White),
            (black, &[(9, 3), (2, 11)], Color::White, Color::Black),
            (&[], &[(9, 3)], Color::Black, Color::Black),
        ];
        for (black, white, side, passed) in cases {
            let mut start = board_of(Rule::Renju, &[]);
            for (color, stones) in [(Color::Black, black), (Color::White, white)] {
                for &(x, y) in stones {
                    start.place(Point::new(x, y), color).unwrap();
                }
            }
            start.set_side(side);
            let (key, _) = key(&start).unwrap();
            let end = if passed == Color::Black { 3 + 2 * black.len() + 2 } else { key.len() };
            assert_eq!(key[end - 2..end], PASS, "{key:?}");
            assert_eq!(round_trip(&start, &Record::default()), Record::default(), "{key:?}");
        }
    }

    #[test]
    fn other_positions_are_skipped() {
        let mut writer = Writer::new();
        let mut wall = board_of(Rule::Renju, &[(7, 7)]);
        wall.wall(Point::new(0, 0)).unwrap();
        let mut uneven = board_of(Rule::Renju, &[(7, 7)]);
        for x in [0, 1] {
            uneven.place(Point::new(x, 0), Color::Black).unwrap();
        }
        let large = Board::new(BoardSize::square(23).unwrap(), Rule::Renju);
        for board in [wall, uneven, large, board_of(Rule::Caro, &[])] {
            writer.add(&board, &Record::default());
        }
        assert_eq!(writer.skipped, 4);
        let long = Record { comment: "x".repeat(65_000), ..Record::default() };
        writer.add(&board_of(Rule::Renju, &[]), &long);
        let longer = Record { comment: "\u{e9}".repeat(32_768), ..Record::default() };
        writer.add(&board_of(Rule::Renju, &[]), &longer);
        assert_eq!(writer.shortened, 1);
    }
}
