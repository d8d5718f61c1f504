//! Plays a transcript against an engine.

use std::time::{Duration, Instant};

use super::judge::{Judge, well_formed};
use super::peer::{Host, Peer, Wire};
use super::script::{Answer, Script, Step};

/// Default time for an answer, which ends a hanging test.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Plays the transcript; afterwards the engine must still answer `ABOUT`, start a game and exit.
pub fn run(script: &Script, host: Host, wire: Wire) -> Result<(), String> {
    let peer = Peer::start(host, script.reads_lines).map_err(|error| error.to_string())?;
    let mut player =
        Player { peer: Some(peer), judge: Judge::new(), wire, within: None, panel: false };
    for (number, step) in &script.steps {
        player.step(step).map_err(|failure| format!("line {number}: {failure}"))?;
    }
    player.finish().map_err(|failure| format!("afterwards: {failure}"))
}

struct Player {
    /// `None` after its exit.
    peer: Option<Peer>,
    judge: Judge,
    wire: Wire,
    within: Option<Duration>,
    /// Whether `INFO` lines were requested.
    panel: bool,
}

impl Player {
    fn peer(&mut self) -> Result<&mut Peer, String> {
        self.peer.as_mut().ok_or_else(|| "the engine has exited".to_owned())
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Send(line) => self.send(line),
            Step::SendBytes(bytes) => {
                for line in String::from_utf8_lossy(bytes).lines() {
                    self.judge.sent(line.trim_start_matches('\u{FEFF}'));
                }
                self.peer()?.send_bytes(bytes);
                Ok(())
            }
            Step::Expect(answers) => {
                let time = self.within.take().unwrap_or(TIMEOUT);
                let line = self.next_line(time)?;
                self.judge.accepts(&line, answers)
            }
            Step::Message(start) => self.message(start),
            Step::Silent(time) => self.silent(*time),
            Step::Quiet(time) => match self.peer()?.line(*time) {
                Some(line) => Err(format!("unexpected line {:?}", String::from_utf8_lossy(&line))),
                None => Ok(()),
            },
            Step::Within(time) => {
                self.within = Some(*time);
                Ok(())
            }
            Step::Sleep(time) => {
                std::thread::sleep(*time);
                Ok(())
            }
            Step::Suspend(time) => {
                self.peer()?.suspend(*time);
                Ok(())
            }
            Step::EndInput => {
                self.peer()?.end_input();
                Ok(())
            }
            Step::Exit(time) => {
                let peer = self.peer.take().ok_or("the engine has exited before")?;
                peer.exit(*time)
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        let line = match (line.contains("FREE"), self.judge.free_cell()) {
            (true, Some(point)) => line.replace("FREE", &point.to_string()),
            (true, None) => return Err("the board is full".to_owned()),
            (false, _) => line.to_owned(),
        };
        self.panel |= line.contains("show_detail 2") || line.contains("show_detail 3");
        self.judge.sent(&line);
        let wire = self.wire;
        self.peer()?.send(&line, wire);
        Ok(())
    }

    /// The next line that is not a message.
    fn next_line(&mut self, time: Duration) -> Result<String, String> {
        let start = Instant::now();
        loop {
            let rest = time.saturating_sub(start.elapsed());
            let Some(line) = self.peer()?.line(rest) else {
                return Err(format!("no answer within {time:?}"));
            };
            let line = well_formed(&line)?;
            if !self.is_message(line) {
                return Ok(line.to_owned());
            }
        }
    }

    fn message(&mut self, start: &str) -> Result<(), String> {
        let time = self.within.take().unwrap_or(TIMEOUT);
        let begin = Instant::now();
        loop {
            let rest = time.saturating_sub(begin.elapsed());
            let Some(line) = self.peer()?.line(rest) else {
                return Err(format!("no {start:?} within {time:?}"));
            };
            let line = well_formed(&line)?;
            if line.starts_with(start) {
                return Ok(());
            }
            if !self.is_message(line) {
                return Err(format!("{line:?} came before {start:?}"));
            }
        }
    }

    fn silent(&mut self, time: Duration) -> Result<(), String> {
        match self.next_line(time) {
            Ok(line) => Err(format!("unexpected line {line:?}")),
            Err(failure) if failure.starts_with("no answer") => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    fn finish(mut self) -> Result<(), String> {
        let Some(peer) = &self.peer else { return Ok(()) };
        if peer.is_closed() {
            return Err("the engine has closed its output".to_owned());
        }
        let exchanges = [
            ("INFO timeout_turn 20", None),
            ("ABOUT", Some(Answer::About)),
            ("START 15", Some(Answer::Ok)),
            ("BEGIN", Some(Answer::Move)),
        ];
        for (line, answer) in exchanges {
            self.send(line)?;
            if let Some(answer) = answer {
                self.step(&Step::Expect(vec![answer]))?;
            }
        }
        self.send("END")?;
        self.step(&Step::Exit(Duration::from_secs(2)))
    }

    /// Whether the line may come at any time: messages for people, and requested panel lines.
    fn is_message(&self, line: &str) -> bool {
        let starts: &[&str] =
            if self.panel { &["MESSAGE ", "DEBUG ", "INFO "] } else { &["MESSAGE ", "DEBUG "] };
        starts.iter().any(|start| line.starts_with(start))
    }
}
