//! Parses statements of the side to move.

use super::{Sought, Words, normalised};
use tengen_rules::types::Color;

const BLACK: &[&str] = &[
    "black",
    "b",
    "x",
    "黑",
    "黒",
    "黑方",
    "黑棋",
    "黑子",
    "흑",
    "черные",
    "черных",
    "đen",
    "quân đen",
    "bên đen",
    "černý",
];
const WHITE: &[&str] = &[
    "white",
    "w",
    "o",
    "白",
    "白方",
    "白棋",
    "白子",
    "백",
    "белые",
    "белых",
    "trắng",
    "quân trắng",
    "bên trắng",
    "bílý",
];

/// What stands before the player that has to move.
const BEFORE: &[&str] = &[
    "to move",
    "to play",
    "side to move",
    "next player",
    "轮到",
    "輪到",
    "该",
    "該",
    "下一手",
    "次は",
    "手番",
    "ход",
    "đến lượt",
    "tới lượt",
    "lượt",
    "na tahu",
    "na tahu je",
];

/// What stands behind the player that has to move. A verb alone may tell of a past move.
const BEHIND: &[&str] = &[
    "to move",
    "to play",
    "to go",
    "s turn",
    "turn",
    "first",
    "to move first",
    "to play first",
    "moves first",
    "plays first",
    "goes first",
    "先",
    "先手",
    "先行",
    "走棋",
    "番",
    "の番",
    "の番です",
    "手番",
    "の手番",
    "の手番です",
    "차례",
    "차례입니다",
    "둘 차례",
    "둘 차례입니다",
    "선",
    "선공",
    "начинают",
    "đi trước",
    "đi tiếp",
    "na tahu",
];

/// What the player has to reach.
const GOALS: &[&str] = &[
    "and win",
    "and wins",
    "胜",
    "勝",
    "勝ち",
    "必胜",
    "必勝",
    "승",
    "и выигрывают",
    "và thắng",
    "a vyhraje",
];

/// Parses the side to move: `White to play and win`, `白先`, `Ход: белые`, `O to move` and other
/// expressions in English, Chinese, Japanese, Korean, Russian, Vietnamese and Czech. `None` if the
/// text has anything else: it may tell of a past move or a result.
pub(crate) fn parse_turn(text: &str) -> Option<Color> {
    let normalised = normalised(text);
    // The heading of a board that this program prints.
    let statement = normalised.rsplit_once(" stones, ").or(normalised.rsplit_once(" stone, "));
    let statement = statement.map_or(normalised.as_str(), |(_, statement)| statement);
    if statement.contains('?') {
        return None;
    }
    let words = Words::new(statement).joined;
    let words = words.strip_prefix("itis").unwrap_or(&words);
    let behind_moving = |before: Option<&str>, rest: &str| match before {
        Some(_) => is_goal(rest),
        None => after_any(rest, BEHIND).any(is_goal),
    };
    let is_side = |before: Option<&str>, names: &'static [&'static str]| {
        let rest = before.unwrap_or(words);
        after_any(rest, names).any(|rest| behind_moving(before, rest))
    };
    let is_to_move = |names: &'static [&'static str]| {
        is_side(None, names) || after_any(words, BEFORE).any(|rest| is_side(Some(rest), names))
    };
    match (is_to_move(BLACK), is_to_move(WHITE)) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    }
}

/// What follows each of these phrases with which the text begins.
fn after_any<'a>(text: &'a str, phrases: &'static [&'static str]) -> impl Iterator<Item = &'a str> {
    phrases.iter().filter_map(move |phrase| text.strip_prefix(Sought::of(phrase).text.as_str()))
}

/// Whether words behind a statement are nothing, or a goal, maybe with a number of moves. In `黑先白胜`
/// the other player wins.
fn is_goal(words: &str) -> bool {
    let plain = words.strip_suffix("moves").unwrap_or(words);
    let without_number = plain.trim_end_matches(|it: char| it.is_ascii_digit()).strip_suffix("in");
    let words = without_number.filter(|it| it.len() + 2 < plain.len()).unwrap_or(words);
    let ends = |words: &str| after_any(words, GOALS).any(str::is_empty);
    words.is_empty()
        || ends(words)
        || [BLACK, WHITE].into_iter().any(|names| after_any(words, names).any(ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_turn_accepts_eight_languages() {
        for (side, texts) in [
            (
                Color::White,
                &[
                    "White to move",
                    "white to play and win in 5",
                    "Next player: White",
                    "It is White's turn.",
                    "White first",
                    "O to move",
                    "W to play",
                    "renju 15x15, 8 stones, white to move",
                    "白先",
                    "【白先胜】",
                    "白棋先行",
                    "白先手",
                    "轮到白方",
                    "輪到白方",
                    "白方走棋",
                    "下一手：白",
                    "白の番",
                    "白番",
                    "白の手番です",
                    "白先白勝ち",
                    "백 차례",
                    "백선",
                    "백 둘 차례입니다",
                    "Ход белых.",
                    "Ход: белые",
                    "Белые начинают и выигрывают",
                    "Đến lượt Trắng",
                    "Trắng đi trước",
                    "Na tahu: Bílý",
                    "Bílý na tahu",
                ][..],
            ),
            (
                Color::Black,
                &[
                    "黑先白胜",
                    "黒先黒勝ち",
                    "흑 차례",
                    "Ход чёрных",
                    "Đến lượt Đen",
                    "Na tahu je Černý",
                    "X to play",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(parse_turn(text), Some(side), "{text}");
            }
        }
    }

    #[test]
    fn other_statements_are_no_turns() {
        for text in [
            "",
            "Black wins",
            "黑：张三",
            "先手：太郎",
            "黒番 太郎",
            "白番：次郎",
            "white: Bob",
            "Last move: white h8",
            "Find the best move",
            "Black moves first, white moves next",
            "White not to move",
            "White to move?",
            "Alice white to move",
            "White's move: h8",
            "White plays: h8",
            "White plays",
            "O's turn: 7,7",
            "After White's move 4, Black wins",
            "The position after white plays",
            "White wins after 24 moves",
            "White won the first game",
            "White has 24 moves",
            "White to move 24",
            "Ход белых: h8",
            "Ход 4: белые",
            "白下：7,7",
            "白番の負け",
            "白番の勝ち",
            "백번 승",
            "백 다음",
            "五子棋",
        ] {
            assert_eq!(parse_turn(text), None, "{text}");
        }
    }

    /// The web page writes these texts, so files may contain them.
    #[test]
    fn parse_turn_accepts_the_texts_of_the_web_page() {
        for words in crate::words::of_the_web_page() {
            for side in Color::ALL {
                let color = words[format!("color.{}", side.name())].as_str().unwrap();
                let turn = words["status.to-move"].as_str().unwrap().replace("{color}", color);
                assert_eq!(parse_turn(&turn), Some(side), "{turn}");
            }
        }
    }
}
