//! An engine process and the communication with it.

mod answers;
mod group;
mod streams;

use std::fmt;
use std::io;
#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, Stdio};
use std::sync::Once;
use std::sync::mpsc::RecvTimeoutError;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub use group::Exit;

use super::engine_spec::{EngineSettings, EngineSpec};
use answers::{AnswerReceiver, answer_queue};
use group::{ProcessGroup, kill_all};
use streams::{RequestWriter, SendError, Tail, read, timed_read};
use tengen::engine::StopSwitch;
use tengen_cli::interrupt::before_exit;
use tengen_record::reasons;
use tengen_rules::types::Coordinates;

/// Maximum number of unread lines that may be answers; older ones are discarded.
const UNREAD_LINES: usize = 256;
/// The last lines of standard output and of standard error that are kept to explain a failure.
const TAIL_LINES: (usize, usize) = (12, 24);
/// Time that a process has to end after it closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Time to read the rest of the output after a process has ended.
const LAST_OUTPUT_TIMEOUT: Duration = Duration::from_secs(2);
/// Time that an engine has to end after `END`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(700);
/// Interval at which a wait checks the stop switch.
const POLL: Duration = Duration::from_millis(50);
/// Time to wait for the reader to read the output that was written before a request; longer waits are
/// due to an engine that writes without a pause.
#[cfg(unix)]
const UNREAD_OUTPUT_TIMEOUT: Duration = Duration::from_millis(20);
/// The score of a forced win in 0 moves; a win in `n` moves scores `n` less.
const WIN_SCORE: i32 = 30_000;

/// A failure of an engine that ends its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineFailure {
    /// No `OK` in answer to `START`.
    Start,
    /// No move within the time limit.
    Timeout,
    /// The process ended, or closed its input or output.
    Crash,
    /// The engine does not read its input: too many requests wait.
    Unread,
    /// The engine does not support `SWAP2BOARD`.
    NoSwap2,
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
            EngineFailure::Unread => reasons::UNREAD,
            EngineFailure::NoSwap2 => reasons::NO_SWAP2,
            EngineFailure::Stopped => "stopped",
        }
    }
}

impl fmt::Display for EngineFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Kills engines before the program exits during its work.
static KILL_BEFORE_EXIT: Once = Once::new();

/// Details of a failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureDetails {
    /// How the process ended, if it did.
    pub exit: Option<Exit>,
    /// The last lines of standard output, then those of standard error.
    pub last_lines: Vec<String>,
}

/// A running engine.
pub struct EngineProcess {
    group: ProcessGroup,
    requests: RequestWriter,
    answers: AnswerReceiver,
    /// The standard output, to see whether a part of it is unread.
    #[cfg(unix)]
    output: Option<OwnedFd>,
    score: Option<i32>,
    /// The last lines of standard output and of standard error.
    tails: [Tail; 2],
    readers: Vec<JoinHandle<()>>,
    stop: StopSwitch,
    /// Pause before lines are sent.
    pause: Duration,
    /// Extra time for the first move; zero after it.
    allowance: Duration,
}

impl EngineProcess {
    /// Starts the process. Waiting for it ends early when `stop` is pressed.
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
        KILL_BEFORE_EXIT.call_once(|| before_exit(kill_all));
        let mut group = ProcessGroup::spawn(command)?;
        let requests = RequestWriter::start(group.take_stdin());
        let tails = [Tail::new(TAIL_LINES.0), Tail::new(TAIL_LINES.1)];
        let (lines, answers) = answer_queue(UNREAD_LINES);
        let mut readers = Vec::new();
        #[cfg(unix)]
        let mut output = None;
        if let Some(mut stdout) = group.take_stdout() {
            #[cfg(unix)]
            {
                output = stdout.as_fd().try_clone_to_owned().ok();
            }
            let tail = tails[0].clone();
            let next = move |buffer: &mut [u8]| timed_read(&mut stdout, buffer);
            readers.push(thread::spawn(move || read(next, &tail, Some(&lines))));
        }
        if let Some(mut stderr) = group.take_stderr() {
            let tail = tails[1].clone();
            let next = move |buffer: &mut [u8]| timed_read(&mut stderr, buffer);
            readers.push(thread::spawn(move || read(next, &tail, None)));
        }
        let (pause, allowance) = (settings.pause, settings.first_move);
        Ok(EngineProcess {
            group,
            requests,
            answers,
            #[cfg(unix)]
            output,
            score: None,
            tails,
            readers,
            stop,
            pause,
            allowance,
        })
    }

    /// Sends lines in one write, after the pause.
    ///
    /// # Errors
    /// [`EngineFailure::Crash`] when the process has closed its input, [`EngineFailure::Unread`]
    /// when it does not read, [`EngineFailure::Stopped`] when the match is being stopped.
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
        self.requests.send(lines).map_err(|error| match error {
            _ if self.stop.is_pressed() => EngineFailure::Stopped,
            SendError::Unread => EngineFailure::Unread,
            SendError::Closed => EngineFailure::Crash,
        })
    }

    /// A process that has ended has crashed, unless the match is being stopped: then it may have been
    /// killed.
    fn end_of_process(&self) -> EngineFailure {
        if self.stop.is_pressed() { EngineFailure::Stopped } else { EngineFailure::Crash }
    }

    /// Sends `request` and waits for `OK`, ignoring other lines.
    ///
    /// # Errors
    /// [`EngineFailure::Start`] when the engine refuses or does not answer within `timeout`.
    pub fn start_game(&mut self, request: &str, timeout: Duration) -> Result<(), EngineFailure> {
        let (accepted, _) =
            self.request(&[request.to_string()], timeout, start_answer).map_err(|failure| {
                if failure == EngineFailure::Timeout { EngineFailure::Start } else { failure }
            })?;
        if accepted { Ok(()) } else { Err(EngineFailure::Start) }
    }

    /// The answer to `ABOUT`, if it arrives within `timeout`.
    pub fn about(&mut self, timeout: Duration) -> Option<String> {
        let answer = self.request(&["ABOUT".to_string()], timeout, about_answer);
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
        self.request(lines, limit, leading_move)
    }

    /// Sends `SWAP2BOARD` with the stones so far and waits for the answer, ignoring other lines.
    ///
    /// # Errors
    /// [`EngineFailure::NoSwap2`] when the engine refuses the command, [`EngineFailure::Timeout`] when
    /// no answer arrives within `limit`.
    pub fn request_opening(
        &mut self,
        lines: &[String],
        limit: Duration,
    ) -> Result<(OpeningAnswer, Duration), EngineFailure> {
        let (answer, elapsed) = self.request(lines, limit, opening_answer)?;
        answer.map(|answer| (answer, elapsed)).ok_or(EngineFailure::NoSwap2)
    }

    /// The last score that the engine reported for its last move, from its own view. Forced wins and
    /// losses are beyond 20,000 points.
    pub fn score(&self) -> Option<i32> {
        self.score
    }

    fn request<T>(
        &mut self,
        lines: &[String],
        limit: Duration,
        accept: impl Fn(&str) -> Option<T>,
    ) -> Result<(T, Duration), EngineFailure> {
        self.wait_pause()?;
        self.wait_until_output_is_read();
        // Lines that began earlier belong to an earlier request.
        let sent = Instant::now();
        self.answers.clear();
        self.score = None;
        self.write(lines)?;
        let mut has_ended = false;
        loop {
            if self.stop.is_pressed() {
                return Err(EngineFailure::Stopped);
            }
            let left = limit.saturating_sub(sent.elapsed());
            match self.answers.recv_timeout(left.min(POLL)) {
                Ok(line) if line.began < sent => {}
                Ok(line) => {
                    let Some(answer) = accept(&line.text) else { continue };
                    self.score = line.score.filter(|(began, _)| *began >= sent).map(|(_, it)| it);
                    let elapsed = line.arrived.saturating_duration_since(sent);
                    return if elapsed <= limit {
                        Ok((answer, elapsed))
                    } else {
                        Err(EngineFailure::Timeout)
                    };
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(EngineFailure::Timeout);
                }
                Err(RecvTimeoutError::Timeout) if has_ended => return Err(self.end_of_process()),
                // A child may keep the output open. Wait once more for output that was already
                // written.
                Err(RecvTimeoutError::Timeout) => {
                    has_ended = self.requests.is_closed() || self.group.exit().is_some();
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.end_of_process()),
            }
        }
    }

    /// Waits until the output that the engine has written is read, and so has its time.
    fn wait_until_output_is_read(&self) {
        #[cfg(unix)]
        if let Some(output) = &self.output {
            let started = Instant::now();
            while rustix::io::ioctl_fionread(output).is_ok_and(|unread| unread > 0)
                && started.elapsed() < UNREAD_OUTPUT_TIMEOUT
            {
                thread::sleep(Duration::from_micros(100));
            }
        }
    }

    /// Details of a failure. After a crash, waits for the end of the process and the rest of its
    /// output, and kills its descendants, which may keep the output open.
    pub fn failure_details(&mut self, has_crashed: bool) -> FailureDetails {
        let exit = if has_crashed { self.group.wait(EXIT_TIMEOUT) } else { self.group.exit() };
        if has_crashed {
            self.group.kill();
            let started = Instant::now();
            while started.elapsed() < LAST_OUTPUT_TIMEOUT
                && !self.readers.iter().all(JoinHandle::is_finished)
            {
                thread::sleep(Duration::from_millis(2));
            }
        }
        FailureDetails { exit, last_lines: self.tails.iter().flat_map(Tail::lines).collect() }
    }

    /// Sends `END`, gives the engine time to end, and kills its remaining processes.
    pub fn quit(self) {
        quit_all(vec![self]);
    }
}

/// [`EngineProcess::quit`] for several engines, which end at the same time.
pub fn quit_all(mut engines: Vec<EngineProcess>) {
    for engine in &mut engines {
        // Fails if the engine has already ended.
        let _ = engine.write(&["END".to_string()]);
        engine.requests.close();
    }
    let started = Instant::now();
    for engine in &mut engines {
        engine.group.wait(QUIT_TIMEOUT.saturating_sub(started.elapsed()));
    }
}

/// An answer to `SWAP2BOARD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningAnswer {
    /// The engine takes the other colour.
    Swap,
    /// One or more stones.
    Stones(Vec<Coordinates>),
}

/// Whether a line answers any request. Other lines must not fill the queue of answers: an engine may
/// print a long board after its move.
fn is_answer(line: &str) -> bool {
    start_answer(line).is_some()
        || about_answer(line).is_some()
        || leading_move(line).is_some()
        || opening_answer(line).is_some()
}

/// Whether the engine accepts `START`; `None` for other lines.
fn start_answer(line: &str) -> Option<bool> {
    let word = line.to_ascii_uppercase();
    match word.as_str() {
        "OK" => Some(true),
        _ if word.starts_with("ERROR") || word.starts_with("UNKNOWN") => Some(false),
        _ => None,
    }
}

/// The answer to `ABOUT`.
fn about_answer(line: &str) -> Option<String> {
    line.contains("name").then(|| line.to_string())
}

/// The move at the start of a line. The rest of the line is ignored, as by Piskvork's `sscanf` with
/// `%d,%d`.
fn leading_move(line: &str) -> Option<Coordinates> {
    let number_end = |text: &str| {
        let sign = usize::from(text.starts_with(['-', '+']));
        let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 { Some(sign + digits) } else { None }
    };
    let line = line.trim_start();
    let (x, rest) = line.split_at(number_end(line)?);
    let rest = rest.strip_prefix(',')?.trim_start();
    format!("{x},{}", &rest[..number_end(rest)?]).parse().ok()
}

/// The answer to `SWAP2BOARD` in a line: `SWAP` or stones; `Some(None)` when the engine refuses the
/// command, `None` for other lines.
fn opening_answer(line: &str) -> Option<Option<OpeningAnswer>> {
    let first = line.split_whitespace().next()?.to_ascii_uppercase();
    match first.as_str() {
        "SWAP" => return Some(Some(OpeningAnswer::Swap)),
        "ERROR" | "UNKNOWN" => return Some(None),
        _ => {}
    }
    let moves = line.split_whitespace().map_while(leading_move);
    let stones: Vec<Coordinates> = moves.collect();
    (!stones.is_empty()).then_some(Some(OpeningAnswer::Stones(stones)))
}

/// The score in a `MESSAGE` line, in the notations of various engines:
/// `ev 35`, `Eval: -120`, `EV +M7`. None in a line about another move than the best: `multipv 2`.
fn reported_score(line: &str) -> Option<i32> {
    let words = line.split([' ', '\t', '|', ':', '=', ',']).filter(|word| !word.is_empty());
    let after = |names: &[&str]| {
        let is_named = |word: &&str| names.iter().any(|name| word.eq_ignore_ascii_case(name));
        words.clone().skip_while(|word| !is_named(word)).nth(1)
    };
    let rank = after(&["multipv"]).and_then(|rank| rank.parse::<u32>().ok());
    if rank.is_some_and(|rank| rank > 1) {
        return None;
    }
    let value = after(&["ev", "eval", "evaluation", "score"])?;
    let (sign, digits) = match value.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, value.strip_prefix('+').unwrap_or(value)),
    };
    match digits.strip_prefix(['M', 'm']) {
        Some(moves) => moves.parse::<i32>().ok().map(|moves| sign * (WIN_SCORE - moves)),
        None => digits.parse::<f64>().ok().filter(|it| it.is_finite()).map(|it| sign * it as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_move_ignores_the_rest_of_the_line() {
        let at = |x, y| Some(Coordinates { x, y });
        for (line, found) in [
            ("7,8", at(7, 8)),
            ("7,8 depth 12", at(7, 8)),
            ("7, 8;", at(7, 8)),
            (" -1,+3abc", at(-1, 3)),
            ("7,8,1", at(7, 8)),
            ("99999999999999999999,1", at(i64::MAX, 1)),
            ("move 7,8", None),
            ("7", None),
            ("7,", None),
            ("7;8", None),
            ("7 ,8", None),
            ("h8", None),
            ("", None),
        ] {
            assert_eq!(leading_move(line), found, "{line}");
        }
    }

    /// Surplus lines of an answer must not be taken for the next answer.
    #[cfg(unix)]
    #[test]
    fn lines_before_a_request_do_not_answer_it() {
        let script = r#"
            n=0
            while read -r word rest; do
              case $word in
                BEGIN) printf '%s\n' "MESSAGE ev $n" "$n,0" 99,99 'MESSAGE ev 5' 'junk' ;;
              esac
              n=$((n+1))
            done"#;
        let command = ["sh", "-c", script].map(str::to_string).to_vec();
        let spec = EngineSpec { name: "double".to_string(), command, built_in: None };
        let mut engine =
            EngineProcess::spawn(&spec, &EngineSettings::default(), StopSwitch::new()).unwrap();
        let limit = Duration::from_secs(20);
        for n in 0..300 {
            let (at, _) = engine.request_move(&["BEGIN".to_string()], limit).unwrap();
            assert_eq!((at, engine.score()), (Coordinates { x: n, y: 0 }, Some(n as i32)));
        }
        engine.quit();
    }

    #[test]
    fn opening_answers_are_swaps_stones_or_refusals() {
        let stones = |list: &[(i64, i64)]| {
            let list = list.iter().map(|&(x, y)| Coordinates { x, y });
            Some(Some(OpeningAnswer::Stones(list.collect())))
        };
        assert_eq!(opening_answer("swap"), Some(Some(OpeningAnswer::Swap)));
        assert_eq!(opening_answer("7,7 8,7  9,9"), stones(&[(7, 7), (8, 7), (9, 9)]));
        assert_eq!(opening_answer("7,7 is best"), stones(&[(7, 7)]));
        assert_eq!(opening_answer("UNKNOWN command"), Some(None));
        assert_eq!(opening_answer("hello"), None);
    }

    #[test]
    fn scores_are_read_as_engines_write_them() {
        for (line, score) in [
            ("MESSAGE depth 3-9 multipv 1 ev 53 n 900", Some(53)),
            ("MESSAGE depth 3-9 multipv 2 ev -3000 n 900", None),
            ("MESSAGE Speed 1 | Depth 15-23 | Eval -120 | Node 1M", Some(-120)),
            ("MESSAGE DEPTH 8 EV +M7", Some(29_993)),
            ("message eval: -M12", Some(-29_988)),
            ("MESSAGE score=0.5", Some(0)),
            ("MESSAGE every move", None),
            ("MESSAGE ev none", None),
        ] {
            assert_eq!(reported_score(line), score, "{line}");
        }
    }
}
