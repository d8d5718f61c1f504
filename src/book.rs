//! Opening books: small files of positions with the moves to play there. `tengen study book` writes
//! them.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `TGBOOK1` and a line end |
//! | 4 | number of moves |
//! | 12 each | key of the position (8), cell of the move (2), its value (2), sorted by key, best first |
//! | 8 | checksum of the bytes before |
//!
//! All numbers are little-endian. The key is a hash of the position in the mirror image where it is
//! smallest, and the cell belongs to that image. A value is for the side that moves.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{BoardSize, Point, Score, Symmetry};

/// Name of the book in the folder of `INFO folder`.
pub const FILE_NAME: &str = "tengen.book";

const MAGIC: &[u8; 8] = b"TGBOOK1\n";
const HEAD_BYTES: usize = 12;
const MOVE_BYTES: usize = 12;
const CHECKSUM_BYTES: usize = 8;
/// Maximum size of a file, which is read into memory: room for 89 million moves.
const MAX_BYTES: u64 = 1 << 30;

/// The reason why a file is not a book.
#[derive(Debug)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read.
    Io(std::io::Error),
    /// The file is not a book.
    NotABook,
    /// The size of the file differs from the number of moves.
    WrongSize {
        /// Expected size in bytes.
        expected: u64,
        /// Actual size in bytes.
        found: u64,
    },
    /// The content is damaged.
    Checksum,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Io(error) => error.fmt(f),
            BookError::NotABook => f.write_str("not an opening book of Tengen"),
            BookError::WrongSize { expected, found } => {
                write!(f, "{found} bytes (expected {expected})")
            }
            BookError::Checksum => f.write_str("wrong checksum"),
        }
    }
}

impl std::error::Error for BookError {}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The cell.
    pub point: Point,
    /// Its value for the side that plays it.
    pub score: Score,
}

impl BookMove {
    /// A move that is proved to win, in an unknown number of plies. No search has its score.
    pub const fn proved(point: Point) -> BookMove {
        BookMove { point, score: Score::MAX }
    }

    /// Whether the move is proved to win. Other scores of wins are results of searches, or claims.
    pub fn is_proved(self) -> bool {
        self.score == Score::MAX
    }
}

/// The moves of a position in the canonical image: cell numbers and values, best first.
type Moves = Vec<(u16, i16)>;

/// An entry of a file: a position and one of its moves.
type Entry = [u8; MOVE_BYTES];

/// A book. It takes as much memory as its file.
///
/// ```
/// use tengen::book::{Book, BookBuilder, BookMove};
/// use tengen::{Board, BoardSize, Point, Rule, Score};
///
/// let board = Board::new(BoardSize::square(15)?, Rule::Renju);
/// let center = BookMove { point: Point::new(7, 7), score: Score::raw(30) };
/// let mut builder = BookBuilder::default();
/// builder.insert(&board, &[center]);
/// let book = builder.build();
/// assert_eq!(Book::from_bytes(&book.to_bytes()).unwrap().moves(&board), [center]);
/// # Ok::<(), tengen::SizeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// The entries of a file, sorted by key.
    entries: Vec<u8>,
}

/// Collects the positions of a new book.
#[derive(Clone, Debug, Default)]
pub struct BookBuilder {
    positions: BTreeMap<u64, Moves>,
}

impl BookBuilder {
    /// Sets the moves of a position, best first.
    pub fn insert(&mut self, board: &Board, moves: &[BookMove]) {
        let (key, symmetry) = canonical(board);
        let size = board.size();
        let number = |point: Point| symmetry.size(size).number(symmetry.point(size, point)) as u16;
        let moves = moves.iter().map(|it| (number(it.point), it.score.value() as i16)).collect();
        self.positions.insert(key, moves);
    }

    /// The book.
    pub fn build(&self) -> Book {
        let mut entries = Vec::new();
        for (key, moves) in &self.positions {
            for (cell, score) in moves {
                entries.extend(key.to_le_bytes());
                entries.extend(cell.to_le_bytes());
                entries.extend(score.to_le_bytes());
            }
        }
        Book { entries }
    }
}

impl Book {
    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be read, is not a regular file, or is not an undamaged book.
    pub fn open(path: impl AsRef<Path>) -> Result<Book, BookError> {
        let found = path.as_ref().metadata().map_err(BookError::Io)?;
        // Opening a pipe may block, and a device may have no end.
        if !found.is_file() && !found.is_dir() {
            return Err(BookError::Io(std::io::Error::other("not a regular file")));
        }
        if found.len() > MAX_BYTES {
            return Err(BookError::NotABook);
        }
        let mut file = File::open(path).map_err(BookError::Io)?;
        let mut bytes = Vec::new();
        // The head tells whether to read the rest, which may be large.
        file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut bytes).map_err(BookError::Io)?;
        check_size(&bytes, found.len())?;
        bytes.reserve_exact(found.len() as usize - bytes.len());
        file.read_to_end(&mut bytes).map_err(BookError::Io)?;
        Book::read(bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When the bytes are not an undamaged book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        Book::read(bytes.to_vec())
    }

    /// Like [`Book::from_bytes`], without a copy.
    fn read(mut bytes: Vec<u8>) -> Result<Book, BookError> {
        check_size(&bytes, bytes.len() as u64)?;
        let end = bytes.len() - CHECKSUM_BYTES;
        let (content, sum) = bytes.split_at(end);
        if fnv(content).to_le_bytes() != sum {
            return Err(BookError::Checksum);
        }
        bytes.truncate(end);
        bytes.drain(..HEAD_BYTES);
        // Other programs may sort their files differently.
        let entries = bytes.as_chunks_mut::<MOVE_BYTES>().0;
        if !entries.is_sorted_by_key(key_of) {
            entries.sort_by_key(key_of);
        }
        Ok(Book { entries: bytes })
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let count = u32::try_from(self.move_count()).unwrap_or(u32::MAX);
        bytes.extend(count.to_le_bytes());
        bytes.extend(self.entries().iter().take(count as usize).flatten());
        let sum = fnv(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    fn entries(&self) -> &[Entry] {
        self.entries.as_chunks().0
    }

    /// The moves of a position, best first; empty if the book does not have it. Forbidden moves are
    /// left out.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        if self.is_empty() {
            return Vec::new();
        }
        let (key, symmetry) = canonical(board);
        let entries = self.entries();
        let start = entries.partition_point(|entry| key_of(entry) < key);
        let found = entries.iter().skip(start).take_while(|entry| key_of(entry) == key);
        let moves: Moves = found.map(move_of).collect();
        legal_moves(board, symmetry, &moves)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.entries().chunk_by(|a, b| key_of(a) == key_of(b)).count()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of moves of all positions.
    pub fn move_count(&self) -> usize {
        self.entries().len()
    }

    /// Bytes of the positions in memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.entries.len() as u64
    }
}

/// Checks the start of a file of `found` bytes against its head.
fn check_size(start: &[u8], found: u64) -> Result<(), BookError> {
    let count = start.strip_prefix(MAGIC.as_slice()).and_then(|rest| rest.first_chunk::<4>());
    let count = u32::from_le_bytes(*count.ok_or(BookError::NotABook)?);
    let entries = u64::from(count) * MOVE_BYTES as u64;
    let expected = (HEAD_BYTES + CHECKSUM_BYTES) as u64 + entries;
    if found == expected { Ok(()) } else { Err(BookError::WrongSize { expected, found }) }
}

/// The key of an entry.
fn key_of(entry: &Entry) -> u64 {
    u64::from_le_bytes(*entry.first_chunk().expect("at least eight bytes"))
}

/// The cell number and the value of an entry.
fn move_of(entry: &Entry) -> (u16, i16) {
    let cell = u16::from_le_bytes([entry[8], entry[9]]);
    let score = i16::from_le_bytes([entry[10], entry[11]]);
    (cell, score)
}

/// The legal ones of the moves of an image, on the board.
fn legal_moves(board: &Board, symmetry: Symmetry, moves: &[(u16, i16)]) -> Vec<BookMove> {
    let position = Position::from_board(board);
    let turned: BoardSize = symmetry.size(board.size());
    let back = symmetry.inverse();
    let found = moves.iter().filter_map(|&(cell, score)| {
        let point = back.point(turned, turned.numbered(cell.into())?);
        Some(BookMove { point, score: Score::raw(score.into()) })
    });
    let is_legal = |it: &BookMove| {
        board.is_empty(it.point) && !is_foul(&position, it.point, board.side_to_move())
    };
    found.filter(is_legal).collect()
}

/// A hash of the position that its images share.
pub(crate) fn image_key(board: &Board) -> u64 {
    canonical(board).0
}

/// The smallest hash of the images of a board, and the symmetry of that image.
pub(crate) fn canonical(board: &Board) -> (u64, Symmetry) {
    let size = board.size();
    let hash = |symmetry: Symmetry| {
        let turned = symmetry.size(size);
        let stones = board.history().iter().map(|stone| {
            (turned.number(symmetry.point(size, stone.point)) as u16, stone.color.index() as u8)
        });
        let walls = board.walls().map(|wall| (turned.number(symmetry.point(size, wall)) as u16, 2));
        let mut cells: Vec<(u16, u8)> = stones.chain(walls).collect();
        cells.sort_unstable();
        let mut bytes = vec![
            board.rule().number() as u8,
            turned.width(),
            turned.height(),
            board.side_to_move().index() as u8,
        ];
        for (cell, kind) in cells {
            bytes.extend(cell.to_le_bytes());
            bytes.push(kind);
        }
        fnv(&bytes)
    };
    let hashes = Symmetry::of_size(size).iter().map(|&symmetry| (hash(symmetry), symmetry));
    hashes.min_by_key(|&(hash, _)| hash).unwrap_or((0, Symmetry::ALL[0]))
}

/// FNV-1a, with all bits mixed at the end.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let hash = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Rule;

    fn board(rule: Rule, moves: &[(u8, u8)]) -> Board {
        let mut board = Board::new(BoardSize::square(15).unwrap(), rule);
        for &(x, y) in moves {
            board.place(Point::new(x, y), board.side_to_move()).unwrap();
        }
        board
    }

    fn at(x: u8, y: u8, score: i32) -> BookMove {
        BookMove { point: Point::new(x, y), score: Score::raw(score) }
    }

    const OPENING: &[(u8, u8)] = &[(7, 7), (8, 6), (3, 4)];

    fn book() -> Book {
        let mut builder = BookBuilder::default();
        builder.insert(&board(Rule::Renju, OPENING), &[at(5, 9, 40), at(2, 2, -7)]);
        builder.insert(&board(Rule::Renju, &OPENING[..2]), &[at(9, 9, 30_000)]);
        builder.build()
    }

    #[test]
    fn all_images_and_orders_have_the_moves() {
        let book = book();
        for &symmetry in Symmetry::of_size(BoardSize::square(15).unwrap()) {
            let turned = board(Rule::Renju, OPENING).turned(symmetry);
            let point = |x, y| symmetry.point(turned.size(), Point::new(x, y));
            let found = book.moves(&turned);
            assert_eq!(found.len(), 2, "{symmetry:?}");
            assert_eq!((found[0].point, found[0].score.value()), (point(5, 9), 40));
            assert_eq!(found[1].point, point(2, 2));
        }
        let [a, b, c] = [OPENING[2], OPENING[1], OPENING[0]];
        assert_eq!(book.moves(&board(Rule::Renju, &[a, b, c])).len(), 2);
        assert_eq!(book.moves(&board(Rule::Freestyle, OPENING)), []);
        let mut passed = board(Rule::Renju, OPENING);
        passed.set_side(passed.side_to_move().opponent());
        assert_eq!(book.moves(&passed), []);
    }

    #[test]
    fn only_proved_moves_are_proved_in_a_file() {
        let start = board(Rule::Renju, OPENING);
        let mut book = BookBuilder::default();
        book.insert(&start, &[BookMove::proved(Point::new(1, 2)), at(5, 9, 30_000)]);
        let book = book.build();
        let moves = Book::from_bytes(&book.to_bytes()).unwrap().moves(&start);
        assert_eq!(moves.iter().map(|it| it.is_proved()).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn files_round_trip_and_damage_is_found() {
        let book = book();
        let bytes = book.to_bytes();
        assert_eq!(bytes.len(), HEAD_BYTES + 3 * MOVE_BYTES + CHECKSUM_BYTES);
        assert_eq!(Book::from_bytes(&bytes).unwrap(), book);
        assert_eq!((book.len(), book.move_count(), book.bytes()), (2, 3, 36));
        assert_eq!(Book::from_bytes(&Book::default().to_bytes()).unwrap(), Book::default());
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 4;
            assert!(Book::from_bytes(&changed).is_err(), "byte {index}");
            assert!(Book::from_bytes(&bytes[..index]).is_err(), "{index} bytes");
        }
        let error = Book::from_bytes(&bytes[..50]).unwrap_err().to_string();
        assert_eq!(error, "50 bytes (expected 56)");
    }

    #[test]
    fn unsorted_file_is_sorted_and_keeps_the_order_of_moves() {
        let mut bytes = book().to_bytes();
        let end = bytes.len() - CHECKSUM_BYTES;
        // The position with one move comes first or last.
        let is_first = book().entries()[1][..8] == book().entries()[2][..8];
        bytes[HEAD_BYTES..end].rotate_left(MOVE_BYTES * if is_first { 1 } else { 2 });
        let sum = fnv(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&sum);
        assert_ne!(bytes, book().to_bytes());
        assert_eq!(Book::from_bytes(&bytes).unwrap(), book());
    }

    #[test]
    fn impossible_moves_are_left_out() {
        let mut book = BookBuilder::default();
        let start = board(Rule::Renju, OPENING);
        book.insert(&start, &[at(7, 7, 0), at(0, 0, 0)]);
        assert_eq!(book.build().moves(&start), [at(0, 0, 0)]);
        // A double three.
        let stones = [(7, 6), (0, 0), (7, 5), (2, 0), (5, 7), (4, 0), (6, 7), (6, 0)];
        let foul = board(Rule::Renju, &stones);
        book.insert(&foul, &[at(7, 7, 0)]);
        assert_eq!(book.build().moves(&foul), []);
    }
}
