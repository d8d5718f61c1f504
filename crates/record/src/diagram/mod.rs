//! Board diagrams, one row per line. Blank lines separate boards.
//!
//! The writer uses `X` for black, `O` for white, `#` for cells out of play and `.` for empty cells.
//! The reader also accepts the diagrams of other programs: discs, letters and numbers for stones,
//! lines and star points for empty cells, brackets around the last stone, coordinates on any side,
//! and frames.

mod blanks;
mod captions;
mod fields;
mod grid;
mod labels;
mod line;
#[cfg(test)]
mod tests;
mod token;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use self::blanks::{BLANK_CELLS, has_blank_cells, line_with_blanks, line_with_wide_brackets};
use self::captions::{Caption, Part, side_to_move, take_captions};
use self::fields::rows_of_fields;
use self::grid::{rows_of_crossings, rows_of_dashes};
use self::labels::{Reading, Readings, readings};
use self::line::{
    MAX_LINE_BYTES, count_of_columns, is_border, is_columns_of, is_sequence,
    is_sequence_of_columns, is_words, row_before_words,
};
use self::token::{BARS, FRAME, Marked, Token, digits, fields, stone, tokens};
use super::games::Collector;
use super::pairs::is_joined;
use super::{Cursor, GameRecord, RecordError, SetUp};
use tengen_rules::board::Cell;
use tengen_rules::types::{BoardSize, Color, MAX_SIDE, Point};

pub(super) use self::line::{is_digits, is_heading, is_named_row, is_row};
pub(super) use self::token::is_symbol;

/// Maximum number of lines without a blank line between them: far more than a board has. Otherwise a
/// large file of short rows would take a hundred times its size.
const MAX_LINES: usize = 1000;

/// A row of a diagram with its line number.
struct Row<'a> {
    line: usize,
    text: &'a str,
    tokens: Vec<Marked>,
}

/// Whether three rows follow lines of text and the names of the columns.
pub(super) fn is_board_after_text(text: &str) -> bool {
    let is_before = |line: &&str| {
        line.trim().is_empty() || is_border(line) || is_heading(line) || is_words(line)
    };
    let rows = text.lines().skip_while(is_before).take(3);
    rows.filter(|line| is_row(line)).count() == 3
}

/// Whether blank lines, equally many, follow each row.
fn is_double_spaced(text: &str) -> bool {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let is_row = |line: &&str| is_row(line) || is_digits(line, "");
    let Some(first) = lines.iter().position(is_row) else { return false };
    let blanks = lines[first + 1..].iter().take_while(|line| line.trim().is_empty()).count();
    let rows = || lines[first..].iter().step_by(blanks + 1);
    let is_board = rows().take(MAX_LINES).filter(|line| is_row(line)).count() >= 3;
    let filled = lines[first..].iter().filter(|line| !line.trim().is_empty());
    blanks > 0
        && is_board
        && rows().all(|line| !line.trim().is_empty())
        && filled.count() == rows().count()
}

/// Reads each board as a game that starts from it.
pub(super) fn read(text: &str, out: &mut Collector) {
    if has_blank_cells(text) {
        out.add(Err(RecordError::new(BLANK_CELLS)));
        return;
    }
    let is_spaced = is_double_spaced(text);
    let is_blank = |(_, line): &(usize, &str)| line.trim().is_empty();
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter(|line| !is_spaced || !is_blank(line)).collect();
    let mut parts = Vec::new();
    for (paragraph, lines) in lines.split(is_blank).enumerate().filter(|(_, it)| !it.is_empty()) {
        divide(&lines[..lines.len().min(MAX_LINES + 1)], paragraph, &mut parts);
    }
    let captions = take_captions(&mut parts);
    for (part, captions) in parts.iter().zip(captions).filter(|(part, _)| !part.lines.is_empty()) {
        read_board(&part.lines, &captions, out);
    }
}

/// Divides a paragraph into parts with one board each. Words separate boards.
fn divide<'a>(paragraph: &'a [(usize, &'a str)], number: usize, parts: &mut Vec<Part<'a>>) {
    let is_text = |(_, line): &(usize, &str)| is_words(line) && row_before_words(line).is_none();
    let is_board_row = |(_, line): &(usize, &str)| {
        line.len() <= MAX_LINE_BYTES && (is_row(line) || row_before_words(line).is_some())
    };
    let mut rest = paragraph;
    while let Some(first) = rest.iter().position(is_board_row) {
        let text = rest[first..].iter().position(is_text).map(|at| at + first);
        let next = text.and_then(|text| Some(text + rest[text..].iter().position(is_board_row)?));
        let Some(next) = next else { break };
        // Column names above the next board belong to it.
        let last_text = rest[..next].iter().rposition(is_text).unwrap_or(next);
        parts.push(Part::new(&rest[..=last_text], number));
        rest = &rest[last_text + 1..];
    }
    if !rest.is_empty() {
        parts.push(Part::new(rest, number));
    }
}

/// Reads the board in these lines.
fn read_board(block: &[(usize, &str)], captions: &[Caption], out: &mut Collector) {
    match board(block, captions, out) {
        // A paragraph of words before or after a board.
        Err(_) if !has_row(block) && block.iter().any(|it| is_words(it.1)) => {
            out.leave_out("text beside a board");
        }
        game => out.add(game),
    }
}

fn has_row(block: &[(usize, &str)]) -> bool {
    block.iter().any(|(_, line)| is_row(line) || is_digits(line, ""))
}

/// Reads the board in these lines.
fn board(
    block: &[(usize, &str)],
    captions: &[Caption],
    out: &mut Collector,
) -> Result<GameRecord, RecordError> {
    ensure_limits(block)?;
    let block: Vec<(usize, &str)> =
        block.iter().map(|&(line, text)| (line, row_before_words(text).unwrap_or(text))).collect();
    if let Some(rows) = rows_of_digits(&block) {
        return game(&rows, None, captions, out);
    }
    let readings = readings(&block);
    let kept = out.remarks_of_game();
    let read = |reading: &Reading, out: &mut Collector| {
        out.forget_remarks(kept);
        let digits = reading.cells.as_ref().and_then(|cells| rows_of_digits(&borrowed(cells)));
        match digits {
            Some(rows) => game(&rows, None, captions, out),
            None => plain_board(&borrowed(&reading.lines), captions, out),
        }
    };
    let [reading] = &readings.list[..] else {
        let games: Vec<_> = readings.list.iter().map(|reading| read(reading, out)).collect();
        let chosen = choose(&games, &readings).map_err(|error| error.at_line(block[0].0))?;
        return read(&readings.list[chosen], out);
    };
    read(reading, out)
}

fn borrowed(lines: &[(usize, String)]) -> Vec<(usize, &str)> {
    lines.iter().map(|(line, text)| (*line, text.as_str())).collect()
}

/// The index of the right reading among those with and without a column of equal signs beside the names
/// of the rows: column names refute the others, or it alone is square. Signs directly beside the cells
/// are cells otherwise, and so are signs apart from the names.
fn choose(
    games: &[Result<GameRecord, RecordError>],
    readings: &Readings,
) -> Result<usize, RecordError> {
    let valid =
        || games.iter().enumerate().filter_map(|(at, game)| Some((at, game.as_ref().ok()?)));
    let is_square = |game: &GameRecord| game.size.width() == game.size.height();
    let only = |mut found: Vec<(usize, &GameRecord)>| {
        found.dedup_by(|a, b| a.1 == b.1);
        if let [(at, _)] = found[..] { Some(at) } else { None }
    };
    let Some((first, _)) = valid().next() else { return Ok(0) };
    let square = || only(valid().filter(|(_, game)| is_square(game)).collect());
    match only(valid().collect()).or_else(|| square().filter(|_| readings.are_apart)) {
        Some(at) => Ok(at),
        None if !(readings.touch_names && readings.are_apart) => Ok(first),
        None => Err(RecordError::new(
            "the signs beside the names of the rows may be cells (expected column names, or names \
             of rows without signs)",
        )),
    }
}

/// Reads a board whose names of rows have no signs.
fn plain_board(
    block: &[(usize, &str)],
    captions: &[Caption],
    out: &mut Collector,
) -> Result<GameRecord, RecordError> {
    let plain = match rows_of_dashes(block).or_else(|| rows_of_crossings(block)) {
        None => rows_of_fields(block)?,
        plain => plain,
    };
    let plain = plain.as_deref().map(borrowed);
    let Lines { mut rows, blank, columns } = lines_of(plain.as_deref().unwrap_or(block), out)?;
    let wide = line_with_wide_brackets(&rows).filter(|_| plain.is_none());
    if let Some(line) = wide {
        return Err(RecordError::new(BLANK_CELLS).at_line(line));
    }
    let (is_left, is_right) = strip_coordinates(&mut rows);
    ensure_columns(&rows, columns)?;
    turn_letters_to_marks(&mut rows);
    let symbols = Symbols::of(&rows);
    // Lines between the cells show the columns, and numbers of moves are not equally wide.
    let is_even = plain.is_none() && !symbols.has_numbers;
    let blanks = || line_with_blanks(&rows, is_left, is_right).filter(|_| is_even);
    if symbols.is_full
        && let Some(line) = blank.or_else(blanks)
    {
        return Err(RecordError::new(BLANK_CELLS).at_line(line));
    }
    let stars = match symbols.has_stars && symbols.has_white && !symbols.has_black {
        true if are_star_points(&rows) => {
            out.remark("the stars are read as empty cells (expected X for black stones)");
            Cell::Empty
        }
        true => {
            out.remark("the stars are read as black stones, since the board has no others");
            Cell::Black
        }
        false => Cell::Empty,
    };
    let (cells, last) = cells(&rows, &symbols, stars, out)?;
    game(&cells, last, captions, out)
}

/// Checks the number of lines and their length.
fn ensure_limits(block: &[(usize, &str)]) -> Result<(), RecordError> {
    if let Some((line, _)) = block.get(MAX_LINES) {
        let reason = format!("more than {MAX_LINES} lines without a blank line");
        return Err(RecordError::new(reason).at_line(*line));
    }
    let is_long = |(_, text): &&(usize, &str)| text.len() > MAX_LINE_BYTES && !is_words(text);
    if let Some((line, text)) = block.iter().find(is_long) {
        let reason =
            format!("line of {} bytes (at most {MAX_LINE_BYTES} are supported)", text.len());
        return Err(RecordError::new(reason).at_line(*line));
    }
    Ok(())
}

/// The rows of a board of digits; `None` for other boards.
fn rows_of_digits(block: &[(usize, &str)]) -> Option<Cells> {
    let rows: Vec<Vec<Cell>> = block.iter().map(|(_, line)| digits(line)).collect::<Option<_>>()?;
    // Lines of bars are between all rows, or rows of blank cells.
    let is_drawn =
        |(row, (_, line)): (&Vec<Cell>, &(usize, &str))| row.is_empty() && line.contains('|');
    let are_between = !rows.iter().zip(block).any(is_drawn)
        || rows.iter().enumerate().all(|(at, row)| row.is_empty() != at.is_multiple_of(2));
    let lines = block.iter().map(|(line, _)| *line);
    are_between.then(|| lines.zip(rows).filter(|(_, row)| !row.is_empty()).collect())
}

/// What the symbols of all cells of a board are.
struct Symbols {
    /// Whether letters stand for stones. Then numbers are marks on empty cells.
    has_letters: bool,
    has_numbers: bool,
    /// Whether numbers count moves.
    has_moves: bool,
    has_stars: bool,
    has_black: bool,
    has_white: bool,
    has_empty: bool,
    /// Whether no symbol is an empty cell.
    is_full: bool,
    /// Whether each row begins or ends with a letter other than those of stones, maybe its name.
    may_have_names: bool,
}

impl Symbols {
    fn of(rows: &[Row]) -> Symbols {
        let all = || rows.iter().flat_map(|row| row.tokens.iter().map(|(token, _)| token));
        let is_letter =
            |token: &Token| matches!(token, Token::Letter(letter) if stone(*letter).is_some());
        let has_letters = all().any(is_letter);
        let is_name = |token: Option<&Marked>| matches!(token, Some((Token::Letter(letter), _)) if stone(*letter).is_none());
        let is_number = |number: i64| number > 0 && !has_letters;
        let has = |color| {
            all().any(|token| match token {
                Token::Cell(cell) => *cell == Cell::stone(color),
                Token::Letter(letter) => stone(*letter) == Some(color),
                Token::Number(number) => is_number(*number),
                Token::Star | Token::Mark(_) | Token::Other(_) => false,
            })
        };
        Symbols {
            has_letters,
            has_numbers: all().any(|token| matches!(token, Token::Number(_))),
            has_moves: all().any(|token| matches!(token, Token::Number(3..))),
            has_stars: all().any(|token| *token == Token::Star),
            has_black: has(Color::Black),
            has_white: has(Color::White),
            has_empty: all().any(|token| *token == Token::Cell(Cell::Empty)),
            is_full: all().all(|token| match token {
                Token::Cell(cell) => *cell != Cell::Empty,
                Token::Number(number) => is_number(*number),
                Token::Star => false,
                Token::Letter(_) | Token::Mark(_) | Token::Other(_) => true,
            }),
            may_have_names: rows.iter().all(|row| is_name(row.tokens.first()))
                || rows.iter().all(|row| is_name(row.tokens.last())),
        }
    }

    /// Whether other letters can only be marks: there are stones of both colors and symbols of empty
    /// cells, and no numbers or letters that may be names of rows.
    fn allow_marks(&self) -> bool {
        let may_have_names = self.has_numbers || self.may_have_names;
        self.has_black && self.has_white && self.has_empty && !may_have_names
    }
}

/// The cells of the rows, with the numbers of their lines.
type Cells = Vec<(usize, Vec<Cell>)>;
/// The column, the row and the contents of the cell with the marked last stone.
type LastStone = Option<(usize, usize, Cell)>;

/// The cells of the rows, and the last stone. `stars` is the meaning of stars.
fn cells(
    rows: &[Row],
    symbols: &Symbols,
    stars: Cell,
    out: &mut Collector,
) -> Result<(Cells, LastStone), RecordError> {
    let (mut numbers, mut marks) = (BTreeSet::new(), BTreeSet::new());
    let mut last = None;
    let mut cells = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        let mut line = Vec::new();
        for (x, (token, marked)) in row.tokens.iter().enumerate() {
            let cell = match token {
                Token::Cell(cell) => *cell,
                Token::Star => stars,
                Token::Letter(letter) if stone(*letter).is_some() => {
                    Cell::stone(stone(*letter).unwrap_or(Color::Black))
                }
                Token::Number(_) if symbols.has_letters => Cell::Empty,
                // Numbers count moves; odd ones are black. 0 is an empty cell.
                Token::Number(0) => Cell::Empty,
                Token::Number(number) if symbols.has_moves && !numbers.insert(*number) => {
                    let reason = format!("{number} is on two cells (expected numbers of moves)");
                    return Err(RecordError::new(reason).at_line(row.line));
                }
                Token::Number(number) if (1..=1296).contains(number) => {
                    Cell::stone(if number % 2 == 1 { Color::Black } else { Color::White })
                }
                Token::Number(number) => return Err(no_cell(&number.to_string(), row.line)),
                Token::Letter(symbol) | Token::Mark(symbol) if symbols.allow_marks() => {
                    marks.insert(*symbol);
                    Cell::Empty
                }
                Token::Letter(symbol) | Token::Mark(symbol) | Token::Other(symbol) => {
                    return Err(no_cell(&symbol.to_string(), row.line));
                }
            };
            if *marked && let Cell::Black | Cell::White = cell {
                last = Some((x, y, cell));
            }
            line.push(cell);
        }
        cells.push((row.line, line));
    }
    if !marks.is_empty() {
        let marks: Vec<String> = marks.into_iter().map(String::from).collect();
        out.remark(format!("{} are read as marks of empty cells", marks.join(", ")));
    }
    Ok((cells, last))
}

/// The lines of a board.
#[derive(Default)]
struct Lines<'a> {
    /// Those with cells.
    rows: Vec<Row<'a>>,
    /// The number of the first line in a frame without a symbol.
    blank: Option<usize>,
    /// The numbers of columns that fit the column names.
    columns: Option<RangeInclusive<usize>>,
}

/// Divides the lines of a board; `out` receives what is left out.
fn lines_of<'a>(block: &[(usize, &'a str)], out: &mut Collector) -> Result<Lines<'a>, RecordError> {
    let Lines { mut rows, mut blank, mut columns } = Lines::default();
    // The lines since the last row that were skipped, and how many follow the first row.
    let (mut skipped, mut between) = (Vec::new(), None);
    for &(line, text) in block {
        if text.len() > MAX_LINE_BYTES {
            out.leave_out("text beside a board");
            continue;
        }
        if is_joined(text) {
            let reason = "pairs of numbers (expected a row of a board such as . X O .)";
            return Err(RecordError::new(reason).at_line(line));
        }
        let tokens = tokens(text);
        let is_empty = tokens.iter().all(|(token, _)| *token == Token::Cell(Cell::Empty));
        let has_lines = text.contains(|symbol: char| FRAME.contains(symbol));
        // Corners only.
        let is_corners = is_empty
            && fields(text).is_none()
            && has_lines
            && tokens.len() <= 2
            && !text.contains(['.', '·']);
        let is_frame = is_corners || tokens.is_empty() || is_border(text);
        let is_heading = is_sequence_of_columns(&tokens) || is_columns_of(text, block.len());
        if is_frame || is_heading {
            if tokens.is_empty() && text.chars().all(|it| it.is_whitespace() || BARS.contains(&it))
            {
                blank.get_or_insert(line);
            }
            // One of two such lines has the tens of the numbers.
            let follows_heading = skipped.last().is_some_and(|(_, is_heading)| *is_heading);
            if is_heading && follows_heading {
                columns = None;
            } else if is_heading {
                columns = columns.or_else(|| count_of_columns(&tokens, text));
            }
            skipped.push((line, is_heading));
            continue;
        }
        if is_words(text) {
            out.leave_out("text beside a board");
            continue;
        }
        if !rows.is_empty() {
            // Lines between the rows are the same between all of them. Others may be rows.
            let count = *between.get_or_insert(skipped.len());
            let is_row = |(_, is_heading): &&(usize, bool)| *is_heading || skipped.len() != count;
            if let Some((line, _)) = skipped.iter().find(is_row) {
                let reason = "a border or column names between some rows of a board (expected a \
                              symbol such as . for each empty cell)";
                return Err(RecordError::new(reason).at_line(*line));
            }
            if skipped.len() < count {
                let reason = "no border before this row, but between other rows of the board";
                return Err(RecordError::new(reason).at_line(line));
            }
        }
        skipped.clear();
        rows.push(Row { line, text, tokens });
    }
    Ok(Lines { rows, blank, columns })
}

/// Whether the stars beside white stones are star points and not black stones: they are symmetric, or
/// players in turn do not set as many.
fn are_star_points(rows: &[Row]) -> bool {
    let is_star = |(token, _): &Marked| *token == Token::Star;
    let stars: Vec<Vec<bool>> =
        rows.iter().map(|row| row.tokens.iter().map(is_star).collect()).collect();
    let is_symmetric = stars.iter().rev().eq(stars.iter())
        && stars.iter().all(|row| row.iter().rev().eq(row.iter()));
    let all = || rows.iter().flat_map(|row| &row.tokens);
    let white = all().filter(|(token, _)| match token {
        Token::Cell(cell) => *cell == Cell::White,
        Token::Letter(letter) => stone(*letter) == Some(Color::White),
        _ => false,
    });
    is_symmetric || all().filter(|it| is_star(it)).count().abs_diff(white.count()) > 1
}

fn no_cell(symbol: &str, line: usize) -> RecordError {
    RecordError::new(format!("invalid cell '{symbol}' (expected X, O, # or .)")).at_line(line)
}

/// Removes the row coordinates on either side. Returns whether the left and the right side had any.
fn strip_coordinates(rows: &mut [Row]) -> (bool, bool) {
    let first = rows.iter().filter_map(|row| row.tokens.first().map(|(token, _)| token));
    let is_coordinate = |token: &Token| matches!(token, Token::Number(_) | Token::Letter(_));
    let single = |token: Option<&Marked>| {
        rows.len() == 1 && token.is_some_and(|(token, _)| matches!(token, Token::Number(_)))
    };
    let left = (first.clone().count() == rows.len()
        && first.clone().all(is_coordinate)
        && is_sequence(first))
        || single(rows.first().and_then(|row| row.tokens.first()));
    let last = rows.iter().filter_map(|row| row.tokens.last().map(|(token, _)| token));
    let right = (last.clone().count() == rows.len()
        && last.clone().all(is_coordinate)
        && is_sequence(last))
        || single(rows.first().and_then(|row| row.tokens.last()));
    for row in rows.iter_mut() {
        if right {
            row.tokens.pop();
        }
        if left && !row.tokens.is_empty() {
            row.tokens.remove(0);
        }
    }
    (left, right)
}

/// Turns `B` and `W` into marks where other symbols stand for stones of their color.
fn turn_letters_to_marks(rows: &mut [Row]) {
    for (color, first, second) in [(Color::Black, 'x', 'b'), (Color::White, 'o', 'w')] {
        let is_other = |(token, _): &Marked| match token {
            Token::Cell(cell) => *cell == Cell::stone(color),
            Token::Letter(letter) => letter.eq_ignore_ascii_case(&first),
            _ => false,
        };
        if !rows.iter().flat_map(|row| &row.tokens).any(is_other) {
            continue;
        }
        for (token, _) in rows.iter_mut().flat_map(|row| &mut row.tokens) {
            match *token {
                Token::Letter(letter) if letter.eq_ignore_ascii_case(&second) => {
                    *token = Token::Mark(letter);
                }
                _ => {}
            }
        }
    }
}

/// Checks that the columns have names, if there are names.
fn ensure_columns(rows: &[Row], columns: Option<RangeInclusive<usize>>) -> Result<(), RecordError> {
    let (Some(row), Some(columns)) = (rows.first(), columns) else { return Ok(()) };
    let (cells, names) = (row.tokens.len(), columns.end());
    if columns.contains(&cells) {
        return Ok(());
    }
    let reason = format!("row of {cells} cells, but {names} columns have names");
    Err(RecordError::new(reason).at_line(row.line))
}

/// A game that starts from the board with these rows.
fn game(
    rows: &[(usize, Vec<Cell>)],
    last: LastStone,
    captions: &[Caption],
    out: &mut Collector,
) -> Result<GameRecord, RecordError> {
    let most = usize::from(MAX_SIDE);
    let expected = rows.first().map_or(0, |(_, row)| row.len());
    for (line, row) in rows {
        let cells = row.len();
        if cells > most {
            let reason = format!("row of {cells} cells (at most {most} are supported)");
            return Err(RecordError::new(reason).at_line(*line));
        }
        if cells != expected {
            let reason = format!("row of {cells} cells, but the first row has {expected}");
            return Err(RecordError::new(reason).at_line(*line));
        }
    }
    if let Some((line, _)) = rows.get(most) {
        let reason = format!("more than {most} rows");
        return Err(RecordError::new(reason).at_line(*line));
    }
    let size = BoardSize::new(expected as i64, rows.len() as i64)
        .map_err(|_| RecordError::new("no board found"))?;
    let mut set_up = SetUp::default();
    for (y, (_, row)) in rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let point = Point::new(x as u8, y as u8);
            match cell {
                Cell::Empty => {}
                Cell::Black => set_up.black.push(point),
                Cell::White => set_up.white.push(point),
                Cell::Wall => set_up.walls.push(point),
            }
        }
    }
    let mut game = GameRecord::new(size);
    // The marked last stone determines the side to move.
    let (side, is_marked) = match last {
        Some((_, _, Cell::Black)) => (Color::White, true),
        Some((_, _, Cell::White)) => (Color::Black, true),
        _ if set_up.black.len() <= set_up.white.len() => (Color::Black, false),
        _ => (Color::White, false),
    };
    let side = side_to_move(side, is_marked, captions, out);
    if set_up.is_empty() && side == Color::Black {
        return Ok(game);
    }
    set_up.side = Some(side);
    Cursor::new(&mut game).set_up(&set_up)?;
    Ok(game)
}

/// Draws the position after the last move of the main line.
pub(super) fn write(game: &GameRecord) -> String {
    game.end().to_string()
}
