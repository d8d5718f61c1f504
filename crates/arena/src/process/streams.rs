//! The standard streams of an engine, each on a thread of its own.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::reported_score;

/// Maximum number of requests that wait to be read, less than 1 MiB in total.
const UNREAD_REQUESTS: usize = 64;
/// Maximum length of a line; longer lines are split.
const LINE_BYTES: u64 = 1 << 16;
/// Number of characters kept of each line to explain a failure.
const TAIL_CHARS: usize = 500;

/// The reason why a request cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendError {
    /// The engine does not read: too many requests wait.
    Unread,
    /// The engine has closed its input.
    Closed,
}

/// The standard input of an engine. A separate thread writes to it, so that an engine that does not
/// read blocks only this thread.
pub(super) struct RequestWriter {
    queue: Option<SyncSender<Vec<u8>>>,
    is_closed: Arc<AtomicBool>,
}

impl RequestWriter {
    /// Starts the thread.
    pub(super) fn start(stdin: Option<impl Write + Send + 'static>) -> RequestWriter {
        let (queue, requests) = sync_channel::<Vec<u8>>(UNREAD_REQUESTS);
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        thread::spawn(move || {
            let Some(mut stdin) = stdin else { return };
            for request in requests {
                if stdin.write_all(&request).and_then(|()| stdin.flush()).is_err() {
                    closed.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        RequestWriter { queue: Some(queue), is_closed }
    }

    /// Queues lines, which are written together.
    ///
    /// # Errors
    /// When the engine has closed its input, or too many requests wait.
    pub(super) fn send(&self, lines: &[String]) -> Result<(), SendError> {
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let queue = self.queue.as_ref().ok_or(SendError::Closed)?;
        queue.try_send(text.into_bytes()).map_err(|error| match error {
            TrySendError::Full(_) => SendError::Unread,
            TrySendError::Disconnected(_) => SendError::Closed,
        })
    }

    /// Whether a write failed.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Closes the input after the queued requests.
    pub(super) fn close(&mut self) {
        self.queue = None;
    }
}

/// The last lines of a stream.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    lines: Arc<Mutex<VecDeque<String>>>,
    most: usize,
}

impl Tail {
    /// A tail of at most this many lines.
    pub(super) fn new(most: usize) -> Tail {
        Tail { lines: Arc::default(), most }
    }

    fn add(&self, line: &str) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == self.most {
            lines.pop_front();
        }
        lines.push_back(line.chars().take(TAIL_CHARS).collect());
    }

    /// The lines.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// The data that the reader of standard output extracts.
pub(super) struct Answers {
    /// Every line except `MESSAGE` and `DEBUG` lines; lines are discarded while the channel is
    /// full.
    pub(super) lines: SyncSender<(Instant, String)>,
    /// The score in the last `MESSAGE` line with a score.
    pub(super) score: Arc<Mutex<Option<i32>>>,
}

/// Reads lines until the stream ends.
pub(super) fn read(stream: impl Read, tail: &Tail, answers: Option<&Answers>) {
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(LINE_BYTES).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let arrived = Instant::now();
        let line = String::from_utf8_lossy(&bytes).trim().to_string();
        if line.is_empty() {
            continue;
        }
        tail.add(&line);
        let Some(answers) = answers else { continue };
        let first = line.split_whitespace().next().unwrap_or_default();
        if ["MESSAGE", "DEBUG"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
            if let Some(score) = reported_score(&line) {
                *answers.score.lock().unwrap_or_else(PoisonError::into_inner) = Some(score);
            }
            continue;
        }
        // Discard the line if the channel is full.
        let _ = answers.lines.try_send((arrived, line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::mpsc::{Receiver, channel};

    /// An input that blocks until its sender is dropped.
    struct Deaf(Receiver<()>);

    impl Write for Deaf {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn send_reports_an_engine_that_does_not_read() {
        let (release, wait) = channel();
        let writer = RequestWriter::start(Some(Deaf(wait)));
        let request = ["START 20".to_string()];
        let refused = (0..UNREAD_REQUESTS + 2).find_map(|_| writer.send(&request).err());
        assert_eq!(refused, Some(SendError::Unread));
        drop(release);
    }

    #[test]
    fn tail_keeps_the_last_lines_and_their_beginning() {
        let tail = Tail::new(2);
        let text = format!("a\n\nb\n{}\n", "x".repeat(2 * TAIL_CHARS));
        read(text.as_bytes(), &tail, None);
        assert_eq!(tail.lines(), ["b".to_string(), "x".repeat(TAIL_CHARS)]);
    }

    #[test]
    fn read_passes_on_answers_and_scores() {
        let (lines, answers) = sync_channel(8);
        let score = Arc::new(Mutex::new(None));
        let passed_on = Answers { lines, score: Arc::clone(&score) };
        let text = "MESSAGE depth 3 ev -45 n 7\nmessage hello\n7,7\nDEBUG x\n";
        read(text.as_bytes(), &Tail::new(1), Some(&passed_on));
        drop(passed_on);
        let received: Vec<String> = answers.iter().map(|(_, line)| line).collect();
        assert_eq!((received, *score.lock().unwrap()), (vec!["7,7".to_string()], Some(-45)));
    }
}
