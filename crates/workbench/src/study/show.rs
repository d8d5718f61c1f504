//! `tengen study show`: a position of a database and the moves from it.

use std::io::{self, Write};
use std::path::PathBuf;

use tengen_cli::printable::printable;
use tengen_rules::board::Board;
use tengen_rules::game::Game;
use tengen_rules::openings::RenjuOpening;
use tengen_rules::types::{Notation, Point, Score, counted, plies};
use tengen_store::{Evidence, GameValue, Games, KnownResult, Record};
use tengen_study::database::{ShownMove, ShownPosition};
use tengen_study::proved::Proved;
use tengen_study::{Cell, Named};

use super::open_reading;
use super::position::{PositionArgs, describe};
use crate::drawing::Drawing;

/// Arguments of `tengen study show`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the position, its record, and the moves to positions of the database.
///
/// # Errors
/// When the database cannot be read, or the position is impossible.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let store = open_reading(&args.store, notes)?;
    let snapshot = store.snapshot()?;
    let board = args.position.board(&snapshot, notes)?;
    let (record, moves) = tengen_study::database::show(&snapshot, &board)?;
    let opening = args.position.opening(&board);
    if args.json {
        let shown = ShownPosition::new(&board, record.as_ref(), &moves).with_opening(opening);
        writeln!(out, "{}", serde_json::to_string(&shown)?)?;
        return Ok(());
    }
    let proved = Proved::of(&Game::from_board(&board));
    let mut text = Vec::new();
    print(&board, opening, proved.as_ref(), record.as_ref(), &moves, &mut text)?;
    // Labels, comments and sources may be those of another program's database.
    Ok(write!(out, "{}", printable(&String::from_utf8(text)?))?)
}

fn print(
    board: &Board,
    opening: Option<&RenjuOpening>,
    proved: Option<&Proved>,
    record: Option<&Record>,
    moves: &[(Point, Record)],
    out: &mut dyn Write,
) -> io::Result<()> {
    let notation = Notation::new(board.size());
    let texts = record.iter().flat_map(|record| &record.texts);
    let drawing = Drawing::new(board).without_last();
    let drawing = texts.clone().fold(drawing, |drawing, (&point, text)| {
        let is_short = text.chars().count() <= 2 && board.is_empty(point);
        if is_short { drawing.mark(point, text) } else { drawing }
    });
    write!(out, "{drawing}")?;
    writeln!(out, "{}", describe(board))?;
    if let Some(opening) = opening {
        writeln!(out, "opening {opening}")?;
    }
    if let Some(proved) = proved {
        writeln!(out, "proved   {}", proof_words(proved, notation))?;
    }
    match record {
        None => writeln!(out, "not in the database")?,
        Some(record) => print_record(record, notation, out)?,
    }
    if moves.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nmove   score   win %  result                games  label")?;
    for (point, record) in moves {
        let ShownMove { score, win_rate, .. } = ShownMove::new(*point, record);
        let score = score.map_or("-".to_string(), |score| Score::raw(score).to_string());
        let rate = win_rate.map_or("-".to_string(), |rate| format!("{:.1}", 100.0 * rate));
        let side = board.side_to_move();
        let winner = proved.and_then(|it| it.winner_after(*point, side));
        let result = record.result.as_ref().filter(|it| winner.is_none() || is_proved(it));
        let result = match (result, winner) {
            (Some(result), _) => opponents(result),
            (None, Some(winner)) => {
                let value = if winner == side { GameValue::Win } else { GameValue::Loss };
                result_words(Evidence::Proved.name(), value.name(), None)
            }
            (None, None) => "-".to_string(),
        };
        let line = format!(
            "{:<4}  {score:>6}  {rate:>6}  {result:<20}  {:>5}  {}",
            notation.name(*point),
            record.games.total(),
            record.label
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// `black wins, best i10`, or the number of losing moves.
fn proof_words(proved: &Proved, notation: Notation) -> String {
    match (proved.winner, proved.best) {
        (Some(Named(winner)), best) => {
            format!("{} wins{}", winner.name(), self::best(best.map(|Cell(at)| at), notation))
        }
        (None, _) => counted(proved.losing.len(), "losing move"),
    }
}

fn is_proved(result: &KnownResult) -> bool {
    result.evidence == Evidence::Proved
}

/// Prints result, values, games and texts.
fn print_record(record: &Record, notation: Notation, out: &mut dyn Write) -> io::Result<()> {
    if let Some(result) = &record.result {
        let best = best(result.best, notation);
        writeln!(out, "result   {}{best}{}", words(result), by(&result.provenance))?;
    }
    if let Some(tree) = record.tree {
        let (score, deep) = (tree.score, plies(tree.plies.into()));
        writeln!(out, "tree     {score}, {deep} deep{}", best(tree.best, notation))?;
    }
    if let Some(found) = &record.evaluation {
        let first = found.moves.first().map(|scored| scored.point);
        let (score, depth, nodes) = (found.score, found.depth, found.nodes);
        let bound = match found.bound {
            tengen_store::Bound::Exact => "",
            tengen_store::Bound::Lower => "at least ",
            tengen_store::Bound::Upper => "at most ",
        };
        write!(
            out,
            "search   {bound}{score}, depth {depth}, {nodes} nodes{}",
            best(first, notation)
        )?;
        writeln!(out, "{}", by(&found.provenance))?;
    }
    if record.games.total() > 0 {
        writeln!(out, "games    {}", games(record.games))?;
    }
    if !record.label.is_empty() {
        writeln!(out, "label    {}", record.label)?;
    }
    for (&point, text) in &record.texts {
        writeln!(out, "on {:<5} {}", notation.name(point), text.replace('\n', "\n         "))?;
    }
    if !record.comment.is_empty() {
        writeln!(out, "comment  {}", record.comment.replace('\n', "\n         "))?;
    }
    Ok(())
}

fn best(point: Option<Point>, notation: Notation) -> String {
    point.map_or(String::new(), |point| format!(", best {}", notation.name(point)))
}

fn by(provenance: &tengen_store::Provenance) -> String {
    let origin = provenance.origin.as_ref().map(|it| format!("{} {}", it.source, it.version));
    origin.map_or(String::new(), |origin| format!(" (by {})", origin.trim_end()))
}

/// `proved win in 21 plies`.
pub fn words(result: &KnownResult) -> String {
    result_words(result.evidence.name(), result.value.name(), result.distance)
}

/// The result for the opponent of the side to move.
fn opponents(result: &KnownResult) -> String {
    let distance = result.distance.map(|distance| distance.saturating_add(1));
    result_words(result.evidence.name(), result.value.opponent().name(), distance)
}

fn result_words(evidence: &str, value: &str, distance: Option<u16>) -> String {
    let distance = distance.map_or(String::new(), |it| format!(" in {it}"));
    format!("{evidence} {value}{distance}")
}

/// `12: black won 5, white won 4, 3 drawn`.
fn games(games: Games) -> String {
    let Games { black_wins, draws, white_wins, unknown } = games;
    let mut parts = vec![format!("black won {black_wins}"), format!("white won {white_wins}")];
    if draws > 0 {
        parts.push(format!("{draws} drawn"));
    }
    if unknown > 0 {
        parts.push(format!("{unknown} without a result"));
    }
    format!("{}: {}", games.total(), parts.join(", "))
}
