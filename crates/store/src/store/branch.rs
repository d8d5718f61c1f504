//! The positions that can be reached from a position through positions of the store.

use std::collections::{HashMap, HashSet};

use tengen_rules::{Board, Symmetry};

use super::{Batch, Entries, Entry, Filter, Reader};
use crate::Error;
use crate::key::{Canonical, Key};
use crate::record::Record;

/// Whether to delete a position, see [`Batch::delete_branch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// Delete the position, and the positions after it that nothing else leads to.
    Delete,
    /// Keep the position and the positions after it.
    Keep,
    /// Keep the position, but examine the positions after it.
    Examine,
}

/// An iterator over a branch in key order, see [`Reader::branch`].
pub struct Branch<'a> {
    scan: Scan<'a>,
    levels: Levels<()>,
    root: Option<Entry>,
}

impl<'a> Reader<'a> {
    /// The position of `root` and all positions reached from it by moves whose positions are in the
    /// store. `root` itself need not be in the store. Reads all positions of its rule and board
    /// with at least as many stones; needs memory for the keys of two numbers of stones.
    ///
    /// # Errors
    /// When the file cannot be read or the record of `root` is damaged.
    pub fn branch(&self, root: &Board) -> Result<Branch<'a>, Error> {
        let key = Key::of(root);
        let record = self.get_key(&key)?;
        let levels = Levels::new(key.clone(), ());
        let scan = Scan::new(self, root, &key);
        Ok(Branch { scan, levels, root: record.map(|record| Entry { key, record }) })
    }
}

impl Iterator for Branch<'_> {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Result<Entry, Error>> {
        if let Some(root) = self.root.take() {
            return Some(Ok(root));
        }
        loop {
            let (entry, board) = match self.scan.next()? {
                Ok(found) => found,
                Err(error) => return Some(Err(error)),
            };
            self.levels.enter(entry.key.stones());
            if parents(&board).any(|parent| self.levels.get(&parent).is_some()) {
                self.levels.add(entry.key.clone(), ());
                return Some(Ok(entry));
            }
        }
    }
}

impl Batch<'_> {
    /// Deletes positions after `root`, which itself is kept. `choose` decides for each position
    /// after a position that is kept and examined, as `root` is. A position after a deleted one is
    /// deleted, too. Positions that moves from other positions of the store lead to are kept.
    /// Returns the number of deleted positions.
    ///
    /// # Errors
    /// When the file cannot be read or written, or a record is damaged.
    pub fn delete_branch(
        &mut self,
        root: &Board,
        mut choose: impl FnMut(&Record) -> Deletion,
    ) -> Result<u64, Error> {
        let key = Key::of(root);
        let mut deleted = Vec::new();
        let mut levels = Levels::new(key.clone(), Deletion::Examine);
        let reader = self.reader();
        for found in Scan::new(&reader, root, &key) {
            let (Entry { key, record }, board) = found?;
            levels.enter(key.stones());
            let states: Vec<(Key, Option<Deletion>)> =
                parents(&board).map(|key| (key.clone(), levels.get(&key).copied())).collect();
            let has = |state| states.iter().any(|(_, known)| *known == Some(state));
            let mut state = match (has(Deletion::Examine), has(Deletion::Delete)) {
                (true, _) => choose(&record),
                (false, true) => Deletion::Delete,
                (false, false) => continue,
            };
            if state == Deletion::Delete {
                for (parent, _) in states.iter().filter(|(_, known)| known.is_none()) {
                    if reader.contains_key(parent)? {
                        state = Deletion::Keep;
                        break;
                    }
                }
            }
            match state {
                Deletion::Keep => continue,
                Deletion::Delete => deleted.push(key.clone()),
                Deletion::Examine => {}
            }
            levels.add(key, state);
        }
        for key in &deleted {
            self.delete_key(key)?;
        }
        Ok(deleted.len() as u64)
    }
}

/// The positions that have all stones of an image of a root, with their boards.
struct Scan<'a> {
    entries: Entries<'a>,
    images: Vec<Board>,
}

impl<'a> Scan<'a> {
    /// The positions after `root`, whose key is `key`.
    fn new(reader: &Reader<'a>, root: &Board, key: &Key) -> Scan<'a> {
        let filter =
            Filter { rule: Some(root.rule()), size: Some(key.size()), ..Filter::default() };
        let mut entries = reader.entries(&filter);
        // Keys are sorted by number of stones.
        entries.resume_after(key);
        let canonical = key.board();
        let symmetries = Symmetry::of_size(key.size());
        let images = symmetries.iter().map(|&symmetry| canonical.turned(symmetry)).collect();
        Scan { entries, images }
    }
}

impl Iterator for Scan<'_> {
    type Item = Result<(Entry, Board), Error>;

    fn next(&mut self) -> Option<Result<(Entry, Board), Error>> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error)),
            };
            let board = entry.key.board();
            if self.images.iter().any(|image| image.is_part_of(&board)) {
                return Some(Ok((entry, board)));
            }
        }
    }
}

/// The states of the positions with the current number of stones, and with one less.
struct Levels<T> {
    stones: usize,
    last: HashMap<Key, T>,
    current: HashMap<Key, T>,
}

impl<T> Levels<T> {
    fn new(root: Key, state: T) -> Levels<T> {
        Levels { stones: root.stones(), last: HashMap::new(), current: [(root, state)].into() }
    }

    /// Continues with positions of this number of stones, which never decreases.
    fn enter(&mut self, stones: usize) {
        if stones == self.stones {
            return;
        }
        let current = std::mem::take(&mut self.current);
        self.last = if stones == self.stones + 1 { current } else { HashMap::new() };
        self.stones = stones;
    }

    fn add(&mut self, key: Key, state: T) {
        self.current.insert(key, state);
    }

    /// The state of a position with one stone less.
    fn get(&self, key: &Key) -> Option<&T> {
        self.last.get(key)
    }
}

/// The distinct positions before the last move.
fn parents(board: &Board) -> impl Iterator<Item = Key> {
    let mut seen = HashSet::new();
    let keys = Canonical::parents(board).map(|(_, Canonical { key, .. })| key);
    keys.filter(move |key| seen.insert(key.clone()))
}

#[cfg(test)]
mod tests {
    use tengen_rules::{BoardSize, Point, Rule};

    use super::*;
    use crate::store::Store;

    fn board(moves: &[(u8, u8)]) -> Board {
        let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for &(x, y) in moves {
            board.place(Point::new(x, y), board.side_to_move()).unwrap();
        }
        board
    }

    fn labelled(label: &str) -> Record {
        Record { label: label.to_string(), ..Record::default() }
    }

    /// A tree with a transposition: `abcd` can also be reached as `cbad`. `z` is another root.
    fn tree() -> (tempfile::TempDir, Store, Vec<(&'static str, Board)>) {
        let [a, b, c, d] = [(7, 7), (8, 8), (3, 4), (9, 2)];
        let e = (10, 6);
        let boards = vec![
            ("", board(&[])),
            ("a", board(&[a])),
            ("ab", board(&[a, b])),
            ("abc", board(&[a, b, c])),
            ("cb", board(&[c, b])),
            ("abcd", board(&[a, b, c, d])),
            ("abe", board(&[a, b, e])),
            ("abed", board(&[a, b, e, d])),
            ("z", board(&[(0, 1), (2, 0), (5, 0), (0, 9), (14, 0)])),
        ];
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(folder.path().join("x.tdb")).unwrap();
        for (name, board) in &boards {
            store.put(board, &labelled(name)).unwrap();
        }
        (folder, store, boards)
    }

    fn names(entries: impl Iterator<Item = Result<Entry, Error>>) -> Vec<String> {
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().record.label).collect();
        names.sort();
        names
    }

    fn all(store: &Store) -> Vec<String> {
        names(store.reader().entries(&Filter::default()))
    }

    #[test]
    fn branch_follows_moves_of_the_store() {
        let (_folder, store, boards) = tree();
        let branch = |name: &str| {
            let board = &boards.iter().find(|(known, _)| *known == name).unwrap().1;
            Symmetry::of_size(board.size())
                .iter()
                .map(|&symmetry| names(store.reader().branch(&board.turned(symmetry)).unwrap()))
                .reduce(|first, next| {
                    assert_eq!(first, next);
                    first
                })
                .unwrap()
        };
        assert_eq!(branch(""), ["", "a", "ab", "abc", "abcd", "abe", "abed"]);
        assert_eq!(branch("cb"), ["abc", "abcd", "cb"]);
        assert_eq!(branch("abe"), ["abe", "abed"]);
        // From a position that is not in the store.
        let other = board(&[(8, 8)]);
        assert_eq!(names(store.reader().branch(&other).unwrap()), Vec::<String>::new());
    }

    #[test]
    fn deleting_a_branch_keeps_what_other_positions_lead_to() {
        let (_folder, mut store, boards) = tree();
        let ab = &boards[2].1;
        let mut batch = store.batch().unwrap();
        assert_eq!(batch.delete_branch(ab, |_| Deletion::Delete).unwrap(), 2);
        batch.commit().unwrap();
        assert_eq!(all(&store), ["", "a", "ab", "abc", "abcd", "cb", "z"]);
    }

    #[test]
    fn filters_choose_what_to_delete() {
        let choose = |record: &Record| match record.label.as_str() {
            "abed" | "abcd" => Deletion::Delete,
            "abe" => Deletion::Examine,
            _ => Deletion::Keep,
        };
        let (_folder, mut store, boards) = tree();
        let mut batch = store.batch().unwrap();
        assert_eq!(batch.delete_branch(&boards[2].1, choose).unwrap(), 1);
        batch.commit().unwrap();
        assert_eq!(all(&store), ["", "a", "ab", "abc", "abcd", "abe", "cb", "z"]);
    }
}
