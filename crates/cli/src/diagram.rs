//! Drawn boards from files and standard input.

use std::fs;
use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};

use crate::selection::Selection;
use tengen_record::{Format, Games, ReadOptions, read_each};
use tengen_rules::game::Game;
use tengen_rules::types::Rule;

/// Reads the board of a file, or of standard input when the file is `-`: the first one, or the one
/// that `selection` names. From standard input only the lines up to the end of the first board are
/// read, unless another board is selected. `notes` receives what was not used.
///
/// # Errors
/// When the text has no board, or the selected board is invalid.
pub fn read(
    path: &Path,
    rule: Rule,
    selection: &Selection,
    input: &mut dyn BufRead,
    notes: &mut dyn Write,
) -> anyhow::Result<Game> {
    let number = match selection.game {
        Some(numbers) => {
            numbers.single().with_context(|| format!("--game {numbers}: expected one board"))?
        }
        None => 1,
    };
    let bytes = match (path == Path::new("-"), selection.game) {
        (false, _) => fs::read(path)?,
        (true, None) => return first_of(input, rule, selection, path, notes),
        (true, Some(_)) => {
            let mut bytes = Vec::new();
            input.read_to_end(&mut bytes)?;
            bytes
        }
    };
    let games = boards(&bytes, number, selection)?;
    if games.count > 1 && selection.game.is_none() {
        let name = path.display();
        writeln!(notes, "{name}: {} boards; used the first (see --game)", games.count)?;
    }
    board(games, number, rule, path, notes)
}

/// The first board of a stream, read up to the empty line after it.
fn first_of(
    input: &mut dyn BufRead,
    rule: Rule,
    selection: &Selection,
    path: &Path,
    notes: &mut dyn Write,
) -> anyhow::Result<Game> {
    let mut bytes = Vec::new();
    loop {
        let has_more = read_paragraph(input, &mut bytes)?;
        match boards(&bytes, 1, selection) {
            // Text before a board.
            Err(_) if has_more => {}
            Ok(games) if has_more && games.list.is_empty() && games.bad.is_empty() => {}
            games => return board(games?, 1, rule, path, notes),
        }
    }
}

/// Appends the lines up to the next empty line after a line with text; false at the end.
fn read_paragraph(input: &mut dyn BufRead, bytes: &mut Vec<u8>) -> anyhow::Result<bool> {
    let mut has_text = false;
    loop {
        let start = bytes.len();
        if input.read_until(b'\n', bytes)? == 0 {
            return Ok(false);
        }
        let is_empty = bytes[start..].trim_ascii().is_empty();
        if is_empty && has_text {
            return Ok(true);
        }
        has_text |= !is_empty;
    }
}

/// The boards of a text, of which only number `wanted` is kept.
fn boards(bytes: &[u8], wanted: usize, selection: &Selection) -> anyhow::Result<Games> {
    ensure!(!bytes.trim_ascii().is_empty(), "the diagram is empty");
    let format = Some(Format::Diagram);
    let encoding = selection.encoding;
    let reading =
        ReadOptions { format, encoding, numbers: Some(wanted..=wanted), ..ReadOptions::default() };
    Ok(read_each(bytes, &reading)?)
}

/// The game that continues from the board.
fn board(
    games: Games,
    number: usize,
    rule: Rule,
    path: &Path,
    notes: &mut dyn Write,
) -> anyhow::Result<Game> {
    let count = games.count;
    ensure!((1..=count).contains(&number), "no board {number}: the input holds {count}");
    for remark in games.remark_lines() {
        writeln!(notes, "{}: {remark}", path.display())?;
    }
    let games = games.ensure_valid().context("no board")?;
    let [record] = &games.list[..] else { bail!("no board was found") };
    Ok(Game::from_board(&record.start(rule)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::GameNumbers;
    use tengen_rules::types::Color;

    const BOARD: &str = ". . . . .\n. . X . .\n. . O . .\n. X . . .\n. . . . .\n";

    fn from_file(bytes: &[u8], selection: &Selection) -> anyhow::Result<(Game, String)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board.txt");
        fs::write(&path, bytes).unwrap();
        let mut notes = Vec::new();
        let game = read(&path, Rule::Renju, selection, &mut std::io::empty(), &mut notes)?;
        Ok((game, String::from_utf8(notes).unwrap()))
    }

    fn from_input(text: &str, selection: &Selection) -> (Game, String) {
        let mut input = text.as_bytes();
        let path = Path::new("-");
        let game = read(path, Rule::Renju, selection, &mut input, &mut Vec::new()).unwrap();
        (game, String::from_utf8(input.to_vec()).unwrap())
    }

    fn selected(number: usize) -> Selection {
        Selection { game: Some(GameNumbers::one(number)), ..Selection::default() }
    }

    #[test]
    fn diagrams_are_read_as_people_paste_them() {
        let utf16: Vec<u8> =
            format!("\u{feff}{BOARD}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let spaced = BOARD.replace('\n', "\n\n");
        let framed = "+---------+\n|. . . . .|\n|. . X . .|\n|. .(O). .|\n|. X . . .|\n|. . . . .|\n+---------+\n";
        let discs = "5 + + + + +\n4 + + \u{25cf} + +\n3 + + \u{25cb} + +\n2 + \u{25cf} + + +\n1 + + + + +\n  a b c d e\n";
        for text in
            [BOARD.as_bytes(), &utf16, spaced.as_bytes(), framed.as_bytes(), discs.as_bytes()]
        {
            let (game, notes) = from_file(text, &Selection::default()).unwrap();
            assert_eq!((game.board().to_string(), notes), (BOARD.to_string(), String::new()));
        }
        let gbk = [BOARD.as_bytes(), b"\n\xc6\xe5\xc6\xd7 abc def\n"].concat();
        let selection = Selection { encoding: "gbk".parse().ok(), ..selected(1) };
        assert_eq!(from_file(&gbk, &selection).unwrap().0.board().to_string(), BOARD);
    }

    #[test]
    fn selection_names_one_of_several_boards() {
        let text = format!("An analysis\n\n{BOARD}\nBest line\n\n. . .\n. X .\n. . .\n");
        let (first, notes) = from_file(text.as_bytes(), &Selection::default()).unwrap();
        assert_eq!(first.size().to_string(), "5x5");
        assert!(notes.ends_with(": 2 boards; used the first (see --game)\n"), "{notes}");
        let (second, notes) = from_file(text.as_bytes(), &selected(2)).unwrap();
        assert_eq!((second.size().to_string(), notes), ("3x3".to_string(), String::new()));
        let missing = from_file(text.as_bytes(), &selected(3)).unwrap_err().to_string();
        assert_eq!(missing, "no board 3: the input holds 2");
        assert_eq!(from_input(&text, &selected(2)).0.size().to_string(), "3x3");
    }

    #[test]
    fn first_board_of_standard_input_leaves_the_rest() {
        let text = format!("freestyle, black to move\n\n{BOARD}\nh8\nquit\n");
        let (game, rest) = from_input(&text, &Selection::default());
        assert_eq!((game.board().to_string(), rest.as_str()), (BOARD.to_string(), "h8\nquit\n"));
    }

    #[test]
    fn captions_count_alike_in_files_and_standard_input() {
        let even = BOARD.replace(". X . . .", ". . . . .");
        for (text, side) in [
            (format!("White to move\n\n{even}\nh8\n"), Color::White),
            (format!("{even}White to move\n\nh8\n"), Color::White),
            (format!("{even}\nWhite to move\n"), Color::Black),
        ] {
            let (file, _) = from_file(text.as_bytes(), &Selection::default()).unwrap();
            let (input, _) = from_input(&text, &Selection::default());
            assert_eq!([file, input].map(|game| game.side_to_move()), [side; 2], "{text}");
        }
    }
}
