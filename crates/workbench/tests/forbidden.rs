//! A sample of the positions of `protocol-tests/fouls.jsonl` through `tengen forbidden`. (The rules
//! are compared with all of them in their own crate.)

use clap::Parser;
use serde_json::Value;
use tengen_rules::types::Color;
use tengen_testkit::collection::{FoulCase, foul_cases};
use tengen_workbench::forbidden;

fn arguments(case: &FoulCase) -> [String; 7] {
    let stones = |color: Color| {
        let own = case.board.history().iter().filter(|stone| stone.color == color);
        own.map(|stone| stone.point.to_string()).collect::<Vec<_>>().join(" ")
    };
    let size = case.board.size().width().to_string();
    let (black, white) = (stones(Color::Black), stones(Color::White));
    ["forbidden", "--size", &size, "--black", &black, "--white", &white].map(str::to_owned)
}

/// Compares the line that `tengen forbidden` prints.
fn check(case: &FoulCase, printed: &str) {
    let answer: Value = serde_json::from_str(printed).expect(printed);
    let list = answer["forbidden"].as_array().expect(printed);
    let places: Vec<&str> = list.iter().filter_map(|entry| entry["at"].as_str()).collect();
    let expected: Vec<String> = case.forbidden.iter().map(|(at, _)| at.to_string()).collect();
    assert_eq!(places, expected, "{}", case.id);
    for (entry, (_, kind)) in list.iter().zip(&case.forbidden) {
        let kind = kind.as_deref().or(entry["kind"].as_str());
        assert_eq!(entry["kind"].as_str(), kind, "{}: {entry}", case.id);
    }
}

/// The arguments as the workbench reads them.
#[derive(Parser)]
struct Forbidden {
    #[command(flatten)]
    args: forbidden::Args,
}

#[test]
fn help_states_the_rule_that_is_used() {
    let help = <Forbidden as clap::CommandFactory>::command().render_help().to_string();
    assert!(help.contains("only renju") && !help.contains("else freestyle"), "{help}");
}

#[test]
fn tool_lists_fouls() {
    for case in foul_cases().iter().step_by(7) {
        let mut printed = Vec::new();
        let args = Forbidden::try_parse_from(arguments(case)).expect("arguments").args;
        forbidden::run(&args, &mut printed, &mut Vec::new()).expect("a list");
        check(case, &String::from_utf8(printed).expect("text"));
    }
}
