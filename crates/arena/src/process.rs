//! One engine process and the conversation with it.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::contender::{Contender, Handling};
use tengen::engine::StopSwitch;
use tengen_record::reasons;
use tengen_rules::types::Coordinates;

/// Answers that may wait unread; an engine that floods its output loses the rest.
const UNREAD_LINES: usize = 256;
/// A longer line is cut into several.
const LINE_BYTES: u64 = 1 << 16;
/// How many of its last lines are kept to explain a failure, and letters of each.
const TAIL_LINES: usize = 12;
const TAIL_LETTERS: usize = 500;
/// How long the last words of a process that has ended are waited for.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How long an engine may take to leave after `END`.
const FAREWELL: Duration = Duration::from_millis(700);
/// How often a wait looks at the stop switch.
const POLL: Duration = Duration::from_millis(50);

/// What an engine did, other than playing, that ends its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It did not answer `START` with `OK`.
    Start,
    /// It gave no move in time.
    Timeout,
    /// Its process ended.
    Crash,
    /// Not the engine's doing: the match is being stopped.
    Stopped,
}

impl Failure {
    /// Name in reports and records.
    pub const fn name(self) -> &'static str {
        match self {
            Failure::Start => reasons::START,
            Failure::Timeout => reasons::TIMEOUT,
            Failure::Crash => reasons::CRASH,
            Failure::Stopped => "stopped",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

type Tail = Arc<Mutex<VecDeque<String>>>;

/// A running engine.
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    answers: Receiver<(Instant, String)>,
    tail: Tail,
    /// Reads what it writes to standard error.
    complaints: Option<JoinHandle<()>>,
    stop: StopSwitch,
    /// Waited before lines are sent.
    pause: Duration,
    /// Still forgiven: until the process has given its first move.
    forgiven: Duration,
}

impl Process {
    /// Starts the process. Waits on it end early when `stop` is pressed.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn spawn(
        contender: &Contender,
        handling: &Handling,
        stop: StopSwitch,
    ) -> io::Result<Process> {
        let mut command = Command::new(&contender.command[0]);
        command
            .args(&contender.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        separate_group(&mut command);
        let mut child = command.spawn()?;
        let tail = Tail::default();
        let (sender, answers) = sync_channel(UNREAD_LINES);
        if let Some(stdout) = child.stdout.take() {
            let tail = Arc::clone(&tail);
            thread::spawn(move || read(stdout, &tail, Some(&sender)));
        }
        let complaints = child.stderr.take().map(|stderr| {
            let tail = Arc::clone(&tail);
            thread::spawn(move || read(stderr, &tail, None))
        });
        let stdin = child.stdin.take();
        let (pause, forgiven) = (handling.pause, handling.first_move);
        Ok(Process { child, stdin, answers, tail, complaints, stop, pause, forgiven })
    }

    /// Sends lines in one write, after the pause.
    ///
    /// # Errors
    /// [`Failure::Crash`] when the process no longer reads, [`Failure::Stopped`].
    pub fn send(&mut self, lines: &[String]) -> Result<(), Failure> {
        self.rest()?;
        self.write(lines)
    }

    /// Waits the pause out.
    fn rest(&self) -> Result<(), Failure> {
        let until = Instant::now() + self.pause;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            if self.stop.is_pressed() {
                return Err(Failure::Stopped);
            }
            thread::sleep(left.min(POLL));
        }
    }

    fn write(&mut self, lines: &[String]) -> Result<(), Failure> {
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let stdin = self.stdin.as_mut().ok_or(Failure::Crash)?;
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).map_err(|_| Failure::Crash)
    }

    /// Sends `request` and waits for `OK`; other lines are passed over.
    ///
    /// # Errors
    /// [`Failure::Start`] when it refuses or says nothing for `patience`.
    pub fn start_game(&mut self, request: &str, patience: Duration) -> Result<(), Failure> {
        let (agreed, _) = self
            .ask(&[request.to_string()], patience, |line| {
                let word = line.to_ascii_uppercase();
                match word.as_str() {
                    "OK" => Some(true),
                    _ if word.starts_with("ERROR") || word.starts_with("UNKNOWN") => Some(false),
                    _ => None,
                }
            })
            .map_err(
                |failure| if failure == Failure::Timeout { Failure::Start } else { failure },
            )?;
        if agreed { Ok(()) } else { Err(Failure::Start) }
    }

    /// What the engine says about itself, if it answers `ABOUT` in time.
    pub fn about(&mut self, patience: Duration) -> Option<String> {
        let names_itself = |line: &str| line.contains("name").then(|| line.to_string());
        let answer = self.ask(&["ABOUT".to_string()], patience, names_itself);
        answer.ok().map(|(line, _)| line)
    }

    /// The time to forgive for the move asked for next; nothing from the second call on.
    pub fn take_forgiven(&mut self) -> Duration {
        std::mem::take(&mut self.forgiven)
    }

    /// Sends `lines` and waits for a move; other lines are passed over. Also says how long it
    /// took from the request to the arrival of the answer.
    ///
    /// # Errors
    /// [`Failure::Timeout`] when no move arrives within `limit`.
    pub fn ask_move(
        &mut self,
        lines: &[String],
        limit: Duration,
    ) -> Result<(Coordinates, Duration), Failure> {
        self.ask(lines, limit, |line| line.parse().ok())
    }

    fn ask<T>(
        &mut self,
        lines: &[String],
        limit: Duration,
        accept: impl Fn(&str) -> Option<T>,
    ) -> Result<(T, Duration), Failure> {
        self.rest()?;
        // What is still unread answers an earlier request.
        while self.answers.try_recv().is_ok() {}
        let asked = Instant::now();
        self.write(lines)?;
        loop {
            if self.stop.is_pressed() {
                return Err(Failure::Stopped);
            }
            let left = limit.saturating_sub(asked.elapsed());
            match self.answers.recv_timeout(left.min(POLL)) {
                Ok((arrived, line)) => {
                    let Some(answer) = accept(&line) else { continue };
                    let elapsed = arrived.saturating_duration_since(asked);
                    return if elapsed <= limit {
                        Ok((answer, elapsed))
                    } else {
                        Err(Failure::Timeout)
                    };
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Failure::Timeout),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Crash),
            }
        }
    }

    /// The last lines it wrote, on either stream. One that has ended may have said why after its
    /// standard output was closed: that is waited for.
    pub fn last_lines(&mut self) -> Vec<String> {
        let asked = Instant::now();
        while asked.elapsed() < LAST_WORDS
            && !matches!(self.child.try_wait(), Ok(None))
            && self.complaints.as_ref().is_some_and(|reader| !reader.is_finished())
        {
            thread::sleep(Duration::from_millis(2));
        }
        self.tail.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Asks the engine to leave, and ends its process if it does not, and whatever it leaves
    /// behind.
    pub fn dismiss(mut self) {
        // An engine that is gone already cannot be told.
        let _ = self.write(&["END".to_string()]);
        self.stdin = None;
        let asked = Instant::now();
        while asked.elapsed() < FAREWELL {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        kill_group(&mut self.child);
    }
}

/// Passes lines on until the stream ends; `MESSAGE` and `DEBUG` lines are only kept.
fn read(stream: impl Read, tail: &Tail, answers: Option<&SyncSender<(Instant, String)>>) {
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
        {
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            if tail.len() == TAIL_LINES {
                tail.pop_front();
            }
            tail.push_back(line.chars().take(TAIL_LETTERS).collect());
        }
        let first = line.split_whitespace().next().unwrap_or_default();
        let aside = ["MESSAGE", "DEBUG"].iter().any(|word| first.eq_ignore_ascii_case(word));
        if let Some(answers) = answers.filter(|_| !aside) {
            // A full queue belongs to an engine that floods; see UNREAD_LINES.
            let _ = answers.try_send((arrived, line));
        }
    }
}

/// Keeps the terminal's Ctrl-C from the engine, and makes its children end with it.
fn separate_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
}

/// Ends the process and whatever it started. On Unix that works after the process itself has
/// ended, too: its group keeps its number as long as anybody is left in it.
fn kill_group(child: &mut Child) {
    let id = child.id();
    // The tools of the system reach a whole group without unsafe code; where one is missing,
    // the process itself still ends below.
    let tool = if cfg!(windows) {
        Command::new("taskkill").args(["/T", "/F", "/PID", &id.to_string()]).output()
    } else {
        Command::new("kill").args(["-KILL", "--", &format!("-{id}")]).output()
    };
    drop(tool);
    // Both fail only when the process has ended, which is what they are for.
    let _ = child.kill();
    let _ = child.wait();
}
