//! Lists of moves with numbers, results and tags.

use super::*;

const BLACK: Option<GameResult> = Some(GameResult::Win(Color::Black));
const WHITE: Option<GameResult> = Some(GameResult::Win(Color::White));

fn games(text: &str) -> Games {
    let games = read(text.as_bytes(), &ReadOptions::default());
    games.unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn notation(game: &GameRecord) -> String {
    written(std::slice::from_ref(game), Format::Notation).0.trim_end().to_string()
}

fn moves(text: &str) -> Vec<String> {
    games(text).list.iter().map(notation).collect()
}

#[test]
fn results_behind_the_moves_belong_to_the_game() {
    for (text, result) in [
        ("h8 i9 i7\n1-0\n", BLACK),
        ("h8 i9 i7\n\n0-1\n", WHITE),
        ("h8 i9 i7\nblack wins\n", BLACK),
        ("h8 i9 i7 黑胜\n", BLACK),
        ("h8i9i7，白胜。\n", WHITE),
        ("1. h8 i9 2. i7 黑胜\n", BLACK),
        ("1. h8 i9 2. i7 Black resigns\n", WHITE),
        ("1. h8 i9\n2. i7 B+R\n", BLACK),
        ("1. h8 i9 2. i7 1:0\n", BLACK),
        ("1. h8 i9 2. i7 0-1 (time)\n", WHITE),
        ("黑：h8 白：i9 黑：i7\n½-½\n", Some(GameResult::Draw)),
        ("h8 i9 i7 ½\n", Some(GameResult::Draw)),
        ("B h8\nW i9\nB i7\nWhite wins\n", WHITE),
        ("[Black \"a\"]\n\nh8 i9 i7\nничья\n", Some(GameResult::Draw)),
        ("h8 i9 i7 0,5-0,5\n", Some(GameResult::Draw)),
        ("h8 i9 i7黑胜\n", BLACK),
        ("7,7 8,6 8,8(黑胜)\n", BLACK),
        ("h8 i9 i7（白负）\n", BLACK),
        ("1.h8 2.i9 3.i7(white resigns)\n", BLACK),
        ("h8 i9 i7。黑胜\n", BLACK),
        ("h8 i9 i7.black wins\n", BLACK),
        ("黑：h8，白：i9，黑：i7。黑胜\n", BLACK),
        ("h8i9i7黑胜\n", BLACK),
        ("h8-i9-i7-黑胜\n", BLACK),
        ("ｈ８ｉ９ｉ７黑胜\n", BLACK),
        ("1. h8 i9\n2. i7\n2. 1-0\n", BLACK),
        ("h8 i9 i7 Black wins by resignation after 35 moves.\n", BLACK),
        ("h8 i9 i7 White won the game on time\n", WHITE),
        ("h8 i9 i7 Black wins (five in a row)\n", BLACK),
        ("h8 i9 i7\nB+Resign\n", BLACK),
        ("h8 i9 i7 黑方获胜\n", BLACK),
        ("h8 i9 i7 白棋胜利（时间）\n", WHITE),
        ("h8 i9 i7 Draw by agreement\n", Some(GameResult::Draw)),
        ("h8 i9 i7 黒の勝ち\n", BLACK),
        ("h8 i9 i7 흑 33 금수 백승\n", WHITE),
        ("h8 i9 i7 Чёрные выиграли\n", BLACK),
        ("h8 i9 i7 Trắng thắng do hết giờ\n", WHITE),
        ("h8 i9 i7 White wins due to foul by Black\n", WHITE),
        ("h8 i9 i7 White wins because of overline\n", WHITE),
        ("h8 i9 i7 White has resigned\n", BLACK),
        ("h8 i9 i7 Black wins with five in a row\n", BLACK),
        ("h8 i9 i7 White wins (3-3)\n", WHITE),
        ("h8 i9 i7 黒四々禁手、白勝\n", WHITE),
        ("h8 i9 i7 흑이 승리했습니다\n", BLACK),
        ("h8 i9 i7 Победа за белыми\n", WHITE),
        ("h8 i9 i7 Draw, board full\n", Some(GameResult::Draw)),
        ("h8 i9 i7 Ничья по соглашению\n", Some(GameResult::Draw)),
        ("h8 i9 i7 Hòa cờ\n", Some(GameResult::Draw)),
        ("h8 i9 i7 Remíza dohodou\n", Some(GameResult::Draw)),
    ] {
        let games = games(text).list;
        assert_eq!(games.len(), 1, "{text}");
        assert_eq!((notation(&games[0]).as_str(), games[0].result), ("h8i9i7", result), "{text}");
    }
    let results = |text: &str| games(text).list.iter().map(|it| it.result).collect::<Vec<_>>();
    assert_eq!(results("h8 i9 i7\n1-0\nh8 i9\n0-1\n"), [BLACK, WHITE]);
    assert_eq!(results("h8 i9 1-0\nh8 i7 0-1\n"), [BLACK, WHITE]);
    assert_eq!(results("1. h8 i9 1-0\n2. h8 i7 0-1\n"), [BLACK, WHITE]);
    assert_eq!(results("h8i9i7\nh8i9j7白胜\n"), [None, WHITE]);
    for text in ["h8 i9 B j10 wins", "h8 i9 Black plays j10 and wins", "黑h8 白i9 黑i7 胜"] {
        assert!(fault(text).contains("is not a move"), "{text}");
    }
    assert!(fault("h8 i9 hello wins black").starts_with("line 1: \"hello\" is not a move"));
    for caption in [
        "Black to play and win",
        "White has no win",
        "Black did not win",
        "White should win",
        "white has a winning attack",
        "Black wins?",
        "Draw the next stone",
        "Draw a stone",
        "White wins in 3 moves",
        "White wins in three moves",
        "Белые выиграли за 3 хода",
        "White lost the thread",
        "Black wins 7,7",
        "Black Petrov wins",
        "黑先胜",
        "黑胜？",
        "黑必胜",
        "黑不胜",
    ] {
        let inline = fault(&format!("h8 i9 i7 {caption}\n"));
        assert!(inline.contains("is not a move"), "{caption}: {inline}");
        let below = read_each(format!("h8 i9 i7\n{caption}\n").as_bytes(), &ReadOptions::default());
        assert_eq!(below.unwrap().list[0].result, None, "{caption}");
    }
    for header in [
        "\nGame 2: White wins",
        "Game 2: White wins",
        "\nWhite: Winston - Black: Petrov",
        "White Winston - Black Petrov",
        "Black: Losev, White: Winston",
        "Black wins - White loses",
        "第2局 白胜",
        "2. White wins",
        "\n2. Black wins",
    ] {
        let text = format!("h8 i9 i7\n{header}\nj9 g9\n");
        let games = read_each(text.as_bytes(), &ReadOptions::default()).unwrap();
        assert!(games.list.iter().all(|game| game.result.is_none()), "{text}");
        assert!(games.bad_count > 0 || games.left_out.contains("lines without moves"), "{text}");
    }
    // A player alone may be the one to move.
    assert!(fault("h8 i9 black").starts_with("line 1: \"black\" is not a move"));
    assert!(fault("h8 i9 0").starts_with("line 1: \"0\" is not a move"));
    let title = "game 2, line 3: the result \"White wins\" has no moves before it";
    assert_eq!(fault("h8 i9\n\nWhite wins\nh8 i9\n"), title);
    let twice = "game 2, line 3: the result \"0-1\" has no moves before it";
    assert_eq!(fault("h8 i9\n1-0\n0-1\n"), twice);
}

#[test]
fn numbers_that_do_not_count_moves_number_games() {
    for text in [
        "1. h8 h9 h10\n2. a1 b2 c3\n3. d4 e5\n",
        "1. h8 h9 h10\n\n2. a1 b2 c3\n\n3. d4 e5\n",
        "1) h8 h9 h10\n2) a1 b2 c3\n3) d4 e5\n",
        "1: h8 h9 h10\n2: a1 b2 c3\n3: d4 e5\n",
        "1 h8 h9 h10\n2 a1 b2 c3\n3 d4 e5\n",
    ] {
        assert_eq!(moves(text), ["h8h9h10", "a1b2c3", "d4e5"], "{text}");
    }
    let list = "1. h8 h9 h10\n2. h8 i9\n3. h8 h9\n4. h8 i9 i10\n";
    assert_eq!(moves(list), ["h8h9h10", "h8i9", "h8h9", "h8i9i10"]);
    for text in [
        "1 h8 i9\n2 i7 g9\n",
        "1\th8\ti9\n2\ti7\tg9\n",
        "1 h8\n2 i9\n3 i7\n4 g9\n",
        "1. h8\n1... i9\n2. i7\n2... g9\n",
        "5. h8 i9\n6. i7 g9\n",
        "1. h8 i9 i7\n4. g9\n",
        "1. h8 i9 i7\n2... g9\n",
        "1. h8 i9 (1... h9 i8) 2. i7\n2... g9\n",
        "1. h8 i9 (1... h9\n2. i8)\n2. i7 g9\n",
        "h8 i9\n2. i7 g9\n",
        "1. h8 i9\n2. i7\n2. ... g9\n",
        "1. h8 i9\n2. i7\n2. … g9\n",
        "1. h8 i9\n2. i7\n2.. g9\n",
        "1. h8 i9\n2. i7\n2) ... g9\n",
        "1. h8 i9\n2. i7\n2: ... g9\n",
        "1. h8 i9\n2. i7\n2. - g9\n",
        "1. h8\n2. i9 i7\n3. g9\n",
        "1... h8\n2. i9 i7\n3. g9\n",
    ] {
        assert_eq!(moves(text), ["h8i9i7g9"], "{text}");
        assert!(games(text).remarks.is_empty(), "{text}");
    }
    let commented = "1. h8 i9\n2. i7 {good}\n2. ... g9 3. h7\n";
    assert_eq!(moves(commented), ["h8i9i7g9h7"]);
    assert_eq!(moves("1. h8 i9\n2. i7 (2. g8)\n2. ... g9\n"), ["h8i9i7g9"]);
    assert_eq!(moves("1 h8 2 i9 3 i7\nj9 g10\n"), ["h8i9i7", "j9g10"]);
    assert_eq!(moves("1. h8 i9\n2. i7\n\n1. h8 g9\n2. i7\n"), ["h8i9i7", "h8g9i7"]);
    let gap = games("1. h8 i9\n4. i7 g9\n");
    assert_eq!(notation(&gap.list[0]), "h8i9i7g9");
    let remark = "line 2: the number 4 is neither that of the next move nor of the next game; \
                  the game continues";
    assert_eq!(gap.remark_lines().collect::<Vec<_>>(), [remark]);
    let hint = "line 2: h8 is played twice (does \"2.\" number a game?)";
    assert_eq!(fault("1. h8 h9\n2. h8 i9\n"), hint);
    assert!(fault("h8 i9\n7 h9\n").starts_with("game 2, line 2: \"7\" is not a move"));
}

#[test]
fn tags_state_the_board_size() {
    for tag in ["Size \"19\"", "Board \"19x19\"", "BoardSize \"19 x 19\"", "SZ \"19×19\""] {
        let text = format!("[{tag}]\n[Black \"a\"]\n\n1. h8 s19\n");
        let game = games(&text).list.remove(0);
        assert_eq!((game.size, notation(&game).as_str()), (size(19, 19), "h8s19"), "{tag}");
        assert!(game.info.is_empty(), "{tag}: {:?}", game.info);
    }
    // The number of a board in a match between teams.
    let third = games("[Board \"3\"]\n\n1. h8 i9\n").list.remove(0);
    assert_eq!((third.size, third.info["board"].as_str()), (size(15, 15), "3"));
    let town = games("[Board \"Lexington\"]\n\n1. h8 i9\n");
    assert!(town.remarks.is_empty());
    assert!(games("[Size \"?\"]\n\n1. h8 i9\n").remarks.is_empty());
    let large = games("[Size \"large\"]\n\n1. h8 i9\n");
    assert_eq!(large.list[0].info["size"], "large");
    let remark = "invalid board size \"large\": expected N or WxH, 1 to 36; read as 15x15";
    assert_eq!(large.remark_lines().collect::<Vec<_>>(), [remark]);
}

#[test]
fn stones_of_named_players_are_set_up() {
    for text in [
        "Black: h8 i7 j6\nWhite: h9 i9\n",
        "White: h9 i9\nBlack: h8 i7 j6\n",
        "黑：H8、I7、J6\n白：H9、I9\n",
        "흑: h8 i7 j6\n백: h9 i9\n",
        "X h8 i7 j6\nO h9 i9\n",
        "● h8 i7 j6\n○ h9 i9\n",
        "B: h8 i7 j6 W: h9 i9\n",
        "black h8 i7 j6, white h9 i9\n",
        "Чёрные: h8 i7 j6\nБелые: h9 i9\n",
        "先手 h8 i7 j6\n後手 h9 i9\n",
        "black: 7,7 8,8 9,9\nwhite: 7,6 8,6\n",
        "https://example.org/renju.html#blackStones=H8I7J6&whiteStones=H9I9\n",
        "https://example.org/v1/?b=h8,i7,j6&w=h9,i9\n",
    ] {
        let games = games(text);
        let remark = "the stones of both players are set up; white is to move";
        assert_eq!(games.remark_lines().collect::<Vec<_>>(), [remark], "{text}");
        let games = games.list;
        assert_eq!(games.len(), 1, "{text}");
        let board = games[0].end();
        let stones = |color| board.history().iter().filter(|it| it.color == color).count();
        assert_eq!((stones(Color::Black), stones(Color::White)), (3, 2), "{text}");
        assert_eq!((games[0].plays().count(), board.side_to_move()), (0, Color::White), "{text}");
    }
    for (text, count) in [
        ("Black: h8 i7 j6\n", 3),
        ("B h8 W i9 h9 W j10\n", 2),
        ("Black: h8 i7\nWhite: h9\nBlack: j6\n", 2),
        ("https://example.org/?black=h8i7\n", 2),
    ] {
        let reason = format!("line 1: {count} moves behind ");
        assert!(fault(text).starts_with(&reason), "{text}: {}", fault(text));
    }
    assert_eq!(moves("黑：h8，白：i9，黑：i7\n"), ["h8i9i7"]);
    for text in [
        "h8(黑) i9(白) i7(黑) g9\n",
        "h8● i9○ i7● g9\n",
        "h8黑 i9白 i7黑 g9\n",
        "1. h8● i9○ 2. i7● g9○\n",
        "7,7(黑) 8,6(白) 8,8(黑) 6,6\n",
        "h8(흑) i9(백) i7 g9\n",
        "h8 (●) i9 (○) i7 g9\n",
        "h8・黒 i9・白 i7 g9\n",
        "h8-x i9-x i7 g9\n",
        "黑h8白i9黑i7白g9\n",
        "1. B h8 i9 2. B i7 g9\n",
        "●h8 i9 ●i7 g9\n",
        "● h8 i9 i7 g9\n",
        "x h8 i9 i7 g9\n",
        "O h8 X i9 O i7 X g9\n",
        "1. h8 x i9 2. i7 x g9\n",
        "https://example.org/play?b=h8i9i7g9\n",
    ] {
        assert_eq!(moves(text), ["h8i9i7g9"], "{text}");
        assert!(games(text).remarks.is_empty(), "{text}");
    }
    for text in [
        "Black: stones h8 i7\n",
        "Black:\nh8 i7\nWhite:\nh9\n",
        "Black stones h8 i7\nWhite stones h9\n",
    ] {
        assert!(fault(text).contains("is not a move"), "{text}");
    }
}

#[test]
fn one_move_on_each_line_is_one_game() {
    for text in [
        "h8\ni9\ni7\ng9\n",
        "7,7\n8,6\n8,8\n6,6\n",
        "(7,7),\n(8,6),\n(8,8),\n(6,6)\n",
        "[7,7]\n[8,6]\n[8,8]\n[6,6]\n",
        "\"h8\"\n\"i9\"\n\"i7\"\n\"g9\"\n",
        "- h8\n- i9\n- i7\n- g9\n",
        "* h8\n* i9\n* i7\n* g9\n",
        "X: h8\nO: i9\nX: i7\nO: g9\n",
        "第1手: H8\n第2手: I9\n第3手: I7\n第4手: G9\n",
        "1手目 H8\n2手目 I9\n3手目 I7\n4手目 G9\n",
        "黑1 H8\n白2 I9\n黑3 I7\n白4 G9\n",
        "Move 1: Black at H8\nMove 2: White at I9\nMove 3: Black at I7\nMove 4: White at g9\n",
        "TURN 7,7\nTURN 8,6\nTURN 8,8\nTURN 6,6\n",
        "START 15\nBEGIN\n7,7\nTURN 8,6\nMESSAGE depth 9 h8 i9\n8,8\nTURN 6,6\n",
        "> START 15\n< OK\n> BEGIN\n< 7,7\n> TURN 8,6\n< 8,8\n> TURN 6,6\n",
        "7,7,1\n8,6,2\n8,8,1\n6,6,2\n",
        "START 15\nBOARD\n7,7,2\n8,6,1\n8,8,2\n6,6,1\nDONE\n",
    ] {
        assert_eq!(moves(text), ["h8i9i7g9"], "{text}");
    }
    let found = games("h8\ni9\ni7\ng9\n1-0\n\nh8\nh9\ng9\ni7 0-1\n");
    assert_eq!(found.list.iter().map(notation).collect::<Vec<_>>(), ["h8i9i7g9", "h8h9g9i7"]);
    assert_eq!((found.list[0].result, found.list[1].result), (BLACK, WHITE));
    let remark = "game 1 and 1 more: one move on each line: read as one game";
    assert_eq!(found.remark_lines().collect::<Vec<_>>(), [remark]);
    let titled = "Game 1\nh8\ni9\ni7\ng9\nGame 2\ng7\nf6\nf8\nh6\n";
    assert_eq!(moves(titled), ["h8i9i7g9", "g7f6f8h6"]);
    let counted = read_each(b"4\nh8\ni9\ni7\ng9\n", &ReadOptions::default()).unwrap();
    assert_eq!((counted.bad_count, notation(&counted.list[0]).as_str()), (1, "h8i9i7g9"));
    let wrong = fault("BOARD\n7,7,1\n8,8,1\n7,8,2\nDONE\n");
    assert!(wrong.contains("x,y,player for players 1 and 2 in turn"), "{wrong}");
}

#[test]
fn lines_of_one_move_that_may_be_openings_are_games() {
    for text in [
        "h8\ng7\nf6\nh8\n",
        "h8\ng7\nf6\ne5 e6\n",
        "h8\ng7\n\nf6\ne5\n",
        "h8\ng7\n# good for white\nf6\ne5\n",
        "h8\ng7\n// good for white\nf6\ne5\n",
        "h8 # central\ng7 # corner\nf6\ne5\n",
        "h8 {central}\ng7\nf6\ne5\n",
        "h8\ng7\n1-0\nf6\ne5\n0-1\n",
        "h8\ng7 1-0\nf6\ne5\n",
        "[[7,7]]\n[[8,8]]\n[[9,9]]\n[[6,6]]\n",
        "https://gomocalc.com/#/h8\nhttps://gomocalc.com/#/g7\nexample.org/?m=f6\nexample.org/?m=e5\n",
    ] {
        assert_eq!(games(text).list.len(), 4, "{text}");
    }
    assert_eq!(moves("h8\ng7\nf6\n"), ["h8", "g7", "f6"]);
    let openings = ReadOptions { lists_openings: true, ..ReadOptions::default() };
    let games = read(b"h8\ng7\nf6\ne5\n", &openings).unwrap().list;
    assert_eq!(games.len(), 4);
    for format in [Format::Moves, Format::Notation, Format::Gomocalc, Format::JsonLines] {
        let text = written(&games, format).0;
        assert_eq!(read(text.as_bytes(), &ReadOptions::default()).unwrap().list, games, "{text}");
    }
}

#[test]
fn logs_of_several_games_are_divided_where_a_game_begins() {
    for second in ["7,7", "9,9"] {
        let text = format!(
            "START 15\nBEGIN\n7,7\n\nTURN 8,6\nMESSAGE d\n# a comment\n8,8\nRESTART\nOK\n\
             BEGIN\n{second}\nTURN 7,8\nMESSAGE d\n8,8\n"
        );
        let second = if second == "7,7" { "h8" } else { "j6" };
        assert_eq!(moves(&text), ["h8i9i7".to_string(), format!("{second}h7i7")], "{text}");
    }
    let repeated = "START 15\nTURN 7,7\n8,8\nTURN 7,7\n";
    assert!(fault(repeated).contains("line 4: 7,7 is"), "{}", fault(repeated));
}

#[test]
fn captions_state_names_rule_and_result() {
    for text in [
        "Black: Alice\nWhite: Bob\nRule: renju\nResult: 1-0\n\nH8 I9\n",
        "黑方：Alice\n白方：Bob\n规则：有禁手\n结果：黑胜\n棋谱：H8 I9\n",
        "Чёрные: Alice\nБелые: Bob\nПравила: рэндзю\n1. h8 i9\nПобеда чёрных\n",
        "H8 I9\n\nBlack: Alice\nWhite: Bob\nRule: Renju\nResult: Black wins\n",
        "Black: Alice\nWhite: Bob\nrule: renju\nh8 i9\nresult: 1-0\n",
        "INFO rule 4\nBlack: Alice\nWhite: Bob\nWinner: black\nh8 i9\n",
    ] {
        let games = games(text).list;
        assert_eq!(games.len(), 1, "{text}");
        let game = &games[0];
        assert_eq!((notation(game).as_str(), game.rule), ("h8i9", Some(Rule::Renju)), "{text}");
        let names = [Color::Black, Color::White].map(|it| game.players[it].clone().unwrap());
        assert_eq!((names.join(" ").as_str(), game.result), ("Alice Bob", BLACK), "{text}");
    }
    let two = "Black: a\nResult: 1-0\nh8 i9\n\nBlack: b\nResult: 0-1\nh8 h9\n";
    let results = |text: &str| games(text).list.iter().map(|it| it.result).collect::<Vec<_>>();
    assert_eq!(results(two), [BLACK, WHITE]);
    assert_eq!(results("h8 i9\n\nResult: 1-0\n\nh8 h9\n\nResult: 0-1\n"), [BLACK, WHITE]);
    // A rule and a board above a list are those of all games.
    let all = games("rule: renju\nsize: 19\nh8 i9\nh8 s19\n").list;
    let terms: Vec<_> = all.iter().map(|game| (game.rule, game.size)).collect();
    assert_eq!(terms, [(Some(Rule::Renju), size(19, 19)); 2]);
    let head = "Rule: renju\nSize: 19\n\nBlack: A\nh8 s19\n\nBlack: B\nh8 s19\n";
    let all = games(head).list;
    let terms: Vec<_> = all.iter().map(|game| (game.rule, game.size)).collect();
    assert_eq!(terms, [(Some(Rule::Renju), size(19, 19)); 2]);
    for event in ["Event: Cup\nDate: 2020\n\nh8 i9\ng7 f6\n", "Event: Cup\nh8 i9\ng7 f6\n"] {
        assert_eq!(moves(event), ["h8i9", "g7f6"], "{event}");
        assert!(games(event).list.iter().all(|game| game.info["event"] == "Cup"), "{event}");
    }
    let versions = games("Black: Rapfi v5\nWhite: Embryo b2\nh8 i9\n").list.remove(0);
    assert_eq!(versions.players[Color::White].as_deref(), Some("Embryo b2"));
    assert_eq!(games("START 20\nTURN 19,19\n").list[0].size, size(20, 20));
    let linked = games("https://gomocalc.com/#/h8i9?rule=renju&size=17\n").list.remove(0);
    assert_eq!((linked.rule, linked.size), (Some(Rule::Renju), size(17, 17)));
    let titled = games("D1 寒星: h8 h9 h10\nKagetsu (D2): h8 h9 i10\n").list;
    assert_eq!(
        titled.iter().map(|it| it.info["game"].as_str()).collect::<Vec<_>>(),
        ["D1 寒星", "Kagetsu (D2)"]
    );
    for text in ["Alice: h8\nBob: i9\n", "h8 good: i9 i7\n", "Black timeout: h8 i9\n"] {
        assert!(fault(text).contains("is not a move"), "{text}");
    }
}

#[test]
fn lines_of_words_are_left_out() {
    for text in [
        "Game 1\nh8 i9 i7\n\nGame 2\nh8 h9\n",
        "第一局\nH8 I9 I7\n第二局\nH8 H9\n",
        "Alice (black) - Bob (white)\nh8 i9 i7\nRound 3, No. 5\nh8 h9\n",
        "// the first\nh8 i9 i7\n% the second\nh8 h9\n",
    ] {
        assert_eq!(moves(text), ["h8i9i7", "h8h9"], "{text}");
    }
    let note = "left out lines without moves";
    assert_eq!(games("Renju\nh8 i9\n").notes().collect::<Vec<_>>(), [note]);
    assert!(fault("hello world\nhow are you\n").starts_with("line 1: \"hello\" is not a move"));
    for text in ["h8\npass\ni9\n", "h8 i9\nthen j10\n", "h8 i9\nmove 3,4x\n"] {
        assert!(fault(text).contains("is not a move"), "{text}");
    }
}

#[test]
fn errors_of_lists_name_what_helps() {
    let said = |text: &str, hint: &str| {
        assert!(fault(text).contains(hint), "{text}: {}", fault(text));
    };
    said("h8 q3\n", "(the file does not state its size)");
    said("1. h8 j9 2. j7 p1\n", "(the columns of the file may skip the letter i)");
    said("1. h8 i9 2. -1,2\n", "(it may be an offset from the center; see the format offsets)");
    said("play B H8\nplay W J9\n", "whose columns skip the letter i");
    said("1. Н8 и9\n", "is not a Latin letter");
    said("h8 i9 ; a comment\n", "(# begins a comment)");
    said("8,8,0\n9,9,120\n", "a psq file begins with Piskvorky 15x15");
    let several = "3 parts of the address are moves (expected one list, or the stones of black=... \
                   and white=...)";
    said("https://example.org/?b=h8i7&w=h9i9&next=j6\n", several);
    let stated = "1. h8 q3\n";
    let options = ReadOptions { size: Some(size(15, 15)), ..ReadOptions::default() };
    let error = read(stated.as_bytes(), &options).unwrap_err().to_string();
    assert!(error.ends_with("(expected a1 to o15)"), "{error}");
    let skips_i = ReadOptions { skips_i: true, ..ReadOptions::default() };
    let game = read(b"play B H8\nplay W J9\nplay B P1\n", &skips_i).unwrap().list.remove(0);
    assert_eq!(notation(&game), "h8i9o1");
    let corner = games("0,0 1,1 0,3\n").remark_lines().next().unwrap();
    assert!(corner.contains("as an offset"), "{corner}");
    assert_eq!(moves("0,0 1,1 -1,2\n"), ["h8i7g6"]);
}

/// Its score may be white's, as in the files of c-gomoku-cli.
#[test]
fn games_without_their_moves_are_refused() {
    let text = "[Black \"a\"]\n[Result \"1-0\"]\n[PlyCount \"42\"]\n1-0\n";
    let reason = "no moves, but PlyCount 42 (the PGN of c-gomoku-cli has none; its -sgf has)";
    assert_eq!(fault(text), format!("line 4: {reason}"));
    assert_eq!(fault(&format!("{text}\n{text}")), format!("game 1, line 4: {reason}"));
    assert_eq!(games(&text.replace("42", "0")).list.len(), 1);
    assert_eq!(games(&text.replace("1-0\n", "h8 1-0\n")).list.len(), 1);
}
