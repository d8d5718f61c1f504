//! Text beside boards that states the side to move.

use super::line::{MAX_LINE_BYTES, is_border, is_digits, is_row, is_words, row_before_words};
use super::token::{BLACK, WHITE};
use crate::games::Collector;
use crate::words::{Turn, parse_turn};
use tengen_rules::types::Color;

/// Maximum number of characters of a caption in a remark.
const MAX_CAPTION: usize = 60;

/// Lines with one board, or without a board.
pub(super) struct Part<'a> {
    pub(super) lines: &'a [(usize, &'a str)],
    /// The number of blank lines before them.
    paragraph: usize,
    /// The numbers of the first and the last line with a row.
    rows: Option<(usize, usize)>,
}

impl<'a> Part<'a> {
    pub(super) fn new(lines: &'a [(usize, &'a str)], paragraph: usize) -> Part<'a> {
        let is_row = |(_, text): &&(usize, &str)| {
            text.len() <= MAX_LINE_BYTES
                && ((is_row(text) && !is_border(text))
                    || is_digits(text, "")
                    || row_before_words(text).is_some())
        };
        let mut rows = lines.iter().filter(is_row).map(|(line, _)| *line);
        let rows = rows.next().map(|first| (first, rows.next_back().unwrap_or(first)));
        Part { lines, paragraph, rows }
    }
}

/// A statement of the side to move.
#[derive(Clone)]
pub(super) struct Caption {
    pub(super) text: String,
    /// `None` if it is unclear.
    pub(super) side: Option<Color>,
}

/// The statement in a line of text, or in the words behind a row.
pub(super) fn caption(line: &str) -> Option<Caption> {
    if line.len() > MAX_LINE_BYTES || !is_words(line) {
        return None;
    }
    let row = row_before_words(line).unwrap_or_default();
    let text = line[row.len()..].trim();
    let mut plain = String::new();
    for symbol in text.chars() {
        // Stones stand for the players.
        match symbol {
            _ if symbol.is_ascii() || symbol.is_alphabetic() => plain.push(symbol),
            _ if BLACK.contains(symbol) => plain.push_str(" black "),
            _ if WHITE.contains(symbol) => plain.push_str(" white "),
            _ => plain.push(symbol),
        }
    }
    let side = match parse_turn(&plain)? {
        Turn::Side(side) => Some(side),
        Turn::Unclear => None,
    };
    Some(Caption { text: text.chars().take(MAX_CAPTION).collect(), side })
}

/// The captions of each part. A caption belongs to the board in whose rows or paragraph it stands.
/// Others belong to the board below them if one stands above the first board, else to the board above.
pub(super) fn captions(parts: &[Part]) -> Vec<Vec<Caption>> {
    let mut captions = vec![Vec::new(); parts.len()];
    let boards: Vec<(usize, &Part, (usize, usize))> =
        parts.iter().enumerate().filter_map(|(at, part)| Some((at, part, part.rows?))).collect();
    let mut are_above = None;
    for part in parts {
        for (line, text) in part.lines {
            let Some(caption) = caption(text) else { continue };
            let next = boards.partition_point(|(_, _, rows)| rows.0 <= *line);
            let above = next.checked_sub(1).map(|before| boards[before]);
            let below = boards.get(next).copied();
            let are_above = *are_above.get_or_insert(above.is_none());
            let is_beside =
                |board: &(usize, &Part, (usize, usize))| board.1.paragraph == part.paragraph;
            let is_within = above.is_some_and(|(_, _, rows)| *line <= rows.1);
            let found = match (above, below) {
                (Some(board), _) if is_within => Some(board),
                (Some(a), Some(b)) if is_beside(&a) != is_beside(&b) => {
                    Some(if is_beside(&a) { a } else { b })
                }
                (Some(a), Some(b)) => Some(if are_above { b } else { a }),
                (a, b) => a.or(b),
            };
            if let Some((at, _, _)) = found {
                captions[at].push(caption);
            }
        }
    }
    captions
}

/// The side to move of a board: that of its captions, unless the last stone is marked. `by_stones` is
/// the side by the mark or by the number of stones.
pub(super) fn side_to_move(
    by_stones: Color,
    is_marked: bool,
    captions: &[Caption],
    out: &mut Collector,
) -> Color {
    let (other, own) = (by_stones.opponent().name(), by_stones.name());
    let states = |side: Color| captions.iter().find(|it| it.side == Some(side));
    let reason = if is_marked { "the marked last stone" } else { "the number of stones" };
    match (states(by_stones), states(by_stones.opponent()), captions.first()) {
        (None, Some(caption), _) if !is_marked => {
            out.remark(format!("{:?}: {other} to move, not {own} as by {reason}", caption.text));
            return by_stones.opponent();
        }
        (_, Some(caption), _) | (None, None, Some(caption)) => {
            out.remark(format!("{:?} is not used: {own} to move by {reason}", caption.text));
        }
        (_, None, _) => {}
    }
    by_stones
}
