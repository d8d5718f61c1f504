//! Updates the values of a database after merges and imports.

use std::collections::BTreeSet;

use super::values::{has_searches, propagate_all, recompute};
use tengen_rules::types::{BoardSize, Rule};
use tengen_store::{Batch, Entry, Error, GamesRule, Key, MergeCounts, Merged, Store};

/// Maximum number of positions that are updated one by one, with a look-up of each of their moves.
/// The database is locked meanwhile.
const FEW: usize = 256;

/// Property of a database that has positions whose values have not been updated. It remains if the
/// program ends before the update.
const OLD_VALUES: &str = "old-values";

/// The positions whose values changed, in bounded memory.
#[derive(Debug, Default)]
pub struct Changes {
    /// The positions, unless there are more than [`FEW`].
    keys: BTreeSet<Key>,
    /// Their rules and boards.
    boards: Vec<(Rule, BoardSize)>,
    /// Whether [`OLD_VALUES`] was set for these positions only.
    is_marked: bool,
}

impl Changes {
    /// Merges records into a database and notes the positions whose values change.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn merge(
        &mut self,
        store: &mut Store,
        mut entries: Vec<Entry>,
        games: GamesRule,
    ) -> Result<MergeCounts, Error> {
        entries.sort_by(|one, other| one.key.cmp(&other.key));
        let mut batch = store.batch()?;
        let counts = self.merge_sorted(&mut batch, entries, games)?;
        batch.commit()?;
        Ok(counts)
    }

    /// Merges records in key order within a batch.
    pub(super) fn merge_sorted(
        &mut self,
        batch: &mut Batch<'_>,
        entries: impl IntoIterator<Item = Entry>,
        games: GamesRule,
    ) -> Result<MergeCounts, Error> {
        let counts = batch.merge_each(entries, games, |key, merged| self.note(key, merged))?;
        if !self.boards.is_empty() && batch.reader().property(OLD_VALUES)?.is_none() {
            batch.set_property(OLD_VALUES, "1")?;
            self.is_marked = true;
        }
        Ok(counts)
    }

    /// Notes a position if the merge changed its values.
    fn note(&mut self, key: &Key, merged: Merged) {
        if !merged.values_changed {
            return;
        }
        let board = (key.rule(), key.size());
        if !self.boards.contains(&board) {
            self.boards.push(board);
        }
        if self.keys.len() <= FEW {
            self.keys.insert(key.clone());
        }
    }

    /// Updates the tree values and proofs that depend on the positions. If few positions changed,
    /// updates the positions before them; otherwise all positions of the same rule and board. After an
    /// import or merge that ended before its update, all positions are updated. `time` is that of new
    /// proofs, in seconds since 1970.
    ///
    /// A database without searches and proofs of the solver has no tree values, and remains without
    /// them: the tree values of games and claims alone would be forced wins and losses.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub fn update(self, store: &mut Store, time: u32) -> Result<(), Error> {
        let Changes { mut keys, mut boards, is_marked } = self;
        let is_old = !is_marked && store.reader().property(OLD_VALUES)?.is_some();
        if is_old {
            boards = store.reader().boards()?;
        } else if boards.is_empty() {
            return Ok(());
        }
        let is_few = keys.len() <= FEW && !is_old;
        for (rule, size) in boards {
            if is_few && has_searches(&store.reader(), rule, size, &keys)? {
                continue;
            }
            keys.retain(|key| (key.rule(), key.size()) != (rule, size));
            // The first searches give values to all positions.
            recompute(store, rule, size, time)?;
        }
        let mut batch = store.batch()?;
        propagate_all(&mut batch, keys, time)?;
        batch.set_property(OLD_VALUES, "")?;
        batch.commit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::{board, entries, new_store, searched, with_result};
    use tengen_rules::board::Board;
    use tengen_rules::types::{Point, Score};
    use tengen_store::{Evidence, GameValue, Record, TreeValue};

    /// The first stone is on no axis of symmetry.
    const ROOT: (u8, u8) = (6, 4);

    fn merge(store: &mut Store, records: &[(Board, Record)]) {
        let entry = |(board, record): &(Board, Record)| Entry::new(board, record.clone()).unwrap();
        let entries = records.iter().map(entry).collect();
        let mut changes = Changes::default();
        changes.merge(store, entries, GamesRule::Largest).unwrap();
        changes.update(store, 5).unwrap();
    }

    fn tree(store: &Store, board: &Board) -> Option<TreeValue> {
        store.get(board).unwrap().unwrap().tree
    }

    fn evaluated(score: i32, nodes: u64) -> Record {
        let mut record = searched(Score::raw(score));
        record.evaluation.as_mut().unwrap().nodes = nodes;
        record
    }

    #[test]
    fn merges_update_earlier_positions() {
        let (_folder, mut store) = new_store();
        let root = board(&[ROOT]);
        let after = |point| board(&[ROOT, point]);
        let (one, two) = (after((7, 7)), after((8, 3)));
        merge(&mut store, &[(root.clone(), Record::default()), (one.clone(), evaluated(-300, 1))]);
        let value = tree(&store, &root).unwrap();
        assert_eq!((value.score, value.best), (Score::raw(300), Some(Point::new(7, 7))));
        merge(&mut store, &[(one, evaluated(200, 100)), (two, evaluated(100, 100))]);
        let value = tree(&store, &root).unwrap();
        assert_eq!((value.score, value.best), (Score::raw(-100), Some(Point::new(8, 3))));
    }

    #[test]
    fn values_after_many_and_few_changes_are_the_same() {
        let after = |board: &Board, point| {
            let mut board = board.clone();
            board.place(point, board.side_to_move()).unwrap();
            board
        };
        let empty = Board::new(BoardSize::square(10).unwrap(), Rule::Freestyle);
        let root = after(&empty, Point::new(ROOT.0, ROOT.1));
        let mut records = vec![(root.clone(), Record::default())];
        for (number, point) in (0..).zip(root.empty_points()) {
            let first = after(&root, point);
            let free: Vec<Point> = first.empty_points().collect();
            for free in [free[0], free[97]] {
                let score = (number + i32::from(free.x())) * 37 % 100;
                records.push((after(&first, free), evaluated(score, 5)));
            }
            records.push((first, evaluated(number, 5)));
        }
        assert!(records.len() > FEW);
        let [(_one, mut together), (_other, mut stepwise)] = [new_store(), new_store()];
        merge(&mut together, &records);
        for part in records.chunks(FEW / 2) {
            merge(&mut stepwise, part);
        }
        assert!(tree(&together, &root).is_some_and(|value| value.plies == 2));
        assert_eq!(entries(&together), entries(&stepwise));
    }

    #[test]
    fn an_update_after_an_interrupted_import_updates_all_values() {
        let (_folder, mut store) = new_store();
        let [root, after] = [&[ROOT][..], &[ROOT, (7, 7)]].map(board);
        let record = evaluated(-300, 1);
        merge(&mut store, &[(root.clone(), Record::default()), (after.clone(), record)]);
        // The program ends before the update.
        let entry = Entry::new(&after, evaluated(200, 100)).unwrap();
        Changes::default().merge(&mut store, vec![entry], GamesRule::Largest).unwrap();
        assert_eq!(tree(&store, &root).map(|value| value.score), Some(Score::raw(300)));
        // A repetition changes nothing.
        merge(&mut store, &[(after, evaluated(200, 100))]);
        assert_eq!(tree(&store, &root).map(|value| value.score), Some(Score::raw(-200)));
        assert_eq!(store.reader().property(OLD_VALUES).unwrap(), None);
    }

    #[test]
    fn the_first_searches_give_values_to_all_positions() {
        let (_folder, mut store) = new_store();
        let [root, after] = [&[ROOT][..], &[ROOT, (7, 7)]].map(board);
        merge(&mut store, &[(root.clone(), Record::default()), (after, lost())]);
        recompute(&mut store, root.rule(), root.size(), 5).unwrap();
        assert_eq!(tree(&store, &root), None);
        merge(&mut store, &[(board(&[(0, 0)]), evaluated(7, 1))]);
        assert_eq!(tree(&store, &root).map(|value| value.score), Some(Score::win_in(1)));
    }

    fn lost() -> Record {
        with_result(GameValue::Loss, Evidence::Claimed, Some(0))
    }

    #[test]
    fn proofs_of_the_solver_update_earlier_positions() {
        let (_folder, mut store) = new_store();
        let [first, second] = [&[ROOT][..], &[ROOT, (7, 7)]].map(board);
        let proved = with_result(GameValue::Loss, Evidence::Proved, Some(4));
        merge(&mut store, &[(first.clone(), Record::default()), (second, proved)]);
        let result = store.get(&first).unwrap().unwrap().result.unwrap();
        assert_eq!((result.value, result.distance), (GameValue::Win, Some(5)));
        assert_eq!(result.evidence, Evidence::Proved);
    }

    #[test]
    fn results_without_searches_give_no_tree_values() {
        let (_folder, mut store) = new_store();
        let [first, second] = [&[ROOT][..], &[ROOT, (7, 7)]].map(board);
        // Also beside a proof that follows from the end of a game.
        let last = with_result(GameValue::Win, Evidence::Proved, Some(1));
        let ended = (board(&[(1, 0)]), last);
        merge(&mut store, &[(first.clone(), Record::default()), (second, lost()), ended]);
        assert_eq!(tree(&store, &first), None);
        merge(&mut store, &[(board(&[(0, 0)]), evaluated(7, 1)), (first.clone(), evaluated(3, 1))]);
        assert_eq!(tree(&store, &first).map(|value| value.score), Some(Score::win_in(1)));
    }
}
