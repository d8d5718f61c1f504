//! `tengen prove`: proves that a position is won, and writes certificates.

mod book;

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use tengen_cli::args::play;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::units;
use tengen_prove::{
    Division, Effort, Folder, FolderError, Guide, Job, JobEnd, JobResult, Plan, RunOptions, State,
    Status, cell_of, checked_color, checked_rule, run as run_jobs, stones,
};
use tengen_rules::moves::MoveText;
use tengen_rules::types::{BoardSize, Color, Rule};
use tengen_verify::Claim;

/// Nodes for each job by default.
const NODES: &str = "20M";
/// Moves that `join --split` compares.
const SPLIT_WIDTH: usize = 3;
/// Jobs that are listed by name.
const LISTED: usize = 30;

/// Arguments of `tengen prove`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    start: StartArgs,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// List what is proved and what is open, and write the certificates that rest on others
    Join(JoinArgs),
    /// Write the quiet moves of the proofs as an opening book for the engine
    Book(book::BookArgs),
}

#[derive(clap::Args, Debug)]
struct StartArgs {
    /// Moves to the position, black first: "h8 h9 i9" or "7,7 7,6 8,6"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    from: MoveText,
    /// Rule: freestyle, standard or renju
    #[arg(long, default_value_t = Rule::Freestyle)]
    rule: Rule,
    /// Board size, 5 to 15
    #[arg(long, default_value_t = 15, value_parser = units::whole::<u8>(5..=15))]
    size: u8,
    /// The side that wins
    #[arg(long, default_value = "black")]
    side: Color,
    /// Folder for the certificates; required. An interrupted run continues with the same command
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Nodes of solver and engine for each job: a reply to the position, or to a position divided by
    /// `join --split`; if the winner is to move, the position itself
    #[arg(long, default_value = NODES, value_parser = units::positive_count)]
    nodes: u64,
    /// Do only part I of N of the jobs, to be run in parallel with the others
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    part: Part,
    /// Threads; with more than one, certificates differ from run to run
    #[arg(long, default_value_t = 1, value_parser = units::whole::<usize>(1..=1024))]
    threads: usize,
}

#[derive(clap::Args, Debug)]
struct JoinArgs {
    /// The folder of the certificates
    dir: PathBuf,
    /// Divide each open position: choose a move, so that each reply to it is proved on its own
    #[arg(long)]
    split: bool,
    /// Nodes of the engine to choose a move for --split
    #[arg(long, default_value = NODES, value_parser = units::positive_count)]
    nodes: u64,
}

/// Part `index` of `count`, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    index: usize,
    count: usize,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let parsed = text.split_once('/').and_then(|(index, count)| {
            let (index, count): (usize, usize) = (index.parse().ok()?, count.parse().ok()?);
            (index >= 1 && index <= count).then(|| Part { index: index - 1, count })
        });
        parsed.ok_or_else(|| format!("{text:?}: expected I/N with I from 1 to N, such as 2/8"))
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

/// Does the jobs of a proof, or joins a folder. Prints a line for each job.
///
/// # Errors
/// When an argument is invalid, or a file cannot be read or written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    match &args.command {
        Some(Command::Join(args)) => join(args, out),
        Some(Command::Book(args)) => book::write_book(args, out),
        None => start(&args.start, out),
    }
}

/// The claim of the arguments.
fn claim(args: &StartArgs) -> anyhow::Result<Claim> {
    let Some(rule) = checked_rule(args.rule) else {
        bail!("--rule {}: expected freestyle, standard or renju", args.rule);
    };
    let size = BoardSize::square(args.size.into())?;
    let game = play(size, args.rule, &args.from).context("--from")?;
    let cells = |color| {
        let stones = game.history().iter().filter(|stone| stone.color == color);
        let mut cells: Vec<u8> = stones.map(|stone| cell_of(size, stone.point)).collect();
        cells.sort_unstable();
        cells
    };
    let (black, white) = (cells(Color::Black), cells(Color::White));
    Ok(Claim { rule, size: args.size, attacker: checked_color(args.side), black, white })
}

/// Rejects a claim that the opponent, to move, refutes with a five.
fn ensure_no_five(claim: &Claim) -> anyhow::Result<()> {
    let (side, attacker) = (claim.to_move(), claim.attacker);
    let mut state = State::new(claim);
    let mut cells = state.empty_cells().into_iter();
    let five = cells.find(|&cell| state.board.would_be_five(cell.into(), side));
    if let Some(five) = five.filter(|_| side != attacker) {
        let (side, five, attacker) = (side.name(), claim.name(five), attacker.name());
        bail!("--from: {side} is to move and wins with {five}: {attacker} has no win to prove");
    }
    Ok(())
}

/// A short name of a job: the last reply, and the position before it where there are several.
fn name(job: &Job, plan: &Plan) -> String {
    match &job.reply {
        Some((reply, before)) if *before == plan.root => job.claim.name(*reply),
        Some((reply, before)) => format!("{} {}", stones(before), job.claim.name(*reply)),
        None => stones(&job.claim),
    }
}

fn start(args: &StartArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let path =
        args.out.as_ref().context("--out DIR is required: the folder for the certificates")?;
    let stop = stop_on_interrupt()?;
    let claim = claim(args)?;
    ensure_no_five(&claim)?;
    let (folder, plan) = Folder::create(path, &Plan::new(claim))?;
    let (jobs, divisions) = plan.parts();
    let (statuses, invalid) = statuses(&folder, &jobs)?;
    let before = Counts::of(&statuses);
    let part = statuses.iter().skip(args.part.index).step_by(args.part.count);
    let left = part.filter(|status| match **status {
        Status::Proved(_) => false,
        Status::Open(nodes) => nodes < args.nodes,
        Status::Untried => true,
    });
    let left = left.count();
    list_invalid(&invalid, out)?;
    writeln!(out, "{} of {} replies are proved, {left} to do", before.proved, jobs.len())?;
    out.flush()?;
    let options = RunOptions {
        nodes: args.nodes,
        part: args.part.index,
        parts: args.part.count,
        threads: args.threads,
        effort: Effort::default(),
    };
    let mut progress = Progress { left, ended: 0, proved: 0, begun: Instant::now() };
    let mut written = Ok(());
    run_jobs(&folder, &jobs, &options, &|| stop.is_pressed(), &mut |end| {
        let line = progress.line(&end, &name(&jobs[end.index], &plan), args.threads);
        if let (Some(line), Ok(())) = (line, &written) {
            written = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    })?;
    written?;
    report(&folder, &plan, &jobs, &divisions, out)
}

/// The progress of a run.
struct Progress {
    left: usize,
    ended: usize,
    proved: usize,
    begun: Instant,
}

impl Progress {
    /// The line for a job that ended.
    fn line(&mut self, end: &JobEnd, name: &str, threads: usize) -> Option<String> {
        let took = seconds(end.elapsed);
        let what = match &end.result {
            JobResult::Interrupted => return None,
            JobResult::Proved { leaves, bytes, work } => {
                self.proved += 1;
                let leaves = counted_leaves(*leaves);
                format!("proved: {leaves}, {bytes} bytes, {} nodes, {took}", work.nodes)
            }
            JobResult::Open(work) => format!("open after {} nodes, {took}", work.nodes),
            JobResult::Faulty(reason) => format!("open: {reason}, {took}"),
        };
        self.ended += 1;
        self.left -= 1;
        let mut line = format!("{name}: {what}");
        if self.left > 0 {
            let each = self.begun.elapsed().div_f64(self.ended.max(threads) as f64);
            let rest = each.mul_f64(self.left as f64);
            line += &format!(" ({} to do, about {} at this rate)", self.left, seconds(rest));
        }
        Some(line)
    }
}

fn counted_leaves(number: u64) -> String {
    format!("{number} {}", if number == 1 { "leaf" } else { "leaves" })
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0..=99 => format!("{:.1} s", time.as_secs_f64()),
        seconds @ 100..=5999 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

/// How many jobs are proved and untried, and which are open.
struct Counts {
    proved: usize,
    untried: usize,
    /// Indices of the jobs, with the nodes that did not suffice.
    open: Vec<(usize, u64)>,
}

impl Counts {
    fn of(statuses: &[Status]) -> Counts {
        let mut counts = Counts { proved: 0, untried: 0, open: Vec::new() };
        for (index, status) in statuses.iter().enumerate() {
            match *status {
                Status::Proved(_) => counts.proved += 1,
                Status::Untried => counts.untried += 1,
                Status::Open(nodes) => counts.open.push((index, nodes)),
            }
        }
        counts
    }
}

/// The states of the jobs, and files `NAME.proof` that are not valid certificates of their position.
fn statuses(folder: &Folder, jobs: &[Job]) -> Result<(Vec<Status>, Vec<FolderError>), FolderError> {
    let mut invalid = Vec::new();
    let statuses =
        jobs.iter().map(|job| folder.status(job, &mut invalid)).collect::<Result<_, _>>();
    Ok((statuses?, invalid))
}

/// Names the files that do not count as certificates.
fn list_invalid(invalid: &[FolderError], out: &mut dyn Write) -> anyhow::Result<()> {
    for file in invalid {
        writeln!(out, "{file}; not counted")?;
    }
    Ok(())
}

/// Writes the certificates that rest on others, and prints what is proved and what is open.
fn report(
    folder: &Folder,
    plan: &Plan,
    jobs: &[Job],
    divisions: &[Division],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let missing = folder.join(jobs, divisions)?;
    let (statuses, invalid) = statuses(folder, jobs)?;
    list_invalid(&invalid, out)?;
    let Counts { proved, untried, open } = Counts::of(&statuses);
    let names: Vec<String> =
        open.iter().take(LISTED).map(|&(index, _)| name(&jobs[index], plan)).collect();
    write!(out, "{proved} of {} proved, {} open, {untried} untried", jobs.len(), open.len())?;
    if !names.is_empty() {
        let dots = if open.len() > LISTED { ", ..." } else { "" };
        write!(out, "; open: {}{dots}", names.join(", "))?;
    }
    writeln!(out)?;
    let (root, winner) = (stones(&plan.root), plan.root.attacker.name());
    if missing == 0 && proved == jobs.len() {
        let path = folder.path().display();
        writeln!(out, "complete: {winner} wins from {root}; check it with: tengen verify {path}")?;
    } else {
        writeln!(out, "not complete: nothing is claimed about {root}")?;
    }
    Ok(())
}

fn join(args: &JoinArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let (folder, mut plan) = Folder::open(&args.dir)?;
    let (jobs, divisions) = plan.parts();
    report(&folder, &plan, &jobs, &divisions, out)?;
    if !args.split {
        return Ok(());
    }
    let stop = stop_on_interrupt()?;
    for (index, _) in Counts::of(&statuses(&folder, &jobs)?.0).open {
        if stop.is_pressed() {
            break;
        }
        let job = &jobs[index];
        let state = State::new(&job.claim);
        let mut guide = Guide::new();
        guide.make_room(args.nodes);
        let candidates = guide.candidates(&state, args.nodes, SPLIT_WIDTH);
        let Some(best) = candidates.first() else {
            writeln!(out, "{}: no move of the winner found", name(job, &plan))?;
            continue;
        };
        plan.splits.push((job.claim.clone(), best.cell));
        folder.write_plan(&plan)?;
        let (cell, chance) = (job.claim.name(best.cell), 100.0 * best.chance);
        writeln!(out, "{}: split by {cell} ({chance:.1} %)", name(job, &plan))?;
        out.flush()?;
    }
    let (jobs, _) = plan.parts();
    writeln!(out, "{} jobs; run the original `tengen prove` command again to do them", jobs.len())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_from_one() {
        assert_eq!("2/8".parse(), Ok(Part { index: 1, count: 8 }));
        for text in ["0/8", "9/8", "1", "1/0", "a/b", ""] {
            let error = text.parse::<Part>().unwrap_err();
            assert!(error.contains("expected I/N"), "{error}");
        }
    }
}
