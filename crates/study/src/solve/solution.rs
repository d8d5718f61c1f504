//! The answer to a question, as data.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::move_name::MoveName;
use super::{MoveFilter, has_none, has_win, is_unknown, select};
use crate::cell::{Cell, cells};
use crate::named::{Named, impl_name};
use crate::origin::Origin;
use tengen::solver::{self, Judged, SolveReport, Verdict, WinKind};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::Point;

/// The answer to a question about a position. Its id is the name of the position in the file, if it
/// has one. Cells are strings x,y: column from the left and row from the top, both from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "A line of `tengen solve --json`")]
pub enum Solution {
    /// A verdict.
    Verdict(Box<Solved>),
    /// All winning first moves.
    Wins(Wins),
    /// All moves that hold.
    Defences(Defences),
    /// No threat to defend against.
    Calm(Calm),
    /// The points of a kind.
    Points(Points),
}

/// The position of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PositionSource {
    /// The name of the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The file and the number of its game or line.
    #[serde(flatten)]
    pub origin: Origin,
}

/// The answer without another question, and with --shortest, --refute or --tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Solved {
    /// The position.
    #[serde(flatten)]
    pub source: PositionSource,
    /// The result for the side to move: none if all moves were tried without a win of the kind (with
    /// --stones: of at most this number of stones), unknown if the search reached its limits or a
    /// part of the search for any threats ended early.
    pub result: Named<Outcome>,
    /// The kind of win that was searched for, or found.
    pub kind: Named<WinKind>,
    /// Upper bound of the moves of both sides up to the five; null without a win.
    #[schemars(range(min = 1))]
    pub plies: Option<u16>,
    /// The moves of both sides, the winner's first.
    pub line: Vec<LineMove>,
    /// Whether the limits ended the line before the five; absent if they did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub line_cut: bool,
    /// Nodes visited.
    pub nodes: u64,
    /// Time in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// With --shortest: whether no shorter win exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<bool>,
    /// With --refute: the move to refute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refutes: Option<Cell>,
    /// With --tree: the whole proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<Attack>,
    /// With --tree: number of replies that were omitted because of the size limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<usize>,
}

/// The outcome of a search for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move wins.
    Win,
    /// The opponent wins.
    Loss,
    /// There is no win: all moves were tried.
    None,
    /// The search ended early.
    Unknown,
}

impl Outcome {
    /// All outcomes.
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
    /// The outcome for the side whose win was searched.
    fn from(verdict: Verdict) -> Outcome {
        match verdict {
            Verdict::Win(_) => Outcome::Win,
            Verdict::None => Outcome::None,
            Verdict::Unknown => Outcome::Unknown,
        }
    }
}

/// The outcome of a search for a threat that found none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threat {
    /// There is no threat: all moves were tried.
    None,
    /// The search reached its limits.
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
    /// The cell.
    pub at: Cell,
    /// The name of the move by its effect.
    pub name: Named<MoveName>,
}

/// A move of the winner and the replies to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attack {
    /// The cell.
    pub at: Cell,
    /// The name of the move by its effect.
    pub name: Named<MoveName>,
    /// The replies that could hold; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<Reply>,
    /// Number of omitted replies; absent if all are listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 1))]
    pub cut: usize,
}

/// A reply of the loser and the winner's next move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reply {
    /// The cell.
    pub at: Cell,
    /// The name of the move by its effect.
    pub name: Named<MoveName>,
    /// The winner's next move.
    pub then: Attack,
}

/// The answer with --all: the moves by their outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wins {
    /// The position.
    #[serde(flatten)]
    pub source: PositionSource,
    /// The kind of win that was searched.
    pub kind: Named<WinKind>,
    /// The moves that begin a win of the kind.
    pub wins: Vec<Cell>,
    /// For each of them, an upper bound of the moves of both sides up to the five, itself included.
    pub plies: Vec<u16>,
    /// The moves that begin no win of the kind: all threats were searched. They may win in another
    /// way.
    pub fails: Vec<Cell>,
    /// The moves that are undecided because the search reached its limits or was interrupted.
    pub unknown: Vec<Cell>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
}

/// The answer with --defend: the moves by the opponent's outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Defences {
    /// The position.
    #[serde(flatten)]
    pub source: PositionSource,
    /// The kind of win that was searched.
    pub kind: Named<WinKind>,
    /// The moves after which the opponent has no win of the kind.
    pub holds: Vec<Cell>,
    /// The moves that only delay the opponent's win.
    pub delays: Vec<Cell>,
    /// The moves after which the opponent wins.
    pub loses: Vec<Cell>,
    /// The moves that are undecided because the search reached its limits or was interrupted.
    pub unknown: Vec<Cell>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
}

/// The answer with --defend if no threat was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calm {
    /// The position.
    #[serde(flatten)]
    pub source: PositionSource,
    /// none: there is no threat, all moves were tried; unknown: the search reached its limits.
    pub threat: Named<Threat>,
    /// The kind of win that was searched for.
    pub kind: Named<WinKind>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
}

/// The answer with --points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Points {
    /// The position.
    #[serde(flatten)]
    pub source: PositionSource,
    /// The points of the kind.
    pub points: Vec<Cell>,
    /// The cells that are undecided because the search reached its limits or was interrupted.
    pub unknown: Vec<Cell>,
}

impl Answer {
    /// The answer as data. Results are from the view of the side to move in the game.
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
            Answer::Wins(kind, judged) => Solution::Wins(Wins {
                source: PositionSource::default(),
                kind: Named(*kind),
                wins: moves(judged, has_win),
                plies: select(judged, has_win).filter_map(plies).collect(),
                fails: moves(judged, has_none),
                unknown: moves(judged, is_unknown),
                nodes: nodes(judged),
                seconds: elapsed(judged),
            }),
            Answer::Defences(kind, judged) => Solution::Defences(Defences {
                source: PositionSource::default(),
                kind: Named(*kind),
                holds: moves(judged, has_none),
                delays: moves(judged, |judged| judged.delays),
                loses: moves(judged, has_win),
                unknown: moves(judged, is_unknown),
                nodes: nodes(judged),
                seconds: elapsed(judged),
            }),
            Answer::NoThreat(report) => Solution::Calm(Calm {
                source: PositionSource::default(),
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
            Answer::Points(found) => Solution::Points(Points {
                source: PositionSource::default(),
                points: cells(found.points.iter().copied()),
                unknown: cells(found.unknown.iter().copied()),
            }),
        }
    }
}

impl Solution {
    /// Sets the name and the origin of the position.
    #[must_use]
    pub fn with_source(mut self, source: PositionSource) -> Solution {
        *match &mut self {
            Solution::Verdict(it) => &mut it.source,
            Solution::Wins(it) => &mut it.source,
            Solution::Defences(it) => &mut it.source,
            Solution::Calm(it) => &mut it.source,
            Solution::Points(it) => &mut it.source,
        } = source;
        self
    }
}

impl Solved {
    /// The solution of a report on the side to move in the position.
    pub fn of(report: &SolveReport, position: &mut Position) -> Solved {
        Solved {
            source: PositionSource::default(),
            result: Named(report.verdict.into()),
            kind: Named(report.kind),
            plies: match report.verdict {
                Verdict::Win(plies) => Some(plies),
                Verdict::None | Verdict::Unknown => None,
            },
            line: named_line(&report.line, position),
            line_cut: report.is_cut,
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
    /// The solution for a move that ends the game: the opponent has no win after it.
    pub fn nothing_after(point: Point, kind: WinKind) -> Solved {
        Solved {
            source: PositionSource::default(),
            result: Named(Outcome::None),
            kind: Named(kind),
            plies: None,
            line: Vec::new(),
            line_cut: false,
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
    /// The solver's proof with names for its moves.
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

/// The moves of a line with names.
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

/// Seconds, rounded to microseconds.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn nodes(judged: &[Judged]) -> u64 {
    judged.iter().map(|judged| judged.report.nodes).sum()
}

fn elapsed(judged: &[Judged]) -> f64 {
    seconds(judged.iter().map(|judged| judged.report.elapsed).sum())
}

fn moves(judged: &[Judged], wanted: MoveFilter) -> Vec<Cell> {
    cells(select(judged, wanted).map(|judged| judged.at))
}

/// The moves of both sides up to the five, the judged move included; `None` if it does not win.
pub fn plies(judged: &Judged) -> Option<u16> {
    match judged.report.verdict {
        // The verdict is about the position after the move.
        Verdict::Win(plies) => Some(plies + 1),
        Verdict::None | Verdict::Unknown => None,
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
