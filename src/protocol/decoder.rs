//! Bytes to complete inputs. The only part that knows that some commands take several lines.

use super::block::{Block, BlockKind};
use super::command::{Command, CommandError, parse};
use super::lines::Lines;

/// A complete input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A command on one line.
    Command(Command),
    /// A command with the lines up to its `DONE`.
    Block(Block),
    /// A line that is no command.
    Rejected(CommandError),
    /// A block that another command interrupted. That command follows as an input of its own.
    Unfinished(Block),
}

impl Input {
    /// Whether requests made before it are to be answered at once.
    pub fn ends_thinking(&self) -> bool {
        match self {
            Input::Command(command) => command.ends_thinking(),
            Input::Block(block) => block.kind == BlockKind::QuietBoard,
            Input::Rejected(_) | Input::Unfinished(_) => false,
        }
    }
}

/// Collects lines until an input is complete.
#[derive(Debug, Default)]
pub struct Decoder {
    lines: Lines,
    pending: Pending,
}

/// What the next line belongs to.
#[derive(Debug, Default)]
enum Pending {
    #[default]
    Nothing,
    Block(Block),
    FileName(Command),
}

impl Decoder {
    /// A decoder at the start of the input.
    pub fn new() -> Decoder {
        Decoder::default()
    }

    /// Takes the next bytes and hands over every input that they complete.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Input)) {
        let Decoder { lines, pending } = self;
        lines.feed(bytes, |line| pending.take_line(line, &mut each));
    }

    /// Hands over what the end of the input completes: a last line without a line end. A block
    /// without `DONE` is dropped.
    pub fn end(&mut self, mut each: impl FnMut(Input)) {
        let Decoder { lines, pending } = self;
        lines.end(|line| pending.take_line(line, &mut each));
    }
}

impl Pending {
    fn take_line(&mut self, line: &str, each: &mut impl FnMut(Input)) {
        log::debug!("> {line}");
        match std::mem::take(self) {
            Pending::Nothing if line.is_empty() => {}
            Pending::Nothing => self.take_command(line, each),
            Pending::Block(block) => self.take_entry(block, line, each),
            // Even here `END` means leave: a manager that waits for the exit must not wait for
            // ever.
            Pending::FileName(command) => {
                each(Input::Command(command));
                if parse(line) == Ok(Command::End) {
                    each(Input::Command(Command::End));
                }
            }
        }
    }

    fn take_command(&mut self, line: &str, each: &mut impl FnMut(Input)) {
        match parse(line) {
            Ok(Command::Open(kind)) => *self = Pending::Block(Block::new(kind)),
            Ok(command @ Command::File(_)) => *self = Pending::FileName(command),
            Ok(command) => each(Input::Command(command)),
            Err(error) => each(Input::Rejected(error)),
        }
    }

    /// A settings or stop line may come between the lines of a block; any other command means
    /// that the manager has given the block up, and must not be swallowed.
    fn take_entry(&mut self, mut block: Block, line: &str, each: &mut impl FnMut(Input)) {
        match parse(line) {
            Ok(Command::Done) => return each(Input::Block(block)),
            Ok(command @ (Command::Info(_) | Command::Stop)) => each(Input::Command(command)),
            Err(CommandError::Unknown(_)) => {
                if !line.is_empty() {
                    block.push(line);
                }
            }
            Ok(_) | Err(CommandError::Argument { .. }) => {
                each(Input::Unfinished(block));
                return self.take_command(line, each);
            }
        }
        *self = Pending::Block(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{BlockKind, Info};
    use crate::types::Coordinates;

    fn decode(text: &str) -> Vec<Input> {
        let mut decoder = Decoder::new();
        let mut inputs = Vec::new();
        decoder.feed(text.as_bytes(), |input| inputs.push(input));
        decoder.end(|input| inputs.push(input));
        inputs
    }

    fn cells(input: &Input) -> Vec<(i64, i64)> {
        match input {
            Input::Block(block) => block.cells().map(|cell| (cell.x, cell.y)).collect(),
            other => panic!("{other:?} is no block"),
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
        assert!(matches!(&inputs[2], Input::Block(block) if block.kind == BlockKind::QuietBoard));
        assert_eq!(cells(&inputs[2]), [(1, 1), (2, 2)]);
    }

    #[test]
    fn a_file_name_is_not_a_command() {
        let inputs = decode("yxsetdatabase\nTURN 7,7\nyxhashdump\n\nABOUT\nyxhashload\nEND\n");
        assert!(matches!(inputs[0], Input::Command(Command::File(_))));
        assert!(matches!(inputs[1], Input::Command(Command::File(_))));
        assert_eq!(inputs[2], Input::Command(Command::About));
        assert_eq!(inputs[4], Input::Command(Command::End));
    }
}
