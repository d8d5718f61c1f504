//! Negated rules, such as `Renju is not played`. Which rule they leave is unknown.

use super::rule::{FORBIDDEN, KNOWN, NAMES};
use super::{Sought, Words};

/// The ends of clauses, besides line breaks. A colon and a blank are none: `fouls: off`.
const CLAUSE_ENDS: &[char] = &[
    ',', ';', '.', '!', '?', '/', '|', '+', '&', '(', ')', '[', ']', '{', '}', '、', '。', '【',
    '】', '「', '」', '『', '』',
];

/// Negations. One in Latin or Cyrillic letters is a whole word, from [`STEM`] letters on also the
/// beginning of one.
const NEGATIONS: &[&str] = &[
    "x", "no", "not", "non", "none", "never", "without", "off", "false", "disable", "ignor",
    "remov", "cancel", "inactive", "deactiv", "deaktiv", "isn", "aren", "don", "doesn", "didn",
    "cannot", "kein", "nein", "nicht", "ohne", "sans", "senza", "без", "не", "нет", "отме", "откл",
    "выкл", "отсу", "игно", "bez", "není", "vypnut", "neplat", "không", "tắt", "不", "没", "沒",
    "无", "無", "非", "免", "未", "取消", "关", "關", "禁用", "废", "廢", "廃", "停用", "解除",
    "禁止", "ノー", "なし", "ナシ", "無し", "ない", "せん", "せず", "わず", "オフ", "없", "안",
    "않", "미적", "미사", "해제", "제외", "무시", "아님", "아니", "끔", "꺼", "오프", "불가",
];

/// Eastern words that are nothing but a negation, in addition to [`NEGATIONS`].
const WHOLE: &[&str] = &["关闭", "關閉", "无效", "無效", "無効", "不使用", "不要", "없음"];

/// Other words that negate forbidden moves. Beside the name of a rule set they are names, too.
const BESIDE_FORBIDDEN: &[&str] = &[
    "0", "n", "ne", "aus", "bỏ", "miễn", "allow", "permit", "разр", "можн", "phép", "povolen",
    "许", "許", "可", "허용", "가능",
];

/// Words that name forbidden moves beside a negation, in addition to [`NAMES`].
const FOULS: &[&str] = &["forbidden", "foul"];

/// The number of letters from which a negation may have other endings.
const STEM: usize = 4;

/// Whether a clause of a normalised text negates a rule, unless by a phrase of [`KNOWN`]. A clause
/// that is nothing but a negation belongs to the one before it: `renju (off)`.
pub(super) fn is_negated(normalised: &str) -> bool {
    clauses(normalised).any(|clause| {
        let words = Words::new(clause);
        let is_forbidden = words.has_any(FORBIDDEN) || words.has_any(FOULS);
        let negates = |rest: &str| {
            let is_beside = |word| is_forbidden && is_any(word, BESIDE_FORBIDDEN);
            has_negation(rest) || rest.split_whitespace().any(is_beside)
        };
        // Most clauses have no negation, so the many phrases are sought last.
        if !negates(&words.without(&[])) {
            return false;
        }
        let rest = words.without(KNOWN);
        let is_rule = || is_forbidden || NAMES.iter().any(|phrases| words.has_any(phrases));
        negates(&rest) && (is_rule() || rest.split_whitespace().all(is_only_negation))
    })
}

/// Whether one of these words negates something. `No. 5` and `15 x 15` do not.
pub(super) fn has_negation(words: &str) -> bool {
    let mut words = words.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let is_number = words.peek().is_some_and(|next| next.starts_with(char::is_numeric));
        if is_any(word, NEGATIONS) && !(is_number && ["no", "x"].contains(&word)) {
            return true;
        }
    }
    false
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
                ][..],
            ),
            (
                Rule::Standard,
                &[
                    "标准，不带禁手",
                    "Gomoku, overlines do not win",
                    "五子棋，长连不算赢",
                    "五目並べ 長連不可",
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
            "Renju no time limit",
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
        ] {
            assert_eq!(parse_rule(text), Some(Rule::Renju), "{text}");
        }
        assert_eq!(parse_rule("五子棋（禁止悔棋）"), Some(Rule::Freestyle));
        assert_eq!(parse_rule("Caro, no time limit"), Some(Rule::Caro));
    }
}
