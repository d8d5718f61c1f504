//! `tengen selfplay`: plays games of the engine against itself into shards, or prints openings.
//!
//! A game depends only on the program, the options and its number: fixed nodes for a move, one
//! thread, an empty hash table at its start, no clock. Any range of games can be repeated, and shards
//! can be merged.

mod args;
#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod fault_tests;
mod openings;
mod parallel;
mod shards;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::time::Instant;

use anyhow::Context;

use super::play::SelfplaySettings;
pub use args::Args;
use shards::check_shards;
use tengen::COMMIT;
use tengen::bench;
use tengen::engine::{Networks, StopSwitch};
use tengen::search::STACK_BYTES;
use tengen_cli::interrupt::on_two_interrupts;
use tengen_cli::progress::progress_bar_of_parts;

/// Plays the games into shards, or prints openings. The first Ctrl-C ends the run with the games that
/// are finished; games with a lower number than a finished one are finished too, unless a second
/// Ctrl-C comes.
///
/// # Errors
/// When an argument is invalid, a shard cannot be written or continued, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let end = args.end()?;
    let mut signature_of_build = 0;
    if let Some(folder) = &args.out {
        // Before the signature, which needs searches.
        check_shards(args, folder, end, None)?;
        let bar = progress_bar_of_parts(bench::position_count() as u64, "positions");
        bar.set_message("computing the signature of this build");
        signature_of_build = signature(&args.network.networks(), || bar.inc(1));
        bar.finish_and_clear();
    }
    // Until here Ctrl-C ends the program: there are no games to keep.
    let interrupts = Interrupts::default();
    let pressed = interrupts.clone();
    on_two_interrupts(move || pressed.press())?;
    let version = ProgramVersion { signature: signature_of_build, commit: COMMIT };
    play_all(args, version, &interrupts, out, notes)
}

/// The switches that Ctrl-C presses: first `stop`, then `hurry`.
#[derive(Clone, Default)]
struct Interrupts {
    /// No further game is begun, and games in progress are given up.
    stop: StopSwitch,
    /// Games are given up even if later ones are finished.
    hurry: StopSwitch,
}

impl Interrupts {
    fn press(&self) {
        let switch = if self.stop.is_pressed() { &self.hurry } else { &self.stop };
        switch.press();
    }
}

/// The signature that `tengen bench` prints, combined with the hash of networks from files, so that
/// a run is not continued with different networks. `each` is called after each of its searches.
fn signature(networks: &Networks, mut each: impl FnMut()) -> u64 {
    let signature = bench::measure(bench::SIGNATURE_DEPTH, 1, |_| each()).nodes;
    let has_loaded = *networks != Networks::embedded();
    if has_loaded { signature ^ networks.hash() } else { signature }
}

/// The version of the program that plays.
#[derive(Clone, Copy)]
struct ProgramVersion<'a> {
    /// See [`signature`].
    signature: u64,
    commit: &'a str,
}

fn play_all(
    args: &Args,
    version: ProgramVersion<'_>,
    interrupts: &Interrupts,
    out: &mut dyn Write,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    let end = args.end()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(STACK_BYTES)
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .context("cannot start threads")?;
    let run = SelfplayRun {
        args,
        version,
        interrupts,
        pool,
        settings: args.settings(),
        started: Instant::now(),
    };
    match &args.out {
        Some(folder) => run.shards(folder, end, out),
        None => run.openings(end, out, notes),
    }
}

/// One run of the command.
struct SelfplayRun<'a> {
    args: &'a Args,
    version: ProgramVersion<'a>,
    interrupts: &'a Interrupts,
    pool: rayon::ThreadPool,
    settings: SelfplaySettings,
    started: Instant,
}

impl SelfplayRun<'_> {
    /// Whether the time is over or the run was stopped.
    fn is_over(&self) -> bool {
        self.interrupts.stop.is_pressed()
            || self.args.time.is_some_and(|time| self.started.elapsed() >= time)
    }
}
