//! `tengen web`: the board in the browser, served to this machine only.
//!
//! The page holds the game; the server holds the engines and answers requests about positions with
//! the functions of `tengen-page-api`. A request is a `POST` with a JSON body. The response of a
//! search is a stream of JSON lines: progress, then `done` or `error`. Closing the stream stops the
//! search. With `--study`, the server also shows and changes a database of positions.

mod assets;
mod engine_pool;
mod places;
mod response;
mod router;
mod security;
mod server;
#[cfg(unix)]
mod socket;
mod stream;
mod study;
mod tabs;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::Notify;

use security::AccessControl;
#[cfg(unix)]
use security::FORWARDED_PORT;
use server::{AppState, Listener};
#[cfg(unix)]
use socket::SocketFile;
use study::Study;
use tengen::search::STACK_BYTES;
use tengen_cli::interrupt::on_interrupt;
use tengen_cli::network::NetworkArgs;
use tengen_cli::units;

/// Worker threads: for searches, and some for short requests.
const WORKER_THREADS: usize = 16;

/// Arguments of `tengen web`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Port to listen on; 0 chooses a free port
    #[arg(long, default_value_t = 0, value_parser = units::whole::<u16>(0..=65_535))]
    port: u16,
    /// Listen on a Unix socket with this path, which only its owner can reach, instead of a port
    #[arg(long, value_name = "PATH", conflicts_with_all = ["port", "open"])]
    socket: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Search threads of each engine
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u16>(1..=1024))]
    threads: u16,
    /// Memory for all searches together, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = units::whole::<u64>(64..=1_048_576))]
    memory: u64,
    /// Show and change this database of positions in the page; created if it does not exist
    #[arg(long, value_name = "DATABASE")]
    study: Option<PathBuf>,
    #[command(flatten)]
    network: NetworkArgs,
}

/// Serves the page until Ctrl-C. The first line of `out` is the address.
///
/// # Errors
/// If the port or the socket is in use, the database cannot be opened, the system provides no random
/// numbers, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut notes = Vec::new();
    let study = args.study.as_ref().map(|path| Study::open(path, &mut notes)).transpose()?;
    let shutdown = Arc::new(Notify::new());
    let interrupted = Arc::clone(&shutdown);
    on_interrupt(move || interrupted.notify_one())?;
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .thread_stack_size(STACK_BYTES)
        .max_blocking_threads(WORKER_THREADS)
        .build()
        .context("cannot start the server")?;
    let result = runtime.block_on(async {
        let (listener, access) = match &args.socket {
            None => listen_on_port(args.port, out).await?,
            Some(path) => listen_on_socket(path, out)?,
        };
        out.write_all(&notes)?;
        out.flush()?;
        if args.open {
            // Other users of this machine can read the browser's command line, so its token works
            // only once. Without a browser the printed address still works.
            if let Err(error) = open::that_detached(access.one_time_url()) {
                writeln!(out, "cannot start a browser: {error}")?;
                out.flush()?;
            }
        }
        let mut state =
            AppState::new(access, args.threads.into(), args.memory << 20, args.network.networks());
        state.study = study.map(Arc::new);
        let state = Arc::new(state);
        server::serve(&listener, &state, &shutdown).await;
        state.tabs.stop_all();
        anyhow::Ok(())
    });
    // Stopped searches end within milliseconds; do not wait for them.
    runtime.shutdown_background();
    result
}

/// Listens on a port of this machine and prints the address of the page.
async fn listen_on_port(
    port: u16,
    out: &mut dyn Write,
) -> anyhow::Result<(Listener, AccessControl)> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener =
        TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    let access = AccessControl::new(Some(listener.local_addr()?.port()))?;
    writeln!(out, "{}", access.url())?;
    writeln!(out, "Only this machine can reach it. Press Ctrl-C to stop.")?;
    Ok((Listener::Tcp(listener), access))
}

/// Listens on a socket and prints the address of the page at a forwarded port.
#[cfg(unix)]
fn listen_on_socket(path: &Path, out: &mut dyn Write) -> anyhow::Result<(Listener, AccessControl)> {
    let socket = SocketFile::bind(path).context("cannot listen on the socket")?;
    let access = AccessControl::new(None)?;
    let path = socket.path().display();
    writeln!(out, "{}", access.url())?;
    writeln!(out, "Only you can reach it, through {path}. Forward a port of your machine to it:")?;
    writeln!(out, "ssh -N -L 127.0.0.1:{FORWARDED_PORT}:{path} HOST")?;
    writeln!(out, "Press Ctrl-C to stop.")?;
    Ok((Listener::Socket(socket), access))
}

/// This system has no Unix sockets.
#[cfg(not(unix))]
fn listen_on_socket(_: &Path, _: &mut dyn Write) -> anyhow::Result<(Listener, AccessControl)> {
    anyhow::bail!("--socket: this system has no Unix sockets; use --port")
}
