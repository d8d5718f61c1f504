//! Threads and streams: one thread reads, one searches, and the caller waits for the end.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::command::Command;
use super::decoder::{Decoder, Input};
use super::interrupts::{Arrival, Interrupts};
use super::player::Resources;
use super::reply::{Output, Reply};
use super::session::{Flow, Session};
use crate::memory;
use crate::moment::Instant;
use crate::search::STACK_BYTES;

/// Maximum [size](Input::size) of the inputs that wait for the worker: far more than a manager sends during
/// one search. If the queue is full, the reader waits, which bounds the memory of the queue to about
/// 20 MB. It then ends all requested searches: it cannot receive a stop while it waits.
const MAX_QUEUE: usize = 150_000;

/// Interval at which the reader checks a full queue.
const FULL_QUEUE_WAIT: Duration = Duration::from_millis(1);

/// Delay before a non-blocking stream is tried again.
const RETRY_DELAY: Duration = Duration::from_millis(1);

/// Time for the worker to answer the inputs before the end of the stream; then it drops the rest.
/// Managers kill a process that has not exited after half a second.
const EOF_GRACE: Duration = Duration::from_millis(200);

/// Time for a search to stop. It takes milliseconds; the limit only prevents a search that never
/// stops from blocking the process and its manager.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for a manager that has ended the session to read a pending line. After that the process
/// does not wait for it.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Why a session failed.
#[derive(Debug)]
pub enum ServeError {
    /// A thread could not be started.
    Thread(io::Error),
    /// The worker crashed.
    Crash,
    /// A search did not stop. It may still be running.
    Stuck,
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Thread(error) => write!(f, "cannot start a thread: {error}"),
            ServeError::Crash => f.write_str("the engine crashed"),
            ServeError::Stuck => f.write_str("the search did not stop"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Minimum stack of the search thread in bytes, used when memory is short: twice what a release
/// build takes, see [`STACK_BYTES`].
const MIN_WORKER_STACK: usize = if cfg!(debug_assertions) { STACK_BYTES } else { 2 << 20 };

/// Memory that a search on a small board takes (bytes).
const WORKER_MEMORY: usize = 8 << 20;

/// Stack of the thread that reads (bytes).
const READER_STACK: usize = 512 << 10;

/// The thread that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// `END`, or the end of the stream.
    Input,
    /// The worker has answered all inputs, has lost its output, or has crashed.
    Worker,
}

/// Runs a session until `END`, the end of `input`, or a closed `output`.
///
/// No search is running when it returns, because the process may then exit and release the memory
/// of the search. After a closed `output` the reader may still wait for input; after the end of the
/// input the worker may still wait for the manager to read a line.
///
/// # Errors
/// When a thread cannot be started or has panicked, or when a search does not stop.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    serve_with(input, output, Resources::default())
}

/// As [`serve`], with a database or a book from the start.
///
/// # Errors
/// As [`serve`].
pub fn serve_with(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    resources: Resources,
) -> Result<(), ServeError> {
    let session = Session::with_resources(resources);
    let interrupts = session.interrupts().clone();
    let (queue, inputs) = channel();
    let queued = Arc::new(AtomicUsize::new(0));
    let (end, ended) = channel();
    let drop_rest = Arc::new(AtomicBool::new(false));
    let writes = Arc::new(AtomicUsize::new(0));
    let stream =
        Stream { output, closed: false, interrupts: interrupts.clone(), writes: writes.clone() };
    let worker = Worker { inputs, queued: queued.clone(), session, drop_rest: drop_rest.clone() };
    let work = move || worker.run(stream);
    let worker = spawn("worker", worker_stack(), end.clone(), Ended::Worker, work)?;
    let reader = Reader { interrupts, queue, queued, number: 0 };
    let read = move || reader.run(input);
    let reader = spawn("reader", READER_STACK, end, Ended::Input, read)?;
    if ended.recv() == Ok(Ended::Input) {
        if !await_worker(&ended, &drop_rest, &writes)? {
            return Ok(());
        }
        reader.join().map_err(|_| ServeError::Crash)?;
    }
    worker.join().map_err(|_| ServeError::Crash)
}

/// Waits for the worker, which drops the remaining inputs after [`EOF_GRACE`]. Returns false if the
/// worker is blocked by a line that the manager does not read.
fn await_worker(
    ended: &Receiver<Ended>,
    drop_rest: &AtomicBool,
    writes: &AtomicUsize,
) -> Result<bool, ServeError> {
    if ended.recv_timeout(EOF_GRACE).is_ok() {
        return Ok(true);
    }
    drop_rest.store(true, Ordering::Relaxed);
    let deadline = Instant::now() + STOP_TIMEOUT;
    while Instant::now() < deadline {
        let before = writes.load(Ordering::Relaxed);
        if ended.recv_timeout(DRAIN_TIMEOUT).is_ok() {
            return Ok(true);
        }
        if is_begun(before) && writes.load(Ordering::Relaxed) == before {
            return Ok(false);
        }
    }
    Err(ServeError::Stuck)
}

/// The largest stack for the search thread that leaves enough memory for the search.
fn worker_stack() -> usize {
    let fits = |bytes: usize| {
        let can_start = || {
            let probe = thread::Builder::new().stack_size(bytes).spawn(|| {});
            probe.is_ok_and(|thread| thread.join().is_ok())
        };
        memory::has_room(bytes + WORKER_MEMORY) && can_start()
    };
    memory::halved(STACK_BYTES, MIN_WORKER_STACK, fits)
}

/// Starts a thread that reports its end.
fn spawn(
    name: &str,
    stack: usize,
    end: Sender<Ended>,
    ended: Ended,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, ServeError> {
    let work = move || {
        let _end = EndGuard(end, ended);
        work();
    };
    let builder = thread::Builder::new().name(name.to_owned()).stack_size(stack);
    builder.spawn(work).map_err(ServeError::Thread)
}

/// Reports the end of a thread when dropped, also after a panic.
struct EndGuard(Sender<Ended>, Ended);

impl Drop for EndGuard {
    fn drop(&mut self) {
        // An error means that the receiver is gone and the report is not needed.
        let _ = self.0.send(self.1);
    }
}

/// The thread that reads the input while the engine searches.
struct Reader {
    interrupts: Interrupts,
    queue: Sender<(Input, Arrival)>,
    /// Size of the inputs in the queue.
    queued: Arc<AtomicUsize>,
    number: u64,
}

impl Reader {
    fn run(mut self, mut input: impl Read) {
        let mut decoder = Decoder::new();
        let mut buffer = [0; 8192];
        let mut flow = Flow::Continue;
        while flow == Flow::Continue {
            let length = match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // The pipe may be non-blocking.
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    thread::sleep(RETRY_DELAY);
                    continue;
                }
                Err(_) => break,
            };
            let received = Instant::now();
            for input in decoder.feed(buffer.get(..length).unwrap_or_default()) {
                flow = self.pass_on(input, received);
                if flow == Flow::Leave {
                    break;
                }
            }
        }
        if flow == Flow::Continue {
            let received = Instant::now();
            for input in decoder.end() {
                self.pass_on(input, received);
            }
            self.pass_on(Input::Command(Command::End), received);
        }
    }

    /// Queues the input. A stop takes effect here, before its turn in the queue.
    fn pass_on(&mut self, input: Input, received: Instant) -> Flow {
        self.number += 1;
        self.interrupts.arrived(self.number, input.ends_thinking());
        let is_end = input == Input::Command(Command::End);
        while self.queued.load(Ordering::Relaxed) > MAX_QUEUE {
            self.interrupts.arrived(self.number, true);
            thread::sleep(FULL_QUEUE_WAIT);
        }
        self.queued.fetch_add(input.size(), Ordering::Relaxed);
        let sent = self.queue.send((input, Arrival { number: self.number, received }));
        if is_end || sent.is_err() { Flow::Leave } else { Flow::Continue }
    }
}

/// The thread that answers the inputs.
struct Worker {
    inputs: Receiver<(Input, Arrival)>,
    /// Size of the inputs in the queue.
    queued: Arc<AtomicUsize>,
    session: Session,
    /// Whether to drop the remaining inputs.
    drop_rest: Arc<AtomicBool>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Release a reader that waits for a full queue.
        self.queued.store(0, Ordering::Relaxed);
    }
}

impl Worker {
    fn run(mut self, mut out: Stream<impl Write>) {
        let mut last = 0;
        while !out.closed && !self.drop_rest.load(Ordering::Relaxed) {
            let next = match self.inputs.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.session.ponder(last);
                    self.inputs.recv().ok()
                }
                received => received.ok(),
            };
            let Some((input, arrival)) = next else { return };
            last = arrival.number;
            self.queued.fetch_sub(input.size(), Ordering::Relaxed);
            if self.handle(input, arrival, &mut out) == Flow::Leave {
                return;
            }
        }
    }

    /// Handles an input. The player recovers from a crash in a search; after any other crash the
    /// input is answered with an error and the session continues.
    fn handle(&mut self, input: Input, arrival: Arrival, out: &mut dyn Output) -> Flow {
        let handled =
            catch_unwind(AssertUnwindSafe(|| self.session.handle(input, arrival, &mut *out)));
        handled.unwrap_or_else(|_| {
            out.send(&Reply::Error("the engine crashed".to_owned()));
            Flow::Continue
        })
    }
}

/// Writes each line with one write and flushes it: some managers take a line that arrives in pieces
/// for several answers.
struct Stream<W> {
    output: W,
    /// Whether the manager has closed its end.
    closed: bool,
    interrupts: Interrupts,
    /// Number of writes begun plus number of writes ended.
    writes: Arc<AtomicUsize>,
}

/// Whether a write has begun and not ended.
fn is_begun(writes: usize) -> bool {
    !writes.is_multiple_of(2)
}

impl<W: Write> Output for Stream<W> {
    fn send(&mut self, reply: &Reply) {
        if self.closed {
            return;
        }
        let line = format!("{reply}\n");
        log::debug!("< {}", line.trim_end());
        if matches!(reply, Reply::Move(_)) {
            memory::announce(None);
        }
        self.writes.fetch_add(1, Ordering::Relaxed);
        let written = write_all_retrying(&mut self.output, line.as_bytes());
        let flushed = written.and_then(|()| retrying(|| self.output.flush()));
        self.writes.fetch_add(1, Ordering::Relaxed);
        if flushed.is_err() {
            self.closed = true;
            self.interrupts.end_everything();
        }
    }
}

/// Writes all of the bytes, also to a non-blocking output.
fn write_all_retrying(output: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match retrying(|| output.write(bytes))? {
            0 => return Err(ErrorKind::WriteZero.into()),
            length => bytes = bytes.get(length..).unwrap_or_default(),
        }
    }
    Ok(())
}

/// Repeats `attempt` while it is interrupted or would block.
fn retrying<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(RETRY_DELAY),
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};
    use tengen_rules::types::Point;

    /// Records every single write.
    #[derive(Clone, Default)]
    struct Writes(Arc<Mutex<Vec<Vec<u8>>>>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn non_blocking_output_gets_every_byte() {
        #[derive(Clone, Default)]
        struct Reluctant(Arc<Mutex<(Vec<u8>, u32)>>);
        impl Write for Reluctant {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                let (taken, calls) = &mut *self.0.lock().unwrap();
                *calls += 1;
                match *calls % 3 {
                    0 => Err(ErrorKind::WouldBlock.into()),
                    1 => Err(ErrorKind::Interrupted.into()),
                    _ => {
                        taken.push(bytes[0]);
                        Ok(1)
                    }
                }
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let output = Reluctant::default();
        // As standard output, which may keep a part of a line until the flush.
        let mut stream = Stream {
            output: io::LineWriter::new(output.clone()),
            closed: false,
            interrupts: Interrupts::default(),
            writes: Arc::default(),
        };
        for _ in 0..3 {
            stream.send(&Reply::Move(Point::new(7, 7)));
        }
        assert_eq!(output.0.lock().unwrap().0, b"7,7\n7,7\n7,7\n");
        assert!(!stream.closed);
        let full = write_all_retrying(&mut [0u8; 2].as_mut_slice(), b"7,7\n");
        assert_eq!(full.unwrap_err().kind(), ErrorKind::WriteZero);
    }

    /// An output whose writes take `delay` and which is closed after `writes_left` of them. Sets
    /// `dropped` when the worker drops it at its end.
    struct Pipe {
        delay: Duration,
        writes_left: usize,
        dropped: Arc<AtomicBool>,
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            thread::sleep(self.delay);
            self.writes_left = self.writes_left.checked_sub(1).ok_or(ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Drop for Pipe {
        fn drop(&mut self) {
            self.dropped.store(true, Ordering::Relaxed);
        }
    }

    /// Serves on such an output, with an input that stays open unless it contains `END`. Returns
    /// whether the worker had ended when `serve` returned.
    fn worker_is_gone_after(text: &[u8], delay: Duration, writes_left: usize) -> bool {
        let dropped = Arc::new(AtomicBool::new(false));
        let (input, mut manager) = io::pipe().unwrap();
        manager.write_all(text).unwrap();
        serve(input, Pipe { delay, writes_left, dropped: dropped.clone() }).unwrap();
        drop(manager);
        dropped.load(Ordering::Relaxed)
    }

    #[test]
    fn every_line_is_one_write() {
        let writes = Writes::default();
        let count = |writes: &Writes| writes.0.lock().unwrap().len();
        let (input, mut manager) = io::pipe().unwrap();
        // A move of a book would come with a message.
        let lines = b"ABOUT\nINFO usebook 0\nINFO timeout_turn 0\nSTART 15\nBEGIN\nfoo\nTURN\n";
        manager.write_all(lines).unwrap();
        let answers = writes.clone();
        // Lines that wait for longer than a moment when the input ends are dropped.
        let end = thread::spawn(move || {
            for _ in 0..60_000 {
                if count(&answers) >= 5 {
                    break;
                }
                thread::sleep(Duration::from_millis(1));
            }
            manager.write_all(b"END\nABOUT\n").unwrap();
        });
        serve(input, writes.clone()).unwrap();
        end.join().unwrap();
        let written = writes.0.lock().unwrap();
        assert_eq!(written.len(), 5);
        for line in written.iter() {
            assert!(
                line.ends_with(b"\n") && line.iter().filter(|&&byte| byte == b'\n').count() == 1
            );
        }
    }

    /// A non-blocking input that would block before every piece of its text.
    struct Hesitant {
        text: &'static [u8],
        ready: bool,
    }

    impl Read for Hesitant {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.ready = !self.ready;
            if !self.ready {
                return Err(ErrorKind::WouldBlock.into());
            }
            self.text.read(&mut buffer[..7])
        }
    }

    #[test]
    fn non_blocking_input_is_read_to_its_end() {
        let writes = Writes::default();
        serve(
            Hesitant {
                text: b"START 15\nINFO usebook 0\nINFO timeout_turn 0\nBEGIN\n",
                ready: true,
            },
            writes.clone(),
        )
        .unwrap();
        assert_eq!(writes.0.lock().unwrap().len(), 2, "OK and a move");
    }

    #[test]
    fn closed_output_ends_the_session() {
        // The input stays open: only the failed write shows that the manager has exited.
        assert!(worker_is_gone_after(b"ABOUT\n", Duration::ZERO, 0));
    }

    #[test]
    fn stop_takes_effect_behind_a_flood_of_inputs() {
        let writes = Writes::default();
        // TURN instead of BEGIN: on an empty board the move would come immediately.
        let mut input = b"START 15\nINFO timeout_turn 600000\nTURN 7,7\n".to_vec();
        for _ in 0..50_000 {
            input.extend(b"INFO time_left 600000\nfoo\n");
        }
        input.extend(b"YXSTOP\n");
        let (reader, mut manager) = io::pipe().unwrap();
        let written = writes.clone();
        let sender = thread::spawn(move || {
            manager.write_all(&input).unwrap();
            let is_move = |line: &Vec<u8>| line.contains(&b',') && !line.starts_with(b"MESSAGE");
            let deadline = Instant::now() + Duration::from_secs(60);
            // Send END only after the move, because it would stop the search as well.
            while !written.0.lock().unwrap().iter().any(is_move) {
                assert!(Instant::now() < deadline, "the search did not stop");
                thread::sleep(Duration::from_millis(5));
            }
            manager.write_all(b"END\n").unwrap();
        });
        serve(reader, writes).unwrap();
        sender.join().unwrap();
    }

    /// Without a limit of time the search ends only by what comes after more lines than may wait.
    #[test]
    fn flood_does_not_hide_the_end_of_the_input() {
        for end in ["YXSTOP\nEND\n", "END\n", ""] {
            let unlimited = "INFO timeout_turn 2147483647\nINFO time_left 2147483647\n";
            let mut input = format!("START 20\n{unlimited}TURN 7,7\n").into_bytes();
            input.extend(b"foo\n".repeat(MAX_QUEUE + 1_000));
            input.extend(end.as_bytes());
            let writes = Writes::default();
            let (done, served) = channel();
            let written = writes.clone();
            thread::spawn(move || done.send(serve(io::Cursor::new(input), written).is_ok()));
            assert_eq!(served.recv_timeout(Duration::from_secs(60)), Ok(true), "{end:?}");
            let written = writes.0.lock().unwrap();
            assert!(written.iter().any(|line| line.contains(&b',')), "a move before {end:?}");
        }
    }

    #[test]
    fn unread_last_line_does_not_block_the_end() {
        // Longer than the limit for a search to stop.
        let gone = worker_is_gone_after(b"ABOUT\nEND\n", 6 * STOP_TIMEOUT, usize::MAX);
        assert!(!gone, "the worker still writes");
    }

    #[test]
    fn no_search_is_left_running() {
        let search =
            "START 15\nINFO usebook 0\nINFO show_detail 1\nINFO timeout_turn 600000\nBEGIN\n";
        let (now, slow) = (Duration::ZERO, 2 * EOF_GRACE);
        assert!(worker_is_gone_after(search.as_bytes(), now, 5), "output closed during a search");
        let ended = format!("{search}END\n");
        assert!(worker_is_gone_after(ended.as_bytes(), now, usize::MAX), "END during a search");
        assert!(worker_is_gone_after(ended.as_bytes(), slow, usize::MAX), "slow reader");
    }
}
