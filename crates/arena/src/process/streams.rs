//! The standard streams of an engine, each on a thread of its own.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::answers::AnswerSender;
use super::{is_answer, reported_score};

/// Maximum number of requests that wait to be read, less than 1 MiB in total.
const UNREAD_REQUESTS: usize = 64;
/// Maximum length of a line; longer lines are split.
const LINE_BYTES: usize = 1 << 16;
/// Maximum number of bytes that are read together.
const READ_BYTES: usize = 1 << 13;
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

/// A line of standard output that may be an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutputLine {
    /// The line without blanks around it.
    pub(super) text: String,
    /// When its first character could be read. A line that began before a request does not answer it.
    pub(super) began: Instant,
    /// When its end could be read.
    pub(super) arrived: Instant,
    /// The score in the last `MESSAGE` line before it, and when that line began.
    pub(super) score: Option<(Instant, i32)>,
}

/// Reads lines until the stream ends: LF, CR LF or CR ends a line. `next` reads bytes and returns their
/// number and time, see [`timed_read`]. Passes the lines that may be answers to `answers`.
pub(super) fn read(
    mut next: impl FnMut(&mut [u8]) -> io::Result<(usize, Instant)>,
    tail: &Tail,
    answers: Option<&AnswerSender>,
) {
    let mut buffer = vec![0; READ_BYTES];
    let mut lines = LineReader { bytes: Vec::new(), began: None, score: None };
    loop {
        match next(&mut buffer) {
            Ok((0, at)) => return lines.end_line(at, tail, answers),
            Ok((count, at)) => lines.add(&buffer[..count], at, tail, answers),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// The incomplete line of a stream.
struct LineReader {
    bytes: Vec<u8>,
    /// When its first character, except blanks, could be read.
    began: Option<Instant>,
    /// The last score, and when its line began.
    score: Option<(Instant, i32)>,
}

impl LineReader {
    fn add(&mut self, bytes: &[u8], at: Instant, tail: &Tail, answers: Option<&AnswerSender>) {
        for &byte in bytes {
            if byte != b'\n' && byte != b'\r' {
                self.bytes.push(byte);
                if self.began.is_none() && !byte.is_ascii_whitespace() {
                    self.began = Some(at);
                }
                if self.bytes.len() < LINE_BYTES {
                    continue;
                }
            }
            self.end_line(at, tail, answers);
        }
    }

    fn end_line(&mut self, at: Instant, tail: &Tail, answers: Option<&AnswerSender>) {
        let text = String::from_utf8_lossy(&self.bytes).trim().to_string();
        self.bytes.clear();
        let began = self.began.take().unwrap_or(at);
        if text.is_empty() {
            return;
        }
        tail.add(&text);
        let Some(answers) = answers else { return };
        let first = text.split_whitespace().next().unwrap_or_default();
        if ["MESSAGE", "DEBUG"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
            let score = reported_score(&text).map(|score| (began, score));
            self.score = score.or(self.score);
        } else if is_answer(&text) {
            answers.send(OutputLine { text, began, arrived: at, score: self.score });
        }
    }
}

/// Reads bytes, after waiting for them. Returns their number and the time at which the wait ended:
/// bytes that are no longer in the pipe have an earlier time than the present.
#[cfg(unix)]
pub(super) fn timed_read(
    stream: &mut (impl Read + AsFd),
    buffer: &mut [u8],
) -> io::Result<(usize, Instant)> {
    use rustix::event::{PollFd, PollFlags, poll};

    poll(&mut [PollFd::new(&*stream, PollFlags::IN)], None)?;
    let arrived = Instant::now();
    Ok((stream.read(buffer)?, arrived))
}

/// Reads bytes. Returns their number and time.
#[cfg(not(unix))]
pub(super) fn timed_read(
    stream: &mut impl Read,
    buffer: &mut [u8],
) -> io::Result<(usize, Instant)> {
    let count = stream.read(buffer)?;
    Ok((count, Instant::now()))
}

#[cfg(test)]
mod tests {
    use super::super::answers::answer_queue;
    use super::*;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    /// Size of the queue of answers.
    const QUEUE_LINES: usize = 8;

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

    /// Reads these parts, one in each millisecond. Returns the lines.
    fn lines_of(parts: &[&str], tail: &Tail) -> Vec<OutputLine> {
        let (sender, lines) = answer_queue(QUEUE_LINES);
        let mut parts = parts.iter();
        let mut time = Instant::now();
        let next = |buffer: &mut [u8]| {
            let part = parts.next().map_or(&b""[..], |part| part.as_bytes());
            buffer[..part.len()].copy_from_slice(part);
            time += Duration::from_millis(1);
            Ok((part.len(), time))
        };
        read(next, tail, Some(&sender));
        drop(sender);
        std::iter::from_fn(|| lines.recv_timeout(Duration::ZERO).ok()).collect()
    }

    fn texts(parts: &[&str]) -> Vec<String> {
        lines_of(parts, &Tail::new(1)).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn tail_keeps_the_last_lines_and_their_beginning() {
        let tail = Tail::new(2);
        lines_of(&["a\n\nb\n", &"x".repeat(2 * TAIL_CHARS), "\n"], &tail);
        assert_eq!(tail.lines(), ["b".to_string(), "x".repeat(TAIL_CHARS)]);
    }

    #[test]
    fn read_passes_on_answers_and_scores() {
        let text = "MESSAGE depth 3 ev -45 n 7\nmessage hello\n7,7\nDEBUG x\n";
        let lines = lines_of(&[text], &Tail::new(1));
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].text.as_str(), lines[0].score), ("7,7", Some((lines[0].began, -45))));
    }

    #[test]
    fn line_feed_carriage_return_or_both_end_a_line() {
        for text in ["OK\n7,7\n", "OK\r\n7,7\r\n", "OK\r7,7\r", "\rOK\n\r7,7"] {
            assert_eq!(texts(&[text]), ["OK", "7,7"], "{text:?}");
        }
        assert_eq!(texts(&["OK\r", "\n7,", "7\r", "8,8\r"]), ["OK", "7,7", "8,8"]);
        let long = "name".repeat(READ_BYTES / 4);
        let parts = [vec![long.as_str(); LINE_BYTES / READ_BYTES], vec!["\n7,7\n"]].concat();
        assert_eq!(texts(&parts), [&"name".repeat(LINE_BYTES / 4), "7,7"]);
    }

    /// An engine may print its board, or more, in the write that ends with its answer.
    #[test]
    fn other_lines_do_not_displace_an_answer() {
        let board = "15 . . x o . .\nbest 7,7\n3\nok 1\n".repeat(200);
        for answer in ["7,7", "ok", "ERROR no", "name=\"x\"", "swap", "7,7 8,8 9,9"] {
            assert_eq!(texts(&[&board, answer, "\n"]), [answer]);
            assert_eq!(texts(&[answer, "\n", &board]), [answer]);
        }
        // These could answer other requests.
        for line in ["filename x\n", "error x\n", "unknown shape\n", "1,1\n"] {
            let lines = texts(&[&line.repeat(400), "7,7\n"]);
            assert_eq!(lines.len(), QUEUE_LINES);
            assert_eq!(lines[QUEUE_LINES - 1], "7,7", "{line}");
        }
    }

    /// Lines of one write must not differ in time: the request between them would separate them.
    #[test]
    fn lines_have_the_time_of_the_read_of_their_beginning() {
        let lines = lines_of(&["7,7\n7,7\n \r\n", " ", "8", ",8\n9,9\n"], &Tail::new(1));
        let [first, second, third, fourth] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!((first.began, first.arrived), (second.began, second.arrived));
        assert_eq!(first.began, first.arrived);
        assert!(second.arrived < third.began && third.began < third.arrived);
        assert_eq!((fourth.began, fourth.arrived), (third.arrived, third.arrived));
    }
}
