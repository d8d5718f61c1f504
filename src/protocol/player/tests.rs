//! Books, proofs and opening decisions of a session, and positions to ponder.

use super::ponder::position_to_ponder;
use super::*;
use crate::book::{BookBuilder, BookMove};
use crate::protocol::{Conversation, Session};
use crate::proved;
use tengen_rules::types::{Color, Score};

/// The messages about a book in the answer to h8, if the book has this move as the reply.
fn book_messages(reply: BookMove, info: &str) -> Vec<String> {
    let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
    board.place(Point::new(7, 7), Color::Black).unwrap();
    let mut book = BookBuilder::default();
    book.insert(&board, &[reply]);
    let resources = Resources { book: Some(book.build()), ..Resources::default() };
    messages(resources, &format!("START 15\n{info}\nTURN 7,7\n"))
}

/// The messages about a book in a session with these lines.
fn messages(resources: Resources, lines: &str) -> Vec<String> {
    let mut replies = replies(resources, lines);
    replies.retain(|reply| reply.contains("book"));
    replies
}

/// The replies of a session with these lines.
fn replies(resources: Resources, lines: &str) -> Vec<String> {
    let replies = Conversation::new(Session::with_resources(resources)).send(lines);
    replies.iter().map(Reply::to_string).collect()
}

#[test]
fn proved_moves_of_a_book_are_announced() {
    let corner = Point::new(0, 14);
    let scored = BookMove { point: corner, score: Score::raw(30_000) };
    let time = "INFO timeout_turn 100";
    assert_eq!(book_messages(scored, time), ["MESSAGE book move 0,14"]);
    let proved = BookMove::proved(corner);
    assert_eq!(book_messages(proved, time), ["MESSAGE book move 0,14 (proved to win)"]);
    // Results with a limit of nodes and levels do not depend on books.
    for info in ["INFO max_node 100", "INFO strength 20"] {
        assert_eq!(book_messages(proved, info), [""; 0], "{info}");
    }
}

#[test]
fn book_of_a_folder_counts_as_memory_and_takes_a_quarter_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let size = BoardSize::square(15).unwrap();
    let mut book = BookBuilder::default();
    book.insert(&Board::new(size, Rule::Freestyle), &[BookMove::proved(Point::new(7, 7))]);
    std::fs::write(folder.path().join("tengen.book"), book.build().to_bytes()).unwrap();
    let load = |memory| {
        let engine = Engine::new(Options::default());
        let mut player = Player::new(engine, Resources::default());
        player.start(size);
        let path = folder.path().to_str().unwrap().to_owned();
        for info in [Info::TimeoutTurn(0), Info::MaxMemory(memory), Info::Folder(path)] {
            assert_eq!(player.set(info), None);
        }
        let mut replies: Vec<Reply> = Vec::new();
        let arrival = Arrival { number: 1, received: Instant::now() };
        player.answer(1, &mut Exchange { arrival, out: &mut replies }).unwrap();
        (replies[0].to_string(), player.engine.options().reserved)
    };
    let (message, bytes) = load(4 * 32);
    assert_eq!((message.as_str(), bytes), ("MESSAGE book tengen.book loaded, 1 position", 12));
    let (message, bytes) = load(4 * 32 - 1);
    let reason = "tengen.book: 32 bytes, more than a quarter of the memory limit (31)";
    assert!(message.starts_with(&format!("MESSAGE no book used: {reason}")), "{message}");
    assert_eq!(bytes, 0);
}

#[test]
fn given_book_of_more_than_a_quarter_of_the_memory_is_reported_once() {
    let size = BoardSize::square(15).unwrap();
    let said = |memory: u64| {
        let mut book = BookBuilder::default();
        book.insert(&Board::new(size, Rule::Freestyle), &[BookMove::proved(Point::new(7, 7))]);
        let resources = Resources { book: Some(book.build()), ..Resources::default() };
        let start = format!("START 15\nINFO timeout_turn 0\nINFO max_memory {memory}\n");
        messages(resources, &format!("{start}BEGIN\nRESTART\nBEGIN\n"))
    };
    let played = "MESSAGE book move 7,7 (proved to win)";
    assert_eq!(said(48), [played, played]);
    let reason = "12 bytes, more than a quarter of the memory limit (11); the table is smaller";
    let reported = format!("MESSAGE the book takes {reason}");
    assert_eq!(said(47), [reported.as_str(), played, played]);
}

#[test]
fn embedded_proved_moves_are_played_unless_books_are_off() {
    let lines = |info: &str| {
        format!(
            "START 15\nINFO timeout_turn 100\n{info}\nBOARD\n7,7,1\n7,6,2\n8,6,1\n7,5,2\nDONE\n"
        )
    };
    let proved = |resources, info: &str| {
        messages(resources, &lines(info)).iter().any(|it| it.ends_with("(proved to win)"))
    };
    assert!(proved(Resources::default(), ""));
    for info in ["INFO usebook 0", "INFO max_node 100", "INFO strength 20", "INFO rule 4"] {
        assert!(!proved(Resources::default(), info), "{info}");
    }
    assert!(proved(Resources::default(), "INFO usebook 0\nINFO usebook 1"));
    let no_book = || Resources { no_book: true, ..Resources::default() };
    assert!(!proved(no_book(), ""));
    assert!(proved(no_book(), "INFO usebook 1"));
}

/// The last line about each search of a session with these lines, without times. With
/// `show_detail 1`, so that no line is left out because of its time.
fn searches(lines: &str) -> Vec<String> {
    let untimed = |message: &String| {
        let (before, rest) = message.split_once(" n/ms ")?;
        Some(format!("{before}{}", &rest[rest.find(" pv ")?..]))
    };
    let (mut found, mut last) = (Vec::new(), None);
    for reply in replies(Resources::default(), lines) {
        match untimed(&reply) {
            Some(line) => last = Some(line),
            None if reply.starts_with("MESSAGE") => {}
            None => found.extend(last.take()),
        }
    }
    found
}

#[test]
fn new_game_forgets_the_game_before() {
    let start = "START 15\nINFO timeout_turn 600000\nINFO max_node 3000\nINFO show_detail 1\n";
    let position = "BOARD\n7,7,1\n8,8,2\n9,7,1\n7,9,2\nDONE\n";
    let twice = |between: &str| searches(&format!("{start}{position}{between}{position}"));
    let once = searches(&format!("{start}{position}"));
    let again = [once.clone(), once].concat();
    assert_eq!(twice("START 15\n"), again);
    assert_eq!(twice("RESTART\n"), again);
    // A larger table of the game before.
    let larger = "RESTART\nINFO max_node 90000\nBOARD\n7,7,1\nDONE\nRESTART\nINFO max_node 3000\n";
    assert_eq!(twice(larger).last(), again.last());
    // Yixin-Board sends START before most analyses of one game.
    assert_ne!(twice("YXSHOWINFO\nSTART 15\n"), again);
    assert_eq!(twice("YXHASHCLEAR\nSTART 15\n"), again);
    assert_ne!(twice(""), again);
}

/// Milliseconds of the clock of a game.
const GAME: i64 = 100_000;

#[test]
fn waiting_takes_the_time_of_a_request() {
    let mut player = Player::new(Engine::new(Options::default()), Resources::default());
    player.start(BoardSize::square(15).unwrap());
    for info in [Info::TimeoutTurn(5_000), Info::TimeoutMatch(GAME), Info::UseBook(0)] {
        assert_eq!(player.set(info), None);
    }
    let mut replies: Vec<Reply> = Vec::new();
    let waited = Duration::from_secs(10);
    let arrival = Arrival { number: 1, received: Instant::now() - waited };
    player.answer(1, &mut Exchange { arrival, out: &mut replies }).unwrap();
    assert_eq!(replies, [], "no time is left for a search");
    let left = player.settings.limits().left.unwrap();
    assert!(left <= Duration::from_millis(GAME as u64) - waited, "{left:?}");
    // Another request, which waited for the answer, has its whole time.
    assert_eq!(player.received(arrival), player.answered.unwrap());
    let later = Instant::now();
    assert_eq!(player.received(Arrival { number: 2, received: later }), later);
}

#[test]
fn all_balanced_moves_are_on_the_board() {
    let stones = |command: &str| {
        let lines = format!("START 15\nINFO timeout_turn 0\nPLAY 7,7\n{command}\nTRACEBOARD\n");
        let replies = replies(Resources::default(), &lines);
        let rows: Vec<&String> = replies.iter().filter(|it| it.starts_with("MESSAGE")).collect();
        ["X", "O"].map(|stone| rows.iter().map(|row| row.matches(stone).count()).sum::<usize>())
    };
    assert_eq!(stones("YXBALANCEONE 0"), [1, 1]);
    assert_eq!(stones("YXBALANCETWO 0"), [2, 1]);
}

#[test]
fn decisions_by_a_proof_name_the_winner() {
    let swap2 = |moves: &str| {
        let lines = format!("START 15\nINFO timeout_turn 100\nSWAP2BOARD\n{moves}\nDONE\n");
        let mut replies = replies(Resources::default(), &lines);
        replies.retain(|reply| reply.contains("proved to be won by") || reply == "SWAP");
        replies
    };
    let proved = ["MESSAGE the position is proved to be won by black", "SWAP"];
    assert_eq!(swap2("7,7\n7,6\n8,6"), proved);
    assert!(!swap2("0,0\n14,14\n0,2").contains(&proved[0].to_string()));
}

#[test]
fn opening_decisions_use_proofs_unless_books_are_off() {
    // White picks the fifth move that is not proved to win for black.
    let picks_other = |resources, infos: &[Info]| {
        let mut player = Player::new(Engine::new(Options::default()), resources);
        player.start(BoardSize::square(15).unwrap());
        player.set(Info::TimeoutTurn(0));
        infos.iter().for_each(|info| drop(player.set(info.clone())));
        let opening = [(7, 7), (7, 6), (8, 6), (7, 5)].map(|(x, y)| Point::new(x, y));
        let board = player.board_after(&opening).unwrap();
        let offers = [proved::winning_move(&board).unwrap().point, Point::new(0, 14)];
        let mut replies: Vec<Reply> = Vec::new();
        let arrival = Arrival { number: 1, received: Instant::now() };
        let mut exchange = Exchange { arrival, out: &mut replies };
        let picked = player.decide(&mut exchange, |it| it.choose_fifth(&board, &offers));
        let picked = picked.unwrap();
        picked == Some(offers[1])
    };
    assert!(picks_other(Resources::default(), &[]));
    let no_book = || Resources { no_book: true, ..Resources::default() };
    assert!(!picks_other(no_book(), &[]));
    assert!(picks_other(no_book(), &[Info::UseBook(1)]));
    for info in [Info::UseBook(0), Info::MaxNode(100), Info::Strength(20)] {
        assert!(!picks_other(Resources::default(), std::slice::from_ref(&info)), "{info:?}");
    }
}

#[test]
fn no_position_to_ponder_after_the_end() {
    let size = BoardSize::square(15).unwrap();
    let mut board = Board::new(size, Rule::Freestyle);
    for x in 0..4 {
        board.place(Point::new(x, 0), Color::Black).unwrap();
        board.place(Point::new(x, 5), Color::White).unwrap();
    }
    let quiet = Prediction { reply: Some(Point::new(9, 9)) };
    let after = position_to_ponder(board.clone(), quiet).unwrap();
    assert_eq!(after.side_to_move(), Color::White);
    let five = Prediction { reply: Some(Point::new(4, 0)) };
    assert!(position_to_ponder(board.clone(), five).is_none());
    let taken = Prediction { reply: Some(Point::new(0, 0)) };
    assert_eq!(position_to_ponder(board.clone(), taken).unwrap().key(), board.key());
    board.place(Point::new(4, 0), Color::Black).unwrap();
    assert!(position_to_ponder(board, quiet).is_none());
}
