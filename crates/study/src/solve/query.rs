//! A question to the solver that is read from JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::question::Question;
use crate::input::InputError;
use crate::position::{parse_name, point};
use tengen::solver::WinKind;
use tengen_rules::game::Game;

/// Moves of a proof at most.
const TREE_MOVES: usize = 2_000;

/// A question about forced wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Query {
    /// The kind of win: `vcf`, `vct` or `any`.
    #[serde(default = "any")]
    pub kind: String,
    /// `win`, `shortest`, `tree`, `all`, `defend`, `refute` or `points`.
    pub question: String,
    /// The move to refute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The kind of points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<String>,
}

fn any() -> String {
    WinKind::Any.name().to_string()
}

impl Query {
    /// The kind of win, and the question about this game.
    ///
    /// # Errors
    /// When a name is unknown, something is missing, or the move to refute is not allowed.
    pub fn on(&self, game: &Game) -> Result<(WinKind, Question), InputError> {
        let missing = |what: &str| InputError::other(format!("{} needs {what}", self.question));
        let question = match self.question.as_str() {
            "win" => Question::Win { tree: None },
            "shortest" => Question::Shortest,
            "tree" => Question::Win { tree: Some(TREE_MOVES) },
            "all" => Question::All,
            "defend" => Question::Defend { only_from_threat: false },
            "refute" => {
                let name = self.at.as_deref().ok_or_else(|| missing("at"))?;
                let point = point(game, name)?;
                if let Err(offence) = game.check(point) {
                    return Err(InputError::from(offence).at(name));
                }
                Question::Refute(point)
            }
            "points" => {
                let name = self.points.as_deref().ok_or_else(|| missing("points"))?;
                Question::Points(parse_name(name)?)
            }
            other => {
                let expected = "expected win, shortest, tree, all, defend, refute or points";
                return Err(InputError::Name(other.to_string(), expected.to_string()));
            }
        };
        Ok((parse_name(&self.kind)?, question))
    }
}
