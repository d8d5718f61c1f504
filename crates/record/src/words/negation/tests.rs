//! Negated rules in many languages.

use crate::words::{parse_rule, rule_in_title};
use tengen_rules::types::Rule;

#[test]
fn negated_forbidden_moves_mean_freestyle() {
    for text in [
        "禁手ルールなし",
        "禁手ナシ",
        "禁手制限なし",
        "禁じ手はなし",
        "禁手を採用しない",
        "禁手: オフ",
        "禁手OFF",
        "禁手はありません",
        "連珠は使わない",
        "렌주룰을 적용하지 않음",
        "렌주룰 적용 안함",
        "фолы отменены",
        "不带禁手",
        "没禁手",
        "不设禁手",
        "不要禁手",
        "免禁手",
        "取消禁手",
        "五子棋，不使用禁手",
        "规则：无禁手",
        "禁手关闭",
        "禁手：关",
        "禁手（无）",
        "禁手不启用",
        "禁手：没有",
        "允许禁手",
        "금수 적용 안함",
        "금수 미적용",
        "금수룰 없음",
        "금수 X",
        "фолы отключены",
        "фолы: нет",
        "фолы разрешены",
        "không áp dụng luật cấm",
        "luật cấm: tắt",
        "luật cấm không áp dụng",
        "forbidden moves: off",
        "Forbidden moves are disabled",
        "forbidden moves allowed",
        "renju w/o forbidden moves",
        "Renju rules off",
        "not using Renju rules",
        "kein Renju",
        "非连珠",
        "連珠ではない",
        "렌주 아님",
        "не рэндзю",
        "freestyle, not renju",
        "Caro không chặn hai đầu",
        "cờ caro, không chặn 2 đầu",
        "luật chặn hai đầu: không",
        "禁手は有効ではない",
        "連珠ではないです",
        "forbidden moves: no",
        "取消连珠",
    ] {
        assert_eq!(parse_rule(text), Some(Rule::Freestyle), "{text}");
    }
    for text in ["标准，不带禁手", "Standard, renju off", "standard, not freestyle"] {
        assert_eq!(parse_rule(text), Some(Rule::Standard), "{text}");
    }
}

#[test]
fn unrelated_negations_leave_the_rule() {
    for text in [
        "Renju, no time limit",
        "Renju no time limit",
        "Renju (no swap)",
        "No. 5 renju",
        "Renju No. 5",
        "Renju: No 3",
        "no time limit renju",
        "連珠 制限時間なし",
        "連珠（時間無制限）",
        "禁手あり 時間制限なし",
        "禁手 制限時間なし",
        "不限时连珠",
        "免费连珠",
        "连珠，无时限",
        "렌주 시간제한 없음",
        "рэндзю, без времени",
        "Renju không giới hạn thời gian",
        "renju, not freestyle",
        "Renju, no taraguchi",
        "black may not play forbidden moves",
        "forbidden moves are not allowed",
        "黑棋不能走禁手",
        "禁手：有，时间：无",
        "禁手 没有时间限制",
        "有禁手不限时",
        "不允许禁手",
        "forbidden moves: yes",
        "bez limitu, renju",
        // Something else is negated.
        "连珠（取消交换）",
        "连珠 取消交换",
        "连珠（不使用交换）",
        "连珠（不要悔棋）",
        "连珠（不开计时）",
        "连珠规则（取消三手交换）",
        "连珠规则取消五手两打",
        "交换取消 连珠",
        "連珠（解除時間制限）",
        "連珠（取消計時）",
        "連珠（無視時間）",
        "連珠 ないしょ",
        "Renju (disabled swap)",
        "Renju disabled undo",
        "Renju (removed time limit)",
        "рэндзю (отключены часы)",
        "рэндзю отключён таймер",
        "렌주 제외 시간",
        "有禁手（黑棋不能走三三）",
        "有禁手规则（黑棋不能走三三、四四、长连）",
        "禁手：黑棋不能走三三",
        "禁手（黑方不可以走三三、四四和长连）",
        "禁手あり（ハンデなし）",
        "禁手あり スワップなし",
        "禁手あり（白はなし）",
        "금수 있음 (무르기 없음)",
        "luật cấm (không đổi quân)",
        "有禁手 不换边",
        "禁手 不换边",
        "Forbidden moves for Black (not for White)",
        "forbidden moves not for White",
        "фолы для чёрных (не для белых)",
        "Renju (not rated)",
        "RIF (not official)",
        "Renju (don't swap)",
        "连珠（禁止悔棋）",
        "连珠 不可悔棋",
        "連珠 禁止待った",
        "Renju (not allowed: undo)",
        "禁手（允许悔棋）",
        "forbidden moves (allowed: undo)",
        // Names of people and countries, and versions.
        "Lin - Chang Renju",
        "World Cup Renju AUS",
        "Renju NO",
        "Renju 0",
        "南非连珠",
    ] {
        assert_eq!(parse_rule(text), Some(Rule::Renju), "{text}");
    }
    for text in [
        "五子棋（取消悔棋）",
        "五子棋（禁用悔棋）",
        "五子棋（禁止悔棋）",
        "五子棋 不使用计时",
        "自由规则（取消交换）",
        "Gomoku not rated",
        "Gomoku 0",
        "Freestyle 0",
        "Gomoku AUS",
    ] {
        assert_eq!(parse_rule(text), Some(Rule::Freestyle), "{text}");
    }
    assert_eq!(parse_rule("Standard 0"), Some(Rule::Standard));
    assert_eq!(parse_rule("Caro 0"), Some(Rule::Caro));
    assert_eq!(rule_in_title("World Cup Renju AUS"), Some(Rule::Renju));
    for text in ["Caro, no time limit", "Chặn hai đầu không thắng", "5 không bị chặn hai đầu"]
    {
        assert_eq!(parse_rule(text), Some(Rule::Caro), "{text}");
    }
}

#[test]
fn unclear_negations_mean_no_rule() {
    for text in [
        "白无禁手，黑有禁手",
        "no forbidden moves for white",
        "无三三禁手",
        "三三不算禁手",
        "禁手不明",
        "禁手不管",
        "禁手关闭 限时30秒",
        "Renju is not played",
        "Renju disabled in this match",
        "Bỏ luật cấm",
        "Renju rules aren't used",
        "forbidden moves do not matter",
        "not standard",
        "非標準",
        "gomoku, not freestyle",
        "no caro",
        "not blocked both ends",
        "không chặn hai đầu mới thắng",
        "caro, trên 5 quân không thắng",
        "no taraguchi",
    ] {
        assert_eq!(parse_rule(text), None, "{text}");
    }
    for text in ["caro, overlines: no", "Caro 长连禁止", "caro without any overlines"] {
        assert_eq!(parse_rule(text), Some(Rule::Caro), "{text}");
    }
}
