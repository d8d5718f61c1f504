//! Parses transcripts.

use std::time::Duration;

/// A transcript.
pub struct Script {
    /// Name of its file.
    pub name: String,
    /// Whether it tests the process itself: signals, exit status, streams.
    pub needs_process: bool,
    /// Whether it tests exact bytes: no variation of case or line ends.
    pub as_written: bool,
    /// The number of lines after which the manager closes the engine's output.
    pub reads_lines: Option<usize>,
    /// The steps, with line numbers.
    pub steps: Vec<(usize, Step)>,
}

/// One step of a transcript.
#[derive(Clone, Debug)]
pub enum Step {
    /// The manager sends a line.
    Send(String),
    /// The manager sends bytes, without a line end.
    SendBytes(Vec<u8>),
    /// The next line that is not a message must be one of these.
    Expect(Vec<Answer>),
    /// A message with this start must come before any line that is not a message.
    Message(String),
    /// Only messages may come for this time.
    Silent(Duration),
    /// No line may come for this time.
    Quiet(Duration),
    /// The next answer must come within this time.
    Within(Duration),
    /// The manager waits.
    Sleep(Duration),
    /// The manager suspends the process for this time.
    Suspend(Duration),
    /// The manager closes the engine's input.
    EndInput,
    /// The engine must exit within this time, with status 0.
    Exit(Duration),
}

/// An acceptable line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `OK`.
    Ok,
    /// Any legal move.
    Move,
    /// One of these moves.
    MoveIn(Vec<String>),
    /// A legal move that is none of these.
    MoveNotIn(Vec<String>),
    /// This number of different legal moves on one line.
    Moves(usize),
    /// `ERROR` with a text.
    Error,
    /// `UNKNOWN` with a text.
    Unknown,
    /// The answer to `ABOUT`.
    About,
    /// Exactly this line.
    Exactly(String),
}

impl Script {
    /// Parses a transcript.
    pub fn parse(name: &str, text: &str) -> Result<Script, String> {
        let mut script = Script {
            name: name.to_owned(),
            needs_process: false,
            as_written: false,
            reads_lines: None,
            steps: Vec::new(),
        };
        let mut loops: Vec<(usize, usize)> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let fail = |what: &str| format!("{name}:{number}: {what}: {line}");
            let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
            let step = match kind {
                "" | "#" => continue,
                ">" => Step::Send(rest.to_owned()),
                ">>" => Step::SendBytes(bytes(rest).ok_or_else(|| fail("bad bytes"))?),
                "<" if rest.starts_with("MESSAGE ") || rest.starts_with("INFO ") => {
                    Step::Message(rest.to_owned())
                }
                "<" => Step::Expect(rest.split(" or ").map(Answer::parse).collect()),
                "!" => {
                    let (word, value) = rest.split_once(' ').unwrap_or((rest, ""));
                    let count = || value.parse::<usize>().map_err(|_| fail("a number is missing"));
                    let time = || count().map(|count| Duration::from_millis(count as u64));
                    match word {
                        "process" => {
                            script.needs_process = true;
                            continue;
                        }
                        "as-written" => {
                            script.as_written = true;
                            continue;
                        }
                        "reads" => {
                            script.reads_lines = Some(count()?);
                            continue;
                        }
                        "repeat" => {
                            loops.push((script.steps.len(), count()?));
                            continue;
                        }
                        "again" => {
                            let (start, times) = loops.pop().ok_or_else(|| fail("no repeat"))?;
                            let body = script.steps.split_off(start);
                            let repeated = body.iter().cycle().take(body.len() * times).cloned();
                            script.steps.extend(repeated);
                            continue;
                        }
                        "silent" => Step::Silent(time()?),
                        "quiet" => Step::Quiet(time()?),
                        "within" => Step::Within(time()?),
                        "sleep" => Step::Sleep(time()?),
                        "suspend" => Step::Suspend(time()?),
                        "eof" => Step::EndInput,
                        "exit" => Step::Exit(time()?),
                        _ => return Err(fail("unknown directive")),
                    }
                }
                _ => return Err(fail("unknown line")),
            };
            script.steps.push((number, step));
        }
        if loops.is_empty() { Ok(script) } else { Err(format!("{name}: repeat without again")) }
    }
}

impl Answer {
    fn parse(text: &str) -> Answer {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        let rest: Vec<String> = words.map(str::to_owned).collect();
        match (first, rest.first().map(String::as_str)) {
            ("OK", None) => Answer::Ok,
            ("MOVE", None) => Answer::Move,
            ("MOVE", Some("not")) => Answer::MoveNotIn(rest[1..].to_vec()),
            ("MOVE", Some(_)) => Answer::MoveIn(rest),
            ("MOVES", Some(count)) => Answer::Moves(count.parse().expect("MOVES and a number")),
            ("ERROR", None) => Answer::Error,
            ("UNKNOWN", None) => Answer::Unknown,
            ("ABOUT", None) => Answer::About,
            _ => Answer::Exactly(text.to_owned()),
        }
    }
}

/// The bytes of `text` with the escapes `\n \r \t \0 \xFF \\`, or of `1000 * text` for 1000
/// repetitions.
fn bytes(text: &str) -> Option<Vec<u8>> {
    if let Some((count, unit)) = text.split_once(" * ") {
        let unit = bytes(unit)?;
        return Some(unit.repeat(count.parse().ok()?));
    }
    let mut found = Vec::new();
    let mut symbols = text.bytes();
    while let Some(symbol) = symbols.next() {
        if symbol != b'\\' {
            found.push(symbol);
            continue;
        }
        found.push(match symbols.next()? {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'0' => 0,
            b'\\' => b'\\',
            b'x' => {
                let digits = [symbols.next()?, symbols.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            _ => return None,
        });
    }
    Some(found)
}
