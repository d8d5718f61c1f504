//! Piskvork games and archives.

use super::*;

const PSQ: &str = "Piskvorky 20x20, 11:11, 0\n8,8,0\n9,10,120\n1,20,35\nme\nyou\n-1\n";

#[test]
fn piskvork_games_round_trip() {
    let read_psq = |text: &str| read(text.as_bytes(), &ReadOptions::default()).map(|it| it.list);
    let games = read_psq(PSQ).unwrap();
    assert_eq!(written(&games, Format::Psq).0, PSQ);
    assert_eq!(games[0].players[Color::White].as_deref(), Some("you"));
    assert_eq!(read_psq(&PSQ.replace('\n', "\r\n")).unwrap(), games);
    let swapped = read_psq(&PSQ.replace("11, 0", "11, 1")).unwrap();
    assert_eq!(swapped[0].players[Color::White].as_deref(), Some("me"));
    let late = read_psq(&PSQ.replace("-1", "15")).unwrap();
    assert_eq!(late[0].result, Some(GameResult::Win(Color::Black)));
    assert_eq!(late[0].reason.as_deref(), Some("timeout"));
    assert_eq!(written(&late, Format::Psq).0, PSQ.replace("-1", "15"));
    let leveled = read(PSQ.replace("11:11", "7:7").as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(leveled.list, games);
    assert_eq!(leveled.left_out, ["the levels of the players".to_string()].into());
    assert!(read(PSQ.as_bytes(), &ReadOptions::default()).unwrap().left_out.is_empty());
    let opening = read_psq("Piskvorky 15x15\n8,8\n").unwrap();
    assert_eq!(opening[0].plays().count(), 1);
    for (bad, message) in [
        (
            PSQ.replace("9,10,120", "9;10;120"),
            "line 3: invalid move \"9;10;120\" (expected x,y,ms such as 8,8,120)",
        ),
        (
            PSQ.replace("9,10,120", "9,10,x"),
            "line 4: invalid move \"1,20,35\" (expected x,y,ms such as 8,8,120)",
        ),
        (
            PSQ.replace("9,10,", "21,10,"),
            "line 3: 21,10 lies outside the 20x20 board (expected 0,0 to 19,19)",
        ),
        (PSQ.replace("9,10,", "8,8,"), "line 3: 8,8 is played twice"),
        (PSQ[..PSQ.find("0,35").unwrap()].into(), "line 4: the file ends within \"1,2\""),
        (PSQ[..PSQ.find("u\n-1").unwrap()].into(), "line 6: the file ends within \"yo\""),
        (PSQ.replace("1,20,35", "1"), "line 7: unexpected \"-1\" after the end of the game"),
        (PSQ.replace("you\n-1\n", ""), "the file ends before the players' names"),
        (PSQ.to_owned() + "8,9,5\n", "line 8: unexpected \"8,9,5\" after the end of the game"),
        (
            PSQ.replace("20x20", "2000"),
            "line 1: board 2000x2000 is not supported: sides go from 1 to 36",
        ),
    ] {
        assert_eq!(fault(&bad), message, "{bad}");
    }
}

#[test]
fn piskvork_archives_round_trip() {
    let game = &read(PSQ.as_bytes(), &ReadOptions::default()).unwrap().list[0];
    let (text, lost) = written(std::slice::from_ref(game), Format::Rec);
    assert_eq!(text, "me\nyou\n7,7,0\n8,9,120\n0,19,35\n-1\n");
    assert!(lost.is_empty(), "20x20 is the default of archives: {lost}");
    let again = read(text.as_bytes(), &options(Format::Rec, game.size)).unwrap();
    assert_eq!(&again.list[0], game);
    let name = Some(std::path::Path::new("AxB.REC"));
    let by_name = ReadOptions { name, ..ReadOptions::default() };
    assert_eq!(&read(text.as_bytes(), &by_name).unwrap().list[0], game, "20x20 by default");
    let failed = &read(text.replace("-1", "-2").as_bytes(), &by_name).unwrap().list[0];
    assert_eq!(failed.result, Some(GameResult::Win(Color::Black)));
    assert_eq!(failed.reason.as_deref(), Some("crash"));
    assert!(written(std::slice::from_ref(failed), Format::Rec).0.ends_with("\n-2\n"));
    let small = GameRecord::from_moves(size(15, 15), [Point::new(7, 7)]).unwrap();
    assert_eq!(Format::Rec.lost_features(&small).to_string(), "the board size");
}

#[test]
fn piskvork_codes_are_only_written_for_the_side_to_move() {
    let code = |color: Color, reason: &str, moves: usize| {
        let moves = [Point::new(7, 7), Point::new(8, 8), Point::new(9, 9)].into_iter().take(moves);
        let mut game = GameRecord::from_moves(size(15, 15), moves).unwrap();
        (game.result, game.reason) = (Some(GameResult::Win(color)), Some(reason.to_string()));
        let (text, _) = written(&[game], Format::Psq);
        text.lines().last().unwrap().to_string()
    };
    // Black is to move, and the format can only state a loss of that player.
    assert_eq!(code(Color::White, "timeout", 2), "15");
    assert_eq!(code(Color::White, "start", 2), "-2");
    assert_eq!(code(Color::Black, "timeout", 2), "-1");
    assert_eq!(code(Color::Black, "start", 2), "-1");
    assert_eq!(code(Color::Black, "crash", 3), "-2");
    // A result that the code states is not reported as lost.
    let lost = |reason: &str, winner: &str| {
        let game = format!("{{\"moves\":\"7,7\",\"reason\":\"{reason}\",\"result\":\"{winner}\"}}");
        let games = read(game.as_bytes(), &ReadOptions::default()).unwrap().list;
        let (text, lost) = written(&games, Format::Psq);
        let again = read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
        let is_same = (&again[0].result, &again[0].reason) == (&games[0].result, &games[0].reason);
        assert_eq!(lost.0.contains(&FormatFeature::Result), !is_same, "{reason}");
        assert_eq!(lost.0.contains(&FormatFeature::Reason), !is_same, "{reason}");
        !is_same
    };
    assert!(!lost("timeout", "black") && !lost("crash", "black"));
    assert!(lost("timeout", "white") && lost("start", "black") && lost("five", "black"));
    let drawn = "{\"moves\":\"7,7 8,8\",\"reason\":\"timeout\",\"result\":\"draw\"}";
    let drawn = read(drawn.as_bytes(), &ReadOptions::default()).unwrap().list;
    assert!(written(&drawn, Format::Psq).0.ends_with("\n-1\n"));
}

#[test]
fn piskvork_names_are_kept_or_reported_lost() {
    for (name, again, kept) in [
        (None, None, true),
        (Some("first one"), Some("first one"), true),
        (Some(""), None, false),
        (Some("white"), None, false),
        (Some("Homo-9"), None, false),
        (Some("123"), Some("player 123"), false),
        (Some("a  b"), Some("a b"), false),
        (Some("+5"), Some("+5"), true),
        (Some("-5"), Some("player -5"), false),
    ] {
        let mut game = GameRecord::from_moves(size(15, 15), [Point::new(7, 7)]).unwrap();
        game.players[Color::Black] = name.map(str::to_string);
        let (text, lost) = written(&[game], Format::Psq);
        let read = &read(text.as_bytes(), &ReadOptions::default()).unwrap().list[0];
        assert_eq!(read.players[Color::Black].as_deref(), again);
        assert_eq!(!lost.0.contains(&FormatFeature::Names), kept, "{name:?}");
        // Piskvork takes any name but `homo-N` for a program.
        let level = if again.is_some() { 11 } else { 0 };
        assert!(text.starts_with(&format!("Piskvorky 15x15, {level}:0, 0\n")), "{text}");
        assert!(text.contains("\nhomo-2\n"), "{text}");
    }
}
