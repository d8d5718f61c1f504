//! The positions of `protocol-tests/fouls.jsonl` through `YXSHOWFORBID`. (The tests of the crate
//! `tengen-rules` use them as well.)

use tengen::protocol::{Conversation, Reply, Session};
use tengen_rules::board::{Board, Stone};
use tengen_rules::types::{Color, Point};
use tengen_testkit::collection::foul_cases;

/// The lines of Yixin-Board that request the fouls of this board.
fn question(board: &Board) -> String {
    let line = |stone: &Stone| {
        let field = if stone.color == Color::Black { 1 } else { 2 };
        format!("{},{field}\n", stone.point)
    };
    let stones: String = board.history().iter().map(line).collect();
    format!("START {}\nYXBOARD\n{stones}DONE\nYXSHOWFORBID\n", board.size().width())
}

#[test]
fn session_shows_every_foul() {
    let mut conversation = Conversation::new(Session::default());
    assert_eq!(conversation.send("INFO rule 4\n"), []);
    let cases = foul_cases();
    assert_eq!(cases.len(), 1525);
    for case in cases {
        let points: Vec<Point> = case.forbidden.iter().map(|&(point, _)| point).collect();
        let expected = [Reply::Ok, Reply::Forbid(points)];
        assert_eq!(conversation.send(question(&case.board)), expected, "{}", case.id);
    }
}
