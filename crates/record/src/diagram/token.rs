//! The symbols of a line: cells, numbers and letters, with or without brackets.

use tengen_rules::board::Cell;
use tengen_rules::types::Color;

/// A cell of a diagram, or a coordinate beside the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A cell whose symbol has one meaning.
    Cell(Cell),
    /// The number of a row, a column, a move or a player.
    Number(i64),
    /// A letter: a stone or a coordinate.
    Letter(char),
    /// A star: an empty cell with a star point, or a black stone beside white ones.
    Star,
    /// A mark, which no stone has: `?`, or a letter beside other symbols of stones.
    Mark(char),
    /// Something else.
    Other(char),
}

/// A token, and whether it is in brackets, which mark the last stone.
pub(super) type Marked = (Token, bool);

/// Symbols of empty cells: points, crossings of lines, stars.
const EMPTY: &str = ".+-·・･_,:'`┼├┤┬┴┌┐└┘╋┣┫┳┻┏┓┗┛╬╠╣╦╩╔╗╚╝┿╂☆∙•⋅◦＋．＊□➕⬜◽▫◻🟫🟨";
const STARS: &str = "*★";
pub(super) const BLACK: &str = "●⚫◉▲⬤🔴✕×✖╳❌@黑黒";
pub(super) const WHITE: &str = "○◯◎⚪△〇◌⭕白";
/// Chinese and Japanese numerals, which number rows and columns.
pub(super) const NUMERALS: &str = "一二三四五六七八九";
/// Symbols of frames.
pub(super) const FRAME: &str = "|│┃║¦─━═";
/// Symbols of vertical lines between cells.
pub(super) const BARS: [char; 4] = ['|', '│', '┃', '║'];
pub(super) const OPENING: &str = "([<{（【";
pub(super) const CLOSING: &str = ")]>}）】";

/// Whether a symbol that is not ASCII belongs to drawn boards, and not to words.
pub(crate) fn is_symbol(symbol: char) -> bool {
    let is_drawn = |symbol| {
        [EMPTY, STARS, BLACK, WHITE, FRAME].iter().any(|symbols| symbols.contains(symbol))
            || ('\u{2500}'..='\u{257f}').contains(&symbol)
    };
    !symbol.is_ascii() && !symbol.is_alphabetic() && is_drawn(symbol)
}

/// The cells of a line of digits, `0 0 1 2 0`, `00120`, `[0, -1, 1]`. `None` for other lines, also if
/// blanks between commas or bars are cells.
pub(super) fn digits(line: &str) -> Option<Vec<Cell>> {
    let fields: Vec<&str> = line.split([',', '|']).map(str::trim).collect();
    let has_blank = fields.len() > 2 && fields[1..fields.len() - 1].contains(&"");
    // Bars alone can be a line between rows.
    let is_between = line.chars().all(|symbol| symbol == '|' || symbol.is_whitespace());
    if (has_blank && !is_between) || line.trim_start().starts_with(',') {
        return None;
    }
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
pub(super) fn stone(letter: char) -> Option<Color> {
    match letter {
        'X' | 'x' | 'B' | 'b' => Some(Color::Black),
        'O' | 'o' | 'W' | 'w' => Some(Color::White),
        _ => None,
    }
}

/// Whether a token can be a stone.
pub(super) fn is_stone(token: &Token) -> bool {
    match token {
        Token::Cell(cell) => matches!(cell, Cell::Black | Cell::White),
        Token::Letter(letter) => stone(*letter).is_some(),
        _ => false,
    }
}

/// A full-width letter, digit or sign as its ASCII form.
pub(super) fn narrow(symbol: char) -> char {
    match symbol {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(symbol) - 0xfee0).unwrap_or(symbol),
        other => other,
    }
}

/// The fields of a row with lines or quotes between the cells, each as one symbol; `None` for other
/// lines. A blank field is an empty cell.
pub(super) fn fields(line: &str) -> Option<String> {
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
    let parts: Vec<&str> = line.split(BARS).collect();
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

/// The number that a numeral of 1 to 9 stands for.
fn numeral(symbol: char) -> Option<i64> {
    (1..).zip(NUMERALS.chars()).find_map(|(number, it)| (it == symbol).then_some(number))
}

pub(super) fn tokens(line: &str) -> Vec<Marked> {
    let of_fields = fields(line);
    let line = of_fields.as_deref().unwrap_or(line);
    let mut tokens: Vec<Marked> = Vec::new();
    let mut symbols = line.chars().map(narrow).peekable();
    // Number of tokens before the last opening bracket.
    let mut opened = None;
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
                opened = Some(tokens.len());
                continue;
            }
            _ if CLOSING.contains(symbol) => {
                match opened.take().map(|before| tokens.len() - before) {
                    // `[ ]` is a cell, `[X]` is the last stone, and `[. X O]` is a row.
                    Some(0) => tokens.push((Token::Cell(Cell::Empty), false)),
                    Some(1) => {
                        if let Some(last) = tokens.last_mut() {
                            last.1 = true;
                        }
                    }
                    _ => {}
                }
                continue;
            }
            '#' => Token::Cell(Cell::Wall),
            _ if STARS.contains(symbol) => Token::Star,
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
            _ if NUMERALS.contains(symbol) => Token::Number(numeral(symbol).unwrap_or(0)),
            '十' => {
                let digit = symbols.next_if(|next| numeral(*next).is_some());
                Token::Number(10 + digit.and_then(numeral).unwrap_or(0))
            }
            _ if symbol.is_alphabetic() => {
                // A stone may be followed by its move number: `X12`.
                while stone(symbol).is_some() && symbols.next_if(char::is_ascii_digit).is_some() {}
                Token::Letter(symbol)
            }
            '?' => Token::Mark('?'),
            other => Token::Other(other),
        };
        // A star directly behind a stone marks it, if blanks surround both.
        let is_stone = is_stone(&token);
        let mut ahead = symbols.clone();
        let is_starred = is_stone
            && was_blank
            && ahead.next() == Some('*')
            && ahead.next().is_none_or(char::is_whitespace);
        if is_starred {
            symbols.next();
        }
        was_blank = false;
        tokens.push((token, is_starred));
    }
    tokens
}
