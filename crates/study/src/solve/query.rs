//! Questions to the solver in JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::question::{Question, Search};
use super::solution::{Solution, Solved};
use super::{has_none, has_win};
use crate::cell::Cell;
use crate::ending::State;
use crate::input::InputError;
use crate::named::Named;
use crate::position::{parse_name, point};
use tengen::solver::{Judged, Solver, WinKind};
use tengen_rules::game::Game;

/// Maximum number of moves of a proof.
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

/// Progress of judging moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judging {
    /// Number of moves judged so far.
    pub judged: usize,
    /// Number of moves to judge.
    pub of: usize,
    /// The moves found so far that win, or hold.
    pub found: Vec<Cell>,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryAnswer {
    /// The state of the game.
    pub state: Named<State>,
    /// Whether the search was stopped.
    pub stopped: bool,
    /// The solution; absent if the side to move has no legal move.
    #[serde(flatten)]
    pub solution: Option<Solution>,
}

fn any() -> String {
    WinKind::Any.name().to_string()
}

impl Query {
    /// The kind of win, and the question about this game.
    ///
    /// # Errors
    /// When a name is unknown, a field is missing, or the move to refute is illegal.
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

impl Question {
    /// Answers the question about a game, which may be over. Calls `report` after every judged move.
    pub fn answer(
        self,
        game: &Game,
        kind: WinKind,
        solver: &mut Solver,
        search: &Search<'_>,
        mut report: impl FnMut(&Judging),
    ) -> QueryAnswer {
        let state = State::of(game);
        let answer = |solution| {
            let stopped = (search.stop)();
            QueryAnswer { state: Named(state), stopped, solution }
        };
        if state != State::Open {
            return answer(None);
        }
        // A move that ends the game cannot be refuted.
        if let Question::Refute(point) = self
            && game.clone().play(point).is_some()
        {
            return answer(Some(Solution::Verdict(Box::new(Solved::nothing_after(point, kind)))));
        }
        let is_found = if let Question::All = self { has_win } else { has_none };
        let of = game.legal_moves().count();
        let mut progress = Judging { judged: 0, of, found: Vec::new() };
        let done = |judged: &Judged| {
            progress.judged += 1;
            progress.found.extend(is_found(judged).then_some(Cell(judged.at)));
            report(&progress);
        };
        let found = self.ask(game, kind, solver, search, done);
        answer(Some(found.solution(game)))
    }
}
