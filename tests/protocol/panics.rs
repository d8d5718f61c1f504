//! A panicking search does not lose the game: the session answers every request with a legal move.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tengen::Engine;
use tengen::engine::TreeObserver;
use tengen::protocol::{Conversation, Reply, Session};
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// Panics after this many static evaluations, and again after as many more.
struct Panicking {
    interval: u32,
    left: u32,
    panics: Arc<AtomicU32>,
}

impl TreeObserver for Panicking {
    fn on_evaluation(&mut self, _: &Position) {
        if self.left > 0 {
            self.left -= 1;
            return;
        }
        self.left = self.interval;
        self.panics.fetch_add(1, Ordering::Relaxed);
        panic!("a test's panic");
    }
}

/// A session with panicking searches.
struct Panicked {
    conversation: Conversation,
    panics: Arc<AtomicU32>,
}

impl Panicked {
    fn new(interval: u32) -> Panicked {
        let panics = Arc::new(AtomicU32::new(0));
        let observer = Panicking { interval, left: interval, panics: panics.clone() };
        let mut engine = Engine::default();
        engine.set_tree_observer(Some(Box::new(observer)));
        let conversation = Conversation::new(Session::with_engine(engine));
        Panicked { conversation, panics }
    }

    /// Sends these lines and returns the replies without messages.
    fn ask(&mut self, text: &str) -> Vec<String> {
        let replies = self.conversation.send(format!("{text}\n"));
        let lines = replies.iter().map(Reply::to_string);
        lines.filter(|line| !line.starts_with("MESSAGE ")).collect()
    }

    /// Starts a game on 15x15 and answers five moves of the engine; all six must be legal.
    fn play_six_moves(&mut self) {
        assert_eq!(self.ask("START 15"), ["OK"]);
        let mut taken = HashSet::new();
        let mut request = "BEGIN".to_owned();
        for _ in 0..6 {
            let answers = self.ask(&request);
            assert_eq!(answers.len(), 1, "{answers:?}");
            let point: Point = answers[0].parse().expect("a move");
            let is_legal = point.x() < 15 && point.y() < 15 && taken.insert(point);
            assert!(is_legal, "{point} after {taken:?}");
            let free = |cell: &Point| !taken.contains(cell);
            let reply = (0..225).map(|n| Point::new(n % 15, n / 15)).find(free).expect("a cell");
            taken.insert(reply);
            request = format!("TURN {reply}");
        }
    }
}

#[test]
fn panicking_search_is_answered_with_a_legal_move() {
    for (interval, threads) in [(0, 1), (2_000, 1), (2_000, 2)] {
        let mut conversation = Panicked::new(interval);
        let info = format!("INFO max_node 40000\nINFO thread_num {threads}");
        assert!(conversation.ask(&info).is_empty());
        conversation.play_six_moves();
        let panics = conversation.panics.load(Ordering::Relaxed);
        assert!(panics >= 1, "interval {interval}, {threads} threads");
        // Searches of few nodes panic as well, so that any legal move is played.
        assert!(interval > 0 || panics > 6, "{panics} panics");
    }
}

#[test]
fn panicking_search_opens_the_game() {
    let mut conversation = Panicked::new(2_000);
    assert!(conversation.ask("INFO timeout_turn 400").is_empty());
    assert_eq!(conversation.ask("START 15"), ["OK"]);
    let answers = conversation.ask("SWAP2BOARD\nDONE");
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(answers[0].split(' ').count(), 3, "{answers:?}");
    assert!(conversation.panics.load(Ordering::Relaxed) >= 1);
}

#[test]
fn decision_that_always_panics_is_an_error() {
    let mut conversation = Panicked::new(0);
    assert_eq!(conversation.ask("START 15"), ["OK"]);
    let answers = conversation.ask("SWAP2BOARD\n7,7\n7,8\n9,9\nDONE");
    assert!(answers.len() == 1 && answers[0].starts_with("ERROR "), "{answers:?}");
    // The conversation continues.
    conversation.play_six_moves();
}
