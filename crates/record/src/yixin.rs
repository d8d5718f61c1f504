//! Yixin-Board's files (see `show_dialog_load` and `show_dialog_save` in its main.c).
//!
//! `.pos`, which it reads: one byte with the number of stones, then one byte per stone on a 15x15
//! board, row + 15 * column. `.sav`, which it reads and writes: numbers as text: height, width and
//! number of moves, then row and column of each move. Until 2015, height and width were the side
//! of a square board and the rule.

use std::fmt::Write;

use super::games::Collector;
use super::{Cursor, Format, GameRecord, RecordError};
use tengen_rules::types::{BoardSize, Coordinates, Rule};

/// The side of boards in `.pos`.
const SIDE: u8 = 15;
/// The minimum side of boards in Yixin-Board.
const MIN_SIDE: i64 = 5;
/// Number of values before the moves in a `.sav` file.
const HEAD: usize = 3;

/// Whether a file named `.pos` is text, as other programs write under this name, and does not begin
/// with the number of its stones.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let counted = bytes.first().is_some_and(|&count| usize::from(count) + 1 == bytes.len());
    !bytes.is_empty() && bytes.iter().all(is_plain) && !counted
}

/// Reads a `.pos` file.
pub(super) fn read_pos(bytes: &[u8]) -> Result<GameRecord, RecordError> {
    let Some((&count, stones)) = bytes.split_first() else {
        return Err(RecordError::new("the file is empty"));
    };
    if usize::from(count) != stones.len() {
        let reason = format!("the header states {count} stones, but the file has {}", stones.len());
        return Err(RecordError::new(reason).at_byte(0));
    }
    let mut game = GameRecord::new(Format::Pos.default_size());
    let mut cursor = Cursor::new(&mut game);
    for (index, stone) in stones.iter().enumerate() {
        let at = Coordinates { x: (stone / SIDE).into(), y: (stone % SIDE).into() };
        cursor.play(cursor.side(), at).map_err(|error| error.at_byte(index + 1))?;
    }
    Ok(game)
}

/// Formats a `.pos` file.
pub(super) fn write_pos(game: &GameRecord) -> Result<Vec<u8>, RecordError> {
    let moves = game.moves()?;
    if game.size != Format::Pos.default_size() {
        return Err(RecordError::new(format!("pos supports only 15x15 boards, not {}", game.size)));
    }
    let stones = moves.iter().map(|point| point.y() + SIDE * point.x());
    // The board has 225 cells, so the number of moves fits a byte.
    Ok(std::iter::once(moves.len() as u8).chain(stones).collect())
}

/// Reads a `.sav` file. As in Yixin-Board, text after the stated number of moves is ignored.
pub(super) fn read_sav(text: &str, out: &mut Collector) -> Result<GameRecord, RecordError> {
    let mut numbers = Vec::new();
    let lines = (1..).zip(text.lines());
    let mut words =
        lines.flat_map(|(line, text)| text.split_whitespace().map(move |word| (line, word)));
    let mut expected = HEAD;
    while numbers.len() < expected
        && let Some((line, word)) = words.next()
    {
        let number: i64 = word
            .parse()
            .map_err(|_| RecordError::new(format!("invalid number {word:?}")).at_line(line))?;
        numbers.push((number, line));
        if numbers.len() == HEAD {
            let moves = usize::try_from(number).ok().and_then(|count| count.checked_mul(2));
            expected = moves.and_then(|moves| moves.checked_add(HEAD)).unwrap_or(usize::MAX);
        }
    }
    let whole = |_: &&[(i64, usize); HEAD]| numbers.len() == expected;
    let Some(&[(height, line), (width, _), _]) = numbers.first_chunk().filter(whole) else {
        let reason = "expected height, width, number of moves, and row and column of each move";
        return Err(RecordError::new(reason));
    };
    if words.next().is_some() {
        out.leave_out("text after the moves");
    } else if !text.ends_with('\n') {
        // A truncated number would still be a number.
        out.remark("the file ends without a line break; its last number may be incomplete");
    }
    let rule = old_rule(height, width);
    let width = if rule.is_some() { height } else { width };
    let size = BoardSize::new(width, height);
    let size = size.map_err(|error| RecordError::new(error.to_string()).at_line(line))?;
    let mut game = GameRecord::new(size);
    game.rule = rule;
    let mut cursor = Cursor::new(&mut game);
    for pair in numbers[HEAD..].chunks_exact(2) {
        let [(y, line), (x, _)] = [pair[0], pair[1]];
        let written = format_args!("row {y}, column {x}");
        let played = cursor.play_written(cursor.side(), Coordinates { x, y }, written);
        played.map_err(|error| error.at_line(line))?;
    }
    Ok(game)
}

/// The rule that old versions wrote instead of the width. All boards of the program are wider.
fn old_rule(height: i64, width: i64) -> Option<Rule> {
    // The order of the program's menu.
    let named = [Rule::Freestyle, Rule::Standard, Rule::Renju];
    let number = usize::try_from(width).ok().filter(|_| height >= MIN_SIDE)?;
    named.get(number).copied()
}

/// Formats a `.sav` file.
pub(super) fn write_sav(game: &GameRecord) -> Result<String, RecordError> {
    let moves = game.moves()?;
    let (height, width) = (game.size.height(), game.size.width());
    if old_rule(height.into(), width.into()).is_some() {
        let reason = format!("sav does not support boards of {width} columns and {height} rows");
        return Err(RecordError::new(reason));
    }
    let mut text = format!("{height}\n{width}\n{}\n", moves.len());
    for point in moves {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {}", point.y(), point.x());
    }
    Ok(text)
}
