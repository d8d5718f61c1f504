//! Keys of positions: the whole position in canonical form, so that no two positions share a key.
//!
//! | byte | content |
//! |---|---|
//! | 0 | rule, its number in the Gomocup protocol |
//! | 1 | width of the board |
//! | 2 | height of the board |
//! | 3 | number of stones times 2, plus 1 if White is to move; from 240 on a second byte follows, see `push_count` |
//! | rest | the occupied cells row by row, one byte each: 3 * gap + kind |
//!
//! The gap is the number of empty cells since the previous occupied cell; the kind is 0 for a black
//! stone, 1 for a white stone, 2 for a cell out of play. A byte of 255 encodes 85 empty cells.
//! Keys therefore sort by rule, board and number of stones.

use std::fmt;

use tengen_rules::{Board, BoardSize, Color, Point, Rule, Symmetry};

/// Number of empty cells that a byte of [`SKIP`] encodes.
const LONG_GAP: usize = 85;
const SKIP: u8 = 255;
/// Smaller numbers take one byte.
const ONE_BYTE_COUNT: usize = 240;

/// A position in canonical form, as bytes. Equal keys mean the same position up to symmetry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Vec<u8>);

/// The key of a board and the symmetry that turns the board into the canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The key.
    pub key: Key,
    /// Maps cells of the board to cells of the canonical board.
    pub symmetry: Symmetry,
}

impl Canonical {
    /// The canonical form of a board: of its images under the symmetries of its size (eight on a
    /// square, four on a rectangle) the one with the smallest list of occupied cells. The order
    /// in which the stones were placed is ignored.
    pub fn of(board: &Board) -> Canonical {
        let stones = board.history().len();
        Canonical::of_cells(board, stones, board.side_to_move(), &occupied(board))
    }

    /// The canonical forms of the positions before the last move, each with that move: one stone of
    /// the opponent is removed, and the opponent is to move.
    pub fn parents(board: &Board) -> impl Iterator<Item = (Point, Canonical)> {
        let mover = board.side_to_move().opponent();
        let cells = occupied(board);
        let stones = board.history().iter().enumerate();
        stones.filter(move |(_, stone)| stone.color == mover).map(move |(index, stone)| {
            let mut cells = cells.clone();
            // The list begins with the stones, in the order of the history.
            cells.swap_remove(index);
            let stones = board.history().len() - 1;
            (stone.point, Canonical::of_cells(board, stones, mover, &cells))
        })
    }

    /// The canonical form of these cells on the board of `board`.
    fn of_cells(board: &Board, stones: usize, side: Color, cells: &[(u8, u8, u16)]) -> Canonical {
        let size = board.size();
        let ways = Symmetry::of_size(size).len();
        let first = smallest_cells(size, cells);
        let smallest = *first[..ways].iter().min().unwrap_or(&u16::MAX);
        let mut best: Vec<u16> = Vec::new();
        let mut chosen = 0;
        let mut image = Vec::with_capacity(cells.len());
        for way in (0..ways).filter(|&way| first[way] == smallest) {
            image.clear();
            image.extend(cells.iter().map(|&cell| turned(size, way, cell)));
            image.sort_unstable();
            if best.is_empty() || image < best {
                std::mem::swap(&mut best, &mut image);
                chosen = way;
            }
        }
        let symmetry = Symmetry::ALL[chosen];
        Canonical { key: Key::write(board, stones, side, &best), symmetry }
    }
}

impl Key {
    /// The key of a board, see [`Canonical::of`].
    pub fn of(board: &Board) -> Key {
        Canonical::of(board).key
    }

    /// The bytes of the key, in the layout of the module.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Reads a key; `None` unless the bytes are the key of some board.
    pub fn from_bytes(bytes: &[u8]) -> Option<Key> {
        let board = read_board(bytes)?;
        Some(Key::of(&board)).filter(|key| key.0 == bytes)
    }

    /// Reads a key without checking that the board is in canonical form.
    pub(crate) fn of_any_image(bytes: &[u8]) -> Option<Key> {
        let (_, size, rest) = read_terms(bytes)?;
        let (count, cells) = read_count(rest)?;
        let (mut next, mut stones) = (0, 0);
        for &byte in cells {
            match byte {
                SKIP => next += LONG_GAP,
                _ => next += usize::from(byte / 3) + 1,
            }
            stones += usize::from(byte % 3 < 2 && byte != SKIP);
        }
        let fits = next <= size.area() && cells.last() != Some(&SKIP);
        (fits && stones == count / 2).then(|| Key(bytes.to_vec()))
    }

    /// The rule and the board size in the bytes of a key, even if the rest is damaged.
    pub(crate) fn terms(bytes: &[u8]) -> Option<(Rule, BoardSize)> {
        read_terms(bytes).map(|(rule, size, _)| (rule, size))
    }

    /// The canonical board. Its history lists the stones row by row, black and white mixed.
    pub fn board(&self) -> Board {
        read_board(&self.0).expect("a key holds a board")
    }

    /// The rule set.
    pub fn rule(&self) -> Rule {
        Rule::from_number(i64::from(self.0[0])).expect("a key has a rule")
    }

    /// Extents of the board.
    pub fn size(&self) -> BoardSize {
        BoardSize::new(i64::from(self.0[1]), i64::from(self.0[2])).expect("a key has a size")
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        side(read_count(&self.0[3..]).expect("a key has a number of stones").0)
    }

    /// Number of stones on the board.
    pub fn stones(&self) -> usize {
        read_count(&self.0[3..]).expect("a key has a number of stones").0 / 2
    }

    fn write(board: &Board, stones: usize, side: Color, cells: &[u16]) -> Key {
        let size = board.size();
        let mut bytes = Vec::with_capacity(6 + cells.len());
        bytes.extend([board.rule().number() as u8, size.width(), size.height()]);
        push_count(&mut bytes, 2 * stones + side.index());
        let mut next = 0;
        for &cell in cells {
            let (number, kind) = (usize::from(cell >> 2), cell as u8 & 3);
            let mut gap = number - next;
            while gap >= LONG_GAP {
                bytes.push(SKIP);
                gap -= LONG_GAP;
            }
            bytes.push(gap as u8 * 3 + kind);
            next = number + 1;
        }
        Key(bytes)
    }

    /// The common prefix of the keys of this rule (and board, if given), and the smallest bytes
    /// after these keys.
    pub(crate) fn range(rule: Rule, size: Option<BoardSize>) -> (Vec<u8>, Vec<u8>) {
        let rule = rule.number() as u8;
        match size {
            None => (vec![rule], vec![rule + 1]),
            Some(size) => {
                let (width, height) = (size.width(), size.height());
                (vec![rule, width, height], vec![rule, width, height + 1])
            }
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Column, row and kind of every occupied cell.
fn occupied(board: &Board) -> Vec<(u8, u8, u16)> {
    let stones = board.history();
    let mut cells = Vec::with_capacity(stones.len());
    cells.extend(
        stones.iter().map(|stone| (stone.point.x(), stone.point.y(), stone.color.index() as u16)),
    );
    if stones.len() + board.empty_count() < board.size().area() {
        cells.extend(board.walls().map(|wall| (wall.x(), wall.y(), 2)));
    }
    cells
}

/// The smallest occupied cell of each image, as [`turned`] writes it. The last four are valid only
/// for squares.
fn smallest_cells(size: BoardSize, cells: &[(u8, u8, u16)]) -> [u16; 8] {
    let mut smallest = [u16::MAX; 8];
    for &cell in cells {
        for (way, smallest) in smallest.iter_mut().enumerate() {
            *smallest = turned(size, way, cell).min(*smallest);
        }
    }
    smallest
}

/// The image of a cell under the symmetry `way` of [`Symmetry::ALL`], as cell number * 4 + kind.
#[inline]
fn turned(size: BoardSize, way: usize, (x, y, kind): (u8, u8, u16)) -> u16 {
    let (width, height) = (u16::from(size.width()), u16::from(size.height()));
    let (x, y) = (u16::from(x), u16::from(y));
    let x = if way & 1 != 0 { width - 1 - x } else { x };
    let y = if way & 2 != 0 { height - 1 - y } else { y };
    let number = if way & 4 != 0 { x * height + y } else { y * width + x };
    number * 4 + kind
}

/// Rule, board size and the rest of a key.
fn read_terms(bytes: &[u8]) -> Option<(Rule, BoardSize, &[u8])> {
    let &[rule, width, height, ref rest @ ..] = bytes else { return None };
    let rule = Rule::from_number(i64::from(rule))?;
    let size = BoardSize::new(i64::from(width), i64::from(height)).ok()?;
    Some((rule, size, rest))
}

fn read_board(bytes: &[u8]) -> Option<Board> {
    let (rule, size, rest) = read_terms(bytes)?;
    let (count, cells) = read_count(rest)?;
    let mut board = Board::new(size, rule);
    let mut next = 0;
    for &byte in cells {
        if byte == SKIP {
            next += LONG_GAP;
            continue;
        }
        next += usize::from(byte / 3);
        let point = size.numbered(next)?;
        match byte % 3 {
            0 => board.place(point, Color::Black),
            1 => board.place(point, Color::White),
            _ => board.wall(point),
        }
        .ok()?;
        next += 1;
    }
    board.set_side(side(count));
    (board.history().len() == count / 2).then_some(board)
}

fn side(count: usize) -> Color {
    if count.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// Appends a number so that the bytes sort in the order of the numbers.
fn push_count(bytes: &mut Vec<u8>, count: usize) {
    match count.checked_sub(ONE_BYTE_COUNT) {
        None => bytes.push(count as u8),
        Some(rest) => bytes.extend([(ONE_BYTE_COUNT + (rest >> 8)) as u8, rest as u8]),
    }
}

/// Reads a number written by [`push_count`]; also returns the remaining bytes.
fn read_count(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    let Some(high) = usize::from(first).checked_sub(ONE_BYTE_COUNT) else {
        return Some((usize::from(first), rest));
    };
    let (&low, rest) = rest.split_first()?;
    Some((ONE_BYTE_COUNT + (high << 8) + usize::from(low), rest))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tengen_testkit::random::Generator;

    use super::*;

    /// The stones and walls of every image, each sorted: equal sets mean equal positions.
    fn images(board: &Board) -> Vec<String> {
        let symmetries = Symmetry::of_size(board.size());
        let mut images: Vec<String> =
            symmetries.iter().map(|&symmetry| format!("{:?}", board.turned(symmetry))).collect();
        images.sort();
        images
    }

    fn square(side: i64) -> BoardSize {
        BoardSize::square(side).unwrap()
    }

    #[test]
    fn all_symmetries_of_a_board_share_the_key() {
        for seed in 0..400 {
            let (_, position) = Generator::from_seed(seed);
            let board = position.board();
            let key = Key::of(board);
            for &symmetry in Symmetry::of_size(board.size()) {
                let turned = board.turned(symmetry);
                let canonical = Canonical::of(&turned);
                assert_eq!(canonical.key, key, "{board:?}");
                let moved = turned.turned(canonical.symmetry);
                assert_eq!(moved.key(), key.board().key(), "{turned:?}");
            }
        }
    }

    #[test]
    fn rectangles_have_four_symmetries() {
        let size = BoardSize::new(9, 6).unwrap();
        let mut board = Board::new(size, Rule::Standard);
        board.place(Point::new(1, 0), Color::Black).unwrap();
        board.place(Point::new(4, 3), Color::White).unwrap();
        for &symmetry in &Symmetry::ALL[..4] {
            assert_eq!(Key::of(&board.turned(symmetry)), Key::of(&board));
        }
        for &symmetry in &Symmetry::ALL[4..] {
            let turned = board.turned(symmetry);
            assert_ne!(Key::of(&turned), Key::of(&board));
            assert_eq!(Key::of(&turned).size().to_string(), "6x9");
        }
    }

    #[test]
    fn keys_differ_unless_the_positions_are_images() {
        let mut seen: HashMap<Key, Vec<String>> = HashMap::new();
        let size = square(3);
        // Every position of up to four occupied cells on 3x3 boards, colours and walls mixed.
        let mut boards = vec![Board::new(size, Rule::Renju)];
        for _ in 0..4 {
            let mut longer = Vec::new();
            for board in &boards {
                let last = board.size().points().filter(|&point| !board.is_empty(point)).last();
                let free = board.empty_points().filter(|&point| last.is_none_or(|at| point > at));
                for point in free {
                    for color in Color::ALL {
                        let mut next = board.clone();
                        next.place(point, color).unwrap();
                        longer.push(next);
                    }
                    let mut next = board.clone();
                    next.wall(point).unwrap();
                    longer.push(next);
                }
            }
            for board in &longer {
                for side in Color::ALL {
                    let mut board = board.clone();
                    board.set_side(side);
                    let same = images(&board);
                    let first = seen.entry(Key::of(&board)).or_insert_with(|| same.clone());
                    assert_eq!(*first, same, "{board:?}");
                }
            }
            boards = longer;
        }
        let classes: std::collections::HashSet<&Vec<String>> = seen.values().collect();
        assert_eq!(classes.len(), seen.len());
        assert!(seen.len() > 2_000, "{}", seen.len());
    }

    #[test]
    fn rule_size_and_side_are_in_the_key() {
        let mut keys = Vec::new();
        for rule in Rule::ALL {
            for (width, height) in [(15, 15), (20, 20), (15, 20), (20, 15), (36, 36), (1, 1)] {
                for side in Color::ALL {
                    let mut board = Board::new(BoardSize::new(width, height).unwrap(), rule);
                    board.set_side(side);
                    let key = Key::of(&board);
                    assert_eq!((key.rule(), key.size()), (rule, board.size()));
                    assert_eq!((key.side_to_move(), key.stones()), (side, 0));
                    keys.push(key);
                }
            }
        }
        let count = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn bytes_round_trip_or_are_rejected() {
        for seed in 0..300 {
            let (_, position) = Generator::from_seed(seed);
            let key = Key::of(position.board());
            assert_eq!(Key::from_bytes(key.as_bytes()), Some(key.clone()));
            assert_eq!(key.stones(), position.board().history().len());
            let bytes = key.as_bytes();
            let shorter = Key::from_bytes(&bytes[..bytes.len() - 1]);
            let ends_with_wall = bytes.last().is_some_and(|byte| byte % 3 == 2);
            assert_eq!(shorter.is_some(), ends_with_wall, "{key:?}");
            assert_eq!(Key::from_bytes(&[bytes, &[0]].concat()), None);
            assert_eq!(Key::from_bytes(&[bytes, &[SKIP]].concat()), None);
            // A changed byte gives either no key or the key of another position.
            let mut changed = bytes.to_vec();
            let at = seed as usize % changed.len();
            changed[at] ^= 1;
            assert_ne!(Key::from_bytes(&changed), Some(key));
            let is_board = read_board(&changed).is_some();
            assert_eq!(Key::of_any_image(&changed).is_some(), is_board, "{changed:?}");
        }
        assert_eq!(Key::from_bytes(&[]), None);
        assert_eq!(Key::from_bytes(&[0, 15, 15]), None);
        assert_eq!(Key::from_bytes(&[2, 15, 15, 0]), None, "rule number 2 does not exist");
        assert_eq!(Key::from_bytes(&[0, 37, 15, 0]), None, "no board has 37 columns");
    }

    #[test]
    fn parents_lack_one_stone_of_the_opponent() {
        for seed in 0..200 {
            let (_, position) = Generator::from_seed(seed);
            let board = position.board();
            let mover = board.side_to_move().opponent();
            let mut count = 0;
            for (point, canonical) in Canonical::parents(board) {
                let mut before = Board::new(board.size(), board.rule());
                board.walls().for_each(|wall| before.wall(wall).unwrap());
                for stone in board.history().iter().filter(|stone| stone.point != point) {
                    before.place(stone.point, stone.color).unwrap();
                }
                before.set_side(mover);
                assert_eq!(canonical, Canonical::of(&before), "{board:?} without {point}");
                count += 1;
            }
            let stones = board.history().iter().filter(|stone| stone.color == mover);
            assert_eq!(count, stones.count());
        }
    }

    #[test]
    fn twenty_stones_take_twenty_four_bytes() {
        let mut board = Board::new(square(15), Rule::Freestyle);
        for number in 0..20 {
            let point = Point::new(2 + number % 5, 3 + number / 5);
            board.place(point, board.side_to_move()).unwrap();
        }
        assert_eq!(Key::of(&board).as_bytes().len(), 24);
    }

    #[test]
    fn keys_sort_by_number_of_stones() {
        let mut board = Board::new(square(36), Rule::Freestyle);
        let mut last = Key::of(&board);
        for point in board.size().points() {
            board.place(point, Color::White).unwrap();
            board.set_side(Color::Black);
            let key = Key::of(&board);
            assert!(key > last, "{} stones", board.history().len());
            assert_eq!(key.stones(), board.history().len());
            last = key;
        }
    }
}
