//! The field's names of cells: `h8` is a column letter from the left and a row number from the
//! bottom, both from the first, as the Renju International Federation, RenLib and gomocalc write
//! them. Columns after `z` are `aa`, `ab` and so on.

use std::fmt;
use std::str::FromStr;

use super::scanner::Scanner;
use super::{BoardSize, Coordinates, ParseMoveError};

const LETTERS: i64 = 26;

/// Which row is called 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOne {
    /// The lowest one, as the field counts.
    #[default]
    Bottom,
    /// The highest one, as some programs count.
    Top,
}

/// Names of cells on a board of a certain height.
///
/// ```
/// use tengen_rules::{BoardSize, Coordinates, Notation};
///
/// let notation = Notation::new(BoardSize::square(15)?);
/// assert_eq!(notation.name(Coordinates { x: 7, y: 6 }), "h9");
/// assert_eq!(notation.parse("h9")?, Coordinates { x: 7, y: 6 });
/// assert_eq!(notation.parse("7,6")?, Coordinates { x: 7, y: 6 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    height: i64,
    one: RowOne,
}

impl Notation {
    /// The field's names: row 1 is the lowest one.
    pub fn new(size: BoardSize) -> Notation {
        Notation::with_row_one(size, RowOne::Bottom)
    }

    /// Names that count the rows from either end.
    pub fn with_row_one(size: BoardSize, one: RowOne) -> Notation {
        Notation { height: size.height().into(), one }
    }

    /// The number of the row `y` from the top, counted from 0.
    pub fn row_number(self, y: i64) -> i64 {
        match self.one {
            RowOne::Bottom => self.height.saturating_sub(y),
            RowOne::Top => y.saturating_add(1),
        }
    }

    /// The row with this number, from the top and from 0.
    fn row(self, number: i64) -> i64 {
        match self.one {
            RowOne::Bottom => self.height.saturating_sub(number),
            RowOne::Top => number.saturating_sub(1),
        }
    }

    /// A column, counted from 0, as letters. Columns left of the board have no name: empty.
    pub fn column_name(x: i64) -> String {
        let mut letters = Vec::new();
        let mut rest = x.saturating_add(1);
        while rest > 0 {
            rest -= 1;
            letters.push(b'a' + (rest % LETTERS) as u8);
            rest /= LETTERS;
        }
        letters.into_iter().rev().map(char::from).collect()
    }

    /// The name of a cell; `x,y` where it lies so far off the board that it has none.
    pub fn name(self, at: impl Into<Coordinates>) -> String {
        let at = at.into();
        let row = self.row_number(at.y);
        if at.x < 0 || row < 1 {
            at.to_string()
        } else {
            format!("{}{row}", Self::column_name(at.x))
        }
    }

    /// The names of several cells.
    pub fn list<At: Into<Coordinates>>(self, cells: impl IntoIterator<Item = At>) -> Vec<String> {
        cells.into_iter().map(|at| self.name(at)).collect()
    }

    /// The names of several cells without blanks between them: `h8i9j8`.
    pub fn names<At: Into<Coordinates>>(self, cells: impl IntoIterator<Item = At>) -> String {
        self.list(cells).concat()
    }

    /// Reads one cell, `h8` or `7,7`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(self, text: &str) -> Result<Coordinates, ParseMoveError> {
        Ok(text.parse::<CellText>()?.at(self))
    }

    /// Reads cells as [`CellText::read_all`] does.
    ///
    /// # Errors
    /// When one is neither `h8` nor `7,7`.
    pub fn parse_all(self, text: &str) -> Result<Vec<Coordinates>, ParseMoveError> {
        Ok(CellText::read_all(text)?.iter().map(|cell| cell.at(self)).collect())
    }
}

/// A cell as somebody wrote it. What `h8` means depends on the board, so it can be read before
/// the board is known, and messages can name it exactly as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellText {
    text: String,
    named: Named,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// `7,7`
    Pair(Coordinates),
    /// `h8`: the column from 0 and the number of the row.
    Name { x: i64, row: i64 },
}

impl CellText {
    /// Reads cells as people write and paste them: `7,7 8,8`, `h8 i9` or `h8i9`, in either case and
    /// width, with numbers of moves before them, and with commas, brackets, dashes and quotes around
    /// them.
    ///
    /// # Errors
    /// When one is neither `h8` nor `7,7`.
    pub fn read_all(text: &str) -> Result<Vec<CellText>, ParseMoveError> {
        Scanner::new(text).cells()
    }

    /// The cell that a pair of numbers means, written so.
    pub(super) fn of_pair(text: &str, at: Coordinates) -> CellText {
        CellText { text: text.to_string(), named: Named::Pair(at) }
    }

    /// The cell of these letters and this number, which is not 0.
    pub(super) fn of_name(letters: &str, digits: &str) -> CellText {
        // Numbers too large for any integer are only far off the board.
        let x = letters.bytes().fold(0i64, |x, letter| {
            let digit = i64::from(letter.to_ascii_lowercase() - b'a') + 1;
            x.saturating_mul(LETTERS).saturating_add(digit)
        });
        let named = Named::Name { x: x - 1, row: digits.parse().unwrap_or(i64::MAX) };
        CellText { text: format!("{letters}{digits}"), named }
    }

    /// The name at the beginning of `text`, and what follows it.
    fn first_name(text: &str) -> Result<(CellText, &str), ParseMoveError> {
        let error = || ParseMoveError::new(text);
        let (letters, rest) = split_while(text, |symbol| symbol.is_ascii_alphabetic());
        let (digits, rest) = split_while(rest, |symbol| symbol.is_ascii_digit());
        if letters.is_empty() || digits.is_empty() || digits.bytes().all(|digit| digit == b'0') {
            return Err(error());
        }
        Ok((CellText::of_name(letters, digits), rest))
    }

    /// The cell that is meant on a board with this notation.
    pub fn at(&self, notation: Notation) -> Coordinates {
        match self.named {
            Named::Pair(at) => at,
            Named::Name { x, row } => Coordinates { x, y: notation.row(row) },
        }
    }
}

impl fmt::Display for CellText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for CellText {
    type Err = ParseMoveError;

    /// One cell; blanks around it and around a comma do not count.
    fn from_str(text: &str) -> Result<CellText, ParseMoveError> {
        let text = text.trim();
        if text.contains(',') {
            return Ok(CellText { text: text.to_string(), named: Named::Pair(text.parse()?) });
        }
        match CellText::first_name(text)? {
            (cell, "") => Ok(cell),
            _ => Err(ParseMoveError::new(text)),
        }
    }
}

fn split_while(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches(belongs).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: i64, height: i64) -> BoardSize {
        BoardSize::new(width, height).unwrap()
    }

    #[test]
    fn names_go_both_ways_on_every_board() {
        for (size, one) in [
            (size(15, 15), RowOne::Bottom),
            (size(36, 20), RowOne::Bottom),
            (size(9, 36), RowOne::Top),
        ] {
            let notation = Notation::with_row_one(size, one);
            for point in size.points() {
                let name = notation.name(point);
                assert_eq!(notation.parse(&name), Ok(point.into()), "{name}");
                assert_eq!(notation.parse(&point.to_string()), Ok(point.into()));
            }
        }
    }

    #[test]
    fn rows_count_from_the_bottom_unless_told_otherwise() {
        let wide = size(36, 20);
        let at = |x, y| Coordinates { x, y };
        let (field, top) = (Notation::new(wide), Notation::with_row_one(wide, RowOne::Top));
        assert_eq!([field.name(at(0, 19)), top.name(at(0, 19))], ["a1", "a20"]);
        assert_eq!([field.name(at(7, 0)), top.name(at(7, 0))], ["h20", "h1"]);
        assert_eq!([field.name(at(26, 12)), field.name(at(35, 0))], ["aa8", "aj20"]);
        assert_eq!(field.names([at(7, 12), at(25, 0)]), "h8z20");
        assert_eq!(field.parse_all("h8Z20 AA1\n7,12").unwrap().len(), 4);
        assert_eq!(Notation::column_name(26 * 27 - 1), "zz");
        assert_eq!(Notation::column_name(26 * 27), "aaa");
    }

    #[test]
    fn cells_off_the_board_keep_a_name() {
        let field = Notation::new(size(15, 15));
        let below = field.parse("h16").unwrap();
        assert_eq!(below, Coordinates { x: 7, y: -1 });
        assert_eq!(field.name(below), "h16");
        assert_eq!(field.name(Coordinates { x: -1, y: -1 }), "-1,-1");
        assert_eq!(field.name(Coordinates { x: 3, y: 15 }), "3,15");
        let far: CellText = "99999999999999999999,1".parse().unwrap();
        assert_eq!(far.to_string(), "99999999999999999999,1");
        assert_eq!(far.at(field).x, i64::MAX);
        let far: CellText = "zzzzzzzzzzzzzzzzzzzzzzzz99999999999999999999".parse().unwrap();
        assert!(far.at(field).x > 1 << 60 && far.at(field).y < -(1 << 60));
    }

    #[test]
    fn other_texts_are_refused() {
        let field = Notation::new(size(15, 15));
        for bad in ["8h", "h", "h0", "h8!", "h8 9", "7,7h8", "ä8", "h8 7,"] {
            assert!(field.parse_all(bad).is_err(), "{bad}");
        }
        for bad in ["h8i9", "", "h 8", "7,7 8,8"] {
            assert!(field.parse(bad).is_err(), "{bad}");
        }
        assert_eq!(field.parse(" 3 , 4 "), Ok(Coordinates { x: 3, y: 4 }));
    }
}
