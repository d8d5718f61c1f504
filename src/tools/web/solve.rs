//! What the solver knows: wins, all of them, what holds against one, points of a kind.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::answer::Fault;
use super::ask::Cost;
use super::desk::Desk;
use super::position::{Placed, State, cell};
use super::talk::{Voice, Work};
use crate::game::Game;
use crate::solver::{Judged, Kind, Limits, Solver, Verdict};
use crate::tools::solve::answer::Answer;
use crate::tools::solve::points::{PointKind, Search};
use crate::types::{Color, Point};

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

enum Question {
    Win,
    Shortest,
    Tree,
    All,
    Defend,
    Refute(Point),
    Points(PointKind),
}

/// The board that asks, and the search.
///
/// # Errors
/// When the question makes no sense.
pub(super) fn answer(ask: Ask) -> Result<(String, Work), Fault> {
    let game = ask.position.game()?;
    let named = Kind::ALL.into_iter().find(|kind| kind.name() == ask.kind);
    let kind =
        named.ok_or_else(|| Fault::new(format!("{:?}: expected vcf, vct or any", ask.kind)))?;
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
        let mut talk = Talk { solver: desk.solver(), voice, kind, cost };
        let answer = talk.answer(&game, question)?;
        let mut object = answer.json(&game);
        object["state"] = state.name().into();
        object["stopped"] = voice.is_over().into();
        Ok(object)
    };
    Ok((ask.tab, Box::new(work)))
}

fn question(ask: &Ask, game: &Game) -> Result<Question, Fault> {
    Ok(match ask.question.as_str() {
        "win" => Question::Win,
        "shortest" => Question::Shortest,
        "tree" => Question::Tree,
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

struct Talk<'a> {
    solver: Solver,
    voice: &'a Voice,
    kind: Kind,
    cost: Cost,
}

impl Talk<'_> {
    fn limits(&self) -> Limits {
        let until = Some(Instant::now() + self.cost.time_or(TIME));
        Limits { nodes: self.cost.nodes(), until, stones: None }
    }

    fn answer(&mut self, game: &Game, question: Question) -> Result<Answer, Fault> {
        let (position, kind, limits) = (game.position(), self.kind, self.limits());
        let side = position.side_to_move();
        let stop = || self.voice.is_over();
        Ok(match question {
            Question::Win => {
                let report = self.solver.solve(position, side, kind, &limits, &stop);
                Answer::Solved { report, tree: None }
            }
            Question::Tree => {
                let report = self.solver.solve(position, side, kind, &limits, &stop);
                let tree = match report.verdict {
                    Verdict::Win(_) => {
                        self.solver.tree(position, &report, &limits, TREE_MOVES, &stop)
                    }
                    Verdict::None | Verdict::Unknown => None,
                };
                Answer::Solved { report, tree }
            }
            Question::Shortest => {
                Answer::Shortest(self.solver.shortest(position, kind, &limits, &stop))
            }
            Question::All => Answer::Wins(self.judge(game, side)),
            Question::Defend => Answer::Defences(self.judge(game, side.opponent())),
            Question::Refute(point) => {
                let mut after = game.clone();
                after.try_play(point).map_err(Fault::new)?;
                let attacker = side.opponent();
                let report = self.solver.solve(after.position(), attacker, kind, &limits, &stop);
                Answer::Refuted { at: point.into(), report }
            }
            Question::Points(points) => {
                let (cost, nodes) = (self.cost, self.cost.nodes());
                let limits = || {
                    let until = Some(Instant::now() + cost.time_or(TIME));
                    Limits { nodes, until, stones: None }
                };
                let search = Search { limits: &limits, stop: &stop };
                Answer::Points(points.find(game, &mut self.solver, &search))
            }
        })
    }

    /// Every move, with what it leaves; says how far it is and which moves it found.
    fn judge(&mut self, game: &Game, attacker: Color) -> Vec<Judged> {
        let (voice, cost) = (self.voice, self.cost);
        let limits = || {
            let until = Some(Instant::now() + cost.time_or(TIME));
            Limits { nodes: cost.nodes(), until, stones: None }
        };
        let of = game.legal_moves().count();
        let own = attacker == game.side_to_move();
        let (mut done, mut found) = (0, Vec::new());
        let progress = |judged: &Judged| {
            done += 1;
            let wins = matches!(judged.report.verdict, Verdict::Win(_));
            let holds = judged.report.verdict == Verdict::None && !judged.delays;
            if own && wins || !own && holds {
                found.push(judged.at.to_string());
            }
            voice.say(json!({ "judged": done, "of": of, "found": found }));
        };
        let stop = || voice.is_over();
        let position = game.position();
        self.solver.judge_moves(position, attacker, self.kind, &limits, &stop, progress)
    }
}
