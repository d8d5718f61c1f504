//! `tengen match`: two engines by command line, through the real protocol, under an exact
//! referee, until a number of games or a sequential test says which is stronger.
//!
//! An engine that crashes, hangs, is late or plays an illegal move loses that game, and the
//! record says why.

mod contender;
mod game;
mod openings;
mod player;
mod record;
mod schedule;
mod seat;
mod statistics;
mod tally;
#[cfg(all(test, unix))]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use contender::{Contender, Delay, ExtraInfo, Handling};
use game::Terms;
use openings::Openings;
use record::{Header, Journal, Record};
use schedule::Plan;
use statistics::{Decision, Sprt};
use tally::Tally;

use crate::tools::setup::BoardArgs;

/// Time for a move where only nodes are limited: long enough that nodes decide.
const NODES_TURN: u64 = 60_000;

/// Arguments of `tengen match`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// An engine: NAME=COMMAND with its arguments, or a player of this program, level:NAME or
    /// bot:NAME (see `tengen levels`); give it twice
    #[arg(short, long = "engine", required = true, value_name = "NAME=COMMAND")]
    engines: Vec<Contender>,
    #[command(flatten)]
    board: BoardArgs,
    /// Openings, one a line: "x,y x,y ...", '#' starts a comment; without it the empty board
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Shuffle the openings in an order fixed by this number; players of this program draw from
    /// it too
    #[arg(long)]
    seed: Option<u64>,
    /// Games to play at most; without it every opening twice, or with --sprt no end
    #[arg(long)]
    games: Option<usize>,
    /// Time for a move in ms; without it 1000, or 60000 with --nodes
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
    /// Positions that may be visited for a move (INFO max_node)
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    nodes: u64,
    /// Memory that the engines are told they may use, in MiB
    #[arg(long, default_value_t = 350, value_name = "MIB")]
    memory: u64,
    /// Another INFO line, for both engines or for one
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
    /// Stop when a sequential test between these two Elo differences is decided
    #[arg(long, value_name = "ELO0,ELO1", value_parser = elo_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// Chance of the test to accept a change worth ELO0
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Chance of the test to refuse a change worth ELO1
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Write every game to this file as JSON lines; an earlier part of the same match in it is
    /// continued
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Seconds between two lines of progress
    #[arg(long, default_value_t = 10, value_name = "S")]
    progress: u64,
}

/// How a match came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By itself.
    Complete,
    /// By Ctrl-C.
    Interrupted,
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
    fn terms(&self) -> Terms {
        let turn = if self.nodes > 0 { NODES_TURN } else { 1000 };
        Terms {
            rule: self.board.rule,
            size: self.board.size,
            turn: self.turn.unwrap_or(turn),
            game: self.game_time,
            increment: self.increment,
            tolerance: self.tolerance,
            nodes: self.nodes,
            memory: self.memory,
            max_moves: self.max_moves,
        }
    }

    fn header(&self, contenders: &[Contender; 2]) -> Header {
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
        }
        if let Some(seed) = self.seed {
            name("seed", seed.to_string());
        }
        for (index, info) in self.info.iter().enumerate() {
            name(&format!("info {}", index + 1), info.to_string());
        }
        for (index, delay) in self.pause.iter().enumerate() {
            name(&format!("pause {}", index + 1), delay.to_string());
        }
        for (index, delay) in self.first_move.iter().enumerate() {
            name(&format!("first_move {}", index + 1), delay.to_string());
        }
        let engines = contenders.iter().map(|it| (it.name.clone(), it.command.join(" ")));
        Header { engines: engines.collect(), terms: named }
    }

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

/// Plays the match: live progress goes to `progress`, the summary to `out`.
///
/// # Errors
/// When an argument makes no sense, a file cannot be used, or an engine cannot be started.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> anyhow::Result<Finish> {
    let contenders: [Contender; 2] =
        args.engines.clone().try_into().ok().context("give --engine exactly twice")?;
    let names = [contenders[0].name.as_str(), contenders[1].name.as_str()];
    ensure!(names[0] != names[1], "both engines are called {}", names[0]);
    let meant = args.info.iter().map(|info| ("info", &info.name));
    let meant = meant.chain(args.pause.iter().map(|delay| ("pause", &delay.name)));
    let meant = meant.chain(args.first_move.iter().map(|delay| ("first-move", &delay.name)));
    for (option, name) in meant {
        let name = name.as_deref().unwrap_or(names[0]);
        ensure!(names.contains(&name), "--{option} {name}: no engine is called so");
    }
    let handling = names.map(|name| Handling::of(name, &args.info, &args.pause, &args.first_move));
    let sprt = args.sprt()?;
    let openings = match &args.openings {
        Some(path) => Openings::read(path, args.board.size, args.board.rule, args.seed)?,
        None => Openings::empty_board(args.board.size),
    };
    let games = args.games.unwrap_or(if sprt.is_some() { 1_000_000 } else { 2 * openings.count() });
    let mut tally = Tally::new(names[0], names[1]);
    let mut journal = None;
    let mut played = HashSet::new();
    if let Some(path) = &args.record {
        let (opened, earlier) = Journal::open(path, &args.header(&contenders))?;
        journal = Some(opened);
        for record in earlier.iter().filter(|record| record.game < games) {
            if played.insert(record.game) {
                tally.add(record);
            }
        }
    }
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    let handler = [Arc::clone(&stop), Arc::clone(&interrupted)];
    ctrlc::set_handler(move || handler.iter().for_each(|flag| flag.store(true, Ordering::Relaxed)))
        .context("cannot watch for Ctrl-C")?;

    let decided =
        |tally: &Tally| sprt.is_some_and(|sprt| sprt.decide(tally.pairs()) != Decision::Open);
    let plan = Plan {
        contenders: contenders.clone(),
        handling,
        seed: args.seed.unwrap_or_default(),
        terms: args.terms(),
        openings,
        games: if decided(&tally) {
            Vec::new()
        } else {
            (0..games).filter(|game| !played.contains(game)).collect()
        },
        concurrency: args.concurrency.into(),
        fresh: args.fresh,
    };
    let mut reported = Instant::now();
    let mut receive = |record: Record| -> anyhow::Result<()> {
        // Games that end after the decision would bias the test.
        if decided(&tally) {
            return Ok(());
        }
        if let Some(journal) = &mut journal {
            journal.add(&record)?;
        }
        tally.add(&record);
        if let Some(offender) = &record.offender {
            let last = record.last_lines.last().map_or("nothing", String::as_str);
            writeln!(
                progress,
                "game {}: {offender} loses by {}; it last wrote: {last}",
                record.game, record.reason
            )?;
        }
        if reported.elapsed() >= Duration::from_secs(args.progress) {
            reported = Instant::now();
            let test = sprt.map_or(String::new(), |sprt| format!("; {}", tally.sprt_line(&sprt)));
            writeln!(progress, "{}{test}", tally.score_line())?;
        }
        if decided(&tally) {
            stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    };
    plan.play(&stop, &mut receive)?;
    write!(out, "{tally}")?;
    if let Some(sprt) = sprt {
        writeln!(out, "{}", tally.sprt_line(&sprt))?;
    }
    let interrupted = interrupted.load(Ordering::Relaxed);
    Ok(if interrupted { Finish::Interrupted } else { Finish::Complete })
}
