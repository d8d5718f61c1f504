//! The queue of lines between the reader of an engine's output and the game.

use std::collections::VecDeque;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::streams::OutputLine;

/// Adds lines. The queue is closed when this is dropped.
pub(super) struct AnswerSender(Arc<Shared>);

/// Takes lines.
pub(super) struct AnswerReceiver(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    most: usize,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<OutputLine>,
    is_closed: bool,
}

/// A queue of at most this many lines. A full queue discards its oldest line: an engine may print
/// any number of lines before its answer.
pub(super) fn answer_queue(most: usize) -> (AnswerSender, AnswerReceiver) {
    let shared = Arc::new(Shared { queue: Mutex::default(), changed: Condvar::new(), most });
    (AnswerSender(Arc::clone(&shared)), AnswerReceiver(shared))
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AnswerSender {
    /// Adds a line.
    pub(super) fn send(&self, line: OutputLine) {
        let mut queue = self.0.queue();
        if queue.lines.len() == self.0.most {
            queue.lines.pop_front();
        }
        queue.lines.push_back(line);
        self.0.changed.notify_one();
    }
}

impl Drop for AnswerSender {
    fn drop(&mut self) {
        self.0.queue().is_closed = true;
        self.0.changed.notify_one();
    }
}

impl AnswerReceiver {
    /// Discards the lines in the queue.
    pub(super) fn clear(&self) {
        self.0.queue().lines.clear();
    }

    /// Waits for the oldest line.
    ///
    /// # Errors
    /// When no line arrives within `timeout`, or the queue is closed and empty.
    pub(super) fn recv_timeout(&self, timeout: Duration) -> Result<OutputLine, RecvTimeoutError> {
        let started = Instant::now();
        let mut queue = self.0.queue();
        loop {
            if let Some(line) = queue.lines.pop_front() {
                return Ok(line);
            }
            if queue.is_closed {
                return Err(RecvTimeoutError::Disconnected);
            }
            let left = timeout.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Err(RecvTimeoutError::Timeout);
            }
            let waited = self.0.changed.wait_timeout(queue, left);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
