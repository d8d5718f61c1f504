//! Tactics that must be found at any budget.

use std::time::Duration;

use tengen::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};

use tengen_testkit::problems::{Tactic, tactics};

#[test]
fn immediate_tactics_never_fail() {
    let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
    let tactics = tactics();
    assert!(tactics.len() >= 60, "only {} positions", tactics.len());
    for Tactic { line, position, accepted } in tactics {
        for limits in [Limits::turn(Duration::ZERO), Limits::nodes(1), Limits::nodes(3_000)] {
            let request = Request::new(limits);
            let report = engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
            let best = report.best().unwrap();
            assert!(accepted.contains(&best), "{line}\nplayed {best}\n{:?}", position.board());
        }
    }
}
