//! Words that negate or affirm the phrase next to them.

/// Negations before a phrase.
pub(super) const NOT: &[&str] = &[
    "no", "not", "without", "never", "disable", "disabled", "ignore", "ignoring", "kein", "keine",
    "keinen", "ohne", "nicht", "sans", "senza", "без", "не", "нет", "bez", "žádné", "không",
    "取消", "关闭", "關閉", "禁用", "废除", "廢除", "停用", "解除", "ノー", "不", "没", "沒", "未",
    "无", "無", "免", "没有", "沒有",
];

/// Words that may stand between a negation and a phrase behind it, the longer ones first.
pub(super) const BETWEEN_NOT: &[&str] = &[
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
pub(super) const MUST_NOT: &[&str] = &[
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
pub(super) const ALLOWED: &[&str] = &[
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
pub(super) const BETWEEN_OFF: &[&str] = &[
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
    "do",
    "does",
    "有効",
    "有效",
    "です",
    "でした",
    "了",
];

/// Words that may stand behind forbidden moves, before a negation.
pub(super) const BETWEEN_FOUL_OFF: &[&str] = &[
    "move", "moves", "point", "points", "制限", "限制", "判定", "检测", "檢測", "功能", "処理",
    "点", "點", "제한", "quân",
];

/// Words behind a phrase that affirm it.
pub(super) const ON: &[&str] = &[
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
pub(super) const PROHIBITED: &[&str] = &[
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

/// Words behind a phrase that negate it, unless they have an object of their own, as in
/// "Renju (disabled swap)".
pub(super) const OFF_VERBS: &[&str] = &[
    "disabled",
    "deactivated",
    "ignored",
    "removed",
    "отмен",
    "отключ",
    "выключ",
    "игнорир",
    "не применя",
    "не использ",
    "không áp dụng",
    "không sử dụng",
    "không dùng",
    "無視",
    "关闭",
    "關閉",
    "取消",
    "解除",
    "免除",
    "废除",
    "廢除",
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
    "미적용",
    "미사용",
    "해제",
    "제외",
    "무시",
];

/// Words behind one of [`OFF_VERBS`] that are not its object.
pub(super) const NO_OBJECT: &[&str] =
    &["in", "for", "at", "by", "on", "here", "now", "this", "today", "в", "на", "для"];

/// Words behind a phrase that negate it.
pub(super) const OFF: &[&str] = &[
    "ありません",
    "有りません",
    "使わない",
    "使わず",
    "用いない",
    "있지 않",
    "inactive",
    "not used",
    "not applied",
    "not active",
    "not enabled",
    "not enforced",
    "not in use",
    "do not apply",
    "does not apply",
    "отсутств",
    "не действ",
    "vypnut",
    "neplat",
    "deaktiviert",
    "なし",
    "ナシ",
    "無し",
    "しない",
    "ません",
    "せず",
    "オフ",
    "无效",
    "無效",
    "無効",
    "廃止",
    "撤廃",
    "없",
    "안 함",
    "안함",
    "안 씀",
    "안씀",
    "않",
    "아님",
    "아니",
    "끔",
    "꺼",
    "오프",
    "ではない",
    "じゃない",
    "はない",
    "がない",
];

/// Words that negate the phrase before them at the end of a clause, but else what follows.
pub(super) const OFF_AT_END: &[&str] = &[
    "off",
    "нет",
    "выкл",
    "không có",
    "không",
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
    "ない",
];

/// As [`OFF_AT_END`], for values such as `fouls: no` only, since these are also names of people,
/// countries and versions.
pub(super) const OFF_VALUES: &[&str] =
    &["no", "none", "not", "false", "0", "nein", "aus", "tắt", "ne", "n", "x"];

/// Words directly behind forbidden moves or overlines that may negate them in other ways.
pub(super) const MAYBE_OFF: &[&str] =
    &["not", "never", "isn", "aren", "don", "doesn", "не", "нет", "không"];

/// As [`MAYBE_OFF`], within the word of the phrase.
pub(super) const MAYBE_OFF_WITHIN: &[&str] =
    &["不", "没", "沒", "未", "非", "无", "無", "免", "ない", "안", "않"];

/// Words behind one of [`MAYBE_OFF`] that limit it to a player, as in "not for White".
pub(super) const LIMITED: &[&str] = &["for", "для", "cho"];

/// Words directly behind the name of a rule set that may negate it, if more follows.
pub(super) const MAYBE_NOT: &[&str] = &["isn", "aren", "doesn"];

/// Verbs between a phrase and "not", which else negates what follows: "Renju, not rated".
pub(super) const VERBS: &[&str] = &["is", "are", "was", "do", "does"];

/// Negations before forbidden moves that are also names of people.
pub(super) const MAYBE_NO_FOUL: &[&str] = &["bỏ", "tắt", "miễn"];

/// Shapes between a negation and forbidden moves. Others may stay forbidden.
pub(super) const SHAPES: &[&str] = &["三三", "四四", "长连", "長連"];

/// Words before forbidden moves that affirm them.
pub(super) const WITH: &[&str] = &["with", "có", "有", "带", "帶", "含"];

/// Words for what is often absent in games of any rule set.
pub(super) const OTHER_TOPICS: &[&str] = &[
    "time", "limit", "clock", "swap", "undo", "takeback", "时", "時", "秒", "交换", "交換", "悔",
    "시간", "교환", "врем", "thời", "giờ", "čas",
];
