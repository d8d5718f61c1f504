//! Negated rules in many languages.

use crate::words::parse_rule;
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
    ] {
        assert_eq!(parse_rule(text), Some(Rule::Renju), "{text}");
    }
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
        "禁手不明",
        "禁手は有効ではない",
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
        "南非连珠",
    ] {
        assert_eq!(parse_rule(text), None, "{text}");
    }
    for text in ["caro, overlines: no", "Caro 长连禁止", "caro without any overlines"] {
        assert_eq!(parse_rule(text), Some(Rule::Caro), "{text}");
    }
}
