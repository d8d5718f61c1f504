//! Parses lists of cells as people write and paste them.

use super::notation::CellText;
use super::{Coordinates, ParseMoveError, integer};

/// Parses cells one after another.
pub(super) struct Scanner {
    symbols: Vec<char>,
    at: usize,
    /// The number of the first move.
    first: usize,
}

/// Whether a character may stand between cells: whitespace, brackets, quotes and separators, the
/// stones or the words for the players, and numbers in circles.
fn is_between(symbol: char) -> bool {
    symbol.is_whitespace()
        || ",;_-–—→⇒<>|/\\=~.\"'`“”‘’«»「」『』【】[](){}、。・·•…‥\u{200b}\u{feff}"
            .contains(symbol)
        || is_player(symbol)
        || "第手수".contains(symbol)
        || ('①'..='⒇').contains(&symbol)
        || ('⓪'..='⓿').contains(&symbol)
        || ('㉑'..='㉟').contains(&symbol)
        || ('㊱'..='㊿').contains(&symbol)
}

/// Whether a character is a stone or the word for a player.
fn is_player(symbol: char) -> bool {
    "●○◯◎⚫⚪黑黒白흑백".contains(symbol)
}

/// Whether a character may end a move number.
fn is_behind_number(symbol: char) -> bool {
    matches!(symbol, '.' | ')' | ':' | '=' | '、' | '…' | '手' | '目' | '수')
}

/// Marks of good and bad moves, directly after a cell.
fn is_mark(symbol: char) -> bool {
    matches!(symbol, '!' | '?' | '*')
}

/// Words that may stand before a cell: the names of the players, and one behind a name.
const LABELS: [&str; 7] = ["b", "w", "x", "o", "black", "white", "at"];

/// Units behind the time of a move.
const UNITS: [&str; 3] = ["s", "ms", "sec"];

impl Scanner {
    /// A scanner of `text`; full-width characters are read as their ASCII forms.
    pub(super) fn new(text: &str) -> Scanner {
        let plain = |symbol: char| match symbol {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(symbol) - 0xfee0).unwrap_or(symbol),
            '\u{3000}' => ' ',
            other => other,
        };
        Scanner { symbols: text.chars().map(plain).collect(), at: 0, first: 1 }
    }

    /// Every cell.
    ///
    /// # Errors
    /// When the text has a part that is neither a cell nor a separator.
    pub(super) fn cells(mut self) -> Result<Vec<CellText>, ParseMoveError> {
        let mut cells = Vec::new();
        loop {
            self.skip_between();
            match self.peek() {
                None => return Ok(cells),
                Some(symbol) if symbol.is_ascii_alphabetic() => cells.extend(self.name()?),
                Some('$') => self.skip_annotation()?,
                Some(_) if self.skip_bare_number(cells.len()) => {}
                Some(_) => cells.extend(self.pair(cells.is_empty())?),
            }
            if !cells.is_empty() {
                self.take(is_mark);
                if self.peek() == Some('+') && !self.is_at_sign() {
                    self.at += 1;
                }
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.symbols.get(self.at).copied()
    }

    fn skip_between(&mut self) {
        while let Some(symbol) = self.peek().filter(|&symbol| is_between(symbol))
            && !self.is_at_sign()
        {
            self.at += 1;
            if is_player(symbol) {
                // `黑方: h8`
                self.take(|symbol| matches!(symbol, '方' | '棋' | '番' | '돌'));
                self.take(|symbol| symbol == ':' || symbol.is_whitespace());
                self.skip_number_of_move();
            }
        }
    }

    /// Whether the sign of a number stands here, and not a dash between two cells.
    fn is_at_sign(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.symbols[at]);
        matches!(self.peek(), Some('-' | '+'))
            && self.symbols.get(self.at + 1).is_some_and(char::is_ascii_digit)
            && before.is_none_or(|symbol| !symbol.is_alphanumeric() && symbol != ')')
    }

    /// Consumes the next characters while they satisfy `belongs`.
    fn take(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.at += 1;
        }
        self.symbols[start..self.at].iter().collect()
    }

    fn skip_blanks(&mut self) {
        self.take(char::is_whitespace);
    }

    /// An error that quotes the word at `start`.
    fn error(&self, start: usize) -> ParseMoveError {
        let word: String =
            self.symbols[start..].iter().take_while(|symbol| !symbol.is_whitespace()).collect();
        ParseMoveError::new(&word)
    }

    /// Skips the number of a move between the symbol of its player and its cell: `黑1 h8`.
    fn skip_number_of_move(&mut self) {
        let start = self.at;
        let digits = self.take(|symbol| symbol.is_ascii_digit());
        let between = self.take(|symbol| symbol.is_whitespace() || is_behind_number(symbol));
        let is_cell = self.peek().is_some_and(|symbol| symbol.is_ascii_alphabetic());
        if digits.is_empty() || between.is_empty() || !is_cell {
            self.at = start;
        }
    }

    /// Skips an annotation of PGN: `$1`.
    fn skip_annotation(&mut self) -> Result<(), ParseMoveError> {
        let start = self.at;
        self.at += 1;
        match self.take(|symbol| symbol.is_ascii_digit()).as_str() {
            "" => Err(self.error(start)),
            _ => Ok(()),
        }
    }

    /// Whether a pair of numbers stands here.
    fn is_at_pair(&self) -> bool {
        let mut rest = self.symbols[self.at..].iter().skip_while(|it| it.is_ascii_digit());
        let has_digits = self.peek().is_some_and(|symbol| symbol.is_ascii_digit());
        has_digits && rest.find(|symbol| !symbol.is_whitespace()) == Some(&',')
    }

    /// `h8` or `h 8`; `None` for a player's letter before a cell.
    fn name(&mut self) -> Result<Option<CellText>, ParseMoveError> {
        let start = self.at;
        let letters = self.take(|symbol| symbol.is_ascii_alphabetic());
        let behind = self.at;
        if LABELS.contains(&letters.to_ascii_lowercase().as_str()) {
            self.take(|symbol| symbol.is_whitespace() || ":.[(".contains(symbol));
            let is_cell = self.peek().is_some_and(|symbol| symbol.is_ascii_alphabetic());
            if self.at > behind && (is_cell || self.is_at_pair()) {
                return Ok(None);
            }
            self.at = behind;
        }
        if !CellText::is_column(&letters) {
            return Err(self.error(start));
        }
        let has_dash = self.peek() == Some('-');
        if has_dash && self.symbols.get(self.at + 1).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        self.skip_blanks();
        let digits = self.take(|symbol| symbol.is_ascii_digit());
        let is_pair = self.at > behind + digits.len() && self.peek() == Some(',');
        if digits.is_empty() || is_pair || digits.bytes().all(|digit| digit == b'0') {
            return Err(self.error(start));
        }
        Ok(Some(CellText::of_name(&letters, &digits)))
    }

    /// Skips a move number without a dot before a cell, as in `1 h8 2 i9` or `1 h8 i9 2 i7`. It must
    /// fit the first number, or 1, and the number of cells before it.
    fn skip_bare_number(&mut self, before: usize) -> bool {
        let start = self.at;
        let number: Option<usize> = self.take(|symbol| symbol.is_ascii_digit()).parse().ok();
        let blanks = self.take(|symbol| symbol.is_whitespace());
        // `3. 1 h8 2 i9`: the first number may be that of the game.
        let fits = [1, self.first].into_iter().any(|first| {
            let ahead = number.and_then(|number| number.checked_sub(first));
            ahead == Some(before) || (before.is_multiple_of(2) && ahead == Some(before / 2))
        });
        let is_cell = self.peek().is_some_and(|symbol| symbol.is_ascii_alphabetic());
        if fits && is_cell && !blanks.is_empty() {
            return true;
        }
        self.at = start;
        false
    }

    /// `7,7`, or `None` for a move number, `12.`, `12)` or `12-h8`, and for a time. `is_first` is whether
    /// no cell is before it.
    fn pair(&mut self, is_first: bool) -> Result<Option<CellText>, ParseMoveError> {
        let start = self.at;
        let x = self.number();
        let has_dash = self.peek() == Some('-')
            && self.symbols.get(self.at + 1).is_some_and(char::is_ascii_alphabetic);
        if !x.is_empty() && (has_dash || self.peek().is_some_and(is_behind_number)) {
            self.take(is_behind_number);
            if is_first {
                self.first = x.parse().unwrap_or(1);
            }
            return Ok(None);
        }
        let behind = self.at;
        let unit = self.take(|symbol| symbol.is_ascii_alphabetic());
        if !is_first
            && UNITS.contains(&unit.as_str())
            && !self.peek().is_some_and(|it| it.is_ascii_digit())
        {
            return Ok(None);
        }
        self.at = behind;
        self.skip_blanks();
        if x.is_empty() || self.peek() != Some(',') {
            return Err(self.error(start));
        }
        self.at += 1;
        self.skip_blanks();
        let y = self.number();
        if self.peek().is_some_and(|symbol| !is_between(symbol)) {
            return Err(self.error(start));
        }
        match (integer(&x), integer(&y)) {
            (Some(column), Some(row)) => {
                Ok(Some(CellText::of_pair(&format!("{x},{y}"), Coordinates { x: column, y: row })))
            }
            _ => Err(self.error(start)),
        }
    }

    /// A number with its sign; empty if there is none.
    fn number(&mut self) -> String {
        let sign = match self.peek() {
            Some(sign @ ('-' | '+')) => {
                self.at += 1;
                Some(sign)
            }
            _ => None,
        };
        let digits = self.take(|symbol| symbol.is_ascii_digit());
        sign.into_iter().chain(digits.chars()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Option<String> {
        let cells = Scanner::new(text).cells().ok()?;
        Some(cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn lists_are_read_as_people_write_them() {
        for text in [
            "h8 i9 i7 g9",
            "h8i9i7g9",
            "h8_i9_i7_g9",
            "h8-i9-i7-g9",
            "h8,i9,i7,g9",
            "h8, i9, i7, g9",
            "h8;i9;i7;g9;",
            "h8 - i9 – i7 → g9",
            "1. h8 i9 2. i7 g9",
            "1.h8 2.i9 3.i7 4.g9",
            "1) h8 2) i9 3) i7 4) g9",
            "1: h8, 2: i9, 3: i7, 4: g9",
            "ｈ８　ｉ９ｉ７，ｇ９",
            "h 8 i 9 i 7 g 9",
            "(h8) (i9) [i7] [g9]",
            "[\"h8\", \"i9\", \"i7\", \"g9\"]",
            "B: h8 W: i9 B i7 W g9",
            "1. h8 1... i9 2. i7 g9",
            "1 h8 2 i9 3 i7 4 g9",
            "1 h8 i9 2 i7 g9",
            "h8! i9? i7!? g9",
            "1.h8!, 2.i9, 3.i7*, 4.g9?!",
            "①h8 ②i9 ③i7 ④g9",
            "⑴h8 ⑵i9 ⑶i7 ⑷g9",
            "B[h8] W[i9] B[i7] W[g9]",
            "B(h8);W(i9);B(i7);W(g9)",
            "1. h8 1…i9 2. i7 2… g9",
            "黑h8 白i9 黑i7 白g9",
            "●h8 ○i9 ●i7 ○g9",
            "黑：h8 白：i9 黑：i7 白：g9",
            "黑方: h8 白方: i9 黑方: i7 白方: g9",
            "5. h8 i9 6 i7 g9",
            "5. h8 6 i9 7 i7 8 g9",
            "3. 1 h8 2 i9 3 i7 4 g9",
            "3) 1 h8 2 i9 3 i7 4 g9",
            "3: 1 h8 i9 2 i7 g9",
            "5. h8 i9 2 i7 g9",
            "第1手：h8，第2手：i9，第3手：i7，第4手：g9",
            "h-8 i-9 i-7 g-9",
            "h8·i9・i7•g9",
            "h8 → i9 ⇒ i7 … g9.",
            "「h8」「i9」「i7」「g9」",
            "1-h8 2-i9 3-i7 4-g9",
            "1=h8,2=i9,3=i7,4=g9",
            "1、h8 2、i9 3、i7 4、g9",
            "1手目 h8 2手目 i9 3手目 i7 4手目 g9",
            "1. h8 $1 i9 $2 2. i7+ g9",
            "1. h8 12s i9(1.5s) 2. i7 (300ms) g9 5s",
            "1: Black at h8 2: White at i9 3: x i7 4: o g9",
            "黑1 h8 白2 i9 黑3 i7 白4 g9",
        ] {
            assert_eq!(names(text).as_deref(), Some("h8 i9 i7 g9"), "{text}");
        }
        for text in [
            "7,7 8,-8",
            "(7,7) (8,-8)",
            "(7, 7), (8, -8)",
            "[[7,7],[8,-8]]",
            "[7, 7] [8, -8]",
            "7,7;8,-8",
            "７，７　８，-８",
            "1. 7,7 2. 8,-8",
        ] {
            assert_eq!(names(text).as_deref(), Some("7,7 8,-8"), "{text}");
        }
        assert_eq!(names("7,7-8,8").as_deref(), Some("7,7 8,8"));
        assert_eq!(names("").as_deref(), Some(""));
    }

    #[test]
    fn errors_quote_the_rejected_word() {
        let fault = |text: &str| Scanner::new(text).cells().unwrap_err().to_string();
        for (text, word) in [
            ("h8 hello", "hello"),
            ("h8 9", "9"),
            ("8,8,120", "120"),
            ("! h8", "!"),
            ("h8 3 i9", "3"),
            ("7,7h8", "7,7h8"),
            ("8h", "8h"),
            ("h8 7,x", "7,x"),
            ("h0", "h0"),
            ("Game 1", "Game"),
            ("h8 ba9", "ba9"),
            ("h8 $x", "$x"),
        ] {
            assert!(fault(text).starts_with(&format!("{word:?}")), "{text}: {}", fault(text));
        }
    }
}
