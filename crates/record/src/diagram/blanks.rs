//! Boards whose empty cells are blanks. They are refused where a blank does not show its column, since
//! stones would move to other columns. A blank between bars, commas or brackets is an empty cell.
//!
//! Five rules look at different data:
//! - [`has_blank_cells`] at the text: it only has stones, and not all rows begin at the same column.
//! - [`line_with_blanks`] at the rows of a board without empty cells: `XOX OX`.
//! - [`line_with_wide_brackets`] at brackets around rows: `[  X  ]`.
//! - `framed_blanks` in `fields` at bars or commas that only stand beside the rows: `|  X  |`.
//! - `outer_are_cells` in `fields` at bars between cells without bars beside the rows: ` | X | `.

use super::Row;
use super::line::is_row;
use super::token::{BARS, CLOSING, FRAME, OPENING, Token, tokens};
use tengen_rules::board::Cell;

pub(super) const BLANK_CELLS: &str =
    "empty cells are drawn as blanks (expected a symbol such as .)";

/// Whether stones stand between blanks instead of symbols of empty cells: their columns are unknown.
pub(super) fn has_blank_cells(text: &str) -> bool {
    let is_stones = |line: &str| {
        let is_stone = |token: &Token| match token {
            Token::Cell(cell) => *cell != Cell::Empty,
            Token::Letter(_) => true,
            Token::Number(_) | Token::Star | Token::Mark(_) | Token::Other(_) => false,
        };
        let is_stones = || tokens(line).iter().all(|(token, _)| is_stone(token));
        // Bars show the columns.
        is_row(line) && !line.contains(BARS) && is_stones()
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut rows = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = rows.next() else { return false };
    let has_blank_rows = text.lines().any(|line| line.len() > 1 && line.trim().is_empty());
    let mut is_indented = indent(first) > 0 && has_blank_rows;
    let is_all = is_stones(first)
        && rows.all(|row| {
            is_indented |= indent(row) != indent(first);
            is_stones(row)
        });
    is_all && is_indented
}

/// The first line of a board without empty cells in which a blank may be one: it stands beside another
/// blank, or between or before cells on a board with cells side by side. `is_left` and `is_right` tell
/// whether the rows have names at that side.
pub(super) fn line_with_blanks(rows: &[Row], is_left: bool, is_right: bool) -> Option<usize> {
    let texts: Vec<&str> = rows.iter().map(|row| without_names(row, is_left, is_right)).collect();
    // Brackets and stars mark a cell.
    let is_gap =
        |it: char| it.is_whitespace() || it == '*' || OPENING.contains(it) || CLOSING.contains(it);
    let has_pairs = texts.iter().any(|text| text.split(is_gap).any(|it| tokens(it).len() > 1));
    let starts: Vec<(usize, usize)> = rows.iter().map(|row| start(row, is_left)).collect();
    let least_blanks = starts.iter().map(|(blanks, _)| *blanks).min();
    let least_column = starts.iter().map(|(_, column)| *column).min();
    let has_blanks = |at: &usize| {
        let are_blank: Vec<bool> = texts[*at].chars().map(char::is_whitespace).collect();
        let between = texts[*at].trim_matches(is_frame_or_blank);
        let (blanks, column) = starts[*at];
        are_blank.windows(2).any(|pair| pair == [true, true])
            || has_pairs && between.contains(char::is_whitespace)
            // Names of different width shift a row, or the blanks behind them are not equally wide.
            || has_pairs && Some(blanks) > least_blanks && Some(column) > least_column
    };
    (0..rows.len()).find(has_blanks).map(|at| rows[at].line)
}

fn is_name(symbol: char) -> bool {
    symbol.is_alphanumeric()
}

fn is_frame_or_blank(symbol: char) -> bool {
    symbol.is_whitespace() || FRAME.contains(symbol)
}

/// The text of a row without its names and the blank beside each.
fn without_names<'a>(row: &Row<'a>, is_left: bool, is_right: bool) -> &'a str {
    let mut cells = row.text.trim();
    if is_left {
        let behind = cells.trim_start_matches(is_name);
        cells = behind.strip_prefix(char::is_whitespace).unwrap_or(behind);
    }
    if is_right {
        let before = cells.trim_end_matches(is_name);
        cells = before.strip_suffix(char::is_whitespace).unwrap_or(before);
    }
    cells
}

/// The number of blanks directly before the first cell of a row, and the column of this cell.
fn start(row: &Row, is_left: bool) -> (usize, usize) {
    let named = row.text.trim_start();
    let behind = if is_left { named.trim_start_matches(is_name) } else { named };
    let cells = behind.trim_start_matches(is_frame_or_blank);
    let before = row.text.strip_suffix(cells).unwrap_or_default();
    (before.chars().rev().take_while(|it| it.is_whitespace()).count(), before.chars().count())
}

/// The first line with room for several cells between brackets, if each row has one pair of brackets
/// with at most one symbol.
pub(super) fn line_with_wide_brackets(rows: &[Row]) -> Option<usize> {
    let width = |row: &Row| {
        let text = row.text.replace(['\'', '"'], "");
        let (before, inner) = text.rsplit_once(|it| OPENING.contains(it))?;
        let (inner, behind) = inner.split_once(|it| CLOSING.contains(it))?;
        let is_beside = |it: char| {
            it.is_whitespace()
                || it == ','
                || is_name(it)
                || OPENING.contains(it)
                || CLOSING.contains(it)
        };
        let is_single = before.chars().chain(behind.chars()).all(is_beside)
            && !before.contains(|it| CLOSING.contains(it))
            && tokens(inner).len() <= 1;
        is_single.then(|| inner.chars().count())
    };
    let widths: Vec<usize> = rows.iter().map(width).collect::<Option<_>>()?;
    widths.iter().zip(rows).find(|(width, _)| **width > 1).map(|(_, row)| row.line)
}
