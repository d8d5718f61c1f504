//! Negated rules, such as `Renju is not played`. Which rule they leave is unknown.

use super::rule::{BLOCKED, FORBIDDEN, FREESTYLE, NAMES, OVERLINE, STANDARD};
use super::{Sought, Words};

/// The ends of clauses, besides line breaks. A clause goes on after a colon or a blank: `fouls: off`.
const CLAUSE_ENDS: &[char] = &[
    ',', ';', '.', '!', '?', '/', '|', '+', '&', '(', ')', '[', ']', '{', '}', '、', '。', '【',
    '】', '「', '」', '『', '』',
];

/// Negations. One in Latin or Cyrillic letters is a whole word, from [`STEM`] letters on also the
/// beginning of one.
const NEGATIONS: &[&str] = &[
    "no", "not", "non", "none", "never", "without", "off", "false", "disable", "ignor", "remov",
    "cancel", "inactive", "deactiv", "deaktiv", "isnt", "arent", "doesnt", "didnt", "cannot",
    "kein", "nein", "nicht", "ohne", "sans", "senza", "без", "не", "нет", "отме", "откл", "выкл",
    "отсу", "игно", "bez", "není", "vypnut", "neplat", "không", "tắt", "不", "没", "沒", "无",
    "無", "非", "免", "未", "取消", "关", "關", "禁用", "废", "廢", "廃", "停用", "解除", "禁止",
    "ノー", "なし", "ナシ", "無し", "ない", "せん", "せず", "わず", "オフ", "없", "안", "않",
    "미적", "미사", "해제", "제외", "무시", "아님", "아니", "끔", "꺼", "오프", "불가",
];

/// Eastern words that are nothing but a negation, in addition to [`NEGATIONS`].
const WHOLE: &[&str] = &["关闭", "關閉", "无效", "無效", "無効", "不使用", "不要", "없음"];

/// Other words that negate forbidden moves. Beside the name of a rule set they are names, too.
const BESIDE_FORBIDDEN: &[&str] = &[
    "0", "x", "n", "ne", "aus", "bỏ", "miễn", "allow", "permit", "разр", "можн", "phép", "povolen",
    "许", "許", "可", "허용", "가능",
];

/// Words that name forbidden moves beside a negation, in addition to [`NAMES`].
const FOULS: &[&str] = &["forbidden", "foul"];

/// Phrases for rules without forbidden moves, although they contain phrases of renju.
pub(super) const NOT_FORBIDDEN: &[&str] = &[
    "no forbidden",
    "without forbidden",
    "no foul",
    "without foul",
    "no restriction",
    "unrestricted",
    "non renju",
    "not renju",
    "no renju",
    "无禁",
    "無禁",
    "不禁",
    "没有禁手",
    "沒有禁手",
    "禁手なし",
    "禁手無し",
    "禁じ手なし",
    "禁じ手無し",
    "禁手无",
    "禁手無",
    "금수 없",
    "금수 허용",
    "무금수",
    "쌍삼 허용",
    "без фолов",
    "без запрет",
    "нет фолов",
    "không cấm",
    "không có nước cấm",
    "bez zákazů",
    "bez faulů",
    "không có luật cấm",
    "forbidden moves off",
    "forbidden moves none",
    "renju rules off",
    "不带禁手",
    "不帶禁手",
    "没禁手",
    "取消禁手",
    "禁手关",
    "禁手關",
    "禁手ナシ",
    "禁手はなし",
    "禁じ手はなし",
    "금수룰 없",
    "не рэндзю",
    "фолы нет",
    "фолы отключ",
];

/// Phrases for rules in which overlines do not win: caro or standard Gomoku.
pub(super) const NO_OVERLINE: &[&str] = &[
    "no overline",
    "without overline",
    "overline does not win",
    "overlines do not win",
    "overline does not count",
    "overlines do not count",
    "overlines are not a win",
    "no six",
    "長連不可",
    "长连不胜",
    "長連不勝",
    "长连不算胜",
    "長連不算勝",
    "长连不算赢",
    "長連不算贏",
    "长连无效",
    "長連無效",
    "장목 불가",
    "без длинн",
    "длинный ряд не выигр",
    "6 không thắng",
    "sáu không thắng",
    "bez dlouh",
];

/// Phrases with negations that concern no rule set but the opening, the time or the manners. Beside
/// forbidden moves they may negate these, too: `no swap or fouls`.
const SETTINGS: &[&str] = &[
    "no swap",
    "without swap",
    "swap off",
    "swap no",
    "no opening",
    "without opening",
    "no time",
    "without time",
    "no undo",
    "no takeback",
    "不交换",
    "不交換",
    "无交换",
    "無交換",
    "不限时",
    "不限時",
    "无限时",
    "時間無制限",
    "禁止悔棋",
    "交代なし",
    "交換なし",
    "スワップなし",
    "시간제한 없",
    "시간 제한 없",
    "교환 없",
    "스왑 없",
    "무르기 없",
    "без свопа",
    "без обмена",
    "без времени",
    "không đổi quân",
    "bez výměny",
    "bez swapu",
];

/// Phrases that allow a swap, by a word that negates forbidden moves.
const SWAPS: &[&str] = &["可交换", "可交換", "スワップ可"];

/// The phrases that may contain negations.
const KNOWN: &[&[&str]] =
    &[NOT_FORBIDDEN, NO_OVERLINE, SWAPS, BLOCKED, STANDARD, FREESTYLE, OVERLINE];

/// The number of letters from which a negation may have other endings.
const STEM: usize = 4;

/// Whether a clause of a normalised text negates a rule, unless by a phrase of [`KNOWN`]. A clause
/// that is nothing but a negation belongs to the one before it: `renju (off)`.
pub(super) fn is_negated(normalised: &str) -> bool {
    clauses(normalised).any(|clause| {
        let words = Words::new(clause);
        let is_forbidden = words.has_any(FORBIDDEN) || words.has_any(FOULS);
        let negates =
            |rest: &str| has_negation(rest) || (is_forbidden && has_any(rest, BESIDE_FORBIDDEN));
        // Most clauses have no negation, so the many phrases are sought last.
        if !negates(&words.without(&[])) {
            return false;
        }
        let settings: &[&[&str]] = if is_forbidden { &[] } else { &[SETTINGS] };
        let rest = words.without(&[KNOWN, settings].concat());
        let is_rule = || is_forbidden || NAMES.iter().any(|phrases| words.has_any(phrases));
        negates(&rest) && (is_rule() || rest.split_whitespace().all(is_only_negation))
    })
}

/// Whether one of these words negates something.
pub(super) fn has_negation(words: &str) -> bool {
    // `isn't` and other forms are two words.
    let is_short = |(word, next): (&str, &str)| word.ends_with('n') && next == "t";
    has_any(words, NEGATIONS) || pairs(words).any(is_short)
}

/// Whether one of the words is in the list. `No. 5` and `15 x 15` negate nothing.
fn has_any(words: &str, list: &'static [&'static str]) -> bool {
    let is_number =
        |word, next: &str| ["no", "x"].contains(&word) && next.starts_with(char::is_numeric);
    pairs(words).any(|(word, next)| is_any(word, list) && !is_number(word, next))
}

/// Each word and the one behind it.
fn pairs(words: &str) -> impl Iterator<Item = (&str, &str)> {
    let next = words.split_whitespace().skip(1).chain([""]);
    words.split_whitespace().zip(next)
}

/// Whether a word is one of these, or in Chinese, Japanese and Korean contains one.
fn is_any(word: &str, list: &'static [&'static str]) -> bool {
    list.iter().any(|item| {
        let item = Sought::of(item);
        let text = item.text.as_str();
        match () {
            () if item.is_eastern => word.contains(text),
            () if text.chars().count() < STEM => word == text,
            () => word.starts_with(text),
        }
    })
}

/// Whether a word is a negation without anything else.
fn is_only_negation(word: &str) -> bool {
    let is_whole = |item: &&'static str| Sought::of(item).text == word;
    [NEGATIONS, WHOLE].into_iter().flatten().any(is_whole)
        || (word.is_ascii() && is_any(word, NEGATIONS))
}

/// The clauses of a text. A dot before a number ends none: `No. 5`.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.char_indices().filter(|&(at, symbol)| {
        let is_before_number =
            || text[at + 1..].trim_start_matches(' ').starts_with(char::is_numeric);
        symbol == '\n' || (CLAUSE_ENDS.contains(&symbol) && !(symbol == '.' && is_before_number()))
    });
    let mut start = 0;
    let ends = ends.map(|(at, symbol)| (at, at + symbol.len_utf8()));
    ends.chain([(text.len(), text.len())]).map(move |(end, next)| {
        let clause = &text[start..end];
        start = next;
        clause
    })
}

#[cfg(test)]
mod tests {
    use crate::words::parse_rule;
    use tengen_rules::types::Rule;

    #[test]
    fn usual_names_of_negated_rules_are_parsed() {
        for (rule, texts) in [
            (
                Rule::Freestyle,
                &[
                    "禁手ナシ",
                    "禁手はなし",
                    "不带禁手",
                    "规则：无禁手",
                    "禁手：关",
                    "取消禁手",
                    "금수룰 없음",
                    "фолы отключены",
                    "фолы: нет",
                    "не рэндзю",
                    "forbidden moves: off",
                    "renju w/o forbidden moves",
                    "Renju rules off",
                    "freestyle, not renju",
                    "forbidden moves: none",
                    "không có luật cấm",
                    "Gomoku without swap",
                    "五子棋 不限时",
                ][..],
            ),
            (
                Rule::Standard,
                &[
                    "标准，不带禁手",
                    "Gomoku, overlines do not win",
                    "五子棋，长连不算赢",
                    "五目並べ 長連不可",
                    "Exactly five, overlines do not count",
                    "Standard: overlines are not a win",
                    "Стандарт: длинный ряд не выигрывает",
                    "đúng 5 quân, 6 không thắng",
                ],
            ),
            (Rule::Caro, &["Chặn hai đầu không thắng", "5 không bị chặn hai đầu"]),
        ] {
            for text in texts {
                assert_eq!(parse_rule(text), Some(rule), "{text}");
            }
        }
    }

    #[test]
    fn other_negations_of_rules_mean_no_rule() {
        for text in [
            "禁手OFF",
            "禁手を採用しない",
            "連珠ではない",
            "렌주룰을 적용하지 않음",
            "금수 X",
            "фолы разрешены",
            "luật cấm: tắt",
            "Bỏ luật cấm",
            "không chặn hai đầu mới thắng",
            "caro, trên 5 quân không thắng",
            "不设禁手",
            "允许禁手",
            "无三三禁手",
            "白无禁手，黑有禁手",
            "有禁手，三三不禁",
            "no forbidden moves for white",
            "Forbidden moves are disabled",
            "Renju (fouls: none)",
            "Renju is not played",
            "Renju isn't played",
            "Foul moves aren’t allowed",
            "Renju without swap or fouls",
            "禁手・交代なし",
            "renju, off",
            "连珠（关闭）",
            "kein Renju",
            "not standard",
            "no caro",
            "Gomoku, overlines not winning",
            "五目並べ 長連は勝ちにならない",
        ] {
            assert_eq!(parse_rule(text), None, "{text}");
        }
    }

    #[test]
    fn negations_in_other_clauses_leave_the_rule() {
        for text in [
            "Renju, no time limit",
            "Renju (no swap)",
            "Renju No. 5",
            "Renju 15 x 15",
            "连珠（取消交换）",
            "連珠（時間無制限）",
            "禁手あり（ハンデなし）",
            "금수 있음 (무르기 없음)",
            "рэндзю, без времени",
            "luật cấm (không đổi quân)",
            "Renju, undo forbidden",
            "World Cup Renju AUS",
            "Renju arena",
            "Renju no time limit",
            "Renju: no swap",
            "Renju – no swap",
            "Renju swap: off",
            "有禁手 三手可交换 五手两打",
            "有禁手 可交换",
            "禁手あり スワップ可",
            "連珠 交代なし",
            "렌주룰 시간제한 없음",
            "рэндзю без свопа",
        ] {
            assert_eq!(parse_rule(text), Some(Rule::Renju), "{text}");
        }
        assert_eq!(parse_rule("五子棋（禁止悔棋）"), Some(Rule::Freestyle));
        assert_eq!(parse_rule("Caro, no time limit"), Some(Rule::Caro));
    }
}
