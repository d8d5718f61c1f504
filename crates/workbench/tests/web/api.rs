//! Tests of the API: valid and invalid requests.

use serde_json::{Value, json};

use crate::client::{Server, position};

/// Black to move with an open three.
const THREE: &str = "h8 a1 i8 a3 j8 a5";

/// The error message of an invalid request.
fn error_of(server: &Server, path: &str, question: &Value) -> String {
    let answer = server.ask(path, question);
    assert_eq!(answer.status, 400, "{path} {question}: {answer:?}");
    answer.json()["error"].as_str().expect("a reason").to_string()
}

/// `base` with some fields replaced.
fn with(base: &Value, changes: Value) -> Value {
    let mut changed = base.clone();
    for (key, value) in changes.as_object().expect("fields") {
        changed[key] = value.clone();
    }
    changed
}

#[test]
fn look_describes_positions() {
    let server = Server::start();
    let look = |position: Value| server.ask("look", &json!({ "position": position })).json();
    let open = look(position("renju", "h8 i9"));
    assert_eq!((&open["state"], &open["side_to_move"]), (&"open".into(), &"black".into()));
    let won = look(position("standard", "h8 a1 i8 a2 j8 a3 k8 a4 l8"));
    assert_eq!((&won["state"], &won["winner"]), (&"five".into(), &"black".into()));
    assert_eq!(won["row"], json!(["7,7", "8,7", "9,7", "10,7", "11,7"]));
    let foul = "h8 a1 i8 a3 j9 a5 j10 a7";
    let fouls = look(position("renju", foul));
    assert_eq!(fouls["fouls"][0]["at"], "9,7", "{fouls}");
    assert_eq!(fouls["fouls"][0]["kind"], "double-three");
    let parts = fouls["fouls"][0]["parts"].as_array().expect("lines");
    assert_eq!(parts.iter().filter(|part| part["kind"] == "three").count(), 2, "{fouls}");
    assert_eq!(parts[0]["stones"], json!(["7,7", "8,7"]));
    let makes = fouls["prospects"].as_array().expect("what can be made");
    let own = makes.iter().find(|it| it["at"] == "6,7").expect("a three");
    assert_eq!((&own["color"], &own["kind"]), (&"black".into(), &"open three".into()));
    let lost = look(position("renju", &format!("{foul} j8")));
    assert_eq!((&lost["state"], &lost["winner"]), (&"double-three".into(), &"white".into()));
    let drawn =
        json!({ "rule": "renju", "width": 9, "height": 5, "black": ["a1"], "side": "white" });
    assert_eq!(look(drawn)["side_to_move"], "white");
    let passed = look(position("renju", "h8 pass"));
    assert_eq!(passed["side_to_move"], "black");
}

#[test]
fn invalid_positions_are_refused_with_reason() {
    let server = Server::start();
    let place = position("renju", "h8");
    for (change, named) in [
        (json!({ "rule": "chess" }), "chess"),
        (json!({ "width": 4 }), "4x15"),
        (json!({ "height": 37 }), "15x37"),
        (json!({ "width": -1e30 }), "invalid type"),
        (json!({ "moves": ["h8", "h8"] }), "move 2 (h8)"),
        (json!({ "moves": ["z9"] }), "move 1 (z9)"),
        (json!({ "moves": ["?"] }), "move 1 (?)"),
        (json!({ "moves": vec!["pass"; 5000] }), "at most 4096"),
        (json!({ "moves": vec!["pass"; 226] }), "too many passes (at most 225)"),
        (json!({ "black": ["h8", "h8"], "moves": [] }), "h8 is set up twice"),
        (json!({ "walls": ["q1"], "moves": [] }), "q1"),
        (json!({ "side": "green" }), "green"),
        (json!({ "turn": 3 }), "invalid type"),
        (json!({ "path": "/etc" }), "unknown field"),
    ] {
        let question = json!({ "position": with(&place, change.clone()) });
        let reason = error_of(&server, "look", &question);
        assert!(reason.contains(named), "{change}: {reason}");
    }
}

#[test]
fn invalid_requests_are_refused_with_reason() {
    let server = Server::start();
    let base = json!({ "tab": "t", "position": position("renju", THREE) });
    let think = with(&base, json!({ "player": "level:club", "nodes": 100 }));
    let analyse = with(&base, json!({ "lines": 1, "nodes": 100 }));
    let solve = with(&base, json!({ "question": "win", "time_ms": 100 }));
    let review = with(&base, json!({ "nodes": 100 }));
    let opening = json!({ "opening": "swap2", "rule": "freestyle", "width": 15, "height": 15, "answers": [] });
    let game = json!({ "width": 15, "height": 15, "rule": null, "nodes": [{}] });
    for (path, base, change, named) in [
        ("think", &think, json!({ "player": "level:god" }), "god"),
        ("think", &think, json!({ "nodes": 0 }), "nodes is 0"),
        ("analyse", &analyse, json!({ "avoid": ["z99"] }), "z99"),
        ("think", &think, json!({ "tab": "../x" }), "invalid name of a tab"),
        ("think", &think, json!({ "tab": "" }), "invalid name of a tab"),
        ("analyse", &analyse, json!({ "lines": 0 }), "0 lines"),
        ("analyse", &analyse, json!({ "lines": 51 }), "51 lines"),
        ("analyse", &analyse, json!({ "lines": "x" }), "invalid type"),
        ("analyse", &analyse, json!({ "depth": 0 }), "depth is 0"),
        ("analyse", &analyse, json!({ "time_ms": -1 }), "invalid"),
        ("solve", &solve, json!({ "question": "why" }), "why"),
        ("solve", &solve, json!({ "kind": "magic" }), "magic"),
        ("solve", &solve, json!({ "question": "refute" }), "needs at"),
        ("solve", &solve, json!({ "question": "refute", "at": "h8" }), "taken"),
        ("solve", &solve, json!({ "question": "points", "points": "all" }), "expected one of"),
        ("review", &review, json!({ "nodes": 0 }), "nodes is 0"),
        ("review", &review, json!({ "position": position("renju", "") }), "no move"),
        ("review", &review, json!({ "evaluations": ["x"] }), "1 evaluations for 7"),
        ("opening", &opening, json!({ "opening": "swap9" }), "swap9"),
        ("opening", &opening, json!({ "answers": ["h8", "h8"] }), "answer 2 (h8)"),
        ("opening", &opening, json!({ "answers": ["swap"] }), "answer 1 (swap)"),
        ("opening", &opening, json!({ "height": 3 }), "15x3"),
        ("write", &json!({ "game": game, "format": "sgf" }), json!({ "format": "exe" }), "exe"),
        ("write", &json!({ "game": game, "format": "rif" }), json!({}), "only be read"),
        ("read", &json!({ "data": "aDg=" }), json!({ "data": "%%" }), "base64"),
        ("read", &json!({ "data": "aDg=" }), json!({ "data": "" }), "no game"),
        ("read", &json!({ "data": "aDg=" }), json!({ "size": "99" }), "99"),
        ("read", &json!({ "data": "aDg=" }), json!({ "rule": "chess" }), "chess"),
        ("read", &json!({ "data": "aDg=" }), json!({ "encoding": "morse" }), "morse"),
        ("stop", &json!({}), json!({}), "missing field"),
    ] {
        let reason = error_of(&server, path, &with(base, change.clone()));
        assert!(reason.contains(named), "{path} {change}: {reason}");
    }
    for body in ["", "[", "null", "[]", "\"h8\"", "{\"tab\":"] {
        assert_eq!(server.request("POST /api/stop", &server.headers(), body).status, 400, "{body}");
    }
    assert_eq!(server.ask("nothing", &base).status, 404);
}

#[test]
fn invalid_tree_is_refused_with_node() {
    let server = Server::start();
    let tree = |nodes: Value| json!({ "format": "sgf", "game": { "width": 15, "height": 15, "rule": "renju", "nodes": nodes } });
    let black = json!({ "parent": 0, "color": "black", "at": "h8" });
    for (nodes, named) in [
        (json!([]), "0 nodes"),
        (json!([{}, { "parent": 5, "color": "black", "at": "h8" }]), "node 1"),
        (json!([{}, { "color": "black", "at": "h8" }]), "node 1"),
        (json!([{}, black, { "parent": 1, "color": "white", "at": "h8" }]), "node 2"),
        (json!([{}, { "parent": 0, "at": "h8" }]), "no colour"),
        (json!([{}, { "parent": 0, "color": "black", "at": "q16" }]), "q16"),
        (json!([{ "marks": [{ "at": "h8", "sign": "heart" }] }]), "mark on h8"),
        (json!([{ "set_up": { "black": ["a1"], "white": ["a1"] } }]), "node 0"),
    ] {
        let reason = error_of(&server, "write", &tree(nodes));
        assert!(reason.contains(named), "{reason}");
    }
}

#[test]
fn think_returns_a_move_of_every_player() {
    let server = Server::start();
    let offer = server.ask("hello", &json!({})).json();
    let levels = offer["levels"].as_array().expect("levels").iter();
    let levels = levels.map(|level| format!("level:{}", level["name"].as_str().expect("a name")));
    let bots = offer["bots"].as_array().expect("bots").iter();
    let bots = bots.map(|bot| format!("bot:{}", bot.as_str().expect("a name")));
    let players: Vec<String> = levels.chain(bots).collect();
    assert!(players.len() >= 14, "{offer}");
    for player in players {
        let question = json!({
            "tab": "t", "position": position("renju", THREE), "player": player, "nodes": 500, "seed": 1,
        });
        let answer = server.ask("think", &question).last();
        assert!(answer["done"]["move"].is_string(), "{player}: {answer}");
    }
}

/// A reply to which the embedded proofs have an answer.
const PROVED: &str = "h8 h9 i9 h10";

#[test]
fn proved_moves_are_named_and_played_without_a_search() {
    let server = Server::start();
    let look =
        |moves| server.ask("look", &json!({ "position": position("freestyle", moves) })).json();
    let proved = look(PROVED)["proved"].clone();
    assert_eq!(proved["winner"], "black");
    let best = proved["best"].as_str().expect("a move").to_string();
    assert!(look("a1 o15 a3").get("proved").is_none());
    let after = look(&format!("{PROVED} {best}"))["proved"].clone();
    assert_eq!((&after["winner"], &after["best"]), (&"black".into(), &Value::Null));
    // All moves of the loser lose.
    assert_eq!(after["losing"].as_array().map(Vec::len), Some(15 * 15 - 5));
    let question = json!({
        "tab": "t", "position": position("freestyle", PROVED), "player": "level:full", "proved": true,
        "nodes": 500,
    });
    let done = &server.ask("think", &question).last()["done"];
    assert_eq!((&done["move"], &done["line"]), (&best.into(), &Value::Null));
    // Elsewhere the engine searches.
    let open = with(&question, json!({ "position": position("freestyle", THREE) }));
    assert!(server.ask("think", &open).last()["done"]["line"].is_object());
    let level = with(&question, json!({ "player": "level:club" }));
    let reason = error_of(&server, "think", &level);
    assert!(reason.contains("expected the player level:full, not level:club"), "{reason}");
}

#[test]
fn proof_returns_the_line_of_a_losing_move() {
    let server = Server::start();
    let ask = |moves: &str, at: &str| json!({ "tab": "t", "position": position("freestyle", moves), "at": at });
    let done = &server.ask("proof", &ask("h8 h9 i9", "h10")).last()["done"];
    let line = done["line"].as_array().expect("moves");
    assert_eq!((&done["complete"], &line[0]["at"]), (&true.into(), &"7,5".into()), "{done}");
    assert_eq!(line.last().expect("an end")["name"], "five");
    // A move that wins, and one that is not proved to lose.
    for (moves, at) in [("h8 a1 i8 a3 j8 a5 k8 a7", "l8"), ("a1 o15 a3", "c3")] {
        let done = &server.ask("proof", &ask(moves, at)).last()["done"];
        assert_eq!((&done["line"], &done["complete"]), (&json!([]), &false.into()), "{done}");
    }
    let reason = error_of(&server, "proof", &ask("h8 h9 i9", "h8"));
    assert!(reason.contains("h8"), "{reason}");
}

#[test]
fn analyse_returns_best_moves() {
    let server = Server::start();
    let question =
        json!({ "tab": "t", "position": position("freestyle", THREE), "lines": 3, "nodes": 3000 });
    let done = &server.ask("analyse", &question).last()["done"];
    let lines = done["lines"].as_array().expect("lines");
    assert_eq!((lines.len(), &lines[0]["forced"]["plies"]), (3, &3.into()), "{done}");
    let best = lines[0]["move"].as_str().expect("a move");
    assert!(["6,7", "10,7"].contains(&best), "{done}");
    let avoid = with(&question, json!({ "avoid": [best] }));
    let other = &server.ask("analyse", &avoid).last()["done"];
    assert_ne!(other["lines"][0]["move"], best, "{other}");
    // White to move has to block the three.
    let mut passed = position("freestyle", THREE);
    passed["turn"] = "white".into();
    let threat = with(&question, json!({ "position": passed }));
    let done = &server.ask("analyse", &threat).last()["done"];
    let forced = &done["lines"][0]["forced"];
    assert!(forced.is_null() || forced["winner"] == "black", "{done}");
}

#[test]
fn resources_of_a_search_can_be_chosen() {
    let server = Server::start();
    let offer = server.ask("hello", &json!({})).json();
    let most = &offer["engine"]["memory_mib"]["most"];
    assert!(most.as_u64().is_some_and(|mib| mib >= 16), "{offer}");
    assert!(offer["engine"]["threads"]["most"].as_u64() >= Some(1), "{offer}");
    let question = json!({ "tab": "t", "position": position("freestyle", THREE), "nodes": 2000 });
    let analyse = json!({ "lines": 1, "engine": { "threads": 1, "memory_mib": 16 } });
    let done = &server.ask("analyse", &with(&question, analyse)).last()["done"];
    assert!(done["lines"][0]["move"].is_string(), "{done}");
    let review = json!({ "tab": "t", "position": position("freestyle", "h8"), "nodes": 100, "engine": { "threads": 1 } });
    assert!(server.ask("review", &review).last()["done"]["review"].is_object());
    // The time of the person to move: no result, and a stop ends it.
    let ponder = json!({ "tab": "t", "position": position("freestyle", THREE) });
    assert_eq!(server.ask("ponder", &ponder).last()["done"], json!({}));
}

#[test]
fn solve_answers_all_questions() {
    let server = Server::start();
    let base = json!({ "tab": "t", "position": position("freestyle", THREE), "kind": "vcf", "time_ms": 5000 });
    let ask = |changes: Value| server.ask("solve", &with(&base, changes)).last()["done"].clone();
    let win = ask(json!({ "question": "win" }));
    assert_eq!((&win["result"], &win["plies"]), (&"win".into(), &3.into()), "{win}");
    assert_eq!(ask(json!({ "question": "shortest" }))["shortest"], true);
    assert!(ask(json!({ "question": "tree" }))["tree"]["at"].is_string());
    assert_eq!(ask(json!({ "question": "all" }))["wins"].as_array().map(Vec::len), Some(2));
    let points = ask(json!({ "question": "points", "points": "straight-four-points" }));
    assert_eq!(points["points"].as_array().map(Vec::len), Some(2), "{points}");
    let after = position("freestyle", "h8 a1 i8 a3 j8");
    let defend = ask(json!({ "question": "defend", "position": after }));
    assert!(!defend["holds"].as_array().expect("moves").is_empty(), "{defend}");
    let refute = ask(json!({ "question": "refute", "at": "o15", "position": after }));
    assert_eq!(refute["result"], "loss", "{refute}");
}

#[test]
fn review_evaluations_survive_files() {
    let server = Server::start();
    let game = position("standard", "h8 a15 i8 c15 j8 e15 k8 a13 l8");
    let question = json!({ "tab": "t", "position": game, "nodes": 300 });
    let done = server.ask("review", &question).last()["done"].clone();
    assert_eq!(done["review"]["moves"].as_array().map(Vec::len), Some(9), "{done}");
    let evaluations = done["evaluations"].as_array().expect("evaluations");
    let texts: Vec<&Value> = evaluations.iter().map(|it| &it["text"]).collect();
    // A search with one node would give other numbers.
    let again = with(&question, json!({ "nodes": 1, "evaluations": texts }));
    let kept = server.ask("review", &again).last()["done"].clone();
    assert_eq!(kept["review"], done["review"]);
    // Write and read them in a file.
    let mut nodes = vec![json!({ "evaluation": { "text": texts[0] }, "comment": "a start" })];
    for (index, at) in game["moves"].as_array().expect("moves").iter().enumerate() {
        let color = ["black", "white"][index % 2];
        let evaluation = json!({ "text": texts[index + 1] });
        nodes.push(json!({ "parent": index, "color": color, "at": at, "evaluation": evaluation }));
    }
    let tree = json!({ "width": 15, "height": 15, "rule": "standard", "nodes": nodes });
    let file = server.ask("write", &json!({ "format": "sgf", "game": tree })).json();
    assert_eq!(file["lost"], json!([]));
    let read = server.ask("read", &json!({ "name": "x.sgf", "data": file["data"] })).json();
    let back = &read["games"][0]["nodes"];
    assert_eq!(back[0]["comment"], "a start", "{read}");
    for (index, text) in texts.iter().enumerate() {
        assert_eq!(&&back[index]["evaluation"]["text"], text);
    }
}

#[test]
fn written_files_of_all_formats_are_read_back() {
    let server = Server::start();
    let offer = server.ask("hello", &json!({})).json();
    let moves = ["h8", "i9", "j8"];
    let mut nodes = vec![json!({})];
    for (index, at) in moves.iter().enumerate() {
        let color = ["black", "white"][index % 2];
        nodes.push(json!({ "parent": index, "color": color, "at": at }));
    }
    nodes.push(json!({ "parent": 1, "color": "white", "at": "g7", "comment": "<b>&\u{1f600}" }));
    let tree = json!({ "width": 15, "height": 15, "rule": "renju", "black": "A", "nodes": nodes });
    for format in offer["formats"].as_array().expect("formats") {
        let written = server.ask("write", &json!({ "format": format, "game": tree }));
        assert_eq!(written.status, 200, "{format}: {written:?}");
        let file = written.json();
        let name = format!("game.{}", format.as_str().expect("a name"));
        let read = server.ask("read", &json!({ "name": name, "data": file["data"] }));
        assert_eq!(read.status, 200, "{format}: {read:?}");
        let back = read.json()["games"][0]["nodes"].clone();
        let stones = back.as_array().expect("nodes").iter().filter(|node| node["at"].is_string());
        match format.as_str() {
            Some("sgf" | "lib") => {
                assert_eq!(stones.count(), 4, "{back}");
                assert_eq!(back[4]["comment"], "<b>&\u{1f600}");
            }
            Some("diagram") => assert_eq!(back[0]["set_up"]["black"], json!(["h8", "j8"])),
            _ => assert_eq!(stones.count(), 3, "{format}: {back}"),
        }
    }
}

#[test]
fn file_is_read_in_another_encoding_rule_and_size() {
    let server = Server::start();
    // `(;GM[4]SZ[15]RU[renju]PB[...];B[hh];W[ig])` with the name in GBK.
    let data = "KDtHTVs0XVNaWzE1XVJVW3Jlbmp1XVBCW7DXu6hdO0JbaGhdO1dbaWddKQ==";
    let file = json!({ "name": "x.sgf", "data": data });
    let guessed = server.ask("read", &file).json();
    assert_eq!(
        (&guessed["guessed"], &guessed["games"][0]["black"]),
        (&"gb18030".into(), &"白花".into())
    );
    let chosen = with(&file, json!({ "encoding": "big5", "rule": "standard" }));
    let chosen = server.ask("read", &chosen).json();
    assert_eq!(
        (&chosen["guessed"], &chosen["games"][0]["rule"]),
        (&Value::Null, &"standard".into())
    );
    assert_ne!(chosen["games"][0]["black"], "白花", "{chosen}");
    let moves = json!({ "data": "aDggaTk=", "size": "9x12" });
    let game = server.ask("read", &moves).json()["games"][0].clone();
    assert_eq!((&game["width"], &game["height"]), (&9.into(), &12.into()));
}

#[test]
fn first_games_of_a_large_file_are_read() {
    let server = Server::start();
    // Three lines `7,7`.
    let data = "Nyw3CjcsNwo3LDcK".repeat(168);
    let read = server.ask("read", &json!({ "data": data })).json();
    assert_eq!(read["games"].as_array().map(Vec::len), Some(500));
    assert_eq!(read["left_out"], json!(["4 games"]));
}

#[test]
fn opening_asks_and_answers_in_turn() {
    let server = Server::start();
    let opening = |answers: &[&str]| json!({ "opening": "soosorv-8", "rule": "renju", "width": 15, "height": 15, "answers": answers });
    let first = server.ask("opening", &opening(&[])).json();
    assert_eq!((&first["asked"], &first["question"]["reach"]), (&"first".into(), &0.into()));
    assert_eq!(first["allowed"], json!(["7,7"]));
    let swap = server.ask("opening", &opening(&["h8", "i9", "j10"])).json();
    assert_eq!((&swap["asked"], &swap["question"]["kind"]), (&"second".into(), &"swap".into()));
    let ask = json!({ "tab": "t", "opening": opening(&["h8", "i9", "j10", "stay"]), "time_ms": 50, "seed": 1 });
    let answer = server.ask("opening-answer", &ask).last();
    // The fourth stone and the number of fifth moves, both the second player's.
    let answers = answer["done"]["answers"].as_array().expect("answers");
    assert_eq!(answers.len(), 2, "{answer}");
    let given: Vec<&str> = answers.iter().filter_map(Value::as_str).collect();
    let after =
        server.ask("opening", &opening(&[&["h8", "i9", "j10", "stay"][..], &given].concat()));
    assert_eq!(after.json()["question"]["kind"], "swap", "{after:?}");
    let over = json!({ "tab": "t", "opening": { "opening": "swap", "rule": "renju", "width": 9, "height": 9, "answers": ["a1", "b1", "c1", "stay"] } });
    assert_eq!(server.ask("opening-answer", &over).json()["error"], "the opening is over");
}

#[test]
fn the_page_is_whole() {
    let server = Server::start();
    let page = server.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    // Every file that the page or one of its scripts names is there.
    let mut waiting = vec!["/main.js".to_string()];
    waiting.extend(quoted(&page.body).filter(|it| it.starts_with('/')));
    let mut seen = Vec::new();
    while let Some(path) = waiting.pop() {
        if seen.contains(&path) {
            continue;
        }
        let file = server.get(&path);
        assert_eq!(file.status, 200, "{path}");
        assert!(!file.body.contains("innerHTML"), "{path}: text goes into the page as text");
        let scripts = quoted(&file.body).filter_map(|it| Some(it.strip_prefix("./")?.to_string()));
        waiting.extend(scripts.filter(|it| it.ends_with(".js")).map(|it| format!("/{it}")));
        seen.push(path);
    }
    assert!(seen.len() > 15, "{seen:?}");
    assert!(!page.body.contains("style=") && !page.body.contains("onclick"), "as the policy wants");
}

/// Everything between two quotation marks.
fn quoted(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('"').skip(1).step_by(2).map(str::to_string)
}
