//! Databases in files of `tengen-store`.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::{
    Change, Database, DatabaseError, Deletion, KnownOutcome, KnownPosition, KnownPositions,
    SearchValue,
};
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Bound, Point, Rule, Score};
use tengen_store::{
    Entry, Evaluation, Evidence, Filter, GamesRule, KnownResult, MergeCounts, Options, Origin,
    Provenance, Record, Store,
};

/// Number of positions per batch.
const BATCH: usize = 50_000;

/// Source of manual changes.
const EDITOR: &str = "manual";

pub(super) fn open(path: &Path) -> Result<Box<dyn Database>, DatabaseError> {
    Ok(Box::new(StoredDatabase(Store::open_or_create(path, &Options::default())?)))
}

struct StoredDatabase(Store);

impl KnownPositions for StoredDatabase {
    fn get(&self, board: &Board) -> Result<Option<KnownPosition>, DatabaseError> {
        Ok(self.0.get(board)?.as_ref().map(known_position))
    }

    fn moves(&self, board: &Board) -> Result<Vec<(Point, KnownPosition)>, DatabaseError> {
        let children = self.0.snapshot()?.children(board)?;
        Ok(children.iter().map(|child| (child.point, known_position(&child.record))).collect())
    }
}

impl Database for StoredDatabase {
    fn change(&mut self, board: &Board, changes: &[Change]) -> Result<(), DatabaseError> {
        // Another program may change the record until the batch begins.
        let mut batch = self.0.batch()?;
        let mut record = batch.reader().get(board)?.unwrap_or_default();
        for change in changes {
            apply(&mut record, change)?;
        }
        batch.put(board, &record)?;
        Ok(batch.commit()?)
    }

    fn delete(&mut self, board: &Board) -> Result<bool, DatabaseError> {
        let mut batch = self.0.batch()?;
        let is_deleted = batch.delete(board)?;
        batch.commit()?;
        Ok(is_deleted)
    }

    fn delete_after(
        &mut self,
        board: &Board,
        choose: &dyn Fn(&KnownPosition) -> Deletion,
    ) -> Result<u64, DatabaseError> {
        let mut batch = self.0.batch()?;
        let deleted =
            batch.delete_branch(board, |record| match choose(&known_position(record)) {
                Deletion::Delete => tengen_store::Deletion::Delete,
                Deletion::Keep => tengen_store::Deletion::Keep,
                Deletion::Examine => tengen_store::Deletion::Examine,
            })?;
        if batch.reader().get(board)?.is_some_and(|record| !record.texts.is_empty()) {
            batch.edit(board, |record| record.texts.clear())?;
        }
        batch.commit()?;
        Ok(deleted)
    }

    fn split(&self, board: &Board, path: &Path) -> Result<u64, DatabaseError> {
        let mut target = Store::open_or_create(path, &Options::default())?;
        let snapshot = self.0.snapshot()?;
        let mut before = Board::new(board.size(), board.rule());
        let mut line = Vec::new();
        // Positions of games begin with an empty board; others have no line of moves.
        for stone in board.history() {
            if stone.color != before.side_to_move() {
                break;
            }
            before.place_unchecked(stone.point, stone.color);
            if let Some(record) = snapshot.get(&before)? {
                line.push(Ok(Entry::new(&before, record)?));
            }
        }
        let branch = snapshot.branch(board)?;
        Ok(copy(line.into_iter().chain(branch), &mut target)?.1.inserted)
    }

    fn merge(&mut self, path: &Path) -> Result<(u64, u64), DatabaseError> {
        let other = Store::open_read_only(path)?;
        let snapshot = other.snapshot()?;
        let (read, counts) = copy(snapshot.entries(&Filter::default()), &mut self.0)?;
        Ok((counts.inserted + counts.changed, read))
    }

    fn write_table(
        &self,
        path: &Path,
        only: Option<(Rule, BoardSize)>,
    ) -> Result<u64, DatabaseError> {
        let (rule, size) = only.unzip();
        let filter = Filter { rule, size, ..Filter::default() };
        let failed = |error| of_file(path, &error);
        write_new(path, |out| {
            writeln!(
                out,
                "rule,columns,rows,black,white,result,plies,evidence,score,depth,label,comment"
            )
            .map_err(failed)?;
            let mut count = 0;
            for entry in self.0.snapshot()?.entries(&filter) {
                let Entry { key, record } = entry?;
                writeln!(out, "{}", row(&key.board(), &record)).map_err(failed)?;
                count += 1;
            }
            Ok(count)
        })
    }
}

/// Writes a new file. An existing one, which may be the open database itself, is not replaced. If
/// writing fails, the part is removed, so that it does not block a repetition.
fn write_new<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, DatabaseError>,
) -> Result<T, DatabaseError> {
    let failed = |error| of_file(path, &error);
    let mut out = BufWriter::new(File::create_new(path).map_err(failed)?);
    let written = write(&mut out).and_then(|written| {
        out.flush().map_err(failed)?;
        Ok(written)
    });
    if written.is_err() {
        // Windows removes no open file; the unwritten rest is of no use.
        drop(out.into_parts());
        // The first error is the one to report.
        let _ = fs::remove_file(path);
    }
    written
}

fn of_file(path: &Path, error: &io::Error) -> DatabaseError {
    let reason = match error.kind() {
        ErrorKind::AlreadyExists => "the file already exists (expected a new one)".into(),
        _ => error.to_string(),
    };
    DatabaseError(format!("{}: {reason}", path.display()))
}

/// Merges positions into a store in batches. Returns the number of positions and the changes.
fn copy(
    entries: impl Iterator<Item = Result<Entry, tengen_store::Error>>,
    target: &mut Store,
) -> Result<(u64, MergeCounts), DatabaseError> {
    let (mut read, mut total) = (0, MergeCounts::default());
    let mut entries = entries.peekable();
    while entries.peek().is_some() {
        let pending = entries.by_ref().take(BATCH).collect::<Result<Vec<_>, _>>()?;
        read += pending.len() as u64;
        let mut batch = target.batch()?;
        let counts = batch.merge_all(pending, GamesRule::Largest)?;
        batch.commit()?;
        total.inserted += counts.inserted;
        total.changed += counts.changed;
    }
    Ok((read, total))
}

fn known_position(record: &Record) -> KnownPosition {
    let found = record.evaluation.as_ref();
    let outcome = record.result.as_ref().map(|result| KnownOutcome {
        outcome: result.value,
        plies: result.distance,
        is_proved: result.evidence == Evidence::Proved,
        best: result.best,
    });
    let result = record.result.as_ref().and_then(KnownResult::exact_score);
    let exact = result.or(record.tree.map(|tree| tree.score)).map(|score| (score, Bound::Exact));
    let searched = found.map(|found| (found.score, found.bound));
    let (score, bound) = exact.or(searched).unzip();
    let search_value = record.search_value().map(|(score, bound)| SearchValue {
        score,
        bound,
        best: record.unclaimed_best(),
    });
    KnownPosition {
        outcome,
        score,
        depth: found.map_or(0, |found| found.depth),
        bound,
        best: record.best(),
        search_value,
        label: record.label.clone(),
        comment: record.comment.clone(),
        texts: record.texts.iter().map(|(&point, text)| (point, text.clone())).collect(),
    }
}

fn apply(record: &mut Record, change: &Change) -> Result<(), DatabaseError> {
    match change {
        Change::Outcome(outcome) => {
            let is_proved = |result: &KnownResult| result.evidence == Evidence::Proved;
            if record.result.as_ref().is_some_and(is_proved) {
                let text = "the result is proved; delete the position to change it";
                return Err(DatabaseError(text.to_string()));
            }
            record.result = outcome.map(|(value, distance)| KnownResult {
                value,
                distance,
                evidence: Evidence::Claimed,
                best: None,
                provenance: manual(),
            });
        }
        Change::Label(label) => record.label.clone_from(label),
        Change::Score(score) => edit_evaluation(record, |found| {
            if found.score != *score {
                (found.score, found.bound) = (*score, Bound::Exact);
            }
        }),
        Change::Depth(depth) => edit_evaluation(record, |found| found.depth = *depth),
        Change::Comment(comment) => record.comment.clone_from(comment),
        Change::Text(point, text) if text.is_empty() => drop(record.texts.remove(point)),
        Change::Text(point, text) => drop(record.texts.insert(*point, text.clone())),
    }
    Ok(())
}

/// Changes the evaluation. A changed evaluation counts as edited by hand, not as the result of a search.
fn edit_evaluation(record: &mut Record, edit: impl FnOnce(&mut Evaluation)) {
    let before = record.evaluation.clone();
    edit(evaluation(record));
    if record.evaluation != before {
        let found = evaluation(record);
        (found.nodes, found.provenance) = (0, manual());
        found.moves.clear();
    }
}

/// The evaluation, to be changed. A new one has the shown value, that of a claim or the tree.
fn evaluation(record: &mut Record) -> &mut Evaluation {
    let shown = known_position(record).score;
    record.evaluation.get_or_insert_with(|| Evaluation {
        score: shown.unwrap_or(Score::DRAW),
        depth: 0,
        bound: Bound::Exact,
        nodes: 0,
        moves: Vec::new(),
        provenance: manual(),
    })
}

fn manual() -> Provenance {
    let origin = Origin { source: EDITOR.to_string(), version: String::new() };
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    Provenance { origin: Some(Arc::new(origin)), time: u32::try_from(time).unwrap_or(u32::MAX) }
}

/// A row of the table: cells are `x y`, separated by semicolons.
fn row(board: &Board, record: &Record) -> String {
    use tengen_rules::types::Color;
    let stones = |color| {
        let stones = board.history().iter().filter(|stone| stone.color == color);
        let stones = stones.map(|stone| format!("{} {}", stone.point.x(), stone.point.y()));
        stones.collect::<Vec<_>>().join(";")
    };
    let result = record.result.as_ref();
    let (size, found) = (board.size(), record.evaluation.as_ref());
    let number = |value: Option<i64>| value.map_or(String::new(), |value| value.to_string());
    [
        board.rule().to_string(),
        size.width().to_string(),
        size.height().to_string(),
        stones(Color::Black),
        stones(Color::White),
        result.map_or("", |result| result.value.name()).to_string(),
        number(result.and_then(|result| result.distance).map(i64::from)),
        result.map_or("", |result| result.evidence.name()).to_string(),
        number(record.value().map(|score| score.value().into())),
        number(found.map(|found| found.depth.into())),
        quoted(&record.label),
        quoted(&record.comment),
    ]
    .join(",")
}

/// A text field of a table. Line ends become `\n`.
fn quoted(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let text = text.replace('"', "\"\"").replace('\n', "\\n").replace('\r', "");
    format!("\"{text}\"")
}

impl From<tengen_store::Error> for DatabaseError {
    fn from(error: tengen_store::Error) -> DatabaseError {
        DatabaseError(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_store::{ScoredMove, TreeValue};

    #[test]
    fn failed_table_leaves_no_part_and_existing_files_remain() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        let fail = |out: &mut BufWriter<File>| {
            writeln!(out, "rule").and_then(|()| out.flush()).unwrap();
            Err(DatabaseError("damaged".to_owned()))
        };
        assert_eq!(write_new::<()>(&path, fail).unwrap_err().0, "damaged");
        assert!(!path.exists());
        fs::write(&path, "old").unwrap();
        let error = write_new::<()>(&path, fail).unwrap_err().0;
        assert!(error.ends_with("the file already exists (expected a new one)"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn search_values_follow_from_no_claim() {
        let [by_tree, by_search] = [(3, 4), (9, 9)].map(|(x, y)| Point::new(x, y));
        let mut record = Record::default();
        evaluation(&mut record).score = Score::raw(20);
        evaluation(&mut record).moves.push(ScoredMove { point: by_search, score: None });
        // A forced tree value may follow from a claim; the display shows it.
        let forced = Score::win_in(7);
        record.tree = Some(TreeValue { plies: 2, score: forced, best: Some(by_tree) });
        let known = known_position(&record);
        assert_eq!((known.score, known.best), (Some(forced), Some(by_tree)));
        let value = known.search_value.map(|value| (value.score, value.best));
        assert_eq!(value, Some((Score::raw(20), Some(by_search))));
        // A forced score of the position's own search follows from no claim.
        record.tree = None;
        evaluation(&mut record).score = forced;
        let value = known_position(&record).search_value;
        assert_eq!(value.map(|value| value.score), Some(forced));
    }
}
