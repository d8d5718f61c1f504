//! What the solver knows: wins, all of them, what holds against one, points of a kind.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::answer::Fault;
use super::ask::Cost;
use super::desk::Desk;
use super::position::{Placed, State, cell, named};
use super::talk::{Voice, Work};
use tengen::solver::{Judged, Limits};
use tengen_rules::game::Game;
use tengen_study::solve::{Question, Search};
use tengen_study::solve::{has_none, has_win};

/// Time for each look where none is given.
const TIME: Duration = Duration::from_secs(5);
/// Moves of a proof that is shown.
const TREE_MOVES: usize = 2_000;

/// Asks about forced wins.
#[derive(Deserialize)]
pub(super) struct Ask {
    tab: String,
    position: Placed,
    #[serde(flatten)]
    cost: Cost,
    /// `vcf`, `vct` or `any`.
    #[serde(default = "any")]
    kind: String,
    /// `win`, `shortest`, `tree`, `all`, `defend`, `refute`, `points`.
    question: String,
    /// The move to refute.
    at: Option<String>,
    /// The kind of points.
    points: Option<String>,
}

fn any() -> String {
    "any".to_string()
}

/// The board that asks, and the search.
///
/// # Errors
/// When the question makes no sense.
pub(super) fn answer(ask: Ask) -> Result<(String, Work), Fault> {
    let game = ask.position.game()?;
    let kind = named(&ask.kind)?;
    let question = question(&ask, &game)?;
    ask.cost.limits()?;
    let cost = ask.cost;
    let work = move |desk: &mut Desk, voice: &Voice| {
        let state = State::of(&game);
        if state != State::Open {
            return Ok(json!({ "state": state.name() }));
        }
        // There is nothing to refute in a move that ends the game.
        if let Question::Refute(point) = question
            && game.clone().try_play(point).map_err(Fault::new)?.is_some()
        {
            return Ok(json!({ "state": state.name(), "result": "none" }));
        }
        let search = Search { limits: &|| limits(cost), stop: &|| voice.is_over() };
        let is_found = if let Question::All = question { has_win } else { has_none };
        let of = game.legal_moves().count();
        let (mut done, mut found) = (0, Vec::new());
        let progress = |judged: &Judged| {
            done += 1;
            if is_found(judged) {
                found.push(judged.at.to_string());
            }
            voice.say(json!({ "judged": done, "of": of, "found": found }));
        };
        let answer = question.ask(&game, kind, &mut desk.solver(), &search, progress);
        let mut object = answer.json(&game);
        object["state"] = state.name().into();
        object["stopped"] = voice.is_over().into();
        Ok(object)
    };
    Ok((ask.tab, Box::new(work)))
}

/// The limits of each look, counted from now.
fn limits(cost: Cost) -> Limits {
    let until = Some(Instant::now() + cost.time_or(TIME));
    Limits { nodes: cost.nodes(), until, stones: None }
}

fn question(ask: &Ask, game: &Game) -> Result<Question, Fault> {
    Ok(match ask.question.as_str() {
        "win" => Question::Win { tree: None },
        "shortest" => Question::Shortest,
        "tree" => Question::Win { tree: Some(TREE_MOVES) },
        "all" => Question::All,
        "defend" => Question::Defend,
        "refute" => {
            let name = ask.at.as_deref().ok_or_else(|| Fault::new("refute needs at"))?;
            let point = cell(game, name)?;
            if let Err(offence) = game.check(point) {
                return Err(Fault::new(offence).at(name));
            }
            Question::Refute(point)
        }
        "points" => {
            let name = ask.points.as_deref().ok_or_else(|| Fault::new("points needs points"))?;
            Question::Points(name.parse().map_err(|error| Fault::new(error).at(name))?)
        }
        other => {
            let expected = "win, shortest, tree, all, defend, refute or points";
            return Err(Fault::new(format!("{other:?}: expected {expected}")));
        }
    })
}
