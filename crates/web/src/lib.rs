//! `tengen web`: the board in the browser, for this machine only.
//!
//! The page holds the game; the server holds engines, and answers questions about positions. A
//! question is a `POST` with a JSON body, its answer a stream of JSON lines: what is known so far,
//! and at last `done` or `error`. Closing the stream ends the search behind it.

mod analyse;
mod answer;
mod ask;
mod assets;
mod desk;
mod files;
mod film;
mod guard;
mod look;
mod opening;
mod review;
mod route;
mod server;
mod solve;
mod tab;
mod talk;
#[cfg(test)]
mod tests;
mod think;
mod tree;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::Notify;

use guard::Guard;
use server::Site;
use tengen::search::STACK_BYTES;
use tengen_cli::setup::on_interrupt;

/// Threads that answer questions: those that search, and some for what takes no time.
const WORKING_THREADS: usize = 16;

/// Arguments of `tengen web`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Search threads for each board that thinks
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Memory in MiB for all searches together
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    memory: u64,
}

/// Serves the page until Ctrl-C. The first line printed is the address.
///
/// # Errors
/// When the port is taken, the system gives no random numbers, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let leave = Arc::new(Notify::new());
    let pressed = Arc::clone(&leave);
    on_interrupt(move || pressed.notify_one())?;
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .thread_stack_size(STACK_BYTES)
        .max_blocking_threads(WORKING_THREADS)
        .build()
        .context("cannot start the server")?;
    let served = runtime.block_on(async {
        let place = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
        let listener = TcpListener::bind(place).await.with_context(|| format!("port {place}"))?;
        let guard = Guard::new(listener.local_addr()?.port())?;
        writeln!(out, "{}", guard.address())?;
        writeln!(out, "Only this machine can reach it. Ctrl-C ends it.")?;
        out.flush()?;
        if args.open {
            // The browser's command line is seen by everybody on this machine: what stands in it
            // opens the door once. Where no browser can be started, the address is still there.
            if let Err(error) = open::that_detached(guard.address_for_once()) {
                writeln!(out, "No browser could be started: {error}")?;
                out.flush()?;
            }
        }
        let site = Arc::new(Site::new(guard, args.threads.into(), args.memory << 20));
        server::serve(listener, Arc::clone(&site), &leave).await;
        site.tabs.stop_all();
        anyhow::Ok(())
    });
    // Searches that were told to stop end within milliseconds; nobody waits for others.
    runtime.shutdown_background();
    served
}
