//! Keys of positions that are invariant under rotation and reflection.

use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Point, Rule, Symmetry};

/// A position in all its symmetric images.
pub(super) struct SymmetricBoards {
    size: BoardSize,
    boards: Vec<(Symmetry, Board)>,
}

impl SymmetricBoards {
    /// The empty board.
    pub(super) fn new(rule: Rule, size: BoardSize) -> SymmetricBoards {
        let board = |&symmetry: &Symmetry| (symmetry, Board::new(size, rule));
        SymmetricBoards { size, boards: Symmetry::of_size(size).iter().map(board).collect() }
    }

    /// Places a stone of the side to move.
    pub(super) fn play(&mut self, point: Point) {
        for (symmetry, board) in &mut self.boards {
            let side = board.side_to_move();
            board.place_unchecked(symmetry.point(self.size, point), side);
        }
    }

    /// Removes the last stone.
    pub(super) fn undo(&mut self) {
        for (_, board) in &mut self.boards {
            board.undo();
        }
    }

    /// Equal for all symmetric images of a position.
    pub(super) fn key(&self) -> u64 {
        self.boards.iter().map(|(_, board)| board.key()).min().unwrap_or(0)
    }

    /// The key of the position after these moves.
    pub(super) fn key_after(&mut self, moves: &[Point]) -> u64 {
        moves.iter().for_each(|&point| self.play(point));
        let key = self.key();
        moves.iter().for_each(|_| self.undo());
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_positions_have_equal_keys() {
        for size in ["15", "9x12"] {
            let size: BoardSize = size.parse().unwrap();
            let moves = [Point::new(1, 2), Point::new(3, 3), Point::new(8, 0)];
            let key = |moves: &[Point]| {
                let mut boards = SymmetricBoards::new(Rule::Renju, size);
                moves.iter().for_each(|&point| boards.play(point));
                boards.key()
            };
            for &symmetry in Symmetry::of_size(size) {
                assert_eq!(key(&moves.map(|point| symmetry.point(size, point))), key(&moves));
            }
            assert_ne!(key(&moves[..2]), key(&moves));
            assert_ne!(key(&[moves[1], moves[0]]), key(&moves[..2]));
            let mut boards = SymmetricBoards::new(Rule::Renju, size);
            moves.iter().for_each(|&point| boards.play(point));
            boards.undo();
            assert_eq!(boards.key(), key(&moves[..2]));
            assert_eq!(boards.key_after(&moves[2..]), key(&moves));
            assert_eq!(boards.key(), key(&moves[..2]));
        }
    }
}
