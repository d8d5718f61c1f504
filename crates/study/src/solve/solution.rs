//! The answer to one question, as data.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::move_name::MoveName;
use super::{Wanted, has_none, has_win, is_unknown, select};
use crate::cell::{Cell, cells};
use crate::named::{Named, impl_name};
use tengen::solver::{self, Judged, SolveReport, Verdict, WinKind};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// The answer to one question about one position, whose name in the file, if it has one, is the
/// id. Cells are texts x,y: column from the left and row from the top, both from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "A line of `tengen solve --json`")]
pub enum Solution {
    /// A verdict.
    Verdict(Box<Solved>),
    /// Every winning first move.
    Wins(Wins),
    /// Every move that holds.
    Defences(Defences),
    /// Nothing to defend against.
    Calm(Calm),
    /// The points of a kind.
    Points(Points),
}

/// Without a question of another kind, and with --shortest, --refute or --tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Solved {
    /// The name of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// For the side to move. none: everything was tried; unknown: the limits came first, or one
    /// look of the search for any threats had to end too early.
    pub result: Named<Outcome>,
    /// The kind of win that was looked for, or found.
    pub kind: Named<WinKind>,
    /// Moves of both sides to the five, at most; null without a win.
    #[schemars(range(min = 1))]
    pub plies: Option<u16>,
    /// The moves of both sides, the winner's first.
    pub line: Vec<LineMove>,
    /// Nodes visited to decide.
    pub nodes: u64,
    /// Time in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// With --shortest: whether nothing shorter exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<bool>,
    /// With --refute: the move asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refutes: Option<Cell>,
    /// With --tree: the whole proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<Attack>,
    /// With --tree: replies that it has no room for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<usize>,
}

/// What became of the question whether there is a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move wins.
    Win,
    /// The opponent wins.
    Loss,
    /// There is no win: everything was tried.
    None,
    /// The search ended before the question was decided.
    Unknown,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Outcome; 4] = [Outcome::Win, Outcome::Loss, Outcome::None, Outcome::Unknown];

    /// `win`, `loss`, `none` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Loss => "loss",
            Outcome::None => "none",
            Outcome::Unknown => "unknown",
        }
    }
}

impl From<Verdict> for Outcome {
    /// The outcome for the side whose win was looked for.
    fn from(verdict: Verdict) -> Outcome {
        match verdict {
            Verdict::Win(_) => Outcome::Win,
            Verdict::None => Outcome::None,
            Verdict::Unknown => Outcome::Unknown,
        }
    }
}

/// The threat to defend against, as far as it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threat {
    /// There is none: everything was tried.
    None,
    /// The limits came first.
    Unknown,
}

impl Threat {
    /// `none` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Threat::None => "none",
            Threat::Unknown => "unknown",
        }
    }
}

impl_name! {
    Outcome, "SolverResult", Outcome::ALL;
    Threat, "SolverThreat", [Threat::None, Threat::Unknown];
}

/// A move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineMove {
    /// Where.
    pub at: Cell,
    /// What it makes, or what it is for.
    pub name: Named<MoveName>,
}

/// A move of the winner and the replies that could hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attack {
    /// Where.
    pub at: Cell,
    /// What it makes, or what it is for.
    pub name: Named<MoveName>,
    /// The replies that could hold; absent where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<Reply>,
    /// Replies that are left out; absent where all are there.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 1))]
    pub cut: usize,
}

/// A reply of the loser and the winner's next move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reply {
    /// Where.
    pub at: Cell,
    /// What it makes, or what it is for.
    pub name: Named<MoveName>,
    /// The winner's move.
    pub then: Attack,
}

/// With --all: the moves, by what they lead to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wins {
    /// The name of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The moves that win.
    pub wins: Vec<Cell>,
    /// The moves after which there is no win.
    pub fails: Vec<Cell>,
    /// The moves that the limits left undecided.
    pub unknown: Vec<Cell>,
    /// Nodes visited to decide.
    pub nodes: u64,
    /// Time in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
}

/// With --defend: the moves, by what they leave to the opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Defences {
    /// The name of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The moves after which the opponent has no win.
    pub holds: Vec<Cell>,
    /// The moves that only put the opponent's win off.
    pub delays: Vec<Cell>,
    /// The moves after which the opponent wins.
    pub loses: Vec<Cell>,
    /// The moves that the limits left undecided.
    pub unknown: Vec<Cell>,
    /// Nodes visited to decide.
    pub nodes: u64,
    /// Time in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
}

/// With --defend where no threat was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calm {
    /// The name of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// none: everything was tried; unknown: the limits came first.
    pub threat: Named<Threat>,
    /// The kind of win that was looked for.
    pub kind: Named<WinKind>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
}

/// With --points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Points {
    /// The name of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The points of the kind.
    pub points: Vec<Cell>,
}

impl Answer {
    /// The answer as data. A result is that of the side to move in the game.
    pub fn solution(&self, game: &Game) -> Solution {
        let mut position = game.position().clone();
        match self {
            Answer::Solved { report, tree } => Solution::Verdict(Box::new(Solved {
                cut: tree.as_ref().map(solver::Attack::cut_in_all),
                tree: tree.as_ref().map(|tree| Attack::of(tree, &mut position)),
                ..Solved::of(report, &mut position)
            })),
            Answer::Shortest(shortest) => Solution::Verdict(Box::new(Solved {
                shortest: Some(shortest.proved),
                ..Solved::of(&shortest.report, &mut position)
            })),
            Answer::Wins(judged) => Solution::Wins(Wins {
                id: None,
                wins: moves(judged, has_win),
                fails: moves(judged, has_none),
                unknown: moves(judged, is_unknown),
                nodes: nodes(judged),
                seconds: elapsed(judged),
            }),
            Answer::Defences(judged) => Solution::Defences(Defences {
                id: None,
                holds: moves(judged, has_none),
                delays: moves(judged, |judged| judged.delays),
                loses: moves(judged, has_win),
                unknown: moves(judged, is_unknown),
                nodes: nodes(judged),
                seconds: elapsed(judged),
            }),
            Answer::NoThreat(report) => Solution::Calm(Calm {
                id: None,
                threat: Named(match report.verdict {
                    Verdict::None => Threat::None,
                    Verdict::Win(_) | Verdict::Unknown => Threat::Unknown,
                }),
                kind: Named(report.kind),
                nodes: report.nodes,
                seconds: seconds(report.elapsed),
            }),
            Answer::Refuted { at, report } => {
                position.play(*at);
                let solved = Solved::of(report, &mut position);
                let result = match solved.result.0 {
                    Outcome::Win => Outcome::Loss,
                    other => other,
                };
                let (result, refutes) = (Named(result), Some(Cell(*at)));
                Solution::Verdict(Box::new(Solved { result, refutes, ..solved }))
            }
            Answer::Points(points) => {
                Solution::Points(Points { id: None, points: cells(points.iter().copied()) })
            }
        }
    }
}

impl Solution {
    /// The same with the name of the position.
    #[must_use]
    pub fn with_id(mut self, name: Option<String>) -> Solution {
        let id = match &mut self {
            Solution::Verdict(solved) => &mut solved.id,
            Solution::Wins(wins) => &mut wins.id,
            Solution::Defences(defences) => &mut defences.id,
            Solution::Calm(calm) => &mut calm.id,
            Solution::Points(points) => &mut points.id,
        };
        *id = name;
        self
    }
}

impl Solved {
    /// A report about the side to move in the position.
    pub fn of(report: &SolveReport, position: &mut Position) -> Solved {
        Solved {
            id: None,
            result: Named(report.verdict.into()),
            kind: Named(report.kind),
            plies: match report.verdict {
                Verdict::Win(plies) => Some(plies),
                Verdict::None | Verdict::Unknown => None,
            },
            line: named_line(&report.line, position),
            nodes: report.nodes,
            seconds: seconds(report.elapsed),
            shortest: None,
            refutes: None,
            tree: None,
            cut: None,
        }
    }
}

impl Solved {
    /// The opponent has nothing after a move that ends the game.
    pub fn nothing_after(point: Point, kind: WinKind) -> Solved {
        Solved {
            id: None,
            result: Named(Outcome::None),
            kind: Named(kind),
            plies: None,
            line: Vec::new(),
            nodes: 0,
            seconds: 0.0,
            shortest: None,
            refutes: Some(Cell(point)),
            tree: None,
            cut: None,
        }
    }
}

impl Attack {
    /// The proof of the solver with the names of its moves.
    pub fn of(attack: &solver::Attack, position: &mut Position) -> Attack {
        let name = Named(MoveName::of(position, attack.at));
        let replies = attack.replies.iter();
        let replies = position
            .with_move(attack.at, |after| replies.map(|reply| Reply::of(reply, after)).collect());
        Attack { at: Cell(attack.at), name, replies, cut: attack.cut }
    }
}

impl Reply {
    fn of(reply: &solver::Reply, position: &mut Position) -> Reply {
        let name = Named(MoveName::of(position, reply.at));
        let then = position.with_move(reply.at, |after| Attack::of(&reply.then, after));
        Reply { at: Cell(reply.at), name, then }
    }
}

/// The moves of a line with their names.
pub fn named_line(line: &[Point], position: &mut Position) -> Vec<LineMove> {
    position.with_rollback(|position| {
        let name = |&at: &Point| {
            let name = Named(MoveName::of(position, at));
            position.play(at);
            LineMove { at: Cell(at), name }
        };
        line.iter().map(name).collect()
    })
}

/// To a millionth of a second.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn nodes(judged: &[Judged]) -> u64 {
    judged.iter().map(|judged| judged.report.nodes).sum()
}

fn elapsed(judged: &[Judged]) -> f64 {
    seconds(judged.iter().map(|judged| judged.report.elapsed).sum())
}

fn moves(judged: &[Judged], wanted: Wanted) -> Vec<Cell> {
    cells(select(judged, wanted).map(|judged| judged.at))
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
