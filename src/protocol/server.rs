//! Threads and streams: one reads, one thinks, and the caller waits for the end.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::command::Command;
use super::decoder::{Decoder, Input};
use super::interrupts::{Arrival, Interrupts};
use super::reply::{Output, Reply};
use super::session::{Flow, Session};

/// Inputs that may wait for the worker. Beyond it the reader waits too, which bounds the memory
/// that a flood of commands can take.
const LONGEST_QUEUE: usize = 1024;

/// Time for the worker to answer what came before the end of the input. Managers kill a process
/// that is still there after half a second.
const GRACE: Duration = Duration::from_millis(200);

/// The search is recursive: its thread gets more than the default stack on every system.
const WORKER_STACK: usize = 32 << 20;

/// Why a conversation ended otherwise than by its end.
#[derive(Debug)]
pub enum ServeError {
    /// The system gave no thread.
    Thread(io::Error),
    /// The engine crashed.
    Crash,
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Thread(error) => write!(f, "cannot start a thread: {error}"),
            ServeError::Crash => f.write_str("the engine crashed"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Which side has come to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// `END`, or the end of the stream.
    Input,
    /// The worker has answered everything, or has crashed.
    Worker,
    /// Nobody reads the answers.
    Output,
}

/// Talks to a manager until `END`, the end of `input`, or a closed `output`.
///
/// Returns at most 200 ms after the end of the input, even when a search does not stop; the
/// threads may then still be running, and the caller should end the process.
///
/// # Errors
/// When a thread cannot be started, or has panicked.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), ServeError> {
    let interrupts = Interrupts::new();
    let (queue, inputs) = sync_channel(LONGEST_QUEUE);
    let (end, ended) = channel();
    let worker = spawn_worker(inputs, output, interrupts.clone(), end.clone())?;
    let reader = Reader { interrupts, queue, number: 0 };
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            let _end = EndGuard(end, Ended::Input);
            reader.run(input);
        })
        .map_err(ServeError::Thread)?;
    match ended.recv() {
        Ok(Ended::Input) => match ended.recv_timeout(GRACE) {
            Ok(Ended::Worker) => joined(worker),
            _ => Ok(()),
        },
        Ok(Ended::Worker) => joined(worker),
        _ => Ok(()),
    }
}

fn joined(worker: JoinHandle<()>) -> Result<(), ServeError> {
    worker.join().map_err(|_| ServeError::Crash)
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
    queue: SyncSender<(Input, Arrival)>,
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
        let sent = self.queue.send((input, Arrival { number: self.number, received }));
        if is_end || sent.is_err() { Flow::Leave } else { Flow::Continue }
    }
}

fn spawn_worker(
    inputs: Receiver<(Input, Arrival)>,
    output: impl Write + Send + 'static,
    interrupts: Interrupts,
    end: Sender<Ended>,
) -> Result<JoinHandle<()>, ServeError> {
    let work = move || {
        let mut out = Stream { output, end: end.clone() };
        let _end = EndGuard(end, Ended::Worker);
        let mut session = Session::new(interrupts);
        let mut last = 0;
        loop {
            let next = match inputs.try_recv() {
                Err(TryRecvError::Empty) => {
                    session.ponder(last);
                    inputs.recv().ok()
                }
                received => received.ok(),
            };
            let Some((input, arrival)) = next else { return };
            last = arrival.number;
            if session.handle(input, arrival, &mut out) == Flow::Leave {
                return;
            }
        }
    };
    thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(WORKER_STACK)
        .spawn(work)
        .map_err(ServeError::Thread)
}

/// Writes each line with one write and flushes it: some managers read a line in pieces as
/// several answers.
struct Stream<W> {
    output: W,
    end: Sender<Ended>,
}

impl<W: Write> Output for Stream<W> {
    fn send(&mut self, reply: &Reply) {
        let line = format!("{reply}\n");
        log::debug!("< {}", line.trim_end());
        let written = self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush());
        if written.is_err() {
            // The manager is gone, and so is whoever would read about it.
            let _ = self.end.send(Ended::Output);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

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

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
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

    #[test]
    fn a_closed_output_ends_the_conversation() {
        // The input stays open: only the failed write tells that the manager is gone.
        let (input, mut manager) = io::pipe().unwrap();
        manager.write_all(b"ABOUT\n").unwrap();
        serve(input, Closed).unwrap();
        drop(manager);
    }
}
