//! What no engine may miss, at any budget: `protocol-tests/tactics.txt`.

use std::time::Duration;

use tengen::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};
use tengen::position::Position;
use tengen::types::Point;

fn points(text: &str) -> Vec<Point> {
    text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect()
}

#[test]
fn immediate_tactics_never_fail() {
    let text = include_str!("../protocol-tests/tactics.txt");
    let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('|').collect();
        let mut words = parts[0].split_ascii_whitespace();
        let (rule, size) = (words.next().unwrap(), words.next().unwrap());
        let mut position = Position::new(size.parse().unwrap(), rule.parse().unwrap());
        points(parts[1]).into_iter().for_each(|point| position.play(point));
        let accepted = points(parts[2]);
        for limits in [Limits::turn(Duration::ZERO), Limits::nodes(1), Limits::nodes(3_000)] {
            let request = Request::best_move(limits);
            let report = engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
            let best = report.best().unwrap();
            assert!(accepted.contains(&best), "{line}\nplayed {best}\n{:?}", position.board());
        }
        count += 1;
    }
    assert!(count >= 60, "only {count} positions");
}
