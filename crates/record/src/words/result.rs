//! Parses results in natural language.

use super::negation::has_negation;
use super::{Sought, Words, normalised};
use crate::{GameResult, reasons};
use tengen_rules::types::Color;

pub(super) const BLACK: &[&str] = &[
    "black",
    "黑",
    "黒",
    "先手",
    "흑",
    "черн",
    "quân đen",
    "černý",
    "černí",
    "černého",
    "černých",
];
/// Words that must match as a whole, since names start with them.
const BLACK_WORDS: &[&str] = &["đen", "b"];
pub(super) const WHITE: &[&str] =
    &["white", "白", "后手", "後手", "백", "бел", "trắng", "bílý", "bílí", "bílého", "bílých"];
const WHITE_WORDS: &[&str] = &["w"];
const DRAW: &[&str] = &[
    "draw",
    "jigo",
    "remis",
    "empate",
    "和棋",
    "和局",
    "平局",
    "平手",
    "引き分け",
    "引分",
    "持碁",
    "무승부",
    "비김",
    "ничья",
    "ничей",
    "remíza",
    "nerozhodně",
];
/// Words for a draw that must match as a whole.
const DRAW_WORDS: &[&str] = &["tie", "tied", "hòa"];
/// Words that mean a draw if there are no other words.
const DRAW_ALONE: &[&str] = &["和", "平", "0", "half"];
const WINS: &[&str] = &[
    "victory",
    "胜",
    "勝",
    "贏",
    "赢",
    "かち",
    "승",
    "이김",
    "이겼",
    "выигр",
    "побед",
    "победа за",
    "thắng",
    "vyhr",
    "vítěz",
    "výhra",
];
/// Words for winning that must match as a whole, since names start with them.
const WINS_WORDS: &[&str] = &["win", "wins", "won", "winner", "beat", "beats"];
const LOSES: &[&str] = &[
    "resign",
    "forfeit",
    "负",
    "負",
    "败",
    "敗",
    "输",
    "輸",
    "投了",
    "投降",
    "认输",
    "認輸",
    "逃跑",
    "패",
    "기권",
    "проигр",
    "сдал",
    "сдаю",
    "thua",
    "đầu hàng",
    "prohr",
    "vzdal",
    "超时",
    "超時",
    "時間切れ",
    "시간 초과",
    "timeout",
    "on time",
    "просроч",
];
/// Words for losing that must match as a whole, since names start with them.
const LOSES_WORDS: &[&str] = &["lose", "loses", "lost", "loss", "loser"];
/// Phrases for a foul, by which only the first player can lose. The name of a shape is not
/// enough: in most rules it wins.
const FOUL: &[&str] = &[
    "forbidden",
    "禁手",
    "禁じ手",
    "反則",
    "犯规",
    "犯規",
    "금수",
    "반칙",
    "cấm thủ",
    "nước cấm",
    "phạm cấm",
];
/// Words for a foul that must match as a whole, since names start with them.
const FOUL_WORDS: &[&str] = &["foul", "fouls", "fouled", "фол", "фолы", "faul"];
const RESIGNATION: &[&str] = &[
    "resign",
    "中盘",
    "中盤",
    "中押",
    "投了",
    "投降",
    "认输",
    "認輸",
    "불계",
    "기권",
    "сдал",
    "сдач",
    "xin thua",
    "đầu hàng",
    "vzdal",
    "vzdán",
];
const TIMEOUT: &[&str] =
    &["time", "超时", "超時", "時間切れ", "切れ負け", "시간", "врем", "hết giờ", "čas"];
const FORFEIT: &[&str] = &[
    "forfeit", "default", "walkover", "no show", "不戦", "不战", "不戰", "弃权", "棄權", "부전",
    "неяв",
];
const VOID: &[&str] = &["void", "no result", "无效", "無效", "無効", "無勝負", "무효"];

/// Phrases that make a result a task or a possibility.
const TASKS: &[&str] = &["to win", "to play", "to move", "может", "должн", "先", "必", "能", "可"];
/// As [`TASKS`], for words that must match as a whole.
const TASK_WORDS: &[&str] =
    &["can", "could", "should", "would", "may", "might", "must", "will", "if"];

/// Other words beside a result.
const BESIDE: &[&str] = &[
    "double", "three", "four", "five", "3-3", "4-4", "in a row", "overline", "board", "stone",
    "player", "move", "agree", "due to", "ход", "согл", "tah", "dohod", "quân", "nước", "三三",
    "四四", "三々", "四々", "长连", "長連", "五连", "五連", "连五", "成五", "方", "棋", "子", "获",
    "獲", "得", "因", "被", "判", "了", "番", "局", "利", "时间", "時間", "试合", "試合", "に",
    "より", "の", "が", "で", "は", "し", "ち", "け", "まし", "た", "です", "돌", "리", "이", "가",
    "습니", "다", "했",
];
/// As [`BESIDE`], for words that must match as a whole. `in` and `за` are left out: `White wins in
/// 3 moves` is a task.
const BESIDE_WORDS: &[&str] = &[
    "after", "and", "because", "by", "for", "full", "game", "has", "is", "of", "on", "the", "with",
    "r", "t", "f", "по", "на", "bên", "cờ", "do", "vì", "sau", "na", "po", "se", "result",
];

/// Parses a result and its reason: `B+R`, `1-0`, `White wins`, `黑胜`, `白勝`, `흑승`, `ничья` and
/// other expressions in English, Chinese, Japanese, Korean, Russian, Vietnamese and Czech. `None`
/// if the text is not a result.
pub fn parse_result(text: &str) -> Option<(GameResult, Option<String>)> {
    let normalised = normalised(text);
    let normalised = normalised.trim().trim_end_matches(['.', '!', '。']).trim();
    if let Some(found) = score(normalised).or_else(|| sgf_result(text.trim(), normalised)) {
        return Some(found);
    }
    let (first, second) = normalised.split_at(second_player(normalised));
    in_words(first).or_else(|| in_words(second))
}

/// Whether a text has only known words of results and at most one number, so that it cannot
/// be a move, a task, a question or a title.
pub(crate) fn is_plain_result(text: &str) -> bool {
    let normalised = normalised(text);
    let phrases =
        [BLACK, WHITE, DRAW, WINS, LOSES, FOUL, RESIGNATION, TIMEOUT, FORFEIT, VOID, BESIDE];
    let whole = [BLACK_WORDS, WHITE_WORDS, DRAW_WORDS, WINS_WORDS, LOSES_WORDS, FOUL_WORDS];
    let whole = || whole.into_iter().chain([BESIDE_WORDS]).flatten();
    let rest = Words::new(&normalised).without(&phrases);
    let is_whole = |word: &&str| whole().any(|it| Sought::of(it).text == *word);
    let mut unknown = rest.split_whitespace().filter(|word| !is_whole(word));
    let is_number = |word: &str| word.chars().all(char::is_numeric);
    unknown.next().is_none_or(is_number) && unknown.next().is_none() && !normalised.contains('?')
}

/// Parses words that name one player.
fn in_words(normalised: &str) -> Option<(GameResult, Option<String>)> {
    let words = Words::new(normalised);
    let any = |phrases: &'static [&'static str]| words.has_any(phrases);
    let any_word = |list: &'static [&'static str]| words.has_any_word(list);
    // A name of the first player begins as a task does, and reasons contain negations.
    let rest = words.without(&[BLACK, WHITE, FORFEIT, VOID]);
    let others = Words::new(&rest);
    if has_negation(&rest) || others.has_any(TASKS) || others.has_any_word(TASK_WORDS) {
        return None;
    }
    if any(DRAW) || any_word(DRAW_WORDS) || (words.list.len() == 1 && any_word(DRAW_ALONE)) {
        return Some((GameResult::Draw, None));
    }
    if any(VOID) {
        return Some((GameResult::Void, None));
    }
    let named = match (any(BLACK) || any_word(BLACK_WORDS), any(WHITE) || any_word(WHITE_WORDS)) {
        (true, false) => Color::Black,
        (false, true) => Color::White,
        _ => return None,
    };
    let is_foul = named == Color::Black && (any(FOUL) || any_word(FOUL_WORDS));
    let wins = any(WINS) || any_word(WINS_WORDS);
    let loses = any(LOSES) || any_word(LOSES_WORDS);
    let winner = match (wins, loses || is_foul) {
        (false, false) => return None,
        // "Black wins by resignation": the winner is named even though a word for losing follows.
        (true, _) => named,
        (false, true) => named.opponent(),
    };
    Some((GameResult::Win(winner), reason(&words)))
}

/// The reason that words state.
fn reason(words: &Words) -> Option<String> {
    let reasons = [
        (RESIGNATION, reasons::RESIGNATION),
        (TIMEOUT, reasons::TIMEOUT),
        (FORFEIT, reasons::FORFEIT),
    ];
    let found = reasons.into_iter().find(|(phrases, _)| words.has_any(phrases));
    found.map(|(_, reason)| reason.to_string())
}

/// Where the name of a second player begins, or the end of the text: the result of `black beats white`
/// is that of the first one.
fn second_player(normalised: &str) -> usize {
    let position = |phrases: &'static [&'static str], words: &'static [&'static str]| {
        let phrases = phrases.iter().filter_map(|phrase| normalised.find(&Sought::of(phrase).text));
        let words = words.iter().filter_map(|word| position_of_word(normalised, word));
        phrases.chain(words).min()
    };
    match (position(BLACK, BLACK_WORDS), position(WHITE, WHITE_WORDS)) {
        (Some(black), Some(white)) => black.max(white),
        _ => normalised.len(),
    }
}

/// Where a word stands as a whole.
fn position_of_word(normalised: &str, word: &'static str) -> Option<usize> {
    let word = &Sought::of(word).text;
    let mut found = normalised.match_indices(word.as_str()).map(|(at, _)| at);
    found.find(|&at| {
        !normalised[..at].ends_with(char::is_alphanumeric)
            // `W. Smith` is a name.
            && !normalised[at + word.len()..]
                .starts_with(|next: char| next.is_alphanumeric() || next == '.')
    })
}

/// Parses `1-0`, `0:1`, `1/2-1/2`, `0.5-0.5`, `1-0 (time)`: black's points come first.
fn score(text: &str) -> Option<(GameResult, Option<String>)> {
    let end = text.find(|symbol: char| symbol.is_alphabetic() || symbol == '(');
    let (text, remark) = text.split_at(end.unwrap_or(text.len()));
    let text = text.trim_end().trim_end_matches([',', ';']);
    let text: String = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
    let dashes = ['-', ':', '–', '—', '−'];
    let (black, white) = text.split_once(dashes)?;
    let points = |text: &str| match text {
        "1" | "1.0" => Some(2),
        "0" | "0.0" => Some(0),
        "1/2" | "0.5" | "0,5" | ".5" | "=" => Some(1),
        _ => None,
    };
    let result = match (points(black)?, points(white)?) {
        (2, 0) => GameResult::Win(Color::Black),
        (0, 2) => GameResult::Win(Color::White),
        (1, 1) => GameResult::Draw,
        _ => return None,
    };
    Some((result, reason(&Words::new(remark))))
}

/// Parses SGF results: `B+R`, `W+Time`, `B`, `0`, `Void`. Some programs write draws as `B+Draw`.
fn sgf_result(text: &str, normalised: &str) -> Option<(GameResult, Option<String>)> {
    let (winner, how) = normalised.split_once('+').unwrap_or((normalised, ""));
    let color = match winner.trim() {
        "b" | "black" | "黑" | "黒" | "흑" => Color::Black,
        "w" | "white" | "白" | "백" => Color::White,
        "0" | "1/2" => return how.is_empty().then_some((GameResult::Draw, None)),
        "void" => return how.is_empty().then_some((GameResult::Void, None)),
        _ => return None,
    };
    let reason = match how.trim() {
        "draw" | "0" => return Some((GameResult::Draw, None)),
        "r" | "resign" | "resigns" | "resignation" => Some(reasons::RESIGNATION.to_string()),
        "t" | "time" | "timeout" => Some(reasons::TIMEOUT.to_string()),
        "f" | "forfeit" => Some(reasons::FORFEIT.to_string()),
        // Ignore a score, which Gomoku does not have.
        score if score.is_empty() || score.parse::<f64>().is_ok() => None,
        _ => text.split_once(['+', '＋']).map(|(_, how)| how.trim().to_string()),
    };
    Some((GameResult::Win(color), reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_result_accepts_eight_languages() {
        let (black, white) = (GameResult::Win(Color::Black), GameResult::Win(Color::White));
        for (result, texts) in [
            (
                black,
                &[
                    "B+",
                    "B+R",
                    "b+1",
                    "Ｂ＋",
                    "B",
                    "Black",
                    "1-0",
                    "1 : 0",
                    "Black wins",
                    "black won.",
                    "黑胜",
                    "黑勝",
                    "黒勝ち",
                    "黑棋胜",
                    "黑方胜",
                    "黑+",
                    "白负",
                    "白認輸",
                    "先手胜",
                    "흑승",
                    "흑 승",
                    "백패",
                    "Чёрные выиграли",
                    "Победа чёрных",
                    "Đen thắng",
                    "Trắng thua",
                    "Černý vyhrál",
                    "White resigns",
                    "White lost on time",
                    "B wins",
                    "B won by five",
                    "B win",
                    "W loses",
                    "1-0 F",
                    "Výhra černého",
                    "black",
                    "黑",
                    "1-0 (resignation)",
                    "Black beats White",
                    "白负黑胜",
                    "黑胜白负",
                    "黑方获胜",
                    "흑돌 승리",
                    "백 시간패",
                    "白方逃跑",
                    "白方投降",
                    "Просрочка времени белых",
                    "White: no foul, Black wins",
                    "Game No. 5: Black wins",
                    "B beats W",
                ][..],
            ),
            (
                white,
                &[
                    "W+",
                    "W+Resign",
                    "0-1",
                    "White wins",
                    "白胜",
                    "白勝",
                    "白胜。",
                    "백승",
                    "백 승",
                    "белые победили",
                    "Белые выиграли",
                    "trắng thắng",
                    "bílý vyhrál",
                    "black resigned",
                    "黑超时负",
                    "黒投了",
                    "white",
                    "W won",
                    "Đen đầu hàng",
                    "White beats Black",
                    "Black: timeout",
                    "黑棋禁手，白胜",
                    "黑长连禁手白胜",
                    "黑长连，白胜",
                    "黒三三禁手、白勝ち",
                    "白胜（黑禁手）",
                    "黑禁手",
                    "Black foul, White wins",
                    "Black foul",
                    "B foul, W wins",
                    "흑 33 금수 백승",
                    "Чёрные: фол, белые выиграли",
                    "Đen cấm thủ, trắng thắng",
                    "Černý faul, bílý vyhrál",
                    "黑方投降",
                ],
            ),
            (
                GameResult::Draw,
                &[
                    "0",
                    "Draw",
                    "draw",
                    "1/2-1/2",
                    "½-½",
                    "0.5-0.5",
                    "和棋",
                    "和",
                    "平局",
                    "引き分け",
                    "무승부",
                    "Ничья",
                    "hòa",
                    "Remíza",
                    "B+Draw",
                    "W+DRAW",
                    "tie",
                    "=-=",
                ],
            ),
            (GameResult::Void, &["Void", "void", "No result", "无效", "無効試合"]),
        ] {
            for text in texts {
                let found = parse_result(text).map(|(result, _)| result);
                assert_eq!(found, Some(result), "{text}");
            }
        }
    }

    #[test]
    fn parse_result_returns_reasons() {
        for (text, reason) in [
            ("B+R", Some("resignation")),
            ("W+Time", Some("timeout")),
            ("B+F", Some("forfeit")),
            ("B+double-three", Some("double-three")),
            ("B+3.5", None),
            ("黑中盘胜", Some("resignation")),
            ("白中押し勝ち", Some("resignation")),
            ("黒中押勝", Some("resignation")),
            ("黑方投降", Some("resignation")),
            ("White lost on time", Some("timeout")),
            ("黑胜", None),
            ("白不战胜", Some("forfeit")),
            ("黑不战而胜", Some("forfeit")),
            ("白不戰勝", Some("forfeit")),
            ("Black wins by no show", Some("forfeit")),
            ("White forfeits (no show)", Some("forfeit")),
            ("Black wins by walkover", Some("forfeit")),
            ("Белые победили (неявка)", Some("forfeit")),
            ("1-0 (resignation)", Some("resignation")),
            ("0-1, time", Some("timeout")),
        ] {
            assert_eq!(parse_result(text).unwrap().1.as_deref(), reason, "{text}");
        }
    }

    #[test]
    fn parse_result_rejects_other_texts() {
        for text in [
            "",
            "?",
            "*",
            "2-1",
            "White by default",
            "unfinished",
            "0-0",
            "未完",
            "White by foul",
            "黑无禁手",
            "Black (W. Smith) wins",
            "黑长连",
            "黑四四",
            "黒長連",
            "흑 장목",
            "Black overline",
            "Black by double four",
            "White Winston",
            "Black Losev",
            "Black to play and win",
            "White to move and win",
            "Black did not win",
            "White won't win",
            "White should win",
            "White has no win",
            "No draw",
            "黑先胜",
            "白必胜",
            "黑不胜",
        ] {
            assert_eq!(parse_result(text), None, "{text}");
        }
    }
}
