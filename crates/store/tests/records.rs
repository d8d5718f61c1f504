//! Positions and records: symmetry, merging, iteration, filters, and a comparison with a map.

mod common;

use std::collections::{BTreeMap, HashMap};

use common::{comment, evaluated, numbered, played, proved, record_of, square};
use proptest::prelude::*;
use tengen_rules::{Board, BoardSize, Color, Point, Rule, Symmetry};
use tengen_store::{Error, Evidence, Filter, GameValue, Games, GamesRule, Key, Record, Store};

fn create(folder: &tempfile::TempDir) -> Store {
    Store::create(folder.path().join("test.tdb")).unwrap()
}

#[test]
fn records_turn_with_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let sizes = [(15, 15), (20, 20), (9, 30), (15, 20)];
    for (width, height) in sizes {
        let size = BoardSize::new(width, height).unwrap();
        let board = played(size, Rule::Renju, &[(4, 3), (5, 6), (1, 2), (3, 8)]);
        let mut record = evaluated(8, 55, Point::new(2, 7));
        record.result = proved(GameValue::Win, 9).result;
        record.result.as_mut().unwrap().best = Some(Point::new(0, 8));
        record.texts.insert(Point::new(8, 1), "A".to_string());
        record.texts.insert(Point::new(8, 2), "B".to_string());
        store.put(&board, &record).unwrap();
        for &symmetry in Symmetry::of_size(size) {
            let turned = board.turned(symmetry);
            let expected = record.clone().turned(size, symmetry);
            assert_eq!(store.get(&turned).unwrap(), Some(expected.clone()), "{size} {symmetry:?}");
            // Written from any side, read from any other.
            store.put(&turned, &expected).unwrap();
            assert_eq!(store.get(&board).unwrap(), Some(record.clone()));
        }
    }
    assert_eq!(store.reader().len().unwrap(), sizes.len() as u64);
}

#[test]
fn a_quarter_turn_of_a_rectangle_is_another_position() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let size = BoardSize::new(15, 20).unwrap();
    let board = played(size, Rule::Standard, &[(4, 3), (5, 6)]);
    store.put(&board, &comment("wide")).unwrap();
    let quarter = Symmetry::ALL[4];
    assert_eq!(store.get(&board.turned(quarter)).unwrap(), None);
    assert_eq!(store.get(&board.turned(Symmetry::ALL[3])).unwrap(), Some(comment("wide")));
}

#[test]
fn transpositions_share_a_record_rules_and_sizes_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let mut expected = Vec::new();
    let mut batch = store.batch().unwrap();
    for rule in Rule::ALL {
        for side in [5, 15, 19, 20, 36] {
            let board = played(square(side), rule, &[(2, 2), (3, 3), (1, 4)]);
            let text = format!("{rule} {side}");
            batch.put(&board, &comment(&text)).unwrap();
            expected.push((played(square(side), rule, &[(1, 4), (3, 3), (2, 2)]), text));
        }
    }
    batch.commit().unwrap();
    for (board, text) in &expected {
        assert_eq!(store.get(board).unwrap(), Some(comment(text)));
        let mut other_side = board.clone();
        other_side.set_side(board.side_to_move().opponent());
        assert_eq!(store.get(&other_side).unwrap(), None);
    }
    let filter = Filter { rule: Some(Rule::Caro), size: Some(square(19)), ..Filter::default() };
    let entries: Vec<_> = store.reader().entries(&filter).map(Result::unwrap).collect();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].record.comment, "caro 19");
    assert_eq!(store.reader().stats(&Filter::default()).unwrap().boards.len(), 25);
}

#[test]
fn merging_keeps_the_better_part_of_each_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let board = numbered(1);
    let mut merge = |record: &Record| {
        let mut batch = store.batch().unwrap();
        let merged = batch.merge(&board, record, GamesRule::Largest).unwrap();
        batch.commit().unwrap();
        merged
    };
    assert!(merge(&evaluated(10, 5, Point::new(3, 3))).inserted);
    assert!(!merge(&evaluated(8, 90, Point::new(4, 4))).changed);
    let merged = merge(&proved(GameValue::Loss, 12));
    assert!(merged.changed && !merged.inserted);
    let mut claim = proved(GameValue::Win, 3);
    claim.result.as_mut().unwrap().evidence = Evidence::Claimed;
    let merged = merge(&claim);
    assert!(merged.claims_conflict && !merged.changed);
    let record = store.get(&board).unwrap().unwrap();
    assert_eq!(record.evaluation, evaluated(10, 5, Point::new(3, 3)).evaluation);
    assert_eq!(record.result, proved(GameValue::Loss, 12).result);
    let games = Record { games: Games { draws: 2, ..Games::default() }, ..Record::default() };
    let mut batch = store.batch().unwrap();
    batch.merge(&board, &games, GamesRule::Add).unwrap();
    batch.merge(&board, &games, GamesRule::Add).unwrap();
    assert_eq!(batch.reader().get(&board).unwrap().unwrap().games.draws, 4);
    drop(batch);
    assert_eq!(store.get(&board).unwrap().unwrap().games.draws, 0, "the batch was dropped");
}

#[test]
fn invalid_records_are_rejected_and_leave_the_batch_usable() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let small = played(square(5), Rule::Renju, &[(2, 2)]);
    let mut batch = store.batch().unwrap();
    let outside = evaluated(1, 1, Point::new(5, 0));
    let loud = evaluated(1, 40_000, Point::new(0, 0));
    let label = Record { label: "two\nlines".to_string(), ..Record::default() };
    let text = comment(&"x".repeat(64 * 1024 + 1));
    let mut empty = Record::default();
    empty.texts.insert(Point::new(0, 0), String::new());
    for (record, reason) in [
        (outside, "the point 5,0 lies outside the 5x5 board"),
        (loud, "score 40000"),
        (label, "label \"two\\nlines\""),
        (text, "a text of 65537 bytes"),
        (empty, "an empty text on 0,0"),
    ] {
        let error = batch.put(&small, &record).unwrap_err();
        assert!(matches!(error, Error::InvalidRecord { .. }), "{error:?}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    batch.put(&small, &comment("fine")).unwrap();
    batch.commit().unwrap();
    assert_eq!(store.reader().len().unwrap(), 1);
}

#[test]
fn children_include_images() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let root = played(square(15), Rule::Renju, &[(7, 7), (7, 6)]);
    let mut batch = store.batch().unwrap();
    batch.put(&root, &comment("root")).unwrap();
    for (x, y) in [(8, 6), (9, 8)] {
        let child = played(square(15), Rule::Renju, &[(7, 7), (7, 6), (x, y)]);
        batch.put(&child, &comment(&format!("{x},{y}"))).unwrap();
    }
    batch.commit().unwrap();
    let texts = |children: Vec<tengen_store::Child>| -> BTreeMap<(u8, u8), String> {
        let cell = |point: Point| (point.x(), point.y());
        children.into_iter().map(|child| (cell(child.point), child.record.comment)).collect()
    };
    // The mirror images 6,6 and 5,8 are listed as well.
    let children = texts(store.reader().children(&root).unwrap());
    let expected = [((6, 6), "8,6"), ((8, 6), "8,6"), ((5, 8), "9,8"), ((9, 8), "9,8")];
    assert_eq!(children, expected.map(|(cell, text)| (cell, text.to_string())).into());
}

#[test]
fn entries_are_sorted_by_number_of_stones() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let mut batch = store.batch().unwrap();
    let mut boards = Vec::new();
    for number in 0..400 {
        let mut board = numbered(number);
        while number % 13 < board.history().len() as u64 {
            board.undo();
        }
        batch.merge(&board, &comment("x"), GamesRule::Largest).unwrap();
        boards.push(Key::of(&board));
    }
    for number in 0..1_500 {
        let board = numbered(1_000 + number);
        batch.put(&board, &comment("y")).unwrap();
        boards.push(Key::of(&board));
    }
    batch.commit().unwrap();
    boards.sort();
    boards.dedup();
    let reader = store.reader();
    let keys = |entries: tengen_store::Entries<'_>| -> Vec<Key> {
        entries.map(|entry| entry.unwrap().key).collect()
    };
    let all = Filter::default();
    let forward = keys(reader.entries(&all));
    assert_eq!(forward, boards);
    assert!(forward.is_sorted_by_key(Key::stones));
    let renju = Filter { rule: Some(Rule::Renju), ..Filter::default() };
    assert_eq!(keys(reader.entries(&renju)).len(), boards.len());
    let standard = Filter { rule: Some(Rule::Standard), ..Filter::default() };
    assert!(keys(reader.entries(&standard)).is_empty());
}

#[test]
fn filters_select() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let mut claimed = proved(GameValue::Win, 9);
    claimed.result.as_mut().unwrap().evidence = Evidence::Claimed;
    let mut labelled = comment("Zug um Zug");
    labelled.label = "book".to_string();
    let mut batch = store.batch().unwrap();
    let records = [
        proved(GameValue::Win, 5),
        proved(GameValue::Loss, 6),
        claimed,
        evaluated(20, 150, Point::new(1, 1)),
        evaluated(4, -30, Point::new(1, 1)),
        labelled,
    ];
    for (number, record) in records.iter().enumerate() {
        batch.put(&numbered(number as u64), record).unwrap();
    }
    batch.commit().unwrap();
    let all = Filter::default;
    let cases = [
        (all(), vec![0, 1, 2, 3, 4, 5]),
        (Filter { evidence: Some(Evidence::Proved), ..all() }, vec![0, 1]),
        (Filter { value: Some(GameValue::Win), ..all() }, vec![0, 2]),
        (Filter { has_result: Some(false), ..all() }, vec![3, 4, 5]),
        (Filter { distance: Some(6..=9), ..all() }, vec![1, 2]),
        (Filter { depth: Some(0..=10), ..all() }, vec![4]),
        (Filter { has_evaluation: Some(true), ..all() }, vec![3, 4]),
        (Filter { label: Some("book".to_string()), ..all() }, vec![5]),
        (Filter { label: Some(String::new()), ..all() }, vec![0, 1, 2, 3, 4]),
        (Filter { text: Some("ZUG".to_string()), ..all() }, vec![5]),
        (Filter { source: Some("solver".to_string()), ..all() }, vec![0, 1, 2]),
        (Filter { games: Some(1..=9), ..all() }, vec![]),
        (Filter { stones: Some(12..=12), ..all() }, vec![0, 1, 2, 3, 4, 5]),
        (Filter { stones: Some(0..=11), ..all() }, vec![]),
        (Filter { side: Some(Color::White), ..all() }, vec![]),
    ];
    for (filter, expected) in &cases {
        let found: Vec<Key> =
            store.reader().entries(filter).map(|entry| entry.unwrap().key).collect();
        let mut expected: Vec<Key> =
            expected.iter().map(|&number| Key::of(&numbered(number))).collect();
        expected.sort();
        assert_eq!(found, expected, "{filter:?}");
    }
    let mut batch = store.batch().unwrap();
    assert!(batch.delete(&numbered(1)).unwrap() && !batch.delete(&numbered(1)).unwrap());
    batch.commit().unwrap();
    assert_eq!(store.reader().len().unwrap(), 5);
}

#[test]
fn compacting_releases_the_space_of_deleted_records() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let mut batch = store.batch().unwrap();
    for number in 0..3_000 {
        batch.put(&numbered(number), &comment("x")).unwrap();
    }
    for number in 1_000..3_000 {
        assert!(batch.delete(&numbered(number)).unwrap());
    }
    batch.commit().unwrap();
    let before = store.reader().stats(&Filter::default()).unwrap();
    assert_eq!((before.boards[0].positions, before.boards[0].comments), (1_000, 1_000));
    assert!(before.free_bytes > 0);
    store.compact().unwrap();
    let after = store.reader().stats(&Filter::default()).unwrap();
    assert!(after.free_bytes == 0 && after.file_bytes < before.file_bytes);
    assert_eq!(after.boards, before.boards);
}

#[test]
fn edits_start_from_the_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = create(&folder);
    let board = numbered(3);
    store.put(&board, &proved(GameValue::Win, 5)).unwrap();
    let mut batch = store.batch().unwrap();
    batch.edit(&board, |record| record.label = "mine".to_string()).unwrap();
    batch.edit(&numbered(4), |record| record.label = "new".to_string()).unwrap();
    batch.set_property("root", "h8").unwrap();
    batch.set_property("gone", "x").unwrap();
    batch.set_property("gone", "").unwrap();
    batch.commit().unwrap();
    let record = store.get(&board).unwrap().unwrap();
    assert_eq!((record.label.as_str(), record.result.is_some()), ("mine", true));
    assert_eq!(store.get(&numbered(4)).unwrap().unwrap().label, "new");
    assert_eq!(store.reader().property("root").unwrap().as_deref(), Some("h8"));
    assert_eq!(store.reader().property("gone").unwrap(), None);
    let mut batch = store.batch().unwrap();
    for name in ["part:b", "part:a", "parts"] {
        batch.set_property(name, "1").unwrap();
    }
    batch.commit().unwrap();
    assert_eq!(store.reader().property_names("part:").unwrap(), ["part:a", "part:b"]);
    let mut batch = store.batch().unwrap();
    batch.delete_properties("part:").unwrap();
    batch.commit().unwrap();
    assert_eq!(store.reader().property_names("").unwrap(), ["parts", "root"]);
}

/// A step of the comparison with a map.
#[derive(Clone, Debug)]
enum Step {
    Put(u64, u64),
    Merge(u64, u64),
    Delete(u64),
    Commit,
    Drop,
    Reopen,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (position, record) = (0..12_u64, 0..40_u64);
    let step = prop_oneof![
        4 => (position.clone(), record.clone()).prop_map(|(at, record)| Step::Put(at, record)),
        6 => (position.clone(), record).prop_map(|(at, record)| Step::Merge(at, record)),
        2 => position.prop_map(Step::Delete),
        2 => Just(Step::Commit),
        1 => Just(Step::Drop),
        1 => Just(Step::Reopen),
    ];
    prop::collection::vec(step, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn a_store_is_a_map_of_positions(steps in steps(), turn in 0..8_usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.tdb");
        let _ = std::fs::remove_file(&path);
        let mut store = Store::create(&path).unwrap();
        let mut committed: HashMap<u64, Record> = HashMap::new();
        let symmetry = Symmetry::ALL[turn];
        let turned = |number: u64| numbered(number).turned(symmetry);
        let mut steps = steps.into_iter().peekable();
        while steps.peek().is_some() {
            let mut twin = committed.clone();
            let mut batch = store.batch().unwrap();
            let mut reopen = false;
            for step in steps.by_ref() {
                match step {
                    Step::Put(at, record) => {
                        batch.put(&numbered(at), &record_of(record)).unwrap();
                        twin.insert(at, record_of(record));
                    }
                    Step::Merge(at, record) => {
                        let record = record_of(record);
                        let given = record.clone().turned(square(15), symmetry);
                        let merged = batch.merge(&turned(at), &given, GamesRule::Add).unwrap();
                        match twin.get_mut(&at) {
                            Some(known) => {
                                let expected = known.merge(record, GamesRule::Add);
                                prop_assert_eq!(merged.changed, expected.changed);
                            }
                            None => {
                                prop_assert!(merged.inserted);
                                twin.insert(at, record);
                            }
                        }
                    }
                    Step::Delete(at) => {
                        let was_there = twin.remove(&at).is_some();
                        prop_assert_eq!(batch.delete(&turned(at)).unwrap(), was_there);
                    }
                    Step::Commit => {
                        committed = twin.clone();
                        break;
                    }
                    Step::Drop => break,
                    Step::Reopen => {
                        reopen = true;
                        break;
                    }
                }
            }
            if committed == twin {
                batch.commit().unwrap();
            } else {
                drop(batch);
            }
            if reopen {
                drop(store);
                store = Store::open(&path).unwrap();
            }
            for number in 0..12 {
                let found = store.get(&turned(number)).unwrap();
                let expected = committed.get(&number).cloned();
                let expected = expected.map(|record| record.turned(square(15), symmetry));
                prop_assert_eq!(found, expected);
            }
            prop_assert_eq!(store.reader().len().unwrap(), committed.len() as u64);
        }
    }
}

#[test]
fn boards_of_the_tests_differ() {
    let mut keys: Vec<Key> = (0..5_000).map(|number| Key::of(&numbered(number))).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 5_000);
    let _: Board = keys[0].board();
}
