//! A search and the stream of lines that tells about it.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use hyper::body::Bytes;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::answer::{Fault, Lines};
use super::desk::Desk;
use super::server::Site;
use tengen::engine::StopSwitch;

/// Between two lines about a search: more often nobody can look.
const PACE: Duration = Duration::from_millis(50);
/// Paces without news after which a line says that all is well, so that a broken connection is
/// found.
const HEARTBEAT: u32 = 40;
/// For a reader that does not read.
const PATIENCE: Duration = Duration::from_secs(30);
/// Lines that wait for the reader.
const WAITING: usize = 4;

/// A search: what it does at a desk, until it has the answer or is told to end.
pub(super) type Work = Box<dyn FnOnce(&mut Desk, &Voice) -> Result<Value, Fault> + Send>;

/// How a search speaks while it runs.
pub(super) struct Voice {
    news: watch::Sender<Value>,
    /// Pressed when nobody wants to hear more.
    pub(super) stop: StopSwitch,
}

impl Voice {
    /// Says what is known; of several things said within a moment the last one is heard.
    pub(super) fn say(&self, value: Value) {
        self.news.send_replace(value);
    }

    /// Whether to end.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_pressed()
    }
}

/// Lets `work` search for the board called `tab`, after what it searched before has ended. The
/// stream holds what it says, and at last `{"done": ...}` or `{"error": ...}`.
///
/// # Errors
/// When the tab has no name, or all desks are taken.
pub(super) async fn begin(site: &Arc<Site>, tab: &str, work: Work) -> Result<Lines, Fault> {
    let turn = site.tabs.begin(tab).await?;
    let mut desk = site.desks.take(tab)?;
    let number = desk.number();
    let (news, mut heard) = watch::channel(Value::Null);
    let (sender, receiver) = mpsc::channel(WAITING);
    let stop = turn.stop.clone();
    let voice = Voice { news, stop: stop.clone() };
    let mut search = spawn_blocking(move || {
        let result = work(&mut desk, &voice);
        (desk, result)
    });
    let lines = Lines::new(receiver, stop.clone());
    let site = Arc::clone(site);
    tokio::spawn(async move {
        let mut pace = interval(PACE);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut silent = 0;
        let found = loop {
            tokio::select! {
                biased;
                found = &mut search => break found,
                _ = pace.tick() => {}
            }
            let news = heard.has_changed().unwrap_or(false);
            silent = if news { 0 } else { silent + 1 };
            if news || silent >= HEARTBEAT {
                silent = 0;
                let value = heard.borrow_and_update().clone();
                send(&sender, &value, &stop).await;
            }
        };
        let last = match found {
            Ok((desk, result)) => {
                site.desks.put(desk);
                match result {
                    Ok(value) => json!({ "done": value }),
                    Err(fault) => fault.json(),
                }
            }
            Err(_) => {
                site.desks.replace(number);
                let reason = "the search crashed, please report it";
                Fault::with_status(StatusCode::INTERNAL_SERVER_ERROR, reason).json()
            }
        };
        // The board may search again before the last line is read.
        drop(turn);
        send(&sender, &last, &stop).await;
    });
    Ok(lines)
}

/// Sends one line. A reader that has gone, or does not read, ends the search.
async fn send(sender: &mpsc::Sender<Bytes>, value: &Value, stop: &StopSwitch) {
    let line = Bytes::from(value.to_string() + "\n");
    if !matches!(timeout(PATIENCE, sender.send(line)).await, Ok(Ok(()))) {
        stop.press();
    }
}
