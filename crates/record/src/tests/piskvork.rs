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
    // Joined files keep their byte order marks.
    assert_eq!(read_psq(&format!("\u{feff}{PSQ}").repeat(2)).unwrap().len(), 2);
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
            "line 3: 21,10 lies outside the 20x20 board (expected 1,1 to 20,20)",
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
        (Some("Piskvorky 8.8"), Some("Piskvorky 8.8"), true),
        (Some("Piskvorky 8"), Some("player Piskvorky 8"), false),
        (Some("piskvorky a, b"), Some("player piskvorky a, b"), false),
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

#[test]
fn damaged_piskvork_header_keeps_the_game_before_it() {
    let valid = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n";
    let read = |text: &str| read_each(text.as_bytes(), &ReadOptions::default()).unwrap();
    for end in ["A\nB\n0\n", "\nB\n0\n", "0\n", "A\nB\n-1\n1,2024\n", "A\nB\n", "A\n0\n", ""] {
        for head in ["Piskvorky ???", "Piskvorky 15x15 11:11 0", "piskvorky x"] {
            let damaged = format!("{head}\n7,7,0\n6,6,0\nC\nD\n0\n");
            let games = read(&format!("{valid}{end}{damaged}{valid}"));
            assert_eq!((games.list.len(), games.bad_count), (2, 1), "{end:?} {head}");
            assert_eq!(games.list[0].plays().count(), 2);
        }
        // A header that is cut off.
        let games = read(&format!("{valid}{end}Piskvorky 15x"));
        assert_eq!((games.list.len(), games.bad_count), (1, 1), "{end:?}");
    }
    // Names that start like headers, also in files without names or moves.
    for text in ["8,8,0\nPiskvorky 8.8\nPiskvorky x\n0\n", "8,8,0\n\nPiskvorky x\n\n0\n"] {
        let games = read(&format!("Piskvorky 15x15\n{text}{valid}"));
        assert_eq!((games.list.len(), games.bad_count), (2, 0), "{text}");
        assert_eq!(games.list[0].players[Color::White].as_deref(), Some("Piskvorky x"));
    }
}

/// A game with these moves, and these lines after the names and the code.
fn archived(moves: &[&str], tail: &str) -> Games {
    let text = format!("Piskvorky 15x15, 11:11, 0\n{}\nA\nB\n-1\n{tail}\n", moves.join("\n"));
    read_each(text.as_bytes(), &ReadOptions::default()).unwrap()
}

#[test]
fn gomocup_winner_is_the_number_of_a_player_in_the_match() {
    let winner = |moves: &[&str], tail: &str| archived(moves, tail).list[0].result;
    let (black, white) = (Some(GameResult::Win(Color::Black)), Some(GameResult::Win(Color::White)));
    // After three given moves player 1 has white, who ran out of time.
    let odd = ["8,8,0", "9,8,0", "1,1,0", "9,9,100", "1,3,50"];
    assert_eq!(winner(&odd, "2,Renju"), black);
    assert_eq!(winner(&odd[..4], "1,Renju"), white);
    assert_eq!(winner(&odd, "0,Renju"), Some(GameResult::Draw));
    // Without an opening, or after one of an even number of moves, player 1 has black.
    let even = ["8,8,0", "9,8,0", "1,1,20", "9,9,100"];
    assert_eq!([winner(&even, "1,Renju"), winner(&even, "2,Renju")], [black, white]);
    let timed = ["8,8,0", "9,8,7"];
    assert_eq!([winner(&timed, "1,Caro"), winner(&timed, "2,Caro")], [black, white]);
    let untimed = ["8,8,0", "9,8,0", "1,1,0"];
    assert_eq!([winner(&untimed, "1,Caro"), winner(&untimed, "2,Caro")], [black, white]);
    // The board decides.
    let mut five = odd.to_vec();
    five.extend(["9,10,30", "1,5,20", "9,11,5", "3,1,5", "9,12,9"]);
    let games = archived(&five, "1,Freestyle15_1");
    assert_eq!((games.list[0].result, games.remarks.len()), (white, 0));
    let five = ["8,8", "1,1", "8,9", "1,2", "8,10", "1,3", "8,11", "1,4", "8,12"];
    let games = archived(&five, "2,Freestyle20_2");
    assert_eq!(games.list[0].result, black);
    let said = "the file names player 2 as the winner; the board says black";
    assert_eq!(games.remark_lines().collect::<Vec<_>>(), [said]);
}

#[test]
fn names_in_tournaments_are_no_rules() {
    for (tournament, rule) in [
        ("Carolina Open", None),
        ("Yamaguchi Memorial", None),
        ("Caro1", Some(Rule::Caro)),
        ("Fastgame2", Some(Rule::Freestyle)),
    ] {
        let games = archived(&["8,8,0", "9,8,0"], &format!("1,{tournament}"));
        assert_eq!(games.list[0].rule, rule, "{tournament}");
    }
}

#[test]
fn gomocup_illegal_last_move_loses() {
    for (last, reason) in [("8,8,40", "occupied"), ("16,3,40", "off-board")] {
        let games = archived(&["8,8,0", "9,9,0", "1,1,30", last], "1,Standard1");
        let game = &games.list[0];
        let end = (game.result, game.reason.as_deref(), game.moves().unwrap().len());
        assert_eq!(end, (Some(GameResult::Win(Color::Black)), Some(reason), 3), "{last}");
        let lost_by = replay::replay(game, Rule::Standard).unwrap().lost_by.unwrap();
        assert_eq!((lost_by.color, lost_by.offence.name()), (Color::White, reason));
        // Elsewhere such a move is an error.
        let middle = archived(&["8,8,0", last, "1,1,30"], "1,Standard1");
        assert_eq!(middle.bad_count, 1, "{last}");
        assert_eq!(archived(&["8,8,0", "9,9,0", "1,1,3", last], "a note").bad_count, 1);
    }
}

#[test]
fn piskvork_odd_headers_and_tails_are_read() {
    let game = |text: &str| {
        let mut games = read_each(text.as_bytes(), &ReadOptions::default()).unwrap();
        let remarks: Vec<String> = games.remark_lines().collect();
        (games.list.remove(0), remarks.join("; "))
    };
    let (notes, _) = game("Piskvorky 15x15, 11:11, 0\n8,8,0\nA\nB\n-1\n2024-05-01\n1-0\n12:30\n");
    assert_eq!(notes.info["notes"], "2024-05-01\n1-0\n12:30");
    let (dashes, said) = game("piskvorky 15X15 , 0 - 0\r\n6,9,0\r\n7,8,1\r\n");
    assert_eq!((dashes.moves().unwrap().len(), said.as_str()), (2, ""));
    let (_, said) = game("Piskvorky 15x15, 11:11, ?\n8,8,0\n");
    assert_eq!(said, "ignored: invalid first player \"?\" (expected 0 or 1)");
    let (open, _) = game("Piskvorky 15x15\n8, 8\n9, 9");
    assert_eq!(open.moves().unwrap().len(), 2, "no line has a time, so the last one is complete");
    let (unknown, said) = game("Piskvorky 15x15, 11:11, 0\n8,8,0\nA\nB\n-1\n-1,Renju2\n");
    assert_eq!((unknown.rule, unknown.result), (Some(Rule::Renju), None));
    assert_eq!(said, "unknown winner in \"-1,Renju2\" (expected 0, 1 or 2)");
    let (year, _) = game("Piskvorky 15x15, 11:11, 0\n8,8,0\nA\nB\n-1\n1,2024\n");
    assert_eq!(year.info["event"], "2024");
}

#[test]
fn piskvork_files_without_header_are_read_by_name() {
    let name = Some(std::path::Path::new("0_1_2_1.psq"));
    let game = |text: &str| {
        let games = read(text.as_bytes(), &ReadOptions { name, ..ReadOptions::default() }).unwrap();
        let said: Vec<String> = games.remark_lines().collect();
        (games.list[0].size.to_string(), games.list[0].moves().unwrap(), said.join("; "))
    };
    let (small, large) = (game("8,8\n9,9\n8,9\n"), game("8,8,0\n19,9,4\n-1\n"));
    assert_eq!(small.1, [Point::new(7, 7), Point::new(8, 8), Point::new(7, 8)]);
    assert_eq!(small.2, "the file has no header; assumed a 15x15 board");
    assert_eq!((large.0.as_str(), large.1.len()), ("20x20", 2));
}
