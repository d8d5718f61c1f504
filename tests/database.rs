//! Conversations of the Yixin-Board dialect with a database, from `protocol-tests/database`, whose
//! README describes their format. Only with the feature `database`.

use std::path::Path;

use tengen::database::{Change, Database, open};
use tengen::protocol::{self, Reply, Resources, Session};
use tengen::{Board, BoardSize, Point, Rule, Score};
use tengen_store::{
    Bound, Evaluation, Evidence, GameValue, KnownResult, Provenance, Record, ScoredMove, Store,
    TreeValue,
};

/// A conversation with replies as lines.
struct Conversation(protocol::Conversation);

impl Conversation {
    fn new() -> Conversation {
        Conversation::with_resources(Resources::default())
    }

    fn with_resources(resources: Resources) -> Conversation {
        Conversation(protocol::Conversation::new(Session::with_resources(resources)))
    }

    /// Sends a line and returns the lines of the answer.
    fn send(&mut self, line: impl AsRef<[u8]>) -> Vec<String> {
        let replies = self.0.send([line.as_ref(), b"\n"].concat());
        let text: Vec<String> = replies.iter().map(Reply::to_string).collect();
        text.join("\n").lines().map(|line| line.trim_end().to_owned()).collect()
    }
}

/// Runs a conversation; `FOLDER` stands for an empty folder.
fn run(path: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.replace("FOLDER", folder.path().to_str().unwrap());
    let mut conversation = Conversation::new();
    let (mut expected, mut answers) = (Vec::new(), Vec::new());
    let check = |number: usize, expected: &mut Vec<String>, answers: &mut Vec<String>| {
        assert_eq!(answers, expected, "{}:{number}", path.display());
        expected.clear();
        answers.clear();
    };
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(line) = line.strip_prefix("> ") {
            check(number, &mut expected, &mut answers);
            answers = conversation.send(line);
        } else if let Some(line) = line.strip_prefix("< ") {
            expected.push(line.trim_end().to_owned());
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{}:{number}", path.display());
        }
    }
    check(text.lines().count(), &mut expected, &mut answers);
}

#[test]
fn conversations_are_answered_as_rapfi_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/database");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut count = 0;
    for path in files.filter(|path| path.extension().is_some_and(|it| it == "txt")) {
        run(&path);
        count += 1;
    }
    assert!(count >= 4, "{count} conversations");
}

fn board(moves: &[(u8, u8)]) -> Board {
    let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
    for &(x, y) in moves {
        board.place(Point::new(x, y), board.side_to_move()).unwrap();
    }
    board
}

/// A database in a new folder.
fn database() -> (tempfile::TempDir, Box<dyn Database>) {
    let folder = tempfile::tempdir().unwrap();
    let database = open(&folder.path().join("x.tdb")).unwrap();
    (folder, database)
}

#[test]
fn simultaneous_changes_keep_each_other() {
    let (folder, _) = database();
    let path = folder.path().join("x.tdb");
    let start = board(&[(7, 7)]);
    std::thread::scope(|scope| {
        for y in [0, 14] {
            let (path, start) = (&path, &start);
            scope.spawn(move || {
                let mut known = open(path).unwrap();
                for x in 0..15 {
                    let text = Change::Text(Point::new(x, y), "A".to_owned());
                    known.change(start, &[text]).unwrap();
                }
            });
        }
    });
    let known = open(&path).unwrap();
    assert_eq!(known.get(&start).unwrap().unwrap().texts.len(), 30);
}

fn searched() -> Evaluation {
    Evaluation {
        score: Score::raw(-40),
        depth: 20,
        bound: Bound::Lower,
        nodes: 5_000_000,
        moves: vec![ScoredMove { point: Point::new(7, 6), score: None }],
        provenance: Provenance::default(),
    }
}

#[test]
fn edited_values_are_not_those_of_a_search() {
    let (folder, known) = database();
    drop(known);
    let path = folder.path().join("x.tdb");
    let start = board(&[(7, 7)]);
    let searched = searched();
    let edited = |change: Change| {
        let mut store = Store::open(&path).unwrap();
        let evaluation = Some(searched.clone());
        store.put(&start, &Record { evaluation, ..Record::default() }).unwrap();
        drop(store);
        let mut known = open(&path).unwrap();
        known.change(&start, &[change]).unwrap();
        Store::open(&path).unwrap().get(&start).unwrap().unwrap().evaluation.unwrap()
    };
    // A board may send unchanged values together with a new label.
    for change in [Change::Score(Score::raw(-40)), Change::Depth(20)] {
        assert_eq!(edited(change), searched);
    }
    let (score, depth) = (edited(Change::Score(Score::raw(300))), edited(Change::Depth(30)));
    assert_eq!((score.score, score.depth, score.bound), (Score::raw(300), 20, Bound::Exact));
    assert_eq!((depth.score, depth.depth, depth.bound), (searched.score, 30, searched.bound));
    for found in [score, depth] {
        assert_eq!((found.nodes, found.moves), (0, Vec::new()));
        assert_eq!(found.provenance.origin.unwrap().source, "manual");
    }
}

/// The record of a position after a board edits its label, value and depth.
fn edited(record: Record, values: &str) -> Record {
    let (folder, known) = database();
    drop(known);
    let path = folder.path().join("x.tdb");
    let start = board(&[(7, 7)]);
    Store::open(&path).unwrap().put(&start, &record).unwrap();
    let mut board = Conversation::new();
    board.send(format!("START 15\nYXSETDATABASE {}", path.display()));
    board.send(format!("YXEDITTVDDATABASE {values}\n7,7\nDONE"));
    Store::open(&path).unwrap().get(&start).unwrap().unwrap()
}

fn claimed_win(distance: u16) -> Option<KnownResult> {
    Some(KnownResult {
        value: GameValue::Win,
        distance: Some(distance),
        evidence: Evidence::Claimed,
        best: None,
        provenance: Provenance::default(),
    })
}

#[test]
fn new_depths_keep_the_shown_value() {
    let tree = TreeValue { plies: 2, score: Score::raw(100), best: None };
    let record = Record { tree: Some(tree), ..Record::default() };
    let found = edited(record, "6 0 100 21").evaluation.unwrap();
    assert_eq!((found.score, found.depth), (tree.score, 21));
    // Also that of a claim that a new label removes.
    let record = Record { result: claimed_win(9), ..Record::default() };
    let found = edited(record, "7 33 29991 21").evaluation.unwrap();
    assert_eq!((found.score, found.depth), (Score::win_in(9), 21));
}

#[test]
fn values_of_removed_claims_do_not_replace_a_search() {
    let evaluation = Some(searched());
    let record = Record { result: claimed_win(9), evaluation, ..Record::default() };
    let record = edited(record, "7 33 29991 20");
    assert_eq!((record.result, record.label.as_str()), (None, "!"));
    assert_eq!(record.evaluation, Some(searched()));
    // Without a search the value goes with the claim, so that no search relies on it.
    let record = Record { result: claimed_win(9), ..Record::default() };
    assert_eq!(edited(record, "7 33 29991 0").evaluation, None);
}

#[test]
fn texts_in_another_encoding_replace_nothing() {
    let (folder, _) = database();
    let mut board = Conversation::new();
    board.send(format!("START 15\nYXSETDATABASE {}/x.tdb", folder.path().display()));
    let mut edit = |text: &[u8]| {
        let lines = [&b"YXEDITTEXTDATABASE \""[..], text, b"\"\n7,7\nDONE"].concat();
        let message = board.send(lines);
        (message.concat(), board.send("YXQUERYDATABASETEXT\n7,7\nDONE").concat())
    };
    // Imports write U+FFFD for invalid bytes.
    let shown = "MESSAGE DATABASE TEXT \"black wins \u{fffd}\"".to_owned();
    assert_eq!(edit("black wins \u{fffd}".as_bytes()), (String::new(), shown.clone()));
    let refused = "MESSAGE nothing changed: the text is not UTF-8".to_owned();
    assert_eq!(edit(b"\xba\xda\xc6\xe5"), (refused.clone(), shown));
    let label = board.send(&b"YXEDITLABELDATABASE 8,8 \xba\xda\n7,7\nDONE"[..]);
    assert_eq!(label, [refused]);
}

#[test]
fn texts_on_cells_are_sent_as_one_line() {
    let (_folder, mut known) = database();
    let text = Change::Text(Point::new(8, 8), "A\n\n9,9".to_owned());
    known.change(&board(&[(7, 7)]), &[text]).unwrap();
    let answers = game(known).send("yxquerydatabaseall\n7,7\ndone");
    let cell = "MESSAGE DATABASE 8 8 -1 0 0 0 0 A  9,9";
    assert_eq!(answers, ["MESSAGE DATABASE REFRESH", cell, "MESSAGE DATABASE DONE"]);
}

/// A game in a session with this database.
fn game(database: Box<dyn Database>) -> Conversation {
    let resources = Resources { database: Some(database), ..Resources::default() };
    let mut conversation = Conversation::with_resources(resources);
    conversation.send("START 15");
    conversation.send("INFO max_node 2000");
    conversation
}

/// The answer to a turn on h8, in a session with this database.
fn answer(database: Box<dyn Database>) -> Vec<String> {
    game(database).send("TURN 7,7")
}

/// The database excludes all other moves, and the manager the preferred one, which makes a five.
#[test]
fn moves_that_the_manager_excludes_are_not_played_although_preferred() {
    let (_folder, known) = database();
    let mut game = game(known);
    let stones = "3,7 0,0 4,7 0,2 5,7 0,4 6,7 2,7";
    let lines = |stones: &str| stones.replace(' ', "\n");
    let position = format!("{}\n7,7\ndone", lines(stones));
    let marked = game.send(format!("yxedittvddatabase 1 33 0 0\n{position}"));
    assert_eq!(marked, ["MESSAGE DATABASE ONE 33 0 0 0 !"]);
    let colored: Vec<String> =
        (0..).zip(stones.split(' ')).map(|(ply, at)| format!("{at},{}", 1 + ply % 2)).collect();
    let board = format!("board\n{}\ndone", colored.join("\n"));
    assert_eq!(game.send(&board).last().unwrap(), "7,7");
    game.send("yxblock\n7,7\ndone");
    assert_ne!(game.send(&board).last().unwrap(), "7,7");
}

#[test]
fn claimed_wins_are_played_and_claimed_losses_avoided() {
    let (_folder, mut known) = database();
    // An absurd claim, which no search would follow.
    let loss = Change::Outcome(Some((GameValue::Loss, Some(8))));
    known.change(&board(&[(7, 7), (0, 1)]), &[loss]).unwrap();
    let reply = answer(known).pop().unwrap();
    // The image of the position on the other side of the board counts as well.
    let images = ["0,1", "1,0", "13,0", "14,1", "0,13", "1,14", "13,14", "14,13"];
    assert!(images.contains(&reply.as_str()), "{reply}");

    let (_folder, mut known) = database();
    let win = Change::Outcome(Some((GameValue::Win, None)));
    for y in 0..15 {
        for x in 0..15 {
            if (x, y) != (7, 7) && (x, y) != (4, 9) {
                known.change(&board(&[(7, 7), (x, y)]), std::slice::from_ref(&win)).unwrap();
            }
        }
    }
    // All images of 4,9 were marked with the others, so one more change is needed.
    known.change(&board(&[(7, 7), (4, 9)]), &[Change::Outcome(None)]).unwrap();
    let reply = answer(known).pop().unwrap();
    let images = ["4,9", "5,10", "9,10", "10,9", "10,5", "9,4", "5,4", "4,5"];
    assert!(images.contains(&reply.as_str()), "{reply}");
}

#[test]
fn proofs_are_kept_and_played() {
    let (folder, known) = database();
    drop(known);
    let path = folder.path().join("x.tdb");
    let mut store = tengen_store::Store::open(&path).unwrap();
    let result = tengen_store::KnownResult {
        value: tengen_store::GameValue::Loss,
        distance: Some(4),
        evidence: tengen_store::Evidence::Proved,
        best: None,
        provenance: tengen_store::Provenance::default(),
    };
    let record = tengen_store::Record { result: Some(result), ..Default::default() };
    let child = board(&[(7, 7), (0, 1)]);
    store.put(&child, &record).unwrap();
    drop(store);
    let mut known = open(&path).unwrap();
    let error = known.change(&child, &[Change::Outcome(None)]).unwrap_err();
    assert!(error.to_string().contains("proved"), "{error}");
    let replies = answer(known);
    assert!(replies[0].starts_with("MESSAGE proved win in the database: "), "{replies:?}");
    assert_eq!(replies.len(), 2);
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    std::fs::write(&path, b"\x01\0\0\0 another database").unwrap();
    let error = open(&path).err().expect("refused").to_string();
    assert!(error.contains("not a database of positions"), "{error}");
}
