//! Searches and the streams of JSON lines that report their progress.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::StatusCode;
use hyper::body::{Body, Bytes, Frame};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::engine_pool::EngineSlot;
use crate::response::HttpError;
use crate::server::AppState;
use tengen::engine::StopSwitch;

/// Minimum interval between updates.
const UPDATE_INTERVAL: Duration = Duration::from_millis(50);
/// Intervals without progress after which the last update is repeated, to detect a closed
/// connection.
const HEARTBEAT: u32 = 40;
/// Time for the client to take one line. The search is stopped after it.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// Lines buffered for the client.
const BUFFERED_LINES: usize = 4;

type Job = Box<dyn FnOnce(&mut EngineSlot, &ProgressSender) -> Result<Value, HttpError> + Send>;

/// A search that a tab requested.
pub(crate) struct SearchTask {
    tab: String,
    job: Job,
}

impl SearchTask {
    /// A search for `tab`. `job` runs until it has a result or its stop switch is pressed.
    pub(crate) fn new<F>(tab: String, job: F) -> SearchTask
    where
        F: FnOnce(&mut EngineSlot, &ProgressSender) -> Result<Value, HttpError> + Send + 'static,
    {
        SearchTask { tab, job: Box::new(job) }
    }
}

/// Reports the progress of a running search.
pub(crate) struct ProgressSender {
    updates: watch::Sender<Value>,
    /// Pressed when the search has to end: by the tab, or because the connection is closed.
    pub(crate) stop: StopSwitch,
}

impl ProgressSender {
    /// Sends an update. Updates within `UPDATE_INTERVAL` are coalesced; the last one wins.
    pub(crate) fn send(&self, update: &impl Serialize) {
        // Updates hold plain values only, which can always be written.
        if let Ok(value) = serde_json::to_value(update) {
            self.updates.send_replace(value);
        }
    }

    /// Whether the search has to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_pressed()
    }
}

/// The body of a streamed response: JSON lines of a search. Dropping it stops the search.
#[derive(Debug)]
pub(crate) struct LineStream {
    receiver: mpsc::Receiver<Bytes>,
    stop: StopSwitch,
}

impl Drop for LineStream {
    fn drop(&mut self) {
        self.stop.press();
    }
}

impl Body for LineStream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.receiver.poll_recv(context).map(|line| line.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// Starts a search once the previous search of its tab has ended. The stream holds the updates,
/// then `{"done": ...}` or `{"error": ...}`. `stop` is the switch that was announced for the tab.
///
/// # Errors
/// If the name of the tab is invalid, or all engines are in use.
pub(crate) async fn start_search(
    state: &Arc<AppState>,
    SearchTask { tab, job }: SearchTask,
    stop: StopSwitch,
) -> Result<LineStream, HttpError> {
    let permit = state.tabs.begin(&tab, stop).await?;
    let mut slot = state.engines.take(&tab)?;
    let number = slot.number();
    let (updates, mut progress) = watch::channel(Value::Null);
    let (sender, receiver) = mpsc::channel(BUFFERED_LINES);
    let stop = permit.stop.clone();
    let progress_sender = ProgressSender { updates, stop: stop.clone() };
    let mut search = spawn_blocking(move || {
        let result = job(&mut slot, &progress_sender);
        (slot, result)
    });
    let lines = LineStream { receiver, stop: stop.clone() };
    let state = Arc::clone(state);
    tokio::spawn(async move {
        let mut ticks = interval(UPDATE_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut idle = 0;
        let outcome = loop {
            tokio::select! {
                biased;
                outcome = &mut search => break outcome,
                _ = ticks.tick() => {}
            }
            let has_update = progress.has_changed().unwrap_or(false);
            idle = if has_update { 0 } else { idle + 1 };
            if has_update || idle >= HEARTBEAT {
                idle = 0;
                let value = progress.borrow_and_update().clone();
                send_line(&sender, &value, &stop).await;
            }
        };
        let last = match outcome {
            Ok((slot, result)) => {
                state.engines.put(slot);
                match result {
                    Ok(value) => json!({ "done": value }),
                    Err(error) => error.json(),
                }
            }
            Err(_) => {
                state.engines.replace(number);
                let reason = "the search crashed, please report it";
                HttpError::with_status(StatusCode::INTERNAL_SERVER_ERROR, reason).json()
            }
        };
        // The tab may start its next search before the last line is read.
        drop(permit);
        send_line(&sender, &last, &stop).await;
    });
    Ok(lines)
}

/// Sends one line, or stops the search if the client has left or does not read.
async fn send_line(sender: &mpsc::Sender<Bytes>, value: &Value, stop: &StopSwitch) {
    let line = Bytes::from(value.to_string() + "\n");
    if !matches!(timeout(SEND_TIMEOUT, sender.send(line)).await, Ok(Ok(()))) {
        stop.press();
    }
}
