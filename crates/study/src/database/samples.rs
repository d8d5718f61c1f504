//! Boards and records for the tests of this folder.

use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Point, Rule, Score};
use tengen_store::{
    Bound, Entry, Evaluation, Evidence, Filter, GameValue, KnownResult, Provenance, Record, Store,
};

/// Moves of a game of renju whose last one is a forbidden double four. The position after it can be
/// reached by legal moves in another order, and White, to move, loses in two plies.
pub(super) const DOUBLE_FOUR: [(u8, u8); 13] = [
    (4, 7),
    (3, 7),
    (5, 7),
    (7, 3),
    (6, 7),
    (6, 6),
    (7, 4),
    (5, 6),
    (7, 5),
    (6, 5),
    (7, 6),
    (8, 8),
    (7, 7),
];

/// Two moves after (6, 4) and (7, 7) that lead to images of one position, although no symmetry of
/// the board maps one to the other: the quarter turns of the first stone.
pub(super) const TURNED_MOVES: [(u8, u8); 2] = [(10, 6), (4, 8)];

/// An empty database in a temporary folder.
pub(super) fn new_store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("x.tdb")).unwrap();
    (folder, store)
}

/// A database with these records.
pub(super) fn store_of(
    records: impl IntoIterator<Item = (Board, Record)>,
) -> (tempfile::TempDir, Store) {
    let (folder, mut store) = new_store();
    let mut batch = store.batch().unwrap();
    for (board, record) in records {
        batch.put(&board, &record).unwrap();
    }
    batch.commit().unwrap();
    (folder, store)
}

/// All records of a database.
pub(super) fn entries(store: &Store) -> Vec<Entry> {
    store.reader().entries(&Filter::default()).map(Result::unwrap).collect()
}

/// A board of freestyle, 15x15, after moves.
pub(super) fn board(moves: &[(u8, u8)]) -> Board {
    board_of(Rule::Freestyle, moves)
}

/// A 15x15 board after moves.
pub(super) fn board_of(rule: Rule, moves: &[(u8, u8)]) -> Board {
    let mut board = Board::new(BoardSize::square(15).unwrap(), rule);
    for &(x, y) in moves {
        board.place(Point::new(x, y), board.side_to_move()).unwrap();
    }
    board
}

/// A position that was searched, without moves.
pub(super) fn searched(score: Score) -> Record {
    let evaluation = Evaluation {
        score,
        depth: 5,
        bound: Bound::Exact,
        nodes: 10,
        moves: Vec::new(),
        provenance: Provenance::default(),
    };
    Record { evaluation: Some(evaluation), ..Record::default() }
}

/// A position with this result.
pub(super) fn with_result(value: GameValue, evidence: Evidence, distance: Option<u16>) -> Record {
    let provenance = Provenance::default();
    let result = KnownResult { value, distance, evidence, best: None, provenance };
    Record { result: Some(result), ..Record::default() }
}
