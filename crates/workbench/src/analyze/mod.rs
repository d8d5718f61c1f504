//! `tengen analyze`: analyses positions with the engine and lists their threats.

mod every;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::ensure;

use crate::language::LanguageArgs;
use crate::sources::SourceArgs;
use crate::study::query::record_parts;
use crate::trees::Trees;
use every::Results;
use tengen::engine::{Engine, Observer, Progress, Report, Request, Silent, StopSwitch};
use tengen_cli::args::SearchArgs;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::printable::printable;
use tengen_cli::progress::progress_bar;
use tengen_cli::units;
use tengen_rules::game::Game;
use tengen_rules::types::{Notation, counted};
use tengen_store::Store;
use tengen_study::Origin;
use tengen_study::analysis::Analysis;
use tengen_study::database::known::values_near;

/// The end of the note about variations.
const EVERY_HINT: &str = ", which --every analyses";

/// Arguments of `tengen analyze`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    search: SearchArgs,
    /// Number of best moves to show
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u16>(1..=1296))]
    lines: u16,
    /// Analyse all positions of the games, those of variations included; a position that is reached
    /// again, rotated or mirrored, is analysed once
    #[arg(long)]
    every: bool,
    /// With --every: append a JSON line for each position to this file instead of printing it, and
    /// skip the positions that it holds already
    #[arg(long, value_name = "FILE", requires_all = ["every", "files"], conflicts_with = "json")]
    out: Option<PathBuf>,
    /// Show the pattern that a stone of each colour would make on each empty cell, by direction
    #[arg(long)]
    cells: bool,
    /// Use the proofs and search results of this database in the search, and print its record of the
    /// position
    #[arg(long, value_name = "DATABASE")]
    study: Option<PathBuf>,
    /// Print one JSON line for each position
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    language: LanguageArgs,
}

/// The source of a position.
#[derive(Clone, Debug)]
struct Source {
    origin: Origin,
    /// How often the games reach the position, where that is counted.
    count: Option<usize>,
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
    fn iteration(&mut self, progress: &Progress<'_>) {
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
    let SourceArgs { files, position } = &args.source;
    if args.every && !files.is_empty() {
        ensure!(
            position.side.is_none(),
            "--side cannot be used with --every: the files state the side to move"
        );
        let results = args.out.as_deref().map(Results::open).transpose()?;
        let trees = Trees::read(files, position, notes)?;
        return search_every(args, &trees, results, out, notes, &stop_on_interrupt()?);
    }
    let games = args.source.games(EVERY_HINT, notes)?;
    search(args, games, out, &stop_on_interrupt()?)
}

/// Analyses each position of the trees that the results do not hold. Ctrl-C ends it after the
/// position in work, which is not appended to the results.
fn search_every(
    args: &Args,
    trees: &Trees,
    mut results: Option<Results>,
    out: &mut dyn Write,
    notes: &mut dyn Write,
    stop: &StopSwitch,
) -> anyhow::Result<()> {
    let mut engine = Engine::new(args.search.options());
    let bar = progress_bar(trees.list().len() as u64, "positions");
    let (mut known, mut done) = (0, 0);
    for position in trees.list() {
        if done > 0 && stop.is_pressed() {
            break;
        }
        let (game, origin) = (trees.game(position), trees.origin(position).clone());
        let source = Source { origin, count: Some(position.count) };
        match &mut results {
            Some(results) if results.holds(&game) => known += 1,
            Some(results) => {
                let report = think(&silent(args), &mut engine, &game, &mut io::sink(), stop)?;
                if stop.is_pressed() {
                    break;
                }
                results.append(&analysis(args, source, &game, &report))?;
                done += 1;
            }
            None => {
                if done > 0 && !args.json {
                    writeln!(out)?;
                }
                analyze(args, &mut engine, &source, &game, out, stop)?;
                done += 1;
            }
        }
        if results.is_some() || args.json {
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if results.is_some() {
        let left = trees.list().len() - known - done;
        let left = if left > 0 { format!("; left: {left}") } else { String::new() };
        let analysed = counted(done, "position");
        writeln!(notes, "analysed {analysed}; known before: {known}{left}")?;
    }
    Ok(())
}

/// The arguments of a search without output.
fn silent(args: &Args) -> Args {
    Args { json: true, ..args.clone() }
}

fn search(
    args: &Args,
    games: Vec<(Origin, Game)>,
    out: &mut dyn Write,
    stop: &StopSwitch,
) -> anyhow::Result<()> {
    let mut engine = Engine::new(args.search.options());
    let mut is_first = true;
    for (origin, game) in games {
        let source = Source { origin, count: None };
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
        if let (Some(file), Some(number)) = (&source.origin.file, source.origin.game) {
            writeln!(out, "{}, game {number}", printable(file))?;
        }
        text::head(game, args.language.words(), out)?;
        out.flush()?;
    }
    let report = think(args, engine, game, out, stop)?;
    if args.json {
        let analysis = analysis(args, source.clone(), game, &report);
        writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
    } else {
        text::report(game, &report, args.cells, args.language.words(), out)?;
    }
    out.flush()?;
    Ok(())
}

fn analysis(args: &Args, source: Source, game: &Game, report: &Report) -> Analysis {
    let Source { origin, count } = source;
    Analysis { origin, count, ..Analysis::new(game, report, args.cells) }
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
    let mut request = Request::new(limits).with_lines(lines).received_at(started);
    if let Some(path) = &args.study {
        let store = Store::open_read_only(path)?;
        let snapshot = store.snapshot()?;
        request.known = values_near(&snapshot, game.board())?;
        let record = snapshot.get(game.board())?.filter(|record| !record.is_empty());
        if let Some(record) = record.filter(|_| !args.json) {
            let parts = record_parts(game.board(), &record).join("; ");
            writeln!(out, "database: {}", printable(&parts))?;
        }
    }
    if args.json {
        let mut report = engine.think(game.position(), &request, stop, &mut Silent);
        engine.complete_lines(game.position(), &mut report, &request, stop);
        return Ok(report);
    }
    let (ranks, notation) = (lines > 1, game.notation());
    let mut printer = Printer { out, notation, started, ranks, stop, failure: None };
    let mut report = engine.think(game.position(), &request, stop, &mut printer);
    if let Some(error) = printer.failure {
        return Err(error.into());
    }
    engine.complete_lines(game.position(), &mut report, &request, stop);
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::search::params::horizon_nodes;
    use tengen_cli::args::PositionArgs;
    use tengen_cli::network::NetworkArgs;
    use tengen_rules::types::{Color, Rule};
    use tengen_words::Language;

    fn position(moves: &str) -> PositionArgs {
        PositionArgs::from_moves(Rule::Renju, "15", moves)
    }

    fn args(moves: &str) -> Args {
        Args {
            source: SourceArgs::of_position(position(moves)),
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
            out: None,
            cells: false,
            study: None,
            json: false,
            language: LanguageArgs::of(Language::English),
        }
    }

    fn printed(args: &Args) -> String {
        let mut out = Vec::new();
        let games = args.source.games(EVERY_HINT, &mut Vec::new()).unwrap();
        search(args, games, &mut out, &StopSwitch::new()).unwrap();
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
        let timed = SearchArgs { time: "10m".parse().ok(), nodes: None, depth: Some(5), ..limits };
        let text = printed(&Args { search: timed, ..args("") });
        assert!(text.contains("depth    5-") && text.contains("  1  h8 "), "{text}");
    }

    #[test]
    fn report_names_the_opening_of_renju() {
        let text = printed(&args("h8 i9 i7"));
        assert!(text.contains("3 stones, white to move\nopening I7 Hogetsu 浦月\n"), "{text}");
        assert!(!printed(&args("h8 i9")).contains("opening"));
        let json = printed(&Args { json: true, ..args("h8 i9 i7") });
        let analysis: Analysis = serde_json::from_str(&json).unwrap();
        assert_eq!(analysis.opening.map(|it| it.code).as_deref(), Some("I7"));
    }

    #[test]
    fn report_speaks_the_language_of_the_option() {
        let args = Args { language: LanguageArgs::of(Language::Czech), ..args("h8 i9 i7") };
        let text = printed(&args);
        let head = "Renju 15x15, 3 kameny, Na tahu: Bílý\nzahájení I7 Hogetsu 浦月\n";
        assert!(text.contains(head) && text.contains("nejlepší varianta, Bílý hraje 1"), "{text}");
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

    /// A tree of eight positions on ten nodes, and a game of three of them.
    const TREE: &str = "(;GM[4]SZ[15]RU[freestyle];B[hh](;W[ii];B[jj];W[kk])(;W[gi])\
                        (;W[kk];B[jj](;W[ii])(;W[hi])))(;GM[4]SZ[15]RU[freestyle];B[hh];W[gg];B[ff])";

    fn every(folder: &std::path::Path, out: Option<PathBuf>) -> Args {
        let file = folder.join("tree.sgf");
        std::fs::write(&file, TREE).unwrap();
        let search = SearchArgs { nodes: Some(200), ..args("").search };
        let source = SourceArgs { files: vec![file], position: position("") };
        Args { source, every: true, json: out.is_none(), out, search, ..args("") }
    }

    fn run_every(args: &Args, stop: &StopSwitch) -> (String, String) {
        let (mut printed, mut notes) = (Vec::new(), Vec::new());
        let trees = Trees::read(&args.source.files, &args.source.position, &mut notes).unwrap();
        let results = args.out.as_deref().map(|path| Results::open(path).unwrap());
        search_every(args, &trees, results, &mut printed, &mut notes, stop).unwrap();
        [printed, notes].map(|bytes| String::from_utf8(bytes).unwrap()).into()
    }

    #[test]
    fn every_analyses_positions_of_trees_once() {
        let folder = tempfile::tempdir().unwrap();
        let (printed, notes) = run_every(&every(folder.path(), None), &StopSwitch::new());
        let found: Vec<Analysis> =
            printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(found.len(), 8);
        assert_eq!(found.iter().filter_map(|it| it.count).sum::<usize>(), 14);
        assert!(notes.contains("14 nodes, 8 positions without transpositions"), "{notes}");
        // Without it the last position of the main line is analysed, and the rest is named.
        let mut notes = Vec::new();
        let games = every(folder.path(), None).source.games(EVERY_HINT, &mut notes).unwrap();
        assert_eq!(games.iter().map(|it| it.1.history().len()).collect::<Vec<_>>(), [4, 3]);
        let notes = String::from_utf8(notes).unwrap();
        assert!(notes.contains("game 1: 5 moves are in variations, which --every"), "{notes}");
    }

    #[test]
    fn game_lost_by_a_foul_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lost.txt");
        std::fs::write(&file, "e8 a1 f8 a3 g8 a5 h5 c1 h6 e1 h7 g1 h8").unwrap();
        let source = SourceArgs { files: vec![file], position: position("") };
        let json = printed(&Args { source, json: true, ..args("") });
        let analysis: Analysis = serde_json::from_str(&json).unwrap();
        assert!(json.contains(r#""ending":{"winner":"white","reason":"double-four"}"#), "{json}");
        assert!(analysis.lines.is_empty() && analysis.moves.len() == 12, "{json}");
    }

    #[test]
    fn every_position_of_files_refuses_a_side() {
        let folder = tempfile::tempdir().unwrap();
        let mut args = every(folder.path(), None);
        args.source.position.side = Some(Color::White);
        let error = run(&args, &mut Vec::new(), &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "--side cannot be used with --every: the files state the side to move");
    }

    #[test]
    fn every_continues_a_file_of_results() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let args = every(folder.path(), Some(path.clone()));
        let read = || std::fs::read_to_string(&path).unwrap();
        let (printed, notes) = run_every(&args, &StopSwitch::new());
        assert_eq!((printed.as_str(), read().lines().count()), ("", 8));
        assert!(notes.contains("analysed 8 positions; known before: 0\n"), "{notes}");
        // A killed run leaves an incomplete line; the next run continues there.
        let whole = read();
        let mut lines: Vec<&str> = whole.lines().collect();
        lines.truncate(5);
        std::fs::write(&path, lines.join("\n") + "\n{\"file\":\"tr").unwrap();
        let (_, notes) = run_every(&args, &StopSwitch::new());
        assert!(notes.contains("analysed 3 positions; known before: 5\n"), "{notes}");
        assert_eq!(read().lines().count(), 8);
        assert_eq!(read().lines().next(), whole.lines().next());
        // A position in work is not a result.
        std::fs::write(&path, "").unwrap();
        let stop = StopSwitch::new();
        stop.press();
        let (_, notes) = run_every(&args, &stop);
        assert_eq!(read(), "");
        assert!(notes.contains("analysed 0 positions; known before: 0; left: 8"), "{notes}");
        let objects = ["{\"my\":\"settings\"}", "{\"file\":\"a.txt\"}", "{\"fold"];
        for other in ["h8 i9\n", "{\"rule\":\"freestyle\"}\n", "text"].into_iter().chain(objects) {
            std::fs::write(&path, other).unwrap();
            let error = format!("{:#}", Results::open(&path).map(drop).unwrap_err());
            assert!(error.contains("analyze --out"), "{error}");
            assert_eq!(read(), other);
        }
    }
}
