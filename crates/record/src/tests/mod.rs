//! Round trips through every format, with games that use all features and with random games.

mod piskvork;
mod sgf;

use proptest::prelude::*;

use super::*;
use tengen_rules::types::{MIN_SIDE, RowOne, Symmetry};

fn size(width: i64, height: i64) -> BoardSize {
    BoardSize::new(width, height).unwrap()
}

fn options(format: Format, size: BoardSize) -> ReadOptions<'static> {
    ReadOptions { format: Some(format), size: Some(size), ..ReadOptions::default() }
}

fn written(games: &[GameRecord], format: Format) -> (String, FormatFeatures) {
    let (bytes, lost) = written_bytes(games, format);
    (String::from_utf8(bytes).unwrap(), lost)
}

fn written_bytes(games: &[GameRecord], format: Format) -> (Vec<u8>, FormatFeatures) {
    let mut out = Vec::new();
    let lost = write(games, format, &mut out).unwrap();
    (out, lost)
}

fn fault(text: &str) -> String {
    read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string()
}

/// A game that uses all features.
fn rich() -> GameRecord {
    let point = |x, y| Point::new(x, y);
    let mut game = GameRecord::new(size(20, 17));
    game.rule = Some(Rule::Renju);
    game.players = ByColor::new(Some("a]b\\c: d".into()), Some("René".into()));
    game.result = Some(GameResult::Win(Color::White));
    game.reason = Some("double-three".into());
    game.opening = 2;
    game.info.insert("event".into(), "Cup; (1)".into());
    let mut cursor = Cursor::new(&mut game);
    cursor
        .set_up(&SetUp {
            black: vec![point(0, 0), point(3, 4)],
            white: vec![point(19, 16)],
            walls: vec![point(5, 5)],
            side: Some(Color::White),
            ..SetUp::default()
        })
        .unwrap();
    let first = cursor.play(Color::White, point(7, 7)).unwrap();
    cursor.record().note_mut(first).comment = "good ]\nor [not]".into();
    cursor.record().note_mut(first).time_ms = Some(1250);
    cursor.record().note_mut(first).marks = vec![
        Mark { at: point(1, 1), kind: MarkKind::Triangle },
        Mark { at: point(2, 1), kind: MarkKind::Label("A:]".into()) },
    ];
    cursor.play(Color::Black, point(8, 8)).unwrap();
    cursor.pass(Color::White).unwrap();
    cursor.ascend(1);
    cursor.play(Color::Black, point(9, 9)).unwrap();
    cursor.play(Color::White, point(8, 8)).unwrap();
    cursor.ascend(0);
    cursor.comment().unwrap();
    cursor.play(Color::White, point(18, 0)).unwrap();
    game
}

#[test]
fn write_returns_lost_features() {
    let mut game = rich();
    let lost = |format: Format, game: &GameRecord| format.lost_features(game).to_string();
    assert_eq!(
        lost(Format::Diagram, &game),
        "the rule, the players' names, the result, the reason for the result, the number of given \
         moves, date, event and other information, times, the order of the moves, the side to \
         move, variations, comments, marks"
    );
    assert_eq!(lost(Format::JsonLines, &game), "variations, marks");
    let mut out = Vec::new();
    for (format, reason) in [
        (Format::Psq, "game 1: a list of moves cannot hold cells out of play"),
        (
            Format::JsonLines,
            "game 1: the moves after the set-up do not alternate, which jsonl cannot hold",
        ),
    ] {
        let error = write(std::slice::from_ref(&game), format, &mut out).unwrap_err();
        assert_eq!(error.to_string(), reason);
        assert!(out.is_empty());
    }
    game.note_mut(NodeId::ROOT).set_up.walls.clear();
    let error = write(std::slice::from_ref(&game), Format::Moves, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "game 1: the game passes after move 5, which a list of moves cannot hold"
    );
    let two = [GameRecord::new(size(15, 15)), GameRecord::new(size(15, 15))];
    let error = write(&two, Format::Psq, &mut out).unwrap_err();
    assert_eq!(error.to_string(), "psq holds one game, but there are 2");
}

#[test]
fn set_up_stones_become_moves_if_possible() {
    let text = ". X . . .\n. . O . .\n. . . . X\n. . . . .\n. . . . .\n";
    let mut games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(written(&games, Format::Diagram).0, text);
    let (moves, lost) = written(&games, Format::Moves);
    assert_eq!(
        (moves.as_str(), lost.to_string().as_str()),
        ("1,0 2,1 4,2\n", "the board size, which stones were set up")
    );
    let node = games[0].add(NodeId::ROOT, Color::White, Point::new(0, 0)).unwrap();
    assert_eq!(games[0].path(node), [node]);
    assert_eq!(written(&games, Format::Moves).0, "1,0 2,1 4,2 0,0\n");
    assert!(games[0].add(node, Color::Black, Point::new(1, 0)).is_err());
    let lonely = "X X .\n. . .\n";
    let games = read(lonely.as_bytes(), &ReadOptions::default()).unwrap().list;
    let error = write(&games, Format::Moves, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("2 black and 0 white stones are set up"), "{error}");
    // Both a comment and the first row of a board may consist of `#`.
    let moves = read(b"####\n# a comment\n####\nh8 i9\n", &ReadOptions::default()).unwrap().list;
    assert_eq!(moves[0].moves().unwrap().len(), 2);
    let walls = "# # #\n. X .\n. . .\n";
    let games = read(walls.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(written(&games, Format::Diagram).0, walls);
    assert_eq!(fault(". . X\n. ? .\n"), "line 2: invalid cell '?' (expected X, O, # or .)");
    let third = "game 3, line 6: invalid cell '!' (expected X, O, # or .)";
    assert_eq!(fault(". X\n\n. X\n\n\n. ! "), third);
    assert_eq!(fault("\n. . X\n. .\n"), "line 3: row of 2 cells, but the first row has 3");
}

#[test]
fn lists_of_moves_round_trip() {
    let text = "# openings\n7,7 8,8 # eval\n\nh8I9 a1\n";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(written(&games, Format::Moves).0, "7,7 8,8\n7,7 8,6 0,14\n");
    assert_eq!(written(&games, Format::Notation).0, "h8i7\nh8i9a1\n");
    let top = ReadOptions { rows: RowOne::Top, ..ReadOptions::default() };
    let games = read(b"h8i9", &top).unwrap().list;
    assert_eq!(written(&games, Format::Moves).0, "7,7 8,8\n");
    assert_eq!(
        fault("7,7\n7,15"),
        "game 2, line 2: 7,15 lies outside the 15x15 board (expected 0,0 to 14,14)"
    );
    assert_eq!(fault("7,7 7,7"), "line 1: 7,7 is played twice");
    assert_eq!(fault("h8z9"), "line 1: z9 lies outside the 15x15 board (expected a1 to o15)");
    assert!(
        fault("7,7\nhello").starts_with("game 2, line 2: \"hello\""),
        "{}",
        fault("7,7\nhello")
    );
    assert_eq!(fault("  \n"), "no game found");
    let empty = [GameRecord::new(size(15, 15))];
    for format in [Format::Moves, Format::Notation, Format::Offsets, Format::Gomocalc] {
        let error = write(&empty, format, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "game 1: a game without moves cannot be written as a line of moves");
    }
    let utf_8 = ReadOptions { encoding: Some(Encoding::default()), ..ReadOptions::default() };
    let bytes = read(b"7,7\n\xff", &utf_8).unwrap_err();
    assert_eq!(bytes.place(), Some(Place::Byte(4)));
}

#[test]
fn urls_and_offsets_round_trip() {
    let games = read(b"https://gomocalc.com/#/h8i9\n", &ReadOptions::default()).unwrap().list;
    assert_eq!(written(&games, Format::Moves).0, "7,7 8,6\n");
    assert_eq!(written(&games, Format::Gomocalc).0, "https://gomocalc.com/#/h8i9\n");
    assert_eq!(written(&games, Format::Offsets).0, "0,0, 1,-1\n");
    let wide = [GameRecord::new(size(27, 5))];
    assert!(write(&wide, Format::Gomocalc, &mut Vec::new()).is_err());
    let openings = "-1,-2, 0,3\n\n2,2, -1,0 # even\n";
    let even = ReadOptions { size: Some(size(20, 20)), ..ReadOptions::default() };
    let games = read(openings.as_bytes(), &even).unwrap().list;
    assert_eq!(written(&games, Format::Moves).0, "9,8 10,13\n12,12 9,10\n");
    // A single offset is ambiguous: other lines or the file name determine the format.
    let games = read(b"0,0\n1,1, 2,2\n", &ReadOptions::default()).unwrap().list;
    assert_eq!(written(&games, Format::Moves).0, "7,7\n8,8 9,9\n");
    let name = Some(std::path::Path::new("o.offsets"));
    let one = read(b"0,0\n", &ReadOptions { name, ..ReadOptions::default() }).unwrap().list;
    assert_eq!(written(&one, Format::Moves).0, "7,7\n");
    assert_eq!(fault("0,0, 1,"), "line 1: the last offset has only one number");
    assert_eq!(
        fault("0,0, 1,1\n0,0, x,1"),
        "game 2, line 2: invalid offset \"x\" (expected a number such as -3)"
    );
    assert_eq!(
        fault("0,0, 8,0"),
        "line 1: 8,0 lies outside the 15x15 board (expected -7,-7 to 7,7)"
    );
}

#[test]
fn yixin_board_files_round_trip() {
    let moves = |bytes: &[u8], format| {
        read(bytes, &options(format, size(15, 15)))
            .map(|games| written(&games.list, Format::Moves).0)
            .map_err(|error| error.to_string())
    };
    // Row 1, column 0; row 0, column 14.
    assert_eq!(moves(&[2, 1, 210], Format::Pos).unwrap(), "0,1 14,0\n");
    assert_eq!(
        moves(&[2, 1], Format::Pos).unwrap_err(),
        "byte 0: the header states 2 stones, but the file has 1"
    );
    assert_eq!(
        moves(&[1, 225], Format::Pos).unwrap_err(),
        "byte 1: 15,0 lies outside the 15x15 board (expected 0,0 to 14,14)"
    );
    assert_eq!(moves(&[2, 5, 5], Format::Pos).unwrap_err(), "byte 2: 0,5 is played twice");
    let sav = "15\n20\n2\n0 19\n14 3\n";
    let games = read(sav.as_bytes(), &options(Format::Sav, size(15, 15))).unwrap().list;
    assert_eq!(games[0].size, size(20, 15));
    assert_eq!(written(&games, Format::Moves).0, "19,0 3,14\n");
    assert_eq!(written(&games, Format::Sav).0, sav);
    let with_rule = read(b"15\n2\n1\n7 8\n", &options(Format::Sav, size(9, 9))).unwrap().list;
    assert_eq!((with_rule[0].size, with_rule[0].rule), (size(15, 15), Some(Rule::Renju)));
    let more = read(b"15\n15\n1\n7 8\n6 6 saved", &options(Format::Sav, size(9, 9))).unwrap();
    assert_eq!(more.list[0].moves().unwrap().len(), 1);
    assert_eq!(more.left_out, ["text after the moves".to_string()].into());
    let open = read(b"15\n15\n1\n14 1", &options(Format::Sav, size(9, 9))).unwrap();
    let said = "the file ends without a line break; its last number may be incomplete";
    assert_eq!(open.remark_lines().collect::<Vec<_>>(), [said]);
    let narrow = write(&[GameRecord::new(size(2, 15))], Format::Sav, &mut Vec::new()).unwrap_err();
    assert_eq!(narrow.to_string(), "game 1: sav does not support boards of 2 columns and 15 rows");
    for (bad, message) in [
        (
            "15\n15\n2\n7 7\n7\n",
            "expected height, width, number of moves, and row and column of each move",
        ),
        ("15\n15\n1\n7 x\n", "line 4: invalid number \"x\""),
        ("15\n99\n0\n", "line 1: board 99x15 is not supported: sides go from 1 to 36"),
        ("15\n15\n2\n7 7\n7 7\n", "line 5: row 7, column 7 is played twice"),
    ] {
        assert_eq!(moves(bad.as_bytes(), Format::Sav).unwrap_err(), message);
    }
}

#[test]
fn other_encodings_are_read() {
    let sgf = b"(;GM[4]SZ[15]CA[gbk]PB[\xc6\xe5];B[hh])";
    let games = read(sgf, &ReadOptions::default()).unwrap().list;
    assert_eq!(games[0].players[Color::Black].as_deref(), Some("棋"));
    let gbk = ReadOptions { encoding: Some("gbk".parse().unwrap()), ..ReadOptions::default() };
    let undeclared = b"(;GM[4]SZ[15]PB[\xc6\xe5];B[hh])";
    assert_eq!(read(undeclared, &gbk).unwrap().list[0].players, games[0].players);
    let utf_8 = ReadOptions { encoding: Some(Encoding::default()), ..ReadOptions::default() };
    assert_eq!(read(undeclared, &utf_8).unwrap_err().place(), Some(Place::Byte(16)));
    let guessed = read(undeclared, &ReadOptions::default()).unwrap();
    assert_eq!(guessed.list[0].players, games[0].players);
    let remark = "the file does not state its encoding; guessed gb18030";
    assert_eq!(guessed.remark_lines().collect::<Vec<_>>(), [remark]);
    let marked = [b"\xef\xbb\xbf", "(;GM[4]SZ[15]CA[gbk]PB[棋];B[hh])".as_bytes()].concat();
    assert_eq!(read(&marked, &ReadOptions::default()).unwrap().list[0].players, games[0].players);
    let utf_16 =
        ReadOptions { encoding: Some("utf-16le".parse().unwrap()), ..ReadOptions::default() };
    let moves: Vec<u8> = "\u{feff}h8i9".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&moves, &utf_16).unwrap().list[0].plays().count(), 2);
    let unknown = read(b"(;CA[klingon];B[hh])", &ReadOptions::default()).unwrap();
    let remark = unknown.remark_lines().next().unwrap();
    assert!(remark.starts_with("CA[klingon]: unknown encoding"), "{remark}");
    // A space may precede the value. `CA` inside a value or another name is ignored.
    let blank = b"(;GM[4]SZ[15]CA [gbk]PB[\xc6\xe5];B[hh])";
    assert_eq!(read(blank, &ReadOptions::default()).unwrap().list[0].players, games[0].players);
    for text in ["C[CA[gbk\\] before]", "XCA[5]", "C[a\\]CA[klingon]"] {
        let game = read(format!("(;GM[4]SZ[15]{text};B[hh])").as_bytes(), &ReadOptions::default());
        assert_eq!(game.unwrap().list[0].plays().count(), 1, "{text}");
    }
}

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
        (
            "{\"moves\":\"7,7\",\"result\":7}",
            "line 1: \"result\" is 7; expected black, white, draw or void",
        ),
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

#[test]
fn white_may_make_the_first_move() {
    for text in ["(;GM[4]SZ[15];W[hh];B[ii])", "(;GM[4]SZ[15]PL[W];W[hh];B[ii])"] {
        let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
        let reason = "white makes the first move, which a list of moves cannot hold";
        assert_eq!(games[0].moves().unwrap_err().to_string(), reason);
        let (line, lost) = written(&games, Format::JsonLines);
        let again = read(line.as_bytes(), &ReadOptions::default()).unwrap().list;
        assert!(again[0].plays().eq(games[0].plays()) && lost.is_empty(), "{line}");
    }
}

#[test]
fn canonical_ignores_the_order_of_set_up_stones() {
    let canonical =
        |text: &str| read(text.as_bytes(), &ReadOptions::default()).unwrap().list[0].canonical().0;
    let first = canonical("(;GM[4]SZ[5]AB[aa][ca]AW[cc])");
    assert_eq!(canonical("(;GM[4]SZ[5]AB[ca][aa]AW[cc])"), first);
    assert_eq!(canonical("(;GM[4]SZ[5]AB[ca][ea]AW[cc])"), first, "mirrored");
    assert_ne!(canonical("(;GM[4]SZ[5]AB[aa][da]AW[cc])"), first);
    // Variations and later set-up stones break ties between symmetrical games.
    let variation = |name| canonical(&format!("(;GM[4]SZ[15];B[hh](;W[hg])(;W[{name}]))"));
    assert_eq!(variation("gg"), variation("ig"));
    let later = |black, white| canonical(&format!("(;GM[4]SZ[15];AB[{black}]AW[{white}])"));
    assert_eq!(later("aa", "bb"), later("oa", "nb"));
    // Marks do not, since the moves decide first.
    let marked = |mark| canonical(&format!("(;GM[4]SZ[15]MA[{mark}];B[hh];W[ig])")).moves();
    assert_eq!(marked("aa"), marked("oa"));
}

#[test]
fn canonical_turns_cells_in_texts() {
    let canonical =
        |line: &str| read(line.as_bytes(), &ReadOptions::default()).unwrap().list[0].canonical().0;
    let offered = |moves: &str, cells: &str| {
        let line = format!("{{\"moves\":\"{moves}\",\"info\":{{\"alternatives\":\"{cells}\"}}}}");
        canonical(&line)
    };
    // The cells may be separated in different ways, and the moves may be symmetrical.
    assert_eq!(offered("h8 i9 j8", "a1, b1"), offered("h8 g9 f8", "o1 n1"));
    assert_eq!(offered("h8", "a1, b1"), offered("h8", "o15 n15"));
    let lost =
        |moves: &str| canonical(&format!("{{\"moves\":\"{moves}\",\"reason\":\"off-board\"}}"));
    assert_eq!(lost("7,7 15,7"), lost("7,7 7,-1"));
}

#[test]
fn set_up_stones_replace_others() {
    let games = read(b"(;GM[4]SZ[5]AB[aa];AW[aa])", &ReadOptions::default()).unwrap().list;
    assert!(written(&games, Format::Diagram).0.starts_with("O . "));
    assert_eq!(fault("(;GM[4]SZ[5]AB[aa]AW[aa])"), "line 1: 0,0 is set up twice");
    assert_eq!(fault("(;GM[4]SZ[5]TGWALL[aa];AW[aa])"), "line 1: 0,0 is out of play");
}

#[test]
fn side_to_move_is_kept_or_reported_lost() {
    let text = "{\"size\":15,\"set_up\":{\"black\":\"7,7\",\"white\":\"\"},\"moves\":\"8,8\"}";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(games[0].plays().next().unwrap().color, Color::White, "by the stones");
    assert!(written(&games, Format::Diagram).1.0.is_disjoint(&[FormatFeature::Side].into()));
    let counted = "(;GM[4]SZ[5]AB[aa][ba]AW[bb])";
    let games = read(counted.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(games[0].end().side_to_move(), Color::White);
    assert_eq!(games[0].start(Rule::Freestyle).side_to_move(), Color::White);
    assert!(written(&games, Format::Diagram).1.0.is_disjoint(&[FormatFeature::Side].into()));
    let white = "(;GM[4]SZ[5]AB[aa][ba]AW[bb][cb]PL[W])";
    let games = read(white.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert!(written(&games, Format::Diagram).1.to_string().contains("the side to move"));
    assert!(written(&games, Format::Sgf).1.is_empty());
}

#[test]
fn symmetries_transform_the_whole_record() {
    let game = rich();
    for symmetry in Symmetry::ALL {
        let image = game.transformed(symmetry);
        assert_eq!(image.transformed(symmetry.inverse()), game);
        if symmetry.size(game.size) == game.size {
            assert_eq!(image.canonical().0, game.canonical().0);
        }
    }
}

#[test]
fn symmetries_transform_an_illegal_last_move() {
    for (moves, reason, stated, turned) in [
        ("0,0 3,2 0,0", "occupied", "then 0,0: occupied", "then 14,0: occupied"),
        ("0,0 15,2", "off-board", "then 15,2: off-board", "then 12,15: off-board"),
    ] {
        let line = format!("{{\"moves\":\"{moves}\",\"reason\":\"{reason}\"}}");
        let mut game = read(line.as_bytes(), &ReadOptions::default()).unwrap().list.remove(0);
        let last = game.main_line().last().unwrap();
        let comment = &mut game.note_mut(last).comment;
        *comment = format!("a note\n{comment}\nTengen: score +1\n");
        let image = game.transformed(Symmetry::ALL[6]);
        let comment = &image.note(last).unwrap().comment;
        assert_eq!(*comment, format!("a note\n{turned}\nTengen: score +1\n"));
        assert_eq!(image.transformed(Symmetry::ALL[5]), game, "{stated}");
        let lost_by =
            |game: &GameRecord| replay::replay(game, Rule::Freestyle).unwrap().lost_by.unwrap();
        let at = Symmetry::ALL[6].coordinates(game.size, lost_by(&game).at);
        assert_eq!(lost_by(&image).at, at);
        // Without the reason it is a comment like others.
        game.reason = None;
        assert!(game.transformed(Symmetry::ALL[6]).note(last).unwrap().comment.contains(stated));
    }
}

#[test]
fn symmetries_transform_cells_in_information() {
    let turned = |key: &str, text: &str| {
        let mut game = GameRecord::new(size(9, 12));
        game.info.insert(key.to_string(), text.to_string());
        let image = game.transformed(Symmetry::ALL[6]);
        image.transformed(Symmetry::ALL[5]).info[key].clone() + " -> " + &image.info[key]
    };
    assert_eq!(turned("first", "0,0 8,11"), "0,0 8,11 -> 11,0 0,8");
    assert_eq!(turned("alternatives", "a12, i1"), "a12 i1 -> l9 a1");
    for text in ["Anna", "z9", "", "3.", "the 1st"] {
        assert_eq!(turned("first", text), format!("{text} -> {text}"));
    }
    assert_eq!(turned("event", "a1"), "a1 -> a1");
}

#[test]
fn long_lines_and_deep_trees_need_no_stack() {
    let mut text = "(;GM[4]SZ[15]".to_string();
    text += &"(;C[x]".repeat(200_000);
    text += &")".repeat(200_001);
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(games[0].node_count(), 200_001);
    assert_eq!(
        read(written(&games, Format::Sgf).0.as_bytes(), &ReadOptions::default()).unwrap().list,
        games
    );
    drop(games.clone());
}

proptest! {
    /// The features that a format can hold survive a round trip.
    #[test]
    fn random_games_survive_every_format(
        (width, height) in prop_oneof![
            3 => (i64::from(MIN_SIDE)..=36, i64::from(MIN_SIDE)..=36),
            1 => Just((15, 15)),
        ],
        cells in proptest::collection::vec(any::<prop::sample::Index>(), 1..60),
        result in 0usize..4,
    ) {
        let size = size(width, height);
        let all: Vec<Point> = size.points().collect();
        let mut moves: Vec<Point> = Vec::new();
        for cell in cells {
            let point = *cell.get(&all);
            if !moves.contains(&point) {
                moves.push(point);
            }
        }
        let mut game = GameRecord::from_moves(size, moves.iter().copied()).unwrap();
        game.result = [None, Some(GameResult::Draw), Some(GameResult::Win(Color::Black)),
            Some(GameResult::Win(Color::White))][result];
        game.players = ByColor::new(Some("one".into()), Some("two".into()));
        for format in Format::ALL.into_iter().filter(|format| format.is_written()) {
            let fits = match format {
                Format::Gomocalc => width <= 26,
                Format::Pos | Format::Lib => (width, height) == (15, 15),
                Format::Sav => width > 2 || height < 5,
                _ => true,
            };
            if !fits {
                prop_assert!(write(std::slice::from_ref(&game), format, &mut Vec::new()).is_err());
                continue;
            }
            let (bytes, lost) = written_bytes(std::slice::from_ref(&game), format);
            let again = read(&bytes, &options(format, size)).unwrap();
            prop_assert!(again.left_out.is_empty());
            let [again] = &again.list[..] else { panic!("{format:?}") };
            prop_assert_eq!(again.size, size);
            if format == Format::Diagram {
                prop_assert_eq!(written_bytes(std::slice::from_ref(again), format).0, bytes);
                continue;
            }
            prop_assert_eq!(again.moves().unwrap(), moves.clone());
            if !lost.0.contains(&FormatFeature::Result) {
                prop_assert_eq!(again.result, game.result);
            }
            if !lost.0.contains(&FormatFeature::Names) {
                prop_assert_eq!(&again.players, &game.players);
            }
            // Then convert the result to every other format.
            for next in Format::ALL.into_iter().filter(|format| format.holds().contains(&FormatFeature::Order)) {
                let mut bytes = Vec::new();
                if write(std::slice::from_ref(again), next, &mut bytes).is_ok() {
                    let there = read(&bytes, &options(next, size)).unwrap().list;
                    prop_assert_eq!(there[0].moves().unwrap(), moves.clone());
                    let shared = [format, next].map(|format| format.holds().contains(&FormatFeature::Result));
                    if shared == [true, true] {
                        prop_assert_eq!(there[0].result, game.result);
                    }
                }
            }
        }
    }

    /// Libraries with any nodes are read or rejected.
    #[test]
    fn any_library_is_read_or_rejected(
        bytes in any_library(),
        encoding in proptest::sample::select(&["utf-8", "gbk", "shift_jis", "cp1251"][..]),
    ) {
        let encoding = Some(encoding.parse().unwrap());
        let options = ReadOptions { format: Some(Format::Lib), encoding, ..ReadOptions::default() };
        if let Ok(games) = read(&bytes, &options) {
            prop_assert!(games.list[0].node_count() <= bytes.len());
            let (sgf, lost) = written(&games.list, Format::Sgf);
            prop_assert!(lost.is_empty());
            prop_assert!(read(sgf.as_bytes(), &ReadOptions::default()).is_ok(), "{}", sgf);
        }
    }

    /// Any bytes are read or rejected, and games that were read can be written.
    #[test]
    fn any_bytes_are_read_or_rejected(bytes in any_file(), format in 0..=Format::ALL.len()) {
        let format = Format::ALL.get(format).copied();
        let read = read(&bytes, &ReadOptions { format, ..ReadOptions::default() });
        if let Ok(games) = read {
            for format in Format::ALL {
                let _ = write(&games.list, format, &mut Vec::new());
            }
        }
    }
}

/// Nearly valid and random files.
fn any_file() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: [&str; 39] = [
        "(",
        ")",
        ";",
        "B[hh]",
        "W[ii]",
        "AB[aa:cc]",
        "SZ[15]",
        "C[\\]]",
        "LB[aa:x]",
        "PL[W]",
        "AE[aa]",
        "Piskvorky 15x15, 11:11, 0",
        "\n",
        "8,8,0",
        "9,9",
        "-1",
        "15",
        "name",
        "{",
        "}",
        "\"moves\":",
        "\"7,7 8,8\"",
        "\"size\":",
        ",",
        "\"times_ms\":[1]",
        "h8",
        "i9j10",
        "7,7",
        " ",
        "#",
        ". X O",
        "X",
        "\r\n",
        "99999999999999999999",
        "\u{0}",
        "ä",
        "]",
        "[",
        "TGMS[5]",
    ];
    let word = prop_oneof![
        9 => proptest::sample::select(&WORDS[..]).prop_map(|word| word.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(word, 0..40).prop_map(|words| words.concat())
}

/// Libraries with and without a header; most nodes are moves.
fn any_library() -> impl Strategy<Value = Vec<u8>> {
    let header = prop_oneof![
        Just(b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0".to_vec()),
        Just(b"\x78\0".to_vec()),
    ];
    let node = prop_oneof![
        6 => any::<u8>().prop_map(|at| vec![at, 0]),
        3 => any::<u8>().prop_map(|at| vec![at, 0x80]),
        3 => any::<u8>().prop_map(|at| vec![at, 0x40]),
        1 => any::<[u8; 2]>().prop_map(|node| node.to_vec()),
        1 => any::<u8>().prop_map(|at| [&[at, 0x49][..], b"\0\x01te\xc6\xe5\0\0A\0"].concat()),
    ];
    let nodes = proptest::collection::vec(node, 0..60).prop_map(|nodes| nodes.concat());
    (header, nodes, any::<bool>()).prop_map(|(header, nodes, whole)| {
        let end: &[u8] = if whole { &[0, 0x42] } else { &[] };
        [&header, &nodes, end].concat()
    })
}
