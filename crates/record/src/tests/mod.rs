//! Round trips through every format, with games that use all features and with random games.

mod json;
mod lines;
mod piskvork;
mod reports;
mod rif;
mod sgf;
mod symmetry;

use proptest::prelude::*;

use super::*;
use tengen_rules::types::{MIN_SIDE, RowOne};

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
        "game 2, line 2: 7,15 lies outside the 15x15 board (expected 0,0 to 14,14) (the file does \
         not state its size)"
    );
    assert_eq!(fault("7,7 7,7"), "line 1: 7,7 is played twice");
    assert!(
        fault("h8z9").starts_with("line 1: z9 lies outside the 15x15 board (expected a1 to o15)")
    );
    assert!(fault("7,7\nh8 hello").starts_with("game 2, line 2: \"hello\""));
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
    // Without a negative number and a start in the center they are moves.
    for moves in ["7,7, 6,6, 7,6\n", "7, 7, 6, 6\n", "7,7, 6,6\n6,6, 7,7, 1,2\n"] {
        let games = read(moves.as_bytes(), &ReadOptions::default()).unwrap().list;
        let plain = moves.replace(", ", " ").replace("7 7 6 6", "7,7 6,6");
        assert_eq!(written(&games, Format::Moves).0, plain);
    }
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
        "line 1: 8,0 lies outside the 15x15 board (expected -7,-7 to 7,7) (the file does \
         not state its size)"
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
    let named = ReadOptions { name: Some(std::path::Path::new("a.pos")), ..ReadOptions::default() };
    for bytes in [&[2, 112, 84][..], b"h8g6", b"\x09ABCDEFGHI"] {
        assert!(read(bytes, &named).is_ok(), "{bytes:?}");
    }
    assert_eq!(read(b"\x09ABCDEFGHI", &named).unwrap().list[0].plays().count(), 9);
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
fn archives_are_refused() {
    let options =
        |name| ReadOptions { name: Some(std::path::Path::new(name)), ..ReadOptions::default() };
    let refused = |bytes: &[u8], name| read(bytes, &options(name)).unwrap_err().to_string();
    let reason =
        |kind| format!("the file is a {kind} archive (expected game files; unpack it first)");
    assert_eq!(refused(b"PK\x03\x04\x14\0\0\0game.rif", "a.zip"), reason("ZIP"));
    assert_eq!(refused(b"PK\x03\x04\x14\0(;B[hh])", "a.sgf"), reason("ZIP"));
    assert_eq!(refused(b"\x1f\x8b\x08\0\0", "a.psq.gz"), reason("gzip"));
}

#[test]
fn joined_pairs_are_refused() {
    for text in [
        "7-7 8-8 7-8\n",
        "7-7, 8-8, 7-8\n",
        "1. 7-7 8-8\n2. 7-8 9-9\n",
        "1.7-7 2.8-8\n",
        "(7-7) (8-8)\n",
        "[7-7][8-8]\n",
        "7-7 8-8\n1-0\n",
        "7-7 8-8 1-0\n",
        "1. 7-7\n2. 0-1\n3. 8-8\n",
    ] {
        let reason = "line 1: \"7-7\" is a pair of numbers (expected 7,7 or h8)";
        assert_eq!(fault(text).trim_start_matches("game 1, "), reason, "{text}");
    }
    for text in ["7.7 8.8\n", "7:7\n8:8\n"] {
        assert!(fault(text).contains("line 1: \"7"), "{text}: {}", fault(text));
        assert!(fault(text).ends_with("is a pair of numbers (expected 7,7 or h8)"), "{text}");
    }
    // Clock times look alike, but have moves beside them.
    for text in ["(7:7) (8:8)\n", "1. (7:7) (8:8)\n2. (9:9)\n", "(7:7);(8:8)\n", "(7:7)\n"] {
        let reason = "line 1: \"7:7\" is a pair of numbers (expected 7,7 or h8)";
        assert_eq!(fault(text), reason, "{text}");
    }
    assert!(fault("(7.7) (8.8)\n").starts_with("line 1: \"7.7\" is a pair"));
    let timed = read(b"1. h8 (0:12) i9\n(0:31)\n", &ReadOptions::default()).unwrap();
    assert_eq!(timed.list[0].moves().unwrap().len(), 2);
    assert!(fault("h8 i9\n7-7 8-8\n").starts_with("game 2, line 2: \"7-7\" is a pair"));
    assert_eq!(fault("7-7 8:8\n"), fault("7-7 8-8\n"));
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
