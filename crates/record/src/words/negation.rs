//! Whether a phrase for a rule is negated by the words around it.

use super::{Sought, Words, is_eastern};

/// What a phrase names. Words of this kind in its neighbourhood have other meanings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// A rule set. "Renju no swap" negates the swap, so only clear negations count.
    RuleSet,
    /// Forbidden moves. To allow them negates the rule.
    Foul,
    /// Rows of more than five.
    Overline,
}

/// What a text says about the phrases of a list.
#[derive(Clone, Copy, Default)]
pub(super) struct Senses {
    /// Whether it states one of them.
    pub(super) affirmed: bool,
    /// Whether it negates one of them.
    pub(super) negated: bool,
    /// Whether a word near one of them may negate it.
    pub(super) unclear: bool,
}

impl Senses {
    /// Combines this with what the text says about other phrases.
    pub(super) fn with(self, other: Senses) -> Senses {
        Senses {
            affirmed: self.affirmed || other.affirmed,
            negated: self.negated || other.negated,
            unclear: self.unclear || other.unclear,
        }
    }
}

/// Negations before a phrase.
const NOT: &[&str] = &[
    "no", "non", "not", "without", "never", "disable", "disabled", "ignore", "ignoring", "kein",
    "keine", "keinen", "ohne", "nicht", "sans", "sin", "sem", "senza", "без", "не", "нет", "bez",
    "žádné", "không", "chẳng", "miễn", "tắt", "비", "노", "무", "取消", "关闭", "關閉", "禁用",
    "废除", "廢除", "停用", "解除", "ノー", "不", "没", "沒", "未", "无", "無", "免",
];

/// Words that may stand between a negation and a phrase behind it, the longer ones first.
const BETWEEN_NOT: &[&str] = &[
    "任何",
    "the",
    "any",
    "all",
    "of",
    "use",
    "using",
    "with",
    "for",
    "play",
    "make",
    "apply",
    "applying",
    "have",
    "rule",
    "rules",
    "luật",
    "có",
    "áp dụng",
    "sử dụng",
    "dùng",
    "tính",
    "xét",
    "phải",
    "правил",
    "правила",
    "использовать",
    "设置",
    "設置",
    "使用",
    "采用",
    "採用",
    "启用",
    "啟用",
    "适用",
    "適用",
    "执行",
    "執行",
    "考虑",
    "考慮",
    "带",
    "帶",
    "设",
    "設",
    "要",
    "用",
    "有",
    "算",
    "判",
    "含",
    "是",
    "开",
    "開",
    "走",
    "下",
    "加",
];

/// Words by which forbidden moves are forbidden, although they contain negations.
const MUST_NOT: &[&str] = &[
    "may not",
    "must not",
    "cannot",
    "can not",
    "can t",
    "should not",
    "不能",
    "不可",
    "不得",
    "不许",
    "不許",
    "不准",
    "禁止",
    "нельзя",
    "không được",
    "nesmí",
];

/// Words before or behind a phrase that allow what it names.
const ALLOWED: &[&str] = &[
    "allow",
    "allows",
    "allowing",
    "allowed",
    "permitted",
    "разрешены",
    "разрешен",
    "можно",
    "được phép",
    "cho phép",
    "povoleny",
    "povolen",
    "允许",
    "允許",
    "許可",
    "可以",
    "可",
    "허용",
    "가능",
];

/// Words that may stand behind a phrase, before a negation of it.
const BETWEEN_OFF: &[&str] = &[
    "適用",
    "适用",
    "使用",
    "採用",
    "采用",
    "적용",
    "사용",
    "하지",
    "rule",
    "rules",
    "is",
    "are",
    "was",
    "set",
    "to",
    "turned",
    "switched",
    "has",
    "been",
    "правила",
    "quy tắc",
    "luật",
    "有无",
    "有無",
    "ルール",
    "规则",
    "規則",
    "规定",
    "規定",
    "设置",
    "設定",
    "设定",
    "では",
    "じゃ",
    "は",
    "の",
    "が",
    "を",
    "も",
    "已",
    "都",
    "均",
    "全部",
    "被",
    "규칙",
    "룰",
    "는",
    "은",
    "가",
    "이",
    "를",
    "을",
];

/// Words that may stand behind forbidden moves, before a negation.
const BETWEEN_FOUL_OFF: &[&str] = &[
    "move", "moves", "point", "points", "制限", "限制", "判定", "检测", "檢測", "功能", "処理",
    "点", "點", "제한",
];

/// Words behind a phrase that affirm it.
const ON: &[&str] = &[
    "on",
    "yes",
    "true",
    "enabled",
    "required",
    "есть",
    "вкл",
    "включены",
    "có",
    "bật",
    "ano",
    "あり",
    "アリ",
    "有",
    "开",
    "開",
    "启用",
    "啟用",
    "是",
    "있",
];

/// Words behind a phrase that forbid what it names.
const PROHIBITED: &[&str] = &[
    "not allowed",
    "not permitted",
    "запрещены",
    "запрещен",
    "не допуск",
    "不可",
    "不能",
    "不许",
    "不許",
    "不准",
    "禁止",
    "금지",
    "불가",
];

/// Words behind a phrase that negate it.
const OFF: &[&str] = &[
    "отмен",
    "не применя",
    "không áp dụng",
    "không sử dụng",
    "không dùng",
    "ありません",
    "有りません",
    "使わない",
    "使わず",
    "用いない",
    "있지 않",
    "disabled",
    "deactivated",
    "inactive",
    "ignored",
    "removed",
    "not used",
    "not applied",
    "not active",
    "not enabled",
    "not enforced",
    "not in use",
    "do not apply",
    "does not apply",
    "отключ",
    "выключ",
    "игнорир",
    "отсутств",
    "не использ",
    "не действ",
    "vypnut",
    "neplat",
    "deaktiviert",
    "なし",
    "ナシ",
    "無し",
    "しない",
    "ない",
    "ません",
    "せず",
    "オフ",
    "无效",
    "無效",
    "無効",
    "無視",
    "关闭",
    "關閉",
    "取消",
    "解除",
    "免除",
    "廃止",
    "废除",
    "廢除",
    "撤廃",
    "停用",
    "禁用",
    "不启用",
    "不啟用",
    "不适用",
    "不適用",
    "不使用",
    "不采用",
    "不採用",
    "不开",
    "不開",
    "不算",
    "不判",
    "不设",
    "不設",
    "不要",
    "未启用",
    "未啟用",
    "未开",
    "未開",
    "未适用",
    "未適用",
    "未使用",
    "없",
    "안 함",
    "안함",
    "안 씀",
    "안씀",
    "않",
    "아님",
    "아니",
    "미적용",
    "미사용",
    "해제",
    "제외",
    "무시",
    "끔",
    "꺼",
    "오프",
];

/// Words that negate the phrase before them at the end of a clause, but else what follows.
const OFF_AT_END: &[&str] = &[
    "off",
    "no",
    "none",
    "not",
    "false",
    "0",
    "нет",
    "выкл",
    "không có",
    "không",
    "tắt",
    "nein",
    "aus",
    "无",
    "無",
    "否",
    "没有",
    "没",
    "沒有",
    "沒",
    "关",
    "關",
    "不",
];

/// As [`OFF_AT_END`], for forbidden moves only.
const FOUL_OFF_AT_END: &[&str] = &["x", "ne", "n"];

/// Words behind forbidden moves or overlines that may negate them in other ways.
const MAYBE_OFF: &[&str] = &[
    "not",
    "never",
    "off",
    "disabled",
    "don",
    "doesn",
    "isn",
    "aren",
    "не",
    "нет",
    "không",
    "tắt",
    "不",
    "没",
    "沒",
    "未",
    "非",
    "无",
    "無",
    "免",
    "なし",
    "ナシ",
    "ない",
    "ません",
    "せず",
    "关",
    "關",
    "없",
    "안",
    "않",
];

/// Words behind the name of a rule set that may negate it, if more follows.
const MAYBE_NOT: &[&str] = &["not", "never", "isn", "aren", "don", "doesn", "не"];

/// Words for what is often absent in games of any rule set.
const OTHER_TOPICS: &[&str] = &[
    "time", "limit", "clock", "swap", "undo", "takeback", "时", "時", "秒", "交换", "交換", "悔",
    "시간", "교환", "врем", "thời", "giờ", "čas",
];

/// The number of words on either side of a phrase that may negate it in unknown ways.
const NEAR: usize = 3;

/// What the words on one side of a phrase make of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Nothing,
    On,
    Off,
    Unclear,
}

impl Words<'_> {
    /// What the words say about these phrases. `may_end` is whether a phrase may end there.
    pub(super) fn senses(
        &self,
        phrases: &'static [&'static str],
        may_end: impl Fn(usize) -> bool,
        topic: Topic,
    ) -> Senses {
        let mut senses = Senses::default();
        for sought in phrases.iter().map(|phrase| Sought::of(phrase)) {
            for (start, end) in self.places(&sought).into_iter().filter(|&(_, end)| may_end(end)) {
                // Every word but the first has one mark before it.
                let marks = |at: usize| self.starts.partition_point(|&start| start < at) - 1;
                let behind_phrase = &self.marked[end + marks(end)..];
                // A phrase in Latin or Cyrillic letters may end within a word.
                let is_ending =
                    |it: char| !sought.is_eastern && it.is_alphanumeric() && !is_eastern(it);
                let behind = behind(behind_phrase.trim_start_matches(is_ending), topic);
                match (before(&self.marked[..start + marks(start + 1)], topic), behind) {
                    (Side::Nothing | Side::On, Side::Nothing | Side::On) => senses.affirmed = true,
                    (Side::Off, Side::Nothing | Side::Unclear) => senses.negated = true,
                    (Side::Nothing | Side::On, Side::Off) => senses.negated = true,
                    _ => senses.unclear = true,
                }
            }
        }
        senses
    }
}

/// What the words before a phrase make of it.
fn before(text: &str, topic: Topic) -> Side {
    let clause = text.rsplit(['|', '.', ':']).next().unwrap_or(text);
    let mut rest = clause.trim_end();
    while let Some(shorter) = strip_end(rest, BETWEEN_NOT) {
        rest = shorter;
    }
    if strip_end(rest, MUST_NOT).is_some() {
        return if topic == Topic::Foul { Side::On } else { Side::Unclear };
    }
    // Names of countries end with this word, too.
    if let Some(left) = strip_end(rest, &["非"]) {
        return if left.is_empty() { Side::Off } else { Side::Unclear };
    }
    if strip_end(rest, NOT).is_some() {
        return Side::Off;
    }
    if topic == Topic::Foul
        && let Some(left) = strip_end(rest, ALLOWED)
    {
        return if strip_end(left, NOT).is_some() { Side::On } else { Side::Off };
    }
    let near: Vec<&str> = rest.rsplit(' ').take(NEAR).collect();
    match topic {
        Topic::RuleSet => Side::Nothing,
        Topic::Foul | Topic::Overline => unclear(&near, &[NOT, &["bỏ"]], Side::Nothing),
    }
}

/// What the words behind a phrase make of it.
fn behind(text: &str, topic: Topic) -> Side {
    let clause = text.split(['|', '.']).next().unwrap_or(text);
    let mut rest = clause.trim_start_matches([' ', ':']);
    let is_foul = topic == Topic::Foul;
    while let Some(shorter) = strip_start(rest, BETWEEN_OFF)
        .or_else(|| strip_start(rest, BETWEEN_FOUL_OFF).filter(|_| is_foul))
    {
        rest = shorter;
    }
    let is_at_end = |list| strip_start(rest, list).is_some_and(str::is_empty);
    if strip_start(rest, OFF).is_some()
        || is_at_end(OFF_AT_END)
        || (is_foul && is_at_end(FOUL_OFF_AT_END))
    {
        return Side::Off;
    }
    let words = |text| str::split(text, [' ', ':']);
    if let Some(left) = strip_start(rest, ON) {
        let next: Vec<&str> = words(left).take(1).collect();
        return unclear(&next, &[MAYBE_OFF], Side::On);
    }
    // What is forbidden to be played is a rule, and no rule if it is allowed.
    if strip_start(rest, PROHIBITED).is_some() {
        return if is_foul { Side::On } else { Side::Off };
    }
    if strip_start(rest, ALLOWED).is_some() {
        return if is_foul { Side::Off } else { Side::On };
    }
    let near: Vec<&str> = words(rest).take(NEAR).collect();
    match topic {
        Topic::RuleSet => unclear(&near[..1], &[MAYBE_NOT], Side::Nothing),
        Topic::Foul | Topic::Overline => unclear(&near, &[MAYBE_OFF], Side::Nothing),
    }
}

/// [`Side::Unclear`] if one of the words near a phrase is one of these negations, else `side`.
fn unclear(near: &[&str], negations: &[&'static [&'static str]], side: Side) -> Side {
    let is_other = near
        .iter()
        .any(|word| OTHER_TOPICS.iter().any(|topic| word.contains(&Sought::of(topic).marked)));
    let is_negation = |word: &&str| {
        negations.iter().copied().flatten().any(|negation| {
            let negation = Sought::of(negation);
            *word == negation.marked || negation.is_eastern && word.contains(&negation.marked)
        })
    };
    if !is_other && near.iter().any(is_negation) { Side::Unclear } else { side }
}

/// The text before one of these items at its end. An item must be a whole word, but in Chinese and
/// Japanese.
fn strip_end<'a>(text: &'a str, list: &'static [&'static str]) -> Option<&'a str> {
    list.iter().find_map(|item| {
        let item = Sought::of(item);
        let left = text.strip_suffix(&item.marked)?;
        let is_word = left.is_empty() || left.ends_with(' ') || item.text.starts_with(is_chinese);
        is_word.then(|| left.trim_end())
    })
}

/// The text behind one of these items at its start. The item must end with a word, unless it is in
/// Chinese, Japanese or Korean or has [`STEM`] letters.
fn strip_start<'a>(text: &'a str, list: &'static [&'static str]) -> Option<&'a str> {
    list.iter().find_map(|item| {
        let item = Sought::of(item);
        let left = text.strip_prefix(&item.marked)?;
        let is_stem = item.is_eastern || item.text.chars().count() >= STEM;
        let ends = left.is_empty() || left.starts_with([' ', ':']) || left.starts_with(is_eastern);
        let left =
            if item.is_eastern { left } else { left.trim_start_matches(char::is_alphabetic) };
        (is_stem || ends).then(|| left.trim_start_matches([' ', ':']))
    })
}

/// The number of letters of a word that may have other endings.
const STEM: usize = 5;

/// Whether a normalised character is a Chinese or Japanese letter.
fn is_chinese(symbol: char) -> bool {
    matches!(symbol, '\u{2e80}'..='\u{9fff}')
}

#[cfg(test)]
mod tests;
