//! Writes values that follow from later positions, and keeps them up to date after changes of single
//! positions.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::analyst::Finding;
use super::graph::{Graph, Node, NodeIndex, OWN_SOURCE};
use tengen_rules::types::{BoardSize, Rule};
use tengen_store::{
    Batch, Canonical, Entry, Error, Evidence, Filter, GamesRule, Key, KnownResult, Origin,
    Provenance, Reader, Record, Store,
};

/// Maximum number of positions per batch.
const BATCH: usize = 10_000;
/// Time between batches. Programs that wait to write try again after at most 100 ms.
const PAUSE: Duration = Duration::from_millis(150);

/// This program and a time, in seconds since 1970, as the source of results and evaluations.
pub(super) fn own_provenance(time: u32) -> Provenance {
    let version = env!("CARGO_PKG_VERSION").to_string();
    let origin = Origin { source: OWN_SOURCE.to_string(), version };
    Provenance { origin: Some(Arc::new(origin)), time }
}

/// Writes the tree value and the proof of a node, and the finding of its analysis. `provenance` is
/// that of a new proof. Returns the number of conflicts with proofs of the database.
pub(super) fn write_values(
    batch: &mut Batch<'_>,
    node: &Node,
    finding: Finding,
    provenance: &Provenance,
) -> Result<u64, Error> {
    let result = node.result.filter(|result| result.evidence == Evidence::Proved);
    let by_moves = result.map(|result| KnownResult {
        value: result.value,
        distance: result.distance,
        evidence: Evidence::Proved,
        best: result.best,
        provenance: provenance.clone(),
    });
    let mut conflicts = 0;
    batch.edit_key(&node.key, |record| {
        let Finding { result, evaluation, .. } = finding;
        let new = Record { result, evaluation, ..Record::default() };
        let merged = record.merge(new, GamesRule::Largest);
        // A known proof is not rewritten with a new time.
        let is_new = by_moves.as_ref().is_some_and(|new| {
            record.result.as_ref().is_none_or(|known| !is_as_strong(known, new))
        });
        let by_moves = by_moves.filter(|_| is_new);
        let new = Record { result: by_moves, ..Record::default() };
        let again = record.merge(new, GamesRule::Largest);
        record.tree = node.tree;
        conflicts = u64::from(merged.proofs_conflict || again.proofs_conflict);
    })?;
    Ok(conflicts)
}

/// Whether a known result is at least as strong as a new proof.
fn is_as_strong(known: &KnownResult, new: &KnownResult) -> bool {
    let plies = |result: &KnownResult| result.distance.unwrap_or(u16::MAX);
    known.evidence == Evidence::Proved && known.value == new.value && plies(known) <= plies(new)
}

/// Recomputes tree values and proofs after a change of the position `key`, or after its deletion:
/// of the position and of all positions before it, until nothing changes. `time` is that of new
/// proofs, in seconds since 1970. Returns the number of positions that changed. Positions without any
/// search or proof of the solver remain without tree values.
///
/// # Errors
/// When the database cannot be read or written.
pub fn propagate(batch: &mut Batch<'_>, key: &Key, time: u32) -> Result<u64, Error> {
    if !has_searches(&batch.reader(), key.rule(), key.size(), &BTreeSet::new())? {
        return Ok(0);
    }
    propagate_all(batch, [key.clone()], time)
}

/// Like [`propagate`], after changes of several positions in a database with searches. A position
/// is computed once.
pub(super) fn propagate_all(
    batch: &mut Batch<'_>,
    keys: impl IntoIterator<Item = Key>,
    time: u32,
) -> Result<u64, Error> {
    let provenance = own_provenance(time);
    let mut open = BTreeSet::new();
    for key in keys {
        open.extend(parents(&key));
        open.insert(key);
    }
    let mut changed = 0;
    // Keys sort by number of stones: a position is computed after all positions that follow it.
    while let Some(key) = open.pop_last() {
        let Some(mut graph) = Graph::of_moves(&batch.reader(), &key)? else { continue };
        if !graph.update_first() {
            continue;
        }
        write_values(batch, &graph.nodes()[0], Finding::default(), &provenance)?;
        changed += 1;
        open.extend(parents(&key));
    }
    Ok(changed)
}

/// Recomputes the tree values and proofs of all positions of this rule and board, after changes of
/// many. `time` is that of new proofs, in seconds since 1970. Other programs can write meanwhile.
/// Positions without any search or proof of the solver remain without tree values.
///
/// # Errors
/// When the database cannot be read or written.
pub fn recompute(store: &mut Store, rule: Rule, size: BoardSize, time: u32) -> Result<(), Error> {
    // The tree values of games and claims alone would be forced wins and losses.
    if !has_searches(&store.reader(), rule, size, &BTreeSet::new())? {
        return Ok(());
    }
    let mut graph = Graph::read(&*store.snapshot()?, rule, size, None)?;
    let provenance = own_provenance(time);
    let changed: Vec<NodeIndex> = graph.update_all().into_iter().collect();
    for (number, part) in changed.chunks(BATCH).enumerate() {
        if number > 0 {
            thread::sleep(PAUSE);
        }
        let mut batch = store.batch()?;
        for &index in part {
            let node = graph.node(index);
            // Another program may have deleted the position.
            if batch.reader().get_key(&node.key)?.is_some() {
                write_values(&mut batch, node, Finding::default(), &provenance)?;
            }
        }
        batch.commit()?;
    }
    Ok(())
}

/// Whether searches or the solver gave a value to a position of this rule and board, except those of
/// `except`.
pub(super) fn has_searches(
    reader: &Reader<'_>,
    rule: Rule,
    size: BoardSize,
    except: &BTreeSet<Key>,
) -> Result<bool, Error> {
    let filter = Filter { rule: Some(rule), size: Some(size), ..Filter::default() };
    for entry in reader.entries(&filter) {
        let Entry { key, record } = entry?;
        // A game that is over has a proof by the rules, of distance 0, and the position before it one
        // of distance 1.
        let is_solved = |result: &KnownResult| {
            result.evidence == Evidence::Proved && !matches!(result.distance, Some(0 | 1))
        };
        let is_searched = record.evaluation.is_some()
            || record.tree.is_some()
            || record.result.as_ref().is_some_and(is_solved);
        if is_searched && !except.contains(&key) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The positions before the last move, whether the database has them or not.
fn parents(key: &Key) -> impl Iterator<Item = Key> {
    Canonical::parents(&key.board()).map(|(_, before)| before.key).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::{self, entries};
    use tengen_rules::board::Board;
    use tengen_rules::types::Score;
    use tengen_store::GameValue;

    /// The first stone is on no axis of symmetry.
    fn board(moves: &[(u8, u8)]) -> Board {
        samples::board(&[&[(6, 4)], moves].concat())
    }

    fn searched(score: i32) -> Record {
        samples::searched(Score::raw(score))
    }

    fn lost(plies: u16) -> Record {
        samples::with_result(GameValue::Loss, Evidence::Proved, Some(plies))
    }

    const A: (u8, u8) = (7, 7);
    const B: (u8, u8) = (8, 8);
    const C: (u8, u8) = (3, 9);
    const D: (u8, u8) = (9, 2);

    /// Two orders of moves that meet, and a side line.
    fn store() -> (tempfile::TempDir, Store) {
        let lines: [(&[(u8, u8)], i32); 7] = [
            (&[], 10),
            (&[A], -5),
            (&[C], 20),
            (&[A, B], 7),
            (&[A, B, C], 30),
            (&[C, B, A], 30),
            (&[A, B, C, D], 2),
        ];
        samples::store_of(lines.map(|(moves, score)| (board(moves), searched(score))))
    }

    /// The records after all values were computed together.
    fn computed_together(store: &mut Store) -> Vec<Entry> {
        let first = board(&[]);
        recompute(store, first.rule(), first.size(), 5).unwrap();
        entries(store)
    }

    #[test]
    fn changes_propagate_as_in_an_update_of_all_positions() {
        let (_folder, mut store) = store();
        computed_together(&mut store);
        let changes = [
            (vec![A, B, C, D], Some(searched(-300))),
            (vec![A, B, C, D], Some(lost(8))),
            (vec![A, B], None),
            (vec![C], Some(searched(-500))),
        ];
        for (moves, record) in changes {
            let board = board(&moves);
            let mut batch = store.batch().unwrap();
            match &record {
                Some(record) => batch.put(&board, record).unwrap(),
                None => assert!(batch.delete(&board).unwrap()),
            }
            let changed = propagate(&mut batch, &Key::of(&board), 5).unwrap();
            batch.commit().unwrap();
            assert!(changed > 0, "{moves:?}");
            let stepwise = entries(&store);
            assert_eq!(stepwise, computed_together(&mut store), "{moves:?}");
        }
    }

    #[test]
    fn values_are_computed_without_a_lock() {
        let (_folder, mut store) = store();
        let before = computed_together(&mut store);
        let mut other = Store::open(store.path()).unwrap();
        let batch = other.batch().unwrap();
        // Fails if it waits for the other program: nothing has changed.
        assert_eq!(computed_together(&mut store), before);
        drop(batch);
    }

    #[test]
    fn unchanged_values_end_the_propagation() {
        let (_folder, mut store) = store();
        computed_together(&mut store);
        let mut batch = store.batch().unwrap();
        let last = board(&[A, B, C, D]);
        assert_eq!(propagate(&mut batch, &Key::of(&last), 5).unwrap(), 0);
        // Not in the database.
        assert_eq!(propagate(&mut batch, &Key::of(&board(&[D])), 5).unwrap(), 0);
    }
}
