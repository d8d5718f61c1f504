//! Winning moves of proved positions, from which books are written.

use std::collections::{BTreeMap, HashSet};

use super::book::{MOST_SIDE, ProvedBook, is_of, point_of, short};
use crate::book::canonical;
use tengen_rules::board::Board;
use tengen_rules::types::{Color, Point, Rule};

/// Winning moves of proved positions with one rule and square board.
///
/// ```
/// use tengen::proved::ProvedMoves;
/// use tengen::{Board, BoardSize, Point, Rule};
///
/// let board = Board::new(BoardSize::square(15)?, Rule::Freestyle);
/// let mut moves = ProvedMoves::new(Rule::Freestyle, 15).expect("at most 16 rows");
/// moves.insert(&board, Point::new(7, 7));
/// let book = moves.to_book().expect("one position");
/// assert_eq!(book.winning_move(&board), Some(Point::new(7, 7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProvedMoves {
    rule: Rule,
    side: u8,
    /// The numbers of cells by the keys of opening books, which are longer than those of the
    /// [`ProvedBook`].
    cells: BTreeMap<u64, u8>,
}

/// The reason why moves cannot be written: a book cannot distinguish two positions. The keys of
/// [`ProvedBook`] are too short for these moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SameKey;

impl std::fmt::Display for SameKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("two positions have the same key (a book needs longer keys for these moves)")
    }
}

impl std::error::Error for SameKey {}

impl ProvedMoves {
    /// No moves yet; `None` if the board has no row or more than 16.
    pub fn new(rule: Rule, side: u8) -> Option<ProvedMoves> {
        (1..=MOST_SIDE).contains(&side).then(|| ProvedMoves { rule, side, cells: BTreeMap::new() })
    }

    /// Sets the winning move of a position of this rule and board.
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

    /// The positions that occur from `start` on when the winner plays these moves, against any
    /// replies. The others need no space where a book itself chooses the moves.
    ///
    /// # Errors
    /// When a book would take one of the positions with the winner to move for another one.
    pub fn reachable_from(&self, start: &Board, winner: Color) -> Result<ProvedMoves, SameKey> {
        let short_keys = self.cells.keys().copied().map(short).collect();
        let cells = BTreeMap::new();
        let mut walk = Walk { moves: self, short_keys, reached: ProvedMoves { cells, ..*self } };
        let mut board = start.clone();
        match board.side_to_move() == winner {
            true => walk.reach(&mut board)?,
            false => walk.reach_replies(&mut board)?,
        }
        Ok(walk.reached)
    }

    /// The book of these moves.
    ///
    /// # Errors
    /// When two positions have the same key there.
    pub fn to_book(&self) -> Result<ProvedBook, SameKey> {
        let entries = self.cells.iter().map(|(&key, &cell)| (short(key), cell));
        let mut entries: Vec<_> = entries.collect();
        entries.sort_unstable();
        if !entries.is_sorted_by(|(a, _), (b, _)| a < b) {
            return Err(SameKey);
        }
        Ok(ProvedBook::write(self.rule, self.side, &entries))
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

/// A walk through the positions that the moves lead to.
struct Walk<'a> {
    moves: &'a ProvedMoves,
    /// The keys of all moves in a book.
    short_keys: HashSet<u64>,
    reached: ProvedMoves,
}

impl Walk<'_> {
    /// Adds a position with the winner to move and those after it.
    fn reach(&mut self, board: &mut Board) -> Result<(), SameKey> {
        let (key, symmetry) = canonical(board);
        let Some(&cell) = self.moves.cells.get(&key) else {
            return if self.short_keys.contains(&short(key)) { Err(SameKey) } else { Ok(()) };
        };
        if self.reached.cells.insert(key, cell).is_none()
            && let Some(win) = point_of(board.size(), symmetry, cell)
        {
            board.place_unchecked(win, board.side_to_move());
            self.reach_replies(board)?;
            board.undo();
        }
        Ok(())
    }

    fn reach_replies(&mut self, board: &mut Board) -> Result<(), SameKey> {
        let side = board.side_to_move();
        let replies: Vec<Point> = board.empty_points().collect();
        for at in replies {
            board.place_unchecked(at, side);
            self.reach(board)?;
            board.undo();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proved::book::find;
    use tengen_rules::types::Symmetry;
    use tengen_testkit::game;

    fn board(moves: &str) -> Board {
        game(Rule::Freestyle, moves).board().clone()
    }

    #[test]
    fn all_images_and_orders_have_the_move() {
        let mut moves = ProvedMoves::new(Rule::Freestyle, 15).unwrap();
        let start = board("h8 i9 d5");
        let win = Point::new(5, 9);
        moves.insert(&start, win);
        let book = moves.to_book().unwrap();
        let bytes = book.as_bytes();
        for &symmetry in Symmetry::of_size(start.size()) {
            let turned = start.turned(symmetry);
            let expected = Some(symmetry.point(start.size(), win));
            assert_eq!(find(bytes, &turned), expected, "{symmetry:?}");
            assert_eq!(book.winning_move(&turned), expected, "{symmetry:?}");
        }
        assert!(find(bytes, &board("d5 i9 h8")).is_some());
        let standard = game(Rule::Standard, "h8 i9 d5");
        assert_eq!(book.winning_move(standard.board()), None);
        let mut passed = start.clone();
        passed.set_side(passed.side_to_move().opponent());
        assert_eq!(find(bytes, &passed), None);
        assert_eq!(find(&[], &start), None);
    }

    #[test]
    fn reachable_positions_follow_the_moves() {
        let mut all = ProvedMoves::new(Rule::Freestyle, 15).unwrap();
        let moves = [("", "h8"), ("h8 a1", "i9"), ("h8 b1", "i9"), ("h8 a1 i9 a2", "c3")];
        // Another move than those of the book led to the last ones.
        let others = [("h8 a1 j9 a2", "c4"), ("h8 a1 j9 a3", "c4")];
        for (moves, win) in moves.into_iter().chain(others) {
            all.insert(&board(moves), game(Rule::Freestyle, moves).point(win).unwrap());
        }
        let reached = all.reachable_from(&board(""), Color::Black).unwrap();
        assert_eq!(reached.len(), moves.len());
        let (reached, all_moves) = (reached.to_book().unwrap(), all.to_book().unwrap());
        for (moves, _) in moves {
            let win = all_moves.winning_move(&board(moves));
            assert!(win.is_some() && reached.winning_move(&board(moves)) == win, "{moves}");
        }
        let replies = all.reachable_from(&board("h8"), Color::Black).unwrap();
        assert_eq!(replies.len(), moves.len() - 1);
        assert!(all.reachable_from(&board("h8 a1 i9"), Color::White).unwrap().is_empty());
    }

    #[test]
    fn positions_that_a_book_takes_for_others_are_refused() {
        let mut moves = ProvedMoves::new(Rule::Freestyle, 15).unwrap();
        moves.insert(&board(""), Point::new(7, 7));
        // Keys that differ in a bit that the book does not have.
        let (reply, _) = canonical(&board("h8 c4"));
        moves.cells.insert(reply ^ 1, 112);
        assert!(moves.to_book().is_ok());
        assert_eq!(moves.reachable_from(&board(""), Color::Black).unwrap_err(), SameKey);
        moves.cells.insert(reply, 112);
        assert_eq!(moves.to_book().unwrap_err(), SameKey);
    }
}
