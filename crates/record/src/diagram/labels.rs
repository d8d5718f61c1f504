//! Signs beside the names of rows: `15:`, `15.`, `15 -`, `#15`. Most of them are also symbols of empty
//! cells, so all rows together decide whether a column of them belongs to the names or to the board.

use std::ops::{Range, RangeInclusive};

use super::line::{is_border, is_columns_of, is_heading, is_row, is_sequence, is_words};
use super::token::{BARS, CLOSING, FRAME, OPENING, Token, narrow, tokens};
use tengen_rules::board::Cell;

/// Signs between a name and the cells.
const INNER: &str = ".:-–—=_;,/~'°·・･、。";
/// Signs before a name, in addition to [`INNER`].
const OUTER: &str = "#№";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A symbol and its place in the line.
type Sign = (char, Range<usize>);

/// A name at one side of a line.
struct Name {
    /// The index of the line.
    line: usize,
    token: Token,
    place: Range<usize>,
    /// The sign at the other side of the name than the cells.
    outer: Option<Sign>,
    /// The sign between the name and the cells.
    inner: Option<Sign>,
    /// Number of blanks between the name and the inner sign.
    before: usize,
    /// Number of blanks between the inner sign and the cells.
    behind: usize,
    /// Whether a bar stands between the inner sign and the cells.
    has_bar: bool,
    /// The line behind the inner sign; reversed if the name is at the right side.
    cells: String,
}

/// The signs that belong to the names at one side, or may belong to them.
struct Signs {
    names: Vec<Name>,
    has_outer: bool,
    has_inner: bool,
    /// Whether the inner signs may also be cells.
    is_doubtful: bool,
    /// Whether the signs touch the names, but no cells, which stand apart from each other.
    touch_names: bool,
}

/// The readings of a board. There are several if signs may be cells; then the first reading has the
/// most cells.
pub(super) struct Readings {
    pub(super) list: Vec<Reading>,
    /// Whether blanks stand between doubtful signs and the cells.
    pub(super) are_apart: bool,
    /// Whether doubtful signs touch the names, but no cells, which stand apart from each other.
    pub(super) touch_names: bool,
}

/// A board without the signs of its names.
pub(super) struct Reading {
    /// The lines without the signs.
    pub(super) lines: Vec<(usize, String)>,
    /// The lines without the signs and the names; `None` if no sign was removed.
    pub(super) cells: Option<Vec<(usize, String)>>,
}

/// Reads the signs beside the names of the rows.
pub(super) fn readings(block: &[(usize, &str)]) -> Readings {
    let sides = [Side::Left, Side::Right].map(|side| signs(block, side));
    let options = |signs: &Option<Signs>| match signs {
        Some(Signs { has_inner: true, is_doubtful: true, .. }) => vec![false, true],
        Some(Signs { has_inner, .. }) => vec![*has_inner],
        None => vec![false],
    };
    let (left, right) = (options(&sides[0]), options(&sides[1]));
    let choices = left.iter().flat_map(|&left| right.iter().map(move |&right| [left, right]));
    let list = choices.map(|choice| reading(block, &sides, choice)).collect();
    let doubtful = || sides.iter().flatten().filter(|side| side.is_doubtful);
    let are_apart = doubtful().any(|side| side.names.iter().any(|name| name.behind > 0));
    let touch_names = doubtful().any(|side| side.touch_names);
    Readings { list, are_apart, touch_names }
}

/// The board without the outer signs, and on each chosen side without the inner ones.
fn reading(block: &[(usize, &str)], sides: &[Option<Signs>; 2], choice: [bool; 2]) -> Reading {
    let mut signs = vec![Vec::new(); block.len()];
    let mut names = vec![Vec::new(); block.len()];
    for (side, has_inner) in sides.iter().zip(choice) {
        let Some(side) = side.as_ref().filter(|side| has_inner || side.has_outer) else { continue };
        for name in &side.names {
            let outer = name.outer.iter().filter(|_| side.has_outer);
            let inner = name.inner.iter().filter(|_| has_inner);
            signs[name.line].extend(outer.chain(inner).map(|(_, place)| place.clone()));
            names[name.line].push(name.place.clone());
        }
    }
    let without = |places: &[Vec<Range<usize>>]| {
        let lines = block.iter().zip(places);
        lines.map(|((line, text), places)| (*line, with_blanks(text, places))).collect()
    };
    let lines = without(&signs);
    let has_signs = signs.iter().any(|places| !places.is_empty());
    for (places, names) in signs.iter_mut().zip(names) {
        places.extend(names);
    }
    Reading { lines, cells: has_signs.then(|| without(&signs)) }
}

/// The text with a blank instead of each of these places.
fn with_blanks(text: &str, places: &[Range<usize>]) -> String {
    let mut text = text.to_string();
    let mut places = places.to_vec();
    places.sort_by_key(|place| place.start);
    for place in places.into_iter().rev() {
        text.replace_range(place, " ");
    }
    text
}

/// The signs of the names at one side; `None` if not all rows have names, or no sign belongs to them.
fn signs(block: &[(usize, &str)], side: Side) -> Option<Signs> {
    let mut names = Vec::new();
    for (line, (_, text)) in block.iter().enumerate() {
        let is_other = || {
            is_words(text)
                || is_border(text)
                || is_heading(text)
                || is_columns_of(text, block.len())
        };
        match name(line, text, side) {
            _ if is_other() => {}
            Some(name) => names.push(name),
            None if is_row(text) => return None,
            None => {}
        }
    }
    if !is_sequence(names.iter().map(|name| &name.token)) {
        return None;
    }
    let symbol = |sign: &Option<Sign>| sign.as_ref().map(|(symbol, _)| *symbol);
    let same = |sign: fn(&Name) -> &Option<Sign>| {
        let first = symbol(sign(&names[0]))?;
        names.iter().all(|name| symbol(sign(name)) == Some(first)).then_some(first)
    };
    let inner = same(|name| &name.inner);
    let outer = same(|name| &name.outer);
    let cells: Vec<&str> = names.iter().map(|name| without_other_name(name, inner)).collect();
    let is_cell = |sign: char| cells.iter().any(|text| text.chars().any(|it| narrow(it) == sign));
    let has_outer = outer.is_some_and(|sign| !is_cell(sign));
    if !has_outer && names.iter().any(|name| name.outer.is_some()) {
        return None;
    }
    let has_empty = cells.iter().any(|text| {
        let is_empty = |token: &Token| matches!(token, Token::Cell(Cell::Empty) | Token::Number(0));
        tokens(text).iter().any(|(token, _)| is_empty(token))
    });
    let between = blanks_between(&cells);
    let are_beside = names.iter().all(|name| name.before == 0);
    let (has_inner, is_doubtful) = match (inner, &between) {
        (None, _) => (false, false),
        (Some(sign), _) if !is_cell(sign) && has_empty => (true, false),
        // Commas between all cells.
        (Some(',' | ';'), _) => (false, false),
        // Cells stand as far from each other as the first one from the next.
        (Some(_), between) if are_beside => {
            let is_cell = |name: &Name| between.as_ref().is_none_or(|it| it.contains(&name.behind));
            (true, names.iter().all(|name| is_cell(name) && !name.has_bar))
        }
        // Columns may stand apart without a reason.
        (Some(_), Some(it)) => (names.iter().all(|name| name.behind > *it.end()), true),
        (Some(_), None) => (false, false),
    };
    let touch_names = are_beside && between.is_some_and(|it| *it.end() > 0);
    (has_outer || has_inner).then_some(Signs {
        names,
        has_outer,
        has_inner,
        is_doubtful,
        touch_names,
    })
}

/// The numbers of blanks between cells: numbers and marks of stones take some. 0 if cells stand side by
/// side, and `None` if no row has several cells.
fn blanks_between(cells: &[&str]) -> Option<RangeInclusive<usize>> {
    // Brackets and stars mark a cell.
    let is_gap =
        |it: char| it.is_whitespace() || it == '*' || OPENING.contains(it) || CLOSING.contains(it);
    let of_row = |text: &&str| {
        let are_joined = text.split(is_gap).any(|word| tokens(word).len() > 1);
        let blanks = text.trim().split(|it: char| !it.is_whitespace());
        let blanks = blanks.map(|blanks| blanks.chars().count()).filter(|count| *count > 0);
        blanks.chain(are_joined.then_some(0)).collect::<Vec<usize>>()
    };
    let all: Vec<usize> = cells.iter().flat_map(of_row).collect();
    Some(*all.iter().min()?..=*all.iter().max()?)
}

/// The cells of a row without the name at its other end and an equal sign beside it.
fn without_other_name(name: &Name, sign: Option<char>) -> &str {
    let cells = name.cells.trim_end();
    let plain = cells.trim_end_matches(char::is_alphanumeric);
    if plain.len() == cells.len() {
        return cells;
    }
    let plain = plain.trim_end();
    let is_sign = |it: char| Some(narrow(it)) == sign;
    plain.strip_suffix(is_sign).unwrap_or(plain)
}

/// The name at one side of a line, with the signs beside it.
fn name(line: usize, text: &str, side: Side) -> Option<Name> {
    let mut symbols: Vec<(usize, char)> = text.char_indices().collect();
    if side == Side::Right {
        symbols.reverse();
    }
    let bytes = |(at, symbol): (usize, char)| at..at + symbol.len_utf8();
    let sign = |at: usize, signs: &[&str]| {
        let found = symbols.get(at)?;
        let symbol = narrow(found.1);
        signs.iter().any(|list| list.contains(symbol)).then(|| (symbol, bytes(*found)))
    };
    let is_bracket = |it: char| OPENING.contains(it) || CLOSING.contains(it);
    let is_blank = |it: char| it.is_whitespace();
    let count = |from: usize, is_skipped: &dyn Fn(char) -> bool| {
        symbols[from..].iter().take_while(|(_, symbol)| is_skipped(*symbol)).count()
    };
    let before_cells = |it: char| is_blank(it) || is_bracket(it) || FRAME.contains(it);
    let mut at = count(0, &before_cells);
    let outer = sign(at, &[INNER, OUTER]);
    if outer.is_some() {
        at += 1;
        at += count(at, &before_cells);
    }
    let length = count(at, &char::is_alphanumeric);
    let letters = &symbols[at..at + length];
    let (first, last) = (bytes(*letters.first()?), bytes(*letters.last()?));
    let place = first.start.min(last.start)..first.end.max(last.end);
    let [(token @ (Token::Number(_) | Token::Letter(_)), _)] = &tokens(&text[place.clone()])[..]
    else {
        return None;
    };
    let token = token.clone();
    at += length;
    at += count(at, &is_bracket);
    let before = count(at, &is_blank);
    let inner = sign(at + before, &[INNER]);
    at += before + usize::from(inner.is_some());
    let behind = count(at, &|it| is_blank(it) || is_bracket(it));
    let has_bar = symbols.get(at + behind).is_some_and(|(_, it)| BARS.contains(it));
    let cells = symbols[at..].iter().map(|(_, symbol)| *symbol).collect();
    Some(Name { line, token, place, outer, inner, before, behind, has_bar, cells })
}
