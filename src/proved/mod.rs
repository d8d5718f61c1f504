//! Positions that are proved to be won: for each rule and board an embedded book with the quiet moves
//! of the winner. The wins by threats that follow them are found by the search.
//!
//! `tengen prove book --compact` writes these books from certificates; `docs/solved.md` says which
//! openings are proved, and how to check the certificates.

mod book;
mod moves;

use std::sync::OnceLock;

pub use book::{ProvedBook, ProvedBookError};
pub use moves::{ProvedMoves, SameKey};

use crate::book::{BookMove, image_key};
use book::{find, is_of};
use tengen_rules::board::{Board, Stone};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{BoardSize, Color, Point, Rule};

/// The proved positions of a rule and a board.
struct Proved {
    rule: Rule,
    /// Rows and columns.
    side: u8,
    /// The moves to a position after which the loser is to move and all its moves lose: the winning
    /// first move, if the whole game is proved.
    opening: &'static str,
    /// The embedded book; empty where it is added later, see [`add_book`].
    bytes: &'static [u8],
    /// The book that was added.
    added: OnceLock<Vec<u8>>,
}

impl Proved {
    const fn new(rule: Rule, side: u8, opening: &'static str, bytes: &'static [u8]) -> Proved {
        Proved { rule, side, opening, bytes, added: OnceLock::new() }
    }

    fn size(&self) -> BoardSize {
        BoardSize::square(self.side.into()).expect("a valid size")
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

/// Books in files of this folder. WebAssembly modules have none embedded: a page loads them when they
/// are needed.
macro_rules! books {
    ($($rule:ident $side:literal $opening:literal $file:literal),+ $(,)?) => {
        static BOOKS: [Proved; [$($side),+].len()] = [$(Proved::new(
            Rule::$rule,
            $side,
            $opening,
            if cfg!(target_family = "wasm") { &[] } else { include_bytes!($file) },
        )),+];
    };
}

books! {
    Freestyle 15 "h8" "freestyle-15x15.book",
    Standard 15 "h8" "standard-15x15.book",
}

/// For each rule and board with proofs, the shortest game after which all moves are proved to lose: only
/// the first move, if the whole game is proved. The loser is to move.
///
/// ```
/// use tengen::{Rule, proved};
///
/// let mut openings = proved::openings();
/// assert!(openings.any(|game| game.rule() == Rule::Freestyle));
/// ```
pub fn openings() -> impl Iterator<Item = Game> {
    BOOKS.iter().map(|it| {
        let mut game = Game::new(it.size(), it.rule);
        for name in it.opening.split_whitespace() {
            game.play(game.point(name).expect("a cell of the board"));
        }
        game
    })
}

/// The book for the rule and the board of a position.
fn book_for(board: &Board) -> Option<&'static Proved> {
    BOOKS.iter().find(|it| is_of(board, it.rule, it.side))
}

/// Adds a book to a WebAssembly module, which has none embedded. `name` is the name of its file here,
/// such as `freestyle-15x15`. Returns whether there is such a book.
///
/// # Errors
/// When the bytes are not an undamaged book for the rule and board of this name.
pub fn add_book(name: &str, bytes: &[u8]) -> Result<bool, ProvedBookError> {
    let Some(proved) = BOOKS.iter().find(|it| it.name() == name) else { return Ok(false) };
    let (expected, found) = ((proved.rule, proved.side), ProvedBook::from_bytes(bytes)?.terms());
    if found != expected {
        return Err(ProvedBookError::OtherBoard { expected, found });
    }
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
/// for at in ["h8", "h9"] {
///     game.try_play(game.point(at)?)?;
/// }
/// assert!(proved::winning_move(game.board()).is_some_and(|it| it.is_proved()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn winning_move(board: &Board) -> Option<BookMove> {
    let found = find(book_for(board)?.book(), board)?;
    let side = board.side_to_move();
    let is_legal = board.is_empty(found)
        && !(board.rule().has_fouls(side) && is_foul(&Position::from_board(board), found, side));
    is_legal.then_some(BookMove::proved(found))
}

/// A proved result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvedResult {
    /// This move wins.
    Win(Point),
    /// The opponent wins against every move.
    Loss,
}

impl ProvedResult {
    /// The side that wins a position with this side to move.
    pub fn winner(self, side: Color) -> Color {
        match self {
            ProvedResult::Win(_) => side,
            ProvedResult::Loss => side.opponent(),
        }
    }
}

/// The proved result of a position: a win if there is a [`winning_move`], a loss if the position is
/// one after such a move. `None` says nothing about the position.
///
/// ```
/// use tengen::proved::{self, ProvedResult};
/// use tengen::{BoardSize, Game, Rule};
///
/// let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
/// for at in ["h8", "h9"] {
///     game.try_play(game.point(at)?)?;
/// }
/// let Some(ProvedResult::Win(best)) = proved::result(game.board()) else { panic!("not proved") };
/// game.try_play(best)?;
/// assert_eq!(proved::result(game.board()), Some(ProvedResult::Loss));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn result(board: &Board) -> Option<ProvedResult> {
    if let Some(win) = winning_move(board) {
        return Some(ProvedResult::Win(win.point));
    }
    book_for(board)?;
    let opponent = board.side_to_move().opponent();
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
    own.any(is_last).then_some(ProvedResult::Loss)
}

/// The side that is proved to win, see [`result`]. `None` says nothing about the position.
pub fn winner(board: &Board) -> Option<Color> {
    result(board).map(|it| it.winner(board.side_to_move()))
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
    use tengen_testkit::game;

    fn board(moves: &str) -> Board {
        game(Rule::Freestyle, moves).board().clone()
    }

    #[test]
    fn result_is_the_same_before_and_after_the_proved_move_in_any_order() {
        let mut before = board("h8 h9");
        let Some(ProvedResult::Win(win)) = result(&before) else { panic!("not proved") };
        assert_eq!(winner(&before), Some(Color::Black));
        before.place(win, Color::Black).unwrap();
        assert_eq!(result(&before), Some(ProvedResult::Loss));
        assert_eq!(winner(&before), Some(Color::Black));
        let mut turned = without(&before, before.history()[0]);
        turned.place(before.history()[0].point, Color::Black).unwrap();
        assert_eq!(result(&turned), Some(ProvedResult::Loss));
        // White to move instead: nothing is known.
        let mut passed = before.clone();
        passed.set_side(Color::Black);
        assert_eq!(winner(&passed), None);
        assert_eq!(winner(&board("a1 o15 a3")), None);
    }

    #[test]
    fn embedded_books_are_whole_and_of_their_rule() {
        for proved in &BOOKS {
            let book = ProvedBook::from_bytes(proved.bytes).unwrap();
            assert!(!book.is_empty());
            assert_eq!(book.terms(), (proved.rule, proved.side), "{}", proved.name());
        }
    }

    #[test]
    fn openings_are_the_shortest_that_the_books_prove() {
        assert_eq!(openings().count(), BOOKS.len());
        for opening in openings() {
            assert_eq!(result(opening.board()), Some(ProvedResult::Loss), "{}", opening.rule());
            let start = Board::new(opening.size(), opening.rule());
            if let Some(first) = winning_move(&start) {
                assert_eq!(opening.moves().collect::<Vec<_>>(), [first.point]);
            }
        }
    }

    #[test]
    fn books_are_added_by_name() {
        let bytes = include_bytes!("freestyle-15x15.book");
        assert_eq!(add_book("freestyle-15x15", bytes), Ok(true));
        assert_eq!(add_book("freestyle-19x19", bytes), Ok(false));
        assert!(add_book("freestyle-15x15", &bytes[1..]).is_err());
        let other = ProvedMoves::new(Rule::Standard, 15).unwrap().to_book().unwrap();
        assert_eq!(
            add_book("freestyle-15x15", other.as_bytes()).unwrap_err().to_string(),
            "positions of standard on 15x15 (expected freestyle on 15x15)"
        );
        assert!(winning_move(&board("h8 h9")).is_some());
    }
}
