//! `tengen features`: positions of games as planes of numbers with labels, for machine learning.

mod file;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, ensure};

use super::games::{GameFiles, games_hash};
use file::{Heading, Sink};
use tengen::COMMIT;
use tengen::engine::{Engine, Limits, Options, Request, StopSwitch};
use tengen_cli::atomic_file;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::journal::Journal;
use tengen_cli::progress::progress_bar;
use tengen_record::replay::replay;
use tengen_record::{GameRecord, GameResult, NodeId};
use tengen_rules::board::Stone;
use tengen_rules::game::Game;
use tengen_rules::types::{BoardSize, Color, MIN_ENGINE_SIDE, Point, Rule, Symmetry, counted};
use tengen_study::features::{Plane, write_planes};
use tengen_study::positions::{Positions, game_at, variation_nodes};

/// Arguments of `tengen features`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    input: GameFiles,
    /// Output file: .npy for the planes, .npz or .json for planes and labels
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Planes in order, separated by commas [default:
    /// own,opponent,empty,black-to-move,legal,foul,last1]
    #[arg(
        long,
        value_delimiter = ',',
        default_values_t = Plane::DEFAULT,
        hide_default_value = true,
        value_name = "PLANES"
    )]
    planes: Vec<Plane>,
    /// Symmetry of the board: 0 (none) to 7, or `all` for all that keep the board size
    #[arg(long, default_value = "0", value_name = "N")]
    symmetry: Turns,
    /// Add the engine's value and best move, searched with this number of nodes per position
    #[arg(long, value_name = "NODES", value_parser = tengen_cli::units::positive_count)]
    labels: Option<u64>,
    /// Write every position of the trees, not only the main lines; a position that is reached again,
    /// rotated or mirrored, is written once
    #[arg(long)]
    variations: bool,
    #[command(flatten)]
    overwrite: tengen_cli::overwrite::OverwriteArgs,
}

/// The symmetries to write for each position.
#[derive(Clone, Copy, Debug)]
enum Turns {
    One(Symmetry),
    All,
}

impl FromStr for Turns {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Turns, &'static str> {
        let number = || text.parse().ok().and_then(|number: usize| Symmetry::ALL.get(number));
        match text {
            _ if text.eq_ignore_ascii_case("all") => Ok(Turns::All),
            _ => number().copied().map(Turns::One).ok_or("expected 0 to 7, or all"),
        }
    }
}

impl Turns {
    fn of(self, size: BoardSize) -> Vec<Symmetry> {
        match self {
            Turns::One(symmetry) => vec![symmetry],
            Turns::All => Symmetry::of_size(size).to_vec(),
        }
    }
}

/// A game with its number in all files together.
type NumberedGame = (usize, GameRecord);

/// Data of a position except the planes. Actions are indices of cells, row by row from the top, on
/// the board as written.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Number of the game in all files together, from 1; games that were left out are counted.
    game: usize,
    /// Stones on the board.
    stones: usize,
    rule: Rule,
    to_move: Color,
    symmetry: Symmetry,
    size: BoardSize,
    /// The move played in the position.
    played: Option<usize>,
    /// Result of the game for the side to move: 1 win, -1 loss, 0 draw.
    result: Option<f32>,
    label: Option<Label>,
}

/// The label of the engine.
#[derive(Clone, Copy, Debug)]
struct Label {
    /// Expected result for the side to move.
    value: f32,
    best: Option<usize>,
}

/// Reads the games and writes the positions of their main lines, from the start to the end, or with
/// `--variations` each position of their trees once, except finished positions.
///
/// # Errors
/// If a file is invalid, a game has an illegal move, or the boards do not fit one array. Then
/// nothing is written.
pub fn run(args: &Args, notes: &mut dyn Write) -> anyhow::Result<()> {
    args.overwrite.check(&args.out)?;
    let games = games(args, notes)?;
    let left_out: usize = games.iter().map(|(_, game)| variation_nodes(game)).sum();
    if left_out > 0 && !args.variations {
        let moves = counted(left_out, "move");
        writeln!(notes, "the main lines only; --variations adds {moves} of variations")?;
    }
    note_unknown_results(args, &games, notes)?;
    let stop = if args.labels.is_some() { stop_on_interrupt()? } else { StopSwitch::new() };
    write_features(args, &games, &stop, notes)
}

/// Writes how many positions get no result.
fn note_unknown_results(
    args: &Args,
    games: &[NumberedGame],
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let (mut count, mut unknown) = (0, 0);
    each_of(args, games, |_, _, _, result| {
        count += 1;
        unknown += usize::from(result.is_none_or(|result| result == GameResult::Void));
        Ok(true)
    })?;
    if unknown > 0 && file::has_results(&args.out) {
        let of = counted(count, "position");
        writeln!(notes, "no result is known for {unknown} of {of}: null in .json, NaN in .npz")?;
    }
    Ok(())
}

/// The games that can be replayed, with their numbers in all files together.
fn games(args: &Args, notes: &mut dyn Write) -> anyhow::Result<Vec<NumberedGame>> {
    let games = args.input.replayed(notes)?.into_iter();
    Ok(games.map(|(game, _)| (game.overall, game.record)).collect())
}

/// Writes the positions of these games. If `stop` is pressed, no file is written; the labels so far
/// are kept in a journal.
fn write_features(
    args: &Args,
    games: &[NumberedGame],
    stop: &StopSwitch,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let (mut count, mut positions) = (0, 0);
    each_of(args, games, |_, game, _, _| {
        count += args.symmetry.of(game.size()).len() as u64;
        positions += 1;
        Ok(true)
    })?;
    let heading = heading(args, games, count)?;
    file::check_extension(&args.out, heading.labels)?;
    let mut labels = match args.labels {
        Some(nodes) => Some(Labels::open(args, games, nodes)?),
        None => None,
    };
    let labels_of_file = labels.as_mut();
    let is_complete = atomic_file::write_with(&args.out, |draft| {
        write_file(args, games, &heading, draft, labels_of_file, stop)
    });
    let is_complete = is_complete.with_context(|| args.out.display().to_string())?;
    match labels {
        Some(labels) if is_complete => labels.journal.remove(),
        Some(labels) => {
            let (count, of) = (labels.count, counted(positions, "position"));
            Ok(writeln!(notes, "labelled {count} of {of}; the same command continues")?)
        }
        None => Ok(()),
    }
}

/// Checks the games and collects the properties of the file.
fn heading<'a>(args: &'a Args, games: &[NumberedGame], count: u64) -> anyhow::Result<Heading<'a>> {
    let (first_number, first) = games.first().context("no games in the input")?;
    let size = args.symmetry.of(first.size)[0].size(first.size);
    let of_json = file::is_json(&args.out);
    for (number, game) in games {
        let others = game.size != first.size && !of_json;
        ensure!(
            !others,
            "game {number} is on {}, game {first_number} on {}: an array needs boards of one size",
            game.size,
            first.size
        );
        let least = game.size.width().min(game.size.height());
        ensure!(
            args.labels.is_none() || least >= MIN_ENGINE_SIDE,
            "game {number} is on {}: the engine needs {MIN_ENGINE_SIDE}x{MIN_ENGINE_SIDE} or larger",
            game.size
        );
    }
    Ok(Heading { planes: &args.planes, count, size, labels: args.labels.is_some() })
}

/// Writes the file; false if stopped before the end.
fn write_file(
    args: &Args,
    games: &[NumberedGame],
    heading: &Heading,
    path: &Path,
    mut labels: Option<&mut Labels>,
    stop: &StopSwitch,
) -> anyhow::Result<bool> {
    let mut sink = Sink::create(path, &args.out, heading)?;
    let progress = progress_bar(heading.count, "positions");
    let mut block = Vec::new();
    each_of(args, games, |number, game, played, result| {
        let answer = match &mut labels {
            Some(labels) => labels.next(game, stop)?,
            None => None,
        };
        if stop.is_pressed() {
            return Ok(false);
        }
        for symmetry in args.symmetry.of(game.size()) {
            let facts = facts(number, game, played, result, answer, symmetry);
            block.resize(args.planes.len() * game.size().area(), 0);
            write_planes(game, &args.planes, symmetry, &mut block);
            sink.add(&facts, &block)?;
            progress.inc(1);
        }
        Ok(true)
    })?;
    if stop.is_pressed() {
        return Ok(false);
    }
    sink.finish()?;
    Ok(true)
}

/// Calls `visit` with the number of the game and each position to write, as [`each_position`]
/// does, until it returns false.
///
/// # Errors
/// If a move of a main line is illegal, or `visit` fails.
fn each_of(
    args: &Args,
    games: &[NumberedGame],
    mut visit: impl FnMut(usize, &Game, Option<Point>, Option<GameResult>) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    if args.variations {
        return each_once(games, visit);
    }
    for &(number, ref record) in games {
        let mut goes_on = true;
        each_position(record, |game, played, result| {
            goes_on = visit(number, game, played, result)?;
            Ok(goes_on)
        })
        .with_context(|| format!("game {number}"))?;
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// The same for each unfinished position of the trees, once. The move played is that of the first
/// continuation; the result of a game is that of its main line.
fn each_once(
    games: &[NumberedGame],
    mut visit: impl FnMut(usize, &Game, Option<Point>, Option<GameResult>) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let mut positions = Positions::default();
    games.iter().for_each(|(_, record)| positions.add(record, Rule::Freestyle));
    let mut main: Option<(usize, HashSet<NodeId>, Option<GameResult>)> = None;
    for position in positions.list() {
        let (number, record) = &games[position.record];
        let game = game_at(record, position.node, Rule::Freestyle);
        if game.ending().is_some() {
            continue;
        }
        if main.as_ref().is_none_or(|it| it.0 != position.record) {
            let replayed = replay(record, Rule::Freestyle)?;
            let result = replayed.result().or(record.result);
            let nodes = record.main_line().chain([NodeId::ROOT]).collect();
            main = Some((position.record, nodes, result));
        }
        let result = main
            .as_ref()
            .and_then(|(_, nodes, result)| result.filter(|_| nodes.contains(&position.node)));
        let next = record.first_child(position.node).and_then(|node| record.play_of(node));
        let played = next.filter(|play| play.color == game.side_to_move());
        let played = played.and_then(|play| play.at).filter(|&at| game.check(at).is_ok());
        if !visit(*number, &game, played, result)? {
            break;
        }
    }
    Ok(())
}

/// Calls `visit` with each unfinished position of the game, the move played in it and the result of
/// the game, until it returns false. A foul that lost the game is not a move.
///
/// # Errors
/// If a move is illegal, or `visit` fails.
fn each_position(
    record: &GameRecord,
    mut visit: impl FnMut(&Game, Option<Point>, Option<GameResult>) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let replayed = replay(record, Rule::Freestyle)?;
    let result = replayed.result().or(record.result);
    let mut game = replayed.game;
    let last_to_move = game.side_to_move();
    let moves: Vec<Stone> = game.history()[game.history().len() - game.moves().count()..].to_vec();
    while game.undo() {}
    for Stone { point, color } in moves {
        if game.side_to_move() != color {
            game.pass();
        }
        if !visit(&game, Some(point), result)? {
            return Ok(());
        }
        game.play(point);
    }
    if game.ending().is_none() {
        // After a pass at the end.
        if game.side_to_move() != last_to_move {
            game.pass();
        }
        visit(&game, None, result)?;
    }
    Ok(())
}

/// The labels of the positions in their order. Those of an interrupted run are reused.
struct Labels {
    engine: Engine,
    nodes: u64,
    journal: Journal,
    known: std::vec::IntoIter<KnownLabel>,
    /// Number of labels so far.
    count: u64,
}

/// A line of the journal: the value, and the best move as `x,y`.
type KnownLabel = (f64, Option<String>);

impl Labels {
    fn open(args: &Args, games: &[NumberedGame], nodes: u64) -> anyhow::Result<Labels> {
        let hash = games_hash(games.iter().map(|(_, record)| record))?;
        let variations = args.variations;
        let header = format!("features {COMMIT} {nodes} {variations} {hash}");
        let (journal, known) = Journal::open(&args.out, &header, args.overwrite)?;
        let engine = Engine::new(Options::default());
        Ok(Labels { engine, nodes, journal, known: known.into_iter(), count: 0 })
    }

    /// The label of the next position; `None` if `stop` was pressed.
    fn next(
        &mut self,
        game: &Game,
        stop: &StopSwitch,
    ) -> anyhow::Result<Option<(f32, Option<Point>)>> {
        self.count += 1;
        if let Some((value, best)) = self.known.next() {
            let best = best.map(|best| game.point(&best)).transpose()?;
            return Ok(Some((value as f32, best)));
        }
        let label = evaluate(&mut self.engine, game, Limits::nodes(self.nodes), stop);
        if stop.is_pressed() {
            self.count -= 1;
            return Ok(None);
        }
        let best = label.1.map(|best| best.to_string());
        self.journal.append::<KnownLabel>(&(label.0.into(), best))?;
        Ok(Some(label))
    }
}

/// Evaluates a position with the engine: value and best move.
fn evaluate(
    engine: &mut Engine,
    game: &Game,
    limits: Limits,
    stop: &StopSwitch,
) -> (f32, Option<Point>) {
    // Results must not depend on earlier positions.
    engine.new_game();
    let report = engine.evaluate(game.position(), &Request::new(limits), stop);
    let rate = report.lines.first().map_or(0.5, |line| line.score.win_rate());
    ((2.0 * rate - 1.0) as f32, report.best())
}

fn facts(
    number: usize,
    game: &Game,
    played: Option<Point>,
    result: Option<GameResult>,
    answer: Option<(f32, Option<Point>)>,
    symmetry: Symmetry,
) -> Facts {
    let size = symmetry.size(game.size());
    let action = |point: Point| size.number(symmetry.point(game.size(), point));
    let result = result.and_then(|verdict| match verdict {
        GameResult::Win(color) if color == game.side_to_move() => Some(1.0),
        GameResult::Win(_) => Some(-1.0),
        GameResult::Draw => Some(0.0),
        GameResult::Void => None,
    });
    Facts {
        game: number,
        stones: game.history().len(),
        rule: game.rule(),
        to_move: game.side_to_move(),
        symmetry,
        size,
        played: played.map(action),
        result,
        label: answer.map(|(value, best)| Label { value, best: best.map(action) }),
    }
}
