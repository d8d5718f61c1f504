//! Requests of an explorer of databases: show a position, change its texts, keep the result of a
//! search.

use std::cmp::Reverse;

use serde::Deserialize;

use super::answers::ShownPosition;
use super::minimax::before_move;
use super::values::{own_provenance, propagate, propagate_all};
use crate::analysis::BestMoves;
use crate::cell::Cell;
use tengen_rules::board::Board;
use tengen_rules::types::{Point, Score};
use tengen_store::{
    Bound, Error, Evaluation, GamesRule, Key, Merged, Reader, Record, ScoredMove, Store,
};

/// The record of a position and the moves from it with their records.
pub type KnownMoves = (Option<Record>, Vec<(Point, Record)>);

/// The position and the moves from it, the best known move first, then those of more games.
///
/// # Errors
/// When the database cannot be read.
pub fn show(reader: &Reader<'_>, board: &Board) -> Result<KnownMoves, Error> {
    let record = reader.get(board)?;
    let children = reader.children(board)?;
    let mut moves: Vec<(Point, Record)> =
        children.into_iter().map(|child| (child.point, child.record)).collect();
    moves.sort_by_key(|(point, record)| {
        let value = record.value().map(before_move);
        (Reverse(value), Reverse(record.games.total()), *point)
    });
    Ok((record, moves))
}

impl ShownPosition {
    /// The answer for a position of a database.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn read(reader: &Reader<'_>, board: &Board) -> Result<ShownPosition, Error> {
        let (record, moves) = show(reader, board)?;
        Ok(ShownPosition::new(board, record.as_ref(), &moves))
    }
}

/// Changes of the texts of a position. Absent texts stay, empty ones are removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edit {
    /// The label, one line.
    #[serde(default)]
    pub label: Option<String>,
    /// The comment.
    #[serde(default)]
    pub comment: Option<String>,
}

/// Changes the texts of a position. If the database does not have it, it is added, and its values
/// are computed. `time` is in seconds since 1970.
///
/// # Errors
/// When a text is too long, or the database cannot be written.
pub fn edit(store: &mut Store, board: &Board, edit: Edit, time: u32) -> Result<(), Error> {
    let Edit { label, comment } = edit;
    let change = |record: &mut Record| {
        record.label = label.unwrap_or_else(|| std::mem::take(&mut record.label));
        record.comment = comment.unwrap_or_else(|| std::mem::take(&mut record.comment));
    };
    edit_texts(store, board, change, time)
}

/// Like [`edit`], with a function that changes the texts.
///
/// # Errors
/// The errors of [`edit`].
pub fn edit_texts(
    store: &mut Store,
    board: &Board,
    change: impl FnOnce(&mut Record),
    time: u32,
) -> Result<(), Error> {
    let mut batch = store.batch()?;
    let is_new = !batch.reader().contains(board)?;
    batch.edit(board, change)?;
    if is_new {
        propagate(&mut batch, &Key::of(board), time)?;
    }
    batch.commit()
}

/// Deletes a position and updates the values of the positions before it. `time` is in seconds since
/// 1970.
///
/// # Errors
/// When the database cannot be read or written.
pub fn remove(store: &mut Store, board: &Board, time: u32) -> Result<(), Error> {
    let mut batch = store.batch()?;
    if batch.delete(board)? {
        propagate(&mut batch, &Key::of(board), time)?;
    }
    batch.commit()
}

/// Keeps the result of this program's search of a position, which is added if the database does not
/// have it, and updates the values of the positions before it. `time` is in seconds since 1970.
/// Returns whether the record changed: a search with more nodes stays, and a search without an
/// iteration has no result.
///
/// # Errors
/// When the database cannot be written.
pub fn keep_search(
    store: &mut Store,
    board: &Board,
    found: &BestMoves,
    time: u32,
) -> Result<bool, Error> {
    let Some(evaluation) = evaluation_of(found, time) else { return Ok(false) };
    let record = Record { evaluation: Some(evaluation), ..Record::default() };
    let mut batch = store.batch()?;
    let Merged { changed, .. } = batch.merge(board, &record, GamesRule::Largest)?;
    if changed {
        propagate_all(&mut batch, [Key::of(board)], time)?;
    }
    batch.commit()?;
    Ok(changed)
}

fn evaluation_of(found: &BestMoves, time: u32) -> Option<Evaluation> {
    let first = found.lines.first().filter(|line| line.depth > 0)?;
    let moves = found.lines.iter().map(|line| {
        let Cell(point) = line.r#move;
        ScoredMove { point, score: Some(Score::raw(line.score)) }
    });
    Some(Evaluation {
        score: Score::raw(first.score),
        depth: u16::try_from(first.depth).unwrap_or(u16::MAX),
        bound: Bound::Exact,
        nodes: found.nodes,
        moves: moves.collect(),
        provenance: own_provenance(time),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Line;
    use crate::database::samples::{DOUBLE_FOUR, board_of, new_store, with_result};
    use tengen_rules::types::Rule;
    use tengen_store::{Evidence, GameValue};

    fn board(moves: &[(u8, u8)]) -> Board {
        board_of(Rule::Renju, moves)
    }

    fn found(scores: &[(u8, i32)], nodes: u64) -> BestMoves {
        let line = |(rank, &(x, score)): (usize, &(u8, i32))| Line {
            rank,
            r#move: Cell(Point::new(x, 6)),
            score,
            win_rate: 0.5,
            forced: None,
            depth: 9,
            selective_depth: 12,
            pv: vec![Cell(Point::new(x, 6))],
        };
        BestMoves { state: None, lines: (1..).zip(scores).map(line).collect(), nodes, ms: 1 }
    }

    #[test]
    fn edit_adds_the_position_and_keeps_absent_texts() {
        let (_folder, mut store) = new_store();
        let board = board(&[(7, 7)]);
        edit(&mut store, &board, Edit::default(), 1).unwrap();
        assert_eq!(store.get(&board).unwrap(), Some(Record::default()));
        let label = Edit { label: Some("main".to_string()), comment: Some("long".to_string()) };
        edit(&mut store, &board, label, 1).unwrap();
        let empty = Edit { label: Some(String::new()), comment: None };
        edit(&mut store, &board, empty, 1).unwrap();
        let record = store.get(&board).unwrap().unwrap();
        assert_eq!((record.label.as_str(), record.comment.as_str()), ("", "long"));
        let long = Edit { label: Some("x".repeat(65)), comment: None };
        assert!(matches!(edit(&mut store, &board, long, 1), Err(Error::InvalidRecord { .. })));
    }

    #[test]
    fn searches_with_more_nodes_stay() {
        let (_folder, mut store) = new_store();
        let board = board(&[(7, 7), (8, 8)]);
        let mut keep = |found: &BestMoves| keep_search(&mut store, &board, found, 5).unwrap();
        assert!(keep(&found(&[(6, 30), (5, 10)], 2_000)));
        assert!(!keep(&found(&[(4, 99)], 1_000)));
        assert!(!keep(&BestMoves::default()));
        let stored = store.get(&board).unwrap().unwrap().evaluation.unwrap();
        assert_eq!((stored.score, stored.depth, stored.nodes), (Score::raw(30), 9, 2_000));
        let points: Vec<Point> = stored.moves.iter().map(|scored| scored.point).collect();
        assert_eq!(points, [Point::new(6, 6), Point::new(5, 6)]);
    }

    #[test]
    fn best_moves_come_first() {
        let (_folder, mut store) = new_store();
        let (root, time) = (board(&[(7, 7)]), 1);
        let after = |x| board(&[(7, 7), (x, 3)]);
        keep_search(&mut store, &after(3), &found(&[(1, 50)], 10), time).unwrap();
        keep_search(&mut store, &after(5), &found(&[(1, -20)], 10), time).unwrap();
        edit(&mut store, &after(1), Edit::default(), time).unwrap();
        let shown = ShownPosition::read(&store.reader(), &root).unwrap();
        assert!(!shown.known);
        // Symmetric moves are listed, too.
        let scores: Vec<Option<i32>> = shown.moves.iter().map(|it| it.score).collect();
        assert_eq!(scores.first(), Some(&Some(20)));
        assert_eq!(scores.last(), Some(&None));
        assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    }

    #[test]
    fn forbidden_moves_are_not_listed() {
        let (_folder, mut store) = new_store();
        let [before, after] = [12, 13].map(|count| board(&DOUBLE_FOUR[..count]));
        edit(&mut store, &after, Edit::default(), 1).unwrap();
        assert_eq!(show(&store.reader(), &before).unwrap(), (None, Vec::new()));
    }

    #[test]
    fn changes_without_searches_give_no_tree_values() {
        let (_folder, mut store) = new_store();
        let lines: [&[(u8, u8)]; 3] = [&[(6, 4)], &[(6, 4), (7, 7)], &[(6, 4), (8, 8)]];
        let [root, won, other] = lines.map(board);
        let claimed = with_result(GameValue::Loss, Evidence::Claimed, Some(6));
        store.put(&won, &claimed).unwrap();
        edit(&mut store, &other, Edit::default(), 1).unwrap();
        edit(&mut store, &root, Edit::default(), 1).unwrap();
        assert_eq!(store.get(&root).unwrap(), Some(Record::default()));
        remove(&mut store, &other, 1).unwrap();
        assert_eq!(store.get(&root).unwrap(), Some(Record::default()));
    }

    #[test]
    fn kept_searches_and_deletions_update_earlier_positions() {
        let (_folder, mut store) = new_store();
        let (first, second, third) =
            (board(&[(6, 4)]), board(&[(6, 4), (7, 7)]), board(&[(6, 4), (7, 7), (3, 9)]));
        keep_search(&mut store, &first, &found(&[(1, 40)], 10), 1).unwrap();
        keep_search(&mut store, &third, &found(&[(2, 90)], 10), 1).unwrap();
        let tree = |store: &Store| store.get(&first).unwrap().unwrap().tree;
        assert_eq!(tree(&store), None, "the position between is missing");
        // The line through the second position is worth 90 points for White.
        edit(&mut store, &second, Edit::default(), 1).unwrap();
        let value = tree(&store).unwrap();
        assert_eq!((value.score, value.plies), (Score::raw(90), 2));
        remove(&mut store, &third, 1).unwrap();
        assert_eq!(tree(&store), None);
        assert_eq!(store.get(&third).unwrap(), None);
    }
}
