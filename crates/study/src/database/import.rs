//! Imports game files and lines of JSON into a database.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use super::answers::ImportCounts;
use super::changes::Changes;
use super::counted::GameNames;
use super::main_line::MainLine;
use super::notes;
use super::walk::{NodeState, Walk};
use tengen_record::{GameRecord, Note};
use tengen_rules::board::{Board, Outcome};
use tengen_rules::types::{Color, Rule};
use tengen_store::record::{MAX_LABEL, MAX_TEXT};
use tengen_store::{
    Entry, Error, Evidence, GameValue, Games, GamesRule, Key, KnownResult, Provenance, Reader,
    Record, Store,
};

/// Memory of a batch in bytes, about a million positions without data. A batch in key order changes
/// each page of the file once, so that large batches write much less.
const BATCH_BYTES: usize = 128 << 20;
/// Memory of a pending position in bytes: its key with its place in the table.
const POSITION_BYTES: usize = 120;
/// Prefix of the name of the property that stores the progress of a source.
pub(super) const PROGRESS: &str = "import:";
/// The same for an import that does not count games.
pub(super) const UNCOUNTED: &str = "import-uncounted:";

/// The source of games.
#[derive(Clone, Debug)]
pub struct ImportSource {
    /// Identifies the content of a file. The store saves how much of it was imported, so that an
    /// interrupted import can be repeated without counting a game twice.
    pub id: String,
    /// Origin of results and evaluations.
    pub provenance: Provenance,
    /// The rule of games that do not state one.
    pub rule: Rule,
    /// Whether games are counted at the positions of their main lines.
    pub counts_games: bool,
    /// Whether to read games that were already imported. A game is counted only once.
    pub again: bool,
}

/// Writes games to a store in large batches.
pub struct Importer<'a> {
    store: &'a mut Store,
    source: ImportSource,
    /// Number of games that earlier imports of the source finished, and counted if this one counts
    /// games.
    known: u64,
    /// Number of games of the source so far.
    games: u64,
    names: GameNames,
    /// The games that have not been counted.
    uncounted: Vec<PendingGame>,
    /// Positions that have not been written; `None` without data, to save memory.
    pending: HashMap<Key, Option<Box<Record>>>,
    /// Estimated memory of the pending positions.
    bytes: usize,
    /// Memory from which on they are written.
    batch_bytes: usize,
    counts: ImportCounts,
    changes: Option<&'a mut Changes>,
}

/// A game, or the games of a line of JSON, to be counted with the next batch. Until then, another
/// program may count them.
struct PendingGame {
    /// The place in the source, from 1.
    number: u64,
    /// The property that stands for a counted game; `None` for a line of JSON.
    name: Option<String>,
    games: Games,
    /// The positions at which to count.
    keys: Vec<Key>,
}

impl<'a> Importer<'a> {
    /// An import of one source.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn new(store: &'a mut Store, source: ImportSource) -> Result<Importer<'a>, Error> {
        let known = progress(&store.reader(), &source)?;
        Ok(Importer {
            store,
            source,
            known,
            games: 0,
            names: GameNames::default(),
            uncounted: Vec::new(),
            pending: HashMap::new(),
            bytes: 0,
            batch_bytes: BATCH_BYTES,
            counts: ImportCounts::default(),
            changes: None,
        })
    }

    /// Notes the written positions, so that the caller can update the values that depend on them.
    #[must_use]
    pub fn with_changes(self, changes: &'a mut Changes) -> Importer<'a> {
        Importer { changes: Some(changes), ..self }
    }

    /// Adds every position of a game. Some may be written before the last one is added.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn game(&mut self, game: &GameRecord) -> Result<(), Error> {
        // Skipped games are named too, so that equal games of a file keep their names.
        let name = self.source.counts_games.then(|| self.names.next(game, self.source.rule));
        if !self.begin_game() {
            return Ok(());
        }
        let mut walk = Walk::new(game, self.source.rule);
        let mut main_line = MainLine::default();
        while let Some((node, state)) = walk.advance() {
            self.counts.nodes += 1;
            let cut = state != NodeState::Open && game.first_child(node).is_some();
            self.counts.cut_lines += u64::from(cut);
            main_line.add(game, node, state, walk.board());
            if let NodeState::Foul | NodeState::Occupied = state {
                continue;
            }
            let mut record = self.noted(game.note(node), walk.board());
            if let NodeState::Over(outcome) = state {
                record.result = Some(ended(outcome, walk.board().side_to_move()));
            }
            self.add(Entry::new(walk.board(), record)?);
            if self.bytes >= self.batch_bytes {
                self.write(self.games - 1)?;
            }
        }
        if let Some(games) = main_line.games(game).filter(|_| name.is_some()) {
            self.count_later(name, games, main_line.keys);
        }
        self.end_game()
    }

    /// Adds one position. Its proofs become claims, since they are not checked; long texts are
    /// shortened.
    ///
    /// # Errors
    /// When the record does not fit the board, or the store cannot be written.
    pub fn position(&mut self, board: &Board, record: Record) -> Result<(), Error> {
        if !self.begin_game() {
            return Ok(());
        }
        self.counts.nodes += 1;
        let mut record = record.without_proofs();
        self.shorten(&mut record);
        let mut entry = Entry::new(board, record)?;
        let games = std::mem::take(&mut entry.record.games);
        if self.source.counts_games && games != Games::default() {
            self.count_later(None, games, vec![entry.key.clone()]);
        }
        self.add(entry);
        self.end_game()
    }

    /// Writes the remaining positions.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn finish(mut self) -> Result<ImportCounts, Error> {
        self.write(self.games)?;
        Ok(self.counts)
    }

    /// Counts a game. Returns false if an earlier import finished it.
    fn begin_game(&mut self) -> bool {
        self.games += 1;
        self.counts.games += 1;
        let is_known = self.games <= self.known && !self.source.again;
        self.counts.known_games += u64::from(is_known);
        !is_known
    }

    fn end_game(&mut self) -> Result<(), Error> {
        if self.bytes >= self.batch_bytes { self.write(self.games) } else { Ok(()) }
    }

    /// Counts the current game with the next batch.
    fn count_later(&mut self, name: Option<String>, games: Games, keys: Vec<Key>) {
        let texts = name.iter().map(String::len).chain(keys.iter().map(|key| key.as_bytes().len()));
        self.bytes +=
            size_of::<PendingGame>() + keys.len() * size_of::<Key>() + texts.sum::<usize>();
        self.uncounted.push(PendingGame { number: self.games, name, games, keys });
    }

    fn add(&mut self, Entry { key, record }: Entry) {
        let record = (record != Record::default()).then(|| Box::new(record));
        self.bytes += record.as_ref().map_or(0, |record| memory_of(record));
        match self.pending.entry(key) {
            Slot::Vacant(slot) => {
                slot.insert(record);
                self.bytes += POSITION_BYTES;
            }
            Slot::Occupied(mut slot) => {
                let Some(record) = record else { return };
                let merged = slot.get_mut().get_or_insert_default().merge(*record, GamesRule::Add);
                self.counts.texts_dropped += u64::from(merged.text_dropped);
                self.counts.claims_conflicts += u64::from(merged.claims_conflict);
            }
        }
    }

    /// Writes the pending positions and the number of finished games.
    fn write(&mut self, games: u64) -> Result<(), Error> {
        let mut pending = std::mem::take(&mut self.pending);
        self.bytes = 0;
        let mut batch = self.store.batch()?;
        // Other programs may have imported games since this import began.
        let known = progress(&batch.reader(), &self.source)?;
        self.uncounted.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        for game in self.uncounted.drain(..) {
            let mut is_new = game.number > known;
            if let Some(name) = &game.name {
                if batch.reader().property(name)?.is_some() {
                    is_new = false;
                } else {
                    batch.set_property(name, "1")?;
                }
                self.counts.counted_games += u64::from(is_new);
                self.counts.repeated_games += u64::from(!is_new);
            }
            for key in game.keys.into_iter().filter(|_| is_new) {
                let record = pending.entry(key).or_default().get_or_insert_default();
                record.merge(Record { games: game.games, ..Record::default() }, GamesRule::Add);
            }
        }
        let mut pending: Vec<_> = pending.into_iter().collect();
        pending.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let entries = pending.into_iter().map(|(key, record)| {
            let record = record.map_or_else(Record::default, |record| *record);
            Entry { key, record }
        });
        let merged = match &mut self.changes {
            Some(changes) => changes.merge_sorted(&mut batch, entries, GamesRule::Add)?,
            None => batch.merge_each(entries, GamesRule::Add, |_, _| {})?,
        };
        if games > known {
            let name = progress_name(&self.source.id, self.source.counts_games);
            batch.set_property(&name, &games.to_string())?;
        }
        batch.commit()?;
        self.counts.add(merged);
        Ok(())
    }

    /// The information about the position in a note.
    fn noted(&mut self, note: Option<&Note>, board: &Board) -> Record {
        let Some(note) = note else { return Record::default() };
        let mut record = notes::read(&note.comment, board.size(), &self.source.provenance);
        for mark in &note.marks {
            let text = notes::symbol(&mark.kind);
            if text.is_empty() {
                continue;
            }
            let known = record.texts.entry(mark.at).or_default();
            if !known.is_empty() {
                known.push(' ');
            }
            known.push_str(text);
        }
        self.shorten(&mut record);
        record
    }

    /// Shortens texts that are too long for a database.
    fn shorten(&mut self, record: &mut Record) {
        record.label.retain(|symbol| !symbol.is_control());
        let mut is_cut = cut(&mut record.label, MAX_LABEL);
        for text in record.texts.values_mut().chain([&mut record.comment]) {
            is_cut |= cut(text, MAX_TEXT);
        }
        self.counts.texts_dropped += u64::from(is_cut);
    }
}

/// Estimated memory of a record in bytes.
fn memory_of(record: &Record) -> usize {
    let moves = record.evaluation.as_ref().map_or(0, |found| size_of_val(&found.moves[..]));
    let texts: usize = record.texts.values().map(|text| 64 + text.len()).sum();
    size_of::<Record>() + record.label.len() + record.comment.len() + moves + texts
}

/// Shortens a text to this number of bytes. Returns whether it was longer.
fn cut(text: &mut String, most: usize) -> bool {
    let is_long = text.len() > most;
    if is_long {
        text.truncate(text.floor_char_boundary(most));
    }
    is_long
}

/// The name of the property that stores the progress of a source, which `counts_games` or not.
fn progress_name(id: &str, counts_games: bool) -> String {
    format!("{}{id}", if counts_games { PROGRESS } else { UNCOUNTED })
}

/// The number of games that imports of a source finished, and counted if it counts games.
fn progress(reader: &Reader<'_>, source: &ImportSource) -> Result<u64, Error> {
    let mut most = 0;
    for counts_games in [true, source.counts_games] {
        let known = reader.property(&progress_name(&source.id, counts_games))?;
        most = most.max(known.and_then(|text| text.parse().ok()).unwrap_or(0));
    }
    Ok(most)
}

/// The result of a position whose game is over, for `side`, which is to move, as a proof by the
/// rules.
pub(super) fn ended(outcome: Outcome, side: Color) -> KnownResult {
    let value = match outcome {
        Outcome::Five(color) if color == side => GameValue::Win,
        Outcome::Five(_) => GameValue::Loss,
        Outcome::Full => GameValue::Draw,
    };
    KnownResult {
        value,
        distance: Some(0),
        evidence: Evidence::Proved,
        best: None,
        provenance: Provenance::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::{board, entries, new_store};
    use tengen_record::{ReadOptions, read};
    use tengen_rules::types::Point;

    fn games(text: &str) -> Vec<GameRecord> {
        read(text.as_bytes(), &ReadOptions::default()).unwrap().list
    }

    fn source(id: &str) -> ImportSource {
        ImportSource {
            id: id.to_string(),
            provenance: Provenance::default(),
            rule: Rule::Freestyle,
            counts_games: true,
            again: false,
        }
    }

    fn import(store: &mut Store, source: ImportSource, text: &str) -> ImportCounts {
        let mut importer = Importer::new(store, source).unwrap();
        games(text).iter().for_each(|game| importer.game(game).unwrap());
        importer.finish().unwrap()
    }

    #[test]
    fn trees_are_stored_with_texts_and_transpositions_meet() {
        let (_folder, mut store) = new_store();
        let text = "(;GM[4]SZ[15]C[start];B[hh]LB[ii:A]SQ[jj](;W[ii]C[direct];B[jj])(;W[jj];B[ii])\
                    (;W[gg]))";
        let counts = import(&mut store, source("a"), text);
        // W ii and W gg are images of each other; B jj after ii is not B ii after jj.
        assert_eq!((counts.games, counts.nodes, counts.inserted), (1, 7, 6));
        assert_eq!(counts.counted_games, 0, "a tree without a result is not a game");
        let root = store.get(&board(&[])).unwrap().unwrap();
        assert_eq!(root.comment, "start");
        let first = store.get(&board(&[(7, 7)])).unwrap().unwrap();
        assert_eq!(first.texts.len(), 2);
        let image = store.get(&board(&[(7, 7), (6, 6)])).unwrap().unwrap();
        assert_eq!(image.comment, "direct");
    }

    #[test]
    fn results_are_counted_once() {
        let (_folder, mut store) = new_store();
        let text = "(;GM[4]SZ[15]RE[B+];B[hh];W[ii])(;GM[4]SZ[15]RE[W+];B[hh];W[jj])\
                    (;GM[4]SZ[15]RE[0];B[hh])(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15]RE[Void];B[hh])";
        let counts = import(&mut store, source("a"), text);
        assert_eq!((counts.games, counts.counted_games), (5, 4));
        let games = |store: &Store, moves| store.get(&board(moves)).unwrap().unwrap().games;
        let expected = Games { black_wins: 1, draws: 1, white_wins: 1, unknown: 1 };
        assert_eq!(games(&store, &[(7, 7)]), expected);
        // A repeated import of the file is not counted, even with `again`.
        let counts = import(&mut store, source("a"), text);
        assert_eq!((counts.games, counts.known_games, counts.changed), (5, 5, 0));
        let again = ImportSource { again: true, ..source("a") };
        let counts = import(&mut store, again, text);
        assert_eq!((counts.known_games, counts.counted_games, counts.changed), (0, 0, 0));
        assert_eq!(games(&store, &[(7, 7)]), expected);
    }

    #[test]
    fn games_of_overlapping_files_are_counted_once() {
        let one = "(;GM[4]SZ[15]RE[B+];B[hh];W[ii])";
        let two = "(;GM[4]SZ[15]RE[W+];B[hh];W[jj])";
        let three = "(;GM[4]SZ[15]RE[0];B[hh];W[hi])";
        let total = |store: &Store| store.get(&board(&[(7, 7)])).unwrap().unwrap().games.total();
        let (_folder, mut store) = new_store();
        // A selection, the whole file, and the file after it has grown.
        let counts = import(&mut store, source("a"), two);
        assert_eq!((counts.counted_games, counts.repeated_games), (1, 0));
        let counts = import(&mut store, source("b"), &format!("{one}{two}"));
        assert_eq!((counts.counted_games, counts.repeated_games), (1, 1));
        let grown = format!("{one}{two}{three}");
        let counts = import(&mut store, source("c"), &grown);
        assert_eq!((counts.counted_games, counts.repeated_games, total(&store)), (1, 2, 3));
        let again = ImportSource { again: true, ..source("c") };
        let counts = import(&mut store, again, &grown);
        assert_eq!((counts.counted_games, counts.repeated_games, total(&store)), (0, 3, 3));
        // Equal games of a file are different games.
        let counts = import(&mut store, source("d"), &one.repeat(3));
        assert_eq!((counts.counted_games, counts.repeated_games, total(&store)), (2, 1, 5));
    }

    #[test]
    fn simultaneous_imports_count_a_game_once() {
        let (_folder, mut store) = new_store();
        let mut other = Store::open(store.path()).unwrap();
        let text = "(;GM[4]SZ[15]RE[B+];B[hh];W[ii])(;GM[4]SZ[15]RE[W+];B[hh];W[jj])";
        let mut one = Importer::new(&mut store, source("a")).unwrap();
        let mut two = Importer::new(&mut other, source("b")).unwrap();
        for game in games(text) {
            one.game(&game).unwrap();
            two.game(&game).unwrap();
        }
        two.game(&games("(;GM[4]SZ[15]RE[0];B[hh])")[0]).unwrap();
        let counts = [one, two].map(|importer| importer.finish().unwrap());
        let counts = counts.map(|it| (it.counted_games, it.repeated_games));
        assert_eq!(counts, [(2, 0), (1, 2)]);
        assert_eq!(store.get(&board(&[(7, 7)])).unwrap().unwrap().games.total(), 3);
    }

    #[test]
    fn simultaneous_imports_of_positions_count_games_once() {
        let (_folder, mut store) = new_store();
        let mut other = Store::open(store.path()).unwrap();
        let games = Games { draws: 3, ..Games::default() };
        let record = Record { games, ..Record::default() };
        let mut one = Importer::new(&mut store, source("lines")).unwrap();
        let mut two = Importer::new(&mut other, source("lines")).unwrap();
        for moves in [&[][..], &[(7, 7)]] {
            one.position(&board(moves), record.clone()).unwrap();
        }
        two.position(&board(&[]), record.clone()).unwrap();
        one.finish().unwrap();
        two.finish().unwrap();
        assert_eq!(store.get(&board(&[])).unwrap().unwrap().games, games);
        // The shorter import does not reset the progress.
        let mut importer = Importer::new(&mut store, source("lines")).unwrap();
        for moves in [&[][..], &[(7, 7)]] {
            importer.position(&board(moves), record.clone()).unwrap();
        }
        assert_eq!(importer.finish().unwrap().known_games, 2);
    }

    #[test]
    fn games_of_an_import_without_games_can_be_counted_later() {
        let (_folder, mut store) = new_store();
        let text = "(;GM[4]SZ[15]RE[B+];B[hh];W[ii])(;GM[4]SZ[15]RE[W+];B[hh];W[jj])";
        let uncounted = || ImportSource { counts_games: false, ..source("a") };
        let counts = import(&mut store, uncounted(), text);
        assert_eq!((counts.counted_games, counts.known_games), (0, 0));
        assert_eq!(import(&mut store, uncounted(), text).known_games, 2);
        let counts = import(&mut store, source("a"), text);
        assert_eq!((counts.counted_games, counts.known_games, counts.inserted), (2, 0, 0));
        for source in [source("a"), uncounted()] {
            let counts = import(&mut store, source, text);
            assert_eq!((counts.counted_games, counts.known_games), (0, 2));
        }
        assert_eq!(store.get(&board(&[(7, 7)])).unwrap().unwrap().games.total(), 2);
    }

    #[test]
    fn interrupted_imports_continue() {
        let text = "(;GM[4]SZ[15]RE[B+];B[hh];W[ii];B[jj])".repeat(5);
        let (_folder, mut whole) = new_store();
        import(&mut whole, source("a"), &text);
        let (_folder, mut store) = new_store();
        for games_before in [1, 3] {
            let mut importer = Importer::new(&mut store, source("a")).unwrap();
            importer.batch_bytes = 1;
            for game in games(&text).iter().take(games_before) {
                importer.game(game).unwrap();
            }
            // Drop the importer as if the program were killed: written batches remain.
        }
        let counts = import(&mut store, source("a"), &text);
        assert_eq!((counts.known_games, counts.counted_games), (3, 2));
        assert_eq!(entries(&store), entries(&whole));
    }

    #[test]
    fn ends_of_games_are_proved_by_the_rules() {
        let (_folder, mut store) = new_store();
        let moves = "B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[hh]";
        let counts = import(&mut store, source("a"), &format!("(;GM[4]SZ[15];{moves})"));
        assert_eq!((counts.nodes, counts.cut_lines, counts.counted_games), (10, 1, 1));
        let over = board(&[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0)]);
        let record = store.get(&over).unwrap().unwrap();
        let result = record.result.unwrap();
        assert_eq!((result.value, result.evidence), (GameValue::Loss, Evidence::Proved));
        assert_eq!(record.games, Games { black_wins: 1, ..Games::default() });
    }

    #[test]
    fn long_texts_are_shortened() {
        let (_folder, mut store) = new_store();
        let long = "\u{e9}".repeat(MAX_TEXT);
        let short = "x".repeat(MAX_TEXT);
        let text = format!(
            "(;GM[4]SZ[15]C[{long}];B[hh]C[Tengen: label {}];W[ii]LB[jj:{short}]SQ[jj])",
            "y".repeat(99)
        );
        let counts = import(&mut store, source("a"), &text);
        assert_eq!(counts.texts_dropped, 3);
        assert_eq!(store.get(&board(&[])).unwrap().unwrap().comment.len(), MAX_TEXT);
        assert_eq!(store.get(&board(&[(7, 7)])).unwrap().unwrap().label.len(), MAX_LABEL);
        let marked = store.get(&board(&[(7, 7), (8, 8)])).unwrap().unwrap();
        assert_eq!(marked.texts.values().map(String::len).collect::<Vec<_>>(), [MAX_TEXT]);
    }

    #[test]
    fn long_texts_of_single_positions_are_shortened() {
        let (_folder, mut store) = new_store();
        let mut importer = Importer::new(&mut store, source("a")).unwrap();
        let long = "\u{e9}".repeat(MAX_TEXT);
        let record = Record {
            label: "\u{e9}".repeat(MAX_LABEL),
            texts: [(Point::new(7, 7), long.clone())].into(),
            comment: long,
            ..Record::default()
        };
        importer.position(&board(&[]), record).unwrap();
        assert_eq!(importer.finish().unwrap().texts_dropped, 1);
        let stored = store.get(&board(&[])).unwrap().unwrap();
        assert_eq!((stored.label.len(), stored.comment.len()), (MAX_LABEL, MAX_TEXT));
        assert_eq!(stored.texts[&Point::new(7, 7)].len(), MAX_TEXT);
    }

    #[test]
    fn proofs_of_single_positions_become_claims() {
        let (_folder, mut store) = new_store();
        let result = ended(Outcome::Full, Color::Black);
        let games = Games { draws: 3, ..Games::default() };
        let record = Record { result: Some(result), games, ..Record::default() };
        for _ in 0..2 {
            let mut importer = Importer::new(&mut store, source("lines")).unwrap();
            importer.position(&board(&[]), record.clone()).unwrap();
            importer.finish().unwrap();
        }
        let stored = store.get(&board(&[])).unwrap().unwrap();
        assert_eq!(stored.result.map(|result| result.evidence), Some(Evidence::Claimed));
        assert_eq!(stored.games, games);
    }
}
