//! `tengen train`: fits the network of one rule to shards of data.
//!
//! The same data, options and seed give the same bytes for any number of threads: every batch is split
//! into `PARTS` parts, whose gradients are added in order.

mod checkpoint;
mod export;
mod hindsight;
mod pass;
mod report;
mod samples;
#[cfg(test)]
mod tests;
mod weights;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::Args as ClapArgs;
use rayon::prelude::*;

use super::data_file::DataFile;
use checkpoint::Checkpoint;
use report::HeldOutSamples;
use samples::{HoldOut, SampleKind, SampleSet, TrainingSample};
use tengen::engine::StopSwitch;
use tengen::eval::network::{self, NetworkFile};
use tengen::random::Random;
use tengen_cli::atomic_file::{self, is_same_file};
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::overwrite::{OverwriteArgs, existing_file};
use tengen_cli::units;
use tengen_rules::types::{Rule, counted};
use weights::{NetworkRows, StepSize, Weights};

/// Positions of a step.
// lab/0003, lab/0101, lab/0104
const BATCH: usize = 1_024;
/// Parts of a batch that are processed in parallel.
const PARTS: usize = 8;
/// Fraction of the steps in which the rate rises to its maximum.
const WARM_UP: f32 = 0.02;
/// Lower bound of the rate, as a fraction of its maximum.
const MIN_RATE: f32 = 0.005;

/// Arguments of `tengen train`.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Shards of `tengen selfplay`; all of one rule
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Shard for validation, not used for training; can be repeated; default: one game in 20 of FILES
    #[arg(long, value_name = "FILE")]
    held_out: Vec<PathBuf>,
    /// Network file to write; FILE.state next to it holds the progress, from which the same command
    /// continues
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite an existing network file, and the progress of other data or options
    #[arg(long)]
    force: bool,
    /// Network to start from: `embedded`, `random`, or a file
    #[arg(long, default_value = "embedded", value_name = "NETWORK")]
    start: String,
    /// Training target of game positions, from 0 (their own score) to 1 (the result of the game): the
    /// weight of later scores falls by this factor with each ply
    #[arg(long, default_value_t = 0.97, value_parser = share())]
    lambda: f32,
    /// Fraction of the game positions to use in each pass, 0 to 1
    #[arg(long, default_value_t = 1.0, value_parser = share())]
    game_share: f32,
    /// Number of passes over the positions
    #[arg(long, default_value_t = 20, value_parser = units::whole::<u32>(1..=10_000))]
    epochs: u32,
    /// Stop after this number of passes without progress on the held-out positions
    #[arg(long, default_value_t = 5, value_parser = units::whole::<u32>(1..=10_000))]
    patience: u32,
    /// Write the network of the last pass instead of the best one on the held-out positions (which
    /// favour the start network if it was trained on them)
    #[arg(long)]
    last: bool,
    /// Maximum learning rate
    #[arg(long, default_value_t = 0.002, value_parser = rate())]
    rate: f32,
    /// Damping (epsilon of Adam): larger values slow down rows that occur in few positions; use 1e-8
    /// with --start random
    #[arg(long, default_value_t = 1e-4, value_parser = damping())]
    damping: f32,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Number of threads; default: the number of processors
    #[arg(long, value_parser = units::whole::<u16>(1..=512))]
    threads: Option<u16>,
}

/// A parser of an option with a number.
trait NumberParser: Fn(&str) -> Result<f32, String> + Clone + Send + Sync + 'static {}

impl<P: Fn(&str) -> Result<f32, String> + Clone + Send + Sync + 'static> NumberParser for P {}

fn share() -> impl NumberParser {
    units::real(|share| (0.0..=1.0).contains(&share), "from 0 to 1")
}

fn rate() -> impl NumberParser {
    units::real(|rate| rate > 0.0 && rate <= 0.1, "greater than 0 and at most 0.1")
}

fn damping() -> impl NumberParser {
    units::real(|damping| (1e-12..=1.0).contains(&damping), "from 1e-12 to 1")
}

/// Trains and writes the network file, and reports the losses on held-out games.
///
/// # Errors
/// When an argument is invalid, a file cannot be read or written, or the files have different rules.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    train(args, &stop_on_interrupt()?, out)
}

fn train(args: &Args, stop: &StopSwitch, out: &mut dyn Write) -> anyhow::Result<()> {
    let state = args.out.with_added_extension("state");
    check_output(args, &state)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .context("cannot start threads")?;
    let (rule, samples) = load(args, &pool, out)?;
    let held_out = HeldOutSamples::of(&samples);
    ensure!(!held_out.is_empty(), "no positions are held out; more games are needed");
    let is_used = |it: &TrainingSample| {
        !it.held_out && (args.game_share > 0.0 || it.kind != SampleKind::Game)
    };
    let is_anything = !samples.select(is_used).is_empty();
    ensure!(
        is_anything,
        "no positions to train on: all are held out or excluded by --game-share 0"
    );
    let weights = start(args, rule)?;
    let run = TrainingRun { args, samples: &samples, held_out: &held_out, pool: &pool };
    let number = run.number(&weights);
    let mut progress = run.begin(weights);
    if existing_file(&state).with_context(|| state.display().to_string())?.is_some() {
        let mut saved = progress.clone();
        match saved.load(&state, number) {
            Ok(()) => {
                progress = saved;
                writeln!(out, "continuing after pass {}", progress.passes)?;
            }
            Err(error) if args.force => {
                writeln!(out, "{}: {error:#}; starting again", state.display())?;
            }
            Err(error) => {
                return Err(error.context(format!("{} cannot be continued", state.display())));
            }
        }
    }
    writeln!(out, "at the start: {}", run.summary(&rounded(&progress.weights)))?;
    out.flush()?;
    while progress.passes < args.epochs && progress.without_progress < args.patience {
        let started = Instant::now();
        let Some(loss) = run.pass(&mut progress, stop) else {
            writeln!(out, "stopped; the same command continues after pass {}", progress.passes)?;
            return Ok(());
        };
        progress.save(&state, number)?;
        writeln!(
            out,
            "pass {} ({:.0} s): trained value {loss:.5}; {}",
            progress.passes,
            started.elapsed().as_secs_f64(),
            run.summary(&rounded(&progress.weights))
        )?;
        out.flush()?;
    }
    let file = NetworkFile { rule, sides: export::sides(&progress.best) };
    let bytes = file.write();
    NetworkFile::read(&bytes).context("cannot read the trained network")?;
    atomic_file::write(&args.out, &bytes)
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    std::fs::remove_file(&state).with_context(|| format!("cannot remove {}", state.display()))?;
    write!(out, "{}", run.details(&progress.best))?;
    writeln!(
        out,
        "wrote {}: {} bytes, hash {:016x}, held-out loss {:.5}",
        args.out.display(),
        bytes.len(),
        NetworkFile::hash(&bytes),
        progress.best_loss
    )?;
    Ok(())
}

/// Checks before training that the network file can be written, and that neither it nor the state
/// overwrites a file that is read.
fn check_output(args: &Args, state: &Path) -> anyhow::Result<()> {
    let path = args.out.display();
    ensure!(!args.out.is_dir(), "{path} is a folder");
    OverwriteArgs { force: args.force }.check(&args.out)?;
    for data in args.files.iter().chain(&args.held_out) {
        if is_same_file(&args.out, data) || is_same_file(state, data) {
            bail!("--out {path} would overwrite the data in {}", data.display());
        }
    }
    ensure!(
        !is_same_file(state, Path::new(&args.start)),
        "--out {path} would overwrite the network in {}",
        args.start
    );
    atomic_file::ensure_writable_folder(&args.out).with_context(|| format!("cannot write {path}"))
}

/// Reads all files. Damage is reported and skipped.
fn load(
    args: &Args,
    pool: &rayon::ThreadPool,
    out: &mut dyn Write,
) -> anyhow::Result<(Rule, SampleSet)> {
    let mut rule = None;
    let mut samples = SampleSet::default();
    let hold_out = if args.held_out.is_empty() { HoldOut::Share } else { HoldOut::None };
    let files = args.files.iter().map(|path| (path, hold_out));
    let held_out = args.held_out.iter().map(|path| (path, HoldOut::All));
    for (path, hold_out) in files.chain(held_out) {
        let input = DataFile::read(path)?;
        let first = *rule.get_or_insert(input.header.rule);
        if first != input.header.rule {
            bail!("{}: {} games, expected {first}", path.display(), input.header.rule);
        }
        for note in input.notes() {
            writeln!(out, "{}: {note}", path.display())?;
        }
        pool.install(|| samples.add(&input, args.lambda, hold_out))?;
    }
    let all = samples.len();
    let merged = pool.install(|| samples.merge_duplicates());
    writeln!(out, "{}, {merged} of them duplicates", counted(all, "position"))?;
    out.flush()?;
    Ok((rule.context("no files")?, samples))
}

/// The rows rounded as in a network file.
fn rounded(weights: &Weights) -> NetworkRows {
    export::rows(&export::sides(&weights.rows()))
}

/// The weights to start from.
fn start(args: &Args, rule: Rule) -> anyhow::Result<Weights> {
    let sides = if rule == Rule::Renju { 2 } else { 1 };
    let bytes = match args.start.as_str() {
        "random" => return Ok(Weights::random(sides, args.seed)),
        "embedded" => network::embedded(rule).to_vec(),
        path => {
            std::fs::read(path).with_context(|| format!("--start {path}: cannot read the file"))?
        }
    };
    let file = NetworkFile::read(&bytes).with_context(|| format!("--start {}", args.start))?;
    ensure!(file.sides.len() == sides, "--start {}: network of another rule", args.start);
    Ok(Weights::from_rows(&export::rows(&file.sides)))
}

/// A run of the command.
struct TrainingRun<'a> {
    args: &'a Args,
    samples: &'a SampleSet,
    held_out: &'a HeldOutSamples,
    pool: &'a rayon::ThreadPool,
}

impl TrainingRun<'_> {
    /// A hash of the data, the options that matter and the start weights.
    fn number(&self, start: &Weights) -> u32 {
        let Args { lambda, game_share, epochs, patience, last, .. } = self.args;
        let Args { rate, damping, seed, .. } = self.args;
        let options = format!(
            "{lambda} {game_share} {epochs} {patience} {last} {rate} {damping} {seed} {BATCH} xoshiro256++"
        );
        let mut hash = crc32fast::Hasher::new();
        hash.update(options.as_bytes());
        hash.update(&self.samples.hash().to_le_bytes());
        for number in start.numbers.as_flattened() {
            hash.update(&number.to_le_bytes());
        }
        hash.finalize()
    }

    fn begin(&self, weights: Weights) -> Checkpoint {
        let best = rounded(&weights);
        let best_loss = self.pool.install(|| self.held_out.loss(&best, self.samples));
        Checkpoint { passes: 0, without_progress: 0, best_loss, best, weights }
    }

    fn summary(&self, rows: &NetworkRows) -> String {
        self.pool.install(|| self.held_out.summary(rows, self.samples))
    }

    fn details(&self, rows: &NetworkRows) -> String {
        self.pool.install(|| self.held_out.details(rows, self.samples))
    }

    /// The positions of a pass in their order.
    fn order(&self, pass: u32) -> Vec<u32> {
        let mut random =
            Random::new(self.args.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(pass));
        let mut order = self.samples.select(|sample| !sample.held_out);
        if self.args.game_share < 1.0 {
            order.retain(|&at| {
                let drawn = random.unit() < self.args.game_share;
                drawn || self.samples.get(at as usize).kind != SampleKind::Game
            });
        }
        random.shuffle(&mut order);
        order
    }

    /// Trains on all positions once and keeps the best rows. Returns the mean value loss, or `None` if
    /// `stop` was pressed.
    fn pass(&self, progress: &mut Checkpoint, stop: &StopSwitch) -> Option<f64> {
        let order = self.order(progress.passes);
        let steps = order.len().div_ceil(BATCH);
        let (mut loss, mut count) = (0.0, 0u64);
        let mut gradients: Vec<NetworkRows> =
            (0..PARTS).map(|_| NetworkRows::zero(progress.best.sides())).collect();
        for (step, batch) in order.chunks(BATCH).enumerate() {
            if stop.is_pressed() {
                return None;
            }
            let done = (progress.passes as usize * steps + step) as f32;
            let share = done / (self.args.epochs as usize * steps) as f32;
            let step_size =
                StepSize { rate: self.args.rate * rate_at(share), damping: self.args.damping };
            let (sum, values) = self.pool.install(|| {
                let sums = self.gradient(&progress.weights.rows(), batch, &mut gradients);
                progress.weights.step(&gradients[0], step_size);
                sums
            });
            loss += sum;
            count += values;
        }
        progress.passes += 1;
        progress.without_progress += 1;
        let rows = rounded(&progress.weights);
        let held_out = self.pool.install(|| self.held_out.loss(&rows, self.samples));
        if self.args.last || held_out < progress.best_loss {
            progress.without_progress = 0;
            progress.best_loss = held_out;
            progress.best = rows;
        }
        Some(loss / count.max(1) as f64)
    }

    /// Writes the mean gradient of a batch to the first of `gradients`. Returns the summed value loss
    /// and the number of positions that have one.
    fn gradient(
        &self,
        rows: &NetworkRows,
        batch: &[u32],
        gradients: &mut [NetworkRows],
    ) -> (f64, u64) {
        let part = batch.len().div_ceil(PARTS);
        let sums: Vec<(f64, u64)> = gradients
            .par_iter_mut()
            .enumerate()
            .map(|(number, gradient)| {
                gradient.vectors.fill(weights::ZERO);
                let (mut loss, mut values) = (0.0, 0);
                for &at in batch.chunks(part).nth(number).unwrap_or(&[]) {
                    let sample = self.samples.get(at as usize);
                    let output = pass::backpropagate(rows, self.samples, sample, gradient);
                    if let Some(value) = output.value_loss {
                        loss += f64::from(value);
                        values += 1;
                    }
                }
                (loss, values)
            })
            .collect();
        let Some((first, others)) = gradients.split_first_mut() else { unreachable!("PARTS > 0") };
        let scale = 1.0 / batch.len() as f32;
        first.vectors.par_iter_mut().enumerate().with_min_len(256).for_each(|(at, sum)| {
            others.iter().for_each(|other| weights::add(sum, &other.vectors[at]));
            sum.iter_mut().for_each(|number| *number *= scale);
        });
        sums.iter().fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }
}

/// The learning rate after this fraction of all steps, as a fraction of its maximum: a short linear
/// rise, then half a cosine.
fn rate_at(share: f32) -> f32 {
    if share < WARM_UP {
        return share / WARM_UP;
    }
    MIN_RATE + (1.0 - MIN_RATE) * 0.5 * (1.0 + (std::f32::consts::PI * share).cos())
}
