//! `tengen study analyze` and `grow`: analyses many positions of a database.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::ensure;
use indicatif::{ProgressBar, ProgressStyle};
use tengen::engine::Options;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::network::NetworkArgs;
use tengen_cli::units;
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Color, MIN_ENGINE_SIDE, Score, percent};
use tengen_store::{Error, Key, Record, Store};
use tengen_study::database::{
    Effort, Graph, Growth, NodeIndex, Part, Plan, SessionCounts, run_session,
};

use super::position::{PositionArgs, describe};
use super::{count, now, open, open_or_create};

/// Limits and resources of the analyses.
#[derive(clap::Args, Clone, Debug)]
struct EffortArgs {
    /// Node limit of each search, such as 500k or 1e6; default: 200k unless --move-time is given
    #[arg(long, value_parser = units::positive_count)]
    nodes: Option<u64>,
    /// Time limit of each search: ms, or with units as 2s or 1m30s
    #[arg(long, value_name = "TIME", value_parser = units::positive_milliseconds)]
    move_time: Option<u64>,
    /// Node limit of each query to the solver; 0 to skip the solver
    #[arg(long, value_name = "N", default_value = "20k", value_parser = units::count)]
    solver_nodes: u64,
    /// Number of best moves to find per position
    #[arg(long, default_value_t = 3, value_parser = units::whole::<u16>(1..=1296))]
    lines: u16,
    /// Start no further position after this time: seconds, or with units as 90s, 15m or 8h
    #[arg(long, value_name = "TIME", value_parser = units::seconds)]
    time: Option<Duration>,
    /// Analyse at most this many positions
    #[arg(long, value_name = "N", value_parser = units::positive_count)]
    positions: Option<u64>,
    /// Analyse part K of N disjoint parts of the positions
    #[arg(long, value_name = "K/N", default_value = "1/1", hide_default_value = true)]
    part: Part,
    /// Threads, each analysing a different position; default: number of cores
    #[arg(long, value_parser = units::whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Memory of all threads in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512,
          value_parser = units::whole::<u64>(1..=1_048_576))]
    memory: u64,
    #[command(flatten)]
    network: NetworkArgs,
    /// Print the counts as one JSON object
    #[arg(long)]
    json: bool,
}

/// Arguments of `tengen study analyze`.
#[derive(clap::Args, Debug)]
pub struct AnalyzeArgs {
    /// The database
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    effort: EffortArgs,
}

/// Arguments of `tengen study grow`.
#[derive(clap::Args, Debug)]
pub struct GrowArgs {
    /// The database; created if it does not exist
    #[arg(value_name = "DATABASE")]
    store: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// Number of best moves to follow from each position; default: --lines
    #[arg(long, value_name = "N", value_parser = units::whole::<u16>(1..=1296))]
    breadth: Option<u16>,
    /// Maximum difference to the best move in points
    #[arg(long = "margin", alias = "window", value_name = "POINTS", default_value_t = 150,
          value_parser = units::whole::<u32>(0..=1_000_000))]
    window: u32,
    /// Maximum number of plies from the first position
    #[arg(long, default_value_t = 30, value_parser = units::whole::<u16>(1..=1296))]
    plies: u16,
    /// Follow only the best move of this side, black or white
    #[arg(long, value_name = "SIDE")]
    repertoire: Option<Color>,
    #[command(flatten)]
    effort: EffortArgs,
}

/// Analyses the positions of a database.
///
/// # Errors
/// When the database cannot be read or written.
pub fn analyze(
    args: &AnalyzeArgs,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut store = open(&args.store, notes)?;
    let whole = args.position.is_default();
    let start = args.position.board(&store.reader(), notes)?;
    let root = (!whole).then_some(start.clone());
    if let Some(board) = &root {
        ensure!(
            store.reader().contains(board)?,
            "the database has no such position: {} (tengen study grow adds positions)",
            describe(board)
        );
    }
    session(&mut store, &start, root.as_ref(), None, &args.effort, (out, notes))
}

/// Grows a tree from a position.
///
/// # Errors
/// When the database cannot be read or written.
pub fn grow(args: &GrowArgs, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let mut store = open_or_create(&args.store, notes)?;
    let start = args.position.board(&store.reader(), notes)?;
    ensure_playable(&start)?;
    if !store.reader().contains(&start)? {
        store.put(&start, &Record::default())?;
    }
    let growth = Growth {
        repertoire: args.repertoire,
        breadth: args.breadth.unwrap_or(args.effort.lines).into(),
        window: args.window,
        plies: args.plies.into(),
    };
    session(&mut store, &start, Some(&start), Some(growth), &args.effort, (out, notes))
}

/// Refuses boards that are too small for the engine.
fn ensure_playable(board: &Board) -> anyhow::Result<()> {
    let size = board.size();
    BoardSize::at_least(MIN_ENGINE_SIDE, size.width().into(), size.height().into())?;
    Ok(())
}

fn session(
    store: &mut Store,
    start: &Board,
    root: Option<&Board>,
    growth: Option<Growth>,
    args: &EffortArgs,
    (out, notes): (&mut dyn Write, &mut dyn Write),
) -> anyhow::Result<()> {
    let (rule, size) = (start.rule(), start.size());
    ensure_playable(start)?;
    let stop = stop_on_interrupt()?;
    let mut graph = Graph::read(&store.reader(), rule, size, None)?;
    let roots: Vec<NodeIndex> = match root {
        Some(board) => graph.find(&Key::of(board)).into_iter().collect(),
        None => graph.roots().collect(),
    };
    ensure!(!roots.is_empty(), "the database has no positions of {rule} {size}");
    let plan = args.plan(growth);
    let bar = Bar::new(&plan, args.time);
    let mut progress = |counts: &SessionCounts| {
        bar.show(counts);
        ControlFlow::Continue(())
    };
    let counts = run_session(store, &mut graph, &roots, &plan, &stop, &mut progress);
    let counts = counts.map_err(|error| match error {
        Error::Busy { .. } => anyhow::Error::from(error)
            .context("the last results are lost; the same command continues"),
        error => error.into(),
    })?;
    bar.finish();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&counts)?)?;
        return Ok(());
    }
    summary(&counts, out)?;
    if let Some(value) = root.and_then(|_| roots.first()).and_then(|&root| graph.node(root).value())
    {
        let side = start.side_to_move().name();
        writeln!(out, "value of the first position for {side}: {}", shown(value))?;
    }
    if counts.proofs_conflicts > 0 {
        let conflicts = count(counts.proofs_conflicts, "proof");
        writeln!(notes, "{conflicts} contradicted another proof: one of the two is wrong")?;
    }
    if stop.is_pressed() {
        writeln!(notes, "interrupted; the same command continues")?;
    }
    Ok(())
}

fn shown(value: Score) -> String {
    format!("{value}, {} % to win", percent(value.rounded_win_rate(), 1))
}

fn summary(counts: &SessionCounts, out: &mut dyn Write) -> anyhow::Result<()> {
    let SessionCounts { analysed, solved, proved_by_moves, added, nodes, left, .. } = *counts;
    writeln!(out, "analysed {} with {}", count(analysed, "position"), count(nodes, "node"))?;
    writeln!(out, "proved {solved} by the solver, {proved_by_moves} from later positions")?;
    if added > 0 {
        writeln!(out, "added {}", count(added, "position"))?;
    }
    writeln!(out, "left {}", count(left, "position"))?;
    Ok(())
}

impl EffortArgs {
    fn plan(&self, growth: Option<Growth>) -> Plan {
        const USUAL_NODES: u64 = 200_000;
        let threads = self.threads.map_or_else(cores, usize::from);
        let nodes = self.nodes.or(self.move_time.is_none().then_some(USUAL_NODES));
        let options = Options {
            // Not `hash`: each search begins with an empty table, and the first touch of the pages
            // of a large one takes longer than a short search.
            memory: Some((self.memory << 20) / threads as u64),
            networks: self.network.networks(),
            ..Options::default()
        };
        Plan {
            effort: Effort {
                nodes,
                time: self.move_time.map(Duration::from_millis),
                lines: self.lines.into(),
                solver_nodes: self.solver_nodes,
            },
            growth,
            part: self.part,
            positions: self.positions.unwrap_or(u64::MAX),
            // A time beyond the range of the clock means no limit.
            deadline: self.time.and_then(|time| Instant::now().checked_add(time)),
            threads,
            options,
            now,
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// Progress on a terminal: analysed and remaining positions, and the time if it is limited.
struct Bar {
    bar: ProgressBar,
    limit: Option<u64>,
}

impl Bar {
    fn new(plan: &Plan, time: Option<Duration>) -> Bar {
        let until = time.map_or(String::new(), |time| format!(" of {} s", time.as_secs()));
        let template = format!(
            "{{bar:30}} {{pos}}/{{len}} positions, {{per_sec}}, {{elapsed}}{until}, {{eta}} left; {{msg}}"
        );
        let style = ProgressStyle::with_template(&template).expect("a valid template");
        let bar = ProgressBar::new(0).with_style(style);
        Bar { bar, limit: (plan.positions != u64::MAX).then_some(plan.positions) }
    }

    fn show(&self, counts: &SessionCounts) {
        let all = counts.analysed + counts.left;
        self.bar.set_length(self.limit.map_or(all, |limit| limit.min(all).max(counts.analysed)));
        self.bar.set_position(counts.analysed);
        let proved = counts.solved + counts.proved_by_moves;
        self.bar.set_message(format!("{proved} proved"));
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        effort: EffortArgs,
    }

    fn parsed(option: &str, value: &str) -> Result<EffortArgs, clap::Error> {
        Command::try_parse_from(["analyze", option, value]).map(|command| command.effort)
    }

    #[test]
    fn durations_have_a_unit() {
        let seconds = |text: &str| parsed("--time", text).map(|it| it.time.unwrap().as_secs_f64());
        assert_eq!(seconds("90s").unwrap(), 90.0);
        assert_eq!(seconds("1.5m").unwrap(), 90.0);
        assert_eq!(seconds("1m30s").unwrap(), 90.0);
        assert_eq!(seconds("8h").unwrap(), 28_800.0);
        // As in the other tools.
        assert_eq!(seconds("8").unwrap(), 8.0);
        for text in ["", "h", "-1h", "8 hours", "1e99h", "8\u{e9}"] {
            assert!(seconds(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn limits_of_a_position_have_units() {
        assert_eq!(parsed("--nodes", "1e6").unwrap().nodes, Some(1_000_000));
        assert_eq!(parsed("--move-time", "1m30s").unwrap().move_time, Some(90_000));
        assert_eq!(parsed("--solver-nodes", "2M").unwrap().solver_nodes, 2_000_000);
        assert_eq!(parsed("--nodes", "5").unwrap().solver_nodes, 20_000);
    }
}
