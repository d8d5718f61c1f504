//! JSON lines.

use super::*;

#[test]
fn json_lines_round_trip() {
    let line = "{\"size\":\"15x15\",\"rule\":\"renju\",\"moves\":\"7,7 8,8\",\"black\":\"a\",\
                \"white\":\"b\",\"result\":\"draw\",\"reason\":\"full\",\"opening\":1,\
                \"times_ms\":[7],\"comments\":{\"0\":\"start\",\"2\":\"end\"},\
                \"info\":{\"date\":\"today\"}}\n";
    let games = read(line.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(written(&games.list, Format::JsonLines).0, line);
    assert!(games.left_out.is_empty());
    let record = "{\"match\":{\"engines\":[],\"terms\":{\"size\":\"20x20\",\"rule\":\"caro\"}}}\n\
                  {\"game\":0,\"moves\":\"19,19 3,3\",\"result\":\"black\",\"last_lines\":[]}\n";
    let games = read(record.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!((games.list[0].size, games.list[0].rule), (size(20, 20), Some(Rule::Caro)));
    assert_eq!(games.left_out, ["the key \"last_lines\"".to_string()].into());
    let lost = "{\"moves\":\"7,7 7,7\",\"reason\":\"occupied\",\"times_ms\":[5,6]}";
    let lost = &read(lost.as_bytes(), &ReadOptions::default()).unwrap().list[0];
    assert_eq!(lost.times().collect::<Vec<_>>(), [Some(5)]);
    let last = lost.main_line().last().unwrap();
    assert_eq!(lost.note(last).unwrap().comment, "then 7,7: occupied");
    // The comment survives another round trip.
    let again = written(std::slice::from_ref(lost), Format::JsonLines).0;
    assert_eq!(read(again.as_bytes(), &ReadOptions::default()).unwrap().list[0], *lost);
    let own_terms = "{\"size\":9,\"rule\":\"renju\",\"moves\":\"\"}\n{\"moves\":\"9,9\"}";
    let games = read(own_terms.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!((games.list[1].size, games.list[1].rule), (size(15, 15), None));
    // A line with moves is a game even if it has the key `match`.
    let tagged = read(b"{\"match\":3,\"moves\":\"h8\"}", &ReadOptions::default()).unwrap();
    assert_eq!(tagged.list.len(), 1);
    assert_eq!(tagged.left_out, ["the key \"match\"".to_string()].into());
    let list = read(b"{\"size\":15,\"moves\":[\"7,7\",\"i9\"]}", &ReadOptions::default()).unwrap();
    assert_eq!(written(&list.list, Format::Moves).0, "7,7 8,6\n");
    for (bad, message) in [
        ("{\"moves\":\"\"}\n{", "game 2, line 2: EOF while parsing an object, at column 1"),
        ("{\"size\":15}", "line 1: missing key \"moves\""),
        ("{\"moves\":\"7,7\",\"times_ms\":[1,2]}", "line 1: 2 \"times_ms\" for 1 moves"),
        ("{\"moves\":\"7,7 7,7\"}", "line 1: 7,7 is played twice"),
        ("{\"match\":3}", "line 1: missing key \"moves\""),
        (
            "{\"moves\":\"h8\",\"set_up\":\"a1\"}",
            "line 1: \"set_up\" is \"a1\"; expected an object",
        ),
        (
            "{\"moves\":\"h8\",\"set_up\":{\"Black\":\"a1\"}}",
            "line 1: unknown key \"Black\" in \"set_up\" (expected black, white, walls, side)",
        ),
        ("{\"moves\":\"\",\"comments\":{\"1\":\"x\"}}", "line 1: comment on a missing move \"1\""),
    ] {
        assert_eq!(fault(bad), message);
    }
}

#[test]
fn json_arrays_are_detected_behind_marks_and_before_padding() {
    let lists = r#"[["h8","i9"],["j8","h9"]]"#;
    let objects = r#"[{"moves":"h8 i9"},{"moves":"h8 h9"}]"#;
    let utf_16 = |text: &str| {
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    for text in [lists, objects] {
        for bytes in [
            text.as_bytes().to_vec(),
            format!("\u{feff}{text}").into_bytes(),
            utf_16(text),
            format!("{text}\n\0\0").into_bytes(),
        ] {
            let games = read(&bytes, &ReadOptions::default()).unwrap();
            assert_eq!(games.list.len(), 2, "{text}");
        }
    }
    for (damaged, message) in [
        ("[{\"moves\":\"h8\"},]", "line 1: trailing comma, at column 17"),
        ("[\n[\"h8\"],\n[\"i9\"],]", "line 3: trailing comma, at column 8"),
    ] {
        assert_eq!(fault(damaged), message);
    }
    // Lists of their own lines are games.
    for (text, count) in [
        ("[[\"h8\",\"i9\"]]\n[[\"j8\",\"h9\"]]\n", 2),
        ("[[\"h8\",\"i9\"]]\n[[\"j8\",\"h9\"],[\"h8\",\"h7\"]]\n", 2),
        ("[[\"h8\"],[\"i9\"]] # comment\n", 1),
    ] {
        let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(games.list.len(), count, "{text}");
    }
    // The parts of joined files keep their marks.
    let line = "\u{feff}{\"moves\":\"h8\"}\n";
    let joined = read(line.repeat(2).as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(joined.list.len(), 2);
}

#[test]
fn json_players_of_moves_are_checked() {
    let moves = |text: &str| {
        let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(games.list.len(), 1, "{text}");
        (written(&games.list, Format::Moves).0, games.left_out.into_iter().collect::<Vec<_>>())
    };
    for text in [
        "[[7,7,1],[8,8,2],[7,8,1]]",
        "[[7,7,1],[8,8,-1],[7,8,1]]",
        r#"[{"x":7,"y":7,"color":"B"},{"x":8,"y":8,"color":"W"},{"at":"7,8","color":"b"}]"#,
        r#"{"moves":[[7,7,1],[8,8,2],[7,8,1]]}"#,
    ] {
        assert_eq!(moves(text), ("7,7 8,8 7,8\n".to_string(), vec![]), "{text}");
    }
    assert_eq!(moves("[[0,0,1],[1,1,2]]").0, "0,0 1,1\n");
    let unknown = moves(r#"[{"x":7,"y":7,"player":0},{"x":8,"y":8,"player":1}]"#);
    let left_out = "the players of the moves (expected black or white)";
    let by_order = ("7,7 8,8\n".to_string(), vec![left_out.to_string()]);
    assert_eq!(unknown, by_order);
    assert_eq!(moves("[[7,7,0],[8,8,1]]"), by_order);
    assert_eq!(moves(r#"{"moves":[[7,7,0],[8,8,1]]}"#), by_order);
    let wrong = "7,7 is marked as white's move (expected black's)";
    assert_eq!(fault("[[7,7,2],[8,8,1]]"), wrong);
    let named = r#"{"moves":[{"player":"white","x":7,"y":7},{"player":"black","x":8,"y":8}]}"#;
    assert_eq!(fault(named), format!("line 1: {wrong}"));
    let numbered = |first, second, third| {
        moves(&format!(
            r#"[{{"x":7,"y":7,"player":{first}}},{{"x":8,"y":8,"player":{second}}},{{"x":7,"y":8,"side":{third}}}]"#
        ))
    };
    assert_eq!(numbered("1", "2", "1"), ("7,7 8,8 7,8\n".to_string(), vec![]));
    // The numbers of a first and a second player need not be those of black and white.
    let left_out = "the numbers of the players, which contradict the order of the moves";
    let kept = ("7,7 8,8 7,8\n".to_string(), vec![left_out.to_string()]);
    assert_eq!((numbered("2", "1", "2"), numbered("1", "1", "1")), (kept.clone(), kept.clone()));
    assert_eq!(numbered(r#""2""#, r#""1""#, r#""2""#), kept);
    // Set-up stones may leave the side open.
    let set_up = r#"{"set_up":{"black":"h8","white":"i9"},"moves":[[7,8,2],[8,8,1]]}"#;
    let game = &read(set_up.as_bytes(), &ReadOptions::default()).unwrap().list[0];
    assert_eq!(game.plays().next().unwrap().color, Color::White);
    let expected = r#"cells such as "h8", [7,7] or [7,7,1], where 1 is black, 2 white"#;
    assert!(fault("[[7,7,3],[8,8,1]]").ends_with(&format!("a game as an object, or {expected}")));
    assert!(fault(r#"{"moves":[[7,7,3]]}"#).ends_with(&format!("[7,7,3]; expected {expected}")));
    let board = &read(b"[[0,0,1],[0,2,0],[1,0,0]]", &ReadOptions::default()).unwrap().list[0];
    assert_eq!(board.size, size(3, 3));
}

#[test]
fn json_sizes_have_several_names() {
    for keys in [
        r#""size":[19,17]"#,
        r#""board_size":"19x17""#,
        r#""boardSize":[19.0,17]"#,
        r#""width":19,"height":17"#,
        r#""rows":17,"cols":19"#,
        r#""columns":19,"rows":17"#,
    ] {
        let line = format!("{{\"moves\":\"18,16\",{keys}}}");
        let games = read(line.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(games.list[0].size, size(19, 17), "{line}");
        assert!(games.left_out.is_empty(), "{line}");
    }
    for (keys, left_out) in [
        (r#""width":800,"height":600"#, vec!["height", "width"]),
        (r#""board_size":225"#, vec!["board_size"]),
        (r#""boardSize":{"width":15,"height":15}"#, vec!["boardSize"]),
    ] {
        let line = format!("{{\"moves\":\"h8\",{keys}}}");
        let games = read(line.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(games.list[0].size, size(15, 15), "{line}");
        let names = left_out.iter().map(|key| format!("the key {key:?}")).collect();
        assert_eq!(games.left_out, names, "{line}");
    }
    assert!(fault(r#"{"moves":"h8","size":225}"#).contains("225x225 is not supported"));
    let position = br#"{"width":9,"height":9,"black":["8,8"],"white":[],"to_move":"white"}"#;
    assert_eq!(read(position, &ReadOptions::default()).unwrap().list[0].size, size(9, 9));
    let square = read(br#"{"size":19.0,"moves":"18,18"}"#, &ReadOptions::default()).unwrap();
    assert_eq!(square.list[0].size, size(19, 19));
}

#[test]
fn json_values_of_other_types_keep_the_game() {
    let game = |keys: &str| {
        let line = format!("{{\"moves\":\"h8i9\",{keys}}}");
        read(line.as_bytes(), &ReadOptions::default()).unwrap()
    };
    let number = game("\"result\":1");
    assert_eq!((number.list[0].result, number.list[0].info["result"].as_str()), (None, "1"));
    assert_eq!(number.remarks[0].text, "unknown result \"1\"; kept as text only");
    let times = game("\"times_ms\":[1.5,2.4]");
    assert_eq!(times.list[0].times().collect::<Vec<_>>(), [Some(2), Some(2)]);
    assert_eq!(game("\"comments\":[\"a\"]").left_out, ["the list \"comments\"".into()].into());
    let black = Some(GameResult::Win(Color::Black));
    for keys in [
        "\"winner\":\"black\"",
        "\"winner\":\"Ann\",\"black\":\"Ann\",\"white\":\"Bob\"",
        "\"winner\":\"black\",\"result\":1",
        "\"winner\":\"black\",\"result\":\"black\"",
    ] {
        let games = game(keys);
        assert_eq!((games.list[0].result, games.left_out.len()), (black, 0), "{keys}");
    }
    for name in ["", " ", "none"] {
        let games = game(&format!("\"winner\":\"{name}\",\"black\":\"{name}\",\"white\":\"x\""));
        assert_eq!((games.list[0].result, games.left_out.len()), (None, 0), "{name:?}");
    }
    for keys in ["\"winner\":1", "\"winner\":\"Eve\"", "\"result\":\"white\",\"winner\":\"black\""]
    {
        assert_eq!(game(keys).left_out, ["the key \"winner\"".into()].into(), "{keys}");
    }
}

#[test]
fn json_null_states_nothing() {
    let plain = read(b"{\"moves\":\"7,7\"}", &ReadOptions::default()).unwrap();
    let keys = "black white result reason rule size opening times_ms set_up comments info id note";
    for key in keys.split(' ') {
        let line = format!("{{\"moves\":\"7,7\",\"{key}\":null}}");
        assert_eq!(read(line.as_bytes(), &ReadOptions::default()).as_ref(), Ok(&plain), "{line}");
    }
    let inner = b"{\"moves\":\"7,7\",\"info\":{\"date\":null},\"comments\":{\"1\":null}}";
    assert_eq!(read(inner, &ReadOptions::default()).unwrap(), plain);
    assert_eq!(fault("{\"moves\":null}"), "line 1: missing key \"moves\"");
    let position = read(br#"{"size":null,"black":["h8"],"white":[]}"#, &ReadOptions::default());
    assert_eq!(position.unwrap().list[0].end().to_string().matches('X').count(), 1);
}

#[test]
fn names_of_positions_are_kept() {
    for line in [
        "{\"id\":\"three\",\"size\":15,\"black\":[\"7,7\"],\"white\":[]}",
        "{\"id\":\"three\",\"moves\":\"7,7\"}",
    ] {
        let games = read(line.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(games.list[0].info["id"], "three");
        assert!(games.left_out.is_empty(), "{line}");
    }
}

#[test]
fn contradicting_json_names_are_reported() {
    let id = |first: &str, second: &str| {
        let line =
            format!("{{\"moves\":\"h8\",\"id\":\"{first}\",\"info\":{{\"id\":\"{second}\"}}}}");
        let games = read(line.as_bytes(), &ReadOptions::default()).unwrap();
        (games.list[0].info["id"].clone(), games.left_out.into_iter().collect::<Vec<_>>())
    };
    assert_eq!(id("a", "a"), ("a".to_string(), vec![]));
    let left_out = "the key \"id\", since \"info\" has another \"id\"";
    assert_eq!(id("a", "b"), ("b".to_string(), vec![left_out.to_string()]));
}

#[test]
fn lines_of_json_objects_are_counted() {
    let games = 100_000;
    let text = "{\n  \"moves\":\n  \"7,7\"\n}\n\n".repeat(games) + "{\"moves\": \"7,7 7,7\"}\n";
    let start = std::time::Instant::now();
    let read = read_each(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(read.list.len(), games);
    let reason = format!("line {}: 7,7 is played twice", 5 * games + 1);
    assert_eq!(read.bad[0].error.to_string(), reason);
    // In quadratic time this takes a minute.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn positions_of_databases_are_set_up_boards() {
    let line = r#"{"rule":"renju","width":15,"height":13,"black":["7,7"],"white":["8,6"],
        "side_to_move":"white","result":{"value":"loss","evidence":"claimed"},"comment":"usual",
        "games":{"black":1,"draws":0,"white":2,"unknown":0}}"#;
    let games = read(line.replace('\n', "").as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(
        games.left_out,
        ["the key \"games\"".to_string(), "the key \"result\"".to_string()].into()
    );
    let (text, _) = written(&games.list, Format::Sgf);
    assert!(text.contains("SZ[15:13]RU[renju]"), "{text}");
    assert!(text.contains("AB[hh]AW[ig]PL[W]C[usual]"), "{text}");
}

#[test]
fn json_lines_keep_comments_between_moves() {
    let text = "(;GM[4]SZ[15]AB[hh]C[a];C[b];W[ii]C[c];C[d];B[jj])";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    let (line, _) = written(&games, Format::JsonLines);
    assert!(line.contains("\"side\":\"white\"}"), "white plays first: {line}");
    assert!(line.contains("\"comments\":{\"0\":\"a\\nb\",\"1\":\"c\\nd\"}"), "{line}");
}
