//! Ctrl-C: ends a search or other work of a subcommand early.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use tengen::engine::StopSwitch;

/// Set when Ctrl-C has cut work short.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C has cut work short, so that the output is incomplete.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A switch that Ctrl-C presses: the search ends and its results so far are printed.
///
/// # Errors
/// When the process already handles Ctrl-C.
pub fn stop_on_interrupt() -> anyhow::Result<StopSwitch> {
    let stop = StopSwitch::new();
    let pressed = stop.clone();
    on_interrupt(move || pressed.press())?;
    Ok(stop)
}

/// Calls `react` on Ctrl-C, after which [`interrupted`] is true.
///
/// # Errors
/// When the process already handles Ctrl-C.
pub fn on_interrupt(react: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    handle_interrupt(move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        react();
    })
}

/// Calls `react` on Ctrl-C. For commands that Ctrl-C does not end: [`interrupted`] stays false.
///
/// # Errors
/// When the process already handles Ctrl-C.
pub fn handle_interrupt(react: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(react).context("cannot handle Ctrl-C")
}
