//! Parses rule sets in natural language.

use super::negation::{NO_OVERLINE, NOT_FORBIDDEN, is_negated};
use super::{Words, normalised};
use tengen_rules::types::Rule;

/// Phrases for forbidden moves.
pub(super) const FORBIDDEN: &[&str] = &[
    "forbidden move",
    "with forbidden",
    "有禁",
    "禁手",
    "禁じ手",
    "금수",
    "쌍삼 금지",
    "фолы",
    "с фолами",
    "có nước cấm",
    "cấm thủ",
    "cấm 3",
    "cấm đôi",
    "luật cấm",
];

/// Phrases for renju.
const RENJU: &[&str] = &[
    "renju",
    "renzhu",
    "lianzhu",
    "連珠",
    "连珠",
    "聯珠",
    "联珠",
    "聨珠",
    "れんじゅ",
    "レンジュ",
    "렌주",
    "렌쥬",
    "рэндзю",
    "рендзю",
    "ренджу",
    "рэнджу",
    "ренжу",
];

/// Phrases for an opening rule of renju.
const RENJU_OPENING: &[&str] = &[
    "taraguchi",
    "taraguti",
    "塔拉山口",
    "タラグチ",
    "タラヤマ",
    "타라구치",
    "тарагути",
    "тарагучи",
];

/// Phrases for renju that are also names of people: mostly those of its opening rules, which files
/// often state instead.
const RENJU_OR_PERSON: &[&str] = &[
    "yamaguchi",
    "yamaguti",
    "soosorv",
    "soosyrv",
    "sosorv",
    "soosirv",
    "sakata",
    "tarannikov",
    "tarannykov",
    "山口",
    "索索夫",
    "索索洛夫",
    "坂田",
    "塔拉尼科夫",
    "ソーソロフ",
    "ソーソルブ",
    "ソソルブ",
    "ヤマグチ",
    "サカタ",
    "タランニコフ",
    "야마구치",
    "소소르프",
    "소소로브",
    "사카타",
    "ямагути",
    "ямагучи",
    "соосырв",
    "соосорв",
    "сыосырв",
    "саката",
    "таранников",
    "연주",
    "련주",
];

/// Words for renju that must match as a whole, since other words start with them.
const RENJU_WORDS: &[&str] = &["rif", "риф"];

/// Words for the second player.
const WHITE: &[&str] = &["white", "白", "백", "бел", "trắng", "bílý"];

/// Phrases for caro, where a five that is blocked at both ends does not win.
pub(super) const BLOCKED: &[&str] = &[
    "chặn hai đầu",
    "chặn 2 đầu",
    "chặn hai đầu không thắng",
    "không bị chặn hai đầu",
    "two ends blocked",
    "both ends blocked",
    "blocked both ends",
];

/// Phrases for caro (in Vietnamese `ca rô`). In a title they must not end within a word, since names
/// start with them.
const CARO_WORDS: &[&str] = &["caro", "каро"];

/// The start of names such as Caroline.
const CAROLINE: &[&str] = &["carol", "карол"];

/// Phrases for caro that are also parts of names of people, or the name of its country.
const CARO_OR_NAME: &[&str] = &["カロ", "카로", "卡罗", "卡羅", "越南"];

/// Phrases for caro in which overlines win.
pub(super) const OVERLINE: &[&str] = &[
    "overline",
    // As one word.
    "caro overline",
    "long row",
    "six",
    "6",
    "長連",
    "长连",
    "장목",
    "육목",
    "длинн",
    "trên năm",
    "trên 5",
    "dài hơn",
    "sáu",
    "dlouh",
];

/// Phrases for standard Gomoku, where only exactly five wins.
pub(super) const STANDARD: &[&str] = &[
    "standard",
    "exact",
    "five only",
    "only five",
    "5 only",
    "only 5",
    "标准",
    "標準",
    "恰好五",
    "正五",
    "五連のみ",
    "スタンダード",
    "표준",
    "스탠다드",
    "정확히 다섯",
    "стандарт",
    "ровно пять",
    "ровно 5",
    "chuẩn",
    "đúng năm",
    "đúng 5",
    "právě pět",
];

/// Phrases for freestyle, where five or more win.
pub(super) const FREESTYLE: &[&str] = &[
    "freestyle",
    "free gomoku",
    "free rule",
    "unlimited",
    "five or more",
    "5 or more",
    "at least five",
    "at least 5",
    "五连及以上",
    "五連以上",
    "長連可",
    "长连算胜",
    "長連算勝",
    "пять и более",
    "ít nhất năm",
    "自由",
    "フリースタイル",
    "자유",
    "프리스타일",
    "свободн",
    "фристайл",
    "tự do",
    "volná",
    "volný",
];

/// Words for freestyle that must match as a whole.
const FREESTYLE_WORDS: &[&str] = &["free"];

/// Names of the game itself, which mean freestyle in most languages if no rule is stated.
const GENERIC: &[&str] = &[
    "gomoku",
    "gobang",
    "wuzi",
    "five in a row",
    "5 in a row",
    "pente in linea",
    "piskvork",
    "luffarschack",
    "omok",
    "五子棋",
    "五子连珠",
    "五目",
    "ごもく",
    "オモク",
    "오목",
    "гомоку",
    "пять в ряд",
    "крестики нолики",
];

/// The phrases that name a rule.
pub(super) const NAMES: &[&[&str]] = &[
    FORBIDDEN,
    RENJU,
    RENJU_OPENING,
    RENJU_OR_PERSON,
    RENJU_WORDS,
    BLOCKED,
    CARO_WORDS,
    CARO_OR_NAME,
    OVERLINE,
    STANDARD,
    FREESTYLE,
    FREESTYLE_WORDS,
    GENERIC,
];

/// Parses a rule set: a name of [`Rule`], a number of Gomocup's protocol, or a description in
/// English, Chinese, Japanese, Korean, Russian, Vietnamese or Czech. Other words are ignored.
/// `None` if the text names no rule set or two of them, or negates one by other words than the
/// usual ones (`禁手なし`, `no overlines`).
pub fn parse_rule(text: &str) -> Option<Rule> {
    parse(text, true)
}

/// The rule set in the title of a game or tournament, as [`parse_rule`]. Phrases that are also
/// names of people or countries mean no rule there, unless an opening rule is the whole title.
/// Only the usual negations are understood: others are parts of names there, such as `无锡`.
pub(crate) fn rule_in_title(text: &str) -> Option<Rule> {
    parse(text, false)
}

/// Whether a text negates a rule set by words that [`parse_rule`] does not understand.
pub(crate) fn negates_rule(text: &str) -> bool {
    is_negated(&rule_words(text))
}

fn rule_words(text: &str) -> String {
    normalised(text).replace("w/o", "without")
}

/// Parses a rule set. `is_stated` is whether the text is a statement of the rule, not a title.
fn parse(text: &str, is_stated: bool) -> Option<Rule> {
    let normalised = rule_words(text);
    let words = Words::new(&normalised);
    let joined = words.joined.as_str();
    // "Gomoku+Renju", the SGF name of game 4, states no rule.
    if matches!(joined, "gomokurenju" | "renjugomoku" | "gomokuandrenju" | "gomokuorrenju") {
        return None;
    }
    if let Ok(number) = joined.parse() {
        return Rule::from_number(number);
    }
    if is_stated && is_negated(&normalised) {
        return None;
    }
    let any = |phrases| words.has_any(phrases);
    let excludes_overlines = any(NO_OVERLINE);
    let is_standard = any(STANDARD) || excludes_overlines;
    let is_free = any(FREESTYLE) || words.has_any_word(FREESTYLE_WORDS);
    let is_caro = words.has_any_whole(CARO_WORDS)
        || (is_stated && ((any(CARO_WORDS) && !any(CAROLINE)) || any(CARO_OR_NAME)));
    if is_caro || any(BLOCKED) {
        let wins_overlines = any(OVERLINE) && !excludes_overlines;
        return Some(if wins_overlines { Rule::CaroOverline } else { Rule::Caro });
    }
    if any(NOT_FORBIDDEN) {
        // In renju white has no forbidden moves.
        let rest = words.without(&[NOT_FORBIDDEN]);
        let is_clear = !any(WHITE) && !Words::new(&rest).has_any(FORBIDDEN);
        let open = if is_standard { Rule::Standard } else { Rule::Freestyle };
        return is_clear.then_some(open);
    }
    if any(&["五子连珠", "五子連珠"]) && !any(&["禁"]) {
        return Some(Rule::Freestyle);
    }
    let is_renju = any(RENJU) || words.has_any_word(RENJU_WORDS) || any(FORBIDDEN);
    let is_opening = any(RENJU_OPENING)
        || (is_stated && any(RENJU_OR_PERSON))
        || words.are_any(RENJU_OR_PERSON)
        || joined.starts_with("rifrule");
    match (is_standard, is_free) {
        _ if is_renju || is_opening => (!is_free).then_some(Rule::Renju),
        (true, true) => None,
        (true, false) => Some(Rule::Standard),
        (false, true) => Some(Rule::Freestyle),
        (false, false) => any(GENERIC).then_some(Rule::Freestyle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_rule_accepts_eight_languages() {
        for (rule, names) in [
            (
                Rule::Renju,
                &[
                    "renju",
                    "Renju",
                    "RENJU",
                    "ＲＥＮＪＵ",
                    "Renju (RIF)",
                    "RIF",
                    "RIF rule",
                    "RIF rules",
                    "rif-rule",
                    "RIFrule",
                    "Renju, Yamaguchi opening",
                    "Yamaguchi",
                    "Taraguchi-10",
                    "Taraguchi 10",
                    "Soosõrv-8",
                    "Soosorv8",
                    "Soosyrv",
                    "Sakata",
                    "Tarannikov",
                    "連珠",
                    "连珠",
                    "連珠（有禁手）",
                    "五目並べ（連珠ルール）",
                    "五子棋有禁手",
                    "有禁手",
                    "有禁",
                    "禁手あり",
                    "禁じ手あり",
                    "렌주",
                    "렌주룰",
                    "렌쥬룰",
                    "cấm 3-3",
                    "금수 있음",
                    "рэндзю",
                    "Рэндзю",
                    "рендзю",
                    "Renju swap",
                    "4",
                    "cờ renju",
                    "luật cấm thủ",
                    "山口规则",
                ][..],
            ),
            (
                Rule::Freestyle,
                &[
                    "freestyle",
                    "Free-style",
                    "free",
                    "Freestyle gomoku",
                    "Gomoku",
                    "gomoku swap2",
                    "无禁手",
                    "無禁手",
                    "禁手なし",
                    "五目並べ",
                    "五目",
                    "五子棋",
                    "五子连珠",
                    "自由规则",
                    "자유룰",
                    "오목",
                    "금수 없음",
                    "гомоку",
                    "без фолов",
                    "свободные правила",
                    "Tự do",
                    "Volná pravidla",
                    "piškvorky",
                    "0",
                    "Freestyle1",
                    "Unlimited",
                    "Five or more",
                    "五子棋（长连算胜）",
                    "renju without forbidden moves",
                ],
            ),
            (
                Rule::Standard,
                &[
                    "standard",
                    "Standard gomoku",
                    "exact five",
                    "标准",
                    "標準（五連のみ）",
                    "표준",
                    "스탠다드",
                    "Стандарт (ровно пять)",
                    "Chuẩn",
                    "Standard (právě pět)",
                    "1",
                    "无禁手（长连不胜）",
                ],
            ),
            (
                Rule::Caro,
                &[
                    "caro",
                    "Caro",
                    "cờ caro",
                    "CỜ CA RÔ",
                    "caro quốc tế",
                    "Caro2",
                    "CaroRule",
                    "carogomoku",
                    "swap2_caro",
                    "caro规则",
                    "caro룰",
                    "Ca-rô (chặn hai đầu)",
                    "カロ",
                    "카로",
                    "Каро",
                    "9",
                ],
            ),
            (
                Rule::CaroOverline,
                &[
                    "caro-overline",
                    "CaroOverline",
                    "Caro with overlines",
                    "カロ（長連可）",
                    "카로 (장목 허용)",
                    "Каро с длинным рядом",
                    "Ca-rô, trên năm quân thắng",
                    "Caro s dlouhou řadou",
                    "8",
                ],
            ),
        ] {
            for name in names {
                assert_eq!(parse_rule(name), Some(rule), "{name}");
            }
        }
    }

    #[test]
    fn parse_rule_rejects_other_texts() {
        for name in [
            "",
            "?",
            "swap2",
            "Japanese",
            "chess",
            "tariff",
            "Gomoku+Renju",
            "freestyle renju",
            "17",
            "my own",
            "скрабл",
            "囲碁",
            "AGA",
            "Carol",
            "Carolina",
            "Каролина",
        ] {
            assert_eq!(parse_rule(name), None, "{name}");
        }
    }

    #[test]
    fn names_in_titles_mean_no_rule() {
        for title in [
            "Yamaguchi - Nakamura",
            "Sakata vs Tarannikov",
            "Soosorv memorial",
            "山口 対 坂田",
            "カロリーナ",
            "김연주 - 이수진",
            "越南 - 中国",
            "Caroline - Bob",
            "Carolyn plays",
            "Yamaguchi 8 - 2 Ito",
        ] {
            assert_eq!(rule_in_title(title), None, "{title}");
        }
        for (title, rule) in [
            ("RIF rule", Rule::Renju),
            ("Renju2", Rule::Renju),
            ("Taraguchi-10", Rule::Renju),
            ("Soosõrv-8", Rule::Renju),
            ("Yamaguchi", Rule::Renju),
            ("Yamaguchi - Nakamura, renju", Rule::Renju),
            ("連珠", Rule::Renju),
            ("2019无锡连珠公开赛", Rule::Renju),
            ("未来杯连珠公开赛", Rule::Renju),
            ("안산 렌주 대회", Rule::Renju),
            ("Rostov-on-Don Renju Open", Rule::Renju),
            ("Renju: Novák x Svoboda", Rule::Renju),
            ("連珠（禁手なし）", Rule::Freestyle),
            ("Caro x", Rule::Caro),
            ("Caro 1", Rule::Caro),
            ("Standard1", Rule::Standard),
        ] {
            assert_eq!(rule_in_title(title), Some(rule), "{title}");
        }
    }

    /// The web page shows these names, so files may contain them.
    #[test]
    fn parse_rule_accepts_the_names_of_the_web_page() {
        for words in crate::words::of_the_web_page() {
            for rule in Rule::ALL {
                let name = words[format!("rule.{}", rule.name())].as_str().unwrap();
                assert_eq!(parse_rule(name), Some(rule), "{name}");
            }
        }
    }
}
