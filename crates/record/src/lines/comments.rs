//! Comments in braces, and variations in parentheses.

use std::borrow::Cow;

use super::line::tag;
use super::move_number;
use crate::games::Collector;
use tengen_rules::types::CellText;

/// The text with blanks instead of the comments in braces, and whether there are any. Line breaks
/// stay. Braces in tags and behind `#` begin no comment. A comment that is not closed ends at the
/// next blank line.
pub(super) fn without_braces<'a>(text: &'a str, out: &mut Collector) -> (Cow<'a, str>, bool) {
    // JSON has braces too.
    if !text.contains('{') || text.trim_start().starts_with('{') {
        return (text.into(), false);
    }
    let unclosed = unclosed_braces(text);
    let (mut kept, mut has_comments) = (String::with_capacity(text.len()), false);
    let (mut depth, mut is_unclosed) = (0_usize, false);
    let (mut start, mut first_unclosed) = (0, None);
    for (number, line) in (1_usize..).zip(text.split_inclusive('\n')) {
        is_unclosed &= !line.trim().is_empty();
        let mut is_plain = depth == 0 && !is_unclosed && tag(line).is_some();
        for (at, symbol) in line.char_indices() {
            let is_outside = depth == 0 && !is_unclosed;
            is_plain |= symbol == '#' && is_outside;
            match symbol {
                _ if is_plain || is_unclosed => {}
                '{' if is_outside && unclosed.binary_search(&(start + at)).is_ok() => {
                    is_unclosed = true;
                    first_unclosed.get_or_insert(number);
                }
                '{' => (depth, has_comments) = (depth + 1, true),
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let is_inside = depth > 0 || is_unclosed || !is_outside;
            kept.push(if is_inside && symbol != '\n' { ' ' } else { symbol });
        }
        start += line.len();
    }
    if let Some(number) = first_unclosed {
        let what = "the text from the unclosed brace in line";
        out.leave_out(format!("{what} {number} to the next blank line"));
    }
    (kept.into(), has_comments)
}

/// The positions of the braces that are never closed.
fn unclosed_braces(text: &str) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, symbol) in text.char_indices() {
        match symbol {
            '{' => open.push(at),
            '}' => drop(open.pop()),
            _ => {}
        }
    }
    open
}

/// Removes the variations from the lines of a game. Returns whether there are any.
pub(super) fn leave_out_variations(lines: &mut [(usize, String)]) -> bool {
    let text = lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n");
    let Some(kept) = without_variations(&text) else { return false };
    for ((_, line), kept) in lines.iter_mut().zip(kept.split('\n')) {
        *line = kept.to_string();
    }
    true
}

/// The text without its variations, with its line breaks; `None` if there are no variations. As in PGN, a
/// variation stands in parentheses behind a move. A single cell in parentheses is a move, unless it
/// has a number.
pub(super) fn without_variations(text: &str) -> Option<String> {
    let mut kept = String::with_capacity(text.len());
    let (mut depth, mut start) = (0_usize, 0);
    let mut is_behind_cell = false;
    let mut has_variations = false;
    for (at, symbol) in text.char_indices() {
        if matches!(symbol, '(' | '（') {
            start = if depth == 0 { at } else { start };
            depth += 1;
        }
        if depth == 0 {
            kept.push(symbol);
            if !symbol.is_whitespace() {
                is_behind_cell = symbol.is_alphanumeric() || "!?*".contains(symbol);
            }
        } else if matches!(symbol, ')' | '）') {
            depth -= 1;
            let part = &text[start..at + symbol.len_utf8()];
            if depth == 0 && is_behind_cell && is_variation(part) {
                kept.push(' ');
                kept.extend(part.chars().filter(|&symbol| symbol == '\n'));
                has_variations = true;
            } else if depth == 0 {
                kept += part;
                is_behind_cell = false;
            }
        }
    }
    if depth > 0 {
        kept += &text[start..];
    }
    has_variations.then_some(kept)
}

/// Whether a part in parentheses has several moves, or one with a number.
fn is_variation(part: &str) -> bool {
    let numbered = part.trim_start_matches(['(', '（']).trim_start();
    let least = if move_number(numbered).is_some() { 1 } else { 2 };
    CellText::read_all(part).is_ok_and(|cells| cells.len() >= least)
}
