//! SGF files of this program and of others.

use super::*;

#[test]
fn sgf_keeps_all_features() {
    let game = rich();
    let (text, lost) = written(&[game.clone(), GameRecord::new(size(36, 36))], Format::Sgf);
    assert!(lost.is_empty(), "{lost}");
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(games.list, [game, GameRecord::new(size(36, 36))], "{text}");
    assert!(games.left_out.is_empty(), "{:?}", games.left_out);
}

#[test]
fn sgf_of_other_programs_is_read() {
    let text = "(;GM[1]SZ[15]PB[rapfi]PW[x]RE[B+1]TE[five]DT[2024.1.2]C[a\\]b]XX[1];B[hh];W[ii]\
                (;B[aa];W[])(;B[bb]LB[cc:1]))\r\n\r\n(;FF[4]GM[4];B[ss])";
    let games =
        read(text.as_bytes(), &ReadOptions { size: Some(size(19, 19)), ..ReadOptions::default() });
    let games = games.unwrap();
    assert!(games.left_out.is_empty(), "{:?}", games.left_out);
    assert!(written(&games.list, Format::Sgf).0.contains("XX[1]"));
    let [first, second] = &games.list[..] else { panic!() };
    assert_eq!(first.result, Some(GameResult::Win(Color::Black)));
    assert_eq!(first.reason.as_deref(), Some("five"));
    assert_eq!(first.info["date"], "2024.1.2");
    assert_eq!(first.note(NodeId::ROOT).unwrap().comment, "a]b");
    assert_eq!(first.plays().last(), Some(Play { color: Color::White, at: None }));
    assert_eq!(first.node_count(), 6);
    assert_eq!(second.size, size(19, 19));
    // c-gomoku-cli writes the time of a move as a comment.
    let text = "(;FF[4]GM[4]RU[4]SZ[15]RE[B+1];B[dc]C[opening move];W[ee]C[2939ms];B[ff]C[ms])";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(games.list[0].rule, Some(Rule::Renju));
    assert_eq!(games.list[0].times().collect::<Vec<_>>(), [None, Some(2939), None]);
    // Some programs put all moves into the root.
    let text = "(;GM[4]SZ[15]PB[x]RE[0]B[hh]W[ig]B[gj])";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(games.list[0].moves().unwrap().len(), 3);
    assert!(games.left_out.is_empty(), "{:?}", games.left_out);
    for (bad, message) in [
        ("(;GM[4]SZ[15];B[hh]\n;W[hh])", "line 2: 7,7 is played twice"),
        (
            "(;SZ[15];B[pa])",
            "line 1: [pa] (15,0) lies outside the 15x15 board (expected [aa] to [oo])",
        ),
        (
            "(;GM[4]\nSZ[15]\nAB[aa]\nAW[pp])",
            "line 4: [pp] (15,15) lies outside the 15x15 board (expected [aa] to [oo])",
        ),
        ("(;GM[4]\nSZ[99])", "line 2: SZ[99]: board 99x99 is not supported: sides go from 1 to 36"),
        ("(;SZ[15];B[h8])", "line 1: invalid point [h8] (expected one such as [hh])"),
        ("(;SZ[99])", "line 1: SZ[99]: board 99x99 is not supported: sides go from 1 to 36"),
        (
            &format!("(;SZ[36]MA{})", "[aa:JJ]".repeat(1000)),
            "line 1: the file's rectangles name more than 1048576 points",
        ),
        ("(;SZ[15];B[hh", "line 1: a value is not closed by ]"),
        ("(;SZ[15];B[hh]\n]x\ny)", "line 2: unexpected ']'"),
        ("(;SZ[15](", "line 1: the file ends inside a game"),
    ] {
        assert_eq!(fault(bad), message);
    }
}

#[test]
fn sgf_without_some_brackets_is_read() {
    let lengths = |text: &str| {
        let games = read_each(text.as_bytes(), &ReadOptions::default()).unwrap();
        let remarks: Vec<String> = games.remark_lines().collect();
        let lengths: Vec<usize> = games.list.iter().map(|it| it.moves().unwrap().len()).collect();
        (lengths, games.count, remarks.join("; "))
    };
    let (first, last) = ("(;GM[4]SZ[15];B[hh];W[hg])\n", "(;GM[4]SZ[15];B[hh])\n");
    let cut = "(;GM[4]SZ[15];B[hh];W[hg](;B[ii](;W[aa]";
    let said = "the file ends inside the game; its closing bracket is missing";
    assert_eq!(lengths(cut), (vec![4], 1, said.into()));
    assert_eq!(lengths(&format!("{first}{cut}")).0, [2, 4]);
    // The next game begins inside a game that is not closed.
    let open = "(;GM[4]SZ[15];B[hh];W[hg];B[ii]\n";
    let said = "game 2: the closing bracket of the game is missing";
    assert_eq!(lengths(&format!("{first}{open}{last}")), (vec![2, 3, 1], 3, said.into()));
    // Also after an invalid move, in the main line or in a variation.
    let bad = "(;GM[4]SZ[15];B[hh];W[hh]\n";
    assert_eq!(lengths(&format!("{bad}{last}{first}")), (vec![1, 2], 3, String::new()));
    let bad = "(;GM[4]SZ[15];B[hh](;W[hg];B[ii])(;W[hh](;B[aa]\n";
    let (found, count, said) = lengths(&format!("{bad}{last}{first}"));
    assert_eq!((found, count), (vec![3, 1, 2], 3));
    assert!(said.ends_with("game 1: the closing bracket of the game is missing"), "{said}");
    // A comment that is not closed takes in the start of the next game.
    let comment = "(;GM[4]SZ[15];B[hh]C[oh)\n";
    assert_eq!(lengths(&format!("{first}{comment}{last}")), (vec![2, 1], 3, String::new()));
    let quoted = "(;GM[4]SZ[15];B[hh]C[see\n(;GM[4\\]SZ[15\\];B[hh\\])];W[ii])\n";
    assert_eq!(lengths(&format!("{first}{quoted}{last}")).0, [2, 2, 1]);
    // A root without a semicolon, and brackets too many.
    let bare = "(GM[4]SZ[15]\n;B[hh];W[hg])\n";
    assert_eq!(lengths(&format!("{bare}{last}")), (vec![2, 1], 2, String::new()));
    assert_eq!(lengths(&format!("{first})\n{last}")).0, [2, 1]);
    assert_eq!(lengths("(B[hh])").0, [1]);
    // Text in brackets between games.
    let noted = format!("{first}(end; draw)\n(2)\n{last}()\n");
    assert_eq!(lengths(&noted), (vec![2, 1], 2, String::new()));
    let games = read(noted.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(games.left_out, ["text outside of the games".to_string()].into());
    // Text between nodes, as after an unescaped bracket.
    assert_eq!(lengths("(;GM[4]SZ[15]US[name[3d]];B[hh]\n---\n;W[hg] --- ;B[ii])").0, [3]);
}

/// Written after a bracket, such a property would start another game.
#[test]
fn sgf_root_properties_inside_a_game_are_left_out() {
    let text = "(;C[a](;GM[4];B[kk]XX[1])(;SZ[15]W[gg]))";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let left_out: Vec<&str> = games.left_out.iter().map(String::as_str).collect();
    assert_eq!(left_out, ["the property GM inside a game", "the property SZ inside a game"]);
    let sgf = written(&games.list, Format::Sgf).0;
    assert_eq!(read(sgf.as_bytes(), &ReadOptions::default()).unwrap().list, games.list, "{sgf}");
}

#[test]
fn sgf_bad_variation_does_not_affect_the_main_line() {
    let text =
        "(;GM[4]SZ[15];B[hh](;W[gg];B[ff])\n(;W[aa];B[dundefined](;W[ab])(;W[ac]))(;W[cc];B[dd]))";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let said = "line 2: invalid point [dundefined] (expected one such as [hh]); the rest of this \
                variation is ignored";
    assert_eq!(games.remark_lines().collect::<Vec<_>>(), [said]);
    let sgf = written(&games.list, Format::Sgf).0;
    assert!(sgf.contains("(;W[gg];B[ff])\n(;W[aa])\n(;W[cc];B[dd]))"), "{sgf}");
    let main = text.replace("W[gg]", "W[hh]");
    assert_eq!(fault(&main), "line 1: 7,7 is played twice");
}

#[test]
fn sgf_odd_sizes_and_points_are_read() {
    let game = |text: &str| {
        let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let remarks = games.remarks.len();
        let game = &games.list[0];
        (game.size.to_string(), game.moves().unwrap().len(), remarks)
    };
    for (size, read, remarks) in [
        ("15:15", "15x15", 0),
        ("15x15", "15x15", 0),
        (" 20 ", "20x20", 0),
        ("17,13", "17x13", 0),
        ("0", "15x15", 1),
        ("15.0", "15x15", 1),
        ("big", "15x15", 0),
    ] {
        let text = format!("(;GM[4]SZ[{size}];B[hh];W[gg])");
        assert_eq!(game(&text), (read.into(), 2, remarks), "{size}");
    }
    let text = "(;GM[4]SZ[15];B[HH];W[gG])";
    assert_eq!(game(text), ("15x15".into(), 2, 0));
}

#[test]
fn sgf_root_may_hold_set_up_and_moves() {
    let text = "(;GM[4]SZ[15]C[intro]AB[aa]AW[bb]B[hh]W[ig])";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(games[0].note(NodeId::ROOT).unwrap().comment, "intro");
    assert_eq!(games[0].moves().unwrap().len(), 4, "set-up stones come first");
}

#[test]
fn sgf_set_up_behind_an_empty_root_is_the_start() {
    let root = |text: &str| {
        let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
        assert!(replay(&games[0], Rule::Freestyle).is_ok(), "{text}");
        let sgf = written(&games, Format::Sgf).0;
        assert_eq!(read(sgf.as_bytes(), &ReadOptions::default()).unwrap().list, games, "{sgf}");
        games[0].note(NodeId::ROOT).unwrap().set_up.clone()
    };
    let point = |x, y| Point::new(x, y);
    let (black, white) = (vec![point(7, 7), point(8, 7)], vec![point(0, 0)]);
    let stones = SetUp { black, white, ..SetUp::default() };
    assert_eq!(root("(;GM[4]SZ[15];AB[hh][ih]AW[aa];B[bb];W[cc])"), stones);
    assert_eq!(
        root("(;GM[4]SZ[15]AB[hh][aa]C[a];C[b];AB[ih]AW[aa];B[bb](;W[cc])(;W[dd]))"),
        stones
    );
    assert_eq!(root("(;GM[4]SZ[15]AW[aa]AB[hh][ih][dd];AE[dd]C[gone])"), stones);
    let white = SetUp { side: Some(Color::White), ..stones.clone() };
    assert_eq!(root("(;GM[4]SZ[15]PL[B];AB[hh][ih]AW[aa]PL[W])"), white);
    let black = SetUp { side: Some(Color::Black), ..stones };
    assert_eq!(root("(;GM[4]SZ[15]PL[B];AB[hh][ih]AW[aa])"), black);
    // Nothing is left of these.
    for text in ["(;GM[4]SZ[15]AB[aa]PL[B];AE[aa])", "(;GM[4]SZ[15];PL[W];PL[B];B[aa])"] {
        let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
        assert_eq!(games[0].note(NodeId::ROOT), None, "{text}");
    }
    // No start is common to these.
    let games = read(b"(;GM[4]SZ[15](;AB[hh];B[aa])(;AB[ii];B[aa]))", &ReadOptions::default());
    assert_eq!(games.unwrap().list[0].note(NodeId::ROOT), None);
}

#[test]
fn sgf_redundant_side_to_move_is_ignored() {
    let text = "(;GM[4]SZ[15];B[hh]PL[W];W[ii]PL[B])";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(games[0].moves().unwrap().len(), 2);
    let other = "(;GM[4]SZ[15];B[hh]PL[B];B[ii])";
    let games = read(other.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert!(games[0].moves().is_err(), "here the side is not redundant");
}

#[test]
fn sgf_repeated_values_are_joined_or_reported() {
    let text = "(;GM[4]CA[]SZ[15]PB[]PW[x]PW[y];B[hh]C[a]C[b][c])";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let game = &games.list[0];
    assert_eq!(game.players, ByColor::new(None, Some("x".into())));
    assert_eq!(game.note(game.main_line().next().unwrap()).unwrap().comment, "a\nb\nc");
    assert_eq!(games.left_out, ["more than one value of the property PW".to_string()].into());
}

#[test]
fn sgf_repeated_set_up_stones_are_read_once() {
    let text = "(;GM[4]SZ[15]AB[hh:jj][ii][aa]AW[bb][bb];W[cc])";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(games.list[0].note(NodeId::ROOT).unwrap().set_up.black.len(), 10);
    let remarks: Vec<String> = games.remark_lines().collect();
    let twice = |cell: &str| format!("{cell} is set up twice as the same; read once");
    assert_eq!(remarks, [twice("8,8"), twice("1,1")]);
    assert_eq!(fault("(;GM[4]SZ[15]AB[hh]AW[hh])"), "line 1: 7,7 is set up twice");
}

#[test]
fn sgf_keeps_other_information() {
    let mut game = GameRecord::from_moves(size(15, 15), [Point::new(7, 7)]).unwrap();
    game.rule = Some(Rule::Caro);
    for (name, text) in [("server", "a:b]\\c"), ("x:y", ""), ("rules", "ours"), ("event", "Cup")] {
        game.info.insert(name.into(), text.into());
    }
    let (text, _) = written(std::slice::from_ref(&game), Format::Sgf);
    assert!(text.contains("EV[Cup]TGINFO[rules:ours][server:a\\:b\\]\\\\c][x\\:y:]"), "{text}");
    assert_eq!(read(text.as_bytes(), &ReadOptions::default()).unwrap().list, [game]);
    // Texts that parse as a rule or a result stay texts.
    let mut game = GameRecord::from_moves(size(15, 15), [Point::new(7, 7)]).unwrap();
    game.info = [("rules", "renju"), ("result", "B+R")].map(|(k, v)| (k.into(), v.into())).into();
    let (text, _) = written(std::slice::from_ref(&game), Format::Sgf);
    assert_eq!(read(text.as_bytes(), &ReadOptions::default()).unwrap().list, [game], "{text}");
    let odd = read(b"(;GM[4]SZ[15]TGINFO[a\\:b])", &ReadOptions::default()).unwrap();
    let remark = "ignored: invalid TGINFO[a\\:b] (expected name:text)";
    assert_eq!(odd.remark_lines().collect::<Vec<_>>(), [remark]);
}

#[test]
fn sgf_keeps_blanks_of_own_texts() {
    let mut game = GameRecord::from_moves(size(15, 15), [Point::new(7, 7)]).unwrap();
    game.players = ByColor::new(Some(" a\u{85}b\u{a0}c\td ".into()), Some("two\nlines".into()));
    game.info.insert("event".into(), " Cup\n".into());
    let (text, _) = written(std::slice::from_ref(&game), Format::Sgf);
    assert_eq!(read(text.as_bytes(), &ReadOptions::default()).unwrap().list, [game], "{text}");
    let other = read(b"(;GM[4]SZ[15]PB[ a\nb ];B[hh])", &ReadOptions::default()).unwrap().list;
    assert_eq!(other[0].players[Color::Black].as_deref(), Some("a b"));
}

#[test]
fn sgf_keeps_ambiguous_texts() {
    let mut game = GameRecord::from_moves(size(15, 15), [Point::new(7, 7)]).unwrap();
    game.reason = Some("two\nlines".into());
    for (name, text) in [("application", "X"), ("about", "a\nb"), ("result", "White by default")] {
        game.info.insert(name.into(), text.into());
    }
    let node = game.main_line().next().unwrap();
    game.note_mut(node).comment = "120ms".into();
    let (text, _) = written(std::slice::from_ref(&game), Format::Sgf);
    assert!(text.contains("RE[White by default]") && text.matches("AP[").count() == 1, "{text}");
    assert_eq!(read(text.as_bytes(), &ReadOptions::default()).unwrap().list, [game]);
    let winner = |text: &str| {
        let text = format!("(;GM[4]SZ[15]RE[{text}])");
        read(text.as_bytes(), &ReadOptions::default()).unwrap().list[0].result
    };
    assert_eq!(winner("B"), Some(GameResult::Win(Color::Black)));
    assert_eq!([winner("B+Draw"), winner("W+DRAW")], [Some(GameResult::Draw); 2]);
    assert_eq!([winner("?"), winner("Black by default")], [None, None]);
    assert_eq!(winner("Black won"), Some(GameResult::Win(Color::Black)));
    // Mail headers may come before the game.
    let name = Some(std::path::Path::new("m.sgf"));
    let mail = b"From: a site (a@b)\n\n(;GM[4]SZ[15];B[hh])";
    let games = read(mail, &ReadOptions { name, ..ReadOptions::default() }).unwrap();
    assert_eq!(games.list[0].moves().unwrap().len(), 1);
    assert_eq!(read(mail, &ReadOptions::default()).unwrap(), games, "also without a name");
    // Renju servers write offered fifth moves, and a line after each game.
    let server = b"(;GM[5]FF[4]5A[gg]GN[x];B[hh];W[hg])\n---\n(;GM[5]5A[];B[hh])\n---\n";
    let games = read(server, &ReadOptions { name, ..ReadOptions::default() }).unwrap();
    let lengths: Vec<usize> = games.list.iter().map(|game| game.moves().unwrap().len()).collect();
    assert_eq!(lengths, [2, 1]);
    assert_eq!(games.left_out, ["text outside of the games".to_string()].into());
    assert!(written(&games.list, Format::Sgf).0.contains("5A[gg]"));
}

#[test]
fn sgf_keeps_comments_that_look_like_games() {
    for comment in ["see\n(;GM[4", "(1)(;SZ[15", "]\n(;GM[4", "\\\r(;FF[4;B[hh"] {
        let mut game = GameRecord::from_moves(size(15, 15), [Point::new(7, 7)]).unwrap();
        game.note_mut(NodeId::ROOT).comment = comment.into();
        game.info.insert("server".into(), comment.into());
        let (text, _) = written(&[game.clone(), game], Format::Sgf);
        let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
        let comment = comment.replace('\r', "\n");
        assert_eq!(games.len(), 2, "{text}");
        assert_eq!(games[0].note(NodeId::ROOT).unwrap().comment, comment);
        assert_eq!(games[1].info["server"], comment);
    }
}

/// A record with an empty note would not equal a record without one.
#[test]
fn empty_comments_leave_no_note() {
    let text = "(;GM[4]SZ[15]C[];B[hh]C[];W[ii]C[a][][b])";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    let game = &games[0];
    let notes: Vec<bool> = game.nodes().map(|node| game.note(node).is_some()).collect();
    assert_eq!(notes, [false, false, true]);
    assert_eq!(game.note(game.nodes().last().unwrap()).unwrap().comment, "a\nb");
    let again =
        read(written(&games, Format::Sgf).0.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(again, games);
}

#[test]
fn reason_in_the_result_is_trimmed() {
    let text = "(;GM[4]SZ[15]RE[B+\n five in a row ];B[hh])";
    let games = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(games[0].reason.as_deref(), Some("five in a row"));
    let again =
        read(written(&games, Format::Sgf).0.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert_eq!(again, games);
}

#[test]
fn opening_of_gomoku_quest_is_played() {
    let text = |nodes: &str| format!("(;GM[4]FF[4]SZ[15]GN[gomokuquest]{nodes})");
    let games = |nodes: &str| read(text(nodes).as_bytes(), &ReadOptions::default()).unwrap();
    let notation = |games: &Games| written(&games.list, Format::Notation).0;
    for nodes in [
        ";QPR[hh,hg,jf];QSLW[ig];B[gg];W[ii]",
        ";QPR[hh, hg, jf]QSLW[ig];B[gg];W[ii]",
        ";QPR[hh,hg,jf];B[hh];W[hg];B[jf];W[ig];B[gg];W[ii]",
    ] {
        let found = games(nodes);
        assert_eq!(notation(&found), "h8h9j10i9g9i7\n", "{nodes}");
        assert_eq!(found.remark_lines().count(), 0);
        assert!(!written(&found.list, Format::Sgf).0.contains('Q'));
    }
    for (bad, reason) in [
        (";QPR[hh,hg,jf]\n;W[hh]", "line 2: 7,7 is played twice"),
        (";QPR[hh,hg,99]", "line 1: invalid point [99] (expected one such as [hh])"),
    ] {
        assert_eq!(fault(&text(bad)), reason);
    }
    let remarks = |nodes: &str| games(nodes).remark_lines().collect::<Vec<_>>();
    let remark =
        |name: &str| [format!("the property {name} may hold stones, which are not on the board")];
    assert_eq!(remarks(";XPR[hh,hg];B[aa]"), remark("XPR"));
    assert_eq!(remarks("XS[hh][hg];B[aa]"), remark("XS"));
    for nodes in ["LA[en];B[hh]", ";N[ok]VW[aa][bb]ZZ[zz];B[hh]", ";B[hh]XX[aa]"] {
        assert_eq!(remarks(nodes), [""; 0], "{nodes}");
    }
}
