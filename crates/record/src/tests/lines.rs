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
        for text in [format!("h8 i9 i7 {caption}\n"), format!("h8 i9 i7\n{caption}\n")] {
            assert!(fault(&text).contains("is not a move"), "{text}: {}", fault(&text));
        }
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
        assert!(fault(&text).contains("line "), "{}", fault(&text));
    }
    // A player alone may be the one to move.
    assert!(fault("h8 i9 black").starts_with("line 1: \"black\" is not a move"));
    assert!(fault("h8 i9 0").starts_with("line 1: \"0\" is not a move"));
    assert!(fault("h8 i9\nwhite wins:\n").starts_with("line 2: \"wins:\" is not a move"));
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
