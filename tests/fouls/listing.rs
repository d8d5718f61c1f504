//! The positions of `protocol-tests/fouls.jsonl` through `YXSHOWFORBID`: all of them in a session,
//! a sample in a process. (The tests of the crate `tengen-rules` use all of them as well.)

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use tengen::protocol::{Arrival, Decoder, Interrupts, Reply, Session};
use tengen_rules::types::Point;

use tengen_testkit::collection;

/// Step of the sample among the positions.
const SAMPLE: usize = 31;

/// A position with black to move.
struct Case {
    id: String,
    size: u8,
    black: String,
    white: String,
    /// Row by row; `None` if several kinds apply.
    forbidden: BTreeMap<Point, Option<String>>,
}

fn cases() -> Vec<Case> {
    let cases: Vec<Case> = collection::foul_cases().into_iter().map(Case::of).collect();
    assert_eq!(cases.len(), 1525);
    cases
}

impl Case {
    fn of(case: collection::FoulCase) -> Case {
        let point = |text: String| text.parse::<Point>().expect("a point");
        let forbidden = case.forbidden.into_iter().map(|(at, kind)| (point(at), kind)).collect();
        let collection::FoulCase { id, size, black, white, .. } = case;
        Case { id, size, black, white, forbidden }
    }

    /// The lines of Yixin-Board that request the fouls of this position.
    fn question(&self) -> String {
        let stones = |list: &str, field: u8| -> String {
            list.split_whitespace().map(|at| format!("{at},{field}\n")).collect()
        };
        let (black, white) = (stones(&self.black, 1), stones(&self.white, 2));
        format!("START {}\nYXBOARD\n{black}{white}DONE\nYXSHOWFORBID\n", self.size)
    }

    fn answer(&self) -> String {
        let digits = |point: &Point| format!("{:02}{:02}", point.x(), point.y());
        format!("FORBID {}.", self.forbidden.keys().map(digits).collect::<String>())
    }
}

#[test]
fn session_shows_every_foul() {
    let interrupts = Interrupts::new();
    let mut session = Session::new(interrupts.clone());
    let mut decoder = Decoder::new();
    let mut number = 0;
    let mut ask = |text: &str| {
        let mut replies: Vec<Reply> = Vec::new();
        for input in decoder.feed(text.as_bytes()) {
            number += 1;
            interrupts.arrived(number, input.ends_thinking());
            session.handle(input, Arrival { number, received: Instant::now() }, &mut replies);
        }
        replies.iter().map(Reply::to_string).collect::<Vec<_>>()
    };
    assert!(ask("INFO rule 4\n").is_empty());
    for case in cases() {
        assert_eq!(ask(&case.question()), ["OK".to_owned(), case.answer()], "{}", case.id);
    }
}

#[test]
fn brain_shows_the_fouls_of_a_sample() {
    let mut brain = Command::new(env!("CARGO_BIN_EXE_pbrain-tengen"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the brain starts");
    let mut input = brain.stdin.take().expect("stdin is a pipe");
    let output = BufReader::new(brain.stdout.take().expect("stdout is a pipe"));
    let cases: Vec<Case> = cases().into_iter().step_by(SAMPLE).collect();
    let questions: String = cases.iter().map(Case::question).collect();
    let writer = thread::spawn(move || {
        let written = input.write_all(format!("INFO rule 4\n{questions}").as_bytes());
        written.map(|()| input)
    });
    let mut lines = output.lines().map(|line| line.expect("readable text"));
    for case in &cases {
        assert_eq!(lines.next().as_deref(), Some("OK"), "{}", case.id);
        assert_eq!(lines.next(), Some(case.answer()), "{}", case.id);
    }
    // Close the input only after the last answer.
    drop(writer.join().expect("no panic").expect("a reading brain"));
    assert!(brain.wait().expect("the brain exits").success());
}
