//! `tengen analyze`: analyses positions with the engine and lists their threats.

mod games;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;

use crate::games::{GameFiles, Selection};
use tengen::engine::{Engine, Observer, Progress, Report, Request, Silent, StopSwitch};
use tengen_cli::args::{PositionArgs, SearchArgs};
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_rules::game::Game;
use tengen_rules::types::Notation;
use tengen_study::analysis::Analysis;

/// Arguments of `tengen analyze`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Game files in any format that `tengen convert` reads, or - for standard input, instead of
    /// --moves and --diagram
    #[arg(conflicts_with_all = ["moves", "diagram", "side"])]
    files: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Number of best moves to show
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1296))]
    lines: u16,
    /// Analyse all positions of the games
    #[arg(long)]
    every: bool,
    /// Show the pattern that a stone of each colour would make on each empty cell, by direction
    #[arg(long)]
    cells: bool,
    /// Print one JSON line for each position
    #[arg(long)]
    json: bool,
}

/// The source of a position.
#[derive(Clone, Debug, Default)]
struct Source {
    file: Option<String>,
    /// Number of the game in the file, from 1.
    game: Option<usize>,
}

/// Prints every finished iteration. Stops the search if the stream fails.
struct Printer<'a> {
    out: &'a mut dyn Write,
    notation: Notation,
    started: Instant,
    ranks: bool,
    stop: &'a StopSwitch,
    failure: Option<io::Error>,
}

impl Observer for Printer<'_> {
    fn iteration(&mut self, progress: Progress<'_>) {
        if self.failure.is_some() {
            return;
        }
        let rank = self.ranks.then_some(progress.rank);
        let written = writeln!(
            self.out,
            "ms {:>6}  nodes {:>9}  {}",
            self.started.elapsed().as_millis(),
            progress.nodes,
            text::iteration(rank, progress.line, self.notation)
        )
        .and_then(|()| self.out.flush());
        if let Err(error) = written {
            self.failure = Some(error);
            self.stop.press();
        }
    }
}

/// Prints each position with its iterations, best moves, threats and best line. Ctrl-C stops the
/// search and skips the remaining positions.
///
/// # Errors
/// If a position cannot be read or is finished, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let sources = sources(args, notes)?;
    search(args, sources, out, &stop_on_interrupt()?)
}

fn search(
    args: &Args,
    sources: Vec<(Source, Game)>,
    out: &mut dyn Write,
    stop: &StopSwitch,
) -> anyhow::Result<()> {
    let mut engine = Engine::new(args.search.options());
    let mut is_first = true;
    for (source, game) in sources {
        let positions = if args.every { every_position(&game) } else { vec![game] };
        for game in positions {
            if !is_first && stop.is_pressed() {
                return Ok(());
            }
            if !is_first && !args.json {
                writeln!(out)?;
            }
            is_first = false;
            analyze(args, &mut engine, &source, &game, out, stop)?;
        }
    }
    Ok(())
}

/// The games of the arguments: one unfinished game, or those of the files. `notes` lists what is
/// left out of the files.
fn sources(args: &Args, notes: &mut dyn Write) -> anyhow::Result<Vec<(Source, Game)>> {
    if args.files.is_empty() {
        return Ok(vec![(Source::default(), args.position.game()?)]);
    }
    let board = args.position.board;
    let files = GameFiles::known(board, &args.selection);
    let mut sources = Vec::new();
    for path in &args.files {
        let name = path.display().to_string();
        let records = files.read_file(path, notes)?;
        let games = games::games(&records, board.rule(), &args.selection, path, notes);
        let games = games.with_context(|| name.clone())?;
        sources.extend(
            games.into_iter().map(|(number, game)| {
                (Source { file: Some(name.clone()), game: Some(number) }, game)
            }),
        );
    }
    Ok(sources)
}

/// The game after each number of its moves.
fn every_position(game: &Game) -> Vec<Game> {
    let mut positions = vec![game.clone()];
    let mut game = game.clone();
    while game.undo() {
        positions.push(game.clone());
    }
    positions.reverse();
    positions
}

fn analyze(
    args: &Args,
    engine: &mut Engine,
    source: &Source,
    game: &Game,
    out: &mut dyn Write,
    stop: &StopSwitch,
) -> anyhow::Result<()> {
    if !args.json {
        if let (Some(file), Some(number)) = (&source.file, source.game) {
            writeln!(out, "{file}, game {number}")?;
        }
        text::head(game, out)?;
        out.flush()?;
    }
    let report = think(args, engine, game, out, stop)?;
    if args.json {
        let Source { file, game: number } = source.clone();
        let analysis = Analysis { file, game: number, ..Analysis::new(game, &report, args.cells) };
        writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
    } else {
        text::report(game, &report, args.cells, out)?;
    }
    out.flush()?;
    Ok(())
}

/// Searches a position. Prints the iterations, except with `--json`.
fn think(
    args: &Args,
    engine: &mut Engine,
    game: &Game,
    out: &mut dyn Write,
    stop: &StopSwitch,
) -> anyhow::Result<Report> {
    if game.ending().is_some() {
        return Ok(Report::default());
    }
    let started = Instant::now();
    let lines = usize::from(args.lines).min(game.board().empty_count());
    let limits = args.search.limits().for_analysis();
    let request = Request::new(limits).with_lines(lines).received_at(started);
    if args.json {
        return Ok(engine.think(game.position(), &request, stop, &mut Silent));
    }
    let (ranks, notation) = (lines > 1, game.notation());
    let mut printer = Printer { out, notation, started, ranks, stop, failure: None };
    let report = engine.think(game.position(), &request, stop, &mut printer);
    printer.failure.map_or(Ok(report), |error| Err(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::search::params::horizon_nodes;
    use tengen_cli::network::NetworkArgs;
    use tengen_rules::types::Rule;

    fn args(moves: &str) -> Args {
        Args {
            files: Vec::new(),
            selection: Selection::default(),
            position: PositionArgs::from_moves(Rule::Renju, "15", moves),
            search: SearchArgs {
                time: None,
                nodes: Some(1000),
                depth: Some(4),
                threads: 1,
                memory: Some(64),
                network: NetworkArgs::default(),
            },
            lines: 1,
            every: false,
            cells: false,
            json: false,
        }
    }

    fn printed(args: &Args) -> String {
        let mut out = Vec::new();
        let sources = sources(args, &mut Vec::new()).unwrap();
        search(args, sources, &mut out, &StopSwitch::new()).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Black to move with an open four.
    const FOUR: &str = "7,7 0,0 8,7 2,0 9,7 4,0 10,7 6,7";

    #[test]
    fn report_shows_the_winning_move() {
        let text = printed(&args(FOUR));
        assert!(text.contains("renju 15x15, 8 stones, black to move\n"), "{text}");
        let best = text.lines().find(|line| line.starts_with("  1  l8 ")).unwrap();
        assert!(best.contains(" 100.0 ") && best.contains("+M1") && best.ends_with("  l8"));
        assert!(text.contains("  black  four: h8 i8 j8 k8; five at l8\n"), "{text}");
        assert!(text.contains("  black  five: l8\n"), "{text}");
        assert!(text.lines().any(|line| line.starts_with(" 15(O)") || line.starts_with(" 15 O")));
    }

    #[test]
    fn empty_board_is_searched_within_the_limits() {
        let limits = SearchArgs { nodes: Some(3000), depth: None, ..args("").search };
        let text = printed(&Args { search: limits.clone(), lines: 3, ..args("") });
        let (_, table) = text.split_once("win %").expect(&text);
        let best: Vec<&str> = table
            .lines()
            .skip(1)
            .take(3)
            .filter_map(|line| line.split_whitespace().nth(1))
            .collect();
        let middle = ["g7", "g8", "g9", "h7", "h8", "h9", "i7", "i8", "i9"];
        assert!(best.len() == 3 && best.iter().all(|cell| middle.contains(cell)), "{text}");
        // The limit may be exceeded by one search for fours at the horizon.
        let (_, rest) = text.split_once("\nnodes ").expect(&text);
        let nodes: i32 = rest.split(' ').next().unwrap().parse().unwrap();
        assert!((3000..3000 + horizon_nodes()).contains(&nodes), "{text}");
        // In a game, the only candidate on an empty board would end the search immediately.
        let timed = SearchArgs { time: Some(600_000), nodes: None, depth: Some(5), ..limits };
        let text = printed(&Args { search: timed, ..args("") });
        assert!(text.contains("depth    5-") && text.contains("  1  h8 "), "{text}");
    }

    #[test]
    fn report_numbers_the_best_line() {
        let text = printed(&args("h8 i9 h9"));
        let (_, diagram) = text.split_once("best line, white plays 1\n").expect(&text);
        let cells: Vec<&str> = diagram.lines().take(17).flat_map(str::split_whitespace).collect();
        let count = |cell: &str| cells.iter().filter(|&&it| it == cell).count();
        // Each number also occurs as the name of a row.
        assert_eq!((count("1"), count("2"), count("X"), count("O")), (2, 2, 2, 1), "{diagram}");
    }

    #[test]
    fn cells_lists_patterns_by_direction() {
        let text = printed(&Args { cells: true, ..args(FOUR) });
        let row = text.lines().find(|line| line.starts_with("l8    black")).unwrap();
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words[2], "five");
        assert_eq!(words.last(), Some(&"five"));
    }

    #[test]
    fn every_analyses_all_positions() {
        let text = printed(&Args { every: true, ..args("h8i9j10") });
        assert_eq!(text.matches(" to move\n").count(), 4);
        assert!(text.contains("0 stones, black") && text.contains("3 stones, white"), "{text}");
    }
}
