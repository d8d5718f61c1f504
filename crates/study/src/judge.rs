//! The result of a sequence of moves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ending::Reason;
use crate::named::{Named, impl_name};
use crate::origin::Origin;
use tengen_rules::game::{Ending, Game};
use tengen_rules::types::{BoardSize, Color, Coordinates, Rule};

/// The outcome of a sequence of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A win for this side.
    Win(Color),
    /// A draw.
    Draw,
    /// The game is not over.
    None,
    /// A move is illegal.
    Illegal,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Outcome; 5] = [
        Outcome::Win(Color::Black),
        Outcome::Win(Color::White),
        Outcome::Draw,
        Outcome::None,
        Outcome::Illegal,
    ];

    /// `black`, `white`, `draw`, `none` or `illegal`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Win(color) => color.name(),
            Outcome::Draw => "draw",
            Outcome::None => "none",
            Outcome::Illegal => "illegal",
        }
    }
}

impl_name! {
    Outcome, "Outcome", Outcome::ALL;
}

/// The result of a sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The output of `tengen judge`")]
pub struct Verdict {
    /// The file and number of the game.
    #[serde(flatten)]
    pub origin: Origin,
    /// Number of the deciding move, from 1; the number of moves if the game is not over.
    pub ply: usize,
    /// The winner, draw, illegal, or none if the game is not over.
    pub result: Named<Outcome>,
    /// The reason for the end of the game; null if it is not over.
    pub reason: Option<Named<Reason>>,
    /// The winner, also after an illegal move; null after a draw and if the game is not over.
    /// `after-end` does not change the winner.
    pub winner: Option<Named<Color>>,
}

/// Plays the moves, black first, up to the first illegal one.
pub fn judge(rule: Rule, size: BoardSize, moves: &[Coordinates]) -> Verdict {
    judge_from(Game::new(size, rule), moves.iter().copied().map(Some))
}

/// Continues the game by the moves, of which `None` is a pass, up to the first illegal one.
pub fn judge_from(mut game: Game, moves: impl IntoIterator<Item = Option<Coordinates>>) -> Verdict {
    let mut decided = game.ending().map(|ending| (0, ending));
    let mut ply = 0;
    for (number, at) in (1..).zip(moves) {
        ply = number;
        let Some(at) = at else {
            game.pass();
            continue;
        };
        let Some(ending) = game.play(at) else { continue };
        decided = Some((number, ending));
        if let Ending::Illegal(..) = ending {
            break;
        }
    }
    let Some((ply, ending)) = decided else {
        return Verdict::new(ply, Outcome::None, None, None);
    };
    let result = match ending {
        Ending::Illegal(..) => Outcome::Illegal,
        Ending::Full => Outcome::Draw,
        Ending::Five(color) => Outcome::Win(color),
    };
    // A move after the end does not change the winner.
    Verdict::new(ply, result, Some(ending.into()), game.winner())
}

impl Verdict {
    fn new(ply: usize, result: Outcome, reason: Option<Reason>, winner: Option<Color>) -> Verdict {
        let (result, reason, winner) = (Named(result), reason.map(Named), winner.map(Named));
        Verdict { origin: Origin::default(), ply, result, reason, winner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::moves::MoveText;

    fn verdict(rule: Rule, size: &str, moves: &str) -> Verdict {
        let size = size.parse().unwrap();
        let moves: MoveText = moves.parse().unwrap();
        judge(rule, size, &moves.on(size).map(|(_, at)| at).collect::<Vec<_>>())
    }

    #[test]
    fn undecided_and_illegal_sequences_are_reported() {
        let illegal = |found: Verdict| {
            assert_eq!(found.result, Named(Outcome::Illegal));
            let reason = found.reason.map_or("", |reason| reason.0.name());
            (found.ply, reason, found.winner.map(|winner| winner.0))
        };
        let none = verdict(Rule::Renju, "15", "7,7 8,8");
        assert_eq!(none, Verdict::new(2, Outcome::None, None, None));
        let empty = verdict(Rule::Renju, "15", "");
        assert_eq!(empty, Verdict::new(0, Outcome::None, None, None));
        let taken = verdict(Rule::Caro, "15", "7,7 7,7 8,8");
        assert_eq!(illegal(taken), (2, "occupied", Some(Color::Black)));
        let outside = verdict(Rule::Caro, "9x30", "8,29 9,0");
        assert_eq!(illegal(outside), (2, "off-board", Some(Color::Black)));
        let late = verdict(Rule::Freestyle, "15", "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0 9,9 9,9");
        assert_eq!(illegal(late), (10, "after-end", Some(Color::Black)));
        let foul = verdict(Rule::Renju, "15", "e8 a1 f8 a3 g8 a5 h5 c1 h6 e1 h7 g1 h8");
        assert_eq!(illegal(foul), (13, "double-four", Some(Color::White)));
    }

    #[test]
    fn games_continue_from_set_up_stones_and_passes() {
        let five = Game::from_diagram(Rule::Freestyle, "X X X X X\n. . . . .\n").unwrap();
        let won = judge_from(five, []);
        assert_eq!((won.ply, won.result), (0, Named(Outcome::Win(Color::Black))));
        let four = Game::from_diagram(Rule::Freestyle, "X X X X .\nO O O . .\n").unwrap();
        let white = Coordinates { x: 3, y: 1 };
        let moves = [None, None, Some(white), Some(Coordinates { x: 4, y: 0 })];
        let won = judge_from(four, moves);
        assert_eq!((won.ply, won.result), (4, Named(Outcome::Win(Color::Black))));
    }

    #[test]
    fn wins_file_is_judged_correctly() {
        let file = include_str!("../../../protocol-tests/wins.jsonl");
        let mut judged = 0;
        for line in file.lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let moves: Vec<&str> =
                case["moves"].as_array().unwrap().iter().map(|at| at.as_str().unwrap()).collect();
            let got = verdict(
                case["rule"].as_str().unwrap().parse().unwrap(),
                &case["size"].to_string(),
                &moves.join(" "),
            );
            let (id, expected) = (&case["id"], case["result_after_last"].as_str().unwrap());
            assert_eq!(got.result.0.name(), expected, "{id}");
            assert_eq!(got.ply, moves.len(), "{id}");
            let tags = case["tags"].as_array().unwrap();
            if let Some(foul) =
                tags.iter().filter_map(|tag| tag.as_str()?.strip_prefix("foul:")).next()
            {
                let kind = match foul {
                    "33" => "double-three",
                    "44" => "double-four",
                    other => other,
                };
                assert_eq!(got.reason.map(|reason| reason.0.name()), Some(kind), "{id}");
            }
            judged += 1;
        }
        assert_eq!(judged, 425);
    }
}
