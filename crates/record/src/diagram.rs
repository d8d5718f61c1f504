//! Board diagrams, one row per line. Blank lines separate boards.
//!
//! The writer uses `X` for black, `O` for white, `#` for cells out of play and `.` for empty cells.
//! The reader also accepts the diagrams of other programs: discs, letters and numbers for stones,
//! lines and star points for empty cells, brackets around the last stone, coordinates on any side,
//! and frames.

use super::games::Collector;
use super::text::is_fence;
use super::{Cursor, GameRecord, RecordError, SetUp};
use tengen_rules::board::Cell;
use tengen_rules::types::{BoardSize, Color, MAX_SIDE, Point};

/// A cell of a diagram, or a coordinate beside the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A cell whose symbol has one meaning.
    Cell(Cell),
    /// The number of a row, a column, a move or a player.
    Number(i64),
    /// A letter: a stone or a coordinate.
    Letter(char),
    /// Something else.
    Other(char),
}

/// A token, and whether it is in brackets, which mark the last stone.
type Marked = (Token, bool);

/// Symbols of empty cells: points, crossings of lines, stars.
const EMPTY: &str = ".+-*·・･_,:'`┼├┤┬┴┌┐└┘╋┣┫┳┻┏┓┗┛╬╠╣╦╩╔╗╚╝┿╂☆★∙•⋅◦＋．＊□➕⬜◽▫◻🟫🟨";
const BLACK: &str = "●⚫◉▲⬤🔴✕×✖╳❌@黑黒";
const WHITE: &str = "○◯◎⚪△〇◌⭕白";
/// Symbols of frames.
const FRAME: &str = "|│┃║¦─━═";
/// Symbols where the lines of frames meet.
const CORNERS: &str = "+|┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬";
const OPENING: &str = "([<{（【";
const CLOSING: &str = ")]>}）】";

/// Maximum number of lines without a blank line between them, and of bytes of a line: far more than a
/// board has. Otherwise a large file of short rows would take a hundred times its size.
const MAX_LINES: usize = 1000;
const MAX_LINE_BYTES: usize = 8192;

/// A row of a diagram with its line number.
struct Row {
    line: usize,
    tokens: Vec<Marked>,
}

/// Whether a line can only be the first row of a board.
pub(super) fn is_row(line: &str) -> bool {
    if line.len() > MAX_LINE_BYTES {
        return false;
    }
    let tokens = tokens(line);
    let mut cells = 0;
    let fits = tokens.iter().all(|(token, _)| match token {
        Token::Cell(_) => {
            cells += 1;
            true
        }
        Token::Letter(letter) if stone(*letter).is_some() => {
            cells += 1;
            true
        }
        Token::Number(_) => true,
        _ => false,
    });
    let is_moves = tokens.iter().any(|(token, _)| matches!(token, Token::Number(_)))
        && line.contains(',')
        || line.trim_start().starts_with("//")
        || is_names_of_cells(line);
    cells > 0 && fits && !is_moves
}

/// Whether a line consists of moves such as `b2 x5` or `b2x5`, whose letters also stand for stones.
fn is_names_of_cells(line: &str) -> bool {
    let is_name = |name: &str| {
        let digits = name.trim_start_matches(|it: char| it.is_ascii_alphabetic());
        name.len() == digits.len() + 1 && !digits.is_empty()
    };
    let mut names = line.split_whitespace().flat_map(|word| {
        let begins = |(at, it): (usize, char)| (at > 0 && it.is_ascii_alphabetic()).then_some(at);
        let mut begin = 0;
        let mut parts: Vec<&str> = Vec::new();
        for end in word.char_indices().filter_map(begins).chain([word.len()]) {
            parts.push(&word[begin..end]);
            begin = end;
        }
        parts
    });
    names.all(|name| is_name(name) && name.chars().skip(1).all(|it| it.is_ascii_digit()))
}

/// Whether a line can be the column names above a board: three or more consecutive letters or
/// numbers.
pub(super) fn is_heading(line: &str) -> bool {
    let tokens = tokens(line);
    let blank = line.contains(char::is_whitespace);
    tokens.len() >= 3 && is_sequence_of_columns(&tokens) && (blank || tokens.len() >= 5)
}

/// Whether a line consists of the digits 0, 1 and 2, which stand for empty cells and stones. `next`
/// is the line after it.
pub(super) fn is_digits(line: &str, next: &str) -> bool {
    let count = |line: &str| digits(line).map_or(0, |cells| cells.len());
    let least = if count(next) == count(line) { 3 } else { 5 };
    count(line) >= least && has_equal_separators(line)
}

/// Whether the same text separates all digits of a line, unlike those of moves `0,0 1,1`.
fn has_equal_separators(line: &str) -> bool {
    let is_digit = |symbol: char| symbol.is_ascii_digit() || symbol == '-' || symbol == '.';
    let between = line.trim_matches(|symbol: char| !is_digit(symbol)).split(is_digit);
    let mut separators = between.filter(|text| !text.is_empty());
    let first = separators.next().unwrap_or_default();
    !line.contains(',') || separators.all(|separator| separator == first)
}

/// The cells of a line of digits, `0 0 1 2 0`, `00120`, `[0, -1, 1]`.
fn digits(line: &str) -> Option<Vec<Cell>> {
    let words = line.split(|symbol: char| symbol.is_whitespace() || ",[]|".contains(symbol));
    let mut cells = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        // Numbers with a point, as NumPy prints them.
        let number = word.strip_suffix(".0").or(word.strip_suffix('.'));
        let word = number.filter(|number| !number.is_empty()).unwrap_or(word);
        if word == "-1" {
            cells.push(Cell::White);
            continue;
        }
        for symbol in word.chars() {
            cells.push(match symbol {
                '0' => Cell::Empty,
                '1' => Cell::Black,
                '2' => Cell::White,
                _ => return None,
            });
        }
    }
    Some(cells)
}

/// The color of the stone that a letter stands for.
fn stone(letter: char) -> Option<Color> {
    match letter {
        'X' | 'x' | 'B' | 'b' => Some(Color::Black),
        'O' | 'o' | 'W' | 'w' => Some(Color::White),
        _ => None,
    }
}

/// A full-width letter, digit or sign as its ASCII form.
fn narrow(symbol: char) -> char {
    match symbol {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(symbol) - 0xfee0).unwrap_or(symbol),
        other => other,
    }
}

/// The fields of a row with lines or quotes between the cells, each as one symbol; `None` for other
/// lines. A blank field is an empty cell.
fn fields(line: &str) -> Option<String> {
    let line = line.trim();
    let symbol = |field: &str| {
        let mut symbols = field.trim().chars();
        match (symbols.next(), symbols.next()) {
            (None, _) => Some('.'),
            (Some(symbol), None) => Some(symbol),
            _ => None,
        }
    };
    for quote in ['\'', '"'] {
        let list = line.trim_start_matches('[').trim_end_matches([',', ']', ' ']);
        if line.starts_with('[') && list.starts_with(quote) {
            let parts: Vec<&str> = list.split(quote).collect();
            let between = parts.iter().step_by(2);
            let is_list = between.clone().all(|part| part.chars().all(|it| ", ".contains(it)));
            let cells = || parts.iter().skip(1).step_by(2).map(|field| symbol(field)).collect();
            return if is_list { cells() } else { None };
        }
    }
    let bars = ['|', '│', '┃', '║'];
    let parts: Vec<&str> = line.split(bars).collect();
    let (first, inner, last) = match &parts[..] {
        [first, inner @ .., last] if inner.len() >= 3 => (first.trim(), inner, last.trim()),
        _ => return None,
    };
    let has_blank = inner.iter().any(|field| field.trim().is_empty());
    let cells: String = inner.iter().map(|field| symbol(field)).collect::<Option<_>>()?;
    let is_coordinate = |text: &str| text.chars().all(char::is_alphanumeric);
    let fits = has_blank && is_coordinate(first) && is_coordinate(last);
    fits.then(|| format!("{first} {cells} {last}"))
}

fn tokens(line: &str) -> Vec<Marked> {
    let of_fields = fields(line);
    let line = of_fields.as_deref().unwrap_or(line);
    let mut tokens: Vec<Marked> = Vec::new();
    let mut symbols = line.chars().map(narrow).peekable();
    let mut marked = false;
    let mut was_blank = false;
    while let Some(symbol) = symbols.next() {
        let token = match symbol {
            _ if symbol.is_whitespace() || FRAME.contains(symbol) => {
                was_blank = symbol.is_whitespace();
                continue;
            }
            // Variation selectors, which select an emoji or plain glyph, and zero-width spaces.
            '\u{fe0f}' | '\u{fe0e}' | '\u{200b}' => continue,
            _ if OPENING.contains(symbol) => {
                marked = true;
                continue;
            }
            _ if CLOSING.contains(symbol) => {
                marked = false;
                continue;
            }
            '#' => Token::Cell(Cell::Wall),
            _ if EMPTY.contains(symbol) => Token::Cell(Cell::Empty),
            _ if BLACK.contains(symbol) => Token::Cell(Cell::Black),
            _ if WHITE.contains(symbol) => Token::Cell(Cell::White),
            '\u{2500}'..='\u{257f}' => Token::Cell(Cell::Empty),
            '0'..='9' => {
                let mut digits = symbol.to_string();
                while let Some(digit) = symbols.next_if(char::is_ascii_digit) {
                    digits.push(digit);
                }
                Token::Number(digits.parse().unwrap_or(i64::MAX))
            }
            _ if symbol.is_alphabetic() => {
                // A stone may be followed by its move number: `X12`.
                while stone(symbol).is_some() && symbols.next_if(char::is_ascii_digit).is_some() {}
                Token::Letter(symbol)
            }
            other => Token::Other(other),
        };
        // A star directly behind a stone marks it, if blanks surround both.
        let is_stone = match token {
            Token::Cell(cell) => matches!(cell, Cell::Black | Cell::White),
            Token::Letter(letter) => stone(letter).is_some(),
            _ => false,
        };
        let mut ahead = symbols.clone();
        let is_starred = is_stone
            && was_blank
            && ahead.next() == Some('*')
            && ahead.next().is_none_or(char::is_whitespace);
        if is_starred {
            symbols.next();
        }
        was_blank = false;
        tokens.push((token, marked || is_starred));
    }
    tokens
}

/// Whether two tokens are consecutive coordinates, in either order. Columns may skip `i`.
fn follows(before: &Token, after: &Token) -> bool {
    match (before, after) {
        (Token::Number(a), Token::Number(b)) => b.abs_diff(*a) == 1,
        (Token::Letter(a), Token::Letter(b)) => {
            let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
            let distance = u32::from(a).abs_diff(u32::from(b));
            a.is_ascii_alphabetic()
                && b.is_ascii_alphabetic()
                && (distance == 1 || (distance == 2 && a.min(b) == 'h'))
        }
        _ => false,
    }
}

/// Whether tokens are consecutive coordinates.
fn is_sequence<'a>(tokens: impl Iterator<Item = &'a Token> + Clone) -> bool {
    let behind = tokens.clone().skip(1);
    tokens.clone().zip(behind).all(|(before, after)| follows(before, after))
        && tokens.clone().nth(1).is_some()
}

/// Whether a line lists the coordinates of the columns. After `z` a column name may have two
/// letters.
fn is_sequence_of_columns(tokens: &[Marked]) -> bool {
    let tokens: Vec<&Token> = tokens.iter().map(|(token, _)| token).collect();
    let digits = tokens.len() == 1 && matches!(tokens[0], Token::Number(number) if *number > 36);
    let upto = |&&it: &&&Token| !matches!(it, Token::Letter('z' | 'Z'));
    let first: Vec<&Token> = tokens.iter().take_while(upto).copied().collect();
    let is_plain = is_sequence(first.iter().copied())
        && (tokens.len() == first.len() || tokens.iter().all(|it| matches!(it, Token::Letter(_))))
        || (tokens.len() > 20 && is_sequence(tokens.iter().take(9).copied()));
    digits || is_plain
}

/// Whether stones stand between blanks instead of symbols of empty cells: their columns are unknown.
fn has_blank_cells(text: &str) -> bool {
    let is_stones = |line: &str| {
        let is_stone = |token: &Token| match token {
            Token::Cell(cell) => *cell != Cell::Empty,
            Token::Letter(_) => true,
            Token::Number(_) | Token::Other(_) => false,
        };
        is_row(line) && tokens(line).iter().all(|(token, _)| is_stone(token))
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

/// Reads each board as a game that starts from it.
pub(super) fn read(text: &str, out: &mut Collector) {
    if has_blank_cells(text) {
        let reason = "empty cells are drawn as blanks (expected a symbol such as .)";
        out.add(Err(RecordError::new(reason)));
        return;
    }
    let mut block: Vec<(usize, &str)> = Vec::new();
    for line in (1..).zip(text.lines()).chain([(0, "")]) {
        if line.1.trim().is_empty() {
            read_block(&block, out);
            block.clear();
        } else if block.len() <= MAX_LINES {
            block.push(line);
        }
    }
}

/// Reads the boards in these lines, at most one more than `MAX_LINES`. Words separate boards.
fn read_block(block: &[(usize, &str)], out: &mut Collector) {
    let is_text = |(_, line): &(usize, &str)| is_words(line) && row_before_words(line).is_none();
    let is_board_row = |(_, line): &(usize, &str)| {
        line.len() <= MAX_LINE_BYTES && (is_row(line) || row_before_words(line).is_some())
    };
    let mut rest = block;
    while let Some(first) = rest.iter().position(is_board_row) {
        let text = rest[first..].iter().position(is_text).map(|at| at + first);
        let next = text.and_then(|text| Some(text + rest[text..].iter().position(is_board_row)?));
        let Some(next) = next else { break };
        // Column names above the next board belong to it.
        let last_text = rest[..next].iter().rposition(is_text).unwrap_or(next);
        read_board(&rest[..=last_text], out);
        rest = &rest[last_text + 1..];
    }
    read_board(rest, out);
}

/// Reads the board in these lines.
fn read_board(block: &[(usize, &str)], out: &mut Collector) {
    if block.is_empty() {
        return;
    }
    match board(block, out) {
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

/// The row before the words of a line; `None` if there is none.
fn row_before_words(text: &str) -> Option<&str> {
    let is_part = |symbol: char| symbol.is_alphabetic();
    let start = text.char_indices().find_map(|(at, symbol)| {
        let is_start = is_part(symbol) && !text[..at].ends_with(is_part);
        (is_start && is_words(text[at..].split(|it: char| !is_part(it)).next()?)).then_some(at)
    })?;
    let row = text[..start].trim_end();
    (is_row(row) && tokens(row).len() > 2).then_some(row)
}

/// Reads the board in these lines.
fn board(block: &[(usize, &str)], out: &mut Collector) -> Result<GameRecord, RecordError> {
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
    if let Some(rows) = block.iter().map(|(_, line)| digits(line)).collect::<Option<Vec<_>>>() {
        let rows: Vec<(usize, Vec<Cell>)> = block
            .iter()
            .map(|(line, _)| *line)
            .zip(rows)
            .filter(|(_, row)| !row.is_empty())
            .collect();
        return game(&rows, None);
    }
    let mut rows: Vec<Row> = Vec::new();
    let has_fields =
        block.iter().any(|(_, line)| line.len() <= MAX_LINE_BYTES && fields(line).is_some());
    for &(line, text) in block {
        if text.len() > MAX_LINE_BYTES {
            out.leave_out("text beside a board");
            continue;
        }
        let text = row_before_words(text).unwrap_or(text);
        let tokens = tokens(text);
        // Skip frames and column coordinates.
        let is_empty = tokens.iter().all(|(token, _)| *token == Token::Cell(Cell::Empty));
        let has_lines = text.contains(|symbol: char| FRAME.contains(symbol));
        // Corners only, or a line between rows with lines between the cells.
        let is_frame = is_empty
            && fields(text).is_none()
            && (has_fields || (has_lines && tokens.len() <= 2 && !text.contains(['.', '·'])))
            || tokens.is_empty()
            || is_border(text);
        if is_frame || is_sequence_of_columns(&tokens) || is_columns_of(text, block.len()) {
            continue;
        }
        if is_words(text) {
            out.leave_out("text beside a board");
            continue;
        }
        rows.push(Row { line, tokens });
    }
    strip_coordinates(&mut rows);
    // If letters stand for stones, numbers are marks on empty cells.
    let has_letters = rows
        .iter()
        .flat_map(|row| &row.tokens)
        .any(|(token, _)| matches!(token, Token::Letter(letter) if stone(*letter).is_some()));
    let mut last = None;
    let mut cells = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        let mut line = Vec::new();
        for (x, (token, marked)) in row.tokens.iter().enumerate() {
            let cell = match token {
                Token::Cell(cell) => *cell,
                Token::Letter(letter) if stone(*letter).is_some() => {
                    Cell::stone(stone(*letter).unwrap_or(Color::Black))
                }
                Token::Number(_) if has_letters => Cell::Empty,
                // Numbers count moves; odd ones are black. 0 is an empty cell.
                Token::Number(0) => Cell::Empty,
                Token::Number(number) if (1..=1296).contains(number) => {
                    Cell::stone(if number % 2 == 1 { Color::Black } else { Color::White })
                }
                Token::Number(number) => return Err(no_cell(&number.to_string(), row.line)),
                Token::Letter(symbol) | Token::Other(symbol) => {
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
    game(&cells, last)
}

fn no_cell(symbol: &str, line: usize) -> RecordError {
    RecordError::new(format!("invalid cell '{symbol}' (expected X, O, # or .)")).at_line(line)
}

/// Whether a line is the horizontal border of a frame.
fn is_border(text: &str) -> bool {
    let text = text.trim();
    // A block of code in Markdown.
    if is_fence(text) {
        return true;
    }
    let dashes = text.chars().filter(|symbol| "-─━═_".contains(*symbol)).count();
    let corners = text.chars().filter(|symbol| CORNERS.contains(*symbol)).count();
    let inner = text.chars().all(|symbol| "-─━═_ ".contains(symbol) || CORNERS.contains(symbol));
    let is_run =
        text.contains("--") || text.contains("──") || text.contains("━━") || text.contains("══");
    inner && dashes > corners && is_run
}

/// Whether a line numbers the columns with digits and no blanks: `123456789012345`.
fn is_columns_of(text: &str, rows: usize) -> bool {
    let digits: Vec<u32> = text.trim().chars().filter_map(|symbol| symbol.to_digit(10)).collect();
    let only_digits = text.chars().all(|symbol| symbol.is_ascii_digit() || symbol.is_whitespace());
    let each = |pair: &[u32]| pair[1] == (pair[0] + 1) % 10;
    only_digits && rows > 1 && digits.len() >= 3 && digits.windows(2).all(each)
}

/// Whether a line contains words, which no row does.
fn is_words(text: &str) -> bool {
    let is_stones = |word: &str| word.chars().all(|symbol| stone(symbol).is_some());
    text.split(|symbol: char| !symbol.is_alphabetic())
        .any(|word| word.chars().count() >= 3 && !is_stones(word) && !is_run(word))
}

/// Whether a word consists of consecutive letters, as in column names.
fn is_run(word: &str) -> bool {
    if word.len() > MAX_LINE_BYTES {
        return false;
    }
    let letters: Vec<Token> = word.chars().map(Token::Letter).collect();
    is_sequence(letters.iter())
}

/// Removes the row coordinates on either side.
fn strip_coordinates(rows: &mut [Row]) {
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
}

/// A game that starts from the board with these rows.
fn game(
    rows: &[(usize, Vec<Cell>)],
    last: Option<(usize, usize, Cell)>,
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
    if set_up.is_empty() {
        return Ok(game);
    }
    let by_count =
        if set_up.black.len() <= set_up.white.len() { Color::Black } else { Color::White };
    // The marked last stone determines the side to move.
    set_up.side = Some(match last {
        Some((_, _, Cell::Black)) => Color::White,
        Some((_, _, Cell::White)) => Color::Black,
        _ => by_count,
    });
    Cursor::new(&mut game).set_up(&set_up)?;
    Ok(game)
}

/// Draws the position after the last move of the main line.
pub(super) fn write(game: &GameRecord) -> String {
    game.end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReadOptions, read as read_file, write as write_file};

    fn drawn(text: &str) -> String {
        let options = ReadOptions { format: Some(Format::Diagram), ..ReadOptions::default() };
        let games =
            read_file(text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut out = Vec::new();
        write_file(&games.list, Format::Diagram, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    const BOARD: &str = ". . . . .\n. . X . .\n. . O . .\n. X . . .\n. . . . .\n";

    #[test]
    fn diagrams_in_common_styles_are_read() {
        for text in [
            "  a b c d e\n5 . . . . .\n4 . . X . .\n3 . . O . .\n2 . X . . .\n1 . . . . .\n",
            "  A B C D E\n5 . . . . . 5\n4 . . X . . 4\n3 . . O . . 3\n2 . X . . . 2\n1 . . . . . 1\n  A B C D E\n",
            "  0 1 2 3 4\n0 0 0 0 0 0\n1 0 0 1 0 0\n2 0 0 2 0 0\n3 0 1 0 0 0\n4 0 0 0 0 0\n",
            "[[0. 0. 0. 0. 0.]\n [0. 0. 1. 0. 0.]\n [0. 0. 2. 0. 0.]\n [0. 1. 0. 0. 0.]\n [0. 0. 0. 0. 0.]]\n",
            "[['.', '.', '.', '.', '.'],\n ['.', '.', 'X', '.', '.'],\n ['.', '.', 'O', '.', '.'],\n ['.', 'X', '.', '.', '.'],\n ['.', '.', '.', '.', '.']]\n",
            "[[\"\",\"\",\"\",\"\",\"\"],\n[\"\",\"\",\"B\",\"\",\"\"],\n[\"\",\"\",\"W\",\"\",\"\"],\n[\"\",\"B\",\"\",\"\",\"\"],\n[\"\",\"\",\"\",\"\",\"\"]]\n",
            "    1   2   3   4   5\n  +---+---+---+---+---+\n1 |   |   |   |   |   |\n  +---+---+---+---+---+\n2 |   |   | X |   |   |\n  +---+---+---+---+---+\n3 |   |   | O |   |   |\n  +---+---+---+---+---+\n4 |   | X |   |   |   |\n  +---+---+---+---+---+\n5 |   |   |   |   |   |\n  +---+---+---+---+---+\n",
            "|.|.|.|.|.|\n|.|.|X|.|.|\n|.|.|O|.|.|\n|.|X|.|.|.|\n|.|.|.|.|.|\n",
            "+-+-+-+-+-+\n| | | | | |\n+-+-+-+-+-+\n| | |X| | |\n+-+-+-+-+-+\n| | |O| | |\n+-+-+-+-+-+\n| |X| | | |\n+-+-+-+-+-+\n| | | | | |\n+-+-+-+-+-+\n",
            "┌─┬─┬─┬─┐\n├─┼─●─┼─┤\n├─┼─○─┼─┤\n├─●─┼─┼─┤\n└─┴─┴─┴─┘\n",
            "┌───┬───┬───┬───┬───┐\n│   │   │   │   │   │\n├───┼───┼───┼───┼───┤\n│   │   │ ● │   │   │\n├───┼───┼───┼───┼───┤\n│   │   │ ○ │   │   │\n├───┼───┼───┼───┼───┤\n│   │ ● │   │   │   │\n├───┼───┼───┼───┼───┤\n│   │   │   │   │   │\n└───┴───┴───┴───┴───┘\n",
            "＋＋＋＋＋\n＋＋Ｘ＋＋\n＋＋Ｏ＋＋\n＋Ｘ＋＋＋\n＋＋＋＋＋\n",
            "➕➕➕➕➕\n➕➕⚫➕➕\n➕➕⚪➕➕\n➕⚫➕➕➕\n➕➕➕➕➕\n",
            "┏━┯━┯━┯━┓\n┠─┼─●─┼─┨\n┠─┼─○─┼─┨\n┠─●─┼─┼─┨\n┗━┷━┷━┷━┛\n",
            "```\n. . . . .\n. . X . .\n. . O . .\n. X . . .\n. . . . .\n```\n",
            "5 . . . . .\n4 . . X . .  black: Ann\n3 . . O . .  white: Bob\n2 . X . . .\n1 . . . . .\n",
            "  A  B  C  D  E\n5 .  .  .  .  .\n4 .  .  X  .  .\n3 .  .  O  .  .\n2 .  X* .  .  .\n1 .  .  .  .  .\n",
            "0,0,0,0,0\n0,0,1,0,0\n0,0,2,0,0\n0,1,0,0,0\n0,0,0,0,0\n",
            ". . . . .\n. . 黑 . .\n. . 白 . .\n. 黑 . . .\n. . . . .\n",
            "+ + + + +\n+ + @ + +\n+ + O + +\n+ @ + + +\n+ + + + +\n",
            "　１　２　３　４　５\n１．．．．．\n２．．●．．\n３．．○．．\n４．●．．．\n５．．．．．\n",
            "  0 1 2 3 4\n0 . . . . .\n1 . . X . .\n2 . . O . .\n3 . X . . .\n4 . . . . .\n",
            "  1 2 3 4 5\na . . . . .\nb . . X . .\nc . . O . .\nd . X . . .\ne . . . . .\n",
            ". . . . .\n. . X . .\n. .(O). .\n. X . . .\n. . . . .\n",
            ". . . . .\n. .[X]. .\n. . O . .\n. X . . .\n. . . . .\n",
            "+---------+\n|. . . . .|\n|. . X . .|\n|. . O . .|\n|. X . . .|\n|. . . . .|\n+---------+\n",
            "┌┬┬┬┐\n├┼●┼┤\n├┼○┼┤\n├●┼┼┤\n└┴┴┴┘\n",
            "┌ ┬ ┬ ┬ ┐\n├ ┼ ● ┼ ┤\n├ ┼ ◎ ┼ ┤\n├ ● ┼ ┼ ┤\n└ ┴ ┴ ┴ ┘\n",
            "+ + + + +\n+ + ● + +\n+ + ◯ + +\n+ ● + + +\n+ + + + +\n",
            "- - - - -\n- - B - -\n- - W - -\n- B - - -\n- - - - -\n",
            "_ _ _ _ _\n_ _ x _ _\n_ _ o _ _\n_ x _ _ _\n_ _ _ _ _\n",
            "0 0 0 0 0\n0 0 1 0 0\n0 0 2 0 0\n0 1 0 0 0\n0 0 0 0 0\n",
            "00000\n00100\n00200\n01000\n00000\n",
            "[[0, 0, 0, 0, 0],\n [0, 0, 1, 0, 0],\n [0, 0, -1, 0, 0],\n [0, 1, 0, 0, 0],\n [0, 0, 0, 0, 0]]\n",
            ".....\n..X..\n..O..\n.X...\n.....\n",
            ".....\n..*..\n.....\n\n",
            " 5|.....\n 4|..X..\n 3|..O..\n 2|.X...\n 1|.....\n   abcde\n",
            "12345\n.....\n..X..\n..O..\n.X...\n.....\n",
            ". . . . .\n. . 1 . .\n. . 2 . .\n. 3 . . .\n. . . . .\n",
            "freestyle 5x5, 3 stones, white to move\n  a b c d e\n5 . . . . .\n4 . . X . .\n3 . . O . .\n2 .(X). . .\n1 . . . . .\n",
        ] {
            if text.starts_with(".....\n..*") {
                assert!(!drawn(text).contains('X'), "a star is an empty cell");
                continue;
            }
            assert_eq!(drawn(text), BOARD, "{text}");
        }
    }

    #[test]
    fn words_separate_boards() {
        let text = "white> h8\n  a b c\n2 X . .\n1 . . .\n  a b c\nblack> b1\n  a b c\n2 X . .\n1 .(O).\n\n\
                    best moves\n 1  g9  24.2  -228  1-1\n";
        assert_eq!(drawn(text), "X . .\n. . .\n\nX . .\n. O .\n");
    }

    #[test]
    fn moves_in_a_corner_are_not_a_board() {
        let moves = |text: &str| {
            let games = read_file(text.as_bytes(), &ReadOptions::default()).unwrap();
            games.list.iter().map(|it| it.moves().unwrap().len()).collect::<Vec<_>>()
        };
        // Letters that also stand for stones.
        assert_eq!(moves("b2\n"), [1]);
        assert_eq!(moves("b2o3o4\nb5 o5\n"), [3, 2]);
        assert_eq!(moves("0,0 1,1 2,0 1,2\n"), [4]);
        assert_eq!(moves("0,0 1,1 2,0\n0,1 1,0 2,2\n"), [3, 3]);
        assert_eq!(moves("0,0, 1,0, 1,1, 0,2\n"), [4]);
        assert_eq!(moves("(0,0) (1,1) (2,0)\n"), [3]);
    }

    #[test]
    fn diagrams_far_larger_than_a_board_are_rejected() {
        let options = ReadOptions { format: Some(Format::Diagram), ..ReadOptions::default() };
        let reason = |text: &str| read_file(text.as_bytes(), &options).unwrap_err().to_string();
        let rows = ".\n".repeat(100_000);
        assert_eq!(reason(&rows), "line 1001: more than 1000 lines without a blank line");
        let row = format!(". X\n{}\n", ".".repeat(100_000));
        assert_eq!(reason(&row), "line 2: line of 100000 bytes (at most 8192 are supported)");
        assert_eq!(reason(&". X\n".repeat(37)), "line 37: more than 36 rows");
        // Words beside a board may be long.
        let word = "word ".repeat(2000);
        let lines = "Some text.\n".repeat(2000);
        let text = format!("{word}\n. X .\n. . .\n. . .\n\n{lines}");
        assert_eq!(drawn(&text), ". X .\n. . .\n. . .\n");
    }

    #[test]
    fn marked_last_stone_sets_the_side_to_move() {
        let options = ReadOptions { format: Some(Format::Diagram), ..ReadOptions::default() };
        let side =
            |text: &str| read_file(text.as_bytes(), &options).unwrap().list[0].end().side_to_move();
        assert_eq!(side("X . .\n. . .\n.(X).\n"), Color::White);
        assert_eq!(side("X(O).\n. . .\n. . .\n"), Color::Black);
        assert_eq!(side("X X .\n.[O].\n. . .\n"), Color::Black);
        assert_eq!(side("X X .\n. O .\n. . .\n"), Color::White);
    }
}
