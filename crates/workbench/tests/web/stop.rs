//! Tests of the end of searches: by a stop, a new search, or a closed connection.

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tengen::{BoardSize, Game, Rule};

use crate::client::{Server, position, read_answer};

/// Maximum time of a stop.
const MAX_STOP_TIME: Duration = Duration::from_secs(5);

/// Twenty positions of a rule, of several sizes, from empty to full boards.
fn positions(rule: Rule) -> Vec<Value> {
    let mut positions = Vec::new();
    for (index, side) in [15, 15, 15, 20, 5, 9, 15, 36, 6, 15].into_iter().enumerate() {
        for half in [0, 1] {
            let mut game = Game::new(BoardSize::square(side).unwrap(), rule);
            let mut seed = (index * 2 + half) as u64 + 1;
            for _ in 0..index * 9 + half * 4 {
                let legal: Vec<_> = game.legal_moves().collect();
                if legal.is_empty() {
                    break;
                }
                // Reproducible random moves.
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                game.play(legal[(seed >> 33) as usize % legal.len()]);
            }
            let moves = game.notation().list(game.moves());
            positions.push(json!({
                "rule": rule.name(), "width": side, "height": side, "moves": moves,
            }));
        }
    }
    positions
}

/// A position whose only free point, g8, is an overline of black.
fn only_fouls() -> Value {
    let black = ["d8", "e8", "f8", "h8", "i8"];
    let cells = ('a'..='o').flat_map(|column| (1..=15).map(move |row| format!("{column}{row}")));
    let walls: Vec<String> =
        cells.filter(|at| at != "g8" && !black.contains(&at.as_str())).collect();
    json!({
        "rule": "renju", "width": 15, "height": 15, "black": black, "walls": walls, "side": "black",
    })
}

/// Starts and stops a search. Returns the time from the stop to the last line, and that line.
fn stopped(server: &Server, path: &str, question: &Value) -> (Duration, Value) {
    let stream = server.begin(path, question);
    std::thread::sleep(Duration::from_millis(15));
    let begun = Instant::now();
    assert_eq!(server.ask("stop", &json!({ "tab": question["tab"] })).status, 200);
    let answer = read_answer(stream);
    assert_eq!(answer.status, 200, "{question}: {answer:?}");
    (begun.elapsed(), answer.last())
}

#[test]
fn analysis_stops_in_all_positions() {
    let server = Server::start();
    for rule in Rule::ALL {
        for place in positions(rule) {
            let question = json!({ "tab": "a", "position": place, "lines": 2 });
            let (time, last) = stopped(&server, "analyse", &question);
            assert!(
                time < MAX_STOP_TIME && last["done"]["state"].is_string(),
                "{time:?} {place} {last}"
            );
        }
    }
}

#[test]
fn solver_players_and_review_stop() {
    let server = Server::start();
    let place = position("renju", "h8 i9 j8 h10 i7 g9 k9 j7 g10");
    for (path, more) in [
        ("think", json!({ "player": "level:full" })),
        ("think", json!({ "player": "bot:minimax-5" })),
        ("solve", json!({ "question": "win", "time_ms": 3_600_000 })),
        ("solve", json!({ "question": "all", "time_ms": 3_600_000 })),
        ("solve", json!({ "question": "defend", "time_ms": 3_600_000 })),
        ("review", json!({ "nodes": 100_000_000 })),
    ] {
        let mut question = json!({ "tab": "a", "position": place });
        for (key, value) in more.as_object().unwrap() {
            question[key] = value.clone();
        }
        let (time, last) = stopped(&server, path, &question);
        assert!(time < MAX_STOP_TIME && !last["done"].is_null(), "{time:?} {path} {more} {last}");
    }
}

#[test]
fn positions_without_moves_return_their_state() {
    let server = Server::start();
    let full: Vec<String> = {
        let draw = "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 b3 a3 d3 c3 a4 e3 c4 b4 e4 d4 a5 b5 c5 d5 e5";
        draw.split(' ').map(str::to_string).collect()
    };
    let full = json!({ "rule": "standard", "width": 5, "height": 5, "moves": full });
    let won = position("caro", "h8 a1 i8 a3 j8 a5 k8 a7 l8");
    for (place, state) in [(only_fouls(), "only-fouls"), (full, "full"), (won, "five")] {
        let looked = server.ask("look", &json!({ "position": place })).json();
        assert_eq!(looked["state"], state, "{looked}");
        for (path, more) in [
            ("think", json!({ "player": "level:full" })),
            ("think", json!({ "player": "bot:random" })),
            ("analyse", json!({ "lines": 3 })),
            ("solve", json!({ "question": "win" })),
        ] {
            let mut question = json!({ "tab": "a", "position": place });
            for (key, value) in more.as_object().unwrap() {
                question[key] = value.clone();
            }
            let last = server.ask(path, &question).last();
            assert_eq!(last["done"]["state"], state, "{path}: {last}");
        }
    }
}

/// Reads a stream up to the first update of the search.
fn wait_for_update(reader: &mut impl BufRead) {
    let mut line = String::new();
    while !line.contains("\"lines\"") {
        line.clear();
        assert!(reader.read_line(&mut line).expect("a stream") > 0, "the stream ended");
    }
}

#[test]
fn tabs_search_independently() {
    let server = Server::start();
    let ask = |tab: &str| json!({ "tab": tab, "position": position("renju", "h8 i9"), "lines": 1 });
    let mut streams: Vec<_> =
        ["a", "b", "c", "d"].map(|tab| BufReader::new(server.begin("analyse", &ask(tab)))).into();
    streams.iter_mut().for_each(wait_for_update);
    let fifth = server.ask("analyse", &ask("e"));
    assert_eq!(fifth.status, 503, "{fifth:?}");
    // A stop affects only its tab.
    server.ask("stop", &json!({ "tab": "b" }));
    let mut rest = String::new();
    streams.remove(1).read_to_string(&mut rest).expect("an end");
    assert!(rest.contains("\"done\""), "{rest}");
    for stream in &mut streams {
        // The search continues: the next line is an update or a heartbeat.
        let mut line = String::new();
        while !line.starts_with('{') {
            line.clear();
            assert!(stream.read_line(&mut line).expect("a stream") > 0);
        }
        assert!(!line.contains("done"), "{line}");
    }
}

#[test]
fn new_search_stops_the_previous_one() {
    let server = Server::start();
    let long = json!({ "tab": "a", "position": position("renju", "h8"), "lines": 1 });
    let mut first = BufReader::new(server.begin("analyse", &long));
    wait_for_update(&mut first);
    let short =
        json!({ "tab": "a", "position": position("renju", "h8 i9"), "lines": 1, "nodes": 500 });
    assert!(server.ask("analyse", &short).last()["done"]["lines"].is_array());
    let mut rest = String::new();
    first.read_to_string(&mut rest).expect("an end");
    assert!(rest.contains("\"done\""), "{rest}");
}

#[test]
fn closed_connection_stops_the_search() {
    let server = Server::start();
    let ask = |tab: &str| json!({ "tab": tab, "position": position("renju", "h8 i9"), "lines": 1 });
    let mut streams: Vec<_> =
        ["a", "b", "c", "d"].map(|tab| BufReader::new(server.begin("analyse", &ask(tab)))).into();
    streams.iter_mut().for_each(wait_for_update);
    drop(streams);
    let begun = Instant::now();
    let short =
        json!({ "tab": "e", "position": position("renju", "h8"), "lines": 1, "nodes": 100 });
    while server.ask("analyse", &short).status != 200 {
        assert!(begun.elapsed() < MAX_STOP_TIME, "the engines are still in use");
        std::thread::sleep(Duration::from_millis(20));
    }
}
