//! RenLib libraries, `.lib`: one tree on a 15x15 board in preorder (a node, its first child with
//! all descendants, the next sibling). The reader avoids recursion, since files of a hundred
//! megabytes are common.
//!
//! A header of 20 bytes (`FF "RenLib" FF`, two bytes of version, ten of padding), which very old
//! files lack, then nodes of two bytes, position and flags:
//!
//! - Position: 0 for the root or a pass. Otherwise the low four bits are the column, from 1 at the
//!   left, and the high four bits the row, from 0 at the top: H8 is 0x78. A node with a position
//!   and the flag [`flag::NO_MOVE`] holds a text at that point of its parent's board.
//! - Flags: see [`flag`]. With an extension two more bytes follow; bit 0x0001 means that the
//!   position has a text on the board.
//! - Then the comment and the board text, depending on the flags. Each ends with a zero byte and is
//!   padded to an even length. The encoding is not stated. Comments of old versions end at the
//!   first pair that has a byte with the highest bit set.
//!
//! A branch that was saved on its own begins with the moves that lead to it. Their flags announce
//! siblings that the file does not hold, and a branch without further moves has no leaf.
//!
//! References: RenLib's source (RenLibDoc.cpp, MoveNode.cpp) and the readers of renjubak
//! (LibraryFile.js, MoveNode.js, RenLibDoc.js) and Rapfi (dbutils.cpp).

mod write;

pub(super) use write::write;

use super::encoding::{Encoding, Source};
use super::games::Collector;
use super::text::{append_line, with_plain_lines};
use super::{Cursor, Format, GameRecord, Mark, MarkKind, NodeId, Play, ReadOptions, RecordError};
use tengen_rules::types::{Coordinates, ParseMoveError, Point, Rule};

const HEADER_BYTES: usize = 20;
const HEADER: &[u8; 8] = b"\xffRenLib\xff";
/// H8, the first byte of files without a header.
const CENTER: u8 = 0x78;
/// The newest supported version, 3.4.
const VERSION: (u8, u8) = (3, 4);

/// Bits of a node's second byte.
mod flag {
    /// A sibling follows after the descendants.
    pub(super) const SIBLING: u8 = 0x80;
    /// The node has no children.
    pub(super) const LEAF: u8 = 0x40;
    /// A comment of an old version follows.
    pub(super) const OLD_COMMENT: u8 = 0x20;
    /// The position is marked.
    pub(super) const MARK: u8 = 0x10;
    /// A comment follows.
    pub(super) const COMMENT: u8 = 0x08;
    /// Browsing starts here.
    pub(super) const START: u8 = 0x04;
    /// The node is not a move.
    pub(super) const NO_MOVE: u8 = 0x02;
    /// Two more bytes of flags follow.
    pub(super) const EXTENSION: u8 = 0x01;
}

/// Bit of an extension's second byte: a board text follows.
const BOARD_TEXT: u8 = 0x01;

/// Whether these bytes start with the header of a library.
pub(super) fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADER)
}

struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
    /// `None` to only collect the bytes of texts.
    encoding: Option<Encoding>,
    /// Whether to replace invalid characters, as for a guessed encoding.
    is_lossy: bool,
    texts: Vec<u8>,
}

/// Reads a library. Without a requested encoding its texts are UTF-8 if they are valid, else the
/// encoding is guessed. A few invalid characters do not matter.
///
/// # Errors
/// When the file is not a library. An invalid tree, or texts that are invalid in the requested
/// encoding, are added to `out` as an invalid game.
pub(super) fn read(bytes: &[u8], out: &mut Collector) -> Result<Source, RecordError> {
    let requested = out.options.encoding;
    let encoding = requested.unwrap_or_default();
    let mut found = read_as(Bytes::new(bytes, Some(encoding)), out);
    let mut source = Source::Sure;
    if let Err(Fault::Encoding(error)) = &found {
        let texts = texts(bytes);
        source = match error.place() {
            Some(first) if encoding.is_mostly_valid(&texts) => Source::Damaged { encoding, first },
            _ if requested.is_none() => Source::Guess(Encoding::guessed(&texts)),
            _ => Source::Sure,
        };
        if let Source::Damaged { encoding, .. } | Source::Guess(encoding) = source {
            found = read_as(Bytes { is_lossy: true, ..Bytes::new(bytes, Some(encoding)) }, out);
        }
    }
    match found {
        Ok(()) => {}
        Err(Fault::NotALibrary(error)) => return Err(error),
        Err(Fault::Encoding(error) | Fault::Tree(error)) => out.add(Err(error)),
    }
    Ok(source)
}

/// Adds the library to `out`, as one game or in parts. After an error nothing was added.
fn read_as(mut source: Bytes, out: &mut Collector) -> Result<(), Fault> {
    let Some(part) = out.options.library_part else {
        let mut whole = None;
        tree(&mut source, out, usize::MAX, &mut |_, game| whole = Some(game))?;
        whole.into_iter().for_each(|game| out.add(Ok(game)));
        return Ok(());
    };
    // The first pass only finds errors, so that a damaged library has no valid part.
    let options = ReadOptions::default();
    let first = &mut Collector::new(&options);
    tree(&mut source.rewound(), first, part, &mut |_, _| {})?;
    tree(&mut source, out, part, &mut |out, game| out.add(Ok(game)))
}

/// The reason why a library cannot be read.
enum Fault {
    /// The file is not a library.
    NotALibrary(RecordError),
    /// A text is invalid in the encoding.
    Encoding(RecordError),
    /// The tree is invalid.
    Tree(RecordError),
}

impl From<RecordError> for Fault {
    fn from(error: RecordError) -> Fault {
        Fault::Tree(error)
    }
}

/// Number of text bytes that are enough for a guess.
const MAX_TEXT: usize = 1 << 20;

/// The bytes of all texts before the first error.
fn texts(bytes: &[u8]) -> Vec<u8> {
    let options = ReadOptions::default();
    let mut source = Bytes::new(bytes, None);
    // The second pass reports errors.
    let _ = tree(&mut source, &mut Collector::new(&options), TEXT_PART, &mut |_, _| {});
    source.texts
}

/// Number of nodes at a time while only texts are read.
const TEXT_PART: usize = 100_000;

/// Reads the tree of a library. Passes records of about `part` nodes to `add`; all but the first begin
/// with the moves to their first node.
fn tree(
    source: &mut Bytes,
    out: &mut Collector,
    part: usize,
    add: &mut dyn FnMut(&mut Collector, GameRecord),
) -> Result<(), Fault> {
    source.header().map_err(Fault::NotALibrary)?;
    let bytes = source.bytes;
    let mut game = empty(part.min(bytes.len() / 2));
    let mut cursor = Cursor::new(&mut game);
    let mut end = End::default();
    let mut is_first = true;
    // The depth of the parent of the next node, while the nodes after an invalid move are skipped.
    let mut skipped: Option<Skipped> = None;
    let mut is_first_part = true;
    let mut nodes = 0;
    while source.at < bytes.len() {
        if nodes >= part && skipped.is_none() {
            let path = cursor.plays();
            let next = continued(&path, part)?;
            out.repeat_nodes(path.len() + 1);
            add(out, std::mem::replace(&mut game, next));
            cursor = Cursor::new(&mut game);
            let mut node = NodeId::ROOT;
            while let Some(child) = cursor.record().first_child(node) {
                cursor.descend(child);
                node = child;
            }
            (nodes, is_first_part) = (0, false);
        }
        nodes += 1;
        let begin = source.at;
        let [position, flags] = source.pair()?;
        let depth = skipped.as_ref().map_or(cursor.depth(), |it| it.depth);
        let is_root = is_first && position == 0;
        is_first = false;
        if skipped.is_some() {
            source.skip_texts(flags)?;
        } else if is_root {
            let home = Home { node: cursor.node(), on_board: None };
            source.texts(&mut cursor, &home, flags, out)?;
        } else {
            match enter(&mut cursor, position, flags).map_err(|error| error.at_byte(begin)) {
                Ok(home) => source.texts(&mut cursor, &home, flags, out)?,
                Err(error) if is_first_part && is_on_main_line(&mut cursor) => {
                    return Err(error.into());
                }
                Err(error) => {
                    out.remark(format!("{error}; this move and those after it are ignored"));
                    skipped = Some(Skipped { first: depth, depth });
                    source.skip_texts(flags)?;
                }
            }
        }
        let parent = (flags & flag::SIBLING != 0 && !is_root).then_some(depth);
        let next = end.node(parent, flags & flag::LEAF != 0);
        let is_inside = skipped.as_ref().zip(next).is_some_and(|(it, next)| next > it.first);
        match next {
            Some(next) if !is_inside => {
                skipped = None;
                cursor.ascend(next);
            }
            next => {
                if let Some(skipped) = &mut skipped {
                    skipped.depth = next.unwrap_or(skipped.depth + 1);
                }
            }
        }
    }
    match end.state {
        State::Whole => {}
        State::Branch => {
            out.leave_out("siblings of a saved branch, or nodes after a truncated end")
        }
        State::Open => {
            let error = RecordError::new("the file ends inside the tree");
            return Err(error.at_byte(bytes.len()).into());
        }
    }
    add(out, game);
    Ok(())
}

/// A record without moves, with room for this number of nodes.
fn empty(nodes: usize) -> GameRecord {
    let mut game = GameRecord::new(Format::Lib.default_size());
    game.rule = Some(Rule::Renju);
    game.has_default_rule = true;
    game.tree.reserve(nodes);
    game
}

/// A record with these nodes as its only line.
fn continued(path: &[Option<Play>], nodes: usize) -> Result<GameRecord, RecordError> {
    let mut game = empty(nodes);
    let mut cursor = Cursor::new(&mut game);
    for play in path {
        match *play {
            None => cursor.comment()?,
            Some(Play { color, at: None }) => cursor.pass(color)?,
            Some(Play { color, at: Some(point) }) => cursor.play(color, point)?,
        };
    }
    Ok(game)
}

/// The nodes that are skipped: an invalid move and its descendants.
struct Skipped {
    /// The depth of the parent of the first one.
    first: usize,
    /// The depth of the parent of the next one.
    depth: usize,
}

/// Whether the first child of the current node would be on the main line.
fn is_on_main_line(cursor: &mut Cursor) -> bool {
    let node = cursor.node();
    let record = cursor.record();
    record.first_child(node).is_none()
        && record.path(node).into_iter().all(|it| record.is_first_child(it))
}

/// Tracks whether the tree may end at the current node.
#[derive(Default)]
struct End {
    /// The depths of the parents that have more children to come.
    open: Vec<usize>,
    /// How many of `open` stem from the moves before the first leaf: a saved branch lacks these
    /// siblings. `None` before the first leaf.
    on_path: Option<usize>,
    state: State,
}

#[derive(Default)]
enum State {
    /// More nodes must follow.
    #[default]
    Open,
    /// A branch that was saved on its own may end here, but so may a truncated file.
    Branch,
    /// The tree is complete.
    Whole,
}

impl End {
    /// Adds a node; `parent` is the depth of its parent if a sibling follows. Returns the depth of
    /// the next node's parent, or `None` if that is this node.
    fn node(&mut self, parent: Option<usize>, is_leaf: bool) -> Option<usize> {
        let before = self.open.len();
        self.open.extend(parent);
        if !is_leaf {
            self.state = if self.on_path.is_none() { State::Branch } else { State::Open };
            return None;
        }
        let on_path = self.on_path.unwrap_or(before);
        self.state = match self.open.len() {
            0 => State::Whole,
            open if open <= on_path => State::Branch,
            _ => State::Open,
        };
        // Some files hold several trees one after the other.
        let depth = self.open.pop().unwrap_or(0);
        self.on_path = Some(on_path.min(self.open.len()));
        Some(depth)
    }
}

/// The place for the texts of a node.
struct Home {
    /// The node of the record that gets the comment.
    node: NodeId,
    /// The node and the point that get the board text.
    on_board: Option<(NodeId, Point)>,
}

/// Adds a node and moves to it, unless it only holds a text on the board.
fn enter(cursor: &mut Cursor, position: u8, flags: u8) -> Result<Home, RecordError> {
    let (parent, side) = (cursor.node(), cursor.side());
    let is_move = flags & flag::NO_MOVE == 0;
    if position == 0 {
        let node = if is_move { cursor.pass(side)? } else { cursor.comment()? };
        return Ok(Home { node, on_board: None });
    }
    let (column, row) = (position & 15, position >> 4);
    let at = Coordinates { x: i64::from(column) - 1, y: row.into() };
    let size = cursor.record().size;
    let outside = || ParseMoveError::outside(&at.to_string(), size);
    let point = size.point(at.x, at.y).ok_or_else(outside)?;
    let node = if is_move {
        cursor.play(side, point)?
    } else if flags & flag::LEAF == 0 {
        cursor.comment()?
    } else {
        parent
    };
    Ok(Home { node, on_board: Some((parent, point)) })
}

impl Bytes<'_> {
    fn new(bytes: &[u8], encoding: Option<Encoding>) -> Bytes<'_> {
        Bytes { bytes, at: 0, encoding, is_lossy: false, texts: Vec::new() }
    }

    /// The same bytes from the beginning.
    fn rewound(&self) -> Self {
        Bytes { is_lossy: self.is_lossy, ..Bytes::new(self.bytes, self.encoding) }
    }

    fn header(&mut self) -> Result<(), RecordError> {
        if self.bytes.first() == Some(&CENTER) {
            return Ok(());
        }
        if !is_library(self.bytes) || self.bytes.len() < HEADER_BYTES {
            return Err(RecordError::new("not a RenLib library"));
        }
        let version = (self.bytes[HEADER.len()], self.bytes[HEADER.len() + 1]);
        if version > VERSION {
            let name = |(major, minor): (u8, u8)| format!("{major}.{minor}");
            return Err(RecordError::new(format!(
                "unsupported RenLib version {} (newest supported: {})",
                name(version),
                name(VERSION)
            )));
        }
        self.at = HEADER_BYTES;
        Ok(())
    }

    fn pair(&mut self) -> Result<[u8; 2], RecordError> {
        match self.bytes.get(self.at..self.at + 2) {
            Some(&[first, second]) => {
                self.at += 2;
                Ok([first, second])
            }
            _ => Err(RecordError::new("the file ends inside a node").at_byte(self.bytes.len())),
        }
    }

    /// Reads the texts and marks of a node.
    fn texts(
        &mut self,
        cursor: &mut Cursor,
        home: &Home,
        flags: u8,
        out: &mut Collector,
    ) -> Result<(), Fault> {
        let has_board_text = flags & flag::EXTENSION != 0 && self.pair()?[1] & BOARD_TEXT != 0;
        let comment = if flags & flag::OLD_COMMENT != 0 {
            self.old_text()?
        } else if flags & flag::COMMENT != 0 {
            self.text()?
        } else {
            String::new()
        };
        if !comment.is_empty() {
            append_line(&mut cursor.record().note_mut(home.node).comment, &comment);
        }
        // RenLib shows texts and marks on the points of the next moves.
        let mut mark = |kind| match home.on_board {
            Some((node, at)) => cursor.record().note_mut(node).marks.push(Mark { at, kind }),
            None => out.leave_out("marks on passes"),
        };
        if has_board_text {
            mark(MarkKind::Label(self.text()?));
        }
        if flags & flag::MARK != 0 {
            mark(MarkKind::Circle);
        }
        if flags & flag::START != 0 {
            out.leave_out("the start of browsing");
        }
        Ok(())
    }

    /// Reads the texts of a node that is skipped.
    fn skip_texts(&mut self, flags: u8) -> Result<(), Fault> {
        let mut game = GameRecord::new(Format::Lib.default_size());
        let options = ReadOptions::default();
        let home = Home { node: NodeId::ROOT, on_board: None };
        self.texts(&mut Cursor::new(&mut game), &home, flags, &mut Collector::new(&options))
    }

    /// Reads a text up to a zero byte.
    fn text(&mut self) -> Result<String, Fault> {
        let begin = self.at;
        loop {
            let [first, second] = self.pair()?;
            if first == 0 || second == 0 {
                let end = if first == 0 { self.at - 2 } else { self.at - 1 };
                let bytes = &self.bytes[begin..end];
                let Some(encoding) = self.encoding else {
                    if self.texts.len() < MAX_TEXT {
                        self.texts.extend_from_slice(bytes);
                        self.texts.push(b'\n');
                    }
                    return Ok(String::new());
                };
                let text = match self.is_lossy {
                    true => encoding.decode_lossy(bytes),
                    false => encoding.decode(bytes, begin).map_err(Fault::Encoding)?,
                };
                return Ok(lines_of(&text));
            }
        }
    }

    /// Reads a text up to a byte with the highest bit set.
    fn old_text(&mut self) -> Result<String, RecordError> {
        let mut text = String::new();
        loop {
            let pair = self.pair()?;
            for byte in pair {
                text.extend(Some(char::from(byte & 0x7f)).filter(|symbol| *symbol != '\0'));
                if byte & 0x80 != 0 {
                    return Ok(lines_of(&text));
                }
            }
        }
    }
}

/// Converts the line breaks of Windows, and an old control character of RenLib, to `\n`.
fn lines_of(text: &str) -> String {
    with_plain_lines(text).replace('\u{8}', "\n")
}

#[cfg(test)]
mod tests;
