//! Decodes bytes into lines, and lines into complete inputs, which may take several lines.

use std::borrow::Cow;

use super::Info;
use super::command::{Block, BlockKind, Command, CommandError, MAX_TEXT, parse};
use super::yixin::{FileUse, YixinBlock};

/// Maximum length of a line in bytes, without leading whitespace. A longer line is not a command,
/// unless the rest is whitespace.
///
/// It bounds the cost of an endless line. The longest lines of managers are comments of positions, of
/// up to 64 KiB with Yixin-Board.
const MAX_LINE_BYTES: usize = 2 * MAX_TEXT;

/// A complete input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A command on one line.
    Command(Command),
    /// A command with the lines up to its `DONE`.
    Block(Block),
    /// A line that is not a valid command.
    Rejected(CommandError),
    /// A block that another command interrupted. That command follows as a separate input.
    Unfinished(Block),
}

impl Input {
    /// Whether it ends the searches for all earlier requests.
    pub fn ends_thinking(&self) -> bool {
        match self {
            Input::Command(command) => command.ends_thinking(),
            Input::Block(block) => block.kind == BlockKind::Yixin(YixinBlock::QuietBoard),
            Input::Rejected(_) | Input::Unfinished(_) => false,
        }
    }

    /// The memory that it takes, in units of about 100 bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Input::Block(block) | Input::Unfinished(block) => {
                1 + block.entries.len() + block.text.len() / 100
            }
            Input::Command(Command::File(_, path) | Command::Info(Info::Folder(path))) => {
                1 + path.len() / 100
            }
            Input::Rejected(CommandError::Unknown(line)) => 1 + line.len() / 100,
            Input::Command(_) | Input::Rejected(_) => 1,
        }
    }
}

/// Collects lines until an input is complete.
#[derive(Debug, Default)]
pub struct Decoder {
    lines: Lines,
    pending: Pending,
}

/// The incomplete input that the next line belongs to.
#[derive(Debug, Default)]
enum Pending {
    #[default]
    Nothing,
    Block(Block),
    /// A block whose quoted text continues on the next line.
    Text(Block),
    FileName(FileUse),
}

impl Decoder {
    /// A decoder at the start of the input.
    pub fn new() -> Decoder {
        Decoder::default()
    }

    /// Takes the next bytes; the iterator yields every input that they complete. If it is dropped
    /// early, the remaining inputs are lost.
    pub fn feed<'a>(&'a mut self, bytes: &'a [u8]) -> impl Iterator<Item = Input> + 'a {
        let Decoder { lines, pending } = self;
        lines.feed(bytes).flat_map(|line| pending.take_line(&line))
    }

    /// The inputs completed by the end of the stream: a last line without a line end. A block
    /// without `DONE` is dropped.
    pub fn end(&mut self) -> impl Iterator<Item = Input> + '_ {
        let Decoder { lines, pending } = self;
        lines.end().into_iter().flat_map(|line| pending.take_line(&line))
    }
}

/// The inputs completed by one line: two if a command interrupts a block, or if `END` is in the
/// place of a file name.
type Completed = std::iter::Flatten<std::array::IntoIter<Option<Input>, 2>>;

fn completed(first: Option<Input>, second: Option<Input>) -> Completed {
    [first, second].into_iter().flatten()
}

impl Pending {
    fn take_line(&mut self, line: &Line) -> Completed {
        log::debug!("> {}", line.text());
        match std::mem::take(self) {
            Pending::Nothing if line.text().is_empty() && !line.is_cut => completed(None, None),
            Pending::Nothing => completed(self.take_command(line), None),
            Pending::Block(block) => self.take_entry(block, line),
            Pending::Text(mut block) => {
                block.push_text(&line.whole);
                block.is_utf8 &= line.is_utf8;
                completed(self.continue_block(block), None)
            }
            // `END` exits even here, so that a manager does not wait for the exit forever.
            Pending::FileName(usage) => {
                let end = line.command().ok().filter(|command| *command == Command::End);
                let path = if line.is_cut { "" } else { line.text() };
                let command = Command::File(usage, path.to_owned());
                completed(Some(Input::Command(command)), end.map(Input::Command))
            }
        }
    }

    fn take_command(&mut self, line: &Line) -> Option<Input> {
        match line.command() {
            Ok(Command::Open(mut block)) => {
                block.is_utf8 = line.is_utf8;
                if block.is_text_open() {
                    block.text.push_str(line.blanks_after());
                }
                return self.continue_block(block);
            }
            Ok(Command::File(usage, path)) if path.is_empty() => {
                *self = Pending::FileName(usage);
            }
            Ok(command) => return Some(Input::Command(command)),
            Err(error) => return Some(Input::Rejected(error)),
        }
        None
    }

    /// Waits for the next line of a block or of its text, unless `DONE` is on the first line.
    /// Yixin-Board sends no line end after a quoted text: what follows the text on its line is the
    /// next line.
    fn continue_block(&mut self, mut block: Block) -> Option<Input> {
        if block.is_text_open() {
            *self = Pending::Text(block);
            return None;
        }
        let cells = block.split_text();
        if block.push(&cells) {
            return Some(Input::Block(block));
        }
        *self = Pending::Block(block);
        None
    }

    /// Handles a line inside a block. Settings and stops may come between its lines; any other
    /// command means that the manager has abandoned the block, and must not be lost.
    fn take_entry(&mut self, mut block: Block, line: &Line) -> Completed {
        let passing = match line.command() {
            Ok(Command::Done) => return completed(Some(Input::Block(block)), None),
            Ok(command @ (Command::Info(_) | Command::Stop)) => Some(Input::Command(command)),
            Err(CommandError::Unknown(_) | CommandError::TooLong(_)) => {
                // A cut line may name another cell.
                if line.is_cut {
                    block.push_entry("");
                } else if block.push(line.text()) {
                    return completed(Some(Input::Block(block)), None);
                }
                None
            }
            Ok(_) | Err(CommandError::Argument(_)) => {
                return completed(Some(Input::Unfinished(block)), self.take_command(line));
            }
        };
        *self = Pending::Block(block);
        completed(passing, None)
    }
}

/// A line without its end.
#[derive(Debug)]
struct Line {
    /// With the blanks at both ends, which belong to a quoted text.
    whole: String,
    /// Whether no byte was replaced by U+FFFD.
    is_utf8: bool,
    /// Whether the end was cut off because the line was too long.
    is_cut: bool,
}

impl Line {
    /// The line without blanks at both ends.
    fn text(&self) -> &str {
        self.whole.trim_matches(is_trimmed)
    }

    /// The blanks at the end.
    fn blanks_after(&self) -> &str {
        let end = self.whole.trim_end_matches(is_trimmed).len();
        self.whole.get(end..).unwrap_or_default()
    }

    /// Parses the line. A cut line is an error, because a cut number is another number, or ignored if
    /// it is a setting.
    fn command(&self) -> Result<Command, CommandError> {
        match parse(self.text()) {
            command if !self.is_cut => command,
            Ok(Command::Info(_)) => Ok(Command::Info(Info::Ignored)),
            Err(CommandError::Unknown(line)) => Err(CommandError::Unknown(line)),
            Ok(_) | Err(_) => Err(CommandError::TooLong(MAX_LINE_BYTES)),
        }
    }
}

/// Splits a byte stream into lines ended by LF, CR LF or CR.
#[derive(Debug, Default)]
struct Lines {
    kept: Vec<u8>,
    /// Number of blanks at the start of `kept`, at most [`MAX_TEXT`].
    indent: usize,
    is_cut: bool,
    after_carriage_return: bool,
    after_first_line: bool,
}

impl Lines {
    /// Takes the next bytes; yields every finished line, including empty ones.
    fn feed<'a>(&'a mut self, bytes: &'a [u8]) -> impl Iterator<Item = Line> + 'a {
        let mut rest = bytes;
        std::iter::from_fn(move || self.next_line(&mut rest))
    }

    /// The last line, if the stream ended without a line end.
    fn end(&mut self) -> Option<Line> {
        (self.kept.len() > self.indent).then(|| self.finish())
    }

    /// Takes bytes from the front of `rest` until they finish a line or run out.
    fn next_line(&mut self, rest: &mut &[u8]) -> Option<Line> {
        // A line feed right after a carriage return belongs to it.
        if !rest.is_empty() && std::mem::take(&mut self.after_carriage_return) {
            *rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let (mut text, tail) = rest.split_at(end.unwrap_or(rest.len()));
        if self.kept.len() == self.indent {
            let blanks = text.iter().take_while(|&&byte| is_blank(byte)).count();
            let (blanks, rest) = text.split_at(blanks);
            self.kept.extend(blanks.iter().take(MAX_TEXT - self.indent));
            self.indent = self.kept.len();
            text = rest;
        }
        let room = (self.indent + MAX_LINE_BYTES).saturating_sub(self.kept.len());
        let (kept, lost) = text.split_at(room.min(text.len()));
        self.kept.extend(kept);
        self.is_cut |= lost.iter().any(|&byte| !is_blank(byte));
        *rest = tail;
        let (terminator, tail) = tail.split_first()?;
        self.after_carriage_return = *terminator == b'\r';
        *rest = tail;
        Some(self.finish())
    }

    fn finish(&mut self) -> Line {
        let text = String::from_utf8_lossy(&self.kept);
        let mut line = text.trim_matches('\0');
        if !std::mem::replace(&mut self.after_first_line, true) {
            line = line.trim_start_matches(is_trimmed).trim_start_matches('\u{FEFF}');
        }
        let is_utf8 = matches!(text, Cow::Borrowed(_));
        let is_cut = std::mem::take(&mut self.is_cut);
        let line = Line { whole: line.to_owned(), is_utf8, is_cut };
        self.kept.clear();
        self.indent = 0;
        line
    }
}

/// Whether the symbol is trimmed from both ends of a line.
fn is_trimmed(symbol: char) -> bool {
    symbol.is_whitespace() || symbol == '\0'
}

/// As [`is_trimmed`], for a byte.
fn is_blank(byte: u8) -> bool {
    byte == 0 || byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Coordinates;

    fn decode(text: &str) -> Vec<Input> {
        let mut decoder = Decoder::new();
        let mut inputs: Vec<Input> = decoder.feed(text.as_bytes()).collect();
        inputs.extend(decoder.end());
        inputs
    }

    fn cells(input: &Input) -> Vec<(i64, i64)> {
        match input {
            Input::Block(block) => block.cells().map(|cell| (cell.x, cell.y)).collect(),
            other => panic!("{other:?} is not a block"),
        }
    }

    #[test]
    fn a_block_is_one_input() {
        let inputs = decode("start 15\nBOARD\n7,7,1\n8,8,2\ndone\nABOUT\n");
        assert_eq!(inputs.len(), 3);
        assert_eq!(cells(&inputs[1]), [(7, 7), (8, 8)]);
        assert_eq!(inputs[2], Input::Command(Command::About));
    }

    #[test]
    fn cells_of_a_block_may_share_a_line() {
        for lines in [
            "BOARD 7,7,1 8,8,2 DONE",
            "board\t7,7,1\n8,8,2 done",
            "BOARD\n7,7,1 8,8,2\nDONE",
            "BOARD\n7 , 7 , 1\n8 8 2 DONE",
            "YXBOARD 7,7,1 8,8,2 DONE",
            "YXBLOCK 7,7 8,8 DONE",
            "yxquerydatabaseall 7,7 8,8 done",
        ] {
            let inputs = decode(&format!("{lines}\nABOUT\n"));
            assert_eq!(cells(&inputs[0]), [(7, 7), (8, 8)], "{lines}");
            let [Input::Block(block), Input::Command(Command::About)] = &inputs[..] else {
                panic!("{lines}: {inputs:?}")
            };
            assert_eq!((block.junk, block.text.as_str()), (0, ""), "{lines}");
        }
        let inputs = decode("BOARD 7,7,1 x 8,8,2 DONE\nYXSOOSORVSTEP4 5\nDONE\n");
        assert!(matches!(&inputs[0], Input::Block(block) if block.junk == 1), "{inputs:?}");
        assert_eq!(cells(&inputs[1]), []);
    }

    #[test]
    fn junk_in_a_block_is_consumed_with_it() {
        let inputs = decode("BOARD\n7,7,1\nabc\n\n5,5\nDONE\n");
        let [Input::Block(block)] = inputs.as_slice() else { panic!("{inputs:?}") };
        assert_eq!((block.entries.len(), block.junk), (2, 1));
    }

    #[test]
    fn another_command_ends_a_block() {
        let inputs = decode("BOARD\n7,7,1\nTURN 1,1\nDONE\n");
        assert!(matches!(&inputs[0], Input::Unfinished(block) if block.entries.len() == 1));
        assert_eq!(inputs[1], Input::Command(Command::Turn(Coordinates { x: 1, y: 1 })));
        assert_eq!(inputs[2], Input::Command(Command::Done));
        assert_eq!(decode("BOARD\nEND\n").last(), Some(&Input::Command(Command::End)));
        assert!(decode("BOARD\n7,7,1\n").is_empty());
    }

    #[test]
    fn settings_and_stops_pass_through_a_block() {
        let inputs = decode("yxboard\n1,1,1\nINFO time_left 5\nyxstop\n2,2,2\ndone\n");
        assert_eq!(inputs[0], Input::Command(Command::Info(Info::TimeLeft(5))));
        assert_eq!(inputs[1], Input::Command(Command::Stop));
        assert!(
            matches!(&inputs[2], Input::Block(block) if block.kind == BlockKind::Yixin(YixinBlock::QuietBoard))
        );
        assert_eq!(cells(&inputs[2]), [(1, 1), (2, 2)]);
    }

    #[test]
    fn a_file_name_is_not_a_command() {
        let inputs = decode("yxsetdatabase\nTURN 7,7\nyxhashdump\n\nABOUT\nyxhashload\nEND\n");
        let path = |input: &Input| match input {
            Input::Command(Command::File(_, path)) => path.clone(),
            other => panic!("{other:?} has no file name"),
        };
        assert_eq!([path(&inputs[0]), path(&inputs[1])], ["TURN 7,7", ""]);
        assert_eq!(inputs[2], Input::Command(Command::About));
        assert_eq!(inputs[4], Input::Command(Command::End));
        let inputs = decode("YXSETDATABASE  My Games/a.tdb \nSTART 15\n");
        assert_eq!((path(&inputs[0]).as_str(), inputs.len()), ("My Games/a.tdb", 2));
    }

    #[test]
    fn line_of_a_quoted_text_may_continue_with_a_cell() {
        let text = |input: &Input| match input {
            Input::Block(block) => block.text.clone(),
            other => panic!("{other:?} is not a block"),
        };
        for lines in
            ["\"a \\\"b\\\" END\"\n7,7\n8,8\nDONE\n", "\"a \\\"b\\\" END\"7,7\n8,8\ndone\n"]
        {
            let inputs = decode(&format!("yxedittextdatabase {lines}ABOUT\n"));
            assert_eq!(text(&inputs[0]), "\"a \\\"b\\\" END\"");
            assert_eq!(cells(&inputs[0]), [(7, 7), (8, 8)]);
            assert_eq!(inputs[1], Input::Command(Command::About));
        }
        let inputs =
            decode("yxedittextdatabase \"one\nEND\ntwo\"done\nyxedittextdatabase \"\"done\n");
        assert_eq!(inputs.iter().map(text).collect::<Vec<_>>(), ["\"one\nEND\ntwo\"", "\"\""]);
        assert!(inputs.iter().all(|block| cells(block).is_empty()));
        let indented = "\"  one \n\t two\t\n  \n three \"";
        let inputs = decode(&format!("  yxedittextdatabase {indented} \n 7,7 \n done \n"));
        assert_eq!((text(&inputs[0]).as_str(), cells(&inputs[0])), (indented, vec![(7, 7)]));
        let long = "x".repeat(MAX_TEXT - 100);
        let inputs = decode(&format!("yxedittextdatabase \"{long}\"7,7\ndone\n"));
        assert_eq!((text(&inputs[0]).len(), cells(&inputs[0])), (MAX_TEXT - 98, vec![(7, 7)]));
        // A text without an end does not swallow the commands after it.
        let inputs = decode(&format!("yxedittextdatabase \"a\n{long}{long}{long}\"\ndone\nEND\n"));
        assert_eq!(inputs.last(), Some(&Input::Command(Command::End)));
        assert!(text(&inputs[0]).len() > MAX_TEXT, "and the database refuses it");
    }

    #[test]
    fn only_invalid_bytes_of_a_text_make_it_invalid() {
        let is_utf8 = |text: &[u8]| {
            let mut decoder = Decoder::new();
            let lines = [&b"yxedittextdatabase \""[..], text, b"\"\n7,7\nDONE\n"].concat();
            let inputs: Vec<Input> = decoder.feed(&lines).collect();
            let [Input::Block(block)] = &inputs[..] else { panic!("{inputs:?}") };
            block.is_utf8
        };
        assert!(is_utf8("black wins \u{fffd}\nby h9".as_bytes()));
        for invalid in [&b"\xba\xda"[..], b"one\n\xba\xda", b"\xba\xda\ntwo"] {
            assert!(!is_utf8(invalid), "{invalid:?}");
        }
    }

    fn split(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        for chunk in chunks {
            found.extend(lines.feed(chunk));
        }
        found.extend(lines.end());
        found.into_iter().map(|line: Line| line.text().to_owned()).collect()
    }

    #[test]
    fn every_kind_of_line_end() {
        assert_eq!(split(&[b"a\nb\r\nc\rd"]), ["a", "b", "c", "d"]);
        assert_eq!(split(&[b"a\r", b"\nb\n\n", b"c\r\n"]), ["a", "b", "", "c"]);
        assert_eq!(split(&[b"ST", b"ART", b" 15", b"\n"]), ["START 15"]);
        assert!(split(&[b""]).is_empty());
    }

    #[test]
    fn line_is_trimmed_and_converted_to_utf8() {
        assert_eq!(split(&[b"\xEF\xBB\xBFSTART 15\n"]), ["START 15"]);
        assert_eq!(split(&[b" \tBEGIN \0\0\n"]), ["BEGIN"]);
        assert_eq!(split(&[b"\xFF\xFE\x00\x80\n"]), ["\u{FFFD}\u{FFFD}\0\u{FFFD}"]);
    }

    #[test]
    fn endless_line_is_cut() {
        let long = vec![b'A'; 3 * MAX_LINE_BYTES];
        let lines = split(&[&long, &long, b"\nEND"]);
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [MAX_LINE_BYTES, 3]);
    }

    /// The kept part of each line would be a valid command or cell.
    #[test]
    fn cut_line_is_not_a_command() {
        let long = |start: &str, end: &str| {
            format!("{start}{}{end}", " ".repeat(MAX_LINE_BYTES - start.len() - end.len() + 1))
        };
        let error = CommandError::TooLong(MAX_LINE_BYTES);
        for line in [long("PLAY", "7,10"), long("START", "20"), long("TURN 7,7", "END")] {
            assert_eq!(decode(&(line + "\n")), [Input::Rejected(error.clone())]);
        }
        let far = format!("TURN{}7,7\n", " ".repeat(2 * MAX_LINE_BYTES));
        assert_eq!(decode(&far), [Input::Rejected(error.clone())]);
        assert_eq!(error.to_string(), "the line is longer than 131072 bytes");
        let unknown = &decode(&(long("hello", "7,7") + "\n"))[..];
        assert!(matches!(unknown, [Input::Rejected(CommandError::Unknown(_))]), "{unknown:?}");
        let setting = decode(&(long("INFO rule", "40") + "\n"));
        assert_eq!(setting, [Input::Command(Command::Info(Info::Ignored))]);
        let block = decode(&format!("BOARD\n{}\n1,1,1\nDONE\n", long("2,3,", "10")));
        assert_eq!(cells(&block[0]), [(1, 1)]);
        assert!(matches!(&block[0], Input::Block(block) if block.junk == 1));
        let block = decode(&format!("BOARD\n{far}1,1,1\nDONE\n"));
        assert!(matches!(&block[0], Input::Block(block) if block.junk == 1), "{block:?}");
        // Whitespace alone does not make a line too long.
        let blanks = " ".repeat(2 * MAX_LINE_BYTES);
        let padded = decode(&format!("{blanks}END{blanks}\n"));
        assert_eq!(padded, [Input::Command(Command::End)]);
    }
}
