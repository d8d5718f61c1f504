//! Boards with bars or commas between the cells. A blank field is an empty cell.

use super::blanks::BLANK_CELLS;
use super::line::{MAX_LINE_BYTES, is_columns_of, is_sequence, is_sequence_of_columns, is_words};
use super::token::{BARS, Token, tokens};
use crate::RecordError;
use crate::text::is_fence;
use tengen_rules::board::Cell;

const DASHES: &str = "-─━═_";
/// The separators of the fields of spreadsheets.
const COMMAS: [[char; 1]; 3] = [[','], [';'], ['\t']];

/// The number of a line and its text.
type Row = (usize, String);
/// A row and its place among the lines of the board.
type Placed = (usize, Row);

/// A line with bars or commas.
struct Line {
    /// Its place among the lines of the board.
    at: usize,
    number: usize,
    fields: Vec<String>,
}

impl Line {
    fn first(&self) -> &str {
        &self.fields[0]
    }

    fn last(&self) -> &str {
        &self.fields[self.fields.len() - 1]
    }

    fn inner(&self) -> &[String] {
        &self.fields[1..self.fields.len() - 1]
    }
}

/// The rows of such a board, with points for blank fields and without the lines between rows; `None`
/// for other boards.
///
/// ```text
///    | X |                 . X .
/// ---+---+---     ->       O . .
///  O |   |
/// ```
///
/// # Errors
/// When blanks beside the bars can be cells or an indentation.
pub(super) fn rows_of_fields(block: &[(usize, &str)]) -> Result<Option<Vec<Row>>, RecordError> {
    if block.iter().any(|(_, text)| text.len() > MAX_LINE_BYTES) {
        return Ok(None);
    }
    if let Some(rows) = rows_with_bars(block)? {
        return Ok(Some(rows));
    }
    for comma in COMMAS {
        if let Some(rows) = rows_with_commas(block, comma)? {
            return Ok(Some(rows));
        }
    }
    Ok(None)
}

fn rows_with_bars(block: &[(usize, &str)]) -> Result<Option<Vec<Row>>, RecordError> {
    let mut rules = Vec::new();
    let Some((mut lines, others)) = divide(block, &BARS, &mut rules) else { return Ok(None) };
    // `|-|-|-|` and `|___|___|` are rows if other rows have such cells.
    let fields = |at: usize| block[at].1.split(BARS).map(str::trim);
    let is_drawn = |field: &str| field == "-" || (field.starts_with('_') && field.ends_with('_'));
    if lines.iter().any(|line| fields(line.at).any(is_drawn)) {
        rules.retain(|&at| {
            let is_row = fields(at).all(|field| field.is_empty() || is_drawn(field));
            let (number, text) = block[at];
            let row = fields_of(text, &BARS).filter(|_| is_row);
            let is_rule = row.is_none();
            lines.extend(row.map(|fields| Line { at, number, fields }));
            is_rule
        });
        lines.sort_by_key(|line| line.at);
    }
    let lines = without_padding(without_lines_between(lines, &rules), &rules);
    let is_outer = outer_are_cells(&lines, rules.first().map(|&at| block[at].1))?;
    if let Some(line) = framed_blanks(&lines, is_outer) {
        return Err(RecordError::new(BLANK_CELLS).at_line(line));
    }
    Ok(Some(joined(&lines, others, is_outer, is_outer)))
}

fn rows_with_commas(
    block: &[(usize, &str)],
    comma: [char; 1],
) -> Result<Option<Vec<Row>>, RecordError> {
    let Some((lines, others)) = divide(block, &comma, &mut Vec::new()) else { return Ok(None) };
    // Beside symbols of empty cells, tabs are blanks between cells.
    let has = |is_wanted: fn(&str) -> bool| {
        lines.iter().flat_map(Line::inner).any(|field| is_wanted(field))
    };
    if comma == ['\t'] && (!has(is_blank) || has(is_empty)) {
        return Ok(None);
    }
    if let Some(line) = framed_blanks(&lines, true) {
        return Err(RecordError::new(BLANK_CELLS).at_line(line));
    }
    // A comma may follow the last cell.
    let is_last = lines.iter().any(|line| {
        !is_blank(line.last())
            || is_blank(line.first())
            || line.inner().iter().any(|it| is_blank(it))
    });
    Ok(Some(joined(&lines, others, true, is_last)))
}

/// The lines with separators, and the other lines with their places; `rules` receives the places of
/// the lines between rows. `None` if there are lines of another kind.
fn divide(
    block: &[(usize, &str)],
    separators: &[char],
    rules: &mut Vec<usize>,
) -> Option<(Vec<Line>, Vec<Placed>)> {
    let (mut lines, mut others) = (Vec::new(), Vec::new());
    for (at, &(number, text)) in block.iter().enumerate() {
        if is_fence(text) || is_words(text) || is_columns_of(text, block.len()) {
            others.push((at, (number, text.to_string())));
        } else if is_heading(text, separators) {
            others.push((at, (number, text.replace(separators, " "))));
        } else if separators == BARS && is_rule(text) {
            rules.push(at);
        } else {
            lines.push(Line { at, number, fields: fields_of(text, separators)? });
        }
    }
    (!lines.is_empty()).then_some((lines, others))
}

/// The fields of a line; `None` if there is only one, or one has several symbols.
fn fields_of(text: &str, separators: &[char]) -> Option<Vec<String>> {
    let fields: Vec<String> = if separators != BARS {
        // A comma may follow a list in a program, and the cells may be in quotes.
        let text = text.trim_end_matches([' ', '\r']);
        let list = text.strip_suffix(',').filter(|list| list.ends_with([']', '}', ')']));
        let fields = list.unwrap_or(text).split(separators);
        fields.map(|field| field.replace(['\'', '"'], "")).collect()
    } else {
        // `_X_` stands on a line that is drawn. `_` is a cell.
        let is_underlined =
            |word: &str| word.chars().count() > 1 && word.starts_with('_') && word.ends_with('_');
        let plain = |word: &str| match is_underlined(word.trim_end()) {
            true => word.replace('_', " "),
            false => word.to_string(),
        };
        let field = |field: &str| field.split_inclusive(char::is_whitespace).map(plain).collect();
        text.split(separators).map(field).collect()
    };
    let is_single = fields.iter().all(|field| tokens(field).len() <= 1);
    (fields.len() > 1 && is_single).then_some(fields)
}

fn is_blank(field: &str) -> bool {
    tokens(field).is_empty()
}

/// Whether a field has a symbol of an empty cell.
fn is_empty(field: &str) -> bool {
    matches!(tokens(field)[..], [(Token::Cell(Cell::Empty) | Token::Number(0), _)])
}

/// Whether a line lists the names of the columns, maybe with separators between them.
fn is_heading(text: &str, separators: &[char]) -> bool {
    let names = tokens(&text.replace(separators, " "));
    let fields: Vec<&str> = text.split(separators).map(str::trim).collect();
    let named = fields.iter().skip_while(|field| field.is_empty());
    // Without blank fields between the names.
    let is_full =
        names.len() > 2 && named.take_while(|field| !field.is_empty()).count() == names.len();
    (fields.len() == 1 || is_full) && is_sequence_of_columns(&names)
}

/// Whether a line only has symbols of lines between rows.
fn is_rule(text: &str) -> bool {
    let is_part = |symbol: char| {
        symbol.is_whitespace()
            || "-_+|".contains(symbol)
            || ('\u{2500}'..='\u{257f}').contains(&symbol)
    };
    text.contains(|symbol: char| DASHES.contains(symbol)) && text.chars().all(is_part)
}

/// Whether cells stand before the first bars and behind the last ones, and not coordinates or
/// nothing. `rule` is the first line between rows.
fn outer_are_cells(lines: &[Line], rule: Option<&str>) -> Result<bool, RecordError> {
    let (firsts, lasts): (Vec<&str>, Vec<&str>) =
        lines.iter().map(|line| (line.first(), line.last())).unzip();
    let are_blank = |fields: &[&str]| fields.iter().all(|field| is_blank(field));
    let width = |text: &str| text.chars().count();
    let cell = lines.iter().find_map(|line| line.inner().first()).map(|field| width(field));
    let ambiguous = || {
        let expected = "a symbol such as . in empty cells, or bars around all rows";
        let reason = format!("blanks beside the outer bars may be cells (expected {expected})");
        Err(RecordError::new(reason).at_line(lines[0].number))
    };
    // `1   | X |  `: a blank cell may stand behind a coordinate.
    let behind = |text: &&str| Some(width(text) - width(text.trim_end())) >= cell;
    let is_open = lasts.iter().any(|field| !field.is_empty()) && !are_coordinates(&lasts);
    if is_open && are_coordinates(&firsts) && firsts.iter().all(behind) {
        return ambiguous();
    }
    if [&firsts, &lasts].into_iter().any(|it| !are_blank(it) && !are_coordinates(it)) {
        return Ok(true);
    }
    let has_start = firsts.iter().any(|field| field.is_empty());
    if has_start || !are_blank(&firsts) || !are_blank(&lasts) {
        return Ok(false);
    }
    if let Some(rule) = rule {
        return Ok(width(rule) - width(rule.trim_start()) < width(firsts[0]));
    }
    // The blanks are as wide as a cell, or an indentation.
    let has_blank = lines.iter().any(|line| line.inner().iter().any(|field| is_blank(field)));
    let are_wide = |fields: &[&str]| fields.iter().all(|field| Some(width(field)) == cell);
    match () {
        () if !has_blank || !are_wide(&firsts) => Ok(false),
        () if are_wide(&lasts) => Ok(true),
        () => ambiguous(),
    }
}

/// The first line with room for several cells on a board whose bars or commas only stand beside the
/// rows.
///
/// ```text
/// +-----+
/// | X   |
/// +-----+
/// ```
fn framed_blanks(lines: &[Line], is_outer: bool) -> Option<usize> {
    let (firsts, lasts): (Vec<&str>, Vec<&str>) =
        lines.iter().map(|line| (line.first(), line.last())).unzip();
    let start = usize::from(!is_outer || are_coordinates(&firsts));
    let behind = usize::from(!is_outer || are_coordinates(&lasts));
    let mut column = None;
    let mut wide = None;
    for line in lines {
        let fields = line.fields.get(start..line.fields.len() - behind)?;
        for (at, field) in fields.iter().enumerate().filter(|(_, field)| !field.is_empty()) {
            if *column.get_or_insert(at) != at {
                return None;
            }
            if field.chars().count() > 1 {
                wide.get_or_insert(line.number);
            }
        }
    }
    wide
}

/// Whether fields are the coordinates of the rows.
fn are_coordinates(fields: &[&str]) -> bool {
    let name = |field: &&str| tokens(field).first().map(|(token, _)| token.clone());
    let Some(names) = fields.iter().map(name).collect::<Option<Vec<Token>>>() else { return false };
    is_sequence(names.iter()) || matches!(names[..], [Token::Number(_)])
}

/// The lines of a board without the lines of bars between its rows; boards whose blanks may be cells
/// are unchanged.
///
/// ```text
/// |X|+|+|
/// | | | |   ->   |X|+|+|
/// |+|O|+|        |+|O|+|
/// ```
fn without_lines_between(lines: Vec<Line>, rules: &[usize]) -> Vec<Line> {
    let rows = || lines.iter().step_by(2);
    let mut between = lines.iter().skip(1).step_by(2);
    let are_full = rows().all(|row| !row.inner().iter().any(|field| is_blank(field)));
    let are_blank = between.all(|line| line.fields.iter().all(|field| is_blank(field)));
    let firsts: Vec<&str> = rows().map(Line::first).collect();
    // Otherwise blanks can be the only empty cells.
    let is_sure = rows().any(|row| row.fields.iter().any(|field| is_empty(field)))
        || are_coordinates(&firsts);
    let is_drawn = rules.is_empty() && lines.len() > 2 && !lines.len().is_multiple_of(2);
    match is_drawn && are_full && are_blank && is_sure {
        true => lines.into_iter().step_by(2).collect(),
        false => lines,
    }
}

/// The lines of a board whose cells are several lines high, one for each row; other boards are
/// unchanged.
fn without_padding(lines: Vec<Line>, rules: &[usize]) -> Vec<Line> {
    let group = |line: &Line| rules.iter().filter(|&&rule| rule < line.at).count();
    let has_symbols = |line: &&Line| !line.fields.iter().all(|field| is_blank(field));
    let groups: Vec<&[Line]> = lines.chunk_by(|a, b| group(a) == group(b)).collect();
    let is_high = groups.len() > 1
        && groups.iter().all(|it| it.len() > 1 && it.iter().filter(has_symbols).count() <= 1);
    if !is_high {
        return lines;
    }
    let row = |group: &&[Line]| group.iter().find(has_symbols).unwrap_or(&group[0]).at;
    let rows: Vec<usize> = groups.iter().map(row).collect();
    lines.into_iter().filter(|line| rows.contains(&line.at)).collect()
}

/// The lines as rows without separators, among the other lines. Blank fields at an end are cells if
/// `is_first` or `is_last` is set.
fn joined(lines: &[Line], others: Vec<Placed>, is_first: bool, is_last: bool) -> Vec<Row> {
    let row = |line: &Line| {
        let end = line.fields.len() - 1;
        let field = |(at, field): (usize, &String)| match is_blank(field) {
            true if (at == 0 && !is_first) || (at == end && !is_last) => " ".to_string(),
            true => " . ".to_string(),
            false => field.clone(),
        };
        let fields: Vec<String> = line.fields.iter().enumerate().map(field).collect();
        (line.at, (line.number, fields.join(" ")))
    };
    let mut rows: Vec<Placed> = lines.iter().map(row).chain(others).collect();
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}
