//! Threads and streams: one reads, one thinks, and the caller waits for the end.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::command::{Command, CommandError};
use super::decoder::{Decoder, Input};
use super::interrupts::{Arrival, Interrupts};
use super::reply::{Output, Reply};
use super::session::{Flow, Session};
use crate::search::STACK_BYTES;

/// Inputs that may wait for the worker, by [`size`]: far more than a manager ever sends during one
/// search. Beyond it the reader waits too, and hears no stop: that bounds the memory that a flood
/// can take, to about 20 MB.
const LONGEST_QUEUE: usize = 150_000;

/// Time after which a reader in front of a full queue looks again.
const FULL_QUEUE_WAIT: Duration = Duration::from_millis(1);

/// Time after which an input that has nothing yet, and does not wait itself, is read again.
const RETRY_DELAY: Duration = Duration::from_millis(1);

/// Time for the worker to answer what came before the end of the input; then it drops the rest.
/// Managers kill a process that is still there after half a second.
const EOF_GRACE: Duration = Duration::from_millis(200);

/// Time for a search to hear that it must stop. It takes milliseconds; this is only there so that
/// a search that never hears it does not keep the process, and the manager that waits for it.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for a manager that has ended the conversation to read a line that is on its way. After that
/// it reads none, and the process need not wait for it.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Why a conversation ended otherwise than by its end.
#[derive(Debug)]
pub enum ServeError {
    /// The system gave no thread.
    Thread(io::Error),
    /// The worker crashed.
    Crash,
    /// A search does not stop. It may still be running.
    Stuck,
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Thread(error) => write!(f, "cannot start a thread: {error}"),
            ServeError::Crash => f.write_str("the engine crashed"),
            ServeError::Stuck => f.write_str("the search does not stop"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Which side has come to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// `END`, or the end of the stream.
    Input,
    /// The worker has answered everything, has nobody to answer, or has crashed.
    Worker,
}

/// Talks to a manager until `END`, the end of `input`, or a closed `output`.
///
/// When it returns no search is running any more: a process that left with one would pull the
/// memory from under its feet. After a closed `output` the reader may still wait for input, and
/// after the end the worker for somebody to read its line.
///
/// # Errors
/// When a thread cannot be started or has panicked, or when a search does not stop.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    let interrupts = Interrupts::new();
    let (queue, inputs) = channel();
    let queued = Arc::new(AtomicUsize::new(0));
    let (end, ended) = channel();
    let drop_rest = Arc::new(AtomicBool::new(false));
    let writes = Arc::new(AtomicUsize::new(0));
    let stream =
        Stream { output, closed: false, interrupts: interrupts.clone(), writes: writes.clone() };
    let session = Session::new(interrupts.clone());
    let worker = Worker { inputs, queued: queued.clone(), session, drop_rest: drop_rest.clone() };
    let worker = spawn("worker", end.clone(), Ended::Worker, move || worker.run(stream))?;
    let reader = Reader { interrupts, queue, queued, number: 0 };
    let reader = spawn("reader", end, Ended::Input, move || reader.run(input))?;
    if ended.recv() == Ok(Ended::Input) {
        if !await_worker(&ended, &drop_rest, &writes)? {
            return Ok(());
        }
        reader.join().map_err(|_| ServeError::Crash)?;
    }
    worker.join().map_err(|_| ServeError::Crash)
}

/// Waits for the worker, after [`EOF_GRACE`] for no more than what it is about; false where it waits
/// itself, for somebody to read its line.
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

/// Starts a thread with the stack of a search that says when it is over.
fn spawn(
    name: &str,
    end: Sender<Ended>,
    ended: Ended,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, ServeError> {
    let work = move || {
        let _end = EndGuard(end, ended);
        work();
    };
    let builder = thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
    builder.spawn(work).map_err(ServeError::Thread)
}

/// Tells the waiting caller that a thread is over, however that came about.
struct EndGuard(Sender<Ended>, Ended);

impl Drop for EndGuard {
    fn drop(&mut self) {
        // When nobody waits any more there is nobody to tell.
        let _ = self.0.send(self.1);
    }
}

/// The thread that stays alive while the engine thinks.
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
                // Whoever made the pipe may have told it not to wait.
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

    /// A stop acts here, at once; everything else waits its turn.
    fn pass_on(&mut self, input: Input, received: Instant) -> Flow {
        self.number += 1;
        self.interrupts.arrived(self.number, input.ends_thinking());
        let is_end = input == Input::Command(Command::End);
        while self.queued.load(Ordering::Relaxed) > LONGEST_QUEUE {
            thread::sleep(FULL_QUEUE_WAIT);
        }
        self.queued.fetch_add(size(&input), Ordering::Relaxed);
        let sent = self.queue.send((input, Arrival { number: self.number, received }));
        if is_end || sent.is_err() { Flow::Leave } else { Flow::Continue }
    }
}

/// What an input adds to the queue, in units of about 100 bytes.
fn size(input: &Input) -> usize {
    match input {
        Input::Block(block) | Input::Unfinished(block) => 1 + block.entries.len(),
        Input::Rejected(CommandError::Unknown(line)) => 1 + line.len() / 100,
        Input::Command(_) | Input::Rejected(_) => 1,
    }
}

/// The thread that thinks.
struct Worker {
    inputs: Receiver<(Input, Arrival)>,
    /// Size of the inputs that wait.
    queued: Arc<AtomicUsize>,
    session: Session,
    /// Nobody waits for the answers any more.
    drop_rest: Arc<AtomicBool>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A reader in front of a full queue must see that nobody empties it any more.
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
            self.queued.fetch_sub(size(&input), Ordering::Relaxed);
            if self.handle(input, arrival, &mut out) == Flow::Leave {
                return;
            }
        }
    }

    /// Has the session handle the input. A crash outside of a search, which the player survives
    /// by itself, costs the manager its answer but not the conversation.
    fn handle(&mut self, input: Input, arrival: Arrival, out: &mut dyn Output) -> Flow {
        let handled =
            catch_unwind(AssertUnwindSafe(|| self.session.handle(input, arrival, &mut *out)));
        handled.unwrap_or_else(|_| {
            out.send(&Reply::Error("the engine crashed".to_owned()));
            Flow::Continue
        })
    }
}

/// Writes each line with one write and flushes it: some managers read a line in pieces as
/// several answers.
struct Stream<W> {
    output: W,
    /// The manager is gone, and so is whoever would read about it.
    closed: bool,
    interrupts: Interrupts,
    /// Writes begun and writes ended.
    writes: Arc<AtomicUsize>,
}

/// Whether one of the writes has begun and not ended.
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

/// Writes all of the bytes.
fn write_all_retrying(output: &mut impl Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match retrying(|| output.write(bytes))? {
            0 => return Err(ErrorKind::WriteZero.into()),
            length => bytes = bytes.get(length..).unwrap_or_default(),
        }
    }
    Ok(())
}

/// Tries again until the output takes what it is given, also where whoever made the pipe told it
/// not to wait.
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

    /// Remembers every single write.
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
    fn an_output_that_does_not_wait_gets_every_byte() {
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
        // Standard output is such a writer, which may keep a part of a line for the flush.
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

    /// An output whose writes take this long and which is closed after so many of them; tells
    /// when the worker lets go of it, which is the last thing that the worker does.
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

    /// Serves on such an output, with an input that stays open unless it says `END`; whether the
    /// worker was gone when it returned.
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
        let input = "ABOUT\nINFO timeout_turn 0\nSTART 15\nBEGIN\nfoo\nTURN\nEND\nABOUT\n";
        serve(input.as_bytes(), writes.clone()).unwrap();
        let written = writes.0.lock().unwrap();
        assert_eq!(written.len(), 5);
        for line in written.iter() {
            assert!(
                line.ends_with(b"\n") && line.iter().filter(|&&byte| byte == b'\n').count() == 1
            );
        }
    }

    /// Has nothing before every piece of its text.
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
    fn an_input_that_does_not_wait_is_read_to_its_end() {
        let writes = Writes::default();
        serve(
            Hesitant { text: b"START 15\nINFO timeout_turn 0\nBEGIN\n", ready: true },
            writes.clone(),
        )
        .unwrap();
        assert_eq!(writes.0.lock().unwrap().len(), 2, "OK and a move");
    }

    #[test]
    fn a_closed_output_ends_the_conversation() {
        // The input stays open: only the failed write tells that the manager is gone.
        assert!(worker_is_gone_after(b"ABOUT\n", Duration::ZERO, 0));
    }

    #[test]
    fn a_stop_is_heard_behind_a_flood() {
        let writes = Writes::default();
        // On an empty board the move would come at once.
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
            // Only then: an END would stop the search as well.
            while !written.0.lock().unwrap().iter().any(is_move) {
                assert!(Instant::now() < deadline, "the search went on");
                thread::sleep(Duration::from_millis(5));
            }
            manager.write_all(b"END\n").unwrap();
        });
        serve(reader, writes).unwrap();
        sender.join().unwrap();
    }

    #[test]
    fn nobody_has_to_read_the_last_line() {
        // For ever, to those who wait no longer than for a search.
        let gone = worker_is_gone_after(b"ABOUT\nEND\n", 6 * STOP_TIMEOUT, usize::MAX);
        assert!(!gone, "it still writes");
    }

    #[test]
    fn no_search_is_left_running() {
        let search = "START 15\nINFO show_detail 1\nINFO timeout_turn 600000\nBEGIN\n";
        let (now, slow) = (Duration::ZERO, 2 * EOF_GRACE);
        assert!(worker_is_gone_after(search.as_bytes(), now, 5), "the output closed meanwhile");
        let ended = format!("{search}END\n");
        assert!(worker_is_gone_after(ended.as_bytes(), now, usize::MAX), "END came meanwhile");
        assert!(worker_is_gone_after(ended.as_bytes(), slow, usize::MAX), "nobody reads in time");
    }
}
