//! An overview of a position without a search: the state of the game, the fouls with their reasons,
//! and the threats that each side could make next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::Prospect;
use crate::cell::{Cell, cells};
use crate::ending::{Reason, State};
use crate::named::Named;
use crate::proved::Proved;
use tengen_rules::board::winning_row;
use tengen_rules::game::Game;
use tengen_rules::openings::RenjuOpening;
use tengen_rules::threat::{self, Foul, FoulPart};
use tengen_rules::types::{Color, Point};

/// An overview of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Facts {
    /// The state of the game, or the reason for its end.
    pub state: Named<State>,
    /// The winner; null for a draw and if the game is not over.
    pub winner: Option<Named<Color>>,
    /// The side to move.
    pub side_to_move: Named<Color>,
    /// The stones of all winning rows.
    pub row: Vec<Cell>,
    /// The points that are forbidden to black.
    pub fouls: Vec<Explanation>,
    /// The points that look forbidden but are legal.
    pub legal: Vec<Explanation>,
    /// The threats that one more stone of either colour would make, without fouls; empty if the game
    /// is over.
    pub prospects: Vec<Prospect>,
    /// The opening of renju; null for other rules and before the third move.
    pub opening: Option<Opening>,
    /// What the embedded proofs say; absent if nothing is proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<Proved>,
}

/// An opening of renju.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opening {
    /// `D1` to `D13` and `I1` to `I13`.
    pub code: String,
    /// Its names by language.
    pub names: OpeningNames,
}

/// The names of an opening of renju.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpeningNames {
    /// Japanese in Latin letters.
    pub romaji: String,
    /// Japanese.
    pub ja: String,
    /// Chinese in simplified characters.
    #[serde(rename = "zh-Hans")]
    pub zh_hans: String,
    /// Chinese in traditional characters.
    #[serde(rename = "zh-Hant")]
    pub zh_hant: String,
    /// Korean.
    pub ko: String,
    /// Russian.
    pub ru: String,
}

/// The reason why a point is forbidden to black, or why it is legal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The point.
    pub at: Cell,
    /// The foul; null if the point only looks forbidden.
    pub kind: Option<Named<Foul>>,
    /// The lines through the point.
    pub parts: Vec<FoulLine>,
}

/// A line through a point and its part in a foul.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoulLine {
    /// The pattern that the stone makes on the line.
    pub kind: Named<FoulPart>,
    /// The stones of the pattern.
    pub stones: Vec<Cell>,
    /// Whether the line counts for the foul.
    pub real: bool,
    /// For a three that does not count: the cells where the straight four is forbidden to black.
    pub forbidden: Vec<Cell>,
    /// For a three that does not count: the cells where black makes five on another line.
    pub fives: Vec<Cell>,
}

impl Facts {
    /// The overview of the current position of a game.
    pub fn of(game: &Game) -> Facts {
        let state = State::of(game);
        let winner = game.winner();
        let row = match (state, winner) {
            (State::Over(Reason::Five), Some(color)) => winning_stones(game, color),
            _ => Vec::new(),
        };
        let explained = game.explanations();
        let (fouls, legal): (Vec<_>, Vec<_>) =
            explained.iter().map(Explanation::from).partition(|it| it.kind.is_some());
        let is_over = matches!(state, State::Over(_));
        let prospects = if is_over { Vec::new() } else { game.prospects() };
        let prospects = prospects.iter().filter(|it| !it.kind.is_foul());
        Facts {
            state: Named(state),
            winner: winner.map(Named),
            side_to_move: Named(game.side_to_move()),
            row: cells(row),
            fouls,
            legal,
            prospects: prospects.map(Prospect::from).collect(),
            opening: RenjuOpening::of(game).map(Opening::from),
            proved: Proved::of(game),
        }
    }
}

impl From<&RenjuOpening> for Opening {
    fn from(it: &RenjuOpening) -> Opening {
        let names = OpeningNames {
            romaji: it.romaji.to_string(),
            ja: it.japanese.to_string(),
            zh_hans: it.chinese.to_string(),
            zh_hant: it.traditional_chinese.to_string(),
            ko: it.korean.to_string(),
            ru: it.russian.to_string(),
        };
        Opening { code: it.code.to_string(), names }
    }
}

impl From<&threat::Explanation> for Explanation {
    fn from(it: &threat::Explanation) -> Explanation {
        Explanation {
            at: Cell(it.at),
            kind: it.foul.map(Named),
            parts: it.reasons.iter().map(FoulLine::from).collect(),
        }
    }
}

impl From<&threat::FoulLine> for FoulLine {
    fn from(line: &threat::FoulLine) -> FoulLine {
        let blocked = |by_foul: bool| {
            let eyes = line.blocked_eyes.iter().filter(|(_, foul)| foul.is_some() == by_foul);
            cells(eyes.map(|&(at, _)| at))
        };
        FoulLine {
            kind: Named(line.part),
            stones: cells(line.stones.iter().copied()),
            real: line.is_real,
            forbidden: blocked(true),
            fives: blocked(false),
        }
    }
}

/// The stones of all winning rows, including rows without the last stone.
fn winning_stones(game: &Game, color: Color) -> Vec<Point> {
    let own = game.history().iter().filter(|stone| stone.color == color);
    let mut row: Vec<Point> =
        own.flat_map(|stone| winning_row(game.board(), stone.point, color)).collect();
    row.sort();
    row.dedup();
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Rule;

    fn facts(rule: Rule, moves: &str) -> Facts {
        Facts::of(&tengen_testkit::game(rule, moves))
    }

    #[test]
    fn won_game_has_its_row_and_no_prospects() {
        let won = facts(Rule::Freestyle, "a1 a2 b1 b2 c1 c2 d1 d2 e1");
        assert_eq!(won.state, Named(State::Over(Reason::Five)));
        assert_eq!((won.row.len(), won.prospects.len()), (5, 0));
        assert_eq!(won.winner, Some(Named(Color::Black)));
    }

    #[test]
    fn double_three_is_explained_by_both_lines() {
        let open = facts(Rule::Renju, "9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14");
        assert_eq!(open.state, Named(State::Open));
        let foul = &open.fouls[0];
        assert_eq!((foul.at, foul.kind), (Cell(Point::new(9, 6)), Some(Named(Foul::DoubleThree))));
        assert_eq!(foul.parts.iter().filter(|part| part.real).count(), 2);
        assert!(open.prospects.iter().all(|it| !it.foul));
    }

    #[test]
    fn openings_of_renju_have_names() {
        let opening = facts(Rule::Renju, "h8 h9 i9 a1").opening.expect("an opening");
        assert_eq!((opening.code.as_str(), opening.names.ja.as_str()), ("D4", "花月"));
        assert_eq!(facts(Rule::Standard, "h8 h9 i9").opening, None);
    }
}
