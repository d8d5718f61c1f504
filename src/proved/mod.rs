//! Positions that are proved to be won: for each rule and board an embedded book with the quiet moves
//! of the winner. The wins by threats that follow them are found by the search.
//!
//! `tengen prove book` writes these books from certificates; `docs/solved.md` says which openings are
//! proved, and how to check the certificates.

use std::sync::OnceLock;

use crate::book::{Book, BookMove};
use tengen_rules::board::Board;
use tengen_rules::types::Rule;

/// The proved positions of a rule and a board.
struct Proved {
    rule: Rule,
    /// Rows and columns.
    side: u8,
    bytes: &'static [u8],
    book: OnceLock<Book>,
}

impl Proved {
    const fn new(rule: Rule, side: u8, bytes: &'static [u8]) -> Proved {
        Proved { rule, side, bytes, book: OnceLock::new() }
    }

    fn has(&self, board: &Board) -> bool {
        let size = board.size();
        board.rule() == self.rule && (size.width(), size.height()) == (self.side, self.side)
    }

    /// The book, read on first use.
    fn book(&self) -> &Book {
        self.book.get_or_init(|| Book::from_bytes(self.bytes).unwrap_or_default())
    }
}

static BOOKS: [Proved; 1] =
    [Proved::new(Rule::Freestyle, 15, include_bytes!("freestyle-15x15.book"))];

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
    proved.book().moves(board).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_books_are_whole_and_have_proved_moves_only() {
        for proved in &BOOKS {
            let book = Book::from_bytes(proved.bytes).unwrap();
            assert!(!book.is_empty());
            assert_eq!(book.move_count(), book.len());
            assert!(book.all_are_proved());
        }
    }
}
