//! Writes RenLib libraries. The parent module describes the layout.
//!
//! A library can hold less than a record. Sides alternate, so a pass is inserted between two moves
//! of one side. Every node has a move, so the comment of a node without one is appended to the
//! preceding comment. Texts are UTF-8.

use std::collections::BTreeMap;

use super::{BOARD_TEXT, HEADER, VERSION, flag};
use crate::text::append_line;
use crate::{Format, GameRecord, Mark, MarkKind, NodeId, Play, RecordError};
use tengen_rules::types::{Color, Point};

/// The padding of the header.
const PADDING: [u8; 10] = [0xff; 10];
/// Ends the first line of a comment, which RenLib shows separately.
const FIRST_LINE_END: char = '\u{8}';

/// Formats a library with the whole tree.
///
/// # Errors
/// When the board is not 15x15, or alternating moves cannot produce the set-up stones.
pub(in super::super) fn write(game: &GameRecord) -> Result<Vec<u8>, RecordError> {
    if game.size != Format::Lib.default_size() {
        let reason = format!("lib supports only 15x15 boards, not {}", game.size);
        return Err(RecordError::new(reason));
    }
    let mut bytes = HEADER.to_vec();
    bytes.extend([VERSION.0, VERSION.1]);
    bytes.extend(PADDING);
    // A stack instead of recursion, since lines may be long.
    let mut open = vec![(Item::new(None, start(game)?), false)];
    while let Some((item, has_sibling)) = open.pop() {
        let side = item.side;
        let (comment, children) = match item.next {
            Next::Nothing => (String::new(), Vec::new()),
            Next::Moves(mut moves) => {
                let point = moves.pop().expect("at least one move");
                let next =
                    if moves.is_empty() { Next::After(NodeId::ROOT) } else { Next::Moves(moves) };
                let child = Item { side: side.opponent(), ..Item::new(Some(point), next) };
                (String::new(), vec![child])
            }
            Next::Nodes(nodes) => (String::new(), plays(game, nodes, side)),
            Next::After(node) => after(game, node, side)?,
        };
        push_node(&mut bytes, &item.head, &comment, has_sibling, children.is_empty());
        // The last child is pushed first and has no next sibling.
        let last = children.len().saturating_sub(1);
        let children = children.into_iter().enumerate().rev();
        open.extend(children.map(|(index, child)| (child, index < last)));
    }
    Ok(bytes)
}

/// A node of the library.
struct Item {
    head: Head,
    /// The side to move after it.
    side: Color,
    next: Next,
}

/// The data of a node except its comment.
#[derive(Default)]
struct Head {
    /// The cell; `None` for the root and passes.
    at: Option<Point>,
    /// Whether the node only holds a text or a mark on the cell, not a move.
    is_no_move: bool,
    board_text: String,
    is_marked: bool,
}

/// The content below a node.
enum Next {
    Nothing,
    /// The set-up stones in reverse order, then the children of the root.
    Moves(Vec<Point>),
    /// The comment, marks and children of a node of the record.
    After(NodeId),
    /// Moves after an inserted pass.
    Nodes(Vec<NodeId>),
}

impl Item {
    /// A node with black to move after it; without a cell it is the root or a pass.
    fn new(at: Option<Point>, next: Next) -> Item {
        Item { head: Head { at, ..Head::default() }, side: Color::Black, next }
    }
}

/// The content below the root of the library.
fn start(game: &GameRecord) -> Result<Next, RecordError> {
    let mut moves = game.set_up_as_moves()?;
    moves.reverse();
    Ok(if moves.is_empty() { Next::After(NodeId::ROOT) } else { Next::Moves(moves) })
}

/// The comment of a node and its child nodes, including nodes for board texts and marks.
fn after(game: &GameRecord, node: NodeId, side: Color) -> Result<(String, Vec<Item>), RecordError> {
    let mut comment = String::new();
    let mut marks: BTreeMap<Point, Head> = BTreeMap::new();
    let mut nodes = Vec::new();
    // Nodes without a move are merged into this one.
    let mut joined = vec![node];
    while let Some(node) = joined.pop() {
        if let Some(note) = game.note(node) {
            if node != NodeId::ROOT && !note.set_up.is_empty() {
                let reason = "stones are set up between moves, which lib cannot hold";
                return Err(RecordError::new(reason));
            }
            if !note.comment.is_empty() {
                append_line(&mut comment, &note.comment);
            }
            note.marks.iter().for_each(|mark| add_mark(&mut marks, mark));
        }
        let (plays, others): (Vec<_>, Vec<_>) =
            game.children(node).partition(|&child| game.play_of(child).is_some());
        nodes.extend(plays);
        joined.extend(others.into_iter().rev());
    }
    let mut items = plays(game, nodes, side);
    for item in &mut items {
        if let Some(mark) = item.head.at.and_then(|at| marks.remove(&at)) {
            item.head.board_text = mark.board_text;
            item.head.is_marked = mark.is_marked;
        }
    }
    let texts = marks.into_values().map(|head| Item { head, side, next: Next::Nothing });
    items.extend(texts);
    Ok((comment, items))
}

/// The nodes of these moves when `side` is to move. Moves of the other side follow a pass.
fn plays(game: &GameRecord, nodes: Vec<NodeId>, side: Color) -> Vec<Item> {
    let mut items = Vec::new();
    let mut others = Vec::new();
    for node in nodes {
        match game.play_of(node) {
            Some(Play { color, at }) if color == side => {
                let next = Next::After(node);
                items.push(Item { side: side.opponent(), ..Item::new(at, next) });
            }
            _ => others.push(node),
        }
    }
    if !others.is_empty() {
        let pass = Item { side: side.opponent(), ..Item::new(None, Next::Nodes(others)) };
        items.push(pass);
    }
    items
}

fn add_mark(marks: &mut BTreeMap<Point, Head>, mark: &Mark) {
    let new = || Head { at: Some(mark.at), is_no_move: true, ..Head::default() };
    let head = marks.entry(mark.at).or_insert_with(new);
    let text = match &mark.kind {
        MarkKind::Circle => {
            head.is_marked = true;
            return;
        }
        MarkKind::Label(text) => text,
        MarkKind::Cross => "\u{d7}",
        MarkKind::Square => "\u{25a1}",
        MarkKind::Triangle => "\u{25b3}",
    };
    if !head.board_text.is_empty() {
        head.board_text.push(' ');
    }
    head.board_text.push_str(text);
}

fn push_node(bytes: &mut Vec<u8>, head: &Head, comment: &str, has_sibling: bool, is_leaf: bool) {
    let flags = [
        (flag::SIBLING, has_sibling),
        (flag::LEAF, is_leaf),
        (flag::MARK, head.is_marked),
        (flag::COMMENT, !comment.is_empty()),
        (flag::NO_MOVE, head.is_no_move),
        (flag::EXTENSION, !head.board_text.is_empty()),
    ];
    let flags =
        flags.into_iter().filter(|&(_, is_set)| is_set).fold(0, |sum, (flag, _)| sum | flag);
    let position = head.at.map_or(0, |at| at.y() << 4 | (at.x() + 1));
    bytes.extend([position, flags]);
    if !head.board_text.is_empty() {
        bytes.extend([0, BOARD_TEXT]);
    }
    if !comment.is_empty() {
        let (first, rest) = comment.split_once('\n').unwrap_or((comment, ""));
        let mut text = first.to_string();
        if comment.contains('\n') {
            text.push(FIRST_LINE_END);
            text.push_str(&rest.replace('\n', "\r\n"));
        }
        push_text(bytes, &text);
    }
    if !head.board_text.is_empty() {
        push_text(bytes, &head.board_text);
    }
}

/// Appends a text with a zero byte at the end, padded to an even length.
fn push_text(bytes: &mut Vec<u8>, text: &str) {
    let begin = bytes.len();
    // A zero byte would end the text.
    bytes.extend(text.bytes().filter(|&byte| byte != 0));
    bytes.push(0);
    if !(bytes.len() - begin).is_multiple_of(2) {
        bytes.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cursor, ReadOptions, SetUp};
    use tengen_rules::types::BoardSize;

    fn empty() -> GameRecord {
        GameRecord::new(Format::Lib.default_size())
    }

    fn read(bytes: &[u8]) -> GameRecord {
        let options = ReadOptions { format: Some(Format::Lib), ..ReadOptions::default() };
        crate::read(bytes, &options).unwrap().list.remove(0)
    }

    fn sgf(text: &str) -> GameRecord {
        crate::read(text.as_bytes(), &ReadOptions::default()).unwrap().list.remove(0)
    }

    /// The tree without features that a library cannot hold; the marks are sorted by cell.
    fn comparable(game: &GameRecord) -> String {
        let mut game = GameRecord { rule: None, ..game.clone() };
        let nodes: Vec<NodeId> = game.nodes().collect();
        for node in nodes {
            if game.note(node).is_some() {
                game.note_mut(node).marks.sort_by_key(|mark| (mark.at, format!("{:?}", mark.kind)));
            }
        }
        let mut out = Vec::new();
        crate::write(&[game], Format::Sgf, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn survives(game: &GameRecord) -> bool {
        comparable(&read(&write(game).unwrap())) == comparable(game)
    }

    #[test]
    fn library_has_the_layout_of_renlib() {
        let game = sgf("(;GM[4]SZ[15]C[root];B[hh]LB[ig:A]CR[aa](;W[ig]C[one\ntwo])(;W[gj]))");
        let bytes = write(&game).unwrap();
        let nodes = [
            &[0x00, 0x08][..],
            b"root\0\0",
            &[0x78, 0x00],
            &[0x69, 0xc9, 0x00, 0x01],
            b"one\x08two\0A\0",
            &[0x97, 0xc0],
            // A mark on a cell without a move.
            &[0x01, 0x52],
        ];
        assert_eq!(bytes[20..], nodes.concat());
        assert_eq!(bytes[..10], [0xff, b'R', b'e', b'n', b'L', b'i', b'b', 0xff, 3, 4]);
        assert!(survives(&game));
    }

    #[test]
    fn trees_with_texts_and_marks_survive() {
        for text in [
            "(;GM[4]SZ[15];B[hh];W[ii];B[gg])",
            "(;GM[4]SZ[15](;B[hh](;W[ig]C[\u{68cb}])(;W[gj](;B[aa])(;B[ab])))(;B[jf]))",
            "(;GM[4]SZ[15]LB[aa:12][hh:best];B[hh]LB[hh:on a stone];W[])",
            "(;GM[4]SZ[15];B[hh]C[a\n\nb\nc]CR[gg][ii];W[gg])",
            "(;GM[4]SZ[15]C[\nsecond line only])",
            "(;GM[4]SZ[15];B[ao];W[oa];B[oo];W[aa])",
        ] {
            assert!(survives(&sgf(text)), "{text}");
        }
        assert!(survives(&empty()));
    }

    #[test]
    fn texts_of_any_length_survive() {
        for length in 1..9 {
            let mut game = empty();
            game.note_mut(NodeId::ROOT).comment = "x".repeat(length);
            let kind = MarkKind::Label("y".repeat(length));
            game.note_mut(NodeId::ROOT).marks.push(Mark { at: Point::new(3, 4), kind });
            assert_eq!(write(&game).unwrap().len() % 2, 0);
            assert!(survives(&game), "{length} bytes");
        }
    }

    #[test]
    fn unsupported_features_are_converted() {
        // Two moves of one side in a row get a pass between them, shared by the alternatives.
        let game = read(&write(&sgf("(;GM[4]SZ[15];B[hh](;B[ii])(;W[aa])(;B[jj]))")).unwrap());
        let expected = sgf("(;GM[4]SZ[15];B[hh](;W[aa])(;W[](;B[ii])(;B[jj])))");
        assert_eq!(comparable(&game), comparable(&expected));
        // A comment without a move.
        let game = read(&write(&sgf("(;GM[4]SZ[15];B[hh]C[a];C[b];W[ii]C[c])")).unwrap());
        assert_eq!(comparable(&game), comparable(&sgf("(;GM[4]SZ[15];B[hh]C[a\nb];W[ii]C[c])")));
        // Set-up stones that alternating moves can produce.
        let game = read(&write(&sgf("(;GM[4]SZ[15]AB[hh][ii]AW[aa]C[x];W[jj])")).unwrap());
        let expected = sgf("(;GM[4]SZ[15];B[hh];W[aa];B[ii]C[x];W[jj])");
        assert_eq!(comparable(&game), comparable(&expected));
        // Marks other than circles become texts; a zero byte is removed.
        let mut game = empty();
        let marks = [(MarkKind::Square, 1), (MarkKind::Label("a\0b".to_string()), 2)];
        game.note_mut(NodeId::ROOT).marks =
            marks.map(|(kind, x)| Mark { at: Point::new(x, 0), kind }).to_vec();
        let read_back = read(&write(&game).unwrap());
        let kinds: Vec<MarkKind> = read_back
            .note(NodeId::ROOT)
            .unwrap()
            .marks
            .iter()
            .map(|mark| mark.kind.clone())
            .collect();
        assert_eq!(kinds, ["\u{25a1}", "ab"].map(|text| MarkKind::Label(text.to_string())));
    }

    #[test]
    fn records_that_lib_cannot_hold_are_rejected() {
        let error = |game: &GameRecord| write(game).unwrap_err().to_string();
        let large = GameRecord::new(BoardSize::square(19).unwrap());
        assert_eq!(error(&large), "lib supports only 15x15 boards, not 19x19");
        let late = sgf("(;GM[4]SZ[15];B[hh];AB[aa])");
        assert_eq!(error(&late), "stones are set up between moves, which lib cannot hold");
        let uneven = sgf("(;GM[4]SZ[15]AB[hh][ii][jj])");
        assert!(error(&uneven).contains("3 black and 0 white stones"), "{}", error(&uneven));
        let mut walls = empty();
        let set_up = SetUp { walls: vec![Point::new(0, 0)], ..SetUp::default() };
        Cursor::new(&mut walls).set_up(&set_up).unwrap();
        assert!(error(&walls).contains("out of play"), "{}", error(&walls));
    }

    #[test]
    fn long_lines_need_no_stack() {
        let mut game = empty();
        let mut cursor = Cursor::new(&mut game);
        for _ in 0..200_000 {
            cursor.pass(cursor.side()).unwrap();
        }
        assert_eq!(read(&write(&game).unwrap()).node_count(), 200_001);
    }
}
