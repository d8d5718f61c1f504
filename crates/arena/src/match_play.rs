//! `tengen match`: engines named by command lines play games until a number of games or a sequential
//! test decides which one is stronger.
//!
//! An engine that crashes, hangs, exceeds its time or plays an illegal move loses the game, and the
//! match file records the reason.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;

use super::adjudication::{Adjudication, DrawRule, ResignRule};
use super::build::EngineBuild;
use super::collector::{CountedGames, GameCollector, ResumedMatch, resume};
use super::display::ProgressDisplay;
use super::engine_spec::{DelayOption, EngineSettings, EngineSpec, InfoOption, engine_names};
use super::export::{ExportPaths, ExportedGames, GameExports};
use super::failure_guard::FailureGuard;
use super::game::GameSettings;
use super::match_file::{FIRST_PAIR, MatchHeader, OPENINGS_SHA256};
use super::opening_book::OpeningBook;
use super::pairing::Pairings;
use super::schedule::MatchPlan;
use super::side_limits::{LimitsOption, SideLimits};
use super::sprt_args::SprtArgs;
use super::standings::Standings;

use tengen::engine::StopSwitch;
use tengen_cli::args::BoardArgs;
use tengen_cli::atomic_file::is_same_file;
use tengen_cli::interrupt::{exit_within, on_interrupt};
use tengen_cli::network::NetworkArgs;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::units;

/// Default time for a move, in milliseconds.
const DEFAULT_TURN_MS: u64 = 1000;
/// Default time for a move with `--nodes`, in milliseconds: long enough that nodes decide.
const NODES_TURN_MS: u64 = 60_000;

/// Time that a match has to end after Ctrl-C before the program exits regardless: writing to a full
/// pipe or to a disk may block.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Upper bound of `--games`; larger values are taken for mistakes.
const MAX_GAMES: u64 = 10_000_000;
/// Games of a match that ends with its test.
const MAX_SPRT_GAMES: usize = 1_000_000;

/// Arguments of `tengen match`.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("rule", |arg| arg.help("Rule: freestyle, standard, renju, caro or caro-overline; \
        default: the rule that all games of --openings state, else freestyle")),
    mut_arg("size", |arg| arg.help("Board size: N or WxH; default: the size that all games of \
        --openings state, else 15"))
)]
pub struct Args {
    /// Engine: NAME=COMMAND with arguments, or a player of this program, level:NAME or bot:NAME (see
    /// `tengen levels`); give two or more
    #[arg(short, long = "engine", required = true, value_name = "NAME=COMMAND")]
    engines: Vec<EngineSpec>,
    /// Networks of the players of this program; an engine process finds its own, see INFO folder
    #[command(flatten)]
    network: NetworkArgs,
    /// Gauntlet: the first engine plays all others, which do not play each other
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    board: BoardArgs,
    /// Openings: a game file in any format that `tengen convert` reads, except shards; default: the
    /// empty board
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Encoding of the openings file; default: the encoding that it declares, else UTF-8, else a
    /// guess, which a note reports
    #[arg(long, requires = "openings")]
    encoding: Option<tengen_record::Encoding>,
    /// The engines choose openings and colours by swap2 (SWAP2BOARD); they take turns to open
    #[arg(long, conflicts_with = "openings")]
    swap2: bool,
    /// Seed that shuffles the openings; players of this program also use it
    #[arg(long, value_parser = units::whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Number of games; default: every pairing plays every opening twice, with --sprt at most a
    /// million games
    #[arg(long, value_parser = units::whole::<usize>(1..=MAX_GAMES))]
    games: Option<usize>,
    /// Play only the pairs of games A to B - 1, counted from 0: a part of a match for `tengen merge`
    #[arg(long, value_name = "A..B", value_parser = range, conflicts_with = "games")]
    pairs: Option<Range<usize>>,
    /// Time for a move: ms, or with units as 2s or 1m30s; default 1s, with --nodes 1m, with --match
    /// the game time
    #[arg(long, value_name = "TIME", value_parser = units::positive_milliseconds)]
    turn: Option<u64>,
    /// Game time of each player (INFO timeout_match), such as 3m; 0: no game clock
    #[arg(long = "match", visible_alias = "game-time", default_value_t = 0, value_name = "TIME",
          value_parser = units::milliseconds)]
    game_time: u64,
    /// Time added to the game clock after each move, such as 2s
    #[arg(long, default_value_t = 0, value_name = "TIME", value_parser = units::milliseconds)]
    increment: u64,
    /// Wall-clock time by which a limit may be exceeded, in ms
    #[arg(long, default_value_t = 300, value_name = "TIME", value_parser = units::milliseconds)]
    tolerance: u64,
    /// Nodes for a move (INFO max_node), such as 50000, 500k or 1e6
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = units::count)]
    nodes: u64,
    /// Memory limit that is sent to the engines, in MiB
    #[arg(long, default_value_t = 350, value_name = "MIB",
          value_parser = units::whole::<u64>(1..=1_048_576))]
    memory: u64,
    /// Limits of one engine: turn, match and increment in ms or with units, nodes, memory in MiB, and
    /// strength from 0 to 100
    #[arg(long, value_name = "NAME:KEY=VALUE,...")]
    limits: Vec<LimitsOption>,
    /// Additional INFO line, for all engines or for one; can be repeated
    #[arg(long, value_name = "[NAME:]KEY=VALUE")]
    info: Vec<InfoOption>,
    /// Pause before every request, not charged to any clock: some engines lose a line that arrives
    /// within a millisecond of their move
    #[arg(long, value_name = "[NAME:]TIME")]
    pause: Vec<DelayOption>,
    /// Extra time for the first move of a process, which may still be loading its files
    #[arg(long, value_name = "[NAME:]TIME")]
    first_move: Vec<DelayOption>,
    /// Number of games played in parallel
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u16>(1..=512))]
    concurrency: u16,
    /// Start new processes for every game instead of sending START to running ones
    #[arg(long)]
    fresh: bool,
    /// Number of stones at which a game is drawn
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = units::whole::<usize>(0..=1296))]
    max_moves: usize,
    /// End a game as a loss for an engine whose last MOVES scores are all at most -SCORE
    #[arg(long, value_name = "MOVES,SCORE")]
    resign: Option<ResignRule>,
    /// End a game as a draw if the last MOVES scores of both engines are between -SCORE and SCORE,
    /// and at least STONES stones are on the board
    #[arg(long, value_name = "MOVES,SCORE[,STONES]")]
    draw: Option<DrawRule>,
    /// Stop the match after N failures of an engine; 0: never; default: when an engine fails in each
    /// of its first three games
    #[arg(long, value_name = "N", value_parser = units::count)]
    stop_after: Option<u64>,
    #[command(flatten)]
    test: SprtArgs,
    /// Write every game to this file as a JSON line; continues an interrupted match in the file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Append every game to this file in Smart Game Format
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write every game to a Piskvork file in this folder
    #[arg(long, value_name = "FOLDER")]
    psq: Option<PathBuf>,
    /// Replace files of another match in --psq, and a file of --sgf that is not SGF; remove text after
    /// the last whole game of --sgf
    #[arg(long)]
    force: bool,
    /// Print "Finished game N (A vs B): 1-0 {reason}" as each game ends, for other programs
    #[arg(long)]
    finished_lines: bool,
    /// Print the summary as a JSON object
    #[arg(long, conflicts_with = "finished_lines")]
    json: bool,
    /// Time between lines of progress when standard error is not a terminal: seconds, or with units
    #[arg(long, default_value = "10", value_name = "TIME", value_parser = units::seconds)]
    progress: Duration,
}

/// `A..B`, B greater than A.
fn range(text: &str) -> Result<Range<usize>, String> {
    let error = || "expected A..B with A less than B, at most 5000000".to_string();
    let (first, last) = text.split_once("..").ok_or_else(error)?;
    let number =
        |part: &str| part.parse::<usize>().ok().filter(|&number| number as u64 <= MAX_GAMES / 2);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first < last => Ok(first..last),
        _ => Err(error()),
    }
}

impl Args {
    /// Whether the command writes a file.
    pub fn writes_file(&self) -> bool {
        self.record.is_some() || self.sgf.is_some() || self.psq.is_some()
    }

    /// The default time per move, given the node limit and the time per game.
    fn turn(&self, nodes: u64, game: u64) -> u64 {
        self.turn.unwrap_or(match (nodes, game) {
            (0, 0) => DEFAULT_TURN_MS,
            (0, game) => game,
            _ => NODES_TURN_MS,
        })
    }

    fn game_settings(&self, openings: &OpeningBook) -> GameSettings {
        GameSettings {
            rule: openings.rule(),
            size: openings.size(),
            turn: self.turn(self.nodes, self.game_time),
            game: self.game_time,
            increment: self.increment,
            tolerance: self.tolerance,
            nodes: self.nodes,
            memory: self.memory,
            max_moves: self.max_moves,
            adjudication: Adjudication { resign: self.resign, draw: self.draw },
        }
    }

    /// The limits of one engine; the last one for a key applies.
    fn limits_of(&self, name: &str) -> SideLimits {
        let own = self.limits.iter().filter(|option| option.name == name);
        let limits = own.fold(SideLimits::default(), |limits, option| option.limits.or(limits));
        // The default time per move depends on the engine's own limits.
        let (nodes, game) =
            (limits.nodes.unwrap_or(self.nodes), limits.game.unwrap_or(self.game_time));
        let turn = limits.turn.or_else(|| Some(self.turn(nodes, game)));
        SideLimits { turn, ..limits }
    }

    fn engine_settings(&self, name: &str) -> EngineSettings {
        let limits = self.limits_of(name);
        let mut settings = EngineSettings {
            networks: self.network.networks(),
            limits,
            ..EngineSettings::of(name, &self.info, &self.pause, &self.first_move)
        };
        settings.info.extend(limits.strength.map(|strength| format!("strength {strength}")));
        settings
    }

    fn header(&self, builds: Vec<EngineBuild>, openings: &OpeningBook) -> MatchHeader {
        let settings = self.game_settings(openings);
        let mut named = BTreeMap::new();
        let mut name = |key: &str, value: String| drop(named.insert(key.to_string(), value));
        name("rule", settings.rule.to_string());
        name("size", settings.size.to_string());
        name("turn", settings.turn.to_string());
        name("match", settings.game.to_string());
        name("increment", settings.increment.to_string());
        name("tolerance", settings.tolerance.to_string());
        name("nodes", settings.nodes.to_string());
        name("memory", settings.memory.to_string());
        name("max_moves", settings.max_moves.to_string());
        name("fresh", self.fresh.to_string());
        if let Some(path) = &self.openings {
            name("openings", path.display().to_string());
            name(OPENINGS_SHA256, openings.sha256().to_string());
        }
        if let Some(seed) = self.seed {
            name("seed", seed.to_string());
        }
        if let Some(pairs) = self.pairs.as_ref().filter(|pairs| pairs.start > 0) {
            name(FIRST_PAIR, pairs.start.to_string());
        }
        if self.engines.len() > 2 {
            name("pairing", if self.gauntlet { "gauntlet" } else { "round-robin" }.to_string());
        }
        if self.swap2 {
            name("opening_rule", "swap2".to_string());
        }
        if let Some(resign) = self.resign {
            name("resign", resign.to_string());
        }
        if let Some(draw) = self.draw {
            name("draw", draw.to_string());
        }
        named.extend(numbered("limits", &self.limits));
        named.extend(numbered("info", &self.info));
        named.extend(numbered("pause", &self.pause));
        named.extend(numbered("first_move", &self.first_move));
        named.extend(numbered("network", &self.network.names()));
        let engines = self.engines.iter().map(|it| (it.name.clone(), it.command.join(" ")));
        MatchHeader { engines: engines.collect(), builds, terms: named }
    }
}

/// The values of a repeated option by key: `info 1`, `info 2` and so on.
fn numbered(key: &str, values: &[impl ToString]) -> impl Iterator<Item = (String, String)> {
    (1..).zip(values).map(move |(number, value)| (format!("{key} {number}"), value.to_string()))
}

impl Args {
    /// Checks the engine options, and returns the names of the engines.
    fn names(&self) -> anyhow::Result<Vec<String>> {
        ensure!(self.engines.len() >= 2, "expected two --engine options or more");
        engine_names(&self.engines, &self.info, &self.pause, &self.first_move, &self.limits)
    }

    /// The numbers of all games of the match, or of this part of it.
    fn numbers(&self, pairings: &Pairings, openings: &OpeningBook, has_test: bool) -> Range<usize> {
        let all = 2 * pairings.list().len() * openings.count();
        let end = self.games.unwrap_or(if has_test { MAX_SPRT_GAMES } else { all });
        self.pairs.clone().map_or(0..end, |pairs| 2 * pairs.start..2 * pairs.end)
    }
}

/// A switch that Ctrl-C and termination signals press: finished games are kept, games in progress
/// are abandoned, and engines end. The program exits immediately at the second signal, or if the
/// match does not end in time.
fn stop_on_interrupt() -> anyhow::Result<StopSwitch> {
    let stop = StopSwitch::new();
    let pressed = stop.clone();
    on_interrupt(move || {
        pressed.press();
        exit_within(STOP_TIMEOUT);
    })?;
    Ok(stop)
}

/// Plays the match. Progress is written to `progress`, the summary to `out`.
///
/// # Errors
/// When an argument is invalid, a file cannot be read or written, or an engine cannot be started.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> anyhow::Result<()> {
    let names = args.names()?;
    let settings = names.iter().map(|name| args.engine_settings(name)).collect();
    let engines = names.len();
    let pairings =
        if args.gauntlet { Pairings::gauntlet(engines) } else { Pairings::round_robin(engines) };
    let sprt = args.test.sprt();
    ensure!(
        sprt.is_none() || pairings.list().len() == 1,
        "--sprt compares two engines, got {engines}"
    );
    // The games would be appended to the openings.
    if let (Some(openings), Some(sgf)) = (&args.openings, &args.sgf) {
        ensure!(!is_same_file(openings, sgf), "--openings and --sgf name the same file");
    }
    if let (Some(record), Some(sgf)) = (&args.record, &args.sgf) {
        ensure!(!is_same_file(record, sgf), "--record and --sgf name the same file");
    }
    let openings = match &args.openings {
        Some(path) => {
            let book = OpeningBook::read_encoded(path, args.encoding, args.board, args.seed)?;
            for note in book.notes() {
                writeln!(progress, "{}: {note}", path.display())?;
            }
            book
        }
        None => {
            let book = OpeningBook::empty_board(args.board.size(), args.board.rule());
            // By swap2 the engines place the first stones themselves.
            for note in book.notes().iter().filter(|_| !args.swap2) {
                writeln!(progress, "{note}")?;
            }
            book
        }
    };
    let numbers = args.numbers(&pairings, &openings, sprt.is_some());
    let stop = stop_on_interrupt()?;
    let builds = args.engines.iter().map(|engine| EngineBuild::of(engine, &stop));
    let header = args.header(builds.collect::<anyhow::Result<_>>()?, &openings);
    let standings = Standings::new(&names, &pairings);
    let mut count = CountedGames::new(standings, sprt, numbers.start);
    let ResumedMatch { file, recorded, played } = match &args.record {
        Some(path) => resume(path, &header, &numbers, &mut count)?,
        None => ResumedMatch::default(),
    };
    let remaining: Vec<usize> = match count.is_decided() {
        true => Vec::new(),
        false => numbers.clone().filter(|game| !played.contains(game)).collect(),
    };
    let overwrite = OverwriteArgs { force: args.force };
    let paths = ExportPaths { sgf: args.sgf.as_deref(), psq: args.psq.as_deref() };
    let games = ExportedGames {
        header: &header,
        names: &names,
        recorded: &recorded,
        remaining: &remaining,
    };
    let (exports, notes) = GameExports::open(paths, &games, overwrite)?;
    for note in notes {
        writeln!(progress, "{note}")?;
    }
    let total = numbers.len();
    let plan = MatchPlan {
        engines: args.engines.clone(),
        settings,
        seed: args.seed.unwrap_or_default(),
        pairings,
        game_settings: args.game_settings(&openings),
        openings,
        swap2: args.swap2,
        games: remaining,
        concurrency: args.concurrency.into(),
        fresh: args.fresh,
    };
    let is_open_ended = sprt.is_some() && args.games.is_none() && args.pairs.is_none();
    let total = (!is_open_ended).then_some(total);
    let mut collector = GameCollector {
        header: &header,
        count,
        file,
        exports,
        display: ProgressDisplay::new(args.progress, played.len(), total),
        finished_lines: args.finished_lines,
        guard: FailureGuard::new(args.stop_after),
        failure: None,
        json: args.json,
        stop: &stop,
        out,
        progress,
    };
    plan.play(&stop, &mut |record| collector.add(record))?;
    collector.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;

    /// The arguments of a match between two bots.
    fn args(options: &[&str]) -> Args {
        let command = <Args as clap::Args>::augment_args(clap::Command::new("match"));
        let words = [&["match", "-e", "bot:random", "-e", "bot:one-ply"], options].concat();
        Args::from_arg_matches(&command.get_matches_from(words)).unwrap()
    }

    #[test]
    fn exports_to_an_input_file_are_rejected() {
        for option in ["--openings", "--record"] {
            let args = args(&[option, "games.sgf", "--sgf", "./games.sgf"]);
            let error = run(&args, &mut Vec::new(), &mut Vec::new()).unwrap_err().to_string();
            assert_eq!(error, format!("{option} and --sgf name the same file"));
        }
    }

    #[test]
    fn header_of_a_part_holds_its_first_pair() {
        let first_pair = |pairs| {
            let args = args(&["--pairs", pairs]);
            let openings = OpeningBook::empty_board(args.board.size(), args.board.rule());
            args.header(Vec::new(), &openings).first_pair()
        };
        assert_eq!((first_pair("0..4"), first_pair("2..4")), (0, 2));
    }

    #[test]
    fn invalid_ranges_of_pairs_are_rejected() {
        assert_eq!(range("3..5"), Ok(3..5));
        for bad in ["5..3", "3..3", "0..5000001", "0..99999999999999999999", "3", "a..b"] {
            assert!(range(bad).is_err(), "{bad}");
        }
    }
}
