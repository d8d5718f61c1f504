//! Boards as text: `X` black, `O` white, `#` out of play, `.` empty, one row a line.

use std::fmt;

use super::{Board, Cell};
use crate::types::{BoardSize, Color, MAX_SIDE, Rule};

/// An error in a diagram. Lines are counted from 1, including empty ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiagramError {
    /// The diagram has no rows.
    Empty,
    /// A row is wider than the largest board.
    TooWide {
        /// Number of the line.
        line: usize,
        /// Number of cells in the row.
        cells: usize,
    },
    /// There are more rows than on the largest board; this is the first excess row.
    TooHigh {
        /// Number of the line.
        line: usize,
    },
    /// A row differs in length from the first one.
    Ragged {
        /// Number of the line.
        line: usize,
        /// Number of cells in the row.
        cells: usize,
        /// Number of cells in the first row.
        expected: usize,
    },
    /// A character is not a cell.
    Character {
        /// Number of the line.
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
                write!(f, "line {line}: {cells} cells, but boards have at most {MAX_SIDE} columns")
            }
            DiagramError::TooHigh { line } => {
                write!(f, "line {line}: boards have at most {MAX_SIDE} rows")
            }
            DiagramError::Ragged { line, cells, expected } => {
                write!(f, "line {line}: {cells} cells, but the first row has {expected}")
            }
            DiagramError::Character { line, symbol } => {
                write!(f, "line {line}: {symbol:?} is not a cell; use X, O, # or .")
            }
        }
    }
}

impl std::error::Error for DiagramError {}

impl Board {
    /// Parses a diagram; whitespace and empty lines are ignored. Stones are placed row by row, and
    /// black is to move.
    ///
    /// # Errors
    /// When the text is not a diagram of a supported size.
    pub fn from_diagram(rule: Rule, text: &str) -> Result<Board, DiagramError> {
        Board::from_numbered_rows(rule, (1..).zip(text.lines()))
    }

    /// Like [`Board::from_diagram`], from lines with their numbers.
    ///
    /// # Errors
    /// When the lines are not a diagram of a supported size.
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

/// The board size of a diagram.
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
    fn diagrams_round_trip() {
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
        assert_eq!(message(".....\n\n....\n....."), "line 3: 4 cells, but the first row has 5");
        assert_eq!(message("..\n.?"), "line 2: '?' is not a cell; use X, O, # or .");
        let wide = ".".repeat(37);
        assert_eq!(message(&wide), "line 1: 37 cells, but boards have at most 36 columns");
        assert_eq!(message(&".\n".repeat(37)), "line 37: boards have at most 36 rows");
    }
}
