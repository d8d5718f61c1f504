//! Files of proved positions: one winning move for each, in about 40 bits.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TGWINS3` and a line end |
//! | 1 | number of the rule in the protocol |
//! | 1 | rows and columns of the board, at most 16 |
//! | 4 | number of positions, `n` |
//! | 4 × 256 | for each byte: the number of positions whose key begins with a smaller one |
//! | (`n` + 131072) / 8, rounded up | for each number of 17 bits: a bit 1 for each position whose key begins with it, then a bit 0; the lowest bit of a byte is the first |
//! | 38 × `n` / 8, rounded up | for each position, sorted by key: the other 30 bits of the key and the cell of the move (8 bits), without gaps, lowest bits first |
//! | 8 | checksum of the bytes before |
//!
//! All numbers are little-endian; a key begins with its highest bit. Cells are those of opening
//! books, see [`crate::book`], and keys are bits 8 to 54 of theirs. Another position has the
//! key of one of 130,000 with a probability of one in a billion; the writer makes sure that none has
//! it which can occur when the winner plays the moves of the book, see [`super::moves`].

use std::fmt;
use std::ops::Range;

use crate::book::{canonical, fnv};
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Point, Rule, Symmetry};

const MAGIC: &[u8; 8] = b"TGWINS3\n";
const RULE_AT: usize = MAGIC.len();
const SIDE_AT: usize = RULE_AT + 1;
const COUNT_AT: usize = SIDE_AT + 1;
const STARTS_AT: usize = COUNT_AT + 4;
const BITS_AT: usize = STARTS_AT + 4 * 256;
const CHECKSUM_BYTES: usize = 8;
/// Numbers of 17 bits with which a key can begin, and those with the same first byte.
const GROUPS: usize = 1 << 17;
const GROUPS_OF_BYTE: usize = GROUPS >> 8;
/// Bits of a key in an entry.
const REST_BITS: u32 = 30;
const KEY_BITS: u32 = REST_BITS + GROUPS.ilog2();
const REST_MASK: u64 = (1 << REST_BITS) - 1;
const ENTRY_BITS: usize = REST_BITS as usize + 8;
/// Most rows and columns of a board: the cell has one byte.
pub(super) const MOST_SIDE: u8 = 16;

/// The reason why bytes are not a book of proved positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProvedBookError {
    /// The bytes are not a book of proved positions.
    NotABook,
    /// The size differs from the number of positions.
    WrongSize {
        /// Expected size in bytes.
        expected: u64,
        /// Actual size in bytes.
        found: u64,
    },
    /// The content is damaged.
    Checksum,
    /// The content is not what a writer writes, such as positions out of order.
    Content,
    /// The positions belong to another rule or board.
    OtherBoard {
        /// Rule and rows of the expected board.
        expected: (Rule, u8),
        /// Rule and rows of the board in the book.
        found: (Rule, u8),
    },
}

impl fmt::Display for ProvedBookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProvedBookError::NotABook => f.write_str("not a book of proved positions of Tengen"),
            ProvedBookError::WrongSize { expected, found } => {
                write!(f, "{found} bytes (expected {expected})")
            }
            ProvedBookError::Checksum => f.write_str("wrong checksum"),
            ProvedBookError::Content => {
                f.write_str("invalid positions (expected different keys in ascending order)")
            }
            ProvedBookError::OtherBoard { expected: (rule, side), found } => {
                write!(f, "positions of {} on {}x{}", found.0, found.1, found.1)?;
                write!(f, " (expected {rule} on {side}x{side})")
            }
        }
    }
}

impl std::error::Error for ProvedBookError {}

/// The proved positions of a rule and a square board, each with a winning move, in the bytes of a
/// file. See [`ProvedMoves::to_book`](super::ProvedMoves::to_book).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedBook {
    rule: Rule,
    side: u8,
    bytes: Vec<u8>,
}

impl ProvedBook {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are not an undamaged book of proved positions.
    pub fn from_bytes(bytes: &[u8]) -> Result<ProvedBook, ProvedBookError> {
        if !bytes.starts_with(MAGIC) || bytes.len() < BITS_AT {
            return Err(ProvedBookError::NotABook);
        }
        let count = number_at(bytes, COUNT_AT);
        let (expected, found) = (size_with(count as u64), bytes.len() as u64);
        if found != expected {
            return Err(ProvedBookError::WrongSize { expected, found });
        }
        let (content, sum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        if fnv(content).to_le_bytes() != sum {
            return Err(ProvedBookError::Checksum);
        }
        let side = bytes[SIDE_AT];
        let rule = Rule::from_number(bytes[RULE_AT].into()).ok_or(ProvedBookError::NotABook)?;
        if !(1..=MOST_SIDE).contains(&side) {
            return Err(ProvedBookError::NotABook);
        }
        let entries = Table { bytes, count }.entries().ok_or(ProvedBookError::Content)?;
        let most = u16::from(side) * u16::from(side);
        let is_sorted = entries.is_sorted_by(|(a, _), (b, _)| a < b);
        if !is_sorted || entries.iter().any(|&(_, cell)| u16::from(cell) >= most) {
            return Err(ProvedBookError::Content);
        }
        let book = ProvedBook::write(rule, side, &entries);
        // Whatever differs from the only way to write these positions is refused.
        if book.bytes == bytes { Ok(book) } else { Err(ProvedBookError::Content) }
    }

    /// The book of these cells with their keys, which ascend.
    pub(super) fn write(rule: Rule, side: u8, entries: &[(u64, u8)]) -> ProvedBook {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([rule.number() as u8, side]);
        let count = u32::try_from(entries.len()).expect("fewer positions than memory holds");
        bytes.extend(count.to_le_bytes());
        let mut counts = [0_u32; 256];
        let mut bits = vec![0_u8; bits_bytes(entries.len() as u64) as usize];
        for (index, (key, _)) in entries.iter().enumerate() {
            counts[group_of(*key) / GROUPS_OF_BYTE] += 1;
            let bit = index + group_of(*key);
            bits[bit / 8] |= 1 << (bit % 8);
        }
        let starts = counts.iter().scan(0, |next, count| {
            let start = *next;
            *next += count;
            Some(start)
        });
        bytes.extend(starts.flat_map(u32::to_le_bytes));
        bytes.extend(bits);
        let entries_at = bytes.len();
        bytes.resize(size_with(entries.len() as u64) as usize - CHECKSUM_BYTES, 0);
        for (index, (key, cell)) in entries.iter().enumerate() {
            let bit = index * ENTRY_BITS;
            let entry = (key & REST_MASK | u64::from(*cell) << REST_BITS) << (bit % 8);
            let places = &mut bytes[entries_at + bit / 8..];
            places.iter_mut().zip(entry.to_le_bytes()).for_each(|(byte, bits)| *byte |= bits);
        }
        let sum = fnv(&bytes);
        bytes.extend(sum.to_le_bytes());
        ProvedBook { rule, side, bytes }
    }

    /// The winning move of a position, if the book has it.
    pub fn winning_move(&self, board: &Board) -> Option<Point> {
        is_of(board, self.rule, self.side).then(|| find(&self.bytes, board))?
    }

    /// Rule, and rows and columns of the board.
    pub fn terms(&self) -> (Rule, u8) {
        (self.rule, self.side)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        number_at(&self.bytes, COUNT_AT)
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of the file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The winning move of a position in the bytes of an undamaged book for its rule and board, which
/// are searched where they are: a [`ProvedBook`] would take memory and time.
pub(super) fn find(bytes: &[u8], board: &Board) -> Option<Point> {
    let table = Table::of(bytes)?;
    let (key, symmetry) = canonical(board);
    point_of(board.size(), symmetry, table.cell(short(key))?)
}

/// The bits of the key of an opening book that a book of proved positions has. The highest and the
/// lowest bits of such a key are not random: it is the smallest of eight hashes, and the hash mixes
/// upwards.
pub(super) const fn short(key: u64) -> u64 {
    key >> 8 & ((1 << KEY_BITS) - 1)
}

/// Whether a position is one of this rule and of a board with this many rows and columns.
pub(super) fn is_of(board: &Board, rule: Rule, side: u8) -> bool {
    let size = board.size();
    board.rule() == rule && (size.width(), size.height()) == (side, side)
}

/// The point of a board whose image has this number.
pub(super) fn point_of(size: BoardSize, symmetry: Symmetry, cell: u8) -> Option<Point> {
    let turned = symmetry.size(size);
    Some(symmetry.inverse().point(turned, turned.numbered(cell.into())?))
}

/// The bytes of a book, of which each part is read where it is.
struct Table<'a> {
    bytes: &'a [u8],
    count: usize,
}

impl<'a> Table<'a> {
    /// The book in these bytes; `None` if their number is wrong.
    fn of(bytes: &'a [u8]) -> Option<Table<'a>> {
        let count = (bytes.len() >= BITS_AT).then(|| number_at(bytes, COUNT_AT))?;
        (size_with(count as u64) == bytes.len() as u64).then_some(Table { bytes, count })
    }

    /// The cell that belongs to a key.
    fn cell(&self, key: u64) -> Option<u8> {
        let rest = key & REST_MASK;
        let Range { mut start, mut end } = self.group(group_of(key));
        while start < end {
            let middle = start.midpoint(end);
            match self.entry(middle)? {
                (found, cell) if found == rest => return Some(cell),
                (found, _) if found < rest => start = middle + 1,
                _ => end = middle,
            }
        }
        None
    }

    /// The positions whose keys begin with this number.
    fn group(&self, group: usize) -> Range<usize> {
        let byte = group / GROUPS_OF_BYTE;
        let first = byte * GROUPS_OF_BYTE;
        let before = number_at(self.bytes, STARTS_AT + 4 * byte);
        let start = self.after_zeros(before + first, group - first);
        let end = self.after_zeros(start, 1) - 1;
        // Each earlier group has one bit 0.
        start - group..end - group
    }

    /// The bit after the next `zeros` bits 0 from `bit` on.
    fn after_zeros(&self, mut bit: usize, mut zeros: usize) -> usize {
        while zeros > 0 {
            let in_byte = self.bytes[BITS_AT + bit / 8].count_zeros() as usize;
            if bit.is_multiple_of(8) && in_byte < zeros {
                zeros -= in_byte;
                bit += 8;
            } else {
                zeros -= usize::from(self.is_zero(bit));
                bit += 1;
            }
        }
        bit
    }

    /// All keys with their cells in the order of the file; `None` if the bits disagree with their number.
    fn entries(&self) -> Option<Vec<(u64, u8)>> {
        let (mut group, mut entries) = (0, Vec::with_capacity(self.count));
        for bit in 0..8 * bits_bytes(self.count as u64) as usize {
            if self.is_zero(bit) {
                group += 1;
            } else if group >= GROUPS as u64 {
                return None;
            } else {
                let (rest, cell) = self.entry(entries.len())?;
                entries.push((group << REST_BITS | rest, cell));
            }
        }
        Some(entries)
    }

    fn is_zero(&self, bit: usize) -> bool {
        self.bytes[BITS_AT + bit / 8] >> (bit % 8) & 1 == 0
    }

    /// The end of a key, and the cell that belongs to it.
    fn entry(&self, index: usize) -> Option<(u64, u8)> {
        let bit = index * ENTRY_BITS;
        let at = entries_at(self.count) + bit / 8;
        // The checksum follows the last entry, so that there are always eight bytes.
        let bytes = self.bytes[at..].first_chunk().filter(|_| index < self.count)?;
        let entry = u64::from_le_bytes(*bytes) >> (bit % 8);
        Some((entry & REST_MASK, (entry >> REST_BITS) as u8))
    }
}

/// The first bits of a key.
const fn group_of(key: u64) -> usize {
    (key >> REST_BITS) as usize
}

/// Bytes of the bits of `count` positions. In 64 bits: a damaged file may state more than fit memory.
const fn bits_bytes(count: u64) -> u64 {
    (count + GROUPS as u64).div_ceil(8)
}

/// Bytes of the entries of `count` positions.
const fn entries_bytes(count: u64) -> u64 {
    (count * ENTRY_BITS as u64).div_ceil(8)
}

/// Offset of the entries in a book of `count` positions.
const fn entries_at(count: usize) -> usize {
    BITS_AT + bits_bytes(count as u64) as usize
}

/// Bytes of a book of `count` positions.
const fn size_with(count: u64) -> u64 {
    (BITS_AT + CHECKSUM_BYTES) as u64 + bits_bytes(count) + entries_bytes(count)
}

fn number_at(bytes: &[u8], at: usize) -> usize {
    let number = bytes[at..].first_chunk().expect("four bytes");
    u32::from_le_bytes(*number) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::random::Random;

    const TERMS: (Rule, u8) = (Rule::Freestyle, 15);
    const ALL: u64 = (1 << KEY_BITS) - 1;

    /// The bytes of a book with these keys, and cells that follow from them.
    fn book(keys: impl IntoIterator<Item = u64>) -> Vec<u8> {
        let cells: BTreeMap<u64, u8> = keys.into_iter().map(|key| (key, cell_of(key))).collect();
        let entries: Vec<(u64, u8)> = cells.into_iter().collect();
        ProvedBook::write(TERMS.0, TERMS.1, &entries).as_bytes().to_vec()
    }

    fn cell_of(key: u64) -> u8 {
        (key % 225) as u8
    }

    fn found(bytes: &[u8], key: u64) -> Option<u8> {
        Table::of(bytes).unwrap().cell(key)
    }

    /// A key with a random number of leading and trailing bits 0 or 1, so that some groups are full
    /// and others empty.
    fn random_key(random: &mut Random) -> u64 {
        let key = short(random.next_u64()) >> random.below(40) << random.below(8);
        (if random.below(2) == 0 { key } else { !key }) & ALL
    }

    #[test]
    fn look_up_in_bytes_is_that_in_a_map() {
        let mut random = Random::new(7);
        for count in [0, 1, 2, 300, 5000] {
            let keys: BTreeSet<u64> = (0..count).map(|_| random_key(&mut random)).collect();
            let bytes = book(keys.iter().copied());
            let read = ProvedBook::from_bytes(&bytes).unwrap();
            assert_eq!(
                (read.len(), read.terms(), read.as_bytes()),
                (keys.len(), TERMS, &bytes[..])
            );
            let half = 1 << (KEY_BITS - 1);
            let ends = [0, ALL, half, half - 1, (1 << REST_BITS) - 1, 1 << REST_BITS];
            let beside = keys.iter().flat_map(|key| [*key, key ^ 1, key ^ 1 << REST_BITS]);
            let other = (0..1000).map(|_| random_key(&mut random));
            for key in beside.chain(ends).chain(other) {
                let expected = keys.contains(&key).then(|| cell_of(key));
                assert_eq!(found(&bytes, key), expected, "{count}: {key:x}");
            }
        }
    }

    #[test]
    fn positions_take_39_bits() {
        let mut random = Random::new(1);
        let keys: BTreeSet<u64> = (0..20_000).map(|_| short(random.next_u64())).collect();
        let most = BITS_AT + (GROUPS + 39 * keys.len()) / 8 + 10;
        assert!(book(keys).len() <= most);
    }

    #[test]
    fn damage_is_found() {
        let bytes = book([5, 1 << 44, 1 << 46]);
        let read = ProvedBook::from_bytes;
        assert_eq!(read(&bytes[1..]), Err(ProvedBookError::NotABook));
        assert_eq!(read(&bytes[..BITS_AT - 1]), Err(ProvedBookError::NotABook));
        let error = read(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
        assert_eq!(error, format!("{} bytes (expected {})", bytes.len() - 1, bytes.len()));
        for index in (0..bytes.len()).filter(|index| !(BITS_AT..17_000).contains(index)) {
            let mut changed = bytes.clone();
            changed[index] ^= 4;
            assert!(read(&changed).is_err(), "byte {index}");
        }
        let mut changed = bytes.clone();
        changed[BITS_AT + 77] ^= 4;
        assert_eq!(read(&changed), Err(ProvedBookError::Checksum));
    }

    #[test]
    fn any_change_gives_an_error_or_another_book() {
        let mut random = Random::new(3);
        let bytes = book((0..300).map(|_| random_key(&mut random)));
        let content = bytes.len() - CHECKSUM_BYTES;
        let (mut refused, mut others) = (0, 0);
        for _ in 0..500 {
            let mut changed = bytes.clone();
            for _ in 0..=random.below(3) {
                // Most bytes in the middle are 0 bits of groups without positions.
                let from_end = random.below(2) == 0;
                let range = if random.below(4) == 0 { content } else { 1600 };
                let near = random.index(range);
                changed[if from_end { content - 1 - near } else { near }] = random.next_u64() as u8;
            }
            let sum = fnv(&changed[..content]);
            changed[content..].copy_from_slice(&sum.to_le_bytes());
            match ProvedBook::from_bytes(&changed) {
                Ok(other) if changed != bytes => {
                    assert!(other.as_bytes() == changed);
                    others += 1;
                }
                Ok(_) => {}
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 100 && others > 50, "{refused} {others}");
    }

    /// Bytes with a correct checksum that no writer writes.
    #[test]
    fn other_content_is_refused() {
        let bytes = book([5, 6, 1 << 44, 1 << 46]);
        // Four entries of 38 bits: 19 bytes.
        let entries = bytes.len() - CHECKSUM_BYTES - 19;
        let refusal = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut changed = bytes[..bytes.len() - CHECKSUM_BYTES].to_vec();
            change(&mut changed);
            let sum = fnv(&changed);
            changed.extend(sum.to_le_bytes());
            ProvedBook::from_bytes(&changed).err()
        };
        assert_eq!(refusal(&|_| {}), None);
        let content = Some(ProvedBookError::Content);
        // The first key greater than the second one, and equal to it.
        assert_eq!(refusal(&|it| it[entries] = 7), content);
        assert_eq!(refusal(&|it| it[entries] = 6), content);
        // A cell off the board: the highest six bits of cell 5 are 1.
        assert_eq!(refusal(&|it| it[entries + 4] ^= 1 ^ (225 >> 2)), content);
        // More and fewer bits 1 than positions, and another place for the bits of a group.
        assert_eq!(refusal(&|it| it[BITS_AT + 100] |= 1), content);
        assert_eq!(refusal(&|it| it[BITS_AT] = 0), content);
        assert_eq!(refusal(&|it| it[STARTS_AT + 4] ^= 1), content);
        // A bit after the last entry.
        let mut gap = book([5, 6, 7]);
        let last = gap.len() - CHECKSUM_BYTES - 1;
        gap[last] |= 0x80;
        let sum = fnv(&gap[..=last]).to_le_bytes();
        gap[last + 1..].copy_from_slice(&sum);
        assert_eq!(ProvedBook::from_bytes(&gap).err(), content);
        let not = Some(ProvedBookError::NotABook);
        assert_eq!(refusal(&|it| it[SIDE_AT] = 17), not);
        assert_eq!(refusal(&|it| it[RULE_AT] = 77), not);
    }
}
