//! Boards as text: `X` black, `O` white, `#` out of play, `.` empty, one row a line.

use std::fmt;

use super::{Board, Cell};
use crate::types::{BoardSize, Color, MAX_SIDE, Rule};

/// Why a text is not a board. Lines count from 1, empty ones too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiagramError {
    /// There is no row at all.
    Empty,
    /// A row with more cells than any board has.
    TooWide {
        /// Where.
        line: usize,
        /// Number of its cells.
        cells: usize,
    },
    /// More rows than any board has; the first that is too many.
    TooHigh {
        /// Where.
        line: usize,
    },
    /// A row whose length differs from the first one's.
    Ragged {
        /// Where.
        line: usize,
        /// Number of its cells.
        cells: usize,
        /// Number of cells of the first row.
        expected: usize,
    },
    /// A character that stands for nothing.
    Character {
        /// Where.
        line: usize,
        /// The character.
        symbol: char,
    },
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiagramError::Empty => f.write_str("the diagram is empty"),
            DiagramError::TooWide { line, cells } => {
                write!(f, "line {line}: {cells} cells, and boards have {MAX_SIDE} columns at most")
            }
            DiagramError::TooHigh { line } => {
                write!(f, "line {line}: boards have {MAX_SIDE} rows at most")
            }
            DiagramError::Ragged { line, cells, expected } => {
                write!(f, "line {line}: {cells} cells, and the first row has {expected}")
            }
            DiagramError::Character { line, symbol } => {
                write!(f, "line {line}: {symbol:?} is not a cell; use X, O, # or .")
            }
        }
    }
}

impl std::error::Error for DiagramError {}

impl Board {
    /// Reads a diagram; blanks and empty lines are ignored. Stones are placed row by row and
    /// black is to move.
    ///
    /// # Errors
    /// When the text is not a board of a supported size.
    pub fn from_diagram(rule: Rule, text: &str) -> Result<Board, DiagramError> {
        Board::from_numbered_rows(rule, (1..).zip(text.lines()))
    }

    /// [`Board::from_diagram`] of lines that come with their numbers.
    ///
    /// # Errors
    /// When they are not a board of a supported size.
    pub fn from_numbered_rows<'a>(
        rule: Rule,
        lines: impl Iterator<Item = (usize, &'a str)>,
    ) -> Result<Board, DiagramError> {
        let rows: Vec<(usize, Vec<char>)> = lines
            .map(|(line, row)| (line, row.chars().filter(|cell| !cell.is_whitespace()).collect()))
            .filter(|(_, row): &(usize, Vec<char>)| !row.is_empty())
            .collect();
        let size = extents(&rows)?;
        let mut board = Board::new(size, rule);
        let cells = rows.iter().flat_map(|(line, row)| row.iter().map(move |&cell| (*line, cell)));
        for (point, (line, symbol)) in size.points().zip(cells) {
            match symbol {
                '.' => {}
                'X' => board.place_unchecked(point, Color::Black),
                'O' => board.place_unchecked(point, Color::White),
                '#' => board.wall(point).expect("an empty cell"),
                symbol => return Err(DiagramError::Character { line, symbol }),
            }
        }
        board.set_side(Color::Black);
        Ok(board)
    }
}

/// The size of the board that these rows draw.
fn extents(rows: &[(usize, Vec<char>)]) -> Result<BoardSize, DiagramError> {
    let most = usize::from(MAX_SIDE);
    let expected = rows.first().ok_or(DiagramError::Empty)?.1.len();
    for &(line, ref row) in rows {
        let cells = row.len();
        if cells > most {
            return Err(DiagramError::TooWide { line, cells });
        }
        if cells != expected {
            return Err(DiagramError::Ragged { line, cells, expected });
        }
    }
    if let Some(&(line, _)) = rows.get(most) {
        return Err(DiagramError::TooHigh { line });
    }
    BoardSize::new(expected as i64, rows.len() as i64).map_err(|_| DiagramError::Empty)
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in self.size().points() {
            let symbol = match self.cell(point) {
                Cell::Empty => '.',
                Cell::Black => 'X',
                Cell::White => 'O',
                Cell::Wall => '#',
            };
            let end = if point.x() + 1 == self.size().width() { '\n' } else { ' ' };
            write!(f, "{symbol}{end}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {} to move\n{self}", self.rule(), self.size(), self.side_to_move().name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_go_both_ways() {
        let text = ". X . . .\n. . O . .\n# . . . .\n. . . . .\n. . . . X\n";
        let board = Board::from_diagram(Rule::Freestyle, text).unwrap();
        assert_eq!(board.to_string(), text);
        assert_eq!(board.empty_count(), 21);
        assert_eq!(board.walls().count(), 1);
        let single = Board::from_diagram(Rule::Freestyle, "X").unwrap();
        assert_eq!(single.size().to_string(), "1x1");
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| Board::from_diagram(Rule::Freestyle, text).unwrap_err();
        let message = |text: &str| error(text).to_string();
        assert_eq!(error(" \n\n"), DiagramError::Empty);
        assert_eq!(message(".....\n\n....\n....."), "line 3: 4 cells, and the first row has 5");
        assert_eq!(message("..\n.?"), "line 2: '?' is not a cell; use X, O, # or .");
        let wide = ".".repeat(37);
        assert_eq!(message(&wide), "line 1: 37 cells, and boards have 36 columns at most");
        assert_eq!(message(&".\n".repeat(37)), "line 37: boards have 36 rows at most");
    }
}
