//! `tengen tune`: fits the weights of evaluation and move ordering.
//!
//! Two fits over the same pattern codes: the *value*, a logistic regression of the
//! result of self-play games on the sum of cell values and threat classes (Texel's method), and
//! the *policy*, a softmax over the moves of nodes where one of them caused a cutoff. A rare
//! code leans on what its lines and its shape are worth on average, since its own share
//! is pulled towards zero. What there is no data for stays as it is.

mod adam;
mod cells;
mod choices;
mod policy;
mod positions;
mod value;

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args as ClapArgs;

use super::games::GameFile;
use crate::eval::classical::{EVAL_SCALE, OFFSET_CLASSES, OffsetScore, THREAT_ENTRIES, Weights};
use crate::pattern::{PATTERN_CODES, SHAPES};
use crate::types::{Color, Rule};
use choices::Choices;
use policy::Policy;
use positions::Samples;
use value::Value;

/// Points of score per unit of log-odds.
pub const SCORE_SCALE: f32 = 200.0;
/// Units of a move score per unit of log-odds.
const MOVE_SCALE: f32 = 256.0;

/// The first step of the policy.
const RATE: f32 = 0.02;
/// The value sums hundreds of cells, the policy only two: it needs smaller steps.
const VALUE_RATE: f32 = 0.03;

/// Every so many games or searches one is held out.
const HELD_OUT: usize = 20;
/// Fewer positions than this teach nothing.
const LEAST_POSITIONS: usize = 1_000;

/// What to fit, to what.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Files written by `tengen selfplay`, for the evaluation
    games: Vec<PathBuf>,
    /// Files written by `tengen harvest`, for the move ordering
    #[arg(long, num_args = 1..)]
    cutoffs: Vec<PathBuf>,
    /// Folder for the weight files
    #[arg(long)]
    out: PathBuf,
    /// Weight of the game's result against the search score in the target, 0 to 1
    #[arg(long, default_value_t = 1.0)]
    result_share: f32,
    /// Passes over the positions
    #[arg(long, default_value_t = 12)]
    epochs: u32,
    /// Pull of rare combinations towards their lines
    #[arg(long, default_value_t = 1e-5)]
    decay: f32,
}

/// Fits and writes the weight files of the data's rule, and reports the held-out losses.
///
/// # Errors
/// When a file cannot be read or written, or the files are of several rules.
pub fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut rule = None;
    let mut samples = Samples::default();
    for path in &args.games {
        with_file(path, &mut rule, |file| samples.add(&file, args.result_share))?;
    }
    let mut choices = Choices::default();
    for path in &args.cutoffs {
        with_file(path, &mut rule, |file| choices.add(&file))?;
    }
    choices.shuffle();
    let Some(rule) = rule else { bail!("nothing to fit to: give games, --cutoffs or both") };

    let tables = if rule == Rule::Renju { 2 } else { 1 };
    let value = if args.games.is_empty() {
        None
    } else {
        writeln!(out, "{} games, {} positions", samples.games(), samples.len())?;
        Some(fit_value(args, tables, &samples, out)?)
    };
    let policy = if args.cutoffs.is_empty() {
        None
    } else {
        writeln!(out, "{} cutoffs", choices.len())?;
        Some(fit_policy(args, tables, &choices, out)?)
    };
    for (table, name) in file_names(rule).iter().enumerate() {
        let path = args.out.join(name);
        let text = weights_text(value.as_ref(), policy.as_ref(), rule, table);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "wrote {}", path.display())?;
    }
    Ok(())
}

/// Reads a file and hands it to `add`, if it is of the same `rule` as those before.
fn with_file(
    path: &PathBuf,
    rule: &mut Option<Rule>,
    add: impl FnOnce(GameFile<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = GameFile::parse(&text).with_context(|| format!("in {}", path.display()))?;
    let first = *rule.get_or_insert(file.rule);
    ensure!(first == file.rule, "{first} and {} cannot be fitted together", file.rule);
    add(file).with_context(|| format!("in {}", path.display()))
}

fn fit_value(
    args: &Args,
    tables: usize,
    samples: &Samples,
    out: &mut impl Write,
) -> anyhow::Result<Value> {
    ensure!(samples.len() > LEAST_POSITIONS, "only {} usable positions", samples.len());
    let mut value = Value::new(tables, args.decay);
    pass_often(args.epochs, out, |rate| {
        value.train(samples, VALUE_RATE * rate);
        format!("value loss {:.5}", value.loss(samples))
    })?;
    Ok(value)
}

fn fit_policy(
    args: &Args,
    tables: usize,
    choices: &Choices,
    out: &mut impl Write,
) -> anyhow::Result<Policy> {
    ensure!(choices.len() > LEAST_POSITIONS, "only {} cutoffs", choices.len());
    let mut policy = Policy::new(tables, args.decay);
    pass_often(args.epochs, out, |rate| {
        policy.train(choices, rate);
        let (loss, accuracy) = (policy.loss(choices), 100.0 * policy.accuracy(choices));
        format!("policy loss {loss:.5}, best move first {accuracy:.1} %")
    })?;
    Ok(policy)
}

/// Makes the passes, with steps that get smaller, and prints what each one says about itself.
fn pass_often(
    epochs: u32,
    out: &mut impl Write,
    mut pass: impl FnMut(f32) -> String,
) -> anyhow::Result<()> {
    for epoch in 1..=epochs {
        let rate = RATE * (1.0 - (epoch - 1) as f32 / epochs as f32);
        writeln!(out, "epoch {epoch}: {}", pass(rate))?;
        out.flush()?;
    }
    Ok(())
}

fn file_names(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::Freestyle => &["freestyle.txt"],
        Rule::Renju => &["renju-black.txt", "renju-white.txt"],
        Rule::Standard | Rule::Caro | Rule::CaroOverline => &["standard.txt"],
    }
}

/// The table of weights that belongs to `color`: renju keeps two, the others share one.
fn table_of(tables: usize, color: Color) -> usize {
    color.index() % tables
}

/// The file of one table: fitted numbers, and those of this program where nothing was fitted.
fn weights_text(
    value: Option<&Value>,
    policy: Option<&Policy>,
    rule: Rule,
    table: usize,
) -> String {
    let known = Weights::of(rule, Color::ALL[table]);
    let scale = |weight: f32, scale: f32| {
        (weight * scale).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
    };
    let points = |weight: f32| scale(weight, SCORE_SCALE * EVAL_SCALE as f32);
    let score = |weight: f32| scale(weight, MOVE_SCALE);

    let mut text = "# value on turn, off turn, move score own, opponent by pattern code; threat \
                    values; move scores of pairs of shapes; 1 ply, 2 plies by offset class.\n"
        .to_owned();
    for code in 0..PATTERN_CODES {
        let [mut on_turn, mut off_turn, mut own, mut opponent] = known.cell_numbers(code);
        if let Some(value) = value {
            on_turn = points(value.on_turn(table, code));
            off_turn = points(value.off_turn(table, code));
        }
        if let Some(policy) = policy {
            own = score(policy.own(table, code));
            opponent = score(policy.opponent(table, code));
        }
        let _ = writeln!(text, "{on_turn} {off_turn} {own} {opponent}");
    }
    for entry in 0..THREAT_ENTRIES {
        let threat = value.map(|value| points(value.threat(table, entry)));
        let _ = writeln!(text, "{}", threat.unwrap_or(known.threat(entry)));
    }
    for number in 0..SHAPES * SHAPES {
        let pair = policy.map(|policy| score(policy.pair(table, number)));
        let _ = writeln!(text, "{}", pair.unwrap_or(known.pair_by_number(number)));
    }
    for class in 0..OFFSET_CLASSES {
        let offset = policy.map(|policy| OffsetScore {
            one_ply: score(policy.one_ply(table, class)),
            two_plies: score(policy.two_plies(table, class)),
        });
        let OffsetScore { one_ply, two_plies } = offset.unwrap_or(known.offset_by_class(class));
        let _ = writeln!(text, "{one_ply} {two_plies}");
    }
    text
}
