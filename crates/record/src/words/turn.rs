//! Parses statements of the side to move.

use super::negation::has_negation;
use super::result::{
    BESIDE, BESIDE_WORDS, BLACK, BLACK_WORDS, DRAW, LOSES, TASKS, WHITE, WHITE_WORDS, WINS,
    WINS_WORDS,
};
use super::{Sought, Words, normalised};
use tengen_rules::types::Color;

/// Phrases that give a player the move.
const MOVING: &[&str] = &[
    "to move",
    "to play",
    "to go",
    "turn",
    "next player",
    "goes first",
    "moves first",
    "plays first",
    "moves next",
    "plays next",
    "s move",
    "先",
    "先手",
    "先行",
    "走",
    "下",
    "下一手",
    "下一步",
    "轮",
    "輪",
    "轮到",
    "輪到",
    "该",
    "該",
    "落子",
    "番",
    "手番",
    "次",
    "차례",
    "차례입니",
    "둘 차례",
    "다음",
    "선",
    "선공",
    "번",
    "ход",
    "очеред",
    "начина",
    "следующ",
    "đi trước",
    "đi tiếp",
    "lượt",
    "đến lượt",
    "tới lượt",
    "na tahu",
    "na tah",
    "táhne",
    "hraje",
    "začíná",
];
/// As [`MOVING`], for words that must match as a whole.
const MOVING_WORDS: &[&str] = &["first", "next", "moves", "plays", "đi"];

/// The letters of stones in diagrams.
const BLACK_LETTERS: &[&str] = &["x"];
const WHITE_LETTERS: &[&str] = &["o"];

/// Other words beside a statement of the side to move, in addition to those beside a result.
const OTHERS: &[&str] = &[
    "it", "its", "s", "now", "side", "who", "in", "problem", "puzzle", "exercise", "diagram",
    "position", "vcf", "vct", "forced", "win", "a", "и", "v", "je", "và", "để",
];

/// Symbols between clauses, besides the colon.
const CLAUSE_ENDS: &[char] = &[
    ',', ';', '.', '!', '?', '/', '|', '(', ')', '[', ']', '、', '。', '【', '】', '「', '」', '–',
    '—', '-', '"', '\n',
];

/// What a text says of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    Side(Color),
    /// It names a player and moving, but also has other words, or it names both players.
    Unclear,
}

/// Parses the side to move: `White to play and win`, `白先`, `Ход: белые`, `O to move` and other
/// expressions in English, Chinese, Japanese, Korean, Russian, Vietnamese and Czech. `None` if the
/// text does not speak of it.
pub(crate) fn parse_turn(text: &str) -> Option<Turn> {
    let normalised = normalised(text);
    // A colon ends a title, `Problem 1: White to play`, or goes before a player, `Next player: White`.
    let in_clauses = |has_colons: bool| {
        let is_end = |it: char| CLAUSE_ENDS.contains(&it) || (has_colons && it == ':');
        let turns = normalised.split(is_end).filter_map(turn_of_clause);
        turns.reduce(|a, b| match (a, b) {
            (Turn::Side(_), Turn::Unclear) => a,
            (Turn::Side(_), Turn::Side(_)) if a != b => Turn::Unclear,
            _ => b,
        })
    };
    let is_side = |turn: &Turn| matches!(turn, Turn::Side(_));
    let turn = in_clauses(true);
    // Other words with colons are names of players.
    turn.filter(is_side).or_else(|| in_clauses(false).filter(is_side)).or(turn)
}

fn turn_of_clause(clause: &str) -> Option<Turn> {
    let words = Words::new(clause);
    if !words.has_any(MOVING) && !words.has_any_word(MOVING_WORDS) {
        return None;
    }
    // `先手` and `đến` are also names of players.
    let without_moving = words.without(&[MOVING]);
    let players = Words::new(&without_moving);
    let has = |phrases, whole, letters| {
        players.has_any(phrases) || players.has_any_word(whole) || players.has_any_word(letters)
    };
    let side =
        match (has(BLACK, BLACK_WORDS, BLACK_LETTERS), has(WHITE, WHITE_WORDS, WHITE_LETTERS)) {
            (true, false) => Color::Black,
            (false, true) => Color::White,
            (false, false) => return None,
            (true, true) => match side_before_moving(&words) {
                Some(side) => side,
                None => return Some(Turn::Unclear),
            },
        };
    let rest = words.without(&[MOVING, BLACK, WHITE, WINS, LOSES, DRAW, BESIDE, TASKS]);
    let known = [
        MOVING_WORDS,
        BLACK_WORDS,
        WHITE_WORDS,
        BLACK_LETTERS,
        WHITE_LETTERS,
        WINS_WORDS,
        BESIDE_WORDS,
        OTHERS,
    ];
    let is_known = |word: &str| {
        word.chars().all(char::is_numeric)
            || known.into_iter().flatten().any(|it| Sought::of(it).text == word)
    };
    let is_clear = !has_negation(&rest) && rest.split_whitespace().all(is_known);
    Some(if is_clear { Turn::Side(side) } else { Turn::Unclear })
}

/// The only player whose name stands directly before a phrase of moving: `黑先白胜`.
fn side_before_moving(words: &Words) -> Option<Color> {
    let is_before = |phrases: &'static [&'static str]| {
        phrases.iter().flat_map(|phrase| words.places(&Sought::of(phrase))).any(|(_, end)| {
            MOVING.iter().any(|moving| words.joined[end..].starts_with(&Sought::of(moving).text))
        })
    };
    match (is_before(BLACK), is_before(WHITE)) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    }
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
                    "Problem 1: White to play",
                    "Next player: White",
                    "VCF, white to move.",
                    "It is White's turn",
                    "White first",
                    "O to move",
                    "W to play",
                    "白先",
                    "白先胜",
                    "白棋先行",
                    "白先手",
                    "白先黑负",
                    "【求助】这题怎么走？白先胜，有禁手。",
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
                    "Ход белых. Кто выигрывает?",
                    "Ход: белые",
                    "Белые ходят",
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
                assert_eq!(parse_turn(text), Some(Turn::Side(side)), "{text}");
            }
        }
    }

    #[test]
    fn other_statements_are_unclear_or_no_turns() {
        for text in [
            "黒番 太郎",
            "Black moves first, white moves next",
            "White not to move",
            "Alice white to move",
        ] {
            assert_eq!(parse_turn(text), Some(Turn::Unclear), "{text}");
        }
        for text in [
            "",
            "Black wins",
            "黑：张三",
            "先手：太郎",
            "white: Bob",
            "Last move: white h8",
            "Find the best move",
            "五子棋",
        ] {
            assert_eq!(parse_turn(text), None, "{text}");
        }
    }

    /// The web page writes these texts, so files may contain them.
    #[test]
    fn parse_turn_accepts_the_texts_of_the_web_page() {
        for text in [
            include_str!("../../../words/languages/cs.json"),
            include_str!("../../../words/languages/en.json"),
            include_str!("../../../words/languages/ja.json"),
            include_str!("../../../words/languages/ko.json"),
            include_str!("../../../words/languages/ru.json"),
            include_str!("../../../words/languages/vi.json"),
            include_str!("../../../words/languages/zh-Hans.json"),
            include_str!("../../../words/languages/zh-Hant.json"),
        ] {
            let words: serde_json::Value = serde_json::from_str(text).unwrap();
            for side in Color::ALL {
                let color = words[format!("color.{}", side.name())].as_str().unwrap();
                let turn = words["status.to-move"].as_str().unwrap().replace("{color}", color);
                assert_eq!(parse_turn(&turn), Some(Turn::Side(side)), "{turn}");
            }
        }
    }
}
