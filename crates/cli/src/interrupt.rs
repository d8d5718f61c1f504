//! Ctrl-C and termination signals: the first one ends the search or other work of a subcommand early;
//! the second one ends the program.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Context;

use tengen::engine::StopSwitch;

/// Whether Ctrl-C has ended work early.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Exit status after Ctrl-C, as in shells.
pub const INTERRUPTED_STATUS: u8 = 130;

/// Functions to call before the program exits during its work.
static BEFORE_EXIT: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// Registers a function to call before the program exits during its work: at the second Ctrl-C, or
/// by [`exit_within`].
pub fn before_exit(clean_up: fn()) {
    BEFORE_EXIT.lock().unwrap_or_else(PoisonError::into_inner).push(clean_up);
}

/// Exits after this time, in case the program's work is blocked.
pub fn exit_within(timeout: Duration) {
    thread::spawn(move || {
        thread::sleep(timeout);
        exit_now();
    });
}

fn exit_now() -> ! {
    let clean_ups =
        std::mem::take(&mut *BEFORE_EXIT.lock().unwrap_or_else(PoisonError::into_inner));
    clean_ups.into_iter().for_each(|clean_up| clean_up());
    std::process::exit(INTERRUPTED_STATUS.into())
}

/// Whether Ctrl-C has ended work early, so that the output is incomplete.
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

/// Calls `react` on the first Ctrl-C, after which [`interrupted`] is true. The second ends the program.
///
/// # Errors
/// When the process already handles Ctrl-C.
pub fn on_interrupt(react: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    handle_interrupt(move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            exit_now();
        }
        react();
    })
}

/// Calls `react` on the first and the second Ctrl-C; [`interrupted`] is true after the first. The third
/// ends the program. For commands that first finish some of their work.
///
/// # Errors
/// When the process already handles Ctrl-C.
pub fn on_two_interrupts(react: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let pressed = AtomicUsize::new(0);
    handle_interrupt(move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if pressed.fetch_add(1, Ordering::Relaxed) >= 2 {
            exit_now();
        }
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
