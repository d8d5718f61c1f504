//! Files of proved positions: one winning move for each, in seven bytes and two bits.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TGWINS1` and a line end |
//! | 1 | number of the rule in the protocol |
//! | 1 | rows and columns of the board, at most 16 |
//! | 4 | number of positions, `n` |
//! | 4 × 256 | for each byte: the number of positions whose key begins with a smaller one |
//! | (`n` + 65536) / 8, rounded up | for each pair of bytes: a bit 1 for each position whose key begins with them, then a bit 0; the lowest bit of a byte is the first |
//! | 7 each | the other six bytes of the key, and the cell of the move, sorted by key |
//! | 8 | checksum of the bytes before |
//!
//! All numbers are little-endian; a key begins with its highest byte. Keys and cells are those of
//! opening books, see [`crate::book`].

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::book::{canonical, fnv};
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Color, Point, Rule, Symmetry};

const MAGIC: &[u8; 8] = b"TGWINS1\n";
const RULE_AT: usize = MAGIC.len();
const SIDE_AT: usize = RULE_AT + 1;
const COUNT_AT: usize = SIDE_AT + 1;
const STARTS_AT: usize = COUNT_AT + 4;
const BITS_AT: usize = STARTS_AT + 4 * 256;
const REST_BYTES: usize = 6;
const ENTRY_BYTES: usize = REST_BYTES + 1;
const CHECKSUM_BYTES: usize = 8;
/// Pairs of bytes with which a key can begin.
const GROUPS: usize = 1 << 16;
/// Bits of a key in an entry.
const REST_BITS: u32 = 8 * REST_BYTES as u32;
/// Most rows and columns of a board: the cell has one byte.
const MOST_SIDE: u8 = 16;

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

/// The proved positions of a rule and a square board, each with a winning move.
///
/// ```
/// use tengen::proved::ProvedBook;
/// use tengen::{Board, BoardSize, Point, Rule};
///
/// let board = Board::new(BoardSize::square(15)?, Rule::Freestyle);
/// let mut book = ProvedBook::new(Rule::Freestyle, 15).expect("at most 16 rows");
/// book.insert(&board, Point::new(7, 7));
/// let same = ProvedBook::from_bytes(&book.to_bytes())?;
/// assert_eq!(same.winning_move(&board), Some(Point::new(7, 7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedBook {
    rule: Rule,
    side: u8,
    /// The numbers of cells by the keys of positions.
    cells: BTreeMap<u64, u8>,
}

impl ProvedBook {
    /// A book without positions; `None` if the board has no row or more than 16.
    pub fn new(rule: Rule, side: u8) -> Option<ProvedBook> {
        (1..=MOST_SIDE).contains(&side).then(|| ProvedBook { rule, side, cells: BTreeMap::new() })
    }

    /// Sets the winning move of a position of the book's rule and board.
    ///
    /// # Panics
    /// If the position is one of another rule or board.
    pub fn insert(&mut self, board: &Board, win: Point) {
        let size = board.size();
        assert!(is_of(board, self.rule, self.side), "{} on {size}", board.rule());
        let (key, symmetry) = canonical(board);
        let cell = symmetry.size(size).number(symmetry.point(size, win));
        self.cells.insert(key, cell as u8);
    }

    /// The winning move of a position, if the book has it.
    pub fn winning_move(&self, board: &Board) -> Option<Point> {
        let (key, symmetry) = canonical(board);
        point_of(board.size(), symmetry, *self.cells.get(&key)?)
    }

    /// The positions that occur from `start` on when the winner plays the moves of the book, against
    /// any replies. The others need no space where the book itself chooses the moves.
    #[must_use]
    pub fn reachable_from(&self, start: &Board, winner: Color) -> ProvedBook {
        let mut reached = ProvedBook { cells: BTreeMap::new(), ..*self };
        let mut board = start.clone();
        if board.side_to_move() == winner {
            self.reach(&mut board, &mut reached);
        } else {
            self.reach_replies(&mut board, &mut reached);
        }
        reached
    }

    /// Adds a position with the winner to move and those after it.
    fn reach(&self, board: &mut Board, reached: &mut ProvedBook) {
        let (key, symmetry) = canonical(board);
        if let Some(&cell) = self.cells.get(&key)
            && reached.cells.insert(key, cell).is_none()
            && let Some(win) = point_of(board.size(), symmetry, cell)
        {
            board.place_unchecked(win, board.side_to_move());
            self.reach_replies(board, reached);
            board.undo();
        }
    }

    fn reach_replies(&self, board: &mut Board, reached: &mut ProvedBook) {
        let side = board.side_to_move();
        let replies: Vec<Point> = board.empty_points().collect();
        for at in replies {
            board.place_unchecked(at, side);
            self.reach(board, reached);
            board.undo();
        }
    }

    /// Rule, and rows and columns of the board.
    pub fn terms(&self) -> (Rule, u8) {
        (self.rule, self.side)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([self.rule.number() as u8, self.side]);
        let count = u32::try_from(self.len()).expect("fewer positions than memory holds");
        bytes.extend(count.to_le_bytes());
        let mut counts = [0_u32; 256];
        let mut bits = vec![0_u8; bits_bytes(self.len())];
        for (index, key) in self.cells.keys().enumerate() {
            counts[group_of(*key) >> 8] += 1;
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
        for (key, cell) in &self.cells {
            bytes.extend(&key.to_le_bytes()[..REST_BYTES]);
            bytes.push(*cell);
        }
        let sum = fnv(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

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
        let rule = Rule::from_number(bytes[RULE_AT].into());
        let empty = rule.and_then(|rule| ProvedBook::new(rule, bytes[SIDE_AT]));
        let mut book = empty.ok_or(ProvedBookError::NotABook)?;
        let table = Table { bytes, count };
        let (mut index, mut group) = (0, 0);
        for bit in 0..8 * bits_bytes(count) {
            if table.is_zero(bit) {
                group += 1;
                continue;
            }
            let (rest, cell) = table.entry(index).ok_or(ProvedBookError::Content)?;
            book.cells.insert(group << REST_BITS | rest, cell);
            index += 1;
        }
        let most = u16::from(book.side) * u16::from(book.side);
        if book.cells.values().any(|&cell| u16::from(cell) >= most) {
            return Err(ProvedBookError::Content);
        }
        // Whatever differs from the only way to write these positions is refused.
        if book.to_bytes() == bytes { Ok(book) } else { Err(ProvedBookError::Content) }
    }
}

/// The winning move of a position in the bytes of an undamaged book for its rule and board, which
/// are searched where they are: a [`ProvedBook`] would take memory and time.
pub(super) fn find(bytes: &[u8], board: &Board) -> Option<Point> {
    let table = Table::of(bytes)?;
    let (key, symmetry) = canonical(board);
    point_of(board.size(), symmetry, table.cell(key)?)
}

/// Whether a position is one of this rule and of a board with this many rows and columns.
pub(super) fn is_of(board: &Board, rule: Rule, side: u8) -> bool {
    let size = board.size();
    board.rule() == rule && (size.width(), size.height()) == (side, side)
}

/// The point of a board whose image has this number.
fn point_of(size: BoardSize, symmetry: Symmetry, cell: u8) -> Option<Point> {
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
        let rest = key & ((1 << REST_BITS) - 1);
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

    /// The positions whose keys begin with these two bytes.
    fn group(&self, group: usize) -> Range<usize> {
        let first = group >> 8 << 8;
        let before = number_at(self.bytes, STARTS_AT + 4 * (group >> 8));
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

    fn is_zero(&self, bit: usize) -> bool {
        self.bytes[BITS_AT + bit / 8] >> (bit % 8) & 1 == 0
    }

    /// The end of a key, and the cell that belongs to it.
    fn entry(&self, index: usize) -> Option<(u64, u8)> {
        let at = entries_at(self.count) + index * ENTRY_BYTES;
        let entry = self.bytes[at..].first_chunk::<ENTRY_BYTES>().filter(|_| index < self.count)?;
        let mut rest = [0; 8];
        rest[..REST_BYTES].copy_from_slice(&entry[..REST_BYTES]);
        Some((u64::from_le_bytes(rest), entry[REST_BYTES]))
    }
}

/// The first two bytes of a key.
const fn group_of(key: u64) -> usize {
    (key >> REST_BITS) as usize
}

const fn bits_bytes(count: usize) -> usize {
    (count + GROUPS).div_ceil(8)
}

/// Where the entries of so many positions begin.
const fn entries_at(count: usize) -> usize {
    BITS_AT + bits_bytes(count)
}

/// The size of a book with so many positions, which memory may not hold.
const fn size_with(count: u64) -> u64 {
    let bits = (count + GROUPS as u64).div_ceil(8);
    (BITS_AT + CHECKSUM_BYTES) as u64 + bits + count * ENTRY_BYTES as u64
}

fn number_at(bytes: &[u8], at: usize) -> usize {
    let number = bytes[at..].first_chunk().expect("four bytes");
    u32::from_le_bytes(*number) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use tengen_testkit::game;

    const TERMS: (Rule, u8) = (Rule::Freestyle, 15);

    /// A book with these keys, and cells that follow from them.
    fn book(keys: impl IntoIterator<Item = u64>) -> ProvedBook {
        let cells = keys.into_iter().map(|key| (key, (key % 225) as u8)).collect();
        ProvedBook { rule: TERMS.0, side: TERMS.1, cells }
    }

    fn found(bytes: &[u8], key: u64) -> Option<u8> {
        Table::of(bytes).unwrap().cell(key)
    }

    /// A key with a random number of leading and trailing bits 0 or 1, so that some groups are full
    /// and others empty.
    fn random_key(random: &mut Random) -> u64 {
        let key = random.next_u64() >> random.below(50) << random.below(8);
        if random.below(2) == 0 { key } else { !key }
    }

    #[test]
    fn look_up_in_bytes_is_that_in_a_map() {
        let mut random = Random::new(7);
        for count in [0, 1, 2, 300, 5000] {
            let book = book((0..count).map(|_| random_key(&mut random)));
            let bytes = book.to_bytes();
            assert_eq!(ProvedBook::from_bytes(&bytes).as_ref(), Ok(&book));
            let ends = [0, u64::MAX, 1 << 63, (1 << 63) - 1, (1 << REST_BITS) - 1, 1 << REST_BITS];
            let beside = book.cells.keys().flat_map(|key| [*key, key ^ 1, key ^ 1 << REST_BITS]);
            let other = (0..1000).map(|_| random_key(&mut random));
            for key in beside.chain(ends).chain(other) {
                assert_eq!(found(&bytes, key), book.cells.get(&key).copied(), "{count}: {key:x}");
            }
        }
    }

    #[test]
    fn positions_take_seven_bytes_and_two_bits() {
        let mut random = Random::new(1);
        let most = |count: usize| BITS_AT + (GROUPS + count) / 8 + 7 * count + 9;
        let book = book((0..20_000).map(|_| random.next_u64()));
        assert!(book.to_bytes().len() <= most(book.len()));
    }

    #[test]
    fn all_images_and_orders_have_the_move() {
        let mut book = ProvedBook::new(Rule::Freestyle, 15).unwrap();
        let start = game(Rule::Freestyle, "h8 i9 d5").board().clone();
        let win = Point::new(5, 9);
        book.insert(&start, win);
        let bytes = book.to_bytes();
        for &symmetry in Symmetry::of_size(start.size()) {
            let turned = start.turned(symmetry);
            let expected = Some(symmetry.point(start.size(), win));
            assert_eq!(find(&bytes, &turned), expected, "{symmetry:?}");
            assert_eq!(book.winning_move(&turned), expected, "{symmetry:?}");
        }
        assert!(find(&bytes, game(Rule::Freestyle, "d5 i9 h8").board()).is_some());
        assert_eq!(find(&bytes, game(Rule::Standard, "h8 i9 d5").board()), None);
        let mut passed = start.clone();
        passed.set_side(passed.side_to_move().opponent());
        assert_eq!(find(&bytes, &passed), None);
        assert_eq!(find(&[], &start), None);
    }

    #[test]
    fn reachable_positions_follow_the_moves_of_the_book() {
        let board = |moves| game(Rule::Freestyle, moves).board().clone();
        let mut book = ProvedBook::new(Rule::Freestyle, 15).unwrap();
        let moves = [("", "h8"), ("h8 a1", "i9"), ("h8 b1", "i9"), ("h8 a1 i9 a2", "c3")];
        // Another move than those of the book led to the last ones.
        let others = [("h8 a1 j9 a2", "c4"), ("h8 a1 j9 a3", "c4")];
        for (moves, win) in moves.into_iter().chain(others) {
            book.insert(&board(moves), game(Rule::Freestyle, moves).point(win).unwrap());
        }
        let reached = book.reachable_from(&board(""), Color::Black);
        assert_eq!(reached.len(), moves.len());
        for (moves, _) in moves {
            assert_eq!(reached.winning_move(&board(moves)), book.winning_move(&board(moves)));
        }
        let replies = book.reachable_from(&board("h8"), Color::Black);
        assert_eq!(replies.len(), moves.len() - 1);
        assert!(book.reachable_from(&board("h8 a1 i9"), Color::White).is_empty());
    }

    #[test]
    fn damage_is_found() {
        let bytes = book([5, 1 << 60, 1 << 62]).to_bytes();
        let read = ProvedBook::from_bytes;
        assert_eq!(read(&bytes[1..]), Err(ProvedBookError::NotABook));
        assert_eq!(read(&bytes[..BITS_AT - 1]), Err(ProvedBookError::NotABook));
        let error = read(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
        assert_eq!(error, format!("{} bytes (expected {})", bytes.len() - 1, bytes.len()));
        for index in (0..bytes.len()).filter(|index| !(BITS_AT..9000).contains(index)) {
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
        let bytes = book((0..300).map(|_| random_key(&mut random))).to_bytes();
        let content = bytes.len() - CHECKSUM_BYTES;
        let (mut refused, mut others) = (0, 0);
        for _ in 0..500 {
            let mut changed = bytes.clone();
            for _ in 0..=random.below(3) {
                // Most bytes in the middle are 0 bits of groups without positions.
                let from_end = random.below(2) == 0;
                let range = if random.below(4) == 0 { content } else { 2300 };
                let near = random.index(range);
                changed[if from_end { content - 1 - near } else { near }] = random.next_u64() as u8;
            }
            let sum = fnv(&changed[..content]);
            changed[content..].copy_from_slice(&sum.to_le_bytes());
            match ProvedBook::from_bytes(&changed) {
                Ok(other) if changed != bytes => {
                    assert!(other.to_bytes() == changed);
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
        let bytes = book([5, 6, 1 << 60, 1 << 62]).to_bytes();
        let entries = bytes.len() - CHECKSUM_BYTES - 4 * ENTRY_BYTES;
        let refusal = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut changed = bytes[..bytes.len() - CHECKSUM_BYTES].to_vec();
            change(&mut changed);
            let sum = fnv(&changed);
            changed.extend(sum.to_le_bytes());
            ProvedBook::from_bytes(&changed).err()
        };
        assert_eq!(refusal(&|_| {}), None);
        let content = Some(ProvedBookError::Content);
        // The first two positions exchanged, and made the same.
        assert_eq!(refusal(&|it| it[entries..entries + 14].rotate_left(7)), content);
        assert_eq!(refusal(&|it| it[entries] = 6), content);
        // A cell off the board.
        assert_eq!(refusal(&|it| it[entries + REST_BYTES] = 225), content);
        // More and fewer bits 1 than positions, and another place for the bits of a group.
        assert_eq!(refusal(&|it| it[BITS_AT + 100] |= 1), content);
        assert_eq!(refusal(&|it| it[BITS_AT] = 0), content);
        assert_eq!(refusal(&|it| it[STARTS_AT + 4] ^= 1), content);
        let not = Some(ProvedBookError::NotABook);
        assert_eq!(refusal(&|it| it[SIDE_AT] = 17), not);
        assert_eq!(refusal(&|it| it[RULE_AT] = 77), not);
    }
}
