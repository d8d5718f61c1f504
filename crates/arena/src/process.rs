//! An engine process and the communication with it.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};
#[cfg(windows)]
use process_wrap::std::{CreationFlags, JobObject};
#[cfg(windows)]
use windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

use super::engine_spec::{EngineSettings, EngineSpec};
use tengen::engine::StopSwitch;
use tengen_record::reasons;
use tengen_rules::types::Coordinates;

/// Maximum number of unread lines; further lines are discarded.
const UNREAD_LINES: usize = 256;
/// Maximum length of a line; longer lines are split.
const LINE_BYTES: u64 = 1 << 16;
/// Number of last lines that are kept to explain a failure, and of characters kept of each.
const TAIL_LINES: usize = 12;
const TAIL_CHARS: usize = 500;
/// Time for the rest of the standard error of a process that has ended.
const LAST_OUTPUT_TIMEOUT: Duration = Duration::from_millis(300);
/// Time to end after `END`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(700);
/// Time for a killed process to end.
const REAP_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval at which a wait checks the stop switch.
const POLL: Duration = Duration::from_millis(50);

/// A failure of an engine that ends its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineFailure {
    /// No `OK` in answer to `START`.
    Start,
    /// No move within the time limit.
    Timeout,
    /// The process ended.
    Crash,
    /// The match is being stopped; the engine has not failed.
    Stopped,
}

impl EngineFailure {
    /// Name in reports and records.
    pub const fn name(self) -> &'static str {
        match self {
            EngineFailure::Start => reasons::START,
            EngineFailure::Timeout => reasons::TIMEOUT,
            EngineFailure::Crash => reasons::CRASH,
            EngineFailure::Stopped => "stopped",
        }
    }
}

impl fmt::Display for EngineFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

type Tail = Arc<Mutex<VecDeque<String>>>;

/// A running engine.
pub struct EngineProcess {
    child: Box<dyn ChildWrapper>,
    stdin: Option<ChildStdin>,
    answers: Receiver<(Instant, String)>,
    tail: Tail,
    /// Reads its standard error.
    stderr_reader: Option<JoinHandle<()>>,
    stop: StopSwitch,
    /// Pause before lines are sent.
    pause: Duration,
    /// Extra time for the first move; zero after it.
    allowance: Duration,
}

impl EngineProcess {
    /// Starts the process. Waits on it end early when `stop` is pressed.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn spawn(
        spec: &EngineSpec,
        settings: &EngineSettings,
        stop: StopSwitch,
    ) -> io::Result<EngineProcess> {
        let mut command = Command::new(&spec.command[0]);
        command
            .args(&spec.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = spawn_group(command)?;
        let tail = Tail::default();
        let (sender, answers) = sync_channel(UNREAD_LINES);
        if let Some(stdout) = child.stdout().take() {
            let tail = Arc::clone(&tail);
            thread::spawn(move || read(stdout, &tail, Some(&sender)));
        }
        let stderr_reader = child.stderr().take().map(|stderr| {
            let tail = Arc::clone(&tail);
            thread::spawn(move || read(stderr, &tail, None))
        });
        let stdin = child.stdin().take();
        let (pause, allowance) = (settings.pause, settings.first_move);
        Ok(EngineProcess { child, stdin, answers, tail, stderr_reader, stop, pause, allowance })
    }

    /// Sends lines in one write, after the pause.
    ///
    /// # Errors
    /// [`EngineFailure::Crash`] when the process no longer reads, [`EngineFailure::Stopped`].
    pub fn send(&mut self, lines: &[String]) -> Result<(), EngineFailure> {
        self.wait_pause()?;
        self.write(lines)
    }

    /// Waits for the pause.
    fn wait_pause(&self) -> Result<(), EngineFailure> {
        let until = Instant::now() + self.pause;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            if self.stop.is_pressed() {
                return Err(EngineFailure::Stopped);
            }
            thread::sleep(left.min(POLL));
        }
    }

    fn write(&mut self, lines: &[String]) -> Result<(), EngineFailure> {
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let stdin = self.stdin.as_mut().ok_or(EngineFailure::Crash)?;
        stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .map_err(|_| EngineFailure::Crash)
    }

    /// Sends `request` and waits for `OK`, ignoring other lines.
    ///
    /// # Errors
    /// [`EngineFailure::Start`] when the engine refuses or does not answer within `timeout`.
    pub fn start_game(&mut self, request: &str, timeout: Duration) -> Result<(), EngineFailure> {
        let (accepted, _) = self
            .request(&[request.to_string()], timeout, |line| {
                let word = line.to_ascii_uppercase();
                match word.as_str() {
                    "OK" => Some(true),
                    _ if word.starts_with("ERROR") || word.starts_with("UNKNOWN") => Some(false),
                    _ => None,
                }
            })
            .map_err(|failure| {
                if failure == EngineFailure::Timeout { EngineFailure::Start } else { failure }
            })?;
        if accepted { Ok(()) } else { Err(EngineFailure::Start) }
    }

    /// The answer to `ABOUT`, if it arrives within `timeout`.
    pub fn about(&mut self, timeout: Duration) -> Option<String> {
        let has_name = |line: &str| line.contains("name").then(|| line.to_string());
        let answer = self.request(&["ABOUT".to_string()], timeout, has_name);
        answer.ok().map(|(line, _)| line)
    }

    /// Takes the extra time for the next move: zero from the second call on.
    pub fn take_allowance(&mut self) -> Duration {
        std::mem::take(&mut self.allowance)
    }

    /// Sends `lines` and waits for a move, ignoring other lines. Returns the move and the time from
    /// the request to its arrival.
    ///
    /// # Errors
    /// [`EngineFailure::Timeout`] when no move arrives within `limit`.
    pub fn request_move(
        &mut self,
        lines: &[String],
        limit: Duration,
    ) -> Result<(Coordinates, Duration), EngineFailure> {
        self.request(lines, limit, |line| line.parse().ok())
    }

    fn request<T>(
        &mut self,
        lines: &[String],
        limit: Duration,
        accept: impl Fn(&str) -> Option<T>,
    ) -> Result<(T, Duration), EngineFailure> {
        self.wait_pause()?;
        // Unread lines belong to an earlier request.
        while self.answers.try_recv().is_ok() {}
        let sent = Instant::now();
        self.write(lines)?;
        loop {
            if self.stop.is_pressed() {
                return Err(EngineFailure::Stopped);
            }
            let left = limit.saturating_sub(sent.elapsed());
            match self.answers.recv_timeout(left.min(POLL)) {
                Ok((arrived, line)) => {
                    let Some(answer) = accept(&line) else { continue };
                    let elapsed = arrived.saturating_duration_since(sent);
                    return if elapsed <= limit {
                        Ok((answer, elapsed))
                    } else {
                        Err(EngineFailure::Timeout)
                    };
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(EngineFailure::Timeout);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(EngineFailure::Crash),
            }
        }
    }

    /// The last lines that the engine wrote to either stream. If the process has ended, waits for the
    /// rest of its standard error, which may contain the reason.
    pub fn last_lines(&mut self) -> Vec<String> {
        let started = Instant::now();
        while started.elapsed() < LAST_OUTPUT_TIMEOUT
            && !matches!(self.child.try_wait(), Ok(None))
            && self.stderr_reader.as_ref().is_some_and(|reader| !reader.is_finished())
        {
            thread::sleep(Duration::from_millis(2));
        }
        self.tail.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Sends `END` and gives the engine time to end. Dropping it then kills its remaining processes.
    pub fn quit(mut self) {
        // Fails when the engine has ended already.
        let _ = self.write(&["END".to_string()]);
        self.stdin = None;
        let started = Instant::now();
        while started.elapsed() < QUIT_TIMEOUT {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        kill_group(&mut *self.child);
    }
}

/// Forwards lines until the stream ends, except `MESSAGE` and `DEBUG` lines.
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
            tail.push_back(line.chars().take(TAIL_CHARS).collect());
        }
        let first = line.split_whitespace().next().unwrap_or_default();
        let is_comment = ["MESSAGE", "DEBUG"].iter().any(|word| first.eq_ignore_ascii_case(word));
        if let Some(answers) = answers.filter(|_| !is_comment) {
            // Lines beyond UNREAD_LINES are discarded.
            let _ = answers.try_send((arrived, line));
        }
    }
}

/// Starts the command as the leader of a new process group (on Windows a job), so that Ctrl-C in the
/// terminal does not reach the engine, and its children can be ended with it.
fn spawn_group(command: Command) -> io::Result<Box<dyn ChildWrapper>> {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(CreationFlags(CREATE_NEW_PROCESS_GROUP)).wrap(JobObject);
    command.spawn()
}

/// Kills the process and its children, even if the process itself has already ended.
fn kill_group(child: &mut dyn ChildWrapper) {
    // Fails when no process of the group is left.
    let _ = child.start_kill();
    // Reaps the process. A plain wait could block on Windows, where it waits for a message of the
    // job that an earlier `try_wait` may have taken.
    let started = Instant::now();
    while started.elapsed() < REAP_TIMEOUT && matches!(child.try_wait(), Ok(None)) {
        thread::sleep(Duration::from_millis(1));
    }
}
