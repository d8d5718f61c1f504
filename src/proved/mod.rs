//! Positions that are proved to be won: for each rule and board an embedded book with the quiet moves
//! of the winner. The wins by threats that follow them are found by the search.
//!
//! `tengen prove book` writes these books from certificates; `docs/solved.md` says which openings are
//! proved, and how to check the certificates.

use std::sync::OnceLock;

use crate::book::{Book, BookError, BookMove, image_key, moves_in};
use tengen_rules::board::{Board, Stone};
use tengen_rules::types::{Color, Rule};

/// The proved positions of a rule and a board.
struct Proved {
    rule: Rule,
    /// Rows and columns.
    side: u8,
    /// The embedded book; empty where it is added later, see [`add_book`].
    bytes: &'static [u8],
    /// The book that was added.
    added: OnceLock<Vec<u8>>,
}

impl Proved {
    const fn new(rule: Rule, side: u8, bytes: &'static [u8]) -> Proved {
        Proved { rule, side, bytes, added: OnceLock::new() }
    }

    fn has(&self, board: &Board) -> bool {
        let size = board.size();
        board.rule() == self.rule && (size.width(), size.height()) == (self.side, self.side)
    }

    /// The name of the book, such as `freestyle-15x15`.
    fn name(&self) -> String {
        format!("{}-{}x{}", self.rule, self.side, self.side)
    }

    /// The bytes of the book; empty if there is none.
    fn book(&self) -> &[u8] {
        match self.added.get() {
            Some(bytes) if self.bytes.is_empty() => bytes,
            _ => self.bytes,
        }
    }
}

/// Whether the books are embedded. A page loads them when they are needed.
const ARE_EMBEDDED: bool = !cfg!(target_family = "wasm");

static BOOKS: [Proved; 1] = [Proved::new(
    Rule::Freestyle,
    15,
    if ARE_EMBEDDED { include_bytes!("freestyle-15x15.book") } else { &[] },
)];

/// Adds a book to a WebAssembly module, which has none embedded. `name` is the name of its file here,
/// such as `freestyle-15x15`. Returns whether there is such a book.
///
/// # Errors
/// When the bytes are not an undamaged book.
pub fn add_book(name: &str, bytes: &[u8]) -> Result<bool, BookError> {
    let Some(proved) = BOOKS.iter().find(|it| it.name() == name) else { return Ok(false) };
    Book::from_bytes(bytes)?;
    // A second copy is the same.
    _ = proved.added.set(bytes.to_vec());
    Ok(true)
}

/// A move that is proved to win for the side to move, by quiet moves and threats. `None` says nothing
/// about the position: it may also be won by threats alone.
///
/// ```
/// use tengen::{Game, Rule, BoardSize, proved};
///
/// let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
/// for at in ["h8", "h9", "i9", "h10"] {
///     game.try_play(game.point(at)?)?;
/// }
/// assert!(proved::winning_move(game.board()).is_some_and(|it| it.is_proved()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn winning_move(board: &Board) -> Option<BookMove> {
    let proved = BOOKS.iter().find(|it| it.has(board))?;
    moves_in(proved.book(), board).into_iter().next()
}

/// The side that is proved to win: the side to move if it has a [`winning_move`], else its opponent
/// if the position is one after such a move. `None` says nothing about the position.
///
/// ```
/// use tengen::{BoardSize, Color, Game, Rule, proved};
///
/// let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
/// for at in ["h8", "h9", "i9", "h10"] {
///     game.try_play(game.point(at)?)?;
/// }
/// let best = proved::winning_move(game.board()).expect("a proved opening").point;
/// assert_eq!(proved::winner(game.board()), Some(Color::Black));
/// game.try_play(best)?;
/// assert_eq!(proved::winner(game.board()), Some(Color::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn winner(board: &Board) -> Option<Color> {
    let side = board.side_to_move();
    if winning_move(board).is_some() {
        return Some(side);
    }
    if !BOOKS.iter().any(|it| it.has(board)) {
        return None;
    }
    let opponent = side.opponent();
    let key = image_key(board);
    let mut own = board.history().iter().filter(|stone| stone.color == opponent);
    // A mirror image of the proved move is as good.
    let is_last = |stone: &Stone| {
        let mut before = without(board, *stone);
        winning_move(&before).is_some_and(|it| {
            before.place_unchecked(it.point, opponent);
            image_key(&before) == key
        })
    };
    own.any(is_last).then_some(opponent)
}

/// The position before a stone was placed, if it was the last one.
fn without(board: &Board, last: Stone) -> Board {
    let mut before = Board::new(board.size(), board.rule());
    for wall in board.walls() {
        before.wall(wall).expect("a wall of the board");
    }
    for stone in board.history().iter().filter(|stone| **stone != last) {
        before.place(stone.point, stone.color).expect("a stone of the board");
    }
    before.set_side(last.color);
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::game::Game;
    use tengen_rules::types::BoardSize;

    fn board(moves: &str) -> Board {
        let mut game = Game::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for name in moves.split(' ') {
            game.try_play(game.point(name).unwrap()).unwrap();
        }
        game.board().clone()
    }

    #[test]
    fn winner_is_the_same_before_and_after_the_proved_move_in_any_order() {
        let mut before = board("h8 h9 i9 h10");
        let proved = winning_move(&before).unwrap().point;
        assert_eq!(winner(&before), Some(Color::Black));
        before.place(proved, Color::Black).unwrap();
        assert_eq!(winner(&before), Some(Color::Black));
        let mut turned = without(&before, before.history()[0]);
        turned.place(before.history()[0].point, Color::Black).unwrap();
        assert_eq!(winner(&turned), Some(Color::Black));
        // White to move instead: nothing is known.
        let mut passed = before.clone();
        passed.set_side(Color::Black);
        assert_eq!(winner(&passed), None);
        assert_eq!(winner(&board("a1 o15 a3")), None);
    }

    #[test]
    fn embedded_books_are_whole_and_have_proved_moves_only() {
        for proved in &BOOKS {
            let book = Book::from_bytes(proved.bytes).unwrap();
            assert!(!book.is_empty());
            assert_eq!(book.move_count(), book.len());
            assert!(book.all_are_proved());
        }
    }

    #[test]
    fn books_are_added_by_name() {
        let bytes = include_bytes!("freestyle-15x15.book");
        assert!(add_book("freestyle-15x15", bytes).unwrap());
        assert!(!add_book("freestyle-19x19", bytes).unwrap());
        assert!(add_book("freestyle-15x15", &bytes[1..]).is_err());
        assert!(winning_move(&board("h8 h9 i9 h10")).is_some());
    }
}
