//! Analyses as text.

use std::io::{self, Write};

use crate::drawing::Drawing;
use tengen::engine::{Line, Report};
use tengen_rules::game::Game;
use tengen_rules::openings::RenjuOpening;
use tengen_rules::pattern::LinePattern;
use tengen_rules::threat::{Prospect, Threat, ThreatKind};
use tengen_rules::types::{Color, DIRECTIONS, Notation, Point, counted, percent};
use tengen_study::wording;
use tengen_words::{Words, say};

/// Maximum number of moves in the diagram of the best line.
const NUMBERED: usize = 15;

/// Writes the board and the side to move.
pub(super) fn head(game: &Game, words: &Words, out: &mut dyn Write) -> io::Result<()> {
    let drawing = Drawing::new(game.board());
    let set_up = game.moves().next().is_none();
    write!(out, "{}", if set_up { drawing.without_last() } else { drawing })?;
    let turn = match game.ending() {
        Some(ending) => wording::ending(words, ending),
        None => {
            say!(words, "status.to-move", color = wording::color(words, game.side_to_move()))
        }
    };
    let position = say!(
        words,
        "analyze.position",
        rule = wording::rule(words, game.rule()),
        size = game.size(),
        stones = game.history().len(),
        turn = turn
    );
    writeln!(out, "{position}")?;
    if let Some(opening) = RenjuOpening::of(game) {
        let name = wording::opening(words, opening);
        writeln!(out, "{}", say!(words, "review.opening", name = name))?;
    }
    Ok(())
}

/// Depth, selective depth, score and line of an iteration.
pub(super) fn iteration(rank: Option<usize>, line: &Line, notation: Notation) -> String {
    let rank = rank.map_or(String::new(), |rank| format!("#{}  ", rank + 1));
    let depth = format!("{}-{}", line.depth, line.selective_depth);
    let (score, moves) = (line.score.to_string(), names(&line.moves, notation));
    format!("{rank}depth {depth:>6}  score {score:>6}  {moves}")
}

fn names(points: &[Point], notation: Notation) -> String {
    notation.list(points).join(" ")
}

/// Writes best moves, threats, cells if requested, the best line on the board, and the effort.
pub(super) fn report(
    game: &Game,
    report: &Report,
    cells: bool,
    words: &Words,
    out: &mut dyn Write,
) -> io::Result<()> {
    let notation = game.notation();
    let side = wording::color(words, game.side_to_move());
    if !report.lines.is_empty() {
        writeln!(out, "\n{}", say!(words, "analyze.best-moves", color = side))?;
        writeln!(out, "{}", words.text("analyze.columns"))?;
    }
    for (rank, line) in (1..).zip(report.searched_lines()) {
        let Some(&first) = line.moves.first() else { continue };
        writeln!(
            out,
            "{rank:>3}  {:<4}  {:>5}  {:>6}  {:>6}  {}",
            notation.name(first),
            percent(line.score.rounded_win_rate(), 1),
            line.score.to_string(),
            format!("{}-{}", line.depth, line.selective_depth),
            names(&line.moves, notation)
        )?;
    }
    threats(&game.threats(), game, words, out)?;
    prospects(&game.prospects(), notation, words, out)?;
    if cells {
        cell_table(game, out)?;
    }
    if let Some(line) = report.lines.first().filter(|line| line.moves.len() > 1) {
        let shown = line.moves.iter().copied().take(NUMBERED);
        writeln!(out, "\n{}\n", say!(words, "analyze.best-line", color = side))?;
        write!(out, "{}", Drawing::new(game.board()).without_last().numbered(shown))?;
    }
    let seconds = report.elapsed.as_secs_f64();
    let speed = report.nodes as f64 / seconds.max(1e-6);
    writeln!(out, "\nnodes {}  seconds {seconds:.2}  nodes/s {speed:.0}", report.nodes)
}

fn threats(threats: &[Threat], game: &Game, words: &Words, out: &mut dyn Write) -> io::Result<()> {
    let notation = game.notation();
    if !threats.is_empty() {
        writeln!(out, "\n{}", words.text("analyze.on-board"))?;
    }
    for threat in threats {
        let next = match threat.kind {
            ThreatKind::Four | ThreatKind::StraightFour => wording::threat(words, ThreatKind::Five),
            // `x-x-x-x` cannot become a straight four, but two fours.
            ThreatKind::OpenThree if makes(game, threat, LinePattern::StraightFour) => {
                wording::threat(words, ThreatKind::StraightFour)
            }
            ThreatKind::OpenThree => words.text("analyze.two-fours"),
            _ => wording::threat(words, ThreatKind::Four),
        };
        let line = say!(
            words,
            "analyze.threat",
            color = wording::color(words, threat.color),
            threat = wording::threat(words, threat.kind),
            stones = names(&threat.stones, notation),
            next = next,
            cells = names(&threat.cells, notation)
        );
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// Whether the next stone of a threat can make the pattern `wanted` on its line.
fn makes(game: &Game, threat: &Threat, wanted: LinePattern) -> bool {
    threat.cells.iter().any(|&cell| {
        let lines = game.lines(cell, threat.color);
        lines.is_some_and(|lines| lines[threat.direction.axis()] == wanted)
    })
}

/// Writes one line for each colour and threat that the next stone can make.
fn prospects(
    prospects: &[Prospect],
    notation: Notation,
    words: &Words,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !prospects.is_empty() {
        writeln!(out, "\n{}", words.text("analyze.one-more"))?;
    }
    let same =
        |one: &Prospect, other: &Prospect| (one.color, one.kind) == (other.color, other.kind);
    for group in prospects.chunk_by(same) {
        let Some(&Prospect { color, kind, .. }) = group.first() else { continue };
        let cells: Vec<Point> = group.iter().map(|prospect| prospect.at).collect();
        let name = wording::threat(words, kind);
        let name = match kind.is_foul() {
            true => say!(words, "analyze.foul", foul = name),
            false => name.to_string(),
        };
        let color = wording::color(words, color);
        writeln!(out, "  {color}  {name}: {}", names(&cells, notation))?;
    }
    Ok(())
}

/// Writes the patterns of each empty cell by direction, and the number of cells whose lines are dead
/// or would have a single stone.
fn cell_table(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let is_small = |line: &LinePattern| {
        matches!(line, LinePattern::Dead | LinePattern::One | LinePattern::OpenOne)
    };
    let mut small = 0;
    let head = DIRECTIONS.map(|direction| format!("{:<13}", direction.name())).concat();
    writeln!(out, "\ncell  colour  {head}  makes")?;
    for point in game.board().empty_points() {
        for color in Color::ALL {
            let Some(lines) = game.lines(point, color) else { continue };
            if lines.iter().all(is_small) {
                small += 1;
                continue;
            }
            let names = lines.map(|line| if line.name() == "dead" { "-" } else { line.name() });
            let columns = names.map(|name| format!("{name:<13}")).concat();
            let makes = game.makes(point, color).map_or("-", ThreatKind::name);
            let (cell, color) = (game.notation().name(point), color.name());
            writeln!(out, "{cell:<4}  {color:<6}  {columns}  {makes}")?;
        }
    }
    writeln!(out, "left out: {} that make rows of one stone", counted(small, "entry"))
}
