//! The 26 openings of renju by name.
//!
//! Black's first stone is in the centre, white's beside it: `D` stands for direct (orthogonal), `I`
//! for indirect (diagonal). Black's second stone, within the central 5x5, makes the opening, and its
//! number counts these points row by row. Turned and mirrored positions are the same opening.
//!
//! Codes and romaji are those of the Renju International Federation, the kanji those of the Japanese
//! federation (Nihon Renju-sha). The Chinese names are written with the same characters; Korean names
//! are their Korean readings, Russian ones transcriptions by Polivanov's system.

use std::fmt;

use crate::board::{Board, Stone};
use crate::game::Game;
use crate::types::{Color, Point, Rule};

/// An opening of renju: the position after three moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenjuOpening {
    /// `D1` to `D13` and `I1` to `I13`.
    pub code: &'static str,
    /// The Japanese name in Latin letters.
    pub romaji: &'static str,
    /// The Japanese name.
    pub japanese: &'static str,
    /// The Chinese name in simplified characters.
    pub chinese: &'static str,
    /// The Chinese name in traditional characters.
    pub traditional_chinese: &'static str,
    /// The Korean name.
    pub korean: &'static str,
    /// The Russian name.
    pub russian: &'static str,
    /// Columns to the right of the centre and rows above it: white's stone, and black's second.
    stones: [(i32, i32); 2],
}

/// All openings.
pub const RENJU_OPENINGS: [RenjuOpening; 26] = {
    const DIRECT: (i32, i32) = (0, 1);
    const INDIRECT: (i32, i32) = (1, 1);
    /// The names are in the order of the fields.
    const fn opening(
        code: &'static str,
        white: (i32, i32),
        names: [&'static str; 6],
        black: (i32, i32),
    ) -> RenjuOpening {
        let [romaji, japanese, chinese, traditional_chinese, korean, russian] = names;
        let stones = [white, black];
        RenjuOpening {
            code,
            romaji,
            japanese,
            chinese,
            traditional_chinese,
            korean,
            russian,
            stones,
        }
    }
    [
        opening("D1", DIRECT, ["Kansei", "寒星", "寒星", "寒星", "한성", "Кансэй"], (0, 2)),
        opening("D2", DIRECT, ["Keigetsu", "渓月", "溪月", "溪月", "계월", "Кэйгэцу"], (1, 2)),
        opening("D3", DIRECT, ["Sosei", "疎星", "疏星", "疏星", "소성", "Сосэй"], (2, 2)),
        opening("D4", DIRECT, ["Kagetsu", "花月", "花月", "花月", "화월", "Кагэцу"], (1, 1)),
        opening("D5", DIRECT, ["Zangetsu", "残月", "残月", "殘月", "잔월", "Дзангэцу"], (2, 1)),
        opening("D6", DIRECT, ["Ugetsu", "雨月", "雨月", "雨月", "우월", "Угэцу"], (1, 0)),
        opening("D7", DIRECT, ["Kinsei", "金星", "金星", "金星", "금성", "Кинсэй"], (2, 0)),
        opening("D8", DIRECT, ["Shogetsu", "松月", "松月", "松月", "송월", "Сёгэцу"], (0, -1)),
        opening("D9", DIRECT, ["Kyugetsu", "丘月", "丘月", "丘月", "구월", "Кюгэцу"], (1, -1)),
        opening("D10", DIRECT, ["Shingetsu", "新月", "新月", "新月", "신월", "Сингэцу"], (2, -1)),
        opening("D11", DIRECT, ["Zuisei", "瑞星", "瑞星", "瑞星", "서성", "Дзуйсэй"], (0, -2)),
        opening("D12", DIRECT, ["Sangetsu", "山月", "山月", "山月", "산월", "Сангэцу"], (1, -2)),
        opening("D13", DIRECT, ["Yusei", "遊星", "游星", "遊星", "유성", "Юсэй"], (2, -2)),
        opening("I1", INDIRECT, ["Chosei", "長星", "长星", "長星", "장성", "Тёсэй"], (2, 2)),
        opening("I2", INDIRECT, ["Kyogetsu", "峡月", "峡月", "峽月", "협월", "Кёгэцу"], (2, 1)),
        opening("I3", INDIRECT, ["Kosei", "恒星", "恒星", "恆星", "항성", "Косэй"], (2, 0)),
        opening("I4", INDIRECT, ["Suigetsu", "水月", "水月", "水月", "수월", "Суйгэцу"], (2, -1)),
        opening("I5", INDIRECT, ["Ryusei", "流星", "流星", "流星", "유성", "Рюсэй"], (2, -2)),
        opening("I6", INDIRECT, ["Ungetsu", "雲月", "云月", "雲月", "운월", "Унгэцу"], (1, 0)),
        opening("I7", INDIRECT, ["Hogetsu", "浦月", "浦月", "浦月", "포월", "Хогэцу"], (1, -1)),
        opening("I8", INDIRECT, ["Rangetsu", "嵐月", "岚月", "嵐月", "남월", "Рангэцу"], (1, -2)),
        opening("I9", INDIRECT, ["Gingetsu", "銀月", "银月", "銀月", "은월", "Гингэцу"], (0, -1)),
        opening("I10", INDIRECT, ["Myojo", "明星", "明星", "明星", "명성", "Мёдзё"], (0, -2)),
        opening("I11", INDIRECT, ["Shagetsu", "斜月", "斜月", "斜月", "사월", "Сягэцу"], (-1, -1)),
        opening("I12", INDIRECT, ["Meigetsu", "名月", "名月", "名月", "명월", "Мэйгэцу"], (-1, -2)),
        opening("I13", INDIRECT, ["Suisei", "彗星", "彗星", "彗星", "혜성", "Суйсэй"], (-2, -2)),
    ]
};

impl RenjuOpening {
    /// The opening of a game of renju: that of its first three stones. None for other rules and boards
    /// without a centre, before the third move, and after more than three stones that were set up,
    /// whose order is unknown.
    pub fn of(game: &Game) -> Option<&'static RenjuOpening> {
        let set_up = game.history().len() - game.moves().count();
        if set_up > 3 { None } else { RenjuOpening::of_board(game.board()) }
    }

    /// The opening of a board whose first three stones were placed first, in any order among them.
    pub fn of_board(board: &Board) -> Option<&'static RenjuOpening> {
        let size = board.size();
        if board.rule() != Rule::Renju
            || size.width().is_multiple_of(2)
            || size.height().is_multiple_of(2)
        {
            return None;
        }
        let stones: &[Stone; 3] = board.history().first_chunk()?;
        let of = |color| stones.iter().filter(move |stone| stone.color == color);
        let (Some(white), 1) = (of(Color::White).next(), of(Color::White).count()) else {
            return None;
        };
        let mut black = of(Color::Black);
        let (first, second) = (black.next()?, black.next()?);
        let center = Point::new(size.width() / 2, size.height() / 2);
        let black = match center {
            at if at == first.point => second.point,
            at if at == second.point => first.point,
            _ => return None,
        };
        let relative = |at: Point| {
            let step = |at: u8, center: u8| i32::from(at) - i32::from(center);
            // Rows are counted from the top.
            (step(at.x(), center.x()), -step(at.y(), center.y()))
        };
        let (white, black) = (relative(white.point), relative(black));
        let turned = |number: u8, (x, y): (i32, i32)| {
            let x = if number & 1 == 0 { x } else { -x };
            let y = if number & 2 == 0 { y } else { -y };
            if number & 4 == 0 { (x, y) } else { (y, x) }
        };
        (0..8).find_map(|number| {
            let stones = [turned(number, white), turned(number, black)];
            RENJU_OPENINGS.iter().find(|opening| opening.stones == stones)
        })
    }
}

/// Code, romaji and Japanese name: `D4 Kagetsu 花月`.
impl fmt::Display for RenjuOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.code, self.romaji, self.japanese)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::types::{BoardSize, Symmetry};

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new(BoardSize::square(15).unwrap(), Rule::Renju);
        for at in moves {
            game.try_play(game.point(at).unwrap()).unwrap();
        }
        game
    }

    fn code(game: &Game) -> Option<&'static str> {
        RenjuOpening::of(game).map(|opening| opening.code)
    }

    #[test]
    fn openings_have_the_codes_of_the_federation() {
        let cases = [
            (["h8", "h9", "h10"], "D1"),
            (["h8", "h9", "i9"], "D4"),
            (["h8", "h9", "j6"], "D13"),
            (["h8", "i9", "j10"], "I1"),
            (["h8", "i9", "i7"], "I7"),
            (["h8", "i9", "f6"], "I13"),
            (["h8", "g8", "g9"], "D4"),
            // The centre last.
            (["i9", "h9", "h8"], "D4"),
        ];
        for (moves, expected) in cases {
            assert_eq!(code(&game(&moves)), Some(expected), "{moves:?}");
        }
    }

    #[test]
    fn every_third_move_within_five_columns_is_an_opening_in_every_symmetry() {
        for white in ["h9", "i9"] {
            let mut found = HashSet::new();
            for (x, y) in (5..10).flat_map(|x| (5..10).map(move |y| (x, y))) {
                let mut game = game(&["h8", white]);
                if game.try_play(Point::new(x, y)).is_err() {
                    continue;
                }
                let name = code(&game).unwrap_or_else(|| panic!("{white} {x},{y}"));
                found.insert(name);
                for symmetry in Symmetry::ALL {
                    assert_eq!(code(&game.turned(symmetry)), Some(name));
                }
            }
            assert_eq!(found.len(), 13);
        }
    }

    #[test]
    fn other_positions_have_no_name() {
        for moves in
            [&["h8", "h9"][..], &["h8", "h9", "k8"], &["g8", "h9", "i9"], &["h8", "j8", "i9"]]
        {
            assert_eq!(code(&game(moves)), None, "{moves:?}");
        }
        let mut freestyle = Game::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for at in ["h8", "h9", "i9"] {
            freestyle.try_play(freestyle.point(at).unwrap()).unwrap();
        }
        assert_eq!(code(&freestyle), None);
    }

    #[test]
    fn set_up_stones_have_an_opening_only_if_they_are_three() {
        let diagram = |more: &str| {
            let lines = format!("{more}....\n..X..\n.OX..\n.....\n.....");
            Game::from_diagram(Rule::Renju, &lines).unwrap()
        };
        let mut three = diagram(".");
        assert_eq!(code(&three), Some("D6"));
        three.play(three.cell("a1").unwrap());
        assert_eq!(code(&three), Some("D6"));
        assert_eq!(code(&diagram("O")), None);
    }

    #[test]
    fn codes_and_stones_differ() {
        let codes: HashSet<_> = RENJU_OPENINGS.iter().map(|opening| opening.code).collect();
        let stones: HashSet<_> = RENJU_OPENINGS.iter().map(|opening| opening.stones).collect();
        assert_eq!((codes.len(), stones.len()), (26, 26));
    }
}
