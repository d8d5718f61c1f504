//! Objects and lists of other programs: the names of their keys, positions and puzzles.

use super::*;

/// The only game of a text as a line without its board size, and what was left out.
fn line(text: &str) -> (String, String) {
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(games.list.len(), 1, "{text}");
    let line = written(&games.list, Format::JsonLines).0;
    let (_, rest) = line.split_once("\"size\":\"15x15\",").expect("a board of 15x15");
    let left_out: Vec<String> = games.left_out.into_iter().collect();
    (format!("{{{}", rest.trim_end()), left_out.join(", "))
}

/// Checks that a text is a game with this line, and that nothing is left out.
#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(line(text), (expected.to_string(), String::new()), "{text}");
}

#[test]
fn json_moves_have_several_names() {
    for text in [
        r#"{"Moves":["h8","i9"]}"#,
        r#"{"history":[{"row":7,"col":7},{"row":6,"col":8}]}"#,
        r#"{"boardSize":15,"moveHistory":[{"X":7,"Y":7},{"X":8,"Y":6}],"currentPlayer":1}"#,
        r#"{"move_list":[{"r":7,"c":7},{"r":6,"c":8}]}"#,
        r#"{"game":{"record":"h8 i9"}}"#,
        r#"{"data":{"game":{"moves":[{"coordinate":"h8"},{"pos":[8,6]}]}}}"#,
        r#"{"moves":[["B","h8"],["W","i9"]]}"#,
        r#"{"moves":[["b",[7,7]],["w",[8,6]]]}"#,
        r#"{"moves":["h8,b","i9,w"]}"#,
        r#"{"moves":[[7,7,"B"],[8,6,"W"]]}"#,
        r#"[["B","h8"],["W","i9"]]"#,
        r#"{"moves":[{"x":"h","y":8},{"x":"i","y":9}]}"#,
        r#"{"coordinateBase":1,"moves":[{"row":8,"col":8},{"row":7,"col":9}]}"#,
        r#"{"oneBased":true,"moves":"8,8 9,7"}"#,
        r#"{"zeroBased":1,"moves":"7,7 8,6"}"#,
        r#"{"coordinates":"1-based","moves":[[8,8],[9,7]]}"#,
        // The text of a move comes before pixels.
        r#"{"moves":[{"at":"h8","x":245,"y":301},{"move":"i9","row":9,"col":9},{"move":""}]}"#,
        r#"{"moves":[{"at":"h8 i9"}]}"#,
        // Pictures of the same position.
        r#"{"moves":"h8 i9","stones":[{"x":7,"y":7,"color":"black"},{"x":8,"y":6,"color":"white"}]}"#,
        r#"{"moves":"h8 i9","blackStones":["h8"],"whiteStones":["i9"]}"#,
        r#"{"stones":[],"moves":"h8 i9","turn":"black"}"#,
    ] {
        check(text, r#"{"moves":"7,7 8,6"}"#);
    }
    let games = read(br#"{"moves":[112,98]}"#, &ReadOptions::default());
    assert!(games.unwrap_err().to_string().contains("lies outside"));
    let indices = read(br#"{"moves":[112,98,97]}"#, &ReadOptions::default()).unwrap();
    assert_eq!(written(&indices.list, Format::Moves).0, "7,7 8,6 7,6\n");
    assert_eq!(indices.remarks[0].text, "numbers are cells counted by rows, 0 to 224");
    assert!(fault(r#"{"coordBase":2,"moves":"h8"}"#).ends_with(" is 2; expected 0 or 1"));
    let counted = read(br#"{"coordBase":1,"moves":"8,8"}"#, &ReadOptions::default()).unwrap();
    assert_eq!(
        counted.remarks[0].text,
        "columns and rows are counted from 1, as \"coordBase\" states"
    );
    assert!(fault(r#"{"origin":"bottom-left","moves":"h8"}"#).ends_with("expected the top left"));
    let two = fault(r#"{"record":"h8","history":["h9"]}"#);
    assert_eq!(two, "line 1: \"history\" and \"record\" differ (expected one of them)");
    assert!(fault(r#"{"x":7,"y":7}"#).contains("(the object has: x, y; accepted: moves, "));
}

#[test]
fn json_keys_of_moves_are_read_or_reported() {
    let text = r#"{"ruleMode":"renju","meta":{"date":"today","players":{"black":"a","white":"b"}},
        "moves":[{"no":1,"x":7,"y":7,"timeMs":1200,"comment":"centre","eval":0.5},
                 {"no":2,"x":8,"y":6,"time_ms":800}]}"#;
    let expected = r#"{"rule":"renju","moves":"7,7 8,6","black":"a","white":"b","times_ms":[1200,800],"comments":{"1":"centre"},"info":{"date":"today"}}"#;
    let left_out = "the key \"eval\" of the moves".to_string();
    assert_eq!(line(text), (expected.to_string(), left_out));
}

#[test]
fn json_positions_are_set_up() {
    let expected = r#"{"set_up":{"black":"7,7","white":"8,6","side":"white"},"moves":""}"#;
    for text in [
        r#"{"black":"h8","white":"i9","side":"white"}"#,
        r#"{"black":["h8"],"white":["i9"],"moves":"","turn":"w"}"#,
        r#"{"blackStones":"H8","whiteStones":"I9","side":2}"#,
        r#"{"stones":{"black":["h8"],"white":["i9"]},"size":15,"toPlay":"white"}"#,
        r#"{"stones":"h8i9","side":2}"#,
        r#"{"stones":[{"x":7,"y":7,"color":"black"},{"x":8,"y":6,"color":"white"}],"next":"white"}"#,
        r#"{"initialStones":[["B","h8"],["W","i9"]],"moves":[],"initialPlayer":"W"}"#,
        r#"{"initialPosition":{"black":"h8","white":"i9"},"moves":[],"startingPlayer":"white"}"#,
        r#"{"position":{"black":[[7,7]],"white":[[8,6]]},"currentPlayer":"white"}"#,
    ] {
        check(text, expected);
    }
    for board in [
        r#"[[0,0,2],[0,1,0],[0,0,0]]"#,
        r#"[[null,null,"white"],[null,"black",null],[null,null,null]]"#,
        r#"["..O",".X.","..."]"#,
        r#""..O|.X.|...""#,
        r#"[0,0,2,0,1,0,0,0,0]"#,
    ] {
        let text = format!(r#"{{"board":{board},"turn":"white"}}"#);
        let game = &read(text.as_bytes(), &ReadOptions::default()).unwrap().list[0];
        assert_eq!(game.end().to_string(), ". . O\n. X .\n. . .\n", "{text}");
        assert_eq!(game.end().side_to_move(), Color::White, "{text}");
    }
    // Names of players can look like cells.
    for names in [
        r#"{"moves":"7,7","black":"A1","white":"M4"}"#,
        r#"{"moves":"7,7","black":"b6c96","white":"b10c96","result":"black","reason":"five"}"#,
        r#"{"moves":"","black":"b1","white":"b2","result":"white","reason":"time"}"#,
    ] {
        check(names, names);
    }
    assert!(fault(r#"{"black":"b6c96","white":"b10c96"}"#).contains("no key \"moves\""));
    // The board after the moves.
    let board = |rows: &str| format!(r#"{{"size":3,"moves":"b2 c3","board":{rows}}}"#);
    assert!(read(board("[[0,0,2],[0,1,0],[0,0,0]]").as_bytes(), &ReadOptions::default()).is_ok());
    assert!(
        fault(&board("[[0,0,2],[0,0,1],[0,0,0]]")).contains("\"board\" shows another position")
    );
    assert!(fault(r#"{"size":15,"board":[[0,0],[0,0]]}"#).ends_with("but the size is 15x15"));
    let doubtful = fault(r#"{"board":[[-1,-1,0],[-1,1,-1],[-1,-1,-1]]}"#);
    assert!(doubtful.contains("expected the rows of a board"), "{doubtful}");
    // KataGo's letters of columns skip I.
    let text = r#"{"boardXSize":15,"boardYSize":15,"initialStones":[["B","H8"],["W","J9"]]}"#;
    assert!(line(text).0.contains(r#""black":"7,7","white":"8,6""#));
    let shown = r#"{"moves":"h8","position":{"rule":"renju","black":["h8"],"white":[]}}"#;
    check(shown, r#"{"rule":"renju","moves":"7,7"}"#);
    let after = r#"{"moves":"7,7 8,6","side":"white"}"#;
    assert_eq!(line(after).1, "the key \"side\", which contradicts the moves");
}

#[test]
fn keys_with_other_meanings_beside_moves_are_left_out() {
    for keys in [
        r#""history":[{"x":7,"y":7},{"x":8,"y":8}]"#,
        r#""record":"3,2""#,
        r#""steps":["a","b"]"#,
        r#""settings":{"coordinates":true}"#,
        r#""coordinates":1"#,
        r#""coordinateSystem":"offset from the top left""#,
        r#""base":"main""#,
        r#""origin":"Tencent""#,
        r#""position":12"#,
        r#""squares":"12""#,
        r#""board":7"#,
        r#""board":"wood""#,
        r#""board":[["",""],["",""]]"#,
        r#""board":[[{"a":1}],[{"a":1}],[{"a":1}]]"#,
        r#""stones":60"#,
        r#""walls":false"#,
        r#""initial_times":[[300,3],[300,3]]"#,
        r#""start":"h8""#,
        r#""boardXSize":true"#,
        r#""turn":"black""#,
        r#""firstPlayer":"white""#,
        r#""black_player":{"type":"ai"}"#,
        r#""playerBlack":17"#,
        r#""players":{"black":["Ada","Ann"]}"#,
        r#""state":{"black":0}"#,
        r#""meta":{"moves":2}"#,
        r#""meta":{"info":"x"}"#,
        r#""settings":{"size":1024}"#,
        r#""Size":"A4""#,
        r#""Opening":{"name":"x"}"#,
        r#""Reason":5"#,
        r#""Comments":"text""#,
        r#""timesMs":[1,2,3]"#,
    ] {
        let (game, left_out) = line(&format!("{{\"moves\":\"7,7\",{keys}}}"));
        assert_eq!(game, r#"{"moves":"7,7"}"#, "{keys}");
        assert_eq!(left_out.matches("the key").count(), 1, "{keys}: {left_out}");
    }
    // The side to move after the moves.
    let after = r#"{"set_up":{"black":"7,7","white":"8,6"},"moves":"6,8","turn":"white"}"#;
    let expected = r#"{"set_up":{"black":"7,7","white":"8,6","side":"black"},"moves":"6,8"}"#;
    check(after, expected);
    check(r#"{"black":["h8"],"white":["i9"],"moves":["g7"],"next":"white"}"#, expected);
    check(
        r#"{"set_up":{"black":"h8","white":"i9"},"moves":"g7","position":{"black":["h8"],"white":["i9"]}}"#,
        expected,
    );
    // White begins.
    let white = r#"{"set_up":{"black":"","white":"","side":"white"},"moves":"7,7 8,6"}"#;
    check(r#"{"black":[],"white":[],"moves":[[7,7,2],[8,6,1]]}"#, white);
    check(r#"{"initialStones":[],"initialPlayer":"W","moves":[["W","h8"],["B","i9"]]}"#, white);
    // The object of a position as stones before the moves.
    let position =
        r#"{"moves":"h9","set_up":{"size":15,"black":"h8","white":"","to_move":"white"}}"#;
    check(position, r#"{"set_up":{"black":"7,7","white":"","side":"white"},"moves":"7,6"}"#);
    let unknown = fault(r#"{"moves":"h9","initialPosition":{"moves":"h8 i9"}}"#);
    assert!(unknown.contains("unknown key \"moves\" in \"initialPosition\""), "{unknown}");
    // An object with the same moves, and two comments.
    let data = r#"{"moves":"h8","data":{"moves":"h8","black":"Ada","result":"black"},"comment":"a","comments":{"0":"b"}}"#;
    check(data, r#"{"moves":"7,7","black":"Ada","result":"black","comments":{"0":"a\nb"}}"#);
    // A game without moves, and the header of a record.
    let empty = r#"{"moves":"","black":"Ada","analysis":[{"moves":"h8","score":1}]}"#;
    assert_eq!(line(empty).0, r#"{"moves":"","black":"Ada"}"#);
    let record = "{\"match\":{\"terms\":{\"size\":19}},\"openings\":[{\"moves\":\"h8\"}]}\n{\"moves\":\"s19\"}";
    let games = read(record.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!((games.list.len(), games.list[0].size), (1, size(19, 19)));
    // A board by columns.
    let columns = r#"{"size":3,"moves":"b2 c3","board":[[0,0,0],[0,1,0],[2,0,0]]}"#;
    assert!(read(columns.as_bytes(), &ReadOptions::default()).is_ok());
    let other = fault(r#"{"moves":"h8 i9","stones":[["B","a1"]]}"#);
    assert!(other.contains("\"stones\" shows another position"), "{other}");
}

#[test]
fn json_puzzles_inherit_their_defaults() {
    let text = r#"{"link":"x","defaultSettings":{"title":"set","rule":2},"puzzles":[
        {"image":"cover"},
        {"side":2,"size":13,"stones":"g7h8","//mode":"VCF","rule":0},
        {"blackStones":"g7","whiteStones":"","comment":"win","size":13}]}"#;
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let expected = concat!(
        r#"{"size":"13x13","rule":"freestyle","set_up":{"black":"6,6","white":"7,5","side":"white"},"moves":"","info":{"game":"set","rules":"0"}}"#,
        "\n",
        r#"{"size":"13x13","rule":"renju","set_up":{"black":"6,6","white":"","side":"white"},"moves":"","comments":{"0":"win"},"info":{"game":"set"}}"#,
        "\n"
    );
    assert_eq!(written(&games.list, Format::JsonLines).0, expected);
    let left_out: Vec<String> = games.left_out.into_iter().collect();
    assert_eq!(
        left_out.join(", "),
        "entries without moves or stones, keys that begin with //, the key \"link\""
    );
    let nested = br#"{"code":0,"data":{"list":[{"moves":"h8"},{"moves":"h8 i9"}]}}"#;
    assert_eq!(read(nested, &ReadOptions::default()).unwrap().list.len(), 2);
    let lists = r#"[[],["★","H8,1","I9,2"],["H8,1","I9,2","J10,2"]]"#;
    let games = read(lists.as_bytes(), &ReadOptions::default()).unwrap();
    let stones: Vec<_> = games.list.iter().map(|game| game.end().to_string()).collect();
    let count = |board: &str| (board.matches('X').count(), board.matches('O').count());
    assert_eq!(stones.iter().map(|board| count(board)).collect::<Vec<_>>(), [(1, 1), (1, 2)]);
    assert_eq!(games.list[0].plays().count(), 0);
}
