//! Text beside boards that states the side to move.

use super::line::{MAX_LINE_BYTES, is_border, is_digits, is_row, is_words, row_before_words};
use super::token::{BLACK, WHITE};
use crate::games::Collector;
use crate::words::parse_turn;
use tengen_rules::types::Color;

/// Maximum number of characters of a caption in a remark.
const MAX_CAPTION: usize = 60;

/// Lines with one board, or without a board.
pub(super) struct Part<'a> {
    pub(super) lines: Vec<(usize, &'a str)>,
    /// The number of blank lines before them.
    paragraph: usize,
    /// The numbers of the first and the last line with a row.
    rows: Option<(usize, usize)>,
}

impl<'a> Part<'a> {
    pub(super) fn new(lines: &[(usize, &'a str)], paragraph: usize) -> Part<'a> {
        let is_row = |(_, text): &&(usize, &str)| {
            text.len() <= MAX_LINE_BYTES
                && ((is_row(text) && !is_border(text))
                    || is_digits(text, "")
                    || row_before_words(text).is_some())
        };
        let mut rows = lines.iter().filter(is_row).map(|(line, _)| *line);
        let rows = rows.next().map(|first| (first, rows.next_back().unwrap_or(first)));
        Part { lines: lines.to_vec(), paragraph, rows }
    }
}

/// A statement of the side to move.
pub(super) struct Caption {
    text: String,
    side: Color,
}

/// The statement in a line of text, or in the words behind a row.
fn caption(line: &str) -> Option<Caption> {
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
    let side = parse_turn(&plain)?;
    Some(Caption { text: text.chars().take(MAX_CAPTION).collect(), side })
}

/// Takes the captions from the lines of the parts: those beside rows, directly above a board with at
/// most one blank line, and directly below it in its paragraph. A board is read from a stream only up
/// to the blank line behind it.
pub(super) fn take_captions(parts: &mut [Part]) -> Vec<Vec<Caption>> {
    let mut captions: Vec<Vec<Caption>> = parts.iter().map(|_| Vec::new()).collect();
    let boards: Vec<(usize, usize, (usize, usize))> = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| Some((at, part.paragraph, part.rows?)))
        .collect();
    for &(at, _, (first, last)) in &boards {
        let rows = parts[at].lines.iter().filter(|(line, _)| (first..=last).contains(line));
        captions[at].extend(rows.filter_map(|(_, text)| caption(text)));
    }
    let lines = parts
        .iter()
        .flat_map(|part| part.lines.iter().map(|&(line, text)| (part.paragraph, line, text)));
    let texts: Vec<(usize, usize, &str)> = lines.filter(|(.., text)| is_words(text)).collect();
    let (mut are_above, mut taken) = (false, Vec::new());
    for next in 0..=boards.len() {
        let (above, below) = (next.checked_sub(1).map(|it| boards[it]), boards.get(next).copied());
        let begin = texts.partition_point(|text| above.is_some_and(|it| text.1 <= it.2.1));
        let end = texts.partition_point(|text| below.is_none_or(|it| text.1 < it.2.0));
        let texts = &texts[begin..end];
        let (Some(&first), Some(&last)) = (texts.first(), texts.last()) else { continue };
        let is_near = |it: (usize, usize, (usize, usize))| it.1.abs_diff(last.0) <= 1;
        let is_beside = |it: (usize, usize, (usize, usize))| it.1 == last.0;
        let mut of_above = above.filter(|it| it.1 == first.0);
        let mut of_below = below.filter(|&it| is_near(it));
        // Between two boards it belongs to the nearer one, or to that on the side of the first caption.
        if let (Some(a), Some(b), 1) = (above, below, texts.len()) {
            match (is_beside(a), is_beside(b)) {
                (true, false) => of_below = None,
                (false, true) => of_above = None,
                (true, true) if are_above => of_above = None,
                (true, true) => of_below = None,
                (false, false) => of_below = of_below.filter(|_| are_above || !is_near(a)),
            }
        }
        for (board, (_, line, text)) in [(of_above, first), (of_below, last)] {
            let Some((board, caption)) = board.zip(caption(text)) else { continue };
            are_above |= above.is_none();
            taken.push(line);
            captions[board.0].push(caption);
        }
    }
    for part in parts {
        part.lines.retain(|(line, _)| taken.binary_search(line).is_err());
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
    let states = |side: Color| captions.iter().find(|it| it.side == side);
    let reason = if is_marked { "the marked last stone" } else { "the number of stones" };
    match (states(by_stones), states(by_stones.opponent())) {
        (None, Some(caption)) if !is_marked => {
            out.remark(format!("{:?}: {other} to move, not {own} as by {reason}", caption.text));
            return by_stones.opponent();
        }
        (_, Some(caption)) => {
            out.remark(format!("{:?} is not used: {own} to move by {reason}", caption.text));
        }
        (_, None) => {}
    }
    by_stones
}
