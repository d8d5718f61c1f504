//! Tests of sessions.

use std::ops::ControlFlow::{Break, Continue};

use super::*;
use crate::database::samples::{entries, searched, store_of};
use tengen_rules::types::{BoardSize, Color, Rule, Score};
use tengen_store::{Batch, Entry, Evidence, GameValue, GamesRule};

fn size() -> BoardSize {
    BoardSize::square(15).unwrap()
}

fn board(moves: &str) -> Board {
    tengen_testkit::game(Rule::Freestyle, moves).board().clone()
}

fn plan() -> Plan {
    Plan {
        effort: Effort { nodes: Some(500), time: None, lines: 3, solver_nodes: 500 },
        growth: None,
        part: Part::WHOLE,
        positions: u64::MAX,
        deadline: None,
        threads: 1,
        options: Options { hash: Some(1 << 20), ..Options::default() },
        now: || 1,
    }
}

fn growth() -> Option<Growth> {
    Some(Growth { repertoire: None, breadth: 3, window: 400, plies: 4 })
}

fn new_store(lines: &[&str]) -> (tempfile::TempDir, Store) {
    store_of(lines.iter().map(|line| (board(line), Record::default())))
}

fn session(store: &mut Store, plan: &Plan) -> SessionCounts {
    let mut graph = Graph::read(&store.reader(), Rule::Freestyle, size(), None).unwrap();
    let roots: Vec<NodeIndex> = graph.roots().collect();
    run(store, &mut graph, &roots, plan, &StopSwitch::new(), &mut |_| Continue(())).unwrap()
}

const LINES: [&str; 4] = ["h8", "h8 i9", "h8 i9 i7", "h8 a1 i8 a3 j8 a5"];

#[test]
fn every_position_is_analysed_once() {
    // White's only answer to a four, so that the value of the four is that of the answer.
    let (four, answer) = ("h8 g8 i8 a3 j8 a5 k8", "h8 g8 i8 a3 j8 a5 k8 l8");
    let (_folder, mut store) = new_store(&[&LINES[..], &[four, answer]].concat());
    let counts = session(&mut store, &plan());
    assert_eq!((counts.analysed, counts.left, counts.added), (6, 0, 0));
    assert_eq!((counts.solved, counts.proofs_conflicts), (1, 0));
    let before = entries(&store);
    assert!(
        before
            .iter()
            .all(|entry| { entry.record.evaluation.is_some() || entry.record.result.is_some() })
    );
    let four = store.get(&board(four)).unwrap().unwrap();
    assert!(four.tree.is_some_and(|tree| tree.plies > 0));
    assert_eq!(session(&mut store, &plan()).analysed, 0);
    assert_eq!(entries(&store), before);
}

#[test]
fn proofs_propagate_to_earlier_positions() {
    let lines = ["a1 o1 b1 o3 c1 o5 d1 o7", "a1 o1 b1 o3 c1 o5 d1 o7 e1"];
    let (_folder, mut store) = new_store(&lines);
    let effort = Effort { solver_nodes: 0, ..plan().effort };
    let counts = session(&mut store, &Plan { effort, ..plan() });
    assert_eq!((counts.analysed, counts.solved, counts.proved_by_moves), (2, 1, 1));
    let result = store.get(&board(lines[0])).unwrap().unwrap().result.unwrap();
    assert_eq!((result.value, result.evidence), (GameValue::Win, Evidence::Proved));
    assert_eq!((result.distance, result.best), (Some(1), size().point(4, 14)));
}

#[test]
fn interrupted_sessions_give_the_result_of_one_session() {
    let grow = Plan { growth: growth(), positions: 14, ..plan() };
    let (_folder, mut whole) = new_store(&["h8 i9"]);
    assert_eq!(session(&mut whole, &grow).analysed, 14);
    let (_folder, mut parts) = new_store(&["h8 i9"]);
    for _ in 0..7 {
        assert_eq!(session(&mut parts, &Plan { positions: 2, ..grow.clone() }).analysed, 2);
    }
    assert_eq!(entries(&parts), entries(&whole));
    assert!(entries(&whole).len() >= 14);
}

#[test]
fn parts_are_disjoint_and_merge_to_the_whole() {
    let keys: Vec<Key> = LINES.iter().map(|line| Key::of(&board(line))).collect();
    let parts: Vec<Part> = (1..=3).map(|it| format!("{it}/3").parse().unwrap()).collect();
    assert!(keys.iter().all(|key| parts.iter().filter(|part| part.has(key)).count() == 1));
    let (_folder, mut merged) = new_store(&LINES);
    let mut analysed = 0;
    for part in parts {
        let (_folder, mut store) = new_store(&LINES);
        analysed += session(&mut store, &Plan { part, ..plan() }).analysed;
        let mut batch = merged.batch().unwrap();
        batch.merge_all(entries(&store), GamesRule::Largest).unwrap();
        batch.commit().unwrap();
    }
    assert_eq!(analysed, 4);
    assert_eq!(session(&mut merged, &plan()).analysed, 0);
    let (_folder, mut whole) = new_store(&LINES);
    session(&mut whole, &plan());
    assert_eq!(entries(&merged), entries(&whole));
    for text in ["0/3", "4/3", "1/0", "1", "x/y"] {
        assert!(text.parse::<Part>().is_err(), "{text}");
    }
}

#[test]
fn several_threads_find_the_same_results() {
    let (_folder, mut one) = new_store(&LINES);
    session(&mut one, &plan());
    let (_folder, mut three) = new_store(&LINES);
    session(&mut three, &Plan { threads: 3, ..plan() });
    let values = |store: &Store| -> Vec<Option<(GameValue, Evidence)>> {
        let result = |entry: Entry| {
            Some((entry.record.result.as_ref()?.value, entry.record.result?.evidence))
        };
        entries(store).into_iter().map(result).collect()
    };
    assert_eq!(values(&one), values(&three));
}

#[test]
fn repertoires_follow_one_move_of_their_side() {
    let positions = |repertoire| {
        let (_folder, mut store) = new_store(&["h8"]);
        let growth = Growth { repertoire, window: 10_000, plies: 2, ..growth().unwrap() };
        session(&mut store, &Plan { growth: Some(growth), ..plan() });
        entries(&store).len()
    };
    let all = positions(None);
    assert!(positions(Some(Color::White)) < all && positions(Some(Color::Black)) < all);
}

#[test]
fn sessions_without_changes_take_no_lock() {
    let (_folder, mut store) = new_store(&LINES);
    session(&mut store, &plan());
    let mut other = Store::open(store.path()).unwrap();
    let batch = other.batch().unwrap();
    assert_eq!(session(&mut store, &plan()).analysed, 0);
    drop(batch);
}

#[test]
fn findings_wait_for_another_program_that_writes() {
    let (_folder, mut other) = new_store(&LINES);
    session(&mut other, &plan());
    // The next session begins with new values before this position.
    let mut searched = other.get(&board(LINES[2])).unwrap().unwrap();
    searched.evaluation.as_mut().unwrap().score = Score::raw(-900);
    other.put(&board(LINES[2]), &searched).unwrap();
    other.put(&board(LINES[3]), &Record::default()).unwrap();
    let mut store = Store::open(other.path()).unwrap();
    let value = |store: &Store| store.get(&board(LINES[1])).unwrap().unwrap().tree;
    let before = value(&store);
    let session = |store: &mut Store, lock: Batch<'_>, calls: usize| {
        let mut graph = Graph::read(&store.reader(), Rule::Freestyle, size(), None).unwrap();
        let roots: Vec<NodeIndex> = graph.roots().collect();
        let (mut lock, mut left, stop) = (Some(lock), calls, StopSwitch::new());
        let mut progress = |counts: &SessionCounts| {
            assert_eq!(counts.analysed, 1);
            left = left.saturating_sub(1);
            if left == 0 && calls > 0 {
                drop(lock.take());
            }
            // Ctrl-C, which ends the session and then its wait.
            if calls == 0 { Break(()) } else { Continue(()) }
        };
        run(store, &mut graph, &roots, &plan(), &stop, &mut progress)
    };
    let refused = session(&mut store, other.batch().unwrap(), 0);
    assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");
    assert_eq!(value(&store), before);
    // The other program ends during the wait at the end.
    let counts = session(&mut store, other.batch().unwrap(), 3).unwrap();
    assert_eq!(counts.analysed, 1);
    assert_eq!(value(&store).map(|value| value.score), Some(Score::raw(900)));
    assert_ne!(store.get(&board(LINES[3])).unwrap(), Some(Record::default()));
}

#[test]
fn positions_that_another_program_deletes_stay_deleted() {
    let (_folder, mut store) = new_store(&LINES[..2]);
    session(&mut store, &plan());
    // The analysis of a new position changes the tree value of the one before it.
    store.put(&board(LINES[2]), &Record::default()).unwrap();
    let mut other = Store::open(store.path()).unwrap();
    let mut graph = Graph::read(&store.reader(), Rule::Freestyle, size(), None).unwrap();
    let roots: Vec<NodeIndex> = graph.roots().collect();
    let delete = |store: &mut Store, line| {
        let mut batch = store.batch().unwrap();
        batch.delete(&board(line)).unwrap();
        batch.commit().unwrap();
    };
    let mut progress = |_: &SessionCounts| {
        delete(&mut other, LINES[1]);
        Continue(())
    };
    let stop = StopSwitch::new();
    let counts = run(&mut store, &mut graph, &roots, &plan(), &stop, &mut progress).unwrap();
    assert_eq!(counts.analysed, 1);
    assert_eq!(store.get(&board(LINES[1])).unwrap(), None);
    assert!(store.get(&board(LINES[2])).unwrap().unwrap().evaluation.is_some());
}

#[test]
fn positions_that_are_deleted_before_their_findings_are_written_stay_deleted() {
    for growth in [None, growth()] {
        let (_folder, mut store) = new_store(&LINES);
        let mut other = Store::open(store.path()).unwrap();
        let mut graph = Graph::read(&store.reader(), Rule::Freestyle, size(), None).unwrap();
        let roots: Vec<NodeIndex> = graph.roots().collect();
        let mut delete_all = |_: &SessionCounts| {
            let mut batch = other.batch().unwrap();
            for line in LINES {
                batch.delete(&board(line)).unwrap();
            }
            batch.commit().unwrap();
            Continue(())
        };
        let (plan, stop) = (Plan { growth, ..plan() }, StopSwitch::new());
        let counts = run(&mut store, &mut graph, &roots, &plan, &stop, &mut delete_all).unwrap();
        // The other positions and the moves of the first one are not searched.
        assert_eq!((counts.analysed, counts.added, counts.left), (1, 0, 0));
        assert_eq!(entries(&store), []);
    }
}

#[test]
fn growing_changes_no_values_elsewhere() {
    let (_folder, mut store) = new_store(&[LINES[0], LINES[2]]);
    store.put(&board(LINES[1]), &searched(Score::raw(70))).unwrap();
    let start = board("a1 o15");
    store.put(&start, &Record::default()).unwrap();
    let before = entries(&store);
    let mut graph = Graph::read(&store.reader(), Rule::Freestyle, size(), None).unwrap();
    let roots = [graph.find(&Key::of(&start)).unwrap()];
    let growth = growth().map(|growth| Growth { plies: 1, ..growth });
    let (plan, stop) = (Plan { growth, ..plan() }, StopSwitch::new());
    let counts = run(&mut store, &mut graph, &roots, &plan, &stop, &mut |_| Continue(())).unwrap();
    assert!(counts.added > 0);
    let is_elsewhere = |entry: &&Entry| entry.key != Key::of(&start);
    for entry in before.iter().filter(is_elsewhere) {
        assert_eq!(store.reader().get_key(&entry.key).unwrap().as_ref(), Some(&entry.record));
    }
}

#[test]
fn stopped_sessions_store_no_partial_findings() {
    let (_folder, mut store) = new_store(&LINES);
    let before = entries(&store);
    let mut graph = Graph::read(&store.reader(), Rule::Freestyle, size(), None).unwrap();
    let roots: Vec<NodeIndex> = graph.roots().collect();
    let stop = StopSwitch::new();
    stop.press();
    let counts =
        run(&mut store, &mut graph, &roots, &plan(), &stop, &mut |_| Continue(())).unwrap();
    assert_eq!(counts.analysed, 0);
    assert_eq!(entries(&store), before);
}
