//! Boards whose stones stand where lines cross, with the lines drawn between the rows.

use super::line::{is_sequence_of_columns, is_words};
use super::token::{is_stone, tokens};

const BARS: &str = "|│┃║";
const DASHES: &str = "-─━═";

/// The rows of such a board, with blanks for the lines between the cells; `None` for other boards.
///
/// ```text
/// +-+-X-+        + + X +
/// | | | |   ->
/// +-O-+-+        + O + +
/// ```
pub(super) fn rows_of_crossings(block: &[(usize, &str)]) -> Option<Vec<(usize, String)>> {
    let is_line_between = |text: &str| {
        let bars = text.chars().filter(|symbol| BARS.contains(*symbol)).count();
        bars >= 3 && text.chars().all(|symbol| symbol.is_whitespace() || BARS.contains(symbol))
    };
    if !block.iter().any(|(_, text)| is_line_between(text)) {
        return None;
    }
    let mut has_stone = false;
    let mut rows = Vec::new();
    for &(line, text) in block {
        if is_line_between(text) || is_words(text) {
            continue;
        }
        // A board with bars beside its cells has its stones between the lines.
        if text.contains(|symbol: char| BARS.contains(symbol)) {
            return None;
        }
        let tokens = tokens(text);
        has_stone |= !is_sequence_of_columns(&tokens) && tokens.iter().any(|(it, _)| is_stone(it));
        let is_dash = |symbol: char| DASHES.contains(symbol);
        rows.push((line, text.chars().map(|it| if is_dash(it) { ' ' } else { it }).collect()));
    }
    has_stone.then_some(rows)
}
