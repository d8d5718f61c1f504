//! An analysis as one JSON line; `schemas/analyze.schema.json` describes it.

use serde::Serialize;

use super::Analysis;
use tengen::engine::Line;
use tengen_rules::board::Cell;
use tengen_rules::game::{Ending, Game};
use tengen_rules::threat::{Prospect, Threat, ThreatKind};
use tengen_rules::types::{Color, Point, four_places};

/// The printed line.
#[derive(Debug, Serialize)]
struct Position {
    /// Name of the file the game comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Number of the game in it, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<usize>,
    rule: &'static str,
    width: u8,
    height: u8,
    black: Vec<String>,
    white: Vec<String>,
    walls: Vec<String>,
    moves: Vec<String>,
    side_to_move: &'static str,
    ending: Option<End>,
    lines: Vec<Best>,
    threats: Vec<Standing>,
    prospects: Vec<Next>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<CellView>>,
    nodes: u64,
    ms: u64,
}

#[derive(Debug, Serialize)]
struct End {
    winner: Option<&'static str>,
    reason: &'static str,
}

#[derive(Debug, Serialize)]
struct Best {
    rank: usize,
    r#move: String,
    score: i32,
    win_rate: f64,
    forced: Option<Forced>,
    depth: u32,
    selective_depth: u32,
    pv: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Forced {
    winner: &'static str,
    plies: usize,
}

#[derive(Debug, Serialize)]
struct Standing {
    color: &'static str,
    kind: &'static str,
    direction: &'static str,
    stones: Vec<String>,
    cells: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Next {
    color: &'static str,
    at: String,
    kind: &'static str,
    foul: bool,
    stones: Vec<String>,
}

#[derive(Debug, Serialize)]
struct CellView {
    at: String,
    black: Makes,
    white: Makes,
}

#[derive(Debug, Serialize)]
struct Makes {
    makes: Option<&'static str>,
    foul: bool,
    row: &'static str,
    column: &'static str,
    diagonal: &'static str,
    anti_diagonal: &'static str,
}

fn texts(points: impl IntoIterator<Item = Point>) -> Vec<String> {
    points.into_iter().map(|point| point.to_string()).collect()
}

/// The line without its end.
///
/// # Errors
/// Never; the serializer's signature has it.
pub(super) fn line(analysis: &Analysis<'_>, cells: bool) -> serde_json::Result<String> {
    let (game, report) = (analysis.game, analysis.report);
    let board = game.board();
    let of = |cell: Cell| texts(game.size().points().filter(|&at| board.cell(at) == cell));
    let view = || board.empty_points().map(|point| cell_view(game, point)).collect();
    serde_json::to_string(&Position {
        file: analysis.source.file.clone(),
        game: analysis.source.game,
        rule: game.rule().name(),
        width: game.size().width(),
        height: game.size().height(),
        black: of(Cell::Black),
        white: of(Cell::White),
        walls: of(Cell::Wall),
        moves: texts(game.moves()),
        side_to_move: game.side_to_move().name(),
        ending: game.ending().map(End::of),
        lines: (1..)
            .zip(report.searched_lines())
            .map(|(rank, line)| Best::of(rank, line, game))
            .collect(),
        threats: analysis.threats.iter().map(Standing::of).collect(),
        prospects: analysis.prospects.iter().map(Next::of).collect(),
        cells: cells.then(view),
        nodes: report.nodes,
        ms: u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX),
    })
}

impl End {
    fn of(ending: Ending) -> End {
        End { winner: ending.winner().map(Color::name), reason: ending.reason() }
    }
}

impl Best {
    fn of(rank: usize, line: &Line, game: &Game) -> Best {
        let mover = game.side_to_move();
        let winner = if line.score.is_win() { mover } else { mover.opponent() };
        let forced = line.score.forced_plies().map(|plies| Forced { winner: winner.name(), plies });
        Best {
            rank,
            r#move: line.moves.first().map(Point::to_string).unwrap_or_default(),
            score: line.score.value(),
            win_rate: four_places(line.score.win_rate()),
            forced,
            depth: line.depth,
            selective_depth: line.selective_depth,
            pv: texts(line.moves.iter().copied()),
        }
    }
}

impl Standing {
    fn of(threat: &Threat) -> Standing {
        Standing {
            color: threat.color.name(),
            kind: threat.kind.name(),
            direction: threat.direction.name(),
            stones: texts(threat.stones.iter().copied()),
            cells: texts(threat.cells.iter().copied()),
        }
    }
}

impl Next {
    fn of(prospect: &Prospect) -> Next {
        Next {
            color: prospect.color.name(),
            at: prospect.at.to_string(),
            kind: prospect.kind.name(),
            foul: prospect.kind.is_foul(),
            stones: texts(prospect.stones.iter().copied()),
        }
    }
}

fn cell_view(game: &Game, point: Point) -> CellView {
    let makes = |color| {
        let kind = game.makes(point, color);
        let names = game.lines(point, color).map(|lines| lines.map(|line| line.name()));
        let [row, column, diagonal, anti_diagonal] = names.unwrap_or(["dead"; 4]);
        Makes {
            makes: kind.map(ThreatKind::name),
            foul: kind.is_some_and(ThreatKind::is_foul),
            row,
            column,
            diagonal,
            anti_diagonal,
        }
    };
    CellView { at: point.to_string(), black: makes(Color::Black), white: makes(Color::White) }
}
