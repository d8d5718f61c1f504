//! Names of captions such as `Black: Alice` or `规则：有禁手`.

use super::result::{BLACK, WHITE};
use super::{Sought, Words, normalised};

/// The tags that captions stand for, with their names.
const NAMES: &[(&str, &[&str])] = &[
    (
        "black",
        &[
            "black",
            "b",
            "x",
            "black stones",
            "black player",
            "黑",
            "黒",
            "先手",
            "흑",
            "черные",
            "đen",
            "quân đen",
            "bên đen",
            "černý",
        ],
    ),
    (
        "white",
        &[
            "white",
            "w",
            "o",
            "white stones",
            "white player",
            "白",
            "后手",
            "後手",
            "백",
            "белые",
            "trắng",
            "quân trắng",
            "bên trắng",
            "bílý",
        ],
    ),
    (
        "result",
        &[
            "result",
            "winner",
            "结果",
            "結果",
            "胜者",
            "勝者",
            "结局",
            "결과",
            "승자",
            "результат",
            "победитель",
            "kết quả",
            "výsledek",
        ],
    ),
    (
        "rule",
        &[
            "rule",
            "rules",
            "rule set",
            "规则",
            "規則",
            "ルール",
            "규칙",
            "룰",
            "правило",
            "правила",
            "luật",
            "luật chơi",
            "pravidla",
        ],
    ),
    (
        "size",
        &[
            "size",
            "board size",
            "board",
            "棋盘",
            "棋盤",
            "盘面",
            "盤",
            "판",
            "판 크기",
            "размер",
            "доска",
            "bàn cờ",
            "kích thước",
            "velikost",
            "deska",
        ],
    ),
    ("date", &["date", "日期", "日付", "날짜", "дата", "ngày", "datum"]),
    (
        "event",
        &[
            "event",
            "tournament",
            "比赛",
            "比賽",
            "赛事",
            "賽事",
            "大会",
            "대회",
            "турнир",
            "giải",
            "giải đấu",
            "turnaj",
        ],
    ),
    ("round", &["round", "轮次", "輪次", "라운드", "тур", "vòng", "kolo"]),
    ("place", &["place", "site", "地点", "地點", "場所", "장소", "место", "địa điểm", "místo"]),
    (
        "moves",
        &[
            "moves",
            "game record",
            "棋谱",
            "棋譜",
            "手順",
            "着手",
            "기보",
            "수순",
            "ходы",
            "nước đi",
            "biên bản",
            "tahy",
        ],
    ),
];

/// The tag that the name of a caption stands for.
pub(crate) fn tag_of(name: &str) -> Option<&'static str> {
    // No name has digits, unlike most lines of moves.
    if name.contains(|it: char| it.is_ascii_digit()) {
        return None;
    }
    let plain = normalised(name.trim().trim_end_matches(['方', '棋', '番', '子', '돌']));
    let words = Words::new(&plain);
    let is_name = |it: &&'static str| Sought::of(it).text == words.joined;
    NAMES.iter().find(|(_, names)| names.iter().any(&is_name)).map(|(tag, _)| *tag)
}

/// Whether a text names a player.
pub(crate) fn names_player(text: &str) -> bool {
    let plain = normalised(text);
    let words = Words::new(&plain);
    words.has_any(BLACK) || words.has_any(WHITE)
}
