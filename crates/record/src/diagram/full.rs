//! Boards without a symbol for empty cells, which may have blank cells.

use super::Row;
use super::token::{CLOSING, FRAME, OPENING};

/// The blanks between the cells of a row.
struct Gaps {
    /// The blanks behind the name of the row.
    behind_name: usize,
    /// The column of the first cell.
    column: usize,
    between: Vec<usize>,
}

/// The first line of a full board in which blanks are so wide that a cell fits between them, unlike
/// those of the other rows. `is_left` and `is_right` tell whether the rows have names at that side.
pub(super) fn line_with_blank_cells(rows: &[Row], is_left: bool, is_right: bool) -> Option<usize> {
    let rows: Vec<(usize, Gaps)> =
        rows.iter().map(|row| (row.line, gaps(row.text, is_left, is_right))).collect();
    let mut all: Vec<usize> = rows.iter().flat_map(|(_, row)| row.between.clone()).collect();
    all.sort_unstable();
    // The usual gap; the smaller one if half of them are wide.
    let usual = *all.get(all.len().checked_sub(1)? / 2)?;
    let least = rows.iter().map(|(_, row)| row.behind_name).min()?;
    let column = rows.iter().find(|(_, row)| row.behind_name == least)?.1.column;
    // Gaps of all rows at one place separate groups of columns.
    let is_shared = |at: usize, gap: usize| {
        rows.len() > 1 && rows.iter().all(|(_, row)| row.between.get(at) == Some(&gap))
    };
    let has_blanks = |(_, row): &&(usize, Gaps)| {
        let is_indented = row.behind_name > least + usual && row.column > column;
        let is_wide = |(at, &gap): (usize, &usize)| gap > 2 * usual && !is_shared(at, gap);
        (is_left && is_indented) || row.between.iter().enumerate().any(is_wide)
    };
    rows.iter().find(has_blanks).map(|(line, _)| *line)
}

/// The blanks of a row. Brackets and stars only mark a cell.
fn gaps(text: &str, is_left: bool, is_right: bool) -> Gaps {
    let is_mark = |symbol: char| {
        "*\u{fe0f}\u{fe0e}\u{200b}".contains(symbol)
            || [OPENING, CLOSING, FRAME].iter().any(|symbols| symbols.contains(symbol))
    };
    // The first column of each cell and the blanks before it.
    let mut cells = Vec::new();
    let (mut blanks, mut was_part) = (0, false);
    for (column, symbol) in text.chars().filter(|symbol| !is_mark(*symbol)).enumerate() {
        if symbol.is_whitespace() {
            blanks += 1;
            was_part = false;
            continue;
        }
        // The digits of a number, or behind a stone.
        if !(was_part && symbol.is_ascii_digit()) {
            cells.push((column, blanks));
        }
        blanks = 0;
        was_part = symbol.is_alphanumeric();
    }
    if is_right {
        cells.pop();
    }
    let mut cells = cells.into_iter().skip(usize::from(is_left));
    let (column, behind_name) = cells.next().unwrap_or_default();
    Gaps { behind_name, column, between: cells.map(|(_, blanks)| blanks).collect() }
}
