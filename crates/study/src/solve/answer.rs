//! The answer to one question, as JSON.

use serde_json::{Value, json};

use super::{Wanted, has_none, has_win, is_unknown, select};
use tengen::solver::{Attack, Judged, Report, Shortest, Verdict, move_name};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// The answer to one question about one position.
pub enum Answer {
    /// Has the side to move a win?
    Solved {
        /// Verdict and line.
        report: Report,
        /// The whole proof, where it was asked for and there is a win.
        tree: Option<Attack>,
    },
    /// Its shortest one.
    Shortest(Shortest),
    /// What its first moves lead to.
    Wins(Vec<Judged>),
    /// What its moves leave to the opponent.
    Defences(Vec<Judged>),
    /// Nothing to defend against was found: what became of the opponent's win.
    NoThreat(Report),
    /// What the opponent has after this move.
    Refuted {
        /// The move.
        at: Point,
        /// The opponent's win after it.
        report: Report,
    },
    /// The points of a kind.
    Points(Vec<Point>),
}

impl Answer {
    /// The answer as an object. `result` is always seen by the side to move.
    pub fn json(&self, game: &Game) -> Value {
        let mut position = game.position().clone();
        match self {
            Answer::Solved { report, tree } => {
                let mut object = report_json(report, &mut position, false);
                if let Some(tree) = tree {
                    object["tree"] = attack_json(tree);
                    object["cut"] = tree.cut_in_all().into();
                }
                object
            }
            Answer::Shortest(shortest) => {
                let mut object = report_json(&shortest.report, &mut position, false);
                object["shortest"] = shortest.proved.into();
                object
            }
            Answer::Wins(judged) => moves_json(judged, "wins", "fails"),
            Answer::Defences(judged) => {
                let mut object = moves_json(judged, "loses", "holds");
                object["delays"] = names(judged, |judged| judged.delays);
                object
            }
            Answer::NoThreat(report) => json!({
                "threat": result_name(report.verdict),
                "kind": report.kind.name(),
                "nodes": report.nodes,
                "seconds": seconds(report.elapsed.as_secs_f64()),
            }),
            Answer::Refuted { at, report } => {
                position.play(*at);
                let mut object = report_json(report, &mut position, true);
                object["refutes"] = at.to_string().into();
                object
            }
            Answer::Points(points) => {
                let points: Vec<String> = points.iter().map(Point::to_string).collect();
                json!({ "points": points })
            }
        }
    }
}

/// The moves of a line with their names.
pub fn named(line: &[Point], position: &mut Position) -> Vec<(Point, &'static str)> {
    let named = line
        .iter()
        .map(|&at| {
            let name = move_name(position, at);
            position.play(at);
            (at, name)
        })
        .collect();
    for _ in line {
        position.undo();
    }
    named
}

/// `win`, `none` or `unknown`.
pub fn result_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win(_) => "win",
        Verdict::None => "none",
        Verdict::Unknown => "unknown",
    }
}

fn report_json(report: &Report, position: &mut Position, of_opponent: bool) -> Value {
    let result = match report.verdict {
        Verdict::Win(_) if of_opponent => "loss",
        verdict => result_name(verdict),
    };
    let line: Vec<Value> = named(&report.line, position)
        .into_iter()
        .map(|(at, name)| json!({ "at": at.to_string(), "name": name }))
        .collect();
    let plies = match report.verdict {
        Verdict::Win(plies) => Some(plies),
        Verdict::None | Verdict::Unknown => None,
    };
    json!({
        "result": result,
        "kind": report.kind.name(),
        "plies": plies,
        "line": line,
        "nodes": report.nodes,
        "seconds": seconds(report.elapsed.as_secs_f64()),
    })
}

/// To a millionth.
fn seconds(exactly: f64) -> f64 {
    (exactly * 1e6).round() / 1e6
}

fn moves_json(judged: &[Judged], won: &str, lost: &str) -> Value {
    let nodes: u64 = judged.iter().map(|judged| judged.report.nodes).sum();
    let elapsed: f64 = judged.iter().map(|judged| judged.report.elapsed.as_secs_f64()).sum();
    json!({
        won: names(judged, has_win),
        lost: names(judged, has_none),
        "unknown": names(judged, is_unknown),
        "nodes": nodes,
        "seconds": seconds(elapsed),
    })
}

fn attack_json(attack: &Attack) -> Value {
    let replies: Vec<Value> = attack
        .replies
        .iter()
        .map(|reply| {
            json!({ "at": reply.at.to_string(), "name": reply.name, "then": attack_json(&reply.then) })
        })
        .collect();
    let mut object = json!({ "at": attack.at.to_string(), "name": attack.name });
    if !replies.is_empty() {
        object["replies"] = replies.into();
    }
    if attack.cut > 0 {
        object["cut"] = attack.cut.into();
    }
    object
}

fn names(judged: &[Judged], wanted: Wanted) -> Value {
    select(judged, wanted).map(|judged| Value::from(judged.at.to_string())).collect()
}
