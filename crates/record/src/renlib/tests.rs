use super::*;
use std::collections::BTreeMap;

use crate::{Format, Games, ReadOptions, write};

/// A library of version 3.4 with these nodes.
fn library(nodes: &[u8]) -> Vec<u8> {
    [&HEADER[..], &[3, 4], &[0xff; 10], nodes].concat()
}

fn text_of(bytes: &[u8], encoding: &str) -> Result<String, RecordError> {
    let encoding = Some(encoding.parse().unwrap());
    let options = ReadOptions { format: Some(Format::Lib), encoding, ..ReadOptions::default() };
    let games = crate::read(bytes, &options)?;
    let mut out = Vec::new();
    write(&games.list, Format::Sgf, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    Ok(text.split_once("SZ[15]RU[renju]").unwrap().1.trim_end().to_string())
}

#[test]
fn tree_with_texts_is_read() {
    // The root, H8 (two children: I9, which has a child, and G7), and J10, a sibling of H8.
    let nodes = [
        &[0x00, 0x08][..],
        b"root\0\0",
        &[0x78, 0x80],
        &[0x69, 0x89],
        &[0x00, 0x01],
        "棋".as_bytes(),
        b"\0",
        b"A\0",
        &[0x88, 0x40],
        &[0x97, 0x50],
        &[0x5a, 0x40],
    ];
    let expected = "C[root]\n\n(;B[hh]CR[gj]LB[ig:A]\n(;W[ig]C[棋];B[hi])\n(;W[gj]))\n(;B[jf]))";
    assert_eq!(text_of(&library(&nodes.concat()), "utf-8").unwrap(), expected);
}

/// The records of a library in parts of `part` nodes.
fn parts(bytes: &[u8], part: usize) -> Games {
    let options = ReadOptions {
        format: Some(Format::Lib),
        library_part: Some(part),
        ..ReadOptions::default()
    };
    crate::read_each(bytes, &options).unwrap()
}

/// The comments and marks of each position, by its moves, of all records together.
fn positions(list: &[GameRecord]) -> BTreeMap<String, (String, Vec<String>)> {
    let mut all: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for game in list {
        let mut open = vec![(NodeId::ROOT, String::new())];
        while let Some((node, moves)) = open.pop() {
            let (comment, marks) = all.entry(moves.clone()).or_default();
            if let Some(note) = game.note(node) {
                comment.push_str(&note.comment);
                marks.extend(note.marks.iter().map(|mark| format!("{mark:?}")));
            }
            for child in game.children(node) {
                open.push((child, format!("{moves} {:?}", game.play_of(child))));
            }
        }
    }
    all
}

#[test]
fn parts_of_a_library_have_the_positions_of_the_whole() {
    let text = "(;GM[4]SZ[15]C[root](;B[hh](;W[ig]C[one](;B[aa];W[ab])(;B[ac](;W[bb]C[x])(;W[cc])))\
                (;W[];B[gj])(;W[gj]LB[aa:A]))(;B[jf];W[kk]C[end]))";
    let game = crate::read(text.as_bytes(), &ReadOptions::default()).unwrap().list.remove(0);
    let bytes = super::write(&game).unwrap();
    let whole = parts(&bytes, usize::MAX);
    assert_eq!((whole.list.len(), whole.repeated_nodes), (1, 0));
    let nodes = whole.list[0].nodes().count() as u64;
    for part in 1..=nodes as usize + 1 {
        let games = parts(&bytes, part);
        assert_eq!(positions(&games.list), positions(&whole.list), "{part}");
        let all: u64 = games.list.iter().map(|game| game.nodes().count() as u64).sum();
        assert_eq!(all - games.repeated_nodes, nodes, "{part}");
        assert!(part > 2 || games.list.len() > 3, "{part}");
    }
    // A damaged library has no valid part.
    let games = parts(&bytes[..bytes.len() - 2], 3);
    assert_eq!((games.list.len(), games.bad_count), (0, 1));
}

#[test]
fn encodings_and_old_files_are_read() {
    let tree = |text: &[u8]| [&[0x78, 0x48][..], text].concat();
    let gbk = tree(b"\xc6\xe5\0\0");
    for name in ["gbk", "CP936"] {
        assert!(text_of(&gbk, name).unwrap().contains("C[棋]"));
    }
    let error = text_of(&gbk, "utf-8").unwrap_err().to_string();
    assert_eq!(error, "byte 2: the text is not valid UTF-8");
    assert!(text_of(&tree(b"\x8a\xfb\0\0"), "shift_jis").unwrap().contains("C[棋]"));
    assert!(text_of(&tree(b"\xf5\xee\xe4\0"), "cp1251").unwrap().contains("C[ход]"));
    let text = "张三李四".as_bytes().strip_suffix(b"\x9b").unwrap();
    let cut = tree(&[text, b"\0"].concat());
    let games = crate::read(&library(&cut), &ReadOptions::default()).unwrap();
    let remark = "byte 31: the text is not valid UTF-8; invalid characters become \u{fffd}";
    assert_eq!(games.remark_lines().collect::<Vec<_>>(), [remark]);
    for text in [text_of(&cut, "utf-8"), text_of(&library(&cut), "utf-8")] {
        assert!(text.unwrap().contains("C[张三李\u{fffd}]"));
    }
    let old = [0x78, 0x60, b'o', b'l', b'd' | 0x80, 0];
    assert_eq!(text_of(&old, "utf-8").unwrap(), "\n;B[hh]C[old])");
    // A pass and a node that is not a move.
    let odd = [0x78, 0x00, 0x00, 0x00, 0x00, 0x02, 0x79, 0x44];
    assert_eq!(text_of(&odd, "utf-8").unwrap(), "\n;B[hh];W[];;B[ih])");
}

/// Letters on an empty point and on a stone, next to a real move.
#[test]
fn board_texts_are_marks_and_not_moves() {
    let text = |position, flags, letter: &[u8]| [&[position, flags, 0, 1], letter, b"\0"].concat();
    let nodes = [
        &[0x00, 0x00][..],
        &[0x78, 0x00],
        &text(0x69, 0xc3, b"A"),
        &text(0x78, 0xc3, b"B"),
        &[0x79, 0x40],
    ];
    let expected = "\n;B[hh]LB[ig:A][hh:B];W[ih])";
    assert_eq!(text_of(&library(&nodes.concat()), "utf-8").unwrap(), expected);
    let alone = [&[0x78, 0x00][..], &text(0x69, 0x43, b"A")].concat();
    assert_eq!(text_of(&alone, "utf-8").unwrap(), "\n;B[hh]LB[ig:A])");
    // No program writes children of a board text, but they are kept.
    let parent = [&[0x78, 0x00][..], &text(0x69, 0x03, b"A"), &[0x79, 0x40]].concat();
    assert_eq!(text_of(&parent, "utf-8").unwrap(), "\n;B[hh]LB[ig:A];;W[ih])");
}

/// The moves before a branch announce siblings that only the original library holds.
#[test]
fn saved_branch_may_lack_siblings() {
    let read = |nodes: &[u8]| crate::read(&library(nodes), &ReadOptions::default());
    let missing = "siblings of a saved branch, or nodes after a truncated end";
    let path = [0x00, 0x00, 0x78, 0x80];
    for (branch, nodes, is_whole) in [
        (&[][..], 2, false),
        (&[0x79, 0x40], 3, false),
        (&[0x79, 0x80, 0x77, 0x80, 0x76, 0x40, 0x75, 0x40, 0x7a, 0x40], 7, false),
        (&[0x79, 0x40, 0x77, 0x40], 4, true),
    ] {
        let games = read(&[&path, branch].concat()).unwrap();
        assert_eq!(games.list[0].nodes().count(), nodes);
        assert_eq!(games.left_out.contains(missing), !is_whole, "{:?}", games.left_out);
    }
    // Siblings inside the branch must be present.
    assert!(read(&[&path, &[0x79, 0xc0][..]].concat()).is_err());
    assert!(read(&[&path, &[0x79, 0x80, 0x77, 0x40][..]].concat()).is_ok(), "a longer path");
    assert!(read(&[&path, &[0x79, 0x40, 0x77, 0x80, 0x76, 0x40][..]].concat()).is_err());
}

#[test]
fn damaged_library_is_rejected_with_position() {
    let fault = |bytes: &[u8]| text_of(bytes, "utf-8").unwrap_err().to_string();
    assert_eq!(fault(b"hello"), "not a RenLib library");
    assert_eq!(fault(&HEADER[..]), "not a RenLib library");
    let open = "byte 28: the file ends inside the tree";
    assert_eq!(fault(&library(&[0, 0, 0x78, 0x80, 0x79, 0x40, 0x77, 0x00])), open);
    assert_eq!(fault(&library(&[0, 0, 0x78])), "byte 23: the file ends inside a node");
    assert_eq!(fault(&library(&[0, 0, 0x78, 0, 0x78, 0x40])), "byte 24: 7,7 is played twice");
    assert_eq!(
        fault(&library(&[0, 0, 0xf1, 0x40])),
        "byte 22: 0,15 lies outside the 15x15 board (expected 0,0 to 14,14)"
    );
    let mut newer = library(&[0, 0x40]);
    newer[8] = 4;
    assert_eq!(fault(&newer), "unsupported RenLib version 4.4 (newest supported: 3.4)");
    let games = crate::read(&library(&[0, 0x40]), &ReadOptions::default()).unwrap();
    assert_eq!(games.list[0].first_child(NodeId::ROOT), None);
}

#[test]
fn invalid_move_in_a_variation_is_skipped_with_what_follows() {
    // H8; I8 and I9; G8 and I8, then I8 again with two children and L8; H8 again; G9.
    let nodes = [
        &[0x00, 0x00, 0x78, 0x00, 0x79, 0x88][..],
        b"yes\0",
        &[0x69, 0x40, 0x77, 0x80, 0x79, 0x00, 0x79, 0x88],
        b"no\0\0",
        &[0x7a, 0xc0, 0x7b, 0x40, 0x7c, 0x40],
        &[0x78, 0x80, 0x6a, 0x40],
        &[0x67, 0x40],
    ];
    let library = library(&nodes.concat());
    let expected = "\n;B[hh]\n(;W[ih]C[yes];B[ig])\n(;W[gh];B[ih];W[lh])\n(;W[gg]))";
    assert_eq!(text_of(&library, "utf-8").unwrap(), expected);
    let games = crate::read(&library, &ReadOptions::default()).unwrap();
    let said = |byte: usize, point: &str| {
        format!("byte {byte}: {point} is played twice; this move and those after it are ignored")
    };
    assert_eq!(games.remark_lines().collect::<Vec<_>>(), [said(36, "8,7"), said(48, "7,7")]);
}

#[test]
fn encoding_and_file_extension_are_used() {
    let gbk = [0x78, 0x48, 0xc6, 0xe5, 0, 0];
    let name = Some(std::path::Path::new("old.LIB"));
    let options =
        ReadOptions { encoding: Some("gbk".parse().unwrap()), name, ..ReadOptions::default() };
    assert!(crate::read(&gbk, &options).is_ok());
    let options = ReadOptions { name: None, ..options };
    assert!(crate::read(&library(&[0, 0x40]), &options).is_ok());
}
