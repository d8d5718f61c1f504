//! Parses one line into one command, without any state; and the blocks that some commands open.

use std::fmt;

use super::arguments::{self, ArgumentError, fields, numbers};
use super::settings::Info;
use super::yixin::{self, DatabaseBlock, FileUse, Yixin, YixinBlock};
use tengen_rules::types::{BoardSize, Coordinates, MIN_ENGINE_SIDE, SizeError, integer};

/// Maximum number of entries of a block: every cell of the largest board, and room for repetitions.
const MAX_ENTRIES: usize = 2048;

/// Maximum length of a quoted text in bytes; a longer text counts as closed.
pub(super) const MAX_TEXT: usize = 64 << 10;

/// Board extents from a manager, not yet checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of columns.
    pub width: i64,
    /// Number of rows.
    pub height: i64,
}

impl Extent {
    /// The board of this size.
    ///
    /// # Errors
    /// When the engine does not support the size.
    pub fn size(self) -> Result<BoardSize, SizeError> {
        BoardSize::at_least(MIN_ENGINE_SIDE, self.width, self.height)
    }
}

/// A command on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `START N`, or `START W H` from Yixin-Board: start a new game on a new board.
    Start(Extent),
    /// `RECTSTART W,H`: start a new game on a rectangular board.
    RectStart(Extent),
    /// `RESTART`: start a new game on the same board.
    Restart,
    /// `BEGIN`: make the first move.
    Begin,
    /// `TURN x,y`: the opponent's move; answer it.
    Turn(Coordinates),
    /// `TAKEBACK x,y`: remove a stone.
    TakeBack(Coordinates),
    /// `PLAY x,y`: make this move.
    Play(Coordinates),
    /// `INFO key value`: change a setting.
    Info(Info),
    /// `ABOUT`: print name and version.
    About,
    /// `END`: exit.
    End,
    /// `STOP` or `YXSTOP`: answer now.
    Stop,
    /// The first line of a block, as the block that its lines complete.
    Open(Block),
    /// `DONE`: the last line of a block.
    Done,
    /// `TRACEBOARD`: print the position.
    TraceBoard,
    /// A command of the Yixin-Board dialect that fits on one line.
    Yixin(Yixin),
    /// A command with a file name: the rest of the line, or the next line if the rest is empty.
    File(FileUse, String),
}

impl Command {
    /// Whether it ends the searches for all earlier requests.
    pub fn ends_thinking(&self) -> bool {
        match self {
            // An invalid size leaves the game unchanged.
            Command::Start(extent) | Command::RectStart(extent) => extent.size().is_ok(),
            Command::Restart => true,
            Command::Stop | Command::End => true,
            Command::Info(info) => *info == Info::TimeoutTurn(0),
            _ => false,
        }
    }
}

/// An error: a line is not a valid command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The first word is unknown; holds the whole line.
    Unknown(String),
    /// The arguments of a known command are invalid.
    Argument(ArgumentError),
    /// The line of a known command is too long; holds the maximum length in bytes.
    TooLong(usize),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(line) => f.write_str(line),
            CommandError::Argument(error) => error.fmt(f),
            CommandError::TooLong(most) => write!(f, "the line is longer than {most} bytes"),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<ArgumentError> for CommandError {
    fn from(error: ArgumentError) -> CommandError {
        CommandError::Argument(error)
    }
}

/// Parses one line, in any case and with any whitespace.
///
/// # Errors
/// When the first word is unknown, or an argument is missing or not a number. The range of numbers
/// is not checked, because it depends on the game. Excess fields are ignored.
pub fn parse(line: &str) -> Result<Command, CommandError> {
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let command = match verb.to_ascii_uppercase().as_str() {
        "START" => Command::Start(start_extent(rest)?),
        "RECTSTART" => {
            let [width, height] = numbers("RECTSTART", "width,height", rest)?;
            Command::RectStart(Extent { width, height })
        }
        "RESTART" => Command::Restart,
        "BEGIN" => Command::Begin,
        "TURN" => Command::Turn(coordinates("TURN", rest)?),
        "TAKEBACK" => Command::TakeBack(coordinates("TAKEBACK", rest)?),
        "PLAY" => Command::Play(coordinates("PLAY", rest)?),
        "BOARD" => Command::Open(Block::new(BlockKind::Board, rest)),
        "SWAP2BOARD" => Command::Open(Block::new(BlockKind::Swap2, rest)),
        "DONE" => Command::Done,
        "INFO" => Command::Info(Info::parse(rest)),
        "ABOUT" => Command::About,
        "END" => Command::End,
        "STOP" | "YXSTOP" => Command::Stop,
        "TRACEBOARD" => Command::TraceBoard,
        upper => {
            let command = yixin::parse(upper, rest)?;
            command.ok_or_else(|| CommandError::Unknown(line.to_owned()))?
        }
    };
    Ok(command)
}

/// `N` for a square, `W H` for a rectangle.
fn start_extent(arguments: &str) -> Result<Extent, ArgumentError> {
    let error = ArgumentError { verb: "START", expected: "a board size" };
    let mut sides = fields(arguments).map(integer);
    let width = sides.next().flatten().ok_or(error.clone())?;
    let height = match sides.next() {
        Some(height) => height.ok_or(error)?,
        None => width,
    };
    Ok(Extent { width, height })
}

fn coordinates(verb: &'static str, arguments: &str) -> Result<Coordinates, ArgumentError> {
    let [x, y] = numbers(verb, "x,y", arguments)?;
    Ok(Coordinates { x, y })
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `BOARD`: a position to answer with a move.
    Board,
    /// `SWAP2BOARD`: an opening to extend or to choose a colour in.
    Swap2,
    /// A block of the Yixin-Board dialect.
    Yixin(YixinBlock),
}

/// One line of a block: a cell and its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The cell, not yet checked against a board.
    pub at: Coordinates,
    /// The third number: 1 own stone, 2 opponent's stone, 3 cell out of play.
    pub field: Option<i64>,
}

/// A complete block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its kind.
    pub kind: BlockKind,
    /// The arguments of its first line, without cells. A quoted text may take several lines.
    pub text: String,
    /// Whether the lines of the text were valid UTF-8.
    pub is_utf8: bool,
    /// Its lines, oldest stone first.
    pub entries: Vec<Entry>,
    /// Number of lines that were not a cell.
    pub junk: usize,
}

impl Block {
    /// A block without lines, whose first line has this text after the command.
    pub fn new(kind: BlockKind, text: &str) -> Block {
        let text = text.trim_start().to_owned();
        Block { kind, text, is_utf8: true, entries: Vec::new(), junk: 0 }
    }

    /// Whether its text is in quotation marks.
    fn has_quoted_text(&self) -> bool {
        self.kind == BlockKind::Yixin(YixinBlock::Database(DatabaseBlock::EditComment))
            && self.text.starts_with('"')
    }

    /// Whether the next line continues the quoted text of the first line.
    pub(super) fn is_text_open(&self) -> bool {
        self.has_quoted_text()
            && self.text.len() < MAX_TEXT
            && arguments::end_of_quote(&self.text).is_none()
    }

    /// Continues the quoted text.
    pub(super) fn push_text(&mut self, line: &str) {
        self.text.push('\n');
        self.text.push_str(line);
    }

    /// Takes what follows the arguments from the first line: cells, which may stand on the line of
    /// the command.
    pub(super) fn split_text(&mut self) -> String {
        let end = match self.kind {
            BlockKind::Yixin(kind) if kind.has_arguments() => {
                let end = arguments::end_of_quote(&self.text).filter(|_| self.has_quoted_text());
                end.unwrap_or(self.text.len())
            }
            _ => 0,
        };
        self.text.split_off(end)
    }

    /// Adds the next line, which may be invalid. Returns whether it closes the block.
    ///
    /// Rapfi reads words instead of lines, so that its managers may send several cells on one line,
    /// and `DONE` after the last one.
    pub(super) fn push(&mut self, line: &str) -> bool {
        let is_done = |word: &&str| word.eq_ignore_ascii_case("DONE");
        let mut rest = line.split_whitespace();
        let words: Vec<&str> = rest.by_ref().take_while(|word| !is_done(word)).collect();
        self.junk = self.junk.saturating_add(rest.count());
        if words.iter().filter(|word| parse_entry(word).is_some()).count() > 1 {
            words.iter().for_each(|word| self.push_entry(word));
        } else if !words.is_empty() {
            self.push_entry(&words.join(" "));
        }
        line.split_whitespace().any(|word| is_done(&word))
    }

    /// Adds a cell, or counts a text that is not a cell.
    pub(super) fn push_entry(&mut self, text: &str) {
        match parse_entry(text) {
            Some(entry) if self.entries.len() < MAX_ENTRIES => self.entries.push(entry),
            _ => self.junk = self.junk.saturating_add(1),
        }
    }

    /// The cells of its lines, in order.
    pub fn cells(&self) -> impl Iterator<Item = Coordinates> {
        self.entries.iter().map(|entry| entry.at)
    }
}

fn parse_entry(line: &str) -> Option<Entry> {
    let mut numbers = fields(line).map(integer);
    let at = Coordinates { x: numbers.next()??, y: numbers.next()?? };
    let field = match numbers.next() {
        Some(field) => Some(field?),
        None => None,
    };
    Some(Entry { at, field })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEVEN_EIGHT: Coordinates = Coordinates { x: 7, y: 8 };

    #[test]
    fn commands_in_any_case_and_with_any_whitespace() {
        for line in ["TURN 7,8", "turn 7,8", "Turn\t7 , 8 ", " TURN  7 8", "TURN 7,8,9 junk"] {
            assert_eq!(parse(line), Ok(Command::Turn(SEVEN_EIGHT)), "{line:?}");
        }
        assert_eq!(parse("BeGiN"), Ok(Command::Begin));
        assert_eq!(parse("done"), Ok(Command::Done));
        assert_eq!(parse("yxStop"), Ok(Command::Stop));
    }

    #[test]
    fn board_sizes() {
        let square = |side| Ok(Command::Start(Extent { width: side, height: side }));
        assert_eq!(parse("START 15"), square(15));
        assert_eq!(parse("start 15 15"), square(15));
        assert_eq!(parse("START -1"), square(-1));
        let rectangle = Extent { width: 20, height: 15 };
        assert_eq!(parse("START 20 15"), Ok(Command::Start(rectangle)));
        assert_eq!(parse("RECTSTART 20,15"), Ok(Command::RectStart(rectangle)));
        for bad in ["START", "START abc", "START 15.5", "START 1e9", "START 15 x"] {
            assert!(matches!(parse(bad), Err(CommandError::Argument(_))), "{bad}");
        }
        for bad in ["RECTSTART 15", "RECTSTART x", "RECTSTART"] {
            assert!(matches!(parse(bad), Err(CommandError::Argument(_))), "{bad}");
        }
    }

    #[test]
    fn errors_distinguish_missing_arguments_and_unknown_words() {
        for bad in ["TURN", "TURN 7", "TURN 7,", "TURN a,b", "TURN ,", "TAKEBACK", "PLAY 5"] {
            assert!(matches!(parse(bad), Err(CommandError::Argument(_))), "{bad}");
        }
        for bad in ["hello", "123", "7,7", "TURN7,7", "yxfoo", "STARTX 15"] {
            assert_eq!(parse(bad), Err(CommandError::Unknown(bad.to_owned())));
        }
    }

    #[test]
    fn commands_that_end_a_running_search() {
        for line in ["START 15", "RECTSTART 20,5", "RESTART", "STOP", "INFO timeout_turn 0", "END"]
        {
            assert!(parse(line).unwrap().ends_thinking(), "{line}");
        }
        for line in [
            "TURN 7,7",
            "BOARD",
            "INFO timeout_turn 100",
            "INFO time_left 0",
            "ABOUT",
            "START 100",
            "START 4",
            "RECTSTART 0,-3",
        ] {
            assert!(!parse(line).unwrap().ends_thinking(), "{line}");
        }
    }

    #[test]
    fn lines_become_entries_or_junk() {
        let mut block = Block::new(BlockKind::Board, "");
        for line in ["7,7,1", "8 , 8 , 2", "-1,0,2", "5,5", "abc", "5", "5,5,x"] {
            assert!(!block.push(line), "{line}");
        }
        let entry = |x, y, field| Entry { at: Coordinates { x, y }, field };
        assert_eq!(
            block.entries,
            [entry(7, 7, Some(1)), entry(8, 8, Some(2)), entry(-1, 0, Some(2)), entry(5, 5, None)]
        );
        assert_eq!(block.junk, 3);
    }

    #[test]
    fn entries_of_a_block_are_bounded() {
        let mut block = Block::new(BlockKind::Board, "");
        assert!((0..3 * MAX_ENTRIES).all(|_| !block.push("1,1,1")));
        assert_eq!(block.entries.len(), MAX_ENTRIES);
        assert_eq!(block.junk, 2 * MAX_ENTRIES);
    }
}
