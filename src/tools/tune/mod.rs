//! `tengen tune`: fits the weights of evaluation and move ordering to self-play games.
//!
//! Two fits over the same combinations of lines: the *value*, a logistic regression of the
//! result on the sum of cell values and threat classes (Texel's method), and the *policy*, a
//! softmax over the candidate moves. A rare combination leans on what its lines and its shape
//! are worth on average, since its own share is pulled towards zero.

mod adam;
mod data;
mod fit;

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args as ClapArgs;

use crate::pattern::{COMBINATIONS, THREAT_ENTRIES, VALUE_GRAIN};
use crate::types::{Color, Rule};
use data::Samples;
use fit::{Policy, Value};

/// Points of score per unit of log-odds.
pub const SCORE_SCALE: f32 = 200.0;
/// Units of urgency per unit of log-odds.
const URGENCY_SCALE: f32 = 256.0;

/// The value sums hundreds of cells, the policy only two: it needs smaller steps.
const VALUE_RATE: f32 = 0.03;

/// What to fit, to what.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Files written by `tengen selfplay`, all of one rule
    #[arg(required = true)]
    games: Vec<PathBuf>,
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

/// Fits and writes the weight files of the games' rule, and reports the held-out losses.
///
/// # Errors
/// When a file cannot be read or written, or the games are of several rules.
pub fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut texts = Vec::new();
    for path in &args.games {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        texts.push(text);
    }
    let samples = Samples::read(&texts, args.result_share)?;
    ensure!(samples.len() > 1_000, "only {} usable positions", samples.len());
    writeln!(out, "{} games, {} positions", samples.games(), samples.len())?;

    let tables = if samples.rule() == Rule::Renju { 2 } else { 1 };
    let mut value = Value::new(tables, args.decay);
    let mut policy = Policy::new(tables, args.decay);
    for epoch in 1..=args.epochs {
        let rate = 0.02 * (1.0 - (epoch - 1) as f32 / args.epochs as f32);
        value.train(&samples, rate * VALUE_RATE);
        policy.train(&samples, rate);
        writeln!(
            out,
            "epoch {epoch}: value loss {:.5}, policy loss {:.5}, best move first {:.1} %",
            value.loss(&samples),
            policy.loss(&samples),
            100.0 * policy.accuracy(&samples)
        )?;
        out.flush()?;
    }
    for (table, name) in file_names(samples.rule()).iter().enumerate() {
        let path = args.out.join(name);
        let text = weights_text(&value, &policy, table, &samples);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "wrote {}", path.display())?;
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

fn weights_text(value: &Value, policy: &Policy, table: usize, samples: &Samples) -> String {
    let scale = |weight: f32, scale: f32| {
        (weight * scale).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
    };
    let value_scale = SCORE_SCALE * VALUE_GRAIN as f32;
    let mut text = format!(
        "# moving, waiting, attack, defence by combination; then threat values. Fitted to {} positions of \
         {} self-play games.\n",
        samples.len(),
        samples.games()
    );
    for number in 0..COMBINATIONS {
        let _ = writeln!(
            text,
            "{} {} {} {}",
            scale(value.moving(table, number), value_scale),
            scale(value.waiting(table, number), value_scale),
            scale(policy.attack(table, number), URGENCY_SCALE),
            scale(policy.defence(table, number), URGENCY_SCALE)
        );
    }
    for entry in 0..THREAT_ENTRIES {
        let _ = writeln!(text, "{}", scale(value.threat(table, entry), value_scale));
    }
    text
}
