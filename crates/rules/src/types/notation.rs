//! The common names of cells: `h8` is a column letter, from `a` at the left, and a row number, from
//! 1 at the bottom, as used by the Renju International Federation, RenLib and gomocalc. Columns
//! after `z` are `aa`, `ab` and so on.

use std::fmt;
use std::str::FromStr;

use super::scanner::Scanner;
use super::{BoardSize, Coordinates, MAX_SIDE, ParseMoveError};

const LETTERS: i64 = 26;

/// Which row is called 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOne {
    /// The bottom row, as is common.
    #[default]
    Bottom,
    /// The top row, as in some programs.
    Top,
}

/// Names of cells on a board of a given height.
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
    skips_i: bool,
}

impl Notation {
    /// The common names: row 1 is at the bottom.
    pub fn new(size: BoardSize) -> Notation {
        Notation::with_row_one(size, RowOne::Bottom)
    }

    /// Names with row 1 at either end.
    pub fn with_row_one(size: BoardSize, one: RowOne) -> Notation {
        Notation { height: size.height().into(), one, skips_i: false }
    }

    /// Names whose columns skip the letter `i`, as on boards of Go and in GTP: `j` follows `h`. Only
    /// for reading; [`Notation::name`] skips no letter.
    #[must_use]
    pub fn skipping_i(self) -> Notation {
        Notation { skips_i: true, ..self }
    }

    /// The number in the name of row `y`, where `y` counts from 0 at the top.
    pub fn row_number(self, y: i64) -> i64 {
        match self.one {
            RowOne::Bottom => self.height.saturating_sub(y),
            RowOne::Top => y.saturating_add(1),
        }
    }

    /// The inverse of [`Notation::row_number`].
    fn row(self, number: i64) -> i64 {
        match self.one {
            RowOne::Bottom => self.height.saturating_sub(number),
            RowOne::Top => number.saturating_sub(1),
        }
    }

    /// The letters of column `x`, counted from 0. Empty for columns left of the board.
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

    /// The name of a cell; `x,y` for a cell off the board whose row or column has no name.
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

    /// The names of several cells without spaces between them: `h8i9j8`.
    pub fn names<At: Into<Coordinates>>(self, cells: impl IntoIterator<Item = At>) -> String {
        self.list(cells).concat()
    }

    /// Parses one cell, `h8` or `7,7`.
    ///
    /// # Errors
    /// When the text is neither.
    pub fn parse(self, text: &str) -> Result<Coordinates, ParseMoveError> {
        Ok(text.parse::<CellText>()?.at(self))
    }

    /// Parses cells as [`CellText::read_all`] does.
    ///
    /// # Errors
    /// When one is neither `h8` nor `7,7`.
    pub fn parse_all(self, text: &str) -> Result<Vec<Coordinates>, ParseMoveError> {
        Ok(CellText::read_all(text)?.iter().map(|cell| cell.at(self)).collect())
    }
}

/// A cell as it was written. The meaning of `h8` depends on the board; this type allows parsing it
/// before the board is known, and quoting it as it was written in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellText {
    text: String,
    named: Named,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// `7,7`
    Pair(Coordinates),
    /// `h8`: the column, from 0, and the number of the row.
    Name { x: i64, row: i64 },
}

impl CellText {
    /// Parses cells as people write and paste them: `7,7 8,8`, `h8 i9` or `h8i9`, in either case
    /// and width, with optional move numbers, commas, brackets, dashes and quotes.
    ///
    /// # Errors
    /// When one is neither `h8` nor `7,7`.
    pub fn read_all(text: &str) -> Result<Vec<CellText>, ParseMoveError> {
        Scanner::new(text).cells()
    }

    /// One cell as people type it: also in full-width letters, in brackets, or after its number.
    ///
    /// # Errors
    /// When the text is not one cell.
    pub fn read_one(text: &str) -> Result<CellText, ParseMoveError> {
        let mut cells = CellText::read_all(text)?;
        let cell = cells.pop().filter(|_| cells.is_empty());
        cell.ok_or_else(|| ParseMoveError::new(text.trim()))
    }

    /// Whether letters name a column of the largest board.
    pub fn is_column(letters: &str) -> bool {
        letters.bytes().all(|letter| letter.is_ascii_alphabetic())
            && (0..MAX_SIDE.into()).contains(&column(letters))
    }

    /// The cell of a pair of numbers, with its text.
    pub(super) fn of_pair(text: &str, at: Coordinates) -> CellText {
        CellText { text: text.to_string(), named: Named::Pair(at) }
    }

    /// The cell of these letters and this number, which is not 0.
    pub(super) fn of_name(letters: &str, digits: &str) -> CellText {
        // A number that does not fit an integer is off the board in any case.
        let named = Named::Name { x: column(letters), row: digits.parse().unwrap_or(i64::MAX) };
        CellText { text: format!("{letters}{digits}"), named }
    }

    /// The name at the beginning of `text`, and the rest of it.
    fn first_name(text: &str) -> Result<(CellText, &str), ParseMoveError> {
        let error = || ParseMoveError::new(text);
        let (letters, rest) = split_while(text, |symbol| symbol.is_ascii_alphabetic());
        let (digits, rest) = split_while(rest, |symbol| symbol.is_ascii_digit());
        if letters.is_empty() || digits.is_empty() || digits.bytes().all(|digit| digit == b'0') {
            return Err(error());
        }
        Ok((CellText::of_name(letters, digits), rest))
    }

    /// The cell on a board with this notation.
    pub fn at(&self, notation: Notation) -> Coordinates {
        match self.named {
            Named::Pair(at) => at,
            Named::Name { x, row } => {
                let x = if notation.skips_i { without_i(x) } else { x };
                Coordinates { x, y: notation.row(row) }
            }
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

    /// One cell; whitespace around it and around a comma is ignored.
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

/// The column with these ASCII letters as its name, from 0; -1 without letters.
fn column(letters: &str) -> i64 {
    let number = letters.bytes().fold(0i64, |number, letter| {
        let digit = i64::from(letter.to_ascii_lowercase() - b'a') + 1;
        number.saturating_mul(LETTERS).saturating_add(digit)
    });
    number - 1
}

/// The column of a name whose letters skip `i`; `i` itself is left of the board.
fn without_i(x: i64) -> i64 {
    match x {
        ..8 => x,
        8 => -1,
        _ => x - 1,
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
    fn names_round_trip_on_every_board() {
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
    fn rows_count_from_the_bottom_by_default() {
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
    fn columns_may_skip_i() {
        let field = Notation::new(size(15, 15)).skipping_i();
        assert_eq!(
            field.parse_all("h8 j9 p15").unwrap().iter().map(|at| at.x).collect::<Vec<_>>(),
            [7, 8, 14]
        );
        assert_eq!(field.parse("i9").unwrap().x, -1);
        assert_eq!(field.parse("9,9").unwrap().x, 9);
    }

    #[test]
    fn cells_off_the_board_have_names() {
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
    fn parse_rejects_other_texts() {
        let field = Notation::new(size(15, 15));
        for bad in ["8h", "h", "h0", "!h8", "h8 9", "7,7h8", "ä8", "h8 7,"] {
            assert!(field.parse_all(bad).is_err(), "{bad}");
        }
        for bad in ["h8i9", "", "h 8", "7,7 8,8"] {
            assert!(field.parse(bad).is_err(), "{bad}");
        }
        assert_eq!(field.parse(" 3 , 4 "), Ok(Coordinates { x: 3, y: 4 }));
        for typed in ["\u{ff48}\u{ff18}", "(7,7)", "h 8", "10. h8", "h8,", "[7, 7]", "H8"] {
            let cell = CellText::read_one(typed).unwrap();
            assert_eq!(cell.at(field), Coordinates { x: 7, y: 7 }, "{typed}");
        }
        for bad in ["", "h8i9", "7,7 8,8", "x", "8"] {
            assert!(CellText::read_one(bad).is_err(), "{bad}");
        }
    }
}
