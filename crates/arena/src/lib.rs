//! `tengen match`: engines by command line, through the real protocol, under an exact referee,
//! until a number of games or a sequential test says which is stronger.
//!
//! An engine that crashes, hangs, is late or plays an illegal move loses that game, and the
//! record says why.

mod build;
pub mod choices;
mod contender;
mod display;
mod export;
#[cfg(test)]
mod fixtures;
mod game;
pub mod merge;
mod openings;
mod pairing;
mod process;
mod ratings;
mod receiver;
mod record;
mod schedule;
mod seat;
mod standings;
mod statistics;
mod tally;
#[cfg(all(test, unix))]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::ensure;
use clap::builder::RangedU64ValueParser;

use build::Build;
use contender::{Contender, Delay, ExtraInfo, Handling, engine_names};
use display::Display;
use export::Exports;
use game::Terms;
use openings::Openings;
use pairing::Pairings;
use receiver::{Count, Receiver, resume};
use record::{Header, OPENINGS_SHA256};
use schedule::Plan;
use standings::Standings;
use statistics::Sprt;

use tengen_cli::setup::{BoardArgs, stop_on_interrupt};
use tengen_cli::whole::is_same_file;

/// Time for a move where nothing is limited.
const TURN: u64 = 1000;
/// Time for a move where only nodes are limited: long enough that nodes decide.
const NODES_TURN: u64 = 60_000;

/// Games that a match may have: more are a slip of the hand.
const MOST_GAMES: u64 = 10_000_000;
/// Games of a match that only its test ends.
const UNTIL_DECIDED: usize = 1_000_000;

/// Arguments of `tengen match`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// An engine: NAME=COMMAND with its arguments, or a player of this program, level:NAME or
    /// bot:NAME (see `tengen levels`); give it twice or more
    #[arg(short, long = "engine", required = true, value_name = "NAME=COMMAND")]
    engines: Vec<Contender>,
    /// Let the first engine play all others, which do not play each other
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    board: BoardArgs,
    /// Openings, in any form of game files that convert reads but shards; without it the empty
    /// board
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Shuffle the openings in an order fixed by this number; players of this program draw from
    /// it too
    #[arg(long)]
    seed: Option<u64>,
    /// Games to play at most; without it every pairing plays every opening twice, or with --sprt
    /// a million
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(0..=MOST_GAMES))]
    games: Option<usize>,
    /// Play only the pairs of games from A, counted from 0, to B, which is not among them: a part
    /// of a match that `tengen merge` puts together
    #[arg(long, value_name = "A..B", value_parser = range, conflicts_with = "games")]
    pairs: Option<Range<usize>>,
    /// Time for a move in ms; without it 1000, with --nodes 60000, with --match what the clock has
    #[arg(long, value_name = "MS")]
    turn: Option<u64>,
    /// Time for a whole game in ms, 0 for no such clock
    #[arg(long = "match", default_value_t = 0, value_name = "MS")]
    game_time: u64,
    /// Time added to the game clock after each move in ms
    #[arg(long, default_value_t = 0, value_name = "MS")]
    increment: u64,
    /// Wall-clock time over a limit that is forgiven, in ms
    #[arg(long, default_value_t = 300, value_name = "MS")]
    tolerance: u64,
    /// Nodes that may be visited for a move (INFO max_node)
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    nodes: u64,
    /// Memory that the engines are told they may use, in MiB
    #[arg(long, default_value_t = 350, value_name = "MIB",
          value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: u64,
    /// Another INFO line, for all engines or for one
    #[arg(long, value_name = "[NAME:]KEY=VALUE")]
    info: Vec<ExtraInfo>,
    /// Wait before every request, on nobody's clock: some engines lose a line that comes within
    /// a millisecond of their move
    #[arg(long, value_name = "[NAME:]MS")]
    pause: Vec<Delay>,
    /// Forgive this much for the first move of a process, which may still be loading its files
    #[arg(long, value_name = "[NAME:]MS")]
    first_move: Vec<Delay>,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// Start new processes for every game, in place of START in the old ones
    #[arg(long)]
    fresh: bool,
    /// Call a game drawn at this number of stones
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    max_moves: usize,
    #[command(flatten)]
    test: TestArgs,
    /// Write every game to this file as JSON lines; an earlier part of the same match in it is
    /// continued
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Add every game to this file in Smart Game Format
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write every game into this folder as a file of Piskvork
    #[arg(long, value_name = "FOLDER")]
    psq: Option<PathBuf>,
    /// Print "Finished game N (A vs B): 1-0 {reason}" as each game ends, for programs that read it
    #[arg(long)]
    finished_lines: bool,
    /// Seconds between two lines of progress where standard error is no terminal
    #[arg(long, default_value_t = 10, value_name = "S")]
    progress: u64,
}

/// The sequential test of two engines.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct TestArgs {
    /// A sequential test between these two Elo differences: a match ends when it is decided, and
    /// pairs after that do not count
    #[arg(long, value_name = "ELO0,ELO1", value_parser = elo_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Chance of the test to accept a change worth ELO0
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Chance of the test to refuse a change worth ELO1
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
}

impl TestArgs {
    fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let is_chance = |value: f64| value > 0.0 && value < 0.5;
        ensure!(
            is_chance(self.alpha) && is_chance(self.beta),
            "--alpha and --beta are chances between 0 and 0.5"
        );
        let (alpha, beta) = (self.alpha, self.beta);
        Ok(self.sprt.map(|(elo0, elo1)| Sprt { elo0, elo1, alpha, beta }))
    }
}

/// `A..B`, B greater than A.
fn range(text: &str) -> Result<Range<usize>, String> {
    let error = || "expected two numbers of pairs, the smaller first: A..B".to_string();
    let (first, last) = text.split_once("..").ok_or_else(error)?;
    let number =
        |part: &str| part.parse::<usize>().ok().filter(|&number| number as u64 <= MOST_GAMES / 2);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first < last => Ok(first..last),
        _ => Err(error()),
    }
}

fn elo_bounds(text: &str) -> Result<(f64, f64), String> {
    let error = "expected two Elo differences, the smaller first: ELO0,ELO1";
    let (elo0, elo1) = text.split_once(',').ok_or(error)?;
    let number = |part: &str| part.trim().parse::<f64>().map_err(|_| error.to_string());
    let (elo0, elo1) = (number(elo0)?, number(elo1)?);
    if elo0 < elo1 && elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0 {
        Ok((elo0, elo1))
    } else {
        Err(error.to_string())
    }
}

impl Args {
    /// Whether games are kept in a file, and not only standard output written.
    pub fn makes_file(&self) -> bool {
        self.record.is_some() || self.sgf.is_some() || self.psq.is_some()
    }

    fn terms(&self) -> Terms {
        let turn = match (self.nodes, self.game_time) {
            (0, 0) => TURN,
            (0, game) => game,
            _ => NODES_TURN,
        };
        Terms {
            rule: self.board.rule,
            size: self.board.size(),
            turn: self.turn.unwrap_or(turn),
            game: self.game_time,
            increment: self.increment,
            tolerance: self.tolerance,
            nodes: self.nodes,
            memory: self.memory,
            max_moves: self.max_moves,
        }
    }

    fn header(&self, builds: Vec<Build>, openings: &Openings) -> Header {
        let terms = self.terms();
        let mut named = BTreeMap::new();
        let mut name = |key: &str, value: String| drop(named.insert(key.to_string(), value));
        name("rule", terms.rule.to_string());
        name("size", terms.size.to_string());
        name("turn", terms.turn.to_string());
        name("match", terms.game.to_string());
        name("increment", terms.increment.to_string());
        name("tolerance", terms.tolerance.to_string());
        name("nodes", terms.nodes.to_string());
        name("memory", terms.memory.to_string());
        name("max_moves", terms.max_moves.to_string());
        name("fresh", self.fresh.to_string());
        if let Some(path) = &self.openings {
            name("openings", path.display().to_string());
            name(OPENINGS_SHA256, openings.sha256().to_string());
        }
        if let Some(seed) = self.seed {
            name("seed", seed.to_string());
        }
        if self.engines.len() > 2 {
            name("pairing", if self.gauntlet { "gauntlet" } else { "round-robin" }.to_string());
        }
        named.extend(numbered("info", &self.info));
        named.extend(numbered("pause", &self.pause));
        named.extend(numbered("first_move", &self.first_move));
        let engines = self.engines.iter().map(|it| (it.name.clone(), it.command.join(" ")));
        Header { engines: engines.collect(), builds, terms: named }
    }
}

/// The values of an option that may be given more than once: `info 1`, `info 2` and so on.
fn numbered(key: &str, values: &[impl ToString]) -> impl Iterator<Item = (String, String)> {
    (1..).zip(values).map(move |(number, value)| (format!("{key} {number}"), value.to_string()))
}

impl Args {
    /// The engines' names, all different, to which every option with a name belongs.
    fn names(&self) -> anyhow::Result<Vec<String>> {
        ensure!(self.engines.len() >= 2, "give --engine twice or more");
        engine_names(&self.engines, &self.info, &self.pause, &self.first_move)
    }

    /// The numbers of all games of this match or this part of it.
    fn numbers(&self, pairings: &Pairings, openings: &Openings, has_test: bool) -> Range<usize> {
        let all = 2 * pairings.list().len() * openings.count();
        let end = self.games.unwrap_or(if has_test { UNTIL_DECIDED } else { all });
        self.pairs.clone().map_or(0..end, |pairs| 2 * pairs.start..2 * pairs.end)
    }
}

/// Plays the match: live progress goes to `progress`, the summary to `out`.
///
/// # Errors
/// When an argument makes no sense, a file cannot be used, or an engine cannot be started.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> anyhow::Result<()> {
    let names = args.names()?;
    let handling = |name: &String| Handling::of(name, &args.info, &args.pause, &args.first_move);
    let handling = names.iter().map(handling).collect();
    let engines = names.len();
    let pairings =
        if args.gauntlet { Pairings::gauntlet(engines) } else { Pairings::round_robin(engines) };
    let sprt = args.test.sprt()?;
    ensure!(
        sprt.is_none() || pairings.list().len() == 1,
        "--sprt compares two engines and there are {engines}"
    );
    if let (Some(record), Some(sgf)) = (&args.record, &args.sgf) {
        ensure!(!is_same_file(record, sgf), "--record and --sgf name one file");
    }
    let openings = match &args.openings {
        Some(path) => Openings::read(path, args.board.size(), args.board.rule, args.seed)?,
        None => Openings::empty_board(args.board.size()),
    };
    let numbers = args.numbers(&pairings, &openings, sprt.is_some());
    let stop = stop_on_interrupt()?;

    let builds = args.engines.iter().map(|engine| Build::of(engine, &stop));
    let header = args.header(builds.collect::<anyhow::Result<_>>()?, &openings);
    let standings = Standings::new(&names, &pairings);
    let mut count = Count::new(standings, sprt, numbers.start);
    let (journal, played) = match &args.record {
        Some(path) => {
            let (journal, played) = resume(path, &header, &numbers, &mut count)?;
            (Some(journal), played)
        }
        None => (None, HashSet::new()),
    };
    let left: Vec<usize> = match count.is_decided() {
        true => Vec::new(),
        false => numbers.clone().filter(|game| !played.contains(game)).collect(),
    };
    let exports = Exports::open(args.sgf.as_deref(), args.psq.as_deref(), &names, &left)?;
    let total = numbers.len();
    let plan = Plan {
        contenders: args.engines.clone(),
        handling,
        seed: args.seed.unwrap_or_default(),
        pairings,
        terms: args.terms(),
        openings,
        games: left,
        concurrency: args.concurrency.into(),
        fresh: args.fresh,
    };
    let is_open_ended = sprt.is_some() && args.games.is_none() && args.pairs.is_none();
    let total = (!is_open_ended).then_some(total);
    let mut receiver = Receiver {
        header: &header,
        count,
        journal,
        exports,
        display: Display::new(args.progress, played.len(), total),
        finished_lines: args.finished_lines,
        stop: &stop,
        out,
        progress,
    };
    plan.play(&stop, &mut |record| receiver.receive(record))?;
    receiver.summarise()
}
