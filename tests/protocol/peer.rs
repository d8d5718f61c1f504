//! An engine under test: a thread of this process, or the real binary.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Where the engine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// In this process, on pipes.
    Thread,
    /// The binary: that of this build, or the one in `TENGEN_BRAIN`.
    Process,
}

/// The command that starts the brain.
pub fn brain() -> Command {
    let built = env!("CARGO_BIN_EXE_pbrain-tengen").to_string();
    Command::new(std::env::var("TENGEN_BRAIN").unwrap_or(built))
}

/// How lines are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// As written, ended by LF.
    LineFeed,
    /// Ended by CR LF.
    CarriageReturn,
    /// In lower case.
    LowerCase,
    /// With spaces and a tab at the end.
    TrailingBlanks,
}

impl Wire {
    fn encode(self, line: &str) -> String {
        match self {
            Wire::LineFeed => format!("{line}\n"),
            Wire::CarriageReturn => format!("{line}\r\n"),
            Wire::LowerCase => format!("{}\n", line.to_lowercase()),
            Wire::TrailingBlanks => format!("{line} \t \n"),
        }
    }
}

/// The engine's side of a conversation.
pub struct Peer {
    input: Option<Box<dyn Write>>,
    lines: Receiver<Vec<u8>>,
    body: Body,
}

enum Body {
    Thread(JoinHandle<bool>),
    Process(Child),
}

impl Peer {
    /// Starts an engine whose output is closed after `reads_lines` lines.
    pub fn start(host: Host, reads_lines: Option<usize>) -> io::Result<Peer> {
        match host {
            Host::Thread => {
                let (engine_input, input) = io::pipe()?;
                let (output, engine_output) = io::pipe()?;
                let serve = move || tengen::protocol::serve(engine_input, engine_output).is_ok();
                let body = Body::Thread(thread::spawn(serve));
                Ok(Peer { input: Some(Box::new(input)), lines: read(output, reads_lines), body })
            }
            Host::Process => Peer::spawn(&mut brain(), reads_lines),
        }
    }

    /// Starts this program on pipes.
    pub fn spawn(program: &mut Command, reads_lines: Option<usize>) -> io::Result<Peer> {
        let pipes = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn()?;
        let input = child.stdin.take().expect("stdin is a pipe");
        let output = child.stdout.take().expect("stdout is a pipe");
        let lines = read(output, reads_lines);
        Ok(Peer { input: Some(Box::new(input)), lines, body: Body::Process(child) })
    }

    /// Sends one line. It is not an error if the engine has exited.
    pub fn send(&mut self, line: &str, wire: Wire) {
        self.send_bytes(wire.encode(line).as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Closes the engine's input.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// The next line without its line feed; `None` after the timeout or the end of the output.
    pub fn line(&self, time: Duration) -> Option<Vec<u8>> {
        self.lines.recv_timeout(time).ok()
    }

    /// Whether the engine has closed its output.
    pub fn is_closed(&self) -> bool {
        matches!(self.lines.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Disconnected))
    }

    /// Suspends the process for this time.
    pub fn suspend(&self, time: Duration) {
        // Windows has no such signal: there the transcript is played without the pause.
        if let (Body::Process(child), false) = (&self.body, cfg!(windows)) {
            let signal = |name: &str| {
                let id = child.id().to_string();
                Command::new("kill").args([name, &id]).status().expect("kill is there");
            };
            signal("-STOP");
            thread::sleep(time);
            signal("-CONT");
        }
    }

    /// Waits for the engine to exit; an error describes an incorrect exit.
    pub fn exit(self, time: Duration) -> Result<(), String> {
        let start = Instant::now();
        match self.body {
            Body::Thread(thread) => {
                while !thread.is_finished() {
                    if start.elapsed() > time {
                        return Err(format!("still running after {time:?}"));
                    }
                    thread::sleep(Duration::from_millis(1));
                }
                let is_ok = thread.join().is_ok_and(|served| served);
                is_ok.then_some(()).ok_or_else(|| "crashed".to_owned())
            }
            Body::Process(mut child) => {
                let status = loop {
                    if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                        break status;
                    }
                    if start.elapsed() > time {
                        let _ = child.kill();
                        let _ = child.wait();
                        return Err(format!("still running after {time:?}"));
                    }
                    thread::sleep(Duration::from_millis(1));
                };
                let mut errors = String::new();
                if let Some(mut stderr) = child.stderr.take() {
                    let _ = stderr.read_to_string(&mut errors);
                }
                if !errors.is_empty() {
                    return Err(format!("stderr: {errors}"));
                }
                status.success().then_some(()).ok_or_else(|| format!("exited with {status}"))
            }
        }
    }
}

/// Reads lines on a thread of its own.
fn read(output: impl Read + Send + 'static, reads_lines: Option<usize>) -> Receiver<Vec<u8>> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        for _ in 0..reads_lines.unwrap_or(usize::MAX) {
            let mut line = Vec::new();
            match output.read_until(b'\n', &mut line) {
                Ok(length) if length > 0 => {}
                _ => return,
            }
            // Mark a line without a line end.
            if line.last() == Some(&b'\n') {
                line.pop();
            } else {
                line.extend(b"<no line end>");
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}
