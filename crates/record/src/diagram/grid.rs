//! Boards with lines between their cells, and boards whose empty cells are lines.

use super::line::{MAX_LINE_BYTES, is_columns_of, is_sequence_of_columns, is_words};
use super::token::{BARS, Token, is_stone, tokens};
use crate::text::is_fence;

const DASHES: [char; 4] = ['-', '─', '━', '═'];

/// The rows of a board whose stones stand where lines cross, without the lines between the cells;
/// `None` for other boards.
///
/// ```text
/// +-+-X-+
/// | | | |   ->   + + X +
/// +-O-+-+        + O + +
/// ```
///
/// The lines of bars may be missing.
pub(super) fn rows_of_crossings(block: &[(usize, &str)]) -> Option<Vec<(usize, String)>> {
    let is_line_between = |text: &str| {
        let bars = text.chars().filter(|symbol| BARS.contains(symbol)).count();
        bars >= 3 && text.chars().all(|symbol| symbol.is_whitespace() || BARS.contains(&symbol))
    };
    let has_lines = block.iter().any(|(_, text)| is_line_between(text));
    let mut has_stone = false;
    let mut has_crossing = false;
    let mut width = None;
    let mut rows = Vec::new();
    for &(line, text) in block {
        if text.len() > MAX_LINE_BYTES {
            return None;
        }
        if is_line_between(text) || is_words(text) {
            continue;
        }
        // A board with bars beside its cells has its stones between the lines.
        if text.contains(BARS) {
            return None;
        }
        let tokens = tokens(text);
        let is_heading =
            is_sequence_of_columns(&tokens) || is_columns_of(text, block.len()) || is_fence(text);
        // Without lines of bars, a line of another width is a rule between the rows.
        if !has_lines && !is_heading {
            let cells = linked_cells(text)?;
            if *width.get_or_insert(cells) != cells {
                return None;
            }
        }
        has_stone |= !is_heading && tokens.iter().any(|(it, _)| is_stone(it));
        let row = text.replace(DASHES, " ");
        has_crossing |= !is_heading && row.contains(|it: char| "+.·┼├┤┬┴┌┐└┘".contains(it));
        rows.push((line, row));
    }
    (has_stone && (has_lines || has_crossing)).then_some(rows)
}

/// The number of cells of a row with dashes between all of them, maybe with coordinates at its ends.
fn linked_cells(text: &str) -> Option<usize> {
    let row = |text: &str| {
        let cells: String = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
        let parts: Vec<&str> = cells.split(DASHES).collect();
        let is_cell = |part: &&str| part.chars().count() == 1;
        let is_row = parts.len() > 1
            && parts.first().is_some_and(is_cell)
            && parts.last().is_some_and(is_cell)
            && parts.iter().all(|part| part.is_empty() || is_cell(part));
        is_row.then(|| parts.iter().filter(|part| is_cell(part)).count())
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |word: &&&str| word.chars().all(char::is_alphanumeric);
    let first = words.first().filter(is_name).map_or(0, |_| 1);
    let last = words.last().filter(is_name).map_or(0, |_| 1);
    let between = |first: usize, last: usize| {
        words.get(first..words.len().saturating_sub(last)).and_then(|it| row(&it.concat()))
    };
    between(0, 0).or_else(|| between(first, 0)).or_else(|| between(first, last))
}

/// The lines of a board whose empty cells are dashes without blanks, with points for the dashes, so
/// that a row without stones is not taken for a border; `None` for other boards.
///
/// ```text
/// -----        .....
/// -XO--   ->   .XO..
/// ```
pub(super) fn rows_of_dashes(block: &[(usize, &str)]) -> Option<Vec<(usize, String)>> {
    if block.iter().any(|(_, text)| text.len() > MAX_LINE_BYTES) {
        return None;
    }
    let inner = |text: &str| -> String {
        text.trim().trim_matches(BARS).replace(DASHES, "-").trim().to_string()
    };
    let is_dash = |symbol: char| symbol == '-';
    let is_drawn = |text: &str| {
        let is_cell = |symbol: char| {
            let cell = tokens(&symbol.to_string());
            is_dash(symbol) || cell.iter().any(|(it, _)| is_stone(it) || *it == Token::Star)
        };
        text.contains(is_dash) && text.chars().all(is_cell)
    };
    let texts: Vec<String> = block.iter().map(|(_, text)| inner(text)).collect();
    let rows: Vec<&String> = texts.iter().filter(|text| is_drawn(text)).collect();
    let width = |text: &String| text.chars().count();
    let sides = rows.iter().filter(|text| !text.chars().all(is_dash)).map(|text| width(text));
    let sides: Vec<usize> = sides.collect();
    let is_row = |text: &String| is_drawn(text) && sides.contains(&width(text));
    if !rows.iter().any(|text| text.chars().all(is_dash) && is_row(text)) {
        return None;
    }
    let row = |(&(line, text), inner): (&(usize, &str), &String)| match is_row(inner) {
        true => (line, inner.replace('-', ".")),
        false => (line, text.to_string()),
    };
    Some(block.iter().zip(&texts).map(row).collect())
}
