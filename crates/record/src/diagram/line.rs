//! What a line is: a row of a board, the names of its columns, a border, or words.

use std::ops::RangeInclusive;

use super::token::{BLACK, Marked, NUMERALS, Token, WHITE, digits, stone, tokens};
use crate::pairs::is_joined;
use crate::text::is_fence;

/// Maximum number of bytes of a line: far more than a row has.
pub(super) const MAX_LINE_BYTES: usize = 8192;

/// Symbols where the lines of frames meet.
const CORNERS: &str = "+|┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬";

/// Whether a line can only be the first row of a board.
pub(crate) fn is_row(line: &str) -> bool {
    if line.len() > MAX_LINE_BYTES {
        return false;
    }
    let tokens = tokens(line);
    let mut cells = 0;
    let fits = tokens.iter().all(|(token, _)| match token {
        Token::Cell(_) | Token::Star => {
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
        || is_joined(line)
        || is_names_of_cells(line);
    cells > 0 && fits && !is_moves
}

/// Whether a line below column names is a row, maybe with a letter as its coordinate.
pub(crate) fn is_named_row(line: &str) -> bool {
    let (name, row) = line.trim().split_once(char::is_whitespace).unwrap_or_default();
    let row = row.strip_suffix(name).unwrap_or(row);
    let is_name = name.chars().count() == 1 && name.starts_with(char::is_alphabetic);
    is_row(line) || (is_name && is_row(row) && tokens(row).len() > 2)
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
pub(crate) fn is_heading(line: &str) -> bool {
    let tokens = tokens(line);
    let blank = line.contains(char::is_whitespace);
    tokens.len() >= 3 && is_sequence_of_columns(&tokens) && (blank || tokens.len() >= 5)
}

/// Whether a line consists of the digits 0, 1 and 2, which stand for empty cells and stones. `next`
/// is the line after it.
pub(crate) fn is_digits(line: &str, next: &str) -> bool {
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

/// The row before the words of a line; `None` if there is none.
pub(super) fn row_before_words(text: &str) -> Option<&str> {
    let is_part = |symbol: char| symbol.is_alphabetic();
    let start = text.char_indices().find_map(|(at, symbol)| {
        let is_start = is_part(symbol) && !text[..at].ends_with(is_part);
        (is_start && is_words(text[at..].split(|it: char| !is_part(it)).next()?)).then_some(at)
    })?;
    let mut row = text[..start].trim_end();
    // `黑：张三`: the symbol of a stone before a name.
    if let Some(label) = row.strip_suffix([':', '：']) {
        row = label.trim_end().trim_end_matches(is_part).trim_end();
    }
    (is_row(row) && tokens(row).len() > 2).then_some(row)
}

/// Whether two tokens are consecutive coordinates, in either order. Columns may skip `i` and `й`.
fn follows(before: &Token, after: &Token) -> bool {
    match (before, after) {
        (Token::Number(a), Token::Number(b)) => b.abs_diff(*a) == 1,
        (Token::Letter(a), Token::Letter(b)) => {
            let lower = |letter: &char| letter.to_lowercase().next().unwrap_or(*letter);
            let (a, b) = (lower(a), lower(b));
            let distance = u32::from(a).abs_diff(u32::from(b));
            a.is_alphabetic()
                && b.is_alphabetic()
                && (distance == 1 || (distance == 2 && ['h', 'и'].contains(&a.min(b))))
        }
        _ => false,
    }
}

/// Whether tokens are consecutive coordinates.
pub(super) fn is_sequence<'a>(tokens: impl Iterator<Item = &'a Token> + Clone) -> bool {
    let behind = tokens.clone().skip(1);
    tokens.clone().zip(behind).all(|(before, after)| follows(before, after))
        && tokens.clone().nth(1).is_some()
}

/// Whether a line lists the coordinates of the columns. After `z` a column name may have two
/// letters.
pub(super) fn is_sequence_of_columns(tokens: &[Marked]) -> bool {
    let tokens: Vec<&Token> = tokens.iter().map(|(token, _)| token).collect();
    let digits = tokens.len() == 1 && matches!(tokens[0], Token::Number(number) if *number > 36);
    let upto = |&&it: &&&Token| !matches!(it, Token::Letter('z' | 'Z'));
    let first: Vec<&Token> = tokens.iter().take_while(upto).copied().collect();
    let is_plain = is_sequence(first.iter().copied())
        && (tokens.len() == first.len() || tokens.iter().all(|it| matches!(it, Token::Letter(_))))
        || (tokens.len() > 20 && is_sequence(tokens.iter().take(9).copied()));
    digits || is_plain
}

/// The numbers of columns that may have the names in a line; `None` if it is not certain. A 0 may stand
/// above the names of the rows.
pub(super) fn count_of_columns(names: &[Marked], text: &str) -> Option<RangeInclusive<usize>> {
    let begins = |token: &Token| matches!(token, Token::Letter('a' | 'A') | Token::Number(0 | 1));
    match names {
        [(Token::Number(_), _)] => {
            let digits = text.trim();
            let is_whole = is_columns_of(text, 2) && digits.starts_with(['0', '1']);
            is_whole.then_some(digits.len()..=digits.len())
        }
        [(first, _), _, .., (last, _)] if begins(first) || begins(last) => {
            let corner = usize::from(*first == Token::Number(0));
            let is_whole = is_sequence(names.iter().map(|(token, _)| token));
            is_whole.then(|| names.len() - corner..=names.len())
        }
        _ => None,
    }
}

/// Whether a line is the horizontal border of a frame.
pub(super) fn is_border(text: &str) -> bool {
    let text = text.trim();
    // A block of code in Markdown, or the first line of an answer in the Go Text Protocol: `=1`.
    let signs = text.trim_end_matches(|symbol: char| symbol.is_ascii_digit());
    if is_fence(text) || (!signs.is_empty() && signs.chars().all(|symbol| symbol == '=')) {
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
pub(super) fn is_columns_of(text: &str, rows: usize) -> bool {
    let digits: Vec<u32> = text.trim().chars().filter_map(|symbol| symbol.to_digit(10)).collect();
    let only_digits = text.chars().all(|symbol| symbol.is_ascii_digit() || symbol.is_whitespace());
    let each = |pair: &[u32]| pair[1] == (pair[0] + 1) % 10;
    only_digits && rows > 1 && digits.len() >= 3 && digits.windows(2).all(each)
}

/// Whether a line contains words, which no row does.
pub(super) fn is_words(text: &str) -> bool {
    let is_stones = |word: &str| word.chars().all(|symbol| stone(symbol).is_some());
    text.split(|symbol: char| !symbol.is_alphabetic()).any(|word| {
        let is_long = word.chars().count() >= 3 && !is_stones(word) && !is_run(word);
        is_long || word.chars().any(is_word)
    })
}

/// Whether a symbol is a syllable or a word by itself, as in Chinese, Japanese and Korean, and
/// neither a stone nor a numeral, which may be a coordinate.
fn is_word(symbol: char) -> bool {
    let others = [BLACK, WHITE, NUMERALS, "十"];
    matches!(symbol, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
        && !others.iter().any(|symbols| symbols.contains(symbol))
}

/// Whether a word consists of consecutive letters, as in column names.
fn is_run(word: &str) -> bool {
    if word.len() > MAX_LINE_BYTES {
        return false;
    }
    let letters: Vec<Token> = word.chars().map(Token::Letter).collect();
    is_sequence(letters.iter())
}
