//! Planes of positions as a JSON file.

use schemars::JsonSchema;
use serde::Serialize;

use crate::named::Named;
use tengen_rules::types::{Color, Rule};

/// Positions as planes of zeros and ones. Actions are numbers of cells, row by row from the top of
/// the transformed board.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "A JSON file of `tengen features`")]
pub struct FeatureFile<'a> {
    /// Names of the planes, in their order.
    pub planes: Vec<String>,
    /// The positions, game by game, each game from its start to its end.
    pub positions: Vec<FeatureRow<'a>>,
}

/// One position.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FeatureRow<'a> {
    /// The number of the game.
    #[schemars(range(min = 1))]
    pub game: usize,
    /// Stones on the board.
    pub stones: usize,
    /// WxH
    pub size: String,
    /// The rule of the game.
    pub rule: Named<Rule>,
    /// The side to move.
    pub to_move: Named<Color>,
    /// The number of the symmetry that was applied to the board.
    #[schemars(range(min = 0, max = 7))]
    pub symmetry: usize,
    /// The move of the game; null at its end.
    pub played: Option<usize>,
    /// For the side to move: 1 for a win, -1 for a loss, 0 for a draw; null if unknown.
    #[schemars(range(min = -1, max = 1))]
    pub result: Option<f32>,
    /// With --labels: the engine's expected result.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -1, max = 1))]
    pub value: Option<f32>,
    /// With --labels: the engine's move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<usize>,
    /// By plane, row and column.
    pub planes: Vec<Vec<&'a [u8]>>,
}
