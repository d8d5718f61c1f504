//! Searches and the streams of JSON lines that report their progress.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::StatusCode;
use hyper::body::{Body, Bytes, Frame};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::engine_pool::Resources;
use crate::response::HttpError;
use crate::server::AppState;
use tengen::engine::StopSwitch;
use tengen_page_api::{ProgressSender, SearchTask};

/// Minimum interval between updates. Of those within it, the last one is sent.
const UPDATE_INTERVAL: Duration = Duration::from_millis(50);
/// Intervals without progress after which the last update is repeated, to detect a closed
/// connection.
const HEARTBEAT: u32 = 40;
/// Time for the client to take one line. The search is stopped after it.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// Lines buffered for the client.
const BUFFERED_LINES: usize = 4;

/// The fields that all requests for a search have: the tab, and the resources that its page chose.
#[derive(Deserialize)]
pub(crate) struct SearchHead {
    pub(crate) tab: String,
    #[serde(default)]
    engine: Resources,
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
/// If all engines are in use.
pub(crate) async fn start_search(
    state: &Arc<AppState>,
    task: SearchTask,
    head: SearchHead,
    stop: StopSwitch,
) -> Result<LineStream, HttpError> {
    let permit = state.tabs.begin(&head.tab, stop).await;
    let mut pooled = state.engines.take(&head.tab, head.engine)?;
    let number = pooled.number();
    let (updates, mut progress) = watch::channel(Value::Null);
    let (sender, receiver) = mpsc::channel(BUFFERED_LINES);
    let stop = permit.stop.clone();
    let send = move |update| {
        updates.send_replace(update);
    };
    let progress_sender = ProgressSender::new(send, stop.clone());
    let mut search = spawn_blocking(move || {
        let result = task.run(&mut pooled.slot, &progress_sender);
        (pooled, result)
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
            Ok((pooled, result)) => {
                state.engines.put(pooled);
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
